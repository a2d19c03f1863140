"""Search for games of tricks: cards and bids, evaluated by playouts to the end of the round."""

from collections.abc import Sequence
from random import Random

import numpy as np

from jasstisch.bots.api import View
from jasstisch.bots.searching import opponent_models
from jasstisch.bots.searching.batching import rank_candidates, run_batches
from jasstisch.bots.searching.bidding import BID_OFFSETS, search_bids
from jasstisch.bots.searching.budget import Candidate, Deadline, SearchBudget
from jasstisch.bots.searching.match_utility import utility_params
from jasstisch.bots.searching.registry import default_searcher, searcher_for_games
from jasstisch.bots.searching.root_state import RootState, rules_of
from jasstisch.engine.cards import JASS, card_set
from jasstisch.games.trick_taking import CARD_BY_ACTION
from jasstisch.search import endgame, flat_monte_carlo
from jasstisch.search.jit.prng import Stream, new_stream
from jasstisch.search.nets import policy
from jasstisch.search.rounds.round_state import HANDS, TURN
from jasstisch.search.sampling.determinization import Deals, replay_all, resample, weight_by_plays

__all__ = [
    "RESAMPLE_CHUNK_SIZE",
    "deal_count",
    "evaluate_actions",
    "evaluate_cards",
    "evaluate_in_deals",
    "evaluate_with",
    "rollout_config",
    "sample_deals",
]

RESAMPLE_CHUNK_SIZE = 64
"""The number of deals weighted between two checks of the deadline."""

LIKELIHOOD_EXPONENT = 0.5
"""The exponent on the likelihood of the plays: 0 ignores them, 1 trusts the model fully.

The nets are overconfident about the plays of others. Compared with the true hands and bids in games
of `greedy` and of `club`, deals resampled with this exponent were the most accurate.
"""


@searcher_for_games("differenzler")
def evaluate_with_bids(
    view: View, legal: Sequence[str], rng: Random, effort: SearchBudget
) -> list[Candidate]:
    """Evaluates the candidate bids, or each legal card."""
    return evaluate_with(rollout_config(view), view, legal, rng, effort)


@default_searcher
def evaluate_actions(
    view: View, legal: Sequence[str], rng: Random, effort: SearchBudget
) -> list[Candidate]:
    """Evaluates each legal card; other actions are not supported."""
    if any(action not in CARD_BY_ACTION for action in legal):
        return [Candidate(action, 0.0, 0.0, 0) for action in rng.sample(legal, len(legal))]
    return evaluate_with(rollout_config(view), view, legal, rng, effort)


def evaluate_with(
    ways: flat_monte_carlo.RolloutConfig,
    view: View,
    legal: Sequence[str],
    rng: Random,
    effort: SearchBudget,
) -> list[Candidate]:
    """The same with a given rollout configuration."""
    watch = effort.start_deadline()
    chance = new_stream(rng)
    situation = RootState(view)
    number = deal_count(view, legal, situation, effort)
    deals = sample_deals(situation, number, effort, ways, chance, watch)
    if view["phase"] == "bid":
        return search_bids(situation, legal, deals, ways, chance, watch)
    return evaluate_cards(deals, legal, ways, chance, effort, watch)


def deal_count(view: View, legal: Sequence[str], situation: RootState, effort: SearchBudget) -> int:
    """The number of deals in which the legal cards or the candidate bids are tried."""
    actions = len(BID_OFFSETS) if view["phase"] == "bid" else len(legal)
    return effort.deal_count(
        actions, sum(view["hand_sizes"]), effort.resample_cost(len(situation.plays))
    )


def rollout_config(view: View) -> flat_monte_carlo.RolloutConfig:
    """The policy nets and the utility with which rounds of this game are played out."""
    return flat_monte_carlo.RolloutConfig(
        policy.playout_nets(rules_of(view).nets), policy.new_scratch(), utility_params(view)
    )


def evaluate_cards(
    deals: Deals,
    legal: Sequence[str],
    ways: flat_monte_carlo.RolloutConfig,
    chance: Stream,
    effort: SearchBudget,
    watch: Deadline,
) -> list[Candidate]:
    """Evaluates each card in the sampled rounds."""
    cards = [JASS.numbers[play[-2:]] for play in legal]
    sums = evaluate_in_deals(deals, card_set(cards), ways, chance, effort, watch)
    return rank_candidates([(play, sums[card]) for play, card in zip(legal, cards, strict=True)])


def evaluate_in_deals(
    deals: Deals,
    cards: int,
    ways: flat_monte_carlo.RolloutConfig,
    chance: Stream,
    effort: SearchBudget,
    watch: Deadline,
) -> flat_monte_carlo.Sums:
    """Evaluates each card in every deal, by playouts or, with few cards left, exactly."""
    sums = flat_monte_carlo.zero_sums()
    held = int(deals[0, HANDS + deals[0, TURN]]).bit_count()
    if held <= effort.solved:
        ending = endgame.new_stack(deals.shape[1])
        run_batches(
            deals,
            lambda part: endgame.solve_cards(part, cards, ending, ways.utility_params, sums),
            watch,
        )
    else:
        run_batches(
            deals,
            lambda part: flat_monte_carlo.evaluate_cards(part, cards, ways, chance, sums),
            watch,
        )
    return sums


def sample_deals(
    situation: RootState,
    number: int,
    effort: SearchBudget,
    ways: flat_monte_carlo.RolloutConfig,
    chance: Stream,
    watch: Deadline,
) -> Deals:
    """Samples this number of possible current rounds."""
    # Without nets all plays are equally likely, so the plays do not favour any deal.
    sifting = effort.sifting if len(situation.plays) and len(ways.nets) else 1
    deals = situation.sample_initial_deals(number * sifting, chance)
    opponent_models.assign_models(deals, situation, ways, chance)
    if sifting > 1:
        return resample_deals(deals, number, situation, ways, chance, watch)
    replay_all(deals, situation.plays)
    return deals


def resample_deals(
    deals: Deals,
    number: int,
    situation: RootState,
    ways: flat_monte_carlo.RolloutConfig,
    chance: Stream,
    watch: Deadline,
) -> Deals:
    """Resamples the initial deals, weighted by the likelihood of the plays since."""
    found = np.zeros(len(deals))
    for start in range(0, len(deals), RESAMPLE_CHUNK_SIZE):
        part = slice(start, start + RESAMPLE_CHUNK_SIZE)
        weight_by_plays(
            deals[part], situation.seat, situation.plays, ways.nets, ways.scratch, found[part]
        )
        if watch.has_passed():
            break
    if not found.any():  # a hand of trumps alone may undertrump (C9): too rare to be imagined
        found[: start + RESAMPLE_CHUNK_SIZE] = 1.0
    kept = np.empty((number, deals.shape[1]), dtype=np.int64)
    resample(deals, found**LIKELIHOOD_EXPONENT, kept, chance)
    return kept
