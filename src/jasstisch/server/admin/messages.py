"""What the host of a server asks of it while it runs, and what it answers.

One message is one line of JSON. People are named by what their hash begins with, tables by what
their id begins with, both as long as nobody else is meant.
"""

from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from jasstisch.table.room import RoomPhase

__all__ = [
    "ADMIN_SOCKET_NAME",
    "MAX_REQUEST_BYTES",
    "MAX_RESPONSE_BYTES",
    "AdminRequest",
    "BanList",
    "BanPerson",
    "Banned",
    "Call",
    "CloseTable",
    "DeletePerson",
    "ExportPerson",
    "Exported",
    "ListBans",
    "ListTables",
    "Ok",
    "Rejected",
    "RemoveNickname",
    "Response",
    "SeatRow",
    "TableList",
    "TableRow",
    "UnbanPerson",
    "UnpublishTable",
    "token_path",
]

ADMIN_SOCKET_NAME = "admin.sock"
"""The local socket in the data folder over which its host reaches a running server."""

MAX_REQUEST_BYTES = 8 * 2**10
"""Bytes of a request."""

MAX_RESPONSE_BYTES = 256 * 2**20
"""Bytes of an answer: all that is kept of somebody who has played for years."""

TableIdPrefix = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{4,32}$")]
"""A table: its id, or at least four characters with which it alone begins."""

PersonHashPrefix = Annotated[str, Meta(pattern="^[0-9a-f]{6,64}$")]
"""A person: the hash, or at least six digits with which it alone begins."""

SeatNumber = Annotated[int, Meta(ge=0, le=63)]
GameName = Annotated[str, Meta(max_length=40)]


class _Call(Struct, tag_field="do", forbid_unknown_fields=True, frozen=True):
    pass


class ListTables(_Call, tag="tables", frozen=True):
    """Which tables there are, those that were used last first.

    Attributes:
        most: how many at most.
        live: only those in memory.
        game: only those of a game.
        phase: only those in a phase; `damaged` for those that cannot be read.
    """

    most: Annotated[int, Meta(ge=1, le=1000)] = 50
    live: bool = False
    game: GameName | None = None
    phase: RoomPhase | Literal["damaged"] | None = None


class CloseTable(_Call, tag="close", frozen=True):
    """Closes a table, as its host could: nothing happens there any more."""

    table: TableIdPrefix


class BanPerson(_Call, tag="ban", frozen=True):
    """Keeps a person out: one that is named, or who holds a seat.

    Attributes:
        reason: what the person is told.
        hours: for how long; None for good.
        person: who.
        table: or at which table that one sits.
        seat: and on which seat, from 0.
    """

    reason: Annotated[str, Meta(min_length=1, max_length=200)]
    hours: Annotated[float, Meta(gt=0, le=24 * 366 * 100)] | None = None
    person: PersonHashPrefix | None = None
    table: TableIdPrefix | None = None
    seat: SeatNumber | None = None


class ListBans(_Call, tag="bans", frozen=True):
    """Who is kept out."""


class UnbanPerson(_Call, tag="unban", frozen=True):
    """Lets a person in again."""

    person: PersonHashPrefix


class RemoveNickname(_Call, tag="rename", frozen=True):
    """Takes the nickname of a seat away, from 0: a neutral one takes its place."""

    table: TableIdPrefix
    seat: SeatNumber


class UnpublishTable(_Call, tag="unlist", frozen=True):
    """Takes a table off the list that everybody sees; its host may put it there again."""

    table: TableIdPrefix


class ExportPerson(_Call, tag="export", frozen=True):
    """All that is kept of a person."""

    person: PersonHashPrefix


class DeletePerson(_Call, tag="delete", frozen=True):
    """Forgets a person, as if that one had asked for it."""

    person: PersonHashPrefix


Call = (
    ListTables
    | CloseTable
    | BanPerson
    | ListBans
    | UnbanPerson
    | RemoveNickname
    | UnpublishTable
    | ExportPerson
    | DeletePerson
)
"""What can be asked."""


class AdminRequest(Struct, forbid_unknown_fields=True, frozen=True):
    """A call, with the token that only who may read the data folder knows."""

    token: Annotated[str, Meta(max_length=64)]
    call: Call


class _Response(Struct, tag_field="is", forbid_unknown_fields=True, frozen=True):
    pass


class SeatRow(Struct, frozen=True):
    """A seat: who holds it, under which name, and what the person's hash begins with."""

    kind: str
    name: str
    person: str | None


class TableRow(Struct, frozen=True):
    """A table.

    Attributes:
        table: its id.
        game: the name of its game; "" where that cannot be read.
        phase: where it stands.
        live: whether it is in memory.
        touched: seconds since 1970 when something was last added, to the hour.
        seats: its seats.
    """

    table: str
    game: str
    phase: str
    live: bool
    touched: float
    seats: list[SeatRow]


class TableList(_Response, tag="tables", frozen=True):
    """Tables; how many were looked at, and how many there are."""

    tables: list[TableRow]
    looked: int
    all: int


class Banned(Struct, frozen=True):
    """Somebody who is kept out: what the hash begins with, since and until when, and why."""

    person: str
    since: float
    until: float | None
    reason: str


class BanList(_Response, tag="bans", frozen=True):
    """Who is kept out."""

    bans: list[Banned]


class Exported(_Response, tag="exported", frozen=True):
    """All that is kept of a person, as an object of JSON."""

    data: dict[str, Any]


class Ok(_Response, tag="done", frozen=True):
    """It has been done; what, in a sentence."""

    text: str


class Rejected(_Response, tag="refused", frozen=True):
    """It has not been done; why, in a sentence."""

    text: str


Response = TableList | BanList | Exported | Ok | Rejected
"""What can be answered."""


def token_path(path: Path) -> Path:
    """Where the token of a socket lies, which every request shows.

    Args:
        path: the socket.
    """
    return path.with_name(f"{path.name}.token")
