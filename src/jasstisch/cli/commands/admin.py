"""`jasstisch admin`: what the host of a running server may ask of it, over its local socket."""

import argparse
import json
import os
import re
import socket
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jasstisch.cli.arguments import Parser, int_range, seat_number
from jasstisch.cli.config.store_location import (
    add_store_arguments,
    admin_socket_path,
    data_dir,
    postgres_url,
)
from jasstisch.cli.errors import CommandError, UsageError
from jasstisch.cli.ui.encoding import sanitize_line
from jasstisch.engine.errors import did_you_mean, shorten

if TYPE_CHECKING:
    from jasstisch.server.admin import messages as admin

__all__ = ["run"]

SUBCOMMANDS = {
    "tables": "list tables, those that were used last first",
    "close": "close a table: nothing happens there any more",
    "unlist": "take a table off the list that everybody sees",
    "ban": "keep a person out: nothing that leads to that one is good meanwhile",
    "bans": "list who is kept out",
    "unban": "let a person in again",
    "rename": "take a nickname away; a neutral one takes its place",
    "export": "print all that is kept of a person, as JSON",
    "delete": "forget a person, as if that one had asked for it",
}

PHASES = ("open", "playing", "between", "over", "closed", "damaged")

RESPONSE_TIMEOUT_S = 150.0
"""Seconds in which the server answers: more than it takes itself."""

ID_PREFIX_LENGTH = 6
"""Characters of a table's id that are printed where the whole is not asked for."""


def run(words: list[str]) -> int:
    """Asks the server and prints what it answers.

    Raises:
        CommandError: no server answers, or it refuses; the message is its reason.
        UsageError: there is no such call.
    """
    if not words or words[0].startswith("-"):
        top_parser().parse(words)
        raise UsageError(f"name a call: {', '.join(SUBCOMMANDS)}; see jasstisch admin --help")
    if words[0] not in SUBCOMMANDS:
        near = did_you_mean(words[0], SUBCOMMANDS)
        known = f"the calls are {', '.join(SUBCOMMANDS)}"
        raise UsageError(f"unknown call {shorten(words[0])!r}; {known}{near}")
    arguments = parser(words[0]).parse(words[1:])
    call = build_request(words[0], arguments)
    print_response(call_server(arguments, call), arguments)
    return 0


def top_parser() -> Parser:
    """The parser of a line without a call, which may ask for help."""
    calls = "\n".join(f"  {name:<8}  {purpose}" for name, purpose in SUBCOMMANDS.items())
    return Parser(
        "jasstisch admin",
        f"Ask a running server on this machine.\n\ncalls:\n{calls}",
        usage="jasstisch admin CALL ...",
        epilog="What a call takes: jasstisch admin CALL --help\n"
        "TABLE is an id or how it begins, as tables prints it; PERSON is what tables --people "
        "prints.",
    )


def parser(call: str) -> Parser:
    """The words a call takes."""
    purpose = SUBCOMMANDS[call]
    result = Parser(f"jasstisch admin {call}", f"{purpose[0].upper()}{purpose[1:]}.")
    if call == "tables":
        add_filters(result)
    if call in ("close", "unlist", "rename"):
        result.add_argument("table", metavar="TABLE", type=parse_table_id, help="which")
    if call == "rename":
        result.add_argument(
            "seat", metavar="SEAT", type=seat_number, help="its number, counted from 1"
        )
    if call in ("unban", "export", "delete"):
        result.add_argument("person", metavar="PERSON", type=parse_person_id, help="who")
    if call == "ban":
        add_ban(result)
    result.add_argument(
        "--admin",
        metavar="PATH",
        type=Path,
        help="the socket (default: the settings', or admin.sock among the data)",
    )
    add_store_arguments(result)
    return result


def add_filters(result: Parser) -> None:
    """Adds which tables are wanted, and what of them."""
    result.add_argument("--ids", action="store_true", help="print whole ids: who has one may watch")
    result.add_argument("--people", action="store_true", help="print who holds each seat")
    result.add_argument("--live", action="store_true", help="only tables in memory")
    result.add_argument("--game", metavar="GAME", help="only tables of a game")
    result.add_argument(
        "--phase", metavar="PHASE", choices=PHASES, help=f"only tables that are {', '.join(PHASES)}"
    )
    result.add_argument(
        "--most", metavar="N", type=int_range(1, 1000), default=50, help="so many (default 50)"
    )


def add_ban(result: Parser) -> None:
    """Adds who is kept out, for how long and why."""
    result.add_argument("person", metavar="PERSON", nargs="?", type=parse_person_id, help="who")
    result.add_argument(
        "--table", metavar="TABLE", type=parse_table_id, help="or who sits at this table"
    )
    result.add_argument(
        "--seat", metavar="SEAT", type=seat_number, help="on this seat, counted from 1"
    )
    result.add_argument("--reason", metavar="TEXT", required=True, help="what the person is told")
    result.add_argument(
        "--days", metavar="N", type=int_range(1, 36_500), help="for how long (default: for good)"
    )


def parse_table_id(text: str) -> str:
    """How a table is named, as the type of an argument."""
    if not re.fullmatch(r"[A-Za-z0-9_-]{4,32}", text):
        raise argparse.ArgumentTypeError(
            f"a table's id or at least 4 characters of it, not {shorten(text)!r}"
        )
    return text


def parse_person_id(text: str) -> str:
    """How a person is named, as the type of an argument."""
    if not re.fullmatch(r"[0-9a-f]{6,64}", text):
        raise argparse.ArgumentTypeError(
            f"at least 6 digits of 0-9 and a-f, as tables --people prints them, not "
            f"{shorten(text)!r}"
        )
    return text


def build_request(call: str, arguments: argparse.Namespace) -> "admin.Call":
    """What is asked of the server."""
    from jasstisch.server.admin import messages as admin  # noqa: PLC0415 - help needs no server

    made: dict[str, Callable[[], admin.Call]] = {
        "tables": lambda: admin.ListTables(
            arguments.most, arguments.live, arguments.game, arguments.phase
        ),
        "close": lambda: admin.CloseTable(arguments.table),
        "unlist": lambda: admin.UnpublishTable(arguments.table),
        "ban": lambda: admin.BanPerson(
            arguments.reason,
            None if arguments.days is None else 24.0 * arguments.days,
            arguments.person,
            arguments.table,
            arguments.seat,
        ),
        "bans": admin.ListBans,
        "unban": lambda: admin.UnbanPerson(arguments.person),
        "rename": lambda: admin.RemoveNickname(arguments.table, arguments.seat),
        "export": lambda: admin.ExportPerson(arguments.person),
        "delete": lambda: admin.DeletePerson(arguments.person),
    }
    return made[call]()


def call_server(arguments: argparse.Namespace, call: "admin.Call") -> "admin.Response":
    """What the server answers.

    Raises:
        CommandError: there is none, or it is not its host who asks.
    """
    import msgspec  # noqa: PLC0415 - it comes with the server

    from jasstisch.server.admin import messages as admin  # noqa: PLC0415 - help needs no server

    path: Path = (
        arguments.admin
        or admin_socket_path(arguments)
        or default_socket_dir(arguments) / admin.ADMIN_SOCKET_NAME
    )
    if not hasattr(socket, "AF_UNIX"):
        raise CommandError("this system has no local sockets")
    try:
        token = admin.token_path(path).read_text("ascii")
        line = msgspec.json.encode(admin.AdminRequest(token, call)) + b"\n"
        answer = b"".join(send_and_receive(path, line, admin.MAX_RESPONSE_BYTES))
        decoded: admin.Response = msgspec.json.decode(answer, type=admin.Response)
    except (FileNotFoundError, ConnectionRefusedError) as error:
        raise CommandError(f"no server answers at {path}: is it running?") from error
    except OSError as error:
        raise CommandError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    except ValueError as error:
        raise CommandError(f"{path} answers what is not understood here") from error
    return decoded


def default_socket_dir(arguments: argparse.Namespace) -> Path:
    """The data folder, in which the socket lies where the host has named no other place.

    Raises:
        CommandError: the tables are in no folder.
        UsageError: two places are named.
    """
    from jasstisch.storage import StoreError  # noqa: PLC0415 - help needs no store

    if postgres_url(arguments) is not None:
        raise CommandError(
            "tables in Postgres lie in no folder: name the socket of the server, --admin PATH, as "
            "jasstisch serve was told"
        )
    try:
        return data_dir(arguments)
    except StoreError as error:
        raise CommandError(str(error)) from error


def send_and_receive(path: Path, line: bytes, most: int) -> Iterator[bytes]:
    """Sends a line and gives what comes back, until the other side closes."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(RESPONSE_TIMEOUT_S)
        connection.connect(os.fspath(path))
        connection.sendall(line)
        got = 0
        while some := connection.recv(65_536):
            got += len(some)
            if got > most:
                raise ValueError("too much")
            yield some


def print_response(answer: "admin.Response", arguments: argparse.Namespace) -> None:
    """Prints what the server has answered.

    Raises:
        CommandError: it has refused.
    """
    from jasstisch.server.admin import messages as admin  # noqa: PLC0415 - it is there by now

    match answer:
        case admin.Rejected(text):
            raise CommandError(text)
        case admin.Ok(text):
            print(text)
        case admin.Exported(data):
            print(to_json(data))
        case admin.TableList():
            print_tables(answer, arguments)
        case admin.BanList(bans):
            for ban in bans:
                until = "for good" if ban.until is None else f"until {format_time(ban.until)}"
                since = f"since {format_time(ban.since)}, {until}"
                print(sanitize_line(f"{ban.person}  {since}: {ban.reason}"))
            if not bans:
                print("Nobody is kept out.")


def print_tables(found: "admin.TableList", arguments: argparse.Namespace) -> None:
    """Prints tables, one a line, and their seats where they are wanted."""
    for row in found.tables:
        shown = row.table if arguments.ids else f"{row.table[:ID_PREFIX_LENGTH]}…"
        names = ", ".join(seat.name for seat in row.seats if seat.kind == "person")
        where = f"{row.phase}{'' if row.live else ', resting'}"
        line = f"{shown}  {format_time(row.touched)}  {row.game or '?'}, {where}"
        print(sanitize_line(f"{line}{': ' if names and not arguments.people else ''}"), end="")
        print("" if arguments.people else sanitize_line(names))
        for number, seat in enumerate(row.seats if arguments.people else [], start=1):
            print(
                sanitize_line(f"    {number}  {seat.person or '-':<10}  {seat.name or seat.kind}")
            )
    print(f"{len(found.tables)} of {found.all} tables")


def format_time(seconds: float) -> str:
    """A time as the host's clock shows it."""
    return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M")


def to_json(data: dict[str, Any]) -> str:
    """An object as people can read it, in any terminal."""
    return json.dumps(data, indent=2)
