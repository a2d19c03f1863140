"""`jasstisch check`: whether every table of a server is whole, while the server goes on."""

import asyncio
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from jasstisch.cli.arguments import Parser
from jasstisch.cli.config.store_location import add_store_arguments, postgres_url, sqlite_path
from jasstisch.cli.errors import CommandError
from jasstisch.extras import require

if TYPE_CHECKING:
    from jasstisch.cli.ui.progress import Progress
    from jasstisch.storage.integrity import CheckReport

__all__ = ["run"]

MAX_PRINTED = 50
"""So many faults and damaged tables are printed each; the others are counted."""


def run(words: list[str]) -> int:
    """Looks at everything and says what is damaged; 1 if anything is.

    Raises:
        CommandError: there is nothing that could be looked at.
        UsageError: two places are named.
        MissingExtraError: packages of a server are not installed.
    """
    arguments = parser().parse(words)
    from jasstisch.storage import StoreError  # noqa: PLC0415 - a mistake in the words needs no store

    url = postgres_url(arguments)
    try:
        return check_file(sqlite_path(arguments)) if url is None else check_postgres(url)
    except StoreError as error:
        raise CommandError(str(error)) from error


def check_file(path: Path) -> int:
    """Looks at a file and every table in it; the exit status."""
    from jasstisch.cli.ui.progress import show_progress  # noqa: PLC0415 - help shows no progress
    from jasstisch.storage.integrity import (  # noqa: PLC0415 - as above
        SqliteLogSource,
        check_logs,
        sqlite_faults,
    )

    with show_progress("Checking the file") as shown:
        found = sqlite_faults(path, shown)
    with show_progress("Checking the tables") as shown, closing(SqliteLogSource(path)) as logs:
        checked = asyncio.run(check_logs(logs, shown))
    return print_report(str(path), found, checked)


def check_postgres(url: str) -> int:
    """Looks at every table in a database; the exit status."""
    from jasstisch.cli.ui.progress import show_progress  # noqa: PLC0415 - help shows no progress
    from jasstisch.storage.store_url import redacted_url as called  # noqa: PLC0415 - as above

    with show_progress("Checking the tables") as shown:
        checked = asyncio.run(run_integrity_check(url, shown))
    return print_report(called(url), [], checked)


async def run_integrity_check(url: str, shown: "Progress") -> "CheckReport":
    """What comes of looking at every table of a database, which is only read."""
    require("cluster", "a store in Postgres")
    from jasstisch.storage.integrity import check_logs  # noqa: PLC0415 - as above
    from jasstisch.storage.postgres.event_store import PostgresStore  # noqa: PLC0415 - it needs the extra

    store = PostgresStore(url, only_read=True)
    try:
        await store.count()  # where nothing can be read there is nothing to report
        return await check_logs(store, shown)
    finally:
        await store.close()


def print_report(where: str, found: list[str], checked: "CheckReport") -> int:
    """Prints what was found; the exit status."""
    bad = len(checked.damaged)
    print(f"{where}: {checked.tables} tables, {checked.events} events in the undamaged ones")
    print_limited([f"table {prefix}…: {wrong}" for prefix, wrong in checked.damaged])
    if checked.unlisted is not None:
        print(f"not all tables could be listed: {checked.unlisted}")
    print_limited([f"in the file: {fault}" for fault in found])
    if bad or found or checked.unlisted is not None:
        tables = f"{bad} {'table is' if bad == 1 else 'tables are'} damaged"
        print(f"{tables}; the others are not affected. What to do: docs/hosting.md, Check")
        return 1
    print("Nothing is damaged.")
    return 0


def print_limited(lines: list[str]) -> None:
    """Prints lines, not too many."""
    for line in lines[:MAX_PRINTED]:
        print(line)
    if len(lines) > MAX_PRINTED:
        print(f"and {len(lines) - MAX_PRINTED} more")


def parser() -> Parser:
    """The words the command takes."""
    result = Parser(
        "jasstisch check", "Check the integrity of a server's data, while the server runs."
    )
    add_store_arguments(result)
    return result
