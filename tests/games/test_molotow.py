"""MW: Molotow Jass, sticks and potatoes."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import jasstisch as jt
from tests.rules import match_builders, reference, scored_rounds
from tests.rules.match_builders import deal, molotow, play


def test_four_players_nine_cards_twelve_rounds__MW1() -> None:
    """The game is for four, each with nine cards, and lasts twelve rounds."""
    game = jt.game("molotow")
    assert game.players == 4
    assert game.options["rounds"] == 12
    for players in (2, 3, 5, 6):
        with pytest.raises(jt.GameError):
            jt.game("molotow", players=players)
    match = jt.Match(game)
    rng = random.Random(12)
    for done in range(12):
        assert not match.over
        assert len(match.rounds) == done
        match_builders.finish_round(match, rng)
    assert match.over
    with pytest.raises(jt.GameError):
        jt.Match(jt.game("molotow"), players=["Anna", "Beat", "Carla"])


@pytest.mark.parametrize("count", [1, 2, 60])
def test_number_of_rounds__MW1(count: int) -> None:
    """The match lasts as many rounds as the option says."""
    match = jt.Match(jt.game("molotow", rounds=count))
    match_builders.finish(match, random.Random(count))
    assert len(match.rounds) == count


def test_first_discard_makes_trump__MW1_MV2() -> None:
    """Trump is made as at Molotov: by the first card off the suit led, at once."""
    match = molotow(deal({0: "AC", 1: "6H", 2: "7C", 3: "KC"}, void={1: "C"}))
    assert match.view(None)["trump"] is None
    play(match, "AC 6H")
    assert match.trump == "H"
    play(match, "7C KC")
    assert match.view(None)["last_trick"]["winner"] == 1


def test_there_are_no_molotovs__MW1() -> None:
    """Runs on the table cost nothing at Molotow."""
    match = molotow(deal({0: "9H", 1: "TH", 2: "JH", 3: "QH"}))
    play(match, "9H TH JH QH")
    assert match.view(None)["points"] == [0, 0, 0, 15]
    assert "molotovs" not in match.view(None)


def test_a_round_of_four_always_has_a_trump__MW3() -> None:
    """With four players no suit can be followed throughout, so that eights never count."""
    rng = random.Random(3)
    match = jt.Match(jt.game("molotow", rounds=60))
    match_builders.finish(match, rng)
    for result in match.rounds:
        assert result["trump"] is not None
        points = [0, 0, 0, 0]
        for trick in result["tricks"]:
            for card in trick["cards"]:
                points[trick["winner"]] += reference.value(card, result["trump"])
        points[result["tricks"][-1]["winner"]] += 5
        assert result["points"] == points


# The rule book's vectors first.
MARKS: list[tuple[tuple[int, ...], str, str]] = [
    ((90, 9, 34, 24), "+1 +1 -1 -1", "+1 +1 -1 -1"),
    ((40, 40, 30, 47), "-1 -1 +1 +1", "-1 -1 +1 +1"),
    ((60, 60, 7, 30), "0 0 +1 -1", "0 0 +1 -1"),
    ((10, 10, 57, 80), "0 0 -1 +1", "0 0 -1 +1"),
    ((120, 20, 10, 7), "-3 +3 +3 +3", "-3 +1 +1 +1"),
    ((157, 0, 0, 0), "+3 -3 -3 -3", "+3 -1 -1 -1"),
    ((19, 19, 19, 100), "+3 +3 +3 -3", "+1 +1 +1 -3"),
    ((30, 28, 0, 99), "-1 -1 +1 +1", "-1 -1 +1 +1"),
    ((100, 57, 0, 0), "-3 +3 +3 +3", "-3 +1 +1 +1"),
    ((0, 155, 0, 2), "+3 -3 +3 +3", "+1 -3 +1 +1"),
]


@pytest.mark.parametrize(("scores", "seed", "swiss"), MARKS)
@pytest.mark.parametrize("style", ["seed", "swiss"])
def test_sticks_and_potatoes_of_a_round__MW4_MW5_MW6_MW7(
    scores: tuple[int, ...], seed: str, swiss: str, style: str
) -> None:
    """A whole round with these scores earns these sticks and potatoes."""
    marks = (seed if style == "seed" else swiss).split()
    match = scored_rounds.played("molotow", scores, marks=style)
    (result,) = match.rounds
    assert result["points"] == list(scores)
    assert result["marks"] == marks
    assert not result["draw"]
    assert match.view(None)["phase"] == "deal"
    for entry, mark in zip(match.standing, marks, strict=True):
        net = int(mark)
        assert entry == {"sticks": max(net, 0), "potatoes": max(-net, 0), "net": net}


def test_default_marks_are_those_of_the_source__MW4_MW5() -> None:
    """Without an option three sticks or potatoes go to each of the others."""
    assert jt.game("molotow").options["marks"] == "seed"


@pytest.mark.parametrize(
    ("scores", "tied", "other"),
    [
        ((20, 20, 20, 97), [0, 1, 2], 3),
        ((50, 50, 50, 7), [0, 1, 2], 3),
        ((20, 97, 20, 20), [0, 2, 3], 1),
        ((7, 50, 50, 50), [1, 2, 3], 0),
    ],
)
@pytest.mark.parametrize(
    ("front", "draws", "loser"),
    [
        ("6C 7C 8C AS", ["6C 7C 8C"], 2),
        ("AC KC 8C", ["AC KC 8C"], 0),
        ("JC TS 9S", ["JC TS 9S"], 0),  # plain order: the jack is above the ten
        ("6C AS KH AD", ["6C AS KH"], 1),
        ("6C KS KH AD 7C", ["6C KS KH", "AD 7C"], 1),  # the two kings draw again
        ("KC 6S KH QD AC", ["KC 6S KH", "QD AC"], 2),
        ("KC KS KH 9D 7C 8C", ["KC KS KH", "9D 7C 8C"], 0),
        ("KC KS KH 9D 9C 8C 6S 7S", ["KC KS KH", "9D 9C 8C", "6S 7S"], 1),
        ("6S 8H 8D AC AS QH QC KD KH 7C 6D", None, 1),
    ],
)
def test_three_tied_draw_for_the_potato__MW8(
    scores: tuple[int, ...],
    tied: list[int],
    other: int,
    front: str,
    draws: list[str] | None,
    loser: int,
) -> None:
    """The tied draw in ascending order of seats; the highest rank takes the potato."""
    if draws is None:
        draws = ["6S 8H 8D", "AC AS", "QH QC", "KD KH", "7C 6D"]
    match = scored_rounds.played("molotow", scores)
    assert match.needs_pack
    assert match.to_act == ()
    assert match.rounds == []
    assert match.view(None)["phase"] == "decide"
    assert sorted(match.pack) == sorted(reference.pack(4))
    match.deal(match_builders.ordered(front))
    (result,) = match.rounds
    assert result["points"] == list(scores)
    drawing = tied
    assert len(result["draw"]) == len(draws)
    for drawn, draw in zip(result["draw"], draws, strict=True):
        taken = dict(zip(drawing, draw.split(), strict=True))
        assert [tuple(entry) for entry in drawn] == list(taken.items())
        best = max(reference.strength(card, None) for card in taken.values())
        drawing = [seat for seat in drawing if reference.strength(taken[seat], None) == best]
    marks = ["0", "0", "0", "0"]
    marks[other], marks[tied[loser]] = "+1", "-1"
    assert result["marks"] == marks
    assert drawing == [tied[loser]]
    assert match.view(None)["rounds"][0]["draw"] == result["draw"]


def test_a_second_pack_continues_a_draw_the_first_did_not_decide__MW8() -> None:
    """If a pack runs out in ties, the players still equal draw from a second one."""
    match = scored_rounds.played("molotow", (20, 20, 20, 97))
    equal = ["6C 6D 6H", "KC KD 6S", "7C 7D", "7H 7S", "8C 8D", "8H 8S", "9C 9D", "9H 9S"]
    equal += ["TC TD", "TH TS", "JC JD", "JH JS", "QC QD", "QH QS", "AC AD", "AH AS"]
    match.deal(" ".join([*equal, "KH KS"]))
    assert match.needs_pack
    assert match.view(0)["phase"] == "decide"
    assert match.rounds == []
    match.deal(match_builders.ordered("6C 7C"))
    (result,) = match.rounds
    assert len(result["draw"]) == 18
    assert result["draw"][-1] == [[0, "6C"], [1, "7C"]]
    assert result["marks"] == ["0", "-1", "0", "+1"]


def test_two_players_do_not_draw_from_one_remaining_card__MW8() -> None:
    """Two draw from another pack when only one card is left of the first."""
    match = scored_rounds.played("molotow", (20, 20, 20, 97))
    equal = ["AC AD 6C", "6D 6H", "7C 7D", "7H 7S", "8C 8D", "8H 8S", "9C 9D", "9H 9S"]
    equal += ["TC TD", "TH TS", "JC JD", "JH JS", "QC QD", "QH QS", "KC KD", "KH KS"]
    pack = " ".join(equal).split()
    match.deal([*pack, *(card for card in match.pack if card not in pack)])
    assert match.needs_pack
    match.deal(match_builders.ordered("QC 6C"))
    assert match.rounds[0]["marks"] == ["-1", "0", "0", "+1"]


def test_no_draw_between_three_tied_when_the_fourth_has_100__MW5_MW8() -> None:
    """A hundred of the fourth goes before the tie: three sticks each, no draw."""
    match = scored_rounds.played("molotow", (19, 19, 19, 100), rounds=1)
    assert match.over
    assert match.winners == [0, 1, 2]


def test_the_deciding_draw_ends_the_last_round__MW8_MW9() -> None:
    """After the last trick of the match the draw is still awaited, then the match is over."""
    match = scored_rounds.played("molotow", (20, 20, 20, 97), rounds=1)
    assert match.view(None)["over"] is False
    assert match.winners == []
    match.deal(match_builders.ordered("6C 7C 8C"))
    assert match.over
    assert match.winners == [3]
    assert [entry["net"] for entry in match.standing] == [0, 0, -1, 1]


@pytest.mark.parametrize(
    ("scores", "winners"),
    [((40, 40, 30, 47), [2, 3]), ((60, 60, 7, 30), [2]), ((157, 0, 0, 0), [0])],
)
def test_highest_net_wins_or_shares__MW9(scores: tuple[int, ...], winners: list[int]) -> None:
    """After the last round the highest net wins; equal nets share the win."""
    match = scored_rounds.played("molotow", scores, rounds=1)
    assert match.over
    assert match.winners == winners


def test_potatoes_cancel_sticks__MW9() -> None:
    """Sticks and potatoes are counted as received; the net is their difference, also negative."""
    rng = random.Random(9)
    nets: Counter[str] = Counter()
    for style in ("seed", "swiss"):
        match = jt.Match(jt.game("molotow", marks=style))
        while not match.over:
            match_builders.finish_round(match, rng)
            for seat, entry in enumerate(match.standing):
                marks = [int(result["marks"][seat]) for result in match.rounds]
                sticks = sum(mark for mark in marks if mark > 0)
                potatoes = -sum(mark for mark in marks if mark < 0)
                assert entry == {"sticks": sticks, "potatoes": potatoes, "net": sticks - potatoes}
                nets["negative"] += sticks < potatoes
                nets["mixed"] += sticks > 0 and potatoes > 0
        best = max(entry["net"] for entry in match.standing)
        assert match.winners == [s for s in range(4) if match.standing[s]["net"] == best]
    assert nets["negative"]
    assert nets["mixed"]


def test_most_sticks_do_not_win_against_a_higher_net__MW9() -> None:
    """The net decides: the player with the most sticks may lose by potatoes."""
    rng = random.Random(99)
    decided_by_potatoes = 0
    for _ in range(60):
        match = jt.Match(jt.game("molotow", rounds=4))
        match_builders.finish(match, rng)
        nets = [entry["sticks"] - entry["potatoes"] for entry in match.standing]
        sticks = [entry["sticks"] for entry in match.standing]
        assert match.winners == [seat for seat in range(4) if nets[seat] == max(nets)]
        decided_by_potatoes += match.winners != [s for s in range(4) if sticks[s] == max(sticks)]
    assert decided_by_potatoes


@pytest.mark.parametrize("marks", ["seed", "swiss"])
def test_marks_agree_with_the_reference__MW4_MW5_MW6_MW7_MW8(marks: str) -> None:
    """In random rounds the marks are those that the rule book's words give."""
    rng = random.Random(marks)
    options: dict[str, Any] = {"rounds": 60, "marks": marks}
    for _ in range(5):
        match = jt.Match(jt.game("molotow", **options))
        match_builders.finish(match, rng)
        for result in match.rounds:

            def drawn(tied: list[int], result: dict[str, Any] = result) -> int:
                last = result["draw"][-1]
                assert [seat for seat, _ in result["draw"][0]] == tied
                seat: int = max(last, key=lambda entry: reference.strength(entry[1], None))[0]
                return seat

            expected = reference.stick_marks(result["points"], marks, drawn)
            assert [int(mark) for mark in result["marks"]] == expected
