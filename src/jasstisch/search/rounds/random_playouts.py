"""Random playouts, compiled: rounds played to their end with uniformly random legal cards."""

import numpy as np
from numpy.typing import NDArray

from jasstisch.engine import tricks
from jasstisch.search.jit.compiler import allocating_kernel, kernel
from jasstisch.search.jit.prng import Stream, next_u64, nth_card, randbelow, randbelow_from_word
from jasstisch.search.rounds.round_state import (
    BEST_CARD,
    BOMBS,
    HANDS,
    LED_SUIT,
    NEXT_RANKINGS,
    NEXT_SEAT,
    PLAYER_COUNT,
    RANKING,
    SEATS,
    TOP_TRUMP,
    TRICK_CARDS,
    TRICK_HOLDER,
    TRICK_SIZE,
    TURN,
    UNDERTRUMP,
    VALUE_RANKING,
    Round,
    complete_trick,
    copy_into,
    points,
    revalue_captured,
    set_ranking,
    start_trick,
)

_CARDS_PER_WORD = 8
"""The number of cards drawn with one random word: 36 to the 8th is far below 2^64."""


@kernel
def finish_round(state: Round, chance: Stream) -> None:
    """Plays a round to its end with random legal cards.

    The steps are those of `round_state.play_card`, with three optimizations: the trick is kept in
    registers instead of the array, one random word serves all its cards, and there are no branches
    on whether the best card changes, which the processor could not predict. That makes random
    rounds nearly twice as fast.
    """
    playing, undertrump, bombs = state[PLAYER_COUNT], state[UNDERTRUMP], state[BOMBS]
    seat, holder = state[TURN], state[TRICK_HOLDER]
    ranking, valued, course = state[RANKING], state[VALUE_RANKING], state[NEXT_RANKINGS]
    laid, lying = state[TRICK_SIZE], state[TRICK_CARDS]
    led, best, top = state[LED_SUIT], state[BEST_CARD], state[TOP_TRUMP]
    counted = tricks.points(lying, valued)
    luck = next_u64(chance)
    while seat >= 0:
        hand = state[HANDS + seat]
        cards = tricks.legal_cards(hand, led, ranking, top, undertrump)
        place, luck = randbelow_from_word(luck, cards.bit_count())
        card = nth_card(cards, place)
        state[HANDS + seat] = hand ^ 1 << card
        if ranking < 0:
            ranking = valued = tricks.trump_after(card, led, ranking)
            if ranking >= 0:
                set_ranking(state, ranking)
                revalue_captured(state)
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
            seat = state[NEXT_SEAT + seat]
        else:
            seat = complete_trick(state, holder, lying, counted, bombs)
            laid, lying, counted, led, best, top = 0, 0, 0, -1, -1, -1
            luck = next_u64(chance)
            if course:
                ranking, course = course & 7, course >> 3
    state[TRICK_SIZE] = state[TRICK_CARDS] = 0
    state[TURN] = -1


@kernel
def shuffle(pack: NDArray[np.int64], chance: Stream) -> None:
    """Shuffles cards in place."""
    for place in range(len(pack) - 1, 0, -1):
        other = randbelow(chance, place + 1)
        pack[place], pack[other] = pack[other], pack[place]


@kernel
def deal_hands(state: Round, pack: NDArray[np.int64], chance: Stream) -> None:
    """Deals the cards of a pack at random, equally many to each seat.

    It shuffles while dealing, and one random word serves several cards.
    """
    players = state[PLAYER_COUNT]
    left = len(pack)
    luck = next_u64(chance)
    for seat in range(players):
        hand = 0
        for _ in range(len(pack) // players):
            if left % _CARDS_PER_WORD == 0:
                luck = next_u64(chance)
            place, luck = randbelow_from_word(luck, left)
            left -= 1
            card = pack[place]
            pack[place], pack[left] = pack[left], card
            hand |= 1 << card
        state[HANDS + seat] = hand


@allocating_kernel
def play_random_rounds(
    state: Round, pack: NDArray[np.int64], rounds: int, trumps: bool, chance: Stream
) -> NDArray[np.int64]:
    """Deals and plays random rounds from forehand's first card on.

    Args:
        state: an empty round, with its rules set; it is not changed.
        pack: the cards to deal, equally many to each seat; it is left shuffled.
        rounds: the number of rounds.
        trumps: whether a trump suit is drawn for each round.
        chance: the random stream.

    Returns:
        The sum of the points of each seat over all rounds.
    """
    total = np.zeros(SEATS, dtype=np.int64)
    one = state.copy()
    players = state[PLAYER_COUNT]
    for played in range(rounds):
        copy_into(state, one)
        deal_hands(one, pack, chance)
        if trumps:
            set_ranking(one, randbelow(chance, 4))
        start_trick(one, played % players)
        finish_round(one, chance)
        for seat in range(players):
            total[seat] += points(one, seat)
    return total
