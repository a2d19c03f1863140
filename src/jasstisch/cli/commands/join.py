"""`jasstisch join`: plays at a table of a running server, with people in browsers or elsewhere.

The token of the person's identity is stored in the program's state folder and nowhere else; it lets
them return to their seat. What was seen of verifiable deals is kept beside it. Leaving in the
middle of a match keeps the seat.
"""

import argparse
import asyncio
from collections.abc import Callable
from contextlib import suppress

from jasstisch.cli.arguments import Parser, check_seat, parse_seat
from jasstisch.cli.errors import CommandError, UsageError
from jasstisch.cli.game import user_state
from jasstisch.cli.game.deal_news import DealNews, kept_deals_lines
from jasstisch.cli.game.remote_match import RemoteMatch, refusal_text
from jasstisch.cli.game.table_feed import TableFeed
from jasstisch.cli.game.table_links import TableRef, parse_server, parse_table_ref
from jasstisch.cli.signals import exit_status, raise_on_termination_signal
from jasstisch.cli.ui.card_style import CardStyle, add_deck_flag
from jasstisch.cli.ui.encoding import printable_line
from jasstisch.cli.ui.terminal import Terminal
from jasstisch.cli.ui.translator import Translator, add_language_flag, translator_for
from jasstisch.client import (
    NO_SERVER,
    Client,
    ConnectionLostError,
    DealMemory,
    RequestError,
    Step,
    WatchedTable,
)
from jasstisch.engine.errors import GameError, shorten
from jasstisch.games.rules import Game
from jasstisch.server.api import RoomInfo, SeatInfo


def run(argv: list[str]) -> int:
    """Plays at a table until it is closed or the person leaves.

    Raises:
        CommandError: the server or the table refuses.
        UsageError: the link is not the link of a table.
    """
    arguments = parser().parse(argv)
    speech, terminal = translator_for(arguments.lang), Terminal()
    server, link = _parse_target(arguments)
    token = user_state.read_text(user_state.token_file(server))
    memory = DealMemory(user_state.deals_dir())
    table: WatchedTable | None = None
    try:
        with raise_on_termination_signal(), TableFeed(server, token, memory) as feed:
            _save_token(server, feed.client.token)
            table_ref = _resolve_join_code(feed, server, arguments.code) if arguments.code else link
            assert table_ref is not None, "a link or a code was given"
            table = feed.watch(table_ref)
            _play_at_table(feed, table, table_ref, arguments, speech, terminal)
    except RequestError as error:
        if table is None and link is not None:
            client = Client(server, token, deal_memory=memory)
            terminal.write(*asyncio.run(kept_deals_lines(client, link, speech)))
        raise CommandError(refusal_text(error, speech)) from error
    except ConnectionLostError as error:
        raise CommandError(f"{server}: {_connection_error_text(error, speech)}") from error
    except NO_SERVER as error:
        raise CommandError(f"{server}: {speech.shared_texts['error_network']}") from error
    return 0


def parser() -> Parser:
    """Returns the parser of the command."""
    result = Parser(
        "jasstisch join",
        "Play at a table of a running server, with people in browsers or elsewhere.",
        usage="jasstisch join URL [CODE] [options]",
        epilog="Example: jasstisch join https://jass.example.org/t/T4xQ9… --name Anna\n"
        "or with the join code of a table: jasstisch join https://jass.example.org ABC-DEF",
    )
    result.add_argument(
        "url", metavar="URL", help="the link of the table, or the address of the server"
    )
    result.add_argument("code", metavar="CODE", nargs="?", help="the join code of a table there")
    result.add_argument("--name", help="your nickname at the table (default: asked for)")
    result.add_argument(
        "--seat",
        metavar="N",
        type=parse_seat,
        help="the seat, counted from 1 (default: the first free one)",
    )
    add_deck_flag(result)
    add_language_flag(result)
    return result


def _parse_target(arguments: argparse.Namespace) -> tuple[str, TableRef | None]:
    """Returns the server, and the table if the link names one.

    Raises:
        UsageError: neither the link nor a code names a table, or both do.
    """
    link = arguments.url
    if not link.startswith(("http://", "https://")):
        raise UsageError(f"a link begins with https:// or http://, unlike {shorten(link)!r}")
    if arguments.code is None:
        if "/t/" not in link:
            raise UsageError(
                "give the link of a table, such as https://jass.example.org/t/T4xQ9…, or the "
                "address of the server and the join code of a table"
            )
        table_ref = parse_table_ref(None, link)
        return table_ref.server, table_ref
    if "/t/" in link:
        raise UsageError(
            "give the link of a table or a join code, not both; a code goes with the address of "
            "the server"
        )
    return parse_server(link.rstrip("/")), None


def _save_token(server: str, token: str | None) -> None:
    """Stores the token of the person's identity at a server.

    Raises:
        CommandError: it cannot be stored, so the person could not return to their seat.
    """
    path = user_state.token_file(server)
    try:
        if token is not None and user_state.read_text(path) != token:
            user_state.write_private(path, token)
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror}") from error


def _resolve_join_code(feed: TableFeed, server: str, code: str) -> TableRef:
    """Returns the table of a join code."""
    invitation = feed.run_on_loop(feed.client.resolve_join_code(code))
    return TableRef(server, invitation.table, invitation.key)


def _play_at_table(
    feed: TableFeed,
    table: WatchedTable,
    table_ref: TableRef,
    arguments: argparse.Namespace,
    translator: Translator,
    terminal: Terminal,
) -> None:
    """Takes a seat and plays; if the person leaves early, prints how to come back."""
    command = f"jasstisch join {table_ref.link}"
    try:
        first = _take_seat(feed, table, arguments, translator, terminal)
        faces: CardStyle = arguments.deck
        if RemoteMatch(feed, table, terminal, translator, faces, table_ref.link, first).play():
            return
    except (KeyboardInterrupt, EOFError) as error:
        with suppress(OSError):  # the terminal may be closed
            terminal.write("")
            if table.seat is not None:
                terminal.write_unwrapped(translator.plain("join.come_back", command=command))
        if isinstance(error, KeyboardInterrupt):
            raise SystemExit(exit_status(error)) from error
        return
    except ConnectionLostError as error:
        lost = translator.plain("join.lost", command=command)
        raise CommandError(f"{lost} ({_connection_error_text(error, translator)})") from error
    terminal.write_unwrapped(translator.plain("join.come_back", command=command))


def _connection_error_text(error: ConnectionLostError, translator: Translator) -> str:
    """Returns why the connection to a server was lost."""
    refusal = error.__cause__
    return refusal_text(refusal, translator) if isinstance(refusal, RequestError) else str(error)


def _take_seat(
    feed: TableFeed,
    table: WatchedTable,
    arguments: argparse.Namespace,
    translator: Translator,
    terminal: Terminal,
) -> Step:
    """Sits down, after the host has agreed if the table requires it, or returns to the seat.

    Returns:
        The step of the feed with which the person has their seat; the later ones are still queued.

    Raises:
        CommandError: there is no free seat, the host does not agree, or the game is unknown here.
    """
    if table.phase == "closed":
        terminal.write(*feed.run_on_loop(DealNews(feed.client, table, translator).judge_ended()))
        raise CommandError(translator.shared_texts["closed_title"])
    _check_game_supported(table.room, translator)
    if table.seat is None:
        _request_seat(feed, table, arguments, translator, terminal)
    return _wait_for_seat(feed, table, translator, terminal)


def _request_seat(
    feed: TableFeed,
    table: WatchedTable,
    arguments: argparse.Namespace,
    translator: Translator,
    terminal: Terminal,
) -> None:
    """Asks the server for the chosen seat, or for the first free one.

    Raises:
        CommandError: there is no free seat, or somebody else has the one that the person has left.
    """
    seat = next(
        (one for one in (arguments.seat, table.former_seat) if one is not None),
        _free_seat(table.room),
    )
    if seat is None:
        raise CommandError(translator.plain("join.no_seat"))
    if arguments.seat is None and seat == table.former_seat:
        _check_former_seat(table.room.seats[seat], translator)
    check_seat(seat, len(table.room.seats))
    feed.run_on_loop(table.sit(seat, _choose_nickname(arguments.name, terminal, translator)))


def _wait_for_seat(
    feed: TableFeed, table: WatchedTable, translator: Translator, terminal: Terminal
) -> Step:
    """Returns the step with which the person has their seat.

    It is found in the feed and not in the present state of the table, because the host may have
    answered, or the match begun, before this thread looks.

    Raises:
        CommandError: the host does not agree.
    """
    asked = False
    while True:
        step = feed.next_step(table)
        if step.seat is not None:
            return step
        if asked and step.entry_request_number is None:
            raise CommandError(translator.shared_texts["declined_in"])
        if not asked and step.entry_request_number is not None:
            asked = True
            terminal.write(translator("join.asked_in"))


def _check_game_supported(room: RoomInfo, translator: Translator) -> None:
    """Checks before sitting down that this program knows the game and its options.

    Raises:
        CommandError: the game or one of its options is unknown.
    """
    try:
        Game(room.game, room.options)
    except GameError as error:
        raise CommandError(translator.plain("join.no_game", game=room.game)) from error


def _check_former_seat(info: SeatInfo, translator: Translator) -> None:
    """Checks that the seat that a person has left is still theirs.

    Raises:
        CommandError: another person or a bot has it.
    """
    if info.kind == "person":
        raise CommandError(translator.shared_text("seat_has", name=info.name).plain)
    if info.kind == "computer" and not info.left:
        raise CommandError(translator.shared_texts["seat_has_computer"])


def _free_seat(room: RoomInfo) -> int | None:
    """Returns the first free seat, open ones before those of a stand-in bot."""
    tests: list[Callable[[int], bool]] = [
        lambda seat: room.seats[seat].kind == "open",
        lambda seat: room.seats[seat].kind == "computer" and room.seats[seat].left,
    ]
    seats = range(len(room.seats))
    return next((seat for free in tests for seat in seats if free(seat)), None)


def _choose_nickname(name: str | None, terminal: Terminal, translator: Translator) -> str:
    """Returns the nickname of the person; asks for it if none was given.

    Raises:
        UsageError: there is no terminal to ask on.
    """
    while not name or printable_line(name).strip() != name:
        if not terminal.is_interactive:
            raise UsageError("choose a visible nickname: --name NAME")
        name = terminal.ask(translator.plain("join.your_name"))
    return name
