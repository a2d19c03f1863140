"""Printing to and asking the person at the terminal, or whatever stands behind a pipe.

A pipe is read line by line; what it answers is printed after the question, so that the output reads
like the screen would. Nothing is ever drawn over: each thing is said once, in order.
"""

import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from threading import Timer

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from jasstisch.cli.ui.encoding import sanitize_line, sanitize_text
from jasstisch.cli.ui.pager import show_paged
from jasstisch.cli.ui.translator import Translator
from jasstisch.engine.errors import shorten

__all__ = ["Terminal", "show_spinner", "stderr_console"]

MAX_WIDTH = 88
"""Columns beyond which lines are no longer pleasant to read."""

MAX_INPUT_LENGTH = 4096
SPINNER_DELAY_S = 1.0
"""Seconds after which something slow is announced."""


class SafeConsole(Console):
    """Where texts are printed as they are: nothing in them is markup, or obeyed by a terminal.

    Names, sentences and actions come from servers, records and other people.

    Args:
        stderr: what is printed goes beside the output.
    """

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, emoji=False, markup=False, highlight=False)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """The parts of what is printed, in their colours."""
        for part in super().render(renderable, options):
            yield part if part.control else part._replace(text=sanitize_text(part.text))


class Terminal:
    """The screen and the keyboard.

    Args:
        at_once: no pager is wanted for long pages.

    Attributes:
        console: where everything is printed.
        attended: whether a person sits there, who can be asked to press a key.
    """

    def __init__(self, *, at_once: bool = False) -> None:
        self.no_pager = at_once
        self.console: Console = SafeConsole()
        if not self.console.is_terminal:
            # Asked for at every line, and never changing where nobody can change it.
            self.console.size = self.console.size
        self.stdin_is_tty = sys.stdin.isatty()
        self.is_interactive = self.stdin_is_tty and sys.stdout.isatty()

    @property
    def supports_symbols(self) -> bool:
        """Whether any sign and its colour can be seen."""
        console = self.console
        known = console.encoding.lower().startswith("utf")
        return console.is_terminal and not console.no_color and bool(console.color_system) and known

    @property
    def width(self) -> int:
        """Columns that are used."""
        return min(self.console.width, MAX_WIDTH)

    def write(self, *things: RenderableType) -> None:
        """Prints things, each from a line of its own."""
        for thing in things:
            self.console.print(thing, width=self.width)

    def write_paged(self, thing: RenderableType) -> None:
        """Prints something long, one screen after the other where somebody reads it."""
        with self.console.capture() as captured:
            self.write(thing)
        show_paged(captured.get(), at_once=self.no_pager)

    def write_unwrapped(self, text: str) -> None:
        """Prints a line as it is, so that a file name in it can be copied."""
        self.console.print(text, soft_wrap=True)

    def ask(self, question: str) -> str:
        """Asks, and returns the answer without blanks around it.

        Raises:
            EOFError: there is nobody who could answer any more.
            KeyboardInterrupt: Ctrl-C.
        """
        if self.stdin_is_tty:
            with suppress(ImportError):
                import readline  # noqa: F401, PLC0415 - its import lets a person edit the line
            try:
                return input(question).strip()
            except OSError as error:  # the window is closed
                raise EOFError from error
        print(question, end="", flush=True)
        line = sys.stdin.readline(MAX_INPUT_LENGTH)
        if not line:
            print()
            raise EOFError
        print(shorten(sanitize_line(line.rstrip("\r\n")), self.width))
        return line.strip()

    def confirm(self, question: str, speech: Translator) -> bool:
        """Asks a question to be answered with yes or no; no answer is no.

        Args:
            question: the name of its text.
            speech: the language.
        """
        try:
            answer = self.ask(f"{speech.plain(question)} {speech.plain('word.yes_or_no')} ")
        except EOFError:
            return False
        return answer.lower() in speech.accepted_answers("yes")

    def spinner(self, what: str) -> AbstractContextManager[None]:
        """Shows what is going on, on a terminal, if it takes longer than a moment."""
        return show_spinner(self.console, what)


def stderr_console() -> Console:
    """Where it is told how far something is: beside what is printed, which may go to a file."""
    return SafeConsole(stderr=True)


@contextmanager
def show_spinner(console: Console, what: str) -> Iterator[None]:
    """Shows what is going on where there is a terminal, if it takes longer than a moment."""
    status = console.status(Text(what))  # a bare text would be read as markup
    timer = Timer(SPINNER_DELAY_S, status.start)
    if not console.is_terminal:
        yield
        return
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        status.stop()
