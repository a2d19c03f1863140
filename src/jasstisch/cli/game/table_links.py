"""Links to tables: parsing of server, table id and key."""

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from jasstisch.cli.errors import UsageError
from jasstisch.client import Client
from jasstisch.engine.errors import shorten

_TABLE_ID_PATTERN = re.compile(r"[A-Za-z0-9_-]{16,32}")
"""The id of a table; a shorter one has lost characters."""


class TableRef(NamedTuple):
    """A reference to a table of a server.

    Attributes:
        server: the address of the server.
        table: the id of the table.
        key: the key in its link, if the host has renewed the link.
    """

    server: str
    table: str
    key: str | None

    @property
    def link(self) -> str:
        """The link without the key, for a person who already has a seat."""
        return f"{self.server}/t/{self.table}"


def parse_table_ref(server: str | None, table: str) -> TableRef:
    """Parses a link or table id.

    Raises:
        UsageError: no server is named, or two are.
    """
    before, _, fragment = table.partition("#")
    key = fragment.removeprefix("k=") if fragment.startswith("k=") else None
    try:
        link = urlsplit(before)
    except ValueError as error:
        raise _invalid_table_error(table) from error
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
    if not _TABLE_ID_PATTERN.fullmatch(name):
        raise _invalid_table_error(table)
    return TableRef(server, name, key)


def parse_server(address: str) -> str:
    """Parses the address of a server.

    Raises:
        UsageError: it is not one.
    """
    try:
        Client(address)
    except ValueError as error:
        raise UsageError(str(error)) from error
    return address


def _invalid_table_error(given: str) -> UsageError:
    """Returns the error for input that names no table."""
    return UsageError(f"a table is a link or the last part of one, not {shorten(given)!r}")
