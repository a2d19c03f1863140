"""The workers of the server: a separate process, or the calling thread.

A bot that computes for long would block everything else in the server's process, because Python
runs one thread at a time. So its tasks run in a separate process. A process that dies or is stopped
loses its task and is started again.
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

TaskFunction = Callable[..., object]
"""A module-level function, so that another process finds it."""

_NICENESS = 5
"""The niceness of worker processes: the server's own process serves the players and goes first."""

_spawn_context = get_context("spawn")


class TaskResult(NamedTuple):
    """The result of a task.

    Attributes:
        result: the return value; None if the task failed.
        failure: the log fields of the failure; None if the task succeeded.
        seconds: how long the task kept a core busy.
    """

    result: object
    failure: dict[str, str] | None
    seconds: float


class Worker(Protocol):
    """Runs one task at a time."""

    def run(self, task: TaskFunction, arguments: tuple[object, ...]) -> TaskResult:
        """Calls the function with the arguments; blocks until it returns or fails."""

    def abort_task(self) -> None:
        """Aborts the current task, from another thread, if possible."""

    def close(self) -> None:
        """Stops the worker permanently."""


class ThreadWorker:
    """Runs tasks in the calling thread: for tests, and for a server embedded in a program."""

    def run(self, task: TaskFunction, arguments: tuple[object, ...]) -> TaskResult:
        """Calls the function."""
        return _run_task(task, arguments)

    def abort_task(self) -> None:
        """Does nothing: a thread cannot be stopped and ends with its task."""

    def close(self) -> None:
        """Does nothing: there are no resources to release."""


class ProcessWorker:
    """Runs tasks in a separate process."""

    def __init__(self) -> None:
        self._closed = False
        self._start()

    def run(self, task: TaskFunction, arguments: tuple[object, ...]) -> TaskResult:
        """Calls the function in the process; starts a new process if this one dies."""
        began = time.monotonic()
        try:
            self._pipe.send((task, arguments))
            outcome: TaskResult = self._pipe.recv()
        except (EOFError, OSError):
            return TaskResult(None, self._on_process_died(), time.monotonic() - began)
        except Exception as error:  # noqa: BLE001 - it cannot be sent or received
            return TaskResult(None, describe_exception(error), time.monotonic() - began)
        return outcome

    def abort_task(self) -> None:
        """Kills the process; the caller of `run` notices and starts another."""
        self._process.kill()

    def close(self) -> None:
        """Kills the process, which holds no state."""
        self._closed = True
        self._process.kill()

    def _start(self) -> None:
        pipe, theirs = _spawn_context.Pipe()
        # The process ends when this end of the pipe is closed: with the server, however that ends.
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
        """Starts a new process; returns the log fields for the end of the old one."""
        if not self._closed:
            try:
                self._restart()
            except OSError as error:  # no memory or handles left: the next task tries again
                return describe_exception(error)
        return {"error": "worker_died"}

    def _restart(self) -> None:
        self._pipe.close()
        self._process.kill()
        self._process.join()
        self._start()


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """A process started in this context ignores Ctrl-C; the server stops it in order."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _worker_main(pipe: Connection) -> None:
    """The main function of the process: runs tasks until the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    with suppress(EOFError, OSError):
        while True:
            _run_one(pipe)


def _run_one(pipe: Connection) -> None:
    try:
        task, arguments = pipe.recv()
        outcome = _run_task(task, arguments)
        pipe.send(outcome)
    except (EOFError, OSError):
        raise
    except Exception as error:  # noqa: BLE001 - unknown task or unsendable result
        pipe.send(TaskResult(None, describe_exception(error), 0.0))


def _run_task(task: TaskFunction, arguments: tuple[object, ...]) -> TaskResult:
    began = time.thread_time()
    result, failed = None, None
    try:
        result = task(*arguments)
    except Exception as error:  # noqa: BLE001 - whatever an external bot may raise
        failed = describe_exception(error)
    return TaskResult(result, failed, time.thread_time() - began)
