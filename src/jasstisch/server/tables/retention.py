"""The background job that deletes inactive tables, a few at a time.

The more has been played at a table, the longer it is kept (`Limits`). A table in memory is in use
and is not deleted. The progress of a table created by an older server version is unknown, so its
log is read to find out. Its access rules are unknown too, and those of a table whose link was
revoked in a restored backup; they are found out in the same way.
"""

import asyncio
from contextlib import suppress

from jasstisch.server.errors import TableNotFoundError
from jasstisch.server.limits import Limits
from jasstisch.server.observability import describe_exception, log, short_id
from jasstisch.server.tables.registry import TableRegistry
from jasstisch.storage import CorruptionError, StoreError
from jasstisch.table import Progress, Table

_SWEEP_INTERVAL_S = 600.0
"""Seconds between two sweeps when there is nothing more to delete."""

_BATCH_SIZE = 20
"""How many tables are processed in one batch."""

_BATCH_PAUSE_S = 0.2
"""Seconds between two batches, in which players are served."""

_DAY_S = 24 * 3600.0


class RetentionJob:
    """Deletes the tables of a server whose retention period is over.

    Args:
        registry: the tables.
    """

    def __init__(self, registry: TableRegistry) -> None:
        self._registry = registry
        self._task: asyncio.Task[None] | None = None
        self._undeletable: set[str] = set()
        self._unreadable: set[str] = set()

    def start(self) -> None:
        """Starts the periodic sweeps."""
        self._task = asyncio.create_task(self._run())

    def stop(self) -> None:
        """Stops the periodic sweeps."""
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        while True:
            more = False
            try:
                if await self._registry.try_lease_job("retention"):
                    more = await self.run_batch(self._registry.context.store.now())
                await self._registry.refresh_stored_count()
            except Exception as error:  # noqa: BLE001 - it is retried
                log.error("retention_failed", **describe_exception(error))
            await asyncio.sleep(_BATCH_PAUSE_S if more else _SWEEP_INTERVAL_S)

    async def run_batch(self, now: float) -> bool:
        """Deletes a few tables and identities whose retention period is over.

        Args:
            now: the time in seconds since 1970.

        Returns:
            Whether there may be more to delete.

        Raises:
            StoreError: the store failed.
        """
        limits, store = self._registry.context.limits, self._registry.context.store
        unknown = await store.idle_tables(
            None, now - _retention_days(limits, "nothing") * _DAY_S, _BATCH_SIZE
        )
        for table in unknown:
            await store.set_progress(table, await self._load_finished(table))
        found = await self._find_access_rules()
        for finished in ("nothing", "round", "match"):
            since = now - _retention_days(limits, finished) * _DAY_S
            old = await store.idle_tables(
                finished, since, _BATCH_SIZE + self._registry.live_count + len(self._undeletable)
            )
            free = [one for one in old if one not in self._undeletable]
            unused = [one for one in free if not await self._registry.is_live_anywhere(one)]
            for table in unused[:_BATCH_SIZE]:
                found = await self._delete(table) or found
        more_people = await self._registry.identity_service.purge_expired()
        return found or bool(unknown) or more_people

    async def _find_access_rules(self) -> bool:
        """Stores the unknown access rules of a few tables; returns whether there may be more.

        Without them, the log of a table is read for everybody who asks for it.
        """
        store, skipped = self._registry.context.store, len(self._unreadable)
        tables = await store.tables_without_access_rules(_BATCH_SIZE + skipped)
        unknown = [one for one in tables if one not in self._unreadable][:_BATCH_SIZE]
        for table in unknown:
            try:
                state = (await self._registry.read_detached(table)).state
            except TableNotFoundError:  # deleted meanwhile
                continue
            except CorruptionError as error:
                log.error("table_unavailable", table=short_id(table), **describe_exception(error))
                self._unreadable.add(table)
            else:
                await store.set_access_rules(table, state.version, state.access_rules)
        return len(unknown) == _BATCH_SIZE

    async def _delete(self, table: str) -> bool:
        """Deletes a table; a damaged one is set aside, so that it does not block the others."""
        try:
            return await self._registry.delete_table(table)
        except CorruptionError as error:
            log.error("table_undeletable", table=short_id(table), **describe_exception(error))
            self._undeletable.add(table)
            return False

    async def _load_finished(self, table: str) -> Progress:
        """The progress of a table; an unreadable one counts as finished and is kept longest."""
        with suppress(StoreError, ValueError):
            log_of_table = await self._registry.context.store.load(table)
            return (await asyncio.to_thread(Table.from_events, log_of_table)).state.progress
        return "match"


def _retention_days(limits: Limits, finished: Progress) -> int:
    return {
        "nothing": limits.keep_unplayed_days,
        "round": limits.keep_unfinished_days,
        "match": limits.keep_finished_days,
    }[finished]
