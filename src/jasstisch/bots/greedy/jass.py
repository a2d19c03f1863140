"""Jass each for himself by rules of thumb: play if it should pay, and then take all one can.

A hand is judged by the points it should bring when its player tries to take them. It is played if
so many points have brought more strokes than nulls against so many others, and laid away for the
blind if nine unknown cards should bring more. In play a card is judged by the points it promises in
this trick and those to come. To aim at the mark instead, at 21 and at being among the two best, has
been tried and brought no more strokes. Every Weis is announced, and the turned card is robbed
unless the hand would be worth less.
"""

from collections.abc import Sequence

from jasstisch import melds, tricks
from jasstisch.bots import View
from jasstisch.bots.greedy.outlook import points_to_come
from jasstisch.bots.greedy.register import plays
from jasstisch.bots.greedy.taking import chance_to_take, promise
from jasstisch.bots.position import Position
from jasstisch.cards import JASS, card_set
from jasstisch.games.weis import KING_AND_QUEEN, STOECK

__all__ = ["answer", "choose", "gain", "robbing_pays", "strength", "strength_of_blind"]

ENOUGH_TO_PLAY = {1: 15, 2: 29, 3: 38}
"""The points a hand should bring to be played, by the number of others who have not dropped.

Among players of this kind a few points more or less make no difference; against reckless ones a
hand should rather be played. Who drops against a single other one gives him two strokes (JS6).
"""

HOPED = 8
"""What the Weis and Stöck of an unknown hand bring on average."""


@plays("jass")
def choose(view: View, legal: Sequence[str]) -> str:
    """Whether to play; then the card that promises most, with every Weis there is."""
    position = Position(view, discard_makes_trump=False)
    if view["phase"] == "answer":
        return answer(view, position, "blind" in legal)
    if "rob" in legal and robbing_pays(position, JASS.numbers[view["turned"]]):
        return "rob"
    cards = dict.fromkeys([JASS.numbers[play.split()[1]] for play in legal if play != "rob"])
    best = JASS.texts[max(cards, key=lambda card: gain(position, card))]
    return f"play {best} weis" if f"play {best} weis" in legal else f"play {best}"


# Before the play (JS4, JS5).


def answer(view: View, position: Position, blind: bool) -> str:
    """Whether to play, to take the blind instead of the hand, or to drop (JS4).

    Args:
        view: the view of a seat that is asked.
        position: the same for counting.
        blind: whether a blind lies on the table.
    """
    hand = strength(position, position.hand)
    if blind and hand < strength_of_blind(view, position):
        return "blind"
    others = [seat for seat in position.playing if seat != position.seat]
    return "stay" if hand >= ENOUGH_TO_PLAY[len(others)] else "drop"


def strength(position: Position, hand: int) -> float:
    """The points that a hand of nine cards should bring: tricks, Weis and Stöck."""
    trump = position.trump
    outside = position.unseen | position.hand & ~hand
    pair = KING_AND_QUEEN[trump]
    return (
        promise(hand, outside, trump, points_in_play(position, hand))
        + sum(melds.weis_points(meld) for meld in melds.best_weis(hand, trump))
        + (STOECK if hand & pair == pair else 0)
    )


def strength_of_blind(view: View, position: Position) -> float:
    """The points that the blind should bring: nine cards by chance, or eight and the turned one."""
    turned = 1 << JASS.numbers[view["turned"]]
    size = position.hand.bit_count()
    trick = points_in_play(position, position.hand) / size

    def total(cards: int) -> float:
        return promise(cards, position.unseen, position.trump, trick * cards.bit_count())

    unknown = total(position.unseen)
    chance = unknown / position.unseen.bit_count()
    if sum(not one["safe"] for one in view["standing"]) == 2:
        return HOPED + size * chance  # the turned card lies on the dead hand (JS3)
    return HOPED + (size - 1) * chance + total(position.unseen | turned) - unknown


def robbing_pays(position: Position, turned: int) -> bool:
    """Whether the hand is worth more with the turned card than with the six of trumps (JS5)."""
    six = 1 << tricks.RANKS * position.trump
    robbed = position.hand ^ six | 1 << turned
    return strength(position, robbed) >= strength(position, position.hand)


def points_in_play(position: Position, hand: int) -> float:
    """The points that the tricks of a round will bring, as far as one can tell from a hand."""
    trump = position.trump
    others = tricks.points(position.unseen, trump) * held(position)
    return tricks.points(hand, trump) + others + tricks.LAST_TRICK


# Play.


def gain(position: Position, card: int) -> float:
    """The points still to be expected in this round, if this card is played.

    Args:
        position: the table before the card is played.
        card: the card.
    """
    trump = position.trump
    left = position.hand ^ 1 << card

    def worth(cards: int) -> int:
        return tricks.points(cards, trump)

    takes = chance_to_take(position, card, trump)
    coming = points_to_come(position, card, trump, worth)
    trick = worth(card_set(position.trick) | 1 << card) + coming
    if not left:
        return takes * (trick + tricks.LAST_TRICK)
    rest = max(0.0, worth(position.unseen) * held(position) - coming)
    rest += worth(left) + tricks.LAST_TRICK
    return takes * trick + promise(left, position.unseen, trump, rest)


def held(position: Position) -> float:
    """The part of the unseen cards that is in hands, and not in the blind or dropped (JS3, JS4)."""
    unseen = position.unseen.bit_count()
    return 1 - position.absent / unseen if unseen else 1.0
