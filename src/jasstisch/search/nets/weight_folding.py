"""Weight folding: weights that always occur together are added up to one row.

A net is trained on features that people understand (`features`), and many of them depend on each
other: a card of the own hand that is not higher is lower, and the points of a trick enter several
features. Folding adds up their weights to fewer rows with the same scores. A feature with few
values gets a row for each value, and rows of value 0 are omitted. Folding is linear, so the same
sums carry a gradient of the rows back to the features.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jasstisch.engine import tricks
from jasstisch.games.evaluation.trick_odds import SIDE_CARD_FORCED_RATE, TRUMP_FORCED_RATE
from jasstisch.search.jit.simd import LANES
from jasstisch.search.nets import features
from jasstisch.search.nets.features import (
    CARD_FEATURES,
    NET_SIZE,
    PARTNER_CARD_FEATURES,
    PARTNER_STATE_FEATURES,
    STATE_FEATURES,
)

_RowArray = NDArray[np.float64]

POINTS_BY_SUIT_KIND = (
    tricks.PLAIN_POINTS,
    tricks.TRUMP_POINTS,
    tricks.TOPS_POINTS,
    tricks.BOTTOMS_POINTS,
)
"""The points of the cards of a suit, by its kind."""


def suit_kind(suit: int, ranking: int) -> int:
    """The kind of a suit in a ranking, as an index into `POINTS`."""
    return {suit: 1, tricks.TOPS: 2, tricks.BOTTOMS: 3}.get(ranking, 0)


_MAX_HELD = 12
_MAX_TO_COME = 5

# The rows of the state. Where a comment adds something, there is a row for each value.
CARDS_IN_HAND = 0  # + cards in hand
SEATS_TO_COME = CARDS_IN_HAND + _MAX_HELD + 1  # + 2 × seats to come + 1 with the lead
TRICK_FLAGS = SEATS_TO_COME + 2 * (_MAX_TO_COME + 1)  # + 1 if ruffed + 2 if trumps were led
SCORE_FLAGS = TRICK_FLAGS + 4  # + 1 with enough points + 2 without any + 4 with the most
TRUMP_FLAGS = SCORE_FLAGS + 8  # + 1 with the Bur + 2 with the Nell; + 4 without a trump
(
    POT,
    POINTS_LEFT,
    EXPECTED_POINTS,
    MASTERS,
    POINTS_NEEDED,
    EXPECTED_SHORTFALL,
    POINTS_NEEDED_FINE,
    OWN_POINTS,
    MOST_POINTS,
    LEAST_POINTS,
    HOLDER_POINTS,
    SHORTFALL_BEYOND_REST,
    FORCED_POINTS,
    TRUMPS_HELD,
    TRUMPS_OUT,
) = range(TRUMP_FLAGS + 5, TRUMP_FLAGS + 20)
# Rows of a suit.
SUIT_CARDS_OUT = TRUMPS_OUT + 1  # + cards out + 10 if it is trump
SUIT_CARDS_HELD = SUIT_CARDS_OUT + 20  # + other cards of it in hand
FOLLOW_KIND = SUIT_CARDS_HELD + _MAX_HELD  # + 1 if it was led + 2 if it is discarded
VOIDS_TO_COME, RUFFERS, POINTS_TO_COME, POT_GIVEN = range(FOLLOW_KIND + 3, FOLLOW_KIND + 7)
# Rows of a card.
CARD_ROWS = POT_GIVEN + 1  # + rank + 9 × kind of suit
LOWER_OUT = CARD_ROWS + tricks.RANKS * len(
    POINTS_BY_SUIT_KIND
)  # + cards out + 10 if the suit is trump
SHORTFALL_IF_TAKEN = LOWER_OUT + 20  # + 1 below 0
SHORTFALL_IF_DUCKED = SHORTFALL_IF_TAKEN + 2  # + 1 below 0 + 2 if the card wins
WINS = SHORTFALL_IF_DUCKED + 4  # + 1 for sure + 2 as the last
(
    HIGHER_LEFT,
    FUTURE_WIN_RATE,
    FORCED_POINTS_LEFT,
    EXPECTED_ABS_SHORTFALL,
    BEATERS,
    POT_WON,
    WIN_PROBABILITY,
    POT_TAKEN,
    EXPECTED_POINTS_TO_COME,
    BOMB_WON,
    BOMB_GIVEN,
    BOMBS_TO_COME,
    FORCED_RATE,
    MAKES_TRUMP,
    REVALUED_OWN,
    REVALUED_WON,
    REVALUED_OTHERS,
    OUTPUT,
) = range(WINS + 4, WINS + 22)
FIRST_PARTNER_STATE_ROW = OUTPUT + 1  # + the indices in `features`
FIRST_PARTNER_CARD_ROW = FIRST_PARTNER_STATE_ROW + PARTNER_STATE_FEATURES
FOLDED_SIZE = FIRST_PARTNER_STATE_ROW * LANES
"""The size of a folded net without partners; a net for partners is larger."""


def fold_net_weights(net: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    """Folds a net into its rows, as one flat array."""
    return _fold_rows(net.astype(np.float64).reshape(-1, LANES)).astype(np.float32).ravel()


def unfold_gradient(gradient: _RowArray) -> _RowArray:
    """The gradient of the weights of a net from that of its folded rows, both as flat arrays."""
    rows = gradient.reshape(-1, LANES)
    return (_folding(len(rows) > FIRST_PARTNER_STATE_ROW).T @ rows).ravel()


@cache
def _folding(partners: bool) -> _RowArray:
    """The matrix by which the weights of a net are folded, without or with those for partners."""
    return _fold_rows(np.eye((features.PARTNER_NET_SIZE if partners else NET_SIZE) // LANES))


def _fold_rows(learned: _RowArray) -> _RowArray:
    """Folds the rows of weights of a net, each of any length."""
    places, cards = (
        learned[:STATE_FEATURES],
        learned[STATE_FEATURES : STATE_FEATURES + CARD_FEATURES],
    )
    rows = np.zeros((FIRST_PARTNER_STATE_ROW, learned.shape[1]))
    _fold_state(places, rows)
    _fold_suits(cards, rows)
    _fold_cards(cards, rows)
    _fold_winners(cards, rows)
    rows[OUTPUT] = learned[STATE_FEATURES + CARD_FEATURES]
    partners = learned[NET_SIZE // LANES :]
    assert len(partners) in {0, PARTNER_STATE_FEATURES + PARTNER_CARD_FEATURES}
    return np.concatenate((rows, partners))


def _fold_state(places: _RowArray, rows: _RowArray) -> None:
    for held in range(_MAX_HELD + 1):
        rows[CARDS_IN_HAND + held] = (
            places[features.BIAS] + places[features.CARDS_IN_HAND] * held / 9
        )
    for to_come in range(_MAX_TO_COME + 1):
        here = places[features.SEATS_TO_COME] * to_come / 3 + places[features.IS_LAST_TO_PLAY] * (
            to_come == 0
        )
        rows[SEATS_TO_COME + 2 * to_come] = here
        rows[SEATS_TO_COME + 2 * to_come + 1] = here + places[features.LEADS]
    _fold_flags(places, rows, TRICK_FLAGS, features.RUFFED, features.TRUMPS_LED)
    _fold_flags(
        places,
        rows,
        SCORE_FLAGS,
        features.TARGET_REACHED,
        features.POINTLESS,
        features.LEADS_ON_POINTS,
    )
    _fold_flags(places, rows, TRUMP_FLAGS, features.BUR_HELD, features.NELL_HELD)
    rows[TRUMP_FLAGS + 4] = places[features.NO_TRUMP]
    rows[POT] = places[features.POT] / 20
    rows[POINTS_LEFT] = places[features.POINTS_LEFT] / 100
    rows[EXPECTED_POINTS] = places[features.EXPECTED_POINTS] / 50
    rows[MASTERS] = places[features.MASTERS] / 4
    rows[POINTS_NEEDED] = places[features.POINTS_NEEDED]
    rows[EXPECTED_SHORTFALL] = places[features.EXPECTED_SHORTFALL]
    rows[POINTS_NEEDED_FINE] = places[features.POINTS_NEEDED_FINE]
    rows[OWN_POINTS] = places[features.OWN_POINTS] / 50
    rows[MOST_POINTS] = places[features.MOST_POINTS] / 50
    rows[LEAST_POINTS] = places[features.LEAST_POINTS] / 50
    rows[HOLDER_POINTS] = places[features.HOLDER_POINTS] / 50
    rows[SHORTFALL_BEYOND_REST] = places[features.SHORTFALL_BEYOND_REST]
    rows[FORCED_POINTS] = places[features.FORCED_POINTS] / 50
    rows[TRUMPS_HELD] = places[features.TRUMPS_HELD] / 5
    rows[TRUMPS_OUT] = places[features.TRUMPS_OUT] / 5


def _fold_flags(features: _RowArray, rows: _RowArray, first: int, *flags: int) -> None:
    """Writes a row for each combination of boolean features, the first one with weight 1."""
    for chosen in range(1 << len(flags)):
        for bit, flag in enumerate(flags):
            rows[first + chosen] += features[flag] * (chosen >> bit & 1)


def _fold_suits(cards: _RowArray, rows: _RowArray) -> None:
    for out in range(10):
        side, trump = SUIT_CARDS_OUT + out, SUIT_CARDS_OUT + 10 + out
        rows[side] = cards[features.SUIT_OUT] * out / 5 + cards[features.SUIT_EXCLUSIVE] * (
            out == 0
        )
        rows[trump] = rows[side] + cards[features.IS_TRUMP]
        rows[trump] += cards[features.FORCED_RATE] * TRUMP_FORCED_RATE / (out + 1)
    for others in range(_MAX_HELD):
        rows[SUIT_CARDS_HELD + others] = others * (
            cards[features.SUIT_LEFT] / 5 + cards[features.LOWER_LEFT] / 4
        )
    rows[FOLLOW_KIND + 1] = cards[features.FOLLOWS]
    rows[FOLLOW_KIND + 2] = cards[features.DISCARDS]
    rows[VOIDS_TO_COME] = cards[features.VOID_TO_COME] / 3
    rows[RUFFERS] = cards[features.RUFFERS] / 3
    rows[POINTS_TO_COME] = cards[features.POINTS_TO_COME] / 20
    rows[POT_GIVEN] = cards[features.POT_GIVEN] / 20


def _fold_cards(cards: _RowArray, rows: _RowArray) -> None:
    for own_kind, counts in enumerate(POINTS_BY_SUIT_KIND):
        for rank in range(tricks.RANKS):
            rows[CARD_ROWS + tricks.RANKS * own_kind + rank] = (
                cards[features.RANK] * rank / 8
                + (cards[features.VALUE] / 11 + cards[features.POT_GIVEN] / 20) * counts[rank]
                + cards[features.IS_BUR] * (own_kind == 1 and rank == 5)
                + cards[features.IS_NELL] * (own_kind == 1 and rank == 3)
            )
    for out in range(10):
        both = cards[features.LOWER_OUT] / 5 + cards[features.LOWER_SHARE] / max(1, out)
        rows[LOWER_OUT + out] = both + cards[features.FORCED_RATE] * SIDE_CARD_FORCED_RATE / max(
            1, out
        )
        rows[LOWER_OUT + 10 + out] = both + cards[features.FORCED_RATE] * TRUMP_FORCED_RATE / (
            out + 1
        )
    rows[HIGHER_LEFT] = (cards[features.HIGHER_LEFT] - cards[features.LOWER_LEFT]) / 4
    rows[FUTURE_WIN_RATE] = cards[features.FUTURE_WIN_RATE]
    rows[FORCED_POINTS_LEFT] = (
        cards[features.FORCED_POINTS_LEFT] + cards[features.EXPECTED_TOTAL_POINTS]
    ) / 50
    for below in range(2):
        sign = -1 if below else 1
        rows[SHORTFALL_IF_TAKEN + below] = (
            cards[features.SHORTFALL_IF_TAKEN] + sign * cards[features.ABS_SHORTFALL_IF_TAKEN]
        )
        ducked = (
            cards[features.SHORTFALL_IF_DUCKED] + sign * cards[features.ABS_SHORTFALL_IF_DUCKED]
        )
        rows[SHORTFALL_IF_DUCKED + below] = ducked + sign * cards[features.EXPECTED_ABS_SHORTFALL]
        rows[SHORTFALL_IF_DUCKED + below + 2] = ducked
    rows[BOMB_GIVEN] = cards[features.BOMB_GIVEN] / 20
    rows[BOMBS_TO_COME] = cards[features.BOMBS_TO_COME] / 2
    rows[FORCED_RATE] = cards[features.FORCED_RATE]
    rows[MAKES_TRUMP] = cards[features.MAKES_TRUMP]
    rows[REVALUED_OWN] = cards[features.REVALUED_OWN] / 20
    rows[REVALUED_OTHERS] = cards[features.REVALUED_OTHERS] / 20


def _fold_winners(cards: _RowArray, rows: _RowArray) -> None:
    _fold_flags(cards, rows, WINS, features.WINS_FOR_SURE, features.TAKES_LAST)
    rows[WINS : WINS + 4] += cards[features.WINS]
    rows[EXPECTED_ABS_SHORTFALL] = cards[features.EXPECTED_ABS_SHORTFALL]
    rows[BEATERS] = cards[features.BEATERS] / 6
    rows[POT_WON] = (cards[features.POT_WON] - cards[features.POT_GIVEN]) / 20
    rows[WIN_PROBABILITY] = cards[features.WIN_PROBABILITY]
    rows[EXPECTED_POINTS_TO_COME] = (
        cards[features.EXPECTED_TRICK_POINTS] / 20 + cards[features.EXPECTED_TOTAL_POINTS] / 50
    )
    rows[POT_TAKEN] = rows[EXPECTED_POINTS_TO_COME] + cards[features.POT_TAKEN] / 20
    rows[BOMB_WON] = cards[features.BOMB_WON] / 20
    rows[REVALUED_WON] = cards[features.REVALUED_WON] / 20
