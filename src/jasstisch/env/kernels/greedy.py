"""The bot `greedy` in a batch, compiled from the functions of `bots.greedy`.

Only the position that these functions read is built here, from the arrays of a batch instead of a
view. A test plays both versions side by side. Games of partners are in
`env.kernels.greedy_partners`.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jasstisch.bots import position
from jasstisch.bots.greedy import (
    differenzler,
    duck_odds,
    handjass,
    molotov,
    molotow,
    take_odds,
    trick_estimates,
)
from jasstisch.engine import melds, tricks
from jasstisch.engine.cards import SIX_OF_DIAMONDS
from jasstisch.env.actions import ROB, STAY, WEIS
from jasstisch.env.kernels.batch_state import (
    ANSWERING,
    BLIND_CARD_SET,
    LAID_AWAY,
    PHASE,
    PLAY_COUNT,
    SEATS_IN_PLAY,
    TURNED_CARD,
    BatchState,
    RoundRow,
)
from jasstisch.env.kernels.compiled_rules import (
    OTHERS_STICKS,
    PLAYERS,
    SCORING,
    CompiledRules,
    IntArray,
)
from jasstisch.games.evaluation.trick_odds import count_bucket
from jasstisch.games.scoring_kinds import BY_DIFFERENCE, BY_PLACE, BY_STICKS
from jasstisch.search.jit.compiler import kernel, register_jitable_functions
from jasstisch.search.rounds import round_state
from jasstisch.search.rounds.round_state import (
    BEST_CARD,
    BOMBS,
    CAPTURED_CARDS,
    HANDS,
    LED_SUIT,
    NEXT_SEAT,
    RANKING,
    SEATS,
    TARGET,
    TRICK_CARDS,
    TRICK_HOLDER,
    TRICK_SIZE,
    TURN,
    UNDERTRUMP,
    Round,
)

GAMES = ("differenzler", "jass", "molotov", "molotow", "offenbach")
"""The games of individuals whose heuristics are compiled."""

register_jitable_functions(
    count_bucket,
    position.is_undertrump,
    position.cards_ruled_out,
    trick_estimates.higher_cards_of_suit,
    trick_estimates.last_card_win_probability,
    trick_estimates.may_hold,
    trick_estimates.mean_card_points,
    trick_estimates.probability_of_none,
    trick_estimates.expected_added_trick_points,
    trick_estimates.holder_probability,
    trick_estimates.possible_places,
    trick_estimates.suit_led,
    trick_estimates.expected_card_points,
    take_odds.probability_to_take,
    take_odds.expected_points_if_taking,
    duck_odds.expected_points_if_ducking,
    duck_odds.probability_forced_to_take,
    duck_odds.overruff_probability,
    differenzler.expected_bid_gap,
    differenzler.estimate_bid,
    differenzler.bid_gap_after,
    differenzler.bid_gap_at_last_card,
    molotov.bomb_points,
    molotov.spite_value,
    molotov.expected_points,
    molotov.expected_bomb_points,
    molotov.trump_after_card,
    molotow.probability_above,
    molotow.expected_mark,
    molotow.expected_mark_after,
    molotow.probability_of_taker,
    handjass.choose_answer,
    handjass.expected_gain,
    handjass.fraction_in_hands,
    handjass.points_in_play,
    handjass.robbing_pays,
    handjass.expected_points,
    handjass.expected_points_of_blind,
)


class _KernelPosition(NamedTuple):
    """The fields of `bots.position.Position` that the heuristics read, with the same names."""

    seat: int
    players: int
    playing: NDArray[np.int64]
    trump: int
    hand: int
    lying: int
    led: int
    best: int
    winner: int
    to_come: NDArray[np.int64]
    taken: NDArray[np.int64]
    unseen: int
    absent: int
    sizes: NDArray[np.int64]
    void: NDArray[np.int64]


def write_actions(
    rules: CompiledRules, batch: BatchState, acting: NDArray[np.bool_], actions: IntArray
) -> None:
    """Writes its action for the seat to act in each of these rounds."""
    scores = np.empty(int(rules.parameters[PLAYERS]))
    _write_actions(rules.parameters, batch, acting, new_position_memory(), scores, actions)


def new_position_memory() -> NDArray[np.int64]:
    """Memory for the arrays of a position, which `read_position` overwrites."""
    return np.empty((4, SEATS), dtype=np.int64)


@kernel
def _write_actions(
    rules: IntArray,
    batch: BatchState,
    acting: NDArray[np.bool_],
    memory: NDArray[np.int64],
    scores: NDArray[np.float64],
    actions: IntArray,
) -> None:
    for one in range(len(acting)):
        if acting[one]:
            actions[one] = _choose_action(rules, batch, one, memory, scores)


@kernel
def write_bids(
    rules: IntArray, batch: BatchState, acting: NDArray[np.bool_], seat: int, bids: IntArray
) -> None:
    """Writes its bid for one seat of these rounds (n, p)."""
    for one in range(len(acting)):
        if acting[one]:
            hand, trump = batch.round_states[one, HANDS + seat], batch.round_states[one, RANKING]
            bids[one, seat] = differenzler.estimate_bid(hand, trump, rules[PLAYERS])


@kernel
def _choose_action(
    rules: IntArray,
    batch: BatchState,
    one: int,
    memory: NDArray[np.int64],
    scores: NDArray[np.float64],
) -> int:
    """Its action in one round."""
    state, row, legal = batch.round_states[one], batch.round_details[one], batch.legal[one]
    if not legal & (legal - 1):
        return legal.bit_length() - 1
    at = read_position(rules, batch, one, memory)
    if row[PHASE] == ANSWERING:
        return STAY + handjass.choose_answer(
            at, row[TURNED_CARD] if row[BLIND_CARD_SET] else -1, rules[PLAYERS] == 2
        )
    if legal >> ROB & 1 and handjass.robbing_pays(at, row[TURNED_CARD]):
        return ROB
    if legal >> WEIS & 1:
        return WEIS
    best, worst = -1, np.inf
    while legal:
        card = (legal & -legal).bit_length() - 1
        legal &= legal - 1
        if card >= STAY:
            break
        cost = _card_cost(rules, state, at, card, scores)
        if cost < worst:
            best, worst = card, cost
    return best


@kernel
def _card_cost(
    rules: IntArray,
    state: Round,
    at: Any,  # noqa: ANN401
    card: int,
    scores: Any,  # noqa: ANN401 - a list to the bot
) -> float:
    """The cost of a card; the card with the least cost is played."""
    if rules[SCORING] == BY_DIFFERENCE:
        missing = state[TARGET + at.seat] - round_state.points(state, at.seat)
        return differenzler.bid_gap_after(at, card, missing)
    if rules[SCORING] == BY_STICKS:
        return -molotow.expected_mark_after(at, card, rules[OTHERS_STICKS], scores)
    if rules[SCORING] == BY_PLACE:
        weis = state[BOMBS] == melds.BOMBS_AS_WEIS
        # A round is played as the first of a match: all seats are equally far from its end (MV9).
        leader = 1 if at.seat == 0 else 0
        return molotov.expected_points(at, card, weis) - molotov.spite_value(at, card, leader, weis)
    return -handjass.expected_gain(at, card)


@kernel
def read_position(rules: IntArray, batch: BatchState, one: int, memory: NDArray[np.int64]) -> Any:  # noqa: ANN401 - a `_KernelPosition` to kernels
    """The position of one round, as the seat to act knows it.

    Its arrays are parts of `memory` and of the batch, and no references to them are counted: only a
    `kernel` may call this.
    """
    state, row = batch.round_states[one], batch.round_details[one]
    seat, players, laid = state[TURN], rules[PLAYERS], state[TRICK_SIZE]
    sizes, playing, to_come, void = memory[0], memory[1], memory[2], memory[3]
    out = state[HANDS + seat] | state[TRICK_CARDS] | row[LAID_AWAY + seat]
    if row[TURNED_CARD] >= 0:
        out |= 1 << row[TURNED_CARD]
    held = many = 0
    for other in range(players):
        sizes[other] = state[HANDS + other].bit_count()
        out |= state[CAPTURED_CARDS + other]
        held += sizes[other]
        if row[SEATS_IN_PLAY] >> other & 1:
            playing[many] = other
            many += 1
    unseen = tricks.WHOLE_PACK & ~out
    if players == 5:
        unseen &= ~(1 << SIX_OF_DIAMONDS)  # five play without it (MV1)
    follower, coming = seat, max(0, many - 1 - laid)
    for place in range(coming):
        follower = to_come[place] = state[NEXT_SEAT + follower]
    _write_cards_ruled_out(rules, state, row, batch.history[one], many, void)
    return _KernelPosition(
        seat,
        players,
        playing[:many],
        state[RANKING],
        state[HANDS + seat],
        state[TRICK_CARDS],
        state[LED_SUIT],
        state[BEST_CARD],
        state[TRICK_HOLDER] if laid else seat,
        to_come[:coming],
        state[CAPTURED_CARDS : CAPTURED_CARDS + players],
        unseen,
        unseen.bit_count() - held + sizes[seat],
        sizes,
        void,
    )


@kernel
def _write_cards_ruled_out(
    rules: IntArray,
    state: Round,
    row: RoundRow,
    history: NDArray[np.int8],
    playing: int,
    void: NDArray[np.int64],
) -> None:
    """Writes for each seat the set of the cards it has shown not to hold, as in `Position`."""
    for seat in range(rules[PLAYERS]):
        void[seat] = 0
    makes_trump = rules[SCORING] == BY_PLACE or rules[SCORING] == BY_STICKS
    trump = -1 if makes_trump else state[RANKING]
    led = top = -1
    card: Any  # a word, as the other numbers
    for place in range(row[PLAY_COUNT]):
        seat, card = history[place, 0], np.int64(history[place, 1])
        if place % playing == 0:
            led, top = card // tricks.RANKS, -1
        below = position.is_undertrump(card, top, trump)
        if not (below and state[UNDERTRUMP] == tricks.FREE):
            void[seat] |= position.cards_ruled_out(card, led, trump, below)
        trump = tricks.trump_after(card, led, trump)
        if card // tricks.RANKS == trump and trump != led and not below:
            top = card
