"""CO: Coiffeur.

Unless a test says otherwise seat 3 deals and seat 0 is forehand. In a round of whole suits whoever
announces tops, or the suit they hold as trump, takes all nine tricks.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

import jasstisch as jt
from tests.rules import match_builders, worked_contracts
from tests.rules.contract_builders import (
    WHOLE_SUITS,
    coiffeur,
    deal,
    finish_round,
    forehand,
    public,
    random_hands,
    sides,
    tell,
    totals,
    trick,
)
from tests.rules.match_builders import play
from tests.rules.worked_contracts import Worked

CONTRACTS = ["trump C", "trump D", "trump H", "trump S", "tops", "bottoms"]
SUITS = {
    "swiss": ["trump C", "trump H", "trump S", "trump D"],
    "french": ["trump S", "trump C", "trump D", "trump H"],
}
OPTIONS: dict[str, list[Any]] = {
    "players": [4],
    "dealer": [None, 0, 1, 2, 3],
    "direction": ["anticlockwise", "clockwise"],
    "lines": ["eight", "ten"],
    "suits": ["swiss", "french"],
    "match_bonus": [100, 0],
    "undertrump": ["strict", "forced"],
}


def slate(lines: str = "eight", suits: str = "swiss") -> dict[str, tuple[int, list[str]]]:
    """Each line with its factor and the announcements that play it, in order."""
    found = {line: (factor, [line]) for factor, line in enumerate(SUITS[suits], start=1)}
    found |= {"tops": (5, ["tops"]), "bottoms": (6, ["bottoms"])}
    jokers = (7, 8)
    if lines == "ten":
        found["slalom"] = (7, ["slalom tops", "slalom bottoms"])
        found["guschti"] = (8, ["guschti tops", "guschti bottoms"])
        jokers = (9, 10)
    for factor in jokers:
        found[f"joker {factor}"] = (factor, [f"joker {factor} {each}" for each in CONTRACTS])
    return found


def actions(lines: str = "eight", suits: str = "swiss") -> list[str]:
    """All announcements of a fresh slate, in order."""
    return [text for _, texts in slate(lines, suits).values() for text in texts]


def fresh(**options: Any) -> jt.Match:
    """A match before its first deal; seat 3 deals."""
    return jt.Match(jt.game("coiffeur", **{"dealer": 3, **options}))


def whole_suits_with(seat: int, suit: str) -> list[list[str]]:
    """Whole suits, this one in the hand of this seat."""
    hands = list(WHOLE_SUITS)
    own = "CDHS".index(suit)
    hands[seat], hands[own] = hands[own], hands[seat]
    return hands


def play_line(match: jt.Match, side: int, text: str, *, won: bool = True) -> dict[str, Any]:
    """A round in which this side announces this and takes all nine tricks, or none."""
    first = forehand(match)
    seat = first if first % 2 == side else (first + 1) % 4
    words = text.split()
    suit = words[-1] if "trump" in words else None
    holder = seat if won else (seat + 1) % 4
    hands = whole_suits_with(holder, suit) if suit else WHOLE_SUITS
    assert suit or won, "without a trump whoever leads takes all"
    deal(match, hands, "push" if seat != first else "")
    assert match.to_act == (seat,)
    match.act(seat, text)
    return finish_round(match)


# Options.


def test_options_and_their_defaults() -> None:
    """Exactly these options, the first value the default, and all of them in the record."""
    game = jt.game("coiffeur")
    assert dict(game.options) == {name: values[0] for name, values in OPTIONS.items()}
    assert jt.Match(game).record()["options"] == dict(game.options)


@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_accepts_its_values_and_no_others(option: str) -> None:
    """Each value is accepted and kept; every other one is refused by an error naming the option."""
    for value in OPTIONS[option]:
        assert jt.game("coiffeur", **{option: value}).options[option] == value
    wrong: list[Any] = ["", "x", True, 8, 10, 50, -1, 4.0, 100.0, "TEN", "Swiss", "8", []]
    wrong += [None] if option != "dealer" else []
    for value in wrong:
        with pytest.raises(jt.GameError, match=option):
            jt.game("coiffeur", **{option: value})


@pytest.mark.parametrize("option", ["target", "rounds", "weis", "multipliers", "slalom", "end"])
def test_options_of_schieber_are_refused(option: str) -> None:
    """An option that Coiffeur does not have is refused by an error that lists its options."""
    with pytest.raises(jt.GameError, match="lines"):
        jt.game("coiffeur", **{option: "on"})


# CO1: the slate.


@pytest.mark.parametrize("suits", ["swiss", "french"])
@pytest.mark.parametrize("lines", ["eight", "ten"])
def test_every_line_is_open_at_first_in_the_order_of_the_slate__CO1(lines: str, suits: str) -> None:
    """Suits by factor, tops, bottoms, slalom, guschti, each joker's contracts, push last."""
    match = coiffeur(random_hands(1), lines=lines, suits=suits)
    assert list(match.legal(0)) == [*actions(lines, suits), "push"]
    assert len(match.legal(0)) == {"eight": 19, "ten": 23}[lines]


def test_slate_of_eight_lists_exactly_these_announcements__CO1() -> None:
    """Swiss suits, written out."""
    match = coiffeur(random_hands(1))
    assert " · ".join(match.legal(0)) == (
        "trump C · trump H · trump S · trump D · tops · bottoms"
        " · joker 7 trump C · joker 7 trump D · joker 7 trump H · joker 7 trump S"
        " · joker 7 tops · joker 7 bottoms"
        " · joker 8 trump C · joker 8 trump D · joker 8 trump H · joker 8 trump S"
        " · joker 8 tops · joker 8 bottoms · push"
    )


@pytest.mark.parametrize("suits", ["swiss", "french"])
@pytest.mark.parametrize("lines", ["eight", "ten"])
def test_the_factor_of_every_line__CO1(lines: str, suits: str) -> None:
    """It is public with the announcement and multiplies what the side takes."""
    for factor, texts in slate(lines, suits).values():
        for text in texts:
            match = coiffeur(random_hands(factor), lines=lines, suits=suits)
            assert public(match, "factor") is None
            match.act(0, text)
            assert public(match, "factor") == factor
            result = finish_round(match)
            assert result["factor"] == factor
            assert result["marks"][0] == str(result["points"][0] * factor)


@pytest.mark.parametrize(
    "text",
    [
        *("slalom tops", "guschti bottoms", "joker 9 tops", "joker 10 tops", "joker 6 tops"),
        *("joker 7 slalom tops", "joker 7 guschti tops", "joker 7", "joker 07 tops", "joker tops"),
        *("joker 7 joker 8 tops", "joker 7 push", "joker 7 H", "joker 7 trump", "joker -7 tops"),
    ],
)
def test_lines_not_on_the_slate_of_eight_are_refused__CO1(text: str) -> None:
    """The error lists the announcements that are open."""
    match = coiffeur(random_hands(1))
    error = match_builders.refused(match, 0, text)
    assert list(error.legal) == [*actions(), "push"]


@pytest.mark.parametrize(
    "text",
    [
        *("joker 7 tops", "joker 8 trump H", "joker 9 slalom tops", "joker 10 guschti bottoms"),
        *("slalom", "guschti", "joker 9 slalom"),
    ],
)
def test_lines_not_on_the_slate_of_ten_are_refused__CO1(text: str) -> None:
    """With ten lines the jokers are 9 and 10; slalom and guschti are lines of their own only."""
    match = coiffeur(random_hands(1), lines="ten")
    assert list(match_builders.refused(match, 0, text).legal) == [*actions("ten"), "push"]


def test_a_line_is_played_once_by_each_side__CO1() -> None:
    """A line played by one side is closed to both its seats and open to the other side."""
    match = fresh()
    play_line(match, 0, "tops")
    left = [text for text in actions() if text != "tops"]
    deal(match, random_hands(1))
    assert list(match.legal(1)) == [*actions(), "push"]
    tell(match, "push")
    assert list(match.legal(2)) == [*left, "push"]
    error = match_builders.refused(match, 2, "tops")
    assert error.clause in {"CO1", "CO2"}
    tell(match, "push, tops")
    assert public(match, "by") == 3
    finish_round(match)
    deal(match, random_hands(2))  # seat 2 is forehand
    assert list(match.legal(2)) == [*left, "push"]
    tell(match, "push")
    assert list(match.legal(3)) == [*left, "push"]


@pytest.mark.parametrize(
    ("text", "line"), [("slalom bottoms", "slalom"), ("guschti tops", "guschti")]
)
def test_slalom_and_guschti_are_one_line_each__CO1(text: str, line: str) -> None:
    """However it began, the line is played; it stands on the slate by its name alone."""
    match = fresh(lines="ten")
    play_line(match, 0, text)
    assert list(match.standing[0]["lines"]) == [line]
    deal(match, random_hands(1), "push")
    assert not [each for each in match.legal(2) if each.startswith(line)]
    for begins in ("tops", "bottoms"):
        match_builders.refused(match, 2, f"{line} {begins}")


def test_a_joker_is_independent_of_the_other_lines__CO1() -> None:
    """It may be a suit already played, and leaves the line of its suit open."""
    match = fresh()
    play_line(match, 0, "trump H")
    result = play_line(match, 0, "joker 7 trump H")
    assert result["line"] == "joker 7 trump H"
    assert result["contract"] == "trump H"
    result = play_line(match, 0, "joker 8 tops")
    assert (result["contract"], result["trump"], result["factor"]) == ("tops", None, 8)
    deal(match, random_hands(1), "push")
    open_now = [text for text in match.legal(match.to_act[0]) if text != "push"]
    assert open_now == [
        text for text in actions() if text != "trump H" and not text.startswith("joker")
    ]


def test_a_joker_is_played_once_whatever_its_contract_was__CO1() -> None:
    """After `joker 7 tops` no `joker 7` is left, but `joker 8` is."""
    match = fresh()
    play_line(match, 0, "joker 7 tops")
    deal(match, random_hands(1), "push")
    open_now = list(match.legal(2))
    assert not [text for text in open_now if text.startswith("joker 7")]
    assert [text for text in open_now if text.startswith("joker 8")] == [
        f"joker 8 {each}" for each in CONTRACTS
    ]
    assert "tops" in open_now
    error = match_builders.refused(match, 2, "joker 7 trump H")
    assert error.clause in {"CO1", "CO2"}


# CO2: announcing and pushing.


@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_pushing_goes_round_the_table__CO2(dealer: int) -> None:
    """Forehand, then each next seat; all four may push; all see how often."""
    match = coiffeur(random_hands(2), dealer=dealer)
    for turn in range(4):
        seat = (dealer + 1 + turn) % 4
        assert match.to_act == (seat,)
        assert public(match, "phase") == "announce"
        assert public(match, "pushes") == turn
        assert match.legal(seat)[-1] == "push"
        match.act(seat, "push")
    assert match.to_act == ((dealer + 1) % 4,)
    assert public(match, "pushes") == 4


@pytest.mark.parametrize("dealer", [0, 1, 2, 3])
def test_after_four_pushes_forehand_must_announce__CO2(dealer: int) -> None:
    """It has every line of its side and no push; and leads."""
    match = coiffeur(random_hands(2), "push, push, push, push", dealer=dealer)
    first = (dealer + 1) % 4
    assert list(match.legal(first)) == actions()
    error = match_builders.refused(match, first, "push")
    assert error.clause == "CO2"
    assert list(error.legal) == actions()
    match.act(first, "bottoms")
    assert public(match, "by") == first
    result = finish_round(match)
    assert result["pushed"] is True
    assert result["tricks"][0]["leader"] == first


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("JOKER 7 TRUMP h", "joker 7 trump H"),
        ("  joker   8  Tops ", "joker 8 tops"),
        ("Trump d", "trump D"),
    ],
)
def test_announcements_are_accepted_in_any_spelling__CO2(text: str, printed: str) -> None:
    """Case and repeated spaces do not matter; the log stores the printed form."""
    match = coiffeur(random_hands(3))
    assert match.refusal(0, text) is None
    match.act(0, text)
    assert match.record()["log"][-1] == [0, printed]
    assert public(match, "line") == printed


def test_a_joker_names_its_factor_and_contract__CO2() -> None:
    """Both are public: the line as announced, the contract without the joker."""
    match = coiffeur(random_hands(3), "push, joker 7 trump H")
    assert public(match, "line") == "joker 7 trump H"
    assert public(match, "contract") == "trump H"
    assert public(match, "trump") == "H"
    assert public(match, "factor") == 7
    assert public(match, "by") == 1


@pytest.mark.parametrize("kind", ["slalom", "guschti"])
@pytest.mark.parametrize("begins", ["tops", "bottoms"])
def test_slalom_and_guschti_name_how_they_begin__CO2(kind: str, begins: str) -> None:
    """The line as announced holds the beginning."""
    match = coiffeur(random_hands(3), f"{kind} {begins}", lines="ten")
    assert public(match, "line") == public(match, "contract") == f"{kind} {begins}"


def play_lines_of_side(match: jt.Match, side: int) -> None:
    """Plays eight rounds, in which this side plays all its eight lines."""
    for text in [*SUITS["swiss"], "tops", "bottoms", "joker 7 tops", "joker 8 trump S"]:
        play_line(match, side, text)
    assert len(match.standing[side]["lines"]) == 8


def test_a_side_without_open_lines_can_only_push__CO2() -> None:
    """Both its seats, as forehand and later; announcing is refused."""
    match = fresh()
    play_lines_of_side(match, 0)
    assert not public(match, "over")
    deal(match, random_hands(4))
    assert match.to_act == (0,)
    assert list(match.legal(0)) == ["push"]
    error = match_builders.refused(match, 0, "tops")
    assert error.clause in {"CO1", "CO2"}
    assert list(error.legal) == ["push"]
    match.act(0, "push")
    assert list(match.legal(1)) == [*actions(), "push"]
    match.act(1, "push")
    assert list(match.legal(2)) == ["push"]
    match.act(2, "push")
    assert match.to_act == (3,)
    assert list(match.legal(3)) == [*actions(), "push"]


@pytest.mark.parametrize("side", [0, 1])
def test_after_four_pushes_the_first_seat_with_open_lines_must_announce__CO2(side: int) -> None:
    """Forehand's side has none left: the seat after forehand must; else forehand itself."""
    match = fresh()
    play_lines_of_side(match, side)
    for _ in range(2):
        first = forehand(match)
        deal(match, random_hands(5), "push, push, push, push")
        must = first if first % 2 != side else (first + 1) % 4
        assert match.to_act == (must,)
        assert "push" not in match.legal(must)
        assert match_builders.refused(match, must, "push").clause == "CO2"
        text = match.legal(must)[0]
        match.act(must, text)
        result = finish_round(match)
        assert result["by"] == must
        assert result["tricks"][0]["leader"] == must
        assert public(match, "pushes") == 0


# CO3: who leads, and what is not scored.


@pytest.mark.parametrize("pushes", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("dealer", [1, 3])
def test_the_announcer_leads_the_first_trick__CO3(pushes: int, dealer: int) -> None:
    """Not forehand: the seat that announced plays the first card."""
    match = coiffeur(random_hands(6), ", ".join(["push"] * pushes + ["trump D"]), dealer=dealer)
    announcer = (dealer + 1 + pushes) % 4
    assert public(match, "by") == announcer
    assert match.to_act == (announcer,)
    result = finish_round(match)
    assert result["by"] == announcer
    assert result["tricks"][0]["leader"] == announcer
    assert result["pushed"] is (pushes > 0)


def test_the_winner_leads_the_next_trick__CO3_C7() -> None:
    """Only the first trick is led by whoever announced."""
    match = coiffeur(random_hands(7), "push, bottoms")
    leader = 1
    while not match.rounds:
        done = trick(match)
        assert done["leader"] == leader
        leader = done["winner"]


def test_the_deal_passes_to_the_next_seat_whoever_announced__CO3_C5() -> None:
    """Seat 2 announced; the deal passes from seat 3 to seat 0 all the same."""
    match = coiffeur(random_hands(7), "push, push, tops")
    finish_round(match)
    assert public(match, "dealer") == 0


@pytest.mark.parametrize("contract", ["trump C", "tops", "joker 7 trump C"])
def test_no_weis_and_no_stoeck__CO3(contract: str) -> None:
    """Nine clubs, king and queen of trumps among them, bring only what the tricks bring."""
    match = coiffeur(WHOLE_SUITS, contract)
    assert list(match.legal(0)) == [f"play {card}" for card in match.view(0)["hand"]]
    match_builders.refused(match, 0, "play AC weis")
    result = finish_round(match)
    assert result["weis"] == result["stoeck"] == [0, 0, 0, 0]
    assert sides(result["points"]) == (257, 0)


# CO4: who scores.


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("text", ["trump H", "tops", "joker 8 trump S"])
def test_only_the_side_that_announced_scores__CO4(side: int, text: str) -> None:
    """Its points times the factor; the other side's mark is 0, and its points show what it took."""
    match = coiffeur(random_hands(9), text if side == 0 else f"push, {text}")
    result = finish_round(match)
    points = sides(result["points"])
    assert sum(points) == 157
    assert min(points) > 0
    factor = {"trump H": 2, "tops": 5, "joker 8 trump S": 8}[text]
    expected = [0, 0]
    expected[side] = points[side] * factor
    assert result["marks"] == [str(expected[seat % 2]) for seat in range(4)]
    assert list(totals(match)) == expected


@pytest.mark.parametrize(("bonus", "points"), [(100, 257), (0, 157)])
def test_the_match_bonus_is_multiplied_by_the_factor__CO4_CT6(bonus: int, points: int) -> None:
    """All nine tricks of the side that announced, under the line of factor 6."""
    match = fresh(match_bonus=bonus)
    result = play_line(match, 0, "bottoms")
    assert result["match"] == 0
    assert result["points"] == [points, 0, points, 0]
    assert result["marks"] == [str(6 * points), "0", str(6 * points), "0"]


@pytest.mark.parametrize(("bonus", "points"), [(100, 257), (0, 157)])
def test_a_match_of_the_other_side_is_named_but_scores_nothing__CO4_CT6(
    bonus: int, points: int
) -> None:
    """The line scores 0 on the slate; `match` and `points` show which side took all tricks."""
    match = fresh(match_bonus=bonus)
    result = play_line(match, 0, "trump S", won=False)
    assert result["match"] == 1
    assert result["points"] == [0, points, 0, points]
    assert result["marks"] == ["0", "0", "0", "0"]
    assert totals(match) == (0, 0)
    assert match.standing[0]["lines"] == {"trump S": 0}
    assert match.standing[1]["lines"] == {}


def test_standing_lists_the_points_of_each_line_played__CO4() -> None:
    """Only lines of the side, by name, jokers by factor; the same for both partners."""
    match = fresh(lines="ten")
    assert [entry["lines"] for entry in match.standing] == [{}] * 4
    play_line(match, 0, "trump H")
    play_line(match, 1, "joker 10 trump H")
    play_line(match, 1, "slalom bottoms")
    play_line(match, 0, "guschti tops")
    first = {"trump H": 2 * 257, "guschti": 8 * 257}
    second = {"joker 10": 10 * 257, "slalom": 7 * 257}
    for entry in match.standing:
        side = entry["side"]
        assert entry["lines"] == (first, second)[side]
        assert entry["points"] == sum((first, second)[side].values())
    assert public(match, "standing") == match.standing


# CO5: the end.


def play_both_slates(match: jt.Match, lines: str, lost: str = "") -> None:
    """Both sides play their whole slate, line by line; side 1 loses the tricks of line `lost`."""
    for _, texts in slate(lines).values():
        for side in (0, 1):
            assert not public(match, "over")
            fails = bool(lost) and side == 1 and texts[0] == lost
            play_line(match, side, texts[0], won=not fails)


@pytest.mark.parametrize(("lines", "rounds"), [("eight", 16), ("ten", 20)])
def test_the_match_ends_when_both_sides_have_played_all_lines__CO5(lines: str, rounds: int) -> None:
    """After 16 or 20 rounds; the higher total wins."""
    match = fresh(lines=lines)
    play_both_slates(match, lines, lost="trump S")
    assert public(match, "over")
    assert len(match.rounds) == rounds
    assert match.winners == [0, 2]
    factors = [factor for factor, _ in slate(lines).values()]
    assert totals(match) == (257 * sum(factors), 257 * (sum(factors) - 3))
    assert public(match, "winners") == [0, 2]
    assert all(len(entry["lines"]) == len(factors) for entry in match.standing)
    assert match.to_act == ()
    assert not match.needs_pack


def test_all_four_win_with_equal_totals__CO5() -> None:
    """The same on both slates: all four have won."""
    match = fresh()
    play_both_slates(match, "eight")
    first, second = totals(match)
    assert first == second == 257 * 36
    assert match.winners == [0, 1, 2, 3]


def test_the_match_does_not_end_while_one_side_has_open_lines__CO5() -> None:
    """One side is through after eight rounds, the other plays its eight after that."""
    match = fresh()
    play_lines_of_side(match, 1)
    assert not public(match, "over")
    play_lines_of_side(match, 0)
    assert public(match, "over")
    assert [result["by"] % 2 for result in match.rounds] == [1] * 8 + [0] * 8


@pytest.mark.parametrize(("lines", "rounds"), [("eight", 16), ("ten", 20)])
def test_random_matches_have_sixteen_or_twenty_rounds__CO5(lines: str, rounds: int) -> None:
    """Whatever is announced, each line is on each slate once at the end."""
    match = fresh(lines=lines)
    match_builders.finish(match, random.Random(lines))
    assert len(match.rounds) == rounds
    for entry in match.standing:
        assert set(entry["lines"]) == set(slate(lines))
        assert entry["points"] == sum(entry["lines"].values())
    best = max(totals(match))
    assert match.winners == [seat for seat in range(4) if match.standing[seat]["points"] == best]


# Rounds worked out by hand.


PAPER: list[tuple[Worked, int, str, dict[str, Any], int, tuple[int, int]]] = [
    # Guschti counts eight: side 1 took 105.
    (worked_contracts.GUSCHTI_TOPS, 0, "guschti tops", {"lines": "ten"}, 8, (0, 840)),
    # Three push; slalom counts seven: side 1 took 133.
    (
        worked_contracts.SLALOM_TOPS,
        3,
        "push, push, push, slalom tops",
        {"lines": "ten"},
        7,
        (0, 931),
    ),
    # A joker of eight: 70 of side 0; the 87 of the others count for nothing.
    (worked_contracts.JOKER_BOTTOMS, 0, "push, joker 8 bottoms", {}, 8, (560, 0)),
    # Spades count three in Swiss suits, one in French ones: side 1 took 68.
    (worked_contracts.SPADES, 2, "trump S", {}, 3, (0, 204)),
    (worked_contracts.SPADES, 2, "trump S", {"suits": "french"}, 1, (0, 68)),
    # King and queen of trumps and two runs of three are held and count nothing: 95 and 75.
    (worked_contracts.HEARTS, 3, "trump H", {"suits": "french"}, 4, (380, 0)),
    (worked_contracts.CLUBS, 1, "push, push, joker 7 trump C", {}, 7, (525, 0)),
]


@pytest.mark.parametrize(("worked", "dealer", "say", "options", "factor", "marks"), PAPER)
def test_rounds_score_as_worked_out_by_hand__CO(
    worked: Worked,
    dealer: int,
    say: str,
    options: dict[str, Any],
    factor: int,
    marks: tuple[int, int],
) -> None:
    """Every trick, the points of both sides, and the marks after the factor."""
    match = coiffeur(worked.dealt, say, dealer=dealer, **options)
    running = [0, 0]
    for number, (_, text, winner, worth) in enumerate(worked.tricks[:-1]):
        assert list(sides(public(match, "points"))) == running, number
        play(match, text)
        running[winner % 2] += worth
    play(match, worked.tricks[-1][1])
    result = match.rounds[0]
    assert result["tricks"] == worked.written
    assert sides(result["points"]) == worked.points
    assert result["factor"] == factor
    assert result["match"] is None
    assert result["marks"] == [str(marks[seat % 2]) for seat in range(4)]
    assert totals(match) == marks
