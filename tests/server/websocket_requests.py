"""Requests over a plain WebSocket: send anything, read typed responses."""

from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection

from jasstisch.client import Client
from jasstisch.server.api import messages
from tests.server.running_server import TOKEN

SEATS = ["me", "open", "bot:random", "bot:random"]

decode: "msgspec.json.Decoder[messages.ServerMessage]" = msgspec.json.Decoder(
    messages.ServerMessage
)


async def read_message(wire: ClientConnection) -> messages.ServerMessage:
    """Returns the next message."""
    return decode.decode(await wire.recv())


async def send_and_read(
    wire: ClientConnection, **message: Any
) -> tuple[messages.ServerMessage, list[messages.ServerMessage]]:
    """Sends a message; returns its response and the messages before."""
    await wire.send(msgspec.json.encode(message).decode())
    before: list[messages.ServerMessage] = []
    while True:
        got = await read_message(wire)
        ends = isinstance(got, messages.Ack | messages.ErrorMessage | messages.Pong)
        if ends and getattr(got, "seq", None) == message.get("seq"):
            return got, before
        before.append(got)


async def request_error(wire: ClientConnection, **message: Any) -> messages.ErrorMessage:
    """Sends a message that must be refused; returns the error."""
    got, _ = await send_and_read(wire, **message)
    assert isinstance(got, messages.ErrorMessage), got
    return got


async def new_table(url: str, *, token: str = TOKEN, start: bool = False, **more: Any) -> str:
    """Creates a table for the holder of a token; returns the id."""
    async with Client(url, token) as anna:
        game = more.pop("game", "molotov")
        seats = more.pop("seats", SEATS)
        return (await anna.create_table(game, seats, name="Anna", start=start, **more)).table
