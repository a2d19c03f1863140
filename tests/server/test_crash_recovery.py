"""The server is killed during a round: every acknowledged action is kept, and play continues."""

import asyncio
import time
from pathlib import Path

import pytest

import jasstisch as jt
from jasstisch.bots import bot
from jasstisch.client import Client, ConnectionLostError, WatchedTable
from jasstisch.storage import SqliteStore
from jasstisch.table.events import Acted
from tests.server.running_server import ServerProcess

pytestmark = pytest.mark.outside

PLAYED_BEFORE_A_KILL = 7
KILLS = 4
PATIENCE = 120.0
"""Seconds after which a server is there again, however busy the machine is."""


async def acknowledged_actions(table: WatchedTable, most: int) -> list[str]:
    """Plays until so many actions are acknowledged or the match is over; returns them."""
    done: list[str] = []
    while len(done) < most and table.phase != "over":
        await table.until(WatchedTable.is_mine_to_move)
        if table.turn is not None:
            action = table.turn.legal[0]
            await table.act(action)
            done.append(action)
        elif table.phase == "between":
            await table.declare_ready()
    return done


async def test_repeated_kills_lose_no_acknowledged_action(
    tmp_path: Path,
) -> None:
    server = await asyncio.to_thread(ServerProcess, tmp_path)
    try:
        async with Client(server.url, patience=PATIENCE) as client:
            made = await client.create_table(
                "differenzler",
                ["me", "bot:random", "bot:greedy", "bot:random"],
                name="Anna",
                options={"rounds": 4},
                start=True,
            )
            table = await client.watch(made.table)
            done: list[str] = []
            for _ in range(KILLS):
                done += await acknowledged_actions(table, PLAYED_BEFORE_A_KILL)
                assert table.phase == "playing"
                version = table.version
                port = server.port
                log = await asyncio.to_thread(server.kill)
                assert "play " not in log
                assert "bid " not in log
                server = await asyncio.to_thread(ServerProcess, tmp_path, port)
                await table.until(lambda table: table.is_current)
                assert table.version >= version
                assert table.seat == 0
            done += await acknowledged_actions(table, 10**6)
            record = await client.record(made.table)
    finally:
        await asyncio.to_thread(server.kill)
    match = jt.Match.from_record(record)
    assert match.winners == table.view["winners"]
    mine = [action for seat, action in record["log"] if seat == 0]
    assert mine == done
    store = SqliteStore(tmp_path / "tables.sqlite3")
    stored = await store.load(made.table)
    await store.close()
    kept = [event.action for event in stored if isinstance(event, Acted) and event.seat == 0]
    assert kept == done


async def test_a_kill_at_any_moment_leaves_a_playable_table(tmp_path: Path) -> None:
    """The kill comes while requests are on their way: each is done wholly or not at all."""
    server = await asyncio.to_thread(ServerProcess, tmp_path)
    try:
        async with Client(server.url, patience=PATIENCE) as client:
            made = await client.create_table(
                "molotov",
                ["me", *["bot:random"] * 3],
                name="Anna",
                options={"target": 1},
                start=True,
            )
            table = await client.watch(made.table)
            playing = asyncio.create_task(table.play(bot("random")))
            for moment in (0.05, 0.11, 0.17):
                await asyncio.sleep(moment)
                port = server.port
                await asyncio.to_thread(server.kill)
                server = await asyncio.to_thread(ServerProcess, tmp_path, port)
            await playing
            assert jt.Match.from_record(await client.record(made.table)).over
    finally:
        await asyncio.to_thread(server.kill)


async def test_the_client_reports_a_server_that_stays_away(tmp_path: Path) -> None:
    server = await asyncio.to_thread(ServerProcess, tmp_path)
    async with Client(server.url, patience=0.2) as client:
        made = await client.create_table("molotov", ["me", *["open"] * 3], name="Anna", start=True)
        table = await client.watch(made.table)
        playing = asyncio.create_task(table.play(bot("random")))
        await asyncio.to_thread(server.kill)
        (outcome,) = await asyncio.gather(playing, return_exceptions=True)
        assert isinstance(outcome, ConnectionLostError)


def children(parent: int) -> list[Path]:
    """The child processes of a process, from /proc."""
    told = Path(f"/proc/{parent}/task/{parent}/children")
    return [Path("/proc", number) for number in told.read_text().split()]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc to find processes")
def test_worker_processes_end_with_a_killed_server(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    started = children(server.process.pid)
    assert started
    server.kill()
    while any(child.exists() and "Z" not in state(child) for child in started):
        time.sleep(0.05)


def state(process: Path) -> str:
    """The state letter of a process; Z is a zombie."""
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"
