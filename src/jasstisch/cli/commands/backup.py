"""`jasstisch backup`: a backup of all tables and people in one file, while the server runs."""

import argparse
import asyncio
from pathlib import Path

from jasstisch.cli.arguments import Parser
from jasstisch.cli.config.store_location import add_store_arguments, postgres_url, sqlite_path
from jasstisch.cli.errors import CommandError


def run(argv: list[str]) -> int:
    """Writes the backup and prints its size and contents.

    Raises:
        CommandError: the backup failed; nothing has changed.
        UsageError: both a data folder and a store are given.
        MissingExtraError: packages of the server are not installed.
    """
    arguments = parser().parse(argv)
    from jasstisch.cli.ui.progress import show_progress  # noqa: PLC0415 - help shows no progress
    from jasstisch.storage import StoreError  # noqa: PLC0415 - a usage error needs no store
    from jasstisch.storage.postgres_backup import backup_database  # noqa: PLC0415 - the same
    from jasstisch.storage.sqlite.backup import backup_file  # noqa: PLC0415 - the same

    url = postgres_url(arguments)
    try:
        with show_progress("Copying the tables") as shown:
            if url is None:
                source = _existing_database(arguments)
                done = backup_file(source, arguments.file, shown, force=arguments.force)
            else:
                saving = backup_database(
                    url, arguments.file, shown.update_count, force=arguments.force
                )
                done = asyncio.run(saving)
    except StoreError as error:
        raise CommandError(str(error)) from error
    size = f"{done.size / 2**20:.1f} MiB"
    print(
        f"{arguments.file}: {done.table_count} tables, {done.event_count} events, {size}, checked"
    )
    return 0


def _existing_database(arguments: argparse.Namespace) -> Path:
    """Returns the path of the database file, which must exist."""
    source = sqlite_path(arguments)
    if not source.is_file():
        raise CommandError(f"there are no tables to back up: {source} is missing")
    return source


def parser() -> Parser:
    """Returns the parser of the command."""
    result = Parser(
        "jasstisch backup",
        "Back up all tables and people into one file, while the server runs.",
        epilog="The file holds hidden cards: it is made for its owner alone. "
        "Copying tables.sqlite3 itself would lose what was played last.",
    )
    result.add_argument("file", metavar="FILE", type=Path, help="the file to write")
    result.add_argument(
        "--force", action="store_true", help="replace a file that is there, once this is complete"
    )
    add_store_arguments(result)
    return result
