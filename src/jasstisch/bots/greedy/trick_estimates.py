"""Trick estimates shared by all heuristics: which cards can still beat a card, what a trick brings.

Nothing here depends on a player's goal. An unseen card lies with each seat that may hold it in
proportion to the size of its hand, or in no hand if some cards are out of play. The dependence
between the cards of one hand is neglected.

Before trump is known, a jack or nine has the average of its possible values, because captured cards
are valued by the trump to come (C10).

`jasstisch.env.kernels.greedy` compiles these functions, and those of most games next to them, for
whole batches of rounds. So they use only ints, floats and loops, make no lists, which would cost
more than the rest, and add and multiply in a fixed order, so that both versions return identical
results.
"""

import math

from jasstisch.bots.position import Position
from jasstisch.engine import tricks

_JACKS = sum(tricks.BURS)
_NINES = _JACKS >> 2
_JACK_TRUMP_BONUS = (20 - 2) / 4
"""The average bonus of a jack when each suit may become trump."""
_NINE_TRUMP_BONUS = 14 / 4


def expected_card_points(cards: int, trump: int) -> float:
    """The points of a set of cards, or their expectation while there is no trump."""
    points = tricks.points(cards, trump)
    if trump >= 0:
        return float(points)
    jacks, nines = (cards & _JACKS).bit_count(), (cards & _NINES).bit_count()
    return points + _JACK_TRUMP_BONUS * jacks + _NINE_TRUMP_BONUS * nines


def higher_cards_of_suit(card: int, ranking: int) -> int:
    """The set of the cards of the same suit that beat a card."""
    suit = card // tricks.RANKS
    if suit == ranking:
        return tricks.HIGHER_TRUMPS[card]
    if ranking == tricks.BOTTOMS:
        return tricks.SUIT_CARDS[suit] & (1 << card) - 1
    return tricks.SUIT_CARDS[suit] & -2 << card


def suit_led(position: Position, card: int) -> int:
    """The suit led once this card is played."""
    return card // tricks.RANKS if position.led < 0 else position.led


def possible_places(position: Position, suit: int) -> int:
    """The number of unknown cards of which any may be a given unseen card of this suit."""
    cards = tricks.SUIT_CARDS[suit]
    among: int = position.absent
    for seat in range(position.players):
        if may_hold(position, seat, cards):
            among += position.sizes[seat]
    return max(1, among)


def holder_probability(position: Position, seat: int, suit: int, places: int) -> float:
    """The probability that another seat holds a given unseen card of this suit.

    Args:
        position: the table.
        seat: the seat.
        suit: the suit.
        places: `possible_places` for it, which is the same for all seats.
    """
    if may_hold(position, seat, tricks.SUIT_CARDS[suit]):
        return position.sizes[seat] / places
    return 0.0


def may_hold(position: Position, seat: int, cards: int) -> bool:
    """Whether another seat may still hold some of these cards."""
    return seat != position.seat and position.void[seat] & cards != cards


def probability_of_none(share: float, count: int) -> float:
    """The probability that a seat holds none of `count` cards, given that of each single one."""
    if not share or not count:
        return 1.0
    return math.pow(1 - share, float(count))


def expected_added_trick_points(position: Position, card: int, trump: int) -> float:
    """The points that later seats will add to the trick if a card takes it.

    Args:
        position: the table before the card is played.
        card: the card.
        trump: the trump suit once it is played.

    Returns:
        Points. A seat that can follow adds a card that does not beat this one; a seat that cannot
        adds any card except a trump.
    """
    suit = suit_led(position, card)
    following = position.unseen & tricks.SUIT_CARDS[suit]
    discards = position.unseen & ~tricks.SUIT_CARDS[suit]
    if trump >= 0:
        discards &= ~tricks.TRUMP_CARDS[trump]
    fitting = following
    if card // tricks.RANKS == suit:
        fitting &= ~higher_cards_of_suit(card, trump)
    follow, discard = mean_card_points(fitting, trump), mean_card_points(discards, trump)
    total = 0.0
    places = possible_places(position, suit)
    for seat in position.to_come:
        share = holder_probability(position, seat, suit, places)
        void = probability_of_none(share, following.bit_count())
        total += void * discard + (1 - void) * follow
    return total


def last_card_win_probability(card: int, position: Position, trump: int, leads: float) -> float:
    """The probability that the last remaining card takes the last trick.

    Args:
        card: the card left after the trick in progress.
        position: the table in the last trick but one.
        trump: the trump suit then.
        leads: the probability that it is led.
    """
    unseen = position.unseen
    out = unseen.bit_count()
    suit = card // tricks.RANKS
    beaters = unseen & higher_cards_of_suit(card, trump)
    if trump not in (-1, suit):
        beaters |= unseen & tricks.TRUMP_CARDS[trump]
    # All of them must go in the trick in progress; the remaining card then takes the last one.
    gone = math.pow(len(position.to_come) / out, float(beaters.bit_count())) if out else 1.0
    if suit == trump or not out:
        return gone
    same_suit = (unseen & tricks.SUIT_CARDS[suit]).bit_count() / out
    return gone * (leads + (1 - leads) * same_suit)


def mean_card_points(cards: int, trump: int) -> float:
    """The mean points of these cards."""
    return expected_card_points(cards, trump) / cards.bit_count() if cards else 0.0
