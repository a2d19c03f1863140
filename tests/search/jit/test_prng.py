"""Random numbers in kernels: repeatable, within their bounds and unbiased."""

import random

import numpy as np
import pytest

from jasstisch.engine.cards import cards_in_set
from jasstisch.search.jit import prng
from jasstisch.search.jit.compiler import allocating_kernel


@allocating_kernel
def card_counts(stream: prng.Stream, cards: int, often: int) -> np.ndarray:
    """How often each card of a set is drawn."""
    counts = np.zeros(64, dtype=np.int64)
    for _ in range(often):
        counts[prng.pick_card(stream, cards)] += 1
    return counts


def test_the_stream_is_splitmix64() -> None:
    """The first numbers that the published generator gives for the seed 1234567."""
    stream = np.array([1234567], dtype=np.uint64)
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert [int(prng.next_u64(stream)) for _ in expected] == expected


def test_same_seed_gives_same_stream() -> None:
    first, second = (prng.new_stream(random.Random(7)) for _ in range(2))
    assert [prng.randbelow(first, 100) for _ in range(50)] == [
        prng.randbelow(second, 100) for _ in range(50)
    ]


@pytest.mark.parametrize("below", [1, 2, 9, 36, 1000])
def test_numbers_stay_below_their_bound_and_reach_every_value(below: int) -> None:
    stream = prng.new_stream(random.Random(below))
    drawn = {prng.randbelow(stream, below) for _ in range(below * 20)}
    assert drawn == set(range(below))


@allocating_kernel
def joint_counts(stream: prng.Stream, often: int) -> np.ndarray:
    """How often each combination of four numbers from one word is drawn, below 5, 2, 3 and 4."""
    counts = np.zeros(5 * 2 * 3 * 4, dtype=np.int64)
    for _ in range(often):
        at, word = 0, prng.next_u64(stream)
        for below in (5, 2, 3, 4):
            drawn, word = prng.randbelow_from_word(word, below)
            at = at * below + drawn
        counts[at] += 1
    return counts


def test_numbers_drawn_from_one_word_are_independent() -> None:
    counts = joint_counts(prng.new_stream(random.Random(9)), 120 * 2_000)
    assert all(abs(count - 2_000) < 6 * 2_000**0.5 for count in counts)


def test_uniform_numbers_fill_the_interval_from_0_to_1() -> None:
    stream = prng.new_stream(random.Random(1))
    drawn = [prng.uniform(stream) for _ in range(10_000)]
    assert min(drawn) >= 0
    assert max(drawn) < 1
    assert abs(sum(drawn) / len(drawn) - 0.5) < 0.02


def test_every_card_of_a_set_is_drawn_equally_often() -> None:
    rng = random.Random(3)
    for size in (1, 2, 5, 9, 36):
        held = sum(1 << card for card in rng.sample(range(36), size))
        counts = card_counts(prng.new_stream(rng), held, 2_000 * size)
        assert {card for card in range(64) if counts[card]} == set(cards_in_set(held))
        # Six standard deviations of a binomial count with mean 2,000.
        assert all(abs(counts[card] - 2_000) < 6 * 2_000**0.5 for card in cards_in_set(held))


def test_nth_card_finds_cards_with_and_without_the_processor_instruction() -> None:
    rng = random.Random(5)
    for _ in range(500):
        held = rng.getrandbits(52) | 1 << rng.randrange(52)
        for place, card in enumerate(cards_in_set(held)):
            assert prng.nth_card(held, place) == prng._nth_card_by_halves(held, place) == card
