"""Exact sampling of hidden hands under constraints on the location of each card.

Every unseen card has a weight for each location: the hands of the other seats, and the cards in no
hand. A weight of 0 excludes a location, such as a seat with a known void (C8). Equal weights make
all possible deals equally likely; in general the probability of a deal is proportional to the
product of its weights. The total weight of all completions is computed once in a table (dynamic
programming), and each card then goes to a location in proportion to it. No deal is ever rejected.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from jasstisch.engine.cards import cards_in_set
from jasstisch.search.jit.compiler import allocating_kernel, kernel
from jasstisch.search.jit.prng import Stream, uniform

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class HiddenCards:
    """The unseen cards and their possible locations, prepared for repeated sampling.

    Args:
        cards: the set of the unseen cards.
        sizes: the number of cards at each location; together the number of unseen cards.
        possible: for each location, the set of the cards that may lie there.
        weights: for each location, the weight of each card (by its number) to lie there; equal if
            omitted.

    Attributes:
        cards: the cards as an array, in the order in which they are dealt.
        sizes: as an array.
        weights: one row for each card, one column for each location; each row has its own scale.
        completion_weights: `table[i, code]` is the total weight of all ways to deal the cards from
            `i` on, where `code` encodes the number of cards that each location but the last still
            lacks.

    Raises:
        ValueError: no such deal exists.
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
        # Cards with few locations come first, which keeps the table small.
        order = sorted(
            cards_in_set(cards), key=lambda card: sum(one >> card & 1 for one in possible)
        )
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
        self.completion_weights: Floats = _build_count_table(self.weights, self.sizes)
        if not self.completion_weights[0, -1] > 0:
            raise ValueError("no deal of the unseen cards fits what has been seen")

    def sample(self, chance: Stream) -> list[int]:
        """Draws one deal: the set of cards at each location."""
        hands = np.zeros(len(self.sizes), dtype=np.int64)
        sample_hands(self.cards, self.weights, self.sizes, self.completion_weights, hands, chance)
        return [int(hand) for hand in hands]


@allocating_kernel
def _build_count_table(weights: Floats, sizes: Ints) -> Floats:
    """Computes the table of `HiddenCards` by backward recursion over the cards.

    Its rows are scaled to a largest entry of 1, which keeps them in range. The weights of each card
    are scaled with them, which changes no probability: an entry is the sum of the contributions of
    its locations.
    """
    cards, places = weights.shape
    last = places - 1
    lacks = _remaining_counts(sizes)
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
def _remaining_counts(sizes: Ints) -> Ints:
    """For each code, the number of cards that each location but the last still lacks."""
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
    """Draws one deal into `hands`: the set of cards at each location.

    The first four arguments are those of one `HiddenCards`.
    """
    last = len(sizes) - 1
    code = table.shape[1] - 1
    for place in range(last + 1):
        hands[place] = 0
    for number in range(len(cards)):
        # The table gives each location its share; a full location has none. There are no branches
        # on the location, which the processor could not predict.
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
