"""Attacks with well-formed messages: on one table, or with many tables."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import WebSocketException

from bench.attacks.target import AttackTarget, run_concurrently

MOVES = 40
"""Actions of one person after which a match has more events than the server keeps for resuming."""

MIN_MESSAGE_INTERVAL_S = 1 / 19
"""Minimum seconds between two messages within the rate limit."""


@contextlib.asynccontextmanager
async def open_websocket(
    target: AttackTarget, cookie: str | None = None
) -> AsyncIterator[ClientConnection]:
    """Opens a WebSocket whose errors are ignored."""
    try:
        async with target.websocket(cookie) as socket:
            yield socket
    except WebSocketException as error:
        raise ConnectionError from error


async def send(socket: ClientConnection, **message: object) -> None:
    """Sends a request."""
    await socket.send(json.dumps({"seq": 1} | message))


async def play_moves(socket: ClientConnection, table: str, moves: int) -> None:
    """Does this many actions, always the first legal one."""
    await send(socket, type="watch", table=table)
    while moves:
        message: dict[str, Any] = json.loads(await socket.recv())
        room = message.get("room") or {}
        if message.get("turn"):
            await asyncio.sleep(MIN_MESSAGE_INTERVAL_S)
            await send(socket, type="act", table=table, action=message["turn"]["legal"][0])
            moves -= 1
        elif room.get("phase") in ("between", "over"):
            await send(socket, type="ready", table=table)


async def drain(socket: ClientConnection) -> None:
    """Reads and discards messages."""
    with contextlib.suppress(WebSocketException):
        async for _ in socket:
            pass


async def early_watch(target: AttackTarget) -> None:
    """Sixteen WebSockets resubscribe to a long match from its beginning, twenty times a second."""
    cookie = await target.new_cookie()
    seats = ["me", *["bot:random"] * 3]
    more = {"game": "molotow", "options": {"rounds": 60}, "seats": seats, "pause": 0, "start": True}
    table = await target.create_table(cookie, **more)
    async with open_websocket(target, cookie) as socket:
        await play_moves(socket, table, MOVES)

    async def once(target: AttackTarget) -> None:
        async with open_websocket(target) as socket:
            hearing = asyncio.create_task(drain(socket))
            while not hearing.done():
                await send(socket, type="watch", table=table, since=1, seat=None)
                target.done += 1
                await asyncio.sleep(MIN_MESSAGE_INTERVAL_S)

    await run_concurrently(target, 16, once)


async def spectators(target: AttackTarget) -> None:
    """A hundred and fifty spectators join one table, leave and join again."""
    cookie = await target.new_cookie()
    table = await target.create_table(cookie)

    async def once(target: AttackTarget) -> None:
        async with open_websocket(target, cookie) as socket:
            hearing = asyncio.create_task(drain(socket))
            while not hearing.done():
                for kind in ("watch", "unwatch"):
                    await send(socket, type=kind, table=table)
                    target.done += 1
                    await asyncio.sleep(0.5)

    async with asyncio.TaskGroup() as group:
        for number in range(150):
            # The connection limit of one person, then another person.
            if number % 30 == 0:
                cookie = await target.new_cookie()
            group.create_task(run_concurrently(target, 1, once))


async def restless(target: AttackTarget) -> None:
    """Twenty-four people sit down and stand up again at the maximum rate."""
    table = await target.create_table(await target.new_cookie())

    async def once(target: AttackTarget) -> None:
        async with open_websocket(target) as socket:
            hearing = asyncio.create_task(drain(socket))
            while not hearing.done():
                for seat in (1, 2, 3):
                    await send(socket, type="sit", table=table, seat=seat, name="Eve")
                    await send(socket, type="stand", table=table)
                    target.done += 2
                    await asyncio.sleep(2 * MIN_MESSAGE_INTERVAL_S)

    await run_concurrently(target, 24, once)


async def thinking(target: AttackTarget) -> None:
    """One person creates a hundred tables at which bots think without a pause."""
    cookie = await target.new_cookie()
    seats = ["me", *["bot:club"] * 3]
    more = {"seats": seats, "pause": 0, "start": True, "options": {"target": 20}}

    async def once(target: AttackTarget) -> None:
        async with open_websocket(target, cookie) as socket:
            for _ in range(100 // 16):
                table = await target.create_table(cookie, **more)
                if table:
                    target.done += 1
                    await send(socket, type="watch", table=table)
            while True:
                message: dict[str, Any] = json.loads(await socket.recv())
                if message.get("turn"):
                    legal = message["turn"]["legal"]
                    await send(socket, type="act", table=message["table"], action=legal[0])
                elif (message.get("room") or {}).get("phase") == "between":
                    await send(socket, type="ready", table=message["table"])

    await run_concurrently(target, 16, once)


async def long_clocks(target: AttackTarget) -> None:
    """One person creates tables with an hour of thinking time as fast as allowed."""

    async def once(target: AttackTarget) -> None:
        cookie = await target.new_cookie()
        seats = ["me", "open", "open", "open"]
        if await target.create_table(cookie, seats=seats, thinking_time=3600, start=True):
            target.done += 1
        else:
            await asyncio.sleep(MIN_MESSAGE_INTERVAL_S)

    await run_concurrently(target, 8, once)
