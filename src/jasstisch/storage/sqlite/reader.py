"""The reader thread of a SQLite store.

All queries of one turn of the event loop are executed together. When thousands of clients reconnect
at once, each switch to another thread costs more than a query.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from jasstisch.storage.errors import StoreError
from jasstisch.storage.sqlite.queries import READ_ERRORS, connect, to_store_error

_MAX_BATCH = 100
"""The most queries executed together, which bounds the wait of each."""

_Found = TypeVar("_Found")
_ReadFunction = Callable[[sqlite3.Connection], Any]


class _Query(NamedTuple):
    ask: _ReadFunction
    what: str
    done: "asyncio.Future[Any]"


_QueryResult = tuple["asyncio.Future[Any]", Any, BaseException | None]


class SqliteReader:
    """A read connection; because of the write-ahead log it never waits for the writer.

    Args:
        path: the file, which must exist.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store-read")
        self._connection: sqlite3.Connection | None = None
        self._pending: dict[asyncio.AbstractEventLoop, list[_Query]] = {}
        self._closed = False

    async def read(self, ask: Callable[[sqlite3.Connection], _Found], what: str) -> _Found:
        """Executes a query and returns its result.

        Args:
            ask: the query; called in the reader thread.
            what: the description of the query for error messages.

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
        """Executes pending queries and closes the connection."""
        self._closed = True
        for loop in list(self._pending):
            self._submit(loop)
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close_connection)
        self._thread.shutdown()

    def _submit(self, loop: asyncio.AbstractEventLoop) -> None:
        """Passes the pending queries to the thread."""
        asked = self._pending.pop(loop, [])
        for start in range(0, len(asked), _MAX_BATCH):
            self._thread.submit(self._run_batch, loop, asked[start : start + _MAX_BATCH])

    # In the thread.

    def _run_batch(self, loop: asyncio.AbstractEventLoop, asked: Sequence[_Query]) -> None:
        answers = [self._run_query(question) for question in asked]
        # Nobody waits in a closed event loop.
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
        except Exception as error:  # noqa: BLE001 - every error is passed to the caller
            return question.done, None, error

    def _close_connection(self) -> None:
        """Closes the connection; after a failure the next query opens a new one."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _resolve_futures(answers: Sequence[_QueryResult]) -> None:
    """Resolves the futures that are still awaited."""
    for done, found, error in answers:
        if done.done():
            continue
        if error is None:
            done.set_result(found)
        else:
            done.set_exception(error)
