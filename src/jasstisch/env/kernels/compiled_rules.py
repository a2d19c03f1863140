"""The rules of a game as numbers, for kernels that play a batch of its rounds.

All of them come from the rules class of the game: the deal, the legal plays and the scoring.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jasstisch.engine.errors import GameError, quote
from jasstisch.env.actions import ANNOUNCE, announcement_texts
from jasstisch.games import scoring_kinds
from jasstisch.games.contracts import CONTRACTS, ContractGame, contract_text
from jasstisch.games.dealing import deal
from jasstisch.games.differenzler import ZERO_BONUS
from jasstisch.games.handjass import Handjass
from jasstisch.games.rules import REGISTRY, Game, Rules
from jasstisch.games.trick_taking import TrickTaking
from jasstisch.games.weis import WeisGame
from jasstisch.search.rounds import round_state

_SUPPORTED_SCORINGS = (
    scoring_kinds.BY_DIFFERENCE,
    scoring_kinds.BY_PLACE,
    scoring_kinds.BY_STICKS,
    scoring_kinds.BY_STROKES,
    scoring_kinds.BY_SIDE,
)
"""The kinds of scoring that a batch supports."""

(
    SCORING,  # kind of scoring, one of `_SUPPORTED_SCORINGS`
    PLAYERS,
    BOTTOM_CARD_TRUMP,  # 1 if the last card dealt shows the trump (DF2)
    BIDS_OPEN,  # 1 if bids are public (DF3)
    POINTS_SHOWN,  # 1 if running points are public (DF5)
    EXACT_BONUS,  # 1 if an exact hit takes 10 off (DF8)
    ZERO_BONUS_RULE,  # rule for that bonus with a bid of 0 (DF8)
    OTHERS_STICKS,  # sticks of each other seat when one has a hundred or more (MW4, MW5)
    GENEROUS_TIES,  # 1 if straddling ties earn the best mark (C11)
    TRUMP_NEEDED,  # 1 if a round without trump is void (MV7)
    WEIS_COUNTS,  # 1 if Weis and Stöck count (JS7, SC4)
    MATCH_BONUS,  # bonus of a side for all tricks (CT6)
    MAX_PUSHES,  # number of pushes after which a seat must announce (SC1, CO2)
    PUSH_STEP,  # number of seats by which a push moves on (SC1, CO2)
    ANNOUNCER_LEADS,  # 1 if the announcer leads (CO3)
    ANNOUNCER_WRITES,  # 1 if only the announcer's side writes (CO4)
    LINES_CROSS_OUT,  # 1 if each side plays each line once (CO1)
) = range(17)
PARAMETER_COUNT = 17

CONTRACT_COLUMN, FACTOR_COLUMN, LINE_COLUMN = range(3)
"""The columns of `CompiledRules.announcements`."""

NOT_DEALT, TO_BLIND = -1, -2
"""The destinations of a card of the pack that no seat receives (JS3)."""

IntArray = NDArray[np.int64]
"""An array of integers."""


class CompiledRules(NamedTuple):
    """The rules of a game for kernels.

    Attributes:
        parameters: `PARAMETER_COUNT` numbers, at the indices above.
        empty_state: a round with its rules set and no cards dealt.
        pack: the cards of the game.
        deal_order: for each position in a shuffled pack, the receiver of that card: 0 for forehand,
            1 for the next seat and so on, or `NOT_DEALT` or `TO_BLIND`.
        line_actions: for each line of the slate, in order, the set of the actions that announce it.
        announcements: for each announcement from `actions.ANNOUNCE` on, its contract by index in
            CT2, its factor and the index of its line; -1 for numbers that announce nothing.
    """

    parameters: IntArray
    empty_state: round_state.Round
    pack: IntArray
    deal_order: IntArray
    line_actions: IntArray
    announcements: IntArray


def compile_rules(game: Game) -> CompiledRules:
    """Compiles the rules of a game into numbers.

    Raises:
        GameError: a batch does not support the game.
    """
    given: object = game
    rules = game.rules(game) if isinstance(given, Game) else None
    if not isinstance(rules, TrickTaking) or not is_supported(type(rules)):
        able = ", ".join(sorted(name for name, one in REGISTRY.items() if is_supported(one)))
        asked = game.name if isinstance(given, Game) else quote(given)
        raise GameError(f"a batch cannot play {asked}; from jasstisch.game it plays {able}")
    pack = rules.whole_pack
    lines, calls = _announcement_tables(rules)
    return CompiledRules(
        parameters=np.array(_rule_parameters(rules), dtype=np.int64),
        empty_state=_empty_round(rules),
        pack=np.array(pack, dtype=np.int64),
        deal_order=np.array(_deal_order(rules, len(pack)), dtype=np.int64),
        line_actions=lines,
        announcements=calls,
    )


def is_supported(rules: type[Rules]) -> bool:
    """Whether a batch supports the scoring and the contracts of a game."""
    if not issubclass(rules, TrickTaking) or rules.scoring_kind not in _SUPPORTED_SCORINGS:
        return False
    return rules.scoring_kind != scoring_kinds.BY_SIDE or issubclass(rules, ContractGame)


def _rule_parameters(rules: TrickTaking) -> list[int]:
    """The values of `CompiledRules.parameters`; options that the game does not have are off."""
    options = rules.game.options
    parameters = [0] * PARAMETER_COUNT
    parameters[SCORING] = rules.scoring_kind
    parameters[PLAYERS] = rules.players
    parameters[BOTTOM_CARD_TRUMP] = options.get("trump") == "bottom"
    parameters[BIDS_OPEN] = options.get("bids") == "open"
    parameters[POINTS_SHOWN] = options.get("show_points") != "own"
    parameters[EXACT_BONUS] = options.get("exact_bonus") == 10
    parameters[ZERO_BONUS_RULE] = ZERO_BONUS[str(options.get("zero_bonus", "always"))]
    parameters[OTHERS_STICKS] = 1 if options.get("marks") == "swiss" else 3
    parameters[GENEROUS_TIES] = options.get("ties") == "generous"
    parameters[TRUMP_NEEDED] = options.get("no_trump") == "annul"
    parameters[WEIS_COUNTS] = isinstance(rules, WeisGame) and rules.is_weis_scored
    if isinstance(rules, ContractGame):
        parameters[MATCH_BONUS] = rules.match_bonus
        parameters[MAX_PUSHES] = rules.max_pushes
        parameters[PUSH_STEP] = rules.push_distance
        parameters[ANNOUNCER_LEADS] = rules.announcer_leads
        parameters[ANNOUNCER_WRITES] = rules.side_factors(1, 0) != (1, 1)
        parameters[LINES_CROSS_OUT] = rules.plays_each_line_once
    return parameters


def _announcement_tables(rules: TrickTaking) -> tuple[IntArray, IntArray]:
    """The lines and announcements of a game, as in `CompiledRules`; empty without announcements."""
    if not isinstance(rules, ContractGame):
        return np.zeros(0, dtype=np.int64), np.zeros((0, 3), dtype=np.int64)
    lines = np.zeros(len(rules.slate_lines), dtype=np.int64)
    named = announcement_texts(rules)
    calls = np.full((max(named) + 1 - ANNOUNCE, 3), -1, dtype=np.int64)
    for action, text in named.items():
        line = rules.line_by_announcement[text]
        place = rules.slate_lines.index(line)
        lines[place] |= 1 << action
        contract = list(CONTRACTS).index(contract_text(text))
        calls[action - ANNOUNCE] = (contract, line.factor, place)
    return lines, calls


def _empty_round(rules: TrickTaking) -> round_state.Round:
    """A round of this game before the deal."""
    options = rules.game.options
    state = round_state.new_round(list(range(rules.players)))
    state[round_state.UNDERTRUMP] = rules.undertrump
    state[round_state.BOMBS] = rules.molotov_points_rule(options)
    state[round_state.EIGHTS_COUNT] = rules.are_eights_counted(options)
    return state


def _deal_order(rules: TrickTaking, cards: int) -> list[int]:
    """The receiver of each card of a pack of this size, by the packets of the game (C6, JS3)."""
    to: list[int] = [NOT_DEALT] * cards
    hands = deal(range(cards), rules.PACKETS[rules.players], range(rules.players))
    for player, places in enumerate(hands):
        for place in places:
            to[place] = player
    if isinstance(rules, Handjass):
        for place in _blind_positions(rules.players):
            to[place] = TO_BLIND
    return to


def _blind_positions(players: int) -> Sequence[int]:
    """The positions of the blind in the pack at Jass (JS3)."""
    return {2: range(18, 27), 3: range(27, 36), 4: range(0)}[players]
