"""Turns functions into endpoints: decodes the request, calls the function, encodes the response.

The signature of the function is the declaration. A parameter is in the path if the path names it;
`data` is the body; any other parameter is in the query and has a default. msgspec validates types
and limits, and `server.api.openapi` derives the description from the same signature, so that the
description matches what is accepted. A POST from a page of another origin never reaches the
function.

A resource handles all methods of one path; Starlette's router finds it. Every error becomes an
`ErrorBody` (`server.http.error_responses`).
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from inspect import Parameter as Argument
from inspect import cleandoc, signature
from typing import Any, Literal, get_args, get_type_hints

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

from jasstisch.server.api import openapi
from jasstisch.server.errors import ApiError
from jasstisch.server.http.dependencies import (
    check_origin,
    get_registry,
    get_response_cookies,
)
from jasstisch.server.http.error_responses import error_response
from jasstisch.server.http.files import document, file_response

_Handler = Callable[..., Awaitable[Any]]
"""A function that takes the request and the declared parameters.

It returns a struct, which is sent as JSON; bytes that are JSON already; a text; None for no
content; or a response of its own.
"""

_BODY = "data"
"""The name of the body parameter."""

_FIELD_PATH = re.compile(r"`\$\.(.+)`$")
"""The end of a msgspec error message about a field."""

_MAX_MESSAGE_LENGTH = 300


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A function with the description of its operation.

    Attributes:
        operation: the description of the operation.
        handler: the function.
        public: the response is the same for everybody and holds no secret, so that it may be
            compressed, and cached as long as it is revalidated.
    """

    operation: openapi.Operation
    handler: _Handler
    public: bool = False

    async def __call__(self, request: Request) -> Response:
        """Serves a request.

        Raises:
            ApiError: the request is malformed, is a change from a page of another origin, or is
                refused by the function.
            HTTPException: the path names no resource.
        """
        operation = self.operation
        arguments = await self._arguments(request)
        if operation.method == "POST":
            check_origin(request)
        content = await self.handler(request, **arguments)
        if isinstance(content, Response):
            return content
        if content is None:
            response = Response(status_code=operation.status)
        else:
            body = content if isinstance(content, (bytes, str)) else msgspec.json.encode(content)
            if self.public:
                encoded = body.encode() if isinstance(body, str) else body
                return file_response(request.scope, document(encoded, operation.media_type))
            response = Response(body, operation.status, media_type=operation.media_type)
        for one in get_response_cookies(request):
            response.set_cookie(
                one.name,
                one.token,
                max_age=one.max_age,
                path="/",
                secure=one.secure,
                httponly=True,
                samesite="strict",
            )
        return response

    async def _arguments(self, request: Request) -> dict[str, Any]:
        """The decoded parameters of the function.

        Raises:
            ApiError: some are malformed; the message names each of them.
            HTTPException: a number in the path is malformed.
        """
        operation = self.operation
        values: dict[str, Any] = {}
        problems: list[str] = []

        def convert(name: str, value: Any, to: Any) -> None:  # noqa: ANN401 - any JSON, any type
            try:
                values[name] = msgspec.convert(value, to, strict=False, str_keys=True)
            except msgspec.ValidationError as error:
                problems.append(_describe(name, error))

        query = request.query_params
        for one in operation.parameters:
            if one.location == "path":
                convert(one.name, _path_value(one, request.path_params), one.type)
            elif one.name in query:
                convert(one.name, query[one.name], one.type)
        if operation.body is not None:
            body = await _read_body(request)
            if body:
                convert(_BODY, _parse(body), operation.body)
            else:
                problems.append(f"{_BODY}: the body is empty")
        if problems:
            raise ApiError("bad_message", "; ".join(problems)[:_MAX_MESSAGE_LENGTH])
        return values


def endpoint(  # noqa: PLR0913 - all that an operation can have
    method: Literal["GET", "POST"],
    path: str,
    *,
    summary: str,
    status: int = 200,
    errors: Iterable[int] = (),
    headers: tuple[openapi.Parameter, ...] = (),
    response: Any = None,  # noqa: ANN401 - a type
    media_type: str = "application/json",
    public: bool = False,
) -> Callable[[_Handler], Endpoint]:
    """Makes a function the endpoint for a method at a path.

    Args:
        method: the HTTP method.
        path: the path, with its parameters in braces.
        summary: a short summary; the docstring is the description.
        status: the status of a success.
        errors: the statuses of its refusals; those of malformed parameters are added.
        headers: headers that the function reads itself.
        response: the type of the response, if the function returns it encoded.
        media_type: the media type of the response.
        public: as in `Endpoint`.
    """

    def declare(handler: _Handler) -> Endpoint:
        types = get_type_hints(handler, include_extras=True)
        _, *arguments = signature(handler).parameters.values()
        parameters = tuple(
            openapi.Parameter(
                one.name,
                "path" if f"{{{one.name}}}" in path else "query",
                types[one.name],
                openapi.REQUIRED if one.default is Argument.empty else one.default,
            )
            for one in arguments
            if one.name != _BODY
        )
        body, returned = types.get(_BODY), types["return"]
        malformed = {400} if parameters or body else set()
        too_large = {413} if body else set()
        operation = openapi.Operation(
            method,
            path,
            name=handler.__name__,
            summary=summary,
            description=cleandoc(handler.__doc__ or ""),
            parameters=(*parameters, *headers),
            body=body,
            response=response or (None if returned is type(None) else returned),
            status=status,
            media_type=media_type,
            errors=tuple(sorted({*errors} | malformed | too_large)),
        )
        return Endpoint(operation, handler, public)

    return declare


get = partial(endpoint, "GET")
post = partial(endpoint, "POST")


class Resource(BaseRoute):
    """All endpoints of one path, as a route of Starlette's router.

    Args:
        path: the path, with its parameters in braces.
        endpoints: the endpoints, by method.
    """

    def __init__(self, path: str, endpoints: Mapping[str, Endpoint]) -> None:
        self._pattern = re.compile(re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", path))
        self._endpoints = endpoints
        self._allowed = ", ".join(sorted([*endpoints, "OPTIONS"]))

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether a request is for this path."""
        found = self._pattern.fullmatch(scope["path"])
        return (Match.FULL, {"path_params": found.groupdict()}) if found else (Match.NONE, {})

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves a request for this path."""
        request = Request(scope, receive, send)
        try:
            response = await self._respond(request)
        except Exception as error:  # noqa: BLE001 - every error becomes an error body
            response = error_response(request, error)
        await response(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        endpoint = self._endpoints.get(request.method)
        if endpoint is not None:
            return await endpoint(request)
        if request.method == "OPTIONS":
            return Response(status_code=204, headers={"allow": self._allowed})
        raise HTTPException(405)


def group_into_resources(endpoints: Iterable[Endpoint]) -> list[Resource]:
    """Groups endpoints into resources."""
    found: dict[str, dict[str, Endpoint]] = {}
    for one in endpoints:
        found.setdefault(one.operation.path, {})[one.operation.method] = one
    return [Resource(path, there) for path, there in found.items()]


def _path_value(parameter: openapi.Parameter, given: Mapping[str, str]) -> str | int:
    """Decodes a path parameter, before its limits are checked.

    Raises:
        HTTPException: a number is malformed.
    """
    value = given[parameter.name]
    if int not in (parameter.type, *get_args(parameter.type)):
        return value
    try:
        return int(value)
    except ValueError:
        raise HTTPException(404) from None


async def _read_body(request: Request) -> bytes:
    """Reads the body of a request.

    Raises:
        ApiError: it is too large; a body with too large a declared length is not read.
        starlette.requests.ClientDisconnect: the connection ended before the body was complete.
    """
    limit = get_registry(request).context.limits.body_bytes
    announced = request.headers.get("content-length", "0")
    if not announced.isdecimal():
        raise ApiError("bad_message", f"Invalid content-length: {announced!r}")
    size, pieces = 0, []
    if int(announced) <= limit:
        async for piece in request.stream():
            size += len(piece)
            if size > limit:
                break
            pieces.append(piece)
        else:
            return b"".join(pieces)
    raise ApiError("too_large", "Request Entity Too Large")


def _parse(body: bytes) -> Any:  # noqa: ANN401 - any JSON
    """Parses the body as JSON, whatever its content type.

    Raises:
        ApiError: it is not JSON.
    """
    try:
        return msgspec.json.decode(body)
    except msgspec.DecodeError as error:
        raise ApiError("bad_message", str(error)) from error
    except RecursionError:
        raise ApiError("bad_message", "the body is nested too deeply") from None
    except UnicodeDecodeError as error:
        raise ApiError(
            "bad_message", f"the body is not UTF-8: {error.reason} at byte {error.start}"
        ) from error


def _describe(name: str, error: msgspec.ValidationError) -> str:
    """Describes the error in a parameter or a field of the body."""
    text = str(error)
    field = _FIELD_PATH.search(text)
    return f"{field[1] if field else name}: {text.split(' - ', maxsplit=1)[0]}"
