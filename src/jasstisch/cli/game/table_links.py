"""Which table of which server a link leads to."""

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from jasstisch.cli.errors import UsageError
from jasstisch.client import Client
from jasstisch.engine.errors import shorten

__all__ = ["TableRef", "parse_server", "parse_table_ref"]

TABLE_ID_PATTERN = re.compile(r"[A-Za-z0-9_-]{16,32}")
"""The id of a table; of a shorter one some letters have been lost on the way."""


class TableRef(NamedTuple):
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


def parse_table_ref(server: str | None, table: str) -> TableRef:
    """The table that is meant.

    Raises:
        UsageError: no server is named, or two are.
    """
    before, _, fragment = table.partition("#")
    key = fragment.removeprefix("k=") if fragment.startswith("k=") else None
    try:
        link = urlsplit(before)
    except ValueError as error:
        raise invalid_table_error(table) from error
    if link.scheme in {"http", "https"} and link.netloc:
        origin, (_, _, name) = f"{link.scheme}://{link.netloc}", link.path.rpartition("/t/")
        if server is not None and server.rstrip("/") != origin:
            raise UsageError(f"the link leads to {origin}, not to {shorten(server)}")
        server = origin
    else:
        name = before
    if server is None:
        raise UsageError("name the server with --server URL, or give the whole link of the table")
    server = parse_server(server)
    if not TABLE_ID_PATTERN.fullmatch(name):
        raise invalid_table_error(table)
    return TableRef(server, name, key)


def parse_server(address: str) -> str:
    """The address of a server, if it is one.

    Raises:
        UsageError: it is none.
    """
    try:
        Client(address)
    except ValueError as error:
        raise UsageError(str(error)) from error
    return address


def invalid_table_error(given: str) -> UsageError:
    """That what was given leads to no table."""
    return UsageError(f"a table is a link or the last part of one, not {shorten(given)!r}")
