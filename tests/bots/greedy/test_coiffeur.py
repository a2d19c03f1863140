"""The heuristics for Coiffeur, each on a constructed hand."""

from __future__ import annotations

import random

import pytest

import jasstisch as jt
from jasstisch.bots.greedy.coiffeur import excess_over_par, par_points
from jasstisch.bots.greedy.partner_card_play import CONTRACT_NUMBERS
from tests.bots.greedy.position_builders import cards
from tests.rules import match_builders
from tests.rules.contract_builders import WHOLE_SUITS, coiffeur, finish_round, tell
from tests.rules.contract_builders import deal as deal_next
from tests.rules.match_builders import deal, play

GREEDY = jt.bot("greedy")
STRONG, WEAK = "J9AKTH AC A6D 7S", "TQC 9QD 8TJH 9QS"
PUSHED = "push, push, push, push"


def move(match: jt.Match) -> str:
    """The action that greedy chooses."""
    (seat,) = match.to_act
    return GREEDY.act(match.view(seat), match.legal(seat), random.Random(0))


def test_a_joker_is_announced_with_a_strong_hand_and_saved_with_a_weak_one__CO1() -> None:
    """The trumps of a joker count more often than those of the line of the suit."""
    assert move(coiffeur(deal({0: STRONG}))) == "joker 8 trump H"
    assert move(coiffeur(deal({0: WEAK}))) == "push"


def test_a_line_played_before_is_not_announced_again__CO1() -> None:
    match = coiffeur(WHOLE_SUITS, "joker 8 tops")
    finish_round(match)
    deal_next(match, deal({2: STRONG}), "push")
    assert match.to_act == (2,)
    assert move(match) == "joker 7 trump H"


def test_a_forced_announcement_takes_the_cheapest_line__CO2() -> None:
    match = coiffeur(deal({0: WEAK}), PUSHED)
    assert move(match) in {"trump C", "trump H"}


def test_the_loss_on_a_line_counts_with_its_factor__CO4() -> None:
    hand = cards("TQC 9QD 8TJH 9QS")
    trump = CONTRACT_NUMBERS["trump C"]
    assert excess_over_par(hand, trump, par_points("trump C"), 1) < 0
    joker = excess_over_par(hand, trump, par_points("joker 8 trump C"), 8)
    assert joker < 4 * excess_over_par(hand, trump, par_points("trump C"), 1)


def test_a_side_without_open_lines_pushes__CO2() -> None:
    match = jt.Match(jt.game("coiffeur", dealer=3))
    rng = random.Random(1)
    while len(match.view(0)["standing"][0]["lines"]) < 8:
        if match.needs_pack:
            match.deal(match_builders.shuffled(match, rng))
        else:
            (seat,) = match.to_act
            legal = match.legal(seat)
            waits = seat % 2 == 1 and "push" in legal
            match.act(seat, "push" if waits else legal[0])
    while match.needs_pack or match.to_act[0] % 2:
        if match.needs_pack:
            match.deal(match_builders.shuffled(match, rng))
        else:
            tell(match, "push")
    assert move(match) == "push"


def test_in_slalom_the_second_trick_is_led_with_a_low_card__CT4() -> None:
    hands = deal({0: "A6C 89TD 9TS 8JH", 1: "7C", 2: "8C", 3: "9C"})
    match = coiffeur(hands, "slalom tops", lines="ten")
    assert move(match) == "play AC"
    play(match, "AC 7C 8C 9C")
    assert move(match) == "play 6C"


@pytest.mark.parametrize("lines", ["eight", "ten"])
def test_greedy_plays_a_whole_match__CO5(lines: str) -> None:
    match = jt.Match(jt.game("coiffeur", lines=lines))
    rng = random.Random(4)
    while not match.over:
        if match.needs_pack:
            match.deal(match_builders.shuffled(match, rng))
        else:
            match.act(match.to_act[0], move(match))
    assert len(match.rounds) == {"eight": 16, "ten": 20}[lines]
