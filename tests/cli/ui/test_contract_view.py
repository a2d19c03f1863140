"""Schieber and Coiffeur in the terminal: announcements, partner, points by side, slate."""

import re
from typing import Any

import pytest

import jasstisch as jt
from jasstisch.cli.game.announce_prompt import AnnouncePrompt
from jasstisch.cli.game.illegal_move_text import explain
from jasstisch.cli.ui.card_style import STYLES
from jasstisch.cli.ui.contract_view import (
    contract_slate_table,
    describe_all_tricks_won,
    side_standing_table,
)
from jasstisch.cli.ui.narrator import Narrator
from jasstisch.cli.ui.player_names import PlayerNames
from jasstisch.cli.ui.score_tables import current_round_table, round_status_line
from jasstisch.games.coiffeur import slate_lines_of
from tests.cli.screen_player import ScreenPlayer, run_cli, scripted_answers
from tests.cli.ui.test_score_tables import printed

FRENCH, SWISS = STYLES["french"], STYLES["swiss"]
NAMES = ["You", "bot:greedy", "bot:greedy", "bot:greedy"]
DEAL = (
    "JS AC 8D TS QD 8H 6S AH TD 7S JH AD 9S 7H TC AS JC KD "
    "7C KH JD TH 9C 6D KS 8S QS 6H QC QH 9D 6C 7D 9H KC 8C"
)


def dealt(game: str = "schieber", **options: Any) -> jt.Match:
    """A match whose first round is dealt, with seat 0 as forehand."""
    match = jt.Match(jt.game(game, dealer=3, **options), NAMES)
    match.deal(DEAL)
    return match


def seats(match: jt.Match, own: int | None = 0) -> PlayerNames:
    return PlayerNames(match.players, own, match.game.sides)


def question(match: jt.Match, deck: str = "french") -> AnnouncePrompt:
    seat = match.to_act[0]
    return AnnouncePrompt(match.view(seat), match.legal(seat), STYLES[deck], 80)


def news(match: jt.Match, seat: int, action: str, own: int = 0) -> list[str]:
    """The text about an action, as shown to one seat."""
    before = match.view(own)
    match.act(seat, action)
    told = Narrator(seats(match, own), FRENCH, 80).narrate_step(
        before, match.view(own), (seat, action)
    )
    return [line for thing in told for line in printed(thing)]


# Announcing.


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("1", "trump C"),
        ("c", "trump C"),
        ("H", "trump H"),
        ("hea", "trump H"),
        ("♠", "trump S"),
        ("trump s", "trump S"),
        ("♦ diamonds trump", "trump D"),
        ("t", "tops"),
        ("Tops (Obenabe)", "tops"),
        ("b", "bottoms"),
        ("6", "bottoms"),
        ("sl b", "slalom bottoms"),
        ("slalom tops", "slalom tops"),
        ("p", "push"),
        ("PUSH", "push"),
        ("9", "push"),
    ],
)
def test_contracts_are_announced_by_number_or_abbreviation__SC2(typed: str, action: str) -> None:
    assert question(dealt(slalom="on")).parse(typed) == action


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("a", "trump C"),
        ("bells", "trump D"),
        ("be", "trump D"),
        ("d", "trump D"),
        ("ro", "trump H"),
        ("s", "trump S"),
        ("bo", "bottoms"),
        ("roses trump", "trump H"),
    ],
)
def test_suits_have_the_names_of_the_deck_or_their_letters(typed: str, action: str) -> None:
    assert question(dealt(), "swiss").parse(typed) == action


@pytest.mark.parametrize("typed", ["", "0", "10", "x", "trump", "trump x", "slalom", "7 h", "2 h"])
def test_an_invalid_announcement_lists_the_valid_ones(typed: str) -> None:
    screen = run_cli(["play", "schieber", "--seed", "3", "--dealer", "4"], scripted_answers(typed))[
        1
    ]
    assert "Your answer, 1-7 or ?: " in screen
    assert "Type a number or a short word: a suit, such as h, t for tops, bo for bottoms" in screen


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("2", "trump H"),
        ("7 h", "joker 7 trump H"),
        ("8h", "joker 8 trump H"),
        ("j7 t", "joker 7 tops"),
        ("joker 8 bottoms", "joker 8 bottoms"),
        ("joker 7 trump s", "joker 7 trump S"),
        ("7", "joker 7"),
        ("joker 8", "joker 8"),
        ("j8", "joker 8"),
    ],
)
def test_a_joker_is_named_with_or_without_its_contract__CO2(typed: str, action: str) -> None:
    assert question(dealt("coiffeur")).parse(typed) == action


def test_a_joker_named_alone_asks_for_its_contract__CO1() -> None:
    asked = question(dealt("coiffeur"))
    answers = iter(["x", "slalom", "d"])
    assert asked.ask_follow_up("joker 7", lambda _, **__: next(answers)) == "joker 7 trump D"
    assert asked.ask_follow_up("joker 7", lambda _, **__: "") is None
    assert asked.ask_follow_up("trump C", lambda _, **__: "") == "trump C"


def test_lines_keep_their_numbers_when_others_are_played__CO1() -> None:
    match = dealt("coiffeur")
    asked = question(match)
    legal = [action for action in match.legal(0) if action not in ("trump C", "tops")]
    later = AnnouncePrompt(match.view(0), legal, FRENCH, 80)
    assert later.parse("6") == asked.parse("6") == "bottoms"
    shown = [line for thing in later.render_choices() for line in printed(thing)]
    assert [line.split()[0] for line in shown if re.match(r" \d ", line)][-7:] == list("2346789")
    assert later.question == "Your answer, 2-9 or ?: "


def test_a_line_played_before_is_refused__CO1() -> None:
    match = dealt("coiffeur")
    match.act(0, "trump C")
    while not match.rounds:
        match.act(match.to_act[0], match.legal(match.to_act[0])[0])
    match.deal(DEAL)
    match.act(1, "push")
    refusal = match.refusal(2, question(match).parse("c"))
    assert refusal is not None
    shown = explain(refusal, "trump C", question(match), FRENCH).plain
    first, second = shown.split("\n")
    assert first.startswith("Your side has played this line already; ")
    assert first.endswith("  CO1")
    assert second.startswith("Type a number")


def test_the_menu_shows_each_line_with_its_factor__CO1__SC5() -> None:
    for match in (dealt("coiffeur"), dealt(multipliers="swiss")):
        shown = "\n".join(line for one in question(match).render_choices() for line in printed(one))
        factors = [int(text) for text in re.findall(r"×(\d)", shown)]
        assert factors == [line.factor for line in match.game.rules.make_slate_lines(match.game)]  # type: ignore[attr-defined]


def test_without_factors_none_are_shown__SC5() -> None:
    shown = "\n".join(line for one in question(dealt()).render_choices() for line in printed(one))
    assert "×" not in shown


def test_after_a_push_there_is_no_other__SC1() -> None:
    match = dealt()
    match.act(0, "push")
    assert question(match).question == "Your answer, 1-6 or ?: "
    assert "push" not in question(match).short_help


def test_a_forced_push_is_explained__CO2() -> None:
    match = dealt("coiffeur")
    asked = AnnouncePrompt(match.view(0), ["push"], FRENCH, 80)
    assert asked.question == "Your answer, 9 or ?: "
    assert asked.short_help == "Your side has played all its lines: type p to push."


# What is told.


def test_the_announcement_is_told_with_factor_and_leader__SC1__SC5() -> None:
    match = dealt(multipliers="swiss")
    assert news(match, 0, "push") == ["You push."]
    assert news(match, 2, "tops") == [
        "Your partner Greedy 2 announces Tops (Obenabe) ×3. You lead."
    ]
    assert round_status_line(match.view(0), seats(match), FRENCH).plain == (
        "Trick 1 of 9 · Tops (Obenabe) ×3, announced by your partner after a push"
    )
    assert round_status_line(match.view(1), seats(match, 1), FRENCH).plain.endswith(
        "announced by Greedy 2 after a push"
    )


def test_the_announcer_leads_at_coiffeur__CO3() -> None:
    match = dealt("coiffeur")
    news(match, 0, "push")
    assert news(match, 1, "joker 7 trump H") == [
        "Greedy 1 announces Joker ×7: ♥ hearts trump. Greedy 1 leads."
    ]


def test_slalom_shows_the_direction_of_each_trick__CT4() -> None:
    match = dealt(slalom="on")
    match.act(0, "slalom bottoms")
    for way in ("bottoms", "tops"):
        title = round_status_line(match.view(0), seats(match), FRENCH).plain
        assert title.endswith(f"announced by you · this trick {way}")
        for _ in range(4):
            match.act(match.to_act[0], match.legal(match.to_act[0])[0])


def test_the_partner_is_named_as_such_and_points_are_shown_by_side__CT1() -> None:
    match = dealt()
    match.act(0, "trump S")
    told = [
        line
        for seat, action in (
            (0, "play JS weis"),
            (1, "play TS"),
            (2, "play 6S weis"),
            (3, "play 7S weis"),
        )
        for line in news(match, seat, action)
    ]
    assert told == [
        "You announce a Weis of 20.",
        "Your partner Greedy 2 announces a Weis of 20.",
        "Greedy 3 announces a Weis of 20.",
        "Trick 1   You J♠        Greedy 1 10♠  Greedy 2 6♠   Greedy 3 7♠   → You",
        "Your side’s Weis: J♠ Q♠ K♠ (20)   9♦ 10♦ J♦ (20)",
        "You and Greedy 2 get 40 points for Weis.",
    ]
    view = match.view(0)
    rows = printed(current_round_table(view, seats(match), FRENCH))
    assert [line.split()[-1] for line in rows if "partner" in line] == ["partner"]
    assert next(line for line in rows if "partner" in line).startswith("Greedy 2")
    assert printed(side_standing_table(view, seats(match))) == [
        "                       This round  Weis  Total",
        "You and Greedy 2               70    40      0",
        "Greedy 1 and Greedy 3           0     ·      0",
    ]


def test_bottoms_marks_the_lowest_card_as_winning__CT4() -> None:
    match = dealt()
    for seat, action in ((0, "bottoms"), (0, "8D"), (1, "KD")):
        match.act(seat, action)
    rows = printed(current_round_table(match.view(0), seats(match), FRENCH))
    assert [line for line in rows if "←" in line] == ["You         8♦  ←"]


def test_a_stoeck_is_told_by_side__SC4() -> None:
    match = dealt()
    for seat, action in (
        (0, "trump S"), (0, "KS"), (1, "AS"), (2, "6S"), (3, "7S"), (1, "JC"), (2, "7C"), (3, "8C"),
        (0, "AC"), (0, "QS"), (1, "TS"), (2, "TD"),
    ):  # fmt: skip
        match.act(seat, action)
    assert news(match, 3, "play 9C")[-1] == "Stöck! You and Greedy 2 get 20 points."


def test_a_match_is_told_by_the_side_that_took_it__CT6() -> None:
    told = describe_all_tricks_won({"match": 1}, seats(dealt()))
    assert [str(one) for one in told] == ["Match! Greedy 1 and Greedy 3 take all nine tricks."]
    assert list(describe_all_tricks_won({"match": None}, seats(dealt()))) == []


# Whole matches.


def test_a_round_ends_by_side_with_points_factor_and_total__SC5() -> None:
    words = ["play", "schieber", "--rounds", "4", "--seed", "3", "--multipliers", "swiss"]
    status, screen, errors = run_cli(words, ScreenPlayer())
    assert (status, errors) == (0, "")
    assert "You and Greedy 2 play against Greedy 1 and Greedy 3.\n" in screen
    ends = re.findall(
        r"After round \d · .*?(?: ×(\d))?,.*\n.*Written  Total\n"
        r"You and Greedy 2 +(\d+).*?(\d+) +(\d+)\nGreedy 1 and Greedy 3 +(\d+).*?(\d+) +(\d+)\n",
        screen,
    )
    assert len(ends) == 4
    for factor, points, written, _, other, other_written, _ in ends:
        times = int(factor or 1)
        assert (int(points) * times, int(other) * times) == (int(written), int(other_written))
    totals = [int(ends[-1][3]), int(ends[-1][6])]
    winners = ("You and Greedy 2", "Greedy 1 and Greedy 3")[totals.index(max(totals))]
    assert f"{winners} win the match." in screen
    assert re.search(rf"^Total +{totals[0]} +{totals[1]}$", screen, re.MULTILINE)


def test_the_slate_of_coiffeur_shows_written_and_open_lines__CO1() -> None:
    match = dealt("coiffeur")
    view = match.view(0)
    view["standing"][0]["lines"] = view["standing"][2]["lines"] = {"joker 7": 518, "trump H": 0}
    sheet = printed(contract_slate_table(view, seats(match), SWISS))
    cells = {line[:19].strip(): line[19:].split() for line in sheet}
    assert cells["Joker ×7"] == ["×7", "518", "open"]
    assert cells["roses trump"] == ["×2", "0", "open"]
    assert cells["Tops (Obenabe)"] == ["×5", "open", "open"]
    assert len(sheet) == 3 + len(slate_lines_of(match.game)) + 1
    assert "You and Greedy 2           0      6 of 8" in printed(
        side_standing_table(view, seats(match))
    )


def test_a_whole_coiffeur_match_writes_every_line__CO5() -> None:
    status, screen, errors = run_cli(["play", "coiffeur", "--seed", "5"], ScreenPlayer(3))
    assert (status, errors) == (0, "")
    last = screen.rpartition(" win the match.")[2]
    assert "open" not in last
    assert "Joker ×8" in last
    assert "After round 16 · " in screen


def test_the_slate_can_be_shown_before_a_line_is_played__CO1() -> None:
    screen = run_cli(
        ["play", "coiffeur", "--seed", "5", "--dealer", "4"], scripted_answers("slate")
    )[1]
    assert re.search(r"^Joker ×8 +×8 +open +open$", screen, re.MULTILINE)


@pytest.mark.parametrize("game", ["schieber", "coiffeur"])
@pytest.mark.parametrize("deck", STYLES)
def test_no_line_is_wider_than_the_terminal(
    game: str, deck: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    rounds = ["--rounds", "4"] if game == "schieber" else ["--suits", "french"]
    words = ["play", game, "--seed", "6", "--deck", deck, "--name", "Maximiliane Kunigunde"[:20]]
    screen = run_cli([*words, *rounds], ScreenPlayer(2))[1]
    assert max(map(len, screen.splitlines())) <= 80
