"""The playout policy: a small neural net that chooses all cards of a playout.

The inputs of the net are what an experienced player would consider (`features`): who currently wins
the trick, what it is worth, which higher and lower cards are still out, what the rest of the hand
will bring, how far the own points are from the target. They are computed in the form of the folded
weights (`weight_folding`) and use only the hand of the seat to play and public information. Each
game has one net for each policy: one trained by self-play in mixed company
(`tools/train_policy.py`), one that imitates the heuristics of `greedy`, and one that imitates the
search of `club` (`tools/train_imitation.py`).

A net has one hidden layer. The part of it that depends on the state alone is added up once for each
decision, the part of a suit once for its cards. In training, a tape records the inputs for the
gradient (`backprop`).

Values that change only with a trick are computed once for each trick and kept in scratch memory;
functions of few values are tabulated.
"""

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from jasstisch.engine import melds, tricks
from jasstisch.engine.cards import SIX_OF_DIAMONDS
from jasstisch.games.evaluation.trick_odds import (
    HIGHER_CARD_FACTORS,
    MIN_WIN_RATE,
    SIDE_CARD_FORCED_RATE,
    TOP_CARD_WIN_RATES,
    TRUMP_FORCED_RATE,
    TRUMP_WIN_RATES,
    count_bucket,
)
from jasstisch.search.jit.compiler import inlined_kernel, kernel
from jasstisch.search.jit.intrinsics import load_at, store_at
from jasstisch.search.jit.prng import Stream, nth_card, uniform
from jasstisch.search.jit.simd import (
    EXP_WIDTH,
    Lanes,
    add_lanes,
    exp_block,
    fma,
    relu_dot,
    zero_lanes,
)
from jasstisch.search.nets import features, weight_folding
from jasstisch.search.nets.features import Net
from jasstisch.search.rounds.round_state import (
    ANNOUNCER,
    BEST_CARD,
    BOMBS,
    CAPTURED_CARDS,
    CAPTURED_POINTS,
    EXTRA_POINTS,
    HANDS,
    LED_SUIT,
    NEXT_RANKINGS,
    NEXT_SEAT,
    PLAYER_COUNT,
    PUSHED,
    RANKING,
    TARGET,
    TOP_TRUMP,
    TRICK_CARDS,
    TRICK_HOLDER,
    TRICK_SIZE,
    TURN,
    VALUE_RANKING,
    VOIDS,
    Round,
    bomb_points,
    legal_moves,
    play_card,
    policy_index,
)

_Floats = NDArray[np.floating[Any]]
Nets = NDArray[np.float32]
"""The folded nets of several policies, one in each row (`round_state.policy_index`)."""
FoldedNet = NDArray[np.float32]
"""One of these rows."""
Scratch = NDArray[np.float32]
"""Scratch memory for the kernels here; each thread needs its own."""

POLICY_NAMES = ("learned", "thumb", "search")
"""The policies with a net: one trained by self-play, one that imitates heuristics, one search.

The first plays best; the other two predict other players better.
"""
LEARNED, HEURISTIC, SEARCH = range(len(POLICY_NAMES))

# Scratch memory: two probabilities of each card of the hand, the weights of the legal cards, in the
# order of the cards, and values that change only with a trick.
_AT_FUTURE_WIN_RATES = 0
_AT_FORCED_RATES = _AT_FUTURE_WIN_RATES + 36
AT_WEIGHTS = _AT_FORCED_RATES + 36
_AT_CAPTURED_POINTS = AT_WEIGHTS + 16  # points of all captured cards
_AT_HIGHEST_SCORE = _AT_CAPTURED_POINTS + 1  # highest points of a seat, then the second highest
_AT_SECOND_SCORE = _AT_HIGHEST_SCORE + 1
_AT_LOWEST_SCORE = _AT_SECOND_SCORE + 1  # lowest points of a seat, then the second lowest
_AT_SECOND_LOWEST_SCORE = _AT_LOWEST_SCORE + 1
_AT_TRICK_POINTS = _AT_SECOND_LOWEST_SCORE + 1  # points in the trick
_SCRATCH_SIZE = _AT_TRICK_POINTS + 1

_ALL_POINTS, _PLAIN_POINTS = tricks.ALL_POINTS, 125
_STAND_PROBABILITIES = (
    (1.0,) * 10,
    (1.0, 0.77, 0.66, 0.58, 0.53, 0.48, 0.44, 0.4, 0.37, 0.34),
    (1.0, 0.53, 0.37, 0.27, 0.21, 0.17, 0.13, 0.11, 0.09, 0.07),
    (1.0, 0.3, 0.15, 0.09, 0.05, 0.03, 0.02, 0.01, 0.01, 0.01),
)
"""The probability that a card that currently wins a trick keeps it.

The rows are the number of seats to come, the columns the number of higher cards of its suit that
are out. More seats to come use the last row.
"""
_RUFF_RATE = 0.6
"""The probability that a seat known to be void, which may have trumps, ruffs."""

TAPE_SIZE, _TAPE_CARDS = range(2)
"""The places in the head of a tape."""
_MAX_INPUTS = 512
"""More inputs than a decision has: at most 75 of the state and the suits, and 35 of each card."""

_float32 = np.float32
_ZERO, _ONE, _THREE = _float32(0), _float32(1), _float32(3)
_AN_EIGHTH, _A_TENTH, _AN_ELEVENTH = _float32(1 / 8), _float32(1 / 10), _float32(1 / 11)
_A_TWENTIETH, _A_THIRTIETH, _A_HUNDREDTH = _float32(1 / 20), _float32(1 / 30), _float32(1 / 100)
_ALL_POINTS_F32, _PLAIN_POINTS_F32 = _float32(_ALL_POINTS), _float32(_PLAIN_POINTS)

_CARDS, _RANKS = 36, tricks.RANKS
_CARDS_OF_SUIT = np.array([tricks.SUIT_CARDS[card // _RANKS] for card in range(_CARDS)])
"""The cards of the suit of each card."""
_SUIT_OF_CARD = np.array([card // _RANKS for card in range(_CARDS)])
_CARD_POINTS = np.array(tricks.POINTS, dtype=np.float32)
"""The points of cards, by ranking and card, as in `tricks.POINTS`."""
_BEATERS = np.array(tricks.BEATERS)
_CARDS_ABOVE = np.array(
    [
        beaters & tricks.SUIT_CARDS[place % _CARDS // _RANKS]
        for place, beaters in enumerate(tricks.BEATERS)
    ]
)
"""The set of the cards of its own suit that beat a card, by ranking and card."""
_SUIT_KINDS = np.array(
    [
        weight_folding.suit_kind(suit, ranking)
        for ranking in range(tricks.PLAIN, tricks.BOTTOMS + 1)
        for suit in range(4)
    ]
)
"""The kind of each suit, by ranking and suit."""
_SUIT_POINTS = np.array(
    [
        [sum(counts[rank] for rank in range(_RANKS) if cards >> rank & 1) for cards in range(512)]
        for counts in weight_folding.POINTS_BY_SUIT_KIND
    ],
    dtype=np.float32,
).ravel()
"""The points of sets of cards of one suit, by the kind of the suit."""
_RECIPROCALS = np.array([1 / max(1, number) for number in range(_CARDS + 1)], dtype=np.float32)
"""The reciprocals of counts; 1 for 0."""
_COUNT_BUCKETS = np.array([count_bucket((1 << number) - 1) for number in range(_CARDS + 1)])
_FUTURE_WIN_RATES = np.array(
    [
        [*TRUMP_WIN_RATES, 0.0],
        *(
            [*(max(MIN_WIN_RATE, top * rest) for rest in HIGHER_CARD_FACTORS), 0.0]
            for tops in TOP_CARD_WIN_RATES
            for top in tops
        ),
    ],
    dtype=np.float32,
).ravel()
"""The probability that a card takes a later trick, by the number of higher cards out.

The first row is for trumps, the others by trumps out and cards of its suit out.
"""
_FORCED_RATES = np.array(
    [
        *(SIDE_CARD_FORCED_RATE / max(1, out) for out in range(10)),
        *(TRUMP_FORCED_RATE / (out + 1) for out in range(10)),
    ],
    dtype=np.float32,
)
"""The probability to be forced to take one for each lower card out, by cards of its suit out."""
_STAND_TABLE = np.array(_STAND_PROBABILITIES, dtype=np.float32).ravel()
_NO_RUFF_PROBABILITIES = np.array(
    [(1 - _RUFF_RATE) ** ruffers for ruffers in range(7)], dtype=np.float32
)


class Tape(NamedTuple):
    """The inputs of the scores of one decision, recorded for their gradient (`backprop`).

    Attributes:
        rows: the row of each input in the folded net.
        factors: its value, by which the row is multiplied.
        cards: the set of the cards whose scores it affects.
        header: the number of inputs, and the set of cards of the next one.
    """

    rows: NDArray[np.int64]
    factors: NDArray[np.float32]
    cards: NDArray[np.int64]
    header: NDArray[np.int64]


_Recording: TypeAlias = Tape | None
"""A tape in training; None in play, where the recording is not even compiled."""


@cache
def playout_nets(family: str) -> Nets:
    """The nets of all policies for a family of games, in their order, folded for playouts.

    Without any, as for a family without a name, all seats play at random.
    """
    return fold_nets(load_nets(family))


@cache
def load_nets(family: str) -> list[Net]:
    """The same nets in their trained form."""
    folder = files("jasstisch.search").joinpath("weights")
    data = [folder.joinpath(f"{family}-{one}.npy") for one in POLICY_NAMES]
    weights = [np.load(BytesIO(one.read_bytes())) for one in data if one.is_file()]
    return [one.astype(np.float32) for one in weights]


def fold_nets(learned: Iterable[_Floats]) -> Nets:
    """Folds nets for playouts; each row is aligned to a cache line of the processor."""
    folded = [weight_folding.fold_net_weights(net) for net in learned]
    rows = (
        np.stack(folded) if folded else np.zeros((0, weight_folding.FOLDED_SIZE), dtype=np.float32)
    )
    room = np.empty(rows.size + 16, dtype=np.float32)
    start = -room.ctypes.data % 64 // room.itemsize
    aligned = room[start : start + rows.size].reshape(rows.shape)
    aligned[...] = rows
    return aligned


def new_scratch() -> Scratch:
    """Scratch memory for the kernels here; each thread needs its own."""
    return np.zeros(_SCRATCH_SIZE, dtype=np.float32)


def new_tape() -> Tape:
    """An empty tape, to be used for any number of decisions, one after the other."""
    return Tape(
        np.zeros(_MAX_INPUTS, dtype=np.int64),
        np.zeros(_MAX_INPUTS, dtype=np.float32),
        np.zeros(_MAX_INPUTS, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
    )


@inlined_kernel
def _begin_inputs(tape: _Recording, cards: int) -> None:
    """Tells the tape that the inputs to come are those of a set of cards."""
    if tape is not None:
        tape.header[_TAPE_CARDS] = cards


@inlined_kernel
def _add_input(
    lanes: Lanes, factor: np.float32, net: FoldedNet, row: int, tape: _Recording
) -> Lanes:
    """Adds an input to the hidden layer: a row of the net times a factor."""
    if tape is not None:
        size = tape.header[TAPE_SIZE]
        tape.rows[size], tape.factors[size] = row, factor
        tape.cards[size] = tape.header[_TAPE_CARDS]
        tape.header[TAPE_SIZE] = size + 1
    return fma(lanes, factor, net, row)


@inlined_kernel
def _write_trick_features(state: Round, scratch: Scratch) -> tuple[int, int]:
    """Writes the values that change only with a trick to scratch memory.

    Returns:
        The set of all captured cards, and a bit for each seat that plays, as in `VOIDS`.
    """
    gone = valued = seats = 0
    highest, second, lowest, last_but_one = -1, -1, 1000, 1000
    seat = state[TURN]
    for _ in range(state[PLAYER_COUNT]):
        gone |= load_at(state, CAPTURED_CARDS + seat)
        captured = load_at(state, CAPTURED_POINTS + seat)
        valued += captured
        has = captured + load_at(state, EXTRA_POINTS + seat)
        second = max(second, min(highest, has))
        highest = max(highest, has)
        last_but_one = min(last_but_one, max(lowest, has))
        lowest = min(lowest, has)
        seats |= 1 << 4 * seat
        seat = load_at(state, NEXT_SEAT + seat)
    scratch[_AT_CAPTURED_POINTS] = valued
    scratch[_AT_HIGHEST_SCORE], scratch[_AT_SECOND_SCORE] = highest, second
    scratch[_AT_LOWEST_SCORE], scratch[_AT_SECOND_LOWEST_SCORE] = lowest, last_but_one
    return gone, seats


@inlined_kernel
def _later_seats_mask(state: Round) -> int:
    """A bit for each seat that plays to the trick after the seat to play."""
    seats, seat = 0, state[TURN]
    for _ in range(state[PLAYER_COUNT] - 1 - state[TRICK_SIZE]):
        seat = load_at(state, NEXT_SEAT + seat)
        seats |= 1 << 4 * seat
    return seats


@kernel
def write_softmax_weights(
    state: Round, cards: int, net: FoldedNet, scratch: Scratch, tape: _Recording = None
) -> float:
    """Writes the softmax weight of each card of a set, in their order; returns their sum.

    The probability of a card is its weight divided by this sum. A tape is overwritten.
    """
    gone, _ = _write_trick_features(state, scratch)
    scratch[_AT_TRICK_POINTS] = tricks.points(state[TRICK_CARDS], state[VALUE_RANKING])
    comers = _later_seats_mask(state)
    return _softmax_weights_in_trick(state, cards, gone, comers, net, scratch, tape)


@inlined_kernel
def _softmax_weights_in_trick(
    state: Round,
    cards: int,
    gone: int,
    comers: int,
    net: FoldedNet,
    scratch: Scratch,
    tape: _Recording,
) -> float:
    """The same when the values of the trick are already in scratch memory.

    Args:
        state: the round.
        cards: the cards to score, of one hand.
        gone: the set of all captured cards.
        comers: the seats still to play to the trick, as returned by `_later_seats_mask`.
        net: the folded net of the seat to play.
        scratch: scratch memory with the values of the trick and the points in it.
        tape: where the inputs are recorded, if they are.
    """
    if tape is not None:
        tape.header[TAPE_SIZE] = 0
    _begin_inputs(tape, cards)
    seat, trump, led, laid = state[TURN], state[RANKING], state[LED_SUIT], state[TRICK_SIZE]
    counts, best = state[VALUE_RANKING], state[BEST_CARD]
    hand = load_at(state, HANDS + seat)
    to_come = state[PLAYER_COUNT] - 1 - laid
    unseen = tricks.WHOLE_PACK & ~(gone | hand | state[TRICK_CARDS])
    if state[PLAYER_COUNT] == 5:
        unseen &= ~(1 << SIX_OF_DIAMONDS)  # five play without it (MV1)
    lies = scratch[_AT_TRICK_POINTS]
    own = _float32(load_at(state, CAPTURED_POINTS + seat) + load_at(state, EXTRA_POINTS + seat))
    rest = (_ALL_POINTS_F32 if trump >= 0 else _PLAIN_POINTS_F32) - scratch[_AT_CAPTURED_POINTS]
    need = _float32(load_at(state, TARGET + seat)) - own
    trick = rest * load_at(_RECIPROCALS, hand.bit_count())
    promise, burden, masters = _estimate_hand(hand, unseen, trump, counts, trick, scratch)
    lanes = _state_activations(state, hand, unseen, own, rest, need, net, scratch, tape)
    lanes = _add_input(lanes, promise, net, weight_folding.EXPECTED_POINTS, tape)
    lanes = _add_input(lanes, masters, net, weight_folding.MASTERS, tape)
    lack = max(-_THREE, min(_THREE, (need - promise) * _A_THIRTIETH))
    lanes = _add_input(lanes, lack, net, weight_folding.EXPECTED_SHORTFALL, tape)
    lanes = _add_input(lanes, burden, net, weight_folding.FORCED_POINTS, tape)
    partners = len(net) > weight_folding.FOLDED_SIZE
    if partners:
        lanes = _add_partner_state(state, lies, net, tape, lanes)
    most, place = _float32(-1e9), AT_WEIGHTS
    for suit in range(4):
        left = cards & 511 << _RANKS * suit
        if left == 0:
            continue
        ranking = suit if trump < 0 and led >= 0 and suit != led else trump  # MV2
        ranked = _CARDS * (ranking + 1)
        makes_trump = ranking != trump
        counting = ranking if makes_trump else counts
        is_trump = np.int64(suit == ranking)
        there = _float32(tricks.points(state[TRICK_CARDS], ranking)) if makes_trump else lies
        out, of_hand = unseen & 511 << _RANKS * suit, hand & 511 << _RANKS * suit
        out_number, others = out.bit_count(), of_hand.bit_count() - 1
        suit_led = suit if laid == 0 else led
        void = state[VOIDS] >> suit_led & comers
        ruffers = void & ~(state[VOIDS] >> ranking) if 0 <= ranking < 4 else 0
        followers = to_come - void.bit_count()
        stands = 10 * min(followers, 3) if suit == suit_led else 0
        unruffed = load_at(_NO_RUFF_PROBABILITIES, ruffers.bit_count())
        following = unseen >> _RANKS * suit_led & 511
        coming = load_at(
            _SUIT_POINTS, 512 * load_at(_SUIT_KINDS, 4 * (counting + 1) + suit_led) + following
        )
        coming *= _float32(to_come) * load_at(_RECIPROCALS, following.bit_count())
        _begin_inputs(tape, left)
        taking = tricks.WHOLE_PACK if laid == 0 else load_at(_BEATERS, ranked + best)
        of_suit = _add_input(
            lanes, _ONE, net, weight_folding.SUIT_CARDS_OUT + 10 * is_trump + out_number, tape
        )
        of_suit = _add_input(of_suit, _ONE, net, weight_folding.SUIT_CARDS_HELD + others, tape)
        if laid:
            discards = suit != led and not is_trump
            of_suit = _add_input(
                of_suit, _ONE, net, weight_folding.FOLLOW_KIND + (suit == led) + 2 * discards, tape
            )
        if to_come:
            of_suit = _add_input(
                of_suit, _float32(void.bit_count()), net, weight_folding.VOIDS_TO_COME, tape
            )
            of_suit = _add_input(
                of_suit, _float32(ruffers.bit_count()), net, weight_folding.RUFFERS, tape
            )
            of_suit = _add_input(of_suit, coming, net, weight_folding.POINTS_TO_COME, tape)
        of_suit = _add_input(of_suit, there, net, weight_folding.POT_GIVEN, tape)
        first_of_suit = weight_folding.CARD_ROWS + _RANKS * (
            load_at(_SUIT_KINDS, 4 * (counting + 1) + suit) - suit
        )
        lower_out = weight_folding.LOWER_OUT + 10 * is_trump + out_number
        while left:
            card = (left & -left).bit_length() - 1
            left &= left - 1
            _begin_inputs(tape, 1 << card)
            above = load_at(_CARDS_ABOVE, ranked + card)
            higher = (out & above).bit_count()
            value = load_at(_CARD_POINTS, _CARDS * (counting + 1) + card)
            would_take, stuck = (
                load_at(scratch, _AT_FUTURE_WIN_RATES + card),
                load_at(scratch, _AT_FORCED_RATES + card),
            )
            brings, pot = trick + value, there + value
            ducked = need - promise + would_take * brings
            taken = max(-_THREE, min(_THREE, (ducked - pot) * _A_TWENTIETH))
            ducked = max(-_THREE, min(_THREE, ducked * _A_TWENTIETH))
            wins = taking >> card & 1
            # Two independent sums, which the processor can add in parallel.
            one = _add_input(zero_lanes(), _ONE, net, first_of_suit + card, tape)
            one = _add_input(one, _float32(out_number - higher), net, lower_out, tape)
            one = _add_input(
                one, _float32((of_hand & above).bit_count()), net, weight_folding.HIGHER_LEFT, tape
            )
            one = _add_input(one, would_take, net, weight_folding.FUTURE_WIN_RATE, tape)
            two = _add_input(
                of_suit, burden - stuck * brings, net, weight_folding.FORCED_POINTS_LEFT, tape
            )
            two = _add_input(two, taken, net, weight_folding.SHORTFALL_IF_TAKEN + (taken < 0), tape)
            two = _add_input(
                two, ducked, net, weight_folding.SHORTFALL_IF_DUCKED + (ducked < 0) + 2 * wins, tape
            )
            # Computing the winning case is cheaper than branching on a prediction of `wins`.
            won = _float32(wins)
            takes = won * unruffed * load_at(_STAND_TABLE, stands + higher)
            beaters = (unseen & load_at(_BEATERS, ranked + card)).bit_count()
            sure = to_come == 0 or beaters == 0
            off_ducked = abs(ducked)
            off = off_ducked + takes * (abs(taken) - off_ducked)
            two = _add_input(two, won, net, weight_folding.WINS + sure + 2 * (to_come == 0), tape)
            two = _add_input(two, won * off, net, weight_folding.EXPECTED_ABS_SHORTFALL, tape)
            two = _add_input(two, won * _float32(beaters), net, weight_folding.BEATERS, tape)
            one = _add_input(one, won * pot, net, weight_folding.POT_WON, tape)
            one = _add_input(one, takes, net, weight_folding.WIN_PROBABILITY, tape)
            one = _add_input(one, takes * pot, net, weight_folding.POT_TAKEN, tape)
            one = _add_input(one, takes * coming, net, weight_folding.EXPECTED_POINTS_TO_COME, tape)
            if makes_trump:
                lower = _float32(out_number - higher + is_trump)
                seems_stuck = load_at(_FORCED_RATES, 10 * is_trump + out_number) * lower
                one = _add_input(one, stuck - seems_stuck, net, weight_folding.FORCED_RATE, tape)
                one = _add_trump_features(state, card, unseen, wins, net, tape, one)
            if state[BOMBS]:
                one = _add_bomb_features(state, card, unseen, wins, net, tape, one)
            if partners:
                one = _add_partner_card(
                    state, card, unseen, wins, lies, value, takes, net, tape, one
                )
            score = relu_dot(add_lanes(one, two), net, weight_folding.OUTPUT)
            store_at(scratch, place, score)
            place += 1
            most = max(most, score)
    for start in range(AT_WEIGHTS, place, EXP_WIDTH):
        exp_block(scratch, start, most)
    total = _ZERO
    for one_of_them in range(AT_WEIGHTS, place):
        total += load_at(scratch, one_of_them)
    return float(total)


@inlined_kernel
def _estimate_hand(
    hand: int, unseen: int, trump: int, counts: int, trick: np.float32, scratch: Scratch
) -> tuple[np.float32, np.float32, np.float32]:
    """The expected points of a hand, the points it is forced to take, and its masters.

    The probabilities of each card to take a later trick, and to be forced to, are written to
    scratch memory.
    """
    out_of_trumps = (
        2
        if trump < 0
        else load_at(_COUNT_BUCKETS, (unseen & tricks.TRUMP_CARDS[trump]).bit_count())
    )
    trumps = tricks.TRUMP_CARDS[trump] if trump >= 0 else 0
    side_kinds = 1 + 3 * out_of_trumps
    promise = burden = _ZERO
    masters = 0
    while hand:
        card = (hand & -hand).bit_length() - 1
        hand &= hand - 1
        number = (unseen & load_at(_CARDS_OF_SUIT, card)).bit_count()
        higher = (unseen & load_at(_CARDS_ABOVE, _CARDS * (trump + 1) + card)).bit_count()
        is_trump = trumps >> card & 1
        kind = (is_trump - 1) & (side_kinds + load_at(_COUNT_BUCKETS, number))
        takes = load_at(_FUTURE_WIN_RATES, 10 * kind + higher)
        stuck = load_at(_FORCED_RATES, 10 * is_trump + number) * _float32(
            number - higher + is_trump
        )
        store_at(scratch, _AT_FUTURE_WIN_RATES + card, takes)
        store_at(scratch, _AT_FORCED_RATES + card, stuck)
        brings = trick + load_at(_CARD_POINTS, _CARDS * (counts + 1) + card)
        promise += takes * brings
        burden += stuck * brings
        masters += higher == 0
    return promise, burden, _float32(masters)


@inlined_kernel
def _state_activations(
    state: Round,
    hand: int,
    unseen: int,
    own: np.float32,
    rest: np.float32,
    need: np.float32,
    net: FoldedNet,
    scratch: Scratch,
    tape: _Recording,
) -> Lanes:
    """The part of the hidden layer that depends on the state, not on the estimates of the hand."""
    trump, led, laid = state[RANKING], state[LED_SUIT], state[TRICK_SIZE]
    highest = (
        scratch[_AT_SECOND_SCORE]
        if own == scratch[_AT_HIGHEST_SCORE]
        else scratch[_AT_HIGHEST_SCORE]
    )
    lowest = (
        scratch[_AT_SECOND_LOWEST_SCORE]
        if own == scratch[_AT_LOWEST_SCORE]
        else scratch[_AT_LOWEST_SCORE]
    )
    leads = laid == 0
    trumps_led = led >= 0 and led == trump
    lanes = _add_input(
        zero_lanes(), _ONE, net, weight_folding.CARDS_IN_HAND + hand.bit_count(), tape
    )
    lanes = _add_input(
        lanes,
        _ONE,
        net,
        weight_folding.SEATS_TO_COME + 2 * (state[PLAYER_COUNT] - 1 - laid) + leads,
        tape,
    )
    lanes = _add_input(
        lanes,
        _ONE,
        net,
        weight_folding.TRICK_FLAGS + (state[TOP_TRUMP] >= 0) + 2 * trumps_led,
        tape,
    )
    standing = (need <= 0) + 2 * (own == 0) + 4 * (own > highest)
    lanes = _add_input(lanes, _ONE, net, weight_folding.SCORE_FLAGS + standing, tape)
    lanes = _add_input(lanes, scratch[_AT_TRICK_POINTS], net, weight_folding.POT, tape)
    lanes = _add_input(lanes, rest, net, weight_folding.POINTS_LEFT, tape)
    lanes = _add_input(
        lanes,
        max(-_THREE, min(_THREE, need * _A_THIRTIETH)),
        net,
        weight_folding.POINTS_NEEDED,
        tape,
    )
    lanes = _add_input(
        lanes, max(-_ONE, min(_ONE, need * _A_TENTH)), net, weight_folding.POINTS_NEEDED_FINE, tape
    )
    beyond = max(-_ONE, min(_ONE, (need - rest) * _A_TWENTIETH))
    lanes = _add_input(lanes, beyond, net, weight_folding.SHORTFALL_BEYOND_REST, tape)
    lanes = _add_input(lanes, own, net, weight_folding.OWN_POINTS, tape)
    lanes = _add_input(lanes, highest, net, weight_folding.MOST_POINTS, tape)
    lanes = _add_input(lanes, lowest, net, weight_folding.LEAST_POINTS, tape)
    if laid:
        holder = state[TRICK_HOLDER]
        has = _float32(
            load_at(state, CAPTURED_POINTS + holder) + load_at(state, EXTRA_POINTS + holder)
        )
        lanes = _add_input(lanes, has, net, weight_folding.HOLDER_POINTS, tape)
    if trump < 0:
        return _add_input(lanes, _ONE, net, weight_folding.TRUMP_FLAGS + 4, tape)
    trumps, bur = tricks.TRUMP_CARDS[trump], tricks.BURS[trump]
    best_two = ((hand & bur) != 0) + 2 * ((hand & bur >> 2) != 0)
    lanes = _add_input(lanes, _ONE, net, weight_folding.TRUMP_FLAGS + best_two, tape)
    lanes = _add_input(
        lanes, _float32((hand & trumps).bit_count()), net, weight_folding.TRUMPS_HELD, tape
    )
    return _add_input(
        lanes, _float32((unseen & trumps).bit_count()), net, weight_folding.TRUMPS_OUT, tape
    )


@kernel
def _add_trump_features(
    state: Round, card: int, unseen: int, wins: int, net: FoldedNet, tape: _Recording, lanes: Lanes
) -> Lanes:
    """Adds to the hidden layer the effect of a card whose suit becomes trump (MV2)."""
    seat, suit = state[TURN], load_at(_SUIT_OF_CARD, card)
    both = tricks.BURS[suit] | tricks.BURS[suit] >> 2
    mine = load_at(state, CAPTURED_CARDS + seat) & both
    hand = load_at(state, HANDS + seat) ^ 1 << card
    rise = _float32(tricks.points(mine, suit))
    of_others = _float32(tricks.points(both & ~(mine | hand | unseen), suit))
    lanes = _add_input(lanes, _ONE, net, weight_folding.MAKES_TRUMP, tape)
    lanes = _add_input(lanes, rise, net, weight_folding.REVALUED_OWN, tape)
    lanes = _add_input(lanes, rise * _float32(wins), net, weight_folding.REVALUED_WON, tape)
    return _add_input(lanes, of_others, net, weight_folding.REVALUED_OTHERS, tape)


@kernel
def _add_bomb_features(
    state: Round, card: int, unseen: int, wins: int, net: FoldedNet, tape: _Recording, lanes: Lanes
) -> Lanes:
    """Adds to the hidden layer the effect of molotovs in the trick (MV4)."""
    lying, laid = state[TRICK_CARDS] | 1 << card, state[TRICK_SIZE]
    bomb = _float32(bomb_points(lying, state[BOMBS] == melds.BOMBS_AS_WEIS))
    lanes = _add_input(
        lanes, bomb, net, weight_folding.BOMB_WON if wins else weight_folding.BOMB_GIVEN, tape
    )
    of_suit = card if laid == 0 else state[BEST_CARD]
    to_come = _bomb_threats(lying, unseen, of_suit, state[PLAYER_COUNT] - 1 - laid)
    return _add_input(lanes, _float32(to_come), net, weight_folding.BOMBS_TO_COME, tape)


@kernel
def _bomb_threats(lying: int, unseen: int, card: int, to_come: int) -> float:
    """The number of runs of three around the suit led that later seats can still complete."""
    suit = card // tricks.RANKS
    start = suit * tricks.RANKS
    count = 0.0
    for low in range(start, start + tricks.RANKS - 2):
        run = 0b111 << low
        missing = run & ~lying
        if run & lying and missing and not missing & ~unseen:
            number = missing.bit_count()
            if number <= to_come:
                count += 1.0 if number == 1 else 0.3
    return count


@kernel
def _add_partner_state(
    state: Round, lies: np.float32, net: FoldedNet, tape: _Recording, lanes: Lanes
) -> Lanes:
    """Adds to the hidden layer the additional features of the state in games of partners."""
    seat, laid, announcer = state[TURN], state[TRICK_SIZE], state[ANNOUNCER]
    partner = (seat + 2) % 4
    holder = state[TRICK_HOLDER] if laid else -1
    ours = state[CAPTURED_POINTS + seat] + state[CAPTURED_POINTS + partner]
    theirs = state[CAPTURED_POINTS + (seat + 1) % 4] + state[CAPTURED_POINTS + (seat + 3) % 4]
    first = state[HANDS + seat].bit_count() == 9
    pushed = state[PUSHED] == 1
    changes_next = (state[NEXT_RANKINGS] & 7) != state[RANKING]
    at = weight_folding.FIRST_PARTNER_STATE_ROW
    lanes = _add_input(lanes, _float32(holder == partner), net, at + features.PARTNER_HOLDS, tape)
    opponent = holder >= 0 and holder != partner
    lanes = _add_input(lanes, _float32(opponent), net, at + features.OPPONENT_HOLDS, tape)
    lanes = _add_input(lanes, _float32(laid < 2), net, at + features.PARTNER_TO_COME, tape)
    lanes = _add_input(lanes, _float32(laid == 3), net, at + features.LAST_OF_FOUR, tape)
    lanes = _add_input(
        lanes, _float32(state[RANKING] == tricks.TOPS), net, at + features.IN_TOPS, tape
    )
    lanes = _add_input(
        lanes, _float32(state[RANKING] == tricks.BOTTOMS), net, at + features.IN_BOTTOMS, tape
    )
    lanes = _add_input(
        lanes, _float32(state[NEXT_RANKINGS] != 0), net, at + features.COURSE_CHANGES, tape
    )
    lanes = _add_input(lanes, _float32(changes_next), net, at + features.CHANGES_NEXT, tape)
    lanes = _add_input(lanes, _float32(ours) * _A_HUNDREDTH, net, at + features.OUR_POINTS, tape)
    lanes = _add_input(
        lanes, _float32(theirs) * _A_HUNDREDTH, net, at + features.THEIR_POINTS, tape
    )
    lanes = _add_input(
        lanes, _float32(not first and theirs == 0), net, at + features.MATCH_OPEN, tape
    )
    lanes = _add_input(
        lanes, _float32(not first and ours == 0), net, at + features.MATCH_AGAINST, tape
    )
    lanes = _add_input(lanes, _float32(announcer == seat), net, at + features.ANNOUNCED_SELF, tape)
    lanes = _add_input(
        lanes, _float32(announcer == partner), net, at + features.ANNOUNCED_BY_PARTNER, tape
    )
    lanes = _add_input(
        lanes, _float32(pushed and announcer == seat), net, at + features.PUSHED_TO_SELF, tape
    )
    lanes = _add_input(
        lanes, _float32(pushed and announcer == partner), net, at + features.PUSHED_BY_SELF, tape
    )
    lanes = _add_input(lanes, _float32(first), net, at + features.FIRST_TRICK, tape)
    pot = lies * _A_TWENTIETH * _float32(holder == partner)
    return _add_input(lanes, pot, net, at + features.PARTNER_POT, tape)


@kernel
def _add_partner_card(
    state: Round,
    card: int,
    unseen: int,
    wins: int,
    lies: np.float32,
    value: np.float32,
    takes: np.float32,
    net: FoldedNet,
    tape: _Recording,
    lanes: Lanes,
) -> Lanes:
    """Adds to the hidden layer the additional features of a card in games of partners."""
    seat, laid, ranking, best = state[TURN], state[TRICK_SIZE], state[RANKING], state[BEST_CARD]
    partner = (seat + 2) % 4
    suit = load_at(_SUIT_OF_CARD, card)
    partners = laid > 0 and state[TRICK_HOLDER] == partner
    theirs = laid > 0 and state[TRICK_HOLDER] != partner
    stands = _ZERO  # the probability that no later seat takes the trick from the partner
    if partners:
        over = (unseen & load_at(_BEATERS, _CARDS * (ranking + 1) + best)).bit_count()
        stands = _ONE if laid == 3 or over == 0 else load_at(_RECIPROCALS, 1 + over)
    shown = state[VOIDS] >> 4 * partner & 15
    held = load_at(state, HANDS + seat) & 511 << _RANKS * suit
    following = state[NEXT_RANKINGS] & 7 if state[NEXT_RANKINGS] else ranking
    next_over = (unseen & load_at(_CARDS_ABOVE, _CARDS * (following + 1) + card)).bit_count()
    trump_led = laid == 0 and suit == ranking
    at = weight_folding.FIRST_PARTNER_CARD_ROW
    part_of_pack = value * _AN_ELEVENTH
    if not wins:
        lanes = _add_input(
            lanes, _float32(partners) * part_of_pack, net, at + features.SMEARED, tape
        )
        lanes = _add_input(lanes, stands * part_of_pack, net, at + features.SMEARED_FOR_SURE, tape)
        lanes = _add_input(
            lanes, _float32(theirs) * part_of_pack, net, at + features.GIVEN_AWAY, tape
        )
    else:
        lanes = _add_input(lanes, _float32(partners), net, at + features.OVERTAKES, tape)
        lanes = _add_input(lanes, stands, net, at + features.OVERTAKES_NEEDLESSLY, tape)
        away = _float32(theirs) * takes * lies * _A_TWENTIETH
        lanes = _add_input(lanes, away, net, at + features.TAKEN_AWAY, tape)
    lanes = _add_input(
        lanes, _float32(partners and suit == ranking), net, at + features.TRUMP_ON_PARTNER, tape
    )
    void = laid == 0 and shown >> suit & 1 != 0
    lanes = _add_input(lanes, _float32(void), net, at + features.PARTNER_VOID, tape)
    to_announcer = trump_led and state[ANNOUNCER] == partner
    lanes = _add_input(lanes, _float32(to_announcer), net, at + features.TRUMP_TO_ANNOUNCER, tape)
    by_announcer = trump_led and state[ANNOUNCER] == seat
    lanes = _add_input(lanes, _float32(by_announcer), net, at + features.TRUMP_BY_ANNOUNCER, tape)
    lanes = _add_input(lanes, _float32(next_over == 0), net, at + features.MASTER_NEXT, tape)
    lanes = _add_input(
        lanes, _float32(next_over) * _AN_EIGHTH, net, at + features.BEATERS_NEXT, tape
    )
    lanes = _add_input(
        lanes, _float32(held.bit_count() == 1), net, at + features.LAST_OF_SUIT, tape
    )
    announced = state[ANNOUNCER] >= 0 and (state[ANNOUNCER] - seat) % 2 == 0
    return _add_input(lanes, _float32(announced), net, at + features.WE_ANNOUNCED, tape)


@kernel
def current_net_index(state: Round) -> int:
    """The index of the net by which the seat to play plays."""
    return policy_index(state, state[TURN])


@inlined_kernel
def _sample_card(cards: int, drawn: float, scratch: Scratch) -> int:
    """The card at which the cumulative weights in scratch memory exceed a fraction of their sum."""
    place, last = 0, cards.bit_count() - 1
    drawn -= scratch[AT_WEIGHTS]
    while drawn >= 0 and place < last:
        place += 1
        drawn -= load_at(scratch, AT_WEIGHTS + place)
    return nth_card(cards, place)


@kernel
def choose_card(state: Round, nets: Nets, scratch: Scratch, chance: Stream) -> int:
    """Draws a card for the seat to play, by the probabilities of its net."""
    cards = legal_moves(state)
    if cards & cards - 1 == 0:
        return cards.bit_length() - 1
    total = write_softmax_weights(state, cards, nets[current_net_index(state)], scratch)
    return _sample_card(cards, uniform(chance) * total, scratch)


@kernel
def likelihood(state: Round, card: int, nets: Nets, scratch: Scratch) -> float:
    """The probability with which the seat to play would play this legal card."""
    cards = legal_moves(state)
    if cards & cards - 1 == 0:
        return 1.0
    total = write_softmax_weights(state, cards, nets[current_net_index(state)], scratch)
    place = (cards & (1 << card) - 1).bit_count()
    return load_at(scratch, AT_WEIGHTS + place) / total


@kernel
def finish_round(state: Round, nets: Nets, scratch: Scratch, chance: Stream) -> None:
    """Plays a round to its end, each seat by its net."""
    if state[TURN] < 0:
        return
    gone, seats = _write_trick_features(state, scratch)
    comers = _later_seats_mask(state) | 1 << 4 * state[TURN]
    scratch[_AT_TRICK_POINTS] = tricks.points(state[TRICK_CARDS], state[VALUE_RANKING])
    while state[TURN] >= 0:
        comers ^= 1 << 4 * state[TURN]
        cards = legal_moves(state)
        card = cards.bit_length() - 1
        if cards & cards - 1:
            net = nets[current_net_index(state)]
            total = _softmax_weights_in_trick(state, cards, gone, comers, net, scratch, None)
            card = _sample_card(cards, uniform(chance) * total, scratch)
        valued = state[VALUE_RANKING]
        play_card(state, card)
        scratch[_AT_TRICK_POINTS] += load_at(_CARD_POINTS, _CARDS * (valued + 1) + card)
        if state[TRICK_SIZE] == 0:
            comers = seats
            scratch[_AT_TRICK_POINTS] = _ZERO
        if (state[TRICK_SIZE] == 0 and state[TURN] >= 0) or state[VALUE_RANKING] != valued:
            gone, _ = _write_trick_features(state, scratch)
            scratch[_AT_TRICK_POINTS] = tricks.points(state[TRICK_CARDS], state[VALUE_RANKING])
