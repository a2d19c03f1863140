"""Which table of which server a link leads to."""

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from jasstisch.cli.exits import UsageError
from jasstisch.client import Client
from jasstisch.errors import shorten

__all__ = ["Place", "place_of", "server_of"]

ID = re.compile(r"[A-Za-z0-9_-]{16,32}")
"""The id of a table; of a shorter one some letters have been lost on the way."""


class Place(NamedTuple):
    """A table of a server.

    Attributes:
        server: the address of the server.
        table: the id of the table.
        key: what its link has besides, where the host has renewed it.
    """

    server: str
    table: str
    key: str | None

    @property
    def link(self) -> str:
        """Its link, for whoever has sat there: without the key."""
        return f"{self.server}/t/{self.table}"


def place_of(server: str | None, table: str) -> Place:
    """The table that is meant.

    Raises:
        UsageError: no server is named, or two are.
    """
    before, _, fragment = table.partition("#")
    key = fragment.removeprefix("k=") if fragment.startswith("k=") else None
    try:
        link = urlsplit(before)
    except ValueError as error:
        raise no_table(table) from error
    if link.scheme in {"http", "https"} and link.netloc:
        origin, (_, _, name) = f"{link.scheme}://{link.netloc}", link.path.rpartition("/t/")
        if server is not None and server.rstrip("/") != origin:
            raise UsageError(f"the link leads to {origin}, not to {shorten(server)}")
        server = origin
    else:
        name = before
    if server is None:
        raise UsageError("name the server with --server URL, or give the whole link of the table")
    server = server_of(server)
    if not ID.fullmatch(name):
        raise no_table(table)
    return Place(server, name, key)


def server_of(address: str) -> str:
    """The address of a server, if it is one.

    Raises:
        UsageError: it is none.
    """
    try:
        Client(address)
    except ValueError as error:
        raise UsageError(str(error)) from error
    return address


def no_table(given: str) -> UsageError:
    """That what was given leads to no table."""
    return UsageError(f"a table is a link or the last part of one, not {shorten(given)!r}")
