"""That searching pays: on a few deals, always the same; far from the figures of many."""

import pytest

import jasstisch as jt
from jasstisch import arena


@pytest.mark.parametrize(
    ("name", "better_by"), [("differenzler", 3), ("molotov", 3), ("molotow", 0)]
)
def test_club_does_better_than_greedy_in_its_chair(name: str, better_by: float) -> None:
    """Against three greedy, on six deals in four seatings."""
    contest = arena.contest(jt.game(name, dealer=0), ["club"], against="greedy", baseline="greedy")
    (compared,) = arena.run(contest, deals=6, seed=1)["compared"]
    assert (compared["bot"], compared["than"]) == ("club", "greedy")
    assert compared["better_by"] > better_by
