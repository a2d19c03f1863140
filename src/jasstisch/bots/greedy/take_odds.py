"""Estimates of the points a hand can take when it tries to, against seats that also play to take.

The constants here and in `jasstisch.games.evaluation` are frequencies measured in many deals among
these bots.
"""

import math

from jasstisch.bots.greedy.trick_estimates import (
    higher_cards_of_suit,
    holder_probability,
    possible_places,
    probability_of_none,
    suit_led,
)
from jasstisch.bots.position import Position
from jasstisch.engine import tricks
from jasstisch.games.evaluation.trick_odds import (
    HIGHER_CARD_FACTORS,
    MIN_WIN_RATE,
    TOP_CARD_WIN_RATES,
    TRUMP_WIN_RATES,
    count_bucket,
)

_HIGHER_CARD_BEATS_RATE = 0.7
"""The probability that a card is beaten by the one higher card of its suit that is out."""

_HIGHER_CARDS_EXPONENT = 0.65
"""The exponent on the number of higher cards: each further one counts less than the first."""

_RUFF_RATE = 0.75
"""The probability that a seat that can neither follow nor lacks trumps ruffs a trick."""


def probability_to_take(position: Position, card: int, trump: int) -> float:
    """The probability that a card played now takes the trick.

    Args:
        position: the table before the card is played.
        card: the card.
        trump: the trump suit once it is played.
    """
    if position.best >= 0 and not tricks.beats(card, position.best, trump):
        return 0.0
    led = suit_led(position, card)
    places = possible_places(position, led)
    higher = (position.unseen & higher_cards_of_suit(card, trump)).bit_count()
    chance = 1.0
    if card // tricks.RANKS == led and higher:
        followed = 0.0
        for seat in position.to_come:
            followed += holder_probability(position, seat, led, places)
        chance = math.pow(
            1 - _HIGHER_CARD_BEATS_RATE * followed, math.pow(float(higher), _HIGHER_CARDS_EXPONENT)
        )
    if trump in (-1, led):
        return chance
    followers = (position.unseen & tricks.SUIT_CARDS[led]).bit_count()
    trumps = position.unseen & tricks.TRUMP_CARDS[trump]
    ruffs = higher if card // tricks.RANKS == trump else trumps.bit_count()
    trump_places = possible_places(position, trump)
    for seat in position.to_come:
        void = probability_of_none(holder_probability(position, seat, led, places), followers)
        ruffing = holder_probability(position, seat, trump, trump_places)
        chance *= 1 - _RUFF_RATE * void * (1 - probability_of_none(ruffing, ruffs))
    return chance


def expected_points_if_taking(hand: int, unseen: int, trump: int, rest: float) -> float:
    """The points that a hand is expected to take.

    Args:
        hand: the cards held, not empty, when a trick begins.
        unseen: the cards of all others.
        trump: the trump suit; -1 while there is none, which is as bad as many outstanding trumps.
        rest: points of all tricks to come, the last trick included.
    """
    trumps_out = count_bucket(unseen & tricks.TRUMP_CARDS[trump]) if trump >= 0 else 2
    trick = rest / hand.bit_count()
    expected = 0.0
    left = hand
    while left:
        card = (left & -left).bit_length() - 1
        left &= left - 1
        suit = card // tricks.RANKS
        higher = (unseen & higher_cards_of_suit(card, trump)).bit_count()
        if suit == trump:
            takes = TRUMP_WIN_RATES[higher]
        else:
            top = TOP_CARD_WIN_RATES[trumps_out][count_bucket(unseen & tricks.SUIT_CARDS[suit])]
            takes = max(MIN_WIN_RATE, top * HIGHER_CARD_FACTORS[higher])
        expected += takes * (trick + tricks.card_points(card, trump))
    return min(expected, rest)
