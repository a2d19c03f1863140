"""The command line `jasstisch`: games in the terminal, rule sheets, records and the server.

This module dispatches to a command and turns its errors into exit statuses. A command is a module
with `run(argv)`, imported only when it is called, so that `jasstisch --help` answers at once.
"""

import errno
import os
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress

import jasstisch
from jasstisch.cli import commands
from jasstisch.cli.arguments import Parser
from jasstisch.cli.errors import EXIT_INTERRUPTED, CommandError, UsageError
from jasstisch.cli.signals import exit_status
from jasstisch.cli.ui.encoding import configure_stdio, printable_line
from jasstisch.engine.errors import did_you_mean, shorten
from jasstisch.extras import MissingExtraError
from jasstisch.games.rules import REGISTRY

__all__ = ["main"]

COMMANDS = {
    "play": "play a match in this terminal against bots",
    "rules": "print the rule sheet of a game with its options",
    "replay": "check a recorded match and step through it",
    "import": "turn game logs of jass-kit into records",
    "export": "export the decisions of recorded matches as a table",
    "verify": "verify that the deals of a recorded match are fair",
    "serve": "run the table server with its web client",
    "backup": "back up all tables of a server into one file, while it runs",
    "restore": "restore a backup",
    "check": "check the integrity of a server's data, while it runs",
    "move": "migrate a server's data to another store",
    "admin": "administer a running server: list or close tables, ban people",
    "join": "play at a table of a running server",
    "bot": "seat a bot at a table of a running server",
    "arena": "let bots play against each other and compare them",
    "ladder": "rate all bots by the arena results in a folder",
    "prepare": "compile the bots that search and the batches ahead",
    "bench": "measure the speed of the engine on this machine",
    "completion": "print a completion script for your shell",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line.

    Args:
        argv: the command-line arguments after the program's name; `sys.argv[1:]` when left out.

    Returns:
        The exit status: 0 success, 1 failure, 2 wrong usage, 130 Ctrl-C, and 128 plus the signal
        number after another termination signal.
    """
    configure_stdio(sys.stdin, sys.stdout, sys.stderr)
    try:
        status = run_reporting_errors(list(sys.argv[1:] if argv is None else argv))
        interrupted = argv is None and status >= EXIT_INTERRUPTED
        if interrupted:
            # The process ends: a second Ctrl-C must not replace the exit status by the signal.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        sys.stdout.flush()
        if interrupted and any(thread.daemon for thread in threading.enumerate()):
            # An interrupted warm-up still compiles, and would crash while the interpreter ends.
            sys.stderr.flush()
            os._exit(status)
    except OSError as error:
        if not isinstance(error, BrokenPipeError) and error.errno != errno.EIO:
            raise
        # The reader of the pipe (such as `head`) or the terminal has gone: nobody sees an error.
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - stays open
        status = 1
    return status


def run_reporting_errors(argv: list[str]) -> int:
    """Runs a command, prints an error as one line and returns the exit status."""
    try:
        return dispatch(argv)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    except CommandError as error:
        print(f"jasstisch: {printable_line(str(error))}", file=sys.stderr)
        return error.status
    except MissingExtraError as error:
        print(f"jasstisch: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt as error:
        status = exit_status(error)
        with suppress(KeyboardInterrupt):  # pressed again
            print(file=sys.stderr)
        return status


def dispatch(argv: list[str]) -> int:
    """Runs the command that the first argument names, with the remaining arguments."""
    known = ", ".join(COMMANDS)
    if not argv:
        raise UsageError(f"name a command: {known}; see jasstisch --help")
    if argv[0] in COMMANDS:
        for fault in REGISTRY.load_entry_points().values():
            print(f"jasstisch: {printable_line(fault)}", file=sys.stderr)
        status: int = commands.load(argv[0]).run(argv[1:])
        return status
    if argv[0].startswith("-"):
        root_parser().parse(argv)
    near = did_you_mean(argv[0], COMMANDS)
    raise UsageError(f"unknown command {shorten(argv[0])!r}; the commands are {known}{near}")


def root_parser() -> Parser:
    """Returns the parser of a command line without a command: help and version."""
    listed = "\n".join(f"  {name:<8}  {purpose}" for name, purpose in COMMANDS.items())
    parser = Parser(
        "jasstisch",
        f"An open table for Jass card games.\n\ncommands:\n{listed}",
        usage="jasstisch [--help] [--version] COMMAND ...",
        epilog="Help for a command: jasstisch COMMAND --help",
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"jasstisch {jasstisch.__version__}",
        help="print the version and exit",
    )
    return parser
