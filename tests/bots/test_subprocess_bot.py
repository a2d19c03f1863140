"""Programs as bots: what they are asked, what they may answer, and how faults are handled."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from shlex import quote
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import jasstisch as jt
from jasstisch import arena
from jasstisch.bots import Bot, subprocess_bot
from jasstisch.bots.resolver import resolve
from jasstisch.bots.subprocess_bot import Engine, EngineError, parse_command
from tests.support.example_counts import examples

pytestmark = pytest.mark.outside

HEAD = """
import json, sys, time

def hear():
    line = sys.stdin.readline()
    return json.loads(line) if line else sys.exit()

def say(answer):
    print(json.dumps(answer), flush=True)

HELLO = {"protocol": "jasstisch-bot/1", "name": "own"}
"""
FIRST = """
while True:
    question = hear()
    say({"act": {"choice": 0}, "hello": HELLO}.get(question["ask"], {}))
"""
GREETS = "hear(); say(HELLO)\n"

ProgramWriter = Callable[[str], str]


@pytest.fixture
def write_program(tmp_path: Path) -> ProgramWriter:
    """Writes a program and returns its name for the command line, `exec:...`."""

    def write(text: str, name: str = "own bot.py") -> str:
        path = tmp_path / name
        path.write_text(HEAD + text)
        return f"exec:{quote(sys.executable)} -S -E {quote(str(path))}"

    return write


def opened(what: str) -> Engine:
    """Starts a program."""
    found = resolve(what)
    assert isinstance(found, Engine)
    return found


def ended(engine: Engine) -> bool:
    """Whether a program has ended and is no longer registered."""
    return (
        engine._process.returncode is not None
        and engine._process not in subprocess_bot._RUNNING_PROCESSES
    )


def test_program_is_asked_for_its_name_preparation_and_actions(
    write_program: ProgramWriter,
) -> None:
    say_all = """
questions = []
while True:
    questions.append(hear())
    say({"act": {"action": json.dumps(questions)}, "hello": HELLO}.get(questions[-1]["ask"], {}))
"""
    engine = opened(write_program(say_all))
    assert isinstance(engine, Bot)
    assert engine.name == "own"
    engine.prepare("molotov")
    heard = json.loads(engine.act({"trump": None}, ["JC", "QC"], Random(1)))
    chance = Random(1).getrandbits(53)
    assert heard == [
        {"ask": "hello", "protocol": "jasstisch-bot/1"},
        {"ask": "prepare", "game": "molotov"},
        {
            "ask": "act",
            "view": {"trump": None},
            "legal": ["JC", "QC"],
            "choices": 2,
            "chance": chance,
        },
    ]
    engine.close()
    assert ended(engine)


def test_a_program_may_answer_by_the_number_of_the_action(write_program: ProgramWriter) -> None:
    engine = opened(write_program(FIRST))
    assert engine.act({}, ["JC", "QC"], Random(1)) == "JC"
    engine.close()


def test_too_many_legal_actions_are_sent_as_a_count_only(write_program: ProgramWriter) -> None:
    asks = """
hear(); say(HELLO)
question = hear()
say({"choice": question["choices"] - 1} if question["legal"] is None else {})
hear()
"""
    engine = opened(write_program(asks))
    legal = [f"lay {number}" for number in range(subprocess_bot._MAX_LISTED_ACTIONS + 1)]
    assert engine.act({}, legal, Random(1)) == legal[-1]
    engine.close()


def test_a_program_plays_every_game_to_its_end(write_program: ProgramWriter) -> None:
    engine = opened(write_program(FIRST))
    short = {"i-doubt-it": {"rounds": 1, "max_turns": 20}}
    for name in jt.games():
        table = arena.contest(jt.game(name, **short.get(name, {})), [engine], against="random")
        assert arena.run(table, deals=2)["bots"][0]["name"] == "own"
    engine.close()


def test_reported_time_per_move_includes_waiting_for_the_program(
    write_program: ProgramWriter,
) -> None:
    slow = FIRST.replace("say(", "time.sleep(0.01); say(", 1)
    contest = arena.contest(jt.game("molotov"), [write_program(slow)], against="random")
    report = arena.run(contest, deals=2)
    assert report["bots"][0]["ms_per_move"] > 10


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sys.exit(3)", r"ended instead of answering 'hello' \(with status 3\)$"),
        (
            "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
            r"ended instead of answering 'hello' \(by signal 9\)$",
        ),
        ("print('hello', flush=True); hear()", r"answered 'hello\\n', not a JSON object$"),
        ("say([]); hear()", r"answered '\[\]\\n', not a JSON object$"),
        ("print('[' * 5000, flush=True); hear()", r"answered '\[\[.*…, not a JSON object$"),
        ("say('x' * 70_000); hear()", r"answered with a line of over 65536 bytes$"),
        (
            "say({'protocol': 'jasstisch-bot/9', 'name': 'a'})",
            r"speaks 'jasstisch-bot/9', not 'jas",
        ),
        ("say({'name': 'own'})", r"speaks None, not 'jasstisch-bot/1'$"),
        ("say({'error': 'no\\ncards'})", r"says: no cards$"),
        ("say({'protocol': 'jasstisch-bot/1'}); hear()", r"is no bot: it has no name"),
        ("say(HELLO | {'name': 7}); hear()", r"is no bot: its name is a text, not 7$"),
        ("say(HELLO | {'name': 'greedy'}); hear()", r"calls itself 'greedy'"),
        ("say(HELLO | {'games': ['jas']}); hear()", r"names an unknown game, 'jas'; the games are"),
        ("say(HELLO | {'games': 'jass'}); hear()", r"its games are several names"),
        ("say(HELLO | {'games': 7}); hear()", r"its games are several names"),
    ],
)
def test_fault_of_a_starting_program_is_reported_in_one_line(
    write_program: ProgramWriter, text: str, message: str
) -> None:
    before = set(subprocess_bot._RUNNING_PROCESSES)
    with pytest.raises(jt.GameError, match=message) as caught:
        resolve(write_program(text))
    assert "\n" not in str(caught.value)
    assert before == subprocess_bot._RUNNING_PROCESSES


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hear()\n1/0", r"the program own ended instead of answering 'act' \(with status 1\)$"),
        (
            "hear(); say({}); hear()",
            r"answered {}, where an action is needed, or a choice from 0 to 1",
        ),
        ("hear(); say({'action': 7}); hear()", r"answered {'action': 7}, where"),
        ("hear(); say({'choice': 2}); hear()", r"answered {'choice': 2}, where"),
        ("hear(); say({'choice': -1}); hear()", r"answered {'choice': -1}, where"),
        ("hear(); say({'choice': True}); hear()", r"answered {'choice': True}, where"),
        ("hear(); say({'choice': 0, 'action': 'JC'}); hear()", r"where an action is needed"),
        (
            "hear(); say({'error': 'I know no Jass'}); hear()",
            r"the program own says: I know no Jass",
        ),
    ],
)
def test_fault_during_play_ends_the_program_for_good(
    write_program: ProgramWriter, text: str, message: str
) -> None:
    engine = opened(write_program(GREETS + text))
    for _ in range(2):
        with pytest.raises(EngineError, match=message):
            engine.act({}, ["JC", "QC"], Random(1))
    assert ended(engine)


@pytest.mark.parametrize("text", ["hear()\ntime.sleep(60)", "time.sleep(60)"])
def test_a_program_that_hangs_is_ended_when_its_time_is_up(
    write_program: ProgramWriter, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """Also one that does not even read: a question may exceed the buffer of a pipe."""
    engine = opened(write_program(GREETS + text))
    monkeypatch.setattr(subprocess_bot, "_TIMEOUTS_S", {"act": 0.2})
    before = time.monotonic()
    with pytest.raises(EngineError, match=r"own did not answer 'act' within 0.2 seconds$"):
        engine.act({"much": "x" * 300_000}, ["JC"], Random(1))
    assert time.monotonic() - before < 30
    assert ended(engine)


def test_program_interrupted_by_ctrl_c_is_not_asked_again(write_program: ProgramWriter) -> None:
    """Its answer to that question would be taken for the one to the next."""
    engine = opened(write_program(f"{GREETS}hear(); time.sleep(1); say({{'choice': 0}}); hear()"))
    hand = threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT])
    hand.start()
    with pytest.raises(KeyboardInterrupt):
        engine.act({}, ["JC", "QC"], Random(1))
    with pytest.raises(EngineError, match=r"own was interrupted while it was asked$"):
        engine.act({}, ["QC", "JC"], Random(1))
    assert ended(engine)


def test_program_ends_when_its_engine_is_deleted(write_program: ProgramWriter) -> None:
    engine = opened(write_program(f"{GREETS}hear()"))
    process = engine._process
    del engine
    assert process.returncode == 0


def test_program_that_ignores_the_end_of_its_input_is_killed(
    write_program: ProgramWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess_bot, "_SHUTDOWN_GRACE_S", 0.1)
    engine = opened(write_program(f"{GREETS}time.sleep(60)"))
    engine.close()
    assert engine._process.returncode == -signal.SIGKILL


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("exec:", r"^name a program after exec:, as in 'exec:node mybot.mjs'$"),
        ("exec:  ", r"^name a program after exec:"),
        ("exec:node 'my bot.mjs", r"cannot be read: no closing quotation$"),
        ("exec:no-such-program-here x", r"^no-such-program-here cannot be started: no such file"),
        ("exec:/", r"^/ cannot be started: permission denied$"),
        ("exec:a\0b", r"cannot be started: embedded null byte$"),
    ],
)
def test_invalid_command_is_refused_with_the_reason(what: str, message: str) -> None:
    with pytest.raises(jt.GameError, match=message):
        resolve(what)


@given(st.lists(st.text(st.characters(exclude_characters="\0")), min_size=1))
def test_parse_command_keeps_quoted_words_together(words: list[str]) -> None:
    assert parse_command(f"exec:{' '.join(map(quote, words))}") == words


@settings(max_examples=examples(40, 8), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.one_of(
        st.binary(max_size=200),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.text(max_size=9),
            lambda inner: st.dictionaries(st.sampled_from(["action", "choice", "error"]), inner),
        ).map(lambda answer: f"{json.dumps(answer)}\n".encode()),
    )
)
def test_any_output_of_a_program_is_an_action_or_an_engine_error(
    tmp_path: Path, said: bytes
) -> None:
    hello = {"protocol": "jasstisch-bot/1", "name": "own"}
    (tmp_path / "hello").write_text(f"{json.dumps(hello)}\n")
    (tmp_path / "said").write_bytes(said)
    script = f"read a; cat {tmp_path}/hello; read a; cat {tmp_path}/said"
    engine = Engine(["sh", "-c", script])
    with suppress(EngineError):
        assert isinstance(engine.act({}, ["JC", "QC"], Random(1)), str)
    engine.close()
    assert ended(engine)


def test_no_program_outlives_the_arena_and_its_workers(
    write_program: ProgramWriter, tmp_path: Path
) -> None:
    pid_file = tmp_path / "pids"
    what = write_program(
        f"import os\nwith open({str(pid_file)!r}, 'a') as f: print(os.getpid(), file=f)\n{FIRST}"
    )
    words = ["arena", "molotov", what, "--against", "random", "--deals", "3", "--workers", "2"]
    ran = subprocess.run(
        [sys.executable, "-m", "jasstisch", *words], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    pids = [int(line) for line in pid_file.read_text().split()]
    assert len(pids) >= 2, "one in this process, one in each that played"
    assert not [pid for pid in pids if is_running(pid)]


def test_terminating_the_arena_ends_a_hanging_program(
    write_program: ProgramWriter, tmp_path: Path
) -> None:
    pid_file = tmp_path / "pid"
    what = write_program(
        f"import os\n{GREETS}\nwhile hear()['ask'] == 'prepare': say({{}})\n"
        f"with open({str(pid_file)!r}, 'a') as f: print(os.getpid(), file=f)\ntime.sleep(600)"
    )
    words = ["arena", "molotov", what, "--against", "random", "--deals", "3"]
    playing = subprocess.Popen([sys.executable, "-m", "jasstisch", *words])
    pid = int(wait_for(lambda: pid_file.exists() and pid_file.read_text().strip()))
    playing.terminate()
    assert playing.wait(60) == 128 + signal.SIGTERM
    wait_for(lambda: not is_running(pid))


def is_running(pid: int) -> bool:
    """Whether a process is running; a zombie is not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except FileNotFoundError:
        return False
    return state.rpartition(")")[2].split()[0] != "Z"


def wait_for(condition: Callable[[], Any]) -> Any:
    """Waits until the condition is true; returns its value."""
    deadline = time.monotonic() + 60
    while not (found := condition()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return found
