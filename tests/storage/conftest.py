"""A store of each kind, and ways to damage it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from jasstisch.storage import EventStore
from tests.storage.store_kinds import PostgresKind, SqliteKind, StoreKind
from tests.support import postgres_server as running
from tests.support.postgres_server import PostgresServer


def pytest_unconfigure() -> None:
    """Stops the Postgres server of this process if a test started one."""
    running.stop_server()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.sqlite3"


@pytest.fixture
def server() -> PostgresServer:
    """A Postgres server shared by all tests; a test that stops it starts it again."""
    return running.postgres_server()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.outside)])
def kind(request: pytest.FixtureRequest, path: Path) -> StoreKind:
    return (
        SqliteKind(path) if request.param == "sqlite" else PostgresKind(running.postgres_server())
    )


@pytest_asyncio.fixture
async def store(kind: StoreKind) -> AsyncIterator[EventStore]:
    store = await kind.open()
    yield store
    await store.close()
