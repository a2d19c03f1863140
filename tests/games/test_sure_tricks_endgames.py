"""The rest in small endings: one result in every deal of the unseen cards and in every play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any

import pytest

import jasstisch as jt
from jasstisch.engine.cards import card_set, cards_in_set
from jasstisch.games.trick_taking import TrickTaking
from tests.rules import match_builders
from tests.rules.sure_trick_positions import (
    claimed_result,
    others_hands,
    positions,
    result,
    with_hands,
)
from tests.support.example_counts import examples


def all_deals(unseen: int, sizes: dict[int, int]) -> Iterator[dict[int, int]]:
    """All hands of these sizes from these cards."""
    if not sizes:
        yield {}
        return
    (first, size), *left = sizes.items()
    for chosen in combinations(cards_in_set(unseen), size):
        hand = card_set(chosen)
        for more in all_deals(unseen & ~hand, dict(left)):
            yield {first: hand, **more}


def all_results(rules: TrickTaking, seat: int, own: list[str]) -> Iterator[tuple[Any, ...]]:
    """The results of all plays of the others."""
    if not own and not rules.trick_in_progress():
        yield result(rules)
        return
    (acting,) = rules.to_act
    left = own[1:] if acting == seat else own
    for action in own[:1] if acting == seat else rules.legal(acting):
        after = rules.copy()
        after.act(acting, action)
        yield from all_results(after, seat, left)


def is_small(rules: TrickTaking, seat: int) -> bool:
    """Whether few enough deals and plays are possible to try them all."""
    others = len(others_hands(rules, seat))
    return len(rules.sure_tricks(seat)) == 2 and others <= 3 and rules.unseen(seat).bit_count() <= 7


@pytest.mark.parametrize("name", match_builders.TRICK_GAMES)
def test_the_rest_has_one_result_in_every_deal_and_play_of_small_endings(name: str) -> None:
    rng = random.Random(f"small rest {name}")
    small = (one for one in positions(name, rng) if is_small(*one))
    for rules, seat in islice(small, examples(3, 1)):
        own = rules.sure_tricks(seat)
        sizes = {other: hand.bit_count() for other, hand in others_hands(rules, seat).items()}
        for hands in all_deals(rules.unseen(seat), sizes):
            deal = with_hands(rules, seat, hands)
            assert deal.sure_tricks(seat) == own
            same = claimed_result(deal, seat)
            assert all(one == same for one in all_results(deal, seat, list(own)))


def test_the_rest_is_offered_in_most_matches_of_greedy_bots() -> None:
    """A person with the lead is asked no more often than that."""
    offered = played = 0
    for name in ("schieber", "coiffeur"):
        for seed in range(examples(8, 3)):
            rng = random.Random(f"share {name} {seed}")
            match = jt.Match(jt.game(name))
            bot = jt.bot("greedy")
            held = False
            while not match.over:
                if match.needs_pack:
                    match.deal(rng.sample(match.pack, len(match.pack)))
                    continue
                (seat,) = match.to_act
                held = held or bool(match.sure_tricks(seat))
                match.act(seat, bot.act(match.view(seat), match.legal(seat), rng))
            offered, played = offered + held, played + 1
    assert offered * 2 > played
