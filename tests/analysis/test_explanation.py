"""Explanations: arguments for the best action, in clear positions."""

from typing import Any

import pytest

from jasstisch.analysis import reason_texts
from jasstisch.analysis.explanation import Reason, explain
from jasstisch.bots.searching import Candidate
from jasstisch.i18n.templates import render
from tests.analysis.search_stubs import candidates, card_view


def said(reason: Reason) -> str:
    """The reason in English."""
    return "".join(
        text for _, text in render(reason_texts("en")[reason.id], reason.placeholder_values)
    )


def bidder(hand: str, trick: str, *, own: int, bid: int, trump: str = "S") -> dict[str, Any]:
    """A Differenzler player in the middle of a round."""
    return card_view(
        "differenzler",
        hand,
        trick,
        trump=trump,
        points=[own, None, None, None],
        bids=[bid, None, None, None],
    )


# Differenzler.


def test_an_unwanted_trick_is_explained_by_the_bid() -> None:
    view = bidder("7C TS", "6D QD AD", own=38, bid=40)
    weighed = candidates(play_7C=-4, play_TS=-24)
    assert said(explain(view, weighed, "play TS")) == (
        "TS takes 24 points you do not want: you have 38 of your 40."
    )
    assert explain(view, weighed, "play 7C").id == "declines"


def test_taking_exactly_the_missing_points_is_a_hit() -> None:
    view = bidder("7C TS", "6D QD AD", own=16, bid=40)
    weighed = candidates(play_TS=0, play_7C=-24)
    assert said(explain(view, weighed, "play TS")) == "TS takes just the 24 points you still need."
    # The argument for the best card also explains the loss of the other card.
    assert explain(view, weighed, "play 7C") == explain(view, weighed, "play TS")


def test_giving_away_needed_points_is_a_mistake() -> None:
    view = bidder("6C TC", "7C AC KC", own=0, bid=90)
    weighed = candidates(play_6C=-10, play_TC=-18)
    assert explain(view, weighed, "play TC") == Reason("gives", {"card": "TC", "worth": 10})


def test_with_the_bid_reached_points_are_given_away() -> None:
    view = bidder("6C TC", "7C AC KC", own=30, bid=31)
    weighed = candidates(play_TC=-3, play_6C=-9)
    assert explain(view, weighed, "play TC") == Reason("sheds", {"card": "TC", "worth": 10})


def test_the_highest_losing_card_is_played_first() -> None:
    view = bidder("6C 9C QC", "7C KC 8C", own=30, bid=31)
    weighed = candidates(play_QC=-3, play_9C=-6, play_6C=-7)
    assert explain(view, weighed, "play QC") == Reason("high_under", {"card": "QC", "card2": "KC"})


def test_an_unbeatable_card_is_a_sure_trick() -> None:
    # All other hearts have been played, and all other trumps.
    gone = [
        "0: 6H 7H 8H 9H > 3", "3: TH JH QH KH > 2",
        "2: 6S 7S 8S 9S > 1", "1: TS QS KS AS > 0",
    ]  # fmt: skip
    view = bidder("AH JS 6C 6D 7D", "", own=5, bid=60) | {"tricks": [trick(one) for one in gone]}
    weighed = candidates(play_AH=-1, play_6C=-30, play_6D=-31, play_7D=-32, play_JS=-20)
    assert explain(view, weighed, "play AH").id in {"sure_lead", "brings"}


def trick(text: str) -> dict[str, Any]:
    (one,) = card_view("differenzler", "AH", tricks=[text])["tricks"]
    assert isinstance(one, dict)
    return one


def test_a_bid_too_high_or_too_low_names_the_right_one() -> None:
    view = card_view("differenzler", "AC 6D 7D 8D 6H 7H 8H 6S 7S", phase="bid", trump="S")
    weighed = candidates(bid_20=-5, bid_21=-5.1, bid_40=-15, bid_0=-14)
    assert explain(view, weighed, "bid 40") == Reason("bid_high", {"bid": 40, "bid2": 20})
    assert explain(view, weighed, "bid 0") == Reason("bid_low", {"bid": 0, "bid2": 20})
    right = Reason("bid", {"bid": 20, "cards": "AC 6S 7S"})
    assert explain(view, weighed, "bid 20") == right
    # A bid that is as good is no mistake, and the same is said of it.
    assert explain(view, weighed, "bid 21") == right


@pytest.mark.parametrize(("hand", "reason"), [("AC 6D 7D", "bid_few"), ("KC 6D 7D", "bid_weak")])
def test_a_low_bid_is_explained(hand: str, reason: str) -> None:
    view = card_view("differenzler", hand, phase="bid", trump="S")
    assert explain(view, candidates(bid_4=-3, bid_9=-5), "bid 4").id == reason


# Molotov.


def molotov(hand: str, trick: str = "", **more: Any) -> dict[str, Any]:
    return card_view("molotov", hand, trick, **more)


def test_completing_a_bomb_oneself_names_cards_and_points__MV4() -> None:
    view = molotov("JC AC 6H", "9C TC 6C")
    weighed = candidates(play_AC=-14, play_JC=-35)
    assert explain(view, weighed, "play JC") == Reason(
        "bombs_self", {"card": "JC", "cards": "9C TC JC", "points": 20}
    )


def test_bombing_the_trick_of_another_is_a_reason__MV4() -> None:
    view = molotov("9C 6C", "8C TC AC")
    weighed = candidates(play_9C=-1, play_6C=-9)
    assert explain(view, weighed, "play 9C").id == "bombs_others"


def test_making_trump_names_the_number_of_trumps_held__MV2() -> None:
    view = molotov("6H 7H 7D", "AC KC TC")
    weighed = candidates(play_7D=-30, play_6H=-40, play_7H=-41)
    assert explain(view, weighed, "play 7D") == Reason(
        "makes_trump", {"card": "7D", "suit": "D", "held": 0, "out": 8}
    )
    # Every discard makes trump here; they differ in how many cards of the suit stay in the hand.
    assert explain(view, weighed, "play 6H") == Reason(
        "apart_length", {"suit": "H", "count": 2, "suit2": "D", "count2": 1}
    )


def test_taking_unwanted_points_is_pointed_out() -> None:
    view = molotov("6C AC", "9C TC KC")
    weighed = candidates(play_6C=-5, play_AC=-30)
    assert explain(view, weighed, "play AC") == Reason(
        "takes_unwanted", {"card": "AC", "points": 25}
    )
    assert explain(view, weighed, "play 6C") == Reason("leaves", {"card": "6C", "points": 14})


# Molotow.


def test_reaching_a_hundred_points_is_warned_of__MW5() -> None:
    view = card_view("molotow", "6C AC", "9C TC KC", points=[80, 12, 0, 0])
    weighed = candidates(play_6C=1, play_AC=-3)
    assert explain(view, weighed, "play AC") == Reason("hundred", {"card": "AC", "total": 105})


def test_pushing_another_over_the_hundred_names_them__MW5() -> None:
    view = card_view("molotow", "TC 6C", "9C AC 8C", points=[10, 5, 88, 0])
    weighed = candidates(play_TC=3, play_6C=-1)
    assert explain(view, weighed, "play TC") == Reason(
        "pushes", {"card": "TC", "seat": 2, "total": 109}
    )


def test_no_hundred_is_warned_of_when_all_points_are_still_possible__MW4() -> None:
    view = card_view("molotow", "6C AC", "9C TC KC", points=[80, 0, 0, 0])
    weighed = candidates(play_6C=1, play_AC=-3)
    assert explain(view, weighed, "play AC").id != "hundred"


# Jass.


def test_reaching_twenty_one_points_is_pointed_out__JS9() -> None:
    view = card_view(
        "jass", "7C TS", "6D QD AD", trump="S", points=[4, 0, 0, 0], playing=[0, 1, 2, 3]
    )
    weighed = candidates(play_TS=1, play_7C=0)
    assert explain(view, weighed, "play TS") == Reason(
        "reaches", {"card": "TS", "points": 24, "total": 28}
    )


def test_withholding_a_weis_is_a_mistake__JS7() -> None:
    melds = [{"cards": ["6C", "7C", "8C"], "points": 20}]
    view = card_view("jass", "6C 7C 8C AH", trump="H", melds=melds, playing=[0, 1, 2, 3])
    plain, weis = Candidate("play AH", 0.4, 0.4, 9), Candidate("play AH weis", 0.9, 0.9, 9)
    reason = explain(view, [weis, plain], "play AH")
    assert reason == Reason("weis_kept", {"cards": "6C 7C 8C", "points": 20})


def test_a_weak_hand_is_dropped__JS4() -> None:
    view = card_view("jass", "6C 7C 8D QH", phase="answer", trump="S")
    drop, stay = Candidate("drop", 0.0, 0.0, 9), Candidate("stay", -0.5, -0.1, 9)
    assert explain(view, [drop, stay], "drop").id == "drop_weak"
    assert explain(view, [drop, stay], "stay").id == "drop_weak"


# I Doubt It.


def claim_view(hand: str, *, rank: str, middle: int = 6, left: int = 5) -> dict[str, Any]:
    """The view of a player who may doubt a claim of three of a rank."""
    turn: dict[str, Any] = {
        "seat": 3, "drew": 0, "drawn": None, "rank": rank, "count": 3, "laid": None,
        "passed": [], "doubter": None, "truth": None, "taker": None, "taken": 0,
    }  # fmt: skip
    sizes = [len(hand.split()), 13, 13, left]
    return card_view(
        "i-doubt-it",
        hand,
        phase="answer",
        hand_sizes=sizes,
        middle=middle,
        claim={"seat": 3, "rank": rank, "count": 3},
        turns=[turn],
    )


def answers(doubt: float, passed: float) -> list[Candidate]:
    found = [Candidate("doubt", doubt, doubt * 10, 9), Candidate("pass", passed, passed * 10, 9)]
    return sorted(found, key=lambda one: -one.value)


def test_a_claim_disproved_by_the_own_cards_is_doubted__ID3() -> None:
    reason = explain(claim_view("JC JD 4H", rank="J"), answers(0.5, 0.1), "doubt")
    assert reason.id == "doubt_sure"
    assert reason.placeholder_values["cards"] == "JC JD"
    assert explain(claim_view("JC JD 4H", rank="J"), answers(0.5, 0.1), "pass") == reason


def test_one_card_of_the_rank_disproves_nothing__ID3() -> None:
    assert explain(claim_view("JC 5D 4H", rank="J"), answers(0.5, 0.1), "doubt").id != "doubt_sure"


def test_last_cards_are_named_as_such__ID6() -> None:
    reason = explain(claim_view("KC 5D 4H", rank="J", left=0), answers(0.5, 0.1), "doubt")
    assert reason.id == "doubt_last"


def lays(view: dict[str, Any], *told: tuple[str, float]) -> list[Candidate]:
    return [Candidate(f"lay {text}", value, 10 * value, 9) for text, value in told]


def test_truth_and_lie_name_the_number_of_cards_at_stake__ID2() -> None:
    view = card_view("i-doubt-it", "4C 4D 4H 9S KS", phase="lay", middle=9, claim=None, turns=[])
    weighed = lays(view, ("4C 4D 4H as 4", 0.5), ("4C 9S KS as 4", 0.4), ("4C 9S KS as A", 0.2))
    assert explain(view, weighed, weighed[0].action) == Reason(
        "truth", {"cards": "4C 4D 4H", "stake": 12}
    )
    assert explain(view, weighed, weighed[2].action).id in {"truth", "lie_known"}
    assert explain(view, weighed[1:], weighed[1].action).id == "lie_safe"


def test_without_three_of_a_rank_a_lie_is_necessary__ID2() -> None:
    view = card_view("i-doubt-it", "4C 4D 9S KS", phase="lay", middle=9, claim=None, turns=[])
    weighed = lays(view, ("4D 9S KS as 4", 0.5), ("4D 9S KS as K", 0.5))
    reason = explain(view, weighed, weighed[0].action)
    assert (reason.id, reason.placeholder_values["own"]) == ("lie_forced", 2)


# The choice of the argument.


def test_an_argument_shared_by_all_good_cards_is_preferred() -> None:
    view = bidder("6C TC JS", "7C AC KC", own=30, bid=31)
    weighed = candidates(play_TC=-3, play_6C=-4, play_JS=-40)
    # Getting rid of the ten is worth a point; not taking the trick is worth forty.
    assert explain(view, weighed, "play TC").id == "declines"


def test_an_insignificant_difference_is_no_mistake() -> None:
    view = bidder("6C 7C", "", own=30, bid=31)
    weighed = candidates(play_6C=-5.0, play_7C=-5.2)
    assert explain(view, weighed, "play 7C").id == "close"
    weighed = candidates(play_6C=-5.01, play_7C=-5.04)  # rounded figures are equal
    assert explain(view, weighed, "play 7C").id == "alike"


def test_another_card_may_be_as_good() -> None:
    view = bidder("9C TC 6S", "7C AC KC", own=0, bid=90)
    weighed = candidates(play_9C=-5.0, play_TC=-5.1, play_6S=-9)
    assert explain(view, weighed, "play 9C").id in {"equal_cards", "spares"}


def test_a_forced_action_has_no_explanation() -> None:
    view = bidder("6C", "7C", own=0, bid=9)
    assert explain(view, candidates(play_6C=0), "play 6C").id == "only"


def test_an_advantage_in_the_match_alone_is_named_as_such() -> None:
    view = molotov("6C 7C 8C")
    weighed = [Candidate("play 7C", 9.0, 20.0, 9), Candidate("play 8C", 2.0, 18.0, 9)]
    assert explain(view, weighed, "play 8C").id == "match_cost"
    assert explain(view, weighed, "play 7C").id == "match"
