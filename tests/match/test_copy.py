"""A copy of a match is independent of it, and the same steps have the same effect on both."""

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

RANDOM_PLAY = (
    st.sampled_from(match_builders.ALL_GAMES),
    st.integers(0, 2**32),
    st.integers(0, 400),
)
"""The arguments of `begun`: a game, the seed of its random play, and the number of steps."""


def snapshot(match: jt.Match) -> list[Any]:
    """Everything that the public names show of a match."""
    seats = range(match.game.players)
    acting = [list(match.legal(seat)[:500]) for seat in seats]
    views = [match.view(seat) for seat in (None, *seats)]
    return [match.record(), views, acting, match.pack, match.trick, repr(match)]


def play_on(match: jt.Match, seed: int, steps: int = 60) -> None:
    """Plays on at random for so many steps, or until the match is over."""
    rng = random.Random(seed)
    for _ in range(steps):
        if not match.over:
            match_builders.step(match, rng)


@given(*RANDOM_PLAY)
def test_steps_in_a_match_or_its_copy_do_not_change_the_other(
    name: str, seed: int, steps: int
) -> None:
    match = begun(name, seed, steps)
    other = match.copy()
    before = snapshot(match)
    assert snapshot(other) == before
    play_on(other, seed)
    assert snapshot(match) == before
    played_on = snapshot(other)
    play_on(match, seed + 1)
    assert snapshot(other) == played_on


@given(*RANDOM_PLAY)
def test_match_and_copy_stay_equal_after_the_same_steps(name: str, seed: int, steps: int) -> None:
    match = begun(name, seed, steps)
    other = match.copy()
    play_on(match, seed)
    play_on(other, seed)
    assert snapshot(match) == snapshot(other)


@given(*RANDOM_PLAY)
def test_match_and_copy_share_no_mutable_objects(name: str, seed: int, steps: int) -> None:
    """Objects that both contain are immutable, or named by the game as frozen parts."""
    match = begun(name, seed, steps)
    rules, other = match._rules, match.copy()._rules
    frozen = {id(one) for one in (rules.game, *rules.rounds, *rules.frozen_parts())}
    own = dict(reachable(vars(rules), frozen))
    both = [own[place] for place, _ in reachable(vars(other), frozen) if place in own]
    assert [one for one in both if isinstance(one, list | dict | set | Turn)] == []
    assert all(one is again for one, again in zip(rules.rounds, other.rounds, strict=True))


def reachable(value: Any, frozen: set[int]) -> Iterator[tuple[int, Any]]:
    """The objects reachable from this one with their ids, except the frozen ones."""
    if id(value) in frozen:
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
        yield from reachable(one, frozen)


@given(st.sampled_from(match_builders.TRICK_GAMES), st.integers(0, 2**32), st.integers(40, 120))
def test_undo_in_a_copy_does_not_change_the_original(name: str, seed: int, steps: int) -> None:
    match = begun(name, seed, steps)
    if not match.can_undo:
        return
    match.copy().undo()
    other, before = match.copy(), snapshot(match)
    other.undo()
    assert snapshot(match) == before
    match.undo()
    assert snapshot(match) == snapshot(other)


def test_new_names_and_about_field_of_a_copy_do_not_change_the_original() -> None:
    match = begun("molotow", 1, 30)
    match.about = {"event": "Final"}
    other = match.copy()
    other.rename(1, "Reto")
    other.about = {"event": "Friendly"}
    assert match.players[1] == "Player 2"
    assert match.about == {"event": "Final"}
    assert (other.players[1], other.about) == ("Reto", {"event": "Friendly"})


def test_copy_keeps_the_evidence_of_the_deals() -> None:
    record, _ = fair_match()
    match = jt.Match.from_record(record)
    other = match.copy()
    assert other.fair == match.fair is not None
    assert other.verify_deals() == match.verify_deals()


@given(*RANDOM_PLAY)
def test_from_rules_makes_the_match_of_rules_and_their_log(
    name: str, seed: int, steps: int
) -> None:
    match = begun(name, seed, steps)
    log = [(who, what) for who, what in match.record()["log"]]
    other = jt.Match.from_rules(match._rules.copy(), log)
    assert snapshot(other) == snapshot(match)
    play_on(other, seed)
    play_on(match, seed)
    assert snapshot(other) == snapshot(match)


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy])
def test_copy_and_deepcopy_make_an_independent_match(way: Any) -> None:
    match = begun("i-doubt-it", 4, 40)
    other, before = way(match), snapshot(match)
    play_on(other, 4)
    assert snapshot(match) == before != snapshot(other)


@pytest.mark.usefixtures("ramsch")
def test_game_of_another_package_is_copied() -> None:
    match = jt.Match(jt.game("ramsch"))
    play_on(match, 1, 25)
    other, before = match.copy(), snapshot(match)
    play_on(other, 1)
    assert snapshot(match) == before


class Pair(NamedTuple):
    """A subclass of tuple, which its copy must keep."""

    left: list[int]
    right: int


class TestFastDeepcopy:
    """`fast_deepcopy` of states that a game of another package may have."""

    def test_shared_object_stays_shared_in_the_copy(self) -> None:
        shared = [1]
        turn = Turn(0, passed_seats=shared)
        made = fast_deepcopy([shared, {"x": shared}, (shared,), turn, Pair(shared, 1)], {})
        assert made[0] is made[1]["x"] is made[2][0] is made[3].passed_seats is made[4].left
        assert made[0] is not shared
        assert (made[0], type(made[4])) == ([1], Pair)

    def test_list_that_contains_itself_is_copied(self) -> None:
        around: list[Any] = [1]
        around.append(around)
        made = fast_deepcopy(around, {})
        assert made is not around
        assert made[1] is made

    def test_immutable_values_are_not_copied(self) -> None:
        tricks = ((0, (1, 2), 3), "text", None)
        assert fast_deepcopy(tricks, {}) is tricks

    def test_sets_and_dicts_are_copied_deeply(self) -> None:
        value = {(1, 2): {3}, "x": {"y": [1]}}
        made = fast_deepcopy(value, {})
        made[1, 2].add(4)
        made["x"]["y"].append(2)
        assert value == {(1, 2): {3}, "x": {"y": [1]}}

    def test_object_in_the_memo_is_not_copied(self) -> None:
        kept = [1]
        made = fast_deepcopy([kept, [2]], {id(kept): kept})
        assert made[0] is kept


def test_game_without_frozen_parts_is_copied(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(IDoubtIt, "frozen_parts", Rules.frozen_parts)
    match = begun("i-doubt-it", 3, 40)
    other = match.copy()
    before = snapshot(match)
    assert snapshot(other) == before
    play_on(other, 3)
    assert snapshot(match) == before
