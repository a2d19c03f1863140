"""Reads the SQLite file in a thread of its own.

What is asked in one turn of the event loop is read at one go. With thousands who come back at the
same moment each hop to another thread and back costs more than what is read there.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from jasstisch.storage.event_store import StoreError
from jasstisch.storage.sqlite.queries import READ_ERRORS, connect, to_store_error

__all__ = ["SqliteReader"]

MAX_BATCH = 100
"""So many questions are answered together; nobody waits for more than these."""

_Found = TypeVar("_Found")
_ReadFunction = Callable[[sqlite3.Connection], Any]


class _Query(NamedTuple):
    ask: _ReadFunction
    what: str
    done: "asyncio.Future[Any]"


_QueryResult = tuple["asyncio.Future[Any]", Any, BaseException | None]


class SqliteReader:
    """A connection that reads; with the write-ahead log it never waits for the one that writes.

    Args:
        path: the file, which there is.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store-read")
        self._connection: sqlite3.Connection | None = None
        self._pending: dict[asyncio.AbstractEventLoop, list[_Query]] = {}
        self._closed = False

    async def read(self, ask: Callable[[sqlite3.Connection], _Found], what: str) -> _Found:
        """What is found in the file.

        Args:
            ask: finds it; called in the thread that reads.
            what: what it is, for the message of a failure.

        Raises:
            StoreError: it cannot be read, or the store is closed.
        """
        if self._closed:
            raise StoreError("the store is closed")
        loop = asyncio.get_running_loop()
        if loop not in self._pending:
            self._pending[loop] = []
            loop.call_soon(self._submit, loop)
        question = _Query(ask, what, loop.create_future())
        self._pending[loop].append(question)
        found: _Found = await question.done
        return found

    async def close(self) -> None:
        """Answers what has been asked, and closes the connection."""
        self._closed = True
        for loop in list(self._pending):
            self._submit(loop)
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close_connection)
        self._thread.shutdown()

    def _submit(self, loop: asyncio.AbstractEventLoop) -> None:
        """Gives what has been asked to the thread."""
        asked = self._pending.pop(loop, [])
        for start in range(0, len(asked), MAX_BATCH):
            self._thread.submit(self._run_batch, loop, asked[start : start + MAX_BATCH])

    # In the thread.

    def _run_batch(self, loop: asyncio.AbstractEventLoop, asked: Sequence[_Query]) -> None:
        answers = [self._run_query(question) for question in asked]
        # A loop that is closed has left nobody who waits.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_resolve_futures, answers)

    def _run_query(self, question: _Query) -> _QueryResult:
        try:
            if self._connection is None:
                self._connection = connect(self._path)
            return question.done, question.ask(self._connection), None
        except READ_ERRORS as error:
            self._close_connection()
            told = to_store_error(self._path, f"{question.what} cannot be read", error)
            told.__cause__ = error
            return question.done, None, told
        except Exception as error:  # noqa: BLE001 - whoever asked is told, whatever it is
            return question.done, None, error

    def _close_connection(self) -> None:
        """Closes the connection; after a failure the next question opens another."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _resolve_futures(answers: Sequence[_QueryResult]) -> None:
    """Tells those who still wait what was found."""
    for done, found, error in answers:
        if done.done():
            continue
        if error is None:
            done.set_result(found)
        else:
            done.set_exception(error)
