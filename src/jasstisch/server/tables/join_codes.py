"""Short codes for tables, to be told across the room and typed on the start page.

A code is made for who has the link, leads to it, and is good for some hours, while the table is not
closed and its link not renewed: then it makes room for others. It is kept in memory alone, by the
server that made it, which the others ask: a restart ends it, and another one is made at once.
"""

from dataclasses import dataclass, field

from jasstisch.server.context import ServerContext
from jasstisch.server.errors import ApiError
from jasstisch.server.identity import base32_codes
from jasstisch.server.net import rate_limit_key
from jasstisch.server.tables.directory import JoinCodeEntry, TableDirectory

__all__ = ["CODE_LIFETIME_S", "MAX_ACTIVE_CODES", "JoinCodes"]

CODE_LIFETIME_S = 6 * 3600
"""How long a code for a table is good."""

MAX_ACTIVE_CODES = 1000
"""So many codes one server keeps: what `codes.TABLE` reckons with."""

MAX_CODES_PER_ADDRESS = 100
"""So many of them may have been made at one address, so that others find room."""

CREATE_BURST, CREATED_PER_MINUTE = 20, 4
"""How many codes may be made at one address at once and in the long run."""

WRONG_BURST, WRONG_PER_MINUTE = 10, 2
TOTAL_WRONG_PER_MINUTE = 120
"""How many wrong codes one address may try at once and in the long run, and all together."""


@dataclass(slots=True)
class _ActiveCodes:
    """The codes that are good, one for each table.

    Attributes:
        codes: where they lead, the oldest first.
        of_table: the code of each table.
        made_at: the address at which each was made.
    """

    by_code: dict[str, JoinCodeEntry] = field(default_factory=dict)
    by_table: dict[str, str] = field(default_factory=dict)
    made_at: dict[str, str] = field(default_factory=dict)

    def add(self, code: str, invitation: JoinCodeEntry, address: str) -> None:
        self.by_code[code] = invitation
        self.by_table[invitation.table] = code
        self.made_at[code] = address

    def remove(self, table: str) -> None:
        code = self.by_table.pop(table, None)
        if code is not None:
            del self.by_code[code], self.made_at[code]

    def remove_expired(self, now: float) -> None:
        while self.by_code and (oldest := next(iter(self.by_code.values()))).until <= now:
            self.remove(oldest.table)

    def count_at(self, address: str) -> int:
        return sum(one == address for one in self.made_at.values())


class JoinCodes:
    """The codes for tables.

    Args:
        context: the clock, the limits and the alerts of the server.
        directory: asks the other servers for the codes that they have made.
    """

    def __init__(self, context: ServerContext, directory: TableDirectory) -> None:
        self._context = context
        self._directory = directory
        self._active = _ActiveCodes()
        buckets, now = context.shared_usage.buckets, context.now
        self._create_rates = buckets("table_codes", CREATED_PER_MINUTE / 60, CREATE_BURST, now)
        self._wrong_rates = buckets("wrong_table_codes", WRONG_PER_MINUTE / 60, WRONG_BURST, now)
        most = TOTAL_WRONG_PER_MINUTE
        self._total_wrong_rate = buckets("all_wrong_table_codes", most / 60, most, now)

    def create(self, table: str, key: str | None, address: str) -> tuple[str, float]:
        """A code for a table, the one there is or a fresh one, and for how many seconds it is good.

        Args:
            table: the table's id.
            key: what its link has besides.
            address: where whoever wants it calls from.

        Raises:
            RefusedError: too many have been made.
        """
        now = self._context.store.now()
        self._active.remove_expired(now)
        code = self._active.by_table.get(table)
        if code is not None:
            there_is = self._active.by_code[code]
            if there_is.key == key:
                return code, there_is.until - now
            self._active.remove(table)
        self._check_capacity(address)
        code = base32_codes.new_code(base32_codes.JOIN_CODE_LENGTH)
        self._active.add(
            code, JoinCodeEntry(table, key, now + CODE_LIFETIME_S), rate_limit_key(address)
        )
        return code, CODE_LIFETIME_S

    def _check_capacity(self, address: str) -> None:
        """Makes sure that one more may be made.

        Raises:
            RefusedError: too many have been made, there or in all.
        """
        clock, counted = self._context.now(), rate_limit_key(address)
        if not self._create_rates.bucket_for(counted, clock).try_take(clock):
            self._report_limit("table_codes", address)
            raise ApiError("too_fast", "too many codes were asked for; wait a minute")
        if len(self._active.by_code) >= MAX_ACTIVE_CODES:
            self._report_limit("table_codes", address)
            raise ApiError("busy", "this server has given out as many codes as it may")
        if self._active.count_at(counted) >= MAX_CODES_PER_ADDRESS:
            self._report_limit("table_codes", address)
            raise ApiError("limit", f"{MAX_CODES_PER_ADDRESS} codes made at your address are open")

    def revoke(self, table: str) -> None:
        """Forgets the code for a table: it is closed or gone, or its link has been renewed."""
        self._active.remove(table)

    def find_local(self, code: str) -> JoinCodeEntry | None:
        """Where a code leads that was made at this server."""
        self._active.remove_expired(self._context.store.now())
        return self._active.by_code.get(code)

    async def resolve(self, text: str, address: str) -> JoinCodeEntry:
        """Where a code leads that somebody has typed.

        Raises:
            RefusedError: it is not good, or too many that were not have been tried.
        """
        clock = self._context.now()
        own, everybody = (
            self._wrong_rates.bucket_for(rate_limit_key(address), clock),
            self._total_wrong_rate.bucket_for("", clock),
        )
        if not (own.has_token(clock) and everybody.has_token(clock)):
            self._report_limit("wrong_table_codes", address)
            raise ApiError("too_fast", "too many codes were tried; wait a few minutes")
        # Before it is known: to ask other servers takes a moment, in which many could be tried.
        own.try_take(clock)
        everybody.try_take(clock)
        code = base32_codes.parse_code(text, (base32_codes.JOIN_CODE_LENGTH,))
        found = None if code is None else await self._find(code)
        if found is None:
            raise ApiError("bad_code", "this code is not good, or no longer")
        # Whoever types what he was told is never slowed down.
        clock = self._context.now()
        own.refund(clock)
        everybody.refund(clock)
        return found

    async def _find(self, code: str) -> JoinCodeEntry | None:
        found = self.find_local(code)
        return found or await self._directory.resolve_remote_join_code(code)

    def _report_limit(self, limit: str, address: str) -> None:
        self._context.alerts.report("limit_hit", limit, address)
