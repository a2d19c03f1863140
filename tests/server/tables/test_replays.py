"""Replays of matches: permissions, point of view and refusals."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest

from jasstisch.bots import bot
from jasstisch.client import Client
from jasstisch.server.api import messages
from jasstisch.server.errors import ApiError, ServerBusyError
from jasstisch.server.limits.server_limits import Limits
from jasstisch.server.tables.replays import ReplayService
from jasstisch.storage import SqliteStore
from jasstisch.table.events import Event
from tests.server.analysis_stub import TIMEOUT_S, expect_refusal, finished_table, http_client
from tests.server.running_server import OTHER_TOKEN, TOKEN, running_server
from tests.table.table_driver import new_table

pytestmark = pytest.mark.outside


def path(table: str, match: int = 1) -> str:
    return f"/api/tables/{table}/matches/{match}/replay"


def told(answer: httpx2.Response) -> messages.Replay:
    assert answer.status_code == 200, answer.text
    return msgspec.json.decode(answer.content, type=messages.Replay)


async def test_a_player_sees_their_own_view_and_any_other(tmp_path: Path) -> None:
    async with (
        running_server(tmp_path) as url,
        http_client(url) as anna,
        http_client(url, OTHER_TOKEN) as reto,
    ):
        table = await finished_table(url)
        record = (await anna.get(f"/api/tables/{table}/record")).json()
        mine = told(await anna.get(path(table)))
        assert (mine.match, mine.seat, mine.own) == (1, 0, 0)
        assert len(mine.steps) == len(record["log"])
        assert [seat.name for seat in mine.room.seats] == record["players"]
        watched = told(await reto.get(path(table)))
        assert (watched.seat, watched.own, watched.view["hand"]) == (None, None, None)
        other = told(await anna.get(path(table), params={"seat": 2}))
        assert (other.seat, other.own, other.view["seat"]) == (2, 0, 2)
        expect_refusal(await anna.get(path(table), params={"seat": 4}), 404, "not_found")
        expect_refusal(await anna.get(path(table), params={"seat": -1}), 400, "bad_message")


async def test_an_earlier_match_can_be_replayed_during_the_next(tmp_path: Path) -> None:
    async with running_server(tmp_path) as url, http_client(url) as anna:
        table = await finished_table(url)
        first = told(await anna.get(path(table)))
        expect_refusal(await anna.get(path(table, 2)), 404, "not_found")
        async with Client(url, token=TOKEN, patience=TIMEOUT_S) as client:
            watched = await client.watch(table)
            await watched.declare_ready()
            again = told(await anna.get(path(table)))
            assert again.steps == first.steps
            expect_refusal(await anna.get(path(table, 2)), 409, "wrong_phase")
            await watched.play(bot("random"))
        assert told(await anna.get(path(table, 2))).steps != first.steps


async def test_finished_rounds_of_a_running_match_are_replayed_from_the_players_own_seat(
    tmp_path: Path,
) -> None:
    async with (
        running_server(tmp_path) as url,
        http_client(url, OTHER_TOKEN) as reto,
        http_client(url) as mine,
        Client(url, token=TOKEN, patience=TIMEOUT_S) as anna,
    ):
        seats = ["me", *["bot:random"] * 3]
        rounds: dict[str, int | str | None] = {"rounds": 2}
        made = await anna.create_table(
            "molotow", seats, name="Anna", options=rounds, start=True, pause=0
        )
        watched = await anna.watch(made.table)
        expect_refusal(await mine.get(path(made.table)), 409, "wrong_phase")
        while watched.phase != "between":
            await watched.until(lambda one: one.turn is not None or one.phase == "between")
            if watched.turn is not None:
                await watched.act(watched.turn.legal[0])
        own = told(await mine.get(path(made.table)))
        assert (own.whole, own.seat, own.own) == (False, 0, 0)
        assert {hand for step in own.steps for hand in step.hands} == {"0"}
        assert own.steps[-1].round == 1
        seen = told(await reto.get(path(made.table)))
        assert (seen.whole, seen.seat, seen.own) == (False, None, None)
        assert not any(step.hands for step in seen.steps)
        for one, seat in ((mine, 1), (reto, 0)):
            expect_refusal(
                await one.get(path(made.table), params={"seat": seat}), 409, "wrong_phase"
            )
        expect_refusal(
            await mine.get(path(made.table).replace("replay", "record")), 409, "wrong_phase"
        )
        await watched.declare_ready()
        await watched.until(lambda one: one.turn is not None)
        assert told(await mine.get(path(made.table))).steps == own.steps
        await watched.play(bot("random"))
        assert told(await mine.get(path(made.table))).whole


async def test_replay_permissions_equal_record_permissions(
    tmp_path: Path,
) -> None:
    async with running_server(tmp_path) as url, http_client(url, OTHER_TOKEN) as reto:
        table = await finished_table(url)
        expect_refusal(await reto.get(path("x" * 22)), 404, "unknown_table")
        async with Client(url, token=TOKEN, patience=TIMEOUT_S) as anna:
            watched = await anna.watch(table)
            await watched.revoke_link()
            key = watched.room.key or ""
        expect_refusal(await reto.get(path(table)), 404, "unknown_table")
        found = told(await reto.get(path(table), headers={"Jasstisch-Key": key}))
        assert found.room.key == key


async def test_matches_from_before_a_table_was_public_are_refused_to_strangers(
    tmp_path: Path,
) -> None:
    async with (
        running_server(tmp_path) as url,
        http_client(url, OTHER_TOKEN) as reto,
        http_client(url) as mine,
    ):
        table = await finished_table(url)
        async with Client(url, token=TOKEN, patience=TIMEOUT_S) as anna:
            watched = await anna.watch(table)
            await watched.revoke_link()
            await watched.set_published(published=True)
            # The room tells it everybody who is let in.
            headers = {"Jasstisch-Key": watched.room.key or ""}
            assert (await reto.get(f"/api/tables/{table}")).status_code == 200
            record = f"/api/tables/{table}/record"
            others = [path(table).replace("replay", one) for one in ("record", "analysis")]
            for earlier in (path(table), record, *others):
                expect_refusal(await reto.get(earlier), 404, "unknown_table")
                expect_refusal(await reto.get(earlier, headers=headers), 404, "unknown_table")
            told(await mine.get(path(table)))
            await watched.declare_ready()
            await watched.play(bot("random"))
        told(await reto.get(path(table, 2)))
        assert (await reto.get(record)).status_code == 200
        expect_refusal(await reto.get(path(table)), 404, "unknown_table")


async def test_an_overlong_match_is_not_replayed(tmp_path: Path) -> None:
    limits = Limits(max_replayed_steps=10)
    async with running_server(tmp_path, limits=limits) as url, http_client(url) as anna:
        expect_refusal(await anna.get(path(await finished_table(url))), 400, "limit")


async def test_pending_replays_are_limited_by_address(tmp_path: Path) -> None:
    may_load = asyncio.Event()

    class SlowStore(SqliteStore):
        async def load(self, table: str) -> list[Event]:
            await may_load.wait()
            return await super().load(table)

    table = new_table("molotow", [None] * 4)
    store = SlowStore(tmp_path / "tables.sqlite3")
    await store.append(table.state.creation_event.table, 0, [table.state.creation_event])
    replays = ReplayService(store, Limits(replays_waiting=3, replays_per_address=2))

    def asked(address: str) -> Coroutine[Any, Any, bytes]:
        return replays.build_replay(table.state.room(), 1, None, None, address)

    home, elsewhere = "192.0.2.1", "192.0.2.2"
    waiting = [asyncio.create_task(asked(one)) for one in (home, home, elsewhere)]
    await asyncio.sleep(0)
    with pytest.raises(ApiError, match="at most 2 replays at a time"):
        await asked(home)
    with pytest.raises(ServerBusyError):
        await asked(elsewhere)
    may_load.set()
    for one in waiting:
        with pytest.raises(ApiError, match="once it is over"):
            await one
    with pytest.raises(ApiError, match="once it is over"):
        await asked(home)
    await store.close()
