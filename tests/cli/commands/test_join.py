"""`jasstisch join`: a person at a terminal plays at a table of a server."""

import asyncio
import json
import re
import stat
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest

import jasstisch as jt
from jasstisch.cli.game import user_state
from jasstisch.cli.game.table_feed import TableFeed
from jasstisch.client import Client, ConnectionLostError, DealMemory, RequestError, WatchedTable
from jasstisch.engine.errors import GameError
from jasstisch.server.api import bodies, messages
from jasstisch.server.limits.server_limits import Limits
from jasstisch.storage import SqliteStore
from jasstisch.table import State, events
from jasstisch.table.client_state import FairDealState
from tests.cli.screen_player import ScreenPlayer, run_cli, scripted_answers
from tests.server.running_server import TOKEN, running_server
from tests.server.websocket_requests import new_table
from tests.support.dead_line import Dead, DeadLine
from tests.support.lying_server import LyingServer

pytestmark = pytest.mark.outside

SHORT: dict[str, Any] = {"game": "molotow", "options": {"rounds": 1, "dealer": 0}}
SEATS = ["me", "open", "bot:random", "bot:random"]
SECONDS = 60
REFUSED = (
    "Nothing proves the deals of this match: The server had announced a proof, and does not give "
    "out the record that holds it."
)
UNREACHED = (
    "Nothing proves the deals of this match: The record with the proof has not come yet, because "
    "the server does not answer."
)
LATER = (
    "If you or somebody else from the table gets the record later, “jasstisch verify” checks it."
)
Typing = Callable[[str], str | None]


@pytest.fixture
async def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    """The address of a running server, with an empty folder for user state."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    async with running_server(tmp_path) as address:
        yield address


@pytest.fixture
async def patient_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    """The same of one that waits for commitments to the first pack, as an operator's does."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    limits = Limits(message_burst=10**9)  # the people here play faster than anybody
    async with running_server(tmp_path, limits=limits, committing_seconds=2.0) as address:
        yield address


async def join(answer: Typing, *words: str) -> tuple[int, str, str]:
    """Runs the command; returns exit status and output."""
    async with asyncio.timeout(SECONDS):
        return await asyncio.to_thread(run_cli, ["join", *words], answer)


async def with_anna(
    url: str, answer: Typing, *words: str, table: dict[str, Any] | None = None
) -> tuple[int, str, str]:
    """Joins Anna's table; she starts the match once another person sits, and plays randomly."""
    made = await new_table(url, seats=SEATS, **(table or SHORT))
    async with Client(url, TOKEN) as anna:
        watched = await anna.watch(made)
        joining = asyncio.create_task(join(answer, f"{url}/t/{made}", "--name", "Beat", *words))
        await watched.until(lambda one: one.room.seats[1].kind == "person")
        assert watched.room.seats[1].name == "Beat"
        await watched.say("hello")
        await watched.start()
        playing = asyncio.create_task(watched.play(jt.bot("random")))
        ended = await joining
        playing.cancel()
        return ended


@pytest.mark.parametrize("game", ["molotow", "schieber", "differenzler", "i-doubt-it"])
async def test_a_match_can_be_played_with_a_remote_person(url: str, game: str) -> None:
    options = {"i-doubt-it": {"rounds": 1, "max_turns": 20}, "molotow": {"rounds": 1}}
    table = {"game": game, "options": options.get(game, {"rounds": 4})}
    person = ScreenPlayer()
    status, screen, errors = await with_anna(url, person, table=table)
    assert (status, errors) == (0, "")
    assert "You sit at " in screen
    assert "Anna says: Hello everybody!\n" in screen
    assert " the match. ─" in screen or " win. ─" in screen
    assert "Replay and analysis: http" in screen
    assert "Packs this device helped to shuffle: " in screen
    assert "Deals found wrong" not in screen
    assert person.match_question(person.questions[-1], "play.rematch")
    assert "Beat" not in screen


NOT_GIVEN_OUT = "Matches at this table whose announced proof of the deals was not given out: 1 "
NOT_FETCHED = (
    "Matches at this table whose record could not be fetched to check the deals "
    "(“jasstisch verify” can do so later): 1 "
)


@pytest.mark.parametrize(
    ("failure", "named"),
    [
        pytest.param(
            RequestError(bodies.ErrorBody("not_found", "no such match")),
            NOT_GIVEN_OUT,
            id="refused",
        ),
        pytest.param(
            RequestError(bodies.ErrorBody("busy", "try again")), NOT_FETCHED, id="busy server"
        ),
        pytest.param(ConnectionRefusedError("no answer"), NOT_FETCHED, id="no network"),
    ],
)
async def test_a_match_replaced_before_its_record_came_is_named(
    url: str, monkeypatch: pytest.MonkeyPatch, failure: Exception, named: str
) -> None:
    honest = Client.record

    async def withheld(
        client: Client, table: str, key: str | None = None, *, match: int | None = None
    ) -> dict[str, Any]:
        if match == 1:
            raise failure
        return await honest(client, table, key, match=match)

    monkeypatch.setattr(Client, "record", withheld)
    made = await new_table(url, seats=SEATS, **SHORT)
    async with Client(url, TOKEN) as anna:
        table = await anna.watch(made)
        person = ScreenPlayer(rematch="y")
        joining = asyncio.create_task(join(person, f"{url}/t/{made}", "--name", "Beat"))
        await table.until(lambda one: one.room.seats[1].kind == "person")
        await table.start()
        for _ in range(2):
            await table.play(jt.bot("random"))
            await table.declare_ready()
            await table.until(lambda one: one.phase != "over")
        await table.close()
        _, screen, _ = await joining
    screen = " ".join(screen.split())
    refused = named == NOT_GIVEN_OUT
    assert f"{REFUSED if refused else UNREACHED} {LATER} A rematch?" in screen
    # What could not be fetched is asked for again with each match.
    assert screen.count(named) == (1 if refused else 2)
    assert screen.count("Matches at this table whose ") == screen.count(named)


async def end_match(server: LyingServer, table: WatchedTable, *, how: str, breach: bool) -> None:
    """Lets a match end, perhaps after a breach of the protocol of fair deals."""
    if breach:
        server.lie = lambda room: room.update(fair=None)
        await table.say("hello")
    if how == "closed":
        await table.close()
    elif how == "unknown":
        server.forget_tables()
        with suppress(RequestError, ConnectionLostError):
            await table.say("hello")
    else:
        server.ban_everybody()


@pytest.mark.parametrize("how", ["closed", "unknown", "banned"])
@pytest.mark.parametrize("breach", [False, True], ids=["", "after a breach"])
async def test_a_match_that_ends_in_the_middle_without_its_record_is_named(
    url: str, monkeypatch: pytest.MonkeyPatch, *, how: str, breach: bool
) -> None:
    """Also to somebody who starts the program again. A breach is told, whatever comes then."""
    server, opened = LyingServer(monkeypatch), following_opened(monkeypatch)
    person, loop = ScreenPlayer(), asyncio.get_running_loop()
    made = await new_table(url, seats=SEATS, **SHORT)

    async def refused(*_: object, **__: object) -> dict[str, Any]:
        raise RequestError(bodies.ErrorBody("unknown_table", "there is no such table"))

    monkeypatch.setattr(Client, "record", refused)
    async with Client(url, TOKEN) as anna:
        table = await anna.watch(made)

        def answer(screen: str) -> str:
            if person.match_question(screen.rpartition("\n")[2], "ask.card"):
                ending = end_match(server, table, how=how, breach=breach)
                asyncio.run_coroutine_threadsafe(ending, loop).result()
                if how == "banned":
                    socket = opened[0].client._socket
                    assert socket is not None
                    opened[0].run_on_loop(socket.close())
            return person(screen)

        joining = asyncio.create_task(join(answer, f"{url}/t/{made}", "--name", "Beat"))
        await table.until(seated)
        await table.start()
        playing = asyncio.create_task(table.play(jt.bot("random")))
        _, screen, _ = await joining
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
    broken = "The server has not kept to what it had told about the deals."
    named = f"Deals found wrong: {broken}" if breach else f"{REFUSED} {LATER}"
    told = " ".join(screen.split())
    assert told.count(named) == 1
    assert told.count(broken) == 2 * breach
    assert (REFUSED in told) != breach

    server.lie = None
    status, screen, _ = await join(scripted_answers(), f"{url}/t/{made}")
    assert status == 1
    assert " ".join(screen.split()).count(named) == 1


async def test_the_commitment_of_the_server_is_shown_short_and_whole_with_the_rules(
    patient_url: str,
) -> None:
    player = ScreenPlayer()
    asked: list[str] = []

    def reads_the_rules_first(screen: str) -> str:
        asked.append(screen)
        return "r" if len(asked) == 1 else player(screen)

    _, screen, _ = await with_anna(patient_url, reads_the_rules_first)
    label = "What the server committed itself to before the first pack:"
    short = re.findall(rf"^{label} ((?:[0-9a-f]{{4}} ){{4}}…)", screen, re.MULTILINE)
    assert "r: all 64 digits" in asked[0]
    (whole,) = re.findall(r"^[0-9a-f]{64}$", screen, re.MULTILINE)
    assert [one.replace(" ", "") for one in short] == [f"{whole[:16]}…"] * 2
    assert "This device was told the same at the start of the match." in screen


async def test_a_server_that_speaks_of_the_deals_no_more_is_told_at_once_and_in_the_end(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = State._fair_state

    def silent_from_the_second_pack(state: State) -> FairDealState | None:
        return None if state.packs_dealt > 1 else honest(state)

    monkeypatch.setattr(State, "_fair_state", silent_from_the_second_pack)
    table = {"game": "differenzler", "options": {"rounds": 4}}
    status, screen, _ = await with_anna(url, ScreenPlayer(), table=table)
    lines = screen.splitlines()
    told = "The server has not kept to what it had told about the deals."
    found = [number for number, line in enumerate(lines) if told in line]
    assert status == 0
    assert len(found) == 2
    assert lines[found[1]].startswith("Deals found wrong: ")
    assert any("Trick 1 of 9" in line for line in lines[found[0] : found[1]])


async def test_the_language_is_that_of_the_person_who_joins(url: str) -> None:
    status, screen, _ = await with_anna(url, ScreenPlayer(language="de"), "--lang", "de")
    assert status == 0
    assert "Anna sagt: Grüezi mitenand!\n" in screen
    assert "Stich 1 von 9" in screen


async def test_illegal_moves_are_refused_with_the_reason(url: str) -> None:
    """The server names the clause; the text is the one used in a local match."""
    person = ScreenPlayer()
    tried: list[str] = []

    def answer(screen: str) -> str | None:
        question = screen.rpartition("\n")[2]
        if person.match_question(question, "ask.card") and len(tried) < 3:
            tried.append(["zzz", "AC as K", "99"][len(tried)])
            return tried[-1]
        return person(screen)

    status, screen, _ = await with_anna(url, answer)
    assert status == 0
    assert screen.count("Type a number below a card") >= 2


async def test_leaving_keeps_the_seat_for_a_later_join(url: str, tmp_path: Path) -> None:
    """The identity is in a private file and is printed nowhere."""
    made = await new_table(url, seats=SEATS, **SHORT)
    link = f"{url}/t/{made}"
    async with Client(url, TOKEN) as anna:
        table = await anna.watch(made)
        joining = asyncio.create_task(join(leaving(), link, "--name", "Beat"))
        await table.until(lambda one: one.room.seats[1].kind == "person")
        await table.start()
        playing = asyncio.create_task(table.play(jt.bot("random")))
        status, screen, errors = await joining
        assert (status, errors) == (0, "")
        assert screen.endswith(f"Your seat is kept. To come back: jasstisch join {link}\n")
        assert table.room.seats[1].name == "Beat"
        path = user_state.token_file(url)
        token = path.read_text()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert token not in screen + errors
        assert path.is_relative_to(tmp_path / "state")
        status, again, _ = await join(ScreenPlayer(), link)
        assert status == 0
        assert "Your name" not in again
        assert " the match. ─" in again or "share the win" in again
        playing.cancel()


def leaving() -> Typing:
    """Leaves at the first question of the match."""
    lines = iter(["q", "y"])
    return lambda _: next(lines, None)


async def test_a_program_started_again_remembers_the_deals(
    patient_url: str, tmp_path: Path
) -> None:
    url = patient_url
    made = await new_table(url, seats=SEATS, game="differenzler", options={"rounds": 4})
    player = ScreenPlayer()

    def leave_at_the_second_round(screen: str) -> str | None:
        return None if "Round 2" in screen else player(screen)

    async with Client(url, TOKEN) as anna:
        table = await anna.watch(made)
        link = f"{url}/t/{made}"
        joining = asyncio.create_task(join(leave_at_the_second_round, link, "--name", "Beat"))
        await table.until(lambda one: one.room.seats[1].kind == "person")
        await table.start()
        playing = asyncio.create_task(table.play(jt.bot("random")))
        await joining
        (kept,) = user_state.deals_dir().iterdir()
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        status, screen, _ = await join(player, link)
        assert status == 0
        await playing
        record = await anna.record(made)
    assert re.search(r"Packs this device helped to shuffle: (\d+) of \1$", screen, re.MULTILINE)
    file = tmp_path / "match.jass.json"
    file.write_text(json.dumps(record))
    status, printed, _ = await asyncio.to_thread(run_cli, ["verify", str(file)], lambda _: None)
    assert status == 0
    assert printed.startswith("All deals are verified.\n")


async def test_end_of_input_keeps_the_seat(url: str) -> None:
    status, screen, _ = await with_anna(url, scripted_answers())
    assert status == 0
    assert "Your seat is kept. To come back: jasstisch join http" in screen


async def test_the_client_reconnects_and_the_match_continues(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = following_opened(monkeypatch)
    person, cut = ScreenPlayer(), iter([False, True, False, False, True])

    def answer(screen: str) -> str | None:
        if person.match_question(screen.rpartition("\n")[2], "ask.card") and next(cut, False):
            socket = opened[0].client._socket
            assert socket is not None
            opened[0].run_on_loop(socket.close())
        return person(screen)

    status, screen, errors = await with_anna(url, answer)
    assert (status, errors) == (0, "")
    assert screen.count("Connection lost. Reconnecting …\n") == 2
    assert screen.count("Connected again.\n") == 2
    assert screen.count("\nTrick 9 ") == 2, "each trick is told once, beside its question"


async def join_over(
    line: DeadLine, url: str, answer: Callable[[Callable[[Dead], None], str], str | None]
) -> tuple[str, tuple[int, str, str]]:
    """Joins a table of Differenzler over a line, against Anna, who plays randomly.

    Args:
        line: the line, which delivers late in the end what it holds.
        url: the server.
        answer: answers the screen; it can let the line die first.

    Returns:
        The table, and how the command ended.
    """
    loop = asyncio.get_running_loop()

    async def die(dead: Dead) -> None:
        line.die(dead)

    def die_now(dead: Dead) -> None:
        asyncio.run_coroutine_threadsafe(die(dead), loop).result()

    made = await new_table(url, seats=SEATS, game="differenzler", options={"rounds": 4})
    async with Client(url, TOKEN) as anna:
        watched = await anna.watch(made)
        link = f"http://127.0.0.1:{line.port}/t/{made}"
        typing = partial(answer, die_now)
        joining = asyncio.create_task(join(typing, link, "--name", "Beat"))
        await watched.until(seated)
        await watched.start()
        playing = asyncio.create_task(watched.play(jt.bot("random")))
        ended = await joining
        await line.deliver_late()
        playing.cancel()
    return made, ended


@pytest.mark.parametrize("dead", ["both ways", "from the server"])
async def test_a_bid_and_a_card_on_a_dead_line_are_sent_once_and_the_person_is_told(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, dead: Dead
) -> None:
    monkeypatch.setattr("jasstisch.cli.game.table_feed._SILENCE_S", 0.5)
    monkeypatch.setattr("jasstisch.cli.game.remote_match._LATE_S", 0.1)
    person, asked = ScreenPlayer(), Counter[str]()

    def answer(die: Callable[[Dead], None], screen: str) -> str | None:
        question = screen.rpartition("\n")[2]
        kind = "bid" if person.match_question(question, "ask.bid") else "card"
        asked[kind] += 1
        if asked[kind] == 1:
            die(dead)
        return person(screen) if asked["card"] < 3 else None

    async with DeadLine(urlsplit(url).port or 0) as line:
        made, (status, screen, errors) = await join_over(line, url, answer)
    assert (status, errors, asked) == (0, "", {"bid": 1, "card": 3})
    assert screen.count("Being sent …\n") >= 2
    assert screen.count("Connection lost. Reconnecting …\n") >= 2
    assert screen.count("Connected again.\n") >= 2
    assert "Too late" not in screen
    assert "connection broke" not in screen
    log = await SqliteStore(tmp_path / "tables.sqlite3").load(made)
    done = [one.action for one in log if isinstance(one, events.Acted) and one.seat == 1]
    assert [one.split()[0] for one in done] == ["bid", "play", "play"]


async def test_an_outcome_that_nobody_knows_is_told_and_the_table_shows_it(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jasstisch.cli.game.table_feed._SILENCE_S", 0.5)
    monkeypatch.setattr("jasstisch.server.tables.client_sessions._MAX_SESSIONS", 0)
    person, asked = ScreenPlayer(), Counter[str]()

    def answer(die: Callable[[Dead], None], screen: str) -> str | None:
        assert person.match_question(screen.rpartition("\n")[2], "ask.bid")
        asked["bid"] += 1
        if asked["bid"] == 1:
            die("both ways")
        return "28" if asked["bid"] == 1 else None

    async with DeadLine(urlsplit(url).port or 0) as line:
        _, (_, screen, _) = await join_over(line, url, answer)
    assert asked == {"bid": 2}
    told = (
        "The connection broke before this arrived. Do it again if you do not see it at the table."
    )
    assert " ".join(screen.split()).count(told) == 1


async def test_a_join_code_finds_the_table(url: str) -> None:
    made = await new_table(url, seats=SEATS, **SHORT)
    async with Client(url, TOKEN) as anna:
        table = await anna.watch(made)
        word = (await anna.create_join_code(made)).code
        joining = asyncio.create_task(join(scripted_answers(), url, word, "--name", "Beat"))
        await table.until(lambda one: one.room.seats[1].kind == "person")
        await table.close()
        status, screen, _ = await joining
    assert status == 0
    assert screen.endswith("This table has been closed.\n")


async def test_losing_the_seat_ends_the_command(url: str) -> None:
    made = await new_table(url, seats=SEATS, **SHORT)
    async with Client(url, TOKEN) as anna:
        table = await anna.watch(made)
        joining = asyncio.create_task(join(scripted_answers(), f"{url}/t/{made}", "--name", "Beat"))
        await table.until(lambda one: one.room.seats[1].kind == "person")
        await table.remove(1)
        _, screen, _ = await joining
    assert "The host has taken your seat away." in screen


async def test_the_host_can_admit_a_person(url: str) -> None:
    made = await new_table(url, seats=SEATS, **SHORT)
    async with Client(url, TOKEN) as anna:
        table = await anna.watch(made)
        await table.set_entry_policy("host")
        for accept in (False, True):
            joining = asyncio.create_task(
                join(scripted_answers(), f"{url}/t/{made}", "--name", "Beat")
            )
            await table.until(lambda one: bool(one.room.requests))
            await table.let_in(table.room.requests[0].number, accept=accept)
            if accept:
                await table.until(seated)
                await table.close()
            status, screen, errors = await joining
            assert "You have asked for a seat. The host decides.\n" in screen
            assert status == (0 if accept else 1)
            assert ("There is no seat for you here this time." in errors) != accept


def seated(table: WatchedTable) -> bool:
    """Whether another person sits at Anna's table."""
    return table.room.seats[1].kind == "person"


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (
            ["http://127.0.0.1:9/t/" + "a" * 22],
            1,
            "http://127.0.0.1:9: The server does not answer.",
        ),
        (
            ["URL/t/" + "a" * 22, "--lang", "de"],
            1,
            "Der Link ist unvollständig oder wurde erneuert",
        ),
        (["URL", "ABC-DEF"], 1, "This code is not valid, or no longer."),
        (["URL"], 2, "give the link of a table, such as https://"),
        (["URL/t/" + "a" * 22, "ABC-DEF"], 2, "give the link of a table or a join code, not both"),
        (["ftp://x/t/abc"], 2, "a link begins with https:// or http://"),
        (["https://jass..example.org/t/abc"], 2, "a server's address is like http"),
        (["http://127.0.0.1:9/t/abc"], 2, "a table is a link or the last part of one"),
        (["http://[abc/t/abc"], 2, "a table is a link or the last part of one"),
    ],
)
async def test_errors_are_reported_in_a_sentence(
    url: str, words: list[str], status: int, said: str
) -> None:
    words = [word.replace("URL", url) for word in words]
    ended, _, errors = await join(scripted_answers(), *words, "--name", "Beat")
    assert (ended, errors.count("\n")) == (status, 1)
    assert said in errors


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\n<html>\r\n\r",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        b"220 mail.example.org ESMTP\r\n",
    ],
    ids=["page missing", "another site", "no web server"],
)
async def test_a_server_of_another_kind_is_reported_in_a_sentence(answer: bytes) -> None:
    async def other(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(other, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        status, _, errors = await join(
            scripted_answers(), f"http://127.0.0.1:{port}/t/{'a' * 22}", "--name", "B"
        )
    assert (status, errors.count("\n")) == (1, 1)
    assert "The server does not answer." in errors


async def test_without_a_terminal_a_name_is_required(url: str) -> None:
    made = await new_table(url, seats=SEATS, **SHORT)
    status, _, errors = await join(scripted_answers(), f"{url}/t/{made}")
    assert status == 2
    assert "--name NAME" in errors


async def test_a_full_table_has_no_free_seat(url: str) -> None:
    made = await new_table(url, seats=["me", *["bot:random"] * 3], **SHORT)
    status, _, errors = await join(scripted_answers(), f"{url}/t/{made}", "--name", "Beat")
    assert (status, errors) == (1, "jasstisch: All seats are taken.\n")


async def test_an_unknown_game_is_refused_before_taking_a_seat(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the seat would be lost to people who can play."""
    made = await new_table(url, seats=SEATS, **SHORT)

    def unknown(*_: object) -> None:
        raise GameError("unknown game")

    monkeypatch.setattr("jasstisch.cli.commands.join.Game", unknown)
    async with Client(url, TOKEN) as anna:
        table = await anna.watch(made)
        ended = await join(scripted_answers(), f"{url}/t/{made}", "--name", "Beat", "--lang", "de")
        assert ended[0] == 1
        assert "kennt das Spiel molotow nicht so" in ended[2]
        assert table.room.seats[1].kind == "open"


@pytest.mark.parametrize("words", [["--name", ""], ["--name", "Be\x1bat"], []], ids=str)
async def test_an_invalid_name_is_asked_for_again_on_a_terminal(url: str, words: list[str]) -> None:
    made = await new_table(url, seats=SEATS, **SHORT)
    status, _, errors = await join(scripted_answers(), f"{url}/t/{made}", *words)
    assert (status, errors.count("\n")) == (2, 1)
    assert "--name NAME" in errors


async def test_the_server_sets_the_maximum_length_of_names(url: str) -> None:
    """It equals the limit of the browser client."""
    made = await new_table(url, seats=SEATS, **SHORT)
    status, _, errors = await join(scripted_answers(), f"{url}/t/{made}", "--name", "A" * 25)
    assert status == 1
    assert "1 to 24 visible characters" in errors
    async with Client(url, TOKEN) as anna:
        table = await anna.watch(made)
        joining = asyncio.create_task(
            join(scripted_answers(), f"{url}/t/{made}", "--name", "A" * 24)
        )
        await table.until(seated)
        await table.close()
        assert (await joining)[0] == 0


async def test_a_host_who_admits_nobody_is_reported_in_the_language(url: str) -> None:
    made = await new_table(url, seats=SEATS, **SHORT)
    async with Client(url, TOKEN) as anna:
        await (await anna.watch(made)).set_entry_policy("nobody")
        link = f"{url}/t/{made}"
        status, _, errors = await join(scripted_answers(), link, "--name", "Beat", "--lang", "de")
    assert (status, errors) == (1, "jasstisch: An diesen Tisch wird niemand mehr eingelassen.\n")


async def test_connection_failures_are_explained(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    welcome = msgspec.json.encode(messages.Welcome(99, identity=True))
    monkeypatch.setattr("jasstisch.server.ws.connection.encode_message", lambda _: welcome)
    status, _, errors = await join(scripted_answers(), f"{url}/t/{'a' * 22}", "--name", "Beat")
    assert (status, errors.count("\n")) == (1, 1)
    assert "speaks another protocol" in errors


async def test_a_rejected_connection_is_reported_with_its_reason(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await new_table(url, seats=SEATS, **SHORT)

    async def kept_out(self: Client) -> None:
        raise RequestError(bodies.ErrorBody("banned", "until Monday"))

    async with Client(url, TOKEN) as anna:
        table = await anna.watch(made)
        opened = following_opened(monkeypatch)
        joining = asyncio.create_task(join(scripted_answers(), f"{url}/t/{made}", "--name", "Beat"))
        await table.until(seated)
        monkeypatch.setattr(Client, "_connect", kept_out)
        socket = opened[0].client._socket
        assert socket is not None
        await asyncio.to_thread(opened[0].run_on_loop, socket.close())
        status, _, errors = await joining
    assert status == 1
    assert "keeps you out for now (until Monday)" in errors


def following_opened(monkeypatch: pytest.MonkeyPatch) -> list[TableFeed]:
    """The connections that the command opens from now on."""
    opened: list[TableFeed] = []

    class Seen(TableFeed):
        def __init__(self, server: str, token: str | None, deal_memory: DealMemory | None) -> None:
            super().__init__(server, token, deal_memory)
            opened.append(self)

    monkeypatch.setattr("jasstisch.cli.commands.join.TableFeed", Seen)
    return opened


async def test_leaving_an_open_table_is_reported_by_name(url: str) -> None:
    made = await new_table(url, seats=["me", "open", "open", "bot:random"], **SHORT)
    async with Client(url, TOKEN) as anna, Client(url) as clara:
        table = await anna.watch(made)
        joining = asyncio.create_task(join(scripted_answers(), f"{url}/t/{made}", "--name", "Beat"))
        await table.until(seated)
        there = await clara.watch(made)
        await there.sit(2, "Clara", program=True)
        await there.say("hello")
        await there.stand()
        await table.until(lambda one: one.room.seats[2].kind != "person")
        await table.close()
        status, screen, _ = await joining
    assert status == 0
    assert "Clara (program) sits down.\n" in screen
    assert "Clara (program) says: Hello everybody!\n" in screen
    assert "Clara (program) leaves the table.\n" in screen
    assert "Computer" not in screen


@pytest.mark.parametrize("code", ["busy", "wrong_phase"])
async def test_a_refused_request_is_reported_and_asked_for_again(
    url: str, monkeypatch: pytest.MonkeyPatch, code: messages.ErrorCode
) -> None:
    """After a refused start or next round, the command must not wait for events that never come."""
    monkeypatch.setattr("jasstisch.cli.game.remote_match._RETRY_PAUSE_S", 0.0)
    left = {"start": 1, "declare_ready": 1}

    def refusing(name: str) -> Callable[[WatchedTable], Coroutine[Any, Any, None]]:
        asked = getattr(WatchedTable, name)

        async def wish(self: WatchedTable) -> None:
            assert isinstance(self._connection, Client)
            if left[name] and self._connection.token != TOKEN:
                left[name] -= 1
                raise RequestError(bodies.ErrorBody(code, "not now"))
            await asked(self)

        return wish

    for name in left:
        monkeypatch.setattr(WatchedTable, name, refusing(name))
    made = await new_table(url, seats=SEATS, game="molotow", options={"rounds": 2, "dealer": 0})
    async with Client(url, TOKEN) as anna:
        watched = await anna.watch(made)
        await watched.set_start_policy("all")
        person = ScreenPlayer()
        begins = iter(["y", "y", "n"])

        def answer(screen: str) -> str | None:
            if "Begin the match" in screen.rpartition("\n")[2]:
                return next(begins, None)
            return person(screen)

        joining = asyncio.create_task(join(answer, f"{url}/t/{made}", "--name", "Beat"))
        await watched.until(lambda one: one.phase == "playing")
        playing = asyncio.create_task(watched.play(jt.bot("random")))
        status, screen, errors = await joining
        playing.cancel()
    assert (status, errors) == (0, "")
    assert screen.count("Begin the match") == 2
    told = {"busy": "The server is busy", "wrong_phase": "That is not possible"}[code]
    assert told in screen
    assert screen.count(told) + screen.count("Too late: the table has gone on.") == 2
    assert "Round 2 of 2" in screen
