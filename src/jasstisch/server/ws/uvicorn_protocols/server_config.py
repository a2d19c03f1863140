"""The configuration of the server, shared by operators, tests and benchmarks."""

from jasstisch.server.ws.uvicorn_protocols.http_protocol import LimitedHttpProtocol
from jasstisch.server.ws.uvicorn_protocols.protocol_config import LimitedApplication, ProtocolConfig
from jasstisch.server.ws.uvicorn_protocols.websocket_protocol import LimitedWebSocketProtocol


class ServerConfig(ProtocolConfig):
    """The configuration of uvicorn with both protocols.

    Args:
        app: the application, whose limits apply.
    """

    def __init__(self, app: LimitedApplication) -> None:
        super().__init__(app, LimitedHttpProtocol, LimitedWebSocketProtocol)
