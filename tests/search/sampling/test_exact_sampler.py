"""Sampling hidden hands: every deal that is possible as often as it should be, and no other."""

import random
from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from jasstisch.engine.cards import members
from jasstisch.search.jit.prng import new_stream
from jasstisch.search.sampling.exact_sampler import HiddenCards
from tests.search.kernel_positions import card, cards


def ways_to_deal(unseen: int, sizes: list[int], possible: list[int]) -> list[tuple[int, ...]]:
    """Every deal there is, tried one after the other."""
    if not sizes:
        return [()]
    held = members(unseen & possible[0])
    found = []
    for chosen in combinations(held, sizes[0]):
        hand = sum(1 << one for one in chosen)
        rest = ways_to_deal(unseen & ~hand, sizes[1:], possible[1:])
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
    deals = ways_to_deal(unseen, [2, 2, 2], possible)
    chance, drawn = new_stream(random.Random(1)), Counter[tuple[int, ...]]()
    sampler = HiddenCards(unseen, [2, 2, 2], possible)
    times = 400 * len(deals)
    for _ in range(times):
        drawn[tuple(sampler.sample(chance))] += 1
    assert set(drawn) == set(deals)
    assert max(abs(count - 400) for count in drawn.values()) < 5 * 400**0.5


def test_weights_make_a_deal_as_likely_as_their_product() -> None:
    unseen = cards("6AH")
    weights = np.ones((2, 36))
    weights[0, card("AH")] = 3.0
    sampler = HiddenCards(unseen, [1, 1], [unseen, unseen], weights)
    chance = new_stream(random.Random(2))
    aces = sum(sampler.sample(chance)[0] == cards("AH") for _ in range(4000))
    assert aces == pytest.approx(3000, abs=150)


def test_what_may_lie_at_one_place_only_lies_there() -> None:
    unseen = cards("6789TJQKAH")
    sampler = HiddenCards(unseen, [3, 6], [cards("678H"), unseen])
    assert sampler.sample(new_stream(random.Random(3))) == [cards("678H"), cards("9TJQKAH")]


def test_nothing_unseen_is_dealt_to_nobody() -> None:
    assert HiddenCards(0, [0, 0], [0, 0]).sample(new_stream(random.Random(4))) == [0, 0]


def test_cards_that_do_not_fill_the_places_are_refused() -> None:
    with pytest.raises(ValueError, match=r"2 unseen cards do not fill places of \[1, 2\]"):
        HiddenCards(cards("6AH"), [1, 2], [cards("6AH")] * 2)


def test_what_cannot_be_dealt_out_is_refused() -> None:
    with pytest.raises(ValueError, match="no deal of the unseen cards fits what has been seen"):
        HiddenCards(cards("6AH"), [1, 1], [cards("6H"), cards("6H")])


def test_equal_chance_deals_equal_hands() -> None:
    unseen = cards("6789TJQKAH 6789TJQKAS")
    sampler = HiddenCards(unseen, [6, 6, 6], [unseen] * 3)
    seeds = [
        new_stream(random.Random(5)),
        new_stream(random.Random(5)),
        new_stream(random.Random(6)),
    ]
    first, second, other = ([sampler.sample(one) for _ in range(3)] for one in seeds)
    assert first == second != other
