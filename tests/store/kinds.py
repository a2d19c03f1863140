"""The kinds of stores, each with what a test does behind its back."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from secrets import token_hex
from types import ModuleType
from typing import Any, Protocol

from jasstisch.store import EventStore, SqliteStore, sqlite
from jasstisch.store import postgres as postgres_module
from jasstisch.store.leases import Node
from jasstisch.store.postgres import PostgresStore
from jasstisch.table.events import EVENTS
from tests.postgres import Server

__all__ = ["Kind", "Postgres", "Sqlite", "damage", "node"]


def node(name: str = "tisch-1", *, joined: bool = False, events: int = EVENTS) -> Node:
    return Node(token_hex(16), name, joined, 1, events)


def damage(path: Path, statements: Sequence[str]) -> None:
    """Does these statements behind the back of the store."""
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


class Kind(Protocol):
    """A kind of store, of which there is one here."""

    @property
    def module(self) -> ModuleType:
        """What it is made of."""

    @property
    def blob(self) -> str:
        """What a text is cast to where the store keeps bytes."""

    async def open(self) -> EventStore:
        """The store, open."""

    def do(self, *statements: str) -> None:
        """Does these statements behind its back."""

    def number(self, query: str) -> int:
        """The number that a query gives."""


class Sqlite:
    """A store in a file."""

    module = sqlite
    blob = "BLOB"

    def __init__(self, path: Path) -> None:
        self.path = path

    async def open(self) -> SqliteStore:
        return SqliteStore(self.path)

    def do(self, *statements: str) -> None:
        damage(self.path, statements)

    def number(self, query: str) -> int:
        with closing(sqlite3.connect(self.path)) as connection:
            found: Any = connection.execute(query).fetchone()[0]
            return int(found)


class Postgres:
    """A store in a database, with a server that is alone there."""

    module = postgres_module
    blob = "bytea"

    def __init__(self, server: Server) -> None:
        self.server = server
        self.url = server.fresh()

    async def open(self) -> PostgresStore:
        store = PostgresStore(self.url)
        await store.join(node())
        return store

    def do(self, *statements: str) -> None:
        self.server.do("SET search_path = jasstisch", *statements, url=self.url)

    def number(self, query: str) -> int:
        return int(self.server.do("SET search_path = jasstisch", query, url=self.url))
