"""Rounds of tricks for the kernels, with hands as one wants them."""

from collections.abc import Sequence

import numpy as np

from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS, SUITS, card_set
from jasstisch.games import scoring_kinds
from jasstisch.search.rounds import round_state
from jasstisch.search.sampling.determinization import Deals
from tests.rules import match_builders

__all__ = ["card", "cards", "differenzler_ending", "legal_cards", "sample_deals"]


def card(text: str) -> int:
    return JASS.numbers[text]


def cards(text: str) -> int:
    return card_set(card(one) for one in match_builders.cards(text))


def differenzler_ending(
    hands: Sequence[str], targets: Sequence[int], trump: str
) -> round_state.Round:
    """The end of a round of Differenzler: these cards are left, and so many points are wanted."""
    state = round_state.new_round(range(len(hands)))
    state[round_state.SCORING] = scoring_kinds.BY_DIFFERENCE
    state[round_state.UNDERTRUMP] = tricks.IF_VOID
    round_state.set_ranking(state, SUITS.index(trump))
    for seat, (hand, target) in enumerate(zip(hands, targets, strict=True)):
        state[round_state.HANDS + seat] = cards(hand)
        state[round_state.TARGET + seat] = target
    return state


def sample_deals(*states: round_state.Round) -> Deals:
    return np.array(states)


def legal_cards(state: round_state.Round) -> list[int]:
    allowed = round_state.legal_moves(state)
    return [one for one in range(36) if allowed >> one & 1]
