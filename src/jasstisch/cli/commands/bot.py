"""`jasstisch bot`: seats a bot at a table of a running server and plays.

It plays one match, or rematches until the table is closed, and gives up its seat at the end, also
after Ctrl-C: its identity is not stored, so it could not return. What it has seen of verifiable
deals is kept, as with `jasstisch join`.
"""

import argparse
import asyncio
from collections.abc import Iterable, Sequence
from contextlib import suppress

from rich.text import Text

from jasstisch.bots import Bot, supports
from jasstisch.bots.resolver import resolve
from jasstisch.bots.subprocess_bot import Engine
from jasstisch.bots.validation import format_error
from jasstisch.cli.arguments import Parser, check_seat, parse_seat
from jasstisch.cli.errors import CommandError, UsageError
from jasstisch.cli.game import user_state
from jasstisch.cli.game.bot_warmup import warm_up
from jasstisch.cli.game.deal_news import DealNews, kept_deals_lines
from jasstisch.cli.game.table_links import TableRef, parse_table_ref
from jasstisch.cli.ui.terminal import Terminal, stderr_console
from jasstisch.cli.ui.translator import ENGLISH
from jasstisch.client import (
    NO_SERVER,
    Client,
    ConnectionLostError,
    DealMemory,
    RequestError,
    WatchedTable,
)
from jasstisch.engine.errors import GameError, count_seats_from_one
from jasstisch.server.api import RoomInfo

_LEAVE_TIMEOUT_S = 3.0
"""Seconds for giving up the seat at the end."""


def run(argv: list[str]) -> int:
    """Seats a bot and plays.

    Raises:
        CommandError: the server or the table refuses, or the bot fails.
        UsageError: there is no such bot, or it does not play the game.
    """
    arguments = parser().parse(argv)
    table_ref = parse_table_ref(arguments.server, arguments.table)
    terminal = Terminal()
    memory = DealMemory(user_state.deals_dir())
    try:
        player = resolve(arguments.bot)
    except GameError as error:
        raise UsageError(str(error)) from error
    try:
        room = asyncio.run(_inspect_table(table_ref, memory, terminal))
        _check_playable(room, player, arguments.seat)
        warm_up([player], room.game, stderr_console())
        asyncio.run(_run_seated(table_ref, memory, player, arguments, terminal))
    except RequestError as error:
        raise CommandError(count_seats_from_one(str(error))) from error
    except ConnectionLostError as error:
        raise CommandError(f"{table_ref.server}: {error}") from error
    except NO_SERVER as error:
        raise CommandError(f"{table_ref.server} cannot be reached: {error}") from error
    return 0


def parser() -> Parser:
    """Returns the parser of the command."""
    result = Parser(
        "jasstisch bot",
        "Seat a bot at a table of a running server and have it play a match there.",
        usage="jasstisch bot --server URL --table TABLE --seat N BOT [options]",
        epilog="Example: jasstisch bot --server http://127.0.0.1:8000 --table T4xQ9… "
        "--seat 2 mybot.py:Low\nHow to write a bot: docs/bots.md",
    )
    result.add_argument(
        "bot",
        metavar="BOT",
        help="a name, file.py:Class, or exec:COMMAND for a program in any language",
    )
    result.add_argument("--server", metavar="URL", help="the address of the server")
    result.add_argument(
        "--table",
        metavar="TABLE",
        required=True,
        help="the table: its link, which names the server too, or the last part of it",
    )
    result.add_argument(
        "--seat", metavar="N", type=parse_seat, required=True, help="the seat, counted from 1"
    )
    result.add_argument("--name", help="its nickname at the table (default: its own name)")
    result.add_argument(
        "--stay", action="store_true", help="play rematches until the table is closed or Ctrl-C"
    )
    result.add_argument(
        "--start",
        action="store_true",
        help="start the match as soon as no seat is free, where this bot may, so that programs "
        "can play without a person",
    )
    return result


async def _inspect_table(table_ref: TableRef, memory: DealMemory, terminal: Terminal) -> RoomInfo:
    """Returns the room of the table: game and seats.

    Where nothing is played any more, it first says what was kept of the deals there.

    Raises:
        RequestError: there is no such table, or the bot is not let in.
    """
    client = Client(table_ref.server, deal_memory=memory)
    ended = True
    try:
        room = await client.get_room(table_ref.table, table_ref.key)
        ended = room.phase == "closed"
        return room
    finally:
        if ended:
            lines = await kept_deals_lines(client, table_ref, ENGLISH, as_log=True)
            _write_log(terminal, lines)


def _check_playable(room: RoomInfo, player: Bot, seat: int) -> None:
    """Checks table, seat and bot before the bot is warmed up.

    Raises:
        UsageError: there is no such seat, or the bot does not play the game.
        CommandError: the table is closed.
    """
    if room.phase == "closed":
        raise CommandError("the table is closed")
    check_seat(seat, len(room.seats))
    if not supports(player, room.game):
        raise UsageError(f"bot {player.name!r} does not play {room.game}")


async def _run_seated(
    table_ref: TableRef,
    memory: DealMemory,
    player: Bot,
    arguments: argparse.Namespace,
    terminal: Terminal,
) -> None:
    """Takes the seat, plays, and gives the seat up at the end.

    Raises:
        CommandError: the host does not admit the bot or takes its seat away, or the bot fails.
    """
    async with Client(table_ref.server, deal_memory=memory) as client:
        table = await client.watch(table_ref.table, table_ref.key)
        try:
            await _take_seat(table, arguments.seat, arguments.name or player.name, terminal)
            if arguments.start:
                await _start_when_full(table, terminal)
            await _play(client, table, player, terminal, stay=arguments.stay)
        finally:
            await _leave_seat(table, terminal)
            if isinstance(player, Engine):
                player.close()  # stop it even if it is choosing an action


async def _take_seat(table: WatchedTable, seat: int, name: str, terminal: Terminal) -> None:
    """Sits down, after the host has agreed if the table requires it.

    Raises:
        CommandError: the host does not agree.
    """
    await table.sit(seat, name, program=True)
    if table.seat is None:  # the host may have answered already
        terminal.write_unwrapped("Waiting for the host to admit the bot …")
    await table.until(lambda one: one.seat is not None or one.entry_request_number is None)
    if table.seat is None:
        raise CommandError("the host did not admit the bot")
    terminal.write_unwrapped(f"{table.room.seats[table.seat].name} has seat {table.seat + 1}.")


async def _start_when_full(table: WatchedTable, terminal: Terminal) -> None:
    """Starts the match as soon as no seat is free, unless somebody else does.

    Raises:
        CommandError: the bot may not start it, or its seat is taken away.
    """
    if _has_free_seat(table):
        terminal.write_unwrapped("Waiting until no seat is free …")
    await table.until(lambda one: one.seat is None or not _has_free_seat(one))
    if table.seat is None:
        raise CommandError("the host took the bot's seat away")
    try:
        if table.phase == "open":
            await table.start()
    except RequestError as error:
        if error.code == "not_host":
            raise CommandError(
                "the bot cannot start the match: at this table only the host may"
            ) from error
        # Otherwise somebody else has just started it.


def _has_free_seat(table: WatchedTable) -> bool:
    """Returns whether the match has not begun and a seat is open."""
    return table.phase == "open" and any(seat.kind == "open" for seat in table.room.seats)


async def _play(
    client: Client, table: WatchedTable, player: Bot, terminal: Terminal, *, stay: bool
) -> None:
    """Plays one match, or with `stay` rematches until the table is closed.

    Raises:
        CommandError: the bot fails, or its seat is taken away.
    """
    news = DealNews(client, table, ENGLISH, as_log=True)
    telling = asyncio.create_task(_tell_deal_news(table, news, terminal))
    try:
        while table.phase != "closed":
            if table.phase == "open":
                terminal.write_unwrapped("Waiting for the match to begin …")
            await _play_match(table, player)
            if table.phase == "over":
                terminal.write_unwrapped(_result_sentence(table))
                _write_log(terminal, await news.judge(table.room.number))
            if not stay or table.phase == "closed":
                return
            await table.declare_ready()
            await table.until(lambda one: one.phase != "over")
    except ConnectionLostError as error:
        _write_log(terminal, await news.judge_ended(error))
        raise
    finally:
        telling.cancel()
        await asyncio.gather(telling, return_exceptions=True)
        goes_on = table.refusal is None and table.phase != "closed" and table.deal_problem is None
        _write_log(terminal, news.lines() if goes_on else await news.judge_ended())


async def _play_match(table: WatchedTable, player: Bot) -> None:
    """Plays until the match is over.

    Raises:
        CommandError: the bot fails, or its seat is taken away.
        ConnectionLostError: the connection is lost.
        RequestError: an action was refused.
    """
    playing = asyncio.create_task(table.play(player))
    removed = asyncio.create_task(table.until(lambda one: one.seat is None))
    try:
        await asyncio.wait({playing, removed}, return_when=asyncio.FIRST_COMPLETED)
        if not playing.done():
            raise CommandError("the host took the bot's seat away")
        await playing
    except (CommandError, ConnectionLostError, RequestError):
        raise
    except Exception as error:
        reason = count_seats_from_one(format_error(error))
        raise CommandError(f"the bot {player.name} failed: {reason}") from error
    finally:
        playing.cancel()
        removed.cancel()
        await asyncio.gather(playing, removed, return_exceptions=True)


async def _tell_deal_news(table: WatchedTable, news: DealNews, terminal: Terminal) -> None:
    """Says at once what there is to say about the deals, until cancelled."""

    def unproven(one: WatchedTable) -> list[int]:
        return news.unproven_matches(one.room.number)

    while True:
        await table.until(lambda one: news.has_any() or bool(unproven(one)))
        _write_log(terminal, news.lines())
        if unproven(table):
            judging = asyncio.ensure_future(news.judge_earlier(table.room.number))
            try:
                await asyncio.shield(judging)
            finally:  # what was found is said also where this is cancelled meanwhile
                _write_log(terminal, await judging)


def _write_log(terminal: Terminal, lines: Iterable[Text]) -> None:
    for line in lines:
        terminal.write_unwrapped(line.plain)


def _result_sentence(table: WatchedTable) -> str:
    """Returns the result of the match in a sentence."""
    names = [seat.name or f"seat {number}" for number, seat in enumerate(table.room.seats, 1)]
    return _winners_sentence(names, table.view["winners"])


def _winners_sentence(names: Sequence[str], winners: Sequence[int]) -> str:
    """Returns who has won; equal names are told apart by their seats."""
    seats: dict[str, list[int]] = {}
    for seat in winners:
        seats.setdefault(names[seat], []).append(seat)
    parts = [
        name if names.count(name) == 1 else f"{name} ({_seat_numbers_text(own)})"
        for name, own in seats.items()
    ]
    return f"The match is over: {_join_words(parts) or 'nobody'} won."


def _seat_numbers_text(seats: Sequence[int]) -> str:
    """Returns the seats by their numbers, counted from 1."""
    numbers = _join_words([str(seat + 1) for seat in seats])
    return f"seat {numbers}" if len(seats) == 1 else f"seats {numbers}"


def _join_words(words: Sequence[str]) -> str:
    """Joins words with commas and "and"."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)


async def _leave_seat(table: WatchedTable, terminal: Terminal) -> None:
    """Gives the seat up, if the server still answers.

    It does so even if the request for the seat has not been answered: Ctrl-C may come first.
    """
    if table.phase == "closed":
        return
    with suppress(RequestError, ConnectionLostError, TimeoutError):
        async with asyncio.timeout(_LEAVE_TIMEOUT_S):
            await table.stand()
            terminal.write_unwrapped("The bot has left the table.")
