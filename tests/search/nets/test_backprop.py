"""The tape records the inputs of each score, and the gradient follows from them."""

import random

import numpy as np
import pytest

from jasstisch.engine.cards import JASS, cards_in_set
from jasstisch.search.nets import features, policy
from jasstisch.search.nets.backprop import backpropagate
from jasstisch.search.nets.weight_folding import fold_net_weights, unfold_gradient
from jasstisch.search.rounds import round_state
from tests.search import kernel_positions
from tests.search.nets.test_policy import OPENINGS, partner_net, untrained_net


def recorded(state: round_state.Round, net: features.Net) -> dict[int, np.ndarray]:
    """The inputs of the score of each legal card, as a factor for each row of the folded net."""
    tape, folded = policy.new_tape(), fold_net_weights(net)
    cards = int(round_state.legal_moves(state))
    policy.write_softmax_weights(state, cards, folded, policy.new_scratch(), tape)
    inputs = {card: np.zeros(len(folded) // features.HIDDEN) for card in cards_in_set(cards)}
    for place in range(tape.header[policy.TAPE_SIZE]):
        for card in cards_in_set(int(tape.cards[place])):
            inputs[card][tape.rows[place]] += tape.factors[place]
    return inputs


def score(inputs: np.ndarray, net: np.ndarray) -> float:
    """The score of a card, from the net in its trained form."""
    rows = fold_net_weights(net).astype(np.float64).reshape(-1, features.HIDDEN)
    output = net.reshape(-1, features.HIDDEN)[features.OUT_WEIGHTS // features.HIDDEN]
    return float(np.maximum(inputs @ rows, 0) @ output)


def net_for(name: str) -> features.Net:
    return partner_net() if name == "contracts" else untrained_net()


@pytest.mark.parametrize("name", OPENINGS)
def test_inputs_recorded_on_the_tape_reproduce_the_scores(name: str) -> None:
    net, scratch = net_for(name), policy.new_scratch()
    for seed in range(5):
        state, rng = OPENINGS[name](seed), random.Random(seed)
        while state[round_state.TURN] >= 0:
            legal = int(round_state.legal_moves(state))
            scores = np.array([score(one, net) for one in recorded(state, net).values()])
            expected = np.exp(scores - scores.max())
            total = policy.write_softmax_weights(state, legal, fold_net_weights(net), scratch)
            shares = scratch[policy.AT_WEIGHTS : policy.AT_WEIGHTS + len(scores)] / total
            assert shares == pytest.approx(expected / expected.sum(), abs=1e-4)
            round_state.play_card(state, rng.choice(list(cards_in_set(legal))))


@pytest.mark.parametrize("name", OPENINGS)
def test_gradient_equals_the_numerical_derivative_of_the_scores(name: str) -> None:
    net, rng = net_for(name).astype(np.float64), np.random.default_rng(1)
    direction = rng.normal(size=len(net))
    for seed in range(5):
        state = OPENINGS[name](seed)
        inputs = recorded(state, net.astype(np.float32))
        pushes, tape, folded = rng.normal(size=36), policy.new_tape(), fold_net_weights(net)
        cards, change = int(round_state.legal_moves(state)), np.zeros(len(folded))
        policy.write_softmax_weights(state, cards, folded, policy.new_scratch(), tape)
        backpropagate(tape, cards, pushes, folded, change)
        step = 1e-3
        ahead, behind = (
            sum(pushes[card] * score(one, net + side * direction) for card, one in inputs.items())
            for side in (step, -step)
        )
        slope = unfold_gradient(change) @ direction
        assert slope == pytest.approx((ahead - behind) / (2 * step), rel=0.02, abs=0.02)


def features_of(inputs: np.ndarray) -> np.ndarray:
    """The features of a card, as the net was trained on them.

    The score is linear in both up to the hidden layer, so the inputs unfold as a gradient does.
    """
    return unfold_gradient(np.repeat(inputs, features.HIDDEN))[:: features.HIDDEN]


def test_recorded_inputs_equal_the_features_of_the_position() -> None:
    """Hearts are trumps; seat 1 needs 30 points and plays to the nine of spades."""
    hands = ["9S KS 6D", "AS 6S JH", "TS 7S 8D", "QS 9D 9H"]
    state = kernel_positions.differenzler_ending(hands, [30, 30, 30, 30], "H")
    round_state.start_trick(state, 0)
    round_state.play_card(state, JASS.numbers["9S"])
    inputs = {
        JASS.texts[card]: features_of(one) for card, one in recorded(state, untrained_net()).items()
    }
    assert {*inputs} == {"AS", "6S", "JH"}
    of_state = {
        features.BIAS: 1,
        features.CARDS_IN_HAND: 3 / 9,
        features.LEADS: 0,
        features.SEATS_TO_COME: 2 / 3,
        features.TRUMPS_HELD: 1 / 5,
        features.TRUMPS_OUT: 8 / 5,
        features.BUR_HELD: 1,
        features.NELL_HELD: 0,
        features.POINTS_LEFT: 157 / 100,
        features.MASTERS: 2 / 4,
        features.POINTS_NEEDED: 30 / 30,
        features.POINTLESS: 1,
    }
    for found in inputs.values():
        assert {one: found[one] for one in of_state} == pytest.approx(of_state, abs=1e-6)
    of_cards = {
        features.WINS: {"AS": 1, "6S": 0, "JH": 1},
        features.WINS_FOR_SURE: {"AS": 0, "6S": 0, "JH": 1},
        features.BEATERS: {"AS": 8 / 6, "6S": 0, "JH": 0},
        features.VALUE: {"AS": 1, "6S": 0, "JH": 20 / 11},
        features.POT_WON: {"AS": 11 / 20, "6S": 0, "JH": 1},
        features.IS_TRUMP: {"AS": 0, "6S": 0, "JH": 1},
        features.FOLLOWS: {"AS": 1, "6S": 1, "JH": 0},
        features.SUIT_LEFT: {"AS": 1 / 5, "6S": 1 / 5, "JH": 0},
        features.SUIT_OUT: {"AS": 6 / 5, "6S": 6 / 5, "JH": 8 / 5},
        features.LOWER_OUT: {"AS": 6 / 5, "6S": 0, "JH": 8 / 5},
        features.LOWER_LEFT: {"AS": 1 / 4, "6S": 0, "JH": 0},
        features.HIGHER_LEFT: {"AS": 0, "6S": 1 / 4, "JH": 0},
        features.RANK: {"AS": 1, "6S": 0, "JH": 5 / 8},
        features.IS_BUR: {"AS": 0, "6S": 0, "JH": 1},
    }
    for feature, expected in of_cards.items():
        values = {card: found[features.STATE_FEATURES + feature] for card, found in inputs.items()}
        assert values == pytest.approx(expected, abs=1e-6)


def test_partner_features_describe_the_trick_holder_and_smeared_points() -> None:
    """In a game of sides, a card that does not win is smeared on the partner or given away."""
    for seed in range(20):
        state, rng = OPENINGS["contracts"](seed), random.Random(seed)
        while state[round_state.TURN] >= 0:
            seat, holder = state[round_state.TURN], state[round_state.TRICK_HOLDER]
            partners = float(state[round_state.TRICK_SIZE] > 0 and holder == (seat + 2) % 4)
            for one in recorded(state, partner_net()).values():
                found = features_of(one)
                of_partner = features.NET_SIZE // features.HIDDEN
                of_card = of_partner + features.PARTNER_STATE_FEATURES
                wins = found[features.STATE_FEATURES + features.WINS]
                value = found[features.STATE_FEATURES + features.VALUE]
                assert found[of_partner + features.PARTNER_HOLDS] == pytest.approx(
                    partners, abs=1e-6
                )
                assert found[of_card + features.OVERTAKES] == pytest.approx(
                    partners * wins, abs=1e-6
                )
                smeared = value * partners * (1 - wins)
                assert found[of_card + features.SMEARED] == pytest.approx(smeared, abs=1e-6)
            legal = list(cards_in_set(int(round_state.legal_moves(state))))
            round_state.play_card(state, rng.choice(legal))
