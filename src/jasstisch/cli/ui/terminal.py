"""Input and output of the terminal, or of a pipe.

A pipe is read line by line. Its answers are echoed after the questions, so that the output reads
like the screen. Output is never overwritten: each line is printed once, in order.
"""

import sys
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from threading import Timer

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from jasstisch.cli.ui.encoding import printable_line, printable_text
from jasstisch.cli.ui.pager import show_paged
from jasstisch.cli.ui.translator import Translator
from jasstisch.engine.errors import shorten

_MAX_WIDTH = 88
"""Maximum line width in columns, for readability."""

_MAX_INPUT_LENGTH = 4096
_SPINNER_DELAY_S = 1.0
"""Seconds before a slow operation is announced."""


class _SafeConsole(Console):
    """A console that prints texts literally: neither markup nor control sequences are interpreted.

    Names, sentences and actions come from servers, records and other people.

    Args:
        stderr: whether to print to standard error.
    """

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, emoji=False, markup=False, highlight=False)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Yields the segments of a renderable, sanitized."""
        for part in super().render(renderable, options):
            yield part if part.control else part._replace(text=printable_text(part.text))


class Terminal:
    """Screen and keyboard.

    Args:
        at_once: whether to print long texts without a pager.

    Attributes:
        console: where everything is printed.
        is_interactive: whether a person is there who can be asked to press a key.
    """

    def __init__(self, *, at_once: bool = False) -> None:
        self.no_pager = at_once
        self.console: Console = _SafeConsole()
        if not self.console.is_terminal:
            # rich asks for the size at every line; without a terminal it never changes.
            self.console.size = self.console.size
        self.stdin_is_tty = sys.stdin.isatty()
        self.is_interactive = self.stdin_is_tty and sys.stdout.isatty()

    @property
    def supports_symbols(self) -> bool:
        """Whether the console shows Unicode and colours."""
        console = self.console
        known = console.encoding.lower().startswith("utf")
        return console.is_terminal and not console.no_color and bool(console.color_system) and known

    @property
    def width(self) -> int:
        """The used width in columns."""
        return min(self.console.width, _MAX_WIDTH)

    def write(self, *things: RenderableType) -> None:
        """Prints renderables, each on its own line."""
        for thing in things:
            self.console.print(thing, width=self.width)

    def write_paged(self, thing: RenderableType) -> None:
        """Prints something long, through a pager on a terminal."""
        with self.console.capture() as captured:
            self.write(thing)
        show_paged(captured.get(), at_once=self.no_pager)

    def write_unwrapped(self, text: str) -> None:
        """Prints a line without wrapping, so that a file name in it can be copied."""
        self.console.print(text, soft_wrap=True)

    def ask(self, question: str) -> str:
        """Asks a question and returns the answer, stripped.

        Raises:
            EOFError: the input has ended.
            KeyboardInterrupt: Ctrl-C.
        """
        if self.stdin_is_tty:
            with suppress(ImportError):
                import readline  # noqa: F401, PLC0415 - its import enables line editing
            try:
                return input(question).strip()
            except OSError as error:  # the terminal is closed
                raise EOFError from error
        print(question, end="", flush=True)
        line = sys.stdin.readline(_MAX_INPUT_LENGTH)
        if not line:
            print()
            raise EOFError
        print(shorten(printable_line(line.rstrip("\r\n")), self.width))
        return line.strip()

    def confirm(self, question: str, translator: Translator) -> bool:
        """Asks a yes-or-no question; an empty answer is no.

        Args:
            question: the name of its text.
            translator: the language.
        """
        try:
            answer = self.ask(f"{translator.plain(question)} {translator.plain('word.yes_or_no')} ")
        except EOFError:
            return False
        return answer.lower() in translator.accepted_answers("yes")

    def spinner(self, what: str) -> AbstractContextManager[None]:
        """Shows a spinner on a terminal if the body takes longer than a moment."""
        return show_spinner(self.console, what)


def stderr_console() -> Console:
    """Returns the console for progress: standard error, since the output may go to a file."""
    return _SafeConsole(stderr=True)


@contextmanager
def show_spinner(console: Console, what: str) -> Iterator[None]:
    """Shows a spinner if the console is a terminal and the body takes longer than a moment."""
    status = console.status(Text(what))  # a plain string would be parsed as markup
    timer = Timer(_SPINNER_DELAY_S, status.start)
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
