"""Failure causes: stable codes, found without parsing messages."""

import errno
import socket
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import pytest

from jasstisch.storage import REMEDIES, FailureCause, SqliteStore, StoreError, classify_failure
from jasstisch.table import events
from jasstisch.table.events import Event


class SqlError(Exception):
    """An error as raised by a database driver."""

    def __init__(self, state: str) -> None:
        super().__init__(f"password=geheim {state}")
        self.sqlstate = state


def table(name: str = "t") -> list[Event]:
    """The events of a new table."""
    created = events.TableCreated(
        table=name, game="molotov", options={}, seats=[None] * 4, thinking_time=None, pause=0
    )
    return [created]


class Watcher:
    """Records its calls."""

    def __init__(self) -> None:
        self.commits: list[tuple[float, int]] = []
        self.failures: list[FailureCause | None] = []

    def on_committed(self, seconds: float, changes: int) -> None:
        self.commits.append((seconds, changes))

    def on_commit_failed(self, cause: FailureCause | None) -> None:
        self.failures.append(cause)

    def on_vacuumed(self, seconds: float) -> None:
        """Not recorded."""

    def on_vacuum_failed(self, cause: FailureCause | None) -> None:
        self.failures.append(cause)


def test_every_cause_has_advice() -> None:
    assert set(REMEDIES) == set(get_args(FailureCause))


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (OSError(errno.ENOSPC, "x"), "disk_full"),
        (OSError(errno.EROFS, "x"), "read_only"),
        (PermissionError(errno.EACCES, "x"), "no_permission"),
        (ConnectionRefusedError(errno.ECONNREFUSED, "x"), "connection_refused"),
        (ConnectionResetError(), "connection_lost"),
        (OSError(errno.EMFILE, "x"), "no_descriptors"),
        (socket.gaierror(socket.EAI_NONAME, "x"), "no_such_host"),
        (TimeoutError(), "too_late"),
        (SqlError("53100"), "disk_full"),
        (SqlError("28P01"), "not_let_in"),
        (SqlError("57P03"), "not_ready"),
        (SqlError("08006"), "connection_lost"),
        (SqlError("23505"), None),
        (ValueError("disk is full"), None),
        (StoreError("x", "locked"), "locked"),
    ],
)
def test_a_cause_is_found_by_error_number(error: Exception, cause: FailureCause | None) -> None:
    assert classify_failure(error) == cause


def test_a_cause_is_found_in_the_chain_of_exceptions() -> None:
    def fail() -> None:
        try:
            raise OSError(errno.ENOSPC, "x")
        except OSError as error:
            raise StoreError("the table cannot be stored") from error

    with pytest.raises(StoreError) as caught:
        fail()
    assert caught.value.cause == "disk_full"
    assert classify_failure(RuntimeError()) is None


def test_a_cyclic_exception_chain_terminates() -> None:
    one, other = ValueError(), ValueError()
    one.__cause__, other.__cause__ = other, one
    assert classify_failure(one) is None


def test_a_file_of_another_kind_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "t.sqlite3").write_bytes(b"no database at all" * 100)
    with pytest.raises(StoreError) as caught:
        SqliteStore(tmp_path / "t.sqlite3")
    assert caught.value.cause == "damaged"


def test_a_missing_folder_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as caught:
        SqliteStore(tmp_path / "none" / "t.sqlite3")
    assert caught.value.cause == "not_found"


def test_an_unwritable_file_is_read_only(tmp_path: Path) -> None:
    (tmp_path / "t.sqlite3").touch()
    uri = f"{(tmp_path / 't.sqlite3').as_uri()}?mode=ro"
    with (
        closing(sqlite3.connect(uri, uri=True)) as connection,
        pytest.raises(sqlite3.Error) as caught,
    ):
        connection.execute("CREATE TABLE t (x)")
    assert classify_failure(caught.value) == "read_only"


async def test_a_commit_is_reported_with_its_number_of_changes(tmp_path: Path) -> None:
    store, watcher = SqliteStore(tmp_path / "t.sqlite3"), Watcher()
    store.observe_commits(watcher)
    await store.append("t", 0, table())
    await store.append("u", 0, table("u"))
    await store.close()
    assert sum(changes for _, changes in watcher.commits) == 2
    assert all(seconds > 0 for seconds, _ in watcher.commits)
    assert watcher.failures == []


async def test_a_full_disk_is_recognised_and_the_store_continues(tmp_path: Path) -> None:
    store, watcher = SqliteStore(tmp_path / "t.sqlite3"), Watcher()
    store.observe_commits(watcher)
    await store.append("t", 0, table())
    writing: Any = store._connection
    pages = writing.execute("PRAGMA page_count").fetchone()[0]
    writing.execute(f"PRAGMA max_page_count = {pages}")
    large = [*table("u"), *(events.SeatLeft(seat=0) for _ in range(2_000))]
    with pytest.raises(StoreError) as caught:
        await store.append("u", 0, large)
    assert caught.value.cause == "disk_full"
    assert watcher.failures == ["disk_full"]
    writing.execute("PRAGMA max_page_count = 100000")
    await store.append("u", 0, large)
    assert len(await store.load("u")) == len(large)
    await store.close()


async def test_a_locked_database_is_recognised(tmp_path: Path) -> None:
    store, watcher = SqliteStore(tmp_path / "t.sqlite3"), Watcher()
    store.observe_commits(watcher)
    store._connection.execute("PRAGMA busy_timeout = 10")
    with closing(sqlite3.connect(tmp_path / "t.sqlite3", isolation_level=None)) as shell:
        shell.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError) as caught:
            await store.append("t", 0, table())
        shell.execute("ROLLBACK")
    assert (caught.value.cause, watcher.failures) == ("locked", ["locked"])
    await store.append("t", 0, table())
    await store.close()


async def test_an_undecodable_event_is_damage(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "t.sqlite3")
    await store.append("t", 0, table())
    with closing(sqlite3.connect(tmp_path / "t.sqlite3")) as shell, shell:
        shell.execute("UPDATE event SET body = X'00'")
    with pytest.raises(StoreError) as caught:
        await store.load("t")
    assert caught.value.cause == "damaged"
    await store.close()
