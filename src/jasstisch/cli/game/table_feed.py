"""A table of a server, followed in a thread of its own, so that a person can be asked meanwhile.

Whoever is asked something sits before a line of the terminal that waits for him. The connection
lives on beside it, and what has happened lies in a queue until it is told.
"""

import asyncio
from collections.abc import Coroutine
from queue import SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Any, Literal, Self, TypeVar

from jasstisch.cli.game.table_links import TableRef
from jasstisch.client import Client, LostError, RequestError, Step, WatchedTable

__all__ = ["FeedItem", "TableFeed"]

RECONNECT_TIMEOUT_S = 300.0
"""Seconds for which a lost server is tried again."""

FeedItem = Step | Literal["lost", "back"] | None
"""What there is to tell: the table after something happened, a connection lost or found again, and
None when it is lost for good, or the server tells of the table no longer."""

_Value = TypeVar("_Value")


class TableFeed:
    """A client of a server, and a table there.

    Args:
        server: the address.
        token: who one is there; None for somebody new.

    Attributes:
        client: the client; it belongs to the thread.
        news: what has happened and is not told yet.
    """

    def __init__(self, server: str, token: str | None) -> None:
        self.client = Client(server, token, RECONNECT_TIMEOUT_S)
        self.queue: SimpleQueue[FeedItem] = SimpleQueue()
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._tasks: list[asyncio.Task[None]] = []

    def __enter__(self) -> Self:
        self._thread.start()
        try:
            self.run_on_loop(self.client.open())
        except BaseException:
            self._stop_loop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.run_on_loop(self._close_client())
        self._stop_loop()

    def run_on_loop(self, work: Coroutine[Any, Any, _Value]) -> _Value:
        """Does something with the client, and waits until it is done."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def watch(self, place: TableRef) -> WatchedTable:
        """Follows a table: what happens there is news from now on.

        Raises:
            RequestError: there is no such table.
        """
        return self.run_on_loop(self._watch(place))

    def current_step(self, table: WatchedTable) -> Step:
        """The table as it stands, once it is up to date.

        Raises:
            LostError: the connection is lost for good.
            RequestError: the server tells of this table no longer.
        """
        return self.run_on_loop(self._current_step(table))

    async def _watch(self, place: TableRef) -> WatchedTable:
        table = await self.client.watch(place.table, place.key)
        for work in (self._forward_steps(table), self._forward_connection_changes(table)):
            self._tasks.append(asyncio.create_task(work))
        return table

    async def _forward_steps(self, table: WatchedTable) -> None:
        try:
            async for step in table.steps():
                self.queue.put(step)
        except RequestError:
            pass  # whoever asks for the table as it stands is told
        finally:
            self.queue.put(None)

    async def _forward_connection_changes(self, table: WatchedTable) -> None:
        try:
            while True:
                await table.until(lambda one: not one.current)
                self.queue.put("lost")
                await table.until(lambda one: one.current)
                self.queue.put("back")
        except (LostError, RequestError):
            return

    async def _current_step(self, table: WatchedTable) -> Step:
        await table.until(lambda one: one.current)
        return table.now()

    async def _close_client(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.client.close()

    def _stop_loop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
