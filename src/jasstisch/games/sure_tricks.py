"""Whether who leads takes all tricks that are left, whatever the others hold and play.

Pure, and from what he sees alone: his own cards, and those he has not seen, which others may hold.
So nothing of their hands can be told from the answer. It is never wrong, but careful: that a player
has shown to hold none of a suit is not counted, and nobody is taken to hold fewer cards for it.
"""

from collections.abc import Sequence

from jasstisch.engine import tricks
from jasstisch.engine.cards import members

__all__ = ["all_sure", "run_possible", "sure_order"]

ROW_LENGTH = len(tricks.BEATERS) // len(tricks.RANKINGS)
SUITS = len(tricks.SUIT_CARDS)

HIGHER_OF_SUIT = tuple(
    beaters & tricks.SUIT_CARDS[place % ROW_LENGTH // tricks.RANKS]
    for place, beaters in enumerate(tricks.BEATERS)
)
"""For each ranking and each card, as `tricks.BEATERS`, the cards of its own suit that take it."""

RUNS_OF_THREE = tuple(
    0b111 << tricks.RANKS * suit + low for suit in range(SUITS) for low in range(tricks.RANKS - 2)
)
"""All runs of three."""


def sure_order(hand: int, unseen: int, rankings: Sequence[int]) -> tuple[int, ...]:
    """The cards of a hand in an order in which each is led and takes its trick; () without one.

    A card takes its trick for certain where no higher one of its suit can be out, and no trump
    besides. Who leads a trump that is sure draws one at least as long as any are out, for whoever
    holds one must follow; all but the Bur, below which no trump is sure (C8c). Without trumps about
    it is the same in each suit (C8d, CT4). So after as many leads as cards were out, none is.

    Args:
        hand: the cards held.
        unseen: the cards that others may hold.
        rankings: the ranking of each trick that is left, one for each card; a known one.
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
    """Whether each card of a hand takes its trick, in whatever order they are led.

    Args:
        hand: the cards held.
        unseen: the cards that others may hold.
        rankings: the ranking of each trick that is left.
    """
    return all(_is_unbeatable(hand, unseen, ranking) for ranking in set(rankings))


def _is_unbeatable(hand: int, unseen: int, ranking: int) -> bool:
    """Whether nothing that may be out takes a trick from a card of this hand."""
    trumps = tricks.TRUMP_CARDS[ranking]
    if unseen & trumps and hand & ~trumps:
        return False
    row = ROW_LENGTH * (ranking + 1)
    return not any(unseen & HIGHER_OF_SUIT[row + card] for card in members(hand))


def _sure_cards(cards: int, unseen: int, out: Sequence[int], ranking: int) -> list[int]:
    """Those of some cards above which none of their suit can be out."""
    row = ROW_LENGTH * (ranking + 1)
    return [
        card
        for card in members(cards)
        if not (out[card // tricks.RANKS] and unseen & HIGHER_OF_SUIT[row + card])
    ]


def _choose_lead(
    sure: Sequence[int], unseen: int, out: Sequence[int], ranking: int, later: Sequence[int]
) -> int:
    """Which of some sure cards is led: one that is so no more later, then trumps, from the top."""
    other = next((one for one in later if one != ranking), None)
    if other is not None:
        for card in sure:
            if not _sure_cards(1 << card, unseen, out, other):
                return card
    row = ROW_LENGTH * (ranking + 1)
    trumps = tricks.TRUMP_CARDS[ranking]
    return max(
        sure,
        key=lambda card: (trumps >> card & 1, -(card // tricks.RANKS), tricks.ORDER[row + card]),
    )


def run_possible(hand: int, unseen: int) -> bool:
    """Whether a run can come together in a trick to which this hand leads a card (MV4).

    Args:
        hand: the cards held, of which one lies in each trick.
        unseen: the cards that others may hold.
    """
    return any(_can_complete(run, hand, unseen) for run in RUNS_OF_THREE)


def _can_complete(run: int, hand: int, unseen: int) -> bool:
    return run & ~(hand | unseen) == 0 and (run & hand).bit_count() <= 1
