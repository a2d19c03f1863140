"""A store of each kind, and how it is damaged."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from jasstisch.store import EventStore
from tests import postgres as running
from tests.postgres import Server
from tests.store.kinds import Kind, Postgres, Sqlite


def pytest_unconfigure() -> None:
    """Stops the Postgres of this process, if there was need for one."""
    running.end()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.sqlite3"


@pytest.fixture
def server() -> Server:
    """A Postgres, shared by all tests; whoever stops it starts it again."""
    return running.server()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.outside)])
def kind(request: pytest.FixtureRequest, path: Path) -> Kind:
    return Sqlite(path) if request.param == "sqlite" else Postgres(running.server())


@pytest_asyncio.fixture
async def store(kind: Kind) -> AsyncIterator[EventStore]:
    store = await kind.open()
    yield store
    await store.close()
