"""Decodes the messages of clients, and describes what is wrong with those that are invalid."""

from typing import get_args

import msgspec

from jasstisch.server.api import messages
from jasstisch.server.errors import ApiError

_decoder: msgspec.json.Decoder[messages.ClientMessage] = msgspec.json.Decoder(
    messages.ClientMessage
)

_MESSAGE_TYPES = ", ".join(
    str(struct.__struct_config__.tag) for struct in get_args(messages.ClientMessage)
)


class Envelope(msgspec.Struct):
    """The fields of an invalid message that can still be read."""

    seq: int | None = None
    table: str | None = None


def decode_message(text: str | None, limit: int) -> messages.ClientMessage:
    """Decodes a message.

    Args:
        text: the message; None if it is binary.
        limit: its maximum size in bytes.

    Raises:
        ApiError: it is invalid.
    """
    if text is None:
        raise ApiError("bad_message", "messages are JSON texts, not binary")
    if len(text) > limit or (not text.isascii() and len(text.encode()) > limit):
        raise ApiError("too_large", f"a message has at most {limit} bytes")
    try:
        return _decoder.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise ApiError("bad_message", _describe_error(error)) from None


def decode_envelope(text: str | None) -> Envelope:
    """Reads the sequence number and table of a message, valid or not, as far as possible."""
    if text is None:
        return Envelope()
    try:
        return msgspec.json.decode(text, type=Envelope)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return Envelope()


def _describe_error(error: Exception) -> str:
    """Describes what is wrong with a message and what is allowed, without quoting it at length."""
    if isinstance(error, RecursionError):
        return "the message is nested too deeply"
    text = str(error)[:300]
    if text.endswith("`$.type`"):
        return f"{text}; the types are {_MESSAGE_TYPES}"
    return text
