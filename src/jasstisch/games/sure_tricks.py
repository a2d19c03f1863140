"""The proof that the leader takes all remaining tricks, whatever the others hold and play.

Pure functions of the leader's information: their own cards, and the unseen cards that others may
hold. So the result leaks nothing about other hands. The proof is sound but conservative: it does
not use that a player has shown to be void in a suit.
"""

from collections.abc import Sequence

from jasstisch.engine import tricks
from jasstisch.engine.cards import cards_in_set

_ROW_LENGTH = len(tricks.BEATERS) // len(tricks.RANKINGS)
_SUITS = len(tricks.SUIT_CARDS)

_HIGHER_OF_SUIT = tuple(
    beaters & tricks.SUIT_CARDS[place % _ROW_LENGTH // tricks.RANKS]
    for place, beaters in enumerate(tricks.BEATERS)
)
"""For each ranking and card, as in `tricks.BEATERS`, the cards of its own suit that beat it."""

_RUNS_OF_THREE = tuple(
    0b111 << tricks.RANKS * suit + low for suit in range(_SUITS) for low in range(tricks.RANKS - 2)
)
"""All runs of three."""


def sure_order(hand: int, unseen: int, rankings: Sequence[int]) -> tuple[int, ...]:
    """The cards of a hand in an order of leads in which each surely wins; () if there is none.

    A card surely wins its trick where no other player can hold a higher card of its suit or a
    trump. Each lead of a sure trump draws at least one trump as long as any are out, because
    players who hold one must follow. The exception is the Bur, but no trump below it is sure while
    it is out (C8c). Where no trumps are out, the same holds in each suit (C8d, CT4). So after as
    many leads as cards were out, none is left.

    Args:
        hand: the cards held.
        unseen: the cards that others may hold.
        rankings: the ranking of each remaining trick, one for each card; none may be `PLAIN`.
    """
    left, order = hand, []
    out = [(unseen & cards).bit_count() for cards in tricks.SUIT_CARDS]
    for place, ranking in enumerate(rankings):
        trumps = tricks.TRUMP_CARDS[ranking]
        drawing = bool(trumps) and out[ranking] > 0
        sure = _sure_cards(left & trumps if drawing else left, unseen, out, ranking)
        if not sure:
            return ()
        card = _choose_lead(sure, unseen, out, ranking, rankings[place + 1 :])
        suit = card // tricks.RANKS
        out[suit] = max(0, out[suit] - 1)
        left ^= 1 << card
        order.append(card)
    return tuple(order)


def all_sure(hand: int, unseen: int, rankings: Sequence[int]) -> bool:
    """Whether each card of a hand wins its trick, in any order of leads.

    Args:
        hand: the cards held.
        unseen: the cards that others may hold.
        rankings: the ranking of each remaining trick.
    """
    return all(_is_unbeatable(hand, unseen, ranking) for ranking in set(rankings))


def _is_unbeatable(hand: int, unseen: int, ranking: int) -> bool:
    """Whether no unseen card beats any card of this hand."""
    trumps = tricks.TRUMP_CARDS[ranking]
    if unseen & trumps and hand & ~trumps:
        return False
    row = _ROW_LENGTH * (ranking + 1)
    return not any(unseen & _HIGHER_OF_SUIT[row + card] for card in cards_in_set(hand))


def _sure_cards(cards: int, unseen: int, out: Sequence[int], ranking: int) -> list[int]:
    """Those of the given cards above which no card of their suit can be out."""
    row = _ROW_LENGTH * (ranking + 1)
    return [
        card
        for card in cards_in_set(cards)
        if not (out[card // tricks.RANKS] and unseen & _HIGHER_OF_SUIT[row + card])
    ]


def _choose_lead(
    sure: Sequence[int], unseen: int, out: Sequence[int], ranking: int, later: Sequence[int]
) -> int:
    """The sure card to lead: first one that is not sure later, then trumps, highest first."""
    other = next((one for one in later if one != ranking), None)
    if other is not None:
        for card in sure:
            if not _sure_cards(1 << card, unseen, out, other):
                return card
    row = _ROW_LENGTH * (ranking + 1)
    trumps = tricks.TRUMP_CARDS[ranking]
    return max(
        sure,
        key=lambda card: (trumps >> card & 1, -(card // tricks.RANKS), tricks.ORDER[row + card]),
    )


def can_molotov_occur(hand: int, unseen: int) -> bool:
    """Whether a run can occur in a trick to which this hand leads a card (MV4).

    Args:
        hand: the cards held, one of which is in each trick.
        unseen: the cards that others may hold.
    """
    return any(_can_complete(run, hand, unseen) for run in _RUNS_OF_THREE)


def _can_complete(run: int, hand: int, unseen: int) -> bool:
    return run & ~(hand | unseen) == 0 and (run & hand).bit_count() <= 1
