"""The background job that removes erased people from their tables, a few tables at a time.

A table where nobody else has ever sat is deleted, or only people who are erased too. At a table
with other people, the person gives up their seat, the role of host and a request for a seat, and a
bot plays on if a match is in progress. Then every trace of the person in its log is replaced.

A table that cannot be read is set aside, so that it blocks nobody else, and stays recorded as
pending. It is tried again some time later, and after the next start.
"""

import asyncio

from jasstisch.server.observability import describe_exception, log, short_id
from jasstisch.server.tables.registry import TableRegistry
from jasstisch.table import Table, commands, persons_seated

_SWEEP_INTERVAL_S = 600.0
"""Seconds until the next attempt, after a failure or without a request."""

_BATCH_SIZE = 20
"""How many tables are processed in one batch."""

_BATCH_PAUSE_S = 0.05
"""Seconds between two batches, in which players are served."""


_OTHER_NODE_RETRY_S = 2.0
"""Seconds until the next check while another node runs the job."""

_SETTLE_S = 2.0
"""Seconds in which requests that the person had sent before are answered."""


class ErasureJob:
    """Removes people who are to be erased from their tables.

    Args:
        registry: the tables.
    """

    def __init__(self, registry: TableRegistry) -> None:
        self._registry = registry
        self._identities = registry.context.store.identity_store
        self._wakeup = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._unreadable: dict[str, set[str]] = {}
        self._postponed: set[str] = set()
        registry.identity_service.add_erasure_listener(self.wake)

    def start(self) -> None:
        """Continues what was pending at the last stop, and then waits for requests."""
        self._task = asyncio.create_task(self._run())

    def stop(self) -> None:
        """Stops the job; the next start continues it."""
        if self._task is not None:
            self._task.cancel()

    def wake(self) -> None:
        """Called when a person is to be erased."""
        self._wakeup.set()

    async def _run(self) -> None:
        while True:
            self._wakeup.clear()
            more = charged = False
            try:
                charged = await self._registry.try_lease_job("forgetting")
                more = charged and await self.run_batch()
            except Exception as error:  # noqa: BLE001 - it is retried
                log.error("forgetting_failed", **describe_exception(error))
            if more:
                await asyncio.sleep(_BATCH_PAUSE_S)
            elif charged:
                self._registry.release_job_lease("forgetting")
                await self._wait()
            else:
                # Another node runs the job and may not have seen the latest request.
                await asyncio.sleep(_OTHER_NODE_RETRY_S)

    async def _wait(self) -> None:
        try:
            async with asyncio.timeout(_SWEEP_INTERVAL_S):
                await self._wakeup.wait()
            await asyncio.sleep(_SETTLE_S)
        except TimeoutError:
            # Unreadable tables may have become readable by now.
            self._unreadable.clear()
            self._postponed.clear()

    async def run_batch(self) -> bool:
        """Processes some tables of one person; returns whether there may be more to do at once.

        Raises:
            StoreError: the store failed.
        """
        people = await self._identities.pending_erasures(1 + len(self._postponed))
        person = next((one for one in people if one not in self._postponed), None)
        if person is None:
            return False
        tables = await self._tables_of(person)
        for table in tables:
            await self._leave_table(person, table)
        if not tables and person in self._unreadable:
            self._postponed.add(person)
        elif not tables:
            await self._identities.mark_erased(person, None)
        return True

    async def _tables_of(self, person: str) -> list[str]:
        unread = self._unreadable.get(person, set())
        known = await self._identities.tables_of(person, _BATCH_SIZE + len(unread))
        return [table for table in known if table not in unread]

    async def _leave_table(self, person: str, table: str) -> None:
        try:
            found = await self._registry.context.store.load(table)
            alone = persons_seated(found) <= {person}
            if not alone:  # a damaged log fails here, before the table is opened for it
                await asyncio.to_thread(Table.from_events, found)
        except Exception as error:  # noqa: BLE001 - any damage to the log
            log.error("table_unavailable", table=short_id(table), **describe_exception(error))
            self._unreadable.setdefault(person, set()).add(table)
            return
        if found and alone:
            await self._registry.delete_table(table)
        elif found:
            await (await self._registry.get_table(table)).administer(commands.ErasePerson(person))
        await self._identities.mark_erased(person, table)
