"""`jasstisch play GAME --guided`: tutorials in the terminal."""

from collections.abc import Callable

import pytest

from jasstisch.cli.ui.translator import ENGLISH
from jasstisch.i18n.templates import load_tutorial_texts
from jasstisch.tutorials import GAMES
from tests.cli.screen_player import run_cli

AFTER = ENGLISH.plain("coach.after")


def pupil(*after: str) -> Callable[[str], str | None]:
    """Types the coach's suggestions, and these lines after the tutorial."""
    left = iter(after)

    def answer(screen: str) -> str | None:
        if AFTER in screen:
            return next(left, None)
        tip = screen.rpartition("My tip: ")[2].splitlines()[0]
        return tip.replace(", claimed as ", " as ")

    return answer


@pytest.mark.parametrize("game", GAMES)
def test_following_the_suggestions_finishes_the_tutorial(game: str) -> None:
    status, screen, errors = run_cli(["play", game, "--guided"], pupil("q", "y", ""))
    assert (status, errors) == (0, "")
    told = " ".join(screen.split())
    welcome = load_tutorial_texts("en")[f"{game}.aim"]
    assert f"Coach: {welcome}" in told
    assert told.count("Coach: ") >= 10
    assert "{" not in told
    before, after, rest = told.partition(AFTER)
    assert after
    assert "Coach: " not in rest
    assert before.rindex("After round 1") < before.rindex("Coach: ")


def test_suggested_cards_are_named_by_the_chosen_deck() -> None:
    _, french, _ = run_cli(["play", "molotov", "--guided"], pupil("q", "y", ""))
    assert "threw off 8♦" in " ".join(french.split())
    words = ["play", "molotov", "--guided", "--deck", "swiss"]
    _, swiss, _ = run_cli(words, pupil("q", "y", ""))
    assert "threw off 8 bells" in " ".join(swiss.split())


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["--bots", "random"], "--bots"),
        (["--seed", "1"], "--seed"),
        (["--resume", "x"], "--resume"),
        (["--target", "3"], "house rules"),
    ],
)
def test_a_tutorial_takes_no_options(words: list[str], what: str) -> None:
    status, _, errors = run_cli(["play", "molotov", "--guided", *words], lambda _: None)
    assert status == 2
    assert f"leave out {what}" in errors


def test_a_tutorial_requires_a_game_that_has_one() -> None:
    status, _, errors = run_cli(["play", "--guided"], lambda _: None)
    assert status == 2
    assert "name a game: coiffeur" in errors
    status, _, errors = run_cli(["play", "chess", "--guided"], lambda _: None)
    assert status == 2
    assert "no guided round of 'chess'" in errors
