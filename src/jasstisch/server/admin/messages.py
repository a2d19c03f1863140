"""The requests of an operator to a running server, and the responses.

A message is one line of JSON. Persons are identified by a prefix of their hash, tables by a prefix
of their id, as long as the prefix is unique.
"""

from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from jasstisch.table.client_state import RoomPhase

ADMIN_SOCKET_NAME = "admin.sock"
"""The name of the local socket in the data folder, over which the operator reaches the server."""

MAX_REQUEST_BYTES = 8 * 2**10
"""The maximum size of a request in bytes."""

MAX_RESPONSE_BYTES = 256 * 2**20
"""The maximum size of a response in bytes: the export of a person who has played for years."""

_TableIdPrefix = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{4,32}$")]
"""A table: its id, or a unique prefix of at least four characters."""

_PersonHashPrefix = Annotated[str, Meta(pattern="^[0-9a-f]{6,64}$")]
"""A person: the hash, or a unique prefix of at least six digits."""

_SeatNumber = Annotated[int, Meta(ge=0, le=63)]
_GameName = Annotated[str, Meta(max_length=40)]


class _Call(Struct, tag_field="do", forbid_unknown_fields=True, frozen=True):
    pass


class ListTables(_Call, tag="tables", frozen=True):
    """Lists tables, most recently used first.

    Attributes:
        most: the maximum number of tables.
        live: only those in memory.
        game: only those of a game.
        phase: only those in a phase; `damaged` for those that cannot be read.
    """

    most: Annotated[int, Meta(ge=1, le=1000)] = 50
    live: bool = False
    game: _GameName | None = None
    phase: RoomPhase | Literal["damaged"] | None = None


class CloseTable(_Call, tag="close", frozen=True):
    """Closes a table, as its host could: nothing can happen there any more."""

    table: _TableIdPrefix


class BanPerson(_Call, tag="ban", frozen=True):
    """Bans a person, given by hash or by seat.

    Attributes:
        reason: the reason that is shown to the person.
        hours: the duration; None for a permanent ban.
        person: the person.
        table: or the table where the person sits.
        seat: and the person's seat there, from 0.
    """

    reason: Annotated[str, Meta(min_length=1, max_length=200)]
    hours: Annotated[float, Meta(gt=0, le=24 * 366 * 100)] | None = None
    person: _PersonHashPrefix | None = None
    table: _TableIdPrefix | None = None
    seat: _SeatNumber | None = None


class ListBans(_Call, tag="bans", frozen=True):
    """Lists the bans."""


class UnbanPerson(_Call, tag="unban", frozen=True):
    """Ends the ban of a person."""

    person: _PersonHashPrefix


class RemoveNickname(_Call, tag="rename", frozen=True):
    """Replaces the nickname in a seat, numbered from 0, by a neutral one."""

    table: _TableIdPrefix
    seat: _SeatNumber


class UnpublishTable(_Call, tag="unlist", frozen=True):
    """Removes a table from the public list; its host may publish it again."""

    table: _TableIdPrefix


class ExportPerson(_Call, tag="export", frozen=True):
    """Exports all data stored about a person."""

    person: _PersonHashPrefix


class DeletePerson(_Call, tag="delete", frozen=True):
    """Erases a person, as if they had requested it."""

    person: _PersonHashPrefix


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
"""The requests."""


class AdminRequest(Struct, forbid_unknown_fields=True, frozen=True):
    """A request, with the token that only those know who may read the data folder."""

    token: Annotated[str, Meta(max_length=64)]
    call: Call


class _Response(Struct, tag_field="is", forbid_unknown_fields=True, frozen=True):
    pass


class SeatRow(Struct, frozen=True):
    """A seat: who holds it, under which nickname, and the prefix of the person's hash."""

    kind: str
    name: str
    person: str | None


class TableRow(Struct, frozen=True):
    """A table.

    Attributes:
        table: its id.
        game: the name of its game; "" if it cannot be read.
        phase: its phase.
        live: whether it is in memory.
        touched: when something was last added, in seconds since 1970, to the hour.
        seats: its seats.
    """

    table: str
    game: str
    phase: str
    live: bool
    touched: float
    seats: list[SeatRow]


class TableList(_Response, tag="tables", frozen=True):
    """A list of tables, with the number of tables examined and the total number."""

    tables: list[TableRow]
    examined: int
    all: int


class BanRow(Struct, frozen=True):
    """A banned person: the prefix of the hash, the start, end and reason of the ban."""

    person: str
    since: float
    until: float | None
    reason: str


class BanList(_Response, tag="bans", frozen=True):
    """The bans in force."""

    bans: list[BanRow]


class ExportedData(_Response, tag="exported", frozen=True):
    """All data stored about a person, as a JSON object."""

    data: dict[str, Any]


class Ok(_Response, tag="done", frozen=True):
    """The request succeeded; what was done, in a sentence."""

    text: str


class Rejected(_Response, tag="refused", frozen=True):
    """The request was rejected; the reason, in a sentence."""

    text: str


Response = TableList | BanList | ExportedData | Ok | Rejected
"""The responses."""


def token_path(path: Path) -> Path:
    """The path of a socket's token, which every request presents.

    Args:
        path: the socket.
    """
    return path.with_name(f"{path.name}.token")
