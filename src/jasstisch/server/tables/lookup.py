"""Finding tables for people, slowly for those who guess.

The id of a table is the secret of its link. Nobody guesses 128 bits, but whoever tries makes the
store look up each of them. So an address that has asked for too many tables that do not exist waits
before it may ask for another one that is not in memory.
"""

import re

from jasstisch.server.errors import EnumerationLimitError, TableNotFoundError
from jasstisch.server.net import rate_limit_key
from jasstisch.server.observability import AlertLog
from jasstisch.server.tables.handle import TableHandle
from jasstisch.server.tables.registry import TableRegistry

__all__ = ["TableLookup"]

TABLE_ID = re.compile(r"[A-Za-z0-9_-]{16,32}")


class TableLookup:
    """Finds tables, and counts the ids that name none.

    Args:
        hall: the tables.
        incidents: where guessing is noted.
    """

    def __init__(self, hall: TableRegistry, incidents: AlertLog) -> None:
        most = hall.context.limits.unknown_tables_per_minute
        self._registry = hall
        self._alerts = incidents
        self._limit_per_minute = most
        services = hall.context
        self._buckets = services.shared_usage.buckets(
            "unknown_tables", most / 60, most, services.now
        )

    async def find(self, table: str, address: str) -> TableHandle:
        """The table of this id; see `Hall.find`.

        Args:
            table: what may be an id.
            address: who asks.

        Raises:
            TooManyGuessesError: this address has guessed too often.
            UnknownTableError: there is none.
            BusyError: too many tables are in memory, or in use at this address.
            StoreError: it cannot be read.
        """
        live = self._registry.peek(table)
        if live is not None:
            return live
        if TABLE_ID.fullmatch(table) is None:
            raise TableNotFoundError(table)
        now = self._registry.context.now
        counted = rate_limit_key(address)
        bucket = self._buckets.bucket_for(counted, now())
        if not bucket.has_token(now()):
            self._alerts.report("limit_hit", "unknown_tables_per_minute", address)
            text = f"at most {self._limit_per_minute} tables a minute that do not exist, please"
            raise EnumerationLimitError(text)
        try:
            return await self._registry.get(table, counted)
        except TableNotFoundError:
            # Only now: whoever comes back to tables that exist is never slowed down. Many guesses
            # at once are all counted, and owed.
            bucket.force_take(now())
            raise

    async def find_authorized(
        self,
        person: str | None,
        table: str,
        key: str | None,
        address: str,
        match: int | None = None,
    ) -> TableHandle:
        """The table of this id, for somebody who may know of it; see `find`.

        Args:
            person: who asks; None for somebody without an identity.
            table: what may be an id.
            key: what his link has besides, if anything.
            address: where he calls from.
            match: which match of it he wants to know of as well.

        Raises:
            UnknownTableError: there is none, or the host has renewed its link since, or published
                it, but not that match.
        """
        live = await self.find(table, address)
        if not await live.may_access(person, key, match):
            raise TableNotFoundError(table)
        return live
