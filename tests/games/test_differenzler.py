"""DF: Differenzler with hidden bids."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

import jasstisch as jt
from tests.rules import match_builders, reference
from tests.rules.match_builders import cards, deal, differenzler, play, start


def planned(
    players: int, forehand: int, rng: random.Random, trump: str = "S"
) -> tuple[reference.Played, list[int]]:
    """A random round, played beforehand, and its points."""
    hands = match_builders.random_hands(players, rng)
    found = reference.play_round(
        hands, forehand, lambda _seat, options: rng.choice(options), "if_void", trump
    )
    return found, found.card_points()


def play_planned(match: jt.Match, found: reference.Played, bids: Sequence[int]) -> dict[str, Any]:
    """Deals this round, draws its trump, bids and plays it; returns the finished round."""
    match.deal(match_builders.packed(found.hands, match.view(None)["dealer"]))
    match.deal(match_builders.ordered(f"A{found.trump}"))
    for seat, bid in enumerate(bids):
        match.act(seat, f"bid {bid}")
    play(match, found.cards)
    result: dict[str, Any] = match.rounds[-1]
    return result


def round_in_which_all_score() -> tuple[reference.Played, list[int]]:
    """A round in which every seat has points."""
    rng = random.Random("all score")
    while True:
        found, points = planned(4, 0, rng)
        if min(points) > 0:
            return found, points


def bid_missing(points: int, difference: int) -> int:
    """A bid that misses these points by this difference."""
    return points + difference if points + difference <= 157 else points - difference


def match_with_differences(
    differences: Sequence[Sequence[int]], seed: int, **options: Any
) -> jt.Match:
    """A match whose rounds end with these differences."""
    players = len(differences[0])
    match = jt.Match(jt.game("differenzler", players=players, dealer=players - 1, **options))
    rng = random.Random(seed)
    for number, wanted in enumerate(differences):
        found, points = planned(players, number % players, rng)
        bids = [bid_missing(score, miss) for score, miss in zip(points, wanted, strict=True)]
        result = play_planned(match, found, bids)
        assert result["difference"] == list(wanted)
    return match


@pytest.mark.parametrize(("players", "size"), [(4, 9), (3, 12)])
def test_hand_sizes_of_three_and_four_players__DF1(players: int, size: int) -> None:
    """Four players hold nine cards, three players twelve."""
    match = jt.Match(jt.game("differenzler", players=players, dealer=0))
    match.deal(match.pack)
    assert [len(match.hand(seat)) for seat in range(players)] == [size] * players


@pytest.mark.parametrize("players", [2, 5, 6])
def test_other_numbers_of_players_are_refused__DF1(players: int) -> None:
    """Differenzler is for four, or three."""
    assert jt.game("differenzler").players == 4
    with pytest.raises(jt.GameError):
        jt.game("differenzler", players=players)


@pytest.mark.parametrize("front", ["6C", "AD", "9H", "JS"])
def test_trump_is_drawn_after_the_deal__DF2(front: str) -> None:
    """The suit of the front card of a second pack is trump, before any bid."""
    match = start("differenzler", deal({}))
    assert match.view(None)["phase"] == "trump"
    assert match.needs_pack
    assert match.view(0)["trump"] is None
    match.deal(match_builders.ordered(front))
    assert match.trump == front[1]
    assert match.view(None)["phase"] == "bid"
    for seat in [None, 0, 1, 2, 3]:
        assert match.view(seat)["trump"] == front[1]


def test_only_the_suit_of_the_drawn_card_is_shown__DF2() -> None:
    """Two packs with front cards of one suit give the same views."""
    views = []
    for front in ("6H AC", "JH 7S"):
        match = start("differenzler", deal({}))
        match.deal(match_builders.ordered(front))
        views.append([match.view(seat) for seat in [None, 0, 1, 2, 3]])
    assert views[0] == views[1]
    assert views[0][0]["shown"] is None


@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_bottom_card_is_trump__DF2(dealer: int) -> None:
    """With `trump="bottom"` the last card dealt is shown, is trump and stays the dealer's."""
    hands = match_builders.random_hands(4, random.Random(dealer))
    match = start("differenzler", hands, trump="bottom", dealer=dealer)
    last = hands[dealer][-1]
    assert not match.needs_pack
    assert match.trump == last[1]
    assert last in match.hand(dealer)
    for seat in [None, 0, 1, 2, 3]:
        assert match.view(seat)["shown"] == last
        assert match.view(seat)["phase"] == "bid"
        assert match.view(seat)["trump"] == last[1]
    assert match.view(None)["hand_sizes"] == [9, 9, 9, 9]


def test_between_rounds_no_trump_card_and_no_bid_is_shown__DF2_DF3() -> None:
    """Once the round has ended its trump card and its bids are those of a finished round only."""
    match = jt.Match(jt.game("differenzler", trump="bottom", bids="open"))
    match_builders.finish_round(match, random.Random(2))
    for reader in [None, 0, 1, 2, 3]:
        view = match.view(reader)
        assert view["phase"] == "deal"
        assert view["shown"] is None
        assert view["bids"] == [None] * 4
        assert view["has_bid"] == [False] * 4


def test_bottom_card_is_trump_with_three_players__DF1_DF2() -> None:
    """With three players too the last card of the pack is the trump shown."""
    hands = match_builders.random_hands(3, random.Random(3))
    match = start("differenzler", hands, trump="bottom")
    assert match.view(1)["shown"] == hands[2][-1]


@pytest.mark.parametrize("bid", [0, 1, 42, 156, 157])
def test_bids_go_from_0_to_157__DF3(bid: int) -> None:
    """Every whole number from 0 to 157 may be bid."""
    match = bidding()
    assert list(match.legal(2)) == [f"bid {number}" for number in range(158)]
    match.act(2, f"bid {bid}")
    assert match.view(2)["bids"] == [None, None, bid, None]


def bidding(**options: Any) -> jt.Match:
    """A match in which everybody is to bid."""
    match = start("differenzler", deal({}), **options)
    match.deal(match_builders.ordered("AH"))
    return match


@pytest.mark.parametrize(
    "action",
    [
        "bid -1",
        "bid 158",
        "bid",
        "bid x",
        "bid 4.0",
        "bid 1e2",
        "bid NaN",
        "bid inf",
        "bid 0x10",
        "bid 1_0",
        "bid \N{FULLWIDTH DIGIT FOUR}\N{ARABIC-INDIC DIGIT TWO}",
        "bid ²",
        "bid " + "9" * 5000,
        "bid 4 2",
        "bid +",
        "42",
        "play 6C",
        "pass",
    ],
)
def test_invalid_bids_are_refused__DF3(action: str) -> None:
    """A bid out of range, or no number, is refused and leaves the seat to bid."""
    match = bidding()
    error = match_builders.refused(match, 0, action)
    assert len(str(error)) < 500
    assert "157" in str(error)
    assert 0 in match.to_act


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 1, 0, 2), (2, 3, 1, 0)])
def test_hidden_bids_come_in_any_order__DF3(order: tuple[int, ...]) -> None:
    """Each player bids once, at any time; that they have bid is public, the bid is not."""
    match = bidding()
    waiting = [0, 1, 2, 3]
    for seat in order:
        assert match.to_act == tuple(waiting)
        match.act(seat, f"bid {10 + seat}")
        waiting.remove(seat)
        for reader in [None, 0, 1, 2, 3]:
            view = match.view(reader)
            assert view["has_bid"] == [other not in waiting for other in range(4)]
            assert view["bids"] == [
                10 + other if other == reader and other not in waiting else None
                for other in range(4)
            ]
    assert match.view(None)["phase"] == "play"


def test_a_bid_cannot_be_changed__DF3() -> None:
    """A second bid of the same seat is refused, and its list of legal actions is empty."""
    match = bidding()
    match.act(1, "bid 42")
    assert list(match.legal(1)) == []
    assert match_builders.refused(match, 1, "bid 43").reason in {"bid", "turn"}
    assert match_builders.refused(match, 1, "bid 42").reason in {"bid", "turn"}
    assert match.view(1)["bids"][1] == 42


def test_hidden_bids_stay_hidden_until_the_round_ends__DF3_DF6() -> None:
    """Until the last card only its owner sees a bid; then everybody sees all."""
    rng = random.Random(3)
    match = bidding()
    bids = [7, 77, 17, 57]
    for seat, bid in enumerate(bids):
        match.act(seat, f"bid {bid}")
    while not match.rounds:
        for reader in [None, 0, 1, 2, 3]:
            assert match.view(reader)["bids"] == [
                bid if seat == reader else None for seat, bid in enumerate(bids)
            ]
        match_builders.step(match, rng)
    for reader in [None, 0, 1, 2, 3]:
        assert match.view(reader)["rounds"][0]["bids"] == bids


@pytest.mark.parametrize("dealer", [0, 3])
def test_open_bids_go_round_from_forehand__DF3(dealer: int) -> None:
    """With `bids="open"` forehand bids first, the dealer last, and everybody sees."""
    match = start("differenzler", deal({}), bids="open", dealer=dealer)
    match.deal(match_builders.ordered("AH"))
    expected: list[int | None] = [None] * 4
    for turn in range(4):
        seat = (dealer + 1 + turn) % 4
        assert match.to_act == (seat,)
        for other in {0, 1, 2, 3} - {seat}:
            assert match_builders.refused(match, other, "bid 5").reason in {"turn", "bid"}
        match.act(seat, f"bid {20 + seat}")
        expected[seat] = 20 + seat
        for reader in [None, 0, 1, 2, 3]:
            assert match.view(reader)["bids"] == expected
    assert match.to_act == ((dealer + 1) % 4,)
    assert match.view(None)["phase"] == "play"


def test_nobody_plays_before_all_have_bid__DF4() -> None:
    """Forehand leads when the last bid is in, not before."""
    match = bidding()
    for seat in (0, 1, 2):
        match.act(seat, "bid 40")
    match_builders.refused(match, 0, "play " + match.hand(0)[0])
    assert match.to_act == (3,)
    match.act(3, "bid 40")
    assert match.to_act == (0,)
    assert match_builders.legal(match) == set(match.hand(0))


def test_players_see_only_their_own_points__DF5() -> None:
    """Players see their own running points alone; a spectator sees none."""
    rng = random.Random(5)
    match = differenzler(match_builders.random_hands(4, rng), "H")
    points = [0, 0, 0, 0]
    while not match.rounds:
        for trick in match.view(None)["tricks"][-1:] if not match.trick else []:
            points[trick["winner"]] += sum(reference.value(card, "H") for card in trick["cards"])
        for reader in [None, 0, 1, 2, 3]:
            assert match.view(reader)["points"] == [
                score if seat == reader else None for seat, score in enumerate(points)
            ]
        match_builders.step(match, rng)
    assert sum(points) > 50


def test_an_option_shows_the_points_of_all_players__DF5() -> None:
    """With `show_points="all"` everybody sees the running points of all."""
    hands = [cards("6789TJQKA" + suit) for suit in "HCDS"]
    match = differenzler(hands, "H", show_points="all")
    play(match, "JH AC AD AS")
    for reader in [None, 0, 1, 2, 3]:
        assert match.view(reader)["points"] == [53, 0, 0, 0]
        assert match.view(reader)["bids"] == [0 if seat == reader else None for seat in range(4)]


def test_tricks_played_are_public__DF5() -> None:
    """The cards of the tricks already played are in everybody's view."""
    match = differenzler([cards("6789TJQKA" + suit) for suit in "HCDS"], "H")
    play(match, "JH AC AD AS")
    for reader in [None, 0, 1, 2, 3]:
        assert match.view(reader)["tricks"] == [
            {"leader": 0, "cards": ["JH", "AC", "AD", "AS"], "winner": 0}
        ]


def test_differences_are_added_to_the_total__DF6() -> None:
    """The difference of bid and points is added to the total, whichever is larger."""
    rng = random.Random(6)
    match = jt.Match(jt.game("differenzler", rounds=4, dealer=3))
    totals = [0, 0, 0, 0]
    for number in range(4):
        found, points = planned(4, number, rng)
        bids = [rng.randint(0, 157) for _ in range(4)]
        result = play_planned(match, found, bids)
        differences = [abs(bid - score) for bid, score in zip(bids, points, strict=True)]
        totals = [total + miss for total, miss in zip(totals, differences, strict=True)]
        assert result["bids"] == bids
        assert result["points"] == points
        assert result["difference"] == differences
        assert result["marks"] == [str(miss) for miss in differences]
        assert [entry["difference"] for entry in match.standing] == totals
        for reader in [None, 0, 1, 2, 3]:
            assert match.view(reader)["rounds"][-1] == result


@pytest.mark.parametrize("count", [4, 8, 12, 16])
def test_number_of_rounds__DF7(count: int) -> None:
    """A match has four, eight, twelve or sixteen rounds."""
    match = jt.Match(jt.game("differenzler", rounds=count))
    match_builders.finish(match, random.Random(count))
    assert len(match.rounds) == count


def test_eight_rounds_by_default__DF7() -> None:
    """Without the option a match has eight rounds; other numbers are refused."""
    assert jt.game("differenzler").options["rounds"] == 8
    for count in (0, 1, 6, 10, 20):
        with pytest.raises(jt.GameError, match="16"):
            jt.game("differenzler", rounds=count)


def test_an_exact_bid_earns_no_bonus_by_default__DF8() -> None:
    """An exact hit adds nothing and takes nothing off."""
    match = match_with_differences([[0, 0, 5, 1]], 8)
    assert match.rounds[0]["marks"] == ["0", "0", "5", "1"]


def test_bonus_for_an_exact_hit__DF8() -> None:
    """With `exact_bonus=10` an exact hit takes ten off; a near one does not."""
    found, points = round_in_which_all_score()
    match = jt.Match(jt.game("differenzler", exact_bonus=10, dealer=3))
    result = play_planned(match, found, [points[0], points[1] - 1, points[2], points[3] + 1])
    assert result["difference"] == [0, 1, 0, 1]
    assert result["marks"] == ["-10", "1", "-10", "1"]
    assert [entry["difference"] for entry in match.standing] == [-10, 1, -10, 1]


def round_without_points(wanted_tricks: bool) -> tuple[reference.Played, int]:
    """A round in which a seat has no points, having won worthless tricks or none."""
    rng = random.Random(f"no points {wanted_tricks}")
    for _ in range(5000):
        found, points = planned(4, 0, rng)
        for seat in range(4):
            if points[seat] == 0 and (seat in found.winners) == wanted_tricks:
                return found, seat
    raise AssertionError("no such round was found")


@pytest.mark.parametrize(
    ("zero_bonus", "tricks", "mark"),
    [
        (None, True, "-10"),
        (None, False, "0"),
        ("trick", True, "-10"),
        ("trick", False, "0"),
        ("never", True, "0"),
        ("never", False, "0"),
        ("always", True, "-10"),
        ("always", False, "-10"),
    ],
)
def test_bonus_for_a_made_bid_of_zero__DF8(zero_bonus: str | None, tricks: bool, mark: str) -> None:
    """A made 0 earns the bonus with a trick won, never, or always, as `zero_bonus` says."""
    found, seat = round_without_points(tricks)
    options: dict[str, Any] = {"zero_bonus": zero_bonus} if zero_bonus else {}
    match = jt.Match(jt.game("differenzler", exact_bonus=10, dealer=3, **options))
    points = found.card_points()
    bids = [score if other == seat else score + 1 for other, score in enumerate(points)]
    if max(bids) > 157:
        bids = [score if other == seat else score - 1 for other, score in enumerate(points)]
    result = play_planned(match, found, bids)
    assert result["difference"][seat] == 0
    assert result["marks"][seat] == mark
    assert match.standing[seat]["difference"] == int(mark)


@pytest.mark.parametrize("zero_bonus", ["trick", "never", "always"])
def test_without_a_bonus_zero_bids_earn_none__DF8(zero_bonus: str) -> None:
    """`zero_bonus` has no effect where exact hits earn nothing."""
    found, seat = round_without_points(True)
    match = jt.Match(jt.game("differenzler", dealer=3, zero_bonus=zero_bonus))
    assert play_planned(match, found, found.card_points())["marks"] == ["0", "0", "0", "0"]
    assert match.standing[seat]["difference"] == 0


@pytest.mark.parametrize("zero_bonus", ["trick", "never", "always"])
def test_a_missed_bid_of_zero_earns_no_bonus__DF8(zero_bonus: str) -> None:
    """A bid of 0 with points taken is a difference like any other."""
    found, points = round_in_which_all_score()
    match = jt.Match(jt.game("differenzler", dealer=3, exact_bonus=10, zero_bonus=zero_bonus))
    assert play_planned(match, found, [0, 0, 0, 0])["marks"] == [str(score) for score in points]


def test_totals_may_be_negative__DF8_DF9() -> None:
    """With the bonus the total may fall below zero, and the lowest still wins."""
    match = match_with_differences(
        [[0, 5, 6, 7]] * 4, 89, rounds=4, exact_bonus=10, zero_bonus="always"
    )
    assert [entry["difference"] for entry in match.standing] == [-40, 20, 24, 28]
    assert match.winners == [0]


@pytest.mark.parametrize(
    ("rounds", "winners"),
    [
        ([[1, 2, 3, 4]] * 4, [0]),
        ([[9, 2, 3, 4], [9, 2, 3, 4], [0, 2, 3, 4], [0, 2, 3, 4]], [1]),
        ([[3, 2, 3, 1]] * 3 + [[3, 2, 3, 5]], [1, 3]),
        ([[0, 0, 0, 0]] * 4, [0, 1, 2, 3]),
    ],
)
def test_lowest_total_wins_or_shares__DF9(rounds: list[list[int]], winners: list[int]) -> None:
    """After the last round the lowest total wins; equal totals share the win."""
    match = match_with_differences(rounds, 9, rounds=4)
    assert match.over
    assert match.winners == winners
    assert [entry["difference"] for entry in match.standing] == [
        sum(column) for column in zip(*rounds, strict=True)
    ]


def test_every_round_is_shown_at_the_end__DF9() -> None:
    """At the end every round's bids, points and differences of all are in everybody's view."""
    match = jt.Match(jt.game("differenzler", rounds=4))
    match_builders.finish(match, random.Random(9))
    for reader in [None, 0, 1, 2, 3]:
        view = match.view(reader)
        assert len(view["rounds"]) == 4
        for result in view["rounds"]:
            assert None not in result["bids"] + result["points"] + result["difference"]


def test_seats_accept_any_mix_of_people_and_bots__DF10() -> None:
    """The match is the same for people and bots; names are kept."""
    names = ["Anna", "bot:greedy", "bot:random", "Reto"]
    match = jt.Match(jt.game("differenzler", rounds=4), players=names)
    assert match.view(1)["players"] == names
    assert match.record()["players"] == names
    match_builders.finish(match, random.Random(10))
    assert match.over
