"""`jasstisch restore`: puts a backup where a server keeps its tables."""

import argparse
import asyncio
from pathlib import Path

from jasstisch.cli.arguments import Parser
from jasstisch.cli.config.store_location import add_store_arguments, postgres_url, sqlite_path
from jasstisch.cli.errors import CommandError, UsageError

__all__ = ["run"]


def run(words: list[str]) -> int:
    """Puts it there and says what it holds, and what has become of what was there.

    Raises:
        CommandError: it cannot be done; nothing has changed.
        UsageError: two places are named, or one where nothing is moved aside.
        MissingExtraError: packages of a server are not installed.
    """
    arguments = parser().parse(words)
    from jasstisch.cli.ui.progress import show_progress  # noqa: PLC0415 - help shows no progress
    from jasstisch.storage import LockedError, StoreError  # noqa: PLC0415 - it needs no store either
    from jasstisch.storage.sqlite.backup import restore_file  # noqa: PLC0415 - the same

    url = postgres_url(arguments)
    if url is not None:
        return restore_database(url, arguments)
    try:
        target = sqlite_path(arguments)
        with show_progress("Restoring the tables") as shown:
            done = restore_file(arguments.file, target, shown, force=arguments.force)
    except LockedError as error:
        raise CommandError(f"{error}; stop it before you restore") from error
    except StoreError as error:
        raise CommandError(str(error)) from error
    print(f"{target}: {done.copied.tables} tables, {done.copied.events} events, checked")
    for aside in done.aside:
        print(f"the previous data is now in {aside}")
    return 0


def restore_database(url: str, arguments: argparse.Namespace) -> int:
    """Puts it into a database, which must be empty.

    Raises:
        CommandError: it cannot be done; nothing has changed.
        UsageError: what is there was to be moved aside.
    """
    from jasstisch.cli.ui.progress import show_progress  # noqa: PLC0415 - as above
    from jasstisch.storage import StoreError  # noqa: PLC0415 - the same
    from jasstisch.storage.postgres_backup import restore_database  # noqa: PLC0415 - the same
    from jasstisch.storage.store_url import redacted_url as called  # noqa: PLC0415 - the same

    if arguments.force:
        raise UsageError("--force moves nothing aside in Postgres: name an empty database")
    try:
        with show_progress("Restoring the tables") as shown:
            done = asyncio.run(restore_database(arguments.file, url, shown.count))
        print(f"{called(url)}: {done.tables} tables, {done.events} events, checked")
    except StoreError as error:
        raise CommandError(str(error)) from error
    return 0


def parser() -> Parser:
    """The words the command takes."""
    result = Parser("jasstisch restore", "Restore a backup as the data of a server.")
    result.add_argument("file", metavar="FILE", type=Path, help="a file made by jasstisch backup")
    result.add_argument(
        "--force", action="store_true", help="move existing tables aside; nothing is deleted"
    )
    add_store_arguments(result)
    return result
