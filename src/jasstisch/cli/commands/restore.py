"""`jasstisch restore`: restores a backup as the data of a server."""

import argparse
import asyncio
from pathlib import Path

from jasstisch.cli.arguments import Parser
from jasstisch.cli.config.store_location import add_store_arguments, postgres_url, sqlite_path
from jasstisch.cli.errors import CommandError, UsageError


def run(argv: list[str]) -> int:
    """Restores a backup and prints its contents, and where the previous data went.

    Raises:
        CommandError: the restore failed; nothing has changed.
        UsageError: both a data folder and a store are given, or `--force` with Postgres.
        MissingExtraError: packages of the server are not installed.
    """
    arguments = parser().parse(argv)
    from jasstisch.cli.ui.progress import show_progress  # noqa: PLC0415 - help shows no progress
    from jasstisch.storage import LockedError, StoreError  # noqa: PLC0415 - help needs no store
    from jasstisch.storage.sqlite.backup import restore_file  # noqa: PLC0415 - the same

    url = postgres_url(arguments)
    if url is not None:
        return _restore_database(url, arguments)
    try:
        target = sqlite_path(arguments)
        with show_progress("Restoring the tables") as shown:
            done = restore_file(arguments.file, target, shown, force=arguments.force)
    except LockedError as error:
        raise CommandError(f"{error}; stop it before you restore") from error
    except StoreError as error:
        raise CommandError(str(error)) from error
    contents = done.restored_contents
    print(f"{target}: {contents.table_count} tables, {contents.event_count} events, checked")
    for aside in done.previous_files:
        print(f"the previous data is now in {aside}")
    return 0


def _restore_database(url: str, arguments: argparse.Namespace) -> int:
    """Restores a backup into a Postgres database, which must be empty.

    Raises:
        CommandError: the restore failed; nothing has changed.
        UsageError: `--force` was given, which Postgres does not support.
    """
    from jasstisch.cli.ui.progress import show_progress  # noqa: PLC0415 - as above
    from jasstisch.storage import StoreError  # noqa: PLC0415 - the same
    from jasstisch.storage.postgres_backup import restore_database  # noqa: PLC0415 - the same
    from jasstisch.storage.store_url import redacted_url as called  # noqa: PLC0415 - the same

    if arguments.force:
        raise UsageError("--force moves nothing aside in Postgres: name an empty database")
    try:
        with show_progress("Restoring the tables") as shown:
            done = asyncio.run(restore_database(arguments.file, url, shown.update_count))
        print(f"{called(url)}: {done.table_count} tables, {done.event_count} events, checked")
    except StoreError as error:
        raise CommandError(str(error)) from error
    return 0


def parser() -> Parser:
    """Returns the parser of the command."""
    result = Parser("jasstisch restore", "Restore a backup as the data of a server.")
    result.add_argument("file", metavar="FILE", type=Path, help="a file made by jasstisch backup")
    result.add_argument(
        "--force", action="store_true", help="move existing tables aside; nothing is deleted"
    )
    add_store_arguments(result)
    return result
