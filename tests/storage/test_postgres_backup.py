"""Postgres backups: a snapshot beside running servers, restored into any store."""

import asyncio
import stat
from pathlib import Path

import pytest

from jasstisch.storage import FolderLock, ForgottenList, SqliteStore, StoreError, postgres_backup
from jasstisch.storage.postgres.event_store import PostgresStore
from jasstisch.storage.postgres_backup import backup_database, restore_database
from jasstisch.storage.sqlite.backup import backup_file, restore_file
from jasstisch.table.events import Event, SeatLeft, TableCreated
from tests.cli.screen_player import run_cli, scripted_answers
from tests.storage.store_kinds import PostgresKind, execute_raw
from tests.storage.test_migration import everything_in, fill, ignore_progress
from tests.support import postgres_server as running

pytestmark = pytest.mark.outside


@pytest.fixture
def kind() -> PostgresKind:
    return PostgresKind(running.postgres_server())


@pytest.fixture
def empty() -> PostgresKind:
    return PostgresKind(running.postgres_server())


def names(folder: Path) -> list[str]:
    return [one.name for one in folder.iterdir()]


async def test_a_backup_is_a_snapshot_beside_a_running_server(
    kind: PostgresKind, tmp_path: Path
) -> None:
    """Nothing written during the backup is in it, not even in part."""
    store = await kind.open()
    await fill(store)
    before = await everything_in(store)

    def meanwhile(what: str, _: int) -> None:
        if what == "Moving event":  # the other parts have not been read yet
            kind.execute(
                "DELETE FROM kept WHERE table_id = 'two'",
                "INSERT INTO deleted VALUES ('two')",
                "DELETE FROM named",
                "DELETE FROM credential",
                "DELETE FROM banned",
                "UPDATE kept SET finished = 'match'",
            )

    target = tmp_path / "backup.jass"
    done = await backup_database(kind.url, target, meanwhile)
    assert (done.table_count, done.event_count) == (2, 6)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert names(tmp_path) == ["backup.jass"]
    assert await store.count_tables() == 1
    await store.append("one", 3, [SeatLeft(1)])
    await store.close()
    restore_file(target, tmp_path / "data" / "tables.sqlite3", lambda _: None)
    back = SqliteStore(tmp_path / "data" / "tables.sqlite3")
    assert await everything_in(back) == before
    await back.close()


async def test_backups_of_either_kind_can_be_restored_into_an_empty_database(
    kind: PostgresKind, empty: PostgresKind, tmp_path: Path
) -> None:
    path = tmp_path / "tables.sqlite3"
    first = SqliteStore(path)
    await fill(first)
    before = await everything_in(first)
    await first.close()
    backup = tmp_path / "backup.jass"
    backup_file(path, backup, lambda _: None)
    content = backup.read_bytes()
    done, _ = await restore_database(backup, kind.url, ignore_progress)
    assert (done.table_count, done.event_count, done.credential_count) == (2, 6, 2)
    again = tmp_path / "again.jass"
    await backup_database(kind.url, again, ignore_progress)
    await restore_database(again, empty.url, ignore_progress)
    for database in (kind, empty):
        store = await database.open()
        assert await everything_in(store) == before
        await store.close()
    with pytest.raises(StoreError, match="not empty"):
        await restore_database(backup, kind.url, ignore_progress)
    assert backup.read_bytes() == content


async def test_restore_is_refused_while_a_server_runs_or_from_an_invalid_file(
    kind: PostgresKind, empty: PostgresKind, tmp_path: Path
) -> None:
    store = await kind.open()
    await fill(store)
    backup = tmp_path / "backup.jass"
    await backup_database(kind.url, backup, ignore_progress)
    await store.close()
    server = await empty.open()
    with pytest.raises(StoreError, match="stop the server tisch-1 first"):
        await restore_database(backup, empty.url, ignore_progress)
    await server.close()
    with pytest.raises(StoreError, match="there is no backup"):
        await restore_database(tmp_path / "none", empty.url, ignore_progress)
    execute_raw(backup, ["PRAGMA user_version = 3"])
    with pytest.raises(StoreError, match="restore it into a folder, and move that"):
        await restore_database(backup, empty.url, ignore_progress)
    execute_raw(backup, ["PRAGMA user_version = 99"])
    with pytest.raises(StoreError, match="newer Jasstisch"):
        await restore_database(backup, empty.url, ignore_progress)
    backup.write_bytes(backup.read_bytes()[:9000])
    with pytest.raises(StoreError, match=r"malformed|damaged"):
        await restore_database(backup, empty.url, ignore_progress)
    assert (
        running.postgres_server().execute("SELECT count(*) FROM jasstisch.kept", url=empty.url)
        == "0"
    )


async def test_an_interrupted_backup_keeps_the_previous_one_and_leaves_no_files(
    kind: PostgresKind, tmp_path: Path
) -> None:
    store = await kind.open()
    await fill(store)
    await store.close()
    target = tmp_path / "backup.jass"
    await backup_database(kind.url, target, ignore_progress)
    before = target.read_bytes()
    with pytest.raises(StoreError, match="--force replaces it"):
        await backup_database(kind.url, target, ignore_progress)

    def stop(what: str, _: int) -> None:
        if what.startswith("Comparing"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await backup_database(kind.url, target, stop, force=True)
    assert target.read_bytes() == before
    assert names(tmp_path) == ["backup.jass"]


async def test_reading_creates_no_schema_and_refuses_a_foreign_one(
    kind: PostgresKind, tmp_path: Path
) -> None:
    target = tmp_path / "backup.jass"
    looking = PostgresStore(kind.url, only_read=True)
    with pytest.raises(StoreError, match="no tables of Jasstisch"):
        await postgres_backup.backup_database(kind.url, target, ignore_progress)
    with pytest.raises(StoreError, match="no tables of Jasstisch"):
        await looking.count_tables()
    schemas = "SELECT count(*) FROM pg_namespace WHERE nspname = 'jasstisch'"
    assert running.postgres_server().execute(schemas, url=kind.url) == "0"
    await (await kind.open()).close()
    assert await looking.count_tables() == 0
    with pytest.raises(StoreError, match="read-only"):
        await looking.identity_store.begin_erasure("anna")
    await looking.close()
    kind.execute("UPDATE layout SET version = 1, oldest = 1")
    with pytest.raises(StoreError, match="start the server once"):
        await backup_database(kind.url, target, ignore_progress)
    assert names(tmp_path) == []


CREATED: list[Event] = [
    TableCreated("first-of-two", "molotov", {"players": 3}, [None] * 3, None, 0)
]


def test_folder_commands_accept_a_database_too(
    kind: PostgresKind, empty: PostgresKind, tmp_path: Path
) -> None:
    async def make() -> PostgresStore:
        store = await kind.open()
        await store.append("first-of-two", 0, CREATED)
        await store.append("second-of-two", 0, [SeatLeft(0)])
        return store

    with asyncio.Runner() as runner:
        store = runner.run(make())
        file = str(tmp_path / "backup.jass")
        status, printed, errors = run_cli(["check", "--store", kind.url], scripted_answers())
        assert (status, errors) == (1, "")
        assert printed.startswith("Postgres at ")
        assert "2 tables, 1 events in the undamaged ones" in printed
        assert "table second…: its log does not begin with its creation" in printed
        status, printed, errors = run_cli(["backup", file, "--store", kind.url], scripted_answers())
        assert (status, errors) == (0, "")
        assert printed.startswith(f"{file}: 2 tables, 2 events, ")
        runner.run(store.close())
    listed = tmp_path / "forgotten"
    ForgottenList(listed, 400, lambda: 1000.0).close()
    words = ["restore", file, "--store", empty.url, "--forgotten", str(listed)]
    status, printed, errors = run_cli(words, scripted_answers())
    assert (status, errors) == (0, "")
    assert "2 tables, 2 events, checked" in printed
    assert f"forgotten again, by the list in {listed}: 0 people" in printed
    status, printed, errors = run_cli(
        ["restore", file, "--force", "--store", empty.url], scripted_answers()
    )
    assert (status, printed) == (2, "")
    assert "name an empty database" in errors
    nowhere = "postgresql://anna:geheim@127.0.0.1:9/jass"
    for words in (["check"], ["backup", f"{file}.new"], ["restore", file]):
        status, printed, errors = run_cli([*words, "--store", nowhere], scripted_answers())
        assert (status, printed, errors.count("\n")) == (1, "", 1)
        assert "Postgres at 127.0.0.1:9/jass" in errors
        assert "geheim" not in errors


async def test_messages_about_damaged_tables_in_a_database_shorten_their_ids(
    kind: PostgresKind,
) -> None:
    store = await kind.open()
    await store.append("first-of-two", 0, CREATED)
    kind.execute("UPDATE event SET sum = NULL, body = '{}'")
    status, printed, _ = await asyncio.to_thread(
        run_cli, ["check", "--store", kind.url], scripted_answers()
    )
    await store.close()
    assert status == 1
    assert "table first-… cannot be read: an event cannot be decoded" in printed
    assert "first-of-two" not in printed


def test_a_move_refuses_a_locked_folder(tmp_path: Path) -> None:
    async def make() -> None:
        store = SqliteStore(tmp_path / "here" / "tables.sqlite3")
        await fill(store)
        await store.close()

    (tmp_path / "here").mkdir()
    asyncio.run(make())
    words = ["move", str(tmp_path / "here"), str(tmp_path / "there")]
    for folder in ("here", "there"):
        (tmp_path / folder).mkdir(exist_ok=True)
        with FolderLock(tmp_path / folder, "a server"):
            status, printed, errors = run_cli(words, scripted_answers())
        assert (status, printed) == (1, "")
        assert "in use by a server (process " in errors
    beside = ["move", f"sqlite:{tmp_path}/here", f"sqlite:{tmp_path}/here/other.sqlite3"]
    for one in (words, beside):
        assert run_cli(one, scripted_answers())[0] == 0
