"""`jasstisch admin`: administration of a running server over its Unix socket."""

import argparse
import json
import os
import re
import socket
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jasstisch.cli.arguments import Parser, int_range, parse_seat
from jasstisch.cli.config.store_location import (
    add_store_arguments,
    admin_socket_path,
    data_dir,
    postgres_url,
)
from jasstisch.cli.errors import CommandError, UsageError
from jasstisch.cli.ui.encoding import printable_line
from jasstisch.engine.errors import did_you_mean, shorten

if TYPE_CHECKING:
    from jasstisch.server.admin import messages as admin

SUBCOMMANDS = {
    "tables": "list tables, the most recently used first",
    "close": "close a table for good",
    "unlist": "remove a table from the public list",
    "ban": "ban a person: all their devices and codes stop working",
    "bans": "list the bans",
    "unban": "lift a ban",
    "rename": "replace a nickname by a neutral one",
    "export": "print everything stored about a person, as JSON",
    "delete": "erase a person, as if they had asked for it",
}

_PHASES = ("open", "playing", "between", "over", "closed", "damaged")

_RESPONSE_TIMEOUT_S = 150.0
"""Seconds to wait for a response: more than the server's own timeout."""

_ID_PREFIX_LENGTH = 6
"""Characters of a table's id that are printed unless whole ids are requested."""


def run(argv: list[str]) -> int:
    """Sends a call to the server and prints the response.

    Raises:
        CommandError: no server answers, or it rejects the call; the message is its reason.
        UsageError: there is no such call.
    """
    if not argv or argv[0].startswith("-"):
        top_parser().parse(argv)
        raise UsageError(f"name a call: {', '.join(SUBCOMMANDS)}; see jasstisch admin --help")
    if argv[0] not in SUBCOMMANDS:
        near = did_you_mean(argv[0], SUBCOMMANDS)
        known = f"the calls are {', '.join(SUBCOMMANDS)}"
        raise UsageError(f"unknown call {shorten(argv[0])!r}; {known}{near}")
    arguments = parser(argv[0]).parse(argv[1:])
    call = _build_request(argv[0], arguments)
    _print_response(_call_server(arguments, call), arguments)
    return 0


def top_parser() -> Parser:
    """Returns the parser of a command line without a call, for the help."""
    calls = "\n".join(f"  {name:<8}  {purpose}" for name, purpose in SUBCOMMANDS.items())
    return Parser(
        "jasstisch admin",
        f"Administer a running server on this machine.\n\ncalls:\n{calls}",
        usage="jasstisch admin CALL ...",
        epilog="Help for a call: jasstisch admin CALL --help\n"
        "TABLE is an id or its beginning, as tables prints it; PERSON is what tables --people "
        "prints.",
    )


def parser(call: str) -> Parser:
    """Returns the parser of a call."""
    purpose = SUBCOMMANDS[call]
    result = Parser(f"jasstisch admin {call}", f"{purpose[0].upper()}{purpose[1:]}.")
    if call == "tables":
        _add_filters(result)
    if call in ("close", "unlist", "rename"):
        result.add_argument("table", metavar="TABLE", type=_parse_table_id, help="the table")
    if call == "rename":
        result.add_argument(
            "seat", metavar="SEAT", type=parse_seat, help="the seat, counted from 1"
        )
    if call in ("unban", "export", "delete"):
        result.add_argument("person", metavar="PERSON", type=_parse_person_id, help="the person")
    if call == "ban":
        _add_ban(result)
    result.add_argument(
        "--admin",
        metavar="PATH",
        type=Path,
        help="admin socket (default: that of the settings, else admin.sock in the data folder)",
    )
    add_store_arguments(result)
    return result


def _add_filters(result: Parser) -> None:
    """Adds the filters and columns of the list of tables."""
    result.add_argument(
        "--ids", action="store_true", help="print whole ids, which let anybody watch"
    )
    result.add_argument("--people", action="store_true", help="print who has each seat")
    result.add_argument("--live", action="store_true", help="only tables in memory")
    result.add_argument("--game", metavar="GAME", help="only tables of a game")
    result.add_argument(
        "--phase",
        metavar="PHASE",
        choices=_PHASES,
        help=f"only tables that are {', '.join(_PHASES)}",
    )
    result.add_argument(
        "--most",
        metavar="N",
        type=int_range(1, 1000),
        default=50,
        help="most tables listed (default 50)",
    )


def _add_ban(result: Parser) -> None:
    """Adds the arguments of a ban: person, length and reason."""
    result.add_argument(
        "person", metavar="PERSON", nargs="?", type=_parse_person_id, help="the person"
    )
    result.add_argument(
        "--table", metavar="TABLE", type=_parse_table_id, help="or the person at this table"
    )
    result.add_argument(
        "--seat", metavar="SEAT", type=parse_seat, help="in this seat, counted from 1"
    )
    result.add_argument(
        "--reason", metavar="TEXT", required=True, help="the reason shown to the person"
    )
    result.add_argument(
        "--days",
        metavar="N",
        type=int_range(1, 36_500),
        help="length of the ban (default: permanent)",
    )


def _parse_table_id(text: str) -> str:
    """Argument type for a table id or its beginning."""
    if not re.fullmatch(r"[A-Za-z0-9_-]{4,32}", text):
        raise argparse.ArgumentTypeError(
            "the id of a table or at least its first 4 characters are needed, not "
            f"{shorten(text)!r}"
        )
    return text


def _parse_person_id(text: str) -> str:
    """Argument type for the hash of a person or its beginning."""
    if not re.fullmatch(r"[0-9a-f]{6,64}", text):
        raise argparse.ArgumentTypeError(
            f"at least 6 hexadecimal digits, as tables --people prints them, are needed, not "
            f"{shorten(text)!r}"
        )
    return text


def _build_request(call: str, arguments: argparse.Namespace) -> "admin.Call":
    """Builds the call to send to the server."""
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


def _call_server(arguments: argparse.Namespace, call: "admin.Call") -> "admin.Response":
    """Sends a call and returns the response.

    Raises:
        CommandError: no server answers, or the user is not its operator.
    """
    import msgspec  # noqa: PLC0415 - installed with the server

    from jasstisch.server.admin import messages as admin  # noqa: PLC0415 - help needs no server

    path: Path = (
        arguments.admin
        or admin_socket_path(arguments)
        or _default_socket_dir(arguments) / admin.ADMIN_SOCKET_NAME
    )
    if not hasattr(socket, "AF_UNIX"):
        raise CommandError("this system has no Unix domain sockets")
    try:
        token = admin.token_path(path).read_text("ascii")
        line = msgspec.json.encode(admin.AdminRequest(token, call)) + b"\n"
        answer = b"".join(_send_and_receive(path, line, admin.MAX_RESPONSE_BYTES))
        decoded: admin.Response = msgspec.json.decode(answer, type=admin.Response)
    except (FileNotFoundError, ConnectionRefusedError) as error:
        raise CommandError(f"no server answers at {path}: is it running?") from error
    except OSError as error:
        raise CommandError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    except ValueError as error:
        raise CommandError(
            f"{path}: the answer is not valid; are server and command of the same version?"
        ) from error
    return decoded


def _default_socket_dir(arguments: argparse.Namespace) -> Path:
    """Returns the data folder, where the socket is unless the operator chose another path.

    Raises:
        CommandError: the server has no data folder.
        UsageError: both a data folder and a store are given.
    """
    from jasstisch.storage import StoreError  # noqa: PLC0415 - help needs no store

    if postgres_url(arguments) is not None:
        raise CommandError(
            "tables in Postgres have no data folder: name the admin socket of the server with "
            "--admin PATH, as for jasstisch serve"
        )
    try:
        return data_dir(arguments)
    except StoreError as error:
        raise CommandError(str(error)) from error


def _send_and_receive(path: Path, line: bytes, max_bytes: int) -> Iterator[bytes]:
    """Sends a line and yields the response until the server closes the connection."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(_RESPONSE_TIMEOUT_S)
        connection.connect(os.fspath(path))
        connection.sendall(line)
        got = 0
        while some := connection.recv(65_536):
            got += len(some)
            if got > max_bytes:
                raise ValueError("the answer is too long")
            yield some


def _print_response(answer: "admin.Response", arguments: argparse.Namespace) -> None:
    """Prints the response of the server.

    Raises:
        CommandError: the server rejected the call.
    """
    from jasstisch.server.admin import messages as admin  # noqa: PLC0415 - imported already

    match answer:
        case admin.Rejected(text):
            raise CommandError(text)
        case admin.Ok(text):
            print(text)
        case admin.ExportedData(data):
            print(_to_json(data))
        case admin.TableList():
            _print_tables(answer, arguments)
        case admin.BanList(bans):
            for ban in bans:
                until = "permanent" if ban.until is None else f"until {_format_time(ban.until)}"
                since = f"since {_format_time(ban.since)}, {until}"
                print(printable_line(f"{ban.person}  {since}: {ban.reason}"))
            if not bans:
                print("There are no bans.")


def _print_tables(found: "admin.TableList", arguments: argparse.Namespace) -> None:
    """Prints tables, one per line, with their seats if requested."""
    for row in found.tables:
        shown = row.table if arguments.ids else f"{row.table[:_ID_PREFIX_LENGTH]}…"
        names = ", ".join(seat.name for seat in row.seats if seat.kind == "person")
        where = f"{row.phase}{'' if row.live else ', not in memory'}"
        line = f"{shown}  {_format_time(row.touched)}  {row.game or '?'}, {where}"
        print(printable_line(f"{line}{': ' if names and not arguments.people else ''}"), end="")
        print("" if arguments.people else printable_line(names))
        for number, seat in enumerate(row.seats if arguments.people else [], start=1):
            print(
                printable_line(f"    {number}  {seat.person or '-':<10}  {seat.name or seat.kind}")
            )
    print(f"{len(found.tables)} of {found.all} tables")


def _format_time(seconds: float) -> str:
    """Formats a time in the operator's time zone."""
    return datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M")


def _to_json(data: dict[str, Any]) -> str:
    """Formats an object as indented JSON in ASCII, readable in any terminal."""
    return json.dumps(data, indent=2)
