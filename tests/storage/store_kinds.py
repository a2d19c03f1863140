"""The kinds of stores, with raw access for tests."""

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from secrets import token_hex
from types import ModuleType
from typing import Any, Protocol

import pytest

from jasstisch.storage import EventStore, FailureCause, SqliteStore, vacuum
from jasstisch.storage.leases import Node
from jasstisch.storage.postgres import event_store as postgres_module
from jasstisch.storage.postgres.event_store import PostgresStore
from jasstisch.storage.sqlite import event_store
from jasstisch.table.events import EVENT_VERSION
from tests.support.postgres_server import PostgresServer

WITHOUT_ACCESS_RULES = (
    "DROP INDEX kept_without_access",
    "ALTER TABLE kept DROP COLUMN access",
    "ALTER TABLE kept DROP COLUMN access_sum",
)
"""The statements that undo the migration to a schema with access rules."""


def node(name: str = "tisch-1", *, joined: bool = False, events: int = EVENT_VERSION) -> Node:
    return Node(token_hex(16), name, joined, 1, events)


def execute_raw(path: Path, statements: Sequence[str]) -> None:
    """Runs statements on the file directly."""
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


class VacuumWatcher:
    """A `CommitObserver` with an event for vacuums, done or failed."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.vacuumed = asyncio.Event()
        self.failures: list[FailureCause | None] = []

    def on_committed(self, seconds: float, changes: int) -> None:
        """Not recorded."""

    def on_commit_failed(self, cause: FailureCause | None) -> None:
        """Not recorded."""

    def on_vacuumed(self, _: float) -> None:
        self._loop.call_soon_threadsafe(self.vacuumed.set)

    def on_vacuum_failed(self, cause: FailureCause | None) -> None:
        self.failures.append(cause)
        self._loop.call_soon_threadsafe(self.vacuumed.set)


async def wait_for_vacuum(store: EventStore, monkeypatch: pytest.MonkeyPatch) -> VacuumWatcher:
    """Waits for a vacuum of a store that has waited for a quiet moment until now."""
    watcher = VacuumWatcher()
    store.observe_commits(watcher)
    for name in ("QUIET_S", "MIN_INTERVAL_S", "RETRY_INTERVAL_S"):
        monkeypatch.setattr(vacuum, name, 0.001)
    # Any change ends the wait, and begins the next one.
    await store.identity_store.mark_erased("0" * 64, None)
    await watcher.vacuumed.wait()
    return watcher


class StoreKind(Protocol):
    """A kind of store, with one instance."""

    @property
    def module(self) -> ModuleType:
        """The module that implements it."""

    @property
    def blob_type(self) -> str:
        """The SQL type to which texts are cast for binary columns."""

    @property
    def to_layout_without_abandoned(self) -> Sequence[str]:
        """The statements that bring its schema back to where lost people were not recorded."""

    @property
    def to_layout_without_rewrites(self) -> Sequence[str]:
        """The statements that bring its schema back to where no log was rewritten."""

    async def open(self) -> EventStore:
        """Opens the store."""

    def execute(self, *statements: str) -> None:
        """Runs statements on the database directly."""

    def query_number(self, query: str) -> int:
        """The number that a query returns."""


class SqliteKind:
    """A store in a SQLite file."""

    module = event_store
    blob_type = "BLOB"
    to_layout_without_abandoned = (
        *WITHOUT_ACCESS_RULES,
        "DROP TABLE abandoned",
        "DROP TABLE unlisted",
        "PRAGMA user_version = 10",
    )
    to_layout_without_rewrites = (
        *WITHOUT_ACCESS_RULES,
        "DROP TABLE abandoned",
        "DROP TABLE unlisted",
        "ALTER TABLE kept DROP COLUMN rewrites",
        "DROP TABLE vacuum_due",
        "PRAGMA user_version = 8",
    )

    def __init__(self, path: Path) -> None:
        self.path = path

    async def open(self) -> SqliteStore:
        return SqliteStore(self.path)

    def execute(self, *statements: str) -> None:
        execute_raw(self.path, statements)

    def query_number(self, query: str) -> int:
        with closing(sqlite3.connect(self.path)) as connection:
            found: Any = connection.execute(query).fetchone()[0]
            return int(found)


class PostgresKind:
    """A store in a Postgres database with a single server."""

    module = postgres_module
    blob_type = "bytea"
    to_layout_without_abandoned = (
        *WITHOUT_ACCESS_RULES,
        "DROP TABLE abandoned, unlisted",
        "UPDATE layout SET version = 7",
    )
    to_layout_without_rewrites = (
        *WITHOUT_ACCESS_RULES,
        "DROP TABLE abandoned",
        "DROP TABLE unlisted",
        "ALTER TABLE kept DROP COLUMN rewrites",
        "DROP TABLE vacuum_due",
        "UPDATE layout SET version = 5",
    )

    def __init__(self, server: PostgresServer) -> None:
        self.server = server
        self.url = server.new_database()

    async def open(self) -> PostgresStore:
        store = PostgresStore(self.url)
        await store.join_cluster(node())
        return store

    def execute(self, *statements: str) -> None:
        self.server.execute("SET search_path = jasstisch", *statements, url=self.url)

    def query_number(self, query: str) -> int:
        return int(self.server.execute("SET search_path = jasstisch", query, url=self.url))
