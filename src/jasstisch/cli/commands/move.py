"""`jasstisch move`: migrates a server's tables and identities to another store."""

import asyncio

from jasstisch.cli.arguments import Parser
from jasstisch.cli.errors import CommandError
from jasstisch.cli.ui.terminal import Terminal


def run(argv: list[str]) -> int:
    """Copies the contents of a store into an empty one.

    Raises:
        CommandError: a server uses one of the stores, the destination is not empty, or one of them
            fails; then the destination is empty again.
        MissingExtraError: packages of the server are not installed.
    """
    arguments = parser().parse(argv)
    from jasstisch.cli.ui.progress import show_progress  # noqa: PLC0415 - help shows no progress
    from jasstisch.storage import StoreError  # noqa: PLC0415 - a usage error needs no store
    from jasstisch.storage.migration import migrate  # noqa: PLC0415 - the same

    try:
        with show_progress("Opening the stores") as shown:
            moved = asyncio.run(migrate(arguments.source, arguments.target, shown.update_count))
    except StoreError as error:
        raise CommandError(str(error)) from error
    Terminal().write(
        f"Moved {moved.table_count} tables with {moved.event_count} events, and "
        f"{moved.credential_count} devices and codes of people. Both stores are alike:",
        f"SHA-256 {moved.digest}",
    )
    return 0


def parser() -> Parser:
    """Returns the parser of the command."""
    result = Parser(
        "jasstisch move",
        "Migrate a server's tables and identities to another, empty store.\n\n"
        "A store is a folder or sqlite:PATH, or postgresql://USER:PASSWORD@HOST:PORT/DATABASE.\n"
        "The first one stays as it is. Stop the server before.",
    )
    result.add_argument("source", metavar="FROM", help="the source store")
    result.add_argument("target", metavar="TO", help="the destination store, which must be empty")
    return result
