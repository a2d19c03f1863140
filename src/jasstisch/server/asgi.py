"""The shapes of ASGI, as far as the server speaks it without a framework."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

__all__ = ["WRITE_NOW", "Application", "Message", "Receive", "Scope", "Send", "WriteNow"]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

WRITE_NOW = "jasstisch.write_now"
"""Our extension: with it a WebSocket's text is written at once, and no task waits for that."""

WriteNow = Callable[[bytes], bool]
"""Writes a text, in UTF-8, unless something waits to be written before it; whether it has."""
