"""Prints one JSON schema of all messages: `python -m jasstisch.server.schema`.

The browser's TypeScript types and the tables in `docs/protocol.md` are made from it, so there
is one description of the protocol: the structs in `messages`.
"""

import sys
from inspect import cleandoc
from typing import Any, get_args

import msgspec

from jasstisch.server import messages

__all__ = ["REST", "schema"]

REST: tuple[type, ...] = (
    messages.GameInfo,
    messages.NewTable,
    messages.CreatedTable,
    messages.Room,
    messages.ErrorBody,
)
"""The bodies of the REST calls."""


def _changes(of: dict[str, Any], name: str, *, lists_only: bool = False) -> dict[str, Any]:
    """A struct's schema with every key optional: what an `event` may replace or append to."""
    properties = {
        key: value
        for key, value in of["properties"].items()
        if not lists_only or value.get("type") == "array"
    }
    return {
        "title": name,
        "description": f"The keys of `{of['title']}` that an event changes.",
        "type": "object",
        "properties": properties,
        "required": [],
        "additionalProperties": False,
    }


def _always_sent(definitions: dict[str, Any]) -> None:
    """Marks as required what the server always sends, defaults included."""
    sent = (*get_args(messages.ServerMessage), messages.Happened, messages.OptionInfo)
    for struct in sent:
        definition = definitions[struct.__name__]
        definition["required"] = list(definition["properties"])


def _tie_views(definitions: dict[str, Any]) -> None:
    """Says in the schema what the structs hold as plain dicts: views, and their changes."""
    view, room = definitions["View"], definitions["Room"]
    definitions["ViewChange"] = _changes(view, "ViewChange")
    definitions["ViewGrowth"] = _changes(view, "ViewGrowth", lists_only=True)
    definitions["RoomChange"] = _changes(room, "RoomChange")
    event = definitions["Event"]["properties"]
    event["room"] = {"$ref": "#/$defs/RoomChange"}
    event["set"] = {"$ref": "#/$defs/ViewChange"}
    event["append"] = {"$ref": "#/$defs/ViewGrowth"}
    definitions["Snapshot"]["properties"]["view"] = {
        "anyOf": [{"$ref": "#/$defs/View"}, {"type": "null"}]
    }


def schema() -> dict[str, Any]:
    """All messages as one JSON schema (2020-12), each struct under its name in `$defs`.

    `ClientMessage` and `ServerMessage` are there too, as unions told apart by `type`.
    """
    unions = {
        "ClientMessage": get_args(messages.ClientMessage),
        "ServerMessage": get_args(messages.ServerMessage),
    }
    types = [*(t for members in unions.values() for t in members), messages.View, *REST]
    _, definitions = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    _always_sent(definitions)
    _tie_views(definitions)
    for definition in definitions.values():
        definition["description"] = cleandoc(definition["description"])
    for name, members in unions.items():
        definitions[name] = {
            "title": name,
            "oneOf": [{"$ref": f"#/$defs/{member.__name__}"} for member in members],
        }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Jasstisch protocol",
        "version": messages.PROTOCOL,
        "$defs": dict(sorted(definitions.items())),
    }


if __name__ == "__main__":
    encoded = msgspec.json.encode(schema())
    sys.stdout.write(msgspec.json.format(encoded, indent=2).decode() + "\n")
