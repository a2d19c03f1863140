"""The features of a decision and the scores of a net, in plain form: the form used for training.

The features of a legal card are what an experienced player would consider: who currently wins the
trick, what it is worth, which higher and lower cards are still out, what the rest of the hand will
bring, how far the own points are from the target. A net with one hidden layer turns them into a
score for each card. The features use only the hand of the seat to play and public information.

A net is one flat float32 array. The part of the hidden layer that depends on the state alone is
computed once for each decision, the part of the card for each card. `policy` computes the same
scores in two fifths of the time; tests compare the two.
"""

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
from jasstisch.search.jit.compiler import jit_shared, kernel
from jasstisch.search.jit.simd import LANES, relu_dot_at, weighted_row_sum
from jasstisch.search.nets import feature_index
from jasstisch.search.nets.feature_index import (
    CARD_FEATURES,
    PARTNER_CARD_FEATURES,
    PARTNER_STATE_FEATURES,
    STATE_FEATURES,
)
from jasstisch.search.rounds.round_state import (
    ANNOUNCER,
    BEST_CARD,
    BOMBS,
    CAPTURED_CARDS,
    CAPTURED_POINTS,
    HANDS,
    HAS_SIDES,
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
    points,
)

__all__ = [
    "ALL_POINTS",
    "CARD_FEATURES",
    "CARD_WEIGHTS",
    "HIDDEN",
    "NET_SIZE",
    "OUT_WEIGHTS",
    "PARTNER_NET_SIZE",
    "PLAIN_POINTS",
    "RUFF_RATE",
    "SCRATCH_SIZE",
    "STAND_PROBABILITIES",
    "STATE_FEATURES",
    "Net",
    "Scratch",
    "bomb_threats",
    "score_card",
    "softmax_weights",
    "write_card_features",
    "write_state_features",
]  # fmt: skip

Net = NDArray[np.float32]
"""A net in its trained form."""
Scratch = NDArray[np.float32]
"""Scratch memory for the kernels here and in `policy`; each thread needs its own."""

HIDDEN = LANES

CARD_WEIGHTS = STATE_FEATURES * HIDDEN
OUT_WEIGHTS = CARD_WEIGHTS + CARD_FEATURES * HIDDEN
NET_SIZE = OUT_WEIGHTS + HIDDEN
"""The number of weights of a net: those of the state, of the card, and of the hidden layer."""

PARTNER_CARD_WEIGHTS = NET_SIZE + PARTNER_STATE_FEATURES * HIDDEN
PARTNER_NET_SIZE = PARTNER_CARD_WEIGHTS + PARTNER_CARD_FEATURES * HIDDEN
"""The number of weights of a net for partners: those of any net, then the additional features."""

# The scratch memory of a decision: features, hidden layer of the state, the scores of the cards.
AT_STATE = 0
AT_CARD = AT_STATE + STATE_FEATURES
AT_STATE_LAYER = AT_CARD + CARD_FEATURES
AT_HIDDEN = AT_STATE_LAYER + HIDDEN
AT_SCORES = AT_HIDDEN + HIDDEN
AT_FUTURE_WIN_RATES = AT_SCORES + 36
AT_FORCED_RATES = AT_FUTURE_WIN_RATES + 36
AT_POT = AT_FORCED_RATES + 36
AT_EXPECTED_POINTS = AT_POT + 1
AT_MEAN_TRICK_POINTS = AT_EXPECTED_POINTS + 1
AT_POINTS_NEEDED = AT_MEAN_TRICK_POINTS + 1
AT_FORCED_POINTS = AT_POINTS_NEEDED + 1
AT_PARTNER_STATE = AT_FORCED_POINTS + 1
AT_PARTNER_CARD = AT_PARTNER_STATE + PARTNER_STATE_FEATURES
SCRATCH_SIZE = AT_PARTNER_CARD + PARTNER_CARD_FEATURES
"""The scratch memory that this module needs for a decision; see `policy.new_scratch`."""

ALL_POINTS, PLAIN_POINTS = tricks.ALL_POINTS, 125
STAND_PROBABILITIES = (
    (1.0,) * 10,
    (1.0, 0.77, 0.66, 0.58, 0.53, 0.48, 0.44, 0.4, 0.37, 0.34),
    (1.0, 0.53, 0.37, 0.27, 0.21, 0.17, 0.13, 0.11, 0.09, 0.07),
    (1.0, 0.3, 0.15, 0.09, 0.05, 0.03, 0.02, 0.01, 0.01, 0.01),
)
"""The probability that a card that currently wins a trick keeps it.

The rows are the number of seats to come, the columns the number of higher cards of its suit that
are out.
"""
MAX_FOLLOWERS = 3
"""More seats to come use the last row."""
RUFF_RATE = 0.6
"""The probability that a seat known to be void, which may have trumps, ruffs."""

jit_shared(count_bucket)


@kernel
def cards_above(card: int, trump: int) -> int:
    """The cards of its own suit that beat a card (C2)."""
    suit = card // tricks.RANKS
    if suit == trump:
        return tricks.HIGHER_TRUMPS[card]
    if trump == tricks.BOTTOMS:
        return tricks.SUIT_CARDS[suit] & ((1 << card) - 1)
    return tricks.SUIT_CARDS[suit] & ~((2 << card) - 1)


@kernel
def write_state_features(state: Round, weights: Net, paper: Scratch) -> int:
    """Writes the features of the state, and values derived from them, to scratch memory.

    Returns:
        The set of the unseen cards.
    """
    seat, trump, led, laid = state[TURN], state[RANKING], state[LED_SUIT], state[TRICK_SIZE]
    counts = state[VALUE_RANKING]
    hand = state[HANDS + seat]
    seen = hand | state[TRICK_CARDS]
    lowest_points, highest_points = 1000, -1
    other = seat
    valued = 0
    for _ in range(state[PLAYER_COUNT]):
        seen |= state[CAPTURED_CARDS + other]
        valued += state[CAPTURED_POINTS + other]
        if other != seat:
            theirs = points(state, other)
            lowest_points = min(lowest_points, theirs)
            highest_points = max(highest_points, theirs)
        other = state[NEXT_SEAT + other]
    unseen = tricks.WHOLE_PACK & ~seen
    if state[PLAYER_COUNT] == 5:
        unseen &= ~(1 << SIX_OF_DIAMONDS)  # five play without it (MV1)
    own = points(state, seat)
    rest = (ALL_POINTS if trump >= 0 else PLAIN_POINTS) - valued
    pot = tricks.points(state[TRICK_CARDS], counts)
    paper[AT_POT] = pot
    held = hand.bit_count()
    trick = rest / held
    promise = burden = 0.0
    bosses = 0
    trumps_out = 2 if trump < 0 else count_bucket(unseen & tricks.TRUMP_CARDS[trump])
    cards = hand
    while cards:
        card = (cards & -cards).bit_length() - 1
        cards &= cards - 1
        suit = card // tricks.RANKS
        out = unseen & tricks.SUIT_CARDS[suit]
        others = out.bit_count()
        higher = (out & cards_above(card, trump)).bit_count()
        if suit == trump:
            takes = TRUMP_WIN_RATES[higher]
            stuck = TRUMP_FORCED_RATE * (others - higher + 1) / (others + 1)
        else:
            top = TOP_CARD_WIN_RATES[trumps_out][count_bucket(out)]
            takes = max(MIN_WIN_RATE, top * HIGHER_CARD_FACTORS[higher])
            stuck = SIDE_CARD_FORCED_RATE * (others - higher) / max(1, others)
        if higher == 0:
            bosses += 1
        paper[AT_FUTURE_WIN_RATES + card] = takes
        paper[AT_FORCED_RATES + card] = stuck
        brings = trick + tricks.card_points(card, counts)
        promise += takes * brings
        burden += stuck * brings
    paper[AT_EXPECTED_POINTS] = promise
    paper[AT_MEAN_TRICK_POINTS] = trick
    paper[AT_FORCED_POINTS] = burden
    need = state[TARGET + seat] - own
    paper[AT_POINTS_NEEDED] = need
    to_come = state[PLAYER_COUNT] - 1 - laid
    paper[AT_STATE + feature_index.BIAS] = 1.0
    paper[AT_STATE + feature_index.CARDS_IN_HAND] = held / 9
    paper[AT_STATE + feature_index.LEADS] = laid == 0
    paper[AT_STATE + feature_index.SEATS_TO_COME] = to_come / 3
    paper[AT_STATE + feature_index.IS_LAST_TO_PLAY] = to_come == 0
    paper[AT_STATE + feature_index.POT] = pot / 20
    paper[AT_STATE + feature_index.TRUMPS_LED] = led >= 0 and led == trump
    paper[AT_STATE + feature_index.RUFFED] = state[TOP_TRUMP] >= 0
    paper[AT_STATE + feature_index.TRUMPS_HELD] = 0.0
    paper[AT_STATE + feature_index.TRUMPS_OUT] = 0.0
    paper[AT_STATE + feature_index.BUR_HELD] = 0.0
    paper[AT_STATE + feature_index.NELL_HELD] = 0.0
    paper[AT_STATE + feature_index.NO_TRUMP] = trump < 0
    if trump >= 0:
        trumps = tricks.TRUMP_CARDS[trump]
        paper[AT_STATE + feature_index.TRUMPS_HELD] = (hand & trumps).bit_count() / 5
        paper[AT_STATE + feature_index.TRUMPS_OUT] = (unseen & trumps).bit_count() / 5
        paper[AT_STATE + feature_index.BUR_HELD] = (hand & tricks.BURS[trump]) != 0
        paper[AT_STATE + feature_index.NELL_HELD] = (hand & tricks.BURS[trump] >> 2) != 0
    paper[AT_STATE + feature_index.POINTS_LEFT] = rest / 100
    paper[AT_STATE + feature_index.EXPECTED_POINTS] = promise / 50
    paper[AT_STATE + feature_index.MASTERS] = bosses / 4
    paper[AT_STATE + feature_index.POINTS_NEEDED] = max(-3.0, min(3.0, need / 30))
    paper[AT_STATE + feature_index.TARGET_REACHED] = need <= 0
    paper[AT_STATE + feature_index.EXPECTED_SHORTFALL] = max(-3.0, min(3.0, (need - promise) / 30))
    paper[AT_STATE + feature_index.POINTS_NEEDED_FINE] = max(-1.0, min(1.0, need / 10))
    paper[AT_STATE + feature_index.OWN_POINTS] = own / 50
    paper[AT_STATE + feature_index.MOST_POINTS] = highest_points / 50
    paper[AT_STATE + feature_index.LEAST_POINTS] = lowest_points / 50
    paper[AT_STATE + feature_index.HOLDER_POINTS] = (
        0.0 if laid == 0 else points(state, state[TRICK_HOLDER]) / 50
    )
    paper[AT_STATE + feature_index.POINTLESS] = own == 0
    paper[AT_STATE + feature_index.LEADS_ON_POINTS] = own > highest_points
    paper[AT_STATE + feature_index.SHORTFALL_BEYOND_REST] = max(-1.0, min(1.0, (need - rest) / 20))
    paper[AT_STATE + feature_index.FORCED_POINTS] = burden / 50
    for hidden in range(HIDDEN):
        paper[AT_STATE_LAYER + hidden] = 0.0
    weighted_row_sum(weights, 0, STATE_FEATURES, paper, AT_STATE, AT_STATE_LAYER, AT_STATE_LAYER)
    if len(weights) > NET_SIZE:
        write_partner_state_features(state, paper)
        weighted_row_sum(
            weights,
            NET_SIZE,
            PARTNER_STATE_FEATURES,
            paper,
            AT_PARTNER_STATE,
            AT_STATE_LAYER,
            AT_STATE_LAYER,
        )
    return unseen


@kernel
def write_partner_state_features(state: Round, paper: Scratch) -> None:
    """Writes the additional features of the state in games of partners to scratch memory."""
    seat, laid, announcer = state[TURN], state[TRICK_SIZE], state[ANNOUNCER]
    partner = (seat + 2) % 4
    holder = state[TRICK_HOLDER] if laid else -1
    ours = state[CAPTURED_POINTS + seat] + state[CAPTURED_POINTS + partner]
    theirs = state[CAPTURED_POINTS + (seat + 1) % 4] + state[CAPTURED_POINTS + (seat + 3) % 4]
    tricks_before = 9 - state[HANDS + seat].bit_count()
    paper[AT_PARTNER_STATE + feature_index.PARTNER_HOLDS] = holder == partner
    paper[AT_PARTNER_STATE + feature_index.OPPONENT_HOLDS] = holder >= 0 and holder != partner
    paper[AT_PARTNER_STATE + feature_index.PARTNER_TO_COME] = (
        laid < 2
    )  # the partner is still to play
    paper[AT_PARTNER_STATE + feature_index.LAST_OF_FOUR] = laid == 3
    paper[AT_PARTNER_STATE + feature_index.IN_TOPS] = state[RANKING] == tricks.TOPS
    paper[AT_PARTNER_STATE + feature_index.IN_BOTTOMS] = state[RANKING] == tricks.BOTTOMS
    paper[AT_PARTNER_STATE + feature_index.COURSE_CHANGES] = state[NEXT_RANKINGS] != 0
    paper[AT_PARTNER_STATE + feature_index.CHANGES_NEXT] = (state[NEXT_RANKINGS] & 7) != state[
        RANKING
    ]
    paper[AT_PARTNER_STATE + feature_index.OUR_POINTS] = ours / 100
    paper[AT_PARTNER_STATE + feature_index.THEIR_POINTS] = theirs / 100
    paper[AT_PARTNER_STATE + feature_index.MATCH_OPEN] = tricks_before > 0 and theirs == 0
    paper[AT_PARTNER_STATE + feature_index.MATCH_AGAINST] = tricks_before > 0 and ours == 0
    paper[AT_PARTNER_STATE + feature_index.ANNOUNCED_SELF] = announcer == seat
    paper[AT_PARTNER_STATE + feature_index.ANNOUNCED_BY_PARTNER] = announcer == partner
    paper[AT_PARTNER_STATE + feature_index.PUSHED_TO_SELF] = (
        announcer == seat and state[PUSHED] == 1
    )
    paper[AT_PARTNER_STATE + feature_index.PUSHED_BY_SELF] = (
        announcer == partner and state[PUSHED] == 1
    )
    paper[AT_PARTNER_STATE + feature_index.FIRST_TRICK] = tricks_before == 0
    paper[AT_PARTNER_STATE + feature_index.PARTNER_POT] = paper[AT_POT] / 20 * (holder == partner)


@kernel
def write_card_features(state: Round, card: int, unseen: int, paper: Scratch) -> None:
    """Writes the features of playing a card to scratch memory."""
    seat, led, laid = state[TURN], state[LED_SUIT], state[TRICK_SIZE]
    trump = tricks.trump_after(card, led, state[RANKING])
    suit = card // tricks.RANKS
    hand = state[HANDS + seat] ^ 1 << card
    lying = state[TRICK_CARDS] | 1 << card
    of_suit = tricks.SUIT_CARDS[suit]
    to_come = state[PLAYER_COUNT] - 1 - laid
    wins = laid == 0 or tricks.beats(card, state[BEST_CARD], trump)
    higher = cards_above(card, trump)
    beaters = (unseen & higher).bit_count()
    if suit != trump and trump >= 0:
        beaters += (unseen & tricks.TRUMP_CARDS[trump]).bit_count()
    sure = wins and (to_come == 0 or beaters == 0)
    counts = state[VALUE_RANKING] if trump == state[RANKING] else trump
    value = tricks.card_points(card, counts)
    pot = paper[AT_POT] + value
    if trump != state[RANKING]:
        pot = tricks.points(lying, trump)
    paper[AT_CARD + feature_index.WINS] = wins
    paper[AT_CARD + feature_index.WINS_FOR_SURE] = sure
    paper[AT_CARD + feature_index.BEATERS] = beaters / 6 if wins else 0.0
    paper[AT_CARD + feature_index.VALUE] = value / 11
    paper[AT_CARD + feature_index.POT_WON] = pot / 20 if wins else 0.0
    paper[AT_CARD + feature_index.POT_GIVEN] = 0.0 if wins else pot / 20
    paper[AT_CARD + feature_index.IS_TRUMP] = suit == trump
    paper[AT_CARD + feature_index.FOLLOWS] = suit == led
    paper[AT_CARD + feature_index.DISCARDS] = led >= 0 and suit != led and suit != trump
    paper[AT_CARD + feature_index.SUIT_LEFT] = (hand & of_suit).bit_count() / 5
    paper[AT_CARD + feature_index.SUIT_OUT] = (unseen & of_suit).bit_count() / 5
    paper[AT_CARD + feature_index.LOWER_OUT] = (unseen & of_suit & ~higher).bit_count() / 5
    paper[AT_CARD + feature_index.LOWER_LEFT] = (hand & of_suit & ~higher).bit_count() / 4
    paper[AT_CARD + feature_index.HIGHER_LEFT] = (hand & higher).bit_count() / 4
    paper[AT_CARD + feature_index.RANK] = card % tricks.RANKS / 8
    paper[AT_CARD + feature_index.MAKES_TRUMP] = 0.0
    paper[AT_CARD + feature_index.REVALUED_OWN] = 0.0
    paper[AT_CARD + feature_index.REVALUED_OTHERS] = 0.0
    if state[RANKING] < 0 and trump >= 0:
        paper[AT_CARD + feature_index.MAKES_TRUMP] = 1.0
        both = tricks.BURS[suit] | tricks.BURS[suit] >> 2
        mine = state[CAPTURED_CARDS + seat] & both
        paper[AT_CARD + feature_index.REVALUED_OWN] = tricks.points(mine, trump) / 20
        out = both & ~(mine | hand | unseen)
        paper[AT_CARD + feature_index.REVALUED_OTHERS] = tricks.points(out, trump) / 20
    paper[AT_CARD + feature_index.BOMB_WON] = 0.0
    paper[AT_CARD + feature_index.BOMB_GIVEN] = 0.0
    paper[AT_CARD + feature_index.BOMBS_TO_COME] = 0.0
    if state[BOMBS]:
        bomb = bomb_points(lying, state[BOMBS] == melds.BOMBS_AS_WEIS) / 20
        paper[AT_CARD + feature_index.BOMB_WON] = bomb if wins else 0.0
        paper[AT_CARD + feature_index.BOMB_GIVEN] = 0.0 if wins else bomb
        paper[AT_CARD + feature_index.BOMBS_TO_COME] = (
            bomb_threats(lying, unseen, card if laid == 0 else state[BEST_CARD], to_come) / 2
        )
    paper[AT_CARD + feature_index.IS_BUR] = suit == trump and card % tricks.RANKS == 5
    paper[AT_CARD + feature_index.IS_NELL] = suit == trump and card % tricks.RANKS == 3
    paper[AT_CARD + feature_index.FUTURE_WIN_RATE] = paper[AT_FUTURE_WIN_RATES + card]
    paper[AT_CARD + feature_index.TAKES_LAST] = wins and to_come == 0
    paper[AT_CARD + feature_index.SUIT_EXCLUSIVE] = (unseen & of_suit) == 0
    paper[AT_CARD + feature_index.REVALUED_WON] = (
        paper[AT_CARD + feature_index.REVALUED_OWN] if wins else 0.0
    )
    void = ruffers = 0
    suit_led = suit if laid == 0 else led
    other = state[NEXT_SEAT + seat]
    for _ in range(to_come):
        shown = state[VOIDS] >> 4 * other
        if shown >> suit_led & 1:
            void += 1
            if 0 <= trump < 4 and not shown >> trump & 1:
                ruffers += 1
        other = state[NEXT_SEAT + other]
    paper[AT_CARD + feature_index.VOID_TO_COME] = void / 3
    paper[AT_CARD + feature_index.RUFFERS] = ruffers / 3
    takes = 0.0
    if wins:
        follow = to_come - void
        takes = (
            STAND_PROBABILITIES[min(follow, MAX_FOLLOWERS)][(unseen & higher).bit_count()]
            if suit == suit_led
            else 1.0
        )
        for _ in range(ruffers):
            takes *= 1 - RUFF_RATE
    kept = paper[AT_EXPECTED_POINTS] - paper[AT_FUTURE_WIN_RATES + card] * (
        paper[AT_MEAN_TRICK_POINTS] + value
    )
    taken = paper[AT_POINTS_NEEDED] - pot - kept
    ducked = paper[AT_POINTS_NEEDED] - kept
    paper[AT_CARD + feature_index.WIN_PROBABILITY] = takes
    paper[AT_CARD + feature_index.SHORTFALL_IF_TAKEN] = max(-3.0, min(3.0, taken / 20))
    paper[AT_CARD + feature_index.ABS_SHORTFALL_IF_TAKEN] = abs(
        paper[AT_CARD + feature_index.SHORTFALL_IF_TAKEN]
    )
    paper[AT_CARD + feature_index.SHORTFALL_IF_DUCKED] = max(-3.0, min(3.0, ducked / 20))
    paper[AT_CARD + feature_index.ABS_SHORTFALL_IF_DUCKED] = abs(
        paper[AT_CARD + feature_index.SHORTFALL_IF_DUCKED]
    )
    paper[AT_CARD + feature_index.EXPECTED_ABS_SHORTFALL] = (
        takes * paper[AT_CARD + feature_index.ABS_SHORTFALL_IF_TAKEN]
        + (1 - takes) * paper[AT_CARD + feature_index.ABS_SHORTFALL_IF_DUCKED]
    )
    paper[AT_CARD + feature_index.POT_TAKEN] = takes * pot / 20
    following = unseen & tricks.SUIT_CARDS[suit_led]
    out = unseen & of_suit
    coming = to_come * tricks.points(following, counts) / max(1, following.bit_count())
    heavy = paper[AT_FORCED_POINTS] - paper[AT_FORCED_RATES + card] * (
        paper[AT_MEAN_TRICK_POINTS] + value
    )
    paper[AT_CARD + feature_index.FORCED_RATE] = paper[AT_FORCED_RATES + card]
    paper[AT_CARD + feature_index.FORCED_POINTS_LEFT] = heavy / 50
    paper[AT_CARD + feature_index.POINTS_TO_COME] = coming / 20
    paper[AT_CARD + feature_index.EXPECTED_TRICK_POINTS] = takes * (pot + coming) / 20
    paper[AT_CARD + feature_index.EXPECTED_TOTAL_POINTS] = (takes * (pot + coming) + heavy) / 50
    paper[AT_CARD + feature_index.LOWER_SHARE] = (out & ~higher).bit_count() / max(
        1, out.bit_count()
    )
    if state[HAS_SIDES]:
        write_partner_card_features(state, card, unseen, wins, value, takes, paper)


@kernel
def write_partner_card_features(
    state: Round, card: int, unseen: int, wins: bool, value: int, takes: float, paper: Scratch
) -> None:
    """Writes the additional features of a card in games of partners to scratch memory."""
    seat, laid, ranking = state[TURN], state[TRICK_SIZE], state[RANKING]
    partner = (seat + 2) % 4
    holder = state[TRICK_HOLDER] if laid else -1
    suit = card // tricks.RANKS
    partners = laid > 0 and holder == partner
    theirs = laid > 0 and holder != partner
    best = state[BEST_CARD]
    stands = 0.0  # the probability that no later seat takes the trick from the partner
    if partners:
        over = (unseen & cards_above(best, ranking)).bit_count()
        if best // tricks.RANKS != ranking:
            over += (unseen & tricks.TRUMP_CARDS[ranking]).bit_count()
        stands = 1.0 if laid == 3 or over == 0 else 1.0 / (1 + over)
    shown = state[VOIDS] >> 4 * partner & 15
    held = state[HANDS + seat] & tricks.SUIT_CARDS[suit]
    following = state[NEXT_RANKINGS] & 7 if state[NEXT_RANKINGS] else ranking
    paper[AT_PARTNER_CARD + feature_index.SMEARED] = value / 11 if partners and not wins else 0.0
    paper[AT_PARTNER_CARD + feature_index.SMEARED_FOR_SURE] = (
        stands * value / 11 if not wins else 0.0
    )
    paper[AT_PARTNER_CARD + feature_index.OVERTAKES] = partners and wins
    paper[AT_PARTNER_CARD + feature_index.OVERTAKES_NEEDLESSLY] = stands if wins else 0.0
    paper[AT_PARTNER_CARD + feature_index.GIVEN_AWAY] = value / 11 if theirs and not wins else 0.0
    paper[AT_PARTNER_CARD + feature_index.TAKEN_AWAY] = (
        takes * paper[AT_POT] / 20 if theirs and wins else 0.0
    )
    paper[AT_PARTNER_CARD + feature_index.TRUMP_ON_PARTNER] = partners and suit == ranking
    paper[AT_PARTNER_CARD + feature_index.PARTNER_VOID] = laid == 0 and shown >> suit & 1
    paper[AT_PARTNER_CARD + feature_index.TRUMP_TO_ANNOUNCER] = (
        laid == 0 and suit == ranking and state[ANNOUNCER] == partner
    )
    paper[AT_PARTNER_CARD + feature_index.TRUMP_BY_ANNOUNCER] = (
        laid == 0 and suit == ranking and state[ANNOUNCER] == seat
    )
    paper[AT_PARTNER_CARD + feature_index.MASTER_NEXT] = (
        unseen & cards_above(card, following)
    ) == 0
    paper[AT_PARTNER_CARD + feature_index.BEATERS_NEXT] = (
        unseen & cards_above(card, following)
    ).bit_count() / 8
    paper[AT_PARTNER_CARD + feature_index.LAST_OF_SUIT] = held.bit_count() == 1
    paper[AT_PARTNER_CARD + feature_index.WE_ANNOUNCED] = (
        state[ANNOUNCER] >= 0 and (state[ANNOUNCER] - seat) % 2 == 0
    )


@kernel
def bomb_threats(lying: int, unseen: int, card: int, to_come: int) -> float:
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
def score_card(weights: Net, paper: Scratch) -> float:
    """The score of the card in scratch memory, in the state in scratch memory."""
    weighted_row_sum(
        weights, CARD_WEIGHTS, CARD_FEATURES, paper, AT_CARD, AT_STATE_LAYER, AT_HIDDEN
    )
    if len(weights) > NET_SIZE:
        weighted_row_sum(
            weights,
            PARTNER_CARD_WEIGHTS,
            PARTNER_CARD_FEATURES,
            paper,
            AT_PARTNER_CARD,
            AT_HIDDEN,
            AT_HIDDEN,
        )
    return float(relu_dot_at(weights, OUT_WEIGHTS, paper, AT_HIDDEN))


@kernel
def softmax_weights(state: Round, cards: int, weights: Net, paper: Scratch) -> float:
    """Writes the softmax weight of each card of a set at its index; returns their sum.

    The probability of a card is its weight divided by this sum.
    """
    unseen = write_state_features(state, weights, paper)
    most = -1e9
    left = cards
    while left:
        card = (left & -left).bit_length() - 1
        left &= left - 1
        write_card_features(state, card, unseen, paper)
        paper[AT_SCORES + card] = score_card(weights, paper)
        most = max(most, paper[AT_SCORES + card])
    total = 0.0
    left = cards
    while left:
        card = (left & -left).bit_length() - 1
        left &= left - 1
        paper[AT_SCORES + card] = np.exp(paper[AT_SCORES + card] - np.float32(most))
        total += paper[AT_SCORES + card]
    return total
