"""MV: Molotov Jass, its earlier form, and what both share: C10, C11, sacks and tallies."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

import jasstisch as jt
from tests.rules import match_builders, reference, scored_rounds
from tests.rules.match_builders import cards, deal, play, start

BOTH = pytest.mark.parametrize("name", ["molotov", "offenbach"])


def drive(match: jt.Match, found: reference.Played) -> None:
    """Deals and plays this round, which must have the forehand of the match."""
    dealer = match.view(None)["dealer"]
    assert found.forehand == (dealer + 1) % match.game.players
    match.deal(match_builders.packed(found.hands, dealer))
    play(match, found.cards)


@pytest.mark.parametrize(("players", "size"), [(3, 12), (4, 9), (5, 7), (6, 6)])
def test_hand_sizes__MV1(players: int, size: int) -> None:
    """Three players hold twelve cards, four nine, five seven and six six."""
    match = jt.Match(jt.game("molotov", players=players, dealer=0))
    match.deal(match.pack)
    assert match.view(None)["hand_sizes"] == [size] * players
    assert [len(match.hand(seat)) for seat in range(players)] == [size] * players


def test_five_play_without_the_six_of_d__MV1() -> None:
    """With five players the six of D is in no pack, that of the draw for deal included."""
    match = jt.Match(jt.game("molotov", players=5))
    rng = random.Random(1)
    for _ in range(2):
        assert len(match.pack) == 35
        assert "6D" not in match.pack
        with pytest.raises(jt.IllegalAction):
            match.deal(reference.pack(4))
        match_builders.step(match, rng)
    played = {card for seat in range(5) for card in match.hand(seat)}
    assert played == set(reference.pack(5))


@pytest.mark.parametrize(
    ("name", "players"), [("molotov", 2), ("molotov", 7), ("offenbach", 2), ("offenbach", 6)]
)
def test_number_of_players__MV1(name: str, players: int) -> None:
    """Molotov is for three to six players, its earlier form for three to five."""
    with pytest.raises(jt.GameError):
        jt.game(name, players=players)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_offenbach_plays_like_molotov_with_equal_marks__MV0(players: int) -> None:
    """With the same marks for five a match goes the same way in both games."""
    options: dict[str, Any] = {"players": players, "five_player_marks": "3-1-1"}
    one = jt.Match(jt.game("molotov", **options))
    match_builders.finish(one, random.Random(players))
    record = {**one.record(), "game": "offenbach"}
    other = jt.Match.from_record(record)
    assert other.rounds == one.rounds
    assert other.standing == one.standing
    assert other.winners == one.winners
    for seat in range(players):
        assert {**one.view(seat), "game": ""} == {**other.view(seat), "game": ""}
    defaults = dict(jt.game("molotov", players=players).options)
    assert jt.game("offenbach", players=players).options == {
        **defaults,
        "five_player_marks": "2-1-2",
    }


@BOTH
def test_a_round_starts_without_trump__MV2(name: str) -> None:
    """As long as everybody follows suit there is no trump."""
    hands = deal({0: "6JC 7AD", 1: "7C 6D", 2: "8C 8D", 3: "TC 9D"})
    match = start(name, hands)
    for seat in [None, 0, 1, 2, 3]:
        assert match.view(seat)["trump"] is None
    play(match, "JC 7C 8C TC 7D 6D 8D 9D")
    assert match.trump is None


@BOTH
@pytest.mark.parametrize("discard", ["6D", "7H", "8S"])
def test_first_discard_makes_trump_at_once__MV2(name: str, discard: str) -> None:
    """The first card off the suit led makes its suit trump and takes the trick as one."""
    match = start(name, deal({0: "AC", 1: discard}, void={1: "C"}))
    play(match, "AC")
    assert match.view(None)["trump"] is None
    play(match, [discard])
    assert match.trump == discard[1]
    for seat in [None, 0, 1, 2, 3]:
        assert match.view(seat)["trump"] == discard[1]


@BOTH
def test_the_card_that_made_trump_wins_its_trick__MV2(name: str) -> None:
    """A six discarded on an ace takes the trick, for it is a trump already."""
    match = start(name, deal({0: "AC", 1: "6H", 2: "7C", 3: "KC"}, void={1: "C"}))
    play(match, "AC 6H 7C KC")
    assert match.view(None)["last_trick"] == {
        "leader": 0,
        "cards": ["AC", "6H", "7C", "KC"],
        "winner": 1,
    }


@BOTH
def test_only_the_first_discard_makes_trump__MV2(name: str) -> None:
    """A later discard of a third suit changes nothing; a higher trump takes the trick."""
    hands = deal({0: "AC", 1: "6H", 2: "AS", 3: "7H"}, void={1: "C", 2: "CH", 3: "C"})
    match = start(name, hands)
    play(match, "AC 6H AS 7H")
    assert match.trump == "H"
    assert match.view(None)["last_trick"]["winner"] == 3


def test_trump_lasts_for_one_round__MV2() -> None:
    """The next round starts without a trump again."""
    match = jt.Match(jt.game("molotov"))
    result = match_builders.finish_round(match, random.Random(2))
    assert result["trump"] is not None
    assert match.trump is None
    match_builders.step(match, random.Random(2))
    assert match.trump is None


@pytest.mark.parametrize(("name", "players"), [("molotov", 4), ("offenbach", 4), ("molotow", 4)])
def test_captured_jack_and_nine_count_by_the_later_trump__C10_MV2(name: str, players: int) -> None:
    """A jack and a nine taken while plain count 20 and 14 once their suit is trump."""
    hands = deal(
        {0: "AH 6C", 1: "JH 7H", 2: "9H 7C", 3: "6H KC"},
        players,
        void={1: "C"},
    )
    match = start(name, hands)
    play(match, "AH JH 9H 6H")
    assert match.view(None)["points"] == [13, 0, 0, 0]
    play(match, "6C 7H 7C KC")
    assert match.trump == "H"
    assert match.view(None)["points"] == [45, 4, 0, 0]
    match_builders.finish_round(match, random.Random(10))
    assert sum(match.rounds[0]["points"]) - molotov_points(match.rounds[0]) == 157


def molotov_points(result: dict[str, Any]) -> int:
    return sum(run["points"] for run in result.get("molotovs", []))


def test_running_points_are_plain_before_trump__C10() -> None:
    """While no trump is known a jack counts 2, a nine and an eight nothing."""
    hands = deal({0: "AH", 1: "JH", 2: "9H", 3: "8H"})
    match = start("molotov", hands)
    play(match, "AH JH 9H 8H")
    for seat in [None, 0, 1, 2, 3]:
        assert match.view(seat)["points"] == [13, 0, 0, 0]


RUNS = [
    # The cards played, the seat that takes them, and the molotovs.
    ("9H TH JH QH", 3, [("9TJQH", 50)]),
    ("QH 9H JH TH", 0, [("9TJQH", 50)]),
    ("6S 7S 8S AS", 3, [("678S", 20)]),
    ("8S AS 6S 7S", 1, [("678S", 20)]),
    ("QD AD KD 6D", 1, [("QKAD", 20)]),
    ("TC JC QC 6C", 2, [("TJQC", 20)]),
    ("6C 7C 9C TC", 3, []),
    ("KC AC 6C 7C", 1, []),
    ("6C 7C 9C JC", 3, []),
    ("6C 8C TC QC", 3, []),
    ("AC 7D 8D 9D", 3, [("789D", 20)]),
    ("9C 7D TC JC", 1, [("9TJC", 20)]),
    ("AC 7D 8D 9H", 2, []),
    ("7C 8D 9H TS", 1, []),
    ("KC 6D AC 7S", 1, []),  # no run goes on in the next suit
    ("KC AC 6D 7D", 3, []),
    ("QS KS AS 6C", 3, [("QKAS", 20)]),
]


@BOTH
@pytest.mark.parametrize(("table", "taker", "expected"), RUNS)
def test_molotovs_of_a_trick__MV4(
    name: str, table: str, taker: int, expected: list[tuple[str, int]]
) -> None:
    """Three in sequence of one suit cost the taker 20, four 50, in whatever order they fell."""
    played = table.split()
    void = {seat: played[0][1] for seat, card in enumerate(played) if card[1] != played[0][1]}
    match = start(name, deal(dict(enumerate(played)), void=void))
    play(match, played)
    view = match.view(None)
    assert view["last_trick"]["winner"] == taker
    assert [(run["seat"], set(run["cards"]), run["points"]) for run in view["molotovs"]] == [
        (taker, set(cards(run)), worth) for run, worth in expected
    ]
    assert all(run["trick"] == 1 for run in view["molotovs"])
    worth = sum(reference.value(card, match.trump) for card in played)
    points = [0, 0, 0, 0]
    points[taker] = worth + sum(worth for _, worth in expected)
    assert view["points"] == points
    assert match.to_act == (taker,)


@BOTH
def test_trumps_run_in_natural_order__MV4(name: str) -> None:
    """Trump 9 T J Q are a run of four; 7 8 T Q, neighbours in trump order, are none."""
    hands = deal(
        {0: "6C AK9H 7H", 1: "6H TH 8H", 2: "7C JH TC", 3: "8C 9C QH"},
        void={1: "C"},
    )
    hands[1] = cards("6T8H") + [card for card in hands[1] if card not in cards("6T8H")]
    match = start(name, hands)
    play(match, "6C 6H 7C 8C")
    assert match.view(None)["molotovs"] == [
        {"seat": 1, "cards": ["6C", "7C", "8C"], "points": 20, "trick": 1}
    ]
    play(match, "TH JH QH 9H")
    run = match.view(None)["molotovs"][1]
    assert (run["seat"], run["points"], run["trick"]) == (2, 50, 2)
    assert sorted(run["cards"]) == sorted(cards("9TJQH"))
    other = start(name, deal({0: "6C 7H", 1: "6TH", 2: "7C 8H", 3: "9C QH"}, void={1: "C"}))
    play(other, "6C 6H 7C 9C")
    play(other, "TH 8H QH 7H")
    assert other.view(None)["molotovs"] == []


def test_cards_of_two_tricks_make_no_molotov__MV4() -> None:
    """Only cards of one and the same trick make a molotov."""
    match = start("molotov", deal({0: "AC AH", 1: "6C 6H", 2: "7C 9H", 3: "9C TH"}))
    play(match, "AC 6C 7C 9C")
    play(match, "AH 6H 9H TH")
    assert match.view(None)["molotovs"] == []
    assert match.view(None)["points"] == [32, 0, 0, 0]


def after_first_trick(table: str, **options: Any) -> jt.Match:
    """A match for as many players as cards, usually six, after this first trick."""
    played = table.split()
    void = {seat: played[0][1] for seat, card in enumerate(played) if card[1] != played[0][1]}
    match = start("molotov", deal(dict(enumerate(played)), len(played), void=void), **options)
    play(match, played)
    return match


@pytest.mark.parametrize("long_runs", ["fifty", "weis"])
@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("6C 7C 8C TC JC QC", [20, 20]),
        ("6C 7C 8C 6D 7D 8D", [20, 20]),
        ("6C 6D 7C 7D 8C 8D", [20, 20]),
        ("6C 7C 8C 9C JC QC", [50]),
        ("6C 7C 8C 9C 7D 8D", [50]),
        ("6C 7C 8C TC JC AC", [20]),
        ("6C 7C 9C TC QC KC", []),
    ],
)
def test_each_maximal_run_counts_once__MV4(table: str, expected: list[int], long_runs: str) -> None:
    """Two separate runs are 20 each; a run of four is 50 and not also 20."""
    match = after_first_trick(table, long_runs=long_runs)
    assert sorted(run["points"] for run in match.view(None)["molotovs"]) == expected


@pytest.mark.parametrize(
    ("table", "length", "long_runs", "worth"),
    [
        ("6C 7C 8C 9C TC", 5, "fifty", 50),
        ("6C 7C 8C 9C TC", 5, "weis", 100),
        ("9C 6C 8C TC 7C AC", 5, "fifty", 50),
        ("9C 6C 8C TC 7C AC", 5, "weis", 100),
        ("9C TC JC QC KC AC", 6, "fifty", 50),
        ("9C TC JC QC KC AC", 6, "weis", 150),
        ("6C 7C 8C 9C AC", 4, "weis", 50),
        ("6C 7C 8C TC AC", 3, "weis", 20),
    ],
)
def test_long_runs__MV5(table: str, length: int, long_runs: str, worth: int) -> None:
    """Five or six in sequence cost 50, or 100 and 150 with `long_runs="weis"`."""
    (run,) = after_first_trick(table, long_runs=long_runs).view(None)["molotovs"]
    assert (len(run["cards"]), run["points"]) == (length, worth)


def test_round_score_is_cards_last_trick_and_molotovs__MV6() -> None:
    """A round's points hold the molotovs, and its list of molotovs says which they were."""
    rng = random.Random(6)
    seen = 0
    for _ in range(20):
        match = jt.Match(jt.game("molotov"))
        result = match_builders.finish_round(match, rng)
        points = [0, 0, 0, 0]
        for trick in result["tricks"]:
            for card in trick["cards"]:
                points[trick["winner"]] += reference.value(card, result["trump"])
        points[result["tricks"][-1]["winner"]] += 5
        for run in result["molotovs"]:
            trick = result["tricks"][run["trick"] - 1]
            assert trick["winner"] == run["seat"]
            assert set(run["cards"]) <= set(trick["cards"])
            points[run["seat"]] += run["points"]
            seen += 1
        assert result["points"] == points
    assert seen > 3


def test_round_scores_do_not_add_up__MV6() -> None:
    """The points of a new round start at nothing; only marks last."""
    match = jt.Match(jt.game("molotov"))
    rng = random.Random(6)
    first = match_builders.finish_round(match, rng)
    match_builders.step(match, rng)
    assert match.view(None)["points"] == [0, 0, 0, 0]
    second = match_builders.finish_round(match, rng)
    assert sum(second["points"]) == 157 + molotov_points(second)
    for number, entry in enumerate(match.standing):
        marks = [first["marks"][number], second["marks"][number]]
        assert entry == {
            "strokes": reference.slate(marks),
            "tallies": reference.slate(marks).count("|"),
            "sacks": reference.slate(marks).count("0"),
        }


def without_trump(ranks: str = "67A 8TJ 9QK", **options: Any) -> jt.Match:
    """Three players with the same ranks of each suit, before the last card; nobody discards."""
    hands = [cards(f"{r}C {r}D {r}H {r}S") for r in ranks.split()]
    match = start("molotov", hands, **options)
    while sum(match.view(None)["hand_sizes"]) > 1:
        (seat,) = match.to_act
        match.act(seat, match.legal(seat)[0])
    assert match.trump is None
    return match


def test_without_trump_eights_count__MV7() -> None:
    """In a round without trump each eight counts 8, so that it is worth 157."""
    match = without_trump()
    match_builders.step(match, random.Random(7))
    (result,) = match.rounds
    assert result["trump"] is None
    points = [0, 0, 0]
    for trick in result["tricks"]:
        for card in trick["cards"]:
            points[trick["winner"]] += 8 if card[0] == "8" else reference.value(card, None)
    points[result["tricks"][-1]["winner"]] += 5
    for run in result["molotovs"]:
        points[run["seat"]] += run["points"]
    assert result["points"] == points
    assert sum(points) == 157 + molotov_points(result)


def test_running_points_leave_the_eights_out__C10_MV7() -> None:
    """Before the round's end an eight taken counts nothing, although there may be no trump."""
    match = without_trump()
    tricks = match.view(None)["tricks"]
    assert sum(card[0] == "8" for trick in tricks for card in trick["cards"]) > 1
    total = sum(reference.value(card, None) for trick in tricks for card in trick["cards"])
    molotovs = sum(run["points"] for run in match.view(None)["molotovs"])
    assert sum(match.view(None)["points"]) == total + molotovs


def test_no_trump_plain_leaves_the_round_at_125__MV7() -> None:
    """`no_trump="plain"` leaves a round without trump at 125."""
    match = without_trump(no_trump="plain")
    match_builders.step(match, random.Random(7))
    (result,) = match.rounds
    assert sum(result["points"]) == 125 + molotov_points(result)


def test_no_trump_annul_voids_the_round__MV7() -> None:
    """`no_trump="annul"` voids the round: it is in the log only, and the same dealer deals."""
    match = without_trump("69Q 7TK 8JA", no_trump="annul", dealer=1)
    assert match.view(0)["molotovs"]
    match_builders.step(match, random.Random(7))
    view = match.view(0)
    assert match.rounds == []
    assert (view["molotovs"], view["tricks"], view["points"]) == ([], [], [0, 0, 0])
    assert (view["phase"], view["round"], view["dealer"]) == ("deal", 1, 1)
    assert match.standing == [{"strokes": "", "tallies": 0, "sacks": 0}] * 3
    assert len(match.record()["log"]) == 37
    assert jt.Match.from_record(match.record()).record() == match.record()
    result = match_builders.finish_round(match, random.Random(7))
    assert result["dealer"] == 1
    assert match.view(0)["dealer"] == 2
    assert match.view(0)["round"] == 2


def test_with_a_trump_nothing_is_annulled_and_eights_are_worthless__MV7() -> None:
    """The option has no effect on a round that has a trump."""
    for no_trump in ("eights", "plain", "annul"):
        match = jt.Match(jt.game("molotov", players=3, no_trump=no_trump))
        result = match_builders.finish_round(match, random.Random(70))
        assert result["trump"] is not None
        assert sum(result["points"]) == 157 + molotov_points(result)


# The rule book's vectors first; then each size of table, and ties on every border.
MARKS: list[tuple[tuple[int, ...], dict[str, Any], str]] = [
    ((10, 20, 30, 97), {}, "| | - 0"),
    ((10, 20, 20, 107), {}, "| - - 0"),
    ((39, 39, 39, 40), {}, "- - - 0"),
    ((5, 50, 51, 51), {}, "| | - -"),
    ((20, 20, 30, 87), {}, "| | - 0"),
    ((10, 20, 30, 97), {"ties": "generous"}, "| | - 0"),
    ((10, 20, 20, 107), {"ties": "generous"}, "| | | 0"),
    ((39, 39, 39, 40), {"ties": "generous"}, "| | | 0"),
    ((5, 50, 51, 51), {"ties": "generous"}, "| | - -"),
    ((20, 20, 30, 87), {"ties": "generous"}, "| | - 0"),
    ((30, 50, 77), {}, "| | 0"),
    ((50, 50, 57), {}, "| | 0"),
    ((31, 63, 63), {}, "| - -"),
    ((31, 63, 63), {"ties": "generous"}, "| | |"),
    ((59, 59, 59), {}, "- - -"),
    ((59, 59, 59), {"ties": "generous"}, "| | |"),
    ((10, 20, 30, 40, 57), {}, "| | | - 0"),
    ((10, 20, 30, 40, 57), {"five_player_marks": "2-1-2"}, "| | - 0 0"),
    ((10, 20, 30, 30, 67), {}, "| | - - 0"),
    ((10, 20, 30, 30, 67), {"ties": "generous"}, "| | | | 0"),
    ((10, 20, 30, 30, 67), {"five_player_marks": "2-1-2"}, "| | - - 0"),
    ((10, 20, 27, 50, 50), {}, "| | | - -"),
    ((10, 20, 27, 50, 50), {"five_player_marks": "2-1-2"}, "| | - 0 0"),
    ((10, 15, 20, 30, 41, 41), {}, "| | | - 0 0"),
    ((0, 10, 30, 30, 40, 47), {}, "| | - - 0 0"),
    ((0, 10, 30, 30, 40, 47), {"ties": "generous"}, "| | | | 0 0"),
    ((0, 0, 20, 40, 40, 57), {}, "| | | - - 0"),
    ((0, 0, 20, 40, 40, 57), {"ties": "generous"}, "| | | - - 0"),
]


@pytest.mark.parametrize(("scores", "options", "marks"), MARKS)
def test_marks_by_ascending_round_score__MV8_C11(
    scores: tuple[int, ...], options: dict[str, Any], marks: str
) -> None:
    """A round with these scores earns these marks, ties across a border as the option says."""
    match = scored_rounds.played("molotov", scores, **options)
    (result,) = match.rounds
    assert result["points"] == list(scores)
    assert result["marks"] == marks.split()
    assert [entry["strokes"] for entry in match.standing] == [
        mark.replace("-", "") for mark in marks.split()
    ]


@pytest.mark.parametrize(
    ("five_player_marks", "marks"),
    [(None, "| | - 0 0"), ("2-1-2", "| | - 0 0"), ("3-1-1", "| | | - 0")],
)
def test_marks_of_five_at_offenbach__MV8(five_player_marks: str | None, marks: str) -> None:
    """The earlier form gives five players two tallies, one nothing and two sacks."""
    options = {"five_player_marks": five_player_marks} if five_player_marks else {}
    found = scored_rounds.load("molotov", (10, 20, 30, 40, 57))
    match = jt.Match(jt.game("offenbach", players=5, dealer=4, **options))
    match.deal(found["pack"])
    play(match, found["play"].split())
    assert match.rounds[0]["marks"] == marks.split()


@pytest.mark.parametrize("players", [3, 4, 6])
def test_five_player_marks_have_no_effect_on_other_tables__MV8(players: int) -> None:
    """`five_player_marks` has no effect with another number of players."""
    results = []
    for value in ("3-1-1", "2-1-2"):
        match = jt.Match(jt.game("molotov", players=players, five_player_marks=value))
        results.append(match_builders.finish_round(match, random.Random(8)))
    assert results[0] == results[1]


def play_marks(match: jt.Match, seat: int, wanted: Sequence[str], rng: random.Random) -> None:
    """Play rounds in which this seat earns the wanted marks and nobody ends the match."""
    places = reference.PLACES["molotov"][4]
    for mark in wanted:
        standing = match.standing

        def suits(found: reference.Played, mark: str = mark, standing: Any = standing) -> bool:
            marks = reference.tally_marks(found.molotov_points(), places, "nothing")
            return marks[seat] == mark and not any(
                earned == "|" and entry["tallies"] == 4 and entry["sacks"] == 0
                for earned, entry in zip(marks, standing, strict=True)
            )

        forehand = (match.view(None)["dealer"] + 1) % 4
        drive(match, scored_rounds.round_with(rng, 4, forehand, suits))
        assert match.rounds[-1]["marks"][seat] == mark


@pytest.mark.parametrize(
    ("marks", "strokes"),
    [
        ("| | 0 |", "||Ø"),
        ("0 |", "Ø"),
        ("0 | |", "Ø|"),
        ("| | 0 0 |", "||Ø0"),
        ("0 0 | 0 |", "ØØ0"),
        ("0 0 | 0 | | |", "ØØØ|"),
        ("- | - 0 -", "|0"),
        ("| 0 | 0 |", "|ØØ"),
    ],
)
def test_a_tally_crosses_the_oldest_open_sack__MV9(marks: str, strokes: str) -> None:
    """With a sack open a tally adds no stroke; crossed sacks stay where they stand."""
    for seat in (0, 2):
        match = jt.Match(jt.game("molotov", dealer=3, target=5))
        play_marks(match, seat, marks.split(), random.Random(marks))
        entry = match.standing[seat]
        assert entry == {
            "strokes": strokes,
            "tallies": strokes.count("|"),
            "sacks": strokes.count("0"),
        }
        assert not match.over


@pytest.mark.parametrize(
    ("name", "players"), [k for k in match_builders.KINDS if "of" in k[0] or k[1] > 4]
)
@pytest.mark.parametrize("ties", ["nothing", "generous"])
def test_the_slate_is_written_round_by_round__MV9(name: str, players: int, ties: str) -> None:
    """In random matches the slate is the one the reference writes from the marks."""
    match = jt.Match(jt.game(name, players=players, ties=ties))
    match_builders.finish(match, random.Random(ties))
    for seat, entry in enumerate(match.standing):
        strokes = reference.slate(result["marks"][seat] for result in match.rounds)
        assert entry == {
            "strokes": strokes,
            "tallies": strokes.count("|"),
            "sacks": strokes.count("0"),
        }


@pytest.mark.parametrize(
    ("scores", "winners"),
    [
        ((10, 20, 20, 107), [0]),
        ((10, 20, 30, 97), [0]),  # two reach the target: the lower score wins
        ((20, 20, 30, 87), [0, 1]),  # equal scores share
        ((10, 20, 30, 40, 57), [0]),
    ],
)
def test_the_player_reaching_the_target_wins__MV10(
    scores: tuple[int, ...], winners: list[int]
) -> None:
    """Of several who reach the target at once the lowest score wins; equal ones share."""
    match = scored_rounds.played("molotov", scores, target=1)
    assert match.over
    assert match.winners == winners
    assert match.view(None)["phase"] == "over"
    assert match.view(None)["winners"] == winners


def test_the_match_goes_on_after_a_round_without_tallies__MV10() -> None:
    """Where ties leave nobody a tally the match goes on."""
    match = scored_rounds.played("molotov", (39, 39, 39, 40), target=1)
    assert not match.over
    assert match.winners == []
    assert match.needs_pack


def test_a_crossed_sack_is_no_stroke__MV10() -> None:
    """A player who crosses out a sack has not reached the target, even with the lowest score."""
    match = scored_rounds.played("molotov", (39, 39, 39, 40), target=1)

    def lowest_is_seat_three(found: reference.Played) -> bool:
        scores = found.molotov_points()
        marks = reference.tally_marks(scores, "||-0", "nothing")
        return marks[3] == "|" and scores[3] < min(scores[:3]) and marks.count("|") == 2

    found = scored_rounds.round_with(random.Random(3), 4, 1, lowest_is_seat_three)
    drive(match, found)
    result = match.rounds[-1]
    assert match.over
    assert match.standing[3] == {"strokes": "Ø", "tallies": 0, "sacks": 0}
    assert match.winners == [result["marks"].index("|")]


@pytest.mark.parametrize("target", [1, 2, 5, 7])
@BOTH
def test_the_match_ends_when_the_target_is_reached__MV10(name: str, target: int) -> None:
    """The match ends after the first round in which a player has the strokes of the target."""
    rng = random.Random(target)
    for _ in range(3):
        match = jt.Match(jt.game(name, target=target))
        while not match.over:
            assert max(entry["tallies"] for entry in match.standing) < target
            match_builders.finish_round(match, rng)
        reached = [seat for seat in range(4) if match.standing[seat]["tallies"] >= target]
        points = match.rounds[-1]["points"]
        best = min(points[seat] for seat in reached)
        assert match.winners == [seat for seat in reached if points[seat] == best]


def test_five_strokes_by_default__MV10() -> None:
    """The target is five strokes."""
    assert jt.game("molotov").options["target"] == 5
    assert jt.game("offenbach").options["target"] == 5
