"""What the SQLite store promises: durable, ordered, all or nothing, and clear when it cannot."""

import asyncio
import sqlite3
import stat
import subprocess
import sys
import textwrap
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from jasstisch.store import Conflict, SqliteStore, StoreError
from jasstisch.store import sqlite as module
from jasstisch.store.sqlite_identities import Change
from jasstisch.table import Finished
from jasstisch.table.events import Acted, Event, Gathered, Held, House, Pack, Sat, Stood
from tests.store.conftest import damage

SOME: list[Event] = [Sat(0, "a" * 64, "Änna 🂡"), Pack("6C 7C"), Acted(0, "play JC", "person")]


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
    batch: list[Change] = [
        module._Append(table, after, [b"{}"], "nothing", 0)
        for table, after in [("a", 0), ("b", 7), ("c", 0)]
    ]
    outcomes = await asyncio.to_thread(store._written, batch)
    assert [type(one) for one in outcomes] == [type(None), Conflict, type(None)]
    assert await store.count() == 2


async def test_a_failing_disk_fails_every_append_of_the_commit_and_keeps_none(
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


async def events_left(store: SqliteStore, path: Path) -> int:
    """How many events the file holds once the store has nothing more to delete."""
    await store.close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM deleted").fetchone() == (0,)
        return int(connection.execute("SELECT count(*) FROM event").fetchone()[0])


async def all_deleted(path: Path) -> None:
    """Waits until nothing of the tables that were struck off is left."""
    while True:
        with closing(sqlite3.connect(path)) as connection:
            if connection.execute("SELECT count(*) FROM deleted").fetchone() == (0,):
                return
        await asyncio.sleep(0)


async def test_a_deleted_table_is_unknown_at_once_and_its_events_go_in_small_steps(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_DELETED", 7)
    await store.append("gone", 0, [Stood(0)] * 100)
    await store.append("kept", 0, SOME)
    assert await store.delete("gone") is True
    assert await store.load("gone") == []
    assert await store.count() == 1
    assert await store.delete("gone") is False
    await all_deleted(path)
    assert await store.load("kept") == SOME
    assert await events_left(store, path) == len(SOME)


async def test_nothing_is_added_to_a_deleted_table(store: SqliteStore) -> None:
    await store.append("gone", 0, SOME)
    await store.delete("gone")
    with pytest.raises(Conflict):
        await store.append("gone", 3, [Stood(0)])
    assert await store.load("gone") == []


async def test_what_a_stop_left_of_a_deleted_table_goes_after_the_next_start(path: Path) -> None:
    first = SqliteStore(path)
    await first.append("gone", 0, SOME)
    await first.append("kept", 0, SOME)
    await first.close()
    damage(
        path, ["DELETE FROM kept WHERE table_id = 'gone'", "INSERT INTO deleted VALUES ('gone')"]
    )
    second = SqliteStore(path)
    assert await second.load("gone") == []
    await all_deleted(path)
    assert await second.load("kept") == SOME
    assert await events_left(second, path) == len(SOME)


async def test_tables_left_alone_are_told_by_what_was_finished_there_the_oldest_first(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(module, "time", lambda: now)
    tables: list[tuple[str, Finished | None]] = [
        *(("b", "nothing"), ("a", "nothing"), ("c", "round"), ("d", "match"), ("e", None)),
    ]
    for day, (table, finished) in enumerate(tables):
        now = day * 86400.0
        await store.append(table, 0, SOME, finished)
    assert await store.untouched("nothing", 10 * 86400.0, 9) == ["b", "a"]
    assert await store.untouched("nothing", 10 * 86400.0, 1) == ["b"]
    assert await store.untouched("nothing", 86400.0, 9) == ["b"]
    assert await store.untouched("round", 10 * 86400.0, 9) == ["c"]
    assert await store.untouched("match", 10 * 86400.0, 9) == ["d"]
    assert await store.untouched(None, 10 * 86400.0, 9) == ["e"]
    now = 9 * 86400.0
    await store.append("b", 3, [Stood(0)], "round")
    assert await store.untouched("nothing", 10 * 86400.0, 9) == ["a"]
    assert await store.untouched("round", 10 * 86400.0, 9) == ["c", "b"]
    await store.append("b", 4, [Stood(0)])
    assert await store.untouched("round", 10 * 86400.0, 9) == ["c", "b"]


async def test_what_was_finished_is_noted_only_where_it_was_not_known(store: SqliteStore) -> None:
    await store.append("old", 0, SOME)
    await store.append("new", 0, SOME, "round")
    await store.note("old", "match")
    await store.note("new", "nothing")
    later = 1e12
    assert await store.untouched(None, later, 9) == []
    assert await store.untouched("match", later, 9) == ["old"]
    assert await store.untouched("round", later, 9) == ["new"]


GATHERED = Gathered(5, [Held("a" * 64, "Anna", None, 1, None)], House("a" * 64))


async def test_what_one_event_stands_for_is_kept_no_longer(store: SqliteStore) -> None:
    await store.append("one", 0, [*SOME, Stood(0)])
    await store.append("one", 4, [GATHERED, Stood(1)])
    assert await store.load("one") == [SOME[0], GATHERED, Stood(1)]
    await store.append("one", 6, [Stood(2)])
    assert await store.load("one") == [SOME[0], GATHERED, Stood(1), Stood(2)]
    with pytest.raises(Conflict, match="at version 7"):
        await store.append("one", 4, [Stood(3)])


async def test_a_gap_that_nothing_stands_for_is_told(store: SqliteStore, path: Path) -> None:
    await store.append("one", 0, [*SOME, Stood(0)])
    await store.append("one", 4, [GATHERED, Stood(1), Stood(2)])
    damage(path, ["DELETE FROM event WHERE version = 6"])
    with pytest.raises(StoreError, match="gaps"):
        await store.load("one")
    damage(path, ["DELETE FROM event WHERE version = 5"])
    with pytest.raises(StoreError, match="gaps"):
        await store.load("one")


FIRST_LAYOUT = [
    module.LAYOUTS[0][0],
    "CREATE UNIQUE INDEX first_event ON event (table_id) WHERE version = 1",
    f"PRAGMA application_id = {module.APPLICATION_ID}",
    "PRAGMA user_version = 1",
]


async def test_a_file_of_the_first_layout_is_taken_over_whole(path: Path) -> None:
    body = msgspec.json.encode(Stood(2)).hex()
    rows = [f"INSERT INTO event VALUES ('old', {n}, {n}.5, x'{body}')" for n in (1, 2)]
    damage(path, [*FIRST_LAYOUT, *rows])
    store = SqliteStore(path)
    assert await store.load("old") == [Stood(2), Stood(2)]
    assert await store.count() == 1
    assert await store.untouched(None, 3.0, 9) == ["old"]
    await store.append("old", 2, [Stood(3)], "round")
    assert await store.untouched(None, 3.0, 9) == []
    await store.close()
    again = SqliteStore(path)
    assert len(await again.load("old")) == 3
    await again.close()


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
