"""Administration of a running server over a local socket.

It holds the messages, the socket and the service that carries them out; every change goes the way
of an ordinary request. Begin with `service`.

The command line imports `messages` alone; `service` and `socket_server` need the whole server, and
are imported by who asks for them.
"""

from jasstisch.server.admin import messages

__all__ = ["messages", "service", "socket_server"]
