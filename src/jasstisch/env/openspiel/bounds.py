"""Bounds on the length and the utility of an episode, which OpenSpiel requires in advance.

The bounds of a round follow from its rules, so that rewards can be scaled by them. Some matches
have no maximum length: a target may be missed forever. For these the number of rounds is an
assumption far beyond real play, and not a limit: nothing is cut off.
"""

from functools import cache
from typing import NamedTuple

from jasstisch.engine import melds
from jasstisch.engine.tricks import ALL_POINTS, RANKS
from jasstisch.env.matches.encoded_match import ROUND
from jasstisch.games.contracts import ContractGame
from jasstisch.games.differenzler import Differenzler
from jasstisch.games.handjass import NULL, Handjass
from jasstisch.games.i_doubt_it import CLAIM_SIZE, IDoubtIt
from jasstisch.games.molotov import Molotov
from jasstisch.games.molotow import Molotow
from jasstisch.games.rules import Game, Rules
from jasstisch.games.scoring_kinds import BY_DIFFERENCE, BY_STROKES
from jasstisch.games.trick_taking import TrickTaking
from jasstisch.games.weis import STOECK

_MAX_ROUNDS = 1000
"""The assumed number of rounds of a match whose rules do not fix it."""

_MAX_TIE_ROUNDS = 10
"""The assumed number of extra rounds of two sides that tie after the target."""

_MAX_REDEALS = 4
"""The packs that a round may need: the deal, its trump, draws among tied seats (MW8), and deals
that are void (MV7)."""

_MAX_SIDE_WEIS = 550
"""The maximum Weis of a side: the fours of jacks and nines, and two melds of 100 points (JS7)."""

_MAX_MARKS = 3
"""The maximum sticks or potatoes of a seat in a round (MW4, MW5)."""

_MAX_STROKES = 2
"""The maximum strokes of a seat in a round (JS9)."""

_ASSUMED_ROUND_SCORE = 2000
"""The assumed maximum score or cost of a round in a game of another package."""


class EpisodeBounds(NamedTuple):
    """The bounds of an episode.

    Attributes:
        max_actions: the maximum number of actions of all players together.
        max_cards_dealt: the maximum number of cards dealt by chance.
        min_utility, max_utility: the least and the most that a seat can gain.
    """

    max_actions: int
    max_cards_dealt: int
    min_utility: int
    max_utility: int


def episode_bounds(game: Game, episode: str) -> EpisodeBounds:
    """The bounds of a match of this game, or of a round."""
    rules = game.rules(game)
    rounds = 1 if episode == ROUND else _max_rounds(rules)
    low, high = _round_range(rules)
    if isinstance(rules, IDoubtIt):
        actions = _max_claims(rules) * (CLAIM_SIZE + rules.players)
    else:
        assert isinstance(rules, TrickTaking)
        actions = len(rules.whole_pack) + _max_other_actions(rules)
        if game.options.get("no_trump") == "annul":
            actions *= _MAX_REDEALS  # a void deal is played in vain
    cards = (_MAX_REDEALS * rounds + 1) * len(rules.deck.texts)
    highest = high if episode == ROUND else _max_match_utility(rules, rounds, high)
    return EpisodeBounds(actions * rounds, cards, low * rounds, highest)


def _max_other_actions(rules: TrickTaking) -> int:
    """The maximum number of actions of a round besides the play of cards."""
    if isinstance(rules, Differenzler | Handjass | ContractGame):
        # For each seat a bid or two answers, robbing, and Weis; then four announcements and pushes.
        return 5 * rules.players + 4
    # In a game of another package each action once, as in an auction, with a pass of each seat.
    return rules.players * (len(rules.other_actions() or ()) + 1)


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


def _max_claims(rules: IDoubtIt) -> int:
    claims = rules.game.options["max_turns"]
    assert isinstance(claims, int)
    return claims


def _round_range(rules: Rules) -> tuple[int, int]:
    """The least and the most that a round can bring a seat."""
    if isinstance(rules, IDoubtIt):
        # All cards of the others, and a chip for each lie (ID6, ID9).
        chips = len(rules.deck.texts) + _max_claims(rules) * rules.lie_fee
        return -chips, chips
    assert isinstance(rules, TrickTaking)
    if rules.scoring_kind == BY_DIFFERENCE:
        return -ALL_POINTS, 0
    if rules.scoring_kind == BY_STROKES:
        return NULL, _MAX_STROKES
    if isinstance(rules, Molotov) and rules.metric is Molotov.metric:
        return -ALL_POINTS - _max_molotovs(rules), 0
    if isinstance(rules, Molotow) and rules.metric is Molotow.metric:
        return -_MAX_MARKS, _MAX_MARKS
    if isinstance(rules, ContractGame) and rules.metric is ContractGame.metric:
        return 0, _max_side_points(rules) * max(line.factor for line in rules.slate_lines)
    return -_ASSUMED_ROUND_SCORE, _ASSUMED_ROUND_SCORE


def _max_molotovs(rules: Molotov) -> int:
    """An upper bound on the points of all molotovs of a round (MV4, MV5)."""
    weis = rules.game.options["long_runs"] == "weis"
    return 4 * _max_runs_of_suit(RANKS, rules.players, weis)


@cache
def _max_runs_of_suit(cards: int, longest: int, weis: bool) -> int:
    """The most points of runs into which neighbouring cards of a suit can be split."""
    worth = [
        melds.molotov_points((1 << length) - 1, weis)
        + _max_runs_of_suit(cards - length, longest, weis)
        for length in range(3, min(cards, longest) + 1)
    ]
    return max(worth, default=0)


def _max_side_points(rules: ContractGame) -> int:
    """The most points of a side in a round, before the factor (CT6, SC3, SC4)."""
    return ALL_POINTS + rules.match_bonus + (_MAX_SIDE_WEIS + STOECK) * rules.is_weis_scored


def _max_match_utility(rules: Rules, rounds: int, high: int) -> int:
    """The most that a match can bring a seat.

    Args:
        rules: the rules of the match.
        rounds: an upper bound on its rounds.
        high: the most that a round can bring.
    """
    if not isinstance(rules, ContractGame) or rules.game.options.get("rounds"):
        return high * rounds
    if rules.plays_each_line_once:
        return _max_side_points(rules) * sum(line.factor for line in rules.slate_lines)
    target = rules.game.options["target"]
    assert isinstance(target, int)
    return target + high * (1 + _MAX_TIE_ROUNDS)
