"""The names of the cookies and of the header with which a client authenticates.

The cookie contains the token of a device; the header contains the key of a table's renewed link.
`jasstisch.server.identity` checks their form and finds their owner.
"""

COOKIE_NAME = "jasstisch"
"""The name of the cookie with the token, without TLS."""

SECURE_COOKIE_NAME = "__Host-jasstisch"
"""Its name under TLS; browsers accept and send such a cookie for this host and over TLS only."""

LINK_KEY_HEADER = "Jasstisch-Key"
"""The header with the key of a table's renewed link, which must not be part of a URL."""
