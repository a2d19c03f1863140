"""Measures the strength of the bots against their targets, as a table for each game.

In every game each bot takes the same chair against three `greedy`, on the same deals; with partners
it plays both chairs of a side. In addition `master` takes the chair of `club` against `club`. With
`--keep` a run can stop and resume; use an empty folder after changing a bot. If the boards were
begun at another commit, the first one of each contest is replayed to check that it is still
reproducible. Contests without a target may have fewer deals (`--beside`). `--write` saves the
tables in docs/figures.md and draws the ladder of each game into docs/ladder/; those of other games
are kept. `--before` adds the figures of the page at an earlier commit: contests with equal numbers
of deals used the same deals. Examples:

    python -m bench.strength --deals 1000 --beside 250 --workers 2 --keep /tmp/boards --write
    python -m bench.strength --only differenzler molotov --deals 100 --before v0.1
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import jasstisch as jt
from bench.figures_page import (
    ROOT,
    PageError,
    Section,
    current_commit,
    format_interval,
    print_section,
    rows_at_commit,
)
from jasstisch import arena
from jasstisch.arena.checkpoint import CheckpointFile
from jasstisch.arena.duplicate_boards import ContestTask, play_deals
from jasstisch.arena.runner import MIN_DEALS
from jasstisch.arena.strength_plot import draw_plot
from jasstisch.bots import strength_order
from jasstisch.cli.arguments import int_range

PICTURES = ROOT / "docs" / "ladder"

Report = Mapping[str, Any]

Before = Mapping[tuple[str, str], tuple[str, str]]
"""Earlier figure and advantage of each bot, by its name and its opponents."""

FIGURE_COLUMN, ADVANTAGE_COLUMN = "figure", "better than the one against"

COLUMNS = (
    *("player", "against", "deals", FIGURE_COLUMN, ADVANTAGE_COLUMN),
    *("deals won", "ms a move", "slowest", "bar"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Bar:
    """The target of a bot.

    Attributes:
        text: the target in words.
        met: whether a report meets it; the arguments are the entry of the bot and its comparison
            with the opponent.
    """

    text: str
    met: Callable[[Report, Report], bool]


SIGNIFICANTLY_BETTER = Bar("> 0", lambda _, than: than["better_by"] > than["ci95"])
"""Better, with an interval that excludes zero."""

BARS = {
    ("differenzler", "club", "greedy"): Bar("≤ 6.5", lambda own, _: own["mean"] <= 6.5),
    ("differenzler", "master", "greedy"): Bar("≤ 4.2", lambda own, _: own["mean"] <= 4.2),
    ("differenzler", "master", "club"): Bar("15 % better", lambda _, than: than["percent"] >= 15),
    ("molotov", "club", "greedy"): Bar("≤ 35", lambda own, _: own["mean"] <= 35),
    ("molotov", "master", "greedy"): Bar("≤ 38", lambda own, _: own["mean"] <= 38),
    ("molotov", "master", "club"): Bar("4 better", lambda _, than: than["better_by"] >= 4),
    ("molotow", "master", "club"): Bar("0.3 better", lambda _, than: than["better_by"] >= 0.3),
    ("i-doubt-it", "master", "greedy"): Bar("60 % won", lambda own, _: own["wins"] >= 0.6),
    ("jass", "master", "greedy"): Bar("60 % won", lambda own, _: own["wins"] >= 0.6),
    ("schieber", "club", "greedy"): SIGNIFICANTLY_BETTER,
    ("schieber", "master", "club"): SIGNIFICANTLY_BETTER,
    ("coiffeur", "club", "greedy"): SIGNIFICANTLY_BETTER,
    ("coiffeur", "master", "club"): SIGNIFICANTLY_BETTER,
}
"""The targets by game, bot, and opponents."""

MOVE_LIMITS_MS = {"club": 20, "master": 150}
"""The time limit for a move of each bot in milliseconds."""


@dataclass(frozen=True, slots=True)
class StrengthContest:
    """One contest.

    Attributes:
        game: the game's name.
        bots: the bots in the chair.
        against: the bot in the other chairs.
    """

    game: str
    bots: tuple[str, ...]
    against: str

    @property
    def name(self) -> str:
        """The name of its checkpoint file."""
        return f"{self.game}-{'-'.join(self.bots)}-against-{self.against}"

    @property
    def has_bar(self) -> bool:
        """Whether one of its bots has a target in it."""
        return any((self.game, name, self.against) in BARS for name in self.bots)

    def new_run(self, deals: int) -> arena.ContestRun:
        """Returns a new run of the contest."""
        contest = arena.contest(jt.game(self.game), self.bots, against=self.against)
        return arena.ContestRun(contest, deals)

    def report(self, deals: int, executor: Executor | None, keep: Path | None) -> Report:
        """Plays, resuming from a folder of boards if one is given, and returns the report."""
        session = self.new_run(deals)
        with self.checkpoint(session, keep) as book, closing(session.play(executor)) as played:
            for boards in played:
                book.add(boards)
        session.boards = [remeasure_if_late(session.task, board) for board in session.boards]
        return session.report()

    def is_reproducible(self, keep: Path) -> bool:
        """Returns whether the first stored deal has the same result today.

        It may have been played on a less busy machine, on which no search was cut short.
        """
        session = self.new_run(MIN_DEALS)
        with arena.open_checkpoint(session, keep / self.name):
            ways = (replace(session.task, uses_clock=clock) for clock in (True, False))
            return any(play_deals(way, [0]) == session.boards[:1] for way in ways)

    @contextmanager
    def checkpoint(self, session: arena.ContestRun, keep: Path | None) -> Iterator[CheckpointFile]:
        """Yields the checkpoint file in the folder, or a temporary one."""
        with TemporaryDirectory() as passing:
            folder = keep or Path(passing)
            folder.mkdir(parents=True, exist_ok=True)
            with arena.open_checkpoint(session, folder / self.name) as book:
                yield book


def remeasure_if_late(assignment: ContestTask, board: arena.BoardResult) -> arena.BoardResult:
    """Plays a board again if a move exceeded the time limit.

    The shorter time counts: a machine is hardly delayed twice at the same move, while a slow search
    is slow every time.
    """
    late = [
        name for name, pace in board.timings.items() if 1000 * pace.slowest > move_limit_ms(name)
    ]
    if not late:
        return board
    (again,) = play_deals(assignment, [board.number])
    paces = {
        name: replace(pace, slowest=min(pace.slowest, again.timings[name].slowest))
        for name, pace in board.timings.items()
    }
    return replace(board, timings=paces)


def move_limit_ms(name: str) -> float:
    """Returns the time limit for a move in milliseconds; that of bots without one is the lowest."""
    return MOVE_LIMITS_MS.get(name, min(MOVE_LIMITS_MS.values()))


def contests_of(game: str) -> list[StrengthContest]:
    """Returns the ladder of a game against greedy, and its two strongest bots against club."""
    players = strength_order(game)
    *_, second, strongest = players
    return [StrengthContest(game, players, "greedy"), StrengthContest(game, (strongest,), second)]


def row(match: StrengthContest, report: Report, name: str) -> list[str]:
    """Returns the row of one bot in one contest."""
    own = next(one for one in report["bots"] if one["name"] == name)
    than: Report = next((one for one in report["compared"] if one["bot"] == name), {})
    better = format_interval(than["better_by"], than["ci95"]) if than else ""
    if "percent" in than:
        better += f", {format_interval(than['percent'], than['percent_ci95'], 1)} %"
    bar = BARS.get((match.game, name, match.against))
    verdict = "" if bar is None else f"{bar.text}: {'met' if bar.met(own, than) else 'not met'}"
    others = [seat for side in jt.game(match.game).sides[1:] for seat in side]
    return [
        name,
        f"{len(others)} {match.against}",
        f"{report['deals']:,}",
        f"{format_interval(own['mean'], own['ci95'])} {report['unit']}",
        better,
        f"{format_interval(100 * own['wins'], 100 * own['wins_ci95'], 1)} %",
        format_milliseconds(own["ms_per_move"]),
        slowest_move_cell(name, own["ms_slowest"]),
        verdict,
    ]


def slowest_move_cell(name: str, time: float) -> str:
    """Returns the time of the slowest move, and whether it is within the limit."""
    if name not in MOVE_LIMITS_MS:
        return format_milliseconds(time)
    verdict = "met" if time <= MOVE_LIMITS_MS[name] else "not met"
    return f"{format_milliseconds(time)}, ≤ {MOVE_LIMITS_MS[name]}: {verdict}"


def format_milliseconds(time: float) -> str:
    """Formats a time with two digits."""
    return f"{time:.0f}" if time >= 10 else f"{time:.2g}"


def starting_commit(keep: Path) -> str:
    """Returns the commit at which the boards of a folder were begun, by default the current one."""
    note = keep / "begun"
    if not note.exists():
        keep.mkdir(parents=True, exist_ok=True)
        note.write_text(current_commit(), encoding="utf-8")
    return note.read_text(encoding="utf-8").strip()


def reproducibility_note(since: str, contests: Sequence[StrengthContest], keep: Path) -> str:
    """Returns whether boards of another commit are reproducible at this one; empty for this one."""
    if since == current_commit():
        return ""
    same = sum(match.is_reproducible(keep) for match in contests)
    return (
        f"Played from commit {since} on; the first deals of {same} of the {len(contests)} "
        "contests, played again at this one with the clock or without, came out the same."
    )


def rows_before(game: str, revision: str) -> Before:
    """Returns the rows of a game at an earlier commit; with their number of deals if it differs.

    Raises:
        PageError: there is no such table.
    """
    return {
        (told["player"], told["against"]): (
            f"{told[FIGURE_COLUMN]} ({told['deals']} deals)",
            told[ADVANTAGE_COLUMN],
        )
        for told in rows_at_commit(revision, f"strength-{game}")
    }


def append_earlier(cells: list[str], figure: str, better: str) -> None:
    """Adds earlier values to a row or the headers, each after its current value."""
    for place, cell in (
        (COLUMNS.index(ADVANTAGE_COLUMN), better),
        (COLUMNS.index(FIGURE_COLUMN), figure),
    ):
        cells.insert(place + 1, cell)


def section(
    played: Sequence[tuple[StrengthContest, Report]],
    words: str,
    kept: str = "",
    told: Before | None = None,
) -> Section:
    """Returns the table of the contests of a game, with notes on stored boards."""
    columns = list(COLUMNS)
    rows = [row(match, report, name) for match, report in played for name in match.bots]
    if told is not None:
        append_earlier(columns, "figure before", "better before")
        for cells in rows:
            figure, better = told.get((cells[0], cells[1]), ("", ""))
            append_earlier(cells, figure.removesuffix(f" ({cells[2]} deals)"), better)
    game = played[0][0].game
    ladder = f"![{game}: strength against time for a move](ladder/{game}.svg)"
    return Section(
        f"python -m bench.strength{words}", columns, rows, [*filter(None, [kept]), ladder]
    )


def main() -> int:
    """Plays, prints the table, and saves it and the plots if requested."""
    parser = argparse.ArgumentParser(prog="python -m bench.strength", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "--deals", type=int_range(MIN_DEALS), default=1000, help="deals of each contest (1000)"
    )
    parser.add_argument(
        "--beside", type=int_range(MIN_DEALS), help="deals of those without a bar (as many)"
    )
    parser.add_argument("--only", nargs="+", choices=jt.games(), help="some of the games")
    parser.add_argument("--workers", type=int_range(1), default=1, help="worker processes (1)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep boards, and go on")
    parser.add_argument(
        "--before", metavar="COMMIT", help="tell beside them the figures of an earlier commit"
    )
    parser.add_argument(
        "--write", action="store_true", help="keep the tables and draw the pictures"
    )
    arguments = parser.parse_args()
    games = arguments.only or jt.games()
    told: dict[str, Before] = {}
    try:
        if arguments.before:
            told = {game: rows_before(game, arguments.before) for game in games}
    except PageError as error:
        parser.error(str(error))
    beside = arguments.deals if arguments.beside is None else arguments.beside
    since = starting_commit(arguments.keep) if arguments.keep else ""
    words = f" --deals {arguments.deals}"
    words += f" --beside {arguments.beside}" if arguments.beside else ""
    words += f" --before {arguments.before}" if arguments.before else ""
    with arena.process_pool(arguments.workers) as executor:
        for game in games:
            played = []
            for match in contests_of(game):
                print(f"· {match.name}", file=sys.stderr, flush=True)
                deals = arguments.deals if match.has_bar else beside
                played.append((match, match.report(deals, executor, arguments.keep)))
            kept = reproducibility_note(since, contests_of(game), arguments.keep) if since else ""
            table = section(played, f"{words} --only {game}", kept, told.get(game))
            print(f"\n{game}\n")
            print_section(f"strength-{game}", table, keep=arguments.write)
            if arguments.write:
                PICTURES.mkdir(exist_ok=True)
                draw_plot(played[0][1], PICTURES / f"{game}.svg")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
