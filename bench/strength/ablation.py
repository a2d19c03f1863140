"""Ablation study of the search bots: the same bot without one of its parts.

Each variant takes the same chair against the same opponents, on the same deals, and is compared
with the unchanged bot. `--tenfold` compares with ten times the playouts instead. Examples:

    python -m bench.strength.ablation differenzler molotov --deals 200 --write
    python -m bench.strength.ablation molotow --player master --against club --tenfold
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from random import Random
from typing import Any

import numpy as np

import jasstisch as jt
from bench.figures_page import (
    Section,
    check_section_exists,
    figures_parser,
    format_interval,
    print_section,
)
from jasstisch import arena
from jasstisch.arena.runner import MIN_DEALS
from jasstisch.bots import STRENGTH_ORDER, View
from jasstisch.bots.searching.budget import CLUB, MASTER, SearchBudget
from jasstisch.bots.searching.trick_games import evaluate_with_rollout, rollout_config
from jasstisch.cli.arguments import int_range
from jasstisch.search.nets import policy

GAMES = ("differenzler", "molotov", "molotow")
EFFORTS = {"club": CLUB, "master": MASTER}

ALL_MODELS = tuple(range(len(policy.POLICY_NAMES)))
"""All opponent models; each bids in its own way, which no variant changes."""

Report = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AblatedPlayer:
    """A search bot without one of its parts.

    Attributes:
        name: the difference.
        effort: the search effort.
        nets: the nets that play rounds to their end, by opponent model; None for random play.
    """

    name: str
    effort: SearchBudget
    models: tuple[int, ...] | None = ALL_MODELS

    def act(self, view: View, legal: Sequence[str], rng: Random) -> str:
        """Returns the action with the highest value, or the only legal one without a search."""
        if len(legal) == 1:
            return legal[0]
        ways = rollout_config(view)
        if self.models is None:  # a net of zeros gives all cards the same weight
            nets = np.zeros_like(ways.nets)
        else:
            nets = np.ascontiguousarray(ways.nets[list(self.models)])
        return evaluate_with_rollout(ways._replace(nets=nets), view, legal, rng, self.effort)[
            0
        ].action


VARIANTS = {
    "club": [
        AblatedPlayer("rounds finished by chance", CLUB, None),
        AblatedPlayer(
            "rounds finished by rules of thumb alone", CLUB, (policy.HEURISTIC,) * len(ALL_MODELS)
        ),
        AblatedPlayer(
            "rounds finished by the learned net alone", CLUB, (policy.LEARNED,) * len(ALL_MODELS)
        ),
        AblatedPlayer("nobody is thought to search", CLUB, (policy.LEARNED, policy.HEURISTIC)),
    ],
    "master": [
        AblatedPlayer("all deals alike, likely or not", replace(MASTER, resample_ratio=1)),
        AblatedPlayer("nobody is thought to search", MASTER, (policy.LEARNED, policy.HEURISTIC)),
    ],
}
"""The ablated parts of each bot."""


def with_ten_times_playouts(effort: SearchBudget) -> AblatedPlayer:
    """Returns the bot with ten times as many deals and playouts, without a time limit."""
    more = replace(
        effort,
        max_deals=10 * effort.max_deals,
        max_cards_played=10 * effort.max_cards_played,
        time_limit_s=inf,
    )
    return AblatedPlayer("ten times the playouts", more)


def rows(game: str, player: str, against: str, report: Report) -> list[list[str]]:
    """Returns the rows of the bot and of its variants."""
    than = {one["bot"]: one for one in report["compared"]}
    found = []
    for own in sorted(report["bots"], key=lambda one: one["name"] != player):
        better = than.get(own["name"])
        cells = [
            game,
            own["name"],
            f"3 {against}",
            f"{format_interval(own['mean'], own['ci95'])} {report['unit']}",
            format_interval(better["better_by"], better["ci95"]) if better else "",
            f"{own['ms_per_move']:.1f}",
        ]
        found.append(cells)
    return found


def measure_variants(
    game: str,
    player: str,
    variants: Sequence[AblatedPlayer],
    against: str,
    deals: int,
    workers: int,
) -> Report:
    """Plays a bot and its variants in one game."""
    contest = arena.contest(
        jt.game(game, players=4), [player, *variants], against=against, baseline=player
    )
    with arena.process_pool(workers) as executor:
        return arena.run(contest, deals=deals, executor=executor)


def parse_arguments() -> argparse.Namespace:
    """Parses the command line; exits if a table could not be saved."""
    parser = figures_parser("bench.strength.ablation", __doc__)
    parser.add_argument("games", nargs="+", choices=GAMES, metavar="GAME")
    parser.add_argument("--player", choices=VARIANTS, default="club")
    parser.add_argument(
        "--against",
        choices=STRENGTH_ORDER,
        default="greedy",
        help="the bot in the other chairs (greedy)",
    )
    parser.add_argument(
        "--deals", type=int_range(MIN_DEALS), default=200, help="deals of each game (200)"
    )
    parser.add_argument(
        "--tenfold", action="store_true", help="with ten times the playouts, and all its parts"
    )
    parser.add_argument("--workers", type=int_range(1), default=1, help="worker processes (1)")
    arguments = parser.parse_args()
    if arguments.write:
        check_section_exists(parser, section_name(arguments))
    return arguments


def section_name(arguments: argparse.Namespace) -> str:
    """Returns the section of docs/figures.md for the table."""
    kind = "tenfold" if arguments.tenfold else "parts"
    return f"{kind}-{arguments.player}-{arguments.against}"


def main() -> int:
    """Plays, prints the table, and saves it if requested."""
    arguments = parse_arguments()
    player, against, deals = arguments.player, arguments.against, arguments.deals
    variants = [with_ten_times_playouts(EFFORTS[player])] if arguments.tenfold else VARIANTS[player]
    table = []
    for game in arguments.games:
        print(f"· {game}", file=sys.stderr, flush=True)
        report = measure_variants(game, player, variants, against, deals, arguments.workers)
        table += rows(game, player, against, report)
    columns = [
        "game",
        "player",
        "against",
        "figure",
        f"better than {player}",
        "ms a move",
    ]
    told = f"--player {player} --against {against} --deals {deals}"
    told += " --tenfold" if arguments.tenfold else ""
    note = f"{deals:,} deals in every seating, seed 1; means with 95 % intervals."
    command = f"python -m bench.strength.ablation {' '.join(arguments.games)} {told}"
    section = Section(command, columns, table, [note])
    print_section(section_name(arguments), section, keep=arguments.write)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
