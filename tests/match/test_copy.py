"""A copy of a match goes its own way, and goes the same way where the same is done to it."""

import copy
import random
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jasstisch as jt
from jasstisch.games.fast_deepcopy import fast_deepcopy
from jasstisch.games.i_doubt_it import IDoubtIt, Turn
from jasstisch.games.rules import Rules
from tests.fairness.fair_matches import fair_match
from tests.match.test_record_schema import begun
from tests.rules import match_builders

POINTS = (st.sampled_from(match_builders.ALL_GAMES), st.integers(0, 2**32), st.integers(0, 400))
"""A game, the chance by which it is played, and for how many steps."""


def seen(match: jt.Match) -> list[Any]:
    """All there is to see of a match."""
    seats = range(match.game.players)
    acting = [list(match.legal(seat)[:500]) for seat in seats]
    views = [match.view(seat) for seat in (None, *seats)]
    return [match.record(), views, acting, match.pack, match.trick, repr(match)]


def go_on(match: jt.Match, seed: int, steps: int = 60) -> None:
    """Plays on by chance, if the match is not over."""
    rng = random.Random(seed)
    for _ in range(steps):
        if not match.over:
            match_builders.step(match, rng)


@given(*POINTS)
def test_what_is_done_to_one_leaves_the_other_as_it_is(name: str, seed: int, steps: int) -> None:
    match = begun(name, seed, steps)
    other = match.copy()
    before = seen(match)
    assert seen(other) == before
    go_on(other, seed)
    assert seen(match) == before
    gone = seen(other)
    go_on(match, seed + 1)
    assert seen(other) == gone


@given(*POINTS)
def test_both_go_the_same_way_where_the_same_is_done(name: str, seed: int, steps: int) -> None:
    match = begun(name, seed, steps)
    other = match.copy()
    go_on(match, seed)
    go_on(other, seed)
    assert seen(match) == seen(other)


@given(*POINTS)
def test_they_share_nothing_that_changes(name: str, seed: int, steps: int) -> None:
    """Whatever both hold is of a kind that never changes, or named as settled by the game."""
    match = begun(name, seed, steps)
    rules, other = match._rules, match.copy()._rules
    settled = {id(one) for one in (rules.game, *rules.rounds, *rules.frozen_parts())}
    own = dict(reached(vars(rules), settled))
    both = [own[place] for place, _ in reached(vars(other), settled) if place in own]
    assert [one for one in both if isinstance(one, list | dict | set | Turn)] == []
    assert all(one is again for one, again in zip(rules.rounds, other.rounds, strict=True))


def reached(value: Any, settled: set[int]) -> Iterator[tuple[int, Any]]:
    """All objects in this one, by their ids, but for those that are settled."""
    if id(value) in settled:
        return
    yield id(value), value
    inside: Iterable[Any] = ()
    if isinstance(value, dict):
        inside = value.values()
    elif isinstance(value, list | tuple | set):
        inside = value
    elif isinstance(value, Turn):
        inside = [getattr(value, name) for name in Turn.__slots__]
    for one in inside:
        yield from reached(one, settled)


@given(st.sampled_from(match_builders.TRICK_GAMES), st.integers(0, 2**32), st.integers(40, 120))
def test_cards_are_taken_back_in_a_copy_alone(name: str, seed: int, steps: int) -> None:
    match = begun(name, seed, steps)
    if not match.can_undo:
        return
    match.copy().undo()
    other, before = match.copy(), seen(match)
    other.undo()
    assert seen(match) == before
    match.undo()
    assert seen(match) == seen(other)


def test_names_and_what_a_record_tells_go_with_it_and_change_alone() -> None:
    match = begun("molotow", 1, 30)
    match.about = {"event": "Final"}
    other = match.copy()
    other.rename(1, "Reto")
    other.about = {"event": "Friendly"}
    assert match.players[1] == "Player 2"
    assert match.about == {"event": "Final"}
    assert (other.players[1], other.about) == ("Reto", {"event": "Friendly"})


def test_the_evidence_of_its_deals_goes_with_it() -> None:
    record, _ = fair_match()
    match = jt.Match.from_record(record)
    other = match.copy()
    assert other.fair == match.fair is not None
    assert other.verify() == match.verify()


@given(*POINTS)
def test_whoever_has_driven_the_rules_without_a_match_has_one_of_them(
    name: str, seed: int, steps: int
) -> None:
    match = begun(name, seed, steps)
    log = [(who, what) for who, what in match.record()["log"]]
    other = jt.Match.from_rules(match._rules.copy(), log)
    assert seen(other) == seen(match)
    go_on(other, seed)
    go_on(match, seed)
    assert seen(other) == seen(match)


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy])
def test_python_copies_a_match_likewise(way: Any) -> None:
    match = begun("i-doubt-it", 4, 40)
    other, before = way(match), seen(match)
    go_on(other, 4)
    assert seen(match) == before != seen(other)


@pytest.mark.usefixtures("ramsch")
def test_a_game_that_says_nothing_of_copies_is_copied() -> None:
    match = jt.Match(jt.game("ramsch"))
    go_on(match, 1, 25)
    other, before = match.copy(), seen(match)
    go_on(other, 1)
    assert seen(match) == before


class Pair(NamedTuple):
    """A kind of tuple that keeps its kind."""

    left: list[int]
    right: int


class TestAnyState:
    """What a game of another package may keep."""

    def test_what_two_places_share_their_copies_share(self) -> None:
        shared = [1]
        turn = Turn(0, passed=shared)
        made = fast_deepcopy([shared, {"x": shared}, (shared,), turn, Pair(shared, 1)], {})
        assert made[0] is made[1]["x"] is made[2][0] is made[3].passed is made[4].left
        assert made[0] is not shared
        assert (made[0], type(made[4])) == ([1], Pair)

    def test_what_holds_itself_is_copied(self) -> None:
        around: list[Any] = [1]
        around.append(around)
        made = fast_deepcopy(around, {})
        assert made is not around
        assert made[1] is made

    def test_what_never_changes_is_not_copied(self) -> None:
        tricks = ((0, (1, 2), 3), "text", None)
        assert fast_deepcopy(tricks, {}) is tricks

    def test_sets_and_keys_are_copied_as_python_does(self) -> None:
        value = {(1, 2): {3}, "x": {"y": [1]}}
        made = fast_deepcopy(value, {})
        made[1, 2].add(4)
        made["x"]["y"].append(2)
        assert value == {(1, 2): {3}, "x": {"y": [1]}}

    def test_what_belongs_to_both_is_taken_as_it_is(self) -> None:
        kept = [1]
        made = fast_deepcopy([kept, [2]], {id(kept): kept})
        assert made[0] is kept


def test_a_game_that_does_not_say_what_is_settled_is_copied_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(IDoubtIt, "frozen_parts", Rules.frozen_parts)
    match = begun("i-doubt-it", 3, 40)
    other = match.copy()
    before = seen(match)
    assert seen(other) == before
    go_on(other, 3)
    assert seen(match) == before
