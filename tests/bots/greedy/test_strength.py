"""The strength of greedy on fixed deals, with wide margins."""

import pytest

import jasstisch as jt
from jasstisch import arena


def means(name: str, bots: list[str], deals: int, **options: int) -> dict[str, float]:
    """The mean figure of each bot over some deals in all seatings."""
    table = arena.contest(jt.game(name, dealer=0, **options), bots)
    return {one["name"]: one["mean"] for one in arena.run(table, deals=deals)["bots"]}


def test_differenzler_greedy_misses_its_bid_by_little() -> None:
    """Four greedy bots; over 2,000 deals the mean is nearer to 9, and the target is at most 17."""
    assert means("differenzler", ["greedy"] * 4, 300)["greedy"] < 12


@pytest.mark.parametrize("players", [3, 4])
def test_differenzler_greedy_beats_random(players: int) -> None:
    figures = means("differenzler", ["greedy", *["random"] * (players - 1)], 20, players=players)
    assert figures["greedy"] < 20
    assert figures["random"] > 35


@pytest.mark.parametrize(
    ("name", "players"),
    [
        (name, n)
        for name in ("molotov", "offenbach")
        for n in range(3, 7)
        if (name, n) != ("offenbach", 6)
    ],
)
def test_molotov_greedy_takes_half_the_points_of_random(name: str, players: int) -> None:
    figures = means(name, ["greedy", *["random"] * (players - 1)], 20, players=players)
    assert figures["greedy"] < 0.7 * figures["random"]


def test_molotow_greedy_earns_sticks_from_random() -> None:
    figures = means("molotow", ["greedy", "random", "random", "random"], 40)
    assert figures["greedy"] > 0.25 > figures["random"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_jass_greedy_writes_most_strokes(players: int) -> None:
    """Against three random bots it writes more than half; the target is 45 %."""
    bots = ["greedy", *["random"] * (players - 1)]
    table = arena.contest(jt.game("jass", players=players), bots)
    figures = {one["name"]: one for one in arena.run(table, deals=24, seed=2)["bots"]}
    assert figures["greedy"]["share"] > {2: 0.75, 3: 0.55, 4: 0.42}[players]
    assert figures["greedy"]["share"] + figures["random"]["share"] == pytest.approx(1, abs=0.01)


def test_schieber_greedy_writes_most_points() -> None:
    """Over 300 deals it writes almost three times as many as a random bot."""
    figures = means("schieber", ["greedy", "random"], 30)
    assert figures["greedy"] > 1.7 * figures["random"]


def test_coiffeur_greedy_wins_whole_matches() -> None:
    """Over whole matches it writes more than twice as many points as a random bot."""
    table = arena.contest(jt.game("coiffeur"), ["greedy", "random"])
    figures = {one["name"]: one for one in arena.run(table, deals=4, matches=True)["bots"]}
    assert figures["greedy"]["mean"] > 1.5 * figures["random"]["mean"]


def test_results_depend_on_the_seed_alone() -> None:
    bots = ["greedy", "random", "random", "random"]
    assert means("molotov", bots, 3) == means("molotov", bots, 3)
