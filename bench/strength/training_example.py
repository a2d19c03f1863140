"""Measures the strength of the training example (docs/training.md): it trains, then plays.

The net of `examples.train` is trained for its default number of rounds, or a given one. It takes a
chair against three `random` and against three `greedy`, on the same deals as one of its opponents.

Examples:
    python -m bench.strength.training_example --write
    python -m bench.strength.training_example --rounds 50000 --deals 200
"""

import shlex
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.figures_page import Section, figures_parser, format_interval, print_section
from examples.train import Course, taught
from examples.trained import GAME, Trained
from jasstisch import arena
from jasstisch.arena.runner import MIN_DEALS
from jasstisch.cli.arguments import int_range

OPPONENTS = ("random", "greedy")
"""The bots in the other three chairs."""


def row(against: str, report: Mapping[str, Any]) -> list[str]:
    """Returns a row of the table: the results of the net, and of an opponent in its chair."""
    own, other = report["bots"]
    (than,) = report["compared"]
    return [
        f"3 {against}",
        f"{report['deals']:,}",
        format_interval(own["mean"], own["ci95"]),
        format_interval(other["mean"], other["ci95"]),
        format_interval(than["better_by"], than["ci95"]),
        f"{own['ms_per_move']:.1f}",
    ]


def section(words: Sequence[str], rounds: int, seconds: float, rows: list[list[str]]) -> Section:
    """Returns the results as a table."""
    columns = ["against", "deals", "trained", "one of them there", "better by", "ms a move"]
    note = f"Round scores at Molotov, after {rounds:,} rounds of training in {seconds:,.0f} s."
    return Section(
        shlex.join(["python", "-m", "bench.strength.training_example", *words]),
        columns,
        rows,
        [note],
    )


def main() -> int:
    """Trains, plays, and prints the table."""
    parser = figures_parser("bench.strength.training_example", __doc__)
    parser.add_argument("--rounds", type=int_range(1), default=Course.rounds, help="of training")
    parser.add_argument("--seed", type=int_range(0), default=Course.seed, help="of training (1)")
    parser.add_argument(
        "--deals", type=int_range(MIN_DEALS), default=1000, help="played against each (1000)"
    )
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder:
        path, start = Path(folder) / "net.npz", time.monotonic()
        taught(Course(arguments.rounds, seed=arguments.seed), path)
        seconds = time.monotonic() - start
        player = Trained(path)
    rows = []
    for against in OPPONENTS:
        contest = arena.contest(GAME, [player], against=against)
        rows.append(row(against, arena.run(contest, deals=arguments.deals)))
    table = section(sys.argv[1:], arguments.rounds, seconds, rows)
    print_section("training", table, keep=arguments.write)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
