"""The tree search: where it goes, what it counts, and that it finds what is to be found."""

import random

import numpy as np
import pytest

from jasstisch.search import flat, policy, rounds, tree, worth
from jasstisch.search.chance import stream
from tests.rules import tables
from tests.search import positions
from tests.search.positions import card

BY_CHANCE = flat.Ways(
    np.zeros((0, policy.NET), dtype=np.float32), policy.work(), np.zeros(worth.STAKES)
)


def searched(*states: rounds.Round, passes: int = 2000, seed: int = 1) -> tree.Tree:
    """A tree gone through by turns with each of these deals, rounds finished by chance."""
    made = tree.new_tree(passes)
    rows = [states[number % len(states)] for number in range(passes)]
    tree.search(positions.deals(*rows), made, BY_CHANCE, 1.0, stream(random.Random(seed)))
    return made


def visits(made: tree.Tree) -> dict[int, int]:
    sums = flat.no_sums()
    tree.root_sums(made, 0, sums)
    return {one: int(sums[one, flat.TRIALS]) for one in range(36) if sums[one, flat.TRIALS]}


@pytest.mark.parametrize(("target", "best"), [(0, "6H"), (11 + 10 + 4 + 3 + 5, "AH")])
def test_the_card_is_found_that_makes_the_bid(target: int, best: str) -> None:
    """The ace now takes all there is; the six leaves it to the king, the last trick too."""
    hands = ["AH 6H", "KH 6C", "TH 7C", "QH 8C"]
    found = visits(searched(positions.differences(hands, [target, 0, 0, 0], "S")))
    assert max(found, key=lambda one: found[one]) == card(best)


def test_what_is_best_on_average_over_the_deals_is_found() -> None:
    """The king takes the trick in three deals of four, the points of which are wanted."""
    low = positions.differences(["KH 6C", "7H 7C", "8H 8C", "TH 9C"], [14, 0, 0, 0], "S")
    high = positions.differences(["KH 6C", "AH 7C", "8H 8C", "TH 9C"], [14, 0, 0, 0], "S")
    found = visits(searched(low, low, low, high))
    assert max(found, key=lambda one: found[one]) == card("KH")
    found = visits(searched(high))
    assert max(found, key=lambda one: found[one]) == card("6C")


def test_others_play_for_themselves() -> None:
    """Seat 1 wants the trick and can take it: the ace brings no points, whatever chance says."""
    hands = ["TH 6C", "AH 7C", "8H 8C", "9H 9C"]
    made = searched(positions.differences(hands, [0, 21, 0, 0], "S"), passes=4000)
    sums = flat.no_sums()
    tree.root_sums(made, 0, sums)
    assert sums[card("TH"), flat.FIGURE] / sums[card("TH"), flat.TRIALS] < 6


def test_every_pass_is_counted_once_at_every_depth() -> None:
    rng = random.Random(5)
    hands = [" ".join(hand) for hand in tables.random_hands(4, rng)]
    made = searched(positions.differences(hands, [40, 40, 40, 37], "H"), passes=300)
    used = made.used[0]
    assert made.visits[0] == 300
    assert used <= 301
    for node in range(used):
        below = 0
        for child in made.below[node][made.below[node] > 0]:
            assert made.available[child] >= made.visits[child] > 0
            below += made.visits[child]
        assert below in (0, made.visits[node], made.visits[node] - 1)


def test_equal_chance_makes_equal_trees() -> None:
    rng = random.Random(6)
    state = positions.differences(
        [" ".join(hand) for hand in tables.random_hands(4, rng)], [39, 39, 39, 40], "D"
    )
    assert visits(searched(state, passes=500)) == visits(searched(state, passes=500))
    assert visits(searched(state, passes=500)) != visits(searched(state, passes=500, seed=2))
