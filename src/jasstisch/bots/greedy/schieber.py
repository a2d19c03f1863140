"""Schieber by rules of thumb: announce what promises most, push what promises less than a push.

A contract is judged by the difference in points that it should make, the Weis and Stöck of the hand
included, times its factor; so is the push, after which the partner announces the best of his hand.
"""

from collections.abc import Sequence

from jasstisch import melds
from jasstisch.bots import View
from jasstisch.bots.greedy.contracts import play, promised
from jasstisch.bots.greedy.register import plays
from jasstisch.cards import JASS, card_set
from jasstisch.games.contracts import CONTRACTS, PUSH
from jasstisch.games.schieber import factor_of
from jasstisch.games.weis import KING_AND_QUEEN, STOECK
from jasstisch.tricks import ALL_POINTS

__all__ = ["announce", "choose", "worth"]

AFTER_PUSH = {"none": 45.0, "swiss": 90.0, "french": 90.0}
"""By how much a side leads in a round that was pushed, with the factor, by the multipliers."""

BEST_WEIS = 0.6
"""How often a Weis counts: the other side may have a better one (SC3)."""


@plays("schieber")
def choose(view: View, legal: Sequence[str]) -> str:
    """A contract or a push; then the card that gains most, with every Weis there is."""
    return announce(view, legal) if view["phase"] == "announce" else play(view, legal)


def announce(view: View, legal: Sequence[str]) -> str:
    """The contract worth most, or a push where that is worth more (SC1)."""
    hand = card_set([JASS.numbers[text] for text in view["hand"]])
    options = view["options"]
    contracts = [text for text in legal if text != PUSH]
    best = max(contracts, key=lambda text: worth(hand, text, options))
    if PUSH in legal and worth(hand, best, options) < AFTER_PUSH[options["multipliers"]]:
        return PUSH
    return best


def worth(hand: int, contract: str, options: View) -> float:
    """By how much a side should lead in a round with this contract, with the factor.

    Args:
        hand: the cards of the seat that announces.
        contract: the text of the contract.
        options: the options of the game.
    """
    ranking = CONTRACTS[contract].valued
    lead = 2 * promised(hand, contract) - ALL_POINTS
    if options["weis"] == "on":
        lead += BEST_WEIS * sum(map(melds.weis_points, melds.best_weis(hand, ranking)))
        pair = KING_AND_QUEEN[ranking]
        lead += STOECK if pair and hand & pair == pair else 0
    return factor_of(ranking, options["multipliers"]) * lead
