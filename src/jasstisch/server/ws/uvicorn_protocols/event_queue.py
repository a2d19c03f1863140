"""The events of a WebSocket on their way to the application, and whether it can be written to.

Both classes have the methods that uvicorn uses, and take the place of its own.
"""

import asyncio
from collections.abc import Callable
from typing import cast

from uvicorn._types import ASGIReceiveEvent

from jasstisch.server.net import Message


class EventQueue:
    """The queue of WebSocket events for the application, or its direct delivery to a listener.

    It replaces uvicorn's queue and has the methods that uvicorn uses.
    """

    __slots__ = ("_getter", "_listener", "_queue", "_ready")

    def __init__(self) -> None:
        self._queue: list[ASGIReceiveEvent] = []
        self._getter: asyncio.Future[None] | None = None
        self._listener: Callable[[Message], bool] | None = None
        self._ready = False

    @property
    def is_listener_ready(self) -> bool:
        """Whether there is a listener that is ready for an event."""
        return self._ready and self._listener is not None

    @property
    def has_listener(self) -> bool:
        """Whether there is a listener."""
        return self._listener is not None

    def empty(self) -> bool:
        """Whether no event waits."""
        return not self._queue

    def put_nowait(self, event: ASGIReceiveEvent) -> None:
        """Delivers an event, or queues it until a listener is ready."""
        if self._listener is not None and (self._ready or event["type"] == "websocket.disconnect"):
            self._ready = self._listener(cast("Message", event))
            return
        self._queue.append(event)
        if self._getter is not None and not self._getter.done():
            self._getter.set_result(None)

    async def get(self) -> ASGIReceiveEvent:
        """The next event; waits until there is one."""
        while not self._queue:
            self._getter = asyncio.get_running_loop().create_future()
            await self._getter
        return self._queue.pop(0)

    def set_listener(self, listener: Callable[[Message], bool]) -> None:
        """Sets the listener and delivers the queued events to it."""
        self._listener = listener
        self.resume()

    def remove_listener(self) -> None:
        """Removes the listener."""
        self._listener = _discard

    def resume(self) -> None:
        """Delivers queued events as long as the listener is ready."""
        self._ready = True
        while self._queue and self._ready:
            assert self._listener is not None
            self._ready = self._listener(cast("Message", self._queue.pop(0)))


def _discard(_: Message) -> bool:
    """The listener after the connection has ended."""
    return True


class WritabilityFlag:
    """Whether a WebSocket is writable; an `asyncio.Event` that uses less memory.

    Attributes:
        is_set: whether the WebSocket is writable now.
    """

    __slots__ = ("_waiting", "is_set")

    def __init__(self) -> None:
        self.is_set = True
        self._waiting: tuple[asyncio.Future[None], ...] = ()

    def clear(self) -> None:
        """Marks the WebSocket as not writable."""
        self.is_set = False

    def set(self) -> None:
        """Marks the WebSocket as writable."""
        self.is_set = True
        waiting, self._waiting = self._waiting, ()
        for one in waiting:
            if not one.done():
                one.set_result(None)

    async def wait(self) -> None:
        """Waits until the WebSocket is writable."""
        if not self.is_set:
            ready = asyncio.get_running_loop().create_future()
            self._waiting = (*self._waiting, ready)
            await ready
