"""The errors of the server that are reported to a client, or to the operator at the start."""

from jasstisch.server.api import ErrorCode

ERR_TABLE_DAMAGED = (
    "this table is damaged and cannot be opened; the host of this server reads why in its log"
)
"""The message about a table whose log cannot be read, now or permanently."""


class ApiError(Exception):
    """A request that is answered with an error body."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code: ErrorCode = code


class TableNotFoundError(LookupError):
    """No table has this id."""


class ServerBusyError(Exception):
    """The server is at its limits at the moment."""


class TooManyUnknownTablesError(Exception):
    """An address has requested too many tables that do not exist."""


class StartupError(Exception):
    """The server cannot start; the message is one line for the operator."""
