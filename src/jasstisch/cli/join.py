"""`jasstisch join`: plays at a table of a running server, with people in browsers or elsewhere.

Who one is there is kept in the folder of the program's state and nowhere else: with it one comes
back to one's seat. The seat is kept when one leaves in the middle of a match.
"""

import argparse
from collections.abc import Callable
from contextlib import suppress

from jasstisch.cli import keeping
from jasstisch.cli.arguments import Parser, whole
from jasstisch.cli.encoding import printable
from jasstisch.cli.ending import ends_in_order, status_of
from jasstisch.cli.exits import CommandError, UsageError
from jasstisch.cli.faces import Faces, deck
from jasstisch.cli.following import Following
from jasstisch.cli.links import Place, place_of, server_of
from jasstisch.cli.speech import LANGUAGES, Speech, language, speech_in
from jasstisch.cli.terminal import Terminal
from jasstisch.cli.visit import Visit, refused
from jasstisch.client import NO_SERVER, LostError, RequestError, WatchedTable
from jasstisch.errors import GameError, shorten
from jasstisch.games.rules import Game
from jasstisch.server.messages import Room

__all__ = ["run"]


def run(words: list[str]) -> int:
    """Plays at a table until it is closed or the person leaves.

    Raises:
        CommandError: the server or the table refuses it.
        UsageError: the link leads to no table.
    """
    arguments = parser().read(words)
    speech, terminal = speech_in(arguments.lang), Terminal()
    server, link = address(arguments)
    try:
        with (
            ends_in_order(),
            Following(server, keeping.read(keeping.token_file(server))) as following,
        ):
            remember(server, following.client.token)
            place = invited(following, server, arguments.code) if arguments.code else link
            assert place is not None, "a link or a code was given"
            stay(following, place, arguments, speech, terminal)
    except RequestError as error:
        raise CommandError(refused(error, speech)) from error
    except LostError as error:
        raise CommandError(f"{server}: {why_lost(error, speech)}") from error
    except NO_SERVER as error:
        raise CommandError(f"{server}: {speech.vocabulary['error_network']}") from error
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
        "--seat", metavar="N", type=whole(0, 15), help="the seat, from 0 (default: the first free)"
    )
    result.add_argument(
        "--deck", metavar="DECK", type=deck, default="french", help="french (default) or swiss"
    )
    result.add_argument(
        "--lang",
        metavar="LANG",
        type=language,
        help=f"one of {', '.join(LANGUAGES)} (default: that of the environment)",
    )
    return result


def address(arguments: argparse.Namespace) -> tuple[str, Place | None]:
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
        place = place_of(None, link)
        return place.server, place
    if "/t/" in link:
        raise UsageError("a link and a code lead to two tables: give the server's address and CODE")
    return server_of(link.rstrip("/")), None


def remember(server: str, token: str | None) -> None:
    """Keeps who one is at a server.

    Raises:
        CommandError: it cannot be kept, so that one could not come back.
    """
    path = keeping.token_file(server)
    try:
        if token is not None and keeping.read(path) != token:
            keeping.write(path, token)
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror}") from error


def invited(following: Following, server: str, code: str) -> Place:
    """The table that a short code leads to."""
    invitation = following.run(following.client.invited(code))
    return Place(server, invitation.table, invitation.key)


def stay(
    following: Following,
    place: Place,
    arguments: argparse.Namespace,
    speech: Speech,
    terminal: Terminal,
) -> None:
    """Takes a seat and plays; says how to come back when the person goes before the end."""
    table = following.watch(place)
    command = f"jasstisch join {place.link}"
    try:
        take_seat(following, table, arguments, speech, terminal)
        faces: Faces = arguments.deck
        if Visit(following, table, terminal, speech, faces, place.link).play():
            return
    except (KeyboardInterrupt, EOFError) as error:
        with suppress(OSError):  # the window is closed, and nobody reads it
            terminal.say("")
            if table.seat is not None:
                terminal.tell(speech.plain("join.come_back", command=command))
        if isinstance(error, KeyboardInterrupt):
            raise SystemExit(status_of(error)) from error
        return
    except LostError as error:
        lost = speech.plain("join.lost", command=command)
        raise CommandError(f"{lost} ({why_lost(error, speech)})") from error
    terminal.tell(speech.plain("join.come_back", command=command))


def why_lost(error: LostError, speech: Speech) -> str:
    """Why there is no connection to a server any more."""
    refusal = error.__cause__
    return refused(refusal, speech) if isinstance(refusal, RequestError) else str(error)


def take_seat(
    following: Following,
    table: WatchedTable,
    arguments: argparse.Namespace,
    speech: Speech,
    terminal: Terminal,
) -> None:
    """Sits down, once the host has agreed where he decides it; or comes back to one's seat.

    Raises:
        CommandError: there is no free seat, the host lets nobody in, or the game is not known here.
    """
    if table.phase == "closed":
        raise CommandError(speech.vocabulary["closed_title"])
    check_game(table.room, speech)
    if table.seat is not None:
        return
    seat = arguments.seat if arguments.seat is not None else free_seat(table.room)
    if seat is None:
        raise CommandError(speech.plain("join.no_seat"))
    if seat >= len(table.room.seats):
        last = len(table.room.seats) - 1
        raise UsageError(f"the seats of this table are 0 to {last}, not {seat}")
    following.run(table.sit(seat, named(arguments.name, terminal, speech)))
    if table.request is not None:
        terminal.say(speech("join.asked_in"))
    following.run(settled(table))
    if table.seat is None:
        raise CommandError(speech.vocabulary["declined_in"])


def check_game(room: Room, speech: Speech) -> None:
    """Refuses a table whose game cannot be told here, before anybody sits down.

    Raises:
        CommandError: the game, or an option of it, is not known.
    """
    try:
        Game(room.game, room.options)
    except GameError as error:
        raise CommandError(speech.plain("join.no_game", game=room.game)) from error


async def settled(table: WatchedTable) -> None:
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


def named(name: str | None, terminal: Terminal, speech: Speech) -> str:
    """What the person is called at the table; he is asked where he has not said it.

    Raises:
        UsageError: there is nobody who could be asked.
    """
    while not name or printable(name).strip() != name:
        if not terminal.attended:
            raise UsageError("say what you are called at the table, in visible signs: --name NAME")
        name = terminal.ask(speech.plain("join.your_name"))
    return name
