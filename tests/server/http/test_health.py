"""Health, readiness and metrics endpoints for monitoring."""

import asyncio
import contextlib
import re
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
from prometheus_client.parser import text_string_to_metric_families

from jasstisch.bots import bot
from jasstisch.client import Client
from jasstisch.server.api.auth_names import COOKIE_NAME
from jasstisch.server.context import ServerContext
from jasstisch.server.http.app import App
from jasstisch.server.http.health import _STORE_TIMEOUT_S
from jasstisch.server.http.prometheus import CONTENT_TYPE
from jasstisch.server.limits.server_limits import Limits
from jasstisch.server.main import create_app
from jasstisch.server.net.origins import Origin, OriginPolicy
from jasstisch.server.observability.event_loop_lag import EventLoopLag
from jasstisch.server.observability.metrics import Histogram
from jasstisch.storage import REMEDIES, SqliteStore, StoreError
from jasstisch.table.events import Event
from tests.server.running_server import TOKEN, register_tokens, rest_client, running_app, websocket
from tests.server.websocket_requests import SEATS, request_error, send_and_read

pytestmark = pytest.mark.outside


class FaultyStore(SqliteStore):
    """A store that hangs or fails to read on demand."""

    silent = False
    fault: StoreError | None = None

    async def load(self, table: str) -> list[Event]:
        if self.silent:
            await asyncio.Event().wait()
        if self.fault is not None:
            raise self.fault
        return await super().load(table)


@pytest.fixture
def store(tmp_path: Path) -> FaultyStore:
    return FaultyStore(tmp_path / "tables.sqlite3")


@contextlib.asynccontextmanager
async def monitored_server(
    store: FaultyStore,
    front: OriginPolicy | None = None,
    watched_at: tuple[str, int] | None = None,
) -> AsyncIterator[tuple[App, httpx2.AsyncClient]]:
    """A server and an HTTP client on the same machine that monitors it."""
    await register_tokens(store)
    app = create_app(
        ServerContext(store, Limits(commitment_wait_s=0)),
        Path("no-client"),
        front,
        monitoring_address=watched_at,
    )
    async with running_app(app) as url, rest_client(url) as web:
        yield app, web


def parse_metrics(text: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Metric values by name and labels."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def test_health_is_ok_as_soon_as_the_server_responds(store: FaultyStore) -> None:
    async with monitored_server(store) as (_, web):
        health = await web.get("/health")
        assert (health.status_code, health.json()) == (200, {"status": "ok", "reasons": []})
        assert health.headers["cache-control"] == "no-store"
        assert (await web.head("/health")).content == b""
        assert (await web.post("/health")).status_code == 405


async def test_ready_once_the_bots_are_registered(store: FaultyStore) -> None:
    async with monitored_server(store) as (_, web):
        early = await web.get("/ready")
        assert early.status_code == 503
        reasons = ["it is not known yet which computer players there are"]
        assert early.json() == {"status": "not_ready", "reasons": reasons}
        await web.get("/api/games")
        ready = await web.get("/ready")
        assert (ready.status_code, ready.json()) == (200, {"status": "ok", "reasons": []})


async def test_a_stopping_server_is_alive_but_not_ready(store: FaultyStore) -> None:
    async with monitored_server(store) as (app, web):
        await web.get("/api/games")
        app.health.stopping = True
        ready = await web.get("/ready")
        assert (ready.status_code, ready.json()["reasons"]) == (503, ["the server is stopping"])
        assert (await web.get("/health")).status_code == 200


async def test_an_unreadable_store_is_reported_with_a_remedy(store: FaultyStore) -> None:
    async with monitored_server(store) as (_, web):
        await web.get("/api/games")
        store.fault = StoreError("disk I/O error near card:JC", "disk_full")
        ready = await web.get("/ready")
        assert ready.status_code == 503
        (reason,) = ready.json()["reasons"]
        assert reason.startswith("the store cannot be read: the disk is full")
        assert "JC" not in reason


async def test_a_hanging_store_is_not_ready_and_is_probed_once(
    store: FaultyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jasstisch.server.http.health._STORE_TIMEOUT_S", 0.05)
    asked: list[str] = []
    load = store.load

    async def counting(table: str) -> list[Event]:
        asked.append(table)
        return await load(table)

    monkeypatch.setattr(store, "load", counting)
    async with monitored_server(store) as (_, web):
        await web.get("/api/games")
        store.silent = True
        answers = await asyncio.gather(*(web.get("/ready") for _ in range(5)))
        assert {one.status_code for one in answers} == {503}
        assert answers[0].json()["reasons"] == ["the store has not answered for 0.05 s"]
        assert len(asked) == 1
    assert _STORE_TIMEOUT_S <= 5.0, "a watcher that asks gives up sooner"


async def test_metrics_count_what_happened(store: FaultyStore) -> None:
    async with monitored_server(store) as (_, web):
        url = str(web.base_url).rstrip("/")
        made = {"game": "molotov", "seats": SEATS, "name": "Anna"}
        cookie = {"Cookie": f"{COOKIE_NAME}={TOKEN}"}
        table = (await web.post("/api/tables", json=made, headers=cookie)).json()["table"]
        async with websocket(url) as one:
            await send_and_read(one, type="watch", seq=1, table=table)
            await send_and_read(one, type="start", seq=2, table=table)
            await request_error(one, type="start", seq=3, table=table)
            await one.send("nonsense")
            await one.recv()
            told = await web.get("/metrics")
            found = parse_metrics(told.text)
        await web.get("/api/tables/none")
        after = parse_metrics((await web.get("/metrics")).text)
    assert told.headers["content-type"] == CONTENT_TYPE
    assert found["jasstisch_websockets", ()] == 1
    assert found["jasstisch_people", ()] == 1
    assert found["jasstisch_tables_in_memory", ()] == found["jasstisch_tables_stored", ()] == 1
    assert found["jasstisch_messages_total", (("type", "start"),)] == 2
    assert found["jasstisch_messages_total", (("type", "watch"),)] == 1
    assert found["jasstisch_refusals_total", (("code", "bad_message"),)] == 1
    assert found["jasstisch_refusals_total", (("code", "wrong_phase"),)] == 1
    assert found["jasstisch_requests_total", (("kind", "websocket"),)] == 1
    assert found["jasstisch_commit_seconds_count", ()] >= 2
    assert found["jasstisch_commit_changes_sum", ()] >= found["jasstisch_commit_changes_count", ()]
    assert found["process_resident_memory_bytes", ()] > 10**6
    assert after["jasstisch_refusals_total", (("code", "unknown_table"),)] == 1
    text = told.text
    assert table[:6] not in text
    assert TOKEN not in text


async def test_move_metrics_match_the_record_by_people_and_bots(store: FaultyStore) -> None:
    async with monitored_server(store) as (_, web), Client(str(web.base_url).rstrip("/")) as anna:
        seats = ["me", "bot:random", "bot:random"]
        made = await anna.create_table(
            "molotov", seats, name="Anna", options={"target": 1}, start=True, pause=0
        )
        table = await anna.watch(made.table)
        await table.play(bot("random"))
        await table.until(lambda one: one.phase == "over")
        played = [one for one in (await anna.record(made.table))["log"] if one[0] != "pack"]
        found = parse_metrics((await web.get("/metrics")).text)
    assert found["jasstisch_moves_total", ()] == len(played) > 0
    assert found["jasstisch_thought_wait_seconds_count", ()] > 0


LABELS = {"version", "protocol", "python", "kind", "type", "code", "cause", "event", "what", "le"}


async def test_labels_contain_no_text_from_callers(store: FaultyStore) -> None:
    async with monitored_server(store) as (_, web):
        url = str(web.base_url).rstrip("/")
        for path in ("/zebra", "/api/zebra", "/api/words/zebra", "/api/tables/zebra"):
            await web.get(path, headers={"X-Zebra": "zebra", "User-Agent": "zebra"})
        await web.get("/", headers={"Host": "zebra.example.org"})
        await web.request("ZEBRA", "/api/games")
        async with websocket(url) as one:
            for text in ('{"type": "zebra", "seq": 1}', '{"type": "watch", "table": "zebra"}'):
                await one.send(text)
                await one.recv()
        told = (await web.get("/metrics")).text
    assert "zebra" not in told.lower()
    for _, labels in parse_metrics(told):
        for name, value in labels:
            assert name in LABELS
            assert name in ("version", "python", "le") or re.fullmatch(r"[a-z0-9_]+", value)


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Forwarded-For": "192.0.2.7"},
        {"X-Forwarded-For": "127.0.0.1"},
        {"X-Forwarded-Proto": "https"},
        {"X-Real-IP": "192.0.2.7"},
        {"Forwarded": "for=192.0.2.7"},
        {"Via": "1.1 proxy"},
        {"Host": "jass.example.org"},
        {"Host": "jass"},
    ],
)
async def test_metrics_are_refused_through_a_proxy(
    store: FaultyStore, headers: dict[str, str]
) -> None:
    front = OriginPolicy(Origin.parse("https://jass.example.org"), listen_host="jass")
    async with monitored_server(store, front) as (_, web):
        assert (await web.get("/metrics", headers=headers)).status_code == 404
        assert (await web.get("/health", headers=headers)).status_code == 200
        for host in ("localhost", "localhost:8000", "127.0.0.1:8000", "[::1]", "[::1]:8000"):
            assert (await web.get("/metrics", headers={"Host": host})).status_code == 200, host


async def test_with_a_metrics_address_metrics_are_served_there_only(
    store: FaultyStore,
) -> None:
    async with monitored_server(store, watched_at=("127.0.0.1", 1)) as (_, web):
        assert (await web.get("/metrics")).status_code == 404
        assert (await web.get("/ready")).status_code == 503
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    store = FaultyStore(store._path)
    app = create_app(ServerContext(store), Path("no-client"), monitoring_address=("0.0.0.0", port))
    async with running_app(app, port=port) as url, rest_client(url) as web:
        for headers in ({}, {"Host": "metrics.namespace.svc", "X-Forwarded-For": "192.0.2.7"}):
            assert (await web.get("/metrics", headers=headers)).status_code == 200
            assert (await web.get("/health", headers=headers)).status_code == 200
            for path in ("/", "/api/games", "/t/x", "/ws"):
                assert (await web.get(path, headers=headers)).status_code == 404
        with pytest.raises(Exception, match="404"):
            async with websocket(url):
                pass


HOSTING = (Path(__file__).parents[3] / "docs" / "hosting.md").read_text(encoding="utf-8")


async def test_the_operator_docs_list_every_metric_and_no_other(store: FaultyStore) -> None:
    async with monitored_server(store) as (_, web):
        told = (await web.get("/metrics")).text
    kept = {
        one.removeprefix("jasstisch_")
        for one in re.findall(r"^# TYPE (jasstisch_\w+)", told, re.MULTILINE)
    }
    section = HOSTING.split("## What to watch")[1]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    explained = {name for row in rows for name in re.findall(r"`([a-z_]+)`", row)}
    labels = {"cause", "kind", "type", "code", "event", "what"}
    assert {one for one in kept if not one.endswith("_limit")} == explained - labels
    for name in re.findall(r"jasstisch_(\w+?)(?:_bucket)?[\[{ ]", section):
        assert name in kept, name


def test_the_operator_docs_list_every_failure_cause() -> None:
    explained = HOSTING.split("| `cause` |")[1].split("`request` is")[0]
    assert set(re.findall(r"`(\w+)`", explained)) == set(REMEDIES)


def test_a_histogram_counts_each_value_once() -> None:
    histogram = Histogram((1.0, 2.0))
    for value in (0.5, 1.0, 1.5, 2.0, 9.0):
        histogram.observe(value)
    assert (histogram.counts, histogram.total) == ([2, 2, 1], 14.0)


class ManualClockLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock the test sets."""

    now = 0.0

    def time(self) -> float:
        return self.now


def test_loop_lag_is_how_late_a_timer_fires() -> None:
    found = Histogram((0.01, 0.1, 1.0))
    loop = ManualClockLoop()

    async def measure() -> None:
        lag = EventLoopLag(found, every=1.0)
        lag.start()
        for late in (0.0, 0.05, 5.0):
            loop.now += 1.0 + late
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        lag.stop()

    loop.run_until_complete(measure())
    loop.close()
    assert found.counts == [1, 1, 0, 1]
    assert found.total == pytest.approx(5.05)
