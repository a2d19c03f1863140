"""The fast handshake parser agrees with h11 and the websockets library."""

import asyncio
import gc
import logging
from collections.abc import Sequence
from weakref import ref

import h11
import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.http11 import Request
from websockets.server import ServerProtocol

from jasstisch.server.http.app import App
from jasstisch.server.net.asgi import DIRECT_EXTENSION, Receive, Scope, Send
from jasstisch.server.net.fast_handshake import (
    _MAX_HANDSHAKE_BYTES,
    handshake_response,
    parse_handshake,
)
from jasstisch.server.ws.uvicorn_protocols.websocket_protocol import LimitedWebSocketProtocol
from tests.server.raw_socket import raw_connection, upgrade_request

MOST = 128

BROWSER = [
    b"Host: jass.example.org",
    b"Connection: keep-alive, Upgrade",
    b"Pragma: no-cache",
    b"User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0",
    b"Upgrade: websocket",
    b"Origin: https://jass.example.org",
    b"Sec-WebSocket-Version: 13",
    b"Accept-Encoding: gzip, deflate, br",
    b"Cookie: jasstisch=abc; other=def",
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    b"Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits",
]


def head(lines: Sequence[bytes], start: bytes = b"GET /ws HTTP/1.1") -> bytes:
    return b"\r\n".join([start, *lines, b"", b""])


def read_by_h11(data: bytes) -> list[tuple[bytes, bytes]] | None:
    connection = h11.Connection(h11.SERVER)
    connection.receive_data(data)
    try:
        event = connection.next_event()
    except h11.RemoteProtocolError:
        return None
    return list(event.headers) if isinstance(event, h11.Request) else None


def answered_by_library(data: bytes) -> tuple[int, str | None]:
    protocol = ServerProtocol()
    protocol.receive_data(data)
    (request,) = protocol.events_received()
    assert isinstance(request, Request)
    response = protocol.accept(request)
    return response.status_code, response.headers.get("Sec-WebSocket-Accept")


def test_browser_handshakes_parse_like_the_libraries() -> None:
    found = parse_handshake(head(BROWSER), MOST)
    assert found is not None
    assert found.headers == read_by_h11(head(BROWSER))
    # The example of RFC 6455, 1.3.
    assert b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n" in handshake_response(
        found.key, []
    )


def test_the_response_is_valid_http() -> None:
    client = h11.Connection(h11.CLIENT)
    request = [(b"Host", b"x"), (b"Upgrade", b"websocket"), (b"Connection", b"Upgrade")]
    client.send(h11.Request(method="GET", target="/ws", headers=request))
    client.send(h11.EndOfMessage())
    more = [(b"set-cookie", b"a=b; Path=/"), (b"x-request-id", b"1")]
    client.receive_data(handshake_response(b"dGhlIHNhbXBsZSBub25jZQ==", more))
    event = client.next_event()
    assert isinstance(event, h11.InformationalResponse)
    assert event.status_code == 101
    assert list(event.headers)[-2:] == more


def without(name: bytes) -> list[bytes]:
    return [line for line in BROWSER if not line.startswith(name)]


@pytest.mark.parametrize(
    "data",
    [
        head(BROWSER)[:-1],
        head(BROWSER) + b"\x81",
        head(BROWSER, b"GET /ws?x HTTP/1.1"),
        head(BROWSER, b"GET /ws HTTP/1.0"),
        head(BROWSER, b"POST /ws HTTP/1.1"),
        head(without(b"Host:")),
        head(without(b"Upgrade:")),
        head(without(b"Connection:")),
        head(without(b"Sec-WebSocket-Key:")),
        head(without(b"Sec-WebSocket-Version:")),
        head([*BROWSER, b"Host: another.example.org"]),
        head([*BROWSER, b"Origin: https://jass.example.org"]),
        head([*BROWSER, b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]),
        head([*without(b"Sec-WebSocket-Key:"), b"Sec-WebSocket-Key: short=="]),
        head([*without(b"Sec-WebSocket-Version:"), b"Sec-WebSocket-Version: 8"]),
        head([*without(b"Connection:"), b"Connection: close"]),
        head([*BROWSER, b"Content-Length: 3"]),
        head([*BROWSER, b"Transfer-Encoding: chunked"]),
        head([*BROWSER, b"Expect: 100-continue"]),
        head([*BROWSER, b"Sec-WebSocket-Protocol: chat"]),
        head([*BROWSER, b"X: a\nY: b"]),
        head([*BROWSER, b"X: a", b" folded"]),
        head([*BROWSER, b"X : a"]),
        head([*BROWSER, b"X: \x00"]),
        head([*BROWSER, b"X: " + bytes(_MAX_HANDSHAKE_BYTES)]),
        head([*BROWSER, *[b"X: a"] * MOST]),
    ],
)
def test_unusual_handshakes_are_left_to_the_libraries(data: bytes) -> None:
    assert parse_handshake(data, MOST) is None


LINES = st.lists(
    st.one_of(
        st.sampled_from(BROWSER),
        st.sampled_from([line.swapcase() for line in BROWSER]),
        st.binary(max_size=12),
        st.tuples(
            st.text("aZ09-_:! \t\r\n", max_size=6), st.text(":, \t\r\n\x7f\x80aB=", max_size=8)
        ).map(lambda pair: f"{pair[0]}:{pair[1]}".encode("latin-1")),
    ),
    max_size=4,
)


@given(before=LINES, after=LINES, gone=st.sets(st.integers(0, len(BROWSER) - 1), max_size=1))
def test_every_accepted_handshake_parses_like_the_libraries(
    before: list[bytes], after: list[bytes], gone: set[int]
) -> None:
    kept = [line for number, line in enumerate(BROWSER) if number not in gone]
    data = head([*before, *kept, *after])
    found = parse_handshake(data, MOST)
    if found is None:
        return
    assert found.headers == read_by_h11(data)
    status, digest = answered_by_library(data)
    assert status == 101
    assert digest is not None
    assert f"Sec-WebSocket-Accept: {digest}\r\n".encode() in handshake_response(found.key, [])


ANEW = (b"date:", b"x-request-id:")
"""Headers whose values differ from one answer to the next."""


@pytest.mark.outside
@pytest.mark.parametrize("headers", [[], ["Origin: https://evil.example"]])
async def test_both_paths_give_the_same_scope_and_response(
    url: str,
    headers: list[str],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    scopes: list[Scope] = []
    serve = App.__call__

    async def told(self: App, scope: Scope, receive: Receive, send: Send) -> None:
        scopes.append(dict(scope) | {"headers": list(scope["headers"])})
        await serve(self, scope, receive, send)

    monkeypatch.setattr(App, "__call__", told)
    answers = []
    for is_left_to_all in (False, True):
        if is_left_to_all:
            monkeypatch.setattr(
                "jasstisch.server.ws.uvicorn_protocols.http_protocol.parse_handshake",
                lambda *_: None,
            )
        async with raw_connection(url) as connection:
            await connection.send(upgrade_request(url, *headers))
            lines = (await connection.read_head()).lower().split(b"\r\n")
            answers.append(
                {line.partition(b":")[0] if line.startswith(ANEW) else line for line in lines}
            )
    for scope in scopes:
        scope["client"] = scope["client"][0]
        assert isinstance(scope["extensions"].pop(DIRECT_EXTENSION), LimitedWebSocketProtocol)
    assert scopes[0] == scopes[1]
    assert answers[0] == answers[1]
    assert [one.getMessage() for one in caplog.records if one.levelno > logging.INFO] == []


@pytest.mark.outside
async def test_a_refused_handshake_is_freed_without_garbage_collection(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[ref[LimitedWebSocketProtocol]] = []
    gone = asyncio.Event()
    take = LimitedWebSocketProtocol.connection_made

    def taken(self: LimitedWebSocketProtocol, transport: asyncio.BaseTransport) -> None:
        made.append(ref(self, lambda _: gone.set()))
        take(self, transport)

    monkeypatch.setattr(LimitedWebSocketProtocol, "connection_made", taken)
    gc.disable()
    try:
        async with raw_connection(url) as client:
            await client.send(upgrade_request(url, "Origin: https://evil.example"))
            assert (await client.read_rest()).startswith(b"HTTP/1.1 403")
        await asyncio.wait_for(gone.wait(), 10.0)
    finally:
        gc.enable()
    assert len(made) == 1
