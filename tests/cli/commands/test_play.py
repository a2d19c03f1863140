import json
import os
import re
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jasstisch as jt
from jasstisch.cli.commands.play import _next_record_path
from jasstisch.cli.game import user_state
from jasstisch.cli.game.record_files import record_text
from tests.cli.screen_player import SCREEN_TAIL, ScreenPlayer, run_cli, scripted_answers
from tests.support.example_counts import examples

RANDOM = ["--bots", "random", "--seed", "4"]
MATCHES = [
    ["schieber"],
    ["schieber", "--rounds", "4", "--slalom", "on", "--multipliers", "french", "--deck", "swiss"],
    ["coiffeur", "--lines", "ten", "--deck", "swiss"],
    ["molotov", "--target", "2"],
    ["molotov", "--players", "3", "--no-trump", "annul"],
    ["molotov", "--players", "5", "--ties", "generous", "--deck", "swiss"],
    ["molotov", "--players", "6", "--target", "2"],
    ["offenbach", "--players", "5", "--target", "2"],
    ["molotow", "--rounds", "4"],
    ["molotow", "--undertrump", "literal", "--rounds", "3"],
    ["differenzler", "--rounds", "4"],
    ["differenzler", "--rounds", "4", "--players", "3", "--show-points", "all"],
    ["differenzler", "--rounds", "4", "--bids", "open", "--trump", "bottom"],
    ["differenzler", "--rounds", "4", "--exact-bonus", "10", "--deck", "swiss"],
    ["jass", "--target", "5"],
    ["jass", "--players", "3", "--target", "5", "--deck", "swiss"],
    ["jass", "--players", "2", "--undertrump", "forced", "--ties", "generous"],
    ["i-doubt-it", "--rounds", "1"],
    ["i-doubt-it", "--rounds", "1", "--players", "2", "--last", "any", "--max-turns", "60"],
    ["i-doubt-it", "--rounds", "2", "--players", "8", "--lie-fee", "1", "--max-turns", "20"],
]


def table_of(path: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(path.read_text())
    return record


@pytest.mark.parametrize("words", MATCHES, ids=" ".join)
def test_a_match_can_be_played_from_the_screen_alone(words: list[str], tmp_path: Path) -> None:
    """The numbers below the cards are enough to play; the saved record replays."""
    path = tmp_path / "m.jass.json"
    person = ScreenPlayer()
    status, screen, errors = run_cli(["play", *words, *RANDOM, "--save", str(path)], person)
    assert (status, errors) == (0, "")
    record = table_of(path)
    match = jt.Match.from_record(record)
    assert match.over
    assert match.players == ["You", *["bot:random"] * (match.game.players - 1)]
    assert person.questions[-1] == "A rematch? [y/N] "
    assert re.search(r"(share the win|wins? the match|; .+ wins?)\. ─", screen)
    assert "may not be played" not in screen


@pytest.mark.parametrize("game", jt.games())
def test_the_same_seed_deals_the_same_cards(game: str) -> None:
    """Compared up to the second round of a match, or its end."""
    words = ["play", game, *RANDOM, *short(game)]
    first, second = (run_cli(words, to_the_second_round(ScreenPlayer())) for _ in range(2))
    other = run_cli([*words, "--seed", "5"], to_the_second_round(ScreenPlayer()))
    assert first == second
    assert first != other


def to_the_second_round(answer: Callable[[str], str]) -> Callable[[str], str | None]:
    """Answers until the first question of the second round; then the input ends."""
    return lambda screen: None if "\nRound 2 " in screen else answer(screen)


def short(game: str) -> list[str]:
    """Arguments for a short match."""
    return SHORT.get(game, ["--rounds", "4"])


SHORT = {
    "coiffeur": [],
    "molotow": ["--rounds", "2"],
    "molotov": ["--target", "1"],
    "offenbach": ["--target", "1"],
    "jass": ["--target", "5", "--players", "2"],
    "i-doubt-it": ["--rounds", "1", "--max-turns", "20"],
}


def first_question(*words: str) -> str:
    """The screen up to the first question."""
    return run_cli(["play", *words, *RANDOM], scripted_answers())[1]


def test_the_hand_is_grouped_by_suit_with_a_number_below_each_card() -> None:
    """If a suit must be followed, the numbers of other cards are in brackets."""
    screen = first_question("molotow")
    assert (
        " 6♣    9♣    Q♣      10♦   J♦    K♦    A♦      J♥      10♠\n"
        "(1)   (2)   (3)     (4)   (5)   (6)   (7)     (8)      9\n"
    ) in screen
    assert "Trick 1 of 9 · no trump yet\n" in screen


def test_a_swiss_deck_spells_the_suits_out() -> None:
    screen = first_question("molotow", "--deck", "swiss")
    assert " acorns              bells" in screen
    assert re.search(r"^ 6 +9 +O +B +U +K +A +U +B\n", screen, re.MULTILINE)


@pytest.mark.parametrize("columns", [60, 40])
def test_no_line_is_wider_than_a_narrow_terminal(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for game, players in (("molotov", "3"), ("molotov", "6"), ("jass", "3"), ("i-doubt-it", "8")):
        words = ["play", game, *short(game), "--players", players, *RANDOM]
        status, screen, _ = run_cli(words, ScreenPlayer())
        assert status == 0
        assert max(map(len, screen.split("\n"))) <= columns


@pytest.mark.parametrize("columns", ["20", "1"])
def test_a_very_narrow_terminal_does_not_crash(
    columns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert (
        run_cli(["play", "molotov", *RANDOM], scripted_answers("1", "s", "?", "q", "y", ""))[0] == 0
    )


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (
            "5",
            "♠ spades were led and you hold ♠ spades; you must follow suit. C8b",
        ),
        (
            "jd",
            "♠ spades were led and you hold ♠ spades; you must follow suit. C8b",
        ),
        (" J  diamonds ", "J♦ may not be played"),
        ("play JD", "J♦ may not be played"),
        ("jd", "You may play 10♠."),
        ("AS", "You do not hold A♠."),
        ("0", "Type a number below a card, a card such as 6C, or ? for help."),
        ("10", "Type a number below a card, a card such as 6C, or ? for help."),
        ("99999", "Type a number below a card"),
        ("²", "Type a number below a card"),
        ("", "Type a number below a card"),
        ("bid 42", "Type a number below a card"),
        ("l", "There is no complete trick in this round yet."),
        ("s", "No round is finished yet."),
        ("?", "A card whose number is in brackets may not be played now"),
    ],
)
def test_invalid_moves_are_explained_and_asked_again(typed: str, said: str) -> None:
    words = ["play", "molotow", *RANDOM]
    _, screen, _ = run_cli(words, scripted_answers(typed))
    assert said in " ".join(screen.split())
    assert screen.count("Your card, 1-9 or ?: ") == 2


@pytest.mark.parametrize("typed", ["158", "-1", "4.5", "fifty", "", "9999", "JC", "bid"])
def test_a_bid_is_within_0_and_157__DF3(typed: str) -> None:
    _, screen, _ = run_cli(["play", "differenzler", *RANDOM], scripted_answers(typed, "157"))
    assert "A bid is a whole number from 0 to 157, such as 42." in screen
    assert screen.count("Your bid, 0-157 or ?: ") == 2
    assert "All bids are in." in screen


def test_bids_and_points_of_others_stay_hidden__DF5() -> None:
    _, screen, _ = run_cli(["play", "differenzler", *RANDOM], scripted_answers("42", "1"))
    rows = [line.split() for line in screen.split("\n") if line.startswith("Random ")]
    playing = [row for row in rows if "secret" in row]
    assert len(playing) >= 3
    assert all(row[-3:-1] == ["secret", "·"] for row in playing)


def test_the_trump_is_announced_when_the_first_discard_makes_it__MV2() -> None:
    _, screen, _ = run_cli(["play", "molotov", "--target", "1", *RANDOM], ScreenPlayer())
    told = re.findall(
        r"^(\w+(?: \d)?) discards? (\S+): . (\w+) are trump from now on", screen, re.MULTILINE
    )
    rounds = len(re.findall(r"^After round", screen, re.MULTILINE))
    assert len(told) == rounds
    assert "no trump yet" in screen
    assert f"trump {told[0][1][-1]} {told[0][2]}" in screen


def test_molotovs_are_announced_and_counted__MV4() -> None:
    _, screen, _ = run_cli(["play", "molotov", *RANDOM], ScreenPlayer())
    assert re.search(r"^Molotov! \S+ \S+ \S+ · .+ gets? 20 points more\.$", screen, re.MULTILINE)
    assert re.search(r"^ +Points  Molotovs  Mark  Slate$", screen, re.MULTILINE)


def test_last_trick_slate_rules_and_help_are_commands() -> None:
    person = ScreenPlayer()
    asked = iter(["l", "s", "r", "?"])

    def answer(screen: str) -> str:
        later = screen.count("Trick 2 of 9") > 1
        return next(asked, None) or person(screen) if later else person(screen)

    status, screen, _ = run_cli(["play", "molotow", "--rounds", "2", *RANDOM], answer)
    assert status == 0
    shown = screen[screen.index("or ?: l\n") :]
    assert re.match(r"or \?: l\nTrick 1 +\w+(?: \d)? \S+ .+→ \w", shown)
    assert re.search(r"or \?: s\npoints, sticks *\nRound +You  Random 1", shown)
    assert "# Molotow" in shown
    assert "the slate and all rounds" in shown


def test_leaving_asks_for_confirmation_and_offers_to_save(tmp_path: Path) -> None:
    taken, path = tmp_path / "taken", tmp_path / "m.jass.json"
    taken.write_text("mine")
    words = ["play", "molotow", *RANDOM]
    typed = ["q", "no", "q", "y", str(taken), str(tmp_path / "no" / "m"), str(path)]
    status, screen, errors = run_cli(words, scripted_answers(*typed))
    assert (status, errors) == (0, "")
    assert screen.count("Leave the match? [y/N] ") == 2
    assert "exists already." in screen
    assert "cannot write" in screen
    assert f"To go on: jasstisch play --resume {path}" in screen.replace("\n", " ").replace(
        "  ", " "
    )
    assert taken.read_text() == "mine"
    assert not jt.Match.from_record(table_of(path)).over


def test_leaving_without_a_file_saves_nothing(tmp_path: Path) -> None:
    with chdir(tmp_path):
        status, screen, errors = run_cli(
            ["play", "molotow", *RANDOM], scripted_answers("q", "yes", "")
        )
    assert (status, errors) == (0, "")
    assert "To go on: " not in screen
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("game", jt.games())
def test_a_match_can_be_resumed_from_any_question(game: str, tmp_path: Path) -> None:
    """Left at any of the first or last questions, it continues as if it had not been."""
    whole, pieces = tmp_path / "whole", tmp_path / "pieces"
    words = ["play", game, *RANDOM, *short(game)]
    assert run_cli([*words, "--save", str(whole)], steady)[0] == 0
    questions = sum(who == 0 for who, _ in table_of(whole)["log"])
    alone, further = examples(12, 5), ["play", "--resume", str(pieces), "--seed", "4"]
    stretches = [*[1] * alone, max(1, questions - alone - 3), *[1] * 3]
    status, _, errors = run_cli([*words, "--save", str(pieces)], so_many(steady, stretches.pop(0)))
    while status:
        assert (status, errors) == (1, "jasstisch: the input ended before the match was over\n")
        answers = stretches.pop(0) if stretches else 1
        status, _, errors = run_cli(further, so_many(steady, answers))
    assert errors == ""
    assert table_of(pieces) == table_of(whole)


def steady(screen: str) -> str:
    """Answers by what the screen shows since the last question alone."""
    screen = screen[-SCREEN_TAIL:]
    asked = [
        one.start() for one in re.finditer(r"^Your (?:bid|card|answer),", screen, re.MULTILINE)
    ]
    return ScreenPlayer()(screen[asked[-2] :] if asked[1:] else screen)


def so_many(answer: Callable[[str], str], questions: int) -> Callable[[str], str | None]:
    """Answers a number of questions and their follow-ups, then the input ends."""
    left = iter([answer] * questions)

    def ask(screen: str) -> str | None:
        further = re.search("\nAnnounce| as what: ", screen[screen.rfind("\n") :])
        one = answer if further else next(left, None)
        return one(screen) if one else None

    return ask


def test_resuming_takes_the_persons_seat(tmp_path: Path) -> None:
    path = tmp_path / "m.jass.json"
    players = ["bot:random", "Anna", "bot:gone", "Beat"]
    record = jt.Match(jt.game("molotow", rounds=1), players).record()
    path.write_text(json.dumps(record))
    resume = ["play", "--resume", str(path), "--save", str(tmp_path / "n"), *RANDOM]
    assert "\nAnna " in run_cli(resume, scripted_answers())[1]
    _, screen, _ = run_cli([*resume[:3], "--name", "Beat", *RANDOM], ScreenPlayer())
    assert table_of(path)["players"] == players
    assert "Gone" in screen
    assert table_of(path)["result"]


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--players", "3"], 2, "a resumed match keeps its game and house rules"),
        (["differenzler"], 2, "a resumed match keeps its game and house rules"),
        (["--name", "Nobody"], 1, "no player of that name"),
    ],
)
def test_resume_errors_are_explained(
    words: list[str], status: int, said: str, tmp_path: Path
) -> None:
    path = tmp_path / "m.jass.json"
    path.write_text(json.dumps(jt.Match(jt.game("molotow")).record()))
    ended, _, errors = run_cli(["play", "--resume", str(path), *words], scripted_answers())
    assert ended == status
    assert said in errors


def test_a_match_of_bots_or_a_finished_one_cannot_be_resumed(tmp_path: Path) -> None:
    path, over = tmp_path / "m.jass.json", tmp_path / "over"
    path.write_text(json.dumps(jt.Match(jt.game("molotow"), ["bot:random"] * 4).record()))
    assert (
        "all players of the record are computers"
        in run_cli(["play", "--resume", str(path)], scripted_answers())[2]
    )
    run_cli(["play", "molotov", *RANDOM, *short("molotov"), "--save", str(over)], ScreenPlayer())
    status, _, errors = run_cli(["play", "--resume", str(over)], scripted_answers())
    assert status == 1
    assert f"is over; to see it: jasstisch replay {over}" in errors


def test_existing_files_are_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "m.jass.json"
    path.write_text("mine")
    status, _, errors = run_cli(["play", "molotow", "--save", str(path)], scripted_answers())
    assert status == 1
    assert "exists already" in errors
    assert path.read_text() == "mine"


def test_an_unwritable_file_is_reported_before_the_match(tmp_path: Path) -> None:
    for name in ("no/such/folder", "x" * 300, ".."):
        status, screen, errors = run_cli(
            ["play", "molotow", "--save", str(tmp_path / name)], scripted_answers()
        )
        assert (status, screen) == (1, "")
        assert errors.count("\n") == 1


def test_a_file_that_becomes_unwritable_does_not_end_the_match(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    person = ScreenPlayer()

    def answer(screen: str) -> str:
        if folder.exists():
            for file in folder.iterdir():
                file.unlink()
            folder.rmdir()
        return person(screen)

    words = ["play", "molotov", *RANDOM, *short("molotov"), "--save", str(folder / "m")]
    status, screen, _ = run_cli(words, answer)
    assert status == 0
    assert screen.count("The match goes on and is no longer kept.") == 1


def test_a_rematch_keeps_the_players_and_gets_its_own_record(tmp_path: Path) -> None:
    path = tmp_path / "m.jass.json"
    person = ScreenPlayer(rematch="y")

    def answer(screen: str) -> str:
        person.rematch = "y" if screen.count("A rematch?") == 1 else ""
        return person(screen)

    words = ["play", "molotow", "--rounds", "1", "--name", "Anna", *RANDOM, "--save", str(path)]
    status, screen, _ = run_cli(words, answer)
    assert status == 0
    assert screen.count("A rematch? [y/N] ") == 2
    first, second = table_of(path), table_of(tmp_path / "m-2.jass.json")
    assert first["players"] == second["players"] == ["Anna", *["bot:random"] * 3]
    assert first["log"] != second["log"]
    assert _next_record_path(path).name == "m-3.jass.json"


def test_end_of_input_explains_how_to_resume(tmp_path: Path) -> None:
    path = tmp_path / "m"
    status, screen, errors = run_cli(
        ["play", "molotow", *RANDOM, "--save", str(path)], scripted_answers("9")
    )
    assert status == 1
    assert errors == "jasstisch: the input ended before the match was over\n"
    assert "To go on: jasstisch play --resume" in screen


def test_the_autosave_is_deleted_after_the_match() -> None:
    """A record is kept only if the person asked for one."""
    match = jt.Match(jt.game("molotow", rounds=1), ["You", *["bot:random"] * 3])
    user_state.autosave("molotow", record_text(match))
    status, screen, errors = run_cli(["play", "--resume", "--seed", "4"], ScreenPlayer())
    assert (status, errors) == (0, "")
    assert "The record of this match" not in screen
    assert user_state.latest_autosave() is None


def test_resuming_without_a_saved_match_is_refused() -> None:
    status, _, errors = run_cli(["play", "--resume"], scripted_answers())
    assert (status, errors) == (
        1,
        "jasstisch: there is no unfinished match; name the file of one: --resume FILE\n",
    )


def test_old_autosaves_are_deleted_for_new_ones() -> None:
    paths = [user_state.autosave("jass", "") for _ in range(user_state._MAX_AUTOSAVES + 2)]
    assert [path.exists() for path in paths] == [False] * 2 + [True] * user_state._MAX_AUTOSAVES
    assert user_state.latest_autosave() == paths[-1]


def test_a_failed_autosave_leaves_older_ones_intact(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A full disk leaves no empty file, and no older autosave is deleted."""
    paths = [user_state.autosave("jass", "{}") for _ in range(user_state._MAX_AUTOSAVES)]

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fdopen", full)
    with pytest.raises(OSError, match="No space"):
        user_state.autosave("molotow", "{}")
    assert user_state.autosaves() == paths


def test_an_invalid_autosave_does_not_hide_valid_ones() -> None:
    match = jt.Match(jt.game("molotow", rounds=1), ["You", *["bot:random"] * 3])
    user_state.autosave("molotow", record_text(match))
    user_state.autosave("jass", "")
    status, screen, errors = run_cli(["play", "--resume", "--seed", "4"], ScreenPlayer())
    assert (status, errors) == (0, "")
    assert "Molotow Jass" in screen


def test_a_match_resumed_from_its_own_file_is_not_autosaved(tmp_path: Path) -> None:
    match = jt.Match(jt.game("molotow", rounds=1), ["You", *["bot:random"] * 3])
    aside, own = user_state.autosave("molotow", record_text(match)), tmp_path / "m.jass.json"
    run_cli(["play", "--resume", "--save", str(own)], scripted_answers("q", "y"))
    assert own.exists()
    assert not aside.exists()


def test_identities_for_two_servers_are_in_two_files() -> None:
    """Even if their addresses differ only in characters that file names cannot contain."""
    addresses = ["http://[::1]:80", "http://[1::]:80", "http://1:80", "http://1_80"]
    assert len({user_state.token_file(one) for one in addresses}) == len(addresses)


LINES = st.one_of(
    st.sampled_from(["1", "2", "5", "9", "0", "157", "l", "s", "r", "?", "q", "y", "n", "", "JC"]),
    st.sampled_from(
        ["a", "b", "1 2 3", "4 5 6 as J", "J", "lay 2C", "stay", "rob", "1 w", "doubt"]
    ),
    st.text().filter(lambda text: "/" not in text),
)


@settings(max_examples=examples(30, 7))
@given(st.sampled_from(jt.games()), st.lists(LINES, max_size=40), st.integers(0, 3))
def test_no_input_crashes(game: str, lines: list[str], seed: int) -> None:
    with TemporaryDirectory() as folder, chdir(folder):
        words = ["play", game, "--bots", "random", "--seed", str(seed)]
        status, screen, errors = run_cli(words, scripted_answers(*lines))
    assert status in {0, 1}
    assert errors in {"", "jasstisch: the input ended before the match was over\n"}
    assert "\x1b" not in screen


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import sys; sys.exit(0)", "BotExitError: it tried to end the program: SystemExit(0)"),
        ("raise RuntimeError('no cards')", "RuntimeError: no cards"),
        ("return None", "'None': an action is a text"),
    ],
)
def test_however_a_bot_ends_the_command_says_so_in_one_line(
    tmp_path: Path, code: str, message: str
) -> None:
    (tmp_path / "own.py").write_text(
        f"class Own:\n    name = 'own'\n    def act(self, view, legal, rng):\n        {code}\n"
    )
    words = ["play", "molotow", "--bots", f"{tmp_path}/own.py:Own", "--dealer", "1"]
    status, _, errors = run_cli(words, scripted_answers())
    assert (status, errors.count("\n")) == (1, 1)
    assert errors.startswith(f"jasstisch: the bot own failed: {message}")


def test_a_bot_that_breaks_the_rules_ends_the_match_in_one_line(
    tmp_path: Path,
) -> None:
    """A bot from a file of one's own may well be faulty."""
    (tmp_path / "own.py").write_text(
        "class Cheat:\n"
        "    name = 'cheat'\n"
        "    def act(self, view, legal, rng):\n"
        "        return 'bid 500'\n"
    )
    words = ["play", "molotow", "--bots", f"{tmp_path}/own.py:Cheat", "--dealer", "1"]
    status, _, errors = run_cli(words, scripted_answers())
    assert status == 1
    assert errors.startswith("jasstisch: the bot cheat failed: 'bid 500': ")
    assert errors.count("\n") == 1
