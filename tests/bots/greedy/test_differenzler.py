"""The heuristics for Differenzler, each on a constructed position."""

from __future__ import annotations

import random

import pytest

import jasstisch as jt
from jasstisch.bots.greedy.differenzler import bid_gap_after, estimate_bid
from jasstisch.bots.position import Position
from tests.bots.greedy.position_builders import best, position
from tests.rules import match_builders

GREEDY = jt.bot("greedy")


def move(match: jt.Match) -> str:
    """The action that greedy chooses."""
    (seat,) = match.to_act
    return GREEDY.act(match.view(seat), match.legal(seat), random.Random(0))


def chosen(where: Position, among: str, missing: int) -> str:
    """The card that greedy prefers with this many points missing to its bid."""
    return best(where, among, lambda card: bid_gap_after(where, card, missing))


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("678H 678S 678D", 0),  # no trumps and no aces
        ("JC 678H 678S 67D", 2 * 20 - 6),
        ("J9C 678H AS 678D", 2 * 34 + 11 - 6),
        ("JAC 678H AKS 67D", 2 * 31 + 11 + 4 - 6),
        ("JA6C 678H AKS QD", 2 * 31 + 2 + 11 + 4 + 2 - 6),
        ("6789TJQKAC", 2 * 62 + 7 * 2 - 6),
    ],
)
def test_bid_is_twice_the_trump_points_and_eleven_for_each_side_ace(
    hand: str, expected: int
) -> None:
    match = match_builders.start("differenzler", match_builders.deal({0: hand}))
    match.deal(match_builders.ordered("AC"))
    assert estimate_bid(Position(match.view(0), discard_makes_trump=False).hand, 0, 4) == expected
    assert GREEDY.act(match.view(0), match.legal(0), random.Random(0)) == f"bid {expected}"


def test_a_bid_never_exceeds_the_points_of_a_round() -> None:
    """Three players hold twelve cards, whose sum may exceed a round (DF3)."""
    match = match_builders.start("differenzler", match_builders.deal({0: "6789TJQKAC AH AD AS"}, 3))
    match.deal(match_builders.ordered("AC"))
    assert estimate_bid(Position(match.view(0), discard_makes_trump=False).hand, 0, 3) == 157


def test_greedy_ducks_with_its_bid_reached_and_takes_the_trick_otherwise() -> None:
    hands = match_builders.deal({0: "KH", 1: "TH", 2: "9H", 3: "A6H"}, void={3: "C"})
    for own_bid, card in ((0, "play 6H"), (90, "play AH")):
        match = match_builders.differenzler(hands, "C", [30, 30, 30, own_bid])
        match_builders.play(match, "KT9H")
        assert move(match) == card


def test_unwanted_points_are_discarded_on_tricks_of_others() -> None:
    hands = match_builders.deal({0: "KH", 1: "TH", 2: "9H", 3: "AD 6S 7S"}, void={3: "CH"})
    match = match_builders.differenzler(hands, "C", [30, 30, 30, 0])
    match_builders.play(match, "KT9H")
    assert move(match) in {"play AD", "play AS"}


def test_wanted_points_are_not_discarded_on_tricks_of_others() -> None:
    hands = match_builders.deal({0: "KH", 1: "TH", 2: "9H", 3: "A67D A67S"}, void={3: "CH"})
    match = match_builders.differenzler(hands, "C", [30, 30, 30, 60])
    match_builders.play(match, "KT9H")
    assert move(match) not in {"play AD", "play AS"}


@pytest.mark.parametrize(("missing", "card"), [(0, "6H"), (10, "6H"), (20, "AH"), (30, "AH")])
def test_in_the_last_two_tricks_exactly_the_missing_points_are_taken(
    missing: int, card: str
) -> None:
    """The ace takes 25 and leads the six, which nobody can follow; or neither takes a trick."""
    where = position("A6H", "789S", trick=("KH", "TH", "7H"), trump="C")
    assert chosen(where, "A6H", missing) == card


@pytest.mark.parametrize(("missing", "card"), [(25, "TD"), (53, "JC")])
def test_the_bur_is_saved_for_the_last_trick_if_that_trick_alone_fills_the_bid(
    missing: int, card: str
) -> None:
    where = position("JC TD", "67S 8H", trick=("AD", "KD", "QD"), trump="C")
    assert chosen(where, "JC TD", missing) == card


def test_greedy_leads_low_with_its_bid_reached_and_a_winning_card_otherwise() -> None:
    where = position("AH 6D 6S", "789TH 78D 789S", trump="C")
    assert chosen(where, "AH 6D 6S", 0) in {"6D", "6S"}
    assert chosen(where, "AH 6D 6S", -20) in {"6D", "6S"}
    assert chosen(where, "AH 6D 6S", 30) == "AH"
