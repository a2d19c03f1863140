"""Differenzler by rules of thumb: bid what the hand should bring, then keep the two in step.

After each card the points still missing to the bid should be what the rest of the hand may be
expected to take. A card is judged by how far the two would be apart once it has taken the trick and
once it has not. Ducking, throwing points away and taking just enough follow from that.
"""

from collections.abc import Sequence

from jasstisch import tricks
from jasstisch.bots import View
from jasstisch.bots.greedy.outlook import last_card_takes, points_to_come
from jasstisch.bots.greedy.register import plays
from jasstisch.bots.greedy.taking import chance_to_take, promise
from jasstisch.bots.position import Position
from jasstisch.cards import JASS, SUITS, card_set

__all__ = ["bid", "choose", "gap"]

SIDE_POINTS = {"A": 11, "K": 4, "Q": 2}
"""What a card of a side suit adds to the bid."""

LONG_TRUMP = 2
"""What each trump beyond the second adds to the bid."""

SURPLUS = 24
"""By how much the bids of a whole table would otherwise go beyond 157."""

DUCKED_LESS = 0.75
"""What a point too much in the hand counts: unlike one in the bag it may still be ducked."""


@plays("differenzler")
def choose(view: View, legal: Sequence[str]) -> str:
    """The bid, or the card that leaves the smallest gap between what is missing and expected."""
    if view["phase"] == "bid":
        return f"bid {bid(view)}"
    position = Position(view, discard_makes_trump=False)
    missing = view["bids"][position.seat] - view["points"][position.seat]
    return min(legal, key=lambda play: gap(position, JASS.numbers[play[-2:]], missing))


def bid(view: View) -> int:
    """Twice the trump points, eleven for each side ace, and a little for what supports them.

    Each player's share of `SURPLUS` comes off: what two players count can be taken only once.
    """
    trump = SUITS.index(view["trump"])
    trumps = [text for text in view["hand"] if text[1] == view["trump"]]
    expected = 2 * tricks.points(card_set([JASS.numbers[text] for text in trumps]), trump)
    expected += LONG_TRUMP * max(0, len(trumps) - 2)
    expected += sum([SIDE_POINTS.get(text[0], 0) for text in view["hand"] if text not in trumps])
    return min(tricks.ALL_POINTS, max(0, expected - SURPLUS // len(view["players"])))


def gap(position: Position, card: int, missing: int) -> float:
    """How far apart the points missing and the points expected will be after this card.

    Args:
        position: the table before the card is played.
        card: the card.
        missing: the bid less the points so far; negative when there are too many already.
    """
    trump = position.trump
    left = position.hand ^ 1 << card

    def worth(cards: int) -> int:
        return tricks.points(cards, trump)

    takes = chance_to_take(position, card, trump)
    coming = points_to_come(position, card, trump, worth)
    trick = worth(card_set(position.trick) | 1 << card) + coming
    rest = max(0.0, worth(position.unseen | left) - coming) + tricks.LAST_TRICK
    if not left:
        return takes * abs(missing - trick - tricks.LAST_TRICK) + (1 - takes) * abs(missing)
    if left & (left - 1):
        expected = promise(left, position.unseen, trump, rest)
        return takes * _apart(missing - trick, expected) + (1 - takes) * _apart(missing, expected)
    last = left.bit_length() - 1
    return takes * _last_gap(position, last, missing - trick, rest, leads=1.0) + (
        1 - takes
    ) * _last_gap(position, last, missing, rest, leads=0.0)


def _apart(missing: float, expected: float) -> float:
    """The gap between the points missing and those the rest of the hand may be expected to take."""
    if missing >= expected:
        return missing - expected
    return DUCKED_LESS * (expected - max(0.0, missing)) + max(0.0, -missing)


def _last_gap(position: Position, card: int, missing: float, rest: float, *, leads: float) -> float:
    """The gap to be expected when one card is left, which takes the rest or nothing."""
    takes = last_card_takes(card, position, position.trump, leads)
    return takes * abs(missing - rest) + (1 - takes) * abs(missing)
