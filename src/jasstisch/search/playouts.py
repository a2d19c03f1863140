"""Random play, compiled: rounds played to their end by chance alone."""

import numpy as np
from numpy.typing import NDArray

from jasstisch import tricks
from jasstisch.search.chance import Stream, bits, nth, number, number_from
from jasstisch.search.compiled import allocating_kernel, kernel
from jasstisch.search.rounds import (
    BEST,
    BOMBS,
    COURSE,
    FOLLOWER,
    HANDS,
    HOLDER,
    LAID,
    LED,
    LYING,
    PLAYING,
    RANKING,
    SEATS,
    TOP,
    TURN,
    UNDERTRUMP,
    VALUED,
    Round,
    copy,
    lead,
    points,
    rank_by,
    take,
    value,
)

__all__ = ["deal", "finish", "random_rounds", "shuffle"]

CARDS_OF_A_WORD = 8
"""So many cards are drawn by one word of chance: 36 to the 8th is far below 2^64."""


@kernel
def finish(state: Round, chance: Stream) -> None:
    """Plays a round to its end, each card by chance.

    The steps are those of `rounds.play`, with the trick in the registers of the machine instead of
    the array, its points added up card by card, one word of chance for all its cards, and no
    branches where the best card changes, which no processor foresees: that makes random rounds
    nearly twice as fast.
    """
    playing, undertrump, bombs = state[PLAYING], state[UNDERTRUMP], state[BOMBS]
    seat, holder = state[TURN], state[HOLDER]
    ranking, valued, course = state[RANKING], state[VALUED], state[COURSE]
    laid, lying = state[LAID], state[LYING]
    led, best, top = state[LED], state[BEST], state[TOP]
    counted = tricks.points(lying, valued)
    luck = bits(chance)
    while seat >= 0:
        hand = state[HANDS + seat]
        cards = tricks.legal_cards(hand, led, ranking, top, undertrump)
        place, luck = number_from(luck, cards.bit_count())
        card = nth(cards, place)
        state[HANDS + seat] = hand ^ 1 << card
        if ranking < 0:
            ranking = valued = tricks.trump_after(card, led, ranking)
            if ranking >= 0:
                rank_by(state, ranking)
                value(state)
                counted = tricks.points(lying, valued)
        if led < 0:
            led, best, holder = card // tricks.RANKS, card, seat
        else:
            wins = tricks.beats(card, best, ranking)
            trumps = wins & (card // tricks.RANKS == ranking)
            best += (card - best) * wins
            holder += (seat - holder) * wins
            top += (card - top) * trumps
        lying |= 1 << card
        counted += tricks.card_points(card, valued)
        laid += 1
        if laid < playing:
            seat = state[FOLLOWER + seat]
        else:
            seat = take(state, holder, lying, counted, bombs)
            laid, lying, counted, led, best, top = 0, 0, 0, -1, -1, -1
            luck = bits(chance)
            if course:
                ranking, course = course & 7, course >> 3
    state[LAID] = state[LYING] = 0
    state[TURN] = -1


@kernel
def shuffle(pack: NDArray[np.int64], chance: Stream) -> None:
    """Brings cards into a random order, in place."""
    for place in range(len(pack) - 1, 0, -1):
        other = number(chance, place + 1)
        pack[place], pack[other] = pack[other], pack[place]


@kernel
def deal(state: Round, pack: NDArray[np.int64], chance: Stream) -> None:
    """Deals the cards of a pack by chance, equally many to each seat.

    It shuffles as it deals, and a word of chance is enough for some cards.
    """
    players = state[PLAYING]
    left = len(pack)
    luck = bits(chance)
    for seat in range(players):
        hand = 0
        for _ in range(len(pack) // players):
            if left % CARDS_OF_A_WORD == 0:
                luck = bits(chance)
            place, luck = number_from(luck, left)
            left -= 1
            card = pack[place]
            pack[place], pack[left] = pack[left], card
            hand |= 1 << card
        state[HANDS + seat] = hand


@allocating_kernel
def random_rounds(
    state: Round, pack: NDArray[np.int64], rounds: int, trumps: bool, chance: Stream
) -> NDArray[np.int64]:
    """Deals and plays random rounds from forehand's first card on.

    Args:
        state: an empty round, with its rules set; it is not changed.
        pack: the cards to deal, equally many to each seat; it is left shuffled.
        rounds: how many.
        trumps: whether a trump suit is drawn for each round.
        chance: where chance comes from.

    Returns:
        The sum of the points of each seat over all rounds.
    """
    total = np.zeros(SEATS, dtype=np.int64)
    one = state.copy()
    players = state[PLAYING]
    for played in range(rounds):
        copy(state, one)
        deal(one, pack, chance)
        if trumps:
            rank_by(one, number(chance, 4))
        lead(one, played % players)
        finish(one, chance)
        for seat in range(players):
            total[seat] += points(one, seat)
    return total
