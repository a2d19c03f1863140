"""A person at the terminal: reads the screen and answers its last question.

It plays by sight alone: the numbers it may type are those printed below the cards without brackets.
"""

import io
import re
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from random import Random
from unittest.mock import patch

from jasstisch.cli import main
from jasstisch.cli.ui.translator import Translator

NUMBER_LINE = re.compile(r"[ ()0-9]*[0-9][ ()0-9]*")
ROW = re.compile(r" *(\d+)  [^\d ]")
RANGE = r"(\w+)(?:-(\w+))?"
PLAYABLE = re.compile(r"(?<![(\d])\d+(?![)\d])")


SCREEN_TAIL = 10_000
"""Characters at the end of what was printed: more than any question with what belongs to it."""


class Keyboard:
    """Standard input that calls a function for each line; None ends the input."""

    def __init__(self, answer: Callable[[str], str | None], screen: io.StringIO) -> None:
        self.answer = answer
        self.screen = screen

    def isatty(self) -> bool:
        return False

    def readline(self, limit: int) -> str:
        answer = self.answer(self.screen.getvalue())
        return "" if answer is None else f"{answer}\n"


class ScreenPlayer:
    """Plays any game by what the screen shows, in one language."""

    def __init__(self, seed: int = 1, rematch: str = "n", language: str = "en") -> None:
        self.chance = Random(seed)
        self.rematch = rematch
        self.speech = Translator(language)
        self.questions: list[str] = []

    def match_question(self, question: str, *names: str) -> re.Match[str] | None:
        """Returns the placeholders' values if the question is one of these texts."""
        told = (re.escape(self.speech.texts[name]) for name in names)
        patterns = (re.sub(r"\\\{(\w+)\\\}", placeholder_pattern, text) for text in told)
        return next(filter(None, (re.match(one, question) for one in patterns)), None)

    def __call__(self, screen: str) -> str:
        lines = screen[-SCREEN_TAIL:].split("\n")
        question = lines[-1]
        self.questions.append(question)
        if self.match_question(question, "ask.bid"):
            return str(self.chance.randrange(158))
        if self.match_question(question, "play.rematch"):
            return self.rematch
        if self.match_question(question, "ask.weis_of", "ask.rob_first"):
            yes, no = (self.speech.accepted_answers(name)[0] for name in ("yes", "no"))
            return self.chance.choice(["", yes, no])
        if self.match_question(question, "announce.which"):
            return self.chance.choice(["c", "tops", "bo"])
        if menu := self.match_question(question, "ask.answer"):
            offered = range(int(menu[1]), int(menu[2] or menu[1]) + 1)
            shown = {int(row[1]) for row in map(ROW.match, lines) if row}
            # A line that was played has left its number free.
            return str(self.chance.choice([one for one in offered if one in shown]))
        if claims := self.match_question(question, "lay.prompt_1", "lay.prompt_2", "lay.prompt_3"):
            return chr(self.chance.randint(ord(claims[1]), ord(claims[2] or claims[1])))
        assert self.match_question(question, "ask.card"), question
        start = max(
            n for n, line in enumerate(lines) if self.match_question(line, "table.trick_of")
        )
        numbers = [line for line in lines[start:-1] if NUMBER_LINE.fullmatch(line)]
        playable: list[str] = PLAYABLE.findall(" ".join(numbers))
        return self.chance.choice(playable)

    def pick(self, first: str, last: str) -> str:
        """Picks one of the numbers or letters of a menu."""
        if first.isdecimal():
            return str(self.chance.randint(int(first), int(last)))
        return chr(self.chance.randint(ord(first), ord(last)))


def placeholder_pattern(found: re.Match[str]) -> str:
    """The pattern of a placeholder's value."""
    return RANGE if found[1] == "range" else ".+?"


def run_cli(words: list[str], answer: Callable[[str], str | None]) -> tuple[int, str, str]:
    """Runs a command with answers to its questions; returns exit status and both outputs."""
    screen, errors = io.StringIO(), io.StringIO()
    keyboard = patch("sys.stdin", Keyboard(answer, screen))
    with keyboard, redirect_stdout(screen), redirect_stderr(errors):
        status = main(words)
    return status, screen.getvalue(), errors.getvalue()


def scripted_answers(*lines: str) -> Callable[[str], str | None]:
    """Types these lines; then the input ends."""
    left = iter(lines)
    return lambda _: next(left, None)
