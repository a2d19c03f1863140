"""Errors of the server that are told to whoever sent the request, or to whoever starts it."""

from jasstisch.server.api import ErrorCode

__all__ = [
    "ERR_TABLE_DAMAGED",
    "ApiError",
    "EnumerationLimitError",
    "ServerBusyError",
    "StartupError",
    "TableNotFoundError",
]

ERR_TABLE_DAMAGED = (
    "this table is damaged and cannot be opened; the host of this server reads why in its log"
)
"""What is told of a table whose log cannot be read, now or later."""


class ApiError(Exception):
    """A call that is answered by an error body."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code: ErrorCode = code


class TableNotFoundError(LookupError):
    """No table has this id."""


class ServerBusyError(Exception):
    """The server has taken on all it can for now."""


class EnumerationLimitError(Exception):
    """An address has asked for too many tables that do not exist."""


class StartupError(Exception):
    """Why the server cannot start, in one line for the host."""
