"""Arguments of the operator's commands that locate the data of a server."""

import argparse
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jasstisch.cli.arguments import Parser
from jasstisch.cli.config.loader import CONFIG_VARIABLE, load_settings
from jasstisch.cli.config.settings import SETTINGS
from jasstisch.cli.errors import UsageError


def add_store_arguments(parser: Parser) -> None:
    """Adds the arguments that locate the data of a server."""
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
    """Returns the URL of the Postgres database; None if the data is in a file.

    Raises:
        UsageError: both a data folder and a store are given, or a setting is not allowed.
        CommandError: the settings file cannot be read.
    """
    from jasstisch.storage.store_url import is_postgres  # noqa: PLC0415 - help needs no store

    _, chosen = _location(arguments)
    return chosen if chosen is not None and is_postgres(chosen) else None


def sqlite_path(arguments: argparse.Namespace) -> Path:
    """Returns the path of the database file, where `postgres_url` is None.

    Raises:
        StoreError: the kind of store is unknown.
    """
    from jasstisch.server.data_location import default_data_dir  # noqa: PLC0415 - help needs no server
    from jasstisch.storage.store_url import DATABASE_FILENAME, sqlite_path  # noqa: PLC0415 - help needs no store

    data, store = _location(arguments)
    if store is not None:
        return sqlite_path(store)
    return (data or default_data_dir()) / DATABASE_FILENAME


def data_dir(arguments: argparse.Namespace) -> Path:
    """Returns the data folder, where `postgres_url` is None.

    Raises:
        StoreError: the kind of store is unknown.
    """
    return sqlite_path(arguments).parent


def forgotten_folder(arguments: argparse.Namespace) -> Path | None:
    """Returns the folder of the list of the forgotten; None for Postgres without the setting.

    Raises:
        StoreError: the kind of store is unknown.
        UsageError: a setting is not allowed.
        CommandError: the settings file cannot be read.
    """
    from jasstisch.storage.store_url import FORGOTTEN_FOLDER  # noqa: PLC0415 - help needs no store

    chosen: Path | None = _server_settings(arguments)["forgotten"]
    if chosen is None and postgres_url(arguments) is None:
        return data_dir(arguments) / FORGOTTEN_FOLDER
    return chosen


def admin_socket_path(arguments: argparse.Namespace) -> Path | None:
    """Returns the path of the admin socket in the settings; None if they name none.

    Raises:
        UsageError: a setting is not allowed, or the socket is turned off.
        CommandError: the settings file cannot be read.
    """
    if arguments.data is not None or arguments.store is not None:
        return None
    chosen: str | None = _server_settings(arguments)["admin"]
    if chosen == "off":
        raise UsageError("the server has no admin socket: its settings say admin = off")
    return None if chosen is None else Path(chosen)


def _location(arguments: argparse.Namespace) -> tuple[Path | None, str | None]:
    """Returns the data folder and the store, of which at most one is set.

    The flags override the settings of the server.
    """
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
    """Returns the server's effective settings from its settings file and the environment."""
    no_flags = argparse.Namespace(**dict.fromkeys(SETTINGS))
    return load_settings(no_flags, arguments.config, os.environ).values
