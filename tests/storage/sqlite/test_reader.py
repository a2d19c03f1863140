"""What is asked of a file at the same time is read together, and everybody gets his own answer."""

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from jasstisch.storage import StoreError
from jasstisch.storage.sqlite.reader import MAX_BATCH, SqliteReader


@pytest_asyncio.fixture
async def reader(tmp_path: Path) -> AsyncIterator[SqliteReader]:
    reader = SqliteReader(tmp_path / "file.sqlite")
    yield reader
    await reader.close()


async def test_each_question_of_many_gets_its_own_answer(reader: SqliteReader) -> None:
    def asks(wanted: int) -> asyncio.Future[int]:
        query = "SELECT ?"
        return asyncio.ensure_future(
            reader.read(lambda one: int(one.execute(query, (wanted,)).fetchone()[0]), "a number")
        )

    numbers = range(3 * MAX_BATCH + 1)
    assert await asyncio.gather(*map(asks, numbers)) == list(numbers)


async def test_a_question_that_fails_fails_nobody_else(reader: SqliteReader) -> None:
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


async def test_what_is_asked_before_the_end_is_still_answered(tmp_path: Path) -> None:
    reader = SqliteReader(tmp_path / "file.sqlite")
    asked = asyncio.ensure_future(reader.read(lambda one: one.total_changes, "a number"))
    await asyncio.sleep(0)
    await reader.close()
    assert await asked == 0
    with pytest.raises(StoreError, match="the store is closed"):
        await reader.read(lambda one: one.total_changes, "a number")


async def test_who_waits_no_longer_keeps_nobody_from_an_answer(reader: SqliteReader) -> None:
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
