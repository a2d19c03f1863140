"""Heuristics for Differenzler: bid the expected points, then keep hand and bid in balance.

After each card, the points still missing to the bid should equal the points that the rest of the
hand is expected to take. A card is scored by the gap between the two, once for the case that it
takes the trick and once for the case that it does not. Ducking, throwing points away and taking
just enough follow from that.
"""

from collections.abc import Sequence

from jasstisch.bots.api import View
from jasstisch.bots.greedy.registry import register_strategy
from jasstisch.bots.greedy.take_odds import expected_points_if_taking, probability_to_take
from jasstisch.bots.greedy.trick_estimates import (
    expected_added_trick_points,
    expected_card_points,
    last_card_win_probability,
)
from jasstisch.bots.position import Position
from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS, SUITS, card_set

_SIDE_CARD_BID = (0, 0, 0, 0, 0, 0, 2, 4, 11)
"""What a card of a side suit adds to the bid, by rank."""

_LONG_TRUMP_BID = 2
"""What each trump beyond the second adds to the bid."""

_TABLE_SURPLUS = 24
"""The excess of the uncorrected bids of a whole table over 157."""

_OVERSHOOT_WEIGHT = 0.75
"""The weight of an expected surplus point: unlike a captured point, it may still be avoided."""


@register_strategy("differenzler")
def choose_action(view: View, legal: Sequence[str]) -> str:
    """The bid, or the card that leaves the smallest gap between missing and expected points."""
    if view["phase"] == "bid":
        hand = card_set([JASS.numbers[text] for text in view["hand"]])
        return f"bid {estimate_bid(hand, SUITS.index(view['trump']), len(view['players']))}"
    position = Position(view, discard_makes_trump=False)
    missing = view["bids"][position.seat] - view["points"][position.seat]
    return min(legal, key=lambda play: bid_gap_after(position, JASS.numbers[play[-2:]], missing))


def estimate_bid(hand: int, trump: int, players: int) -> int:
    """The bid: twice the trump points, eleven for each side ace, and a little for support.

    Each player's share of `_TABLE_SURPLUS` is subtracted, because points that two players expect
    can be taken only once.

    Args:
        hand: the cards held.
        trump: the trump suit.
        players: the number of players.
    """
    trumps = hand & tricks.TRUMP_CARDS[trump]
    expected = 2 * tricks.points(trumps, trump)
    expected += _LONG_TRUMP_BID * max(0, trumps.bit_count() - 2)
    for card in range(tricks.CARDS):
        if (hand & ~trumps) >> card & 1:
            expected += _SIDE_CARD_BID[card % tricks.RANKS]
    return min(tricks.ALL_POINTS, max(0, expected - _TABLE_SURPLUS // players))


def bid_gap_after(position: Position, card: int, missing: int) -> float:
    """The gap between the missing points and the expected points after a card.

    Args:
        position: the table before the card is played.
        card: the card.
        missing: the bid less the points so far; negative if there are too many already.
    """
    trump = position.trump
    left = position.hand ^ 1 << card
    takes = probability_to_take(position, card, trump)
    coming = expected_added_trick_points(position, card, trump)
    trick = expected_card_points(position.lying | 1 << card, trump) + coming
    rest = (
        max(0.0, expected_card_points(position.unseen | left, trump) - coming) + tricks.LAST_TRICK
    )
    if not left:
        return takes * abs(missing - trick - tricks.LAST_TRICK) + (1 - takes) * abs(missing)
    if left & (left - 1):
        expected = expected_points_if_taking(left, position.unseen, trump, rest)
        return takes * expected_bid_gap(missing - trick, expected) + (1 - takes) * expected_bid_gap(
            missing, expected
        )
    last = left.bit_length() - 1
    return takes * bid_gap_at_last_card(position, last, missing - trick, rest, 1.0) + (
        1 - takes
    ) * bid_gap_at_last_card(position, last, missing, rest, 0.0)


def expected_bid_gap(missing: float, expected: float) -> float:
    """The gap between the missing points and those that the rest of the hand should take."""
    if missing >= expected:
        return missing - expected
    return _OVERSHOOT_WEIGHT * (expected - max(0.0, missing)) + max(0.0, -missing)


def bid_gap_at_last_card(
    position: Position, card: int, missing: float, rest: float, leads: float
) -> float:
    """The expected gap when one card is left, which takes all remaining points or none."""
    takes = last_card_win_probability(card, position, position.trump, leads)
    return takes * abs(missing - rest) + (1 - takes) * abs(missing)
