"""A round of tricks as one array of words, for kernels.

The same steps as `jasstisch.games.trick_taking` takes, on the same functions of `tricks` and
`melds`: what may be played, who takes the trick, when trump appears, bombs, the last trick. What a
match makes of the points is not known here. A round is an int64 array of `SIZE` words; the
constants below are the places of its words, and those with a seat added hold one word for each of
up to `SEATS` seats.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from jasstisch.engine import melds, tricks
from jasstisch.search.jit.compiler import kernel

__all__ = [
    "ANNOUNCER",
    "BEST_CARD",
    "BOMBS",
    "CAPTURED_CARDS",
    "CAPTURED_POINTS",
    "EIGHTS_COUNT",
    "EXTRA_POINTS",
    "HANDS",
    "HAS_SIDES",
    "LED_SUIT",
    "NEXT_RANKINGS",
    "NEXT_SEAT",
    "PLAYER_COUNT",
    "POLICIES",
    "PUSHED",
    "RANKING",
    "SCORING",
    "SEATS",
    "SEATS_IN_PLAY",
    "SIZE",
    "TARGET",
    "TOP_TRUMP",
    "TRICK_CARDS",
    "TRICK_HOLDER",
    "TRICK_SIZE",
    "TURN",
    "UNDERTRUMP",
    "VALUE_RANKING",
    "VOIDS",
    "Round",
    "complete_trick",
    "copy_into",
    "legal_moves",
    "new_round",
    "play_card",
    "points",
    "policy_index",
    "revalue_captured",
    "set_ranking",
    "start_trick",
]  # fmt: skip

Round = NDArray[np.int64]
"""A round of tricks: `SIZE` words."""

SEATS = 6
"""The most seats a round of tricks can have."""

(
    SCORING,  # what the points are judged by, as in `games.scoring`; for those above this module
    RANKING,  # how the cards of the trick rank, as `tricks` numbers it; `PLAIN` without a trump yet
    VALUE_RANKING,  # the ranking by which cards count (C10, CT5)
    HAS_SIDES,  # 1 where those who sit opposite play together (CT1)
    ANNOUNCER,  # seat that announced the contract, -1 without one (CT2)
    PUSHED,  # 1 where it was pushed before (SC1, CO2)
    NEXT_RANKINGS,  # the rankings of the tricks to come where they differ (CT4): 3 bits each, and 0
    UNDERTRUMP,  # the reading of C9
    BOMBS,  # whether runs in a trick bomb its winner, and what long ones count (MV4, MV5)
    EIGHTS_COUNT,  # 1 where eights count in a round without trump (MV7)
    PLAYER_COUNT,  # number of seats that play to each trick
    TURN,  # seat to play, -1 when the round is over
    TRICK_SIZE,  # number of cards in the trick
    TRICK_CARDS,  # set of the cards in the trick
    LED_SUIT,  # suit led, -1 when leading
    BEST_CARD,  # best card of the trick, -1 when it is empty
    TRICK_HOLDER,  # seat that played it
    TOP_TRUMP,  # highest trump of a trick led in a plain suit, else -1
    SEATS_IN_PLAY,  # at Jass the set of the seats that play (JS4); for those above this module
    POLICIES,  # how each seat plays, as `manner` tells; for those above this module
    VOIDS,  # which suits each seat has shown not to hold: bit 4 × seat + suit
) = range(21)
HANDS = VOIDS + 1  # + seat: set of cards held
CAPTURED_CARDS = HANDS + SEATS  # + seat: set of cards captured
EXTRA_POINTS = CAPTURED_CARDS + SEATS  # + seat: points besides the cards captured
NEXT_SEAT = EXTRA_POINTS + SEATS  # + seat: the seat that plays next
TARGET = NEXT_SEAT + SEATS  # + seat: a bid, or what else the game measures points by
CAPTURED_POINTS = TARGET + SEATS  # + seat: what the cards captured count by `VALUED` (C10)
SIZE = CAPTURED_POINTS + SEATS


def new_round(playing: Sequence[int]) -> Round:
    """An empty round of these seats, in order of play; the first one leads.

    Whoever makes it sets the rules (`UNDERTRUMP`, `BOMBS`, …), the trump and the hands; after
    cards have been put into `TAKEN`, `value` counts them.
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
    """Makes one round like another of the same length.

    An assignment of arrays would first look whether they overlap and set memory aside.
    """
    for word in range(len(state)):
        onto[word] = state[word]


@kernel
def set_ranking(state: Round, ranking: int) -> None:
    """From now on cards rank and count so, all tricks alike; those captured are not valued anew."""
    state[RANKING] = state[VALUE_RANKING] = ranking


@kernel
def start_trick(state: Round, seat: int) -> None:
    """A new trick begins at this seat; -1 ends the round."""
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
    """How a seat plays, as a number from 0 to 15: the net among several that it plays by."""
    return state[POLICIES] >> 4 * seat & 15


@kernel
def play_card(state: Round, card: int) -> None:
    """Plays a legal card for the seat whose turn it is (C7, MV2).

    It does not branch where a void shows or the best card changes, which no processor foresees.
    """
    seat, suit, led = state[TURN], card // tricks.RANKS, state[LED_SUIT]
    state[HANDS + seat] ^= 1 << card
    if led < 0:
        state[LED_SUIT], state[BEST_CARD], state[TRICK_HOLDER] = suit, card, seat
    else:
        void = (suit != led) & (suit != state[RANKING])
        state[VOIDS] |= void << 4 * seat + led  # save for the Bur, where trumps were led (C8c)
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
    """Gives a complete trick to its winner, with its bombs, and the last one with 5 more.

    Args:
        state: the round.
        winner: the seat.
        lying: the cards of the trick.
        counted: what they count by the ranking that holds now.
        bombing: what molotovs bring, as `melds` numbers it.

    Returns:
        The seat that leads on, -1 after the last trick.
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
    """What the molotovs among the cards of a trick bring its winner (MV4, MV5)."""
    total = 0
    run = melds.first_run(lying)
    while run:
        lying ^= run
        total += melds.molotov_points(run, as_weis)
        run = melds.first_run(lying)
    return total


@kernel
def revalue_captured(state: Round) -> None:
    """Values all captured cards by `VALUED` (C10); due when it or `TAKEN` is set."""
    for seat in range(SEATS):
        state[CAPTURED_POINTS + seat] = tricks.points(
            state[CAPTURED_CARDS + seat], state[VALUE_RANKING]
        )


@kernel
def points(state: Round, seat: int) -> int:
    """The points a seat has, valued by `VALUED` (C10); eights at the end (MV7)."""
    total = state[CAPTURED_POINTS + seat] + state[EXTRA_POINTS + seat]
    if state[EIGHTS_COUNT] and state[VALUE_RANKING] < 0 and state[TURN] < 0:
        total += 8 * (state[CAPTURED_CARDS + seat] & tricks.EIGHTS).bit_count()
    return total
