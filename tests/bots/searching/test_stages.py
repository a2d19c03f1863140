"""Cards tried in stages: the better ones in more deals, none of them judged by luck."""

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

import jasstisch as jt
from jasstisch.bots.searching.effort import MASTER
from jasstisch.bots.searching.passes import best_of, levelled, shared_out
from jasstisch.search import flat
from tests.bots.searching.thinking import move
from tests.rules import tables

STAGED = replace(MASTER, plays=6000, stages=3, limit=60.0)


@pytest.mark.parametrize(
    ("number", "left"), [(9, [9, 5, 3]), (4, [4, 2, 2]), (2, [2, 2, 2]), (1, [1, 1, 1])]
)
def test_each_stage_leaves_the_worse_half_out_but_two(number: int, left: list[int]) -> None:
    assert STAGED.narrowed(number) == left


@given(some.integers(1, 12), some.integers(1, 48), some.integers(1, 5), some.integers(1, 3))
def test_stages_cost_no_more_than_all_cards_tried_alike(
    number: int, to_come: int, stages: int, sifting: int
) -> None:
    effort = replace(STAGED, worlds=10_000, stages=stages, sifting=sifting)
    deals = effort.deals(effort.narrowed(number), to_come, 48 - to_come)
    asked = sifting * (48 - to_come) * deals if sifting > 1 else 0
    left = effort.narrowed(number)
    played = [
        len(stage) * one * to_come
        for stage, one in zip(
            shared_out(np.zeros((deals, 1), dtype=np.int64), left), left, strict=True
        )
    ]
    for_the_first = number * to_come * stages + sifting * (48 - to_come)
    assert sum(played) + asked <= effort.plays + for_the_first


@given(some.integers(1, 200), some.integers(1, 12), some.integers(1, 5))
def test_every_deal_belongs_to_one_stage_and_the_first_one_has_some(
    deals: int, number: int, stages: int
) -> None:
    rows = np.arange(deals, dtype=np.int64)[:, None]
    parts = shared_out(rows, replace(STAGED, stages=stages).narrowed(number))
    assert len(parts) == stages
    assert len(parts[0])
    assert np.array_equal(np.concatenate(parts), rows)


def test_the_best_cards_are_left_and_equals_stay_in_their_order() -> None:
    sums = flat.no_sums()
    sums[:4, flat.TRIALS] = 2
    sums[:4, flat.WORTH] = [2, 8, 2, 4]
    assert best_of(sums, 0b1111, 2) == 0b1010
    assert best_of(sums, 0b1101, 2) == 0b1001
    assert best_of(sums, 0b110101, 9) == 0b101, "what nobody tried is not among them"


def test_what_is_left_out_keeps_its_distance_from_the_best_when_later_deals_are_better() -> None:
    """Both had 10 deals, 3 apart; the best one had 10 more, each of which was 4 better for it."""
    earlier = flat.no_sums()
    earlier[0], earlier[1] = (10, -50, 50), (10, -80, 80)
    sums = earlier.copy()
    sums[0] = (20, -60, 60)
    levelled(sums, earlier, 0b10, 0)
    assert tuple(sums[0]) == (20, -60, 60)
    assert tuple(sums[1]) == (10, -60, 60)


@pytest.mark.parametrize("seed", range(3))
def test_better_cards_are_tried_in_more_deals_and_the_best_one_in_all(seed: int) -> None:
    match, rng = jt.Match(jt.game("molotov")), random.Random(seed)
    while match.needs_pack:
        match.shuffle(tables.shuffled(match, rng))
    found = move(match, STAGED)
    trials = [one.trials for one in found]
    assert sorted(Counter(trials).values()) == [2, 3, 4], "nine cards, then five, then three"
    assert trials[0] == max(trials)
    assert [one.value for one in found] == sorted((one.value for one in found), reverse=True)


def test_without_stages_all_cards_are_tried_alike() -> None:
    match, rng = jt.Match(jt.game("molotov")), random.Random(1)
    while match.needs_pack:
        match.shuffle(tables.shuffled(match, rng))
    assert len({one.trials for one in move(match, replace(STAGED, stages=1))}) == 1


def test_cards_asked_after_are_counted_as_cards_played_out() -> None:
    """With twelve to come and two tried a deal costs 24 cards, and 24 seen cost as much thrice."""
    sifted = replace(STAGED, worlds=10_000, stages=1, sifting=3)
    assert sifted.deals([2], 12, 0) == 6000 // 24
    assert sifted.deals([2], 12, 24) == 6000 // (24 + 3 * 24)
    assert replace(sifted, sifting=1).deals([2], 12, 24) == 6000 // 24, "nothing is asked"


@pytest.mark.parametrize("name", ["schieber", "jass"])
def test_where_a_card_takes_longer_fewer_are_played_out(name: str) -> None:
    match, rng = jt.Match(jt.game(name)), random.Random(2)
    while match.needs_pack or match.view(match.to_act[0])["phase"] != "play":
        tables.step(match, rng)
    efforts = replace(STAGED, sides=1.0, jass=1.0), replace(STAGED, sides=0.5, jass=0.5)
    whole, half = (sum(one.trials for one in move(match, effort)) for effort in efforts)
    assert half < 0.6 * whole
