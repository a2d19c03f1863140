"""In virtual time there are no threads."""

import asyncio

import pytest

from tests import postgres as running
from tests.nodes.sites import run_inline


@pytest.fixture
def no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asyncio, "to_thread", run_inline)


def pytest_unconfigure() -> None:
    """Stops the Postgres of this process, if there was need for one."""
    running.stop_server()
