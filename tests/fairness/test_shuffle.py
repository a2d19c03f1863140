"""The order of a pack is a permutation, and every one is as likely as any other."""

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
from tools.fairness_vectors import WHOLE_PACK, pseudo_random_bytes

hashes = st.binary(min_size=32, max_size=32)
packs = st.lists(st.sampled_from(WHOLE_PACK), unique=True)

# Beyond these a fair die is found in one of a million samples.
CHI_SQUARE = {5: 35.9, 23: 73.6}


def chi_square(found: Counter[str], outcomes: int) -> float:
    """How far counts lie from being equal."""
    expected = found.total() / outcomes
    missing = outcomes - len(found)
    return sum((n - expected) ** 2 for n in found.values()) / expected + missing * expected


@given(packs, hashes, hashes)
def test_the_order_is_a_permutation_of_the_pack(
    cards: list[str], secret: bytes, deal: bytes
) -> None:
    assert sorted(derive_order(cards, secret, deal)) == sorted(cards)


@given(packs, hashes, hashes, st.randoms(use_true_random=False))
def test_the_order_does_not_depend_on_how_the_pack_lay(
    cards: list[str], secret: bytes, deal: bytes, rng: object
) -> None:
    assert derive_order(reversed(cards), secret, deal) == derive_order(cards, secret, deal)


@given(hashes, hashes, hashes)
def test_secret_and_transcript_both_decide(secret: bytes, deal: bytes, other: bytes) -> None:
    """Of 36! orders two are alike for no other reason than equal bytes."""
    first = derive_order(JASS.texts, secret, deal)
    assert (derive_order(JASS.texts, other, deal) == first) == (other == secret)
    assert (derive_order(JASS.texts, secret, other) == first) == (other == deal)


@pytest.mark.parametrize("size", [3, 4])
def test_every_order_of_a_small_pack_is_as_likely(size: int) -> None:
    cards, bytes_of = WHOLE_PACK[:size], pseudo_random_bytes(f"uniform {size}")
    found = Counter(" ".join(derive_order(cards, bytes_of(32), bytes_of(32))) for _ in range(6000))
    outcomes = len(list(permutations(cards)))
    assert chi_square(found, outcomes) < CHI_SQUARE[outcomes - 1]


def test_every_card_is_as_likely_in_front_and_at_the_end() -> None:
    bytes_of = pseudo_random_bytes("places")
    orders = [derive_order(JASS.texts[:24], bytes_of(32), bytes_of(32)) for _ in range(3000)]
    for place in (0, 11, 23):
        found = Counter(cards[place] for cards in orders)
        assert chi_square(found, 24) < CHI_SQUARE[23]


@pytest.mark.parametrize("bound", [1, 2, 3, 36, 52, 255, 256])
def test_a_number_below_a_bound_is_chosen_by_equally_many_bytes(bound: int) -> None:
    """Without leaving bytes out, 0 of 36 would be chosen by eight of them and 35 by seven."""
    alone = [byte for byte in range(256) if decides(byte, bound)]
    chosen = Counter(_uniform_below(bound, iter([byte])) for byte in alone)
    assert len(chosen) == bound
    assert len(set(chosen.values())) == 1
    assert len(alone) == 256 - 256 % bound


def decides(byte: int, bound: int) -> bool:
    """Whether a byte is not left out."""
    stream: Iterator[int] = iter([byte, 0])
    _uniform_below(bound, stream)
    return next(stream, None) is not None


@pytest.mark.parametrize("card", ["", "6", "6X", "1C", "10C", "6c", "C6"])
def test_what_is_no_card_is_refused_with_its_pack(card: str) -> None:
    with pytest.raises(FairError, match="pack 3: a card is a rank of") as caught:
        derive_order(["6C", card], b"", b"", 3)
    assert caught.value.pack == 3


def test_the_shuffle_begins_as_a_match_lists_its_pack() -> None:
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
