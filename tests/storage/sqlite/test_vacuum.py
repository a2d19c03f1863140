"""The vacuum of a file: when it runs, to whom it gives way, and what is left after it."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from jasstisch.storage import SqliteStore, StoreError, vacuum
from jasstisch.storage.sqlite import queries
from jasstisch.storage.sqlite import vacuum as module
from jasstisch.storage.sqlite.backup import backup_file
from jasstisch.storage.sqlite.vacuum import SqliteVacuum
from tests.storage.store_kinds import wait_for_vacuum

ANNA = "a" * 64
NAMES = [b"name%06d-" % number for number in range(300)]


def store_and_overwrite_names(path: Path) -> None:
    """Stores names and overwrites all of them, so that SQLite leaves a few of them behind."""
    seeded = Random(5)
    with closing(queries.connect(path)) as connection:
        connection.execute("BEGIN")
        for number, name in enumerate(NAMES):
            body = name + b"x" * seeded.choice([10, 100, 300, 1500])
            row = ("t", number, 0.5, body, 1)
            connection.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?)", row)
        replace = "UPDATE event SET body = ? WHERE version = ?"
        for number in seeded.sample(range(len(NAMES)), 150):
            body = b"y" * seeded.choice([10, 100, 300, 1500])
            connection.execute(replace, (body, number))
        for number in range(len(NAMES)):
            connection.execute(replace, (b"N. N." * 3, number))
        connection.execute("INSERT INTO kept (table_id, touched) VALUES ('t', 0)")
        connection.execute("COMMIT")


def names_in_files(folder: Path) -> set[bytes]:
    data = b"".join(one.read_bytes() for one in folder.iterdir())
    return {name for name in NAMES if name in data}


def is_due(path: Path) -> bool:
    with closing(sqlite3.connect(path)) as connection:
        return bool(connection.execute("SELECT count(*) FROM vacuum_due").fetchone()[0])


@pytest.fixture(autouse=True)
def no_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """No moment is quiet until a test says so."""
    monkeypatch.setattr(vacuum, "QUIET_S", 1000)
    # A vacuum of a small file executes few instructions.
    monkeypatch.setattr(module, "_INSTRUCTIONS_BETWEEN_CHECKS", 10)


async def forget(path: Path) -> None:
    """Leaves a file in which somebody was forgotten, and which nobody has vacuumed."""
    await SqliteStore(path).close()
    store_and_overwrite_names(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(vacuum.MARK_DUE)
        connection.commit()


async def test_names_that_were_overwritten_are_in_no_file_after_a_vacuum(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await forget(path)
    assert names_in_files(path.parent), "SQLite leaves nothing behind; is a vacuum still needed?"
    store = SqliteStore(path)
    watcher = await wait_for_vacuum(store, monkeypatch)
    assert not watcher.failures
    assert not names_in_files(path.parent)
    assert not is_due(path)
    await store.close()


async def test_a_small_file_is_vacuumed_when_the_store_is_closed_and_a_large_one_is_not(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await forget(path)
    with monkeypatch.context() as patched:
        patched.setattr(module, "MAX_BYTES_AT_CLOSE", 10_000)
        await SqliteStore(path).close()
    assert is_due(path)
    await SqliteStore(path).close()
    assert not is_due(path)
    assert not names_in_files(path.parent)


@pytest.mark.parametrize("table", [None, "t"])
async def test_each_step_of_forgetting_somebody_makes_a_vacuum_due(
    path: Path, table: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_BYTES_AT_CLOSE", 0)
    store = SqliteStore(path)
    assert not is_due(path)
    await store.identity_store.begin_erasure(ANNA)
    assert is_due(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM vacuum_due")
        connection.commit()
    await store.identity_store.mark_erased(ANNA, table)
    assert is_due(path)
    await store.close()


@pytest.fixture
async def due(path: Path, monkeypatch: pytest.MonkeyPatch) -> sqlite3.Connection:
    await forget(path)
    monkeypatch.setattr(vacuum, "QUIET_S", 1.0)
    connection = queries.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    return connection


def test_a_vacuum_gives_way_to_a_change_until_it_is_a_day_late(
    path: Path, due: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "monotonic", lambda: 1000.0)
    job = SqliteVacuum(path, due, is_awaited=lambda: True)
    assert job.run() is None
    assert is_due(path)
    assert job.seconds_until_due() == vacuum.RETRY_INTERVAL_S
    due.execute("UPDATE vacuum_due SET since = since - ?", (vacuum.PATIENCE_S + 1,))
    assert job.run() is not None
    assert not is_due(path)


def test_a_file_is_vacuumed_at_most_once_an_hour(
    path: Path, due: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "monotonic", lambda: 1000.0)
    job = SqliteVacuum(path, due, is_awaited=lambda: False)
    assert job.seconds_until_due() == vacuum.QUIET_S
    assert job.run() is not None
    assert job.seconds_until_due() is None
    due.execute(vacuum.MARK_DUE)
    assert job.seconds_until_due() == vacuum.MIN_INTERVAL_S


def test_a_vacuum_waits_for_the_end_of_a_backup(path: Path, due: sqlite3.Connection) -> None:
    due.execute("INSERT INTO deleted VALUES ('x')")  # so that there is a log to be read
    job = SqliteVacuum(path, due, is_awaited=lambda: False)
    with closing(queries.connect(path, only_read=True)) as backup:
        backup.execute("BEGIN")
        backup.execute("SELECT count(*) FROM event").fetchone()
        statements: list[str] = []
        due.set_trace_callback(statements.append)
        assert job.run() is None
        assert "VACUUM" not in statements  # which would only make the log as large as the file
        assert is_due(path)
    assert job.run() is not None
    assert not is_due(path)


async def test_what_a_failed_deletion_has_left_goes_first(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await forget(path)
    store = SqliteStore(path)
    delete_batch = store._delete_batch
    tries: list[bool] = []

    def fail_at_first() -> bool:
        tries.append(True)
        return delete_batch() if len(tries) > 2 else False

    monkeypatch.setattr(store, "_delete_batch", fail_at_first)
    await store.delete("t")
    await wait_for_vacuum(store, monkeypatch)
    await store.close()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM event").fetchone() == (0,)


async def test_a_full_disk_is_reported_and_the_vacuum_stays_due(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await forget(path)

    def fail(_: sqlite3.Connection) -> bool:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    monkeypatch.setattr(module, "vacuum", fail)
    store = SqliteStore(path)
    watcher = await wait_for_vacuum(store, monkeypatch)
    assert set(watcher.failures) == {"disk_full"}
    assert is_due(path)
    await store.close()


async def test_a_backup_holds_nothing_that_was_deleted(path: Path, tmp_path: Path) -> None:
    await forget(path)
    folder = tmp_path / "backup"
    folder.mkdir()
    backup_file(path, folder / "copy.sqlite3", lambda _: None)
    assert not names_in_files(folder)
    assert not is_due(folder / "copy.sqlite3")


def build_of_sqlite(pragma: str) -> Callable[..., sqlite3.Connection]:
    """SQLite as built with another default for `secure_delete`, or without it."""

    class Built(sqlite3.Connection):
        def __init__(self, *arguments: Any, **more: Any) -> None:
            super().__init__(*arguments, **more)
            super().execute(pragma)

        def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
            is_unknown = pragma.startswith("SELECT") and "secure_delete" in sql
            return super().execute("PRAGMA no_such" if is_unknown else sql, *values)

    connect = sqlite3.connect

    def connect_built(*arguments: Any, **more: Any) -> sqlite3.Connection:
        return connect(*arguments, factory=Built, **more)

    return connect_built


@pytest.mark.parametrize("default", ["OFF", "FAST", "ON"])
async def test_every_writing_connection_overwrites_what_it_deletes(
    path: Path, default: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = build_of_sqlite(f"PRAGMA secure_delete = {default}")
    monkeypatch.setattr(sqlite3, "connect", built)
    store = SqliteStore(path)
    assert store._connection.execute("PRAGMA secure_delete").fetchone() == (1,)
    await store.close()


async def test_sqlite_built_without_secure_delete_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite3, "connect", build_of_sqlite("SELECT 1"))
    with pytest.raises(StoreError, match="cannot overwrite what it deletes"):
        SqliteStore(path)
