"""Determinization: sampled bids and policies, and deals weighted by the plays seen."""

import random

import numpy as np
import pytest

from jasstisch.search.jit.prng import new_stream
from jasstisch.search.nets import bid_model, features, policy
from jasstisch.search.rounds import round_state
from jasstisch.search.sampling import determinization
from tests.search import kernel_positions
from tests.search.kernel_positions import card

UNIFORM_NET = policy.fold_nets([np.zeros(features.NET_SIZE, dtype=np.float32)])
"""A net that gives all legal cards the same probability."""


def opening() -> round_state.Round:
    hands = ["AS KS 9H", "7H 7S 7D", "8H 8S 8D", "9S TH 9D"]
    return kernel_positions.differenzler_ending(hands, [30, 0, 0, 0], "S")


def test_weight_of_a_deal_is_the_probability_of_the_plays_of_others() -> None:
    """Seats 1 and 2 have two legal cards each, their only heart and a trump."""
    dealt = kernel_positions.sample_deals(opening())
    found = np.zeros(1)
    plays = np.array([card("9H"), card("7H"), card("8H")])
    determinization.weight_by_plays(dealt, 0, plays, UNIFORM_NET, policy.new_scratch(), found)
    assert found[0] == pytest.approx(1 / 4)
    assert list(dealt[0, [round_state.TRICK_SIZE, round_state.TURN]]) == [3, 3]


def test_deal_in_which_a_play_is_illegal_has_weight_zero() -> None:
    dealt = kernel_positions.sample_deals(opening())
    found = np.ones(1)
    plays = np.array([card("9H"), card("7D")])
    determinization.weight_by_plays(dealt, 0, plays, UNIFORM_NET, policy.new_scratch(), found)
    assert found[0] == 0


def test_own_plays_do_not_change_the_weight_of_a_deal() -> None:
    dealt = kernel_positions.sample_deals(opening())
    found = np.zeros(1)
    determinization.weight_by_plays(
        dealt, 0, np.array([card("9H")]), UNIFORM_NET, policy.new_scratch(), found
    )
    assert found[0] == 1


def test_resample_keeps_deals_in_proportion_to_their_weights() -> None:
    dealt = np.arange(4, dtype=np.int64).reshape(4, 1)
    kept = np.empty((1000, 1), dtype=np.int64)
    shares = np.array([0.1, 0.0, 0.6, 0.3])
    assert determinization.resample(
        dealt, shares, kept, new_stream(random.Random(1))
    ) == pytest.approx(1)
    counts = [int((kept == row).sum()) for row in range(4)]
    assert counts == pytest.approx([100, 0, 600, 300], abs=1)


def test_resample_keeps_no_deal_if_all_weights_are_zero() -> None:
    dealt = np.zeros((2, 1), dtype=np.int64)
    kept = np.full((3, 1), 7, dtype=np.int64)
    assert determinization.resample(dealt, np.zeros(2), kept, new_stream(random.Random(1))) == 0
    assert (kept == 7).all()


def test_sampled_bids_lie_around_the_predicted_bid() -> None:
    dealt = np.tile(opening(), (2000, 1))
    dealt[:, round_state.POLICIES] = 1 << 4 * 3
    weights = np.zeros((2, bid_model.FEATURE_COUNT))
    weights[:, 0] = [40.0, 60.0]
    spreads = np.array([10.0, 0.0])
    determinization.sample_bids(
        dealt, np.array([1, 3]), weights, spreads, new_stream(random.Random(2))
    )
    assert set(dealt[:, round_state.TARGET + 3]) == {60}, "another policy, another bid"
    guessed = dealt[:, round_state.TARGET + 1]
    assert (int(guessed.min()), int(guessed.max())) == (30, 50)
    assert guessed.mean() == pytest.approx(40, abs=0.5)
    assert set(dealt[:, round_state.TARGET]) == {30}, "one's own bid is known"
    assert set(dealt[:, round_state.TARGET + 2]) == {0}


def test_sampled_bids_are_never_negative() -> None:
    dealt = np.tile(opening(), (50, 1))
    zero_weights = np.zeros((1, bid_model.FEATURE_COUNT))
    determinization.sample_bids(
        dealt, np.array([1]), zero_weights, np.array([10.0]), new_stream(random.Random(2))
    )
    assert dealt[:, round_state.TARGET + 1].min() == 0


def test_policies_are_sampled_with_their_probabilities() -> None:
    dealt = np.tile(opening(), (4000, 1))
    chances = np.tile([0.75, 0.25], (round_state.SEATS, 1))
    chances[2] = [0.0, 1.0]
    determinization.sample_policies(dealt, 0, chances, new_stream(random.Random(3)))
    drawn = [[int(round_state.policy_index(deal, seat)) for deal in dealt] for seat in range(4)]
    assert set(drawn[0]) == {0}, "one's own policy is known"
    assert np.mean(drawn[1]) == pytest.approx(0.25, abs=0.03)
    assert set(drawn[2]) == {1}
    assert np.mean(np.array(drawn[1]) * drawn[3]) == pytest.approx(1 / 16, abs=0.02)


def test_policy_that_predicts_the_plays_gets_the_higher_likelihood() -> None:
    """One net prefers high cards and the other low ones; seat 1 plays low."""
    high, low = rank_net(1.0), rank_net(-1.0)
    nets, plays = policy.fold_nets([high, low]), np.array([card("AS"), card("7S"), card("8S")])
    hands = ["AS KS 9H", "7S TS AH", "8S QS 8D", "9S JS 9D"]
    likelihoods = np.zeros((2, round_state.SEATS))
    for policy_number in range(2):
        dealt = kernel_positions.sample_deals(
            kernel_positions.differenzler_ending(hands, [30, 0, 0, 0], "H")
        )
        determinization.set_policy(dealt, policy_number)
        determinization.play_log_likelihoods(
            dealt, 2, plays, nets, policy.new_scratch(), likelihoods[policy_number]
        )
    assert likelihoods[1, 1] > likelihoods[0, 1] + 0.5
    assert likelihoods[0, 0] > likelihoods[1, 0] + 0.3
    assert likelihoods[0, 3] == likelihoods[1, 3] == 0, "it has not played"
    assert likelihoods[0, 2] == likelihoods[1, 2] == 0, "it is the observer"


def rank_net(towards_high: float) -> features.Net:
    """A net that scores a card by its rank alone."""
    net = np.zeros(features.NET_SIZE, dtype=np.float32)
    rank = 14
    net[features.CARD_WEIGHTS + rank * features.HIDDEN] = 4 * towards_high
    net[0] = 4.0  # the bias, which keeps the hidden units above zero
    net[features.OUT_WEIGHTS] = 1.0
    return net
