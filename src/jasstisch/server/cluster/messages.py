"""What the nodes of one store say to each other, and which of them understand each other.

Fields are only ever added, with a default: who does not know one passes it over, and so it does
with a whole message of a kind that it does not know. What a person is sent travels as the text that
goes to the socket.
"""

from typing import Literal

from msgspec import Struct

__all__ = [
    "PROTOCOL_VERSION",
    "Deliver",
    "ForwardedRequest",
    "Heartbeat",
    "LinkRevoked",
    "ListPublicTables",
    "NodeMessage",
    "Outcome",
    "ResolveJoinCode",
    "Response",
    "RevokeDevices",
    "ShutdownAck",
    "ShuttingDown",
    "SubscriberList",
    "TableCall",
    "TablesReleased",
    "Unsubscribe",
    "UsageReport",
    "is_compatible",
]

PROTOCOL_VERSION = 1
"""The version of these messages: raised by a change that a node of the version before cannot read
as it is meant. A node still says and reads what the version before it did, so that a server can be
renewed node by node, from one version to the next."""


def is_compatible(mine: int, theirs: int) -> bool:
    """Whether nodes of these two versions understand each other."""
    return abs(mine - theirs) <= 1


class Message(Struct, tag_field="kind", frozen=True, omit_defaults=True):
    """What all messages are."""


class Heartbeat(Message, tag="beat", frozen=True):
    """This node is there; said again and again, so that a message that is lost is missed soon.

    Attributes:
        lost: something of what the other has said did not arrive: it is to say who visits.
    """

    lost: bool = False


class ForwardedRequest(Message, tag="ask", frozen=True):
    """Somebody at this node asks something of a table that the other has.

    Attributes:
        request: the number of the answer.
        visitor: who asks, by a number that stays his at this table.
        number: under which he is told of the table from now on.
        table: its id.
        person: who it is; None for somebody without an identity.
        message: what he asks, as a client sends it.
        quiet: nobody waits for an acknowledgement: this node itself asks.
        address: under whom the table counts if it is fetched.
    """

    request: int
    visitor: int
    number: int
    table: str
    person: str | None
    message: bytes
    quiet: bool = False
    address: str = ""


AdminOperation = Literal["forget", "shut", "unname", "unlist"]
"""What a server may do to a table, see `commands.Operating`."""


class TableCall(Message, tag="call", frozen=True):
    """This node wants to know something of a table that the other has, or has something done.

    Attributes:
        request: the number of the answer.
        table: its id.
        what: whether `person` with `key` may know of it, and of `match`; its room, and as `person`
            may see it; its record; how it stands with the analysis of `match`; that `person` wants
            it analysed; that `person` is forgotten there; that it is closed; that the name of
            `seat` goes; that it is no longer published; that it is deleted.
        person: see `what`.
        key: see `what`.
        seat: see `what`.
        address: under whom the table counts if it is fetched.
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
    """This node wants to know where a short code leads, if the other has made it.

    Attributes:
        request: the number of the answer.
        code: what somebody has typed.
    """

    request: int
    code: str


class ListPublicTables(Message, tag="listed", frozen=True):
    """This node wants to know which published tables the other has.

    Attributes:
        request: the number of the answer.
    """

    request: int


Outcome = Literal["done", "elsewhere", "unknown", "full", "failed"]
"""Done, and answered; the table is not here, so nothing has been done; there is no such table; too
much is asked of it, and nothing has been done; it is not known what has been done."""


class Response(Message, tag="answer", frozen=True):
    """What has become of an `Ask`, a `Call`, a `Listed` or an `Invited`.

    Attributes:
        request: its number.
        outcome: what.
        follows: whether the visitor now follows the table.
        body: what was to be known, as JSON.
    """

    request: int
    outcome: Outcome
    follows: bool = False
    body: bytes = b""


class Deliver(Message, tag="told", frozen=True):
    """What some visitors are told.

    Attributes:
        numbers: under which they are told.
        text: what, as it goes to a socket.
    """

    numbers: list[int]
    text: bytes


class Unsubscribe(Message, tag="leave", frozen=True):
    """These visitors are gone."""

    visitors: list[int]


class LinkRevoked(Message, tag="link_ended", frozen=True):
    """The link of this table leads there no more, and so no code does."""

    table: str


class SubscriberList(Message, tag="visiting", frozen=True):
    """All visitors there are from this node; others are gone."""

    visitors: list[int]


class TablesReleased(Message, tag="released", frozen=True):
    """These tables are no longer at this node; whoever follows them finds them anew."""

    tables: list[str]


class ShuttingDown(Message, tag="going", frozen=True):
    """This node has given back all its tables and ends."""


class ShutdownAck(Message, tag="farewell", frozen=True):
    """To a node that is going: this one asks it nothing more."""


class RevokeDevices(Message, tag="forget", frozen=True):
    """These devices are known no longer: their connections end."""

    hashes: list[str]


class UsageReport(Message, tag="spent", frozen=True):
    """What counts at all nodes together.

    Attributes:
        taken: by limit and key, how much has been taken since it was last told.
        there: by limit and key, how many there are now.
        whole: `there` is all there is; else only what has changed.
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
"""All messages."""
