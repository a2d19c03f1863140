"""The server's messages as a client reads them.

All of a message must have its form, or it cannot be read, but for the state of the deals and the
number of the match that they are of: those are promises of the server, and what has another form
breaks them. `fairness` judges it.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from jasstisch.fairness.json_validation import MAX_NUMBER
from jasstisch.server.api import messages


class _ToldRoom(messages.RoomInfo, frozen=True, kw_only=True):
    """A room with what the server says of the deals, whatever its form; silence is None."""

    number: Any = None
    fair: Any = None


class _ToldSnapshot(messages.Snapshot, tag="snapshot", frozen=True):
    room: _ToldRoom


_ToldChanges = msgspec.defstruct(
    "_ToldChanges",
    [(field.name, field.type, None) for field in msgspec.structs.fields(_ToldRoom)],
    forbid_unknown_fields=True,
)
"""What an event may change of a room: any part of it, and nothing else."""

_decoder: msgspec.json.Decoder[messages.ServerMessage] = msgspec.json.Decoder(
    messages.Welcome
    | messages.Ack
    | messages.ErrorMessage
    | _ToldSnapshot
    | messages.Event
    | messages.Presence
    | messages.HintReply
    | messages.Settled
    | messages.Pong
)


def read_message(text: str | bytes) -> messages.ServerMessage:
    """Reads a message of the server.

    Raises:
        msgspec.MsgspecError: it is none.
    """
    message = _decoder.decode(text)
    if isinstance(message, messages.Event):
        msgspec.convert(message.room, _ToldChanges)
    return message


def read_match_number(told: object) -> int | None:
    """The number of a match at a table, 0 before the first; None for what is no such number."""
    return told if type(told) is int and 0 <= told <= MAX_NUMBER else None


def read_room(told: Mapping[str, Any]) -> messages.RoomInfo:
    """Reads a room.

    Where the state of the deals has another form, its `fair` is None. Where the number of the match
    is none, it is 0.

    Raises:
        msgspec.ValidationError: it is none.
    """
    numbered = {**told, "number": read_match_number(told.get("number")) or 0}
    try:
        return msgspec.convert(numbered, messages.RoomInfo)
    except msgspec.ValidationError:
        return msgspec.convert({**numbered, "fair": None}, messages.RoomInfo)
