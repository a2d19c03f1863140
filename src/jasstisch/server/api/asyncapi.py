"""The WebSocket protocol as an AsyncAPI 3.0 document, generated from the message structs.

The document describes the server: it receives what clients send, and sends the rest. The REST API
has a separate OpenAPI document.
"""

from functools import cache
from typing import Any, get_args

from msgspec import Struct

from jasstisch.server.api import messages
from jasstisch.server.api.json_schema import schema
from jasstisch.server.net import WEBSOCKET_PATH

_ASYNCAPI_VERSION = "3.0.0"

_CHANNEL = "tables"

_CLIENT_MESSAGES: tuple[type[Struct], ...] = get_args(messages.ClientMessage)
_SERVER_MESSAGES: tuple[type[Struct], ...] = get_args(messages.ServerMessage)

_REPLIES = (messages.Ack, messages.ErrorMessage, messages.Pong)
"""The messages that answer a request, with its number; all others are sent unprompted."""


@cache
def document() -> dict[str, Any]:
    """The document, with every struct of the protocol in its schemas."""
    structs = (*_CLIENT_MESSAGES, *_SERVER_MESSAGES)
    return {
        "asyncapi": _ASYNCAPI_VERSION,
        "info": {
            "title": "Jasstisch",
            "version": str(messages.PROTOCOL),
            "description": "Play at tables. They are made and found over REST: see openapi.json.",
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "channels": {
            _CHANNEL: {
                "address": WEBSOCKET_PATH,
                "title": "Tables",
                "description": "One WebSocket, any number of tables; each text is one message. "
                "The cookie of POST /api/identity tells who comes; without it one may only watch.",
                "messages": {
                    one.__name__: {"$ref": f"#/components/messages/{one.__name__}"}
                    for one in structs
                },
                "bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}},
            }
        },
        "operations": {
            "ask": _operation(
                "receive",
                "What a client asks; its number `seq` comes back with the answer.",
                _CLIENT_MESSAGES,
            )
            | {"reply": {"channel": _channel(), "messages": _messages(_REPLIES)}},
            "tell": _operation(
                "send", "What a client is told, asked for or not.", _SERVER_MESSAGES
            ),
        },
        "components": {
            "messages": {one.__name__: _message(one) for one in structs},
            "schemas": _schemas(),
        },
    }


def _channel() -> dict[str, str]:
    return {"$ref": f"#/channels/{_CHANNEL}"}


def _messages(structs: tuple[type[Struct], ...]) -> list[dict[str, str]]:
    return [{"$ref": f"#/channels/{_CHANNEL}/messages/{one.__name__}"} for one in structs]


def _operation(action: str, summary: str, structs: tuple[type[Struct], ...]) -> dict[str, Any]:
    return {
        "action": action,
        "summary": summary,
        "channel": _channel(),
        "messages": _messages(structs),
    }


def _message(struct: type[Struct]) -> dict[str, Any]:
    return {
        "name": struct.__struct_config__.tag,
        "title": struct.__name__,
        "contentType": "application/json",
        "payload": {"$ref": f"#/components/schemas/{struct.__name__}"},
    }


def _schemas() -> dict[str, Any]:
    """The structs of the protocol's schema, in the dialect of AsyncAPI: draft 7."""
    found: dict[str, Any] = _to_draft_7(schema()["$defs"])
    return found


def _to_draft_7(node: Any) -> Any:  # noqa: ANN401 - whatever stands in a schema
    """Converts a part of a 2020-12 schema to draft 7, with references into this document.

    Draft 7 describes lists of fixed length differently; the protocol uses no other changed feature.
    """
    if isinstance(node, list):
        return [_to_draft_7(one) for one in node]
    if not isinstance(node, dict):
        return node
    same = {key: _to_draft_7(value) for key, value in node.items() if key != "prefixItems"}
    if isinstance(node.get("$ref"), str):
        same["$ref"] = node["$ref"].replace("#/$defs/", "#/components/schemas/")
    if "prefixItems" in node:
        same |= {"items": _to_draft_7(node["prefixItems"]), "additionalItems": False}
    return same
