"""All ways to lay cards and claim a rank, as a lazy sequence that supports indexing and search.

With 52 cards in hand there are 287,300 of them (ID2). They are in lexicographic order of the sets
of cards, and for each set in order of the ranks claimed. Binomial coefficients give the index of a
set and the set at an index.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from math import comb
from typing import overload

_MAX_CARDS = 63
_MAX_LAID = 3
_BINOMIALS = tuple(tuple(comb(n, k) for n in range(_MAX_CARDS + 2)) for k in range(_MAX_LAID + 1))
"""`BINOMIALS[k][n]`: the number of sets of k elements out of n."""


class LegalClaims(Sequence[str]):
    """The actions that lay a number of cards from a hand, each set of cards once (ID2).

    The sequence is immutable, and its slices are lazy too.

    Args:
        hand: texts of the cards held, in order.
        count: how many are laid, 1 to 3 and no more than are held.
        ranks: letters of the ranks that may be claimed, in order.
        within: the indices of the full sequence that a slice keeps.
    """

    __slots__ = ("_count", "_hand", "_ranks", "_within")

    def __init__(
        self, hand: Sequence[str], count: int, ranks: str, within: range | None = None
    ) -> None:
        self._hand = tuple(hand)
        self._count = count
        self._ranks = ranks
        self._within = self._full_range if within is None else within

    @property
    def _full_range(self) -> range:
        return range(_BINOMIALS[self._count][len(self._hand)] * len(self._ranks))

    def __len__(self) -> int:
        return len(self._within)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> "LegalClaims": ...
    def __getitem__(self, place: int | slice) -> "str | LegalClaims":
        if isinstance(place, slice):
            return LegalClaims(self._hand, self._count, self._ranks, self._within[place])
        number, rank = divmod(self._within[place], len(self._ranks))
        laid = [self._hand[position] for position in self._positions_at(number)]
        return claim_text(laid, self._ranks[rank])

    def __iter__(self) -> Iterator[str]:
        if self._within != self._full_range:
            yield from map(self.__getitem__, range(len(self)))
            return
        for laid in combinations(self._hand, self._count):
            cards = f"lay {' '.join(laid)} as "
            for rank in self._ranks:
                yield cards + rank

    def __contains__(self, action: object) -> bool:
        return self._index_of(action) in self._within

    def index(self, action: object, start: int = 0, stop: int | None = None) -> int:
        """The index of an action, searched between `start` and `stop` where they are given.

        Raises:
            ValueError: the action is not in that part of the sequence.
        """
        sought = range(len(self))[start:stop]
        place = self._index_of(action)
        if place not in self._within or (found := self._within.index(place)) not in sought:
            raise ValueError(f"{action!r} is not among these {len(self)} actions")
        return found

    def count(self, action: object) -> int:
        """1 for an action in the sequence, 0 for any other."""
        return int(action in self)

    def __repr__(self) -> str:
        return f"<{len(self)} ways to lay {self._count} of {len(self._hand)} cards>"

    def _positions_at(self, number: int) -> Iterator[int]:
        """The positions in the hand, ascending, of the set of cards with this index.

        Counted from the last set backwards, the positions from the end of the hand are the digits
        of the combinatorial number system.
        """
        last = len(self._hand) - 1
        left = _BINOMIALS[self._count][len(self._hand)] - 1 - number
        for size in range(self._count, 0, -1):
            digit = bisect_right(_BINOMIALS[size], left) - 1
            left -= _BINOMIALS[size][digit]
            yield last - digit

    def _index_of(self, action: object) -> int:
        """The index of an action in the full sequence; -1 where it is not in it."""
        words = action.split(" ") if isinstance(action, str) else []
        cards, rank = words[1:-2], words[-1:]
        if len(cards) != self._count or len(rank[0]) != 1 or rank[0] not in self._ranks:
            return -1
        if action != claim_text(cards, rank[0]) or not set(cards) <= set(self._hand):
            return -1
        positions = [self._hand.index(card) for card in cards]
        if any(low >= high for low, high in pairwise(positions)):
            return -1
        number = _BINOMIALS[self._count][len(self._hand)] - 1
        for taken, position in enumerate(positions):
            number -= _BINOMIALS[self._count - taken][len(self._hand) - 1 - position]
        return number * len(self._ranks) + self._ranks.index(rank[0])


def claim_text(cards: Sequence[str], rank: str) -> str:
    """The action text for laying these cards, the last on top, and claiming this rank (ID2)."""
    return f"lay {' '.join(cards)} as {rank}"
