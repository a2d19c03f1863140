"""Where the data of a server lies, as the commands for a host name it."""

import argparse
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jasstisch.cli.arguments import Parser
from jasstisch.cli.config.loader import CONFIG_VARIABLE, load_settings
from jasstisch.cli.config.settings import SETTINGS
from jasstisch.cli.errors import UsageError

__all__ = ["add_store_arguments", "admin_socket_path", "data_dir", "postgres_url", "sqlite_path"]


def add_store_arguments(parser: Parser) -> None:
    """Adds the words that say which server's data is meant."""
    parser.add_argument(
        "--config",
        metavar="FILE",
        help=f"settings file of the server (default: none) [{CONFIG_VARIABLE}]",
    )
    parser.add_argument(
        "--data",
        metavar="DIR",
        type=Path,
        help="data folder (default: that of the settings, else your own)",
    )
    parser.add_argument(
        "--store",
        metavar="STORE",
        help="store to use instead of the data folder: sqlite:PATH or "
        "postgresql://USER:PASSWORD@HOST:PORT/DATABASE",
    )


def postgres_url(arguments: argparse.Namespace) -> str | None:
    """The address of the Postgres database that is meant; None for a file.

    Raises:
        UsageError: two places are named, or the settings are not allowed.
        CommandError: the settings cannot be read.
    """
    from jasstisch.storage.store_url import is_postgres  # noqa: PLC0415 - help needs no store

    _, chosen = _location(arguments)
    return chosen if chosen is not None and is_postgres(chosen) else None


def sqlite_path(arguments: argparse.Namespace) -> Path:
    """The file of the tables that is meant, where `database_of` is None.

    Raises:
        StoreError: there is no such kind of store.
    """
    from jasstisch.server.data_location import default_data_dir  # noqa: PLC0415 - help needs no server
    from jasstisch.storage.store_url import DATABASE_FILENAME, sqlite_path  # noqa: PLC0415 - help needs no store

    data, store = _location(arguments)
    if store is not None:
        return sqlite_path(store)
    return (data or default_data_dir()) / DATABASE_FILENAME


def data_dir(arguments: argparse.Namespace) -> Path:
    """The data folder that is meant, where `database_of` is None.

    Raises:
        StoreError: there is no such kind of store.
    """
    return sqlite_path(arguments).parent


def admin_socket_path(arguments: argparse.Namespace) -> Path | None:
    """Where the settings put the local socket of the server; None where they name no place.

    Raises:
        UsageError: the settings are not allowed, or say that there is none.
        CommandError: the settings cannot be read.
    """
    if arguments.data is not None or arguments.store is not None:
        return None
    chosen: str | None = _server_settings(arguments)["admin"]
    if chosen == "off":
        raise UsageError("the server has no admin socket: its settings say admin = off")
    return None if chosen is None else Path(chosen)


def _location(arguments: argparse.Namespace) -> tuple[Path | None, str | None]:
    """Folder or store, one of them at most: of the line, else of the settings of the server."""
    data, store = arguments.data, arguments.store
    if data is not None and store is not None:
        raise UsageError("give --data or --store, not both")
    if data is None and store is None:
        chosen = _server_settings(arguments)
        data, store = chosen["data"], chosen["store"]
        if data is not None and store is not None:
            raise UsageError("the settings name both data and store; a server has one of them")
    return data, store


def _server_settings(arguments: argparse.Namespace) -> Mapping[str, Any]:
    """What holds for the server, by its file of settings and the environment."""
    no_flags = argparse.Namespace(**dict.fromkeys(SETTINGS))
    return load_settings(no_flags, arguments.config, os.environ).values
