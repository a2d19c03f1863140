"""CFR on small games: known equilibria and best responses."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest

from jasstisch.equilibria.cfr import (
    Profile,
    all_bids,
    attainable_bids,
    best_response_gains,
    best_response_value,
    expected_values,
    solve,
    uniform_profile,
)
from jasstisch.equilibria.game_tree import GameTree, build_tree


@dataclass(frozen=True)
class Kuhn:
    """Kuhn poker: three cards, two players, one unit to bet or pass."""

    cards: tuple[int, int]
    done: str = ""

    @property
    def turn(self) -> int:
        return -1 if self.done in {"pp", "bb", "bp", "pbp", "pbb"} else len(self.done) % 2

    def legal(self) -> Sequence[str]:
        return "p", "b"

    def after(self, action: str) -> "Kuhn":
        return Kuhn(self.cards, self.done + action)

    def information(self, seat: int) -> tuple[int, str]:
        return self.cards[seat], self.done

    def scores(self) -> Sequence[float]:
        if self.done == "bp":
            won = 1
        elif self.done == "pbp":
            won = -1
        else:
            won = (1 + self.done.endswith("bb")) * (1 if self.cards[0] > self.cards[1] else -1)
        return won, -won


KUHN = build_tree([Kuhn((one, two)) for one, two in product(range(3), repeat=2) if one != two], 2)


@dataclass(frozen=True)
class FixedOutcome:
    """A game without moves: one seat scores a fixed amount, and each seat knows its own hand."""

    points: int
    hand: str = ""
    turn: int = -1

    def legal(self) -> Sequence[str]:
        return ()

    def after(self, action: str) -> "FixedOutcome":
        raise AssertionError(action)

    def information(self, seat: int) -> str:
        return self.hand

    def scores(self) -> Sequence[float]:
        return (self.points,)


@dataclass(frozen=True)
class TakeOrLeave:
    """One seat takes ten points or leaves them to another."""

    done: tuple[str, ...] = ()

    @property
    def turn(self) -> int:
        return -1 if self.done else 0

    def legal(self) -> Sequence[str]:
        return "leave", "take"

    def after(self, action: str) -> "TakeOrLeave":
        return TakeOrLeave((*self.done, action))

    def information(self, seat: int) -> tuple[str, ...]:
        return self.done

    def scores(self) -> Sequence[float]:
        return (10, 0) if self.done == ("take",) else (0, 10)


def test_kuhn_poker_has_its_known_value() -> None:
    profile = solve(KUHN.tree, 2000)
    assert expected_values(KUHN.tree, profile) == pytest.approx([-1 / 18, 1 / 18], abs=1e-3)
    assert best_response_gains(KUHN.tree, profile) == pytest.approx([0, 0], abs=2e-3)


def test_more_iterations_reduce_the_exploitability() -> None:
    left = [
        float(best_response_gains(KUHN.tree, solve(KUHN.tree, rounds)).sum())
        for rounds in (1, 10, 100)
    ]
    assert left[0] > 2 * left[1] > 4 * left[2] > 0


def pure(tree: GameTree, seat: int, choices: Sequence[int], profile: Profile) -> Profile:
    """The profile in which this seat plays a given pure strategy."""
    own = uniform_profile(tree, profile.bids)
    sets = [info for info, one in enumerate(KUHN.information_sets) if one.seat == seat]
    for info, choice in zip(sets, choices, strict=True):
        first = tree.first[info]
        own.cards[first : first + 2] = 0.0
        own.cards[first + choice] = 1.0
    return profile.with_seat(tree, seat, own)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_best_response_equals_the_best_pure_strategy(seat: int) -> None:
    tree = KUHN.tree
    uneven = uniform_profile(tree, all_bids(tree))
    rng = np.random.default_rng(1)
    for info in range(len(KUHN.information_sets)):
        first = tree.first[info]
        uneven.cards[first] = rng.random()
        uneven.cards[first + 1] = 1 - uneven.cards[first]
    all_pure = [
        expected_values(tree, pure(tree, seat, choices, uneven))[seat]
        for choices in product((0, 1), repeat=6)
    ]
    assert best_response_value(tree, uneven, seat) == pytest.approx(max(all_pure))
    assert max(all_pure) > expected_values(tree, uneven)[seat] + 0.01


def test_the_median_of_the_reachable_points_is_bid() -> None:
    """One hand reaches 0, 10 and 10 points, the other always 3: bid 10, and bid 3."""
    starts = [
        FixedOutcome(0, "odd"),
        FixedOutcome(10, "odd"),
        FixedOutcome(10, "odd"),
        FixedOutcome(3, "even"),
    ]
    grown = build_tree(starts, 1, by_bid=True)
    assert attainable_bids(grown.tree).tolist() == [[0, 3, 10]]
    profile = solve(grown.tree, 500)
    assert best_response_value(grown.tree, profile, 0) == pytest.approx(-10 / 4)
    assert expected_values(grown.tree, profile)[0] == pytest.approx(-10 / 4, abs=0.01)
    assert profile.bidding[0, grown.hand_ids[0]["odd"], 2] > 0.99
    assert profile.bidding[0, grown.hand_ids[0]["even"], 1] > 0.99


def test_play_may_depend_on_the_bid() -> None:
    """A bidder of 10 takes the points, a bidder of 0 leaves them; only the play is seen."""
    grown = build_tree([TakeOrLeave()], 2, by_bid=True)
    tree = grown.tree
    profile = uniform_profile(tree, all_bids(tree))
    assert expected_values(tree, profile) == pytest.approx([-5, -5])
    assert best_response_value(tree, profile, 0) == 0
    assert best_response_value(tree, profile, 0, own_bids=True) == 0
    assert best_response_value(tree, profile, 1) == -5
    profile.cards[:] = [[1, 0], [0, 1]]
    assert expected_values(tree, profile) == pytest.approx([0, -5])


def test_the_gain_of_other_bids_is_separated() -> None:
    """A seat that always bids 4 misses by at least 4, however it plays."""
    tree = build_tree([TakeOrLeave()], 2, by_bid=True).tree
    four = uniform_profile(tree, np.array([[[4]], [[4]]]))
    assert expected_values(tree, four)[0] == pytest.approx(-5)
    assert best_response_gains(tree, four)[0] == pytest.approx(5)
    assert best_response_gains(tree, four, own_bids=True)[0] == pytest.approx(1)


def test_a_profile_may_contain_fixed_bids_of_a_seat() -> None:
    tree = build_tree([TakeOrLeave()], 2, by_bid=True).tree
    one = uniform_profile(tree, all_bids(tree))
    other = uniform_profile(tree, np.array([[[4]], [[4]]]))
    assert expected_values(tree, one.with_seat(tree, 0, other)) == pytest.approx([-5, -5])
    assert expected_values(tree, other.with_seat(tree, 1, one)) == pytest.approx([-5, -5])
    other.cards[:] = [[1], [0]]
    assert expected_values(tree, one.with_seat(tree, 0, other)) == pytest.approx([-4, -5])
    assert one.bids.shape == (2, 1, 2)


def test_imperfect_recall_is_refused() -> None:
    class Forgetful(TakeOrLeave):
        def after(self, action: str) -> "Forgetful":
            return Forgetful((*self.done, action))

        @property
        def turn(self) -> int:
            return -1 if len(self.done) == 2 else 0

        def information(self, seat: int) -> tuple[str, ...]:
            return ("once",) if self.done else ()

    with pytest.raises(AssertionError, match="knows what it may and did"):
        build_tree([Forgetful()], 2)
