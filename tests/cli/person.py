"""A person at the terminal: reads what is on the screen and answers the question that stands last.

It plays by sight alone: the numbers it may type are those printed below the cards without brackets.
"""

import io
import re
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from random import Random
from unittest.mock import patch

from jasstisch.cli import main

NUMBERS = re.compile(r"[ ()0-9]*[0-9][ ()0-9]*")
MENU = re.compile(r"^Your answer, (\d+)(?:-(\d+))? or \?: $")
ROW = re.compile(r" *(\d+)  [^\d ]")
CLAIMS = re.compile(r"^\w+ cards? and a rank, ([a-z])(?:-([a-z]))? or \?: $")
PLAYABLE = re.compile(r"(?<![(\d])\d+(?![)\d])")


LOOKED_AT = 10_000
"""Characters at the end of what was printed: more than any question with what belongs to it."""


class Keyboard:
    """Standard input that asks a function for each line; None is the end of the input."""

    def __init__(self, answer: Callable[[str], str | None], screen: io.StringIO) -> None:
        self.answer = answer
        self.screen = screen

    def isatty(self) -> bool:
        return False

    def readline(self, limit: int) -> str:
        answer = self.answer(self.screen.getvalue())
        return "" if answer is None else f"{answer}\n"


class Sighted:
    """Plays any game by what the screen shows."""

    def __init__(self, seed: int = 1, rematch: str = "n") -> None:
        self.chance = Random(seed)
        self.rematch = rematch
        self.questions: list[str] = []

    def __call__(self, screen: str) -> str:
        lines = screen[-LOOKED_AT:].split("\n")
        question = lines[-1]
        self.questions.append(question)
        if question.startswith("Your bid"):
            return str(self.chance.randrange(158))
        if question.startswith("A rematch"):
            return self.rematch
        if question.startswith("Announce"):
            return self.chance.choice(["", "y", "n"])
        if " as what: " in question:
            return self.chance.choice(["c", "tops", "bo"])
        if menu := MENU.search(question):
            offered = range(int(menu[1]), int(menu[2] or menu[1]) + 1)
            shown = {int(row[1]) for row in map(ROW.match, lines) if row}
            # A line that was played has left its number free.
            return str(self.chance.choice([one for one in offered if one in shown]))
        if claims := CLAIMS.search(question):
            return chr(self.chance.randint(ord(claims[1]), ord(claims[2] or claims[1])))
        assert question.startswith("Your card"), question
        start = max(
            n for n, line in enumerate(lines) if line.startswith("Trick ") and " of " in line
        )
        numbers = [line for line in lines[start:-1] if NUMBERS.fullmatch(line)]
        playable: list[str] = PLAYABLE.findall(" ".join(numbers))
        return self.chance.choice(playable)

    def one_of(self, first: str, last: str) -> str:
        """One of the numbers or letters of a menu."""
        if first.isdecimal():
            return str(self.chance.randint(int(first), int(last)))
        return chr(self.chance.randint(ord(first), ord(last)))


def sit(words: list[str], answer: Callable[[str], str | None]) -> tuple[int, str, str]:
    """Runs a command with somebody at the keyboard: exit status, standard output and error."""
    screen, errors = io.StringIO(), io.StringIO()
    keyboard = patch("sys.stdin", Keyboard(answer, screen))
    with keyboard, redirect_stdout(screen), redirect_stderr(errors):
        status = main(words)
    return status, screen.getvalue(), errors.getvalue()


def script(*lines: str) -> Callable[[str], str | None]:
    """Types these lines, then the input ends."""
    left = iter(lines)
    return lambda _: next(left, None)
