"""The state of a round of tricks as one array of words, for kernels.

The transitions are those of `jasstisch.games.trick_taking`, on the same functions of `tricks` and
`melds`: legal cards, the winner of the trick, the appearance of trump, bombs, the last trick. The
scoring of a match is not included. A round is an int64 array of `SIZE` words; the constants below
are indices of its words. Indices to which a seat is added have one word for each of up to `SEATS`
seats.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from jasstisch.engine import melds, tricks
from jasstisch.search.jit.compiler import kernel

Round = NDArray[np.int64]
"""A round of tricks: `SIZE` words."""

SEATS = 6
"""The maximum number of seats in a round of tricks."""

(
    SCORING,  # the kind of scoring, as in `games.scoring_kinds`; used by callers only
    RANKING,  # ranking of the trick, as numbered in `tricks`; `PLAIN` while no trump is known
    VALUE_RANKING,  # the ranking by which cards count (C10, CT5)
    HAS_SIDES,  # 1 if seats that face each other are partners (CT1)
    ANNOUNCER,  # seat that announced the contract, -1 without one (CT2)
    PUSHED,  # 1 if it was pushed before (SC1, CO2)
    NEXT_RANKINGS,  # rankings of later tricks if they differ (CT4): 3 bits each, then 0
    UNDERTRUMP,  # the variant of C9
    BOMBS,  # whether runs in a trick bomb its winner, and the value of long ones (MV4, MV5)
    EIGHTS_COUNT,  # 1 if eights count in a round without trump (MV7)
    PLAYER_COUNT,  # number of seats that play to each trick
    TURN,  # seat to play, -1 when the round is over
    TRICK_SIZE,  # number of cards in the trick
    TRICK_CARDS,  # set of the cards in the trick
    LED_SUIT,  # suit led, -1 when leading
    BEST_CARD,  # best card of the trick, -1 when it is empty
    TRICK_HOLDER,  # seat that played it
    TOP_TRUMP,  # highest trump of a trick led in a plain suit, else -1
    SEATS_IN_PLAY,  # at Jass the set of the seats that play (JS4); used by callers only
    POLICIES,  # policy of each seat, see `policy_index`; used by callers only
    VOIDS,  # known voids: bit 4 × seat + suit
) = range(21)
HANDS = VOIDS + 1  # + seat: set of cards held
CAPTURED_CARDS = HANDS + SEATS  # + seat: set of cards captured
EXTRA_POINTS = CAPTURED_CARDS + SEATS  # + seat: points besides the cards captured
NEXT_SEAT = EXTRA_POINTS + SEATS  # + seat: the seat that plays next
TARGET = NEXT_SEAT + SEATS  # + seat: the target for the points, such as a bid
CAPTURED_POINTS = TARGET + SEATS  # + seat: points of the captured cards by `VALUE_RANKING` (C10)
SIZE = CAPTURED_POINTS + SEATS


def new_round(playing: Sequence[int]) -> Round:
    """An empty round of these seats, in order of play; the first one leads.

    The caller sets the rules (`UNDERTRUMP`, `BOMBS`, …), the trump and the hands; after cards have
    been put into `CAPTURED_CARDS`, `revalue_captured` counts them.
    """
    state = np.zeros(SIZE, dtype=np.int64)
    state[RANKING] = state[VALUE_RANKING] = tricks.PLAIN
    state[PLAYER_COUNT] = len(playing)
    for seat, follower in zip(playing, [*playing[1:], playing[0]], strict=True):
        state[NEXT_SEAT + seat] = follower
    state[TURN] = playing[0]
    state[LED_SUIT] = state[BEST_CARD] = state[TOP_TRUMP] = state[ANNOUNCER] = -1
    state[TRICK_HOLDER] = playing[0]
    return state


@kernel
def copy_into(state: Round, onto: Round) -> None:
    """Copies one round over another of the same length.

    An array assignment would first check for overlap and allocate memory.
    """
    for word in range(len(state)):
        onto[word] = state[word]


@kernel
def set_ranking(state: Round, ranking: int) -> None:
    """Sets one ranking for all following tricks; captured cards are not revalued."""
    state[RANKING] = state[VALUE_RANKING] = ranking


@kernel
def start_trick(state: Round, seat: int) -> None:
    """Starts a new trick at this seat; -1 ends the round."""
    state[TURN] = seat
    state[TRICK_HOLDER] = seat
    state[TRICK_SIZE] = 0
    state[TRICK_CARDS] = 0
    state[LED_SUIT] = -1
    state[BEST_CARD] = -1
    state[TOP_TRUMP] = -1
    if state[NEXT_RANKINGS]:
        state[RANKING] = state[NEXT_RANKINGS] & 7
        state[NEXT_RANKINGS] >>= 3


@kernel
def legal_moves(state: Round) -> int:
    """The set of cards that the seat to play may play (C8, C9)."""
    return tricks.legal_cards(
        state[HANDS + state[TURN]],
        state[LED_SUIT],
        state[RANKING],
        state[TOP_TRUMP],
        state[UNDERTRUMP],
    )


@kernel
def policy_index(state: Round, seat: int) -> int:
    """The index of the policy of a seat, 0 to 15: the net by which it plays."""
    return state[POLICIES] >> 4 * seat & 15


@kernel
def play_card(state: Round, card: int) -> None:
    """Plays a legal card for the seat whose turn it is (C7, MV2).

    There are no branches on voids or on the best card, which the processor could not predict.
    """
    seat, suit, led = state[TURN], card // tricks.RANKS, state[LED_SUIT]
    state[HANDS + seat] ^= 1 << card
    if led < 0:
        state[LED_SUIT], state[BEST_CARD], state[TRICK_HOLDER] = suit, card, seat
    else:
        void = (suit != led) & (suit != state[RANKING])
        state[VOIDS] |= void << 4 * seat + led  # except for the Bur if trumps were led (C8c)
        trump = tricks.trump_after(card, led, state[RANKING])
        if trump != state[RANKING]:
            set_ranking(state, trump)
            revalue_captured(state)
        wins = tricks.beats(card, state[BEST_CARD], trump)
        state[BEST_CARD] += (card - state[BEST_CARD]) * wins
        state[TRICK_HOLDER] += (seat - state[TRICK_HOLDER]) * wins
        state[TOP_TRUMP] += (card - state[TOP_TRUMP]) * (wins & (suit == trump))
    state[TRICK_CARDS] |= 1 << card
    state[TRICK_SIZE] += 1
    if state[TRICK_SIZE] < state[PLAYER_COUNT]:
        state[TURN] = state[NEXT_SEAT + seat]
        return
    counted = tricks.points(state[TRICK_CARDS], state[VALUE_RANKING])
    winner = complete_trick(state, state[TRICK_HOLDER], state[TRICK_CARDS], counted, state[BOMBS])
    start_trick(state, winner)


@kernel
def complete_trick(state: Round, winner: int, lying: int, counted: int, bombing: int) -> int:
    """Gives a complete trick to its winner, with its bombs, and 5 more for the last trick.

    Args:
        state: the round.
        winner: the seat.
        lying: the cards of the trick.
        counted: the points of the cards by the present ranking.
        bombing: the value of molotovs, as numbered in `melds`.

    Returns:
        The seat that leads next, -1 after the last trick.
    """
    state[CAPTURED_CARDS + winner] |= lying
    state[CAPTURED_POINTS + winner] += counted
    if bombing != melds.NO_BOMBS:
        state[EXTRA_POINTS + winner] += bomb_points(lying, bombing == melds.BOMBS_AS_WEIS)
    if state[HANDS + winner]:
        return winner
    state[EXTRA_POINTS + winner] += tricks.LAST_TRICK
    return -1


@kernel
def bomb_points(lying: int, as_weis: bool) -> int:
    """The points that the molotovs among the cards of a trick bring its winner (MV4, MV5)."""
    total = 0
    run = melds.first_run(lying)
    while run:
        lying ^= run
        total += melds.molotov_points(run, as_weis)
        run = melds.first_run(lying)
    return total


@kernel
def revalue_captured(state: Round) -> None:
    """Values all captured cards by `VALUE_RANKING` (C10); call it after setting either."""
    for seat in range(SEATS):
        state[CAPTURED_POINTS + seat] = tricks.points(
            state[CAPTURED_CARDS + seat], state[VALUE_RANKING]
        )


@kernel
def points(state: Round, seat: int) -> int:
    """The points of a seat, valued by `VALUE_RANKING` (C10); eights at the end (MV7)."""
    total = state[CAPTURED_POINTS + seat] + state[EXTRA_POINTS + seat]
    if state[EIGHTS_COUNT] and state[VALUE_RANKING] < 0 and state[TURN] < 0:
        total += 8 * (state[CAPTURED_CARDS + seat] & tricks.EIGHTS).bit_count()
    return total
