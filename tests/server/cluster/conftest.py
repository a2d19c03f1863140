"""Cluster tests run in virtual time, so blocking work runs inline instead of in threads."""

import asyncio

import pytest

from tests.server.cluster.simulation import run_inline
from tests.support import postgres_server as running


@pytest.fixture
def no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asyncio, "to_thread", run_inline)


def pytest_unconfigure() -> None:
    """Stops the Postgres server of this process if a test started one."""
    running.stop_server()
