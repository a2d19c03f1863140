"""Measures the duration of the analysis of a round, as in `jasstisch replay --analyse`.

Rounds played by `club` are analysed on all cores, as the command does. Examples:

    python -m bench.speed.analysis_time --write
    python -m bench.speed.analysis_time molotov jass --rounds 5
"""

import sys
import time
from collections.abc import Sequence
from statistics import fmean, median

import jasstisch as jt
from bench.figures_page import Section, figures_parser, print_section
from jasstisch.arena.duplicate_boards import ContestTask, MoveTimer, play_deal
from jasstisch.bots import bot, prepare
from jasstisch.cli.arguments import int_range
from jasstisch.cli.game.analysis_report import analyse_match

BOT = "club"
MAX_SECONDS = {"differenzler": 20}
"""The target: seconds for the analysis of a round."""


def play_one_round(name: str, seed: int) -> jt.Match:
    """Returns a match at the end of its first round."""
    game = jt.game(name)
    seating = (BOT,) * game.players
    return play_deal(ContestTask(game, (seating,), seed), 0, seating, MoveTimer())


def time_analysis(match: jt.Match) -> tuple[int, float]:
    """Returns the number of decisions of the first round, and the seconds of their analysis."""
    begun = time.perf_counter()
    analysis = analyse_match(match, 1, None)
    return len(analysis.decisions), time.perf_counter() - begun


def row(name: str, found: Sequence[tuple[int, float]]) -> list[str]:
    """Returns the row of one game."""
    seconds = [spent for _, spent in found]
    bar = MAX_SECONDS.get(name)
    verdict = "met" if bar and max(seconds) <= bar else "not met"
    return [
        name,
        str(len(found)),
        f"{fmean(decisions for decisions, _ in found):.0f}",
        f"{median(seconds):.1f}",
        f"{max(seconds):.1f}",
        f"≤ {bar}: {verdict}" if bar else "",
    ]


def main() -> int:
    """Analyses rounds, prints the table, and saves it if requested."""
    parser = figures_parser("bench.speed.analysis_time", __doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="of these games (all)")
    parser.add_argument("--rounds", type=int_range(1), default=3, help="rounds of each game (3)")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.games if name not in jt.games()]
    if unknown:
        parser.error(f"no game {unknown[0]!r}; the games are {', '.join(jt.games())}")
    rows = []
    for name in arguments.games or jt.games():
        print(f"· {name}", file=sys.stderr, flush=True)
        prepare(bot(BOT), name)
        rows.append(
            row(
                name,
                [time_analysis(play_one_round(name, seed)) for seed in range(arguments.rounds)],
            )
        )
    columns = ["game", "rounds", "decisions", "seconds for a round", "longest", "bar"]
    words = "".join(f" {name}" for name in arguments.games)
    command = f"python -m bench.speed.analysis_time{words} --rounds {arguments.rounds}"
    note = "Median and longest of the rounds, by the clock on the wall and on all cores."
    print_section("coach", Section(command, columns, rows, [note]), keep=arguments.write)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
