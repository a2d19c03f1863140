"""A real terminal: colours, waiting for a key, Ctrl-C and Ctrl-D."""

import io
import json
import os
import pty
import re
import select
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from rich.console import Console
from rich.table import Table
from rich.text import Text

from jasstisch.cli.game import user_state
from jasstisch.cli.ui import progress as progress_module
from jasstisch.cli.ui import terminal as terminal_module
from jasstisch.cli.ui.terminal import Terminal
from jasstisch.cli.ui.text_tables import borderless_table
from tests.cli.commands.test_replay import kept, played
from tests.cli.screen_player import ScreenPlayer

pytestmark = pytest.mark.outside

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
SECONDS = 30


class TerminalProcess:
    """A program on a terminal of 80 columns, with its output and a keyboard."""

    def __init__(self, process: "subprocess.Popen[bytes]", master: int) -> None:
        self.process = process
        self.master = master
        self.printed = b""
        self.seen = 0

    @property
    def raw(self) -> str:
        """The output with colours, without an incomplete character at its end."""
        return self.printed.decode(errors="ignore")

    @property
    def text(self) -> str:
        """The output without colours."""
        return ESCAPES.sub("", self.raw).replace("\r\n", "\n")

    def read(self) -> None:
        """Reads the output printed so far."""
        ready, _, _ = select.select([self.master], [], [], SECONDS)
        assert ready, self.text
        try:
            self.printed += os.read(self.master, 65536)
        except OSError:  # the program has ended
            raise AssertionError(self.text) from None

    def until(self, ending: str) -> str:
        """Reads until the output since the last input ends with this."""
        while not (self.text.endswith(ending) and len(self.text) > self.seen):
            self.read()
        return self.text

    def type(self, text: str) -> None:
        """Types something, with Enter if it ends a line."""
        self.seen = len(self.text)
        os.write(self.master, text.encode())

    def interrupt(self, number: signal.Signals = signal.SIGINT) -> None:
        """Sends Ctrl-C until the program responds: just before a read, Python notices it late."""
        for _ in range(10):
            self.process.send_signal(number)
            answered, _, _ = select.select([self.master], [], [], SECONDS / 10)
            if answered:
                return
        raise AssertionError(self.text)

    def wait(self) -> int:
        """Reads the remaining output; returns the exit status."""
        with suppress(OSError):
            while data := os.read(self.master, 65536):
                self.printed += data
        return self.process.wait(SECONDS)


@contextmanager
def on_terminal(*words: str, **surroundings: str) -> Iterator[TerminalProcess]:
    """Runs the command line on a terminal of its own."""
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "jasstisch", *words],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=environment | surroundings,
        start_new_session=True,
    )
    os.close(slave)
    screen = TerminalProcess(process, master)
    try:
        yield screen
    finally:
        process.kill()
        process.wait()
        os.close(screen.master)


PLAY = ("play", "molotow", "--bots", "random", "--seed", "4", "--rounds", "2")


def test_ctrl_c_exits_with_130_and_keeps_the_match(tmp_path: Path) -> None:
    path = tmp_path / "m.jass.json"
    with on_terminal(*PLAY, "--save", str(path)) as screen:
        screen.until("Your card, 1-9 or ?: ")
        screen.type("9\n")
        screen.until("Your card, 1-8 or ?: ")
        screen.interrupt()
        assert screen.wait() == 130
    assert screen.text.endswith(f"\nTo go on: jasstisch play --resume {path}\n")
    assert "Traceback" not in screen.text
    assert [0, "play TS"] in json.loads(path.read_text())["log"]


@pytest.mark.parametrize(
    ("surroundings", "card"),
    [
        ({}, r"\x1b\[1;38;5;\d+m\w+[♧◉✿▼]"),
        ({"NO_COLOR": "1"}, r"\w+ (acorns|bells|roses|shields)"),
        ({"TERM": "dumb"}, r"\w+ (acorns|bells|roses|shields)"),
        ({"PYTHONIOENCODING": "ascii"}, r"\w+ (acorns|bells|roses|shields)"),
    ],
    ids=str,
)
def test_swiss_suits_are_drawn_on_capable_terminals(
    surroundings: dict[str, str], card: str
) -> None:
    with on_terminal(*PLAY, "--deck", "swiss", **surroundings) as screen:
        screen.until("Your card, 1-9 or ?: ")
        drawn = screen.printed.decode().splitlines()
    assert re.search(card, next(line for line in drawn if "The draw" in line))
    assert any("acorns" in line and "bells" in line for line in drawn), "the names above the hand"


@pytest.mark.parametrize("typed", ["5", "molotow", "MOLOTOW J", "molotow jass"])
def test_without_a_game_a_menu_is_shown(typed: str) -> None:
    with on_terminal("play", "--bots", "random", "--seed", "4") as screen:
        listed = screen.until("Which game, 1-8 or its name (q: none)? ")
        assert re.search(r"^ 5  Molotow Jass +Sticks for the highest", listed, re.MULTILINE)
        assert listed.index("Schieber") < listed.index("Differenzler") < listed.index("I Doubt It")
        for unclear in ("mol", "9", "0", ""):
            screen.type(f"{unclear}\n")
            screen.until("Which game, 1-8 or its name (q: none)? ")
        screen.type(f"{typed}\n")
        assert "Molotow Jass, 4 players" in screen.until("Your card, 1-9 or ?: ")


def test_the_game_menu_can_be_left() -> None:
    with on_terminal("play") as screen:
        screen.until("Which game, 1-8 or its name (q: none)? ")
        screen.type("q\n")
        assert screen.wait() == 0


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_an_interrupted_match_without_a_file_is_autosaved(
    number: signal.Signals, status: int
) -> None:
    """The last line says how to resume it, and the file is private."""
    with on_terminal(*PLAY) as screen:
        screen.until("Your card, 1-9 or ?: ")
        screen.type("9\n")
        screen.until("Your card, 1-8 or ?: ")
        screen.interrupt(number)
        assert screen.wait() == status
    assert screen.text.endswith("\nTo go on: jasstisch play --resume\n")
    path = user_state.latest_autosave()
    assert path is not None
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    with on_terminal("play", "--resume", "--seed", "4") as screen:
        screen.until("Your card, 1-8 or ?: ")
        screen.type("q\n")
        screen.until("Leave the match? [y/N] ")
        screen.type("y\n")
        assert screen.wait() == 0
    assert screen.text.endswith("\nTo go on: jasstisch play --resume\n")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_closed_window_autosaves_the_match() -> None:
    """Nobody reads the output any more."""
    with on_terminal(*PLAY) as screen:
        screen.until("Your card, 1-9 or ?: ")
        screen.process.send_signal(signal.SIGSTOP)
        os.close(screen.master)
        screen.master = os.open(os.devnull, os.O_RDONLY)
        screen.process.send_signal(signal.SIGHUP)
        screen.process.send_signal(signal.SIGCONT)
        screen.process.wait(SECONDS)
    assert user_state.latest_autosave() is not None


def test_ctrl_c_ends_a_replay_with_130(tmp_path: Path) -> None:
    path = kept(played("molotov", target=1).record(), tmp_path)
    with on_terminal("replay", path) as screen:
        while "Trick 1" not in screen.text:
            screen.read()
        screen.interrupt()
        assert screen.wait() == 130
    assert "Traceback" not in screen.text


def test_ctrl_d_leaves_the_table() -> None:
    with on_terminal(*PLAY) as screen:
        screen.until("Your card, 1-9 or ?: ")
        screen.type("\x04")
        assert screen.wait() == 0
    assert "Traceback" not in screen.text


def test_between_rounds_the_terminal_waits_for_a_key() -> None:
    person = ScreenPlayer()
    with on_terminal(*PLAY) as screen:
        while not screen.until(": ").endswith("Enter for the next round: "):
            screen.type(person(screen.text) + "\n")
        screen.type("s\n")
        screen.until("Enter for the next round: ")
        screen.type("\n")
        screen.until("Your card, 1-9 or ?: ")
    assert "Round 2 of 2" in screen.text


def test_replay_waits_after_every_trick(tmp_path: Path) -> None:
    path = kept(played("molotov", target=1).record(), tmp_path)
    with on_terminal("replay", path) as screen:
        tricks = re.compile(r"^Trick \d", re.MULTILINE)
        for number in (1, 2, 3):
            while len(tricks.findall(screen.text)) < number or not screen.text.endswith("\n"):
                screen.read()
            assert len(tricks.findall(screen.text)) == number
            screen.type("\n" if number < 3 else "a\n")
        assert screen.wait() == 0
    assert "After round 1" in screen.text


def test_replay_can_be_left_and_can_print_everything_at_once(tmp_path: Path) -> None:
    path = kept(played("molotov", target=1).record(), tmp_path)
    with on_terminal("replay", path) as screen:
        screen.type("q\n")
        assert screen.wait() == 0
    assert "After round 1" not in screen.text
    with on_terminal("replay", path, "--all") as screen:
        assert screen.wait() == 0
    assert "After round 1" in screen.text


def test_red_suits_are_red_and_no_color_is_respected() -> None:
    with on_terminal(*PLAY) as screen:
        screen.until("Your card, 1-9 or ?: ")
    assert re.search("\x1b\\[1;31m8♦", screen.raw)
    with on_terminal(*PLAY, NO_COLOR="1") as screen:
        screen.until("Your card, 1-9 or ?: ")
    assert not re.search("\x1b\\[[0-9;]*3[0-9]", screen.raw)
    with on_terminal(*PLAY, TERM="dumb") as screen:
        screen.until("Your card, 1-9 or ?: ")
    assert "\x1b" not in screen.raw


def test_rules_are_formatted_on_a_terminal() -> None:
    with on_terminal("rules", "molotov", PAGER="cat") as screen:
        assert screen.wait() == 0
    assert "##" not in screen.text
    assert "Scoring a round" in screen.text


@pytest.mark.parametrize("shown", [True, False])
def test_spinners_are_shown_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, *, shown: bool
) -> None:
    monkeypatch.setattr(terminal_module, "_SPINNER_DELAY_S", 0.0)
    terminal = Terminal()
    file = io.StringIO()
    terminal.console = Console(file=file, force_terminal=shown)
    with terminal.spinner("Counting"):
        end = time.monotonic() + SECONDS
        while shown and "Counting" not in file.getvalue():
            assert time.monotonic() < end
            time.sleep(0.01)
    assert ("Counting" in file.getvalue()) == shown


def test_progress_texts_may_contain_any_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names are no markup: `[/]` is a valid nickname."""
    monkeypatch.setattr(terminal_module, "_SPINNER_DELAY_S", 0.0)
    monkeypatch.setattr(progress_module, "SHOW_AFTER_S", 0.0)
    terminal = Terminal()
    file = io.StringIO()
    terminal.console = Console(file=file, force_terminal=True)
    with terminal.spinner("Waiting for [/] and [link=x]y …"):
        end = time.monotonic() + SECONDS
        while "[link=x]y" not in file.getvalue():
            assert time.monotonic() < end
            time.sleep(0.01)
    assert "[/]" in file.getvalue()
    monkeypatch.setattr(progress_module, "stderr_console", lambda: terminal.console)
    with progress_module.show_progress("bot [/]") as shown:
        shown(0.5)
    assert "bot [/] 50%" in file.getvalue()


def test_no_output_can_control_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever a server sends: only our own colours reach the terminal."""
    terminal = Terminal()
    terminal.write("one\x1b[2J", Text("two\x9b2J\u202e\nlines"), grid_of("three\x1b]0;x"))
    terminal.write_unwrapped("four\x1bc")
    printed = capsys.readouterr().out
    assert not set(printed) & {"\x1b", "\x9b", "\u202e"}
    assert "one?[2J\ntwo?2J?\nlines\n" in printed


def grid_of(text: str) -> Table:
    """A table with one text in it."""
    table = borderless_table("")
    table.add_row(text)
    return table


@pytest.fixture
def pager(tmp_path: Path) -> Path:
    """A pager that writes its input to a file beside it."""
    program = tmp_path / "pager"
    program.write_text(f'#!/bin/sh\ncat > "{tmp_path}/read"\necho "LESS is $LESS"\n')
    program.chmod(0o700)
    return program


LONG = [["rules", "schieber"], ["play", "molotov", "--help"]]


@pytest.mark.parametrize("words", LONG, ids=" ".join)
def test_long_pages_open_the_pager_on_a_terminal(words: list[str], pager: Path) -> None:
    with on_terminal(*words, PAGER=f"{pager} -x") as screen:
        assert screen.wait() == 0
    assert screen.text.strip() == "LESS is FRX"
    assert len((pager.parent / "read").read_text().splitlines()) > 24


def test_the_pager_gets_what_the_terminal_can_show(pager: Path) -> None:
    with on_terminal(*LONG[0], PAGER=str(pager), PYTHONIOENCODING="latin-1") as screen:
        screen.wait()
    read = (pager.parent / "read").read_bytes()
    assert "ö".encode("latin-1") in read
    assert not {"ö".encode(), "’".encode()} & set(re.findall(b"[\x80-\xff]+", read))


def test_the_pager_can_be_configured(pager: Path) -> None:
    with on_terminal(*LONG[0], PAGER=str(pager), LESS="R") as screen:
        screen.wait()
    assert screen.text.strip() == "LESS is R"


@pytest.mark.parametrize("words", LONG, ids=" ".join)
@pytest.mark.parametrize("way", ["--no-pager", "", "no-such-program", "'"])
def test_without_a_pager_everything_is_printed_at_once(
    words: list[str], way: str, pager: Path
) -> None:
    option, named = ([way], str(pager)) if way.startswith("--") else ([], way)
    with on_terminal(*words[:-1], *option, words[-1], PAGER=named) as screen:
        assert screen.wait() == 0
    assert len(screen.text.splitlines()) > 24
    assert not (pager.parent / "read").exists()


def test_short_output_needs_no_pager(pager: Path) -> None:
    with on_terminal("verify", "--help", PAGER=str(pager)) as screen:
        screen.wait()
    assert "usage: jasstisch verify" in screen.text
    assert not (pager.parent / "read").exists()


def test_ctrl_c_belongs_to_the_pager(tmp_path: Path) -> None:
    """It stays open until the person leaves it."""
    program = tmp_path / "pager"
    program.write_text("#!/bin/sh\ncat > /dev/null\necho ready\nread line <&2\necho left\n")
    program.chmod(0o700)
    with on_terminal("rules", "jass", PAGER=str(program)) as screen:
        screen.until("ready\n")
        screen.process.send_signal(signal.SIGINT)
        with pytest.raises(subprocess.TimeoutExpired):
            screen.process.wait(0.3)
        screen.type("\n")
        assert screen.wait() == 0
    assert screen.text.endswith("left\n")
