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
from jasstisch.bots.odds import SIDE_STUCK, TRUMP_STUCK
from jasstisch.search import slots
from jasstisch.search.features import NET
from jasstisch.search.lanes import LANES
from jasstisch.search.slots import CARD_FEATURES, PARTNER_FEATURES, PARTNER_PLACES, PLACES

__all__ = ["FOLDED", "POINTS", "fold", "kind"]

Rows = NDArray[np.float64]

POINTS = (tricks.PLAIN_POINTS, tricks.TRUMP_POINTS, tricks.TOPS_POINTS, tricks.BOTTOMS_POINTS)
"""What the cards of a suit count, by its kind."""


def kind(suit: int, ranking: int) -> int:
    """What kind of suit this one is where cards count by a ranking: its place in `POINTS`."""
    return {suit: 1, tricks.TOPS: 2, tricks.BOTTOMS: 3}.get(ranking, 0)


MOST_HELD = 12
MOST_TO_COME = 5

# The rows of a situation. Where something is added, there is a row for each.
HELD = 0  # + cards in hand
TO_COME = HELD + MOST_HELD + 1  # + 2 × seats to come + 1 with the lead
TRICK = TO_COME + 2 * (MOST_TO_COME + 1)  # + 1 if ruffed + 2 if trumps were led
STANDING = TRICK + 4  # + 1 with enough points + 2 without any + 4 with the most
TRUMPS = STANDING + 8  # + 1 with the Bur + 2 with the Nell; + 4 without a trump
(
    POT,
    REST,
    PROMISE,
    MASTERS,
    NEED,
    LACK,
    NEARLY,
    OWN_POINTS,
    MOST_POINTS,
    LEAST_POINTS,
    HOLDER_POINTS,
    BEYOND_REST,
    BURDEN,
    TRUMPS_HELD,
    TRUMPS_OUT,
) = range(TRUMPS + 5, TRUMPS + 20)
# Of a suit.
OUT = TRUMPS_OUT + 1  # + cards out + 10 if it is trump
OTHERS = OUT + 20  # + other cards of it in hand
FOLLOWING = OTHERS + MOST_HELD  # + 1 if it was led + 2 if it is discarded
VOID, RUFFERS, COMING, POT_GIVEN = range(FOLLOWING + 3, FOLLOWING + 7)
# Of a card.
CARD_OF = POT_GIVEN + 1  # + rank + 9 × kind of suit
LOWER_OUT = CARD_OF + tricks.RANKS * len(POINTS)  # + cards out + 10 if the suit is trump
TAKEN = LOWER_OUT + 20  # + 1 below 0
DUCKED = TAKEN + 2  # + 1 below 0 + 2 if the card wins
WINS = DUCKED + 4  # + 1 for sure + 2 as the last
(
    HIGHER_LEFT,
    WOULD_TAKE,
    HEAVY,
    OFF,
    BEATERS,
    POT_WON,
    TAKES,
    POT_TAKEN,
    COMING_TAKEN,
    BOMB_WON,
    BOMB_GIVEN,
    BOMBS_TO_COME,
    STUCK,
    MAKES_TRUMP,
    RISE_OWN,
    RISE_WON,
    RISE_OTHERS,
    OUTPUT,
) = range(WINS + 4, WINS + 22)
PARTNER_PLACES_FROM = OUTPUT + 1  # + those of `slots`
PARTNER_FEATURES_FROM = PARTNER_PLACES_FROM + PARTNER_PLACES
FOLDED = PARTNER_PLACES_FROM * LANES
"""Numbers in a folded net without partners; one with partners has more."""


def fold(net: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    """The rows of a net, one after the other."""
    learned = net.astype(np.float64).reshape(-1, LANES)
    places, cards = learned[:PLACES], learned[PLACES : PLACES + CARD_FEATURES]
    rows = np.zeros((PARTNER_PLACES_FROM, LANES))
    _fold_situation(places, rows)
    _fold_suits(cards, rows)
    _fold_cards(cards, rows)
    _fold_winners(cards, rows)
    rows[OUTPUT] = learned[PLACES + CARD_FEATURES]
    partners = learned[NET // LANES :]
    assert len(partners) in {0, PARTNER_PLACES + PARTNER_FEATURES}
    return np.concatenate((rows, partners)).astype(np.float32).ravel()


def _fold_situation(places: Rows, rows: Rows) -> None:
    for held in range(MOST_HELD + 1):
        rows[HELD + held] = places[slots.ONE] + places[slots.HELD] * held / 9
    for to_come in range(MOST_TO_COME + 1):
        here = places[slots.TO_COME] * to_come / 3 + places[slots.LAST] * (to_come == 0)
        rows[TO_COME + 2 * to_come] = here
        rows[TO_COME + 2 * to_come + 1] = here + places[slots.LEADS]
    _fold_flags(places, rows, TRICK, slots.RUFFED, slots.TRUMPS_LED)
    _fold_flags(places, rows, STANDING, slots.ENOUGH, slots.POINTLESS, slots.AHEAD)
    _fold_flags(places, rows, TRUMPS, slots.BUR_HELD, slots.NELL_HELD)
    rows[TRUMPS + 4] = places[slots.NO_TRUMP]
    rows[POT] = places[slots.POT] / 20
    rows[REST] = places[slots.REST] / 100
    rows[PROMISE] = places[slots.PROMISE] / 50
    rows[MASTERS] = places[slots.MASTERS] / 4
    rows[NEED] = places[slots.NEED]
    rows[LACK] = places[slots.LACK]
    rows[NEARLY] = places[slots.NEARLY]
    rows[OWN_POINTS] = places[slots.OWN_POINTS] / 50
    rows[MOST_POINTS] = places[slots.MOST_POINTS] / 50
    rows[LEAST_POINTS] = places[slots.LEAST_POINTS] / 50
    rows[HOLDER_POINTS] = places[slots.HOLDER_POINTS] / 50
    rows[BEYOND_REST] = places[slots.BEYOND_REST]
    rows[BURDEN] = places[slots.BURDEN] / 50
    rows[TRUMPS_HELD] = places[slots.TRUMPS_HELD] / 5
    rows[TRUMPS_OUT] = places[slots.TRUMPS_OUT] / 5


def _fold_flags(features: Rows, rows: Rows, first: int, *flags: int) -> None:
    """A row for each choice among features that are true or not, the first one counting 1."""
    for chosen in range(1 << len(flags)):
        for bit, flag in enumerate(flags):
            rows[first + chosen] += features[flag] * (chosen >> bit & 1)


def _fold_suits(cards: Rows, rows: Rows) -> None:
    for out in range(10):
        side, trump = OUT + out, OUT + 10 + out
        rows[side] = cards[slots.SUIT_OUT] * out / 5 + cards[slots.SUIT_ALONE] * (out == 0)
        rows[trump] = rows[side] + cards[slots.IS_TRUMP]
        rows[trump] += cards[slots.STUCK] * TRUMP_STUCK / (out + 1)
    for others in range(MOST_HELD):
        rows[OTHERS + others] = others * (cards[slots.SUIT_LEFT] / 5 + cards[slots.LOWER_LEFT] / 4)
    rows[FOLLOWING + 1] = cards[slots.FOLLOWS]
    rows[FOLLOWING + 2] = cards[slots.DISCARDS]
    rows[VOID] = cards[slots.VOID_TO_COME] / 3
    rows[RUFFERS] = cards[slots.RUFFERS] / 3
    rows[COMING] = cards[slots.COMING] / 20
    rows[POT_GIVEN] = cards[slots.POT_GIVEN] / 20


def _fold_cards(cards: Rows, rows: Rows) -> None:
    for own_kind, counts in enumerate(POINTS):
        for rank in range(tricks.RANKS):
            rows[CARD_OF + tricks.RANKS * own_kind + rank] = (
                cards[slots.RANK] * rank / 8
                + (cards[slots.VALUE] / 11 + cards[slots.POT_GIVEN] / 20) * counts[rank]
                + cards[slots.IS_BUR] * (own_kind == 1 and rank == 5)
                + cards[slots.IS_NELL] * (own_kind == 1 and rank == 3)
            )
    for out in range(10):
        both = cards[slots.LOWER_OUT] / 5 + cards[slots.LOWER_SHARE] / max(1, out)
        rows[LOWER_OUT + out] = both + cards[slots.STUCK] * SIDE_STUCK / max(1, out)
        rows[LOWER_OUT + 10 + out] = both + cards[slots.STUCK] * TRUMP_STUCK / (out + 1)
    rows[HIGHER_LEFT] = (cards[slots.HIGHER_LEFT] - cards[slots.LOWER_LEFT]) / 4
    rows[WOULD_TAKE] = cards[slots.WOULD_TAKE]
    rows[HEAVY] = (cards[slots.BURDEN_LEFT] + cards[slots.ALL_TAKEN]) / 50
    for below in range(2):
        sign = -1 if below else 1
        rows[TAKEN + below] = cards[slots.NEED_TAKING] + sign * cards[slots.OFF_TAKING]
        ducked = cards[slots.NEED_DUCKING] + sign * cards[slots.OFF_DUCKING]
        rows[DUCKED + below] = ducked + sign * cards[slots.OFF]
        rows[DUCKED + below + 2] = ducked
    rows[BOMB_GIVEN] = cards[slots.BOMB_GIVEN] / 20
    rows[BOMBS_TO_COME] = cards[slots.BOMBS_TO_COME] / 2
    rows[STUCK] = cards[slots.STUCK]
    rows[MAKES_TRUMP] = cards[slots.MAKES_TRUMP]
    rows[RISE_OWN] = cards[slots.RISE_OWN] / 20
    rows[RISE_OTHERS] = cards[slots.RISE_OTHERS] / 20


def _fold_winners(cards: Rows, rows: Rows) -> None:
    _fold_flags(cards, rows, WINS, slots.WINS_FOR_SURE, slots.TAKES_LAST)
    rows[WINS : WINS + 4] += cards[slots.WINS]
    rows[OFF] = cards[slots.OFF]
    rows[BEATERS] = cards[slots.BEATERS] / 6
    rows[POT_WON] = (cards[slots.POT_WON] - cards[slots.POT_GIVEN]) / 20
    rows[TAKES] = cards[slots.TAKES]
    rows[COMING_TAKEN] = cards[slots.TRICK_TAKEN] / 20 + cards[slots.ALL_TAKEN] / 50
    rows[POT_TAKEN] = rows[COMING_TAKEN] + cards[slots.POT_TAKEN] / 20
    rows[BOMB_WON] = cards[slots.BOMB_WON] / 20
    rows[RISE_WON] = cards[slots.RISE_WON] / 20
