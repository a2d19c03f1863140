"""What any player may work out about a trick: who can still beat a card, what the trick will bring.

Nothing here knows what a player wants. An unseen card is taken to be with each seat that may hold
it in proportion to the size of its hand, or in no hand at all where some are not in play; that the
cards of one hand depend on each other is left out of account.
"""

from collections.abc import Callable

from jasstisch import tricks
from jasstisch.bots.position import Position

__all__ = ["above", "last_card_takes", "points_to_come", "shares", "suit_led"]


def above(card: int, ranking: int) -> int:
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


def shares(position: Position, suit: int) -> list[float]:
    """For each seat to come the chance that it holds a given unseen card of this suit."""
    cards = tricks.SUIT_CARDS[suit]
    may_hold = [
        0 if seat == position.seat or position.void[seat] & cards == cards else size
        for seat, size in enumerate(position.sizes)
    ]
    among = sum(may_hold) + position.absent or 1
    return [may_hold[seat] / among for seat in position.to_come]


def points_to_come(
    position: Position, card: int, trump: int, worth: Callable[[int], float]
) -> float:
    """What the seats to come will add to the trick if this card takes it.

    Args:
        position: the table before the card is played.
        card: the card.
        trump: the trump suit once it is played.
        worth: what a set of cards counts.

    Returns:
        Points. Who can follow adds a card that does not beat this one, who cannot any card but a
        trump.
    """
    if not position.to_come:
        return 0.0
    suit = suit_led(position, card)
    following = position.unseen & tricks.SUIT_CARDS[suit]
    discards = position.unseen & ~tricks.SUIT_CARDS[suit]
    if trump >= 0:
        discards &= ~tricks.TRUMP_CARDS[trump]
    if card // tricks.RANKS == suit:
        follow = _mean(following & ~above(card, trump), worth)
    else:
        follow = _mean(following, worth)
    discard = _mean(discards, worth)
    count = following.bit_count()
    voids = [(1 - share) ** count for share in shares(position, suit)]
    return sum([void * discard + (1 - void) * follow for void in voids])


def last_card_takes(card: int, position: Position, trump: int, leads: float) -> float:
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
    beaters = unseen & above(card, trump)
    if trump not in (-1, suit):
        beaters |= unseen & tricks.TRUMP_CARDS[trump]
    # All of them must go in the trick in progress; what is left then is played to the last one.
    gone = (len(position.to_come) / out) ** beaters.bit_count() if out else 1.0
    if suit == trump or not out:
        return gone
    same_suit = (unseen & tricks.SUIT_CARDS[suit]).bit_count() / out
    return gone * (leads + (1 - leads) * same_suit)


def _mean(cards: int, worth: Callable[[int], float]) -> float:
    return worth(cards) / cards.bit_count() if cards else 0.0
