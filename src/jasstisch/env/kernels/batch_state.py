"""The arrays of a batch, with a row for each round, for kernels.

The tricks are rounds of `jasstisch.search.rounds.round_state`. One more row of words holds the
rest: the dealer, the plays, and what was answered, turned and announced. A constant is the index of
a word; constants to which a seat is added have one word for each of up to `SEATS` seats.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from jasstisch.search.jit.prng import Stream
from jasstisch.search.rounds.round_state import SEATS

RoundRow = NDArray[np.int64]
"""The `ROW_SIZE` words of one round."""


class BatchState(NamedTuple):
    """The complete state of the n rounds of a batch.

    Attributes:
        round_states: the tricks (n, round_state.SIZE).
        round_details: the other words of a round (n, ROW_SIZE).
        history: seat and card of each play in order, -1 for plays to come (n, cards, 2).
        legal: the set of legal actions of the seat to act (n,).
        packs: the pack that each was dealt from (n, cards).
        trumps: the trump suit drawn for each (n,).
        lines_played: the set of the lines that each side had played before (n, 2).
        random_streams: the random stream of each (n,).
    """

    round_states: NDArray[np.int64]
    round_details: NDArray[np.int64]
    history: NDArray[np.int8]
    legal: NDArray[np.int64]
    packs: NDArray[np.int64]
    trumps: NDArray[np.int64]
    lines_played: NDArray[np.int64]
    random_streams: Stream


(
    PHASE,  # one of the phases below
    DEALER,
    PLAY_COUNT,  # number of cards played
    DRAWN_SEAT,  # the seat that drew the potato (MW8), else -1
    IS_VOID,  # 1 when the round does not count (MV7)
    SHOWN_CARD,  # the card that shows the trump (DF2, JS3), else -1
    TURNED_CARD,  # that card while it lies on the table, or the six in its place (JS5), else -1
    BLIND_CARD_SET,  # set of the cards of the blind while it lies there (JS3)
    BLIND_TAKER,  # seat, -1 before
    ROBBER,  # seat, -1 before
    SEATS_IN_PLAY,  # set of the seats that have not dropped (JS4)
    ANNOUNCES_WEIS,  # 1 when the seat to play announces its Weis with its card (JS7, SC3)
    BEST_STRENGTH,  # of the best meld announced, 0 before
    BEST_SEAT,  # seat that holds it
    STOECK_HOLDER,  # seat that had king and queen of trumps and has played one (JS8), else -1
    STOECK_CALLER,  # seat whose Stöck is called and not yet counted (SC4), else -1
    CONTRACT,  # contract announced, by its index in CT2, -1 before
    LINE,  # line of the slate that is played, by its index, -1 before
    FACTOR,  # multiplier of its points, -1 before
    PUSHES,  # number of pushes
    MATCH_SIDE,  # the side that took all tricks of a round that is over, else -1 (CT6)
) = range(21)
PLAYED_CARDS = 21  # + seat: set of cards played
ANSWERS_GIVEN = (
    PLAYED_CARDS + SEATS
)  # + seat: the answer, counted from 0 as `STAY` … are; -1 before
LAID_AWAY = ANSWERS_GIVEN + SEATS  # + seat: set of cards dropped or exchanged for the blind
ANNOUNCED = LAID_AWAY + SEATS  # + seat: points of the best meld announced, -1 before
MELD_POINTS = ANNOUNCED + SEATS  # + seat: points of all melds, once the seat has announced
MELD_CARDS = MELD_POINTS + SEATS  # + seat: set of the cards in them
ROW_SIZE = MELD_CARDS + SEATS

OVER, PLAYING_CARDS, BIDDING, ANSWERING, ANNOUNCING = range(5)
"""Phases of a round."""
