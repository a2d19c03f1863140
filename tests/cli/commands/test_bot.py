"""The `bot` command: a bot as client of a running server."""

import asyncio
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Any

import pytest

import jasstisch as jt
from jasstisch.cli.commands import bot
from jasstisch.client import Client, ConnectionLostError, RequestError, WatchedTable
from jasstisch.server.api import bodies
from tests.cli.screen_player import run_cli, scripted_answers
from tests.server.running_server import TOKEN, running_server
from tests.server.websocket_requests import new_table
from tests.support.lying_server import LyingServer

pytestmark = pytest.mark.outside

LOW = """
class Low:
    name = "low"

    def act(self, view, legal, rng):
        return legal[0]

class Cheat(Low):
    def act(self, view, legal, rng):
        return "bid 500"

class Broken(Low):
    def act(self, view, legal, rng):
        raise RuntimeError("no cards today")

class Leaver(Low):
    def act(self, view, legal, rng):
        raise SystemExit(0)

class Jasser(Low):
    games = ("jass",)
"""
NOTHING_PROVES = "Nothing proves the deals of this match: "
REFUSED = (
    f"{NOTHING_PROVES}The server had announced a proof, and does not give out the record that "
    "holds it."
)
UNREACHED = (
    f"{NOTHING_PROVES}The record with the proof has not come yet, because the server does not "
    "answer."
)
LATER = (
    "If you or somebody else from the table gets the record later, “jasstisch verify” checks it."
)
SHORT: dict[str, Any] = {"game": "molotow", "options": {"rounds": 1, "dealer": 0}}
SECONDS = 60


@pytest.fixture
async def url(tmp_path: Path) -> AsyncIterator[str]:
    """The address of a running server."""
    (tmp_path / "mybot.py").write_text(LOW)
    async with running_server(tmp_path) as address:
        yield address


async def run(*words: str) -> tuple[int, str, str]:
    """Runs the command; returns exit status and output."""
    async with asyncio.timeout(SECONDS):
        return await asyncio.to_thread(run_cli, ["bot", *words], scripted_answers())


async def beside(url: str, words: list[str], *, start: bool) -> tuple[tuple[int, str, str], str]:
    """Runs the command for seat 2 at a table where Anna plays randomly; returns its result."""
    table = await new_table(url, seats=["me", "open", "bot:random", "bot:random"], **SHORT)
    async with Client(url, TOKEN) as anna:
        watched = await anna.watch(table)
        running = asyncio.create_task(run("--server", url, "--table", table, "--seat", "2", *words))
        if start:
            await watched.until(lambda one: one.room.seats[1].kind == "person")
        name = watched.room.seats[1].name
        if start:
            await watched.start()
            await playing(watched)
        return await running, name


async def playing(table: WatchedTable) -> None:
    """Makes Anna play her match."""
    await table.play(jt.bot("random"))


async def test_a_bot_plays_a_match_and_leaves(url: str, tmp_path: Path) -> None:
    ended, name = await beside(url, [f"{tmp_path}/mybot.py:Low"], start=True)
    status, printed, errors = ended
    assert (status, errors) == (0, "")
    assert name == "low"
    lines = printed.splitlines()
    assert lines[0] == "low has seat 2."
    assert lines[1] == "Waiting for the match to begin …"
    assert lines[2] == "What the server committed itself to before the first pack:"
    assert re.fullmatch("[0-9a-f]{64}", lines[3])
    assert lines[4].startswith("The match is over: ")
    assert re.match(
        r"(Deals verified|The proof of the deals holds)\. Packs this device helped to shuffle: \d",
        lines[5],
    )
    assert lines[-3].replace(" ", "").endswith(f":{lines[3][:16]}…")
    assert lines[-2].startswith("This device was ")
    assert lines[-1] == "The bot has left the table."


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ConnectionRefusedError("no answer"), f"{UNREACHED} (no answer)"),
        (RequestError(bodies.ErrorBody("busy", "later")), f"{UNREACHED} (busy: later)"),
        (RequestError(bodies.ErrorBody("not_found", "none")), f"{REFUSED} (not_found: none)"),
    ],
)
async def test_a_record_that_does_not_come_leaves_the_deals_unproven_and_the_bot_successful(
    url: str, monkeypatch: pytest.MonkeyPatch, error: Exception, told: str
) -> None:
    async def gone(*_: object, **__: object) -> dict[str, Any]:
        raise error

    monkeypatch.setattr(Client, "record", gone)
    (status, printed, errors), _ = await beside(url, ["greedy"], start=True)
    assert (status, errors) == (0, "")
    lines = printed.splitlines()
    place = lines.index(told)
    assert lines[place + 1] == LATER


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> LyingServer:
    return LyingServer(monkeypatch)


async def ended_in_the_middle(
    url: str, server: LyingServer, *, breach: bool, close: bool
) -> tuple[str, tuple[int, str, str]]:
    """Lets a match end while a bot plays in it: the table is closed, or it is known no more.

    Args:
        url: the server.
        server: what makes it lie.
        breach: whether it also breaks the protocol of fair deals before.
        close: whether the table is closed.

    Returns:
        The table, and how the command ended.
    """
    table = await new_table(url, seats=["me", "open", "bot:random", "bot:random"], **SHORT)
    async with asyncio.timeout(SECONDS), Client(url, TOKEN) as anna:
        watched = await anna.watch(table)
        words = ("--server", url, "--table", table, "--seat", "2", "greedy")
        running = asyncio.create_task(run(*words))
        await watched.until(lambda one: one.room.seats[1].kind == "person")
        await watched.start()
        await watched.until(lambda one: one.turn is not None)
        if breach:
            server.lie = lambda room: room.update(fair=None)
            await watched.say("hello")  # it is Anna's turn, and stays so
            await watched.until(lambda one: one.deal_problem is not None)
        if close:
            await watched.close()
        else:
            server.forget_tables()
            with suppress(RequestError, ConnectionLostError):
                await watched.say("hello")
        return table, await running


@pytest.fixture
def refused_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """No record is given out."""

    async def refused(*_: object, **__: object) -> dict[str, Any]:
        raise RequestError(bodies.ErrorBody("unknown_table", "there is no such table"))

    monkeypatch.setattr(Client, "record", refused)


@pytest.mark.usefixtures("refused_record")
@pytest.mark.parametrize("close", [True, False], ids=["closed", "unknown"])
async def test_a_match_that_ends_in_the_middle_without_its_record_is_named(
    url: str, server: LyingServer, *, close: bool
) -> None:
    table, (status, printed, errors) = await ended_in_the_middle(
        url, server, breach=False, close=close
    )
    named = f"{REFUSED} (unknown_table: there is no such table)"
    assert status == (0 if close else 1)
    assert errors == ("" if close else "jasstisch: unknown_table: there is no table of this id\n")
    assert printed.splitlines().count(named) == 1

    # It is named as well to somebody who starts the bot again.
    words = ("--server", url, "--table", table, "--seat", "2", "greedy")
    status, printed, errors = await run(*words)
    assert status == 1
    assert printed.splitlines().count(named) == 1


@pytest.mark.usefixtures("refused_record")
@pytest.mark.parametrize("close", [True, False], ids=["closed", "unknown"])
async def test_a_breach_is_told_at_the_end_of_a_match_without_a_record(
    url: str, server: LyingServer, *, close: bool
) -> None:
    table, (_, printed, _) = await ended_in_the_middle(url, server, breach=True, close=close)
    broken = "The server has not kept to what it had told about the deals. This device no longer "
    lines = [line[: len(broken)] for line in printed.splitlines()]
    assert lines.count(broken) == 1
    wrong = f"Deals found wrong: {broken}"
    assert sum(line.startswith(wrong) for line in printed.splitlines()) == 1
    assert REFUSED not in printed

    server.lie = None
    status, printed, _ = await run("--server", url, "--table", table, "--seat", "2", "greedy")
    assert status == 1
    assert sum(line.startswith(wrong) for line in printed.splitlines()) == 1


async def test_a_bot_takes_the_name_given(url: str) -> None:
    assert (await beside(url, ["greedy", "--name", "Grete"], start=True))[1] == "Grete"


async def test_programs_alone_play_where_one_starts_the_match(url: str) -> None:
    seats = ["open", "open", "bot:random", "bot:random"]
    table = await new_table(url, seats=seats, starters="all", **SHORT)
    words = ["--server", url, "--table", table, "random"]
    first = asyncio.create_task(run(*words, "--seat", "1", "--start"))
    async with Client(url) as watcher:
        watched = await watcher.watch(table)
        await watched.until(lambda one: one.room.seats[0].kind == "person")
        assert watched.phase == "open"
        both = await asyncio.gather(first, run(*words, "--seat", "2", "--start"))
    assert [(status, errors) for status, _, errors in both] == [(0, ""), (0, "")]
    printed = "".join(output for _, output, _ in both)  # two threads share standard output
    assert "Waiting until no seat is free …\n" in printed
    assert printed.count("The match is over: ") == 2


async def test_a_bot_that_may_not_start_the_match_says_so_and_leaves(url: str) -> None:
    table = await new_table(url, seats=["me", "open", "bot:random", "bot:random"], **SHORT)
    words = ["--server", url, "--table", table, "--seat", "2", "random", "--start"]
    status, printed, errors = await run(*words)
    assert (status, errors) == (
        1,
        "jasstisch: the bot cannot start the match: at this table only the host may\n",
    )
    assert printed.endswith("The bot has left the table.\n")


async def test_a_bot_is_marked_as_a_program_and_yields_its_seat_to_swaps(
    url: str,
) -> None:
    table = await new_table(url, seats=["me", "open", "open", "bot:random"], **SHORT)
    async with Client(url, TOKEN) as anna:
        watched = await anna.watch(table)
        running = asyncio.create_task(
            run("--server", url, "--table", table, "--seat", "2", "random")
        )
        await watched.until(lambda one: one.room.seats[1].kind == "person")
        assert [bool(seat.program) for seat in watched.room.seats] == [False, True, False, False]
        await watched.swap(1)
        assert [bool(seat.program) for seat in watched.room.seats] == [True, False, False, False]
        await watched.start()
        await playing(watched)
        assert (await running)[0] == 0


def test_the_exit_text_tells_winners_and_losers() -> None:
    names = ["Anna", "low", "bot:greedy", "bot:greedy"]
    assert bot._winners_sentence(names, [0]) == "The match is over: Anna won."
    assert (
        bot._winners_sentence(names, [0, 2])
        == "The match is over: Anna and bot:greedy (seat 3) won."
    )
    both = "The match is over: bot:greedy (seats 3 and 4) won."
    assert bot._winners_sentence(names, [2, 3]) == both
    three = "The match is over: low and bot:greedy (seats 3 and 4) won."
    assert bot._winners_sentence(names, [1, 2, 3]) == three
    assert bot._winners_sentence(names, []) == "The match is over: nobody won."


async def test_the_table_link_gives_server_and_key(url: str) -> None:
    table = await new_table(url, seats=["me", "open", "bot:random", "bot:random"], **SHORT)
    async with Client(url, TOKEN) as anna:
        watched = await anna.watch(table)
        await watched.revoke_link()
        link = f"{url}/t/{table}?lang=de#k={watched.room.key}"
        running = asyncio.create_task(run("--table", link, "--seat", "2", "random"))
        await watched.until(lambda one: one.room.seats[1].kind == "person")
        await watched.close()
        assert (await running)[0] == 0
    status, _, errors = await run("--server", url, f"--table={table}", "--seat", "2", "random")
    assert status == 1
    assert errors.startswith("jasstisch: unknown_table: ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--seat", "2", "gredy"], "one of your own is file.py:Class or exec:COMMAND"),
        (["--seat", "2", "mybot.py:Lo"], "mybot.py has no 'Lo'"),
        (["--seat", "5", "greedy"], "the seats of this table are 1 to 4, not 5"),
        (
            ["--seat", "0", "greedy"],
            "a whole number from 1 to 64 is needed, not '0'; seats count from 1",
        ),
        (["--seat", "2", "mybot.py:Jasser"], "bot 'low' does not play molotow"),
        (["--seat", "one", "greedy"], "a whole number from 1 to 64 is needed, not 'one'"),
        (["greedy"], "the following arguments are required: --seat"),
    ],
)
async def test_usage_errors_are_one_line(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    table = await new_table(url, **SHORT)
    status, printed, errors = await run("--server", url, "--table", table, *words)
    assert (status, printed, errors.count("\n")) == (2, "", 1)
    assert said in errors


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--table", "abc"], "name the server with --server URL, or give the whole link"),
        (
            ["--table", "abc", "--server", "ftp://x"],
            "a server's address is like http://127.0.0.1:80",
        ),
        (
            ["--table", "http://a/t/abc", "--server", "http://b"],
            "the link leads to http://a, not to",
        ),
        (
            ["--table", "a b", "--server", "http://b"],
            "a table is a link or the last part of one, not",
        ),
        (["--table", "http://a/", "--server", "http://a"], "a table is a link or the last part"),
    ],
)
def test_an_invalid_table_is_reported_in_one_line(words: list[str], said: str) -> None:
    status, printed, errors = run_cli(["bot", *words, "--seat", "2", "greedy"], scripted_answers())
    assert (status, printed, errors.count("\n")) == (2, "", 1)
    assert said in errors


@pytest.mark.parametrize("table", ["x" * 22, "-x" * 11])
def test_an_unreachable_server_is_reported_in_one_line(table: str) -> None:
    words = ["bot", "--server", "http://127.0.0.1:1", "--table", table, "--seat", "2", "greedy"]
    status, _, errors = run_cli(words, scripted_answers())
    assert (status, errors.count("\n")) == (1, 1)
    assert errors.startswith("jasstisch: http://127.0.0.1:1 cannot be reached: ")


async def test_a_taken_seat_is_refused_by_the_server(url: str) -> None:
    table = await new_table(url, seats=["me", "open", "bot:random", "bot:random"], **SHORT)
    status, printed, errors = await run("--server", url, "--table", table, "--seat", "1", "greedy")
    assert (status, printed, errors.count("\n")) == (1, "", 1)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("Broken", "the bot low failed: RuntimeError: no cards today"),
        ("Leaver", "the bot low failed: BotExitError: it tried to end the program: SystemExit(0)"),
        ("Cheat", "illegal_action: "),
    ],
)
async def test_a_failing_bot_gives_up_its_seat(
    url: str, tmp_path: Path, kind: str, said: str
) -> None:
    ended, _ = await beside(url, [f"{tmp_path}/mybot.py:{kind}"], start=True)
    status, printed, errors = ended
    assert (status, errors.count("\n")) == (1, 1)
    assert errors.startswith(f"jasstisch: {said}")
    assert printed.endswith("The bot has left the table.\n")


async def test_a_bot_removed_by_the_host_exits(url: str) -> None:
    table = await new_table(url, seats=["me", "open", "bot:random", "bot:random"], **SHORT)
    async with asyncio.timeout(SECONDS), Client(url, TOKEN) as anna:
        watched = await anna.watch(table)
        words = ("--server", url, "--table", table, "--seat", "2", "greedy")
        running = asyncio.create_task(run(*words))
        await watched.until(lambda one: one.room.seats[1].kind == "person")
        await watched.remove(1)
        status, _, errors = await running
        assert (status, errors) == (1, "jasstisch: the host took the bot's seat away\n")


@pytest.mark.parametrize("accept", [True, False])
async def test_a_bot_waits_for_the_host_to_start(url: str, accept: bool) -> None:
    table = await new_table(url, seats=["me", "open", "bot:random", "bot:random"], **SHORT)
    async with Client(url, TOKEN) as anna:
        watched = await anna.watch(table)
        await watched.set_entry_policy("host")
        words = ("--server", url, "--table", table, "--seat", "2", "greedy")
        running = asyncio.create_task(run(*words))
        await watched.until(lambda one: bool(one.room.requests))
        await watched.let_in(watched.room.requests[0].number, accept=accept)
        if accept:
            await watched.until(lambda one: one.room.seats[1].kind == "person")
            await watched.close()
        status, printed, errors = await running
        assert printed.startswith("Waiting for the host to admit the bot …\n")
        assert (status, errors) == (
            (0, "") if accept else (1, "jasstisch: the host did not admit the bot\n")
        )


async def test_a_bot_stays_for_rematches(url: str) -> None:
    table = await new_table(url, seats=["me", "open", "bot:random", "bot:random"], **SHORT)
    async with Client(url, TOKEN) as anna:
        watched = await anna.watch(table)
        words = ("--server", url, "--table", table, "--seat", "2", "greedy", "--stay")
        running = asyncio.create_task(run(*words))
        await watched.until(lambda one: one.room.seats[1].kind == "person")
        await watched.start()
        for _ in range(2):
            await playing(watched)
            await watched.declare_ready()
            await watched.until(lambda one: one.phase != "over")
        await watched.close()
        status, printed, errors = await running
        assert (status, errors) == (0, "")
        assert printed.count("The match is over") >= 2


@pytest.mark.parametrize("given", ["never", "later", "after a lost line", "without its proof"])
async def test_a_match_replaced_before_its_record_came_is_named(
    url: str, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    """Until then the server could have drawn its packs again by the next match."""
    honest, asked, refused = Client.record, list[int | None](), Event()

    async def withheld(
        client: Client, table: str, key: str | None = None, *, match: int | None = None
    ) -> dict[str, Any]:
        asked.append(match)
        if match == 1 and (given == "never" or asked.count(1) == 1):
            refused.set()
            raise RequestError(bodies.ErrorBody("not_found", "there is no such match"))
        if match == 1 and given == "after a lost line" and asked.count(1) == 2:
            raise ConnectionRefusedError
        record = await honest(client, table, key, match=match)
        if given == "without its proof":
            del record["fair"]
        return record

    monkeypatch.setattr(Client, "record", withheld)
    table = await new_table(url, seats=["me", "open", "bot:random", "bot:random"], **SHORT)
    async with Client(url, TOKEN) as anna:
        watched = await anna.watch(table)
        words = ("--server", url, "--table", table, "--seat", "2", "greedy", "--stay")
        running = asyncio.create_task(run(*words))
        await watched.until(lambda one: one.room.seats[1].kind == "person")
        await watched.start()
        for _ in range(2):
            await playing(watched)
            assert await asyncio.to_thread(refused.wait, 60)
            await watched.declare_ready()
            await watched.until(lambda one: one.phase != "over")
        await watched.close()
        status, printed, errors = await running
    assert (status, errors) == (0, "")
    lines = printed.splitlines()
    assert f"{REFUSED} (not_found: there is no such match)" in lines
    named = "Matches at this table whose announced proof of the deals was not given out: 1"
    assert lines.count(named) == (given == "never")
    unreached = "Matches at this table whose record could not be fetched to check the deals "
    assert sum(line.startswith(unreached) for line in lines) == (given == "after a lost line")
    earlier = "Earlier match at this table, number 1:"
    assert lines.count(earlier) == (given != "never")
    if given != "never":
        told = lines[lines.index(earlier) + 1]
        wrong = "Deals found wrong: The server had announced deals with a proof, and the proof is"
        holds = ("The proof of the deals holds.", "Deals verified.")
        assert told.startswith(wrong if given == "without its proof" else holds)


async def test_ctrl_c_gives_up_the_seat(url: str) -> None:
    await interrupted(url, "greedy")


async def test_ctrl_c_kills_a_program_that_is_thinking(url: str, tmp_path: Path) -> None:
    program, thinking = tmp_path / "slow.py", tmp_path / "thinking"
    program.write_text(
        "import json, time\n"
        "input()\n"
        "print(json.dumps({'protocol': 'jasstisch-bot/1', 'name': 'slow'}), flush=True)\n"
        "input()\n"
        "print('{}', flush=True)\n"
        "input()\n"
        f"open({str(thinking)!r}, 'w').close()\n"
        "time.sleep(600)\n"
    )
    await interrupted(url, f"exec:{sys.executable} -S -E {program}", thinking)


async def interrupted(url: str, bot: str, thinking: Path | None = None) -> None:
    """Presses Ctrl-C while a bot waits for the start or for its program."""
    table = await new_table(url, seats=["me", "open", "bot:random", "bot:random"], **SHORT)
    async with Client(url, TOKEN) as anna, asyncio.timeout(SECONDS):
        watched = await anna.watch(table)
        words = ["bot", "--server", url, "--table", table, "--seat", "2", bot]
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "jasstisch", *words),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        await watched.until(lambda one: one.room.seats[1].kind == "person")
        if thinking is not None:
            await watched.start()
            while not thinking.exists():  # noqa: ASYNC110, ASYNC240 - a file is quick
                await asyncio.sleep(0.01)
        process.send_signal(signal.SIGINT)
        await watched.until(lambda one: one.room.seats[1].kind != "person")
        printed, errors = await process.communicate()
        assert (process.returncode, errors.strip()) == (130, b"")
        assert printed.decode().endswith("The bot has left the table.\n")
