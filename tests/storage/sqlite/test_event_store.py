"""The SQLite store: durability, ordering, atomicity and clear errors."""

import asyncio
import sqlite3
import stat
import subprocess
import sys
import textwrap
import threading
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
import pytest_asyncio

from jasstisch.storage import ConflictError, SqliteStore, StoreError
from jasstisch.storage.sqlite import event_store as module
from jasstisch.storage.sqlite.queries import APPLICATION_ID
from jasstisch.table.events import (
    EVENT_VERSION,
    Acted,
    Event,
    HostSettings,
    LobbyCompacted,
    PackDealt,
    SeatLeft,
    SeatSnapshot,
    SeatTaken,
)
from tests.storage.store_kinds import execute_raw


@pytest_asyncio.fixture
async def store(path: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(path)
    yield store
    await store.close()


SOME: list[Event] = [
    SeatTaken(0, "a" * 64, "Änna 🂡"),
    PackDealt("6C 7C"),
    Acted(0, "play JC", "person"),
]


SPOILED = [("a", 0), ("b", 7), ("c", 0)]
"""Appends of which the second one conflicts."""


async def test_two_processes_cannot_write_the_same_version(path: Path) -> None:
    one, other = SqliteStore(path), SqliteStore(path)
    results = await asyncio.gather(
        one.append("t", 0, [SeatLeft(1)]),
        other.append("t", 0, [SeatLeft(2)]),
        return_exceptions=True,
    )
    assert sorted(type(result).__name__ for result in results) == ["ConflictError", "NoneType"]
    assert len(await one.load("t")) == 1
    await one.close()
    await other.close()


async def test_the_unique_constraint_is_the_last_line_of_defence(
    store: SqliteStore, path: Path
) -> None:
    await store.append("one", 0, SOME)
    with closing(sqlite3.connect(path)) as connection, pytest.raises(sqlite3.IntegrityError):
        connection.execute("INSERT INTO event VALUES ('one', 3, 0.0, x'00', 0)")


async def test_waiting_appends_share_a_commit(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    commit = store._commit

    def counted(batch: list[object]) -> None:
        sizes.append(len(batch))
        commit(batch)  # type: ignore[arg-type] # the batch is passed on as it came

    monkeypatch.setattr(store, "_commit", counted)
    await asyncio.gather(*(store.append(f"t{number}", 0, SOME) for number in range(200)))
    assert sum(sizes) == 200
    assert len(sizes) < 100
    assert await store.count_tables() == 200


async def test_a_conflict_does_not_affect_other_appends_in_the_commit(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    together: list[int] = []
    begun = threading.Event()
    commit = store._commit

    def counted(batch: list[object]) -> None:
        together.append(len(batch))
        begun.set()
        commit(batch)  # type: ignore[arg-type] # the batch is passed on as it came

    monkeypatch.setattr(store, "_commit", counted)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")  # whatever is written now has to wait
        first = asyncio.ensure_future(store.append("first", 0, SOME))
        assert await asyncio.to_thread(begun.wait, 10)
        appends = [store.append(table, after, SOME) for table, after in SPOILED]
        rest = asyncio.gather(*appends, return_exceptions=True)
        await asyncio.sleep(0)
        other.execute("COMMIT")
        await first
    outcomes = await rest
    assert [type(one) for one in outcomes] == [type(None), ConflictError, type(None)]
    assert together == [1, 3]
    assert await store.count_tables() == 3


async def test_a_disk_error_fails_every_append_of_the_commit(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(change: object, connection: object, now: float) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as patched:
        patched.setattr(module._Append, "write", write)
        with pytest.raises(StoreError, match="disk I/O error"):
            await store.append("one", 0, SOME)
    assert await store.load("one") == []
    await store.append("one", 0, SOME)  # and the store goes on
    assert await store.load("one") == SOME


async def test_commits_are_synchronous_and_use_the_wal(
    store: SqliteStore,
) -> None:
    assert store._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store._connection.execute("PRAGMA synchronous").fetchone() == (2,)


async def test_the_file_is_private(store: SqliteStore, path: Path) -> None:
    await store.append("one", 0, SOME)
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0, file


GATHERED = LobbyCompacted(
    5, [SeatSnapshot("a" * 64, "Anna", None, 1, None)], HostSettings("a" * 64)
)


FIRST_LAYOUT = [
    module._MIGRATIONS[0][0],
    "CREATE UNIQUE INDEX first_event ON event (table_id) WHERE version = 1",
    f"PRAGMA application_id = {APPLICATION_ID}",
    "PRAGMA user_version = 1",
]


async def test_a_file_of_the_first_schema_is_migrated(path: Path) -> None:
    body = msgspec.json.encode(SeatLeft(2)).hex()
    rows = [f"INSERT INTO event VALUES ('old', {n}, {n}.5, x'{body}')" for n in (1, 2)]
    execute_raw(path, [*FIRST_LAYOUT, *rows])
    store = SqliteStore(path)
    assert await store.load("old") == [SeatLeft(2), SeatLeft(2)]
    assert await store.count_tables() == 1
    assert await store.idle_tables(None, 3.0, 9) == ["old"]
    await store.append("old", 2, [SeatLeft(3)], "round")
    assert await store.idle_tables(None, 3.0, 9) == []
    await store.close()
    again = SqliteStore(path)
    assert len(await again.load("old")) == 3
    await again.close()


async def test_a_file_of_a_newer_version_is_refused(path: Path) -> None:
    await SqliteStore(path).close()
    execute_raw(path, [f"PRAGMA user_version = {module.SCHEMA_VERSION + 1}"])
    with pytest.raises(StoreError, match=r"tables\.sqlite3 was written by a newer Jasstisch"):
        SqliteStore(path)


async def test_newer_events_are_refused_by_older_programs(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert module.MAX_EVENT_VERSION == EVENT_VERSION, "a further layout is due, see EVENTS_HELD"
    assert len(module._MIGRATIONS) == module.SCHEMA_VERSION
    await SqliteStore(path).close()
    monkeypatch.setattr(module, "SCHEMA_VERSION", 6)  # of the version that knew events up to 5
    with pytest.raises(StoreError, match=r"newer Jasstisch \(layout 13, this one knows 6\)"):
        SqliteStore(path)


def test_a_file_of_another_program_is_refused(path: Path) -> None:
    execute_raw(path, ["CREATE TABLE recipes (name TEXT)"])
    with pytest.raises(StoreError, match="another program"):
        SqliteStore(path)
    path.write_text("This is no database, but a letter to a friend. " * 50)
    with pytest.raises(StoreError, match="not a database"):
        SqliteStore(path)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="nowhere"):
        SqliteStore(tmp_path / "nowhere" / "tables.sqlite3")


@pytest.mark.outside
def test_acknowledged_events_survive_a_kill(path: Path) -> None:
    program = textwrap.dedent(
        """
        import asyncio, sys
        from pathlib import Path
        from jasstisch.storage import SqliteStore
        from jasstisch.table.events import SeatLeft

        async def main():
            store = SqliteStore(Path(sys.argv[1]))
            for version in range(10_000):
                await store.append("t", version, [SeatLeft(version % 4)])
                print(version + 1, flush=True)

        asyncio.run(main())
        """
    )
    writer = subprocess.Popen(
        [sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    acknowledged = 0
    for line in writer.stdout:
        acknowledged = int(line)
        if acknowledged == 50:
            writer.kill()
            break
    acknowledged = max([acknowledged, *(int(line) for line in writer.stdout.read().split())])
    writer.stdout.close()
    assert writer.wait() == -9

    async def count() -> int:
        store = SqliteStore(path)
        kept = len(await store.load("t"))
        await store.close()
        return kept

    assert asyncio.run(count()) >= acknowledged >= 50


def test_a_file_that_cannot_be_opened_is_named(path: Path) -> None:
    path.mkdir()
    with pytest.raises(StoreError, match=r"tables\.sqlite3"):
        SqliteStore(path)
