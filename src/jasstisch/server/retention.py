"""How long tables are kept: those at which nothing happens any more are deleted, a few at a time.

The more has been played at a table, the longer it is kept (`Limits`). One in memory is in use and
stays. What has been finished at a table of an older server is not known; it is read to find out.
"""

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from jasstisch.server.log import failure, log, short
from jasstisch.store import DamagedError, StoreError
from jasstisch.table import Finished, Table

if TYPE_CHECKING:
    from jasstisch.server.hall import Hall
    from jasstisch.server.limits import Limits

__all__ = ["Retention"]

BETWEEN_LOOKS = 600.0
"""Seconds between two looks at what may go, when there is nothing more for now."""

AT_A_TIME = 20
"""So many tables are looked at in one step."""

BETWEEN_STEPS = 0.2
"""Seconds between two steps, for those who play."""

DAY = 24 * 3600.0


class Retention:
    """Deletes the tables of a hall that have been kept long enough.

    Args:
        hall: the tables.
    """

    def __init__(self, hall: "Hall") -> None:
        self._hall = hall
        self._task: asyncio.Task[None] | None = None
        self._undeletable: set[str] = set()

    def begin(self) -> None:
        """From now on looks again and again."""
        self._task = asyncio.create_task(self._run())

    def end(self) -> None:
        """Looks no more."""
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        while True:
            more = False
            try:
                if await self._hall.is_charged("retention"):
                    more = await self.step(self._hall.services.store.now())
                await self._hall.recount()
            except Exception as error:  # noqa: BLE001 - the tables go on; it is tried again
                log.error("retention_failed", **failure(error))
            await asyncio.sleep(BETWEEN_STEPS if more else BETWEEN_LOOKS)

    async def step(self, now: float) -> bool:
        """Deletes a few tables, and drops people, whose time has come; whether there may be more.

        Args:
            now: seconds since 1970.

        Raises:
            StoreError: the store failed.
        """
        limits, store = self._hall.services.limits, self._hall.services.store
        unknown = await store.untouched(None, now - _days(limits, "nothing") * DAY, AT_A_TIME)
        for table in unknown:
            await store.note(table, await self._finished(table))
        found = False
        for finished in ("nothing", "round", "match"):
            since = now - _days(limits, finished) * DAY
            old = await store.untouched(
                finished, since, AT_A_TIME + self._hall.in_memory + len(self._undeletable)
            )
            free = [one for one in old if one not in self._undeletable]
            unused = [one for one in free if not await self._hall.in_use(one)]
            for table in unused[:AT_A_TIME]:
                found = await self._delete(table) or found
        more_people = await self._hall.people.expire()
        return found or bool(unknown) or more_people

    async def _delete(self, table: str) -> bool:
        """Deletes a table; one that is damaged is set aside, so that those behind it can go."""
        try:
            return await self._hall.delete(table)
        except DamagedError as error:
            log.error("table_undeletable", table=short(table), **failure(error))
            self._undeletable.add(table)
            return False

    async def _finished(self, table: str) -> Finished:
        """What has been finished at a table; one that cannot be read is kept longest."""
        with suppress(StoreError, ValueError):
            log_of_table = await self._hall.services.store.load(table)
            return (await asyncio.to_thread(Table.from_events, log_of_table)).state.finished
        return "match"


def _days(limits: "Limits", finished: Finished) -> int:
    return {
        "nothing": limits.keep_unplayed_days,
        "round": limits.keep_unfinished_days,
        "match": limits.keep_finished_days,
    }[finished]
