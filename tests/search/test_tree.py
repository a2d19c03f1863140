"""The tree search: where it goes, what it counts, and that it finds what is to be found."""

import random

import numpy as np
import pytest

from jasstisch.search import features, flat, policy, rounds, tree, worth
from jasstisch.search.chance import stream
from tests.rules import tables
from tests.search import positions
from tests.search.positions import card

BY_CHANCE = flat.Ways(policy.ready([]), policy.work(), np.zeros(worth.STAKES))


def searched(*states: rounds.Round, passes: int = 2000, seed: int = 1) -> tree.Tree:
    """A tree gone through by turns with each of these deals, rounds finished by chance."""
    cards = int(rounds.legal(states[0]))
    rows = [states[number % len(states)] for number in range(passes // cards.bit_count())]
    made, chance = tree.new_tree(passes), stream(random.Random(seed))
    tree.search(positions.deals(*rows), cards, made, BY_CHANCE, 1.0, chance)
    return made


def worths(made: tree.Tree) -> dict[int, float]:
    """What each card that may be played first is worth."""
    sums = flat.no_sums()
    tree.root_sums(made, 0, sums)
    tried = sums[:, flat.TRIALS]
    assert len(set(tried[tried > 0])) == 1, "all are tried equally often"
    return {one: sums[one, flat.WORTH] / tried[one] for one in range(36) if tried[one]}


@pytest.mark.parametrize(("target", "best"), [(0, "6H"), (11 + 10 + 4 + 3 + 5, "AH")])
def test_the_card_is_found_that_makes_the_bid(target: int, best: str) -> None:
    """The ace now takes all there is; the six leaves it to the king, the last trick too."""
    hands = ["AH 6H", "KH 6C", "TH 7C", "QH 8C"]
    found = worths(searched(positions.differences(hands, [target, 0, 0, 0], "S")))
    assert max(found, key=lambda one: found[one]) == card(best)


def test_what_is_best_on_average_over_the_deals_is_found() -> None:
    """The king takes the trick in three deals of four, the points of which are wanted."""
    low = positions.differences(["KH 6C", "7H 7C", "8H 8C", "TH 9C"], [14, 0, 0, 0], "S")
    high = positions.differences(["KH 6C", "AH 7C", "8H 8C", "TH 9C"], [14, 0, 0, 0], "S")
    found = worths(searched(low, low, low, high))
    assert max(found, key=lambda one: found[one]) == card("KH")
    found = worths(searched(high))
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
    state = positions.differences(hands, [40, 40, 40, 37], "H")
    made = searched(state, passes=360)
    used = made.used[0]
    assert made.visits[0] == 360
    assert used <= 361
    consistent(made)


def consistent(made: tree.Tree) -> None:
    """Every pass through a node went on to one below, or ended there when it was new."""
    used = made.used[0]
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
    assert worths(searched(state, passes=500)) == worths(searched(state, passes=500))
    assert worths(searched(state, passes=500)) != worths(searched(state, passes=500, seed=2))


def test_who_plays_by_rules_of_thumb_is_not_thought_to_search() -> None:
    """Seat 1 wants the trick and can take it, but its manner is to play low."""
    high, low = np.zeros(features.NET, np.float32), np.zeros(features.NET, np.float32)
    for net, leaning in ((high, 40.0), (low, -40.0)):
        net[0] = 40.0
        net[features.CARD_WEIGHTS + 14 * features.HIDDEN] = leaning  # the rank of the card
        net[features.OUT_WEIGHTS] = 1.0
    ways = flat.Ways(policy.ready([high, low]), policy.work(), np.zeros(worth.STAKES))
    state = positions.differences(["TH 6C", "AH 7H", "8H 8C", "9H 9C"], [0, 30, 0, 0], "S")
    points = []
    for manner in (policy.LEARNED, policy.THUMB):
        state[rounds.MANNERS] = manner << 4 * 1
        made, chance = tree.new_tree(2000), stream(random.Random(1))
        tree.search(
            positions.deals(*[state] * 1000), int(rounds.legal(state)), made, ways, 1.0, chance
        )
        sums = flat.no_sums()
        tree.root_sums(made, 0, sums)
        points.append(sums[card("TH"), flat.FIGURE] / sums[card("TH"), flat.TRIALS])
        consistent(made)
    assert points[0] < 5
    assert points[1] > 9
