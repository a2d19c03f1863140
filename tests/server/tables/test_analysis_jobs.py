"""Match analysis jobs: permissions, quotas, sharing and persistence of results."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jasstisch import analysis
from jasstisch.analysis import round_analysis
from jasstisch.bots import bot, searching
from jasstisch.client import Client
from jasstisch.server.identity.data_export import export_person
from jasstisch.server.identity.tokens import hash_token
from jasstisch.server.limits.server_limits import Limits
from jasstisch.server.workers import tasks
from jasstisch.storage import SqliteStore
from tests.server.analysis_stub import (
    TIMEOUT_S,
    StubAnalyser,
    analysis_path,
    expect_ok,
    expect_refusal,
    finished_table,
    http_client,
    poll_analysis,
    request_analysis,
    wait_for_analysis,
)
from tests.server.running_server import OTHER_TOKEN, TOKEN, ServerProcess, running_server

pytestmark = pytest.mark.outside


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> StubAnalyser:
    made = StubAnalyser()
    monkeypatch.setattr(tasks, "analyse_decision", made.analyse)
    return made


async def test_a_finished_match_is_analysed_with_reasons_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the searching bots, with fewer deals than usual."""
    search = searching.evaluate_actions

    def weigh(view: Any, legal: Any, rng: Any, effort: Any) -> Any:
        return search(view, legal, rng, replace(effort, max_deals=32))

    monkeypatch.setattr(round_analysis, "evaluate_actions", weigh)
    async with running_server(tmp_path) as url, http_client(url) as anna:
        table = await finished_table(url)
        assert expect_ok(await anna.get(analysis_path(table))).state == "none"
        assert expect_ok(await anna.post(analysis_path(table))).state == "running"
        found = await wait_for_analysis(anna, analysis_path(table))
        record = (await anna.get(f"/api/tables/{table}/record")).json()
        assert (found.game, found.unit, found.rounds) == ("molotow", "sticks", [1])
        for one in found.decisions:
            assert record["log"][one.step] == [one.seat, one.played]
            assert one.alternatives[0].action == one.best
            assert one.played in [it.action for it in one.alternatives]
            assert one.text
        losses = [found.decisions[place].loss for place in found.dearest]
        assert losses == sorted(losses, reverse=True)
        here = analysis.analyse(record)
        assert [one.loss for one in here.decisions] == [one.loss for one in found.decisions]
        assert [one.reason for one in here.decisions] == [one.reason for one in found.decisions]


async def test_the_analysis_is_in_the_requested_language(
    tmp_path: Path, judge: StubAnalyser
) -> None:
    async with running_server(tmp_path) as url, http_client(url) as anna:
        table = await finished_table(url)
        await anna.post(analysis_path(table))
        english = await wait_for_analysis(anna, analysis_path(table))
        german = await wait_for_analysis(anna, analysis_path(table, lang="de"))
        assert english.decisions[0].text == (
            "6♣ brings Anna to 104 points: a hundred is three potatoes."
        )
        assert german.decisions[0].text != english.decisions[0].text
        assert (german.lang, english.unit_text) == ("de", "sticks")
        assert [one.reason for one in german.decisions] == [one.reason for one in english.decisions]
        said = expect_refusal(await anna.get(analysis_path(table, lang="rm")), 404, "not_found")
        assert "en, de, fr, it" in said


async def test_the_analysis_names_the_players_of_the_match_not_the_present_ones(
    tmp_path: Path, judge: StubAnalyser
) -> None:
    async with running_server(tmp_path) as url, http_client(url) as anna:
        table = await finished_table(url)
        async with Client(url, token=TOKEN, patience=TIMEOUT_S) as client:
            await (await client.watch(table)).stand()
        async with Client(url, token=OTHER_TOKEN, patience=TIMEOUT_S) as client:
            watched = await client.watch(table)
            await watched.sit(0, "Reto")
            await anna.post(analysis_path(table))
            text = (await wait_for_analysis(anna, analysis_path(table))).decisions[0].text
            assert text.startswith("6♣ brings Anna to 104 points")
            # An earlier match had its own players, too.
            await watched.declare_ready()
            await watched.play(bot("random"))
            assert (await anna.get(f"/api/tables/{table}/record")).json()["players"][0] == "Reto"
            assert (await wait_for_analysis(anna, analysis_path(table))).decisions[0].text == text


async def test_concurrent_requests_share_one_job_and_its_progress(
    tmp_path: Path, judge: StubAnalyser
) -> None:
    judge.may_answer.clear()
    async with (
        running_server(tmp_path) as url,
        http_client(url) as anna,
        http_client(url, OTHER_TOKEN) as reto,
    ):
        table = await finished_table(url)
        answers = await asyncio.gather(
            *(one.post(analysis_path(table)) for one in (anna, reto) * 3)
        )
        assert {expect_ok(one).state for one in answers} == {"running"}
        state = await poll_analysis(
            reto, analysis_path(table), lambda state: state.progress is not None
        )
        progress = state.progress
        assert progress is not None
        assert (progress.rounds, progress.of_rounds, progress.decisions) == (0, 1, 0)
        judge.may_answer.set()
        found = await wait_for_analysis(reto, analysis_path(table))
        assert len(found.decisions) == progress.of_decisions
        assert judge.places == list(range(progress.of_decisions))
        # From now on it is there at once.
        assert expect_ok(await anna.post(analysis_path(table))).analysis == found
        assert len(judge.places) == progress.of_decisions


async def test_analysis_permissions_equal_record_permissions(
    tmp_path: Path, judge: StubAnalyser
) -> None:
    async with running_server(tmp_path) as url, http_client(url, OTHER_TOKEN) as reto:
        table = await finished_table(url)
        # With the link somebody who only watches has the record too.
        await reto.post(analysis_path(table))
        await wait_for_analysis(reto, analysis_path(table))
        async with Client(url, token=TOKEN, patience=TIMEOUT_S) as anna:
            watched = await anna.watch(table)
            await watched.revoke_link()
            key = watched.room.key or ""
        for ask in (reto.get, reto.post):
            expect_refusal(await ask(analysis_path(table)), 404, "unknown_table")
            assert (
                expect_ok(await ask(analysis_path(table), headers={"Jasstisch-Key": key})).state
                == "ready"
            )
        expect_refusal(await reto.get(f"/api/tables/{table}/record"), 404, "unknown_table")
        foreign = {"Origin": "https://elsewhere.example"}
        async with http_client(url) as host:
            expect_refusal(
                await host.post(analysis_path(table), headers=foreign), 403, "forbidden_origin"
            )


async def test_invalid_requests_are_refused_with_a_message(
    tmp_path: Path, judge: StubAnalyser
) -> None:
    async with running_server(tmp_path) as url, http_client(url) as anna:
        table = await finished_table(url)
        assert "no match of this number" in expect_refusal(
            await anna.post(analysis_path(table, 2)), 404, "not_found"
        )
        expect_refusal(await anna.get(analysis_path("x" * 22)), 404, "unknown_table")
        expect_refusal(await anna.post(analysis_path(table, 0)), 400, "bad_message")
        async with Client(url, token=TOKEN, patience=TIMEOUT_S) as client:
            seats = ["me", *["bot:random"] * 3]
            made = await client.create_table("molotow", seats, name="Anna", start=True)
        said = expect_refusal(await anna.post(analysis_path(made.table)), 409, "wrong_phase")
        assert said == "a match can be analysed once it is over"
        assert expect_ok(await anna.get(analysis_path(made.table))).state == "none"
        assert not judge.places


async def test_an_earlier_match_can_be_analysed_during_the_next(
    tmp_path: Path, judge: StubAnalyser
) -> None:
    limits = Limits(analyses_per_person=1)
    async with running_server(tmp_path, limits=limits) as url, http_client(url) as anna:
        table = await finished_table(url)
        steps = len((await anna.get(f"/api/tables/{table}/record")).json()["log"])
        async with Client(url, token=TOKEN, patience=TIMEOUT_S) as client:
            await (await client.watch(table)).declare_ready()
        expect_refusal(await anna.post(analysis_path(table, 2)), 409, "wrong_phase")
        judge.may_answer.clear()
        answers = await asyncio.gather(*(anna.post(analysis_path(table)) for _ in range(3)))
        assert {expect_ok(one).state for one in answers} == {"running"}
        judge.may_answer.set()
        found = await wait_for_analysis(anna, analysis_path(table))
        assert 0 < len(found.decisions) < steps
        # Whoever was refused has left no place taken.
        assert expect_ok(await anna.post(analysis_path(table))).state == "ready"
        expect_refusal(await anna.post(analysis_path(table, 2)), 409, "wrong_phase")


async def test_pending_analyses_are_limited_by_person(tmp_path: Path, judge: StubAnalyser) -> None:
    judge.may_answer.clear()
    limits = Limits(analyses_per_person=1)
    async with (
        running_server(tmp_path, limits=limits) as url,
        http_client(url) as anna,
        http_client(url, OTHER_TOKEN) as reto,
    ):
        first, second = await finished_table(url), await finished_table(url)
        assert expect_ok(await anna.post(analysis_path(first))).state == "running"
        said = expect_refusal(await anna.post(analysis_path(second)), 400, "limit")
        assert said == "at most 1 analyses at a time, please"
        # What one has asked for is no reason for another to wait.
        assert expect_ok(await reto.post(analysis_path(second))).state == "running"
        judge.may_answer.set()
        await wait_for_analysis(anna, analysis_path(first))
        await wait_for_analysis(anna, analysis_path(second))


async def test_an_overlong_match_is_not_analysed(tmp_path: Path, judge: StubAnalyser) -> None:
    limits = Limits(max_analysed_steps=20)
    async with running_server(tmp_path, limits=limits) as url, http_client(url) as anna:
        table = await finished_table(url)
        assert "at most 20 steps" in expect_refusal(
            await anna.post(analysis_path(table)), 400, "limit"
        )


async def test_a_failed_analysis_is_reported_and_can_be_retried(
    tmp_path: Path, judge: StubAnalyser
) -> None:
    judge.fails = 2
    async with running_server(tmp_path) as url, http_client(url) as anna:
        table = await finished_table(url)
        await anna.post(analysis_path(table))
        await poll_analysis(anna, analysis_path(table), lambda state: state.state == "failed")
        judge.fails = 1  # that one is thought over once more
        assert expect_ok(await anna.post(analysis_path(table))).state == "running"
        await wait_for_analysis(anna, analysis_path(table))


async def test_an_analysis_survives_a_restart_and_is_deleted_with_its_table(
    tmp_path: Path, judge: StubAnalyser
) -> None:
    async with running_server(tmp_path) as url, http_client(url) as anna:
        table = await finished_table(url)
        await anna.post(analysis_path(table))
        found = await wait_for_analysis(anna, analysis_path(table))
    before = len(judge.places)
    async with running_server(tmp_path) as url, http_client(url) as anna:
        assert expect_ok(await anna.get(analysis_path(table))).analysis == found
        assert expect_ok(await anna.post(analysis_path(table))).analysis == found
    assert len(judge.places) == before
    store = SqliteStore(tmp_path / "tables.sqlite3")
    assert list(await store.analysis_checksums(table)) == [1]
    await store.delete(table)
    assert await store.analysis_checksums(table) == {}
    await store.close()


async def test_the_data_export_contains_analyses(tmp_path: Path, judge: StubAnalyser) -> None:
    async with running_server(tmp_path) as url, http_client(url) as anna:
        table = await finished_table(url)
        await anna.post(analysis_path(table))
        found = await wait_for_analysis(anna, analysis_path(table))
    store = SqliteStore(tmp_path / "tables.sqlite3")
    (match,) = (await export_person(store, hash_token(TOKEN), 0.0))["tables"][0]["matches"]
    await store.close()
    assert len(match["analysis"]["decisions"]) == len(found.decisions)
    assert "Anna" not in msgspec.json.encode(match["analysis"]).decode()


async def test_an_interrupted_analysis_runs_again_after_a_kill(tmp_path: Path) -> None:
    server = await asyncio.to_thread(ServerProcess, tmp_path)
    try:
        async with Client(server.url, patience=TIMEOUT_S) as anna:
            seats = ["me", *["bot:random"] * 3]
            made = await anna.create_table(
                "molotow", seats, name="Anna", options={"rounds": 1}, start=True, pause=0
            )
            await (await anna.watch(made.table)).play(bot("random"))
        async with http_client(server.url, None) as web:
            assert (await request_analysis(web, analysis_path(made.table))).state == "running"
        port = server.port
        await asyncio.to_thread(server.kill)
        server = await asyncio.to_thread(ServerProcess, tmp_path, port)
        async with http_client(server.url, None) as web:
            assert expect_ok(await web.get(analysis_path(made.table))).state in ("none", "ready")
            await request_analysis(web, analysis_path(made.table))
            assert (await wait_for_analysis(web, analysis_path(made.table))).decisions
    finally:
        await asyncio.to_thread(server.kill)
