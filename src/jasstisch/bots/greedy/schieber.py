"""Heuristics for Schieber: announce the best contract, or push if a push should bring more.

A contract is scored by the expected point difference, including Weis and Stöck of the hand, times
its factor. So is a push, after which the partner announces the best contract of their hand.
"""

from collections.abc import Sequence

from jasstisch.bots.api import View
from jasstisch.bots.greedy.partner_card_play import CONTRACT_NUMBERS, choose_play
from jasstisch.bots.greedy.registry import register_strategy
from jasstisch.engine import melds
from jasstisch.engine.cards import JASS, card_set
from jasstisch.engine.tricks import ALL_POINTS
from jasstisch.games.contracts import CONTRACTS, PUSH
from jasstisch.games.evaluation.hand_evaluation import estimate_points
from jasstisch.games.schieber import factor_of
from jasstisch.games.weis import KING_AND_QUEEN, STOECK

PUSHED_ROUND_LEAD = {"none": 45.0, "swiss": 90.0, "french": 90.0}
"""The lead of a side in a pushed round, factor included, by the option for multipliers."""

_WEIS_COUNTS_RATE = 0.6
"""The probability that a Weis counts: the other side may have a better one (SC3)."""


@register_strategy("schieber")
def choose_action(view: View, legal: Sequence[str]) -> str:
    """Announces or pushes; later plays the best card, with every Weis that may be announced."""
    return (
        choose_announcement(view, legal)
        if view["phase"] == "announce"
        else choose_play(view, legal)
    )


def choose_announcement(view: View, legal: Sequence[str]) -> str:
    """The contract with the largest expected lead, or a push if that is worth more (SC1)."""
    hand = card_set([JASS.numbers[text] for text in view["hand"]])
    multipliers, weis = view["options"]["multipliers"], view["options"]["weis"] == "on"

    def lead(text: str) -> float:
        ranking = CONTRACTS[text].value_ranking
        return expected_point_lead(
            hand, CONTRACT_NUMBERS[text], ranking, factor_of(ranking, multipliers), weis
        )

    best = max([text for text in legal if text != PUSH], key=lead)
    return PUSH if PUSH in legal and lead(best) < PUSHED_ROUND_LEAD[multipliers] else best


def expected_point_lead(hand: int, contract: int, ranking: int, factor: int, weis: bool) -> float:
    """The expected lead of a side in a round with a contract, factor included.

    Args:
        hand: the cards of the seat that announces.
        contract: the number of the contract.
        ranking: the ranking by which its cards count.
        factor: the multiplier of its points.
        weis: whether Weis and Stöck count.
    """
    lead = 2 * estimate_points(hand, contract) - ALL_POINTS
    if weis:
        points, _ = melds.split_value(hand, melds.best_fours(hand, ranking), ranking)
        lead += _WEIS_COUNTS_RATE * points
        pair = KING_AND_QUEEN[ranking]
        lead += STOECK if pair and hand & pair == pair else 0
    return factor * lead
