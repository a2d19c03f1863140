"""Client addresses: their keys for rate limits, trusted proxies, and their form in the log.

An IPv6 user has a whole /64 and may use another of its addresses for each connection, so that
network counts as one client. The log contains networks instead of addresses: /24 and /48 suffice to
recognize an attacker and do not reveal who played.
"""

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

_Address = IPv4Address | IPv6Address

LOOPBACK = ("127.0.0.0/8", "::1")
"""The proxies that are trusted by default: those on this machine."""

_PARSE_CACHE_SIZE = 4_096
"""The number of cached addresses: every request parses its client's address."""

_MAX_ADDRESS_LENGTH = 64
"""The maximum length of an address, including an interface name; longer texts are rejected."""

_IPV6_KEY_BITS = 64
"""The bits of an IPv6 address that identify one client's network."""

_SCHEMES = {b"http": "http", b"https": "https", b"ws": "http", b"wss": "https"}

_Headers = Iterable[tuple[bytes, bytes]]


def parse_address(text: str) -> _Address | None:
    """Parses an address; an IPv4-mapped IPv6 address becomes an IPv4 address."""
    return _parse_cached(text) if len(text) <= _MAX_ADDRESS_LENGTH else None


@lru_cache(_PARSE_CACHE_SIZE)
def _parse_cached(text: str) -> _Address | None:
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def rate_limit_key(text: str) -> str:
    """The key under which an address is rate-limited: the address, or its /64 for IPv6."""
    address = parse_address(text)
    if isinstance(address, IPv6Address):
        return str(ip_network((address, _IPV6_KEY_BITS), strict=False))
    return "unknown" if address is None else str(address)


def anonymize(text: str) -> str:
    """The form of an address that a log line may contain."""
    address = parse_address(text)
    if address is None:
        return "unknown"
    return str(ip_network((address, 24 if address.version == 4 else 48), strict=False))


class TrustedProxies:
    """The reverse proxies whose headers about the client are trusted.

    Args:
        trusted: addresses and networks, such as `10.0.0.5` or `172.16.0.0/12`.

    Raises:
        ValueError: one of them is neither; the message names it.
    """

    def __init__(self, trusted: Iterable[str] = LOOPBACK) -> None:
        self._networks = []
        for one in trusted:
            try:
                self._networks.append(ip_network(one))
            except ValueError as error:
                text = f"{one!r} is no address or network of a proxy: {error}"
                raise ValueError(text) from None

    def trusts(self, text: str) -> bool:
        """Whether an address belongs to a trusted proxy."""
        address = parse_address(text)
        return address is not None and any(address in one for one in self._networks)

    def client_address(self, peer: str, headers: _Headers) -> str:
        """The address of the client: the peer, or the client that a trusted peer reports.

        `X-Forwarded-For` is read from the right, because each proxy appends the address it saw. The
        first address that belongs to no trusted proxy is the client's; anybody may have forged what
        is left of it. An entry that is not an address ends the search.
        """
        found = peer
        if not self.trusts(peer):
            return found
        named = [value for name, value in headers if name == b"x-forwarded-for"]
        for word in reversed(b",".join(named).decode("latin-1").split(",")):
            address = _without_port(word.strip())
            if parse_address(address) is None:
                break
            found = address
            if not self.trusts(address):
                break
        return found

    def forwarded_scheme(self, peer: str, headers: _Headers) -> str | None:
        """The scheme, `http` or `https`, that a trusted peer reports; None without a report."""
        if not self.trusts(peer):
            return None
        said = [value for name, value in headers if name == b"x-forwarded-proto"]
        return _SCHEMES.get(said[-1].split(b",")[-1].strip().lower()) if said else None


def _without_port(word: str) -> str:
    """An address without the port that some proxies append: `192.0.2.1:80`, `[2001:db8::1]:80`."""
    if word.startswith("["):
        return word[1:].partition("]")[0]
    return word.partition(":")[0] if word.count(":") == 1 else word
