"""The errors of the client."""

from http.client import HTTPException

import msgspec
from websockets.exceptions import WebSocketException

from jasstisch.server.api import bodies, messages

PASSING = ("busy", "internal", "too_fast")
"""The error codes of temporary refusals, after which a later attempt may succeed."""

NO_SERVER = (OSError, HTTPException, WebSocketException, msgspec.MsgspecError)
"""The errors raised when no table server can be reached, `ConnectionLostError` among them."""


class RequestError(Exception):
    """The server refused a request; nothing has changed.

    Attributes:
        code: the reason for programs; see `ErrorCode`.
        clause: the clause of the rules that forbids an action, else None.
        reason: the reason code for an action, else None.
        legal: the legal actions, where an action was refused.
    """

    def __init__(self, error: messages.ErrorMessage | bodies.ErrorBody) -> None:
        super().__init__(error.message)
        self.code = error.code
        detailed = error if isinstance(error, messages.ErrorMessage) else None
        self.clause = detailed.clause if detailed else None
        self.reason = detailed.reason if detailed else None
        self.legal = detailed.legal if detailed else []

    def __str__(self) -> str:
        return f"{self.code}: {self.args[0]}"


class ConnectionLostError(ConnectionError):
    """The connection was lost before the answer, and the outcome of the request is unknown.

    The client reconnects automatically, and asks the server for the outcome; this is raised if the
    server does not know it or cannot be reached in time. The table shows what has happened.
    """
