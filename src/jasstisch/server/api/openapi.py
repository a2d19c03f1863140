"""The REST API as an OpenAPI 3.1 document, generated from the message structs.

`server.http.routing` creates an `Operation` for every endpoint, from the annotations by which it
decodes requests. The schemas are those of the protocol (`json_schema`).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Literal

import msgspec

from jasstisch.server.api import bodies, messages
from jasstisch.server.api.json_schema import schema

_OPENAPI_VERSION = "3.1.0"

REQUIRED: Any = msgspec.NODEFAULT
"""The default of a required parameter."""

_SCHEMAS = "#/components/schemas/"
_ERROR_RESPONSE = {"$ref": "#/components/responses/Error"}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of an operation.

    Attributes:
        name: its name.
        location: where it is sent.
        type: its type with its limits and its description, as msgspec accepts it.
        default: the value if it is omitted.
    """

    name: str
    location: Literal["path", "query", "header"]
    type: Any
    default: Any = REQUIRED


@dataclass(frozen=True, slots=True)
class Operation:
    """A method at a path.

    Attributes:
        method: the HTTP method.
        path: the path, with its parameters in braces.
        name: the unique name of the function that handles it.
        summary: a short summary.
        description: the description.
        parameters: its parameters, without the body.
        body: the type of the body; None without a body.
        response: the type of the response; None without content.
        status: the status of a success.
        media_type: the media type of the response.
        errors: the statuses of its refusals.
    """

    method: Literal["GET", "POST"]
    path: str
    name: str
    summary: str
    description: str
    parameters: tuple[Parameter, ...]
    body: Any
    response: Any
    status: int
    media_type: str
    errors: tuple[int, ...]


def document(operations: Iterable[Operation]) -> dict[str, Any]:
    """The document, with those structs of the protocol that the operations need.

    Args:
        operations: all operations of the API.
    """
    paths: dict[str, dict[str, Any]] = {}
    for one in operations:
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one)
    error = _content("application/json", bodies.ErrorBody)
    responses = {"Error": {"description": "Refused, with the reason.", "content": error}}
    return {
        "openapi": _OPENAPI_VERSION,
        "info": {
            "title": "Jasstisch",
            "version": str(messages.PROTOCOL),
            "description": "Tables are made and found here; play goes over the WebSocket at /ws.",
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {"responses": responses, "schemas": _schemas([paths, responses])},
    }


def _operation(operation: Operation) -> dict[str, Any]:
    success: dict[str, Any] = {"description": HTTPStatus(operation.status).description}
    if operation.response is not None:
        success["content"] = _content(operation.media_type, operation.response)
    found: dict[str, Any] = {
        "summary": operation.summary,
        "description": operation.description,
        "operationId": operation.name,
        "responses": {str(operation.status): success}
        | {str(status): _ERROR_RESPONSE for status in operation.errors},
    }
    if operation.parameters:
        found["parameters"] = [_parameter(one) for one in operation.parameters]
    if operation.body is not None:
        body = _content("application/json", operation.body)
        found["requestBody"] = {"content": body, "required": True}
    return found


def _parameter(parameter: Parameter) -> dict[str, Any]:
    found = _schema(parameter.type)
    if parameter.default not in (REQUIRED, None):
        found["default"] = parameter.default
    return {
        "name": parameter.name,
        "in": parameter.location,
        "description": found.pop("description", ""),
        "required": parameter.default is REQUIRED,
        "schema": found,
    }


def _content(media_type: str, of: Any) -> dict[str, Any]:  # noqa: ANN401 - a type
    return {media_type: {"schema": _schema(of)}}


def _schema(of: Any) -> dict[str, Any]:  # noqa: ANN401 - a type
    """The schema of a type; structs are references into the document."""
    (found,), _ = msgspec.json.schema_components([of], ref_template=_SCHEMAS + "{name}")
    return found


def _schemas(nodes: list[Any]) -> dict[str, Any]:
    """The structs that these parts of the document refer to, directly and indirectly."""
    definitions = _relocated(schema()["$defs"])
    found: dict[str, Any] = {}
    while nodes:
        for name in set(_references(nodes.pop())) - set(found):
            if name not in definitions:
                raise LookupError(f"add {name} to REST_BODIES in jasstisch.server.api.json_schema")
            found[name] = definitions[name]
            nodes.append(definitions[name])
    return dict(sorted(found.items()))


def _references(node: Any) -> Iterator[str]:  # noqa: ANN401 - whatever stands in a document
    """The names of the structs that a part of the document refers to."""
    if isinstance(node, dict):
        reference = node.get("$ref")
        if isinstance(reference, str) and reference.startswith(_SCHEMAS):
            yield reference.removeprefix(_SCHEMAS)
    for child in (
        node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    ):
        yield from _references(child)


def _relocated(node: Any) -> Any:  # noqa: ANN401 - whatever stands in a schema
    """A part of the protocol's schema, with references into this document."""
    if isinstance(node, list):
        return [_relocated(one) for one in node]
    if not isinstance(node, dict):
        return node
    same = {key: _relocated(value) for key, value in node.items()}
    if isinstance(node.get("$ref"), str):
        same["$ref"] = node["$ref"].replace("#/$defs/", _SCHEMAS)
    return same
