"""Estimates of the points a hand is forced to take when it and all other seats duck."""

from jasstisch.bots.greedy.trick_estimates import (
    expected_card_points,
    higher_cards_of_suit,
    holder_probability,
    last_card_win_probability,
    possible_places,
    probability_of_none,
    suit_led,
)
from jasstisch.bots.position import Position
from jasstisch.engine import tricks
from jasstisch.games.evaluation.trick_odds import SIDE_CARD_FORCED_RATE, TRUMP_FORCED_RATE

_FORCED_RATE = 0.9
"""The probability that a seat takes a trick when it holds only higher cards of the suit."""

_UNFORCED_RATE = 0.15
"""The probability that a seat takes a trick although it could stay below."""

_RUFF_RATE = 0.2
"""The probability that a seat that cannot follow suit ruffs."""


def probability_forced_to_take(position: Position, card: int, trump: int) -> float:
    """The probability that a card played now takes the trick although nobody wants it.

    Args:
        position: the table before the card is played.
        card: the card.
        trump: the trump suit once it is played.
    """
    if position.best >= 0 and not tricks.beats(card, position.best, trump):
        return 0.0
    led = suit_led(position, card)
    suit = tricks.SUIT_CARDS[led]
    if led == trump:
        suit &= ~tricks.BURS[trump]  # nobody is forced to play the Bur (C8c)
    higher = (position.unseen & suit & higher_cards_of_suit(card, trump)).bit_count()
    lower = (position.unseen & suit).bit_count() - higher
    if card // tricks.RANKS != led:
        higher, lower = 0, higher + lower
    places = possible_places(position, led)
    trump_places = possible_places(position, trump) if trump >= 0 else 1
    chance = 1.0
    for seat in position.to_come:
        share = holder_probability(position, seat, led, places)
        none_lower, none_higher = (
            probability_of_none(share, lower),
            probability_of_none(share, higher),
        )
        ruffs = overruff_probability(position, card, trump, led, seat, trump_places)
        beaten = (_FORCED_RATE * none_lower + _UNFORCED_RATE * (1 - none_lower)) * (1 - none_higher)
        chance *= 1 - beaten - ruffs * none_lower * none_higher
    return chance


def overruff_probability(
    position: Position, card: int, trump: int, led: int, seat: int, places: int
) -> float:
    """The probability that a seat to come overtrumps this card if it cannot follow suit.

    Args:
        position: the table before the card is played.
        card: the card.
        trump: the trump suit once it is played.
        led: the suit led then.
        seat: the seat.
        places: `possible_places` of a trump.
    """
    if trump < 0:  # the suit it discards becomes trump (MV2)
        return 1.0
    if trump == led:
        return 0.0
    trumps = position.unseen & tricks.TRUMP_CARDS[trump]
    if card // tricks.RANKS == trump:
        trumps &= higher_cards_of_suit(card, trump)
    share = holder_probability(position, seat, trump, places)
    return _RUFF_RATE * (1 - probability_of_none(share, trumps.bit_count()))


def expected_points_if_ducking(
    position: Position, left: int, trump: int, rest: float, leads: float
) -> float:
    """The expected points that the rest of a hand takes although it ducks.

    A card is worse the more lower cards of its suit are out. Trumps are much worse than other
    cards.

    Args:
        position: the table before a card is played.
        left: the cards left after it.
        trump: the trump suit then.
        rest: points of all tricks to come, the last trick included.
        leads: the probability to lead the next trick.
    """
    if not left:
        return 0.0
    if not left & (left - 1):
        return rest * last_card_win_probability(left.bit_length() - 1, position, trump, leads)
    trick = rest / left.bit_count()
    stuck_with = 0.0
    cards = left
    while cards:
        card = (cards & -cards).bit_length() - 1
        cards &= cards - 1
        suit = card // tricks.RANKS
        out = (position.unseen & tricks.SUIT_CARDS[suit]).bit_count()
        lower = out - (position.unseen & higher_cards_of_suit(card, trump)).bit_count()
        if suit == trump:
            stuck = TRUMP_FORCED_RATE * (lower + 1) / (out + 1)
        else:
            stuck = SIDE_CARD_FORCED_RATE * lower / max(1, out)
        stuck_with += stuck * (trick + expected_card_points(1 << card, trump))
    return min(stuck_with, rest)
