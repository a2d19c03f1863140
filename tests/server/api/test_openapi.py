"""The OpenAPI document: references, schemas, and agreement with the declared routes."""

from typing import Any

import jsonschema
import msgspec
import pytest

from jasstisch.server.api import bodies, openapi
from jasstisch.server.http.routes import api_routes
from tests.server.api.test_asyncapi import unresolved

DOCUMENT = openapi.document(one.operation for one in api_routes())
OPERATIONS: dict[str, dict[str, Any]] = {
    f"{method.upper()} {path}": operation
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
}


def test_every_reference_resolves() -> None:
    assert unresolved(DOCUMENT) == []
    assert DOCUMENT["openapi"] == "3.1.0"


def test_the_schemas_and_their_examples_are_valid() -> None:
    for schema in DOCUMENT["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)
    example = msgspec.to_builtins(bodies.ErrorBody("busy", "later"))
    of = {"$ref": "#/components/schemas/ErrorBody", "components": DOCUMENT["components"]}
    jsonschema.Draft202012Validator(of).validate(example)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(of).validate(example | {"zebra": 1})


def test_every_operation_has_a_unique_id_and_a_description() -> None:
    names = [one["operationId"] for one in OPERATIONS.values()]
    assert len(set(names)) == len(names)
    assert all(one["summary"] and one["description"] for one in OPERATIONS.values())


def test_bodies_and_responses_are_structs_of_the_protocol() -> None:
    made = OPERATIONS["POST /api/tables"]
    body = made["requestBody"]["content"]["application/json"]["schema"]
    assert body == {"$ref": "#/components/schemas/NewTable"}
    content = made["responses"]["201"]["content"]
    assert content["application/json"]["schema"] == {"$ref": "#/components/schemas/CreatedTable"}
    assert "content" not in OPERATIONS["POST /api/identity"]["responses"]["204"]
    sheet = OPERATIONS["GET /api/sheets/{name}/{lang}"]["responses"]["200"]["content"]
    assert sheet == {"text/markdown": {"schema": {"type": "string"}}}


def test_parameters_have_location_limits_and_default() -> None:
    given = {one["name"]: one for one in OPERATIONS["GET /api/me/matches"]["parameters"]}
    assert given["limit"] == {
        "name": "limit",
        "in": "query",
        "description": "How many at most.",
        "required": False,
        "schema": {"type": "integer", "minimum": 1, "maximum": 100, "default": 25},
    }
    replay = OPERATIONS["GET /api/tables/{table}/matches/{match}/replay"]["parameters"]
    places = {one["name"]: (one["in"], one["required"]) for one in replay}
    assert places == {
        "table": ("path", True),
        "match": ("path", True),
        "seat": ("query", False),
        "Jasstisch-Key": ("header", False),
    }


def test_decoding_operations_list_their_error_responses() -> None:
    for operation in OPERATIONS.values():
        refusals = {status for status in operation["responses"] if status >= "400"}
        if "requestBody" in operation:
            assert {"400", "413"} <= refusals
        if "parameters" in operation:
            assert "400" in refusals
