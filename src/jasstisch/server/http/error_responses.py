"""The response for each error: a status and an `ErrorBody`."""

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from jasstisch.server.api import bodies, messages
from jasstisch.server.errors import (
    ERR_TABLE_DAMAGED,
    ApiError,
    ServerBusyError,
    TableNotFoundError,
    TooManyUnknownTablesError,
)
from jasstisch.server.http.dependencies import get_registry
from jasstisch.server.observability import describe_exception, log
from jasstisch.storage import CorruptionError, StoreError
from jasstisch.table import TableError

_HTTP_STATUS: dict[messages.ErrorCode, int] = {
    "forbidden_origin": 403,
    "banned": 403,
    "unknown_table": 404,
    "not_found": 404,
    "wrong_phase": 409,
    "last_device": 409,
    "too_large": 413,
    "too_fast": 429,
    "internal": 500,
    "damaged": 500,
    "busy": 503,
}
"""HTTP status of each code; the others are 400."""


def error_response(request: Request, error: Exception) -> Response:
    """The response for an error; counts the error, and logs it if the operator should know."""
    code, message = _classify(error)
    get_registry(request).context.metrics.errors[code] += 1
    status = error.status_code if isinstance(error, HTTPException) else _HTTP_STATUS.get(code, 400)
    body = msgspec.json.encode(bodies.ErrorBody(code, message))
    return Response(body, status, media_type="application/json")


def _classify(error: Exception) -> tuple[messages.ErrorCode, str]:  # noqa: PLR0911 - a table
    """The code and message of an error; logs what the operator should know."""
    match error:
        case ApiError() | TableError():
            return error.code, str(error)
        case TableNotFoundError():
            return "unknown_table", "there is no table of this id"
        case TooManyUnknownTablesError():
            return "too_fast", str(error)
        case ServerBusyError():
            return "busy", str(error)
        case CorruptionError():  # the registry has logged it
            return "damaged", ERR_TABLE_DAMAGED
        case StoreError():
            log.error("store_failed", **describe_exception(error))
            return "busy", "the server cannot store or read this now; nothing has changed"
        case HTTPException():
            return "not_found" if error.status_code == 404 else "bad_message", error.detail
        case ClientDisconnect():  # nobody reads this
            return "bad_message", "client disconnected prematurely"
        case _:
            log.error("call_failed", **describe_exception(error))
            return "internal", "the server could not do this and has noted it"
