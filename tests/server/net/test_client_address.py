"""The client address: read from the right of the header, and only from trusted proxies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jasstisch.server.net.client_address import TrustedProxies, anonymize, rate_limit_key

PROXIES = TrustedProxies(["10.0.0.0/8", "2001:db8:ffff::1"])


@pytest.mark.parametrize(
    ("address", "counted", "shown"),
    [
        ("192.0.2.7", "192.0.2.7", "192.0.2.0/24"),
        ("::ffff:192.0.2.7", "192.0.2.7", "192.0.2.0/24"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64", "2001:db8:1::/48"),
        ("fe80::1%eth0", "fe80::/64", "fe80::/48"),
        ("unix:", "unknown", "unknown"),
        ("", "unknown", "unknown"),
    ],
)
def test_ipv6_addresses_are_grouped_by_64_bit_prefix(
    address: str, counted: str, shown: str
) -> None:
    assert (rate_limit_key(address), anonymize(address)) == (counted, shown)


@pytest.mark.parametrize(
    ("peer", "forwarded", "found"),
    [
        ("192.0.2.1", ["203.0.113.5"], "192.0.2.1"),  # nobody trusts that one
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.5"], "203.0.113.5"),
        ("::ffff:10.0.0.1", ["203.0.113.5"], "203.0.113.5"),
        ("2001:db8:ffff::1", ["203.0.113.5"], "203.0.113.5"),
        ("10.0.0.1", ["8.8.8.8, 203.0.113.5"], "203.0.113.5"),  # the left one anybody may write
        ("10.0.0.1", ["8.8.8.8", "203.0.113.5"], "203.0.113.5"),
        ("10.0.0.1", ["8.8.8.8, 203.0.113.5, 10.9.9.9"], "203.0.113.5"),
        ("10.0.0.1", ["10.1.1.1, 10.2.2.2"], "10.1.1.1"),
        ("10.0.0.1", ["203.0.113.5, <script>"], "10.0.0.1"),
        ("10.0.0.1", ["<script>, 10.2.2.2"], "10.2.2.2"),
        ("10.0.0.1", ["203.0.113.5:4711"], "203.0.113.5"),
        ("10.0.0.1", ["[2001:db8::7]:4711"], "2001:db8::7"),
        ("10.0.0.1", ["2001:db8::7"], "2001:db8::7"),
        ("10.0.0.1", [""], "10.0.0.1"),
    ],
)
def test_the_rightmost_untrusted_address_is_the_client(
    peer: str, forwarded: list[str], found: str
) -> None:
    headers = [(b"x-forwarded-for", one.encode()) for one in forwarded]
    assert PROXIES.client_address(peer, headers) == found


@pytest.mark.parametrize(
    ("peer", "said", "scheme"),
    [
        ("10.0.0.1", b"https", "https"),
        ("10.0.0.1", b"WSS", "https"),
        ("10.0.0.1", b"https, http", "http"),
        ("10.0.0.1", b"gopher", None),
        ("192.0.2.1", b"https", None),
    ],
)
def test_the_forwarded_scheme_is_taken_from_trusted_proxies_only(
    peer: str, said: bytes, scheme: str | None
) -> None:
    assert PROXIES.forwarded_scheme(peer, [(b"x-forwarded-proto", said)]) == scheme


@given(st.binary(max_size=60), st.binary(max_size=20))
def test_any_bytes_in_forwarding_headers_are_accepted(forwarded: bytes, scheme: bytes) -> None:
    headers = [(b"x-forwarded-for", forwarded), (b"x-forwarded-proto", scheme)]
    rate_limit_key(PROXIES.client_address("10.0.0.1", headers))
    PROXIES.forwarded_scheme("10.0.0.1", headers)


@pytest.mark.parametrize("wrong", ["proxy", "10.0.0.1/8", "10.0.0.0/33", "*", ""])
def test_an_invalid_proxy_address_is_named(wrong: str) -> None:
    with pytest.raises(ValueError, match="is no address or network of a proxy"):
        TrustedProxies([wrong])
