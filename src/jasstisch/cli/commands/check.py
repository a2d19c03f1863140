"""`jasstisch check`: an integrity check of the data of a server, while the server runs."""

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

_MAX_PRINTED = 50
"""The most damaged tables, and the most file faults, to print; the rest is counted."""


def run(argv: list[str]) -> int:
    """Checks all data and prints what is damaged; returns 1 if anything is.

    Raises:
        CommandError: there is no data to check.
        UsageError: both a data folder and a store are given.
        MissingExtraError: packages of the server are not installed.
    """
    arguments = parser().parse(argv)
    from jasstisch.storage import StoreError  # noqa: PLC0415 - a usage error needs no store

    url = postgres_url(arguments)
    try:
        return _check_file(sqlite_path(arguments)) if url is None else _check_postgres(url)
    except StoreError as error:
        raise CommandError(str(error)) from error


def _check_file(path: Path) -> int:
    """Checks a database file and every table in it; returns the exit status."""
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
    return _print_report(str(path), found, checked)


def _check_postgres(url: str) -> int:
    """Checks every table in a Postgres database; returns the exit status."""
    from jasstisch.cli.ui.progress import show_progress  # noqa: PLC0415 - help shows no progress
    from jasstisch.storage.store_url import redacted_url as called  # noqa: PLC0415 - as above

    with show_progress("Checking the tables") as shown:
        checked = asyncio.run(_run_integrity_check(url, shown))
    return _print_report(called(url), [], checked)


async def _run_integrity_check(url: str, shown: "Progress") -> "CheckReport":
    """Checks every table of a Postgres database, read-only."""
    require("cluster", "a store in Postgres")
    from jasstisch.storage.integrity import check_logs  # noqa: PLC0415 - as above
    from jasstisch.storage.postgres.event_store import PostgresStore  # noqa: PLC0415 - it needs the extra

    store = PostgresStore(url, only_read=True)
    try:
        await store.count_tables()  # fails early if the database cannot be read at all
        return await check_logs(store, shown)
    finally:
        await store.close()


def _print_report(where: str, found: list[str], checked: "CheckReport") -> int:
    """Prints the findings and returns the exit status."""
    bad = len(checked.damaged_tables)
    print(
        f"{where}: {checked.table_count} tables, {checked.event_count} events in the undamaged ones"
    )
    _print_limited([f"table {prefix}…: {wrong}" for prefix, wrong in checked.damaged_tables])
    if checked.listing_error is not None:
        print(f"not all tables could be listed: {checked.listing_error}")
    _print_limited([f"in the file: {fault}" for fault in found])
    if bad or found or checked.listing_error is not None:
        tables = f"{bad} {'table is' if bad == 1 else 'tables are'} damaged"
        print(f"{tables}; the others are not affected. What to do: docs/hosting.md, Check")
        return 1
    print("Nothing is damaged.")
    return 0


def _print_limited(lines: list[str]) -> None:
    """Prints lines up to a limit, then the number of the rest."""
    for line in lines[:_MAX_PRINTED]:
        print(line)
    if len(lines) > _MAX_PRINTED:
        print(f"and {len(lines) - _MAX_PRINTED} more")


def parser() -> Parser:
    """Returns the parser of the command."""
    result = Parser(
        "jasstisch check", "Check the integrity of a server's data, while the server runs."
    )
    add_store_arguments(result)
    return result
