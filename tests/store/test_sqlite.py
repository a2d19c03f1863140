"""What the SQLite store promises: durable, ordered, all or nothing, and clear when it cannot."""

import asyncio
import sqlite3
import stat
import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
import pytest_asyncio

from jasstisch.store import Conflict, SqliteStore, StoreError
from jasstisch.store import sqlite as module
from jasstisch.table.events import Acted, Event, Pack, Sat, Stood

SOME: list[Event] = [Sat(0, "a" * 64, "Änna 🂡"), Pack("6C 7C"), Acted(0, "play JC", "person")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.sqlite3"


@pytest_asyncio.fixture
async def store(path: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(path)
    yield store
    await store.close()


async def test_what_was_appended_is_loaded_in_order(store: SqliteStore) -> None:
    await store.append("one", 0, SOME[:1])
    await store.append("two", 0, [Stood(3)])
    await store.append("one", 1, SOME[1:])
    assert await store.load("one") == SOME
    assert await store.load("two") == [Stood(3)]
    assert await store.load("three") == []
    assert await store.count() == 2


async def test_what_was_appended_is_there_after_opening_again(path: Path) -> None:
    first = SqliteStore(path)
    await first.append("one", 0, SOME)
    await first.close()
    second = SqliteStore(path)
    assert await second.load("one") == SOME
    await second.close()


@pytest.mark.parametrize("after", [0, 1, 4])
async def test_a_second_writer_meets_a_conflict_and_changes_nothing(
    store: SqliteStore, after: int
) -> None:
    await store.append("one", 0, SOME)
    with pytest.raises(Conflict, match="at version 3"):
        await store.append("one", after, [Stood(0)])
    assert await store.load("one") == SOME


async def test_two_processes_cannot_write_the_same_version(path: Path) -> None:
    one, other = SqliteStore(path), SqliteStore(path)
    results = await asyncio.gather(
        one.append("t", 0, [Stood(1)]), other.append("t", 0, [Stood(2)]), return_exceptions=True
    )
    assert sorted(type(result).__name__ for result in results) == ["Conflict", "NoneType"]
    assert len(await one.load("t")) == 1
    await one.close()
    await other.close()


async def test_the_last_fence_is_the_databases_own(store: SqliteStore, path: Path) -> None:
    await store.append("one", 0, SOME)
    with closing(sqlite3.connect(path)) as connection, pytest.raises(sqlite3.IntegrityError):
        connection.execute("INSERT INTO event VALUES ('one', 3, 0.0, x'00')")


async def test_appends_that_wait_together_share_a_commit(
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
    assert await store.count() == 200


async def test_a_conflict_spoils_nobody_elses_append_in_the_same_commit(
    store: SqliteStore,
) -> None:
    batch = [
        module._Append("a", 0, [b"{}"]),
        module._Append("b", 7, [b"{}"]),
        module._Append("c", 0, [b"{}"]),
    ]
    await asyncio.to_thread(store._commit, batch)
    assert [type(one.done.exception()) for one in batch] == [type(None), Conflict, type(None)]
    assert await store.count() == 2


async def test_a_failing_disk_fails_every_append_of_the_commit_and_keeps_none(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def insert(request: object, now: float) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as patched:
        patched.setattr(store, "_insert", insert)
        with pytest.raises(StoreError, match="disk I/O error"):
            await store.append("one", 0, SOME)
    assert await store.load("one") == []
    await store.append("one", 0, SOME)  # and the store goes on
    assert await store.load("one") == SOME


async def test_a_caller_who_stops_waiting_stops_nobody_elses_commit(store: SqliteStore) -> None:
    waiting = asyncio.create_task(store.append("one", 0, SOME))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await store.append("two", 0, SOME)
    assert await store.load("one") == SOME


async def test_a_closed_store_takes_nothing(path: Path) -> None:
    store = SqliteStore(path)
    await store.close()
    await store.close()
    with pytest.raises(StoreError, match="closed"):
        await store.append("one", 0, SOME)


async def test_closing_commits_what_waits(path: Path) -> None:
    store = SqliteStore(path)
    waiting = [asyncio.create_task(store.append(f"t{one}", 0, SOME)) for one in range(20)]
    await asyncio.sleep(0)
    await store.close()
    await asyncio.gather(*waiting)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM event").fetchone() == (60,)


async def test_every_commit_is_synchronous_and_goes_to_the_write_ahead_log(
    store: SqliteStore,
) -> None:
    assert store._writing.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert store._writing.execute("PRAGMA synchronous").fetchone() == (2,)


async def test_only_the_owner_may_read_the_file(store: SqliteStore, path: Path) -> None:
    await store.append("one", 0, SOME)
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0, file


def damage(path: Path, statements: Sequence[str]) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


async def test_a_gap_or_a_damaged_entry_is_told_and_not_skipped(
    store: SqliteStore, path: Path
) -> None:
    await store.append("gap", 0, SOME)
    await store.append("bad", 0, SOME)
    damage(
        path,
        [
            "DELETE FROM event WHERE table_id = 'gap' AND version = 2",
            "UPDATE event SET body = x'7b7d' WHERE table_id = 'bad' AND version = 2",
        ],
    )
    with pytest.raises(StoreError, match="gaps"):
        await store.load("gap")
    with pytest.raises(StoreError, match="cannot be read"):
        await store.load("bad")


async def test_a_file_of_a_newer_version_is_refused_by_name(path: Path) -> None:
    await SqliteStore(path).close()
    damage(path, [f"PRAGMA user_version = {module.SCHEMA_VERSION + 1}"])
    with pytest.raises(StoreError, match=r"tables\.sqlite3 was written by a newer Jasstisch"):
        SqliteStore(path)


def test_a_file_of_another_program_is_refused(path: Path) -> None:
    damage(path, ["CREATE TABLE recipes (name TEXT)"])
    with pytest.raises(StoreError, match="another program"):
        SqliteStore(path)
    path.write_text("This is no database, but a letter to a friend. " * 50)
    with pytest.raises(StoreError, match="not a database"):
        SqliteStore(path)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="nowhere"):
        SqliteStore(tmp_path / "nowhere" / "tables.sqlite3")


@pytest.mark.outside
def test_what_was_acknowledged_survives_a_kill(path: Path) -> None:
    program = textwrap.dedent(
        """
        import asyncio, sys
        from pathlib import Path
        from jasstisch.store import SqliteStore
        from jasstisch.table.events import Stood

        async def main():
            store = SqliteStore(Path(sys.argv[1]))
            for version in range(10_000):
                await store.append("t", version, [Stood(version % 4)])
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
