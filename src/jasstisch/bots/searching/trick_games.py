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
from jasstisch.bots.searching.registry import register_default_searcher, register_searcher
from jasstisch.bots.searching.root_state import RootState, rules_of
from jasstisch.engine.cards import JASS, card_set
from jasstisch.games.trick_taking import CARD_BY_ACTION
from jasstisch.search import endgame, flat_monte_carlo
from jasstisch.search.jit.prng import Stream, new_stream
from jasstisch.search.nets import policy
from jasstisch.search.rounds.round_state import HANDS, TURN
from jasstisch.search.sampling.determinization import Deals, replay_all, resample, weight_by_plays

RESAMPLE_CHUNK_SIZE = 64
"""The number of deals weighted between two checks of the deadline."""

LIKELIHOOD_EXPONENT = 0.5
"""The exponent on the likelihood of the plays: 0 ignores them, 1 trusts the model fully.

The nets are overconfident about the plays of others. Compared with the true hands and bids in games
of `greedy` and of `club`, deals resampled with this exponent were the most accurate.
"""


@register_searcher("differenzler")
def _evaluate_with_bids(
    view: View, legal: Sequence[str], rng: Random, budget: SearchBudget
) -> list[Candidate]:
    """Evaluates the candidate bids, or each legal card."""
    return evaluate_with_rollout(rollout_config(view), view, legal, rng, budget)


@register_default_searcher
def evaluate_actions(
    view: View, legal: Sequence[str], rng: Random, budget: SearchBudget
) -> list[Candidate]:
    """Evaluates each legal card; other actions are not supported."""
    if any(action not in CARD_BY_ACTION for action in legal):
        return [Candidate(action, 0.0, 0.0, 0) for action in rng.sample(legal, len(legal))]
    return evaluate_with_rollout(rollout_config(view), view, legal, rng, budget)


def evaluate_with_rollout(
    rollout: flat_monte_carlo.RolloutConfig,
    view: View,
    legal: Sequence[str],
    rng: Random,
    budget: SearchBudget,
) -> list[Candidate]:
    """The same with a given rollout configuration."""
    deadline = budget.start_deadline()
    chance = new_stream(rng)
    root = RootState(view)
    number = deal_count(view, legal, root, budget)
    deals = sample_deals(root, number, budget, rollout, chance, deadline)
    if view["phase"] == "bid":
        return search_bids(root, legal, deals, rollout, chance, deadline)
    return evaluate_cards(deals, legal, rollout, chance, budget, deadline)


def deal_count(view: View, legal: Sequence[str], root: RootState, budget: SearchBudget) -> int:
    """The number of deals in which the legal cards or the candidate bids are tried."""
    actions = len(BID_OFFSETS) if view["phase"] == "bid" else len(legal)
    return budget.deal_count(
        actions, sum(view["hand_sizes"]), budget.resample_cost(len(root.plays))
    )


def rollout_config(view: View) -> flat_monte_carlo.RolloutConfig:
    """The policy nets and the utility with which rounds of this game are played out."""
    return flat_monte_carlo.RolloutConfig(
        policy.playout_nets(rules_of(view).net_family), policy.new_scratch(), utility_params(view)
    )


def evaluate_cards(
    deals: Deals,
    legal: Sequence[str],
    rollout: flat_monte_carlo.RolloutConfig,
    chance: Stream,
    budget: SearchBudget,
    deadline: Deadline,
) -> list[Candidate]:
    """Evaluates each card in the sampled rounds."""
    cards = [JASS.numbers[play[-2:]] for play in legal]
    sums = evaluate_in_deals(deals, card_set(cards), rollout, chance, budget, deadline)
    return rank_candidates([(play, sums[card]) for play, card in zip(legal, cards, strict=True)])


def evaluate_in_deals(
    deals: Deals,
    cards: int,
    rollout: flat_monte_carlo.RolloutConfig,
    chance: Stream,
    budget: SearchBudget,
    deadline: Deadline,
) -> flat_monte_carlo.Sums:
    """Evaluates each card in every deal, by playouts or, with few cards left, exactly."""
    sums = flat_monte_carlo.new_sums()
    held = int(deals[0, HANDS + deals[0, TURN]]).bit_count()
    if held <= budget.max_solved_cards:
        ending = endgame.new_stack(deals.shape[1])
        run_batches(
            deals,
            lambda part: endgame.solve_cards(part, cards, ending, rollout.utility_params, sums),
            deadline,
        )
    else:
        run_batches(
            deals,
            lambda part: flat_monte_carlo.evaluate_cards(part, cards, rollout, chance, sums),
            deadline,
        )
    return sums


def sample_deals(
    root: RootState,
    number: int,
    budget: SearchBudget,
    rollout: flat_monte_carlo.RolloutConfig,
    chance: Stream,
    deadline: Deadline,
) -> Deals:
    """Samples this number of possible current rounds."""
    # Without nets all plays are equally likely, so the plays do not favour any deal.
    sifting = budget.resample_ratio if len(root.plays) and len(rollout.nets) else 1
    deals = root.sample_initial_deals(number * sifting, chance)
    opponent_models.assign_models(deals, root, rollout, chance)
    if sifting > 1:
        return resample_deals(deals, number, root, rollout, chance, deadline)
    replay_all(deals, root.plays)
    return deals


def resample_deals(
    deals: Deals,
    number: int,
    root: RootState,
    rollout: flat_monte_carlo.RolloutConfig,
    chance: Stream,
    deadline: Deadline,
) -> Deals:
    """Resamples the initial deals, weighted by the likelihood of the plays since."""
    weights = np.zeros(len(deals))
    for start in range(0, len(deals), RESAMPLE_CHUNK_SIZE):
        part = slice(start, start + RESAMPLE_CHUNK_SIZE)
        weight_by_plays(
            deals[part], root.seat, root.plays, rollout.nets, rollout.scratch, weights[part]
        )
        if deadline.has_passed():
            break
    if not weights.any():  # a hand of trumps alone may undertrump (C9): too rare to be sampled
        weights[: start + RESAMPLE_CHUNK_SIZE] = 1.0
    kept = np.empty((number, deals.shape[1]), dtype=np.int64)
    resample(deals, weights**LIKELIHOOD_EXPONENT, kept, chance)
    return kept
