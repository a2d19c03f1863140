"""Deals of I Doubt It, as matches and as arrays for the kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

import jasstisch as jt
from jasstisch.bots.searching.i_doubt_it.observation import to_counts
from jasstisch.engine.cards import cards_in_set
from jasstisch.games.i_doubt_it import FULL_DECK, IDoubtIt
from jasstisch.search.games.i_doubt_it import deal_state as doubt
from tests.games.test_i_doubt_it import Player

PLAYERS = range(2, 9)


def rules_of(match: jt.Match) -> IDoubtIt:
    rules = match._rules
    assert isinstance(rules, IDoubtIt)
    return rules


def random_deal_match(players: int, seed: int, **options: Any) -> tuple[jt.Match, Player]:
    """A match of one deal, and a random player for it."""
    chosen = {"dealer": 0, "rounds": 1, "max_turns": 40, **options}
    return jt.Match(jt.game("i-doubt-it", players=players, **chosen)), Player(seed)


def to_kernel_deal(match: jt.Match) -> doubt.Deal:
    """The array for the kernels of a deal that has just begun."""
    rules, options = rules_of(match), match.view(None)["options"]
    deal = np.zeros(doubt.STATE_SIZE, np.int64)
    for seat, hand in enumerate(rules.hands):
        deal[doubt.HANDS + seat] = to_counts([FULL_DECK.texts[card] for card in cards_in_set(hand)])
        deal[doubt.HAND_SIZES + seat] = hand.bit_count()
    for place, card in enumerate(rules.middle):
        deal[doubt.PILE + place] = doubt.NOBODY * doubt.OWNER_BASE + FULL_DECK.rank(card)
    deal[doubt.MIDDLE_SIZE] = len(rules.middle)
    deal[doubt.CLAIMANT] = match.to_act[0]
    deal[doubt.PLAYERS] = match.game.players
    deal[doubt.CLAIM_LIMIT] = options["max_turns"]
    deal[doubt.LAST_ANY] = options["last"] == "any"
    deal[doubt.LIE_FEE] = options["lie_fee"]
    return deal
