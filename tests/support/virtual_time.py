"""An event loop in which waiting takes no time: its clock goes on to what is due next."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

_Result = TypeVar("_Result")


class _VirtualSelector(selectors.DefaultSelector):
    """A selector that never waits, and has the clock go on instead."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise AssertionError("everybody waits for ever")
        ready = super().select(0)
        if not ready:
            self.now += timeout
        return ready


class _VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._impatient = _VirtualSelector()
        super().__init__(self._impatient)

    def time(self) -> float:
        return self._impatient.now


def run_in_virtual_time(work: Coroutine[Any, Any, _Result]) -> _Result:
    """Runs this to its end in a loop of its own, without threads or sockets."""
    with asyncio.Runner(loop_factory=_VirtualLoop) as runner:
        return runner.run(work)
