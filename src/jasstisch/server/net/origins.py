"""Trusted host names, and the origins whose pages may call the server.

With a public address (`--public-url`), its host and its origin are accepted, besides this machine
and the address the server listens on. Without one, people use whatever name their network gives the
machine. But a malicious page could have its own name resolve to this server (DNS rebinding), and
call it from inside the network. So a name is accepted only if nobody elsewhere can own it: an
address, a name without a dot or with a suffix for local networks, this machine's own name, or any
name over TLS, which the certificate proves. A proxy reports that TLS was used, and a page in a
browser on this machine could forge that report; but such a page must call the very port that the
server listens on.
"""

import re
import socket
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from jasstisch.server.net.asgi import Scope
from jasstisch.server.net.client_address import TrustedProxies, parse_address

_DEFAULT_PORTS = {"http": "80", "https": "443"}

LOCAL_SUFFIXES = (
    *(".localhost", ".local", ".lan", ".home", ".internal", ".intranet", ".localdomain"),
    *(".home.arpa", ".fritz.box"),
)
"""The suffixes under which nobody can register a public name."""

_HOST_HEADER = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::([0-9]{1,5}))?")

_MAX_QUOTED_LENGTH = 100
"""The maximum length of a header quoted in a refusal."""

_Headers = Iterable[tuple[bytes, bytes]]


@dataclass(frozen=True, slots=True)
class Origin:
    """An origin, as a browser reports where a page comes from.

    Attributes:
        scheme: `http` or `https`.
        host: the name or address, with the port unless it is the default of the scheme.
    """

    scheme: str
    host: str

    @classmethod
    def parse(cls, url: str) -> "Origin":
        """The origin of a URL without a path.

        Raises:
            ValueError: it is no such URL; the message says what is expected.
        """
        wrong = f"{url[:_MAX_QUOTED_LENGTH]!r} is no public address; it looks like https://jass.example.org"
        try:
            parts = urlsplit(url)
        except ValueError:
            raise ValueError(wrong) from None
        extra = parts.path not in ("", "/") or parts.query or parts.fragment
        if (
            parts.scheme not in _DEFAULT_PORTS
            or extra
            or not _HOST_HEADER.fullmatch(parts.netloc.lower())
        ):
            raise ValueError(wrong)
        return cls(parts.scheme, _without_default_port(parts.netloc.lower(), parts.scheme))

    def __str__(self) -> str:
        return f"{self.scheme}://{self.host}"


@dataclass(frozen=True, slots=True)
class OriginPolicy:
    """Decides which hosts and origins are accepted.

    Attributes:
        configured_origin: the public origin of the server; None if it has many or none.
        proxies: the reverse proxies whose headers about the client are trusted.
        listen_host: the name or address the operator has it listen on.
        hostname: the name of the machine.
    """

    configured_origin: Origin | None = None
    proxies: TrustedProxies = field(default_factory=TrustedProxies)
    listen_host: str = "127.0.0.1"
    hostname: str = field(default_factory=socket.gethostname)

    def resolve_client(self, scope: Scope) -> tuple[str, str]:
        """The address of the connection, and that of the client; stores the latter in the scope.

        Sets `client` and `scheme` of the scope to those of the client, who may have come through a
        proxy.
        """
        peer = scope["client"][0] if scope.get("client") else ""
        headers: list[tuple[bytes, bytes]] = list(scope["headers"])
        address = self.proxies.client_address(peer, headers)
        if address != peer:
            scope["client"] = (address, 0)
        scheme = self.proxies.forwarded_scheme(peer, headers)
        if self._is_public_tls_request(headers):
            scheme = "https"
        if scheme is not None:
            ends_secure = "s" if scheme == "https" else ""
            scope["scheme"] = ("ws" if scope["type"] == "websocket" else "http") + ends_secure
        return peer, address

    def public_origin(self, scope: Scope) -> Origin | None:
        """The origin of this server for a client; None if neither request nor operator names it.

        Args:
            scope: a request that `host_error` has accepted.
        """
        if self.configured_origin is not None:
            return self.configured_origin
        host = (_header(scope["headers"], b"host") or "").lower()
        scheme = scope["scheme"]
        return (
            Origin(scheme, _without_default_port(host, scheme))
            if _HOST_HEADER.fullmatch(host)
            else None
        )

    def host_error(self, scope: Scope) -> str | None:
        """The reason why a request is for another host; None if it is for this server.

        A request without a host does not come from a browser and is accepted.
        """
        host = _header(scope["headers"], b"host")
        if host is None:
            return None
        found = _HOST_HEADER.fullmatch(host.lower())
        name = found[1].rstrip(".") if found else ""
        server, port = scope.get("server") or (None, None)
        # A request that names our own port has not come through a proxy, whatever the headers say.
        straight = found is not None and (found[2] or _DEFAULT_PORTS["http"]) == str(port)
        tls = scope["scheme"] in ("https", "wss") and not straight
        if name and self._is_own_host(name, host, server, tls=tls):
            return None
        if self.configured_origin is not None:
            allowed = f"the address of this server is {self.configured_origin}"
        else:
            allowed = (
                "without a public address this server answers to its addresses, to names without a "
                "dot and to local ones, as jass.local; its host can name another with --public-url"
            )
        return f"the header Host says {host[:_MAX_QUOTED_LENGTH]!r}; {allowed}"

    def origin_error(self, headers: _Headers) -> str | None:
        """The reason why the calling page is not allowed; None if it is, or if no page calls.

        A browser always sends the origin of a page that opens a WebSocket or posts something; other
        programs send none. It must be the public origin, or the host that is called.
        """
        origin = _header(headers, b"origin")
        if origin is None:
            return None
        host = (_header(headers, b"host") or "").lower()
        public = self.configured_origin
        own = host if public is None or not self._is_public(host) else ""
        try:
            site = Origin.parse(origin)
        except ValueError:
            site = None
        if site is not None:
            if site == public:
                return None
            if own and site.host == _without_default_port(own, site.scheme):
                return None
        expected = (
            str(public)
            if public is not None
            else f"a page of {host[:_MAX_QUOTED_LENGTH]!r}, as Host says"
        )
        return (
            f"the header Origin says {origin[:_MAX_QUOTED_LENGTH]!r}; expected is {expected}: "
            "pages of another site may not do this (behind a proxy: see --public-url)"
        )

    def _is_own_host(self, name: str, host: str, server: str | None, *, tls: bool) -> bool:
        address = parse_address(name.strip("[]"))
        if self._is_public(host.lower()) or name == self.listen_host.lower():
            return True
        if name == "localhost" or (address is not None and address.is_loopback):
            return True
        if self.configured_origin is not None:
            return address is not None and server is not None and address == parse_address(server)
        local = "." not in name or name.endswith(LOCAL_SUFFIXES) or name == self.hostname.lower()
        return address is not None or local or tls

    def _is_public(self, host: str) -> bool:
        public = self.configured_origin
        return public is not None and _without_default_port(host, public.scheme) == public.host

    def _is_public_tls_request(self, headers: _Headers) -> bool:
        """Whether the public origin uses TLS and a browser there sent this request."""
        public = self.configured_origin
        if public is None or public.scheme != "https":
            return False
        host, origin = _header(headers, b"host"), _header(headers, b"origin")
        return self._is_public((host or "").lower()) or origin == str(public)


def _header(headers: _Headers, name: bytes) -> str | None:
    return next((value.decode("latin-1") for key, value in headers if key == name), None)


def _without_default_port(host: str, scheme: str) -> str:
    return host.removesuffix(f":{_DEFAULT_PORTS[scheme]}")
