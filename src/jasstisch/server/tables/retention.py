"""How long tables are kept: those at which nothing happens any more are deleted, a few at a time.

The more has been played at a table, the longer it is kept (`Limits`). One in memory is in use and
stays. What has been finished at a table of an older server is not known; it is read to find out.
"""

import asyncio
from contextlib import suppress

from jasstisch.server.limits import Limits
from jasstisch.server.observability import describe_exception, log, short_id
from jasstisch.server.tables.registry import TableRegistry
from jasstisch.storage import CorruptionError, StoreError
from jasstisch.table import Progress, Table

__all__ = ["Retention"]

SWEEP_INTERVAL_S = 600.0
"""Seconds between two looks at what may go, when there is nothing more for now."""

BATCH_SIZE = 20
"""So many tables are looked at in one step."""

BATCH_PAUSE_S = 0.2
"""Seconds between two steps, for those who play."""

DAY_S = 24 * 3600.0


class Retention:
    """Deletes the tables of a server that have been kept long enough.

    Args:
        registry: the tables.
    """

    def __init__(self, registry: TableRegistry) -> None:
        self._registry = registry
        self._task: asyncio.Task[None] | None = None
        self._undeletable: set[str] = set()

    def start(self) -> None:
        """From now on looks again and again."""
        self._task = asyncio.create_task(self._run())

    def stop(self) -> None:
        """Looks no more."""
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        while True:
            more = False
            try:
                if await self._registry.acquire_job("retention"):
                    more = await self.run_batch(self._registry.context.store.now())
                await self._registry.refresh_count()
            except Exception as error:  # noqa: BLE001 - the tables go on; it is tried again
                log.error("retention_failed", **describe_exception(error))
            await asyncio.sleep(BATCH_PAUSE_S if more else SWEEP_INTERVAL_S)

    async def run_batch(self, now: float) -> bool:
        """Deletes a few tables, and drops people, whose time has come; whether there may be more.

        Args:
            now: seconds since 1970.

        Raises:
            StoreError: the store failed.
        """
        limits, store = self._registry.context.limits, self._registry.context.store
        unknown = await store.idle_tables(
            None, now - _retention_days(limits, "nothing") * DAY_S, BATCH_SIZE
        )
        for table in unknown:
            await store.set_progress(table, await self._load_finished(table))
        found = False
        for finished in ("nothing", "round", "match"):
            since = now - _retention_days(limits, finished) * DAY_S
            old = await store.idle_tables(
                finished, since, BATCH_SIZE + self._registry.live_count + len(self._undeletable)
            )
            free = [one for one in old if one not in self._undeletable]
            unused = [one for one in free if not await self._registry.is_live_anywhere(one)]
            for table in unused[:BATCH_SIZE]:
                found = await self._delete(table) or found
        more_people = await self._registry.identity_service.purge_expired()
        return found or bool(unknown) or more_people

    async def _delete(self, table: str) -> bool:
        """Deletes a table; one that is damaged is set aside, so that those behind it can go."""
        try:
            return await self._registry.delete(table)
        except CorruptionError as error:
            log.error("table_undeletable", table=short_id(table), **describe_exception(error))
            self._undeletable.add(table)
            return False

    async def _load_finished(self, table: str) -> Progress:
        """What has been finished at a table; one that cannot be read is kept longest."""
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
