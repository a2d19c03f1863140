"""The heuristics for Molotow, each on a constructed position or score."""

from __future__ import annotations

import pytest

from jasstisch.bots.greedy.molotow import expected_mark, expected_mark_after
from jasstisch.bots.position import Position
from tests.bots.greedy.position_builders import best, position

TRUMP = "C"


def chosen(where: Position, among: str) -> str:
    """The card that promises the best mark."""
    return best(
        where, among, lambda card: -expected_mark_after(where, card, 3, [0.0] * where.players)
    )


def test_low_and_high_scores_pay_and_middle_ones_cost__MW6() -> None:
    others = [20.0, 40.0, 60.0]
    figures = [expected_mark(points, [0.0, *others], 0, 0, 3) for points in (5, 30, 80)]
    assert figures == pytest.approx([1, -1, 1], abs=0.05)


def test_a_hundred_points_cost_three_sticks_and_all_157_earn_three__MW4__MW5() -> None:
    assert expected_mark(120, [0.0, 20.0, 10.0, 7.0], 0, 0, 3) == pytest.approx(-3, abs=0.05)
    assert expected_mark(157, [0.0] * 4, 0, 0, 3) > 2


@pytest.mark.parametrize("sticks", [1, 3])
def test_a_hundred_points_of_another_seat_earn_sticks__MW5(sticks: int) -> None:
    assert expected_mark(20, [0.0, 120.0, 10.0, 7.0], 0, 0, sticks) == pytest.approx(
        sticks, abs=0.1
    )


def test_a_lead_is_worth_more_the_fewer_points_are_left() -> None:
    figures = [expected_mark(60, [0.0, 20.0, 20.0, 20.0], 0, rest, 3) for rest in (90, 45, 0)]
    assert figures == sorted(figures)


@pytest.mark.parametrize(
    ("taken", "card"),
    [
        ({0: "ATKS", 1: "ATD", 2: "9C TH", 3: "KQH KQD"}, "AH"),  # 25: with 30 more the highest
        ({1: "ATKS", 2: "ATD 9C", 3: "KQD 8C TC"}, "6H"),  # none: the lowest
        ({0: "J9C ATKS AD", 1: "TD", 2: "KQD", 3: "TC"}, "6H"),  # 70: the highest, and enough
    ],
)
def test_last_tricks_are_taken_to_score_highest_and_ducked_to_score_lowest(
    taken: dict[int, str], card: str
) -> None:
    where = position("A6H", "789S", trick=("QH", "JH", "TH"), trump=TRUMP, taken=taken)
    assert chosen(where, "A6H") == card


def test_points_are_discarded_to_push_another_seat_to_a_hundred__MW5() -> None:
    """Seat 3 has 87 and the trick; the ace makes it a hundred, and three sticks for each other."""
    taken = {0: "TH JD", 1: "TKD KQS", 2: "QD KQC KQJH", 3: "J9ATC ATS AH"}
    where = position("AD 6H", "678D", trick=("8S", "9S", "JS"), trump=TRUMP, taken=taken)
    assert chosen(where, "AD 6H") == "AD"
