"""Text messages of one frame, read and written without the WebSocket library (RFC 6455, 5.2).

Nearly all messages are such frames. The library handles everything else.
"""

from websockets.frames import apply_mask  # type: ignore[attr-defined]

_TEXT_FIN = 0x81
"""The first byte of a frame that holds a whole text."""

_LEN16, _LEN64_FROM = 126, 65_536
"""The payload sizes from which the length of a frame takes two, or eight, more bytes."""

_TEXT_LEN16_HEAD, _TEXT_LEN64_HEAD = bytes((_TEXT_FIN, _LEN16)), bytes((_TEXT_FIN, _LEN16 + 1))
"""The first bytes of such a frame, before its length."""

_MASK_BIT, _MASKED_HEAD_BYTES = 0x80, 6
"""The mask bit in a client frame's second byte, and the header size of a short frame."""


def text_frame_head(size: int) -> bytes:
    """The head of a frame of the server with a text.

    Args:
        size: the size of the text in bytes.
    """
    if size < _LEN16:
        return bytes((_TEXT_FIN, size))
    if size < _LEN64_FROM:
        return _TEXT_LEN16_HEAD + size.to_bytes(2)
    return _TEXT_LEN64_HEAD + size.to_bytes(8)


def take_text_frame(data: bytearray, most: int) -> bytes | None:
    """Takes the text out of a frame of a client; None if the data begins with anything else.

    Args:
        data: the received data, not empty, from the start of a frame; a frame that is taken is
            removed from it.
        most: the size in bytes from which a text is left to the library.
    """
    if data[0] != _TEXT_FIN or len(data) < _MASKED_HEAD_BYTES:
        return None
    size, start = data[1] - _MASK_BIT, _MASKED_HEAD_BYTES
    if size == _LEN16:
        size, start = int.from_bytes(data[2:4]), _MASKED_HEAD_BYTES + 2
    elif size > _LEN16:
        return None  # its length takes eight bytes
    if not 0 <= size < most or len(data) < start + size:
        return None
    frame = bytes(data[: start + size])
    del data[: start + size]
    return apply_mask(frame[start:], frame[start - 4 : start])
