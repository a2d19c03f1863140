"""The order of a pack is a permutation, and all permutations are equally likely."""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jasstisch as jt
from jasstisch.engine.cards import JASS
from jasstisch.fairness import FairError
from jasstisch.fairness.shuffle import _uniform_below, derive_order, sorted_pack
from jasstisch.games.options import Choice, Whole
from jasstisch.games.rules import REGISTRY
from tools.fairness_vectors import WHOLE_PACK
from tools.pseudo_random_bytes import pseudo_random_bytes

hashes = st.binary(min_size=32, max_size=32)
packs = st.lists(st.sampled_from(WHOLE_PACK), unique=True)

# By degrees of freedom: uniformly distributed counts exceed these values once in a million samples.
CHI_SQUARE = {5: 35.9, 23: 73.6}


def chi_square(found: Counter[str], outcomes: int) -> float:
    """The chi-square statistic of counts, for equally likely outcomes."""
    expected = found.total() / outcomes
    missing = outcomes - len(found)
    return sum((n - expected) ** 2 for n in found.values()) / expected + missing * expected


@given(packs, hashes, hashes)
def test_the_order_is_a_permutation_of_the_pack(
    cards: list[str], secret: bytes, deal: bytes
) -> None:
    assert sorted(derive_order(cards, secret, deal)) == sorted(cards)


@given(packs, hashes, hashes, st.randoms(use_true_random=False))
def test_order_does_not_depend_on_the_initial_order_of_the_pack(
    cards: list[str], secret: bytes, deal: bytes, rng: object
) -> None:
    assert derive_order(reversed(cards), secret, deal) == derive_order(cards, secret, deal)


@given(hashes, hashes, hashes)
def test_order_depends_on_both_secret_and_transcript(
    secret: bytes, deal: bytes, other: bytes
) -> None:
    """With 36! possible orders, two are equal only if the bytes are equal."""
    first = derive_order(JASS.texts, secret, deal)
    assert (derive_order(JASS.texts, other, deal) == first) == (other == secret)
    assert (derive_order(JASS.texts, secret, other) == first) == (other == deal)


@pytest.mark.parametrize("size", [3, 4])
def test_all_orders_of_a_small_pack_are_equally_likely(size: int) -> None:
    cards, bytes_of = WHOLE_PACK[:size], pseudo_random_bytes(f"uniform {size}")
    found = Counter(" ".join(derive_order(cards, bytes_of(32), bytes_of(32))) for _ in range(6000))
    outcomes = len(list(permutations(cards)))
    assert chi_square(found, outcomes) < CHI_SQUARE[outcomes - 1]


def test_all_cards_are_equally_likely_at_the_front_middle_and_end() -> None:
    bytes_of = pseudo_random_bytes("places")
    orders = [derive_order(JASS.texts[:24], bytes_of(32), bytes_of(32)) for _ in range(3000)]
    for place in (0, 11, 23):
        found = Counter(cards[place] for cards in orders)
        assert chi_square(found, 24) < CHI_SQUARE[23]


@pytest.mark.parametrize("bound", [1, 2, 3, 36, 52, 255, 256])
def test_each_number_below_a_bound_is_chosen_by_equally_many_bytes(bound: int) -> None:
    """Without rejection, 0 of 36 would be chosen by eight of the bytes and 35 by seven."""
    accepted = [byte for byte in range(256) if is_accepted(byte, bound)]
    chosen = Counter(_uniform_below(bound, iter([byte])) for byte in accepted)
    assert len(chosen) == bound
    assert len(set(chosen.values())) == 1
    assert len(accepted) == 256 - 256 % bound


def is_accepted(byte: int, bound: int) -> bool:
    """Whether a byte is accepted instead of rejected."""
    stream: Iterator[int] = iter([byte, 0])
    _uniform_below(bound, stream)
    return next(stream, None) is not None


@pytest.mark.parametrize("card", ["", "6", "6X", "1C", "10C", "6c", "C6"])
def test_invalid_card_is_refused_with_the_number_of_its_pack(card: str) -> None:
    with pytest.raises(FairError, match="pack 3: a card is a rank of") as caught:
        derive_order(["6C", card], b"", b"", 3)
    assert caught.value.pack == 3


@pytest.mark.parametrize("count", [2, 257])
def test_a_pack_with_a_card_twice_is_refused_with_its_number(count: int) -> None:
    """No byte chooses fairly among more than 256 cards: the search for one would not end."""
    with pytest.raises(FairError, match="pack 3: a card is there twice") as caught:
        derive_order(["6C"] * count, b"", b"", 3)
    assert caught.value.pack == 3


def test_sorted_pack_has_the_order_of_match_pack_in_every_game() -> None:
    """So nobody needs the rules of a game to verify its deals."""
    for name in jt.games():
        for option in REGISTRY[name].options:
            if isinstance(option, Choice):
                values = list(option.values)
            else:
                values = [option.low, option.high] if isinstance(option, Whole) else [None, 0]
            for value in values:
                match = jt.Match(jt.game(name, **{option.name: value}))
                for _ in range(3):
                    if match.needs_pack:
                        assert list(match.pack) == sorted_pack(reversed(match.pack))
                        match.deal(match.pack)
