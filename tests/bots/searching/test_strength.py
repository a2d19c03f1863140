"""Strength of club on a few fixed deals; the figures over many deals may differ."""

import pytest

import jasstisch as jt
from jasstisch import arena


@pytest.mark.parametrize(
    ("name", "deals", "better_by"),
    [("differenzler", 6, 3), ("molotov", 6, 3), ("molotow", 24, 0.05)],
)
def test_club_beats_greedy_in_the_same_seats_and_deals(
    name: str, deals: int, better_by: float
) -> None:
    """Against three greedy, on a few deals in four seatings."""
    game = jt.game(name, dealer=0)
    contest = arena.contest(game, ["club"], against="greedy")
    (compared,) = arena.run(contest, deals=deals, seed=1, clock=False)["compared"]
    assert (compared["bot"], compared["than"]) == ("club", "greedy")
    assert compared["better_by"] > better_by
