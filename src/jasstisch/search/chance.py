"""Chance inside kernels: a stream of random bits in one machine word.

A stream is an array of one uint64 that each draw moves on (SplitMix64), so that equal seeds give
equal playouts on every machine and threads share nothing.
"""

from random import Random

import numpy as np
from numpy.typing import NDArray

from jasstisch.search.compiled import kernel
from jasstisch.search.machine import HAS_DEPOSIT, deposit, product

__all__ = ["Stream", "bits", "member", "nth", "number", "number_from", "part", "stream"]

Stream = NDArray[np.uint64]
"""The state of a stream: one word."""

STEP = np.uint64(0x9E3779B97F4A7C15)
FIRST = np.uint64(0xBF58476D1CE4E5B9)
SECOND = np.uint64(0x94D049BB133111EB)
UNIT = 1.0 / (1 << 53)


def stream(rng: Random) -> Stream:
    """A stream seeded by a source of chance."""
    return np.array([rng.getrandbits(64)], dtype=np.uint64)


@kernel
def bits(chance: Stream) -> np.uint64:
    """The next 64 random bits."""
    chance[0] += STEP
    word = chance[0]
    word = (word ^ (word >> np.uint64(30))) * FIRST
    word = (word ^ (word >> np.uint64(27))) * SECOND
    return np.uint64(word ^ (word >> np.uint64(31)))


@kernel
def number(chance: Stream, below: int) -> int:
    """A random number from 0 to `below` - 1."""
    return int(product(bits(chance), np.uint64(below))[0])


@kernel
def number_from(word: np.uint64, below: int) -> tuple[int, np.uint64]:
    """A number from 0 to `below` - 1 by a random word, and the word for the next number.

    One word is enough for several numbers while their bounds, multiplied, stay far below 2^64.
    """
    upper, lower = product(np.uint64(word), np.uint64(below))
    return int(upper), lower


@kernel
def part(chance: Stream) -> float:
    """A random number from 0 to less than 1."""
    return np.float64(bits(chance) >> np.uint64(11)) * UNIT


@kernel
def member(chance: Stream, cards: int) -> int:
    """A random card of a set that is not empty."""
    count = cards.bit_count()
    return (cards & -cards).bit_length() - 1 if count == 1 else nth(cards, number(chance, count))


@kernel
def nth_by_halves(cards: int, place: int) -> int:
    """The card at this place of a set, from 0, found by halves and without branches."""
    card = 0
    for half in (32, 16, 8, 4, 2, 1):
        lower = (cards & (1 << half) - 1).bit_count()
        above = place >= lower
        place -= lower * above
        card += half * above
        cards >>= half * above
    return card


@kernel
def nth_by_deposit(cards: int, place: int) -> int:
    """The same in one instruction, where the processor has it."""
    return int(deposit(1 << place, cards)).bit_length() - 1


nth = nth_by_deposit if HAS_DEPOSIT else nth_by_halves
"""The card at this place of a set, from 0."""
