"""Short codes for tables, to be told across the room and typed on the start page.

A code is made for who has the link, leads to it, and is good for some hours, while the table is not
closed and its link not renewed. It is kept in memory alone, by the server that made it, which tells
the others: a restart ends it, and another one is made at once.
"""

from dataclasses import dataclass
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


class Invitations:
    """The codes for tables.

    Args:
        hall: the tables.
    """

    def __init__(self, hall: "Hall") -> None:
        self._hall = hall
        self._open: dict[str, Invitation] = {}
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
        self._forget(now)
        for code, one in self._open.items():
            if (one.table, one.key) == (table, key):
                return code, one.until - now
        clock = self._hall.services.now()
        if not self._made.of(caller(address), clock).take(clock):
            self._note("table_codes", address)
            raise RefusedError("too_fast", "too many codes were asked for; wait a minute")
        if len(self._open) >= MOST_OPEN:
            self._note("table_codes", address)
            raise RefusedError("busy", "this server has given out as many codes as it may")
        code = codes.new_code(codes.TABLE)
        self._open[code] = Invitation(table, key, now + CODE_SECONDS)
        return code, CODE_SECONDS

    def known(self, code: str) -> Invitation | None:
        """Where a code leads that was made at this server."""
        self._forget(self._hall.services.store.now())
        return self._open.get(code)

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
        code = codes.typed_code(text, (codes.TABLE,))
        found = None if code is None else await self._find(code)
        if found is None:
            # Only now: whoever types what he was told is never slowed down.
            own.charge(clock)
            everybody.charge(clock)
            raise RefusedError("bad_code", "this code is not good, or no longer")
        return found

    async def _find(self, code: str) -> Invitation | None:
        found = self.known(code)
        if found is None and self._hall.cluster is not None:
            return await self._hall.cluster.invitation_elsewhere(code)
        return found

    def _forget(self, now: float) -> None:
        """Forgets the codes that are good no longer; the oldest stand first."""
        while self._open and next(iter(self._open.values())).until <= now:
            del self._open[next(iter(self._open))]

    def _note(self, limit: str, address: str) -> None:
        self._hall.services.incidents.note("limit_hit", limit, address)
