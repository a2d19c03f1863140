"""The heuristics for Handjass, each on a constructed hand."""

from __future__ import annotations

import random

import pytest

import jasstisch as jt
from jasstisch.bots.greedy.handjass import expected_gain
from jasstisch.bots.greedy.take_odds import probability_to_take
from jasstisch.bots.position import Position
from tests.bots.greedy.position_builders import card, position
from tests.rules import match_builders
from tests.rules.match_builders import jass, play

GREEDY = jt.bot("greedy")
GOOD, BAD = "JA9H AS AD", "679C 679D 78S"


def move(match: jt.Match) -> str:
    """The action that greedy chooses."""
    (seat,) = match.to_act
    return GREEDY.act(match.view(seat), match.legal(seat), random.Random(0))


@pytest.mark.parametrize(("hand", "said"), [(GOOD, "stay"), (BAD, "drop")])
def test_a_good_hand_is_played_and_a_bad_one_dropped__JS4(hand: str, said: str) -> None:
    match = jass("KH", {1: hand}, say="stay")
    assert move(match) == said


def test_a_hand_too_weak_against_three_is_played_against_one__JS4() -> None:
    """Dropping as well gives the only other player two strokes (JS6)."""
    hand = "9H 679C QD 9D 8S"
    assert move(jass("6H", {3: hand}, say="stay stay stay")) == "drop"
    assert move(jass("6H", {3: hand}, say="drop drop stay")) == "stay"


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize(("hand", "said"), [(GOOD, "stay"), (BAD, "blind")])
def test_the_blind_is_taken_with_a_bad_hand_only__JS4(players: int, hand: str, said: str) -> None:
    assert move(jass("KH", {0: hand}, players, say=" ")) == said


def test_a_blind_with_a_good_turned_card_is_taken_with_a_better_hand__JS3() -> None:
    """With three players the turned card goes with the blind."""
    hand = "A9C KD TQ9H TS"
    assert [move(jass(turned, {0: hand}, 3, say=" ")) for turned in ("6H", "JH")] == [
        "stay",
        "blind",
    ]


def test_a_blind_is_not_taken_twice__JS4() -> None:
    match = jass("KH", {1: BAD}, 3, say="blind")
    assert move(match) in {"stay", "drop"}


def test_the_turned_card_is_robbed__JS5() -> None:
    match = jass("JH", {0: "69H", 1: "AH"}, 2, say="stay stay")
    assert "rob" in match.legal(0)
    assert move(match) == "rob"


def test_the_six_is_kept_if_its_run_counts_more__JS5__JS7() -> None:
    match = jass("KH", {0: "6789H"}, 2, say="stay stay")
    assert "rob" in match.legal(0)
    assert move(match).endswith(" weis")


def test_every_weis_is_announced__JS7() -> None:
    match = jass("KH", {0: "678C", 1: "QKAS"}, say="stay stay stay stay")
    for seat in (0, 1):
        assert match.to_act == (seat,)
        action = move(match)
        assert action.endswith(" weis")
        match.act(seat, action)
    assert not move(match).endswith(" weis")


def test_points_are_taken_with_the_winning_card() -> None:
    match = jass("6C", {0: "KH", 1: "TH", 2: "9H", 3: "A7H"})
    play(match, "KT9H")
    assert move(match) == "play AH"


def test_no_points_are_wasted_on_a_lost_trick() -> None:
    where = position("KH 6H", "789S", trick=("AH", "TH", "7H"), trump="C")
    assert expected_gain(where, card("6H")) > expected_gain(where, card("KH"))


def test_a_card_is_likelier_to_win_if_other_hands_are_dropped__JS4() -> None:
    """The higher hearts may be with the two who have dropped."""
    match = jass("6C", {0: "QH"})
    dropped = jass("6C", {0: "QH"}, say="stay drop drop stay")
    chances = [
        probability_to_take(Position(one.view(0), discard_makes_trump=False), card("QH"), 0)
        for one in (match, dropped)
    ]
    assert chances[1] > chances[0]


def test_greedy_finishes_matches_in_which_seats_become_safe__JS10() -> None:
    """Greedy finishes matches of two, three and four with seats safe and out of the match."""
    for players in (2, 3, 4):
        match = jt.Match(jt.game("jass", players=players, target=5))
        rng = random.Random(players)
        while not match.over:
            if match.needs_pack:
                pack = list(match.pack)
                rng.shuffle(pack)
                match.deal(pack)
            else:
                match.act(match.to_act[0], move(match))
        assert len(match.winners) >= players - 1


@pytest.mark.parametrize("seed", range(5))
def test_hidden_cards_do_not_matter(seed: int) -> None:
    """Two deals that differ in two other hands: forehand makes the same moves in both."""
    hands = match_builders.random_hands(4, random.Random(seed))
    moves = []
    for others in (hands[1:3], hands[2:0:-1]):
        match = match_builders.start("jass", [hands[0], *others, hands[3]])
        moves.append([move(match)])
        match_builders.say_all(match, "stay stay stay stay")
        moves[-1].append(move(match))
    assert moves[0] == moves[1]
