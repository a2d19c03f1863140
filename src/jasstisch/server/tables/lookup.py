"""Looks up tables for clients and slows down those that guess table ids.

The id of a table is the secret part of its link. Nobody can guess 128 bits, but every attempt makes
the store look up an id. So an address that has requested too many non-existent tables must wait
before it may request another table that is not in memory.
"""

import re

from jasstisch.server.errors import TableNotFoundError, TooManyUnknownTablesError
from jasstisch.server.net import rate_limit_key
from jasstisch.server.observability import AlertLog
from jasstisch.server.tables.handle import TableHandle
from jasstisch.server.tables.registry import TableRegistry

_TABLE_ID = re.compile(r"[A-Za-z0-9_-]{16,32}")


class TableLookup:
    """Looks up tables, and counts the ids that do not exist.

    Args:
        registry: the tables.
        alerts: reports addresses that exceed the limit.
    """

    def __init__(self, registry: TableRegistry, alerts: AlertLog) -> None:
        limit = registry.context.limits.unknown_tables_per_minute
        self._registry = registry
        self._alerts = alerts
        self._limit_per_minute = limit
        context = registry.context
        self._buckets = context.shared_usage.create_buckets(
            "unknown_tables", limit / 60, limit, context.now
        )

    async def find(self, table: str, address: str) -> TableHandle:
        """The table of this id; see `TableRegistry.get_table`.

        Args:
            table: the presumed id.
            address: the address of the client.

        Raises:
            TooManyUnknownTablesError: this address has requested too many unknown ids.
            TableNotFoundError: the table does not exist.
            ServerBusyError: too many tables are in memory, or in use from this address.
            StoreError: the table cannot be read.
        """
        handle = self._registry.peek_table(table)
        if handle is not None:
            return handle
        if _TABLE_ID.fullmatch(table) is None:
            raise TableNotFoundError(table)
        now = self._registry.context.now
        rate_key = rate_limit_key(address)
        bucket = self._buckets.bucket_for(rate_key, now())
        if not bucket.has_token(now()):
            self._alerts.report("limit_hit", "unknown_tables_per_minute", address)
            text = f"at most {self._limit_per_minute} tables a minute that do not exist, please"
            raise TooManyUnknownTablesError(text)
        try:
            return await self._registry.get_table(table, rate_key)
        except TableNotFoundError:
            # Charge only now, so that requests for existing tables are never slowed down. Of many
            # concurrent guesses, each is charged, even into debt.
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
        """The table of this id, if the person may access it; see `find`.

        Args:
            person: the person who asks; None for somebody without an identity.
            table: the presumed id.
            key: the key in their link, if any.
            address: the address of the client.
            match: the number of a match that they want to access as well.

        Raises:
            TableNotFoundError: the table does not exist; or its link has been renewed; or it is
                published, but that match is not.
        """
        handle = await self.find(table, address)
        if not await handle.may_access(person, key, match):
            raise TableNotFoundError(table)
        return handle
