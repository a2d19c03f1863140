"""SC: Schieber.

Unless a test says otherwise seat 3 deals and seat 0 is forehand. `sweep` is a round of whole suits:
under tops forehand's side takes all of it, 157 points without the bonus of a match.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

import jasstisch as jt
from tests.rules import match_builders, worked_contracts
from tests.rules.contract_builders import (
    READERS,
    WHOLE_SUITS,
    deal,
    drive,
    finish_round,
    forehand,
    meld_groups,
    melds,
    public,
    quiet_hands,
    random_hands,
    schieber,
    sides,
    sweep,
    sweeps,
    tell,
    totals,
    trick,
)
from tests.rules.match_builders import cards, play
from tests.rules.worked_contracts import Worked

SIX = ["trump C", "trump D", "trump H", "trump S", "tops", "bottoms"]
SLALOM = ["slalom tops", "slalom bottoms"]
OPTIONS: dict[str, list[Any]] = {
    "players": [4],
    "dealer": [None, 0, 1, 2, 3],
    "direction": ["anticlockwise", "clockwise"],
    "target": [1000, 1500, 2500, 3000],
    "rounds": [0, 4, 8, 12, 16],
    "multipliers": ["none", "swiss", "french"],
    "weis": ["on", "off"],
    "slalom": ["off", "on"],
    "match_bonus": [100, 0],
    "end": ["at_once", "round"],
    "undertrump": ["strict", "forced"],
}


def fresh(**options: Any) -> jt.Match:
    """A match before its first deal; seat 3 deals."""
    return jt.Match(jt.game("schieber", **{"dealer": 3, **options}))


# Options.


def test_options_and_their_defaults() -> None:
    """Exactly these options, the first value the default, and all of them in the record."""
    game = jt.game("schieber")
    assert dict(game.options) == {name: values[0] for name, values in OPTIONS.items()}
    assert jt.Match(game).record()["options"] == dict(game.options)


@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_accepts_its_values_and_no_others(option: str) -> None:
    """Each value is accepted and kept; every other one is refused by an error naming the option."""
    for value in OPTIONS[option]:
        assert jt.game("schieber", **{option: value}).options[option] == value
    wrong: list[Any] = [
        "",
        "x",
        True,
        1.0,
        -1,
        1,
        2,
        4.0,
        20,
        999,
        1001,
        2000,
        "on ",
        "ON",
        "1000",
        [],
    ]
    wrong += [5, 50, None] if option != "dealer" else [5, 50]
    wrong += [float(value) for value in OPTIONS[option] if isinstance(value, int)]
    for value in wrong:
        if any(type(value) is type(good) and value == good for good in OPTIONS[option]):
            continue
        with pytest.raises(jt.GameError, match=option):
            jt.game("schieber", **{option: value})


@pytest.mark.parametrize("option", ["lines", "suits", "ties", "Weis", "name"])
def test_options_of_other_games_are_refused(option: str) -> None:
    """An option that Schieber does not have is refused by an error that lists its options."""
    with pytest.raises(jt.GameError, match="multipliers"):
        jt.game("schieber", **{option: 1})


# SC1: who announces, and who leads.


@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_forehand_announces_or_pushes__SC1(dealer: int) -> None:
    """After the deal the seat after the dealer is asked, for a contract or a push."""
    match = schieber(random_hands(1), dealer=dealer)
    assert match.to_act == ((dealer + 1) % 4,)
    assert public(match, "phase") == "announce"
    assert list(match.legal((dealer + 1) % 4)) == [*SIX, "push"]


@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_after_a_push_the_partner_must_announce__SC1(dealer: int) -> None:
    """The partner, not the next seat, is asked, and has no push to give back."""
    match = schieber(random_hands(1), "push", dealer=dealer)
    partner = (dealer + 3) % 4
    assert match.to_act == (partner,)
    assert list(match.legal(partner)) == SIX
    error = match_builders.refused(match, partner, "push")
    assert error.clause == "SC1"
    assert list(error.legal) == SIX
    for seat in {0, 1, 2, 3} - {partner}:
        assert match_builders.refused(match, seat, "tops").reason == "turn"


@pytest.mark.parametrize("say", ["tops", "push, tops"])
@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_forehand_leads_the_first_trick__SC1(dealer: int, say: str) -> None:
    """Whoever announced, forehand or its partner."""
    match = schieber(random_hands(2), say, dealer=dealer)
    first = (dealer + 1) % 4
    assert match.to_act == (first,)
    assert public(match, "by") == (first if say == "tops" else (dealer + 3) % 4)
    result = finish_round(match)
    assert result["tricks"][0]["leader"] == first
    assert result["by"] == (first if say == "tops" else (dealer + 3) % 4)
    assert result["pushed"] is (say != "tops")


def test_the_winner_leads_the_next_trick__SC1_C7() -> None:
    """After the first trick whoever took it leads."""
    match = schieber(random_hands(3), "push, trump C")
    leader = 0
    while not match.rounds:
        done = trick(match)
        assert done["leader"] == leader
        leader = done["winner"]


def test_the_line_is_null__SC1() -> None:
    """A slate is Coiffeur's: here `line` is null, before, during and after the round."""
    match = schieber(random_hands(3))
    assert public(match, "line") is None
    tell(match, "tops")
    assert public(match, "line") is None
    assert finish_round(match).get("line") is None


# SC2: the open contracts.


def test_suits_tops_and_bottoms_are_open__SC2() -> None:
    """In this order, with the push last; each of them can be played."""
    for contract in SIX:
        match = schieber(random_hands(4))
        assert list(match.legal(0)) == [*SIX, "push"]
        match.act(0, contract)
        assert public(match, "contract") == contract
        assert finish_round(match)["contract"] == contract


def test_slalom_is_an_option__SC2() -> None:
    """With `slalom="on"` the two slaloms come after bottoms, for the partner too."""
    for contract in SLALOM:
        match = schieber(random_hands(4), slalom="on")
        assert list(match.legal(0)) == [*SIX, *SLALOM, "push"]
        match.act(0, "push")
        assert list(match.legal(2)) == [*SIX, *SLALOM]
        match.act(2, contract)
        assert finish_round(match)["contract"] == contract


@pytest.mark.parametrize("slalom", ["off", "on"])
@pytest.mark.parametrize(
    "text", ["slalom tops", "slalom bottoms", "guschti tops", "guschti bottoms", "joker 7 tops"]
)
def test_contracts_that_are_not_open_are_refused__SC2(text: str, slalom: str) -> None:
    """A contract of the other game or of another table: the error names clause and contracts."""
    if text.startswith("slalom") and slalom == "on":
        return
    match = schieber(random_hands(4), slalom=slalom)
    error = match_builders.refused(match, 0, text)
    assert error.clause == ("SC2" if "joker" not in text else error.clause)
    assert list(error.legal) == [*SIX, *(SLALOM if slalom == "on" else []), "push"]


# SC3: Weis.


def weis_match(contract: str, wanted: dict[int, str], *announcing: int, **options: Any) -> jt.Match:
    """A match after its first trick, in which these seats announced their Weis."""
    match = schieber(quiet_hands(wanted), contract, slalom="on", **options)
    trick(match, *announcing)
    return match


def shown(match: jt.Match) -> list[tuple[int, tuple[str, ...]]]:
    """The melds that lie open, the same for all readers."""
    return meld_groups(public(match, "weis_shown"))


def test_weis_is_announced_with_the_first_card__SC3() -> None:
    """Plays in the order of the hand, then the same with Weis; in the second trick none."""
    match = schieber(quiet_hands({0: "678C"}), "tops")
    hand = [f"play {card}" for card in match.view(0)["hand"]]
    assert list(match.legal(0)) == [*hand, *(f"{play} weis" for play in hand)]
    trick(match)
    (seat,) = match.to_act
    for action in match.legal(seat):
        assert match_builders.refused(match, seat, f"{action} weis").reason == "weis"
    while not match.rounds:
        (seat,) = match.to_act
        assert not [action for action in match.legal(seat) if action.endswith("weis")]
        match.act(seat, match.legal(seat)[0])


@pytest.mark.parametrize("text", ["play JC weis", "JC weis", "jc WEIS", "  play   jC   Weis "])
def test_weis_is_accepted_in_any_spelling__SC3(text: str) -> None:
    """The short form is accepted too; the log stores the printed one."""
    match = schieber(quiet_hands({0: "TJQC"}), "tops")
    match.act(0, text)
    assert match.record()["log"][-1] == [0, "play JC weis"]


@pytest.mark.parametrize("text", ["weis", "weis JC", "JC weis weis", "JCweis", "tops weis"])
def test_invalid_spellings_of_weis_are_refused__SC3(text: str) -> None:
    """The error lists the legal actions."""
    match = schieber(quiet_hands({0: "TJQC"}), "tops")
    assert list(match_builders.refused(match, 0, text).legal) == list(match.legal(0))


def test_every_seat_announces_with_its_own_first_card__SC3() -> None:
    """All four may, each in turn, but not a seat without a meld."""
    match = schieber(quiet_hands({0: "678C", 1: "TJQD", 2: "", 3: "QKAS"}), "tops")
    for seat, holds in enumerate((True, True, False, True)):
        weis = [action for action in match.legal(seat) if action.endswith("weis")]
        plain = [action for action in match.legal(seat) if not action.endswith("weis")]
        assert weis == ([f"{action} weis" for action in plain] if holds else [])
        if not holds:
            error = match_builders.refused(match, seat, f"{plain[0]} weis")
            assert error.reason == "weis"
            assert error.clause in {"JS7", "SC3"}
        match.act(seat, weis[0] if holds else plain[0])
    assert public(match, "weis") == [0, 40, 0, 40]


def test_announced_points_are_public_and_cards_are_not__SC3() -> None:
    """During the first trick all see the points of the best meld, and none of its cards."""
    match = schieber(quiet_hands({0: "678S TD", 1: "TJQKH 6D", 2: "AD", 3: "9D"}), "tops")
    play(match, ["TD weis", "6D weis"])
    assert public(match, "announced") == [{"seat": 0, "points": 20}, {"seat": 1, "points": 50}]
    assert public(match, "weis_shown") is None
    assert public(match, "weis") == [0, 0, 0, 0]
    assert public(match, "points") == [0, 0, 0, 0]
    for reader in (None, 0, 2, 3):
        assert '"TH"' not in json.dumps(match.view(reader))
    play(match, ["AD", "9D"])
    assert shown(match) == melds("50 TJQKH")
    assert public(match, "weis") == [0, 50, 0, 50]
    for reader in (None, 1, 2, 3):
        assert '"7S"' not in json.dumps(match.view(reader))


def test_own_melds_are_seen_by_their_owner_alone__SC3() -> None:
    """Until the first card is played; the partner does not see them."""
    match = schieber(quiet_hands({0: "678S", 2: "TJQH"}), "tops")
    assert meld_groups(match.view(0)["melds"]) == melds("20 678S")
    assert meld_groups(match.view(2)["melds"]) == melds("20 TJQH")
    assert [match.view(reader)["melds"] for reader in (None, 1, 3)] == [[]] * 3
    play(match, [match.hand(0)[0]])
    assert match.view(0)["melds"] == []


def test_the_side_scores_all_that_both_announced__SC3() -> None:
    """The best meld of seat 0 lets its partner score too; the other side shows nothing."""
    wanted = {0: "6789S", 1: "TJQC", 2: "678D", 3: "JQKH"}
    match = weis_match("tops", wanted, 0, 1, 2, 3)
    assert public(match, "weis") == [70, 0, 70, 0]
    assert shown(match) == melds("50 6789S", "20 678D")
    worth = sides(public(match, "points"))
    assert worth[0] >= 70
    assert worth[1] < 70


def test_a_partner_who_did_not_announce_scores_nothing__SC3() -> None:
    """Of the winning side only those seats show and score that announced."""
    match = weis_match("tops", {0: "6789S", 2: "678D"}, 0)
    assert public(match, "weis") == [50, 0, 50, 0]
    assert shown(match) == melds("50 6789S")
    match = weis_match("tops", {0: "6789S", 2: "678D"}, 2)
    assert public(match, "weis") == [20, 0, 20, 0]


def test_a_better_meld_that_is_not_announced_counts_nothing__SC3() -> None:
    """Only announced melds are compared."""
    match = weis_match("tops", {0: "678S", 1: "TJQKAH"}, 0)
    assert public(match, "weis") == [20, 0, 20, 0]


def test_no_weis_without_an_announcement__SC3() -> None:
    """Nobody announces: nothing is shown and nothing scored."""
    match = weis_match("tops", {0: "6789S", 1: "TJQKAH"})
    assert public(match, "weis") == [0, 0, 0, 0]
    assert public(match, "weis_shown") is None


def test_all_melds_of_a_hand_are_scored__SC3() -> None:
    """A second run goes with the first, and with it the partner's."""
    match = weis_match("trump H", {1: "678S TJQKD", 3: "9TJC", 0: "QKAS"}, 0, 1, 3)
    assert public(match, "weis") == [0, 90, 0, 90]
    assert shown(match) == melds("20 678S", "50 TJQKD", "20 9TJC")


def four(rank: str) -> str:
    """All four cards of a rank."""
    return " ".join(rank + suit for suit in "CDHS")


RANKED: list[tuple[str, str, str, int]] = [
    # Upwards under trump, tops and slalom tops: the higher top card.
    ("tops", "678S", "9TJD", 1),
    ("trump C", "678S", "9TJD", 1),
    ("slalom tops", "678S", "9TJD", 1),
    ("tops", "QKAS", "JQKD", 0),
    # Downwards under bottoms and slalom bottoms: the lower lowest card.
    ("bottoms", "678S", "9TJD", 0),
    ("bottoms", "9TJS", "678D", 1),
    ("slalom bottoms", "QKAS", "JQKD", 1),
    ("slalom bottoms", "678S", "9TJD", 0),
    # Equal runs without a trump: the earlier player, also where the later one holds hearts.
    ("tops", "678S", "678H", 0),
    ("bottoms", "678S", "678H", 0),
    ("slalom tops", "678S", "678C", 0),
    # Equal runs under a trump: the one in trumps, or the earlier player.
    ("trump H", "678S", "678H", 1),
    ("trump C", "678S", "678H", 0),
    ("trump S", "678S", "678H", 0),
    # A higher run beats one in trumps.
    ("trump H", "789S", "678H", 0),
    # More points, then a four before a run, then the longer run, whatever the direction.
    ("bottoms", "678S", "TJQKD", 1),
    ("bottoms", "6789TS", four("A"), 1),
    ("tops", "TJQKS", four("9"), 1),
    ("bottoms", "6789TS", "9TJQKAD", 1),
    ("tops", "TJQKAS", "6789TJD", 1),
    # Fours worth 100: by rank, reversed under bottoms; nines and jacks stay above them.
    ("tops", four("T"), four("A"), 1),
    ("tops", four("K"), four("Q"), 0),
    ("bottoms", four("T"), four("A"), 0),
    ("bottoms", four("K"), four("Q"), 1),
    ("bottoms", four("Q"), four("T"), 1),
    ("bottoms", four("A"), four("K"), 1),
    ("slalom bottoms", four("A"), four("K"), 1),
    ("slalom tops", four("A"), four("K"), 0),
    ("bottoms", four("T"), four("9"), 1),
    ("bottoms", four("9"), four("J"), 1),
    ("tops", four("J"), four("9"), 0),
]


@pytest.mark.parametrize(("contract", "first", "second", "best"), RANKED)
def test_the_contract_decides_which_meld_is_best__SC3(
    contract: str, first: str, second: str, best: int
) -> None:
    """Seats 0 and 1 announce one meld each, seat 0 earlier; the side of the better one scores."""
    match = weis_match(contract, {0: first, 1: second}, 0, 1)
    winning = sides(public(match, "weis"))
    assert winning[best] > 0
    assert winning[1 - best] == 0
    assert {card for _, meld in shown(match) for card in meld} == set(cards((first, second)[best]))


@pytest.mark.parametrize(("dealer", "side"), [(3, 0), (0, 1), (1, 0), (2, 1)])
def test_equal_melds_go_to_the_earlier_player_of_the_first_trick__SC3(
    dealer: int, side: int
) -> None:
    """Of equal runs in two neighbouring hands the one of the seat that played first counts."""
    wanted = {(dealer + 1) % 4: "678S", (dealer + 2) % 4: "678H"}
    match = schieber(quiet_hands(wanted), "tops", dealer=dealer)
    trick(match, *wanted)
    assert sides(public(match, "weis")) == ((20, 0) if side == 0 else (0, 20))


def test_the_best_meld_of_a_side_wins_for_both_partners__SC3() -> None:
    """The later partner's meld beats the one between, and the earlier, lesser one scores too."""
    match = weis_match("tops", {0: "678S", 1: "9TJD", 2: "QKAH"}, 0, 1, 2)
    assert public(match, "weis") == [40, 0, 40, 0]
    match = weis_match("bottoms", {0: "QKAS", 1: "9TJD", 2: "678H"}, 0, 1, 2)
    assert public(match, "weis") == [40, 0, 40, 0]
    match = weis_match("tops", {0: "678S", 1: "QKAD", 2: "9TJH"}, 0, 1, 2)
    assert public(match, "weis") == [0, 20, 0, 20]


@pytest.mark.parametrize("contract", ["tops", "bottoms", "trump D"])
def test_the_points_of_melds_do_not_depend_on_the_contract__SC3_JS7(contract: str) -> None:
    """20, 50, 100; fours 100, nines 150, jacks 200, under every contract."""
    for meld, points in (("678S", 20), ("TJQKS", 50), ("6789TS", 100), ("6789TJQKAS", 100)):
        assert weis_match(contract, {0: meld}, 0).view(1)["weis"] == [points, 0, points, 0]
    for rank, points in (("A", 100), ("K", 100), ("Q", 100), ("T", 100), ("9", 150), ("J", 200)):
        assert weis_match(contract, {0: four(rank)}, 0).view(1)["weis"] == [points, 0, points, 0]


@pytest.mark.parametrize("rank", ["6", "7", "8"])
@pytest.mark.parametrize("contract", ["bottoms", "tops"])
def test_four_low_cards_are_no_meld_even_under_bottoms__SC3_JS7(rank: str, contract: str) -> None:
    """Only the order is reversed: four sixes are worth nothing."""
    match = schieber(quiet_hands({0: four(rank)}), contract)
    assert match.view(0)["melds"] == []


def test_running_points_include_the_weis__SC3() -> None:
    """Weis are counted with the first trick, besides what the trick is worth."""
    match = schieber(quiet_hands({0: "AKTC", 1: "6789D 7C", 2: "QC", 3: "8C"}), "tops")
    play(match, ["AC", "7C weis", "QC", "8C"])
    assert public(match, "points") == [22, 50, 22, 50]


@pytest.mark.parametrize("contract", ["trump C", "tops"])
def test_weis_off_allows_no_weis_and_no_stoeck__SC3_SC4(contract: str) -> None:
    """With `weis="off"` no Weis is announced, and none is proposed."""
    match = schieber(WHOLE_SUITS, contract, weis="off")
    assert match.view(0)["melds"] == []
    assert list(match.legal(0)) == [f"play {card}" for card in match.view(0)["hand"]]
    match_builders.refused(match, 0, "play AC weis")
    result = finish_round(match)
    assert result["weis"] == result["stoeck"] == [0, 0, 0, 0]
    assert sides(result["points"]) == (257, 0)


# SC4: Stöck.


def test_stoeck_counts_when_its_second_card_lies_in_a_complete_trick__SC4() -> None:
    """King in the first trick, queen in the second: 20 for the side once the trick is complete."""
    match = schieber(WHOLE_SUITS, "trump C")
    play(match, "KC 6D 6H 6S")
    assert public(match, "stoeck") == [0, 0, 0, 0]
    assert public(match, "points") == [4, 0, 4, 0]
    play(match, "QC 7D 7H")
    assert public(match, "stoeck") == [0, 0, 0, 0]
    assert public(match, "points") == [4, 0, 4, 0]
    play(match, "7S")
    assert public(match, "stoeck") == [20, 0, 20, 0]
    assert public(match, "points") == [27, 0, 27, 0]
    result = finish_round(match)
    assert result["stoeck"] == [20, 0, 20, 0]
    assert result["points"] == [277, 0, 277, 0]


@pytest.mark.parametrize("order", ["KQ", "QK"])
def test_king_or_queen_of_stoeck_may_be_played_first__SC4(order: str) -> None:
    """King before queen or queen before king; nothing is announced."""
    match = schieber(WHOLE_SUITS, "trump C")
    play(match, [order[0] + "C", *cards("6D 6H 6S")])
    trick(match)
    assert public(match, "stoeck") == [0, 0, 0, 0]
    assert f"play {order[1]}C" in match.legal(0)
    play(match, [order[1] + "C"])
    while match.trick:
        (seat,) = match.to_act
        match.act(seat, match.legal(seat)[0])
    assert public(match, "stoeck") == [20, 0, 20, 0]


def test_stoeck_of_a_seat_that_loses_the_trick_counts__SC4() -> None:
    """The 20 belong to the side of the holder, not to that of the trick."""
    hands = quiet_hands({0: "AC", 1: "KQS 6D", 2: "JAS", 3: "6S 7C"})
    match = schieber(hands, "trump S")
    while not match.rounds:
        (seat,) = match.to_act
        plays = [a for a in match.legal(seat) if not a.endswith("weis")]
        match.act(seat, plays[-1])
    assert match.rounds[0]["stoeck"] == [0, 20, 0, 20]


@pytest.mark.parametrize("other", [1, 2, 3])
def test_king_and_queen_in_two_hands_are_no_stoeck__SC4(other: int) -> None:
    """Also when the two are partners."""
    hands = [list(hand) for hand in WHOLE_SUITS]
    six = "6" + "CDHS"[other]
    hands[0][hands[0].index("QC")], hands[other][0] = six, "QC"
    result = finish_round(schieber(hands, "trump C"))
    assert result["stoeck"] == [0, 0, 0, 0]


@pytest.mark.parametrize("contract", ["tops", "bottoms", "slalom tops", "slalom bottoms"])
def test_no_stoeck_without_a_trump__SC4(contract: str) -> None:
    """King and queen of one suit in one hand are nothing under these contracts."""
    result = finish_round(schieber(WHOLE_SUITS, contract, slalom="on"))
    assert result["stoeck"] == [0, 0, 0, 0]
    assert sum(sides(result["points"])) == 257


def test_king_and_queen_of_another_suit_are_no_stoeck__SC4() -> None:
    """Only those of trumps count."""
    assert finish_round(schieber(WHOLE_SUITS, "trump D"))["stoeck"] == [0, 20, 0, 20]


def test_stoeck_cards_may_stand_in_a_meld__SC4_JS8() -> None:
    """Q-K-A of trumps are a Weis of 20, and the Stöck counts besides."""
    match = schieber(quiet_hands({0: "QKAC"}), "trump C")
    play(match, ["KC weis"])
    result = finish_round(match)
    assert result["weis"] == [20, 0, 20, 0]
    assert result["stoeck"] == [20, 0, 20, 0]
    assert sum(sides(result["points"])) in {197, 297}


# SC5: factors.


FACTORS = {
    "none": dict.fromkeys([*SIX, *SLALOM], 1),
    "swiss": {
        "trump C": 1,
        "trump H": 1,
        "trump D": 2,
        "trump S": 2,
        **dict.fromkeys(["tops", "bottoms", *SLALOM], 3),
    },
    "french": {
        "trump D": 1,
        "trump H": 1,
        "trump C": 2,
        "trump S": 2,
        **dict.fromkeys(["tops", "bottoms", *SLALOM], 3),
    },
}


@pytest.mark.parametrize("multipliers", FACTORS)
@pytest.mark.parametrize("contract", [*SIX, *SLALOM])
def test_the_factor_depends_on_the_contract__SC5(contract: str, multipliers: str) -> None:
    """It is public with the announcement; marks and standing hold the points times the factor."""
    factor = FACTORS[multipliers][contract]
    match = schieber(random_hands(5), multipliers=multipliers, slalom="on", target=3000)
    assert public(match, "factor") is None
    match.act(0, contract)
    assert public(match, "factor") == factor
    result = finish_round(match)
    assert result["factor"] == factor
    expected = [points * factor for points in result["points"]]
    assert result["marks"] == [str(points) for points in expected]
    assert list(totals(match)) == expected[:2]
    assert public(match, "factor") is None


def test_all_points_of_a_round_are_multiplied__SC5() -> None:
    """Cards, last trick, match, Weis and Stöck; shown before the factor, written after it."""
    match = schieber(WHOLE_SUITS, "trump S", multipliers="swiss", target=3000, dealer=2)
    play(match, ["KS weis", "6C", "6D", "6H"])
    result = finish_round(match)
    assert result["weis"] == [0, 100, 0, 100]
    assert result["stoeck"] == [0, 20, 0, 20]
    assert result["match"] == 1
    assert result["points"] == [0, 377, 0, 377]
    assert result["marks"] == ["0", "754", "0", "754"]
    assert totals(match) == (0, 754)


def test_running_points_are_before_the_factor__SC5() -> None:
    """Running points in views are those that `points` of the round will hold."""
    match = schieber(WHOLE_SUITS, "tops", multipliers="french")
    play(match, "AC AD AH AS")
    assert public(match, "points") == [44, 0, 44, 0]
    assert public(match, "factor") == 3


# SC6: to the target.


NINE_TRICKS = 9
SIX_SWEEPS = ("trump C",) * 6
ZERO_TRICKS = "JC 6D 6H 6S 9C 7D 7H 7S AC 8D 8H 8S"


def side_0_has_942(**options: Any) -> jt.Match:
    """Six rounds of 157 for side 0; in the seventh seat 2 leads, and clubs are trumps again."""
    match = fresh(weis="off", match_bonus=0, **options)
    sweeps(match, *SIX_SWEEPS)
    assert totals(match) == (942, 0)
    deal(match, WHOLE_SUITS, "trump C")
    play(match, "6H 6S JC 6D")  # 20
    play(match, "9C 7D 7H 7S AC 8D 8H 8S")  # 14 and 11
    assert not public(match, "over")
    assert public(match, "points") == [45, 0, 45, 0]
    return match


@pytest.mark.parametrize(("diamond", "total"), [("QD", 1000), ("KD", 1001)])
def test_the_match_is_over_with_the_trick_that_reaches_the_target__SC6(
    diamond: str, total: int
) -> None:
    """1000 exactly is enough; the round stands as far as it was played."""
    match = side_0_has_942()
    play(match, ["TC", diamond, "9H"])
    assert not public(match, "over")
    play(match, ["9S"])
    assert public(match, "over")
    assert match.winners == [0, 2]
    assert totals(match) == (total, 0)
    result = match.rounds[-1]
    assert len(result["tricks"]) == 4
    assert result["tricks"][-1] == {"leader": 0, "cards": ["TC", diamond, "9H", "9S"], "winner": 0}
    assert result["points"] == [total - 942, 0, total - 942, 0]
    assert result["marks"] == [str(total - 942), "0", str(total - 942), "0"]
    assert result["match"] is None
    assert result["trump"] == "C"
    for reader in READERS:
        view = match.view(reader)
        assert (view["phase"], view["over"], view["winners"]) == ("over", True, [0, 2])
        assert view["hand"] in ([], None)
        assert view["hand_sizes"] == [0, 0, 0, 0]
        assert view["trump"] is None
        assert view["contract"] is None
    assert match.to_act == ()
    assert not match.needs_pack
    assert match_builders.refused(match, 0, "play KC").reason == "over"


def test_the_match_goes_on_at_999_points__SC6() -> None:
    """One point short: the round goes on."""
    match = side_0_has_942()
    play(match, "TC JD 9H 9S")
    assert public(match, "points") == [57, 0, 57, 0]
    assert not public(match, "over")
    trick(match)
    assert public(match, "over")
    assert len(match.rounds[-1]["tricks"]) == 5


def test_end_round_plays_the_last_round_to_its_end__SC6() -> None:
    """With `end="round"` the round in which the target is reached is played to its end."""
    match = side_0_has_942(end="round")
    play(match, "TC KD 9H 9S")
    assert not public(match, "over")
    result = finish_round(match)
    assert public(match, "over")
    assert match.winners == [0, 2]
    assert len(result["tricks"]) == NINE_TRICKS
    assert totals(match) == (1099, 0)


def both_have_942(**options: Any) -> jt.Match:
    """Two sweeps of each side at three times 157; seat 0 is forehand again."""
    match = fresh(multipliers="swiss", match_bonus=0, **options)
    sweeps(match, "tops", "tops", "tops", "tops")
    assert totals(match) == (942, 942)
    assert forehand(match) == 0
    return match


WEIS_HANDS = {0: "JS", 1: "6789D 9S", 2: "AS", 3: "6S"}


def test_weis_are_counted_before_the_first_trick__SC6() -> None:
    """50 doubled end the match for side 1, though side 0 took 45 doubled with the trick."""
    match = both_have_942()
    deal(match, quiet_hands(WEIS_HANDS), "trump S")
    play(match, ["JS", "9S weis", "AS"])
    assert not public(match, "over")
    play(match, "6S")
    assert public(match, "over")
    assert match.winners == [1, 3]
    assert totals(match) == (942, 1042)
    result = match.rounds[-1]
    assert result["tricks"] == [{"leader": 0, "cards": ["JS", "9S", "AS", "6S"], "winner": 0}]
    assert result["points"] == [0, 50, 0, 50]
    assert result["weis"] == [0, 50, 0, 50]
    assert result["marks"] == ["0", "100", "0", "100"]
    assert result["match"] is None


def test_the_trick_is_counted_if_the_weis_do_not_reach_the_target__SC6() -> None:
    """20 doubled are too few: then the trick is counted, and side 0 wins with it."""
    match = both_have_942()
    deal(match, quiet_hands({**WEIS_HANDS, 1: "678D 9S"}), "trump S")
    play(match, ["JS", "9S weis", "AS", "6S"])
    assert public(match, "over")
    assert match.winners == [0, 2]
    assert totals(match) == (942 + 90, 942 + 40)
    assert match.rounds[-1]["points"] == [45, 20, 45, 20]


def test_the_match_goes_on_if_no_side_reaches_the_target__SC6() -> None:
    """Weis of 20 and a trick of 20, doubled: 982 each."""
    match = both_have_942()
    deal(match, quiet_hands({0: "9JAS", 1: "678D 6S", 2: "7S", 3: "8S"}), "trump S")
    play(match, ["JS", "6S weis", "7S", "8S"])
    assert not public(match, "over")
    assert public(match, "points") == [20, 20, 20, 20]


STOECK_HANDS = {0: "JQKS AD", 1: "69S 6D", 2: "7TS 7D", 3: "8AS 8D"}


def test_stoeck_is_counted_before_its_trick__SC6() -> None:
    """Side 0 needs 29: 15 and the Stöck are enough, though side 1 takes that trick of 38."""
    match = both_have_942()
    deal(match, quiet_hands(STOECK_HANDS), "trump S")
    play(match, "KS 6S 7S 8S AD 6D 7D 8D")
    assert public(match, "points") == [15, 0, 15, 0]
    play(match, "QS 9S TS")
    assert not public(match, "over")
    play(match, "AS")
    assert public(match, "over")
    assert match.winners == [0, 2]
    assert totals(match) == (942 + 70, 942)
    result = match.rounds[-1]
    assert result["points"] == [35, 0, 35, 0]
    assert result["stoeck"] == [20, 0, 20, 0]
    assert [trick["winner"] for trick in result["tricks"]] == [0, 0, 1]


def test_the_trick_is_counted_if_stoeck_does_not_reach_the_target__SC6() -> None:
    """If Stöck is not enough, the trick counted after it may win for the other side."""
    match = both_have_942()
    hands = {**STOECK_HANDS, 0: "JQKS 9D", 3: "8AS AD", 1: "69S 6D"}
    deal(match, quiet_hands(hands), "trump S")
    play(match, "KS 6S 7S 8S QS 9S TS AS")
    assert public(match, "over")
    assert match.winners == [1, 3]
    assert totals(match) == (942 + 2 * 24, 942 + 2 * 38)


def test_end_round_counts_the_whole_round__SC6() -> None:
    """With `end="round"` the order of the steps does not matter: the higher total wins."""
    match = both_have_942(end="round")
    deal(match, quiet_hands(STOECK_HANDS), "trump S")
    play(match, "KS 6S 7S 8S AD 6D 7D 8D QS 9S TS AS")
    assert not public(match, "over")
    result = finish_round(match)
    assert len(result["tricks"]) == NINE_TRICKS
    assert public(match, "over")
    first, second = totals(match)
    assert min(first, second) >= 942
    assert match.winners == ([0, 2] if first > second else [1, 3])


def test_the_higher_total_wins_with_both_over_the_target__SC6() -> None:
    """Both have 1000 and more at the end of a round: the higher total wins, not the announcer."""
    match = both_have_942(end="round", weis="off")
    drive(match, 0, 70, "trump S")
    assert totals(match) == (942 + 140, 942 + 174)
    assert match.winners == [1, 3]


def test_equal_totals_over_the_target_lead_to_another_round__SC6() -> None:
    """1099 each: nobody has won, the next seat deals, and the next round decides."""
    match = fresh(multipliers="swiss", match_bonus=0, weis="off", end="round")
    sweeps(match, "tops", "tops")
    drive(match, 0, 100, "tops")
    drive(match, 0, 58, "tops")
    assert totals(match) == (945, 939)
    drive(match, 0, 77, "trump S")
    assert totals(match) == (1099, 1099)
    assert not public(match, "over")
    assert match.winners == []
    assert match.needs_pack
    drive(match, 0, 78, "trump C")
    assert totals(match) == (1177, 1178)
    assert public(match, "over")
    assert match.winners == [1, 3]


def test_no_match_bonus_if_stoeck_ends_the_match_in_the_ninth_trick__SC6_CT6() -> None:
    """All nine tricks are side 0's, but the last was not counted: no bonus, `match` is null."""
    match = fresh(match_bonus=0)
    sweeps(match, "tops", "trump C", "tops", "trump C", "trump C")
    assert totals(match) == (845, 0)
    deal(match, WHOLE_SUITS, "trump C")
    for ranks in ("6666", "7777", "8888", "9999", "TTTT", "JJJJ", "QQQQ", "AAAA"):
        seats = (1, 2, 3, 0) if ranks == "6666" else (0, 1, 2, 3)
        played = dict(
            zip(
                (0, 1, 2, 3),
                (rank + suit for rank, suit in zip(ranks, "CDHS", strict=True)),
                strict=True,
            )
        )
        play(match, [played[seat] for seat in seats])
    points = public(match, "points")[0]
    assert points == 157 - 5 - 16
    assert 980 <= 845 + points < 1000
    play(match, "KC KD KH KS")
    assert public(match, "over")
    result = match.rounds[-1]
    assert len(result["tricks"]) == NINE_TRICKS
    assert {trick["winner"] for trick in result["tricks"]} == {0}
    assert result["match"] is None
    assert result["stoeck"] == [20, 0, 20, 0]
    assert result["points"] == [points + 20, 0, points + 20, 0]
    assert totals(match) == (845 + points + 20, 0)


def test_the_match_bonus_may_end_the_match__SC6_CT6() -> None:
    """Match and last trick are counted with the ninth trick; `match` names the side."""
    match = fresh(weis="off")
    sweeps(match, "trump C", "trump C", "trump C")
    assert totals(match) == (771, 0)
    result = sweep(match, "trump C")
    assert public(match, "over")
    assert totals(match) == (1028, 0)
    assert result["match"] == 0
    assert len(result["tricks"]) == NINE_TRICKS


@pytest.mark.parametrize("end", ["at_once", "round"])
@pytest.mark.parametrize(("target", "rounds"), [(1000, 4), (1500, 6), (2500, 10), (3000, 12)])
def test_the_match_ends_when_the_target_is_reached__SC6(target: int, rounds: int, end: str) -> None:
    """Rounds of 257 for side 0 until the target is reached, and not one more."""
    match = fresh(weis="off", target=target, end=end)
    for number in range(1, rounds + 1):
        assert not public(match, "over"), number
        sweep(match, "trump C")
    assert public(match, "over")
    assert totals(match)[0] >= target
    assert len(match.rounds) == rounds
    assert totals(match)[0] - sides([int(mark) for mark in match.rounds[-1]["marks"]])[0] < target


def test_at_once_is_the_default_and_1000_the_target__SC6() -> None:
    """Without options a match goes to 1000 and ends in the middle of a round."""
    game = jt.game("schieber")
    assert (game.options["target"], game.options["end"], game.options["rounds"]) == (
        1000,
        "at_once",
        0,
    )


# SC7: a fixed number of rounds.


@pytest.mark.parametrize("rounds", [4, 8, 12, 16])
def test_the_match_has_the_chosen_number_of_rounds__SC7(rounds: int) -> None:
    """The match has exactly so many rounds, whatever the totals."""
    match = fresh(rounds=rounds, multipliers="swiss")
    for number in range(rounds):
        assert not public(match, "over"), number
        assert len(sweep(match, "trump S")["tricks"]) == NINE_TRICKS
    assert public(match, "over")
    assert match.winners == [1, 3]
    assert totals(match) == (0, rounds * 554)


@pytest.mark.parametrize("end", ["at_once", "round"])
def test_target_and_end_have_no_effect_with_a_fixed_number_of_rounds__SC7(end: str) -> None:
    """Far over the target every round is still played, to its end."""
    match = fresh(rounds=4, target=1000, end=end, multipliers="swiss")
    sweeps(match, "tops", "tops", "tops")
    assert totals(match) == (1542, 771)
    assert not public(match, "over")
    sweep(match, "trump S")
    assert public(match, "over")
    assert all(len(result["tricks"]) == NINE_TRICKS for result in match.rounds)
    assert match.winners == [0, 2]


def test_all_four_win_with_equal_totals_after_the_last_round__SC7() -> None:
    """Two sweeps each: all four have won."""
    match = fresh(rounds=4, weis="off")
    sweeps(match, "tops", "tops", "tops", "tops")
    assert totals(match) == (514, 514)
    assert match.winners == [0, 1, 2, 3]


# Rounds worked out by hand.


def weis_plays(worked: Worked, announcing: Sequence[int]) -> list[str]:
    """The cards of a round, these seats announcing Weis with their first."""
    leader = worked.tricks[0][0]
    return [
        f"{card} weis" if turn < 4 and (leader + turn) % 4 in announcing else card
        for turn, card in enumerate(worked.played)
    ]


PAPER: list[tuple[Worked, str, tuple[int, ...], dict[str, Any], dict[str, Any]]] = [
    # 95 : 62; seats 1 and 3 show 20 each; hearts count once: 95 : 102.
    (
        worked_contracts.HEARTS,
        "trump H",
        (1, 3),
        {"multipliers": "french"},
        {"points": (95, 102), "marks": (95, 102), "weis": (0, 40), "stoeck": (0, 0)},
    ),
    # The same, seat 1 alone announcing, without factors.
    (
        worked_contracts.HEARTS,
        "push, trump H",
        (1,),
        {},
        {"points": (95, 82), "marks": (95, 82), "weis": (0, 20), "stoeck": (0, 0)},
    ),
    # 75 : 82, Stöck of seat 2 and 20 of seat 3: 95 : 102, clubs count double.
    (
        worked_contracts.CLUBS,
        "trump C",
        (3,),
        {"multipliers": "french"},
        {"points": (95, 102), "marks": (190, 204), "weis": (0, 20), "stoeck": (20, 0)},
    ),
    # In a tournament the same cards are 75 : 82.
    (
        worked_contracts.CLUBS,
        "trump C",
        (),
        {"weis": "off"},
        {"points": (75, 82), "marks": (75, 82), "weis": (0, 0), "stoeck": (0, 0)},
    ),
    # Spades, no Weis held; king and queen in two hands: 89 : 68, doubled.
    (
        worked_contracts.SPADES,
        "trump S",
        (),
        {"multipliers": "swiss"},
        {"points": (89, 68), "marks": (178, 136), "weis": (0, 0), "stoeck": (0, 0)},
    ),
    # Bottoms after a push, three times 126 : 31.
    (
        worked_contracts.BOTTOMS,
        "push, bottoms",
        (),
        {"multipliers": "swiss"},
        {"points": (126, 31), "marks": (378, 93), "weis": (0, 0), "stoeck": (0, 0)},
    ),
    # Slalom from below: 84 : 73 and 20 of seat 3, three times.
    (
        worked_contracts.SLALOM_BOTTOMS,
        "slalom bottoms",
        (3,),
        {"multipliers": "french", "slalom": "on"},
        {"points": (84, 93), "marks": (252, 279), "weis": (0, 20), "stoeck": (0, 0)},
    ),
]


@pytest.mark.parametrize(("worked", "say", "announcing", "options", "expected"), PAPER)
def test_rounds_score_as_worked_out_by_hand__SC(
    worked: Worked,
    say: str,
    announcing: tuple[int, ...],
    options: dict[str, Any],
    expected: dict[str, Any],
) -> None:
    """Every trick, the points before and the marks after the factor, Weis and Stöck."""
    dealer = (worked.tricks[0][0] + 3) % 4
    match = schieber(worked.dealt, say, dealer=dealer, **options)
    running = [0, 0]
    plays = weis_plays(worked, announcing)
    for number, (_, _, winner, worth) in enumerate(worked.tricks[:-1]):
        play(match, plays[4 * number : 4 * number + 4])
        running[winner % 2] += worth
        extra = zip(sides(public(match, "weis")), sides(public(match, "stoeck")), strict=True)
        shown_now = [points + sum(more) for points, more in zip(running, extra, strict=True)]
        assert list(sides(public(match, "points"))) == shown_now
    play(match, plays[32:])
    result = match.rounds[0]
    assert result["tricks"] == worked.written
    assert result["match"] is None
    assert sides(result["points"]) == expected["points"]
    assert result["marks"] == [str(expected["marks"][seat % 2]) for seat in range(4)]
    assert sides(result["weis"]) == expected["weis"]
    assert sides(result["stoeck"]) == expected["stoeck"]
    assert totals(match) == expected["marks"]


def test_standing_holds_side_and_points() -> None:
    """The standing has no other keys."""
    match = schieber(random_hands(9), "tops")
    finish_round(match)
    first, second = totals(match)
    assert match.standing == [
        {"side": seat % 2, "points": (first, second)[seat % 2]} for seat in range(4)
    ]
