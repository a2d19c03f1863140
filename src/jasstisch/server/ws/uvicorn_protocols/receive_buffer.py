"""The received data of an HTTP connection that has not been parsed yet."""

import re

_HEAD_END = re.compile(rb"\n\r?\n")
"""The empty line after the headers."""


class ReceiveBuffer:
    """Received data, which is parsed piece by piece; no piece goes beyond the end of a head.

    So every request can be counted and timed by itself, however many arrive together.

    Args:
        piece_bytes: the maximum size of a piece.

    Attributes:
        head_lines: the lines of the current head in the pieces taken so far.
    """

    def __init__(self, piece_bytes: int) -> None:
        self._piece_bytes = piece_bytes
        self._unread = bytearray()
        self._last = b""
        self.head_lines = 0

    def __bool__(self) -> bool:
        return bool(self._unread)

    def add(self, data: bytes) -> None:
        """Appends received data."""
        self._unread += data

    def clear(self) -> None:
        """Drops all that is left."""
        self._unread.clear()

    def start_head(self) -> None:
        """Counts the lines of the next head from here."""
        self._last = b""
        self.head_lines = 0

    def take_body_piece(self) -> bytes:
        """Takes the next piece of a body."""
        return self._take(self._piece_bytes)

    def take_head_piece(self) -> bytes:
        """Takes the next piece of a head, nothing beyond its end."""
        size = self._piece_bytes
        end = _HEAD_END.search(self._last + self._unread[:size])
        if end is not None:
            size = max(1, min(size, end.end() - len(self._last)))
        piece = self._take(size)
        self.head_lines += piece.count(b"\n")
        self._last = (self._last + piece)[-2:]
        return piece

    def _take(self, size: int) -> bytes:
        piece = bytes(self._unread[:size])
        del self._unread[:size]
        return piece
