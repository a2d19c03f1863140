"""The sockets that a server listens on, and the addresses at which people reach it."""

import socket
import sys

from jasstisch.server.errors import StartupError
from jasstisch.server.net import OriginPolicy
from jasstisch.server.ws import LISTEN_BACKLOG

_MAX_PORT = 65_535


def bind(host: str, port: int, words: str = "--port or --host") -> socket.socket:
    """Creates a listening socket.

    Args:
        host: the address to listen on.
        port: the port; 0 for any free one.
        words: the flags with which the operator chooses another address.

    Raises:
        StartupError: the address is not available.
    """
    if not 0 <= port <= _MAX_PORT:
        # Without this check, the system would take another port than the requested one.
        raise StartupError(f"cannot listen on {host} port {port}: ports are 0 to {_MAX_PORT}")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(LISTEN_BACKLOG)
    except OSError as error:
        reason = error.strerror or str(error)
        text = f"cannot listen on {host} port {port}: {reason}; choose another with {words}"
        raise StartupError(text) from error
    return listener


def reachable_addresses(host: str, port: int, origins: OriginPolicy) -> list[str]:
    """The addresses of the server: its public address, on this machine, and in its network."""
    if origins.configured_origin is not None:
        return [f"{origins.configured_origin}/", f"http://localhost:{port}/"]
    if host in ("", "0.0.0.0", "::"):  # noqa: S104 - the host asked for it
        hosts = ["localhost", *_lan_address()]
    else:
        hosts = [f"[{host}]" if ":" in host else host]
    return [f"http://{name}:{port}/" for name in hosts]


def _lan_address() -> list[str]:
    """This machine's address in its network, if it has one; no packet is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address reserved for documentation, by RFC 5737
        except OSError:
            return []
        return [str(probe.getsockname()[0])]
