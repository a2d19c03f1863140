"""The server's messages as a client reads them.

All of a message must have its form, or it cannot be read, but for the state of the deals: that
is a promise of the server, and one of another form breaks it. `fairness` judges it.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from jasstisch.server.api import messages


class _ToldRoom(messages.RoomInfo, frozen=True):
    """A room with what the server says of the deals, whatever its form; silence is None."""

    fair: Any = None


class _ToldSnapshot(messages.Snapshot, tag="snapshot", frozen=True):
    room: _ToldRoom


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
    return _decoder.decode(text)


def read_room(told: Mapping[str, Any]) -> messages.RoomInfo:
    """Reads a room; its `fair` is None where the state of the deals has another form.

    Raises:
        msgspec.ValidationError: it is none.
    """
    try:
        return msgspec.convert(told, messages.RoomInfo)
    except msgspec.ValidationError:
        return msgspec.convert({**told, "fair": None}, messages.RoomInfo)
