"""A client that reconnects learns how far its requests were handled, and old ones come to nothing.

Requests are sent over two connections in turn, as after a line that was dead for a while.
"""

import pytest
from websockets.asyncio.client import ClientConnection

from jasstisch.server.api import messages
from tests.server.running_server import OTHER_TOKEN, TOKEN, websocket
from tests.server.websocket_requests import new_table, send_and_read

pytestmark = pytest.mark.outside

SESSION = "a-session-of-tests"


async def ask(
    socket: ClientConnection,
    **request: object,
) -> tuple[messages.Ack | messages.ErrorMessage, list[messages.ServerMessage]]:
    """Sends a request; returns its reply and the messages before it."""
    reply, before = await send_and_read(socket, **request)
    assert isinstance(reply, messages.Ack | messages.ErrorMessage)
    return reply, before


async def resumed(
    socket: ClientConnection, table: str, seq: int, session: str = SESSION
) -> int | None:
    """Watches with a session; returns the last request that was settled, None if unknown."""
    reply, before = await ask(socket, type="watch", seq=seq, table=table, session=session)
    assert isinstance(reply, messages.Ack)
    found = [one.last for one in before if isinstance(one, messages.Settled)]
    assert len(found) <= 1
    return found[0] if found else None


async def test_the_last_settled_request_is_told_whatever_became_of_it(url: str) -> None:
    table = await new_table(url)
    async with websocket(url) as old, websocket(url) as new, websocket(url) as newest:
        assert await resumed(old, table, 1) is None
        await ask(old, type="say", seq=2, table=table, phrase="well_played")
        assert await resumed(new, table, 5) == 2
        refused, _ = await ask(new, type="act", seq=6, table=table, action="play JC")
        assert isinstance(refused, messages.ErrorMessage)
        assert await resumed(newest, table, 7) == 6


async def test_what_arrives_late_on_an_older_connection_is_not_executed(url: str) -> None:
    table = await new_table(url)
    async with websocket(url) as old, websocket(url) as new:
        await resumed(old, table, 1)
        assert await resumed(new, table, 3) == 1
        late, _ = await ask(old, type="say", seq=2, table=table, phrase="well_played")
        assert isinstance(late, messages.ErrorMessage)
        assert late.code == "wrong_phase"
        again, before = await ask(new, type="say", seq=4, table=table, phrase="well_played")
        assert isinstance(again, messages.Ack)
        said = [one for one in before if isinstance(one, messages.Event)]
        assert [one.event.kind for one in said] == ["said"]


async def test_an_older_connection_cannot_take_its_session_back(url: str) -> None:
    table = await new_table(url)
    async with websocket(url) as old, websocket(url) as new:
        await resumed(old, table, 1)
        await resumed(new, table, 2)
        late, _ = await ask(old, type="watch", seq=3, table=table, session=SESSION)
        assert isinstance(late, messages.ErrorMessage)
        reply, _ = await ask(new, type="say", seq=4, table=table, phrase="well_played")
        assert isinstance(reply, messages.Ack)


async def test_sessions_of_others_and_other_devices_are_not_touched(url: str) -> None:
    table = await new_table(url)
    async with websocket(url) as phone, websocket(url) as desk, websocket(url, OTHER_TOKEN) as bea:
        await resumed(phone, table, 1)
        assert await resumed(desk, table, 1, session="another-session-of") is None
        assert await resumed(bea, table, 1) is None
        reply, _ = await ask(phone, type="say", seq=2, table=table, phrase="well_played")
        assert isinstance(reply, messages.Ack)


async def test_a_session_outlives_its_connection(url: str) -> None:
    table = await new_table(url)
    async with websocket(url, TOKEN) as old:
        await resumed(old, table, 1)
        await ask(old, type="say", seq=2, table=table, phrase="well_played")
    async with websocket(url, TOKEN) as new:
        assert await resumed(new, table, 3) == 2
