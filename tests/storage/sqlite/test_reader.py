"""Batched reads of a SQLite file: each caller gets its own result."""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from jasstisch.storage import StoreError
from jasstisch.storage.sqlite.reader import _MAX_BATCH, SqliteReader


@pytest_asyncio.fixture
async def reader(tmp_path: Path) -> AsyncIterator[SqliteReader]:
    reader = SqliteReader(tmp_path / "file.sqlite")
    yield reader
    await reader.close()


async def test_each_of_many_reads_gets_its_own_result(reader: SqliteReader) -> None:
    def asks(wanted: int) -> asyncio.Future[int]:
        query = "SELECT ?"
        return asyncio.ensure_future(
            reader.read(lambda one: int(one.execute(query, (wanted,)).fetchone()[0]), "a number")
        )

    numbers = range(3 * _MAX_BATCH + 1)
    assert await asyncio.gather(*map(asks, numbers)) == list(numbers)


async def test_a_failing_read_does_not_affect_others(reader: SqliteReader) -> None:
    def number(one: sqlite3.Connection) -> int:
        return int(one.execute("SELECT 7").fetchone()[0])

    def wrong(one: sqlite3.Connection) -> int:
        return int(one.execute("SELECT 1 FROM nowhere").fetchone()[0])

    def broken(_: sqlite3.Connection) -> int:
        raise LookupError("a fault of the program")

    found = await asyncio.gather(
        *(reader.read(ask, "a number") for ask in (number, wrong, number, broken, number)),
        return_exceptions=True,
    )
    assert [found[0], found[2], found[4]] == [7, 7, 7]
    assert isinstance(found[1], StoreError)
    assert "a number cannot be read: no such table" in str(found[1])
    assert isinstance(found[3], LookupError)


async def test_pending_reads_are_answered_before_closing(tmp_path: Path) -> None:
    reader = SqliteReader(tmp_path / "file.sqlite")
    asked = asyncio.ensure_future(reader.read(lambda one: one.total_changes, "a number"))
    await asyncio.sleep(0)
    await reader.close()
    assert await asked == 0
    with pytest.raises(StoreError, match="the store is closed"):
        await reader.read(lambda one: one.total_changes, "a number")


async def test_a_cancelled_read_does_not_affect_others(reader: SqliteReader) -> None:
    goes_on = threading.Event()
    held = asyncio.ensure_future(reader.read(lambda _: goes_on.wait(10), "nothing"))
    gone = asyncio.ensure_future(reader.read(lambda _: 1, "a number"))
    there = asyncio.ensure_future(reader.read(lambda _: 2, "a number"))
    await asyncio.sleep(0)
    gone.cancel()
    goes_on.set()
    assert await held
    assert await there == 2
    assert gone.cancelled()
