"""Text messages of one frame, read and written without the WebSocket library (RFC 6455, 5.2).

Nearly all messages are such frames. The library handles everything else.
"""

from websockets.frames import apply_mask  # type: ignore[attr-defined]

__all__ = ["take_text_frame", "text_frame_head"]

TEXT_FIN = 0x81
"""The first byte of a frame that holds a whole text."""

LEN16, LEN64_FROM = 126, 65_536
"""The payload sizes from which the length of a frame takes two, or eight, more bytes."""

TEXT_LEN16_HEAD, TEXT_LEN64_HEAD = bytes((TEXT_FIN, LEN16)), bytes((TEXT_FIN, LEN16 + 1))
"""The first bytes of such a frame, before its length."""

MASK_BIT, MASKED_HEAD_BYTES = 0x80, 6
"""The mask bit in a client frame's second byte, and the header size of a short frame."""


def text_frame_head(size: int) -> bytes:
    """The head of a frame of the server with a text.

    Args:
        size: the size of the text in bytes.
    """
    if size < LEN16:
        return bytes((TEXT_FIN, size))
    if size < LEN64_FROM:
        return TEXT_LEN16_HEAD + size.to_bytes(2)
    return TEXT_LEN64_HEAD + size.to_bytes(8)


def take_text_frame(data: bytearray, most: int) -> bytes | None:
    """Takes the text out of a frame of a client; None if the data begins with anything else.

    Args:
        data: the received data, not empty, from the start of a frame; a frame that is taken is
            removed from it.
        most: the size in bytes from which a text is left to the library.
    """
    if data[0] != TEXT_FIN or len(data) < MASKED_HEAD_BYTES:
        return None
    size, start = data[1] - MASK_BIT, MASKED_HEAD_BYTES
    if size == LEN16:
        size, start = int.from_bytes(data[2:4]), MASKED_HEAD_BYTES + 2
    elif size > LEN16:
        return None  # its length takes eight bytes
    if not 0 <= size < most or len(data) < start + size:
        return None
    frame = bytes(data[: start + size])
    del data[: start + size]
    return apply_mask(frame[start:], frame[start - 4 : start])
