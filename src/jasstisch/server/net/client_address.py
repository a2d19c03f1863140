"""Addresses of callers: how they are counted, which are trusted, and what the log says of them.

Somebody with IPv6 has a whole /64 and may take another of its addresses for each connection, so
that network counts as one caller. The log names networks, not addresses: /24 and /48, enough to
recognise who attacks and too little to say who played.
"""

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

__all__ = ["LOOPBACK", "TrustedProxies", "anonymize", "parse_address", "rate_limit_key"]

Address = IPv4Address | IPv6Address

LOOPBACK = ("127.0.0.0/8", "::1")
"""The proxies that are trusted where none is named: those of this machine."""

PARSE_CACHE_SIZE = 4_096
"""So many texts are remembered with the address they name: each request asks for its caller's."""

MAX_ADDRESS_LENGTH = 64
"""Characters of an address, with the name of an interface; a longer text is none."""

IPV6_KEY_BITS = 64
"""Bits of an IPv6 address that one caller shares with nobody."""

SCHEMES = {b"http": "http", b"https": "https", b"ws": "http", b"wss": "https"}

Headers = Iterable[tuple[bytes, bytes]]


def parse_address(text: str) -> Address | None:
    """The address a text names; an IPv4 address that is written as IPv6 is one of IPv4."""
    return _parse_cached(text) if len(text) <= MAX_ADDRESS_LENGTH else None


@lru_cache(PARSE_CACHE_SIZE)
def _parse_cached(text: str) -> Address | None:
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def rate_limit_key(text: str) -> str:
    """Under what an address is counted: itself, or its /64 where it is one of IPv6."""
    address = parse_address(text)
    if isinstance(address, IPv6Address):
        return str(ip_network((address, IPV6_KEY_BITS), strict=False))
    return "unknown" if address is None else str(address)


def anonymize(text: str) -> str:
    """What a log line may say of an address."""
    address = parse_address(text)
    if address is None:
        return "unknown"
    return str(ip_network((address, 24 if address.version == 4 else 48), strict=False))


class TrustedProxies:
    """The reverse proxies whose word is taken for who calls, and how.

    Args:
        trusted: addresses and networks, as `10.0.0.5` or `172.16.0.0/12`.

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
        """Whether an address is that of a trusted proxy."""
        address = parse_address(text)
        return address is not None and any(address in one for one in self._networks)

    def client_address(self, peer: str, headers: Headers) -> str:
        """Who calls: the peer, or whom a trusted peer says it speaks for.

        `X-Forwarded-For` is read from the right, for each proxy adds at its end whom it saw. The
        first address that is no trusted proxy's is the caller's; what stands left of it anybody
        may have written. A word that is no address ends the reading.
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

    def scheme(self, peer: str, headers: Headers) -> str | None:
        """`http` or `https` as a trusted peer says it was called; None where it says nothing."""
        if not self.trusts(peer):
            return None
        said = [value for name, value in headers if name == b"x-forwarded-proto"]
        return SCHEMES.get(said[-1].split(b",")[-1].strip().lower()) if said else None


def _without_port(word: str) -> str:
    """An address without the port that some proxies add: `192.0.2.1:80`, `[2001:db8::1]:80`."""
    if word.startswith("["):
        return word[1:].partition("]")[0]
    return word.partition(":")[0] if word.count(":") == 1 else word
