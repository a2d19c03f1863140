"""The parser of HTTP requests: reports their progress, and limits the pieces of a body."""

from collections.abc import Callable

import h11


class RequestParser(h11.Connection):
    """An h11 connection that reports a request's progress and counts its body's pieces.

    Args:
        on_headers: called after the headers of a request.
        on_request_end: called after its body.
        pieces: the maximum number of pieces of a body.
    """

    def __init__(
        self, on_headers: Callable[[], None], on_request_end: Callable[[], None], pieces: int
    ) -> None:
        super().__init__(h11.SERVER)
        self._on_headers = on_headers
        self._on_end = on_request_end
        self._max_pieces = pieces
        self._pieces = 0

    def drop_callbacks(self) -> None:
        """Drops the callbacks, so that no reference cycle keeps received data alive."""
        self._on_headers = self._on_end = _noop

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """The next event of a request; see `h11.Connection.next_event`."""
        event = super().next_event()
        if isinstance(event, h11.Request):
            self._pieces = 0
            self._on_headers()
        elif isinstance(event, h11.Data):
            self._pieces += 1
            if self._pieces > self._max_pieces:
                raise h11.RemoteProtocolError("too many pieces", error_status_hint=413)
        elif isinstance(event, h11.EndOfMessage):
            self._on_end()
        return event


def _noop() -> None:
    """The callback after `drop_callbacks`."""
