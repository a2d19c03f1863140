"""The AsyncAPI document of the WebSocket: completeness, references and examples."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import jsonschema
import msgspec
import pytest

from jasstisch.server.api import asyncapi, messages
from tests.server.running_server import rest_client

PAGE = (Path(__file__).parents[3] / "docs" / "protocol.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```json *\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
CLIENT: tuple[Any, ...] = get_args(messages.ClientMessage)
SERVER: tuple[Any, ...] = get_args(messages.ServerMessage)
DOCUMENT = asyncapi.document()


def references(found: object) -> Iterator[str]:
    """Yields every reference in a document."""
    if isinstance(found, dict):
        if isinstance(found.get("$ref"), str):
            yield found["$ref"]
        for value in found.values():
            yield from references(value)
    elif isinstance(found, list):
        for value in found:
            yield from references(value)


def resolved(document: Any, reference: str) -> Any:
    """Resolves a reference in a document."""
    where, _, path = reference.partition("#/")
    assert where == "", f"{reference} leads out of the document"
    for step in path.split("/"):
        document = document[step.replace("~1", "/").replace("~0", "~")]
    return document


def unresolved(document: Any) -> list[str]:
    """References whose target does not exist."""
    missing = []
    for one in sorted(set(references(document))):
        try:
            resolved(document, one)
        except KeyError:
            missing.append(one)
    return missing


def test_the_document_has_the_required_fields() -> None:
    assert DOCUMENT["asyncapi"] == "3.0.0"
    assert {"title", "version"} <= set(DOCUMENT["info"])
    allowed = {
        *("asyncapi", "id", "info", "servers", "defaultContentType"),
        *("channels", "operations", "components"),
    }
    assert set(DOCUMENT) <= allowed
    for channel in DOCUMENT["channels"].values():
        assert channel["address"] == "/ws"
    for operation in DOCUMENT["operations"].values():
        assert operation["action"] in ("send", "receive")
        channel = operation["channel"]["$ref"]
        replies = operation.get("reply", {}).get("messages", [])
        # The messages of an operation are those of its channel, by references into it.
        for message in (*operation["messages"], *replies):
            assert message["$ref"].startswith(f"{channel}/messages/")


def test_the_schemas_are_valid_in_their_declared_dialect() -> None:
    for name, one in DOCUMENT["components"]["schemas"].items():
        jsonschema.Draft7Validator.check_schema(one)
        assert "prefixItems" not in str(one), name
    pairs = [one for one in lists(DOCUMENT) if isinstance(one["items"], list)]
    assert pairs
    assert all(one["additionalItems"] is False for one in pairs)


def lists(found: object) -> Iterator[dict[str, Any]]:
    """Yields every array schema in a document."""
    if isinstance(found, dict):
        if found.get("type") == "array":
            yield found
        for value in found.values():
            yield from lists(value)
    elif isinstance(found, list):
        for value in found:
            yield from lists(value)


def test_every_reference_resolves() -> None:
    assert unresolved(DOCUMENT) == []
    assert unresolved({"a": {"$ref": "#/b/c"}, "b": {}}) == ["#/b/c"]


@pytest.mark.parametrize(
    ("operation", "structs"), [("ask", CLIENT), ("tell", SERVER)], ids=["ask", "tell"]
)
def test_every_message_is_listed_under_its_tag(operation: str, structs: tuple[Any, ...]) -> None:
    found = {}
    for reference in DOCUMENT["operations"][operation]["messages"]:
        message = resolved(DOCUMENT, resolved(DOCUMENT, reference["$ref"])["$ref"])
        payload = resolved(DOCUMENT, message["payload"]["$ref"])
        assert payload["properties"]["type"]["enum"] == [message["name"]]
        found[message["title"]] = message["name"]
    assert found == {one.__name__: one.__struct_config__.tag for one in structs}


@pytest.mark.parametrize("text", EXAMPLES)
def test_every_example_in_the_docs_matches_its_schema(text: str) -> None:
    example = msgspec.json.decode(text)
    (name,) = [
        name
        for name, message in DOCUMENT["components"]["messages"].items()
        if message["name"] == example["type"]
    ]
    validator = jsonschema.Draft7Validator({**DOCUMENT, "$ref": f"#/components/schemas/{name}"})
    validator.validate(example)
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({**example, "zebra": 1})


@pytest.mark.outside
async def test_asyncapi_and_openapi_documents_are_served(url: str) -> None:
    async with rest_client(url) as web:
        served = await web.get("/api/docs/asyncapi.json")
        rest = (await web.get("/api/docs/openapi.json")).json()
    assert served.json() == DOCUMENT
    assert served.headers["content-type"].startswith("application/json")
    assert rest["openapi"].startswith("3.")
    assert unresolved(rest) == []
    assert "/api/house" in rest["paths"]
