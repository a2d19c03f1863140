"""How a client shows who it is: the names of the cookies and of the header.

The cookie holds the token of a device; the header holds the key of a table's renewed link. What
they must look like and whom they belong to is decided in `jasstisch.server.identity`.
"""

__all__ = ["COOKIE_NAME", "LINK_KEY_HEADER", "SECURE_COOKIE_NAME"]

COOKIE_NAME = "jasstisch"
"""Name of the cookie that holds the token where there is no TLS."""

SECURE_COOKIE_NAME = "__Host-jasstisch"
"""Its name under TLS: a browser takes it from this very host alone, and shows it under TLS only."""

LINK_KEY_HEADER = "Jasstisch-Key"
"""The header in which a call shows the key of a table's renewed link: it belongs in no URL."""
