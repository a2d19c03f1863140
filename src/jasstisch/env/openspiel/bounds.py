"""How long a match can be, and how much it can be worth: what OpenSpiel asks before it begins.

Some matches have no longest one: a target can be missed for ever. For them the number of rounds is
a promise, far beyond what anybody plays, and not a limit: nothing is cut off.
"""

from typing import NamedTuple

from jasstisch.engine.tricks import ALL_POINTS
from jasstisch.games.contracts import ContractGame
from jasstisch.games.i_doubt_it import CLAIM_SIZE, IDoubtIt
from jasstisch.games.rules import Game, Rules
from jasstisch.games.scoring_kinds import BY_DIFFERENCE, BY_SIDE, BY_STICKS, BY_STROKES
from jasstisch.games.trick_taking import TrickTaking

__all__ = ["MatchBounds", "match_bounds"]

MAX_ROUNDS = 1000
"""Rounds of a match whose rules set no number of them."""

MAX_TIE_ROUNDS = 10
"""Rounds beyond those in which a side must have reached the target, where they are equal."""

MAX_REDEALS = 4
"""Packs that a round asks for: those of the deal and its trump, and draws among equals (MW8)."""

MAX_ROUND_REWARD = {BY_DIFFERENCE: 157, BY_STROKES: 2, BY_STICKS: 10, BY_SIDE: 10_000}
"""What a round can be worth at most, or cost, by what it is scored by."""

MAX_ROUND_POINTS = 2000
"""The same of a round scored by points, long runs included."""


class MatchBounds(NamedTuple):
    """What no match goes beyond.

    Attributes:
        actions: of all players together.
        cards: that chance deals.
        utility: to a seat, or its cost.
    """

    actions: int
    cards: int
    utility: int


def match_bounds(game: Game) -> MatchBounds:
    """The bounds of a match of this game."""
    rules = game.rules(game)
    rounds = _max_rounds(rules)
    if isinstance(rules, IDoubtIt):
        actions, worth = _doubt_deal_bounds(rules)
    else:
        assert isinstance(rules, TrickTaking)
        # A bid or two answers, to rob, and Weis of each seat; four announcements and pushes.
        actions = len(rules.whole_pack) + 5 * game.players + 4
        worth = MAX_ROUND_REWARD.get(rules.scoring_kind, MAX_ROUND_POINTS)
    cards = (MAX_REDEALS * rounds + 1) * len(rules.deck.texts)
    return MatchBounds(actions * rounds, cards, worth * rounds)


def _max_rounds(rules: Rules) -> int:
    """Rounds of a match, or more."""
    options = rules.game.options
    given, target = options.get("rounds"), options.get("target")
    if isinstance(given, int) and given:
        return given
    if isinstance(rules, ContractGame):
        if rules.plays_each_line_once:
            return len(rules.sides) * len(rules.slate_lines)
        assert isinstance(target, int)
        # Each round brings one side or the other 157 points or more; ties go on (SC6).
        return len(rules.sides) * target // ALL_POINTS + MAX_TIE_ROUNDS
    return MAX_ROUNDS


def _doubt_deal_bounds(rules: IDoubtIt) -> tuple[int, int]:
    """Actions of a deal, each claim with all its cards and answers; chips that it can bring."""
    claims = rules.game.options["max_turns"]
    assert isinstance(claims, int)
    answers = rules.players - 1
    return claims * (CLAIM_SIZE + 1 + answers), len(rules.deck.texts) + claims * rules.lie_fee
