"""A running server for each test that requests its URL."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from tests.server.running_server import running_server


@pytest_asyncio.fixture
async def url(tmp_path: Path) -> AsyncIterator[str]:
    async with running_server(tmp_path) as address:
        yield address
