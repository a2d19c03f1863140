"""A third-party game without texts can be played in the terminal."""

import json
import re
from pathlib import Path

import pytest

import jasstisch as jt
from jasstisch.testing import check_game
from tests.cli.screen_player import ScreenPlayer, run_cli, scripted_answers


@pytest.fixture
def guest(request: pytest.FixtureRequest) -> str:
    """A third-party game, by the name of its fixture."""
    name: str = request.getfixturevalue(request.param)
    return name


both = pytest.mark.parametrize("guest", ["ramsch", "bock"], indirect=True)
each = pytest.mark.parametrize("guest", ["ramsch", "bock", "elster"], indirect=True)


@each
def test_the_third_party_game_of_these_tests_is_valid(guest: str) -> None:
    assert check_game(guest, matches=1).rounds > 0


@each
def test_a_match_can_be_played_and_its_record_replayed(guest: str, tmp_path: Path) -> None:
    path = tmp_path / "m.jass.json"
    words = ["play", guest, "--rounds", "2", "--seed", "4", "--save", str(path)]
    status, screen, errors = run_cli(words, ScreenPlayer())
    assert (status, errors) == (0, "")
    assert jt.Match.from_record(json.loads(path.read_text())).over
    assert f"{guest}, 4 players" in screen
    status, replayed, errors = run_cli(["replay", str(path)], scripted_answers())
    assert (status, errors) == (0, "")
    assert "After round 2" in replayed


@both
def test_playing_against_bots_that_do_not_know_the_game_is_announced(guest: str) -> None:
    screen = run_cli(["play", guest, "--seed", "4"], scripted_answers())[1]
    assert screen.startswith(f"No computer player here has learnt {guest}: they play by chance.\n")
    assert "Random 1" in screen


def test_a_bot_that_does_not_play_the_game_is_refused_before_the_first_card(bock: str) -> None:
    status, _, errors = run_cli(["play", bock, "--bots", "greedy"], scripted_answers())
    assert (status, errors) == (2, "jasstisch: bot 'greedy' does not play bock\n")


def test_actions_of_an_unknown_phase_are_a_menu(bock: str) -> None:
    words = ["play", bock, "--seed", "4", "--dealer", "4"]
    screen = run_cli(words, scripted_answers("7", "trump", "push"))[1]
    assert " 1  trump C\n 2  trump D\n 3  trump H\n 4  trump S\n 5  push\n" in screen
    assert (
        "Your answer, 1-5 or ?: 7\nName a trump, or push unless you are the last.  B2\n" in screen
    )
    assert "Your answer, 1-5 or ?: trump\nName a trump" in screen
    assert "Your answer, 1-5 or ?: push\nRandom 1: " in screen


@pytest.mark.parametrize("typed", ["3", "trump H", "TRUMP h", " trump  h"])
def test_a_menu_action_is_chosen_by_number_or_text(bock: str, typed: str) -> None:
    screen = run_cli(["play", bock, "--seed", "4", "--dealer", "4"], scripted_answers(typed))[1]
    assert "Trump: ♥ hearts\n" in screen


def test_a_standing_without_texts_is_shown_with_its_keys(bock: str) -> None:
    screen = run_cli(
        ["play", bock, "--seed", "4", "--dealer", "4", "--rounds", "1"], ScreenPlayer()
    )[1]
    last = screen.rpartition("After round 1\n")[2]
    assert last.splitlines()[0].split() == ["Points", "Mark", "Goats", "Leads", "Best", "round"]
    assert re.search(r"^You .+  yes  goats [1-9], round 1$", last, re.MULTILINE)
    assert re.search(r"^Random 1 .+   0     no +·$", last, re.MULTILINE)


@both
def test_a_game_without_a_rule_sheet_says_so(guest: str) -> None:
    screen = run_cli(["play", guest, "--seed", "4", "--dealer", "4"], scripted_answers("r"))[1]
    assert f"There is no rule sheet for '{guest}'" in screen
    assert screen.rstrip().endswith("or ?:")
    status, _, errors = run_cli(["rules", guest], scripted_answers())
    assert status == 2
    assert errors.startswith(f"jasstisch: no rule sheet for '{guest}'")
    assert errors.count("\n") == 1


def test_an_option_with_a_single_value_is_listed_and_accepted(bock: str) -> None:
    status, screen, _ = run_cli(["play", bock, "--help"], scripted_answers())
    assert status == 0
    assert "lower than the one in the trick: if_void (default)" in " ".join(screen.split())
    assert "goat colour: black (default) or white\n" in screen
    chosen = ["play", bock, "--undertrump", "if_void", "--goat-colour", "white", "--seed", "4"]
    assert "bock, 4 players · goat_colour white\n" in run_cli(chosen, scripted_answers())[1]


@both
def test_the_arena_refuses_a_game_without_a_metric_in_one_line(guest: str) -> None:
    status, _, errors = run_cli(["arena", guest, *["random"] * 4], scripted_answers())
    assert status == 2
    assert f"{guest} has no metric by which rounds are compared" in errors
    assert errors.count("\n") == 1


@pytest.mark.parametrize("game", ["i-doubt-it", "jass", "differenzler"])
def test_facts_told_in_sentences_are_not_repeated_as_raw_keys(game: str) -> None:
    words = ["play", game, "--bots", "random", "--seed", "4", "--dealer", "1"]
    screen = run_cli(words, scripted_answers("1", "1", "1", "1", "1", "1"))[1]
    assert screen
    assert not re.search(r"^Random \d: ", screen, re.MULTILINE)


def test_keys_shared_with_other_games_are_not_interpreted_as_theirs(elster: str) -> None:
    """The views of this game have every key of all other games."""
    answer, asked = ScreenPlayer(), iter(("s", "l"))

    def look(screen: str) -> str:
        """Looks at the last trick and the slate as soon as there are any, and plays on."""
        return next(asked, "") or answer(screen) if "After round 1" in screen else answer(screen)

    status, screen, errors = run_cli(["play", elster, "--rounds", "2", "--seed", "4"], look)
    assert (status, errors) == (0, "")
    assert "Your answer, 1-2 or ?: " in screen
    assert re.search(r"^Random \d: bid (much|little)$", screen, re.MULTILINE)
    assert re.search(r"deals?\. (You|Random \d) begins?\.$", screen, re.MULTILINE)
    assert "There is no complete trick in this round yet." in screen
    for told in ("Molotov!", "Stöck!", "Weis of", "turned up", "dropped", "Nobody doubts", "draw"):
        assert told not in screen.partition("Round 1")[2]
