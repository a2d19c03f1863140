"""Bots as subprocesses, in any language, over a line-based JSON protocol as in chess engines (UCI).

`docs/bots.md` is the specification. Each process that plays starts the program once. The program
must answer within a time limit, or it is killed. It never outlives its parent process, unless the
parent is killed and the program ignores the end of its standard input. Every fault of the program
is reported in one sentence.
"""

import json
import os
import shlex
import signal
import subprocess
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from random import Random
from types import FrameType
from typing import Any

from jasstisch.bots.api import View
from jasstisch.engine.errors import GameError, quote, shorten

PROTOCOL = "jasstisch-bot/1"
_PREFIX = "exec:"

_TIMEOUTS_S: Mapping[str, float] = {"hello": 30.0, "prepare": 300.0, "act": 60.0}
"""The time limit for each answer, in seconds."""

_SHUTDOWN_GRACE_S = 1.0
"""Seconds that a program has to exit after its standard input is closed."""

_MAX_ANSWER_BYTES = 65_536
_MAX_LISTED_ACTIONS = 1_000
"""Requests do not list more actions than this; I Doubt It may have hundreds of thousands."""

_SEED_BITS = 53
"""The size of the seed: integers of 53 bits are exact in every JSON reader."""


class EngineError(RuntimeError):
    """A program broke the protocol; it has been killed."""


def is_command_spec(what: str) -> bool:
    """Whether a specification names a program."""
    return what.startswith(_PREFIX)


def parse_command(what: str) -> list[str]:
    """Splits the command of `exec:COMMAND` into words; quotes protect spaces.

    Raises:
        GameError: the command is empty, or a quote is not closed.
    """
    try:
        words = shlex.split(what.removeprefix(_PREFIX))
    except ValueError as error:
        raise GameError(f"{shorten(what)} cannot be read: {str(error).lower()}") from error
    if not words:
        raise GameError(f"name a program after {_PREFIX}, as in '{_PREFIX}node mybot.mjs'")
    return words


class Engine:
    """A program that plays as a bot.

    Args:
        command: the program and its arguments.

    Attributes:
        name: the name that the program reports.

    Raises:
        GameError: the program cannot be started.
        EngineError: it does not speak the protocol.
    """

    measured_by = staticmethod(time.perf_counter)
    """The program runs in a process of its own, so its moves are timed by wall-clock time."""

    def __init__(self, command: Sequence[str]) -> None:
        self.name: Any = shorten(command[0], 40)  # until the program reports its own, of any type
        self._lock = threading.Lock()
        self._fault: str | None = None
        self._process = _spawn(command)
        self._finalizer = weakref.finalize(self, _shutdown, self._process)
        hello = self._request("hello", {"protocol": PROTOCOL})
        if hello.get("protocol") != PROTOCOL:
            said = quote(hello.get("protocol"))
            raise self._fail(f"speaks {said}, not {PROTOCOL!r}")
        self.name = hello.get("name")
        if hello.get("games") is not None:
            self.games = hello["games"]

    def prepare(self, game: str) -> None:
        """Asks the program to prepare for a game.

        Raises:
            EngineError: the program failed.
        """
        self._request("prepare", {"game": game})

    def act(self, view: View, legal: Sequence[str], rng: Random) -> str:
        """Asks the program for an action.

        Raises:
            EngineError: the program failed.
        """
        listed = list(legal) if len(legal) <= _MAX_LISTED_ACTIONS else None
        chance = rng.getrandbits(_SEED_BITS)
        question = {"view": view, "legal": listed, "choices": len(legal), "chance": chance}
        answer = self._request("act", question)
        action, choice = answer.get("action"), answer.get("choice")
        if isinstance(action, str) and choice is None:
            return action
        if type(choice) is int and action is None and 0 <= choice < len(legal):
            return legal[choice]
        raise self._fail(
            f"answered {quote(answer)}, where an action is needed, or a choice from 0 to "
            f"{len(legal) - 1}"
        )

    def close(self) -> None:
        """Stops the program, at once if another thread is waiting for an answer."""
        if self._lock.locked():
            _kill_process_group(self._process)
        self._finalizer()

    def _request(self, what: str, question: Mapping[str, object]) -> dict[str, Any]:
        """Sends a request and returns the answer."""
        with self._lock:
            if self._fault is not None:
                raise EngineError(self._fault)
            line = json.dumps({"ask": what, **question}, separators=(",", ":"))
            answer = self._read_line(what, f"{line}\n".encode())
        try:
            found = json.loads(answer)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise self._fail(f"answered {shorten(repr(answer)[1:])}, not a JSON object")
        if found.get("error") is not None:
            raise self._fail(f"says: {shorten(' '.join(str(found['error']).split()), 200)}")
        return found

    def _read_line(self, what: str, question: bytes) -> bytes:
        """Reads the line with which the program answers.

        When the time is up, the program is killed, which also ends the pending read.
        """
        process, late = self._process, threading.Event()
        assert process.stdin is not None
        assert process.stdout is not None

        def give_up() -> None:
            late.set()
            _kill_process_group(process)

        timer = threading.Timer(_TIMEOUTS_S[what], give_up)
        timer.daemon = True
        timer.start()
        try:
            with suppress(OSError, ValueError):  # the process has ended, and its pipes with it
                process.stdin.write(question)
                process.stdin.flush()
            answer = process.stdout.readline(_MAX_ANSWER_BYTES)
        except BaseException:
            # A late answer would be taken for the answer to another request.
            self._fail("was interrupted while it was asked")
            raise
        finally:
            timer.cancel()
        if late.is_set():
            raise self._fail(f"did not answer {what!r} within {_TIMEOUTS_S[what]:g} seconds")
        if not answer.endswith(b"\n"):
            if len(answer) == _MAX_ANSWER_BYTES:
                raise self._fail(f"answered with a line of over {_MAX_ANSWER_BYTES} bytes")
            raise self._fail(f"ended instead of answering {what!r}{self._exit_description()}")
        return answer

    def _exit_description(self) -> str:
        """How the program has exited, as the end of a sentence."""
        try:
            status = self._process.wait(_SHUTDOWN_GRACE_S)
        except subprocess.TimeoutExpired:
            return ""
        return f" (by signal {-status})" if status < 0 else f" (with status {status})"

    def _fail(self, text: str) -> EngineError:
        """Kills the program for good and returns the error to raise."""
        if self._fault is None:
            self._fault = f"the program {self.name} {text}"
        _kill_process_group(self._process)
        self._finalizer()
        return EngineError(self._fault)


_RUNNING_PROCESSES: "set[subprocess.Popen[bytes]]" = set()
"""The programs that this process has started and not yet reaped."""


def _spawn(command: Sequence[str]) -> "subprocess.Popen[bytes]":
    """Starts a program in a process group of its own, so that Ctrl-C reaches only its parent.

    Raises:
        GameError: the program does not exist, or cannot be executed.
    """
    _install_sigterm_handler()
    try:
        process = subprocess.Popen(  # noqa: S603 - the words of the person at the keyboard
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise GameError(f"{shorten(command[0])} cannot be started: {reason.lower()}") from error
    _RUNNING_PROCESSES.add(process)
    return process


def _shutdown(process: "subprocess.Popen[bytes]") -> None:
    """Closes the program's standard input, waits, and then kills it if necessary."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError, ValueError):
                pipe.close()
    try:
        process.wait(_SHUTDOWN_GRACE_S)
    except subprocess.TimeoutExpired:
        _kill_process_group(process)
        process.wait()
    _RUNNING_PROCESSES.discard(process)


def _kill_process_group(process: "subprocess.Popen[bytes]") -> None:
    """Kills a program with all its child processes."""
    with suppress(OSError):
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)


def _install_sigterm_handler() -> None:
    """Installs a SIGTERM handler that kills the programs; the arena ends workers by SIGTERM."""
    if threading.current_thread() is not threading.main_thread():
        return
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _on_sigterm)


def _on_sigterm(number: int, _: FrameType | None) -> None:
    """Kills all programs, then ends this process with the default action of the signal."""
    for process in list(_RUNNING_PROCESSES):
        _kill_process_group(process)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
