"""Sampling hidden hands: every possible deal with its exact probability, and no other."""

import random
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from jasstisch.engine.cards import cards_in_set
from jasstisch.search.jit.prng import new_stream
from jasstisch.search.sampling.exact_sampler import HiddenCards
from tests.search.kernel_positions import card, cards


def possible_deals(unseen: int, sizes: list[int], possible: list[int]) -> list[tuple[int, ...]]:
    """All possible deals, by enumeration."""
    if not sizes:
        return [()]
    held = cards_in_set(unseen & possible[0])
    found = []
    for chosen in combinations(held, sizes[0]):
        hand = sum(1 << one for one in chosen)
        rest = possible_deals(unseen & ~hand, sizes[1:], possible[1:])
        found += [(hand, *others) for others in rest]
    return found


@pytest.mark.parametrize(
    "void", [("", "", ""), ("H", "", ""), ("H", "S", ""), ("", "HS", ""), ("S", "H", "S")]
)
def test_every_possible_deal_is_equally_likely(void: tuple[str, str, str]) -> None:
    unseen = cards("6AH 6AS 6AD")
    possible = [
        unseen & ~sum(1 << one for one in range(36) if "CDHS"[one // 9] in suits) for suits in void
    ]
    deals = possible_deals(unseen, [2, 2, 2], possible)
    chance, drawn = new_stream(random.Random(1)), Counter[tuple[int, ...]]()
    sampler = HiddenCards(unseen, [2, 2, 2], possible)
    times = 400 * len(deals)
    for _ in range(times):
        drawn[tuple(sampler.sample(chance))] += 1
    assert set(drawn) == set(deals)
    assert max(abs(count - 400) for count in drawn.values()) < 5 * 400**0.5


def test_probability_of_a_deal_is_proportional_to_the_product_of_weights() -> None:
    unseen = cards("6AH")
    weights = np.ones((2, 36))
    weights[0, card("AH")] = 3.0
    sampler = HiddenCards(unseen, [1, 1], [unseen, unseen], weights)
    chance = new_stream(random.Random(2))
    aces = sum(sampler.sample(chance)[0] == cards("AH") for _ in range(4000))
    assert aces == pytest.approx(3000, abs=150)


def test_hand_with_one_possibility_always_gets_these_cards() -> None:
    unseen = cards("6789TJQKAH")
    sampler = HiddenCards(unseen, [3, 6], [cards("678H"), unseen])
    assert sampler.sample(new_stream(random.Random(3))) == [cards("678H"), cards("9TJQKAH")]


def test_no_unseen_cards_give_empty_hands() -> None:
    assert HiddenCards(0, [0, 0], [0, 0]).sample(new_stream(random.Random(4))) == [0, 0]


def test_number_of_unseen_cards_other_than_the_sum_of_hand_sizes_is_refused() -> None:
    with pytest.raises(ValueError, match=r"2 unseen cards do not fill places of \[1, 2\]"):
        HiddenCards(cards("6AH"), [1, 2], [cards("6AH")] * 2)


def test_constraints_without_a_possible_deal_are_refused() -> None:
    with pytest.raises(ValueError, match="no deal of the unseen cards fits what has been seen"):
        HiddenCards(cards("6AH"), [1, 1], [cards("6H"), cards("6H")])


def test_same_seed_gives_same_deals_and_another_seed_differs() -> None:
    unseen = cards("6789TJQKAH 6789TJQKAS")
    sampler = HiddenCards(unseen, [6, 6, 6], [unseen] * 3)
    seeds = [
        new_stream(random.Random(5)),
        new_stream(random.Random(5)),
        new_stream(random.Random(6)),
    ]
    first, second, other = ([sampler.sample(one) for _ in range(3)] for one in seeds)
    assert first == second != other
