"""Hints at a table: permissions, privacy and late results."""

import asyncio
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from jasstisch.bots import bot
from jasstisch.client import Client, RequestError, WatchedTable
from jasstisch.server.api import bodies, messages
from tests.server.running_server import OTHER_TOKEN, TOKEN, running_server, websocket
from tests.server.websocket_requests import new_table, request_error, send_and_read

pytestmark = pytest.mark.outside

SEATS = ["me", "open", "bot:random", "bot:random"]


@dataclass(frozen=True)
class StubHint:
    """A hint in the form that the analysis returns."""

    action: str
    reason: str = "duck"
    placeholder_values: dict[str, str | int | float] = field(default_factory=dict)


class StubAdviser:
    """Hints the last legal action, once the test allows it.

    Attributes:
        may_answer: set: at once.
        views: what it was shown.
    """

    def __init__(self) -> None:
        self.may_answer = threading.Event()
        self.may_answer.set()
        self.views: list[Mapping[str, Any]] = []

    def hint(self, view: Mapping[str, Any], legal: Sequence[str]) -> StubHint:
        """Stands in for `thoughts.hint`."""
        self.views.append(view)
        self.may_answer.wait(30)
        return StubHint(legal[-1], placeholder_values={"card": legal[-1].removeprefix("play ")})


@pytest.fixture
def adviser(monkeypatch: pytest.MonkeyPatch) -> StubAdviser:
    made = StubAdviser()
    monkeypatch.setattr("jasstisch.server.workers.tasks.compute_hint", made.hint)
    return made


async def my_turn(table: WatchedTable) -> None:
    await table.until(lambda table: table.turn is not None)


async def hinting(client: Client, game: str = "molotow", **more: Any) -> WatchedTable:
    """A table with hints at which it is the client's turn."""
    seats = more.pop("seats", ["me", *["bot:random"] * 3])
    made = await client.create_table(game, seats, name="Anna", hints=True, start=True, **more)
    table = await client.watch(made.table)
    await my_turn(table)
    return table


async def test_a_hint_is_a_legal_action_with_a_reason(url: str, adviser: StubAdviser) -> None:
    async with Client(url) as anna:
        table = await hinting(anna)
        assert table.room.hints
        advice = await table.ask_hint()
        assert table.turn is not None
        assert advice.action == table.turn.legal[-1]
        assert advice.reason == "duck"
        assert advice.values == {"card": advice.action.removeprefix("play ")}
        assert advice.version == table.version
        await table.act(advice.action)


async def test_a_hint_is_computed_from_the_requesters_view(url: str, adviser: StubAdviser) -> None:
    async with Client(url) as anna:
        table = await hinting(anna)
        await table.ask_hint()
        assert adviser.views == [table.view]


async def test_a_hint_is_sent_to_the_requester_only(url: str, adviser: StubAdviser) -> None:
    table = await new_table(url, game="differenzler", seats=SEATS, hints=True)
    async with websocket(url, TOKEN) as anna, websocket(url, OTHER_TOKEN) as reto:
        await send_and_read(anna, type="watch", seq=1, table=table)
        await send_and_read(reto, type="watch", seq=1, table=table)
        await send_and_read(reto, type="sit", seq=2, table=table, seat=1, name="Reto")
        await send_and_read(anna, type="start", seq=2, table=table)
        done, told = await send_and_read(anna, type="hint", seq=3, table=table)
        assert isinstance(done, messages.Ack)
        assert isinstance(told[-1], messages.HintReply)
        _, others = await send_and_read(reto, type="ping", seq=3)
        assert not any(isinstance(one, messages.HintReply) for one in others)


async def test_a_repeated_request_gets_the_same_hint(url: str, adviser: StubAdviser) -> None:
    async with Client(url) as anna:
        table = await hinting(anna)
        first = await table.ask_hint()
        assert await table.ask_hint() == first
        assert len(adviser.views) == 1
        await table.act(first.action)
        await my_turn(table)
        await table.ask_hint()
        assert len(adviser.views) == 2


async def test_concurrent_hints_of_one_person_are_refused(url: str, adviser: StubAdviser) -> None:
    async with Client(url) as anna:
        table = await hinting(anna)
        adviser.may_answer.clear()
        first = asyncio.create_task(table.ask_hint())
        await asyncio.sleep(0)  # so that it is sent first
        with pytest.raises(RequestError) as caught:
            await table.ask_hint()
        assert caught.value.code == "limit"
        adviser.may_answer.set()
        await first


async def test_a_hint_that_comes_after_the_decision_is_dropped(
    url: str, adviser: StubAdviser
) -> None:
    async with Client(url) as anna:
        table = await hinting(anna)
        adviser.may_answer.clear()
        late = asyncio.create_task(table.ask_hint())
        await asyncio.sleep(0)
        assert table.turn is not None
        await table.act(table.turn.legal[0])
        adviser.may_answer.set()
        with pytest.raises(RequestError, match="wrong_phase: the moment"):
            await late


async def test_hints_are_refused_where_the_table_has_none(url: str, adviser: StubAdviser) -> None:
    async with Client(url) as anna:
        made = await anna.create_table(
            "molotow", ["me", *["bot:random"] * 3], name="Anna", start=True
        )
        table = await anna.watch(made.table)
        await my_turn(table)
        assert not table.room.hints
        with pytest.raises(RequestError, match="wrong_phase: this table was made without hints"):
            await table.ask_hint()
        assert adviser.views == []


async def test_hints_require_a_seat_and_the_turn(url: str, adviser: StubAdviser) -> None:
    table = await new_table(url, game="molotow", seats=SEATS, hints=True, options={"dealer": 3})
    async with websocket(url, TOKEN) as anna, websocket(url, OTHER_TOKEN) as reto:
        assert (await request_error(anna, type="hint", seq=1, table=table)).code == "wrong_phase"
        assert (await request_error(reto, type="hint", seq=1, table=table)).code == "not_seated"
        await send_and_read(reto, type="sit", seq=2, table=table, seat=1, name="Reto")
        await send_and_read(anna, type="start", seq=2, table=table)
        assert (await request_error(reto, type="hint", seq=3, table=table)).code == "wrong_phase"
        assert isinstance(
            (await send_and_read(anna, type="hint", seq=3, table=table))[0], messages.Ack
        )


async def test_a_failed_hint_reveals_no_cards(
    url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(view: Mapping[str, Any], legal: Sequence[str]) -> StubHint:
        raise KeyError(view["hand"][0])

    monkeypatch.setattr("jasstisch.server.workers.tasks.compute_hint", fail)
    async with Client(url) as anna:
        table = await hinting(anna)
        with pytest.raises(RequestError, match="internal"):
            await table.ask_hint()
        assert table.turn is not None
        await table.act(table.turn.legal[0])
        hand = table.view["hand"]
    output = capsys.readouterr()
    logged = output.out + output.err
    assert "hint_failed" in logged
    assert not any(f"'{card}'" in logged for card in hand)


async def test_hints_survive_a_restart(tmp_path: Path, adviser: StubAdviser) -> None:
    async with running_server(tmp_path) as url, Client(url, TOKEN) as anna:
        table = (await hinting(anna)).id
    async with running_server(tmp_path) as url, Client(url, TOKEN) as anna:
        again = await anna.watch(table)
        await my_turn(again)
        await again.ask_hint()


async def test_a_tutorial_has_its_own_hints(url: str) -> None:
    async with Client(url) as anna:
        new = bodies.NewTable(
            game="molotow",
            seats=["me", *["bot:greedy"] * 3],
            start=True,
            guided=True,
            hints=True,
        )
        with pytest.raises(RequestError, match="or hints"):
            await anna.create_table_from(new)


async def test_hints_lead_through_a_whole_match(url: str, adviser: StubAdviser) -> None:
    async with Client(url) as anna:
        table = await hinting(anna, options={"rounds": 1})
        while table.phase != "over":
            await table.until(WatchedTable.is_mine_to_move)
            if table.turn is not None:
                await table.act((await table.ask_hint()).action)
        assert (await anna.record(table.id))["result"]


async def test_bots_of_the_chosen_kind_fill_open_seats(url: str) -> None:
    async with Client(url) as anna:
        made = await anna.create_table(
            "molotow", ["me", "open", "open", "open"], name="Anna", stand_in="random", start=True
        )
        table = await anna.watch(made.table)
        assert [seat.bot for seat in table.room.seats] == [None, "random", "random", "random"]
        with pytest.raises(RequestError, match="unknown stand-in 'nobody'; there is random"):
            await anna.create_table("molotow", ["me", "open", "open", "open"], stand_in="nobody")


async def test_each_game_lists_the_bots_that_know_it(url: str) -> None:
    async with Client(url) as anna:
        games = {info.name: info.computers for info in await anna.games()}
    assert games["molotov"][:3] == ["random", "greedy", "club"]
    assert all(bot(name).name == name for known in games.values() for name in known)


async def test_a_game_without_explainers_refuses_tables_with_hints(
    ramsch: str, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if the bot that computes hints knows the game."""
    monkeypatch.setattr("jasstisch.server.context.HINT_BOT", "random")
    seats = ["me", *["bot:random"] * 3]
    async with Client(url) as anna:
        offered = {game.name: game for game in await anna.games()}
        assert offered[ramsch].computers == ["random"]
        assert [offered[game].hints for game in (ramsch, "molotow")] == [False, True]
        with pytest.raises(RequestError, match="there are no hints for ramsch here") as refused:
            await anna.create_table(ramsch, seats, name="Anna", hints=True, stand_in="random")
        assert refused.value.code == "bad_option"
