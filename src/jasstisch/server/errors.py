"""Errors of the server that are told to whoever sent the request."""

from jasstisch.server.api.messages import ErrorCode

__all__ = ["ERR_TABLE_DAMAGED", "ApiError"]

ERR_TABLE_DAMAGED = (
    "this table is damaged and cannot be opened; the host of this server reads why in its log"
)
"""What is told of a table whose log cannot be read, now or later."""


class ApiError(Exception):
    """A call that is answered by an error body."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code: ErrorCode = code
