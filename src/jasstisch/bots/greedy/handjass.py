"""Heuristics for Jass as individuals: play if it should pay, and then take as much as possible.

A hand is scored by the points that it should bring when its player tries to take them. It is played
if that many points have brought more strokes than nulls against that many opponents, and exchanged
for the blind if nine unknown cards should bring more. During play a card is scored by the points it
promises in this trick and later ones. Aiming at the thresholds instead (the 21 points, a place
among the two best) was tried and brought no more strokes. Every Weis is announced, and the turned
card is robbed unless the hand would be worth less.
"""

from collections.abc import Sequence

from jasstisch.bots.api import View
from jasstisch.bots.greedy.registry import register_strategy
from jasstisch.bots.greedy.take_odds import expected_points_if_taking, probability_to_take
from jasstisch.bots.greedy.trick_estimates import expected_added_trick_points, expected_card_points
from jasstisch.bots.position import Position
from jasstisch.engine import melds, tricks
from jasstisch.engine.cards import JASS
from jasstisch.games.weis import KING_AND_QUEEN, STOECK

_PLAY_THRESHOLDS = (0, 15, 29, 38)
"""The points a hand should bring to be played, by the number of opponents who have not dropped.

Among players of this kind, a few points more or less make no difference; against reckless players a
hand should be played more readily. A player who drops against a single opponent gives that opponent
two strokes (JS6).
"""

_ANSWERS = ("stay", "drop", "blind")
_STAY, _DROP, _BLIND = range(len(_ANSWERS))

_MEAN_MELD_POINTS = 8
"""The points that Weis and Stöck of an unknown hand bring on average."""


@register_strategy("jass")
def choose_action(view: View, legal: Sequence[str]) -> str:
    """Decides whether to play; later plays the best card, with every Weis that may be announced."""
    position = Position(view, discard_makes_trump=False)
    if view["phase"] == "answer":
        turned = JASS.numbers[view["turned"]] if "blind" in legal else -1
        two = sum(not one["safe"] for one in view["standing"]) == 2
        return _ANSWERS[choose_answer(position, turned, two)]
    if "rob" in legal and robbing_pays(position, JASS.numbers[view["turned"]]):
        return "rob"
    cards = dict.fromkeys([JASS.numbers[play.split()[1]] for play in legal if play != "rob"])
    best = JASS.texts[max(cards, key=lambda card: expected_gain(position, card))]
    return f"play {best} weis" if f"play {best} weis" in legal else f"play {best}"


# Before the play (JS4, JS5).


def choose_answer(position: Position, turned: int, two: bool) -> int:
    """Decides whether to play, to take the blind instead of the hand, or to drop (JS4).

    Args:
        position: the table as seen by the seat that has to answer.
        turned: the turned card while a blind lies on the table, else -1.
        two: whether two play for the match, so that the turned card lies on the dead hand (JS3).

    Returns:
        An index into `_ANSWERS`.
    """
    hand = expected_points(position, position.hand)
    if turned >= 0 and hand < expected_points_of_blind(position, turned, two):
        return _BLIND
    return _STAY if hand >= _PLAY_THRESHOLDS[len(position.playing) - 1] else _DROP


def expected_points(position: Position, hand: int) -> float:
    """The points that a hand of nine cards should bring: tricks, Weis and Stöck."""
    trump = position.trump
    outside = position.unseen | position.hand & ~hand
    pair = KING_AND_QUEEN[trump]
    expected = expected_points_if_taking(hand, outside, trump, points_in_play(position, hand))
    expected += melds.split_value(hand, melds.best_fours(hand, trump), trump)[0]
    return expected + (STOECK if hand & pair == pair else 0)


def expected_points_of_blind(position: Position, turned: int, two: bool) -> float:
    """The points that the blind should bring: nine random cards, or eight and the turned card."""
    size, unseen = position.hand.bit_count(), position.unseen
    trick = points_in_play(position, position.hand) / size
    unknown = expected_points_if_taking(unseen, unseen, position.trump, trick * unseen.bit_count())
    chance = unknown / unseen.bit_count()
    if two:
        return _MEAN_MELD_POINTS + size * chance
    known = unseen | 1 << turned
    total = expected_points_if_taking(known, unseen, position.trump, trick * known.bit_count())
    return _MEAN_MELD_POINTS + (size - 1) * chance + total - unknown


def robbing_pays(position: Position, turned: int) -> bool:
    """Whether the hand is worth more with the turned card than with the six of trumps (JS5)."""
    six = 1 << tricks.RANKS * position.trump
    robbed = position.hand ^ six | 1 << turned
    return expected_points(position, robbed) >= expected_points(position, position.hand)


def points_in_play(position: Position, hand: int) -> float:
    """The points that the tricks of a round will bring, estimated from a hand."""
    trump = position.trump
    others = tricks.points(position.unseen, trump) * fraction_in_hands(position)
    return tricks.points(hand, trump) + others + tricks.LAST_TRICK


# Play.


def expected_gain(position: Position, card: int) -> float:
    """The points still expected in this round if a card is played.

    Args:
        position: the table before the card is played.
        card: the card.
    """
    trump = position.trump
    left = position.hand ^ 1 << card
    takes = probability_to_take(position, card, trump)
    coming = expected_added_trick_points(position, card, trump)
    trick = expected_card_points(position.lying | 1 << card, trump) + coming
    if not left:
        return takes * (trick + tricks.LAST_TRICK)
    rest = max(
        0.0, expected_card_points(position.unseen, trump) * fraction_in_hands(position) - coming
    )
    rest += expected_card_points(left, trump) + tricks.LAST_TRICK
    return takes * trick + expected_points_if_taking(left, position.unseen, trump, rest)


def fraction_in_hands(position: Position) -> float:
    """The fraction of unseen cards that lie in hands, not in the blind or dropped (JS3, JS4)."""
    unseen = position.unseen.bit_count()
    return 1 - position.absent / unseen if unseen else 1.0
