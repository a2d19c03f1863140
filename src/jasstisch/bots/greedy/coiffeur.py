"""Coiffeur by rules of thumb: play a line when the hand promises more than the line usually brings.

What a hand promises beyond that counts as often as the factor says. So jokers and high factors wait
for good hands; and who must announce after four pushes loses least on a cheap line.
"""

from collections.abc import Sequence

from jasstisch.bots import View
from jasstisch.bots.greedy.contracts import play, promised
from jasstisch.bots.greedy.register import plays
from jasstisch.cards import JASS, card_set
from jasstisch.games.coiffeur import slate_of
from jasstisch.games.contracts import PUSH, contract_text
from jasstisch.games.rules import Game

__all__ = ["announce", "beyond", "choose"]

USUAL = {
    "trump": 105.0,
    "tops": 105.0,
    "bottoms": 105.0,
    "slalom": 115.0,
    "guschti": 115.0,
    "joker": 115.0,
}
"""The points that a line usually brings, by the first word of its announcement."""


@plays("coiffeur")
def choose(view: View, legal: Sequence[str]) -> str:
    """A line or a push; then the card that gains most."""
    return announce(view, legal) if view["phase"] == "announce" else play(view, legal)


def announce(view: View, legal: Sequence[str]) -> str:
    """The line that promises most beyond the usual, or a push where none does (CO2)."""
    hand = card_set([JASS.numbers[text] for text in view["hand"]])
    factors = {
        text: line.factor
        for line in slate_of(Game(view["game"], view["options"]))
        for text in line.announcements
    }
    lines = [text for text in legal if text != PUSH]
    if not lines:
        return PUSH
    best = max(lines, key=lambda text: beyond(hand, text, factors[text]))
    if PUSH in legal and beyond(hand, best, factors[best]) < 0:
        return PUSH
    return best


def beyond(hand: int, announcement: str, factor: int) -> float:
    """What a hand promises beyond what the line usually brings, times its factor.

    Args:
        hand: the cards of the seat that announces.
        announcement: a line in full.
        factor: its factor (CO1).
    """
    usual = USUAL[announcement.split(maxsplit=1)[0]]
    return factor * (promised(hand, contract_text(announcement)) - usual)
