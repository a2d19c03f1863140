"""Warm-up: the server works while bots are being prepared, and no unprepared bot plays."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, ClassVar

import pytest

from jasstisch.bots import BUILT_IN, View, bot
from jasstisch.client import Client, RequestError, WatchedTable
from jasstisch.server.context import ServerContext
from jasstisch.server.workers import warmup
from jasstisch.server.workers.fair_scheduler import FairWorkerPool
from jasstisch.server.workers.worker import ThreadWorker
from jasstisch.storage import SqliteStore
from tests.server.running_server import running_server_with

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = pytest.mark.outside

AGES = 60.0


class SlowToPrepareBot:
    """A bot whose preparation for a game ends when the test allows."""

    name = "slow"
    games = ("molotov", "molotow")
    began: ClassVar[list[str]] = []
    played: ClassVar[list[str]] = []
    gates: ClassVar[dict[str, threading.Event]] = {}

    def prepare(self, game: str) -> None:
        self.began.append(game)
        assert self.gates[game].wait(AGES)
        if game == "molotow":
            raise RuntimeError("this game cannot be made ready")

    def act(self, view: View, legal: Sequence[str], rng: Random) -> str:
        self.played.append(view["game"])
        return legal[0]


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> type[SlowToPrepareBot]:
    monkeypatch.setattr(SlowToPrepareBot, "began", [])
    monkeypatch.setattr(SlowToPrepareBot, "played", [])
    monkeypatch.setattr(
        SlowToPrepareBot, "gates", {game: threading.Event() for game in SlowToPrepareBot.games}
    )
    monkeypatch.setitem(BUILT_IN, "slow", (__name__, "SlowToPrepareBot"))
    for own in ("club", "master"):
        monkeypatch.delitem(BUILT_IN, own)
    return SlowToPrepareBot


@asynccontextmanager
async def starting(folder: Path) -> "AsyncIterator[tuple[str, ServerContext]]":
    """A server that has just begun to prepare its bots."""
    services = ServerContext(
        SqliteStore(folder / "tables.sqlite3"), worker_pool=FairWorkerPool([ThreadWorker()])
    )
    async with running_server_with(services, folder) as url:
        preparing = services.start_warmup(ThreadWorker())
        try:
            yield url, services
        finally:
            for gate in SlowToPrepareBot.gates.values():
                gate.set()
            await asyncio.wait_for(preparing, AGES)


async def until(table: WatchedTable, reached: Callable[[WatchedTable], bool]) -> None:
    """Waits until the table is as wanted, with a timeout."""
    async with asyncio.timeout(AGES):
        await table.until(reached)


async def eventually(holds: Callable[[], bool]) -> None:
    """Waits for an effect of another thread."""
    async with asyncio.timeout(AGES):
        while not holds():  # noqa: ASYNC110 - a bot knows no events
            await asyncio.sleep(0.01)


def my_turn(table: WatchedTable) -> bool:
    return table.turn is not None


def legal(table: WatchedTable) -> Sequence[str]:
    assert table.turn is not None
    return table.turn.legal


async def not_ready(client: Client) -> dict[str, list[str]]:
    """The bots of each game that are not ready."""
    return {game.name: game.preparing for game in await client.games() if game.preparing}


async def test_the_server_responds_at_once_and_lists_bots_that_are_not_ready(
    tmp_path: Path, slow: type[SlowToPrepareBot]
) -> None:
    async with starting(tmp_path) as (url, _), Client(url) as anna:
        assert await not_ready(anna) == {"molotov": ["slow"], "molotow": ["slow"]}
        made = await anna.create_table(
            "molotov", ["me", *["bot:greedy"] * 3], name="Anna", start=True
        )
        table = await anna.watch(made.table)
        await until(table, my_turn)
        await table.act(legal(table)[0])
        assert slow.played == []


async def test_a_table_waits_for_a_bot_that_is_not_ready_and_says_so(
    tmp_path: Path, slow: type[SlowToPrepareBot]
) -> None:
    async with starting(tmp_path) as (url, _), Client(url) as anna:
        seats = ["me", "bot:greedy", "bot:slow", "bot:slow"]
        made = await anna.create_table(
            "molotov", seats, name="Anna", pause=0, start=True, options={"dealer": 3}
        )
        table = await anna.watch(made.table)
        playing = asyncio.create_task(table.play(bot("greedy")))
        await until(table, lambda table: table.view["to_act"] == [2])
        await until(table, lambda table: table.preparing == [False, False, True, True])
        # Nobody plays in its name, however long that takes.
        version = table.version
        await asyncio.sleep(0.2)
        assert (table.version, slow.played) == (version, [])
        slow.gates["molotov"].set()
        await until(table, lambda table: not any(table.preparing))
        await until(table, lambda table: len(table.view["tricks"]) > 1)
        playing.cancel()
        assert slow.played
        assert await not_ready(anna) == {"molotow": ["slow"]}


async def test_a_game_that_a_table_waits_for_is_prepared_next(
    tmp_path: Path, slow: type[SlowToPrepareBot], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slow, "games", ("jass", "molotov", "offenbach"))
    monkeypatch.setattr(slow, "gates", {game: threading.Event() for game in slow.games})
    async with starting(tmp_path) as (url, services), Client(url) as anna:
        await anna.games()
        waiting = asyncio.create_task(services.warmup.wait_ready("slow", "offenbach"))
        await eventually(lambda: slow.began == ["jass"])
        slow.gates["jass"].set()
        await eventually(lambda: len(slow.began) == 2)
        assert slow.began == ["jass", "offenbach"]
        slow.gates["offenbach"].set()
        await asyncio.wait_for(waiting, AGES)


async def test_a_bot_that_fails_to_prepare_is_reported_and_blocks_nobody(
    tmp_path: Path, slow: type[SlowToPrepareBot], capsys: pytest.CaptureFixture[str]
) -> None:
    async with starting(tmp_path) as (url, _), Client(url) as anna:
        for gate in slow.gates.values():
            gate.set()
        while await not_ready(anna):  # noqa: ASYNC110 - it is asked over HTTP
            await asyncio.sleep(0.01)
        made = await anna.create_table(
            "molotow", ["me", *["bot:slow"] * 3], name="Anna", start=True
        )
        table = await anna.watch(made.table)
        await until(table, my_turn)
    output = capsys.readouterr()
    assert "player_not_ready" in output.out + output.err


async def test_a_returning_person_does_not_wait_for_an_unprepared_substitute(
    tmp_path: Path, slow: type[SlowToPrepareBot]
) -> None:
    """The table waits for the substitute; the person may act meanwhile, and the others play on."""
    async with starting(tmp_path) as (url, _), Client(url) as anna, Client(url) as reto:
        made = await anna.create_table(
            "molotov",
            ["me", "open", "bot:greedy", "bot:greedy"],
            name="Anna",
            pause=0,
            stand_in="slow",
            options={"dealer": 3},
        )
        table = await anna.watch(made.table)
        other = await reto.watch(made.table)
        await other.sit(1, "Reto")
        await table.start()
        await until(table, my_turn)
        await table.stand()
        await until(other, lambda table: table.preparing[0])
        await table.sit(0, "Anna")
        await until(table, my_turn)
        await table.act(legal(table)[0])
        await until(other, my_turn)
        await other.act(legal(other)[0])
        await until(table, lambda table: bool(table.view["tricks"]))
        assert slow.played == []


async def test_hints_are_refused_until_they_are_ready(
    tmp_path: Path, slow: type[SlowToPrepareBot], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("context", "tables.hints"):
        monkeypatch.setattr(f"jasstisch.server.{module}.HINT_BOT", "slow")
    async with starting(tmp_path) as (url, _), Client(url) as anna:
        assert {game.name for game in await anna.games() if game.hints} == set(slow.games)
        with pytest.raises(RequestError, match="there are no hints for jass"):
            await anna.create_table("jass", ["me", "open"], name="Anna", hints=True)
        made = await anna.create_table(
            "molotov", ["me", *["bot:greedy"] * 3], name="Anna", start=True, hints=True
        )
        table = await anna.watch(made.table)
        await until(table, my_turn)
        with pytest.raises(RequestError) as refused:
            await table.ask_hint()
        assert refused.value.code == "not_ready"


async def test_slow_warm_up_logs_its_progress(
    tmp_path: Path,
    slow: type[SlowToPrepareBot],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(warmup, "_PROGRESS_LOG_AFTER_S", 0.0)
    async with starting(tmp_path) as (url, _), Client(url) as anna:
        await anna.games()
        await eventually(lambda: slow.began == ["molotov"])
        await asyncio.sleep(0.01)
        for gate in slow.gates.values():
            gate.set()
    output = capsys.readouterr()
    said = output.out + output.err
    assert "preparing_players" in said
    assert "players_ready" in said
    for words in ("molotov", "molotow"):
        assert words in said


async def test_a_server_stopped_during_warm_up_does_not_report_readiness(
    tmp_path: Path,
    slow: type[SlowToPrepareBot],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(warmup, "_PROGRESS_LOG_AFTER_S", 0.0)
    services = ServerContext(
        SqliteStore(tmp_path / "tables.sqlite3"), worker_pool=FairWorkerPool([ThreadWorker()])
    )
    async with running_server_with(services, tmp_path):
        preparing = services.start_warmup(ThreadWorker())
        await eventually(lambda: slow.began == ["molotov"])
        await asyncio.sleep(0.01)
        services.close()
        await asyncio.wait([preparing], timeout=AGES)
        for gate in slow.gates.values():
            gate.set()
    assert preparing.cancelled()
    output = capsys.readouterr()
    assert "preparing_players" in output.out + output.err
    assert "players_ready" not in output.out + output.err
