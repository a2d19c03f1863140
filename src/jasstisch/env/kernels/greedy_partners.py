"""The bot `greedy` in a batch of two-sided games, Schieber and Coiffeur, compiled.

The position is built here from the arrays of a batch; it is evaluated by the functions of
`bots.greedy`.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jasstisch.bots.greedy import (
    coiffeur,
    partner_card_play,
    partner_game_inference,
    schieber,
)
from jasstisch.bots.greedy.partner_game_inference import CONTRACT_RANKINGS, SEATS
from jasstisch.engine import melds, tricks
from jasstisch.env.actions import ANNOUNCE, PUSH, WEIS, announcement_texts
from jasstisch.env.kernels.batch_state import (
    ANNOUNCED,
    ANNOUNCING,
    BEST_SEAT,
    MELD_CARDS,
    PHASE,
    PLAY_COUNT,
    BatchState,
    RoundRow,
)
from jasstisch.env.kernels.compiled_rules import (
    CONTRACT_COLUMN,
    FACTOR_COLUMN,
    LINES_CROSS_OUT,
    MATCH_BONUS,
    WEIS_COUNTS,
    CompiledRules,
    IntArray,
)
from jasstisch.env.kernels.greedy import new_position_memory, read_position
from jasstisch.games.contracts import ContractGame
from jasstisch.games.rules import Game
from jasstisch.search.jit.compiler import kernel, register_jitable_functions
from jasstisch.search.rounds.contracts import VALUE_RANKINGS
from jasstisch.search.rounds.round_state import (
    ANNOUNCER,
    CAPTURED_CARDS,
    HANDS,
    NEXT_RANKINGS,
    RANKING,
    TURN,
    VALUE_RANKING,
    Round,
)

GAMES = ("coiffeur", "schieber")
"""The games of two sides whose heuristics are compiled."""

register_jitable_functions(
    coiffeur.excess_over_par,
    partner_card_play.future_value,
    partner_card_play.future_value_for_ranking,
    partner_card_play.match_bonus_value,
    partner_card_play.card_gain,
    partner_card_play.top_card_win_probability,
    partner_card_play.expected_trumps_drawn,
    partner_game_inference.probability_after_ruffs,
    partner_game_inference.probability_without_ruffs,
    partner_game_inference.normalize_hand,
    partner_game_inference.write_likelihoods,
    partner_game_inference.mean_card_points,
    partner_game_inference.probability_of_none,
    partner_game_inference.expected_added_trick_points,
    partner_game_inference.normalize_cards,
    partner_game_inference.probability_side_takes,
    partner_game_inference.init_beliefs,
    partner_game_inference.probability_void,
    schieber.expected_point_lead,
)


class AnnounceParams(NamedTuple):
    """The parameters of its announcements at a table.

    Attributes:
        par_points: at Coiffeur, the par of the line of each announcement from `actions.ANNOUNCE` on
            (k,).
        push_threshold: it pushes if the best announcement is worth less.
    """

    par_points: NDArray[np.float64]
    push_threshold: float


def announce_params(game: Game) -> AnnounceParams:
    """The announcement parameters of `greedy` at this table."""
    rules = game.rules(game)
    assert isinstance(rules, ContractGame)
    named = announcement_texts(rules)
    usual = np.zeros(max(named) + 1 - ANNOUNCE)
    if not rules.plays_each_line_once:
        return AnnounceParams(usual, schieber.PUSHED_ROUND_LEAD[str(game.options["multipliers"])])
    for action, text in named.items():
        usual[action - ANNOUNCE] = coiffeur.par_points(text)
    return AnnounceParams(usual, 0.0)


class _KernelPartnerPosition(NamedTuple):
    """The fields of a `PartnerGamePosition` that the heuristics read."""

    seat: int
    announcer: int
    trump: int
    value_ranking: int
    ranking: int
    hand: int
    lying: int
    led: int
    best: int
    winner: int
    to_come: NDArray[np.int64]
    unseen: int
    sizes: NDArray[np.int64]
    void: NDArray[np.int64]
    future_ranking_shares: NDArray[np.float64]
    known_cards: NDArray[np.int64]
    holder_probabilities: NDArray[np.float64]
    opponent_probabilities: NDArray[np.float64]


class _Memory(NamedTuple):
    """Memory for the arrays of a position, which each position overwrites."""

    position: NDArray[np.int64]
    future_ranking_shares: NDArray[np.float64]
    known_cards: NDArray[np.int64]
    holder_probabilities: NDArray[np.float64]
    opponent_probabilities: NDArray[np.float64]


def write_actions(
    rules: CompiledRules,
    habits: AnnounceParams,
    batch: BatchState,
    acting: NDArray[np.bool_],
    actions: IntArray,
) -> None:
    """Writes its action for the seat to act in each of these rounds."""
    memory = _Memory(
        new_position_memory(),
        np.empty(len(CONTRACT_RANKINGS)),
        np.empty(SEATS, dtype=np.int64),
        np.empty((SEATS, tricks.CARDS)),
        np.empty(tricks.CARDS),
    )
    _write_actions(rules, habits, batch, acting, memory, actions)


@kernel
def _write_actions(
    rules: CompiledRules,
    habits: AnnounceParams,
    batch: BatchState,
    acting: NDArray[np.bool_],
    memory: _Memory,
    actions: IntArray,
) -> None:
    for one in range(len(acting)):
        if acting[one] and batch.round_details[one, PHASE] == ANNOUNCING:
            actions[one] = _choose_announcement(
                rules, habits, batch.round_states[one], batch.legal[one]
            )
        elif acting[one]:
            actions[one] = _choose_play(rules.parameters, batch, one, memory)


@kernel
def _choose_announcement(
    rules: CompiledRules, habits: AnnounceParams, state: Round, legal: int
) -> int:
    """Its announcement, or a push."""
    hand = state[HANDS + state[TURN]]
    best, most = -1, -np.inf
    for number in range(len(rules.announcements)):
        if legal >> ANNOUNCE + number & 1:
            contract, factor = (
                rules.announcements[number, CONTRACT_COLUMN],
                rules.announcements[number, FACTOR_COLUMN],
            )
            if rules.parameters[LINES_CROSS_OUT]:
                worth = coiffeur.excess_over_par(hand, contract, habits.par_points[number], factor)
            else:
                weis = rules.parameters[WEIS_COUNTS] == 1
                worth = schieber.expected_point_lead(
                    hand, contract, VALUE_RANKINGS[contract], factor, weis
                )
            if worth > most:
                best, most = ANNOUNCE + number, worth
    pushes = best < 0 or (legal >> PUSH & 1 and most < habits.push_threshold)
    return PUSH if pushes else best


@kernel
def _choose_play(rules: IntArray, batch: BatchState, one: int, memory: _Memory) -> int:
    """The card with the highest gain for the side, preceded by any Weis to announce."""
    state, legal = batch.round_states[one], batch.legal[one]
    if legal >> WEIS & 1:
        return WEIS
    if not legal & (legal - 1):
        return legal.bit_length() - 1
    at = _read_partner_position(rules, batch, one, memory)
    bonus = _match_bonus_value(rules, state)
    best, most = -1, -np.inf
    while legal:
        card = (legal & -legal).bit_length() - 1
        legal &= legal - 1
        gained = partner_card_play.card_gain(at, card, bonus)
        if gained > most:
            best, most = card, gained
    return best


@kernel
def _read_partner_position(rules: IntArray, batch: BatchState, one: int, memory: _Memory) -> Any:  # noqa: ANN401 - a position
    """The position and beliefs of the seat to act in one round; see `read_position`."""
    state, at = batch.round_states[one], read_position(rules, batch, one, memory.position)
    memory.future_ranking_shares[:] = 0
    memory.known_cards[:] = 0
    memory.holder_probabilities[:] = 0
    memory.opponent_probabilities[:] = 0
    later, shown = memory.future_ranking_shares, memory.known_cards
    _write_future_ranking_shares(state, later)
    _write_known_cards(state, batch.round_details[one], shown)
    sides: Any = _KernelPartnerPosition(
        at.seat,
        state[ANNOUNCER],
        at.trump if at.trump < tricks.TOPS else tricks.PLAIN,
        state[VALUE_RANKING],
        state[RANKING],
        at.hand,
        at.lying,
        at.led,
        at.best,
        at.winner,
        at.to_come,
        at.unseen,
        at.sizes,
        at.void,
        later,
        shown,
        memory.holder_probabilities,
        memory.opponent_probabilities,
    )
    partner_game_inference.init_beliefs(sides)
    return sides


@kernel
def _write_future_ranking_shares(state: Round, later: NDArray[np.float64]) -> None:
    """Writes for each ranking the fraction of later tricks that have it (CT4)."""
    count = state[HANDS + state[TURN]].bit_count() - 1
    course = state[NEXT_RANKINGS]
    for _ in range(count):
        ranking = course & 7 if course else state[RANKING]
        course >>= 3
        later[ranking] += 1
    for ranking in range(len(later)):
        later[ranking] /= max(1, count)


@kernel
def _write_known_cards(state: Round, row: RoundRow, shown: IntArray) -> None:
    """Writes the cards that a seat is known to have held, from the Weis shown (SC3).

    If its partner has announced too, only the best meld is known to be its own.
    """
    seat = row[BEST_SEAT]
    if seat < 0 or row[PLAY_COUNT] < SEATS:
        return
    shown[seat] = row[MELD_CARDS + seat]
    if row[ANNOUNCED + (seat + 2) % SEATS] >= 0:
        shown[seat] = _best_meld(row[MELD_CARDS + seat], state[VALUE_RANKING])


@kernel
def _best_meld(cards: int, ranking: int) -> int:
    """The best meld among some cards."""
    fours = melds.best_fours(cards, ranking)
    best, strength = 0, -1
    meld = melds.next_meld(cards, fours)
    while meld:
        if melds.weis_strength(meld, ranking) > strength:
            best, strength = meld, melds.weis_strength(meld, ranking)
        cards &= ~meld
        meld = melds.next_meld(cards, fours)
    return best


@kernel
def _match_bonus_value(rules: IntArray, state: Round) -> float:
    """The value of the trick in progress besides its points, while a match is possible (CT6)."""
    even = state[CAPTURED_CARDS] | state[CAPTURED_CARDS + 2]
    odd = state[CAPTURED_CARDS + 1] | state[CAPTURED_CARDS + 3]
    later = state[HANDS + state[TURN]].bit_count() - 1
    return partner_card_play.match_bonus_value(even, odd, rules[MATCH_BONUS], later)
