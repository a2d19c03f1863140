"""A pseudorandom number generator for kernels (SplitMix64), with one machine word of state.

A stream is an array of one uint64 that each draw advances, so that equal seeds give equal playouts
on every machine and threads share no state.
"""

from random import Random

import numpy as np
from numpy.typing import NDArray

from jasstisch.search.jit.compiler import kernel
from jasstisch.search.jit.intrinsics import HAS_PDEP, mul_wide, pdep

Stream = NDArray[np.uint64]
"""The state of a stream: one word."""

_GOLDEN_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_MULTIPLIER_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_MULTIPLIER_2 = np.uint64(0x94D049BB133111EB)
_UNIT_SCALE = 1.0 / (1 << 53)


def new_stream(rng: Random) -> Stream:
    """A stream seeded from a random generator."""
    return np.array([rng.getrandbits(64)], dtype=np.uint64)


@kernel
def next_u64(chance: Stream) -> np.uint64:
    """The next 64 random bits."""
    chance[0] += _GOLDEN_GAMMA
    word = chance[0]
    word = (word ^ (word >> np.uint64(30))) * _MIX_MULTIPLIER_1
    word = (word ^ (word >> np.uint64(27))) * _MIX_MULTIPLIER_2
    return np.uint64(word ^ (word >> np.uint64(31)))


@kernel
def randbelow(chance: Stream, below: int) -> int:
    """A random number from 0 to `below` - 1."""
    return int(mul_wide(next_u64(chance), np.uint64(below))[0])


@kernel
def randbelow_from_word(word: np.uint64, below: int) -> tuple[int, np.uint64]:
    """A number from 0 to `below` - 1 from a random word, and the word for the next number.

    One word is enough for several numbers as long as the product of their bounds is far below 2^64.
    """
    upper, lower = mul_wide(np.uint64(word), np.uint64(below))
    return int(upper), lower


@kernel
def uniform(chance: Stream) -> float:
    """A random number from 0 to less than 1."""
    return np.float64(next_u64(chance) >> np.uint64(11)) * _UNIT_SCALE


@kernel
def pick_card(chance: Stream, cards: int) -> int:
    """A random card of a set that is not empty."""
    count = cards.bit_count()
    return (
        (cards & -cards).bit_length() - 1
        if count == 1
        else nth_card(cards, randbelow(chance, count))
    )


@kernel
def _nth_card_by_halves(cards: int, place: int) -> int:
    """The card at an index of a set, from 0, by binary search without branches."""
    card = 0
    for half in (32, 16, 8, 4, 2, 1):
        lower = (cards & (1 << half) - 1).bit_count()
        above = place >= lower
        place -= lower * above
        card += half * above
        cards >>= half * above
    return card


@kernel
def _nth_card_by_pdep(cards: int, place: int) -> int:
    """The same in one instruction, on processors that have it."""
    return int(pdep(1 << place, cards)).bit_length() - 1


nth_card = _nth_card_by_pdep if HAS_PDEP else _nth_card_by_halves
"""The card at an index of a set, from 0."""
