"""The narrator: texts about claims, doubts and deals, and about the end of a match of Jass."""

import re
from typing import Any

import pytest

import jasstisch as jt
from jasstisch.cli.ui.card_style import STYLES
from jasstisch.cli.ui.i_doubt_it_view import describe_claims, describe_deal_end, describe_last_claim
from jasstisch.cli.ui.narrator import Narrator
from jasstisch.cli.ui.player_names import PlayerNames
from jasstisch.cli.ui.score_tables import (
    current_round_table,
    match_table,
    round_result_table,
    round_status_line,
)
from tests.cli.ui.test_score_tables import printed, written
from tests.rules import match_builders

FRENCH = STYLES["french"]
SEATS = PlayerNames(["You", "bot:greedy", "Anna"], 0)

TURN: dict[str, Any] = {
    "seat": 1, "drew": 0, "drawn": None, "rank": "J", "count": 3, "laid": None, "passed": [],
    "doubter": None, "truth": None, "taker": None, "taken": 0,
}  # fmt: skip


def told(before: list[dict[str, Any]], after: list[dict[str, Any]], **options: Any) -> list[str]:
    """The news between two lists of turns."""
    view = {"phase": "answer", "middle": 7, "options": {"lie_fee": 0} | options}
    old, new = ({**view, "turns": turns} for turns in (before, after))
    return [line.plain for line in describe_claims(old, {**new, "phase": "lay"}, SEATS, FRENCH)]


def test_the_last_claim_is_the_last_settled_one() -> None:
    view: dict[str, Any] = {"claim": None, "options": {"lie_fee": 0}, "turns": []}
    passed = TURN | {"passed": [2, 0]}
    lie = TURN | {"laid": ["3C", "7D", "KD"], "doubter": 2, "truth": False, "taker": 1, "taken": 3}
    is_open = {"claim": {"seat": 2, "rank": "A", "count": 3}}

    def last(*turns: dict[str, Any], **more: Any) -> str:
        return describe_last_claim(view | {"turns": list(turns)} | more, SEATS, FRENCH).plain

    assert last() == last(TURN, **is_open) == "No claim is settled in this deal yet."
    assert last(passed) == last(passed, TURN | {"seat": 2, "rank": "A"}, **is_open)
    assert last(passed) == "Greedy lays three jacks. Nobody doubted it."
    assert "A lie!" in last(passed, lie)


def test_claims_of_others_are_told_without_their_cards__ID2() -> None:
    assert told([], [TURN]) == ["Greedy lays three jacks."]


def test_own_cards_are_told_with_the_rank_claimed__ID2() -> None:
    own = TURN | {"seat": 0, "laid": ["3C", "7D", "KD"]}
    assert told([], [own]) == ["You lay 3♣ 7♦ K♦ as three jacks."]


def test_passing_is_told_once_nobody_has_doubted__ID4() -> None:
    one, both = TURN | {"passed": [2]}, TURN | {"passed": [2, 0]}
    assert told([TURN], [one]) == []
    assert told([one], [both]) == ["Nobody doubts it. The middle holds 7 cards."]


@pytest.mark.parametrize(
    ("turn", "line"),
    [
        (
            {"doubter": 2, "truth": False, "taker": 1, "taken": 12},
            "Anna doubts it: J♣ J♦ 7♠. A lie! Greedy takes 12 cards.",
        ),
        (
            {"doubter": 0, "truth": True, "taker": 0, "taken": 3},
            "You doubt it: J♣ J♦ 7♠. True! You take 3 cards.",
        ),
    ],
)
def test_a_doubt_turns_the_cards_up_and_names_who_takes_them__ID3(
    turn: dict[str, Any], line: str
) -> None:
    turned_up = TURN | {"laid": ["JC", "JD", "7S"]} | turn
    assert told([TURN], [turned_up]) == [line]
    assert told([turned_up], [turned_up]) == []


def test_a_lie_may_cost_a_chip__ID9() -> None:
    turned_up = TURN | {"laid": ["7S"], "doubter": 2, "truth": False, "taker": 1, "taken": 3}
    assert told([TURN], [turned_up], lie_fee=1)[0].endswith("3 cards; the lie costs a chip.")


def test_drawing_and_missing_a_turn_are_told__ID5() -> None:
    draws = TURN | {"drew": 2, "rank": None, "count": 0}
    misses = TURN | {"seat": 2, "rank": None, "count": 0}
    own = draws | {"seat": 0, "drew": 1, "drawn": ["4D"]}
    assert told([], [misses, draws]) == [
        "Anna misses a turn: the middle holds too few cards to draw.",
        "Greedy draws 2 cards from the middle.",
    ]
    assert told([], [own]) == ["You draw 4♦ from the middle."]
    assert told([draws], [draws | {"rank": "A", "count": 3}]) == ["Greedy lays three aces."]


@pytest.mark.parametrize(
    ("left", "text"),
    [
        ([3, 0, 9], "Greedy has no cards left: a chip for each card of the others."),
        ([0, 4, 9], "You have no cards left: a chip for each card of the others."),
        ([8, 4, 9], "Greedy has the fewest cards, and a chip for each further one of the others."),
        ([4, 4, 9], "several hold the fewest cards, and nothing is paid."),
    ],
)
def test_the_reason_for_the_end_of_a_deal_is_told__ID6__ID8(left: list[int], text: str) -> None:
    assert describe_deal_end({"left": left, "claims": 75}, SEATS).plain.endswith(text)


def test_the_round_sheet_of_i_doubt_it_shows_cards_left_and_chips() -> None:
    finished = {"points": [12, -3, -9], "marks": ["+12", "-3", "-9"], "left": [0, 3, 9]}
    standing = [{"chips": 5}, {"chips": -3}, {"chips": 0}]
    view = written("i-doubt-it", [finished | {"chips": [12, -3, -9]}], standing)
    assert printed(round_result_table(view, SEATS)) == [
        "        Cards left  Change  Chips",
        "You              0     +12     +5",
        "Greedy           3      -3     -3",
        "Anna             9      -9      0",
    ]
    assert printed(match_table(view, SEATS))[-2:] == [
        "1      +12      -3    -9",
        "Chips   +5      -3     0",
    ]


STANDING = [
    {"strokes": "||0", "tallies": 2, "nulls": 1, "safe": False},
    {"strokes": "|||||", "tallies": 5, "nulls": 0, "safe": True},
    {"strokes": "", "tallies": 0, "nulls": 0, "safe": False},
]


def test_the_round_sheet_of_jass_shows_drops_weis_and_stoeck() -> None:
    finished = {
        "points": [90, 0, 0], "marks": ["||", "-", "-"], "playing": [0],
        "weis": [50, 0, 0], "stoeck": [0, 0, 0],
    }  # fmt: skip
    assert printed(round_result_table(written("jass", [finished], STANDING), SEATS)) == [
        "         Points  Weis  Mark  Slate",
        "You          90    50    ||  ||0",
        "Greedy     safe     ·     -  |||||",
        "Anna    dropped     ·     -  ·",
    ]


def outcome(winners: list[int], standing: list[dict[str, Any]], game: str = "jass") -> str:
    view = {"game": game, "winners": winners, "standing": standing}
    return Narrator(SEATS, FRENCH, 80).outcome(view)


def test_a_single_loser_is_named__JS10() -> None:
    assert outcome([0, 1], STANDING) == "Anna loses; You and Greedy win."
    assert outcome([1, 2], STANDING) == "You lose; Greedy and Anna win."
    assert outcome([0, 1, 2], STANDING) == "You, Greedy and Anna share the win."
    assert outcome([2], [{"chips": 3}] * 3, "i-doubt-it") == "Anna wins the match."


def rows(view: dict[str, Any], names: list[str]) -> list[str]:
    seats = PlayerNames(names)
    return [
        round_status_line(view, seats, FRENCH).plain,
        *printed(current_round_table(view, seats, FRENCH)),
    ]


def test_the_table_shows_the_announced_weis_and_then_its_points__JS7() -> None:
    match = match_builders.jass("KH", {0: "678C", 1: "QKAS"}, say="stay drop stay stay")
    names = match.players
    match.act(0, "play 6C weis")
    shown = rows(match.view(2), names)
    assert shown[0] == "Trick 1 of 9 · trump ♥ hearts"
    assert re.fullmatch(r"Player 1 +6♣  ← +0   20\?  ·", shown[2])
    assert re.fullmatch(r"Player 2  dropped +0     ·  ·", shown[3])
    while not match.view(2)["tricks"]:
        (seat,) = match.to_act
        match.act(seat, match.legal(seat)[0])
    assert any(re.search(r"Player 1 .+  20  ·$", row) for row in rows(match.view(2), names))


def test_safe_players_are_shown_as_safe__JS10() -> None:
    match = jt.Match(jt.game("jass", dealer=0, target=5))
    while not any(one["safe"] for one in match.standing):
        if match.needs_pack:
            match.deal(match.pack)
        (seat,) = match.to_act
        match.act(seat, "stay" if seat == 2 else "drop")
    match.deal(match.pack)
    assert match.view(0)["phase"] == "answer"
    shown = rows(match.view(match.to_act[0]), match.players)
    assert "Player 3  safe  ||||||" in shown


def test_what_was_said_before_one_came_is_told_except_bids_that_the_round_shows() -> None:
    narrator = Narrator(SEATS, FRENCH, 80)
    said = [None, "trump H", "pass"]
    told = [str(line) for line in narrator.said_before({"game": "molotov"}, said)]
    assert told == ["Greedy: trump H", "Anna: pass"]
    bids = jt.Match(jt.game("differenzler", players=3)).view(0)
    assert not list(narrator.said_before(bids, said))
