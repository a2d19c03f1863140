"""The messages between the nodes of one store, and which versions of them are compatible.

Fields are only ever added, with a default. A node ignores unknown fields and whole messages of an
unknown kind. A message for a client is carried as the encoded text that goes to the socket.
"""

from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct

from jasstisch.table import RoomInfo

PROTOCOL_VERSION = 1
"""The version of these messages. A change that the version before would misread raises it. A node
still sends and reads the messages of the version before, so that a cluster can be upgraded node by
node, from one version to the next.
"""


def is_compatible(mine: int, theirs: int) -> bool:
    """Whether nodes of these two versions can exchange messages."""
    return abs(mine - theirs) <= 1


class Message(Struct, tag_field="kind", frozen=True, omit_defaults=True):
    """The base class of all messages."""


class Heartbeat(Message, tag="beat", frozen=True):
    """A periodic sign of life, which also reveals lost messages quickly.

    Attributes:
        lost: a message of the receiver was lost; it is to send its list of subscribers.
    """

    lost: bool = False


class ForwardedRequest(Message, tag="ask", frozen=True):
    """A request of a client of this node to a table that the receiver holds.

    Attributes:
        request: the id of the request, repeated in the response.
        visitor: the id of the subscriber, constant for this table.
        number: the subscription id for the messages to the subscriber from now on.
        table: the table's id.
        person: the person who asks; None for somebody without an identity.
        message: the client's message, as the client sends it.
        quiet: whether no acknowledgement is needed, because this node itself asks.
        address: the address that the table counts for if it is loaded.
        session: the session of the subscriber, which a node of the version before ignores here.
        watch: the number of the subscriber's first `watch` in that session.
    """

    request: int
    visitor: int
    number: int
    table: str
    person: str | None
    message: bytes
    quiet: bool = False
    address: str = ""
    session: str | None = None
    watch: int = 0


AdminOperation = Literal["erase", "shut", "unname", "unlist"]
"""The operations of a server on a table; see `commands.AdminCommand`."""


class TableCall(Message, tag="call", frozen=True):
    """A query of this node about a table that the receiver holds, or an operation on it.

    Attributes:
        request: the id of the request, repeated in the response.
        table: the table's id.
        what: the query or operation: whether `person` with `key` may access the table and `match`;
            the room, or the room as `person` may see it; the record; the status of the analysis of
            `match`, or its start by `person`; the erasure of `person`; closing the table; removing
            the nickname in `seat`; unpublishing the table; deleting it.
        person: see `what`.
        key: see `what`.
        seat: see `what`.
        address: the address that the table counts for if it is loaded.
        match: see `what`.
    """

    request: int
    table: str
    what: Literal[
        "admits", "room", "room_for", "record", "analysis", "analyse", AdminOperation, "delete"
    ]
    person: str | None = None
    key: str | None = None
    seat: int | None = None
    address: str = ""
    match: int = 0


class ResolveJoinCode(Message, tag="invited", frozen=True):
    """Asks where a join code leads, if the receiver has created it.

    Attributes:
        request: the id of the request, repeated in the response.
        code: the code as a person has typed it.
    """

    request: int
    code: str


class ListPublicTables(Message, tag="listed", frozen=True):
    """Asks for the published tables of the receiver.

    Attributes:
        request: the id of the request, repeated in the response.
    """

    request: int


Outcome = Literal["done", "elsewhere", "unknown", "full", "failed"]
"""The outcome of a request. `done`: executed and answered. `elsewhere`: the table is on another
node, nothing was executed. `unknown`: there is no such table. `full`: the table is overloaded,
nothing was executed. `failed`: it is unknown what was executed.
"""


class Response(Message, tag="answer", frozen=True):
    """The response to a `ForwardedRequest`, `TableCall`, `ListPublicTables` or `ResolveJoinCode`.

    Attributes:
        request: the id of the request.
        outcome: the outcome.
        follows: whether the subscriber is now subscribed to the table.
        body: the result of a query, as JSON.
    """

    request: int
    outcome: Outcome
    follows: bool = False
    body: bytes = b""


class Deliver(Message, tag="told", frozen=True):
    """Delivers a message to some subscribers.

    Attributes:
        numbers: their subscription ids.
        text: the message, as it goes to a socket.
    """

    numbers: list[int]
    text: bytes


class Unsubscribe(Message, tag="leave", frozen=True):
    """Ends the subscriptions of these subscribers."""

    visitors: list[int]


class LinkRevoked(Message, tag="link_ended", frozen=True):
    """The link of this table is no longer valid, and so its join code is not either."""

    table: str


class SubscriberList(Message, tag="visiting", frozen=True):
    """The complete list of this node's subscribers at the receiver; all others are gone."""

    visitors: list[int]


class TablesReleased(Message, tag="released", frozen=True):
    """These tables have left this node; their subscribers must locate them again."""

    tables: list[str]


class ShuttingDown(Message, tag="going", frozen=True):
    """This node has released all its tables and shuts down."""


class ShutdownAck(Message, tag="farewell", frozen=True):
    """The answer to `ShuttingDown`: this node sends the receiver no more requests."""


class RevokeDevices(Message, tag="forget", frozen=True):
    """These devices are revoked: their connections must be closed."""

    hashes: list[str]


class UsageReport(Message, tag="spent", frozen=True):
    """The usage that counts for all nodes together.

    Attributes:
        taken: for each limit and key, how much was taken since the last report.
        there: for each limit and key, the current count.
        whole: whether `there` is complete; otherwise it holds the changes only.
    """

    taken: dict[str, dict[str, int]] = {}
    there: dict[str, dict[str, int]] = {}
    whole: bool = False


NodeMessage = (
    Heartbeat
    | ForwardedRequest
    | TableCall
    | ListPublicTables
    | ResolveJoinCode
    | Response
    | Deliver
    | Unsubscribe
    | LinkRevoked
    | SubscriberList
    | TablesReleased
    | ShuttingDown
    | ShutdownAck
    | RevokeDevices
    | UsageReport
)
"""All message types."""


def decode_room(room: Any) -> RoomInfo:  # noqa: ANN401 - as JSON has it
    """The room that a call returns; a newer node may send fields that are unknown here."""
    if isinstance(room, RoomInfo):
        return room
    return msgspec.convert(_without_unknown_fields(room, RoomInfo), RoomInfo)


def _without_unknown_fields(value: Any, kind: Any) -> Any:  # noqa: ANN401 - as JSON has it, and any type
    """A decoded value without the keys that the structs of its type do not have."""
    struct = _struct_type(kind)
    if struct is not None and isinstance(value, list):
        return [_without_unknown_fields(one, struct) for one in value]
    if struct is not None and isinstance(value, dict):
        fields = msgspec.structs.fields(struct)
        return {
            one.encode_name: _without_unknown_fields(value[one.encode_name], one.type)
            for one in fields
            if one.encode_name in value
        }
    return value


def _struct_type(kind: Any) -> type[msgspec.Struct] | None:  # noqa: ANN401 - any type
    """The struct type in a type annotation; None if there is none."""
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return kind
    return next((one for one in map(_struct_type, get_args(kind)) if one is not None), None)
