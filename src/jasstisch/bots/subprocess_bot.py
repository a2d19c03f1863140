"""Bots in any language: a program that is asked and answers by lines of JSON, as chess engines do.

`docs/bots.md` is the specification. A program is started once in each process that plays, answers
within a time limit or is ended, and never outlives the process that asks it, unless that is killed
and the program does not heed the end of its input. Whatever else it does is told in a sentence.
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

__all__ = ["PROTOCOL", "Engine", "EngineError", "is_engine", "parse_command"]

PROTOCOL = "jasstisch-bot/1"
PREFIX = "exec:"

TIMEOUTS_S: Mapping[str, float] = {"hello": 30.0, "prepare": 300.0, "act": 60.0}
"""How long a program may take for each answer."""

SHUTDOWN_GRACE_S = 1.0
"""Seconds in which a program ends by itself once its input has ended."""

MAX_ANSWER_BYTES = 65_536
MAX_LISTED_ACTIONS = 1_000
"""Actions that are listed; at I Doubt It there may be hundreds of thousands."""

SEED_BITS = 53
"""A whole number that every language reads as it is written."""


class EngineError(RuntimeError):
    """A program has not answered as it should; it has been ended."""


def is_engine(what: str) -> bool:
    """Whether this names a program that plays."""
    return what.startswith(PREFIX)


def parse_command(what: str) -> list[str]:
    """The words of the program that `exec:COMMAND` names; quotes hold blanks together.

    Raises:
        GameError: there are none, or a quote is left open.
    """
    try:
        words = shlex.split(what.removeprefix(PREFIX))
    except ValueError as error:
        raise GameError(f"{shorten(what)} cannot be read: {str(error).lower()}") from error
    if not words:
        raise GameError(f"name a program after {PREFIX}, as in '{PREFIX}node mybot.mjs'")
    return words


class Engine:
    """A program that plays as a bot.

    Args:
        command: the program and its arguments.

    Attributes:
        name: what the program calls itself.

    Raises:
        GameError: it cannot be started.
        EngineError: it does not speak the protocol.
    """

    measured_by = staticmethod(time.perf_counter)
    """It thinks in a process of its own, so its moves take what passes here meanwhile."""

    def __init__(self, command: Sequence[str]) -> None:
        self.name: Any = shorten(command[0], 40)  # until it has said its own, which may be anything
        self._lock = threading.Lock()
        self._fault: str | None = None
        self._process = spawn(command)
        self._finalizer = weakref.finalize(self, shutdown, self._process)
        hello = self._request("hello", {"protocol": PROTOCOL})
        if hello.get("protocol") != PROTOCOL:
            said = quote(hello.get("protocol"))
            raise self._fail(f"speaks {said}, not {PROTOCOL!r}")
        self.name = hello.get("name")
        if hello.get("games") is not None:
            self.games = hello["games"]

    def prepare(self, game: str) -> None:
        """Has the program make itself ready for a game.

        Raises:
            EngineError: it has failed.
        """
        self._request("prepare", {"game": game})

    def act(self, view: View, legal: Sequence[str], rng: Random) -> str:
        """Has the program choose an action.

        Raises:
            EngineError: it has failed.
        """
        listed = list(legal) if len(legal) <= MAX_LISTED_ACTIONS else None
        chance = rng.getrandbits(SEED_BITS)
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
        """Ends the program, at once where it is thinking in another thread."""
        if self._lock.locked():
            kill_process_group(self._process)
        self._finalizer()

    def _request(self, what: str, question: Mapping[str, object]) -> dict[str, Any]:
        """The answer to a question."""
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
        """The line with which the program answers, if it does so in time.

        When the time is up the program is ended, which ends whatever is waited for here.
        """
        process, late = self._process, threading.Event()
        assert process.stdin is not None
        assert process.stdout is not None

        def give_up() -> None:
            late.set()
            kill_process_group(process)

        watch = threading.Timer(TIMEOUTS_S[what], give_up)
        watch.daemon = True
        watch.start()
        try:
            with suppress(OSError, ValueError):  # it has ended: so has what it says
                process.stdin.write(question)
                process.stdin.flush()
            answer = process.stdout.readline(MAX_ANSWER_BYTES)
        except BaseException:
            # An answer that came later would be taken for that to another question.
            self._fail("was interrupted while it was asked")
            raise
        finally:
            watch.cancel()
        if late.is_set():
            raise self._fail(f"did not answer {what!r} within {TIMEOUTS_S[what]:g} seconds")
        if not answer.endswith(b"\n"):
            if len(answer) == MAX_ANSWER_BYTES:
                raise self._fail(f"answered with a line of over {MAX_ANSWER_BYTES} bytes")
            raise self._fail(f"ended instead of answering {what!r}{self._exit_description()}")
        return answer

    def _exit_description(self) -> str:
        """How the program has ended, as the end of a sentence."""
        try:
            status = self._process.wait(SHUTDOWN_GRACE_S)
        except subprocess.TimeoutExpired:
            return ""
        return f" (by signal {-status})" if status < 0 else f" (with status {status})"

    def _fail(self, text: str) -> EngineError:
        """Ends the program, for good; the error to raise."""
        if self._fault is None:
            self._fault = f"the program {self.name} {text}"
        kill_process_group(self._process)
        self._finalizer()
        return EngineError(self._fault)


RUNNING_PROCESSES: "set[subprocess.Popen[bytes]]" = set()
"""The programs that this process has started and not seen the end of."""


def spawn(command: Sequence[str]) -> "subprocess.Popen[bytes]":
    """Starts a program, in a group of its own: Ctrl-C is for whoever asks it.

    Raises:
        GameError: there is no such program, or it cannot be run.
    """
    install_sigterm_handler()
    try:
        process = subprocess.Popen(  # noqa: S603 - the words of the person at the keyboard
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise GameError(f"{shorten(command[0])} cannot be started: {reason.lower()}") from error
    RUNNING_PROCESSES.add(process)
    return process


def shutdown(process: "subprocess.Popen[bytes]") -> None:
    """Sees a program off: its input ends, and soon it does too, in one way or the other."""
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError, ValueError):
                pipe.close()
    try:
        process.wait(SHUTDOWN_GRACE_S)
    except subprocess.TimeoutExpired:
        kill_process_group(process)
        process.wait()
    RUNNING_PROCESSES.discard(process)


def kill_process_group(process: "subprocess.Popen[bytes]") -> None:
    """Ends a program at once, with all that it has started."""
    with suppress(OSError):
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)


def install_sigterm_handler() -> None:
    """Has SIGTERM end the programs first, as the processes of the arena are ended by it."""
    if threading.current_thread() is not threading.main_thread():
        return
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, on_sigterm)


def on_sigterm(number: int, _: FrameType | None) -> None:
    """Ends all programs, and then this process as if nothing had been done before."""
    for process in list(RUNNING_PROCESSES):
        kill_process_group(process)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
