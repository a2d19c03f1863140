"""The private parts of uvicorn that our protocols rely on; review a new version first."""

import inspect
import tomllib
from importlib.metadata import version
from pathlib import Path

import h11
import pytest
import uvicorn
from packaging.requirements import Requirement
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import Protocol
from websockets.server import ServerProtocol

from jasstisch.server.ws.uvicorn_protocols.direct_websocket import DirectWebSocketProtocol
from jasstisch.server.ws.uvicorn_protocols.http_protocol import LimitedHttpProtocol
from jasstisch.server.ws.uvicorn_protocols.websocket_protocol import LimitedWebSocketProtocol

PYPROJECT = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())
OURS = {
    "handle_parsed_handshake",
    "evict",
    "try_write",
    "set_listener",
    "resume",
    "remove_listener",
    "flush_writes",
    "detach",
    "run_then_close",
    "ping_if_silent",
}
"""What the connection limiter and the application use of them, and uvicorn does not know."""


def test_uvicorn_has_a_reviewed_version() -> None:
    lines = PYPROJECT["project"]["optional-dependencies"]["server"]
    (asked,) = [one for one in map(Requirement, lines) if one.name == "uvicorn"]
    assert version("uvicorn") in asked.specifier
    assert "99" not in asked.specifier
    assert str(asked.specifier).count("<") == 1


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (LimitedHttpProtocol, H11Protocol),
        (DirectWebSocketProtocol, WebSocketsSansIOProtocol),
        (LimitedWebSocketProtocol, WebSocketsSansIOProtocol),
    ],
)
def test_overridden_methods_exist_with_the_same_parameters(ours: type, theirs: type) -> None:
    for name, method in vars(ours).items():
        if inspect.isfunction(method) and not name.startswith("_") and name not in OURS:
            assert name in vars(theirs)
            mine = list(inspect.signature(method).parameters)
            assert mine == list(inspect.signature(vars(theirs)[name]).parameters)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (H11Protocol.__init__, ["self.conn =", "self.cycle", "self.scope"]),
        (H11Protocol.handle_events, ["self.conn.next_event()", "self.send_400_response("]),
        (H11Protocol.handle_events, ["conn=self.conn", "on_response=self.on_response_complete"]),
        (H11Protocol.handle_websocket_upgrade, ["connection_made(self.transport)"]),
        (H11Protocol.handle_websocket_upgrade, ["self.connections.discard(self)"]),
        (H11Protocol.data_received, ["self._unset_keepalive_if_required()"]),
        (RequestResponseCycle.receive, ["self.message_event.wait()", "if self.disconnected"]),
        (RequestResponseCycle.send, ["if self.disconnected:", "self.on_response()"]),
        (WebSocketsSansIOProtocol.handle_connect, ["self.close_sent = True", "self.scope:"]),
        (WebSocketsSansIOProtocol.handle_connect, ['"extensions": {', "self.run_asgi()"]),
        (WebSocketsSansIOProtocol.connection_lost, ["self.disconnected = True"]),
        (WebSocketsSansIOProtocol.pause_writing, ["self.writable.clear()"]),
        (WebSocketsSansIOProtocol.resume_writing, ["self.writable.set()"]),
        (WebSocketsSansIOProtocol.send, ["await self.writable.wait()", "self.close_sent = True"]),
        (
            WebSocketsSansIOProtocol.send,
            ["self.handshake_complete = True", "transport.write("],
        ),
        (WebSocketsSansIOProtocol.handle_events, ["self.handle_cont(", "self.handle_ping()"]),
        (WebSocketsSansIOProtocol.handle_ping, ["self.conn.data_to_send()"]),
        (WebSocketsSansIOProtocol.handle_pong, ["self.pending_ping_payload"]),
        (WebSocketsSansIOProtocol.receive, ["self.queue.get()", "self.read_paused = False"]),
        (WebSocketsSansIOProtocol.send_receive_event_to_app, ["self.close_sent", "pause_reading"]),
        (WebSocketsSansIOProtocol.run_asgi, ["if self.close_timer is None"]),
        (WebSocketsSansIOProtocol.start_keepalive, ["self.schedule_ping()"]),
        (WebSocketsSansIOProtocol.send_keepalive_ping, ["self.pong_timer ="]),
        (WebSocketsSansIOProtocol.handle_connect, ["self.request =", "self.response ="]),
        (Protocol.parse, ["(yield from self.reader.at_eof())", "self.current_size is None"]),
        (ServerProtocol.parse, ["if self.state is CONNECTING", "yield from super().parse()"]),
        (uvicorn.Config.load, ["self.http_protocol_class = self.http"]),
    ],
)
def test_private_attributes_exist_as_reviewed(function: object, words: list[str]) -> None:
    source = inspect.getsource(function)  # type: ignore[arg-type]
    assert [word for word in words if word not in source] == []


def test_h11_reports_the_progress_of_a_request() -> None:
    connection = h11.Connection(h11.SERVER)
    connection.receive_data(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}")
    kinds = [type(connection.next_event()) for _ in range(3)]
    assert kinds == [h11.Request, h11.Data, h11.EndOfMessage]
    assert connection.our_state is h11.SEND_RESPONSE
