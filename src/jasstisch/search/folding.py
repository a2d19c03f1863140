"""A net as playouts read it: weights that always come together are one row.

A net is learned over features that a reader understands (`features`), and many of them follow from
each other: a card of the own hand that is not higher is lower, and what a trick brings counts in
several ways. Added up, their weights are fewer rows and give the same scores. Where features take
few values there is a row for each, and those of 0 are left out.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from jasstisch import tricks
from jasstisch.bots.odds import SIDE_CARD_FORCED_RATE, TRUMP_FORCED_RATE
from jasstisch.search import slots
from jasstisch.search.features import NET_SIZE
from jasstisch.search.lanes import LANES
from jasstisch.search.slots import (
    CARD_FEATURES,
    PARTNER_CARD_FEATURES,
    PARTNER_STATE_FEATURES,
    STATE_FEATURES,
)

__all__ = ["FOLDED_SIZE", "POINTS_BY_SUIT_KIND", "fold", "suit_kind"]

RowArray = NDArray[np.float64]

POINTS_BY_SUIT_KIND = (
    tricks.PLAIN_POINTS,
    tricks.TRUMP_POINTS,
    tricks.TOPS_POINTS,
    tricks.BOTTOMS_POINTS,
)
"""What the cards of a suit count, by its kind."""


def suit_kind(suit: int, ranking: int) -> int:
    """What kind of suit this one is where cards count by a ranking: its place in `POINTS`."""
    return {suit: 1, tricks.TOPS: 2, tricks.BOTTOMS: 3}.get(ranking, 0)


MAX_HELD = 12
MAX_TO_COME = 5

# The rows of a situation. Where something is added, there is a row for each.
CARDS_IN_HAND = 0  # + cards in hand
SEATS_TO_COME = CARDS_IN_HAND + MAX_HELD + 1  # + 2 × seats to come + 1 with the lead
TRICK_FLAGS = SEATS_TO_COME + 2 * (MAX_TO_COME + 1)  # + 1 if ruffed + 2 if trumps were led
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
# Of a suit.
SUIT_CARDS_OUT = TRUMPS_OUT + 1  # + cards out + 10 if it is trump
SUIT_CARDS_HELD = SUIT_CARDS_OUT + 20  # + other cards of it in hand
FOLLOW_KIND = SUIT_CARDS_HELD + MAX_HELD  # + 1 if it was led + 2 if it is discarded
VOIDS_TO_COME, RUFFERS, POINTS_TO_COME, POT_GIVEN = range(FOLLOW_KIND + 3, FOLLOW_KIND + 7)
# Of a card.
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
FIRST_PARTNER_STATE_ROW = OUTPUT + 1  # + those of `slots`
FIRST_PARTNER_CARD_ROW = FIRST_PARTNER_STATE_ROW + PARTNER_STATE_FEATURES
FOLDED_SIZE = FIRST_PARTNER_STATE_ROW * LANES
"""Numbers in a folded net without partners; one with partners has more."""


def fold(net: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    """The rows of a net, one after the other."""
    learned = net.astype(np.float64).reshape(-1, LANES)
    places, cards = (
        learned[:STATE_FEATURES],
        learned[STATE_FEATURES : STATE_FEATURES + CARD_FEATURES],
    )
    rows = np.zeros((FIRST_PARTNER_STATE_ROW, LANES))
    _fold_state(places, rows)
    _fold_suits(cards, rows)
    _fold_cards(cards, rows)
    _fold_winners(cards, rows)
    rows[OUTPUT] = learned[STATE_FEATURES + CARD_FEATURES]
    partners = learned[NET_SIZE // LANES :]
    assert len(partners) in {0, PARTNER_STATE_FEATURES + PARTNER_CARD_FEATURES}
    return np.concatenate((rows, partners)).astype(np.float32).ravel()


def _fold_state(places: RowArray, rows: RowArray) -> None:
    for held in range(MAX_HELD + 1):
        rows[CARDS_IN_HAND + held] = places[slots.BIAS] + places[slots.CARDS_IN_HAND] * held / 9
    for to_come in range(MAX_TO_COME + 1):
        here = places[slots.SEATS_TO_COME] * to_come / 3 + places[slots.IS_LAST_TO_PLAY] * (
            to_come == 0
        )
        rows[SEATS_TO_COME + 2 * to_come] = here
        rows[SEATS_TO_COME + 2 * to_come + 1] = here + places[slots.LEADS]
    _fold_flags(places, rows, TRICK_FLAGS, slots.RUFFED, slots.TRUMPS_LED)
    _fold_flags(
        places, rows, SCORE_FLAGS, slots.TARGET_REACHED, slots.POINTLESS, slots.LEADS_ON_POINTS
    )
    _fold_flags(places, rows, TRUMP_FLAGS, slots.BUR_HELD, slots.NELL_HELD)
    rows[TRUMP_FLAGS + 4] = places[slots.NO_TRUMP]
    rows[POT] = places[slots.POT] / 20
    rows[POINTS_LEFT] = places[slots.POINTS_LEFT] / 100
    rows[EXPECTED_POINTS] = places[slots.EXPECTED_POINTS] / 50
    rows[MASTERS] = places[slots.MASTERS] / 4
    rows[POINTS_NEEDED] = places[slots.POINTS_NEEDED]
    rows[EXPECTED_SHORTFALL] = places[slots.EXPECTED_SHORTFALL]
    rows[POINTS_NEEDED_FINE] = places[slots.POINTS_NEEDED_FINE]
    rows[OWN_POINTS] = places[slots.OWN_POINTS] / 50
    rows[MOST_POINTS] = places[slots.MOST_POINTS] / 50
    rows[LEAST_POINTS] = places[slots.LEAST_POINTS] / 50
    rows[HOLDER_POINTS] = places[slots.HOLDER_POINTS] / 50
    rows[SHORTFALL_BEYOND_REST] = places[slots.SHORTFALL_BEYOND_REST]
    rows[FORCED_POINTS] = places[slots.FORCED_POINTS] / 50
    rows[TRUMPS_HELD] = places[slots.TRUMPS_HELD] / 5
    rows[TRUMPS_OUT] = places[slots.TRUMPS_OUT] / 5


def _fold_flags(features: RowArray, rows: RowArray, first: int, *flags: int) -> None:
    """A row for each choice among features that are true or not, the first one counting 1."""
    for chosen in range(1 << len(flags)):
        for bit, flag in enumerate(flags):
            rows[first + chosen] += features[flag] * (chosen >> bit & 1)


def _fold_suits(cards: RowArray, rows: RowArray) -> None:
    for out in range(10):
        side, trump = SUIT_CARDS_OUT + out, SUIT_CARDS_OUT + 10 + out
        rows[side] = cards[slots.SUIT_OUT] * out / 5 + cards[slots.SUIT_EXCLUSIVE] * (out == 0)
        rows[trump] = rows[side] + cards[slots.IS_TRUMP]
        rows[trump] += cards[slots.FORCED_RATE] * TRUMP_FORCED_RATE / (out + 1)
    for others in range(MAX_HELD):
        rows[SUIT_CARDS_HELD + others] = others * (
            cards[slots.SUIT_LEFT] / 5 + cards[slots.LOWER_LEFT] / 4
        )
    rows[FOLLOW_KIND + 1] = cards[slots.FOLLOWS]
    rows[FOLLOW_KIND + 2] = cards[slots.DISCARDS]
    rows[VOIDS_TO_COME] = cards[slots.VOID_TO_COME] / 3
    rows[RUFFERS] = cards[slots.RUFFERS] / 3
    rows[POINTS_TO_COME] = cards[slots.POINTS_TO_COME] / 20
    rows[POT_GIVEN] = cards[slots.POT_GIVEN] / 20


def _fold_cards(cards: RowArray, rows: RowArray) -> None:
    for own_kind, counts in enumerate(POINTS_BY_SUIT_KIND):
        for rank in range(tricks.RANKS):
            rows[CARD_ROWS + tricks.RANKS * own_kind + rank] = (
                cards[slots.RANK] * rank / 8
                + (cards[slots.VALUE] / 11 + cards[slots.POT_GIVEN] / 20) * counts[rank]
                + cards[slots.IS_BUR] * (own_kind == 1 and rank == 5)
                + cards[slots.IS_NELL] * (own_kind == 1 and rank == 3)
            )
    for out in range(10):
        both = cards[slots.LOWER_OUT] / 5 + cards[slots.LOWER_SHARE] / max(1, out)
        rows[LOWER_OUT + out] = both + cards[slots.FORCED_RATE] * SIDE_CARD_FORCED_RATE / max(
            1, out
        )
        rows[LOWER_OUT + 10 + out] = both + cards[slots.FORCED_RATE] * TRUMP_FORCED_RATE / (out + 1)
    rows[HIGHER_LEFT] = (cards[slots.HIGHER_LEFT] - cards[slots.LOWER_LEFT]) / 4
    rows[FUTURE_WIN_RATE] = cards[slots.FUTURE_WIN_RATE]
    rows[FORCED_POINTS_LEFT] = (
        cards[slots.FORCED_POINTS_LEFT] + cards[slots.EXPECTED_TOTAL_POINTS]
    ) / 50
    for below in range(2):
        sign = -1 if below else 1
        rows[SHORTFALL_IF_TAKEN + below] = (
            cards[slots.SHORTFALL_IF_TAKEN] + sign * cards[slots.ABS_SHORTFALL_IF_TAKEN]
        )
        ducked = cards[slots.SHORTFALL_IF_DUCKED] + sign * cards[slots.ABS_SHORTFALL_IF_DUCKED]
        rows[SHORTFALL_IF_DUCKED + below] = ducked + sign * cards[slots.EXPECTED_ABS_SHORTFALL]
        rows[SHORTFALL_IF_DUCKED + below + 2] = ducked
    rows[BOMB_GIVEN] = cards[slots.BOMB_GIVEN] / 20
    rows[BOMBS_TO_COME] = cards[slots.BOMBS_TO_COME] / 2
    rows[FORCED_RATE] = cards[slots.FORCED_RATE]
    rows[MAKES_TRUMP] = cards[slots.MAKES_TRUMP]
    rows[REVALUED_OWN] = cards[slots.REVALUED_OWN] / 20
    rows[REVALUED_OTHERS] = cards[slots.REVALUED_OTHERS] / 20


def _fold_winners(cards: RowArray, rows: RowArray) -> None:
    _fold_flags(cards, rows, WINS, slots.WINS_FOR_SURE, slots.TAKES_LAST)
    rows[WINS : WINS + 4] += cards[slots.WINS]
    rows[EXPECTED_ABS_SHORTFALL] = cards[slots.EXPECTED_ABS_SHORTFALL]
    rows[BEATERS] = cards[slots.BEATERS] / 6
    rows[POT_WON] = (cards[slots.POT_WON] - cards[slots.POT_GIVEN]) / 20
    rows[WIN_PROBABILITY] = cards[slots.WIN_PROBABILITY]
    rows[EXPECTED_POINTS_TO_COME] = (
        cards[slots.EXPECTED_TRICK_POINTS] / 20 + cards[slots.EXPECTED_TOTAL_POINTS] / 50
    )
    rows[POT_TAKEN] = rows[EXPECTED_POINTS_TO_COME] + cards[slots.POT_TAKEN] / 20
    rows[BOMB_WON] = cards[slots.BOMB_WON] / 20
    rows[REVALUED_WON] = cards[slots.REVALUED_WON] / 20
