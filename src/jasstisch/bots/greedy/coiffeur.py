"""Heuristics for Coiffeur: play a line when the hand is worth more than the line's par.

The surplus over par counts as often as the line's factor says. So jokers and high factors wait for
good hands, and a seat that must announce after four pushes loses least on a cheap line.
"""

from collections.abc import Sequence

from jasstisch.bots.api import View
from jasstisch.bots.greedy.partner_card_play import CONTRACT_NUMBERS, choose_play
from jasstisch.bots.greedy.registry import register_strategy
from jasstisch.engine.cards import JASS, card_set
from jasstisch.games.coiffeur import slate_lines_of
from jasstisch.games.contracts import PUSH, contract_text
from jasstisch.games.evaluation.hand_evaluation import estimate_points
from jasstisch.games.rules import Game

PAR_POINTS = {
    "trump": 105.0,
    "tops": 105.0,
    "bottoms": 105.0,
    "slalom": 115.0,
    "guschti": 115.0,
    "joker": 115.0,
}
"""The points that a line brings on average, by the first word of its announcement."""


@register_strategy("coiffeur")
def choose_action(view: View, legal: Sequence[str]) -> str:
    """Announces a line or pushes; later plays the card with the highest gain."""
    return (
        choose_announcement(view, legal)
        if view["phase"] == "announce"
        else choose_play(view, legal)
    )


def choose_announcement(view: View, legal: Sequence[str]) -> str:
    """The line with the largest surplus over par, or a push if none has a surplus (CO2)."""
    hand = card_set([JASS.numbers[text] for text in view["hand"]])
    factors = {
        text: line.factor
        for line in slate_lines_of(Game(view["game"], view["options"]))
        for text in line.announcements
    }
    lines = [text for text in legal if text != PUSH]
    if not lines:
        return PUSH

    def more(text: str) -> float:
        return excess_over_par(
            hand, CONTRACT_NUMBERS[contract_text(text)], par_points(text), factors[text]
        )

    best = max(lines, key=more)
    return PUSH if PUSH in legal and more(best) < 0 else best


def par_points(announcement: str) -> float:
    """The points that an announced line brings on average."""
    return PAR_POINTS[announcement.split(maxsplit=1)[0]]


def excess_over_par(hand: int, contract: int, expected: float, factor: int) -> float:
    """The expected points of a hand in a contract above the par of its line, times the factor.

    Args:
        hand: the cards of the seat that announces.
        contract: the number of the contract.
        expected: the par of the line, in points.
        factor: its factor (CO1).
    """
    return factor * (estimate_points(hand, contract) - expected)
