"""Sampling hidden hands: all that nobody has seen is dealt out anew, as it may be.

Every unseen card has a weight for each place that it may lie at: the hands of the others, and what
is in no hand. 0 means that it cannot be there, since that seat has shown a void (C8); equal weights
make every deal that is possible equally likely, others make it as likely as the product of its
weights. Sampling is exact: how much weight lies in all ways to go on is counted once in a table,
and each card then goes to a place by its share. No deal is ever thrown away.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from jasstisch.engine.cards import members
from jasstisch.search.jit.compiler import allocating_kernel, kernel
from jasstisch.search.jit.prng import Stream, uniform

__all__ = ["HiddenCards", "sample_hands"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class HiddenCards:
    """The unseen cards and where they may lie, ready to be dealt out any number of times.

    Args:
        cards: the set of the unseen cards.
        sizes: how many of them lie at each place; together as many as there are.
        possible: for each place, the set of the cards that may lie there.
        weights: for each place the weight of each card (by its number) to lie there, equal for all
            when not given.

    Attributes:
        cards: the cards as an array, in the order in which they are dealt out.
        sizes: as an array.
        weights: one row for each card, one column for each place; each row on a scale of its own.
        table: `table[i, code]` is the weight of all ways to deal out the cards from `i` on where
            `code` counts the cards that each place but the last still lacks.

    Raises:
        ValueError: the cards cannot be dealt out so.
    """

    def __init__(
        self,
        cards: int,
        sizes: Sequence[int],
        possible: Sequence[int],
        weights: Floats | None = None,
    ) -> None:
        if cards.bit_count() != sum(sizes):
            raise ValueError(f"{cards.bit_count()} unseen cards do not fill places of {sizes}")
        # Cards with few places first: where little is possible, little remains to be weighed.
        order = sorted(members(cards), key=lambda card: sum(one >> card & 1 for one in possible))
        self.cards: Ints = np.array(order, dtype=np.int64)
        self.sizes: Ints = np.array(sizes, dtype=np.int64)
        self.weights: Floats = np.array(
            [
                [
                    (1.0 if weights is None else weights[place][card]) * (one >> card & 1)
                    for place, one in enumerate(possible)
                ]
                for card in order
            ],
            dtype=np.float64,
        ).reshape(len(order), len(sizes))
        self.table: Floats = build_count_table(self.weights, self.sizes)
        if not self.table[0, -1] > 0:
            raise ValueError("no deal of the unseen cards fits what has been seen")

    def sample(self, chance: Stream) -> list[int]:
        """One deal: the set of cards at each place."""
        hands = np.zeros(len(self.sizes), dtype=np.int64)
        sample_hands(self.cards, self.weights, self.sizes, self.table, hands, chance)
        return [int(hand) for hand in hands]


@allocating_kernel
def build_count_table(weights: Floats, sizes: Ints) -> Floats:
    """The table of `Unseen`: from the last card backwards, each card at each place it may go to.

    Its rows are scaled to a largest entry of 1, which keeps them in range. The weights of each card
    are scaled with them, which changes no share: an entry is the sum of what the places add to it.
    """
    cards, places = weights.shape
    last = places - 1
    lacks = remaining_counts(sizes)
    codes = len(lacks)
    table = np.zeros((cards + 1, codes))
    table[cards, 0] = 1.0
    for card in range(cards - 1, -1, -1):
        largest = 0.0
        for code in range(codes):
            left, stride, ways = cards - card, 1, 0.0
            for place in range(last):
                left -= lacks[code, place]
                if lacks[code, place]:
                    ways += weights[card, place] * table[card + 1, code - stride]
                stride *= sizes[place] + 1
            if left < 0 or left > sizes[last]:
                continue
            if left:
                ways += weights[card, last] * table[card + 1, code]
            table[card, code] = ways
            largest = max(largest, ways)
        if largest > 0:
            for code in range(codes):
                table[card, code] /= largest
            for place in range(places):
                weights[card, place] /= largest
    return table


@allocating_kernel
def remaining_counts(sizes: Ints) -> Ints:
    """For each code how many cards each place but the last still lacks."""
    last = len(sizes) - 1
    codes = 1
    for place in range(last):
        codes *= sizes[place] + 1
    lacks = np.zeros((codes, last), dtype=np.int64)
    for code in range(codes):
        rest = code
        for place in range(last):
            lacks[code, place] = rest % (sizes[place] + 1)
            rest //= sizes[place] + 1
    return lacks


@kernel
def sample_hands(
    cards: Ints, weights: Floats, sizes: Ints, table: Floats, hands: Ints, chance: Stream
) -> None:
    """Deals the unseen cards out once, into `hands`: the set of cards at each place.

    The arguments but the last two are those of one `Unseen`.
    """
    last = len(sizes) - 1
    code = table.shape[1] - 1
    for place in range(last + 1):
        hands[place] = 0
    for number in range(len(cards)):
        # The table gives each place its share; a place that is full has none. There are no branches
        # on which place it is, for no processor foresees that.
        left = uniform(chance) * table[number, code]
        chosen, step, stride = last, 0, 1
        for place in range(last):
            lacking = hands[place].bit_count() < sizes[place]
            share = lacking * weights[number, place] * table[number + 1, max(0, code - stride)]
            here = (left >= 0) & (share > 0)
            chosen += (place - chosen) * here
            step += (stride - step) * here
            left -= share
            stride *= sizes[place] + 1
        here = (left >= 0) & (weights[number, last] * table[number + 1, code] > 0)
        chosen += (last - chosen) * here
        step -= step * here
        code -= step
        hands[chosen] |= 1 << cards[number]
