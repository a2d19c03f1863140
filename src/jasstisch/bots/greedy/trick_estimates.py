"""What any player may work out about a trick: who can still beat a card, what the trick will bring.

Nothing here knows what a player wants. An unseen card is taken to be with each seat that may hold
it in proportion to the size of its hand, or in no hand at all where some are not in play; that the
cards of one hand depend on each other is left out of account.

Before a trump is known a jack or nine counts what it will be worth on average, for captured cards
are valued by the trump to come (C10).

`jasstisch.env.kernels.greedy` compiles these functions, and those of most games beside them, for
whole batches of rounds: so they keep to ints, floats, lists of them and loops, and add and
multiply one after the other, so that both give the very same figures.
"""

import math

from jasstisch.bots.position import Position
from jasstisch.engine import tricks

__all__ = [
    "cards_above",
    "expected_card_points",
    "expected_points_to_come",
    "holder_probabilities",
    "last_card_win_probability",
    "probability_of_none",
    "suit_led",
]

JACKS = sum(tricks.BURS)
NINES = JACKS >> 2
JACK_TRUMP_BONUS = (20 - 2) / 4
"""What a jack counts more on average, when each suit may become trump."""
NINE_TRUMP_BONUS = 14 / 4


def expected_card_points(cards: int, trump: int) -> float:
    """What a set of cards counts, or will count on average while there is no trump."""
    points = tricks.points(cards, trump)
    if trump >= 0:
        return float(points)
    jacks, nines = (cards & JACKS).bit_count(), (cards & NINES).bit_count()
    return points + JACK_TRUMP_BONUS * jacks + NINE_TRUMP_BONUS * nines


def cards_above(card: int, ranking: int) -> int:
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


def holder_probabilities(position: Position, suit: int) -> list[float]:
    """For each seat to come the chance that it holds a given unseen card of this suit."""
    cards = tricks.SUIT_CARDS[suit]
    among = position.absent
    for seat in range(position.players):
        if may_hold(position, seat, cards):
            among += position.sizes[seat]
    among = max(1, among)
    return [
        (position.sizes[seat] if may_hold(position, seat, cards) else 0) / among
        for seat in position.to_come
    ]


def may_hold(position: Position, seat: int, cards: int) -> bool:
    """Whether another seat may still hold some of these cards."""
    return seat != position.seat and position.void[seat] & cards != cards


def probability_of_none(share: float, count: int) -> float:
    """The chance that a seat holds none of some cards, each of which it holds with this chance."""
    return math.pow(1 - share, float(count))


def expected_points_to_come(position: Position, card: int, trump: int) -> float:
    """What the seats to come will add to the trick if this card takes it.

    Args:
        position: the table before the card is played.
        card: the card.
        trump: the trump suit once it is played.

    Returns:
        Points. Who can follow adds a card that does not beat this one, who cannot any card but a
        trump.
    """
    suit = suit_led(position, card)
    following = position.unseen & tricks.SUIT_CARDS[suit]
    discards = position.unseen & ~tricks.SUIT_CARDS[suit]
    if trump >= 0:
        discards &= ~tricks.TRUMP_CARDS[trump]
    fitting = following
    if card // tricks.RANKS == suit:
        fitting &= ~cards_above(card, trump)
    follow, discard = mean_card_points(fitting, trump), mean_card_points(discards, trump)
    total = 0.0
    for share in holder_probabilities(position, suit):
        void = probability_of_none(share, following.bit_count())
        total += void * discard + (1 - void) * follow
    return total


def last_card_win_probability(card: int, position: Position, trump: int, leads: float) -> float:
    """The chance that the one card left takes the last trick.

    Args:
        card: the card left after the trick in progress.
        position: the table in the last trick but one.
        trump: the trump suit then.
        leads: the chance that it is led.
    """
    unseen = position.unseen
    out = unseen.bit_count()
    suit = card // tricks.RANKS
    beaters = unseen & cards_above(card, trump)
    if trump not in (-1, suit):
        beaters |= unseen & tricks.TRUMP_CARDS[trump]
    # All of them must go in the trick in progress; what is left then is played to the last one.
    gone = math.pow(len(position.to_come) / out, float(beaters.bit_count())) if out else 1.0
    if suit == trump or not out:
        return gone
    same_suit = (unseen & tricks.SUIT_CARDS[suit]).bit_count() / out
    return gone * (leads + (1 - leads) * same_suit)


def mean_card_points(cards: int, trump: int) -> float:
    """What one of these cards counts on average."""
    return expected_card_points(cards, trump) / cards.bit_count() if cards else 0.0
