"""I Doubt It, clause by clause."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

import jasstisch as jt
from jasstisch.engine.cards import SUITS, cards_in_set
from jasstisch.games.i_doubt_it import FULL_DECK, IDoubtIt
from tests.rules import match_builders
from tests.rules.match_builders import cards, refused
from tests.support.example_counts import examples

RANKS = "23456789TJQKA"
SIZES = {2: 26, 3: 17, 4: 13, 5: 10, 6: 8, 7: 7, 8: 6}
SURPLUS = {2: 0, 3: 1, 4: 0, 5: 2, 6: 4, 7: 3, 8: 4}

many = settings(max_examples=examples(60, 7), deadline=None)


def packed(wanted: Mapping[int, str], players: int = 4, surplus: str = "") -> str:
    """The pack that deals these cards among others, the last seat dealing (ID1, C6)."""
    hands = [cards(wanted.get(seat, "")) for seat in range(players)]
    middle = cards(surplus)
    given_out = [*itertools.chain(*hands), *middle]
    assert len(set(given_out)) == len(given_out), "a card is wanted twice"
    rest = [card for card in FULL_DECK.texts if card not in given_out]
    for hand in hands:
        while len(hand) < SIZES[players]:
            hand.append(rest.pop(0))
        assert len(hand) == SIZES[players], "a hand is too big"
    return " ".join([*itertools.chain(*zip(*hands, strict=True)), *middle, *rest])


def start(
    wanted: Mapping[int, str] | None = None, players: int = 4, surplus: str = "", **options: Any
) -> jt.Match:
    """A match whose first deal is this; the last seat has dealt, so that seat 0 begins."""
    match = jt.Match(jt.game("i-doubt-it", players=players, dealer=players - 1, **options))
    match.deal(packed(wanted or {}, players, surplus))
    return match


def middle(match: jt.Match) -> list[str]:
    """The cards in the middle, from the top down, which no player sees."""
    rules = match._rules
    assert isinstance(rules, IDoubtIt)
    return [FULL_DECK.texts[card] for card in reversed(rules.middle)]


def lay(match: jt.Match, laid: str = "", rank: str = "A") -> list[str]:
    """The seat to act lays these cards, by default its first; returns the cards."""
    (seat,) = match.to_act
    chosen = cards(laid) if laid else match.hand(seat)[: match.legal(seat)[0].count(" ") - 2]
    match.act(seat, f"lay {' '.join(chosen)} as {rank}")
    return chosen


def all_pass(match: jt.Match) -> None:
    """Nobody doubts the open claim."""
    for _ in range(match.game.players - 1):
        match.act(match.to_act[0], "pass")


def unseen(match: jt.Match, turns: int, rank: str = "A") -> None:
    """Plays so many turns in which the first cards of the hand are laid and nobody doubts."""
    for _ in range(turns):
        lay(match, rank=rank)
        all_pass(match)


def turns(match: jt.Match, reader: int | None = None) -> list[dict[str, Any]]:
    """The turns of the deal as a reader knows them."""
    result: list[dict[str, Any]] = match.view(reader)["turns"]
    return result


# ID1: players and deal.


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 7, 8])
def test_the_pack_is_dealt_singly_and_the_surplus_lies_in_the_middle__ID1(players: int) -> None:
    """Forehand gets the first card, each the same number; the next of the pack tops the middle."""
    rng = random.Random(players)
    pack = rng.sample(FULL_DECK.texts, 52)
    dealer = rng.randrange(players)
    match = jt.Match(jt.game("i-doubt-it", players=players, dealer=dealer))
    assert set(match.pack) == {rank + suit for rank in RANKS for suit in SUITS}
    match.deal(pack)
    each = SIZES[players]
    for place in range(players):
        seat = (dealer + 1 + place) % players
        assert set(match.hand(seat)) == set(pack[place : each * players : players])
    assert middle(match) == pack[each * players :]
    for reader in [None, *range(players)]:
        view = match.view(reader)
        assert view["hand_sizes"] == [each] * players
        assert view["middle"] == SURPLUS[players]
        assert view["phase"] == "lay"
        assert view["to_act"] == [(dealer + 1) % players]
        assert view["claim"] is None
        assert view["turns"] == []
        assert (view["trick"], view["last_trick"], view["tricks"], view["trump"]) == (
            [], None, [], None,
        )  # fmt: skip


@pytest.mark.parametrize("players", [1, 9, 0, -2, 4.0, True, "4"])
def test_other_than_two_to_eight_players_are_refused__ID1(players: Any) -> None:
    with pytest.raises(jt.GameError, match="players is a whole number from 2 to 8"):
        jt.game("i-doubt-it", players=players)


def test_a_hand_is_shown_in_order_of_suits_and_ranks__ID1() -> None:
    match = start({0: "2A9H KTD 3C"})
    hand = match.hand(0)
    assert hand == sorted(hand, key=lambda card: ("CDHS".index(card[1]), RANKS.index(card[0])))


# ID2: laying and claiming.


@pytest.mark.parametrize("rank", RANKS)
def test_any_rank_may_be_claimed_with_any_three_cards__ID2(rank: str) -> None:
    """True or false, a claim is accepted, the cards leave the hand, all see number and rank."""
    match = start({0: "3C 7KD"})
    before = match.hand(0)
    match.act(0, f"lay 3C 7D KD as {rank}")
    assert set(before) - set(match.hand(0)) == {"3C", "7D", "KD"}
    for reader in [None, 0, 1, 2, 3]:
        view = match.view(reader)
        assert view["claim"] == {"seat": 0, "rank": rank, "count": 3}
        assert view["phase"] == "answer"
        assert view["claims"] == 1
        assert view["hand_sizes"] == [10, 13, 13, 13]
        assert view["middle"] == 0


@pytest.mark.parametrize("laid", [*itertools.permutations(["3C", "7D", "KD"])])
def test_cards_are_accepted_in_any_order_and_laid_as_written__ID2(laid: tuple[str, ...]) -> None:
    """The last one is on top, the log keeps the order, and the layer sees it so."""
    match = start({0: "3C 7KD"})
    match.act(0, f"lay {' '.join(laid)} as J")
    assert match.record()["log"][-1] == [0, f"lay {' '.join(laid)} as J"]
    assert turns(match, 0)[-1]["laid"] == list(laid)
    all_pass(match)
    assert middle(match) == list(reversed(laid))


@pytest.mark.parametrize(
    ("action", "printed"),
    [
        ("lay 3c 7d kd as j", "lay 3C 7D KD as J"),
        ("  LAY  KD 7d   3C AS   j ", "lay KD 7D 3C as J"),
        ("lay AS 3C 7D as A", "lay AS 3C 7D as A"),
        ("lay 3c 7d as as as", None),
        ("lay 3C 7D as as a", "lay 3C 7D AS as A"),
        ("Lay as 7D 3c As 2", "lay AS 7D 3C as 2"),
    ],
)
def test_case_and_spaces_do_not_matter__ID2(action: str, printed: str | None) -> None:
    """`AS` is a card as well as a word: the last but one is the word."""
    match = start({0: "3C 7KD AS"})
    if printed is None:
        assert refused(match, 0, action).reason == "lay"
    else:
        assert match.refusal(0, action) is None
        match.act(0, action)
        assert match.record()["log"][-1] == [0, printed]


def test_legal_lists_each_set_once_in_order_of_the_hand__ID2() -> None:
    """C(13, 3) sets times 13 ranks; the claims of a set stand together, from 2 to A."""
    match = start()
    hand = match.hand(0)
    legal = list(match.legal(0))
    assert legal == [
        f"lay {' '.join(three)} as {rank}"
        for three in itertools.combinations(hand, 3)
        for rank in RANKS
    ]
    assert len(match.legal(0)) == 286 * 13
    for seat in (1, 2, 3):
        assert len(match.legal(seat)) == 0


@pytest.mark.parametrize(
    ("action", "reason", "said"),
    [
        ("", "lay", "it is your turn to lay cards and claim a rank"),
        ("lay", "lay", "lay 3C 7D KD as J"),
        ("doubt", "lay", "lay 3C 7D KD as J"),
        ("pass", "lay", "lay 3C 7D KD as J"),
        ("play 3C", "lay", "lay 3C 7D KD as J"),
        ("3C 7D KD as J", "lay", "lay 3C 7D KD as J"),
        ("lay 3C 7D KD J", "lay", "lay 3C 7D KD as J"),
        ("lay 3C 7D KD as", "lay", "a rank of 23456789TJQKA"),
        ("lay 3C 7D KD as 1", "lay", "a rank of 23456789TJQKA"),
        ("lay 3C 7D KD as 10", "lay", "a rank of 23456789TJQKA"),
        ("lay 3C 7D KD as 234", "lay", "a rank of 23456789TJQKA"),
        ("lay 3C 7D KD as J J", "lay", "a rank of 23456789TJQKA"),
        ("lay 3C 7D 1D as J", "lay", "unknown card '1D'"),
        ("lay 3C 7D KD\x00 as J", "lay", "unknown card"),
        ("lay 3C 7D KD as \uff2a", "lay", "lay 3C 7D KD as J"),
        ("lay as J", "lay", "3 different cards are laid now, not ''"),
        ("lay 3C 7D as J", "lay", "3 different cards are laid now, not '3C 7D'"),
        ("lay 3C 7D KD 9S as J", "lay", "3 different cards are laid now"),
        ("lay 3C 7D 7D as J", "lay", "3 different cards are laid now, not '3C 7D 7D'"),
        ("lay 3C 7D KD 3C as J", "lay", "3 different cards are laid now"),
        ("lay 3C 7D 4C as J", "not_held", "seat 0 does not hold 4C"),
        ("lay 5C 7D 4C as J", "not_held", "seat 0 does not hold 4C 5C"),
    ],
)
def test_anything_but_three_different_cards_of_ones_own_is_refused__ID2_C12(
    action: str, reason: str, said: str
) -> None:
    """The refusal names clause, reason and what is due, and nothing has changed."""
    match = start({0: "3C 7KD 9S", 1: "45C"})
    error = refused(match, 0, action)
    assert (error.clause, error.reason) == ("ID2", reason)
    assert said in error.refusal.text
    assert len(error.legal) == 286 * 13
    assert match.refusal(0, action) == error.refusal


def test_a_long_refusal_is_cut_short__C12() -> None:
    match = start({0: "3C"})
    assert len(str(refused(match, 0, f"lay {'3C ' * 5000}as J"))) < 600


@pytest.mark.parametrize("action", [None, 5, b"doubt", ["lay"]])
def test_actions_that_are_no_text_are_refused__C12(action: Any) -> None:
    match = start()
    assert refused(match, 0, action).reason == "unknown"
    refusal = match.refusal(0, action)
    assert refusal is not None
    assert refusal.reason == "lay"


# ID3, ID4: doubting and passing.


@pytest.mark.parametrize("layer", [0, 1, 2, 3])
def test_the_others_answer_in_turn_from_the_seat_after_the_layer__ID3(layer: int) -> None:
    """One at a time, each knowing the answers before; no other seat, and not the layer."""
    match = start()
    unseen(match, layer)
    lay(match)
    heard: list[int] = []
    for step in (1, 2, 3):
        seat = (layer + step) % 4
        assert match.to_act == (seat,)
        assert list(match.legal(seat)) == ["doubt", "pass"]
        for other in {0, 1, 2, 3} - {seat}:
            assert len(match.legal(other)) == 0
            error = refused(match, other, "doubt")
            assert (error.clause, error.reason) == ("C12", "turn")
        for reader in (None, 0, 1, 2, 3):
            assert turns(match, reader)[-1]["passed"] == heard
        match.act(seat, "PASS ")
        assert match.record()["log"][-1] == [seat, "pass"]
        heard.append(seat)
    assert match.to_act == ((layer + 1) % 4,)
    assert match.view(None)["phase"] == "lay"


@pytest.mark.parametrize("action", ["", "lay 3C 7D KD as J", "stay", "doubt it", "play JC", "no"])
def test_an_answer_is_doubt_or_pass__ID3(action: str) -> None:
    match = start({0: "3C 7KD"})
    match.act(0, "lay 3C 7D KD as J")
    error = refused(match, 1, action)
    assert (error.clause, error.reason) == ("ID3", "answer")
    assert error.refusal.text == "seat 0 claims 3 × J: an answer is due, doubt or pass"
    assert list(error.legal) == ["doubt", "pass"]


@pytest.mark.parametrize("doubter", [1, 2, 3])
def test_a_false_claim_goes_back_with_the_whole_middle__ID3(doubter: int) -> None:
    """The layer takes the three cards and the middle; the turn passes to the next seat."""
    match = start()
    unseen(match, 4)
    held = set(match.hand(0)) | set(middle(match))
    laid = lay(match, rank="K")
    for seat in range(1, doubter):
        match.act(seat, "pass")
    match.act(doubter, "Doubt")
    assert set(match.hand(0)) == held
    for reader in (None, 0, 1, 2, 3):
        view = match.view(reader)
        assert view["middle"] == 0
        assert view["hand_sizes"] == [22, 10, 10, 10]
        assert view["turns"][-1] == {
            "seat": 0,
            "drew": 0,
            "drawn": [] if reader == 0 else None,
            "rank": "K",
            "count": 3,
            "laid": laid,
            "passed": list(range(1, doubter)),
            "doubter": doubter,
            "truth": False,
            "taker": 0,
            "taken": 15,
        }
        assert view["to_act"] == [1]
        assert view["phase"] == "lay"
        assert view["claim"] is None
    assert match.record()["log"][-1] == [doubter, "doubt"]


@pytest.mark.parametrize("doubter", [2, 3, 0])
def test_a_true_claim_and_the_middle_go_to_the_doubter__ID3(doubter: int) -> None:
    """Even then it is the turn of the seat after the layer."""
    match = start({0: "345C", 1: "JC JD JH"})
    lay(match, "345C", rank="K")
    all_pass(match)
    lay(match, "JH JC JD", rank="J")
    while match.to_act != (doubter,):
        match.act(match.to_act[0], "pass")
    match.act(doubter, "doubt")
    assert {"JH", "JC", "JD", "3C", "4C", "5C"} <= set(match.hand(doubter))
    turn = turns(match)[-1]
    assert (turn["truth"], turn["taker"], turn["taken"]) == (True, doubter, 6)
    assert turn["laid"] == ["JH", "JC", "JD"]
    assert match.view(None)["middle"] == 0
    assert match.to_act == (2,)


@pytest.mark.parametrize("odd", [0, 1, 2])
def test_one_card_of_another_rank_makes_a_claim_false__ID3(odd: int) -> None:
    match = start({0: "JC JD QH"})
    laid = ["JC", "JD"]
    laid.insert(odd, "QH")
    match.act(0, f"lay {' '.join(laid)} as J")
    match.act(1, "doubt")
    assert turns(match)[-1]["truth"] is False
    assert len(match.hand(0)) == 13


def test_a_claim_is_about_the_cards_laid_not_the_cards_held__ID3() -> None:
    """Three fours laid as jacks are a lie, even if the layer holds three jacks."""
    match = start({0: "4C 4D 4H JC JD JH"})
    lay(match, "4C 4D 4H", rank="J")
    match.act(1, "doubt")
    assert turns(match)[-1]["truth"] is False
    lay(match)
    all_pass(match)


def test_undoubted_cards_stay_hidden__ID4() -> None:
    """Only their layer sees them, and nobody learns the truth of the claim, even once taken."""
    match = start()
    laid = lay(match)
    all_pass(match)
    assert middle(match)[:3] == laid[::-1]
    assert match.view(None)["middle"] == 3
    lay(match, rank="K")
    match.act(2, "doubt")
    for reader in (None, 0, 1, 2, 3):
        first = turns(match, reader)[0]
        assert first["laid"] == (laid if reader == 0 else None)
        assert first["truth"] is None
        assert first["passed"] == [1, 2, 3]
        assert (first["doubter"], first["taker"], first["taken"]) == (None, None, 0)


def test_other_players_see_only_the_claim_of_a_lay__ID2() -> None:
    """For them the description of the action names no card."""
    match = start({0: "3C 7KD"})
    match.act(0, "lay 3C 7D KD as J")
    assert match.describe_last_action(0) == "lay 3C 7D KD as J"
    for reader in (None, 1, 2, 3):
        assert match.describe_last_action(reader) == "lay 3 as J"
    match.act(1, "doubt")
    assert {match.describe_last_action(reader) for reader in (None, 0, 1, 2, 3)} == {"doubt"}


# ID5: fewer than three cards.


def two_cards_left(last: str = "three", **options: Any) -> jt.Match:
    """Six players of eight cards who have laid twice each: seat 0 has two left."""
    match = start(players=6, last=last, **options)
    unseen(match, 12)
    return match


def one_card_left(last: str = "three", **options: Any) -> jt.Match:
    """Seven players of seven cards who have laid twice each: seat 0 has one left."""
    match = start(players=7, last=last, **options)
    unseen(match, 14)
    return match


@pytest.mark.parametrize("held", [1, 2])
def test_a_player_with_one_or_two_cards_draws_up_to_three__ID5(held: int) -> None:
    """From the top, automatically, before the claim; others see only the number of cards."""
    match = start(players=8 - held)
    unseen(match, 2 * (8 - held) - 1)
    own = match.hand(0)
    assert len(own) == held
    laid = lay(match)
    before = [*reversed(laid), *middle(match)]
    all_pass(match)
    drawn = before[: 3 - held]
    assert match.to_act == (0,)
    assert set(match.hand(0)) == {*own, *drawn}
    for reader in (None, 0, 1):
        view = match.view(reader)
        assert view["hand_sizes"][0] == 3
        assert view["middle"] == len(before) - len(drawn)
        assert view["phase"] == "lay"
        assert view["claims"] == 2 * (8 - held)
        assert view["turns"][-1] == {
            "seat": 0,
            "drew": len(drawn),
            "drawn": drawn if reader == 0 else None,
            "rank": None,
            "count": 0,
            "laid": [] if reader == 0 else None,
            "passed": [],
            "doubter": None,
            "truth": None,
            "taker": None,
            "taken": 0,
        }
    lay(match, rank="7")
    turn = turns(match)[-1]
    assert len(turns(match)) == 2 * (8 - held) + 1
    assert (turn["seat"], turn["drew"], turn["rank"], turn["count"]) == (0, 3 - held, "7", 3)


def test_a_draw_is_no_claim_and_cannot_be_doubted__ID5() -> None:
    match = one_card_left()
    for seat in range(1, 7):
        assert refused(match, seat, "doubt").reason == "turn"
    assert len(match.legal(0)) == 13


@pytest.mark.parametrize("held", [1, 2])
def test_with_an_empty_middle_a_short_hand_misses_its_turn__ID5(held: int) -> None:
    """It keeps its cards; the turn passes on automatically, visibly, and is no claim."""
    players = 8 - held
    match = start(players=players)
    unseen(match, 2 * players - 1)
    own = match.hand(0)
    lay(match, rank=false_rank(match))
    match.act(0, "doubt")
    assert match.hand(0) == own
    assert len(own) == held
    assert match.to_act == (players - 1,)
    assert turns(match, 0)[2 * players]["seat"] == 0
    assert turns(match, 0)[2 * players]["count"] == 0
    assert match.view(None)["claims"] == 2 * players
    assert match.view(None)["middle"] == 0


def test_missed_turns_are_listed_one_after_the_other__ID5() -> None:
    """Six players with two cards each but the last, who has taken everything: five miss a turn."""
    match = start(players=6)
    unseen(match, 11)
    lay(match, rank=false_rank(match))
    match.act(0, "doubt")
    assert match.view(None)["hand_sizes"] == [2, 2, 2, 2, 2, 42]
    assert match.to_act == (5,)
    missed = turns(match)[12:]
    assert [turn["seat"] for turn in missed] == [0, 1, 2, 3, 4]
    for turn in missed:
        assert (turn["drew"], turn["count"], turn["rank"]) == (0, 0, None)
        assert (turn["passed"], turn["doubter"], turn["taker"], turn["taken"]) == (
            [],
            None,
            None,
            0,
        )
    assert [turn["drawn"] for turn in turns(match, 2)[12:]] == [None, None, [], None, None]
    assert match.view(None)["claims"] == 12
    lay(match)
    all_pass(match)
    assert turns(match)[-1]["seat"] == 0
    assert turns(match)[-1]["drew"] == 1


def false_rank(match: jt.Match) -> str:
    """A rank that makes it a lie to lay the first cards of the hand."""
    first = match.hand(match.to_act[0])[0]
    return "2" if first[0] != "2" else "3"


@pytest.mark.parametrize("held", [1, 2])
def test_with_last_any_the_last_one_or_two_cards_are_laid__ID5(held: int) -> None:
    """All of them, nothing is drawn, and the claim is for that many."""
    match = one_card_left("any") if held == 1 else two_cards_left("any")
    own = match.hand(0)
    assert len(own) == held
    assert match.view(None)["turns"][-1]["seat"] != 0
    assert list(match.legal(0)) == [f"lay {' '.join(own)} as {rank}" for rank in RANKS]
    match.act(0, f"lay {' '.join(reversed(own))} as q")
    assert match.view(None)["claim"] == {"seat": 0, "rank": "Q", "count": held}
    assert match.describe_last_action(None) == f"lay {held} as Q"
    assert match.hand(0) == []
    assert turns(match, 0)[-1]["laid"] == own[::-1]


@pytest.mark.parametrize(
    ("held", "action", "said"),
    [
        (1, "pass", "lay 3C as J"),
        (1, "lay as J", "1 card is laid now"),
        (1, "lay {0} {0} as J", "1 card is laid now"),
        (2, "lay {0} as J", "2 different cards are laid now"),
        (2, "lay {0} {0} as J", "2 different cards are laid now"),
    ],
)
def test_with_last_any_no_more_and_no_fewer_may_be_laid__ID5(
    held: int, action: str, said: str
) -> None:
    match = one_card_left("any") if held == 1 else two_cards_left("any")
    error = refused(match, 0, action.format(match.hand(0)[0]))
    assert (error.clause, error.reason) == ("ID5", "lay")
    assert said in error.refusal.text


def test_with_last_any_three_cards_are_due_as_long_as_there_are_three__ID5() -> None:
    match = start(players=7, last="any")
    unseen(match, 7)
    assert len(match.hand(0)) == 4
    assert len(match.legal(0)) == 4 * 13
    error = refused(match, 0, f"lay {match.hand(0)[0]} as J")
    assert (error.clause, error.reason) == ("ID2", "lay")


def test_with_last_any_a_true_claim_of_two_is_proved_by_two__ID5_ID3() -> None:
    match = start({0: "2C 3C 4C 5C 6C 7C JC JS"}, players=6, last="any")
    for _ in range(2):
        lay(match)
        all_pass(match)
        unseen(match, 5)
    lay(match, "JC JS", rank="J")
    match.act(1, "doubt")
    assert match.rounds[0]["left"][0] == 0
    assert match.rounds[0]["left"][1] == 2 + 38 + 4


# ID6: going out.


def last_claim(rank: str, **options: Any) -> jt.Match:
    """Eight players, seat 0 to lay its last three cards, 2C 2D 2H, as some rank."""
    match = start({0: "2C 2D 2H 9C 9D TS"}, players=8, **options)
    lay(match, "9C 9D TS", rank="9")
    all_pass(match)
    unseen(match, 7)
    assert match.view(None)["middle"] == 28
    lay(match, "2C 2D 2H", rank=rank)
    return match


def test_a_player_whose_last_cards_are_not_doubted_wins__ID6() -> None:
    """True or not, the player gets a chip from each other player for each card they hold."""
    match = last_claim("K")
    for seat in range(1, 8):
        assert match.rounds == []
        match.act(seat, "pass")
    result = match.rounds[0]
    assert result == {
        "dealer": 7,
        "trump": None,
        "tricks": [],
        "points": [21, -3, -3, -3, -3, -3, -3, -3],
        "marks": ["+21", "-3", "-3", "-3", "-3", "-3", "-3", "-3"],
        "claims": 9,
        "chips": [21, -3, -3, -3, -3, -3, -3, -3],
        "left": [0, 3, 3, 3, 3, 3, 3, 3],
    }
    assert match.standing == [{"chips": chips} for chips in result["chips"]]


def test_a_player_doubted_with_true_last_cards_wins__ID6() -> None:
    """The doubter takes three cards and the middle before their hand is counted."""
    match = last_claim("2")
    match.act(1, "pass")
    match.act(2, "doubt")
    assert match.rounds[0]["left"] == [0, 3, 34, 3, 3, 3, 3, 3]
    assert match.rounds[0]["chips"] == [52, -3, -34, -3, -3, -3, -3, -3]
    assert match.rounds[0]["marks"] == ["+52", "-3", "-34", "-3", "-3", "-3", "-3", "-3"]


def test_the_deal_goes_on_after_a_lie_with_the_last_cards__ID6() -> None:
    """The layer takes them and the middle, and the deal goes on."""
    match = last_claim("K")
    match.act(1, "doubt")
    assert match.rounds == []
    assert len(match.hand(0)) == 31
    assert match.to_act == (1,)


def test_last_cards_are_settled_before_anybody_wins__ID6() -> None:
    """An empty hand alone is not enough: while the claim is open the deal goes on."""
    match = last_claim("2")
    view = match.view(None)
    assert view["hand_sizes"][0] == 0
    assert view["phase"] == "answer"
    assert not match.rounds
    assert not match.over


def test_after_a_deal_views_are_cleared_but_keep_the_last_turns__ID6() -> None:
    """The last reveal stays visible until the next pack is dealt."""
    match = last_claim("2")
    match.act(1, "doubt")
    for reader in (None, 0, 1):
        view = match.view(reader)
        assert view["phase"] == "deal"
        assert view["needs_pack"] is True
        assert view["hand"] == (None if reader is None else [])
        assert view["hand_sizes"] == [0] * 8
        assert view["points"] == [0] * 8
        assert (view["middle"], view["claim"], view["claims"]) == (0, None, 9)
        assert view["turns"][-1]["laid"] == ["2C", "2D", "2H"]
        assert view["turns"][-1]["truth"] is True
    assert match.trick == []
    assert match.trump is None
    match.deal(FULL_DECK.texts)
    assert turns(match) == []
    assert match.view(None)["claims"] == 0


# ID7: the match.


@pytest.mark.parametrize("players", [2, 3, 5, 8])
def test_a_match_has_one_deal_per_player__ID7(players: int) -> None:
    game = jt.game("i-doubt-it", players=players, max_turns=20)
    assert game.options["rounds"] == players
    match = jt.Match(game)
    rng = random.Random(players)
    dealers = []
    for number in range(players):
        assert not match.over
        assert match.view(None)["round"] == number + 1
        match_builders.finish_round(match, rng)
        dealers.append(match.rounds[-1]["dealer"])
    assert match.over
    assert sorted(dealers) == list(range(players))
    assert match.view(None)["round"] == players


def test_most_chips_win__ID7() -> None:
    """Over all deals; chips may be negative."""
    match = jt.Match(jt.game("i-doubt-it", rounds=3))
    match_builders.finish(match, random.Random(6))
    total = [sum(one) for one in zip(*(result["chips"] for result in match.rounds), strict=True)]
    assert [one["chips"] for one in match.standing] == total
    assert min(total) < 0
    assert match.winners == [seat for seat in range(4) if total[seat] == max(total)]
    assert len(match.winners) == 1
    assert match.record()["result"] == {"standing": match.standing, "winners": match.winners}


def test_players_with_equal_chips_share_the_win__ID7() -> None:
    """A deal that pays nobody is a win for all."""
    match = start(rounds=1, max_turns=20)
    for _ in range(20):
        lay(match, rank=false_rank(match))
        match.act((match.to_act[0]), "doubt")
    assert match.over
    assert match.winners == [0, 1, 2, 3]
    assert match.to_act == ()
    assert not match.needs_pack
    error = refused(match, 0, "doubt")
    assert error.reason == "over"


@pytest.mark.parametrize(("option", "low", "high"), [("rounds", 1, 60), ("max_turns", 20, 5000)])
def test_numbers_of_deals_and_claims_have_bounds__ID7_ID8(option: str, low: int, high: int) -> None:
    for value in (low, high):
        assert jt.game("i-doubt-it", **{option: value}).options[option] == value
    wrong: list[Any] = [low - 1, high + 1, float(low), True, None, str(low)]
    for one in wrong:
        with pytest.raises(jt.GameError, match=f"{option} is a whole number from {low} to {high}"):
            jt.game("i-doubt-it", **{option: one})


# ID8: a deal that does not end.


@pytest.mark.parametrize("players", range(2, 9))
def test_default_claims_are_12_per_player_or_25_for_few_players__ID8(
    players: int,
) -> None:
    each = 25 if players <= 3 else 12
    assert jt.game("i-doubt-it", players=players).options["max_turns"] == each * players


def long_deal(**options: Any) -> jt.Match:
    """Four players, 19 of 20 claims false and doubted: all still hold the cards dealt."""
    match = start({3: "2C 2D 2H 2S"}, max_turns=20, **options)
    for _ in range(19):
        lay(match, rank=false_rank(match))
        match.act(match.to_act[0], "doubt")
        assert match.view(None)["hand_sizes"] == [13] * 4
    assert match.to_act == (3,)
    return match


def test_after_the_last_claim_the_smallest_hand_is_paid__ID8() -> None:
    """From each other player the difference in cards."""
    match = long_deal()
    lay(match, "2C 2D 2H", rank="2")
    assert match.rounds == []
    match.act(0, "pass")
    match.act(1, "doubt")
    assert match.rounds[0]["left"] == [13, 16, 13, 10]
    assert match.rounds[0]["chips"] == [-3, -6, -3, 12]
    assert match.rounds[0]["marks"] == ["-3", "-6", "-3", "+12"]
    assert match.rounds[0]["claims"] == 20
    assert match.view(None)["dealer"] == 0


def test_an_undoubted_last_claim_ends_the_deal_too__ID8() -> None:
    match = long_deal()
    lay(match, rank="5")
    for seat in range(3):
        assert match.rounds == []
        match.act(seat, "pass")
    assert match.rounds[0]["chips"] == [-3, -3, -3, 9]


def test_equal_smallest_hands_are_paid_nothing__ID8() -> None:
    match = long_deal()
    lay(match, rank=false_rank(match))
    match.act(0, "doubt")
    assert match.rounds[0]["left"] == [13] * 4
    assert match.rounds[0]["chips"] == [0] * 4
    assert match.rounds[0]["marks"] == ["0"] * 4


def test_two_equal_smallest_hands_among_others_are_paid_nothing__ID8() -> None:
    match = start({0: "2C 2D 2H", 1: "3C 3D 3H"}, max_turns=20)
    lay(match, "2C 2D 2H", rank="2")
    match.act(1, "pass")
    match.act(2, "doubt")
    lay(match, "3C 3D 3H", rank="3")
    match.act(2, "doubt")
    while not match.rounds:
        lay(match, rank=false_rank(match))
        match.act(match.to_act[0], "doubt")
    assert match.rounds[0]["left"] == [10, 10, 19, 13]
    assert match.rounds[0]["chips"] == [0] * 4


@pytest.mark.parametrize("doubted", [True, False])
def test_a_last_claim_that_empties_a_hand_wins__ID8_ID6(doubted: bool) -> None:
    """Then ID6 decides: that player is paid for all cards of the others."""
    match = start({1: "2C 2D 2H 9C 9D TS"}, players=8, max_turns=26)
    for _ in range(16):
        lay(match, rank=false_rank(match))
        match.act(match.to_act[0], "doubt")
    unseen(match, 1)
    lay(match, "9C 9D TS", rank="9")
    all_pass(match)
    unseen(match, 7)
    lay(match, "2C 2D 2H", rank="2")
    assert match.view(None)["claims"] == 26
    if doubted:
        match.act(2, "doubt")
        assert match.rounds[0]["chips"] == [-4, 52, -33, -3, -3, -3, -3, -3]
    else:
        all_pass(match)
        assert match.rounds[0]["chips"] == [-4, 22, -3, -3, -3, -3, -3, -3]


# ID9: a fee for liars.


@pytest.mark.parametrize("doubter", [1, 2, 3])
def test_a_caught_liar_pays_the_doubter__ID9(doubter: int) -> None:
    """It is in the running points at once and in the standing at the end of the deal."""
    match = start(lie_fee=1, rounds=1, max_turns=20)
    lay(match, rank=false_rank(match))
    for seat in range(1, doubter):
        match.act(seat, "pass")
    match.act(doubter, "doubt")
    points = [-1, 0, 0, 0]
    points[doubter] = 1
    for reader in (None, 0, 3):
        assert match.view(reader)["points"] == points
        assert match.view(reader)["standing"] == [{"chips": 0}] * 4
    while not match.rounds:
        unseen(match, 1)
    paid = match.rounds[0]["chips"]
    left = match.rounds[0]["left"]
    winner = left.index(min(left))
    for seat in set(range(4)) - {winner}:
        assert paid[seat] == points[seat] - (left[seat] - left[winner])
    assert [one["chips"] for one in match.standing] == paid
    assert match.rounds[0]["points"] == paid
    assert sum(paid) == 0


def test_the_doubter_of_a_true_claim_pays_no_fee__ID9() -> None:
    match = start({0: "2C 2D 2H"}, lie_fee=1)
    lay(match, "2C 2D 2H", rank="2")
    match.act(1, "doubt")
    assert match.view(None)["points"] == [0] * 4


def test_by_default_there_is_no_fee__ID9() -> None:
    match = start()
    lay(match, rank=false_rank(match))
    match.act(1, "doubt")
    assert match.view(None)["points"] == [0] * 4


def test_fees_alone_are_paid_where_the_smallest_hands_are_equal__ID8_ID9() -> None:
    """Every player is caught five times, always by the same two."""
    match = start(lie_fee=1, max_turns=20)
    for _ in range(20):
        lay(match, rank=false_rank(match))
        while match.to_act[0] > 1:
            match.act(match.to_act[0], "pass")
        match.act(match.to_act[0], "doubt")
    assert match.rounds[0]["left"] == [13] * 4
    assert match.rounds[0]["chips"] == [10, 0, -5, -5]
    assert match.rounds[0]["marks"] == ["+10", "0", "-5", "-5"]


# The common clauses that hold here.


def test_the_turn_passes_from_seat_to_seat__C4() -> None:
    match = start()
    seen = []
    for _ in range(5):
        seen.append(match.to_act)
        unseen(match, 1)
    assert seen == [(0,), (1,), (2,), (3,), (0,)]


def test_direction_changes_only_the_display__C4() -> None:
    """Clockwise is the default, and the order of seats is the same either way."""
    records = []
    for direction in ("clockwise", "anticlockwise"):
        match = start(direction=direction, rounds=1)
        assert match.view(None)["options"]["direction"] == direction
        match_builders.finish(match, random.Random(1))
        records.append((match.record()["log"], match.rounds))
    assert records[0] == records[1]
    assert jt.game("i-doubt-it").options["direction"] == "clockwise"
    with pytest.raises(jt.GameError, match="'clockwise' or 'anticlockwise'"):
        jt.game("i-doubt-it", direction="left")


@pytest.mark.parametrize(
    ("drawn", "dealer"),
    [
        ("2C 3C 4C 5C", 3),
        ("AC KS QS JS", 0),
        ("2S 3C 2D 2H", 1),
        ("5H 9C 5S 4S", 1),
        ("KD TS KS KH", 2),
        ("AC AD AH 2S", 2),
        ("2H 2D 2C 2S", 3),
    ],
)
def test_highest_card_deals_by_ranks_2_to_a_then_suits__C5(drawn: str, dealer: int) -> None:
    """Draws are public; the deal's pack comes next, forehand begins."""
    match = jt.Match(jt.game("i-doubt-it"))
    front = drawn.split()
    assert match.view(None)["phase"] == "draw"
    assert len(match.pack) == 52
    match.deal([*front, *(card for card in FULL_DECK.texts if card not in front)])
    for reader in (None, 0, 1, 2, 3):
        view = match.view(reader)
        assert view["draw"] == [[seat, card] for seat, card in enumerate(front)]
        assert (view["dealer"], view["phase"], view["needs_pack"]) == (dealer, "deal", True)
        assert view["claims"] == 0
    match.deal(FULL_DECK.texts)
    assert match.to_act == ((dealer + 1) % 4,)


def test_the_deal_passes_to_the_next_seat__C5() -> None:
    match = jt.Match(jt.game("i-doubt-it", dealer=2, rounds=6, max_turns=20))
    assert match.view(None)["draw"] is None
    rng = random.Random(3)
    for dealer in (2, 3, 0, 1, 2, 3):
        assert match.view(None)["dealer"] == dealer
        match.deal(match_builders.shuffled(match, rng))
        assert match.to_act == ((dealer + 1) % 4,)
        assert match_builders.finish_round(match, rng)["dealer"] == dealer


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda pack: pack[1:], "missing 2C"),
        (lambda pack: [*pack[1:], "AS"], "missing 2C, twice AS"),
        (lambda pack: [*pack, "2C"], "twice 2C"),
        (lambda pack: ["1C", *pack[1:]], "unknown card '1C'"),
        (lambda pack: [card for card in pack if card[0] not in "2345"], "missing 2C 3C"),
    ],
)
def test_only_the_whole_pack_of_52_is_accepted__C6(change: Any, said: str) -> None:
    match = jt.Match(jt.game("i-doubt-it"))
    with pytest.raises(jt.IllegalAction) as caught:
        match.deal(change(list(FULL_DECK.texts)))
    assert caught.value.clause == "C6"
    assert said in str(caught.value)
    assert match.record()["log"] == []


def test_while_a_pack_is_awaited_nobody_acts__C6() -> None:
    match = jt.Match(jt.game("i-doubt-it"))
    assert match.to_act == ()
    error = refused(match, 0, "lay 3C 7D KD as J")
    assert (error.clause, error.reason) == ("C6", "pack")
    match.deal(FULL_DECK.texts)
    match.deal(FULL_DECK.texts)
    with pytest.raises(jt.IllegalAction, match="no pack is awaited"):
        match.deal(FULL_DECK.texts)


def test_options_are_exactly_these_with_these_defaults() -> None:
    assert dict(jt.game("i-doubt-it").options) == {
        "players": 4,
        "dealer": None,
        "direction": "clockwise",
        "rounds": 4,
        "max_turns": 48,
        "last": "three",
        "lie_fee": 0,
    }
    for option, value in (("last", "two"), ("lie_fee", 2), ("lie_fee", True), ("target", 5)):
        with pytest.raises(jt.GameError, match=option):
            jt.game("i-doubt-it", **{option: value})


# Properties of every match.


@st.composite
def games(draw: st.DrawFn) -> jt.Game:
    """The game with any options, short enough to be played to its end."""
    players = draw(st.integers(2, 8))
    return jt.game(
        "i-doubt-it",
        players=players,
        dealer=draw(st.none() | st.integers(0, players - 1)),
        direction=draw(st.sampled_from(["clockwise", "anticlockwise"])),
        rounds=draw(st.integers(1, 3)),
        max_turns=draw(st.sampled_from([20, 21, 25, 40, 60])),
        last=draw(st.sampled_from(["three", "any"])),
        lie_fee=draw(st.sampled_from([0, 1])),
    )


class Player:
    """Plays at random, more or less honest and more or less doubtful."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.doubts = self.rng.choice([0.02, 0.1, 0.3, 0.9])
        self.honest = self.rng.choice([0.0, 0.5, 1.0])

    def step(self, match: jt.Match) -> None:
        """Takes one legal step."""
        if match.needs_pack:
            match.deal(match_builders.shuffled(match, self.rng))
            return
        (seat,) = match.to_act
        if "doubt" in match.legal(seat):
            match.act(seat, "doubt" if self.rng.random() < self.doubts else "pass")
            return
        action = self.rng.choice(match.legal(seat))
        count = action.count(" ") - 2
        ranks = [card[0] for card in match.hand(seat)]
        equal = [rank for rank in RANKS if ranks.count(rank) >= count]
        if equal and self.rng.random() < self.honest:
            rank = self.rng.choice(equal)
            own = [card for card in match.hand(seat) if card[0] == rank]
            action = f"lay {' '.join(self.rng.sample(own, count))} as {rank}"
        match.act(seat, action)


players = st.integers(0, 2**32).map(Player)


@many
@given(games(), players)
def test_cards_and_chips_are_conserved_and_a_deal_ends__ID1_ID6_ID8(
    game: jt.Game, player: Player
) -> None:
    """52 cards always, chips that come to zero, and never more claims than allowed."""
    match = jt.Match(game)
    while not match.over:
        player.step(match)
        rules = match._rules
        assert isinstance(rules, IDoubtIt)
        if rules.phase in {"lay", "answer"}:
            laid = rules.turns[-1].laid if rules.phase == "answer" else ()
            held = [card for hand in rules.hands for card in cards_in_set(hand)]
            assert sorted([*held, *rules.middle, *laid]) == list(range(52))
        assert sum(rules.fees) == sum(rules.chips) == 0
    for result in match.rounds:
        assert result["claims"] <= game.options["max_turns"]
        assert 0 in result["left"] or result["claims"] == game.options["max_turns"]
        assert sum(result["chips"]) == 0
        assert result["points"] == result["chips"]
        assert result["marks"] == [f"{one:+d}" if one else "0" for one in result["chips"]]
    total = [one["chips"] for one in match.standing]
    assert match.winners == [seat for seat, one in enumerate(total) if one == max(total)]


@many
@given(games(), players)
def test_legal_actions_are_exactly_those_not_refused__ID2_C12(
    game: jt.Game, player: Player
) -> None:
    """Exactly one seat may act; its legal actions are accepted, those of others refused."""
    match = jt.Match(game)
    rng = player.rng
    for _ in range(40):
        if match.over:
            break
        for seat in range(game.players):
            legal = match.legal(seat)
            assert bool(legal) == (seat in match.to_act)
            action = f"lay {' '.join(rng.sample(FULL_DECK.texts, 3))} as {rng.choice(RANKS)}"
            words = sorted(action.split()[1:4], key=FULL_DECK.texts.index)
            canonical = f"lay {' '.join(words)} as {action[-1]}"
            assert (match.refusal(seat, action) is None) == (canonical in legal)
            assert (match.refusal(seat, "doubt") is None) == ("doubt" in legal)
        if not match.needs_pack:
            (seat,) = match.to_act
            assert match.refusal(seat, rng.choice(match.legal(seat))) is None
        player.step(match)


@many
@given(games(), players, st.integers(0, 120))
def test_records_round_trip(game: jt.Game, player: Player, steps: int) -> None:
    """Read back, through JSON too, a match is the same to everybody."""
    match = jt.Match(game)
    for _ in range(steps):
        if not match.over:
            player.step(match)
    record = match.record()
    again = jt.Match.from_record(json.loads(json.dumps(record)))
    assert again.record() == record
    for reader in (None, *range(game.players)):
        assert again.view(reader) == match.view(reader)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ([0, "lay 2C 3C 4C as J"], "does not hold"),
        ([1, "doubt"], "not seat 1's turn"),
        ([0, "doubt"], "your turn to lay"),
        (["pack", "2C 3C"], "no pack is awaited"),
    ],
)
def test_a_record_with_an_illegal_step_is_refused(entry: list[Any], said: str) -> None:
    match = start({1: "234C"})
    record = match.record()
    record["log"].append(entry)
    with pytest.raises(jt.RecordError) as caught:
        jt.Match.from_record(record)
    assert caught.value.step == 2
    assert said in str(caught.value)


words = st.text(max_size=20) | st.lists(
    st.sampled_from(["lay", "LAY", "as", "AS", "doubt", "pass", *"23JA", *FULL_DECK.texts[:20]]),
    max_size=8,
).map(" ".join)


@many
@given(games(), players, st.integers(0, 60), st.lists(st.tuples(st.integers(0, 7), words)))
def test_refused_actions_change_nothing__C12(
    game: jt.Game, player: Player, steps: int, tries: list[tuple[int, str]]
) -> None:
    """A refused action leaves all views and the record as they were."""
    match = jt.Match(game)
    for _ in range(steps):
        if not match.over:
            player.step(match)
    before = shown(match)
    for seat, text in tries:
        if seat < game.players and (refusal := match.refusal(seat, text)):
            with pytest.raises(jt.IllegalAction) as caught:
                match.act(seat, text)
            assert caught.value.refusal == refusal
            assert len(str(caught.value)) < 1000
        assert shown(match) == before


def shown(match: jt.Match) -> str:
    """All that a match shows to anybody, but the thousands of legal actions."""
    seats = range(match.game.players)
    return json.dumps([match.record(), *(match.view(seat) for seat in [None, *seats])])


# Hidden information (ID2 - ID5).


def known_cards(game: jt.Game, log: Sequence[Sequence[Any]], reader: int | None) -> set[str]:
    """The cards of a log's last deal that a reader has seen: their own and those turned up."""
    match = jt.Match(game)
    known: set[str] = set()
    for who, what in log:
        if who == "pack":
            known.clear()
            match.deal(what)
            if match.view(None)["phase"] == "deal":
                known.update(what.split()[: game.players])
        else:
            match.act(who, what)
        view = match.view(reader)
        known.update(view["hand"] or [])
        for turn in view["turns"]:
            known.update([*(turn["drawn"] or []), *(turn["laid"] or [])])
    return known


def disguised(
    game: jt.Game, log: Sequence[Sequence[Any]], reader: int | None, rng: random.Random
) -> list[list[Any]]:
    """Another log, equal to this reader: cards the reader has not seen are exchanged.

    A claim that was doubted was turned up, so its truth stays; any other may be true or not.
    """
    packs = [step for step, (who, _) in enumerate(log) if who == "pack"] + [len(log)]
    result: list[list[Any]] = []
    for begin, end in itertools.pairwise(packs):
        unknown = sorted(set(FULL_DECK.texts) - known_cards(game, log[:end], reader))
        swap = dict(zip(unknown, rng.sample(unknown, len(unknown)), strict=True))
        for who, what in log[begin:end]:
            result.append([who, " ".join(swap.get(word, word) for word in what.split())])
    return result


@many
@given(games(), players, st.integers(1, 150))
def test_views_leak_no_hidden_cards__ID2_ID3_ID4_ID5(
    game: jt.Game, player: Player, steps: int
) -> None:
    """After some steps, for each reader: exchanging the hidden cards leaves the view equal.

    Hidden are the cards others laid, the middle, the cards others drew, and the dealt surplus.
    """
    match = jt.Match(game)
    for _ in range(steps):
        if not match.over:
            player.step(match)
    log = match.record()["log"]
    for reader in (None, *range(game.players)):
        other = jt.Match(game)
        for who, what in disguised(game, log, reader, player.rng):
            if who == "pack":
                other.deal(what)
            else:
                other.act(who, what)
        assert json.dumps(other.view(reader)) == json.dumps(match.view(reader))
        if log[-1][0] != "pack":
            assert other.describe_last_action(reader) == match.describe_last_action(reader)


def test_the_disguise_changes_the_cards() -> None:
    """The check above is not empty: the cards others hold, laid and drew are other ones."""
    match = one_card_left()
    log = match.record()["log"]
    other = disguised(match.game, log, 3, random.Random(4))
    assert other != log
    again = jt.Match.from_record({**match.record(), "log": other})
    assert again.hand(3) == match.hand(3)
    assert again.hand(0) != match.hand(0)
    assert middle(again) != middle(match)
    assert turns(again, 0) != turns(match, 0)
    assert turns(again, 3) == turns(match, 3)


def test_changing_a_view_does_not_change_the_match() -> None:
    """Views hold copies."""
    match = one_card_left()
    before = shown(match)
    view = match.view(0)
    view["turns"][0]["passed"].append(9)
    view["turns"].clear()
    view["points"][0] = 5
    view["hand_sizes"][0] = 5
    match.view(None)["standing"][0]["chips"] = 7
    assert shown(match) == before
