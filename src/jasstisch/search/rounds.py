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

from jasstisch import melds, tricks
from jasstisch.search.compiled import kernel

__all__ = [
    "ANNOUNCER", "BEST", "BOMBS", "CAPTURED", "COURSE", "EIGHTS",
    "EXTRA", "FOLLOWER", "GAME", "HANDS", "HOLDER", "IN_PLAY", "LAID", "LED", "LYING", "MANNERS",
    "PLAYING", "PUSHED", "RANKING", "SEATS", "SIDES", "SIZE", "TAKEN", "TARGET", "TOP",
    "TURN", "UNDERTRUMP", "VALUED", "VOIDS", "Round", "copy", "lead", "legal", "manner", "new",
    "play", "points", "rank_by", "take", "value",
]  # fmt: skip

Round = NDArray[np.int64]
"""A round of tricks: `SIZE` words."""

SEATS = 6
"""The most seats a round of tricks can have."""

(
    GAME,  # what the points are judged by, as in `games.scoring`; for those above this module
    RANKING,  # how the cards of the trick rank, as `tricks` numbers it; `PLAIN` without a trump yet
    VALUED,  # the ranking by which cards count (C10, CT5)
    SIDES,  # 1 where those who sit opposite play together (CT1)
    ANNOUNCER,  # seat that announced the contract, -1 without one (CT2)
    PUSHED,  # 1 where it was pushed before (SC1, CO2)
    COURSE,  # the rankings of the tricks to come where they differ (CT4): 3 bits each, and 0
    UNDERTRUMP,  # the reading of C9
    BOMBS,  # whether runs in a trick bomb its winner, and what long ones count (MV4, MV5)
    EIGHTS,  # 1 where eights count in a round without trump (MV7)
    PLAYING,  # number of seats that play to each trick
    TURN,  # seat to play, -1 when the round is over
    LAID,  # number of cards in the trick
    LYING,  # set of the cards in the trick
    LED,  # suit led, -1 when leading
    BEST,  # best card of the trick, -1 when it is empty
    HOLDER,  # seat that played it
    TOP,  # highest trump of a trick led in a plain suit, else -1
    IN_PLAY,  # at Jass the set of the seats that play (JS4); for those above this module
    MANNERS,  # how each seat plays, as `manner` tells; for those above this module
    VOIDS,  # which suits each seat has shown not to hold: bit 4 × seat + suit
) = range(21)
HANDS = VOIDS + 1  # + seat: set of cards held
TAKEN = HANDS + SEATS  # + seat: set of cards captured
EXTRA = TAKEN + SEATS  # + seat: points besides the cards captured
FOLLOWER = EXTRA + SEATS  # + seat: the seat that plays next
TARGET = FOLLOWER + SEATS  # + seat: a bid, or what else the game measures points by
CAPTURED = TARGET + SEATS  # + seat: what the cards captured count by `VALUED` (C10)
SIZE = CAPTURED + SEATS


def new(playing: Sequence[int]) -> Round:
    """An empty round of these seats, in order of play; the first one leads.

    Whoever makes it sets the rules (`UNDERTRUMP`, `BOMBS`, …), the trump and the hands; after
    cards have been put into `TAKEN`, `value` counts them.
    """
    state = np.zeros(SIZE, dtype=np.int64)
    state[RANKING] = state[VALUED] = tricks.PLAIN
    state[PLAYING] = len(playing)
    for seat, follower in zip(playing, [*playing[1:], playing[0]], strict=True):
        state[FOLLOWER + seat] = follower
    state[TURN] = playing[0]
    state[LED] = state[BEST] = state[TOP] = state[ANNOUNCER] = -1
    state[HOLDER] = playing[0]
    return state


@kernel
def copy(state: Round, onto: Round) -> None:
    """Makes one round like another of the same length.

    An assignment of arrays would first look whether they overlap and set memory aside.
    """
    for word in range(len(state)):
        onto[word] = state[word]


@kernel
def rank_by(state: Round, ranking: int) -> None:
    """From now on cards rank and count so, all tricks alike; those captured are not valued anew."""
    state[RANKING] = state[VALUED] = ranking


@kernel
def lead(state: Round, seat: int) -> None:
    """A new trick begins at this seat; -1 ends the round."""
    state[TURN] = seat
    state[HOLDER] = seat
    state[LAID] = 0
    state[LYING] = 0
    state[LED] = -1
    state[BEST] = -1
    state[TOP] = -1
    if state[COURSE]:
        state[RANKING] = state[COURSE] & 7
        state[COURSE] >>= 3


@kernel
def legal(state: Round) -> int:
    """The set of cards that the seat to play may play (C8, C9)."""
    return tricks.legal_cards(
        state[HANDS + state[TURN]], state[LED], state[RANKING], state[TOP], state[UNDERTRUMP]
    )


@kernel
def manner(state: Round, seat: int) -> int:
    """How a seat plays, as a number from 0 to 15: the net among several that it plays by."""
    return state[MANNERS] >> 4 * seat & 15


@kernel
def play(state: Round, card: int) -> None:
    """Plays a legal card for the seat whose turn it is (C7, MV2).

    It does not branch where a void shows or the best card changes, which no processor foresees.
    """
    seat, suit, led = state[TURN], card // tricks.RANKS, state[LED]
    state[HANDS + seat] ^= 1 << card
    if led < 0:
        state[LED], state[BEST], state[HOLDER] = suit, card, seat
    else:
        void = (suit != led) & (suit != state[RANKING])
        state[VOIDS] |= void << 4 * seat + led  # save for the Bur, where trumps were led (C8c)
        trump = tricks.trump_after(card, led, state[RANKING])
        if trump != state[RANKING]:
            rank_by(state, trump)
            value(state)
        wins = tricks.beats(card, state[BEST], trump)
        state[BEST] += (card - state[BEST]) * wins
        state[HOLDER] += (seat - state[HOLDER]) * wins
        state[TOP] += (card - state[TOP]) * (wins & (suit == trump))
    state[LYING] |= 1 << card
    state[LAID] += 1
    if state[LAID] < state[PLAYING]:
        state[TURN] = state[FOLLOWER + seat]
        return
    counted = tricks.points(state[LYING], state[VALUED])
    winner = take(state, state[HOLDER], state[LYING], counted, state[BOMBS])
    lead(state, winner)


@kernel
def take(state: Round, winner: int, lying: int, counted: int, bombing: int) -> int:
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
    state[TAKEN + winner] |= lying
    state[CAPTURED + winner] += counted
    if bombing != melds.NO_BOMBS:
        state[EXTRA + winner] += bombs(lying, bombing == melds.BOMBS_AS_WEIS)
    if state[HANDS + winner]:
        return winner
    state[EXTRA + winner] += tricks.LAST_TRICK
    return -1


@kernel
def bombs(lying: int, as_weis: bool) -> int:
    """What the molotovs among the cards of a trick bring its winner (MV4, MV5)."""
    total = 0
    run = melds.first_run(lying)
    while run:
        lying ^= run
        total += melds.molotov_points(run, as_weis)
        run = melds.first_run(lying)
    return total


@kernel
def value(state: Round) -> None:
    """Values all captured cards by `VALUED` (C10); due when it or `TAKEN` is set."""
    for seat in range(SEATS):
        state[CAPTURED + seat] = tricks.points(state[TAKEN + seat], state[VALUED])


@kernel
def points(state: Round, seat: int) -> int:
    """The points a seat has, valued by `VALUED` (C10); eights at the end (MV7)."""
    total = state[CAPTURED + seat] + state[EXTRA + seat]
    if state[EIGHTS] and state[VALUED] < 0 and state[TURN] < 0:
        total += 8 * (state[TAKEN + seat] & tricks.EIGHTS).bit_count()
    return total
