"""`LegalClaims`, which knows all lays without listing them (ID2), against the plain list."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

from jasstisch.games.i_doubt_it import FULL_DECK
from jasstisch.games.i_doubt_it_claims import LegalClaims

counts = st.integers(1, 3)


@st.composite
def hands(draw: st.DrawFn, most: int = 12) -> tuple[list[str], int]:
    """A sorted hand, and how many of its cards are to be laid."""
    count = draw(counts)
    cards = draw(st.sets(st.sampled_from(FULL_DECK.texts), min_size=count, max_size=most))
    return sorted(cards, key=FULL_DECK.texts.index), count


def listed(hand: list[str], count: int) -> list[str]:
    """All lays of so many cards as a plain list."""
    return [
        f"lay {' '.join(cards)} as {rank}"
        for cards in itertools.combinations(hand, count)
        for rank in "23456789TJQKA"
    ]


@given(hands(), st.data())
def test_claim_sequence_behaves_like_the_plain_list__ID2(
    given_hand: tuple[list[str], int], data: Any
) -> None:
    """Length, items, order, slices, places and membership are those of the list."""
    hand, count = given_hand
    lays, plain = LegalClaims(hand, count, FULL_DECK.ranks), listed(hand, count)
    assert len(lays) == len(plain)
    assert list(lays) == plain
    place = data.draw(st.integers(-len(plain), len(plain) - 1))
    assert lays[place] == plain[place]
    assert lays.index(plain[place]) == place % len(plain)
    assert plain[place] in lays
    assert lays.count(plain[place]) == 1
    ends = st.none() | st.integers(-len(plain) - 2, len(plain) + 2)
    steps = st.none() | st.integers(1, 400) | st.integers(-400, -1)
    part = slice(data.draw(ends), data.draw(ends), data.draw(steps))
    assert list(lays[part]) == plain[part]
    assert len(lays[part]) == len(plain[part])
    assert (plain[place] in lays[part]) == (plain[place] in plain[part])
    assert list(reversed(lays)) == plain[::-1]


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("held", [3, 26, 40, 52])
def test_length_ends_and_indices_of_large_hands_are_right__ID2(held: int, count: int) -> None:
    """The length is sets times ranks; the first, the last and 50 other lays have their index."""
    hand = list(FULL_DECK.texts[:held])
    lays = LegalClaims(hand, count, FULL_DECK.ranks)
    sets = len(list(itertools.combinations(range(held), count)))
    assert len(lays) == 13 * sets
    assert lays[0] == f"lay {' '.join(hand[:count])} as 2"
    assert lays[-1] == f"lay {' '.join(hand[-count:])} as A"
    rng = random.Random(held)
    for place in rng.choices(range(len(lays)), k=50):
        assert lays.index(lays[place]) == place


def test_fifty_two_cards_can_be_laid_in_287300_ways__ID2() -> None:
    assert len(LegalClaims(FULL_DECK.texts, 3, FULL_DECK.ranks)) == 287_300


@pytest.mark.parametrize(
    "action",
    [
        "", " ", "lay", "as", "doubt", "lay as", "lay as J", "lay 2C 3C as J",
        "lay 2C 3C 4C 5C as J", "lay 2C 3C 4C as", "lay 2C 3C 4C as 1", "lay 2C 3C 4C as 10",
        "lay 2C 3C 4C as QK",
        "lay 2C 3C 4C is J", "play 2C 3C 4C as J", "lay 3C 2C 4C as J", "lay 2C 2C 3C as J",
        "lay 2C 3C 3C as J", "lay 2C 5C 5C as J", "lay 4C 5C 5C as J", "lay 2C 2C 2C as J",
        "lay 2C 3C 9S as J", "lay 2C 3C 4C as j", "lay  2C 3C 4C as J", "lay 2C 3C 4C as J ",
        "lay 2C 3C XX as J", "LAY 2C 3C 4C AS J", None, 5, ("lay",), ["lay 2C 3C 4C as J"],
    ],
)  # fmt: skip
def test_other_actions_are_not_contained__ID2(action: Any) -> None:
    """Only exact texts are contained: cards in order of the hand, single spaces, the same case."""
    lays = LegalClaims(["2C", "3C", "4C", "5C"], 3, FULL_DECK.ranks)
    assert action not in lays
    assert lays.count(action) == 0
    with pytest.raises(ValueError, match="not among these 52 actions"):
        lays.index(action)


def test_index_searches_between_start_and_stop__ID2() -> None:
    lays = LegalClaims(["2C", "3C", "4C", "5C"], 3, FULL_DECK.ranks)
    action = lays[20]
    assert lays.index(action, 20) == lays.index(action, 0, 21) == lays.index(action, -40, -30) == 20
    for start, stop in ((21, None), (0, 20), (-10, None)):
        with pytest.raises(ValueError, match="not among"):
            lays.index(action, start, stop)


def test_a_slice_of_full_length_may_be_reversed__ID2() -> None:
    lays = LegalClaims(["2C", "3C", "4C", "5C"], 3, FULL_DECK.ranks)
    assert list(lays[::-1]) == list(lays)[::-1]


@pytest.mark.parametrize("place", [52, -53, 10**9])
def test_an_index_out_of_range_raises_index_error__ID2(place: int) -> None:
    with pytest.raises(IndexError):
        LegalClaims(["2C", "3C", "4C", "5C"], 3, FULL_DECK.ranks)[place]


def test_random_choice_is_uniform__ID2() -> None:
    """52 ways, chosen 5,200 times: each about a hundred times."""
    lays = LegalClaims(["2C", "3C", "4C", "5C"], 3, FULL_DECK.ranks)
    rng = random.Random(1)
    chosen = Counter(rng.choice(lays) for _ in range(5200))
    assert set(chosen) == set(lays)
    assert min(chosen.values()) > 60
    assert max(chosen.values()) < 150


def test_repr_states_the_number_of_lays() -> None:
    assert (
        repr(LegalClaims(FULL_DECK.texts, 3, FULL_DECK.ranks))
        == "<287300 ways to lay 3 of 52 cards>"
    )
