"""Resuming from a step of a finished match: permissions, seats and refusals."""

from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest

from jasstisch.bots import bot
from jasstisch.client import Client, RequestError
from jasstisch.server.api import bodies, messages
from jasstisch.server.limits.server_limits import Limits
from jasstisch.storage import SqliteStore
from jasstisch.table.events import MatchResumed
from tests.server.analysis_stub import (
    TIMEOUT_S,
    StubAnalyser,
    analysis_path,
    expect_refusal,
    finished_table,
    http_client,
    request_analysis,
    wait_for_analysis,
)
from tests.server.running_server import OTHER_TOKEN, TOKEN, running_server

pytestmark = pytest.mark.outside

STEP = 20


def path(table: str, match: int = 1) -> str:
    return f"/api/tables/{table}/matches/{match}/resume"


def wish(step: int = STEP, **more: Any) -> dict[str, Any]:
    return {"step": step, "name": "Anna", **more}


def made(answer: httpx2.Response) -> bodies.CreatedTable:
    assert answer.status_code == 201, answer.text
    return msgspec.json.decode(answer.content, type=bodies.CreatedTable)


async def steps_of(web: httpx2.AsyncClient, table: str) -> list[list[Any]]:
    steps: list[list[Any]] = (await web.get(f"/api/tables/{table}/record")).json()["log"]
    return steps


async def test_a_resumed_match_can_be_finished(tmp_path: Path) -> None:
    async with running_server(tmp_path) as url:
        table = await finished_table(url)
        async with Client(url, token=TOKEN, patience=TIMEOUT_S) as anna:
            old = await anna.record(table)
            new = await anna.resume_match(table, 1, STEP, name="Anna")
            assert new.table != table
            assert new.seat == 0
            watched = await anna.watch(new.table)
            room = watched.room
            assert (room.game, room.options) == (old["game"], old["options"])
            assert (room.number, room.resumed, room.fair) == (1, STEP, None)
            assert [seat.name for seat in room.seats] == ["Anna", *["bot:random"] * 3]
            assert (room.thinking_time, room.host) == (None, 0)
            await watched.play(bot("random"))
            record = await anna.record(new.table)
            assert record["log"][:STEP] == old["log"][:STEP]
            assert record["about"] == {"resumed": STEP}
            assert "fair" not in record
            again = await anna.replay(new.table, 1)
            assert again.room.resumed == STEP
            await watched.declare_ready()
            assert watched.room.resumed == 0


async def test_a_stranger_takes_the_seat_to_act_or_the_one_they_choose(
    tmp_path: Path,
) -> None:
    async with running_server(tmp_path) as url, http_client(url, OTHER_TOKEN) as reto:
        table = await finished_table(url)
        steps = await steps_of(reto, table)
        for step in range(STEP, STEP + 4):
            assert made(await reto.post(path(table), json=wish(step))).seat == steps[step][0]
        new = made(await reto.post(path(table), json=wish(seat=3, face=5)))
        room = msgspec.json.decode(
            (await reto.get(f"/api/tables/{new.table}")).content, type=messages.RoomInfo
        )
        assert new.seat == 3
        # The stand-in has the seat of whom the other match knew as a person.
        assert [seat.bot for seat in room.seats] == ["greedy", "random", "random", None]
        assert (room.seats[3].name, room.seats[3].face) == ("Anna", 5)


async def test_resume_permissions_equal_replay_permissions(tmp_path: Path) -> None:
    async with running_server(tmp_path) as url, http_client(url, OTHER_TOKEN) as reto:
        table = await finished_table(url)
        expect_refusal(await reto.post(path("x" * 22), json=wish()), 404, "unknown_table")
        expect_refusal(await reto.post(path(table, 2), json=wish()), 404, "not_found")
        async with Client(url, token=TOKEN, patience=TIMEOUT_S) as anna:
            watched = await anna.watch(table)
            await watched.revoke_link()
            expect_refusal(await reto.post(path(table), json=wish()), 404, "unknown_table")
            key = {"Jasstisch-Key": watched.room.key or ""}
            made(await reto.post(path(table), json=wish(), headers=key))
            await watched.declare_ready()
            expect_refusal(
                await reto.post(path(table, 2), json=wish(), headers=key), 409, "wrong_phase"
            )
            made(await reto.post(path(table), json=wish(), headers=key))


async def test_invalid_requests_are_refused_with_a_message(tmp_path: Path) -> None:
    async with running_server(tmp_path) as url, http_client(url) as anna:
        table = await finished_table(url)
        steps = len(await steps_of(anna, table))
        asked_for: tuple[tuple[dict[str, Any], int, str, str], ...] = (
            (wish(steps), 409, "wrong_phase", "nothing is left to play"),
            (wish(steps + 1), 400, "bad_option", f"this match has {steps} steps"),
            (wish(-1), 400, "bad_message", "step"),
            (wish(seat=4), 400, "bad_option", "the seats are 0 to 3"),
            (wish() | {"name": "bot:greedy"}, 400, "bad_name", "belong to computer players"),
            ({"step": STEP}, 400, "bad_message", "name"),
        )
        for body, status, code, words in asked_for:
            assert words in expect_refusal(await anna.post(path(table), json=body), status, code)
        made(await anna.post(path(table), json=wish(steps - 1)))
        elsewhere = {"Origin": "https://example.org"}
        expect_refusal(
            await anna.post(path(table), json=wish(), headers=elsewhere), 403, "forbidden_origin"
        )


async def test_resumed_tables_count_for_the_quotas_of_their_creator(tmp_path: Path) -> None:
    limits = Limits(running_per_person=2)
    async with running_server(tmp_path, limits=limits) as url, http_client(url) as anna:
        table = await finished_table(url)
        made(await anna.post(path(table), json=wish()))
        expect_refusal(await anna.post(path(table), json=wish()), 400, "limit")
    limits = Limits(new_tables_per_minute=2)
    async with running_server(tmp_path, limits=limits) as url, http_client(url) as anna:
        for _ in range(2):
            made(await anna.post(path(table), json=wish()))
        expect_refusal(await anna.post(path(table), json=wish()), 429, "too_fast")


async def test_resuming_is_limited_in_steps(tmp_path: Path) -> None:
    async with (
        running_server(tmp_path, limits=Limits(max_resumed_steps=5)) as url,
        http_client(url) as anna,
    ):
        table = await finished_table(url)
        made(await anna.post(path(table), json=wish(5)))
        said = expect_refusal(await anna.post(path(table), json=wish(6)), 400, "limit")
        assert "the first 5 steps" in said


async def test_a_bot_that_no_longer_exists_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running_server(tmp_path) as url:
        table = await finished_table(url)

    async def known(*_: object) -> dict[str, list[str]]:
        return {"molotow": ["greedy"]}

    monkeypatch.setattr("jasstisch.server.context.ServerContext.bots_by_game", known)
    async with running_server(tmp_path) as url, http_client(url) as anna:
        said = expect_refusal(await anna.post(path(table), json=wish()), 400, "bad_option")
        assert "'random' is no longer here" in said


async def test_a_resumed_table_survives_a_restart_and_the_deletion_of_its_source(
    tmp_path: Path,
) -> None:
    async with (
        running_server(tmp_path) as url,
        Client(url, token=TOKEN, patience=TIMEOUT_S) as anna,
    ):
        table = await finished_table(url)
        old = await anna.record(table)
        new = (await anna.resume_match(table, 1, STEP, name="Anna", seat=0)).table
    store = SqliteStore(tmp_path / "tables.sqlite3")
    assert [type(event) for event in await store.load(new)][2] is MatchResumed
    await store.delete(table)
    await store.close()
    async with (
        running_server(tmp_path) as url,
        Client(url, token=TOKEN, patience=TIMEOUT_S) as anna,
    ):
        with pytest.raises(RequestError, match="no table of this id"):
            await anna.resume_match(table, 1, STEP, name="Anna")
        watched = await anna.watch(new)
        assert watched.room.resumed == STEP
        await watched.play(bot("random"))
        assert (await anna.record(new))["log"][:STEP] == old["log"][:STEP]


async def test_a_resumed_match_is_listed_as_such_and_counts_in_no_results(tmp_path: Path) -> None:
    async with (
        running_server(tmp_path) as url,
        Client(url, token=TOKEN, patience=TIMEOUT_S) as anna,
    ):
        table = await finished_table(url)
        new = (await anna.resume_match(table, 1, STEP, name="Anna")).table
        await (await anna.watch(new)).play(bot("random"))
        found = await anna.matches()
        assert {one.table: one.resumed for one in found.matches} == {table: 0, new: STEP}
        assert found.games is not None
        assert [one.matches for one in found.games] == [1]


async def test_the_resumed_part_is_not_analysed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = StubAnalyser()
    monkeypatch.setattr("jasstisch.server.workers.tasks.analyse_decision", judge.analyse)
    async with running_server(tmp_path) as url, http_client(url) as web:
        table = await finished_table(url)
        new = made(await web.post(path(table), json=wish(30))).table
        async with Client(url, token=TOKEN, patience=TIMEOUT_S) as anna:
            await (await anna.watch(new)).play(bot("random"))
        await request_analysis(web, analysis_path(table))
        whole = await wait_for_analysis(web, analysis_path(table))
        await request_analysis(web, analysis_path(new))
        rest = await wait_for_analysis(web, analysis_path(new))
        assert 0 < len(rest.decisions) < len(whole.decisions)
