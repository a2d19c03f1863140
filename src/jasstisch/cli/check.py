"""`jasstisch check`: whether every table of a server is whole, while the server goes on."""

import asyncio
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from jasstisch.cli.arguments import Parser
from jasstisch.cli.exits import CommandError
from jasstisch.cli.places import add_place, database_of, tables_of
from jasstisch.extras import require

if TYPE_CHECKING:
    from jasstisch.cli.progress import Progress
    from jasstisch.store.checking import Checked

__all__ = ["run"]

MOST_TOLD = 50
"""So many faults and damaged tables are printed each; the others are counted."""


def run(words: list[str]) -> int:
    """Looks at everything and says what is damaged; 1 if anything is.

    Raises:
        CommandError: there is nothing that could be looked at.
        UsageError: two places are named.
        MissingExtraError: packages of a server are not installed.
    """
    arguments = parser().read(words)
    from jasstisch.store import StoreError  # noqa: PLC0415 - a mistake in the words needs no store

    url = database_of(arguments)
    try:
        return in_file(tables_of(arguments)) if url is None else in_database(url)
    except StoreError as error:
        raise CommandError(str(error)) from error


def in_file(path: Path) -> int:
    """Looks at a file and every table in it; the exit status."""
    from jasstisch.cli.progress import progress  # noqa: PLC0415 - help shows no progress
    from jasstisch.store.checking import (  # noqa: PLC0415 - as above
        SqliteLogs,
        check,
        faults,
    )

    with progress("Checking the file") as shown:
        found = faults(path, shown)
    with progress("Checking the tables") as shown, closing(SqliteLogs(path)) as logs:
        checked = asyncio.run(check(logs, shown))
    return report(str(path), found, checked)


def in_database(url: str) -> int:
    """Looks at every table in a database; the exit status."""
    from jasstisch.cli.progress import progress  # noqa: PLC0415 - help shows no progress
    from jasstisch.store.opening import shown as called  # noqa: PLC0415 - as above

    with progress("Checking the tables") as shown:
        checked = asyncio.run(looked_into(url, shown))
    return report(called(url), [], checked)


async def looked_into(url: str, shown: "Progress") -> "Checked":
    """What comes of looking at every table of a database, which is only read."""
    require("cluster", "a store in Postgres")
    from jasstisch.store.checking import check  # noqa: PLC0415 - as above
    from jasstisch.store.postgres import PostgresStore  # noqa: PLC0415 - it needs the extra

    store = PostgresStore(url, only_read=True)
    try:
        await store.count()  # where nothing can be read there is nothing to report
        return await check(store, shown)
    finally:
        await store.close()


def report(where: str, found: list[str], checked: "Checked") -> int:
    """Prints what was found; the exit status."""
    bad = len(checked.damaged)
    print(f"{where}: {checked.tables} tables, {checked.events} events in those that are sound")
    told([f"table {prefix}…: {wrong}" for prefix, wrong in checked.damaged])
    if checked.unlisted is not None:
        print(f"not all tables could be listed: {checked.unlisted}")
    told([f"in the file: {fault}" for fault in found])
    if bad or found or checked.unlisted is not None:
        tables = f"{bad} {'table is' if bad == 1 else 'tables are'} damaged"
        print(f"{tables}; the others go on. What to do: docs/hosting.md, Check")
        return 1
    print("Nothing is damaged.")
    return 0


def told(lines: list[str]) -> None:
    """Prints lines, not too many."""
    for line in lines[:MOST_TOLD]:
        print(line)
    if len(lines) > MOST_TOLD:
        print(f"and {len(lines) - MOST_TOLD} more")


def parser() -> Parser:
    """The words the command takes."""
    result = Parser(
        "jasstisch check", "Check that every table of a server is whole, while the server goes on."
    )
    add_place(result)
    return result
