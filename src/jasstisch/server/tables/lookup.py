"""Looks up tables for clients and slows down those that guess table ids.

The id of a table is the secret part of its link. Nobody can guess 128 bits, but every attempt makes
the store look up an id. So an address that has requested too many non-existent tables must wait
before it may request another table that is not in memory.

A table is hidden from somebody whose link has been renewed, or who has been removed from it: for
them it does not exist. So it must answer like an id that does not exist in everything a client can
notice: the same error, by the same limits, counted alike, after the same look-ups, and at the same
time as far as a clock can tell. That is decided by the access rules, which the store keeps apart
from the log. For somebody whom they refuse, no log is read, no memory is used and no other node is
asked, however often they try.
"""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

from jasstisch.server.errors import TableNotFoundError, TooManyUnknownTablesError
from jasstisch.server.identity import new_table_id
from jasstisch.server.net import rate_limit_key
from jasstisch.server.observability import AlertLog
from jasstisch.server.tables.directory import JoinCodeEntry
from jasstisch.server.tables.handle import TableHandle
from jasstisch.server.tables.registry import TableRegistry

_TABLE_ID = re.compile(r"[A-Za-z0-9_-]{16,32}")

_REFUSAL_STEP_S = 0.05
"""Refusals are answered at multiples of this time, in seconds. Reading the rules of a hidden table
takes microseconds longer than not finding any, which would tell that it exists. A timer of the
event loop would not hide that, see `ExactTimer`."""


class Visitor(NamedTuple):
    """Somebody who asks for a table.

    Attributes:
        person: the person; None for somebody without an identity.
        key: the key in their link, if any.
        address: the address of the client.
    """

    person: str | None
    key: str | None
    address: str


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

    async def find(self, table: str, visitor: Visitor, match: int | None = None) -> TableHandle:
        """The table of this id, if the visitor may access it.

        Args:
            table: the presumed id.
            visitor: who asks.
            match: the number of a match that they want to access as well.

        Raises:
            TooManyUnknownTablesError: this address has requested too many unknown ids.
            TableNotFoundError: the table does not exist; or its link has been renewed; or it is
                published, but that match is not.
            ServerBusyError: too many tables are in memory, or in use from this address.
            StoreError: the table cannot be read.
        """
        async with self._refusals_at_fixed_times():
            if self._is_open_here(table, visitor, match):
                return await self._registry.get_table(table)
            if _TABLE_ID.fullmatch(table) is None:
                raise TableNotFoundError(table)
            now = self._registry.context.now
            bucket = self._buckets.bucket_for(rate_limit_key(visitor.address), now())
            if not bucket.has_token(now()):
                self._alerts.report("limit_hit", "unknown_tables_per_minute", visitor.address)
                text = f"at most {self._limit_per_minute} tables a minute that do not exist, please"
                raise TooManyUnknownTablesError(text)
            try:
                return await self._open(table, visitor, match)
            except TableNotFoundError:
                # Charge only now, so that requests for existing tables are never slowed down. Of
                # many concurrent guesses, each is charged, even into debt.
                bucket.force_take(now())
                raise

    async def find_by_code(
        self, entry: JoinCodeEntry | None, person: str | None, address: str
    ) -> TableHandle | None:
        """The table to which a join code leads, unless it does not exist for this person.

        It is not counted here: `JoinCodes` counts wrong codes.

        Args:
            entry: the entry of the code; None for a wrong code.
            person: the person; None for somebody without an identity.
            address: the address of the client.

        Raises:
            ServerBusyError: too many tables are in memory, or in use from this address.
            StoreError: the table cannot be read.
        """
        # In place of the table of a wrong code, an id that does not exist is looked up.
        table, key = (new_table_id(), None) if entry is None else (entry.table, entry.key)
        visitor = Visitor(person, key, address)
        try:
            async with self._refusals_at_fixed_times():
                if self._is_open_here(table, visitor):
                    return await self._registry.get_table(table)
                return await self._open(table, visitor)
        except TableNotFoundError:
            return None

    @asynccontextmanager
    async def _refusals_at_fixed_times(self) -> AsyncIterator[None]:
        """Delays a refusal to the next multiple of `_REFUSAL_STEP_S`."""
        context = self._registry.context
        began = context.now()
        try:
            yield
        except (TableNotFoundError, TooManyUnknownTablesError):
            steps = 1 + (context.now() - began) // _REFUSAL_STEP_S
            await context.sleep_until(began + steps * _REFUSAL_STEP_S)
            raise

    def _is_open_here(self, table: str, visitor: Visitor, match: int | None = None) -> bool:
        """Whether a table is in the memory of this node, and the visitor may access it."""
        actor = self._registry.get_local(table)
        return actor is not None and actor.access_rules.admits(visitor.person, visitor.key, match)

    async def _open(self, table: str, visitor: Visitor, match: int | None = None) -> TableHandle:
        """A table, loaded from the store if necessary, if the visitor may access it.

        Raises:
            TableNotFoundError: the table does not exist, or is hidden from the visitor.
            ServerBusyError: too many tables are in memory, or in use from this address.
            StoreError: the table cannot be read.
        """
        rules = await self._registry.context.store.access_rules(table)
        if rules is None or not rules.admits(visitor.person, visitor.key, match):
            raise TableNotFoundError(table)
        address = rate_limit_key(visitor.address)
        handle = await self._registry.get_table(table, address)
        # The stored rules may have been unknown, or have changed meanwhile.
        if not await _admits(handle, visitor, match):
            self._registry.uncharge(handle.id, address)
            raise TableNotFoundError(handle.id)
        return handle


async def _admits(handle: TableHandle, visitor: Visitor, match: int | None = None) -> bool:
    """Whether a visitor may access a table, and a match of it.

    Raises:
        StoreError: the table cannot be reached now.
    """
    try:
        return await handle.may_access(visitor.person, visitor.key, match)
    except TableNotFoundError:  # it has been deleted on another server
        return False
