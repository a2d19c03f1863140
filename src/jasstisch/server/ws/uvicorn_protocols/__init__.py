"""The HTTP and WebSocket protocols of uvicorn, extended by limits on time, count and size.

uvicorn waits without limit for headers and bodies, and counts a connection only when its headers
are complete. It answers every ping however many pongs wait, and reads all received data at once.
Here, the connection limiter admits each connection, late requests are aborted, frames are counted,
and a connection yields to others after a kilobyte.

`http_protocol` and `websocket_protocol` derive from private classes of uvicorn; the other modules
need nothing of it but its `Config`. tests/server/ws/test_uvicorn_protocols.py names the internals
that they depend on; pyproject.toml pins uvicorn to the versions that were examined. Start reading
with `http_protocol`.
"""

from jasstisch.server.ws.uvicorn_protocols.protocol_config import LISTEN_BACKLOG
from jasstisch.server.ws.uvicorn_protocols.server_config import ServerConfig

__all__ = ["LISTEN_BACKLOG", "ServerConfig"]
