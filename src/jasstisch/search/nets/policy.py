"""The playout policy: a small neural net that chooses all cards of a playout.

`features` defines the features of a net; this module computes the same scores fast, with folded
weights (`weight_folding`). The net uses only the hand of the seat to play and public information,
so that playouts do not use hidden information. Each game has one net for each policy: one trained
by self-play in mixed company (`tools/train_policy.py`), one that imitates the heuristics of
`greedy`, and one that imitates the search of `club` (`tools/train_imitation.py`).

Values that change only with a trick are computed once for each trick, values of the state once for
each decision, and values of a suit once for its cards. They are kept in scratch memory or in
registers; functions of few values are tabulated.
"""

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any

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
    add_row,
    exp_block,
    fma,
    load_row,
    relu_dot,
)
from jasstisch.search.nets import feature_index, features, weight_folding
from jasstisch.search.nets.features import (
    ALL_POINTS,
    AT_FORCED_RATES,
    AT_FUTURE_WIN_RATES,
    PLAIN_POINTS,
    RUFF_RATE,
    STAND_PROBABILITIES,
    Net,
    Scratch,
    bomb_threats,
)
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

__all__ = [
    "AT_WEIGHTS",
    "HEURISTIC",
    "LEARNED",
    "POLICY_NAMES",
    "SEARCH",
    "Nets",
    "choose_card",
    "current_net",
    "finish_round",
    "likelihood",
    "new_scratch",
    "pack_nets",
    "playout_nets",
    "softmax_weights",
]  # fmt: skip

Floats = NDArray[np.floating[Any]]
Nets = NDArray[np.float32]
"""The folded nets of several policies, one in each row (`round_state.policy_index`)."""

POLICY_NAMES = ("learned", "thumb", "search")
"""The policies with a net: one trained by self-play, one that imitates heuristics, one search.

The first plays best; the other two predict other players better.
"""
LEARNED, HEURISTIC, SEARCH = range(len(POLICY_NAMES))

# Scratch memory after that of `features`: the weights of the legal cards, in the order of the
# cards, and values that change only with a trick.
AT_WEIGHTS = features.SCRATCH_SIZE
AT_CAPTURED_POINTS = AT_WEIGHTS + 16  # points of all captured cards
AT_HIGHEST_SCORE = AT_CAPTURED_POINTS + 1  # highest points of a seat, then the second highest
AT_SECOND_SCORE = AT_HIGHEST_SCORE + 1
AT_LOWEST_SCORE = AT_SECOND_SCORE + 1  # lowest points of a seat, then the second lowest
AT_SECOND_LOWEST_SCORE = AT_LOWEST_SCORE + 1
AT_TRICK_POINTS = AT_SECOND_LOWEST_SCORE + 1  # points in the trick
SCRATCH_SIZE = AT_TRICK_POINTS + 1

float32 = np.float32
ZERO, ONE, THREE = float32(0), float32(1), float32(3)
AN_EIGHTH, A_TENTH, AN_ELEVENTH = float32(1 / 8), float32(1 / 10), float32(1 / 11)
A_TWENTIETH, A_THIRTIETH, A_HUNDREDTH = float32(1 / 20), float32(1 / 30), float32(1 / 100)
ALL_POINTS_F32, PLAIN_POINTS_F32 = float32(ALL_POINTS), float32(PLAIN_POINTS)

CARDS, RANKS = 36, tricks.RANKS
CARDS_OF_SUIT = np.array([tricks.SUIT_CARDS[card // RANKS] for card in range(CARDS)])
"""The cards of the suit of each card."""
SUIT_OF_CARD = np.array([card // RANKS for card in range(CARDS)])
CARD_POINTS = np.array(tricks.POINTS, dtype=np.float32)
"""The points of cards, by ranking and card, as in `tricks.POINTS`."""
BEATERS = np.array(tricks.BEATERS)
CARDS_ABOVE = np.array(
    [
        beaters & tricks.SUIT_CARDS[place % CARDS // RANKS]
        for place, beaters in enumerate(tricks.BEATERS)
    ]
)
"""The set of the cards of its own suit that beat a card, by ranking and card."""
SUIT_KINDS = np.array(
    [
        weight_folding.suit_kind(suit, ranking)
        for ranking in range(tricks.PLAIN, tricks.BOTTOMS + 1)
        for suit in range(4)
    ]
)
"""The kind of each suit, by ranking and suit."""
SUIT_POINTS = np.array(
    [
        [sum(counts[rank] for rank in range(RANKS) if cards >> rank & 1) for cards in range(512)]
        for counts in weight_folding.POINTS_BY_SUIT_KIND
    ],
    dtype=np.float32,
).ravel()
"""The points of sets of cards of one suit, by the kind of the suit."""
RECIPROCALS = np.array([1 / max(1, number) for number in range(CARDS + 1)], dtype=np.float32)
"""The reciprocals of counts; 1 for 0."""
COUNT_BUCKETS = np.array([count_bucket((1 << number) - 1) for number in range(CARDS + 1)])
FUTURE_WIN_RATES = np.array(
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
FORCED_RATES = np.array(
    [
        *(SIDE_CARD_FORCED_RATE / max(1, out) for out in range(10)),
        *(TRUMP_FORCED_RATE / (out + 1) for out in range(10)),
    ],
    dtype=np.float32,
)
"""The probability to be forced to take one for each lower card out, by cards of its suit out."""
STAND_TABLE = np.array(STAND_PROBABILITIES, dtype=np.float32).ravel()
NO_RUFF_PROBABILITIES = np.array(
    [(1 - RUFF_RATE) ** ruffers for ruffers in range(7)], dtype=np.float32
)


@cache
def playout_nets(family: str) -> Nets:
    """The nets of all policies for a family of games, in their order, folded for playouts.

    Without any, as for a family without a name, all seats play at random.
    """
    return pack_nets(load_nets(family))


@cache
def load_nets(family: str) -> list[Net]:
    """The same nets in their trained form."""
    folder = files("jasstisch.search").joinpath("weights")
    data = [folder.joinpath(f"{family}-{one}.npy") for one in POLICY_NAMES]
    weights = [np.load(BytesIO(one.read_bytes())) for one in data if one.is_file()]
    return [one.astype(np.float32) for one in weights]


def pack_nets(learned: Iterable[Floats]) -> Nets:
    """Folds nets for playouts; each row is aligned to a cache line of the processor."""
    folded = [weight_folding.fold(net) for net in learned]
    rows = (
        np.stack(folded) if folded else np.zeros((0, weight_folding.FOLDED_SIZE), dtype=np.float32)
    )
    room = np.empty(rows.size + 16, dtype=np.float32)
    start = -room.ctypes.data % 64 // room.itemsize
    aligned = room[start : start + rows.size].reshape(rows.shape)
    aligned[...] = rows
    return aligned


def new_scratch() -> Scratch:
    """Scratch memory for the kernels here and in `features`; each thread needs its own."""
    return np.zeros(SCRATCH_SIZE, dtype=np.float32)


@inlined_kernel
def write_trick_features(state: Round, paper: Scratch) -> tuple[int, int]:
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
    paper[AT_CAPTURED_POINTS] = valued
    paper[AT_HIGHEST_SCORE], paper[AT_SECOND_SCORE] = highest, second
    paper[AT_LOWEST_SCORE], paper[AT_SECOND_LOWEST_SCORE] = lowest, last_but_one
    return gone, seats


@inlined_kernel
def later_seats_mask(state: Round) -> int:
    """A bit for each seat that plays to the trick after the seat to play."""
    seats, seat = 0, state[TURN]
    for _ in range(state[PLAYER_COUNT] - 1 - state[TRICK_SIZE]):
        seat = load_at(state, NEXT_SEAT + seat)
        seats |= 1 << 4 * seat
    return seats


@kernel
def softmax_weights(state: Round, cards: int, net: Net, paper: Scratch) -> float:
    """Writes the softmax weight of each card of a set, in their order; returns their sum.

    The probability of a card is its weight divided by this sum.
    """
    gone, _ = write_trick_features(state, paper)
    paper[AT_TRICK_POINTS] = tricks.points(state[TRICK_CARDS], state[VALUE_RANKING])
    return softmax_weights_in_trick(state, cards, gone, later_seats_mask(state), net, paper)


@inlined_kernel
def softmax_weights_in_trick(
    state: Round, cards: int, gone: int, comers: int, net: Net, paper: Scratch
) -> float:
    """The same when the values of the trick are already in scratch memory.

    Args:
        state: the round.
        cards: the cards to score, of one hand.
        gone: the set of all captured cards.
        comers: the seats still to play to the trick, as returned by `later_seats_mask`.
        net: the folded net of the seat to play.
        paper: scratch memory with the values of the trick and the points in it.
    """
    seat, trump, led, laid = state[TURN], state[RANKING], state[LED_SUIT], state[TRICK_SIZE]
    counts, best = state[VALUE_RANKING], state[BEST_CARD]
    hand = load_at(state, HANDS + seat)
    to_come = state[PLAYER_COUNT] - 1 - laid
    unseen = tricks.WHOLE_PACK & ~(gone | hand | state[TRICK_CARDS])
    if state[PLAYER_COUNT] == 5:
        unseen &= ~(1 << SIX_OF_DIAMONDS)  # five play without it (MV1)
    lies = paper[AT_TRICK_POINTS]
    own = float32(load_at(state, CAPTURED_POINTS + seat) + load_at(state, EXTRA_POINTS + seat))
    rest = (ALL_POINTS_F32 if trump >= 0 else PLAIN_POINTS_F32) - paper[AT_CAPTURED_POINTS]
    need = float32(load_at(state, TARGET + seat)) - own
    trick = rest * load_at(RECIPROCALS, hand.bit_count())
    promise, burden, masters = estimate_hand(hand, unseen, trump, counts, trick, paper)
    lanes = state_activations(state, hand, unseen, own, rest, need, net, paper)
    lanes = fma(lanes, promise, net, weight_folding.EXPECTED_POINTS)
    lanes = fma(lanes, masters, net, weight_folding.MASTERS)
    lack = max(-THREE, min(THREE, (need - promise) * A_THIRTIETH))
    lanes = fma(lanes, lack, net, weight_folding.EXPECTED_SHORTFALL)
    lanes = fma(lanes, burden, net, weight_folding.FORCED_POINTS)
    partners = len(net) > weight_folding.FOLDED_SIZE
    if partners:
        lanes = add_partner_state(state, lies, net, lanes)
    most, place = float32(-1e9), AT_WEIGHTS
    for suit in range(4):
        left = cards & 511 << RANKS * suit
        if left == 0:
            continue
        ranking = suit if trump < 0 and led >= 0 and suit != led else trump  # MV2
        ranked = CARDS * (ranking + 1)
        makes_trump = ranking != trump
        counting = ranking if makes_trump else counts
        is_trump = np.int64(suit == ranking)
        there = float32(tricks.points(state[TRICK_CARDS], ranking)) if makes_trump else lies
        out, of_hand = unseen & 511 << RANKS * suit, hand & 511 << RANKS * suit
        out_number, others = out.bit_count(), of_hand.bit_count() - 1
        suit_led = suit if laid == 0 else led
        void = state[VOIDS] >> suit_led & comers
        ruffers = void & ~(state[VOIDS] >> ranking) if 0 <= ranking < 4 else 0
        followers = to_come - void.bit_count()
        stands = 10 * min(followers, 3) if suit == suit_led else 0
        unruffed = load_at(NO_RUFF_PROBABILITIES, ruffers.bit_count())
        following = unseen >> RANKS * suit_led & 511
        coming = load_at(
            SUIT_POINTS, 512 * load_at(SUIT_KINDS, 4 * (counting + 1) + suit_led) + following
        )
        coming *= float32(to_come) * load_at(RECIPROCALS, following.bit_count())
        taking = tricks.WHOLE_PACK if laid == 0 else load_at(BEATERS, ranked + best)
        of_suit = add_row(lanes, net, weight_folding.SUIT_CARDS_OUT + 10 * is_trump + out_number)
        of_suit = add_row(of_suit, net, weight_folding.SUIT_CARDS_HELD + others)
        if laid:
            discards = suit != led and not is_trump
            of_suit = add_row(
                of_suit, net, weight_folding.FOLLOW_KIND + (suit == led) + 2 * discards
            )
        if to_come:
            of_suit = fma(of_suit, float32(void.bit_count()), net, weight_folding.VOIDS_TO_COME)
            of_suit = fma(of_suit, float32(ruffers.bit_count()), net, weight_folding.RUFFERS)
            of_suit = fma(of_suit, coming, net, weight_folding.POINTS_TO_COME)
        of_suit = fma(of_suit, there, net, weight_folding.POT_GIVEN)
        first_of_suit = weight_folding.CARD_ROWS + RANKS * (
            load_at(SUIT_KINDS, 4 * (counting + 1) + suit) - suit
        )
        lower_out = weight_folding.LOWER_OUT + 10 * is_trump + out_number
        while left:
            card = (left & -left).bit_length() - 1
            left &= left - 1
            above = load_at(CARDS_ABOVE, ranked + card)
            higher = (out & above).bit_count()
            value = load_at(CARD_POINTS, CARDS * (counting + 1) + card)
            would_take, stuck = (
                load_at(paper, AT_FUTURE_WIN_RATES + card),
                load_at(paper, AT_FORCED_RATES + card),
            )
            brings, pot = trick + value, there + value
            ducked = need - promise + would_take * brings
            taken = max(-THREE, min(THREE, (ducked - pot) * A_TWENTIETH))
            ducked = max(-THREE, min(THREE, ducked * A_TWENTIETH))
            wins = taking >> card & 1
            # Two independent sums, which the processor can add in parallel.
            one = load_row(net, first_of_suit + card)
            one = fma(one, float32(out_number - higher), net, lower_out)
            one = fma(one, float32((of_hand & above).bit_count()), net, weight_folding.HIGHER_LEFT)
            one = fma(one, would_take, net, weight_folding.FUTURE_WIN_RATE)
            two = fma(of_suit, burden - stuck * brings, net, weight_folding.FORCED_POINTS_LEFT)
            two = fma(two, taken, net, weight_folding.SHORTFALL_IF_TAKEN + (taken < 0))
            two = fma(
                two, ducked, net, weight_folding.SHORTFALL_IF_DUCKED + (ducked < 0) + 2 * wins
            )
            # Computing the winning case is cheaper than branching on a prediction of `wins`.
            won = float32(wins)
            takes = won * unruffed * load_at(STAND_TABLE, stands + higher)
            beaters = (unseen & load_at(BEATERS, ranked + card)).bit_count()
            sure = to_come == 0 or beaters == 0
            off_ducked = abs(ducked)
            off = off_ducked + takes * (abs(taken) - off_ducked)
            two = fma(two, won, net, weight_folding.WINS + sure + 2 * (to_come == 0))
            two = fma(two, won * off, net, weight_folding.EXPECTED_ABS_SHORTFALL)
            two = fma(two, won * float32(beaters), net, weight_folding.BEATERS)
            one = fma(one, won * pot, net, weight_folding.POT_WON)
            one = fma(one, takes, net, weight_folding.WIN_PROBABILITY)
            one = fma(one, takes * pot, net, weight_folding.POT_TAKEN)
            one = fma(one, takes * coming, net, weight_folding.EXPECTED_POINTS_TO_COME)
            if makes_trump:
                lower = float32(out_number - higher + is_trump)
                seems_stuck = load_at(FORCED_RATES, 10 * is_trump + out_number) * lower
                one = fma(one, stuck - seems_stuck, net, weight_folding.FORCED_RATE)
                one = add_trump_features(state, card, unseen, wins, net, one)
            if state[BOMBS]:
                one = add_bomb_features(state, card, unseen, wins, net, one)
            if partners:
                one = add_partner_card(state, card, unseen, wins, lies, value, takes, net, one)
            score = relu_dot(add_lanes(one, two), net, weight_folding.OUTPUT)
            store_at(paper, place, score)
            place += 1
            most = max(most, score)
    for start in range(AT_WEIGHTS, place, EXP_WIDTH):
        exp_block(paper, start, most)
    total = ZERO
    for one_of_them in range(AT_WEIGHTS, place):
        total += load_at(paper, one_of_them)
    return float(total)


@inlined_kernel
def estimate_hand(
    hand: int, unseen: int, trump: int, counts: int, trick: np.float32, paper: Scratch
) -> tuple[np.float32, np.float32, np.float32]:
    """The expected points of a hand, the points it is forced to take, and its masters.

    The probabilities of each card to take a later trick, and to be forced to, are written to
    scratch memory.
    """
    out_of_trumps = (
        2 if trump < 0 else load_at(COUNT_BUCKETS, (unseen & tricks.TRUMP_CARDS[trump]).bit_count())
    )
    trumps = tricks.TRUMP_CARDS[trump] if trump >= 0 else 0
    side_kinds = 1 + 3 * out_of_trumps
    promise = burden = ZERO
    masters = 0
    while hand:
        card = (hand & -hand).bit_length() - 1
        hand &= hand - 1
        number = (unseen & load_at(CARDS_OF_SUIT, card)).bit_count()
        higher = (unseen & load_at(CARDS_ABOVE, CARDS * (trump + 1) + card)).bit_count()
        is_trump = trumps >> card & 1
        kind = (is_trump - 1) & (side_kinds + load_at(COUNT_BUCKETS, number))
        takes = load_at(FUTURE_WIN_RATES, 10 * kind + higher)
        stuck = load_at(FORCED_RATES, 10 * is_trump + number) * float32(number - higher + is_trump)
        store_at(paper, AT_FUTURE_WIN_RATES + card, takes)
        store_at(paper, AT_FORCED_RATES + card, stuck)
        brings = trick + load_at(CARD_POINTS, CARDS * (counts + 1) + card)
        promise += takes * brings
        burden += stuck * brings
        masters += higher == 0
    return promise, burden, float32(masters)


@inlined_kernel
def state_activations(
    state: Round,
    hand: int,
    unseen: int,
    own: np.float32,
    rest: np.float32,
    need: np.float32,
    net: Net,
    paper: Scratch,
) -> Lanes:
    """The part of the hidden layer that depends on the state, not on the estimates of the hand."""
    trump, led, laid = state[RANKING], state[LED_SUIT], state[TRICK_SIZE]
    highest = paper[AT_SECOND_SCORE] if own == paper[AT_HIGHEST_SCORE] else paper[AT_HIGHEST_SCORE]
    lowest = (
        paper[AT_SECOND_LOWEST_SCORE] if own == paper[AT_LOWEST_SCORE] else paper[AT_LOWEST_SCORE]
    )
    leads = laid == 0
    trumps_led = led >= 0 and led == trump
    lanes = load_row(net, weight_folding.CARDS_IN_HAND + hand.bit_count())
    lanes = add_row(
        lanes, net, weight_folding.SEATS_TO_COME + 2 * (state[PLAYER_COUNT] - 1 - laid) + leads
    )
    lanes = add_row(
        lanes, net, weight_folding.TRICK_FLAGS + (state[TOP_TRUMP] >= 0) + 2 * trumps_led
    )
    standing = (need <= 0) + 2 * (own == 0) + 4 * (own > highest)
    lanes = add_row(lanes, net, weight_folding.SCORE_FLAGS + standing)
    lanes = fma(lanes, paper[AT_TRICK_POINTS], net, weight_folding.POT)
    lanes = fma(lanes, rest, net, weight_folding.POINTS_LEFT)
    lanes = fma(
        lanes, max(-THREE, min(THREE, need * A_THIRTIETH)), net, weight_folding.POINTS_NEEDED
    )
    lanes = fma(lanes, max(-ONE, min(ONE, need * A_TENTH)), net, weight_folding.POINTS_NEEDED_FINE)
    beyond = max(-ONE, min(ONE, (need - rest) * A_TWENTIETH))
    lanes = fma(lanes, beyond, net, weight_folding.SHORTFALL_BEYOND_REST)
    lanes = fma(lanes, own, net, weight_folding.OWN_POINTS)
    lanes = fma(lanes, highest, net, weight_folding.MOST_POINTS)
    lanes = fma(lanes, lowest, net, weight_folding.LEAST_POINTS)
    if laid:
        holder = state[TRICK_HOLDER]
        has = float32(
            load_at(state, CAPTURED_POINTS + holder) + load_at(state, EXTRA_POINTS + holder)
        )
        lanes = fma(lanes, has, net, weight_folding.HOLDER_POINTS)
    if trump < 0:
        return add_row(lanes, net, weight_folding.TRUMP_FLAGS + 4)
    trumps, bur = tricks.TRUMP_CARDS[trump], tricks.BURS[trump]
    best_two = ((hand & bur) != 0) + 2 * ((hand & bur >> 2) != 0)
    lanes = add_row(lanes, net, weight_folding.TRUMP_FLAGS + best_two)
    lanes = fma(lanes, float32((hand & trumps).bit_count()), net, weight_folding.TRUMPS_HELD)
    return fma(lanes, float32((unseen & trumps).bit_count()), net, weight_folding.TRUMPS_OUT)


@kernel
def add_trump_features(
    state: Round, card: int, unseen: int, wins: int, net: Net, lanes: Lanes
) -> Lanes:
    """Adds to the hidden layer the effect of a card whose suit becomes trump (MV2)."""
    seat, suit = state[TURN], load_at(SUIT_OF_CARD, card)
    both = tricks.BURS[suit] | tricks.BURS[suit] >> 2
    mine = load_at(state, CAPTURED_CARDS + seat) & both
    hand = load_at(state, HANDS + seat) ^ 1 << card
    rise = float32(tricks.points(mine, suit))
    of_others = float32(tricks.points(both & ~(mine | hand | unseen), suit))
    lanes = add_row(lanes, net, weight_folding.MAKES_TRUMP)
    lanes = fma(lanes, rise, net, weight_folding.REVALUED_OWN)
    lanes = fma(lanes, rise * float32(wins), net, weight_folding.REVALUED_WON)
    return fma(lanes, of_others, net, weight_folding.REVALUED_OTHERS)


@kernel
def add_bomb_features(
    state: Round, card: int, unseen: int, wins: int, net: Net, lanes: Lanes
) -> Lanes:
    """Adds to the hidden layer the effect of molotovs in the trick (MV4)."""
    lying, laid = state[TRICK_CARDS] | 1 << card, state[TRICK_SIZE]
    bomb = float32(bomb_points(lying, state[BOMBS] == melds.BOMBS_AS_WEIS))
    lanes = fma(lanes, bomb, net, weight_folding.BOMB_WON if wins else weight_folding.BOMB_GIVEN)
    of_suit = card if laid == 0 else state[BEST_CARD]
    to_come = bomb_threats(lying, unseen, of_suit, state[PLAYER_COUNT] - 1 - laid)
    return fma(lanes, float32(to_come), net, weight_folding.BOMBS_TO_COME)


@kernel
def add_partner_state(state: Round, lies: np.float32, net: Net, lanes: Lanes) -> Lanes:
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
    lanes = fma(lanes, float32(holder == partner), net, at + feature_index.PARTNER_HOLDS)
    opponent = holder >= 0 and holder != partner
    lanes = fma(lanes, float32(opponent), net, at + feature_index.OPPONENT_HOLDS)
    lanes = fma(lanes, float32(laid < 2), net, at + feature_index.PARTNER_TO_COME)
    lanes = fma(lanes, float32(laid == 3), net, at + feature_index.LAST_OF_FOUR)
    lanes = fma(lanes, float32(state[RANKING] == tricks.TOPS), net, at + feature_index.IN_TOPS)
    lanes = fma(
        lanes, float32(state[RANKING] == tricks.BOTTOMS), net, at + feature_index.IN_BOTTOMS
    )
    lanes = fma(lanes, float32(state[NEXT_RANKINGS] != 0), net, at + feature_index.COURSE_CHANGES)
    lanes = fma(lanes, float32(changes_next), net, at + feature_index.CHANGES_NEXT)
    lanes = fma(lanes, float32(ours) * A_HUNDREDTH, net, at + feature_index.OUR_POINTS)
    lanes = fma(lanes, float32(theirs) * A_HUNDREDTH, net, at + feature_index.THEIR_POINTS)
    lanes = fma(lanes, float32(not first and theirs == 0), net, at + feature_index.MATCH_OPEN)
    lanes = fma(lanes, float32(not first and ours == 0), net, at + feature_index.MATCH_AGAINST)
    lanes = fma(lanes, float32(announcer == seat), net, at + feature_index.ANNOUNCED_SELF)
    lanes = fma(lanes, float32(announcer == partner), net, at + feature_index.ANNOUNCED_BY_PARTNER)
    lanes = fma(
        lanes, float32(pushed and announcer == seat), net, at + feature_index.PUSHED_TO_SELF
    )
    lanes = fma(
        lanes, float32(pushed and announcer == partner), net, at + feature_index.PUSHED_BY_SELF
    )
    lanes = fma(lanes, float32(first), net, at + feature_index.FIRST_TRICK)
    pot = lies * A_TWENTIETH * float32(holder == partner)
    return fma(lanes, pot, net, at + feature_index.PARTNER_POT)


@kernel
def add_partner_card(
    state: Round,
    card: int,
    unseen: int,
    wins: int,
    lies: np.float32,
    value: np.float32,
    takes: np.float32,
    net: Net,
    lanes: Lanes,
) -> Lanes:
    """Adds to the hidden layer the additional features of a card in games of partners."""
    seat, laid, ranking, best = state[TURN], state[TRICK_SIZE], state[RANKING], state[BEST_CARD]
    partner = (seat + 2) % 4
    suit = load_at(SUIT_OF_CARD, card)
    partners = laid > 0 and state[TRICK_HOLDER] == partner
    theirs = laid > 0 and state[TRICK_HOLDER] != partner
    stands = ZERO  # the probability that no later seat takes the trick from the partner
    if partners:
        over = (unseen & load_at(BEATERS, CARDS * (ranking + 1) + best)).bit_count()
        stands = ONE if laid == 3 or over == 0 else load_at(RECIPROCALS, 1 + over)
    shown = state[VOIDS] >> 4 * partner & 15
    held = load_at(state, HANDS + seat) & 511 << RANKS * suit
    following = state[NEXT_RANKINGS] & 7 if state[NEXT_RANKINGS] else ranking
    next_over = (unseen & load_at(CARDS_ABOVE, CARDS * (following + 1) + card)).bit_count()
    trump_led = laid == 0 and suit == ranking
    at = weight_folding.FIRST_PARTNER_CARD_ROW
    part_of_pack = value * AN_ELEVENTH
    if not wins:
        lanes = fma(lanes, float32(partners) * part_of_pack, net, at + feature_index.SMEARED)
        lanes = fma(lanes, stands * part_of_pack, net, at + feature_index.SMEARED_FOR_SURE)
        lanes = fma(lanes, float32(theirs) * part_of_pack, net, at + feature_index.GIVEN_AWAY)
    else:
        lanes = fma(lanes, float32(partners), net, at + feature_index.OVERTAKES)
        lanes = fma(lanes, stands, net, at + feature_index.OVERTAKES_NEEDLESSLY)
        away = float32(theirs) * takes * lies * A_TWENTIETH
        lanes = fma(lanes, away, net, at + feature_index.TAKEN_AWAY)
    lanes = fma(
        lanes, float32(partners and suit == ranking), net, at + feature_index.TRUMP_ON_PARTNER
    )
    void = laid == 0 and shown >> suit & 1 != 0
    lanes = fma(lanes, float32(void), net, at + feature_index.PARTNER_VOID)
    to_announcer = trump_led and state[ANNOUNCER] == partner
    lanes = fma(lanes, float32(to_announcer), net, at + feature_index.TRUMP_TO_ANNOUNCER)
    by_announcer = trump_led and state[ANNOUNCER] == seat
    lanes = fma(lanes, float32(by_announcer), net, at + feature_index.TRUMP_BY_ANNOUNCER)
    lanes = fma(lanes, float32(next_over == 0), net, at + feature_index.MASTER_NEXT)
    lanes = fma(lanes, float32(next_over) * AN_EIGHTH, net, at + feature_index.BEATERS_NEXT)
    lanes = fma(lanes, float32(held.bit_count() == 1), net, at + feature_index.LAST_OF_SUIT)
    announced = state[ANNOUNCER] >= 0 and (state[ANNOUNCER] - seat) % 2 == 0
    return fma(lanes, float32(announced), net, at + feature_index.WE_ANNOUNCED)


@kernel
def current_net(state: Round) -> int:
    """The index of the net by which the seat to play plays."""
    return policy_index(state, state[TURN])


@inlined_kernel
def sample_card(cards: int, drawn: float, paper: Scratch) -> int:
    """The card at which the cumulative weights in scratch memory exceed a fraction of their sum."""
    place, last = 0, cards.bit_count() - 1
    drawn -= paper[AT_WEIGHTS]
    while drawn >= 0 and place < last:
        place += 1
        drawn -= load_at(paper, AT_WEIGHTS + place)
    return nth_card(cards, place)


@kernel
def choose_card(state: Round, nets: Nets, paper: Scratch, chance: Stream) -> int:
    """Draws a card for the seat to play, by the probabilities of its net."""
    cards = legal_moves(state)
    if cards & cards - 1 == 0:
        return cards.bit_length() - 1
    total = softmax_weights(state, cards, nets[current_net(state)], paper)
    return sample_card(cards, uniform(chance) * total, paper)


@kernel
def likelihood(state: Round, card: int, nets: Nets, paper: Scratch) -> float:
    """The probability with which the seat to play would play this legal card."""
    cards = legal_moves(state)
    if cards & cards - 1 == 0:
        return 1.0
    total = softmax_weights(state, cards, nets[current_net(state)], paper)
    place = (cards & (1 << card) - 1).bit_count()
    return load_at(paper, AT_WEIGHTS + place) / total


@kernel
def finish_round(state: Round, nets: Nets, paper: Scratch, chance: Stream) -> None:
    """Plays a round to its end, each seat by its net."""
    if state[TURN] < 0:
        return
    gone, seats = write_trick_features(state, paper)
    comers = later_seats_mask(state) | 1 << 4 * state[TURN]
    paper[AT_TRICK_POINTS] = tricks.points(state[TRICK_CARDS], state[VALUE_RANKING])
    while state[TURN] >= 0:
        comers ^= 1 << 4 * state[TURN]
        cards = legal_moves(state)
        card = cards.bit_length() - 1
        if cards & cards - 1:
            net = nets[current_net(state)]
            total = softmax_weights_in_trick(state, cards, gone, comers, net, paper)
            card = sample_card(cards, uniform(chance) * total, paper)
        valued = state[VALUE_RANKING]
        play_card(state, card)
        paper[AT_TRICK_POINTS] += load_at(CARD_POINTS, CARDS * (valued + 1) + card)
        if state[TRICK_SIZE] == 0:
            comers = seats
            paper[AT_TRICK_POINTS] = ZERO
        if (state[TRICK_SIZE] == 0 and state[TURN] >= 0) or state[VALUE_RANKING] != valued:
            gone, _ = write_trick_features(state, paper)
            paper[AT_TRICK_POINTS] = tricks.points(state[TRICK_CARDS], state[VALUE_RANKING])
