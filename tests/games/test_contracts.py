"""CT: the contracts that Schieber and Coiffeur share, and their two sides.

Unless a test says otherwise seat 3 deals, so that seat 0 is forehand and leads. Where a clause is
the same in both games, it is proved in the one in which it is most easily seen.
"""

from __future__ import annotations

import json
import random
from itertools import pairwise
from typing import Any

import pytest

import jasstisch as jt
from tests.rules import match_builders, reference, reference_contracts
from tests.rules.contract_builders import (
    READERS,
    WHOLE_SUITS,
    announced,
    coiffeur,
    deal,
    finish_round,
    public,
    quiet_hands,
    random_hands,
    schieber,
    shown_cards,
    sides,
    sweep,
    totals,
    trick,
)
from tests.rules.match_builders import cards, check_choice, legal, play
from tests.rules.reference_contracts import CONTRACTS

BOTH = ("schieber", "coiffeur")
WAYS = {
    "tops": "TTTTTTTTT",
    "bottoms": "BBBBBBBBB",
    "slalom tops": "TBTBTBTBT",
    "slalom bottoms": "BTBTBTBTB",
    "guschti tops": "TTTTTBBBB",
    "guschti bottoms": "BBBBBTTTT",
}
BEGINS_TOPS = {"A": 11, "K": 4, "Q": 3, "J": 2, "T": 10, "9": 0, "8": 8, "7": 0, "6": 0}
BEGINS_BOTTOMS = {**BEGINS_TOPS, "A": 0, "6": 11}


def contracted(hands: list[list[str]], contract: str, **options: Any) -> jt.Match:
    """A match of Coiffeur with ten lines, in which every contract is open, and this contract."""
    return coiffeur(hands, contract, lines="ten", **options)


# CT1: two sides.


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("players", [2, 3, 5, 6])
def test_both_games_need_exactly_four_players__CT1(name: str, players: int) -> None:
    """Both games are for four, and for no other number."""
    assert jt.game(name).players == 4
    with pytest.raises(jt.GameError, match="players"):
        jt.game(name, players=players)


@pytest.mark.parametrize("name", BOTH)
def test_partners_sit_opposite__CT1(name: str) -> None:
    """Seats 0 and 2 are side 0, seats 1 and 3 side 1, from the beginning on."""
    match = jt.Match(jt.game(name))
    assert [entry["side"] for entry in match.standing] == [0, 1, 0, 1]
    assert [entry["points"] for entry in match.standing] == [0, 0, 0, 0]


@pytest.mark.parametrize("name", BOTH)
def test_cards_are_dealt_in_three_packets_of_three__CT1_C6(name: str) -> None:
    """The pack goes round in threes, to forehand first, and is dealt out."""
    match = jt.Match(jt.game(name, dealer=1))
    pack = reference.pack(4)
    random.Random(1).shuffle(pack)
    match.deal(pack)
    expected = match_builders.dealt(pack, 1, 4)
    for seat in range(4):
        assert sorted(match.hand(seat)) == sorted(expected[seat])
    assert set(expected[2]) == set(pack[0:3] + pack[12:15] + pack[24:27])
    assert public(match, "hand_sizes") == [9, 9, 9, 9]


@pytest.mark.parametrize("name", BOTH)
def test_hands_are_sorted_by_suit_and_plain_rank(name: str) -> None:
    """C D H S, then six to ace, also in trumps and under bottoms, from the deal on."""
    order = reference.pack(4).index
    hands = random_hands(4)
    for say in ("", "bottoms", "trump H", "tops"):
        match = announced(name, hands, say)
        for seat in range(4):
            in_order = sorted(hands[seat], key=order)
            assert match.view(seat)["hand"] == in_order
            assert list(match.hand(seat)) == in_order


@pytest.mark.parametrize("name", BOTH)
def test_the_draw_for_deal_comes_first__C5(name: str) -> None:
    """Without a fixed dealer the seats draw: the highest card deals, forehand announces."""
    match = jt.Match(jt.game(name))
    assert public(match, "phase") == "draw"
    match.deal(match_builders.ordered("7C TC 9S 8D"))
    assert public(match, "dealer") == 1
    match.deal(match.pack)
    assert public(match, "phase") == "announce"
    assert match.to_act == (2,)


@pytest.mark.parametrize("name", BOTH)
def test_the_deal_passes_to_the_next_seat__C5(name: str) -> None:
    """Every round the next seat deals and the one after it is forehand."""
    match = jt.Match(jt.game(name, dealer=2))
    for number, say in enumerate(("trump C", "trump D", "trump H", "trump S", "tops")):
        assert public(match, "dealer") == (2 + number) % 4
        deal(match, random_hands(number), "")
        assert match.to_act == ((3 + number) % 4,)
        match.act(match.to_act[0], say)
        assert finish_round(match)["dealer"] == (2 + number) % 4


@pytest.mark.parametrize("name", BOTH)
def test_partners_have_the_same_figures_at_every_step__CT1(name: str) -> None:
    """Running points, round points, marks and standings are those of the side."""
    match = jt.Match(jt.game(name, dealer=0))
    rng = random.Random(5)
    for _ in range(300):
        if match.over:
            break
        match_builders.step(match, rng)
        sides(public(match, "points"))
        totals(match)
        for result in match.rounds[-1:]:
            sides(result["points"])
            sides(result["weis"])
            sides(result["stoeck"])
            assert result["marks"][:2] == result["marks"][2:]
    assert len(match.rounds) > 3


def test_points_of_partners_count_together__CT1() -> None:
    """A trick of seat 0 and one of seat 2 stand in one figure."""
    hands = quiet_hands({0: "AC 6D", 1: "6C 7D", 2: "7C AD", 3: "8C 8D"})
    match = schieber(hands, "tops", weis="off")
    play(match, "AC 6C 7C 8C")
    assert public(match, "points") == [19, 0, 19, 0]
    play(match, "6D 7D AD 8D")
    assert public(match, "points") == [38, 0, 38, 0]
    assert public(match, "tricks")[1]["winner"] == 2


# CT2: what a contract is.


@pytest.mark.parametrize("contract", CONTRACTS)
def test_a_contract_is_announced_by_its_text__CT2(contract: str) -> None:
    """The text is legal, is logged, and is the contract."""
    match = contracted(random_hands(1), "")
    assert contract in match.legal(0)
    match.act(0, contract)
    assert match.record()["log"][-1] == [0, contract]
    assert public(match, "contract") == contract


@pytest.mark.parametrize("contract", CONTRACTS)
def test_a_contract_is_public_at_once__CT2(contract: str) -> None:
    """All readers see contract, trump, who announced and the phase of play, and nothing before."""
    match = contracted(random_hands(2), "push")
    assert public(match, "phase") == "announce"
    for key in ("contract", "trump", "by", "factor", "line"):
        assert public(match, key) is None
    match.act(1, contract)
    assert public(match, "phase") == "play"
    assert public(match, "contract") == contract
    assert public(match, "by") == 1
    assert public(match, "trump") == (contract[-1] if contract.startswith("trump") else None)
    assert match.trump == public(match, "trump")


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("TRUMP h", "trump H"),
        ("trump c", "trump C"),
        ("  Trump   S ", "trump S"),
        ("Tops", "tops"),
        (" BOTTOMS", "bottoms"),
        ("PUSH ", "push"),
    ],
)
def test_announcements_are_accepted_in_any_spelling__CT2(
    name: str, text: str, printed: str
) -> None:
    """Case and repeated spaces do not matter; the log stores the printed form."""
    match = announced(name, random_hands(3))
    assert match.refusal(0, text) is None
    match.act(0, text)
    assert match.record()["log"][-1] == [0, printed]


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize(
    "text",
    [
        *("", "trump", "trump X", "trump HH", "trumpH", "H", "hearts", "trump H S", "tops tops"),
        *("top", "obenabe", "slalom", "slalom H", "slalom trump H", "guschti", "tops slalom"),
        *("trump tops", "push push", "push tops", "pass", "bid 42", "stay", "joker", "joker 7"),
        *(
            "joker tops",
            "joker seven tops",
            "play",
            "tops weis",
            "trump \N{GREEK CAPITAL LETTER ETA}",
        ),
    ],
)
def test_invalid_announcements_are_refused__CT2_C12(name: str, text: str) -> None:
    """Any other text is refused by an error that lists the legal actions; nothing changes."""
    match = announced(name, random_hands(3))
    error = match_builders.refused(match, 0, text)
    assert list(error.legal) == list(match.legal(0))
    assert len(str(error)) < 600


@pytest.mark.parametrize("name", BOTH)
def test_no_card_is_played_before_the_announcement__CT2(name: str) -> None:
    """While an announcement is due every card is refused, from every seat."""
    match = announced(name, random_hands(3))
    match_builders.refused(match, 0, f"play {match.hand(0)[0]}")
    match_builders.refused(match, 0, match.hand(0)[0])
    assert match_builders.refused(match, 1, f"play {match.hand(1)[0]}").reason == "turn"


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("text", ["push", "tops", "trump H"])
def test_no_announcement_during_play__CT2(name: str, text: str) -> None:
    """Once a contract stands nobody announces or pushes."""
    match = announced(name, random_hands(3), "bottoms")
    assert list(match_builders.refused(match, 0, text).legal) == list(match.legal(0))
    assert match_builders.refused(match, 2, text).reason == "turn"


@pytest.mark.parametrize("name", BOTH)
def test_announcements_out_of_turn_are_refused__CT2(name: str) -> None:
    """Only the seat that is asked announces; the others have nothing to choose from."""
    match = announced(name, random_hands(3))
    for seat in (1, 2, 3):
        assert list(match.legal(seat)) == []
        assert match_builders.refused(match, seat, "tops").reason == "turn"
        assert match_builders.refused(match, seat, "push").reason == "turn"


# CT3: trump contracts.


@pytest.mark.parametrize("trump", "CDHS")
def test_the_order_of_trumps__CT3_C2(trump: str) -> None:
    """Bur, Nell, ace, king, queen, ten, eight, seven, six: each beats the next."""
    for higher, lower in pairwise("J9AKQT876"):
        hands = match_builders.deal(
            {0: lower + trump, 1: higher + trump}, void={2: trump, 3: trump}
        )
        match = schieber(hands, f"trump {trump}", weis="off")
        play(match, [lower + trump, higher + trump])
        while match.trick:
            (seat,) = match.to_act
            match.act(seat, match.legal(seat)[0])
        assert public(match, "last_trick")["winner"] == 1
        assert match.to_act == (1,)


def test_the_lowest_trump_beats_every_plain_ace__CT3_C7() -> None:
    """A six of trumps takes a trick of aces."""
    hands = match_builders.deal({0: "AC", 1: "6S", 2: "KC", 3: "TC"}, void={1: "C"})
    match = schieber(hands, "trump S", weis="off")
    play(match, "AC 6S KC TC")
    assert public(match, "last_trick")["winner"] == 1
    assert public(match, "points") == [0, 25, 0, 25]


SCENES = [
    # A plain suit is led and held: that suit or a trump.
    ("AC", "67C 6S", "67C 6S", "C8d"),
    # A plain suit is led and not held: anything.
    ("AC", "6S", None, ""),
    # Trump is led: trumps.
    ("AS", "6JS", "6JS", "C8c"),
    # Trump is led and only the Bur is held: anything.
    ("AS", "JS", None, ""),
    # Trump is led and none is held: anything.
    ("AS", "6C", None, ""),
]


@pytest.mark.parametrize("undertrump", ["strict", "forced"])
@pytest.mark.parametrize(("led", "held", "allowed", "clause"), SCENES)
def test_following_under_trump__CT3_C8(
    led: str, held: str, allowed: str | None, clause: str, undertrump: str
) -> None:
    """What may be played onto a lead, and by which clause the rest is refused."""
    hands = match_builders.deal({0: led, 1: held}, void={1: "CS"})
    match = schieber(hands, "trump S", weis="off", undertrump=undertrump)
    play(match, led)
    check_choice(match, " ".join(match.hand(1)) if allowed is None else allowed, clause)


@pytest.mark.parametrize("undertrump", ["strict", "forced"])
@pytest.mark.parametrize(
    ("held", "lying", "higher"),
    [("6C 68S", "7S", "8S"), ("68S", "7S", "8S"), ("68S", "9S", ""), ("6C 8JS", "9S", "JS")],
)
def test_no_lower_trump_while_another_card_is_held__CT3_C9(
    held: str, lying: str, higher: str, undertrump: str
) -> None:
    """Clubs are led and ruffed: a lower trump is refused, holding clubs or not."""
    hands = match_builders.deal({0: "AC", 1: lying, 2: held}, void={1: "C", 2: "CS"})
    match = schieber(hands, "trump S", weis="off", undertrump=undertrump)
    play(match, ["AC", lying])
    follow = "6C" in match.hand(2)
    plain = {"6C"} if follow else {card for card in match.hand(2) if card[1] in "DH"}
    assert legal(match) == plain | set(cards(higher))
    for card in set(cards(held)) - legal(match):
        assert match_builders.refused(match, 2, f"play {card}").clause == "C9"


@pytest.mark.parametrize(
    ("lying", "forced"), [("8S", "TQKA9JS"), ("9S", "JS"), ("JS", "678TQKA9S"), ("AS", "9JS")]
)
@pytest.mark.parametrize("undertrump", ["strict", "forced"])
def test_a_hand_of_trumps_only_may_undertrump_unless_forced__CT3_C9(
    lying: str, forced: str, undertrump: str
) -> None:
    """Strict: anything; forced: a higher one if one is held, the Bur included."""
    trumps = [card for card in cards("6789TJQKAS") if card != lying]
    hands = match_builders.deal(
        {0: "AD AC", 1: f"{lying} KD", 2: "6D " + " ".join(trumps), 3: "7D"}, void={1: "C"}
    )
    match = schieber(hands, "trump S", weis="off", undertrump=undertrump)
    play(match, ["AD", "KD", "6D", "7D", "AC", lying])
    check_choice(match, " ".join(trumps) if undertrump == "strict" else forced, "C9")


def test_a_lower_trump_on_a_trump_lead_is_allowed__CT3_C9() -> None:
    """Undertrumping is about plain leads only."""
    hands = match_builders.deal({0: "AS", 1: "9S", 2: "6S 7S JS"}, void={2: "S"})
    match = schieber(hands, "trump S", weis="off")
    play(match, "AS 9S")
    check_choice(match, "6S 7S JS", "C8c")


@pytest.mark.parametrize("trump", "CDHS")
def test_values_under_trump__CT3_C3(trump: str) -> None:
    """Bur 20, Nell 14, ace 11, ten 10, king 4, queen 3; other jacks 2, other nines nothing."""
    hands = WHOLE_SUITS["CDHS".index(trump) :] + WHOLE_SUITS[: "CDHS".index(trump)]
    match = schieber(hands, f"trump {trump}", weis="off")
    total = 0
    for ranks, worth in zip(
        ("J666", "9777", "A888", "T999", "KTTT", "QJJJ", "8QQQ", "7KKK"),
        (20, 14, 11, 10, 34, 9, 9, 12),
        strict=True,
    ):
        suits = "CDHS"["CDHS".index(trump) :] + "CDHS"[: "CDHS".index(trump)]
        play(match, [rank + suit for rank, suit in zip(ranks, suits, strict=True)])
        total += worth
        assert public(match, "points") == [total, 0, total, 0]
    assert finish_round(match)["points"] == [157 + 100, 0, 157 + 100, 0]


# CT4: without a trump.


NO_TRUMP = tuple(WAYS)


@pytest.mark.parametrize("contract", NO_TRUMP)
def test_suit_must_be_followed_without_trump__CT4(contract: str) -> None:
    """Whoever holds the suit led plays it; everything else is refused by this clause."""
    match = contracted(match_builders.deal({0: "AC", 1: "6C 9C"}, void={1: "C"}), contract)
    play(match, "AC")
    check_choice(match, "6C 9C", "CT4")


@pytest.mark.parametrize("contract", NO_TRUMP)
def test_player_without_the_suit_led_may_play_any_card__CT4(contract: str) -> None:
    """A player void in the suit led may play any card; so may the leader."""
    match = contracted(match_builders.deal({0: "AC"}, void={1: "C"}), contract)
    check_choice(match, " ".join(match.hand(0)), "")
    play(match, "AC")
    check_choice(match, " ".join(match.hand(1)), "")


@pytest.mark.parametrize("contract", NO_TRUMP)
def test_a_discard_makes_no_trump_and_wins_nothing__CT4(contract: str) -> None:
    """Only cards of the suit led win; there is no trump, now or later."""
    match = contracted(WHOLE_SUITS, contract)
    while not match.rounds:
        assert match.trump is None
        assert public(match, "trump") is None
        trick(match)
    assert {trick["winner"] for trick in match.rounds[0]["tricks"]} == {0}
    assert match.rounds[0]["trump"] is None


@pytest.mark.parametrize("contract", ["tops", "bottoms"])
def test_the_order_without_trump__CT4(contract: str) -> None:
    """A K Q J T 9 8 7 6 under tops, and reversed under bottoms; the ten below the jack."""
    order = "AKQJT9876" if contract == "tops" else "6789TJQKA"
    for higher, lower in pairwise(order):
        match = schieber(
            match_builders.deal({0: lower + "H", 1: higher + "H"}, void={2: "H", 3: "H"}),
            contract,
            weis="off",
        )
        play(match, [lower + "H", higher + "H"])
        while match.trick:
            (seat,) = match.to_act
            match.act(seat, match.legal(seat)[0])
        assert public(match, "last_trick")["winner"] == 1


@pytest.mark.parametrize("contract", NO_TRUMP)
def test_the_contract_decides_which_tricks_are_played_tops__CT4(contract: str) -> None:
    """`slalom` alternates as named first; `guschti` has five as named and four the other way."""
    rng = random.Random(contract)
    contested = set()
    for _ in range(12):
        match = contracted(match_builders.random_hands(4, rng), contract)
        for number, result in enumerate(match_builders.finish_round(match, rng)["tricks"]):
            led = [card for card in result["cards"] if card[1] == result["cards"][0][1]]
            order = "6789TJQKA" if WAYS[contract][number] == "T" else "AKQJT9876"
            best = max(led, key=lambda card: order.index(card[0]))
            assert result["winner"] == (result["leader"] + result["cards"].index(best)) % 4
            contested |= {number} if len(led) > 1 else set()
    assert contested == set(range(9))


@pytest.mark.parametrize("contract", ["slalom tops", "slalom bottoms"])
def test_a_slalom_in_schieber_alternates_too__CT4(contract: str) -> None:
    """With hearts led six times, ace and six win in turn."""
    hands = match_builders.deal({0: "A6H", 1: "KH 7H", 2: "QH 8H", 3: "JH 9H"})
    match = schieber(hands, contract, slalom="on", weis="off")
    first, second = ("AH", "6H") if contract == "slalom tops" else ("6H", "AH")
    play(match, [first, "KH", "QH", "JH", second, "7H", "8H", "9H"])
    assert [result["winner"] for result in public(match, "tricks")] == [0, 0]


# CT5: values without a trump.


@pytest.mark.parametrize("contract", NO_TRUMP)
def test_values_without_trump__CT5(contract: str) -> None:
    """Values depend on how the contract begins, in all nine tricks; the last trick is 5 more."""
    values = BEGINS_TOPS if contract.endswith("tops") else BEGINS_BOTTOMS
    rng = random.Random(f"values {contract}")
    for _ in range(3):
        match = contracted(match_builders.random_hands(4, rng), contract, match_bonus=0)
        points = [0, 0]
        while not match.rounds:
            match_builders.step(match, rng)
            done = match.rounds[0]["tricks"] if match.rounds else public(match, "tricks")
            points = [0, 0]
            for result in done:
                points[result["winner"] % 2] += sum(values[card[0]] for card in result["cards"])
            if not match.rounds:
                assert list(sides(public(match, "points"))) == points
        points[match.rounds[0]["tricks"][-1]["winner"] % 2] += 5
        assert list(sides(match.rounds[0]["points"])) == points


@pytest.mark.parametrize(
    ("contract", "worth"),
    [
        ("tops", {"A": 44, "6": 0}),
        ("slalom tops", {"A": 44, "6": 0}),
        ("guschti tops", {"A": 44, "6": 0}),
        ("bottoms", {"A": 0, "6": 44}),
        ("slalom bottoms", {"A": 0, "6": 44}),
        ("guschti bottoms", {"A": 0, "6": 44}),
    ],
)
def test_aces_or_sixes_count_eleven__CT5(contract: str, worth: dict[str, int]) -> None:
    """A trick of the four aces or of the four sixes; and the same for the other ranks."""
    for rank, points in {
        "K": 16,
        "Q": 12,
        "J": 8,
        "T": 40,
        "9": 0,
        "8": 32,
        "7": 0,
        **worth,
    }.items():
        match = contracted(WHOLE_SUITS, contract)
        play(match, [rank + suit for suit in "CDHS"])
        assert public(match, "points") == [points, 0, points, 0]


@pytest.mark.parametrize("contract", CONTRACTS)
def test_every_round_totals_157__CT5_C3(contract: str) -> None:
    """Cards and last trick make 157 under every contract."""
    rng = random.Random(f"157 {contract}")
    for _ in range(3):
        match = contracted(match_builders.random_hands(4, rng), contract, match_bonus=0)
        assert sum(sides(match_builders.finish_round(match, rng)["points"])) == 157


def test_the_last_trick_is_worth_five__CT5() -> None:
    """Nine plain cards of no value in the ninth trick bring five."""
    match = schieber(WHOLE_SUITS, "tops", match_bonus=0, weis="off")
    for rank in "AKQJT987":
        play(match, [rank + suit for suit in "CDHS"])
    assert public(match, "points") == [152, 0, 152, 0]
    play(match, "6C 6D 6H 6S")
    assert match.rounds[0]["points"] == [157, 0, 157, 0]


# CT6: match.


@pytest.mark.parametrize(("bonus", "points"), [(None, 257), (100, 257), (0, 157)])
@pytest.mark.parametrize("name", BOTH)
def test_all_nine_tricks_bring_the_match_bonus__CT6(
    name: str, bonus: int | None, points: int
) -> None:
    """All nine tricks bring 100 more, with option 0 nothing more; `match` names the side anyway."""
    options = {} if bonus is None else {"match_bonus": bonus}
    match = jt.Match(jt.game(name, dealer=3, **options))
    result = sweep(match)
    assert result["points"] == [points, 0, points, 0]
    assert result["match"] == 0
    result = sweep(match)
    assert result["points"] == [0, points, 0, points]
    assert result["match"] == 1


def test_a_match_is_scored_with_the_last_trick__CT6() -> None:
    """Nothing of it shows before the ninth trick is complete."""
    match = schieber(WHOLE_SUITS, "tops", weis="off")
    for _ in range(8):
        trick(match)
    before = public(match, "points")[0]
    assert before < 157
    finish_round(match)
    assert match.rounds[0]["points"][0] == 257


def test_partners_make_a_match_together__CT6() -> None:
    """The nine tricks may be taken by both seats of the side."""
    hands = [
        cards("AC 678JQKAH"),
        cards("789TJQKC 6S 7S"),
        cards("AKQJT987D 6C"),
        cards("9TH 89TJQKAS"),
    ]
    hands[0] += ["6D"]
    match = jt.Match(jt.game("schieber", dealer=3, weis="off"))
    assert sorted(card for hand in hands for card in hand) == sorted(reference.pack(4))
    deal(match, hands, "tops")
    play(match, "AC 7C 6C 9H 6D 8C AD TH")
    while not match.rounds:
        (seat,) = match.to_act
        match.act(seat, next(a for a in reversed(match.legal(seat))))
    winners = {trick["winner"] for trick in match.rounds[0]["tricks"]}
    assert winners == {0, 2}
    assert match.rounds[0]["match"] == 0
    assert match.rounds[0]["points"] == [257, 0, 257, 0]


@pytest.mark.parametrize("name", BOTH)
def test_eight_tricks_are_no_match__CT6(name: str) -> None:
    """Eight tricks are no match: `match` is null and nobody gets the bonus."""
    hands = [list(hand) for hand in WHOLE_SUITS]
    hands[0][0], hands[1][0] = "6D", "6C"
    match = announced(name, hands, "tops")
    while not match.rounds:
        (seat,) = match.to_act
        plays = [action for action in match.legal(seat) if not action.endswith("weis")]
        kept = [action for action in plays if action not in {"play 6D", "play AD"}]
        clubs = [action for action in kept if action[-1] == "C" and seat == 0]
        match.act(seat, (clubs or kept or plays)[-1])
    result = match.rounds[0]
    assert [trick["winner"] for trick in result["tricks"]] == [0] * 8 + [1]
    assert result["match"] is None
    assert sum(sides(result["points"])) == 157


def test_the_other_side_can_make_the_match__CT6() -> None:
    """Although side 0 announced, all nine tricks of side 1 are a match of side 1."""
    for name in BOTH:
        match = announced(name, WHOLE_SUITS, "trump D")
        result = finish_round(match)
        assert result["by"] == 0
        assert result["match"] == 1
        stoeck = 20 if name == "schieber" else 0
        assert result["points"] == [0, 257 + stoeck, 0, 257 + stoeck]


# Views and records.


KEYS = {"contract", "line", "by", "factor", "pushes", "pushed"}
BARE = {
    "contract": None,
    "line": None,
    "by": None,
    "factor": None,
    "pushes": 0,
    "pushed": False,
    "trump": None,
    "points": [0, 0, 0, 0],
    "trick": [],
    "tricks": [],
    "hand_sizes": [0, 0, 0, 0],
}


SAYINGS = ("push, tops", "push, bottoms", "trump H")


@pytest.mark.parametrize("name", BOTH)
def test_views_are_empty_between_rounds(name: str) -> None:
    """Before the first deal and after a round nothing of a round is left in the views."""
    match = jt.Match(jt.game(name, dealer=3))
    for number in range(3):
        assert public(match, "phase") == "deal"
        assert public(match, "round") == number + 1
        for key, value in BARE.items():
            assert public(match, key) == value, key
        assert [match.hand(seat) for seat in range(4)] == [[]] * 4
        deal(match, random_hands(number), SAYINGS[number])
        finish_round(match)


@pytest.mark.parametrize("name", BOTH)
def test_views_count_the_pushes__SC1_CO2(name: str) -> None:
    """`pushes` is their number so far, `pushed` whether there was one; both stay during play."""
    match = announced(name, random_hands(6))
    assert (public(match, "pushes"), public(match, "pushed")) == (0, False)
    (seat,) = match.to_act
    match.act(seat, "push")
    assert (public(match, "pushes"), public(match, "pushed")) == (1, True)
    (seat,) = match.to_act
    match.act(seat, "tops")
    assert (public(match, "pushes"), public(match, "pushed")) == (1, True)
    assert public(match, "by") == seat
    result = finish_round(match)
    assert result["pushed"] is True
    assert result["by"] == seat
    again = announced(name, random_hands(6), "tops")
    assert finish_round(again)["pushed"] is False


@pytest.mark.parametrize("name", BOTH)
def test_a_finished_round_has_all_public_keys(name: str) -> None:
    """The public keys of a round, the same in all views."""
    match = announced(name, random_hands(7), "trump C", dealer=2)
    result = finish_round(match)
    expected = {
        *("dealer", "trump", "tricks", "points", "marks", "contract", "by", "pushed", "factor"),
        *("match", "weis", "stoeck"),
    }
    assert result.keys() >= expected
    assert (result["dealer"], result["trump"], result["contract"]) == (2, "C", "trump C")
    assert result.get("line") == ("trump C" if name == "coiffeur" else None)
    assert public(match, "rounds") == match.rounds == [result]
    assert public(match, "standing") == match.standing
    assert [set(trick) for trick in result["tricks"]] == [{"leader", "cards", "winner"}] * 9


@pytest.mark.parametrize("name", BOTH)
def test_the_standing_changes_when_a_round_ends(name: str) -> None:
    """During a round the running points grow and the standing stays."""
    match = announced(name, WHOLE_SUITS, "tops")
    play(match, "AC AD AH AS")
    assert public(match, "points") == [44, 0, 44, 0]
    assert totals(match) == (0, 0)
    finish_round(match)
    assert totals(match)[0] > 0
    assert public(match, "points") == [0, 0, 0, 0]


@pytest.mark.parametrize("name", BOTH)
def test_nobody_sees_a_card_of_another_hand(name: str) -> None:
    """Not before it is played: the partner's cards are as hidden as those of the others."""
    match = jt.Match(jt.game(name, dealer=3))
    rng = random.Random(11)
    for _ in range(120):
        hands = [set(match.hand(seat)) for seat in range(4)]
        gone = {card for result in match.rounds for t in result["tricks"] for card in t["cards"]}
        for reader in READERS:
            view = match.view(reader)
            shown = shown_cards({key: view.get(key) for key in ("weis_shown", "rounds", "draw")})
            own = set() if reader is None else hands[reader]
            for seat in range(4):
                if seat != reader:
                    hidden = hands[seat] - shown - own - gone
                    assert not hidden & shown_cards({**view, "rounds": []})
            assert (view["hand"] or []) == ([] if reader is None else list(match.hand(reader)))
        match_builders.step(match, rng)


@pytest.mark.parametrize("name", BOTH)
def test_views_do_not_depend_on_hidden_cards(name: str) -> None:
    """With other hidden cards and the same play the view is the same, byte for byte."""
    rng = random.Random(f"hidden {name}")
    compared = 0
    for _ in range(60):
        hands = match_builders.random_hands(4, rng)
        reader = rng.randrange(4)
        played = rng.choice((0, 1, 3, 6, 18))
        say = rng.choice(("", "push", "tops", "trump H", "push, trump S", "bottoms"))
        match = announced(name, hands, say)
        for _ in range(played if match.view(None)["phase"] == "play" else 0):
            (seat,) = match.to_act
            plays = [a for a in match.legal(seat) if not a.endswith("weis")]
            match.act(seat, rng.choice(plays))
        others = [seat for seat in range(4) if seat != reader]
        left = [card for seat in others for card in match.hand(seat)]
        rng.shuffle(left)
        mixed = [list(hand) for hand in hands]
        for seat in others:
            size = len(match.hand(seat))
            kept = [card for card in hands[seat] if card not in match.hand(seat)]
            mixed[seat], left = kept + left[:size], left[size:]
        try:
            other = replayed(match, mixed)
        except jt.IllegalAction:
            continue
        compared += mixed != hands
        assert json.dumps(other.view(reader)) == json.dumps(match.view(reader))
    assert compared > 20


def replayed(match: jt.Match, hands: list[list[str]]) -> jt.Match:
    """The same actions with these hands."""
    other = match_builders.start(match.game.name, hands)
    for seat, action in match.record()["log"][1:]:
        other.act(seat, action)
    return other


@pytest.mark.parametrize("name", BOTH)
def test_a_record_restores_the_same_match(name: str) -> None:
    """At any moment and at the end, every step verified; a wrong step is named."""
    match = jt.Match(jt.game(name, players=4), players=["Anna", "Beat", "Carla", "Dora"])
    rng = random.Random(f"record {name}")
    for step in range(100_000):
        if step % 97 == 0 or match.over:
            record = json.loads(json.dumps(match.record()))
            again = jt.Match.from_record(record)
            assert match_builders.everything(again) == match_builders.everything(match)
            assert record["result"] == (
                {"standing": match.standing, "winners": match.winners} if match.over else None
            )
        if match.over:
            break
        match_builders.step(match, rng)
    record = match.record()
    number, entry = next(
        (number, entry)
        for number, entry in enumerate(record["log"], start=1)
        if entry[1].startswith(("trump", "tops", "bottoms", "joker"))
    )
    record["log"][number - 1] = [entry[0], "guschti"]
    with pytest.raises(jt.RecordError) as caught:
        jt.Match.from_record(record)
    assert caught.value.step == number


@pytest.mark.parametrize("name", BOTH)
def test_illegal_plays_are_refused_with_the_legal_actions__C12(name: str) -> None:
    """A card not held, a card out of turn, and an action of another game are refused."""
    match = announced(name, WHOLE_SUITS, "tops")
    assert match_builders.refused(match, 0, "play AD").reason == "not_held"
    assert match_builders.refused(match, 1, "play AD").reason == "turn"
    error = match_builders.refused(match, 0, "bid 20")
    assert list(error.legal) == list(match.legal(0))


@pytest.mark.parametrize("name", BOTH)
def test_plays_are_listed_in_the_order_of_the_hand(name: str) -> None:
    """By suit C D H S, then plain rank, whatever the contract."""
    for say in ("tops", "bottoms", "trump S"):
        match = announced(
            name, random_hands(8), say, **({"weis": "off"} if name == "schieber" else {})
        )
        assert list(match.legal(0)) == [f"play {card}" for card in match.view(0)["hand"]]


def test_the_tables_of_this_file_agree_with_the_reference() -> None:
    """`BEGINS_TOPS`, `BEGINS_BOTTOMS` and `WAYS` agree with the reference on every card."""
    for contract in NO_TRUMP:
        values = BEGINS_TOPS if contract.endswith("tops") else BEGINS_BOTTOMS
        for card in reference.pack(4):
            assert reference_contracts.value(card, contract) == values[card[0]]
        for number, letter in enumerate(WAYS[contract], start=1):
            way = "tops" if letter == "T" else "bottoms"
            assert reference_contracts.way(contract, number) == way
