"""The feed of a table: watches it in a background thread while the terminal waits for input.

Reading a line from the terminal blocks. The connection is handled in its own thread, and events are
queued until they are narrated.
"""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Any, Literal, Self, TypeVar

from jasstisch.cli.game.table_links import TableRef
from jasstisch.client import (
    Client,
    ConnectionLostError,
    DealMemory,
    RequestError,
    Step,
    WatchedTable,
)

_RECONNECT_TIMEOUT_S = 300.0
"""Seconds for which a lost connection is retried."""

_SILENCE_S = 4.0
"""Seconds of silence after what the person did, after which the connection counts as lost."""

FeedItem = Step | Literal["lost", "back"] | None
"""An item of the feed: a step of the table, or a connection lost or restored.

None means that the connection is lost for good, or that the server has ended the subscription.
"""

_Value = TypeVar("_Value")


class TableFeed:
    """A client of a server that watches one table.

    Args:
        server: the address.
        token: the token of the person's identity; None for a new one.
        deal_memory: where to keep what is seen of verifiable deals; None for nowhere.

    Attributes:
        client: the client; it belongs to the background thread.
        queue: the items that are not narrated yet.
    """

    def __init__(self, server: str, token: str | None, deal_memory: DealMemory | None) -> None:
        self.client = Client(server, token, _RECONNECT_TIMEOUT_S, _SILENCE_S, deal_memory)
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
        """Runs a coroutine in the client's thread and waits for its result."""
        return self.start_on_loop(work).result()

    def start_on_loop(self, work: Coroutine[Any, Any, _Value]) -> Future[_Value]:
        """Starts a coroutine in the client's thread; returns its result to come."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def watch(self, place: TableRef) -> WatchedTable:
        """Watches a table: its events are queued from now on.

        Raises:
            RequestError: there is no such table.
        """
        return self.run_on_loop(self._watch(place))

    def next_step(self, table: WatchedTable) -> Step:
        """Waits for the next step in the queue and removes it, with the items before it.

        Raises:
            ConnectionLostError: the connection is lost for good.
            RequestError: the server has ended the subscription.
        """
        while not isinstance(item := self.queue.get(), Step):
            if item is None:
                self.current_step(table)  # raises the reason
                raise ConnectionLostError("the server cannot be reached")
        return item

    def current_step(self, table: WatchedTable) -> Step:
        """Returns the current step of the table, once it is up to date.

        Raises:
            ConnectionLostError: the connection is lost for good.
            RequestError: the server has ended the subscription.
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
            pass  # `current_step` raises the reason
        finally:
            self.queue.put(None)

    async def _forward_connection_changes(self, table: WatchedTable) -> None:
        try:
            while True:
                await table.until(lambda one: not one.is_current)
                self.queue.put("lost")
                await table.until(lambda one: one.is_current)
                self.queue.put("back")
        except (ConnectionLostError, RequestError):
            return

    async def _current_step(self, table: WatchedTable) -> Step:
        await table.until(lambda one: one.is_current)
        return table.current_step()

    async def _close_client(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.client.close()

    def _stop_loop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
