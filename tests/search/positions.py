"""Rounds of tricks for the kernels, with hands as one wants them."""

from collections.abc import Sequence

import numpy as np

from jasstisch import tricks
from jasstisch.cards import JASS, SUITS, card_set
from jasstisch.games import scoring
from jasstisch.search import rounds
from jasstisch.search.deals import Deals
from tests.rules import tables

__all__ = ["card", "cards", "differenzler_ending", "legal_cards", "sample_deals"]


def card(text: str) -> int:
    return JASS.numbers[text]


def cards(text: str) -> int:
    return card_set(card(one) for one in tables.cards(text))


def differenzler_ending(hands: Sequence[str], targets: Sequence[int], trump: str) -> rounds.Round:
    """The end of a round of Differenzler: these cards are left, and so many points are wanted."""
    state = rounds.new_round(range(len(hands)))
    state[rounds.SCORING] = scoring.BY_DIFFERENCE
    state[rounds.UNDERTRUMP] = tricks.IF_VOID
    rounds.set_ranking(state, SUITS.index(trump))
    for seat, (hand, target) in enumerate(zip(hands, targets, strict=True)):
        state[rounds.HANDS + seat] = cards(hand)
        state[rounds.TARGET + seat] = target
    return state


def sample_deals(*states: rounds.Round) -> Deals:
    return np.array(states)


def legal_cards(state: rounds.Round) -> list[int]:
    allowed = rounds.legal_moves(state)
    return [one for one in range(36) if allowed >> one & 1]
