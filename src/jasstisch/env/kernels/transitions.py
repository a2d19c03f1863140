"""The transitions of the rounds of a batch, compiled: deal, legal actions, steps, scoring.

The transitions are those of `jasstisch.games`, on the compiled functions of the rules and of
`search.rounds`. Functions over all rounds take the `BatchState`; functions of a single round take
its rows.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jasstisch.engine import slate, tricks
from jasstisch.env.actions import MAX_ACTIONS, ROB, STAY, WEIS
from jasstisch.env.kernels import contracts, weis
from jasstisch.env.kernels import handjass as answering
from jasstisch.env.kernels.batch_state import (
    ANNOUNCED,
    ANNOUNCES_WEIS,
    ANNOUNCING,
    ANSWERING,
    ANSWERS_GIVEN,
    BEST_SEAT,
    BIDDING,
    BLIND_CARD_SET,
    BLIND_TAKER,
    CONTRACT,
    DEALER,
    DRAWN_SEAT,
    FACTOR,
    IS_VOID,
    LINE,
    MATCH_SIDE,
    OVER,
    PHASE,
    PLAY_COUNT,
    PLAYED_CARDS,
    PLAYING_CARDS,
    ROBBER,
    SEATS_IN_PLAY,
    SHOWN_CARD,
    STOECK_CALLER,
    STOECK_HOLDER,
    TURNED_CARD,
    BatchState,
    RoundRow,
)
from jasstisch.env.kernels.compiled_rules import (
    BOTTOM_CARD_TRUMP,
    EXACT_BONUS,
    GENEROUS_TIES,
    OTHERS_STICKS,
    PLAYERS,
    SCORING,
    TO_BLIND,
    TRUMP_NEEDED,
    WEIS_COUNTS,
    ZERO_BONUS_RULE,
    CompiledRules,
    IntArray,
)
from jasstisch.games import differenzler, handjass, molotow
from jasstisch.games.scoring_kinds import BY_DIFFERENCE, BY_PLACE, BY_SIDE, BY_STICKS, BY_STROKES
from jasstisch.search.jit.compiler import allocating_kernel, kernel, register_jitable_functions
from jasstisch.search.jit.prng import Stream, next_u64, pick_card, randbelow
from jasstisch.search.rounds import round_state
from jasstisch.search.rounds.random_playouts import shuffle
from jasstisch.search.rounds.round_state import (
    CAPTURED_CARDS,
    HANDS,
    RANKING,
    SEATS,
    TARGET,
    TURN,
    Round,
)

_Actions = NDArray[np.int64]
_Sets = NDArray[np.int64]
_Rewards = NDArray[np.int32]
_RowMask = NDArray[np.bool_]

_SEATS_FOR_WHOLE_PACK = 4
_FIRST_UNDEALT = 27
"""The position of the turned card in the pack at Jass; four players receive all cards."""

_NO_BID = -1

_UNSET_WORDS = (
    DRAWN_SEAT,
    SHOWN_CARD,
    TURNED_CARD,
    BLIND_TAKER,
    ROBBER,
    BEST_SEAT,
    STOECK_HOLDER,
    STOECK_CALLER,
    CONTRACT,
    LINE,
    FACTOR,
    MATCH_SIDE,
)
"""The words of a row that are -1 before the deal."""

register_jitable_functions(
    slate.rank_of, differenzler.bonus, molotow.round_mark, handjass.round_mark
)


@kernel
def seed_streams(chance: Stream, streams: Stream) -> None:
    """Gives each round a random stream of its own, independent of the size of the batch."""
    for one in range(len(streams)):
        streams[one] = next_u64(chance)


@allocating_kernel
def deal(rules: CompiledRules, batch: BatchState, chosen: _RowMask) -> None:
    """Deals the chosen rounds, each from its own pack and by its own dealer."""
    for one in range(len(chosen)):
        if chosen[one]:
            batch.history[one] = -1
            batch.round_states[one] = rules.empty_state
            _clear_row(batch.round_details[one])
            _deal_one(rules, batch.packs[one], batch.round_states[one], batch.round_details[one])
            if rules.parameters[SCORING] == BY_DIFFERENCE:
                _start_bidding(rules.parameters, batch, one)
            elif rules.parameters[SCORING] == BY_STROKES:
                _start_answering(rules.parameters, batch, one)
            elif rules.parameters[SCORING] == BY_SIDE:
                contracts.start_announcing(batch.round_details[one])


@kernel
def _clear_row(row: RoundRow) -> None:
    """Resets a row to the state before the deal, with only the dealer known."""
    dealer = row[DEALER]
    row[:] = 0
    row[DEALER] = dealer
    for word in _UNSET_WORDS:
        row[word] = -1
    for seat in range(SEATS):
        row[ANSWERS_GIVEN + seat] = -1
        row[ANNOUNCED + seat] = -1


@kernel
def _deal_one(rules: CompiledRules, pack: IntArray, state: Round, row: RoundRow) -> None:
    """Deals the hands of one round; forehand leads (C6)."""
    players = rules.parameters[PLAYERS]
    forehand = (row[DEALER] + 1) % players
    for place in range(len(pack)):
        receiver = rules.deal_order[place]
        if receiver >= 0:
            state[HANDS + (forehand + receiver) % players] |= 1 << pack[place]
        elif receiver == TO_BLIND:
            row[BLIND_CARD_SET] |= 1 << pack[place]
    row[SEATS_IN_PLAY] = (1 << players) - 1
    row[PHASE] = PLAYING_CARDS
    round_state.start_trick(state, forehand)


@kernel
def _start_bidding(rules: IntArray, batch: BatchState, one: int) -> None:
    """Draws or shows the trump; no seat has bid yet (DF2, DF3)."""
    state, row = batch.round_states[one], batch.round_details[one]
    row[PHASE] = BIDDING
    round_state.set_ranking(state, batch.trumps[one])
    if rules[BOTTOM_CARD_TRUMP]:
        row[SHOWN_CARD] = batch.packs[one, -1]
        round_state.set_ranking(state, row[SHOWN_CARD] // tricks.RANKS)
    for seat in range(rules[PLAYERS]):
        state[TARGET + seat] = _NO_BID


@kernel
def _start_answering(rules: IntArray, batch: BatchState, one: int) -> None:
    """Turns the card that shows the trump; each seat in turn answers (JS3, JS4)."""
    state, row, players = batch.round_states[one], batch.round_details[one], rules[PLAYERS]
    row[PHASE] = ANSWERING
    if players == _SEATS_FOR_WHOLE_PACK:
        row[SHOWN_CARD] = batch.packs[one, -1]
    else:
        row[SHOWN_CARD] = row[TURNED_CARD] = batch.packs[one, _FIRST_UNDEALT]
    round_state.set_ranking(state, row[SHOWN_CARD] // tricks.RANKS)
    answering.ask_forehand(state, row, players)


@kernel
def shuffle_packs(batch: BatchState, chosen: _RowMask) -> None:
    """Shuffles the packs of the chosen rounds and draws their trumps, from their own streams."""
    for one in range(len(chosen)):
        if chosen[one]:
            stream = batch.random_streams[one : one + 1]
            shuffle(batch.packs[one], stream)
            batch.trumps[one] = randbelow(stream, 4)


@kernel
def place_bids(batch: BatchState, chosen: _RowMask, bids: NDArray[np.int64]) -> None:
    """Starts play in these rounds if they waited for bids (DF4)."""
    for one in range(len(bids)):
        if chosen[one] and batch.round_details[one, PHASE] == BIDDING:
            batch.round_details[one, PHASE] = PLAYING_CARDS
            for seat in range(bids.shape[1]):
                batch.round_states[one, TARGET + seat] = bids[one, seat]


@kernel
def write_legal(rules: CompiledRules, batch: BatchState) -> None:
    """Writes for each round the set of legal actions of the seat to act.

    The set is 0 if the round is over or waits for bids.
    """
    states, rows, sets = batch.round_states, batch.round_details, batch.legal
    counts_weis = rules.parameters[WEIS_COUNTS]
    for one in range(len(sets)):
        if rows[one, PHASE] == ANSWERING:
            sets[one] = answering.legal_answers(rows[one])
        elif rows[one, PHASE] == ANNOUNCING:
            sets[one] = contracts.legal_announcements(
                rules, states[one], rows[one], batch.lines_played[one]
            )
        elif rows[one, PHASE] == PLAYING_CARDS:
            sets[one] = round_state.legal_moves(states[one])
            if counts_weis and rows[one, PLAY_COUNT] < states[one, round_state.PLAYER_COUNT]:
                sets[one] |= _first_trick_actions(states[one], rows[one])
        else:
            sets[one] = 0


@kernel
def _first_trick_actions(state: Round, row: RoundRow) -> int:
    """The actions possible in the first trick before a card is played: `ROB`, `WEIS` (JS5, JS7)."""
    if row[ANNOUNCES_WEIS]:
        return 0
    robbing = 1 << ROB if answering.may_rob(state, row) else 0
    return robbing | 1 << WEIS if weis.can_announce(state) else robbing


@kernel
def choose_random(sets: _Sets, chance: Stream, actions: _Actions) -> None:
    """Writes a random member of each set, -1 for an empty one."""
    for one in range(len(sets)):
        actions[one] = pick_card(chance, sets[one]) if sets[one] else -1


@kernel
def choose_random_for(sets: _Sets, streams: Stream, acting: _RowMask, actions: _Actions) -> None:
    """Writes a random member of the sets of these rounds, each from its own stream."""
    for one in range(len(sets)):
        if acting[one]:
            actions[one] = pick_card(streams[one : one + 1], sets[one])


@kernel
def draw_random_bids(streams: Stream, acting: _RowMask, seat: int, bids: _Actions) -> None:
    """Writes a random bid for a seat of these rounds, each from its own stream."""
    for one in range(len(acting)):
        if acting[one]:
            bids[one, seat] = randbelow(streams[one : one + 1], tricks.ALL_POINTS + 1)


@kernel
def first_refused(sets: _Sets, actions: _Actions) -> int:
    """The first round whose action is illegal, -1 if none.

    A round in which no seat is to act takes no action but -1.
    """
    for one in range(len(sets)):
        action = actions[one]
        if sets[one] == 0:
            if action != -1:
                return one
        elif action < 0 or action > MAX_ACTIONS or sets[one] >> action & 1 == 0:
            return one
    return -1


@kernel
def play(batch: BatchState, actions: _Actions) -> int:
    """Plays a legal card in each round with a seat to act, and writes the next legal plays.

    Returns:
        The number of rounds that have ended.
    """
    ended = 0
    for one in range(len(actions)):
        card = actions[one]
        if card < 0:
            continue
        state = batch.round_states[one]
        _record_card(batch, one, card)
        round_state.play_card(state, card)
        if state[TURN] < 0:
            batch.round_details[one, PHASE] = OVER
            batch.legal[one] = 0
            ended += 1
        else:
            batch.legal[one] = round_state.legal_moves(state)
    return ended


@kernel
def act(rules: CompiledRules, batch: BatchState, actions: _Actions) -> int:
    """Performs a legal action in each round with a seat to act, in games with other actions too.

    It writes the next legal actions.

    Returns:
        The number of rounds that have ended.
    """
    ended = 0
    counts_weis = rules.parameters[WEIS_COUNTS]
    for one in range(len(actions)):
        action = actions[one]
        if action < 0:
            continue
        state, row = batch.round_states[one], batch.round_details[one]
        if action < STAY:
            if counts_weis:
                weis.call_stoeck(state, row, action)
            _record_card(batch, one, action)
            round_state.play_card(state, action)
            if counts_weis and state[round_state.TRICK_SIZE] == 0:
                weis.score_stoeck_and_weis(state, row)
            if state[TURN] < 0:
                row[PHASE] = OVER
        elif row[PHASE] == ANSWERING:
            answering.apply_answer(state, row, action, rules.parameters[PLAYERS])
        elif row[PHASE] == ANNOUNCING:
            contracts.apply_announcement(rules, state, row, batch.lines_played[one], action)
        elif action == ROB:
            answering.apply_rob(state, row)
        else:
            weis.announce_weis(state, row)
        ended += row[PHASE] == OVER
    write_legal(rules, batch)
    return ended


@kernel
def _record_card(batch: BatchState, one: int, card: int) -> None:
    """Records the seat and card of a play."""
    rows, history = batch.round_details, batch.history
    seat, place = batch.round_states[one, TURN], rows[one, PLAY_COUNT]
    rows[one, PLAYED_CARDS + seat] |= 1 << card
    rows[one, PLAY_COUNT] = place + 1
    history[one, place, 0] = seat
    history[one, place, 1] = card


@kernel
def settle_ended(
    rules: CompiledRules, batch: BatchState, actions: _Actions, rewards: _Rewards, ended: _RowMask
) -> None:
    """Scores the rounds that have ended with these actions."""
    for one in range(len(actions)):
        ended[one] = actions[one] >= 0 and batch.round_details[one, PHASE] == OVER
        if ended[one]:
            stream = batch.random_streams[one : one + 1]
            _score_round(
                rules.parameters,
                batch.round_states[one],
                batch.round_details[one],
                stream,
                rewards[one],
            )


@kernel
def write_points(rules: IntArray, states: NDArray[np.int64], points: NDArray[np.int16]) -> None:
    """Writes the points so far of each seat or its side."""
    by_side = rules[SCORING] == BY_SIDE
    for one in range(len(states)):
        for seat in range(points.shape[1]):
            if by_side:
                points[one, seat] = contracts.side_points(rules, states[one], seat)
            else:
                points[one, seat] = round_state.points(states[one], seat)


@allocating_kernel
def _score_round(
    rules: IntArray, state: Round, row: RoundRow, chance: Stream, rewards: _Rewards
) -> None:
    """Writes the reward of each seat for the round; higher is better."""
    if rules[SCORING] == BY_SIDE:
        contracts.score_sides(rules, state, row, rewards)
        return
    players = rules[PLAYERS]
    scores: Any = np.empty(players, dtype=np.int64)
    for seat in range(players):
        scores[seat] = round_state.points(state, seat)
    if rules[SCORING] == BY_STICKS:
        _score_sticks(rules, scores, row, chance, rewards)
        return
    row[IS_VOID] = rules[TRUMP_NEEDED] and state[RANKING] < 0
    for seat in range(players):
        if rules[SCORING] == BY_PLACE:
            rewards[seat] = 0 if row[IS_VOID] else -scores[seat]
        elif rules[SCORING] == BY_DIFFERENCE:
            rewards[seat] = -_score_difference(rules, state, seat, scores[seat])
        else:
            rewards[seat] = _score_strokes(rules, scores, row[SEATS_IN_PLAY], seat)


@kernel
def _score_strokes(rules: IntArray, scores: Sequence[int], playing: int, seat: int) -> int:
    """The strokes of a seat at Jass, or a null (JS6, JS9)."""
    if playing.bit_count() == 1:
        return handjass.LONE_PLAYER_STROKES * (playing >> seat & 1)
    return handjass.round_mark(scores, playing, seat, rules[GENEROUS_TIES] == 1)


@kernel
def _score_difference(rules: IntArray, state: Round, seat: int, score: int) -> int:
    """The addition to the total of a seat at Differenzler (DF6, DF8)."""
    bid = state[TARGET + seat]
    if bid != score:
        return abs(bid - score)
    if rules[EXACT_BONUS] == 0:
        return 0
    return -differenzler.bonus(bid, state[CAPTURED_CARDS + seat] != 0, rules[ZERO_BONUS_RULE])


@kernel
def _score_sticks(
    rules: IntArray, scores: Sequence[int], row: RoundRow, chance: Stream, rewards: _Rewards
) -> None:
    """Writes sticks less potatoes at Molotow (MW4 - MW8).

    Of three tied seats, each is equally likely to draw the highest card.
    """
    tied = 0
    for seat in range(4):
        rewards[seat] = molotow.round_mark(scores, seat, rules[OTHERS_STICKS])
        if rewards[seat] == molotow.DECIDED_BY_DRAW:
            alone = slate.rank_of(scores, seat)[1] == 1
            rewards[seat] = 1 if alone else 0
            tied |= 0 if alone else 1 << seat
    if tied:
        row[DRAWN_SEAT] = pick_card(chance, tied)
        rewards[row[DRAWN_SEAT]] = -1
