"""Request ids in responses and log lines."""

import io
import json
import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import LogCapture

from jasstisch.server.net.client_address import TrustedProxies
from jasstisch.server.net.origins import OriginPolicy
from jasstisch.server.observability.request_id import (
    _VALID_REQUEST_ID,
    CURRENT_REQUEST_ID,
    REQUEST_ID_HEADER,
    resolve_request_id,
)
from jasstisch.server.observability.structured_log import configure_logging, describe_exception, log
from jasstisch.storage import SqliteStore, StoreError
from jasstisch.table import AccessRules
from jasstisch.table.events import Event
from jasstisch.table.state import Progress
from tests.server.raw_socket import raw_connection
from tests.server.running_server import (
    TOKEN,
    rest_client,
    running_server,
    unwelcomed_websocket,
    websocket,
)
from tests.server.websocket_requests import new_table, request_error, send_and_read

ID = re.compile(r"[0-9a-f]{16}")


class FullDiskStore(SqliteStore):
    """A store whose disk is full on demand."""

    full = False

    async def append(
        self,
        table: str,
        after: int,
        events: Sequence[Event],
        finished: Progress | None = None,
        access: AccessRules | None = None,
    ) -> None:
        if self.full:
            raise StoreError("no space left for card:JC", "disk_full")
        await super().append(table, after, events, finished, access)


@pytest.fixture
def lines() -> Iterator[list[Any]]:
    """The log entries with their context."""
    before = structlog.get_config()
    configure_logging()
    added = structlog.get_config()["processors"]
    capture = LogCapture()
    structlog.configure(processors=[*added[:-1], capture], cache_logger_on_first_use=False)
    yield capture.entries
    structlog.configure(**before)


@pytest.mark.outside
async def test_every_response_has_a_unique_id(url: str) -> None:
    async with rest_client(url) as web:
        paths = ("/", "/api/games", "/api/none", "/health", "/t/x", "/api/tables/none")
        found = [(await web.get(path)).headers["x-request-id"] for path in paths]
        refused = await web.get("/", headers={"Host": "jass.example.org"})
        assert refused.status_code == 421
        found.append(refused.headers["x-request-id"])
    async with unwelcomed_websocket(url) as socket:
        assert socket.response is not None
        found.append(socket.response.headers["x-request-id"])
    async with raw_connection(url) as connection:
        await connection.send(b"nonsense\r\n\r\n")
        head = (await connection.read_head()).decode().lower()
        found.append(head.partition("x-request-id: ")[2].partition("\r\n")[0])
    assert all(ID.fullmatch(one) for one in found)
    assert len(set(found)) == len(found)


@pytest.mark.outside
async def test_request_ids_are_accepted_from_trusted_proxies_only(tmp_path: Path) -> None:
    given_ = {"X-Request-Id": "edge-7/4.a"}
    async with running_server(tmp_path) as url, rest_client(url) as web:
        assert (await web.get("/", headers=given_)).headers["x-request-id"] == "edge-7/4.a"
        for wrong in ("", "a b", "x" * 101, '{"event"}'):
            answer_ = await web.get("/", headers={"X-Request-Id": wrong})
            assert ID.fullmatch(answer_.headers["x-request-id"])
    front = OriginPolicy(proxies=TrustedProxies(["192.0.2.1"]))
    async with (
        running_server(tmp_path, front=front) as url,
        rest_client(url) as web,
    ):
        assert ID.fullmatch((await web.get("/", headers=given_)).headers["x-request-id"])


@given(st.lists(st.binary(max_size=120)), st.booleans())
def test_request_ids_cannot_inject_headers_or_log_lines(values: list[bytes], trusted: bool) -> None:
    found = resolve_request_id([(REQUEST_ID_HEADER, value) for value in values], trusted=trusted)
    assert _VALID_REQUEST_ID.fullmatch(found.encode())
    assert found.isprintable()
    assert " " not in found
    kept = trusted and values and _VALID_REQUEST_ID.fullmatch(values[-1])
    assert bool(kept) == (bool(values) and found.encode() == values[-1])


@pytest.mark.outside
async def test_log_lines_name_the_request_and_a_remedy(tmp_path: Path, lines: list[Any]) -> None:
    store = FullDiskStore(tmp_path / "tables.sqlite3")
    async with (
        running_server(tmp_path, store=store) as url,
        rest_client(url) as web,
    ):
        made = {"game": "molotov", "seats": ["me", "open", "open"], "name": "Anna"}
        store.full = True
        refused = await web.post("/api/tables", json=made)
        assert refused.status_code == 503
    (line,) = [one for one in lines if one["event"] == "store_failed"]
    assert line["request"] == refused.headers["x-request-id"]
    assert line["cause"] == "disk_full"
    assert line["help"].startswith("the disk is full")
    assert "JC" not in json.dumps(line)
    assert CURRENT_REQUEST_ID.get() == ""


@pytest.mark.outside
async def test_log_lines_about_a_move_name_its_connection(tmp_path: Path, lines: list[Any]) -> None:
    store = FullDiskStore(tmp_path / "tables.sqlite3")
    async with running_server(tmp_path, store=store) as url:
        table = await new_table(url)
        async with (
            websocket(url, X_Request_Id="mover") as mover,
            websocket(url, X_Request_Id="other") as other,
        ):
            for socket in (mover, other):
                await send_and_read(socket, type="watch", seq=1, table=table)
            store.full = True
            assert (await request_error(mover, type="start", seq=2, table=table)).code == "internal"
            store.full = False
            await send_and_read(mover, type="start", seq=3, table=table)
    (line,) = [one for one in lines if one["event"] == "table_failed"]
    assert (line["request"], line["cause"]) == ("mover", "disk_full")
    # What the table does by itself is nobody's request.
    assert all(one.get("request") != "other" for one in lines)
    assert TOKEN not in json.dumps(lines)


def test_background_failures_have_no_request_id() -> None:
    assert set(describe_exception(ValueError("card:JC"))) == {"error", "where"}


@pytest.fixture
def restore_logging() -> Iterator[None]:
    """Restores the logging configuration afterwards."""
    before, handlers = structlog.get_config(), list(logging.root.handlers)
    yield
    structlog.configure(**before)
    logging.root.handlers = handlers


@pytest.mark.usefixtures("restore_logging")
def test_the_log_format_and_level_are_configurable() -> None:
    said = io.StringIO()
    with redirect_stderr(said):
        configure_logging("json", "warning")
        structlog.configure(cache_logger_on_first_use=False)
        log.info("quiet")
        log.warning("loud", what="limit")
        configure_logging("text", "info")
        structlog.configure(cache_logger_on_first_use=False)
        log.info("plain", what="limit")
    first, second = said.getvalue().splitlines()
    assert (
        json.loads(first).items() >= {"event": "loud", "what": "limit", "level": "warning"}.items()
    )
    assert re.match(r"20\d\d-\S+Z \[info +\] plain +what=limit", second)
    assert "\x1b" not in second
