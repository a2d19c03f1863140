"""The heuristics for Schieber, each on a constructed hand."""

from __future__ import annotations

import random

import pytest

import jasstisch as jt
from jasstisch.bots.greedy.partner_card_play import CONTRACT_NUMBERS
from jasstisch.bots.greedy.schieber import expected_point_lead
from jasstisch.games.contracts import CONTRACTS
from tests.bots.greedy.position_builders import cards
from tests.rules import match_builders
from tests.rules.contract_builders import quiet_hands, schieber
from tests.rules.match_builders import deal, play

GREEDY = jt.bot("greedy")
STRONG, WEAK = "J9AKH AC A6D 7S 8S", "TQC 9QD 8TJH 9QS"


def move(match: jt.Match) -> str:
    """The action that greedy chooses."""
    (seat,) = match.to_act
    return GREEDY.act(match.view(seat), match.legal(seat), random.Random(0))


# The announcement.


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        (STRONG, "trump H"),
        (WEAK, "push"),
        ("AKQC AKD AKS AKH", "tops"),
        ("678C 67D 67S 67H", "bottoms"),
    ],
)
def test_a_good_contract_is_announced_and_a_poor_hand_pushed__SC1(hand: str, said: str) -> None:
    assert move(schieber(deal({0: hand}))) == said


def test_the_partner_announces_even_with_a_poor_hand__SC1() -> None:
    match = schieber(deal({2: WEAK}), "push")
    assert "push" not in match.legal(2)
    assert move(match) in match.legal(2)


def test_of_two_equal_suits_the_one_with_the_higher_factor_is_announced__SC5() -> None:
    hands = deal({0: "J9AKH J9AKS 6C"})
    assert move(schieber(hands)) == "trump H"
    assert move(schieber(hands, multipliers="swiss")) == "trump S"


def test_weis_and_stoeck_make_contracts_worth_more__SC3_SC4() -> None:
    """Stöck counts in its suit alone, Weis in every contract if the opponents have none better."""
    hand = cards("KQS 678C 9TD 9TH")

    def more(contract: str) -> float:
        number, ranking = CONTRACT_NUMBERS[contract], CONTRACTS[contract].value_ranking
        without = expected_point_lead(hand, number, ranking, 1, weis=False)
        return expected_point_lead(hand, number, ranking, 1, weis=True) - without

    assert more("trump S") - more("trump H") == pytest.approx(20)
    assert more("tops") == pytest.approx(more("trump H"))
    assert 0 < more("tops") < 20


# The play.


def test_every_weis_is_announced__SC3() -> None:
    match = schieber(quiet_hands({0: "678C", 2: "QKAS"}), "trump H")
    announced = []
    for seat in range(4):
        action = move(match)
        if action.endswith(" weis"):
            announced.append(seat)
        match.act(seat, action)
    assert announced == [0, 2]


def test_weis_is_not_announced_where_it_does_not_count__SC4() -> None:
    match = schieber(quiet_hands({0: "678C"}), "trump H", weis="off")
    assert not move(match).endswith(" weis")


def test_the_partners_trick_is_smeared_and_not_trumped() -> None:
    hands = deal({0: "6C", 1: "AC", 2: "7C", 3: "6H 7H T6D"}, void={3: "C"})
    match = schieber(hands, "trump H", weis="off")
    play(match, "6C AC 7C")
    assert move(match) == "play TD"


def test_a_ten_is_smeared_and_the_ace_saved_for_an_own_trick() -> None:
    hands = deal({0: "6C", 1: "AC", 2: "7C", 3: "AD TS 6H"}, void={3: "C"})
    match = schieber(hands, "tops", weis="off")
    play(match, "6C AC 7C")
    assert move(match) == "play TS"


def test_the_opponents_trick_is_trumped() -> None:
    match = schieber(
        deal({0: "7C", 1: "AC", 2: "6H 7H T6D", 3: "TC"}, void={2: "C"}), "trump H", weis="off"
    )
    play(match, "7C AC")
    assert move(match) in {"play 6H", "play 7H"}


def test_a_low_card_goes_to_the_opponents_trick_and_keeps_the_king_guarded() -> None:
    match = schieber(deal({0: "7C", 1: "AC", 2: "KT6C"}), "tops", weis="off")
    play(match, "7C AC")
    assert move(match) == "play 6C"


def test_a_trick_that_can_be_taken_last_is_taken() -> None:
    match = schieber(deal({0: "TC", 1: "8C", 2: "9C", 3: "A6C"}), "tops", weis="off")
    play(match, "TC 8C 9C")
    assert move(match) == "play AC"


def test_the_announcer_draws_trumps() -> None:
    match = schieber(deal({0: "J9AKH 6D 7D 7C 8S 9S"}), "trump H", weis="off")
    assert move(match) == "play JH"


@pytest.mark.parametrize(("contract", "led"), [("tops", "A"), ("bottoms", "6")])
def test_the_master_card_is_led_by_the_ranking_of_the_contract__CT4(
    contract: str, led: str
) -> None:
    match = schieber(deal({0: "A6C A6D A6S 8TJH"}), contract, weis="off")
    assert move(match) == f"play {led}C"


def test_nothing_is_smeared_if_the_opponents_will_take_the_trick() -> None:
    """The ace is out and still to come: the ten stays in the hand."""
    match = schieber(deal({0: "KC", 1: "AC", 2: "T6C"}), "tops", weis="off")
    play(match, "KC AC")
    assert move(match) == "play 6C"


# Hidden information.


def test_hidden_cards_do_not_matter() -> None:
    """Deals that differ in the other hands: forehand announces and leads the same in both."""
    for seed in range(5):
        hands = match_builders.random_hands(4, random.Random(seed))
        moves = []
        for others in (hands[1:], hands[:0:-1]):
            match = schieber([hands[0], *others])
            said = move(match)
            led = schieber([hands[0], *others], "trump D")
            moves.append((said, move(led)))
        assert moves[0] == moves[1]
