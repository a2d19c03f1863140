"""`jasstisch restore`: restores a backup as the data of a server."""

import argparse
import asyncio
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from jasstisch.cli.arguments import Parser
from jasstisch.cli.config.store_location import (
    add_store_arguments,
    forgotten_folder,
    postgres_url,
    sqlite_path,
)
from jasstisch.cli.errors import CommandError, UsageError

if TYPE_CHECKING:
    from jasstisch.storage.forget_again import ForgottenAgain


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
    from jasstisch.storage.forgotten_list import read_forgotten  # noqa: PLC0415 - the same
    from jasstisch.storage.sqlite.backup import restore_file  # noqa: PLC0415 - the same

    url = postgres_url(arguments)
    if url is not None:
        return _restore_database(url, arguments)
    try:
        target = sqlite_path(arguments)
        folder = arguments.forgotten or forgotten_folder(arguments)
        listed = None if folder is None else read_forgotten(folder)
        with show_progress("Restoring the tables") as shown:
            done = restore_file(arguments.file, target, shown, force=arguments.force, listed=listed)
    except LockedError as error:
        raise CommandError(f"{error}; stop it before you restore") from error
    except StoreError as error:
        raise CommandError(str(error)) from error
    contents = done.restored_contents
    print(f"{target}: {contents.table_count} tables, {contents.event_count} events, checked")
    for aside in done.previous_files:
        print(f"the previous data is now in {aside}")
    _print_forgotten_again(folder, done.forgotten_again)
    return 0


def _restore_database(url: str, arguments: argparse.Namespace) -> int:
    """Restores a backup into a Postgres database, which must be empty.

    Raises:
        CommandError: the restore failed; nothing has changed.
        UsageError: `--force` was given, which Postgres does not support.
    """
    from jasstisch.cli.ui.progress import show_progress  # noqa: PLC0415 - as above
    from jasstisch.storage import StoreError  # noqa: PLC0415 - the same
    from jasstisch.storage.forgotten_list import read_forgotten  # noqa: PLC0415 - the same
    from jasstisch.storage.postgres_backup import restore_database  # noqa: PLC0415 - the same
    from jasstisch.storage.store_url import redacted_url as called  # noqa: PLC0415 - the same

    if arguments.force:
        raise UsageError("--force moves nothing aside in Postgres: name an empty database")
    try:
        folder = arguments.forgotten or forgotten_folder(arguments)
        listed = None if folder is None else read_forgotten(folder)
        with show_progress("Restoring the tables") as shown:
            restoring = restore_database(arguments.file, url, shown.update_count, listed)
            done, again = asyncio.run(restoring)
        print(f"{called(url)}: {done.table_count} tables, {done.event_count} events, checked")
    except StoreError as error:
        raise CommandError(str(error)) from error
    _print_forgotten_again(folder, again)
    return 0


def _print_forgotten_again(folder: Path | None, again: "ForgottenAgain | None") -> None:
    """Prints what was forgotten again, and what could not be because the list lacks it."""
    back = "is back: forget and ban them again"
    if again is None:
        where = "there is no list of the forgotten" + ("" if folder is None else f" in {folder}")
        _warn(f"{where}: whoever was forgotten or banned since the backup was made {back}")
        return
    print(
        f"forgotten again, by the list in {folder}: {again.person_count} people, "
        f"{again.credential_count} devices and codes, {again.ban_count} changes of bans, "
        f"{again.link_count} revoked links"
    )
    if again.begins > again.last_event_at:
        _warn(
            f"the list begins {_format_time(again.begins)}, after the last event of the backup, "
            f"{_format_time(again.last_event_at)}: whoever was forgotten or banned in between "
            f"{back}"
        )
    for place in again.damage:
        _warn(f"{place} is damaged: what it listed {back}")


def _warn(text: str) -> None:
    print(f"jasstisch: {text}", file=sys.stderr)


def _format_time(at: float) -> str:
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M} UTC"


def parser() -> Parser:
    """Returns the parser of the command."""
    result = Parser("jasstisch restore", "Restore a backup as the data of a server.")
    result.add_argument("file", metavar="FILE", type=Path, help="a file made by jasstisch backup")
    result.add_argument(
        "--force", action="store_true", help="move existing tables aside; nothing is deleted"
    )
    result.add_argument(
        "--forgotten",
        metavar="DIR",
        type=Path,
        help="list of who was forgotten since, to be applied (default: that of the settings, else "
        "forgotten in the data folder)",
    )
    add_store_arguments(result)
    return result
