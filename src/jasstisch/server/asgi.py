"""The shapes of ASGI, as far as the server speaks it without a framework."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

__all__ = ["Application", "Message", "Receive", "Scope", "Send"]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
