"""Measures how much likelier the true hands are to `master` than under a uniform belief.

One random decision is taken from each deal of four equal bots. Many deals consistent with the
observations are sampled uniformly, and the true one is added. Each is then weighted, as `master`
does, by the likelihood of the plays of the others. The result is the gain of the true deal as a
natural logarithm: at 0.69 it is twice as likely as before. The exponent of the weights expresses
the trust in them: 0 leaves all deals equal. Example:

    python -m bench.strength.belief_accuracy molotov --company club --deals 400 --write
"""

import random
import sys
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

import jasstisch as jt
from bench.figures_page import (
    Section,
    check_section_exists,
    figures_parser,
    format_interval,
    print_section,
)
from bench.strength.perfect_information import true_deals
from jasstisch.arena.estimates import estimate
from jasstisch.arena.runner import MIN_DEALS
from jasstisch.bots import Bot, View, bot
from jasstisch.bots.searching import opponent_models
from jasstisch.bots.searching.root_state import RootState
from jasstisch.bots.searching.trick_games import LIKELIHOOD_EXPONENT, rollout_config
from jasstisch.bots.searching.warmup import prepare_game
from jasstisch.cli.arguments import int_range
from jasstisch.engine.cards import shuffled
from jasstisch.search.jit.prng import Stream, new_stream
from jasstisch.search.nets import policy
from jasstisch.search.sampling.determinization import Deals, weight_by_plays

Floats = NDArray[np.float64]

GAMES = ("differenzler", "molotov", "molotow")
COMPANY = ("greedy", "club")
WEIGHT_EXPONENTS = (0.25, LIKELIHOOD_EXPONENT, 0.75, 1.0)
"""The exponents of the weights, including that of `master`."""

SAMPLED_DEALS = 4_000
"""The number of sampled deals to which the true one is added."""

TRUE_COPIES = 64
"""Copies of the true deal, as the others' models and bids are drawn anew for each."""

MIN_CARDS_PLAYED, MAX_CARDS_PLAYED = 4, 27
"""The range of cards played: after the first trick, and two before the end."""


def decision_point(game: jt.Game, number: int, player: Bot) -> jt.Match:
    """Plays a deal of a number among equal bots up to a decision about a card."""
    match, chance = jt.Match(game), random.Random(f"beliefs/{number}")
    left = chance.randint(MIN_CARDS_PLAYED, MAX_CARDS_PLAYED)
    while match.needs_pack or left or match.view(match.to_act[0])["phase"] != "play":
        if match.needs_pack:
            match.deal(shuffled(match.pack, chance))
            continue
        seat = match.to_act[0]
        view = match.view(seat)
        left -= view["phase"] == "play"
        match.act(seat, player.act(view, match.legal(seat), chance))
    return match


def log_likelihoods(match: jt.Match, view: View, chance: Stream) -> Floats:
    """Returns the log likelihood of the plays in sampled deals, then in copies of the true one.

    Args:
        match: a match at a decision about a card.
        view: the view of the seat that decides.
        chance: the random stream.
    """
    situation, ways = RootState(view), rollout_config(view)
    true = true_deals(match, situation, TRUE_COPIES, policy.LEARNED)
    # The opponent models are inferred from the sampled deals; the true ones come last.
    deals: Deals = np.concatenate([situation.sample_initial_deals(SAMPLED_DEALS, chance), true])
    opponent_models.assign_models(deals, situation, ways, chance)
    found = np.zeros(len(deals))
    weight_by_plays(deals, situation.seat, situation.plays, ways.nets, ways.scratch, found)
    return found


def log_gains(found: Floats) -> list[float]:
    """Returns the log gain of the true copies over all deals, for each exponent."""
    logarithms = []
    for trust in WEIGHT_EXPONENTS:
        worth = found**trust
        true, others = worth[-TRUE_COPIES:].mean(), worth[:-TRUE_COPIES]
        all_alike = (true + others.sum()) / (1 + len(others))
        logarithms.append(float(np.log(true / all_alike)))
    return logarithms


def log_gains_of_deals(name: str, company: str, deals: int) -> list[list[float]]:
    """Returns the log gains of one decision of each deal."""
    game, player = jt.game(name, players=4), bot(company)
    prepare_game(name)
    found = []
    for number in range(deals):
        match = decision_point(game, number, player)
        view = match.view(match.to_act[0])
        found.append(log_gains(log_likelihoods(match, view, new_stream(random.Random(number)))))
    return found


def row(name: str, company: str, found: Sequence[Sequence[float]]) -> list[str]:
    """Returns the row of one game among four equal bots."""
    columns = [estimate(column) for column in zip(*found, strict=True)]
    return [name, company, *(format_interval(one.mean, one.ci95) for one in columns)]


def main() -> int:
    """Plays, weights, prints the table, and saves it if requested."""
    parser = figures_parser("bench.strength.belief_accuracy", __doc__)
    parser.add_argument("games", nargs="+", choices=GAMES, metavar="GAME")
    parser.add_argument(
        "--company", nargs="+", choices=COMPANY, default=COMPANY, help="who plays (both)"
    )
    parser.add_argument(
        "--deals", type=int_range(MIN_DEALS), default=400, help="deals of each game (400)"
    )
    arguments = parser.parse_args()
    if arguments.write:
        check_section_exists(parser, "beliefs")
    table = []
    for name in arguments.games:
        for company in arguments.company:
            print(f"· {name}, {company}", file=sys.stderr, flush=True)
            table.append(row(name, company, log_gains_of_deals(name, company, arguments.deals)))
    columns = ["game", "four", *(f"trust {trust:g}" for trust in WEIGHT_EXPONENTS)]
    note = (
        f"{arguments.deals:,} deals, one decision in each, {SAMPLED_DEALS:,} deals imagined there; "
        "means with 95 % intervals."
    )
    words = f"{' '.join(arguments.games)} --company {' '.join(arguments.company)}"
    command = f"python -m bench.strength.belief_accuracy {words} --deals {arguments.deals}"
    print_section("beliefs", Section(command, columns, table, [note]), keep=arguments.write)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
