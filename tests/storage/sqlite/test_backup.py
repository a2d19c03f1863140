"""SQLite backups: complete, atomic and never destructive."""

import asyncio
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import textwrap
from contextlib import closing
from pathlib import Path

import pytest

from jasstisch.storage import FolderLock, LockedError, SqliteStore, StoreError
from jasstisch.storage.sqlite import backup as module
from jasstisch.storage.sqlite.backup import backup_file, restore_file
from jasstisch.table.events import PackDealt, SeatLeft
from tests.storage.store_kinds import execute_raw

WRITER = textwrap.dedent(
    """
    import asyncio, sys
    from pathlib import Path
    from jasstisch.storage import SqliteStore
    from jasstisch.table.events import SeatLeft

    async def main():
        store = SqliteStore(Path(sys.argv[1]))
        for version in range(int(sys.argv[2])):
            await store.append("t", version, [SeatLeft(version % 4)])
            print(version + 1, flush=True)

    asyncio.run(main())
    """
)


def nothing(_: float) -> None:
    """Ignores progress."""


async def fill(path: Path, tables: int = 3, large: int = 0) -> None:
    store = SqliteStore(path)
    body = [PackDealt("6C " * 300)] * large
    for number in range(tables):
        await store.append(f"table{number}", 0, [SeatLeft(number % 4), *body])
    await store.close()


async def logs(path: Path) -> dict[str, int]:
    """The number of events of each table in a file."""
    store = SqliteStore(path)
    found = {
        one.table: len(await store.load(one.table)) for one in await store.list_tables("", 1000)
    }
    await store.close()
    return found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "data" / "tables.sqlite3"
    found.parent.mkdir()
    asyncio.run(fill(found))
    return found


@pytest.mark.outside
def test_a_backup_beside_a_writer_contains_every_acknowledged_event(
    tmp_path: Path,
) -> None:
    """A plain copy of the file at the same moment does not."""
    path, target = tmp_path / "tables.sqlite3", tmp_path / "backup.jass"
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), "100000"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert writer.stdout is not None
        acknowledged = 0
        while acknowledged < 200:
            acknowledged = int(writer.stdout.readline())
        naive = tmp_path / "naive.sqlite3"
        shutil.copy(path, naive)
        done = backup_file(path, target, nothing)
        # It goes on meanwhile, and afterwards.
        assert int(writer.stdout.readline()) > acknowledged
        assert writer.poll() is None
    finally:
        writer.kill()
        writer.communicate()
    kept = asyncio.run(logs(target))["t"]
    assert kept >= acknowledged
    assert (done.table_count, done.event_count) == (1, kept)
    with closing(sqlite3.connect(naive)) as connection:
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        copied = tables and connection.execute("SELECT count(*) FROM event").fetchone()[0]
    assert copied < acknowledged


def test_a_backup_is_one_private_file(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "backup.jass"
    told: list[float] = []
    done = backup_file(path, target, told.append)
    assert (done.table_count, done.event_count) == (3, 3)
    assert told[-1] == 1.0
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert {one.name for one in tmp_path.iterdir()} == {"data", "backup.jass"}
    assert asyncio.run(logs(target)) == asyncio.run(logs(path))


def test_an_existing_file_is_replaced_only_on_request(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "backup.jass"
    target.write_text("a letter to a friend")
    with pytest.raises(StoreError, match="is there already; --force"):
        backup_file(path, target, nothing)
    assert target.read_text() == "a letter to a friend"
    backup_file(path, target, nothing, force=True)
    assert asyncio.run(logs(target))
    for own in (path, tmp_path):
        with pytest.raises(StoreError, match="name"):
            backup_file(path, own, nothing, force=True)


def test_a_damaged_file_is_not_backed_up_and_the_last_backup_stays(
    path: Path, tmp_path: Path
) -> None:
    target = tmp_path / "backup.jass"
    asyncio.run(fill(path.with_name("large"), 40, 20))
    path.with_name("large").replace(path)
    backup_file(path, target, nothing)
    before = target.read_bytes()
    content = bytearray(path.read_bytes())
    content[8 * 4096 : 40 * 4096] = b"\xaa" * (32 * 4096)
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"damaged|malformed"):
        backup_file(path, target, nothing, force=True)
    assert target.read_bytes() == before
    assert {one.name for one in tmp_path.iterdir()} == {"data", "backup.jass"}


def test_a_file_without_tables_is_neither_backed_up_nor_restored(tmp_path: Path) -> None:
    recipes, letter = tmp_path / "recipes", tmp_path / "letter"
    execute_raw(recipes, ["CREATE TABLE recipes (name TEXT)"])
    letter.write_text("This is no database, but a letter to a friend. " * 50)
    for source in (recipes, letter, tmp_path / "nowhere"):
        with pytest.raises(StoreError, match=source.name):
            backup_file(source, tmp_path / "new", nothing)
        with pytest.raises(StoreError, match=source.name):
            restore_file(source, tmp_path / "data" / "tables.sqlite3", nothing)
    assert not (tmp_path / "new").exists()
    assert not (tmp_path / "data" / "tables.sqlite3").exists()
    assert not (tmp_path / "nowhere").exists()


def test_a_file_of_a_newer_version_is_refused(path: Path, tmp_path: Path) -> None:
    execute_raw(path, ["PRAGMA user_version = 99"])
    with pytest.raises(StoreError, match=r"newer Jasstisch \(layout 99"):
        backup_file(path, tmp_path / "new", nothing)


def test_a_backup_can_be_restored_into_an_empty_folder(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "backup.jass"
    backup_file(path, target, nothing)
    new = tmp_path / "new" / "folder" / "tables.sqlite3"
    done = restore_file(target, new, nothing)
    assert (done.restored_contents.table_count, done.previous_files) == (3, [])
    assert stat.S_IMODE(new.stat().st_mode) == 0o600
    assert stat.S_IMODE(new.parent.stat().st_mode) == 0o700
    assert asyncio.run(logs(new)) == asyncio.run(logs(path))


async def test_restore_moves_existing_files_aside(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "backup.jass"
    await asyncio.to_thread(backup_file, path, target, nothing)
    # After a kill: what was played last stands only in the log beside the file.
    running = SqliteStore(path)
    await running.append("later", 0, [SeatLeft(0)])
    left = tmp_path / "left" / path.name
    left.parent.mkdir()
    for end in ("", "-wal"):
        shutil.copy(f"{path}{end}", f"{left}{end}")
    await running.close()
    with pytest.raises(StoreError, match="--force moves them aside"):
        restore_file(target, left, nothing)
    restore_file(target, left, nothing, force=True)
    assert sorted(await logs(left)) == ["table0", "table1", "table2"]
    assert len(restore_file(target, left, nothing, force=True).previous_files) == 1
    aside = sorted(one for one in left.parent.iterdir() if ".before-" in one.name)
    assert "later" in [*await logs(aside[0]), *await logs(aside[1])]


def test_restore_is_refused_while_a_server_runs(path: Path, tmp_path: Path) -> None:
    target = tmp_path / "backup.jass"
    backup_file(path, target, nothing)
    before = path.read_bytes()
    with FolderLock(path.parent, "a server"), pytest.raises(LockedError, match="a server"):
        restore_file(target, path, nothing, force=True)
    assert path.read_bytes() == before


KILLED = textwrap.dedent(
    """
    import sys, time
    from pathlib import Path
    from jasstisch.storage.sqlite import backup
    backup.PAGES_PER_STEP = 8
    source, target, what = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]

    def told(part):
        print("going", flush=True)
        time.sleep(0.002)

    print("begun", flush=True)
    getattr(backup, what)(source, target, told, force=True)
    print("done", flush=True)
    """
)


@pytest.mark.outside
@pytest.mark.parametrize("what", ["backup_file", "restore_file"])
@pytest.mark.parametrize("after", [1, 4, 30, 60])
def test_a_kill_at_any_moment_leaves_usable_files(
    path: Path, tmp_path: Path, what: str, after: int
) -> None:
    large = tmp_path / "large" / "tables.sqlite3"
    large.parent.mkdir()
    asyncio.run(fill(large, 60, 30))
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(large), str(path), what],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    for _ in range(after):
        process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert len(asyncio.run(logs(large))) == 60
    whole = {3, 60}
    assert len(asyncio.run(logs(path))) in whole
    # The next one goes through, and clears away what was left.
    getattr(module, what)(large, path, nothing, force=True)
    assert len(asyncio.run(logs(path))) == 60
    assert not [one for one in path.parent.iterdir() if ".part" in one.name]
    sizes = {len(asyncio.run(logs(one))) for one in path.parent.glob("*.before-*")}
    assert sizes <= whole


@pytest.mark.outside
def test_a_partial_file_of_a_running_process_is_left_alone(path: Path, tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=-1
    ) as other:
        part = tmp_path / f"backup.jass.{other.pid}.part"
        part.write_bytes(b"")
        backup_file(path, tmp_path / "backup.jass", nothing)
        assert part.exists()
        assert other.stdin is not None
        other.stdin.close()
        other.wait()
    backup_file(path, tmp_path / "backup.jass", nothing, force=True)
    assert not part.exists()
