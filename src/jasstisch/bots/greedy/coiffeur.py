"""Coiffeur by rules of thumb: play a line when the hand promises more than the line usually brings.

What a hand promises beyond that counts as often as the factor says. So jokers and high factors wait
for good hands; and who must announce after four pushes loses least on a cheap line.
"""

from collections.abc import Sequence

from jasstisch.bots import View
from jasstisch.bots.greedy.contracts import NUMBER, play
from jasstisch.bots.greedy.register import plays
from jasstisch.bots.promise import promise
from jasstisch.cards import JASS, card_set
from jasstisch.games.coiffeur import slate_of
from jasstisch.games.contracts import PUSH, contract_text
from jasstisch.games.rules import Game

__all__ = ["announce", "beyond", "choose", "usual"]

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

    def more(text: str) -> float:
        return beyond(hand, NUMBER[contract_text(text)], usual(text), factors[text])

    best = max(lines, key=more)
    return PUSH if PUSH in legal and more(best) < 0 else best


def usual(announcement: str) -> float:
    """The points that the line usually brings which is announced so."""
    return USUAL[announcement.split(maxsplit=1)[0]]


def beyond(hand: int, contract: int, expected: float, factor: int) -> float:
    """What a hand promises in a contract beyond what its line usually brings, times its factor.

    Args:
        hand: the cards of the seat that announces.
        contract: the number of the contract.
        expected: what the line usually brings.
        factor: its factor (CO1).
    """
    return factor * (promise(hand, contract) - expected)
