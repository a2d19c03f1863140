"""In virtual time there are no threads."""

import asyncio

import pytest

from tests.server.cluster.simulation import run_inline
from tests.support import postgres_server as running


@pytest.fixture
def no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asyncio, "to_thread", run_inline)


def pytest_unconfigure() -> None:
    """Stops the Postgres of this process, if there was need for one."""
    running.stop_server()
