"""Store URLs: parsing the location of a store, and opening the store.

`sqlite:PATH` or a path alone is a folder with `tables.sqlite3`, or such a file;
`postgresql://USER:PASSWORD@HOST:PORT/DATABASE` is a database, whose password no message shows.
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from jasstisch.engine.errors import shorten
from jasstisch.extras import require
from jasstisch.storage.errors import StoreError
from jasstisch.storage.sqlite.event_store import SqliteStore

if TYPE_CHECKING:
    from jasstisch.storage.postgres.event_store import PostgresStore

DATABASE_FILENAME = "tables.sqlite3"
"""The file in a data folder that holds all tables."""

FORGOTTEN_FOLDER = "forgotten"
"""The folder in a data folder that holds the list of the forgotten by default."""

_POSTGRES_SCHEMES = ("postgresql://", "postgres://")

_SQLITE_PREFIX = "sqlite:"

_FORMAT_HELP = "a folder, sqlite:PATH or postgresql://USER:PASSWORD@HOST:PORT/DATABASE"
"""The accepted forms of a store URL, for error messages."""


def is_postgres(text: str) -> bool:
    """Whether a URL names a Postgres database."""
    return text.startswith(_POSTGRES_SCHEMES)


def sqlite_path(text: str) -> Path:
    """The file of a SQLite store; it need not exist.

    Raises:
        StoreError: the text names an unknown kind of store.
    """
    if re.search(r"\b(host|dbname|user|password)\s*=", text):
        raise StoreError(
            f"a store is not written in words; it is {_FORMAT_HELP}"
        )  # nor are they shown
    # One letter before a colon is a drive of Windows.
    kind = re.match(r"[a-z][a-z0-9+.-]+(?=:)|.*(?=://)", text, re.DOTALL)
    if kind is not None and not text.startswith(_SQLITE_PREFIX):
        raise StoreError(
            f"there is no kind of store called {shorten(kind[0])!r}; a store is {_FORMAT_HELP}"
        )
    path = Path(text.removeprefix(_SQLITE_PREFIX)).expanduser()
    if path.is_file() or (path.suffix == ".sqlite3" and not path.is_dir()):
        return path
    return path / DATABASE_FILENAME


def redacted_url(text: str) -> str:
    """The URL of a store for messages, without its password.

    Raises:
        StoreError: the text is not a store URL.
        MissingExtraError: the required packages are not installed.
    """
    if not is_postgres(text):
        return str(sqlite_path(text))
    require("cluster", "a store in Postgres")
    from jasstisch.storage.postgres.connections import DatabaseUrl  # noqa: PLC0415 - it needs the extra

    return f"Postgres at {DatabaseUrl(text).redacted}"


def open_store(text: str) -> "SqliteStore | PostgresStore":
    """Opens the store of a URL; creates a missing file and its folder.

    Raises:
        StoreError: it cannot be opened. For a database only the first call finds this out.
        MissingExtraError: the required packages are not installed.
    """
    if is_postgres(text):
        require("cluster", "a store in Postgres")
        from jasstisch.storage.postgres.event_store import PostgresStore  # noqa: PLC0415 - it needs the extra

        return PostgresStore(text)
    file = sqlite_path(text)
    ensure_folder(file)
    return SqliteStore(file)


def ensure_folder(file: Path) -> None:
    """Creates the folder of a file where it is missing.

    Raises:
        StoreError: the folder cannot be created.
    """
    try:
        # The folder holds hidden cards and hashed identities: only the operator may read it.
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise StoreError(f"the data folder {file.parent} cannot be used: {reason}") from error
