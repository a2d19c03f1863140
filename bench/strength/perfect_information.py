"""Measures a bot with perfect information: an upper bound for honest bots.

On every deal the cheating bot takes one chair, with the opponents in the others, and is compared
with an opponent in the same chair. It searches as `club` or `master` do, with two differences: it
is given the true deal and the true bids instead of sampling, and it knows whether the others play
by rules or search. If it sees all cards only while bidding, or only while playing, it is honest
otherwise; this shows the cost of hidden information in each phase. Examples:

    python -m bench.strength.perfect_information molotov --company greedy --effort club master
    --deals 400
    python -m bench.strength.perfect_information differenzler molotov molotow --company club --write
    python -m bench.strength.perfect_information differenzler --sees never bidding playing always
"""

import argparse
import random
import sys
from collections.abc import Sequence
from functools import partial
from itertools import product

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
from bench.strength.ablation import EFFORTS
from jasstisch.arena.estimates import Estimate, estimate
from jasstisch.arena.runner import MIN_DEALS
from jasstisch.bots import Bot, View, bot, searching
from jasstisch.bots.searching import contracts
from jasstisch.bots.searching.bidding import search_bids
from jasstisch.bots.searching.budget import Candidate, SearchBudget
from jasstisch.bots.searching.contracts import SideRootState
from jasstisch.bots.searching.root_state import RootState
from jasstisch.bots.searching.trick_games import deal_count, evaluate_cards, rollout_config
from jasstisch.bots.searching.warmup import prepare_game
from jasstisch.cli.arguments import int_range
from jasstisch.engine.cards import JASS, card_set, shuffled
from jasstisch.games.differenzler import DifferenzlerView
from jasstisch.games.views import declares_keys
from jasstisch.search.jit.prng import new_stream
from jasstisch.search.nets import bid_model, policy
from jasstisch.search.rounds import round_state
from jasstisch.search.sampling.determinization import (
    Deals,
    HiddenSpec,
    replay_all,
    sample_bids,
    set_policy,
)
from jasstisch.search.sampling.exact_sampler import HiddenCards

NO_SAMPLING = np.zeros(len(policy.POLICY_NAMES))
GAMES = ("differenzler", "molotov", "molotow", "offenbach")
COMPANY = {"greedy": policy.HEURISTIC, "club": policy.SEARCH}
"""The possible opponents, with the model that describes them."""

REVEALED_PHASES: dict[str, Sequence[str]] = {
    "never": (),
    "bidding": ("bid",),
    "playing": ("play",),
    "always": ("bid", "play"),
}
"""The phases of a round in which the cheating bot sees all cards."""


def true_deals(match: jt.Match, situation: RootState, count: int, manner: int) -> Deals:
    """Returns copies of the true beginning of the round, with this opponent model."""
    opening = situation.initial_state.copy()
    for seat in range(match.game.players):
        view = match.view(seat)
        opening[round_state.HANDS + seat] |= card_set([JASS.numbers[text] for text in view["hand"]])
        bid = view["bids"][seat] if declares_keys(view, DifferenzlerView) else None
        opening[round_state.TARGET + seat] = 0 if bid is None else bid
    deals = np.tile(opening, (count, 1))
    set_policy(deals, manner)
    deals[:, round_state.POLICIES] &= ~(15 << 4 * situation.seat)
    return deals


def evaluate_with_perfect_information(
    match: jt.Match, seat: int, rng: random.Random, effort: SearchBudget, manner: int
) -> list[Candidate]:
    """Evaluates each action of a seat, given all hands, bids and the opponent model."""
    view, legal = match.view(seat), match.legal(seat)
    if len(legal) == 1:
        return [Candidate(legal[0], 0.0, 0.0, 0)]
    situation, chance, watch = RootState(view), new_stream(rng), effort.start_deadline()
    number = deal_count(view, legal, situation, effort)
    deals = true_deals(match, situation, number, manner)
    if len(missing := seats_yet_to_bid(view)):
        sample_bids(deals, missing, bid_model.load_weights(), NO_SAMPLING, chance)
    replay_all(deals, situation.plays)
    if view["phase"] == "bid":
        return search_bids(situation, legal, deals, rollout_config(view), chance, watch)
    return evaluate_cards(deals, legal, rollout_config(view), chance, effort, watch)


def seats_yet_to_bid(view: View) -> NDArray[np.int64]:
    """Returns the seats that have not bid yet."""
    has_bid = view["has_bid"] if declares_keys(view, DifferenzlerView) else ()
    return np.array([seat for seat, has in enumerate(has_bid) if not has], np.int64)


class PerfectInformationSide(SideRootState):
    """The knowledge of a seat in a game of two sides that sees all hands of a match."""

    def __init__(self, match: jt.Match, view: View) -> None:
        self.match = match
        super().__init__(view)

    def read_hidden(self, view: View) -> HiddenSpec:
        """Reads the true positions of the unseen cards."""
        seats = [seat for seat in self.position.playing if seat != self.seat]
        hands = [card_set([JASS.numbers[text] for text in self.match.hand(one)]) for one in seats]
        unseen = HiddenCards(self.position.unseen, [hand.bit_count() for hand in hands], hands)
        return HiddenSpec(
            unseen.cards,
            unseen.weights,
            unseen.sizes,
            unseen.completion_weights,
            np.array(seats, np.int64),
        )


class PerfectInformationPlayer:
    """A search bot for Schieber or Coiffeur that sees all hands of its match, if it has one."""

    def __init__(self, effort: SearchBudget, match: jt.Match | None = None) -> None:
        self.effort, self.match = effort, match
        self.name = f"{effort.name}-seeing"

    def for_match(self, match: jt.Match) -> "PerfectInformationPlayer":
        """Returns the same bot for a match, whose hands it sees."""
        return PerfectInformationPlayer(self.effort, match)

    def act(self, view: View, legal: Sequence[str], rng: random.Random) -> str:
        """Returns the action with the highest value."""
        if len(legal) == 1:
            return legal[0]
        look = partial(PerfectInformationSide, self.match) if self.match else SideRootState
        return contracts.evaluate_with_rollout(
            rollout_config(view), view, legal, rng, self.effort, look
        )[0].action


def play_deal(
    game: jt.Game,
    number: int,
    company: Bot,
    chair: int,
    effort: SearchBudget | None,
    sees: str = "always",
) -> float:
    """Returns the figure of this chair in one deal.

    Args:
        game: the game.
        number: the number of the deal, which determines all randomness in it.
        company: the bot in the other chairs.
        chair: the seat.
        effort: the search effort of the cheating bot in it; None for an opponent.
        sees: when it sees all cards, as in `REVEALED_PHASES`.
    """
    match = jt.Match(game)
    manner = COMPANY[company.name]
    packs = random.Random(f"ceiling/{number}")
    chance = [random.Random(f"ceiling/{number}/{seat}") for seat in range(game.players)]
    while not match.rounds:
        if match.needs_pack:
            match.deal(shuffled(match.pack, packs))
            continue
        seat = match.to_act[0]
        view, legal = match.view(seat), match.legal(seat)
        if seat != chair or effort is None:
            action = company.act(view, legal, chance[seat])
        elif view["phase"] in REVEALED_PHASES[sees]:
            action = evaluate_with_perfect_information(match, seat, chance[seat], effort, manner)[
                0
            ].action
        else:
            action = searching.evaluate_actions(view, legal, chance[seat], effort)[0].action
        match.act(seat, action)
    return float(game.metric.of_round(match.rounds[0])[chair])


def rows(
    name: str, company: Bot, efforts: Sequence[SearchBudget], deals: int, sees: Sequence[str]
) -> list[list[str]]:
    """Returns the rows of one game, one for each effort and each phase."""
    game = jt.game(name)
    figure = game.metric
    chairs = [(number, number % game.players) for number in range(deals)]
    honest = [play_deal(game, number, company, chair, None) for number, chair in chairs]
    sign = 1 if figure.higher_is_better else -1
    found = []
    for effort, when in product(efforts, sees):
        seeing = [play_deal(game, number, company, chair, effort, when) for number, chair in chairs]
        better = estimate([sign * (new - old) for new, old in zip(seeing, honest, strict=True)])
        found.append(
            [
                name,
                f"{game.players - 1} {company.name}",
                effort.name,
                when,
                f"{format_estimate(estimate(seeing))} {figure.unit}",
                format_estimate(estimate(honest)),
                format_estimate(better),
            ]
        )
    return found


def format_estimate(one: Estimate) -> str:
    """Formats a mean and its interval."""
    return format_interval(one.mean, one.ci95)


def parse_arguments() -> argparse.Namespace:
    """Parses the command line."""
    parser = figures_parser("bench.strength.perfect_information", __doc__)
    parser.add_argument("games", nargs="+", choices=GAMES, metavar="GAME")
    parser.add_argument(
        "--company", choices=COMPANY, default="greedy", help="the bot on the other chairs (greedy)"
    )
    parser.add_argument(
        "--effort", nargs="+", choices=EFFORTS, default=["master"], help="how hard it thinks"
    )
    parser.add_argument(
        "--sees",
        nargs="+",
        choices=REVEALED_PHASES,
        default=["always"],
        help="when it sees (always)",
    )
    parser.add_argument(
        "--deals", type=int_range(MIN_DEALS), default=200, help="deals of each game (200)"
    )
    arguments = parser.parse_args()
    if arguments.write:
        check_section_exists(parser, section_name(arguments))
    return arguments


def section_name(arguments: argparse.Namespace) -> str:
    """Returns the section of docs/figures.md for the table."""
    phases = "" if arguments.sees == ["always"] else "-phases"
    return f"ceiling-{arguments.company}{phases}"


def main() -> int:
    """Prints the figures of the cheating bot, and saves them if requested."""
    arguments = parse_arguments()
    company, efforts = bot(arguments.company), [EFFORTS[name] for name in arguments.effort]
    table = []
    for name in arguments.games:
        print(f"· {name}", file=sys.stderr, flush=True)
        prepare_game(name)
        table += rows(name, company, efforts, arguments.deals, arguments.sees)
    columns = [
        "game", "against", "searches as", "sees", "all-seeing", f"{company.name} there", "better",
    ]  # fmt: skip
    thinking = " ".join(arguments.effort)
    words = f"--company {company.name} --effort {thinking} --deals {arguments.deals}"
    words += f" --sees {' '.join(arguments.sees)}"
    note = f"{arguments.deals:,} deals, one chair in each; means with 95 % intervals."
    command = f"python -m bench.strength.perfect_information {' '.join(arguments.games)} {words}"
    section = Section(command, columns, table, [note])
    print_section(section_name(arguments), section, keep=arguments.write)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
