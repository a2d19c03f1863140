"""Verifiable deals at the tables of a running server."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import pytest_asyncio

import jasstisch as jt
from jasstisch.bots import bot
from jasstisch.client import Client, RequestError, WatchedTable
from jasstisch.fairness import Evidence
from jasstisch.server.api import bodies, messages
from jasstisch.server.limits.server_limits import Limits
from jasstisch.server.tables import deal_contributions
from jasstisch.storage import SqliteStore
from jasstisch.table.events import (
    CommitmentOpeningsClosed,
    MatchStarted,
    PackCommitmentsCalled,
    PackDealt,
)
from tests.server.running_server import TOKEN, running_server, websocket
from tests.server.websocket_requests import request_error, send_and_read

pytestmark = pytest.mark.outside


@pytest_asyncio.fixture
async def url(tmp_path: Path) -> AsyncIterator[str]:
    """A server whose matches wait for commitments to their first pack, as an operator's do."""
    limits = Limits(message_burst=10**9)  # the people here play faster than anybody
    async with running_server(tmp_path, limits=limits, committing_seconds=2.0) as address:
        yield address


COMPUTERS = ["me", *["bot:random"] * 3]
SHORT: dict[str, Any] = {"rounds": 4}


def checked(record: dict[str, Any], table: WatchedTable) -> int:
    """Verifies the deals of a match; returns how many packs this client contributed to."""
    assert table.deal_problem is None
    verdict = table.judge_deals(record)
    assert verdict is not None
    assert verdict.report is not None
    vouches = verdict.own_pack_count == verdict.report.pack_count
    assert verdict.kind == ("verified" if vouches else "partial")
    return verdict.own_pack_count


async def test_a_match_of_one_person_uses_their_contributions(url: str) -> None:
    async with Client(url) as anna:
        made = await anna.create_table(
            "differenzler", COMPUTERS, name="Anna", options=SHORT, pause=0, start=True
        )
        table = await anna.watch(made.table)
        await table.play(bot("random"))
        record = await anna.record(made.table)
    packs = sum(seat == "pack" for seat, _ in record["log"])
    # Though the match began with its table, before the person could come: its first pack waited.
    assert checked(record, table) == packs


async def test_undo_leaves_the_evidence_valid(url: str) -> None:
    async with Client(url) as anna:
        made = await anna.create_table("molotov", COMPUTERS, name="Anna", pause=0, start=True)
        table = await anna.watch(made.table)
        taken = 0
        while table.phase != "over":
            await table.until(lambda one: one.turn is not None or one.phase in ("between", "over"))
            if table.turn is None:
                if table.phase == "between":
                    await table.declare_ready()
                    await table.until(lambda one: one.phase != "between")
                continue
            await table.act(table.turn.legal[0])
            if table.undoable and taken < 5:
                await table.undo()
                taken += 1
        record = await anna.record(made.table)
    packs = sum(seat == "pack" for seat, _ in record["log"])
    assert (checked(record, table), taken) == (packs, 5)


@pytest.mark.parametrize("cards", [0, 3])
async def test_a_match_closed_in_the_middle_yields_its_record_and_proof(
    url: str, cards: int
) -> None:
    async with Client(url) as anna:
        made = await anna.create_table("molotov", COMPUTERS, name="Anna", pause=0, start=True)
        table = await anna.watch(made.table)
        for _ in range(cards):
            await table.until(lambda one: one.turn is not None)
            assert table.turn is not None
            await table.act(table.turn.legal[0])
        await table.until(lambda one: one.turn is not None)
        with pytest.raises(RequestError, match="once a match is over"):
            await anna.record(made.table)
        with pytest.raises(RequestError):
            await anna.record(made.table, match=1)
        hand = table.view["hand"]
        await table.close()
        await table.until(lambda one: one.phase == "closed")
        records = await anna.record(made.table), await anna.record(made.table, match=1)
    assert records[0] == records[1]
    assert records[0]["result"] is None
    match = jt.Match.from_record(records[0])
    assert sorted(match.view(0)["hand"]) == sorted(hand)
    assert checked(records[0], table) == sum(actor == "pack" for actor, _ in records[0]["log"])


async def test_four_people_contribute_to_every_pack(url: str) -> None:
    people = [Client(url) for _ in range(4)]
    for person in people:
        await person.open()
    anna = people[0]
    made = await anna.create_table(
        "differenzler",
        ["me", "open", "open", "open"],
        name="Anna",
        options={"rounds": 4},
        thinking_time="unlimited",
    )
    tables = [await person.watch(made.table) for person in people]
    for seat, table in enumerate(tables[1:], start=1):
        await table.sit(seat, f"P{seat}")
    await tables[0].start()
    await asyncio.gather(
        *(table.play(bot("random"), Random(seat)) for seat, table in enumerate(tables))
    )
    record = await anna.record(made.table)
    for person in people:
        await person.close()
    evidence = Evidence.from_json(record["fair"])
    assert all(
        [one.seat for one in pack[0].contributions] == [0, 1, 2, 3]
        for pack in evidence.attempts_by_pack
    )
    for table in tables:
        assert checked(record, table) == len(evidence.attempts_by_pack)


async def test_the_deals_of_the_first_match_are_announced_while_the_table_is_open(
    url: str,
) -> None:
    async with Client(url) as anna, Client(url) as stranger:
        made = await anna.create_table(
            "differenzler", ["me", "open", *["bot:random"] * 2], name="Anna", options=SHORT, pause=0
        )
        table, strangers = await anna.watch(made.table), await stranger.watch(made.table)
        early = strangers.room.fair
        assert early is not None
        assert early == table.room.fair
        assert (table.phase, early.next_pack, early.call, early.void) == ("open", 1, None, None)
        assert early.announcement["match"]["number"] == 1
        assert table.fair_deal_messages() == []  # seats may still change
        await table.assign_seat(1, "random")
        await table.start()
        assert table.deal_commitment == early.announcement["end"]
        await table.play(bot("random"))
        record = await anna.record(made.table)
    assert record["fair"]["ends"][0] == early.announcement["end"]
    assert checked(record, table) == sum(seat == "pack" for seat, _ in record["log"])


async def test_a_table_that_is_closed_before_its_first_match_accuses_nobody(url: str) -> None:
    async with Client(url) as anna:
        made = await anna.create_table(
            "differenzler", ["me", "open", *["bot:random"] * 2], name="Anna"
        )
        table = await anna.watch(made.table)
        await table.close()
        await table.until(lambda one: one.phase == "closed")
        assert table.deal_problem is None
        assert table.unproven_matches == []
        assert table.room.fair is not None


async def test_a_person_who_does_not_open_is_named_and_excluded(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deal_contributions, "OPENING_TIMEOUT_S", 0.05)
    monkeypatch.setattr(WatchedTable, "fair_deal_messages", _only_commits)
    async with Client(url) as anna:
        made = await anna.create_table(
            "differenzler", COMPUTERS, name="Anna", options=SHORT, pause=0, start=True
        )
        table = await anna.watch(made.table)
        await table.play(bot("random"))
        record = await anna.record(made.table)
    assert checked(record, table) == 0  # and Reto's own client finds nothing wrong
    missing = [
        one.missing_seats
        for pack in Evidence.from_json(record["fair"]).attempts_by_pack
        for one in pack
    ]
    assert missing.count((0,)) == 3  # and then this seat is excluded
    assert table.phase == "over"


_all = WatchedTable.fair_deal_messages


def _only_commits(
    self: WatchedTable,
) -> list[messages.CommitContributions | messages.OpenContribution]:
    return [one for one in _all(self) if isinstance(one, messages.CommitContributions)]


async def test_a_server_killed_while_waiting_for_openings_resumes_with_valid_evidence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deal_contributions, "OPENING_TIMEOUT_S", 1e9)
    monkeypatch.setattr(WatchedTable, "fair_deal_messages", _only_commits)
    async with running_server(tmp_path, committing_seconds=2.0) as url, Client(url, TOKEN) as anna:
        made = await anna.create_table(
            "differenzler", COMPUTERS, name="Anna", options=SHORT, pause=0, start=True
        )
        table = await anna.watch(made.table)
        playing = asyncio.create_task(table.play(bot("random")))
        await table.until(
            lambda table: table.room.fair is not None and table.room.fair.call is not None
        )
        playing.cancel()
    monkeypatch.setattr(deal_contributions, "OPENING_TIMEOUT_S", 0.05)
    async with running_server(tmp_path, committing_seconds=2.0) as url, Client(url, TOKEN) as anna:
        table = await anna.watch(made.table)
        await table.play(bot("random"))
        assert jt.Match.from_record(await anna.record(made.table)).verify_deals() is not None


async def test_absent_people_are_not_waited_for(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deal_contributions, "OPENING_TIMEOUT_S", 1e9)
    seats = ["me", "open", *["bot:random"] * 2]
    async with Client(url, TOKEN) as anna, Client(url) as reto:
        made = await anna.create_table(
            "differenzler", seats, name="Anna", options=SHORT, pause=0, thinking_time="unlimited"
        )
        annas_table, retos_table = await anna.watch(made.table), await reto.watch(made.table)
        await retos_table.sit(1, "Reto")
        await annas_table.start()
        playing = asyncio.create_task(retos_table.play(bot("random")))
        while annas_table.phase == "playing":
            await annas_table.until(
                lambda table: table.turn is not None or table.phase != "playing"
            )
            if annas_table.turn is not None:
                await annas_table.act(annas_table.turn.legal[0])
        await anna.close()  # and her commitments are withdrawn
        async with websocket(url) as socket:
            await send_and_read(socket, type="watch", seq=1, table=made.table)
            await send_and_read(socket, type="ready", seq=2, table=made.table)
            await retos_table.until(
                lambda table: table.view["rounds"] != [] and table.phase == "playing"
            )
        playing.cancel()


async def test_no_message_of_a_running_match_contains_a_seed_secret_or_early_opening(
    tmp_path: Path,
) -> None:
    store = SqliteStore(tmp_path / "tables.sqlite3")
    told: list[str] = []
    async with (
        running_server(tmp_path, store=store, committing_seconds=2.0) as url,
        Client(url, TOKEN) as anna,
    ):
        made = await anna.create_table(
            "differenzler", COMPUTERS, name="Anna", options=SHORT, pause=0, start=True
        )
        table = await anna.watch(made.table)
        async with websocket(url, None) as watching:
            await send_and_read(watching, type="watch", seq=1, table=made.table)
            await table.play(bot("random"))
            while not told or '"over"' not in told[-1]:
                told.append(str(await watching.recv()))
        log = await store.load(made.table)
        record = await anna.record(made.table)
    (started,) = [event for event in log if isinstance(event, MatchStarted)]
    assert started.seed is not None
    secrets = {started.seed}
    secrets |= {one["secret"] for pack in record["fair"]["packs"] for one in pack}
    secrets |= {
        text
        for event in log
        if isinstance(event, CommitmentOpeningsClosed)
        for text in event.openings.values()
    }
    assert len(secrets) > 5
    everything = "".join(told)
    assert not [secret for secret in secrets if secret in everything]
    assert any(isinstance(event, PackCommitmentsCalled) for event in log)
    assert any(isinstance(event, PackDealt) for event in log)


async def test_invalid_commitments_and_openings_are_refused(url: str) -> None:
    async with Client(url, TOKEN) as anna:
        made = await anna.create_table(
            "differenzler", COMPUTERS, name="Anna", options=SHORT, pause=0, start=True
        )
    digits = "a" * 64
    async with websocket(url, None) as nobody:
        got = await request_error(
            nobody, type="commit", seq=1, table=made.table, pack=1, commitments=[digits]
        )
        assert got.code == "no_identity"
    async with websocket(url) as socket:
        for wrong, code in (
            ({"type": "commit", "pack": 99, "commitments": [digits] * 4}, "not_fair"),
            ({"type": "commit", "pack": 3, "commitments": [digits] * 3}, "not_fair"),
            ({"type": "commit", "pack": 3, "commitments": ["A" * 64] * 4}, "bad_message"),
            ({"type": "commit", "pack": 3, "commitments": [digits] * 17}, "bad_message"),
            ({"type": "open", "pack": 2, "attempt": 1, "opening": digits}, "not_fair"),
            ({"type": "open", "pack": 2, "attempt": 1, "opening": "a"}, "bad_message"),
        ):
            assert (await request_error(socket, seq=1, table=made.table, **wrong)).code == code


async def test_a_tutorial_has_no_evidence_and_takes_no_contributions(url: str) -> None:
    async with Client(url, TOKEN) as anna:
        seats = ["me", *["bot:greedy"] * 3]
        new = bodies.NewTable("molotov", seats, name="Anna", start=True, guided=True)
        made = await anna.create_table_from(new)
        table = await anna.watch(made.table)
        assert table.room.fair is None
    async with websocket(url) as socket:
        got = await request_error(
            socket, type="commit", seq=1, table=made.table, pack=1, commitments=["a" * 64] * 4
        )
        assert got.code == "wrong_phase"


async def test_a_reconnected_person_contributes_to_the_very_next_pack(
    url: str,
) -> None:
    async with Client(url) as anna:
        made = await anna.create_table(
            "differenzler", COMPUTERS, name="Anna", options=SHORT, pause=0, start=True
        )
        table = await anna.watch(made.table)
        await table.until(lambda table: table.turn is not None)
        assert anna._socket is not None
        anna._socket.transport.abort()  # and the server forgets what was committed to over it
        while table.is_current:  # noqa: ASYNC110 - a lost connection wakes nobody
            await asyncio.sleep(0)
        await table.until(lambda table: table.is_current)
        await table.play(bot("random"))
        record = await anna.record(made.table)
    packs = sum(seat == "pack" for seat, _ in record["log"])
    assert checked(record, table) == packs
