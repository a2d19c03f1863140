"""Bounds on the length and the utility of a match, which OpenSpiel requires in advance.

Some matches have no maximum length: a target may be missed forever. For these the number of rounds
is an assumption far beyond real play, and not a limit: nothing is cut off.
"""

from typing import NamedTuple

from jasstisch.engine.tricks import ALL_POINTS
from jasstisch.games.contracts import ContractGame
from jasstisch.games.i_doubt_it import CLAIM_SIZE, IDoubtIt
from jasstisch.games.rules import Game, Rules
from jasstisch.games.scoring_kinds import BY_DIFFERENCE, BY_SIDE, BY_STICKS, BY_STROKES
from jasstisch.games.trick_taking import TrickTaking

_MAX_ROUNDS = 1000
"""The assumed number of rounds of a match whose rules do not fix it."""

_MAX_TIE_ROUNDS = 10
"""The assumed number of extra rounds of two sides that tie after the target."""

_MAX_REDEALS = 4
"""The packs that a round may need: the deal, its trump, and draws among tied seats (MW8)."""

_MAX_ROUND_REWARD = {BY_DIFFERENCE: 157, BY_STROKES: 2, BY_STICKS: 10, BY_SIDE: 10_000}
"""The maximum reward or cost of a round, by its kind of scoring."""

_MAX_ROUND_POINTS = 2000
"""The same for a round scored by points, long runs included."""


class MatchBounds(NamedTuple):
    """The bounds of a match.

    Attributes:
        max_actions: the maximum number of actions of all players together.
        max_cards_dealt: the maximum number of cards dealt by chance.
        max_utility: the maximum reward or cost of a seat.
    """

    max_actions: int
    max_cards_dealt: int
    max_utility: int


def match_bounds(game: Game) -> MatchBounds:
    """The bounds of a match of this game."""
    rules = game.rules(game)
    rounds = _max_rounds(rules)
    if isinstance(rules, IDoubtIt):
        actions, worth = _doubt_deal_bounds(rules)
    else:
        assert isinstance(rules, TrickTaking)
        # For each seat a bid or two answers, robbing, and Weis; then four announcements and pushes.
        actions = len(rules.whole_pack) + 5 * game.players + 4
        worth = _MAX_ROUND_REWARD.get(rules.scoring_kind, _MAX_ROUND_POINTS)
    cards = (_MAX_REDEALS * rounds + 1) * len(rules.deck.texts)
    return MatchBounds(actions * rounds, cards, worth * rounds)


def _max_rounds(rules: Rules) -> int:
    """An upper bound on the rounds of a match."""
    options = rules.game.options
    given, target = options.get("rounds"), options.get("target")
    if isinstance(given, int) and given:
        return given
    if isinstance(rules, ContractGame):
        if rules.plays_each_line_once:
            return len(rules.sides) * len(rules.slate_lines)
        assert isinstance(target, int)
        # Each round brings the sides at least 157 points together; ties are played on (SC6).
        return len(rules.sides) * target // ALL_POINTS + _MAX_TIE_ROUNDS
    return _MAX_ROUNDS


def _doubt_deal_bounds(rules: IDoubtIt) -> tuple[int, int]:
    """The maximum number of actions of a deal, with all cards and answers, and its chips."""
    claims = rules.game.options["max_turns"]
    assert isinstance(claims, int)
    answers = rules.players - 1
    return claims * (CLAIM_SIZE + 1 + answers), len(rules.deck.texts) + claims * rules.lie_fee
