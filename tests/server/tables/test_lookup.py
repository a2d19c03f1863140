"""Rate limits of table lookups: guessing ids is slow and causes little store load."""

import asyncio
import gc
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from jasstisch.server.api import messages
from jasstisch.server.limits.server_limits import Limits
from jasstisch.server.limits.token_bucket import KeyedBuckets, TokenBucket
from jasstisch.storage import SqliteStore
from jasstisch.table import AccessRules
from jasstisch.table.events import Event
from tests.server.limits.test_quotas import make_registry
from tests.server.running_server import rest_client, running_server, websocket
from tests.server.websocket_requests import new_table, request_error, send_and_read

FEW = Limits(unknown_tables_per_minute=3)


class CountingStore(SqliteStore):
    """A store that counts its reads.

    Attributes:
        asked: how often it was asked for access rules.
        loaded: how often it was asked for a log.
    """

    asked = loaded = 0

    async def access_rules(self, table: str) -> AccessRules | None:
        self.asked += 1
        return await super().access_rules(table)

    async def load(self, table: str) -> list[Event]:
        self.loaded += 1
        return await super().load(table)


@pytest.mark.outside
async def test_guesses_over_rest_and_websocket_share_one_limit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = CountingStore(tmp_path / "tables.sqlite3")
    async with (
        running_server(tmp_path, limits=FEW, store=store) as url,
        rest_client(url) as web,
        websocket(url) as socket,
    ):
        table = await new_table(url)
        codes = [(await web.get(f"/api/tables/{number:022}")).json()["code"] for number in range(2)]
        for number in range(2, 6):
            got = await request_error(socket, type="watch", seq=1, table=f"{number:022}")
            codes.append(got.code)
        refused = await web.get("/api/tables/" + "x" * 22 + "/record")
        assert (refused.status_code, refused.json()["code"]) == (429, "too_fast")
        assert codes == ["unknown_table"] * 3 + ["too_fast"] * 3
        assert (store.asked, store.loaded) == (3, 0)
        # Who plays already notices nothing.
        assert (await web.get(f"/api/tables/{table}")).status_code == 200
        assert isinstance(
            (await send_and_read(socket, type="watch", seq=2, table=table))[0], messages.Ack
        )
    assert "unknown_tables_per_minute" in capsys.readouterr().out


@pytest.mark.outside
async def test_tables_loaded_over_rest_and_websocket_count_for_the_address(
    tmp_path: Path,
) -> None:
    async with running_server(tmp_path) as url:
        tables = [await new_table(url) for _ in range(3)]
    limits = Limits(running_per_address=2)
    async with (
        running_server(tmp_path, limits=limits) as url,
        rest_client(url) as web,
        websocket(url) as first,
        websocket(url) as second,
    ):
        assert isinstance(
            (await send_and_read(first, type="watch", seq=1, table=tables[0]))[0], messages.Ack
        )
        assert (await web.get(f"/api/tables/{tables[1]}")).status_code == 200
        # The one that nobody follows makes room.
        assert isinstance(
            (await send_and_read(first, type="watch", seq=2, table=tables[2]))[0], messages.Ack
        )
        refused = await web.get(f"/api/tables/{tables[1]}")
        assert (refused.status_code, refused.json()["code"]) == (503, "busy")
        got = await request_error(second, type="watch", seq=1, table=tables[1])
        assert got.code == "busy"
        elsewhere = {"X-Forwarded-For": "192.0.2.1"}
        answered = await web.get(f"/api/tables/{tables[1]}", headers=elsewhere)
        assert answered.status_code == 200


@pytest.mark.outside
async def test_malformed_ids_are_not_looked_up(tmp_path: Path) -> None:
    store = CountingStore(tmp_path / "tables.sqlite3")
    async with (
        running_server(tmp_path, store=store) as url,
        rest_client(url) as web,
    ):
        for name in (
            "x",
            "x" * 33,
            "x" * 15000,
            "..%2f" * 5,
            "%00" * 22,
            "é" * 22,
            "x" * 21 + "%0a",
        ):
            for path in (f"/api/tables/{name}", f"/api/tables/{name}/record"):
                assert (await web.get(path)).status_code == 404
        assert (store.asked, store.loaded) == (0, 0)


@pytest.mark.outside
async def test_guessing_is_limited_by_address(tmp_path: Path) -> None:
    async with running_server(tmp_path, limits=FEW) as url, rest_client(url) as web:

        async def guess(address: str) -> int:
            headers = {"X-Forwarded-For": address}
            return (await web.get("/api/tables/" + "x" * 22, headers=headers)).status_code

        same_network = [f"2001:db8::{number}" for number in range(1, 5)]
        assert [await guess(one) for one in same_network] == [404, 404, 404, 429]
        assert await guess("2001:db8:0:1::1") == 404
        assert await guess("192.0.2.1") == 404


@pytest.mark.outside
async def test_existing_tables_do_not_count_as_guesses(tmp_path: Path) -> None:
    async with running_server(tmp_path) as url:
        tables = [await new_table(url) for _ in range(8)]
    async with running_server(tmp_path, limits=FEW) as url, rest_client(url) as web:
        for table in tables:
            assert (await web.get(f"/api/tables/{table}")).status_code == 200


def test_excess_guesses_extend_the_wait() -> None:
    bucket = TokenBucket(1.0, 3, 0.0)
    for _ in range(10):
        bucket.force_take(0.0)
    assert not bucket.has_token(7.5)
    assert bucket.has_token(8.0)
    assert not bucket.is_full(9.9)
    assert bucket.is_full(10.0)


def test_buckets_of_idle_addresses_are_dropped() -> None:
    buckets = KeyedBuckets(1.0, 2)
    for number in range(25_000):
        buckets.try_take(str(number), 0.0)
    assert len(buckets._buckets) <= 10_000
    assert buckets.try_take("24999", 0.0)
    assert not buckets.try_take("24999", 0.0)


async def test_somebody_who_leaves_while_their_table_is_looked_up_causes_no_error(
    tmp_path: Path,
) -> None:
    reported: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, error: reported.append(error))
    async with make_registry(tmp_path) as registry:
        asking = asyncio.create_task(registry.load_local("x" * 22))
        await asyncio.sleep(0)
        (loading,) = registry._loading.values()
        asking.cancel()
        with suppress(asyncio.CancelledError):
            await asking
        await asyncio.wait([loading])
        del loading
        await asyncio.sleep(0)
        gc.collect()
    assert reported == []
