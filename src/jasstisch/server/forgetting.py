"""What becomes of the tables of somebody who wants to be forgotten: a few at a time.

Where nobody but him has ever sat, the table is deleted. At a table of others he stands up, and if a
match is on, a computer plays on; its log stays as it is, or it would no longer tell what happened.
"""

import asyncio
from collections.abc import Iterable
from typing import TYPE_CHECKING

from jasstisch.server.log import failure, log
from jasstisch.table import Table
from jasstisch.table.events import Created, Event, Gathered, Sat

if TYPE_CHECKING:
    from jasstisch.server.hall import Hall

__all__ = ["Forgetting"]

BETWEEN_LOOKS = 600.0
"""Seconds until it is tried again, where something failed or nobody has asked."""

AT_A_TIME = 20
"""So many tables are left in one step."""

BETWEEN_STEPS = 0.05
"""Seconds between two steps, for those who play."""


class Forgetting:
    """Leaves the tables of those who are to be forgotten.

    Args:
        hall: the tables.
    """

    def __init__(self, hall: "Hall") -> None:
        self._hall = hall
        self._identities = hall.services.store.identities
        self._asked = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Goes on with what a stop has left, and then waits to be asked."""
        self._task = asyncio.create_task(self._run())

    def end(self) -> None:
        """Leaves the rest to the next start."""
        if self._task is not None:
            self._task.cancel()

    def wake(self) -> None:
        """Somebody wants to be forgotten."""
        self._asked.set()

    async def _run(self) -> None:
        while True:
            self._asked.clear()
            more = False
            try:
                more = await self.step()
            except Exception as error:  # noqa: BLE001 - the tables go on; it is tried again
                log.error("forgetting_failed", **failure(error))
            if more:
                await asyncio.sleep(BETWEEN_STEPS)
            else:
                await self._wait()

    async def _wait(self) -> None:
        try:
            async with asyncio.timeout(BETWEEN_LOOKS):
                await self._asked.wait()
        except TimeoutError:
            pass

    async def step(self) -> bool:
        """Leaves some tables of one person; whether there may be more to do at once.

        Raises:
            StoreError: the store failed.
        """
        people = await self._identities.forgotten(1)
        if not people:
            return False
        (person,) = people
        tables = await self._identities.tables_of(person, AT_A_TIME)
        for table in tables:
            await self._leave(person, table)
            await self._identities.release(person, table)
        if not tables:
            await self._identities.release(person, None)
        return True

    async def _leave(self, person: str, table: str) -> None:
        found = await self._hall.services.store.load(table)
        if not found:
            return
        if set(_people(found)) <= {person}:
            await self._hall.delete(table)
            return
        try:
            seat = (await asyncio.to_thread(Table.from_events, found)).state.seat_of(person)
        except ValueError as error:
            log.error("table_damaged", **failure(error))  # nobody can sit there any more
            return
        if seat is not None:
            await (await self._hall.find(table)).give_up_seat(person)


def _people(events: Iterable[Event]) -> Iterable[str]:
    """Everybody who stands in a log."""
    for event in events:
        match event:
            case Created(host=str(person)) | Sat(person=person):
                yield person
            case Gathered(seats=seats):
                yield from (seat.person for seat in seats if seat.person is not None)
            case _:
                pass
