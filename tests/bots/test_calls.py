"""The code of a bot may end as it likes: the caller gets an error, never the end of the program."""

import sys
from random import Random
from typing import Any

import pytest

import jasstisch as jt
from jasstisch.bots import BotExitError, choose_action, prepare, without_clock
from jasstisch.bots.calls import call


class OwnError(BaseException):
    """An error that `except Exception` does not catch."""


class LeavingBot:
    """Ends the program wherever it is asked."""

    name = "leaving"

    def act(self, *_: Any) -> str:
        sys.exit(0)

    def prepare(self, _game: str) -> None:
        raise SystemExit

    def without_clock(self) -> "LeavingBot":
        raise OwnError


def test_a_bot_that_ends_the_program_is_an_error() -> None:
    match = jt.Match(jt.game("molotow", dealer=0))
    with pytest.raises(BotExitError, match=r"^it tried to end the program: SystemExit\(0\)$"):
        choose_action(LeavingBot(), match.view(1), ["play 6C"], Random(1))
    with pytest.raises(BotExitError, match="SystemExit"):
        prepare(LeavingBot(), "molotow")
    with pytest.raises(BotExitError, match="OwnError"):
        without_clock(LeavingBot())


@pytest.mark.parametrize("error", [RuntimeError("no cards"), KeyboardInterrupt()])
def test_other_errors_and_ctrl_c_pass_unchanged(error: BaseException) -> None:
    def fail() -> None:
        raise error

    with pytest.raises(type(error)) as caught:
        call(fail)
    assert caught.value is error
