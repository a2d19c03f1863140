"""Short join codes for tables, which people can say aloud and type on the start page.

Anybody who has a table's link can create its code. A code is valid for some hours, and ends early
when the table is closed or its link is renewed; it then no longer counts against the limits. The
server that created a code keeps it in memory only, and other servers ask that server. A restart
invalidates all codes, and new ones can be created at once.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from jasstisch.server.context import ServerContext
from jasstisch.server.errors import ApiError
from jasstisch.server.identity import base32_codes
from jasstisch.server.net import rate_limit_key
from jasstisch.server.tables.directory import JoinCodeEntry, TableDirectory

CODE_LIFETIME_S = 6 * 3600
"""How long a join code is valid, in seconds."""

MAX_ACTIVE_CODES = 1000
"""How many valid codes a server keeps; `base32_codes.JOIN_CODE_LENGTH` is based on it."""

_MAX_CODES_PER_ADDRESS = 100
"""How many valid codes may come from one address, so that others can create some, too."""

_CREATE_BURST, _CREATED_PER_MINUTE = 20, 4
"""The rate limit for creating codes, for each address: burst and sustained rate."""

_WRONG_BURST, _WRONG_PER_MINUTE = 10, 2
_TOTAL_WRONG_PER_MINUTE = 120
"""The rate limit for wrong codes: burst and sustained rate for each address, and in total."""


@dataclass(slots=True)
class _ActiveCodes:
    """The valid codes, at most one for each table.

    Attributes:
        by_code: the entry of each code, oldest first.
        by_table: the code of each table.
        made_at: the address from which each code was created.
    """

    by_code: dict[str, JoinCodeEntry] = field(default_factory=dict)
    by_table: dict[str, str] = field(default_factory=dict)
    made_at: dict[str, str] = field(default_factory=dict)

    def add(self, code: str, entry: JoinCodeEntry, address: str) -> None:
        self.by_code[code] = entry
        self.by_table[entry.table] = code
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
    """Creates and resolves join codes.

    Args:
        context: the clock, the limits and the alerts of the server.
        directory: asks the other servers for the codes that they have created.
    """

    def __init__(self, context: ServerContext, directory: TableDirectory) -> None:
        self._context = context
        self._directory = directory
        self._active = _ActiveCodes()
        buckets, now = context.shared_usage.create_buckets, context.now
        self._create_rates = buckets("table_codes", _CREATED_PER_MINUTE / 60, _CREATE_BURST, now)
        self._wrong_rates = buckets("wrong_table_codes", _WRONG_PER_MINUTE / 60, _WRONG_BURST, now)
        most = _TOTAL_WRONG_PER_MINUTE
        self._total_wrong_rate = buckets("all_wrong_table_codes", most / 60, most, now)

    def create(self, table: str, key: str | None, address: str) -> tuple[str, float]:
        """The join code of a table, created if necessary, and its remaining lifetime in seconds.

        Args:
            table: the table's id.
            key: the key in the table's link, if any.
            address: the address of the client.

        Raises:
            ApiError: too many codes have been created.
        """
        now = self._context.store.now()
        self._active.remove_expired(now)
        code = self._active.by_table.get(table)
        if code is not None:
            entry = self._active.by_code[code]
            if entry.key == key:
                return code, entry.until - now
            self._active.remove(table)
        self._check_capacity(address)
        code = base32_codes.new_code(base32_codes.JOIN_CODE_LENGTH)
        self._active.add(
            code, JoinCodeEntry(table, key, now + CODE_LIFETIME_S), rate_limit_key(address)
        )
        return code, CODE_LIFETIME_S

    def _check_capacity(self, address: str) -> None:
        """Checks that another code may be created.

        Raises:
            ApiError: too many codes have been created, from this address or in total.
        """
        clock, rate_key = self._context.now(), rate_limit_key(address)
        if not self._create_rates.try_take(rate_key, clock):
            self._report_limit("table_codes", address)
            raise ApiError("too_fast", "too many codes were asked for; wait a minute")
        if len(self._active.by_code) >= MAX_ACTIVE_CODES:
            self._report_limit("table_codes", address)
            raise ApiError("busy", "this server has given out as many codes as it may")
        if self._active.count_at(rate_key) >= _MAX_CODES_PER_ADDRESS:
            self._report_limit("table_codes", address)
            raise ApiError("limit", f"{_MAX_CODES_PER_ADDRESS} codes made at your address are open")

    def revoke(self, table: str) -> None:
        """Drops the code of a table that is closed or gone, or whose link has been renewed."""
        self._active.remove(table)

    def find_local(self, code: str) -> JoinCodeEntry | None:
        """The entry of a code that was created on this server."""
        self._active.remove_expired(self._context.store.now())
        return self._active.by_code.get(code)

    async def resolve(
        self,
        text: str,
        address: str,
        admits: Callable[[JoinCodeEntry | None], Awaitable[bool]],
    ) -> JoinCodeEntry:
        """The table to which a code leads, as a person has typed it.

        Args:
            text: the code.
            address: the address of the client.
            admits: tells whether the person may access the table of a code. It is also called with
                None for a wrong code, because a code that leads to a hidden table must not differ.

        Raises:
            ApiError: the code is not valid, or too many wrong codes have been tried.
        """
        clock = self._context.now()
        own, everybody = (
            self._wrong_rates.bucket_for(rate_limit_key(address), clock),
            self._total_wrong_rate.bucket_for("", clock),
        )
        if not (own.has_token(clock) and everybody.has_token(clock)):
            self._report_limit("wrong_table_codes", address)
            raise ApiError("too_fast", "too many codes were tried; wait a few minutes")
        # Charge the attempt before the result is known: asking other servers takes a moment, in
        # which many codes could be tried.
        own.try_take(clock)
        everybody.try_take(clock)
        code = base32_codes.parse_code(text, (base32_codes.JOIN_CODE_LENGTH,))
        found = None if code is None else await self._find(code)
        if not await admits(found) or found is None:
            if code is not None and self.find_local(code) is not None:
                await self._directory.resolve_remote_join_code(code)  # as for a wrong code
            raise ApiError("bad_code", "this code is not good, or no longer")
        # A correct code costs nothing, so its users are never slowed down.
        clock = self._context.now()
        own.refund(clock)
        everybody.refund(clock)
        return found

    async def _find(self, code: str) -> JoinCodeEntry | None:
        found = self.find_local(code)
        return found or await self._directory.resolve_remote_join_code(code)

    def _report_limit(self, limit: str, address: str) -> None:
        self._context.alerts.report("limit_hit", limit, address)
