"""`jasstisch arena`: bots against each other on the same deals, in every seating.

While it runs, a terminal shows the progress and the means so far. Ctrl-C ends it with a report on
the deals played so far and the exit status of an interrupted command; with `--keep`, another run
continues from there.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

import jasstisch as jt
from jasstisch.arena import (
    BoardResult,
    BotError,
    ContestRun,
    contest,
    open_checkpoint,
    process_pool,
    strength_plot,
)
from jasstisch.arena.reports import ArenaReport
from jasstisch.arena.runner import MIN_DEALS
from jasstisch.bots import BUILT_IN
from jasstisch.cli.arguments import Parser, int_range, make_game, parse_house_rule
from jasstisch.cli.errors import CommandError, UsageError
from jasstisch.cli.game.bot_warmup import warm_up
from jasstisch.cli.signals import exit_status, raise_on_termination_signal
from jasstisch.cli.ui.arena_report import progress_line, report_lines
from jasstisch.cli.ui.terminal import Terminal, stderr_console
from jasstisch.engine.errors import GameError, count_seats_from_one

_MAX_DEALS = 1_000_000
"""The most deals: all are queued at once, and their results stay in memory."""

_MAX_WORKERS = 256
_REPORT_INTERVAL_S = 0.5
"""Seconds between two updates of the means so far."""

_WORKER_DIED_MESSAGE = (
    "a process that played has ended: by one of the bots, or from outside, perhaps for want of "
    "memory; fewer --workers need less, and with --keep FILE the deals played are not lost"
)


def run(argv: list[str]) -> int:
    """Runs the contest and prints the report.

    Raises:
        CommandError: a bot failed, or the plot cannot be drawn.
        KeyboardInterrupt: Ctrl-C or a termination signal came before there was anything to report.
        UsageError: the arguments make no contest.
    """
    arguments = parser().parse(argv)
    session = _build_contest_run(arguments)
    if arguments.plot:
        _check_plot_path(arguments.plot)
    interruption = _play(session, arguments.workers, arguments.keep)
    if interruption is not None and len(session.boards) < MIN_DEALS:
        raise interruption
    report = session.report()
    if arguments.json:
        json.dump(report, sys.stdout, indent=2)
        print()
    else:
        Terminal().write(*report_lines(report))
    if arguments.plot:
        _draw_plot(report, arguments.plot)
    if interruption is None:
        return 0
    print(f"\nStopped after {len(session.boards)} of {session.deal_count} deals.", file=sys.stderr)
    return exit_status(interruption)


def parser() -> Parser:
    """Returns the parser of the command."""
    result = Parser(
        "jasstisch arena",
        "Let bots play against each other: each deal in every different seating, with\n"
        "the same packs and the same dealer. As many bots as seats are a table; any other number\n"
        "from two on plays a round robin; with --against each takes the same chair in turn.",
        usage="jasstisch arena GAME BOT [BOT ...] [options]",
        epilog="For instance: jasstisch arena differenzler greedy --against random --deals 1000",
    )
    result.add_argument("game", metavar="GAME", help=f"one of {', '.join(jt.games())}")
    result.add_argument(
        "bots",
        metavar="BOT",
        nargs="+",
        help="a bot: a name, file.py:Class or exec:COMMAND",
    )
    result.add_argument(
        "--deals",
        metavar="N",
        type=int_range(MIN_DEALS, _MAX_DEALS),
        default=500,
        help="number of deals (default 500)",
    )
    result.add_argument(
        "--seed", metavar="S", type=int_range(0), default=1, help="random seed (default 1)"
    )
    result.add_argument(
        "--against", metavar="BOT", help="bot on all other chairs, which is also the baseline"
    )
    result.add_argument(
        "--baseline",
        metavar="BOT",
        help="whom the bots are compared with, in the same chair on the same deals; without\n"
        "--against the first bot is compared, and the other bots are its company",
    )
    result.add_argument(
        "--round-robin", action="store_true", help="each bot alone against copies of each other bot"
    )
    result.add_argument(
        "--matches", action="store_true", help="play whole matches that begin with the deals"
    )
    result.add_argument(
        "--option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="a house rule, such as players=3; may be repeated",
    )
    result.add_argument(
        "--workers",
        metavar="N",
        type=int_range(1, _MAX_WORKERS),
        default=1,
        help="worker processes (default 1)",
    )
    result.add_argument(
        "--no-clock",
        action="store_true",
        help="let players finish every search, however long it takes: equal seeds then give equal\n"
        "results on any machine and with any number of workers",
    )
    result.add_argument("--json", action="store_true", help="print one JSON object")
    result.add_argument(
        "--keep",
        metavar="FILE",
        type=Path,
        help="keep what each deal yields in a file, and go on from what it holds already",
    )
    result.add_argument(
        "--plot",
        metavar="FILE",
        type=Path,
        help="draw strength against time for a move into a .png or .svg file; needs the extra plot",
    )
    return result


def _build_contest_run(arguments: argparse.Namespace) -> ContestRun:
    """Builds the contest that the arguments describe.

    Raises:
        UsageError: an unknown game, option or bot, or bots that make no contest.
    """
    try:
        chosen = dict(parse_house_rule(arguments.game, text) for text in arguments.option)
        who = contest(
            make_game(arguments.game, chosen),
            arguments.bots,
            against=arguments.against,
            baseline=arguments.baseline,
            round_robin=arguments.round_robin,
        )
        return ContestRun(
            who,
            arguments.deals,
            arguments.seed,
            arguments.matches,
            uses_clock=not arguments.no_clock,
        )
    except GameError as error:
        raise UsageError(str(error)) from error


def _check_plot_path(path: Path) -> None:
    """Checks before the first deal that the plot can be drawn.

    Raises:
        UsageError: the file has another format.
        MissingExtraError: the plotting package is not installed.
    """
    try:
        strength_plot.check_drawable(path)
    except GameError as error:
        raise UsageError(str(error)) from error


def _draw_plot(report: ArenaReport, path: Path) -> None:
    """Draws the plot.

    Raises:
        CommandError: the file cannot be written.
    """
    try:
        strength_plot.draw_plot(report, path)
    except OSError as error:
        raise CommandError(f"cannot write {path}: {_error_text(error)}") from error


def _play(session: ContestRun, workers: int, keep: Path | None) -> KeyboardInterrupt | None:
    """Runs the contest to its end; returns what interrupted it, if anything did.

    Raises:
        CommandError: a bot failed, or the results cannot be saved.
    """
    try:
        with _attach_checkpoint(session, keep) as note:
            _warm_up_bots(session)
            with (
                raise_on_termination_signal(),
                process_pool(workers, separate=_has_foreign_bots(session)) as executor,
                _show_progress(session) as advance,
                closing(session.play(executor)) as played,
            ):
                for boards in played:
                    note(boards)
                    advance()
    except (BotError, GameError) as error:
        raise CommandError(count_seats_from_one(str(error))) from error
    except BrokenExecutor as error:
        raise CommandError(_WORKER_DIED_MESSAGE) from error
    except KeyboardInterrupt as interruption:
        return interruption
    return None


def _has_foreign_bots(session: ContestRun) -> bool:
    """Returns whether a bot does not come with Jasstisch: its code may end its process."""
    return not BUILT_IN.keys() >= {*session.task.names}


def _warm_up_bots(session: ContestRun) -> None:
    """Warms up all bots in this process, once for all workers.

    Raises:
        CommandError: a bot failed.
    """
    who = session.task
    warm_up([who.bot(name) for name in who.names], who.game.name, stderr_console())


@contextmanager
def _attach_checkpoint(
    session: ContestRun, path: Path | None
) -> Iterator[Callable[[Sequence[BoardResult]], None]]:
    """Loads the checkpoint file, if one is given, and yields the function that appends boards.

    Raises:
        CommandError: the file cannot be used.
    """
    if path is None:
        yield lambda _: None
        return
    with ExitStack() as stack:
        with _checkpoint_errors(path):
            found = stack.enter_context(open_checkpoint(session, path))

        def note(boards: Sequence[BoardResult]) -> None:
            with _checkpoint_errors(path):
                found.add(boards)

        yield note


@contextmanager
def _checkpoint_errors(path: Path) -> Iterator[None]:
    """Converts errors of a checkpoint file into command errors.

    Raises:
        CommandError: the file cannot be used.
    """
    try:
        yield
    except GameError as error:
        raise CommandError(str(error)) from error
    except OSError as error:
        raise CommandError(f"cannot keep boards in {path}: {_error_text(error)}") from error


def _error_text(error: OSError) -> str:
    """Returns the reason of a file error in a few words."""
    return (error.strerror or str(error)).lower()


@contextmanager
def _show_progress(session: ContestRun) -> Iterator[Callable[[], None]]:
    """Shows the progress and the means so far on a terminal.

    Yields the function to call after each change.
    """
    console = stderr_console()
    if not console.is_terminal:
        yield lambda: None
        return
    columns = (
        BarColumn(20),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}", markup=False),
    )
    with Progress(*columns, console=console, transient=True) as shown:
        task = shown.add_task("", total=session.deal_count, completed=len(session.boards))
        next_report = 0.0

        def advance() -> None:
            nonlocal next_report
            shown.update(task, completed=len(session.boards))
            if time.monotonic() >= next_report and len(session.boards) > 1:
                shown.update(task, description=progress_line(session.report()))
                next_report = time.monotonic() + _REPORT_INTERVAL_S

        yield advance
