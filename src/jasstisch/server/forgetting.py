"""What becomes of the tables of somebody who wants to be forgotten: a few at a time.

Where nobody but him has ever sat, the table is deleted. At a table of others he stands up and is
the host no longer, and if a match is on, a computer plays on; its log stays as it is, or it would
no longer tell what happened.

A table that cannot be read is set aside, so that nobody behind it has to wait, and stays noted: it
is tried again some time later, and after the next start.
"""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from jasstisch.server.log import failure, log, short
from jasstisch.table import State, Table, TableError, commands
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


WHILE_OTHERS = 2.0
"""Seconds until it is looked again, where another node does it."""


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
        self._unread: dict[str, set[str]] = {}
        self._aside: set[str] = set()

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
            more = charged = False
            try:
                charged = await self._hall.is_charged("forgetting")
                more = charged and await self.step()
            except Exception as error:  # noqa: BLE001 - the tables go on; it is tried again
                log.error("forgetting_failed", **failure(error))
            if more:
                await asyncio.sleep(BETWEEN_STEPS)
            elif charged:
                self._hall.done_with("forgetting")
                await self._wait()
            else:
                # Another node is at it, and may not have seen who was added last.
                await asyncio.sleep(WHILE_OTHERS)

    async def _wait(self) -> None:
        try:
            async with asyncio.timeout(BETWEEN_LOOKS):
                await self._asked.wait()
        except TimeoutError:
            # What could not be read may be readable by now.
            self._unread.clear()
            self._aside.clear()

    async def step(self) -> bool:
        """Leaves some tables of one person; whether there may be more to do at once.

        Raises:
            StoreError: the store failed.
        """
        people = await self._identities.forgotten(1 + len(self._aside))
        person = next((one for one in people if one not in self._aside), None)
        if person is None:
            return False
        tables = await self._tables_of(person)
        for table in tables:
            await self._leave(person, table)
        if not tables and person in self._unread:
            self._aside.add(person)
        elif not tables:
            await self._identities.release(person, None)
        return True

    async def _tables_of(self, person: str) -> list[str]:
        unread = self._unread.get(person, set())
        known = await self._identities.tables_of(person, AT_A_TIME + len(unread))
        return [table for table in known if table not in unread]

    async def _leave(self, person: str, table: str) -> None:
        try:
            found = await self._hall.services.store.load(table)
            alone = set(_people(found)) <= {person}
            read = None if alone else await asyncio.to_thread(Table.from_events, found)
        except Exception as error:  # noqa: BLE001 - however the log is damaged
            log.error("table_unavailable", table=short(table), **failure(error))
            self._unread.setdefault(person, set()).add(table)
            return
        if found and alone:
            await self._hall.delete(table)
        elif read is not None and _holds(read.state, person):
            with suppress(TableError):  # the table is closed
                await (await self._hall.find(table)).operate(commands.Forget(person))
        await self._identities.release(person, table)


def _holds(state: State, person: str) -> bool:
    """Whether a person has a seat at a table, or is its host."""
    return state.seat_of(person) is not None or state.house.host == person


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
