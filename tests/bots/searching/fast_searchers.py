"""Helpers for tests of the searching bots: fast budgets, evaluations and random positions."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

import jasstisch as jt
from jasstisch.bots.searching import Candidate, SearchBudget, evaluate_actions
from jasstisch.bots.searching.budget import CLUB, MASTER
from jasstisch.engine.cards import JASS, card_set
from tests.rules import match_builders

FAST_EFFORTS = (
    replace(CLUB, max_deals=6, time_limit_s=60.0),
    replace(MASTER, max_deals=6, max_cards_played=1000, time_limit_s=60.0),
)
fast_efforts = pytest.mark.parametrize("effort", FAST_EFFORTS, ids=["club", "master"])
"""For tests that hold with every budget."""


def evaluate(match: jt.Match, effort: SearchBudget, seed: int = 1) -> list[Candidate]:
    """The evaluated candidates of the seat to act."""
    (seat,) = match.to_act
    return evaluate_actions(match.view(seat), match.legal(seat), random.Random(seed), effort)


def cards(texts: Sequence[str]) -> int:
    """Cards by their texts, as a set."""
    return card_set([JASS.numbers[text] for text in texts])


def random_options(game: str, rng: random.Random) -> dict[str, Any]:
    """A random value for each option of a game."""
    return {key: rng.choice(values) for key, values in match_builders.OPTIONS[game].items()}


def random_positions(
    match: jt.Match, rng: random.Random, count: int, often: float
) -> Iterator[jt.Match]:
    """Yields a match at `count` decisions of random play, each picked with probability `often`."""
    while count:
        if match.over:
            match = jt.Match(match.game)
        if not match.needs_pack and rng.random() < often:
            count -= 1
            yield match
            continue
        match_builders.step(match, rng)


def check_legal_play(
    match: jt.Match, effort: SearchBudget, rng: random.Random, rounds: int
) -> None:
    """Plays up to `rounds` rounds; asserts that candidates are legal and sorted, the best first."""
    while not match.over and len(match.rounds) < rounds:
        if match.needs_pack:
            match.deal(match_builders.shuffled(match, rng))
            continue
        (seat,) = match.to_act
        found = evaluate(match, effort, rng.randrange(1000))
        assert {one.action for one in found} <= set(match.legal(seat))
        assert [one.value for one in found] == sorted([one.value for one in found], reverse=True)
        match.act(seat, found[0].action)
