"""Deals of I Doubt It, at a table and as the search has them."""

from __future__ import annotations

from typing import Any

import numpy as np

import jasstisch as jt
from jasstisch.bots.searching.doubt.seen import packed
from jasstisch.cards import members
from jasstisch.games.i_doubt_it import PACK, IDoubtIt
from jasstisch.search.doubt import deal as doubt
from tests.rules.test_i_doubt_it import Player

PLAYERS = range(2, 9)


def rules_of(match: jt.Match) -> IDoubtIt:
    rules = match._rules
    assert isinstance(rules, IDoubtIt)
    return rules


def a_deal(players: int, seed: int, **options: Any) -> tuple[jt.Match, Player]:
    """A match of one deal, and somebody to play it by chance."""
    chosen = {"dealer": 0, "rounds": 1, "max_turns": 40, **options}
    return jt.Match(jt.game("i-doubt-it", players=players, **chosen)), Player(seed)


def as_deal(match: jt.Match) -> doubt.Deal:
    """A deal that has just begun, as the search has it."""
    rules, options = rules_of(match), match.view(None)["options"]
    deal = np.zeros(doubt.WIDTH, np.int64)
    for seat, hand in enumerate(rules.hands):
        deal[doubt.HANDS + seat] = packed([PACK.texts[card] for card in members(hand)])
        deal[doubt.SIZES + seat] = hand.bit_count()
    for place, card in enumerate(rules.middle):
        deal[doubt.PILE + place] = doubt.NOBODY * doubt.OWNER + PACK.rank(card)
    deal[doubt.MIDDLE] = len(rules.middle)
    deal[doubt.LAYER] = match.to_act[0]
    deal[doubt.PLAYERS] = match.game.players
    deal[doubt.LIMIT] = options["max_turns"]
    deal[doubt.LAST_ANY] = options["last"] == "any"
    deal[doubt.FEE] = options["lie_fee"]
    return deal
