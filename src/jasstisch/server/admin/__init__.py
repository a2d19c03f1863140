"""Administration of a running server over a local socket.

The package holds the messages, the socket and the service that executes them; every change takes
the path of an ordinary request. Start reading with `service`.

The command line imports `messages` alone. `service` and `socket_server` need the whole server, and
are imported only where they are used.
"""

from jasstisch.server.admin import messages

__all__ = ["messages", "service", "socket_server"]
