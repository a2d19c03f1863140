import pytest

import jasstisch as jt
from jasstisch import i18n
from jasstisch.cli import main
from tests.cli.screen_player import run_cli, scripted_answers


@pytest.mark.parametrize("language", i18n.LANGUAGES)
@pytest.mark.parametrize("game", i18n.games_with_sheet())
def test_a_pipe_gets_the_plain_rule_sheet(game: str, language: str) -> None:
    status, printed, errors = run_cli(["rules", game, "--lang", language], scripted_answers())
    assert (status, errors) == (0, "")
    assert printed == i18n.rule_sheet(game, language)


def test_english_is_the_default_language() -> None:
    assert run_cli(["rules", "molotov"], scripted_answers())[1] == i18n.rule_sheet("molotov", "en")


def test_house_rules_given_are_marked_in_the_sheet() -> None:
    words = ["rules", "molotov", "--undertrump", "if_void", "--target", "7", "--players", "5"]
    status, printed, errors = run_cli(words, scripted_answers())
    assert (status, errors) == (0, "")
    assert printed == i18n.table_rule_sheet(
        jt.game("molotov", undertrump="if_void", target=7, players=5)
    )
    assert "- `undertrump` = **`if_void`**: " in printed
    assert "- `ties` = `nothing`: " in printed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["molotov", "--undertrump", "strict"], "undertrump is 'free' or 'if_void', not 'strict'"),
        (["molotov", "--rounds", "4"], "unknown option --rounds; the options are --help, --lang"),
        (["--undertrump", "free"], "the following arguments are required: GAME"),
    ],
)
def test_unknown_house_rules_are_refused(words: list[str], said: str) -> None:
    status, printed, errors = run_cli(["rules", *words], scripted_answers())
    assert (status, printed) == (2, "")
    assert said in errors


def test_help_of_a_game_names_its_house_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "i-doubt-it", "--help"]) == 0
    assert "--lie-fee N" in capsys.readouterr().out.replace("WORD", "N")
