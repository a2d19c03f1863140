"""Short codes for tables, to be told across the room and typed on the start page.

A code is made for who has the link, leads to it, and is good for some hours, while the table is not
closed and its link not renewed: then it makes room for others. It is kept in memory alone, by the
server that made it, which the others ask: a restart ends it, and another one is made at once.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jasstisch.server import codes
from jasstisch.server.addresses import caller
from jasstisch.server.calls import RefusedError

if TYPE_CHECKING:
    from jasstisch.server.hall import Hall

__all__ = ["CODE_SECONDS", "MOST_OPEN", "Invitation", "Invitations"]

CODE_SECONDS = 6 * 3600
"""How long a code for a table is good."""

MOST_OPEN = 1000
"""So many codes one server keeps: what `codes.TABLE` reckons with."""

MOST_OF_ADDRESS = 100
"""So many of them may have been made at one address, so that others find room."""

MADE, MADE_PER_MINUTE = 20, 4
"""How many codes may be made at one address at once and in the long run."""

WRONG, WRONG_PER_MINUTE = 10, 2
ALL_WRONG_PER_MINUTE = 120
"""How many wrong codes one address may try at once and in the long run, and all together."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """Where a code leads.

    Attributes:
        table: the table's id.
        key: what its link has besides, if anything.
        until: seconds since 1970 until which the code is good.
    """

    table: str
    key: str | None
    until: float


@dataclass(slots=True)
class _Open:
    """The codes that are good, one for each table.

    Attributes:
        codes: where they lead, the oldest first.
        of_table: the code of each table.
        made_at: the address at which each was made.
    """

    codes: dict[str, Invitation] = field(default_factory=dict)
    of_table: dict[str, str] = field(default_factory=dict)
    made_at: dict[str, str] = field(default_factory=dict)

    def add(self, code: str, invitation: Invitation, address: str) -> None:
        self.codes[code] = invitation
        self.of_table[invitation.table] = code
        self.made_at[code] = address

    def drop(self, table: str) -> None:
        code = self.of_table.pop(table, None)
        if code is not None:
            del self.codes[code], self.made_at[code]

    def drop_old(self, now: float) -> None:
        while self.codes and (oldest := next(iter(self.codes.values()))).until <= now:
            self.drop(oldest.table)

    def of_address(self, address: str) -> int:
        return sum(one == address for one in self.made_at.values())


class Invitations:
    """The codes for tables.

    Args:
        hall: the tables.
    """

    def __init__(self, hall: "Hall") -> None:
        self._hall = hall
        self._open = _Open()
        services = hall.services
        buckets, now = services.shared.buckets, services.now
        self._made = buckets("table_codes", MADE_PER_MINUTE / 60, MADE, now)
        self._wrong = buckets("wrong_table_codes", WRONG_PER_MINUTE / 60, WRONG, now)
        most = ALL_WRONG_PER_MINUTE
        self._all_wrong = buckets("all_wrong_table_codes", most / 60, most, now)

    def make(self, table: str, key: str | None, address: str) -> tuple[str, float]:
        """A code for a table, the one there is or a fresh one, and for how many seconds it is good.

        Args:
            table: the table's id.
            key: what its link has besides.
            address: where whoever wants it calls from.

        Raises:
            RefusedError: too many have been made.
        """
        now = self._hall.services.store.now()
        self._open.drop_old(now)
        code = self._open.of_table.get(table)
        if code is not None:
            there_is = self._open.codes[code]
            if there_is.key == key:
                return code, there_is.until - now
            self._open.drop(table)
        self._check_room(address)
        code = codes.new_code(codes.TABLE)
        self._open.add(code, Invitation(table, key, now + CODE_SECONDS), caller(address))
        return code, CODE_SECONDS

    def _check_room(self, address: str) -> None:
        """Makes sure that one more may be made.

        Raises:
            RefusedError: too many have been made, there or in all.
        """
        clock, counted = self._hall.services.now(), caller(address)
        if not self._made.of(counted, clock).take(clock):
            self._note("table_codes", address)
            raise RefusedError("too_fast", "too many codes were asked for; wait a minute")
        if len(self._open.codes) >= MOST_OPEN:
            self._note("table_codes", address)
            raise RefusedError("busy", "this server has given out as many codes as it may")
        if self._open.of_address(counted) >= MOST_OF_ADDRESS:
            self._note("table_codes", address)
            raise RefusedError("limit", f"{MOST_OF_ADDRESS} codes made at your address are open")

    def drop(self, table: str) -> None:
        """Forgets the code for a table: it is closed or gone, or its link has been renewed."""
        self._open.drop(table)

    def known(self, code: str) -> Invitation | None:
        """Where a code leads that was made at this server."""
        self._open.drop_old(self._hall.services.store.now())
        return self._open.codes.get(code)

    async def read(self, text: str, address: str) -> Invitation:
        """Where a code leads that somebody has typed.

        Raises:
            RefusedError: it is not good, or too many that were not have been tried.
        """
        clock = self._hall.services.now()
        own, everybody = self._wrong.of(caller(address), clock), self._all_wrong.of("", clock)
        if not (own.allows(clock) and everybody.allows(clock)):
            self._note("wrong_table_codes", address)
            raise RefusedError("too_fast", "too many codes were tried; wait a few minutes")
        # Before it is known: to ask other servers takes a moment, in which many could be tried.
        own.take(clock)
        everybody.take(clock)
        code = codes.typed_code(text, (codes.TABLE,))
        found = None if code is None else await self._find(code)
        if found is None:
            raise RefusedError("bad_code", "this code is not good, or no longer")
        # Whoever types what he was told is never slowed down.
        clock = self._hall.services.now()
        own.give_back(clock)
        everybody.give_back(clock)
        return found

    async def _find(self, code: str) -> Invitation | None:
        found = self.known(code)
        if found is None and self._hall.cluster is not None:
            return await self._hall.cluster.invitation_elsewhere(code)
        return found

    def _note(self, limit: str, address: str) -> None:
        self._hall.services.incidents.note("limit_hit", limit, address)
