"""The heuristics for Molotov and Offenbach Molotov, each on a constructed position."""

from __future__ import annotations

import random

import pytest

import jasstisch as jt
from jasstisch.bots.greedy.molotov import (
    expected_bomb_points,
    expected_points,
    slate_leader,
    spite_value,
)
from jasstisch.bots.position import Position
from tests.bots.greedy.position_builders import best, card, cards, position
from tests.rules import match_builders

GREEDY = jt.bot("greedy")


def move(match: jt.Match) -> str:
    """The card that greedy plays."""
    (seat,) = match.to_act
    action = GREEDY.act(match.view(seat), match.legal(seat), random.Random(0))
    return action.removeprefix("play ")


def chosen(where: Position, among: str) -> str:
    """The card that leaves the fewest points."""
    return best(where, among, lambda card: expected_points(where, card, weis=False))


@pytest.mark.parametrize("name", ["molotov", "offenbach"])
def test_a_trick_is_ducked_with_the_highest_losing_card(name: str) -> None:
    match = match_builders.start(name, match_builders.deal({0: "KH", 1: "TH", 2: "6H", 3: "A7QH"}))
    match_builders.play(match, "KT6H")
    assert move(match) == "QH"


def test_points_are_discarded_on_tricks_of_others() -> None:
    """Hearts are trump; a void player discards an ace rather than a six."""
    where = position("AD 6S", "7S 89D", trick=("KC", "9C", "7C"), trump="H")
    assert chosen(where, "AD 6S") == "AD"


def test_no_points_are_thrown_on_an_own_trick() -> None:
    """Both hearts take the trick; the ace would bring eleven."""
    where = position("AKH 6S", "789D 789S", trick=("9H", "8H", "6H"), trump="C")
    assert chosen(where, "AKH") == "KH"


def test_a_run_is_not_completed_on_an_own_trick() -> None:
    """Queen and king both take the trick, but with the queen it holds ten, jack and queen."""
    match = match_builders.start(
        "molotov", match_builders.deal({0: "TH", 1: "JH", 2: "6H", 3: "QKH"})
    )
    match_builders.play(match, "TJ6H")
    assert move(match) == "KH"


def test_a_run_is_completed_for_the_winner_of_the_trick() -> None:
    """Seven, eight, nine and ten bomb the seat winning the trick; the six would do no harm."""
    hands = match_builders.deal({0: "7H", 1: "8H", 2: "TH", 3: "69H"})
    match = match_builders.start("molotov", hands)
    match_builders.play(match, "78TH")
    assert move(match) == "9H"


@pytest.mark.parametrize(
    ("out", "risk"), [("6H", True), ("9H", True), ("KH", False), ("AC", False)]
)
def test_a_card_risks_bomb_points_if_a_later_seat_may_complete_a_run(out: str, risk: bool) -> None:
    """Seven and eight lie; six or nine would bomb the queen, and the king would take the trick."""
    where = position("QH 6D", f"KC TKD {out}", trick=("7H", "8H"))
    assert (expected_bomb_points(where, card("QH"), cards("78QH"), -1) > 0) is risk


def test_the_last_seat_of_a_trick_risks_no_bomb_points() -> None:
    where = position("QH 6D", "8TH KC", trick=("7H", "9H", "6H"))
    assert expected_bomb_points(where, card("QH"), cards("679QH"), -1) == 0


def slate(*lines: tuple[int, int]) -> list[dict[str, int]]:
    """The standing of each seat from its tallies and open sacks."""
    return [{"tallies": tallies, "sacks": sacks} for tallies, sacks in lines]


def test_the_leader_has_most_tallies_and_then_fewest_sacks() -> None:
    standing = slate((4, 0), (1, 0), (2, 1), (2, 0))
    assert slate_leader({"seat": 0, "standing": standing}) == 3


def test_a_bomb_is_best_thrown_at_the_leader() -> None:
    where = position("9H 6D", "TKC 7D", trick=("7H", "8H", "TH"))
    assert where.winner == 3
    at_leader, at_another = (
        spite_value(where, card("9H"), leader, weis=False) for leader in (3, 1)
    )
    assert at_leader > at_another > 0
    assert spite_value(where, card("6D"), 3, weis=False) == 0, "the discard takes the trick"


def test_long_runs_count_by_the_house_rule__MV5() -> None:
    where = position("TH 6D", "TKC 7D 78C", trick=("6H", "7H", "8H", "9H", "JH"), players=6)
    counts = [spite_value(where, card("TH"), 5, weis=weis) for weis in (False, True)]
    assert counts[1] > counts[0] == 0, "fifty lies there already"


def discard(captor: int) -> str:
    """The discard of seat 3 once a seat has captured the jack and the nine of clubs.

    It holds the six of clubs, the six of spades, and hearts too many to make them trump.
    """
    ace, seven = ("AC", "7C") if captor == 2 else ("7C", "AC")
    hands = match_builders.deal(
        {
            0: "9C AH 9D",
            1: "JC KH TD",
            2: f"{ace} JH 7D",
            3: f"{seven} 6C 6S 6789TQH",
        }
    )
    match = match_builders.start("molotov", hands)
    match_builders.play(match, ["9C", "JC", ace, seven])
    match_builders.play(
        match, ["JH", "6H", "AH", "KH"] if captor == 2 else ["6H", "AH", "KH", "JH"]
    )
    match_builders.play(match, ["9D", "TD", "7D"])
    return move(match)


def test_a_discard_does_not_make_trump_of_an_own_captured_jack_and_nine__C10() -> None:
    assert discard(captor=3) == "6S"


def test_a_discard_makes_trump_of_another_seats_captured_jack_and_nine__C10() -> None:
    assert discard(captor=2) == "6C"
