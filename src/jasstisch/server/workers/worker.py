"""What thinks for the server: a process of its own, or the thread that asks.

A computer player that computes for long would hold up everything else in the server's process:
Python runs one thread at a time. So its thoughts are sent to a process of its own. One that dies or
is stopped takes with it the thought it had, and is started anew.
"""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import NamedTuple, Protocol

from jasstisch.server.observability import describe_exception

__all__ = ["ProcessWorker", "TaskFunction", "TaskResult", "ThreadWorker", "Worker"]

TaskFunction = Callable[..., object]
"""A function of a module, so that another process finds it."""

NICENESS = 5
"""The server's own process goes first: it is what people wait for when they play."""

_spawn_context = get_context("spawn")


class TaskResult(NamedTuple):
    """What became of a thought.

    Attributes:
        result: what it came to; None when it failed.
        failure: what a log line may say of its failure; None when it was thought to its end.
        seconds: how long a core was busy with it.
    """

    result: object
    failure: dict[str, str] | None
    seconds: float


class Worker(Protocol):
    """What thinks one thought at a time."""

    def run(self, thought: TaskFunction, arguments: tuple[object, ...]) -> TaskResult:
        """Calls the function with the arguments; blocks until it is done or has failed."""

    def stop(self) -> None:
        """Gives up the present thought, from another thread, if that can be done at all."""

    def close(self) -> None:
        """Ends the worker for good."""


class ThreadWorker:
    """Thinks in the thread that calls it: for tests, and where the server is part of a program."""

    def run(self, thought: TaskFunction, arguments: tuple[object, ...]) -> TaskResult:
        """Calls the function."""
        return _run_task(thought, arguments)

    def stop(self) -> None:
        """A thread cannot be stopped: it ends when the thought does."""

    def close(self) -> None:
        """Nothing is kept."""


class ProcessWorker:
    """Thinks in a process of its own."""

    def __init__(self) -> None:
        self._closed = False
        self._start()

    def run(self, thought: TaskFunction, arguments: tuple[object, ...]) -> TaskResult:
        """Has the process call the function; starts another process when this one dies of it."""
        began = time.monotonic()
        try:
            self._pipe.send((thought, arguments))
            outcome: TaskResult = self._pipe.recv()
        except (EOFError, OSError):
            return TaskResult(None, self._on_process_died(), time.monotonic() - began)
        except Exception as error:  # noqa: BLE001 - what cannot be sent, or cannot be read
            return TaskResult(None, describe_exception(error), time.monotonic() - began)
        return outcome

    def stop(self) -> None:
        """Kills the process; whoever waits for it learns so and starts another."""
        self._process.kill()

    def close(self) -> None:
        """Kills the process, for it keeps nothing."""
        self._closed = True
        self._process.kill()

    def _start(self) -> None:
        pipe, theirs = _spawn_context.Pipe()
        # It ends when this end of the pipe does: with the server, whatever that died of.
        process = _spawn_context.Process(target=_worker_main, args=(theirs,), daemon=True)
        try:
            with _interrupts_ignored():
                process.start()
        except OSError:
            pipe.close()
            raise
        finally:
            theirs.close()
        self._pipe, self._process = pipe, process

    def _on_process_died(self) -> dict[str, str]:
        """Starts another process; what a log line may say of the end of this one."""
        if not self._closed:
            try:
                self._restart()
            except OSError as error:  # no memory or handles left: tried again at the next thought
                return describe_exception(error)
        return {"error": "worker_died"}

    def _restart(self) -> None:
        self._pipe.close()
        self._process.kill()
        self._process.join()
        self._start()


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """A process begun meanwhile never hears Ctrl-C: the server ends it in an orderly way."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _worker_main(pipe: Connection) -> None:
    """The process: thinks what is asked until the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    with suppress(EOFError, OSError):
        while True:
            _run_one(pipe)


def _run_one(pipe: Connection) -> None:
    try:
        thought, arguments = pipe.recv()
        outcome = _run_task(thought, arguments)
        pipe.send(outcome)
    except (EOFError, OSError):
        raise
    except Exception as error:  # noqa: BLE001 - a thought unknown here, a result that cannot be sent
        pipe.send(TaskResult(None, describe_exception(error), 0.0))


def _run_task(thought: TaskFunction, arguments: tuple[object, ...]) -> TaskResult:
    began = time.thread_time()
    result, failed = None, None
    try:
        result = thought(*arguments)
    except Exception as error:  # noqa: BLE001 - whatever a player from elsewhere may raise
        failed = describe_exception(error)
    return TaskResult(result, failed, time.thread_time() - began)
