"""`jasstisch join`: plays at a table of a running server, with people in browsers or elsewhere.

Who one is there is kept in the folder of the program's state and nowhere else: with it one comes
back to one's seat. The seat is kept when one leaves in the middle of a match.
"""

import argparse
from collections.abc import Callable
from contextlib import suppress

from jasstisch.cli.arguments import Parser, check_seat, seat_number
from jasstisch.cli.errors import CommandError, UsageError
from jasstisch.cli.game import user_state
from jasstisch.cli.game.remote_match import RemoteMatch, refusal_text
from jasstisch.cli.game.table_feed import TableFeed
from jasstisch.cli.game.table_links import TableRef, parse_server, parse_table_ref
from jasstisch.cli.signals import exit_status, terminate_gracefully
from jasstisch.cli.ui.card_style import CardStyle, parse_deck
from jasstisch.cli.ui.encoding import sanitize_line
from jasstisch.cli.ui.terminal import Terminal
from jasstisch.cli.ui.translator import LANGUAGES, Translator, parse_language, translator_for
from jasstisch.client import NO_SERVER, LostError, RequestError, WatchedTable
from jasstisch.engine.errors import GameError, shorten
from jasstisch.games.rules import Game
from jasstisch.server.api import Room

__all__ = ["run"]


def run(words: list[str]) -> int:
    """Plays at a table until it is closed or the person leaves.

    Raises:
        CommandError: the server or the table refuses it.
        UsageError: the link leads to no table.
    """
    arguments = parser().parse(words)
    speech, terminal = translator_for(arguments.lang), Terminal()
    server, link = parse_target(arguments)
    try:
        with (
            terminate_gracefully(),
            TableFeed(server, user_state.read_text(user_state.token_file(server))) as following,
        ):
            save_token(server, following.client.token)
            place = resolve_join_code(following, server, arguments.code) if arguments.code else link
            assert place is not None, "a link or a code was given"
            play_at_table(following, place, arguments, speech, terminal)
    except RequestError as error:
        raise CommandError(refusal_text(error, speech)) from error
    except LostError as error:
        raise CommandError(f"{server}: {connection_error_text(error, speech)}") from error
    except NO_SERVER as error:
        raise CommandError(f"{server}: {speech.shared_texts['error_network']}") from error
    return 0


def parser() -> Parser:
    """The words the command takes."""
    result = Parser(
        "jasstisch join",
        "Play at a table of a running server, with people in browsers or elsewhere.",
        usage="jasstisch join URL [CODE] [options]",
        epilog="For instance: jasstisch join https://jass.example.org/t/T4xQ9… --name Anna\n"
        "or with the short code of a table: jasstisch join https://jass.example.org ABC-DEF",
    )
    result.add_argument("url", metavar="URL", help="the link of the table, or the server's")
    result.add_argument("code", metavar="CODE", nargs="?", help="the short code of a table there")
    result.add_argument("--name", help="what you are called at the table (default: you are asked)")
    result.add_argument(
        "--seat",
        metavar="N",
        type=seat_number,
        help="the seat, counted from 1 (default: the first free one)",
    )
    result.add_argument(
        "--deck",
        metavar="DECK",
        type=parse_deck,
        default="french",
        help="french (default) or swiss",
    )
    result.add_argument(
        "--lang",
        metavar="LANG",
        type=parse_language,
        help=f"one of {', '.join(LANGUAGES)} (default: that of the environment)",
    )
    return result


def parse_target(arguments: argparse.Namespace) -> tuple[str, TableRef | None]:
    """The server that is meant, and the table where the link leads to one.

    Raises:
        UsageError: it leads to none and there is no code, or to one and there is a code.
    """
    link = arguments.url
    if not link.startswith(("http://", "https://")):
        raise UsageError(f"a link begins with https:// or http://, not as {shorten(link)!r}")
    if arguments.code is None:
        if "/t/" not in link:
            raise UsageError(
                "give the link of a table, such as https://jass.example.org/t/T4xQ9…, or the "
                "server's with the short code of a table"
            )
        place = parse_table_ref(None, link)
        return place.server, place
    if "/t/" in link:
        raise UsageError("a link and a code lead to two tables: give the server's address and CODE")
    return parse_server(link.rstrip("/")), None


def save_token(server: str, token: str | None) -> None:
    """Keeps who one is at a server.

    Raises:
        CommandError: it cannot be kept, so that one could not come back.
    """
    path = user_state.token_file(server)
    try:
        if token is not None and user_state.read_text(path) != token:
            user_state.write_private(path, token)
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror}") from error


def resolve_join_code(following: TableFeed, server: str, code: str) -> TableRef:
    """The table that a short code leads to."""
    invitation = following.run_on_loop(following.client.invited(code))
    return TableRef(server, invitation.table, invitation.key)


def play_at_table(
    following: TableFeed,
    place: TableRef,
    arguments: argparse.Namespace,
    speech: Translator,
    terminal: Terminal,
) -> None:
    """Takes a seat and plays; says how to come back when the person goes before the end."""
    table = following.watch(place)
    command = f"jasstisch join {place.link}"
    try:
        take_seat(following, table, arguments, speech, terminal)
        faces: CardStyle = arguments.deck
        if RemoteMatch(following, table, terminal, speech, faces, place.link).play():
            return
    except (KeyboardInterrupt, EOFError) as error:
        with suppress(OSError):  # the window is closed, and nobody reads it
            terminal.write("")
            if table.seat is not None:
                terminal.write_unwrapped(speech.plain("join.come_back", command=command))
        if isinstance(error, KeyboardInterrupt):
            raise SystemExit(exit_status(error)) from error
        return
    except LostError as error:
        lost = speech.plain("join.lost", command=command)
        raise CommandError(f"{lost} ({connection_error_text(error, speech)})") from error
    terminal.write_unwrapped(speech.plain("join.come_back", command=command))


def connection_error_text(error: LostError, speech: Translator) -> str:
    """Why there is no connection to a server any more."""
    refusal = error.__cause__
    return refusal_text(refusal, speech) if isinstance(refusal, RequestError) else str(error)


def take_seat(
    following: TableFeed,
    table: WatchedTable,
    arguments: argparse.Namespace,
    speech: Translator,
    terminal: Terminal,
) -> None:
    """Sits down, once the host has agreed where he decides it; or comes back to one's seat.

    Raises:
        CommandError: there is no free seat, the host lets nobody in, or the game is not known here.
    """
    if table.phase == "closed":
        raise CommandError(speech.shared_texts["closed_title"])
    check_game_supported(table.room, speech)
    if table.seat is not None:
        return
    seat = arguments.seat if arguments.seat is not None else free_seat(table.room)
    if seat is None:
        raise CommandError(speech.plain("join.no_seat"))
    check_seat(seat, len(table.room.seats))
    following.run_on_loop(table.sit(seat, choose_nickname(arguments.name, terminal, speech)))
    if table.request is not None:
        terminal.write(speech("join.asked_in"))
    following.run_on_loop(wait_for_seat(table))
    if table.seat is None:
        raise CommandError(speech.shared_texts["declined_in"])


def check_game_supported(room: Room, speech: Translator) -> None:
    """Refuses a table whose game cannot be told here, before anybody sits down.

    Raises:
        CommandError: the game, or an option of it, is not known.
    """
    try:
        Game(room.game, room.options)
    except GameError as error:
        raise CommandError(speech.plain("join.no_game", game=room.game)) from error


async def wait_for_seat(table: WatchedTable) -> None:
    """Waits until there is a seat, or nobody is asked for one any more."""
    await table.until(lambda one: one.seat is not None or one.request is None)


def free_seat(room: Room) -> int | None:
    """The first seat that nobody holds, open ones first."""
    tests: list[Callable[[int], bool]] = [
        lambda seat: room.seats[seat].kind == "open",
        lambda seat: room.seats[seat].kind == "computer" and room.seats[seat].left,
    ]
    seats = range(len(room.seats))
    return next((seat for free in tests for seat in seats if free(seat)), None)


def choose_nickname(name: str | None, terminal: Terminal, speech: Translator) -> str:
    """What the person is called at the table; he is asked where he has not said it.

    Raises:
        UsageError: there is nobody who could be asked.
    """
    while not name or sanitize_line(name).strip() != name:
        if not terminal.is_interactive:
            raise UsageError("say what you are called at the table, in visible signs: --name NAME")
        name = terminal.ask(speech.plain("join.your_name"))
    return name
