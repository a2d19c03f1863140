"""Inference about the hands of the partner and of the opponents."""

from __future__ import annotations

from typing import Any

import pytest

from jasstisch.bots.greedy.partner_card_play import future_value
from jasstisch.bots.greedy.partner_game_inference import (
    PartnerGamePosition,
    probability_side_takes,
    probability_void,
)
from jasstisch.bots.position import Position
from jasstisch.engine import tricks
from tests.bots.greedy.position_builders import card, cards
from tests.rules import match_builders
from tests.rules.contract_builders import coiffeur, quiet_hands, schieber

ACE_LED = {0: "A6C", 1: "7C", 2: "TD 89S", 3: "8C"}


def seen(match: Any) -> PartnerGamePosition:
    """The inference of the seat to act."""
    return PartnerGamePosition(match.view(match.to_act[0]))


def test_probabilities_of_every_unseen_card_sum_to_one() -> None:
    where = seen(schieber(quiet_hands({}), "trump H")).holder_probabilities
    for one in range(36):
        total = sum(row[one] for row in where)
        assert total == pytest.approx(0 if where[1][one] + where[2][one] == 0 else 1)
    assert [sum(row) for row in where] == pytest.approx([0, 9, 9, 9], abs=0.5)


def test_the_announcer_likely_holds_the_trumps() -> None:
    partners = seen(schieber(quiet_hands({0: "678C"}), "push, trump H"))
    bur = card("JH")
    assert partners.holder_probabilities[2][bur] > 1.5 * partners.holder_probabilities[1][bur]
    assert partners.holder_probabilities[1][bur] == partners.holder_probabilities[3][bur]


def test_announcing_tops_suggests_aces_and_bottoms_sixes() -> None:
    hands = quiet_hands({0: "TC", 1: "AD 6D"})
    for say, likely, other in (("tops", "AD", "6D"), ("bottoms", "6D", "AD")):
        where = seen(schieber(hands, f"push, {say}")).holder_probabilities
        assert where[2][card(likely)] > where[1][card(likely)]
        assert where[2][card(other)] < where[1][card(other)]


def test_not_following_shows_a_void() -> None:
    hands = match_builders.deal({0: "AC", 1: "6S", 2: "7C", 3: "8C"}, void={1: "C"})
    match = schieber(hands, "tops", weis="off")
    match_builders.play(match, "AC 6S 7C 8C")
    partners = seen(match)
    assert probability_void(partners, 1, 0) == 1
    assert partners.holder_probabilities[1][card("KC")] == 0


def test_cards_of_a_weis_shown_are_known() -> None:
    hands = quiet_hands({2: "QKAS"})
    match = schieber(hands, "trump H")
    while not match.view(None)["tricks"]:
        (seat,) = match.to_act
        plays = [one for one in match.legal(seat) if one.removesuffix(" weis")[-1] != "S"]
        match.act(seat, (plays or match.legal(seat))[-1])
    view = match.view(0)
    partners = PartnerGamePosition(view)
    (meld,) = view["weis_shown"]["melds"]
    unplayed = [card(text) for text in meld["cards"] if text in match.hand(2)]
    assert unplayed
    for one in unplayed:
        assert partners.holder_probabilities[2][one] == 1
        assert partners.opponent_probabilities[one] == 0


def test_the_best_card_left_wins_for_certain_unless_it_may_be_trumped() -> None:
    hands = quiet_hands({0: "A6C"})
    assert probability_side_takes(seen(schieber(hands, "tops")), card("AC")) == 1
    assert 0.5 < probability_side_takes(seen(schieber(hands, "trump H")), card("AC")) < 1
    assert probability_side_takes(seen(schieber(hands, "bottoms")), card("6C")) == 1


def test_side_takes_an_unbeatable_trick_of_the_partner_with_any_card() -> None:
    match = schieber(match_builders.deal(ACE_LED), "tops")
    match_builders.play(match, "AC 7C")
    partners = seen(match)
    assert all(
        probability_side_takes(partners, one) == 1 for one in range(36) if partners.hand >> one & 1
    )


def test_side_cannot_take_an_unbeatable_trick_of_the_opponents() -> None:
    match = schieber(match_builders.deal({0: "7C", 1: "AC", 2: "6C"}), "tops")
    match_builders.play(match, "7C AC")
    assert probability_side_takes(seen(match), card("6C")) == 0


def test_future_value_falls_with_higher_cards_that_opponents_may_hold() -> None:
    partners = seen(schieber(quiet_hands({0: "6C A6D K6H TS"}), "tops"))
    assert future_value(partners, cards("A6D")) > 1.5 * future_value(partners, cards("K6H"))
    assert future_value(partners, cards("K6H")) > future_value(partners, cards("TS"))


def test_low_trump_has_a_higher_future_value_than_a_low_plain_card() -> None:
    partners = seen(schieber(quiet_hands({0: "6C 7H"}), "trump H"))
    assert future_value(partners, cards("7H")) > 2 * future_value(partners, cards("6C"))


def test_a_position_knows_the_ranking_of_later_tricks__CT4() -> None:
    hands = match_builders.deal({0: "AC", 1: "6C", 2: "7C", 3: "8C"})
    match = coiffeur(hands, "slalom tops", lines="ten")
    match_builders.play(match, "AC 6C 7C 8C")
    (seat,) = match.to_act
    position = Position(match.view(seat), discard_makes_trump=False)
    both = (tricks.BOTTOMS, tricks.TOPS)
    assert position.rankings == both * 4
    assert (position.ranking, position.value_ranking, position.trump) == (
        tricks.BOTTOMS,
        tricks.TOPS,
        -1,
    )


def test_a_position_finds_the_winning_card_in_bottoms__CT4() -> None:
    match = schieber(match_builders.deal({0: "8C", 1: "6C", 2: "AC"}), "bottoms")
    match_builders.play(match, "8C 6C AC")
    position = Position(match.view(3), discard_makes_trump=False)
    assert (position.best, position.winner) == (card("6C"), 1)
    assert position.void == [0, 0, 0, 0]


@pytest.mark.parametrize("contract", ["tops", "bottoms"])
def test_not_following_always_shows_a_void_without_a_trump__CT4(contract: str) -> None:
    hands = match_builders.deal({0: "8C", 1: "6S"}, void={1: "C"})
    match = schieber(hands, contract)
    match_builders.play(match, "8C 6S")
    position = Position(match.view(2), discard_makes_trump=False)
    assert position.void == [0, cards("6789TJQKAC"), 0, 0]
