"""The examples of docs/bots.md and of the folder `examples` work as described."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import jasstisch as jt
from jasstisch import arena
from jasstisch.bots import subprocess_bot
from jasstisch.bots.resolver import resolve
from tools.setup import ROOT, WEB, node_path

PAGE = ROOT / "docs" / "bots.md"

WITHOUT_TYPES = """
const ts = require("typescript"), fs = require("fs"), [from, to] = process.argv.slice(1);
const compilerOptions = { module: "ESNext", target: "ES2022", verbatimModuleSyntax: true };
fs.writeFileSync(to, ts.transpile(fs.readFileSync(from, "utf8"), compilerOptions));
"""


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs commands in the project's folder, as the docs assume."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("sys.path", [*sys.path])  # as it was, afterwards
    places = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    monkeypatch.setenv("PATH", places)


def test_examples_of_the_page_run() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.attempted > 10
    assert result.failed == 0


def test_the_smallest_bot_is_a_valid_bot(tmp_path: Path) -> None:
    text = re.search(r"```python\n(class Low.+?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert text is not None
    (tmp_path / "mybot.py").write_text(text[1])
    contest = arena.contest(jt.game("molotov"), [f"{tmp_path}/mybot.py:Low"], against="random")
    assert arena.run(contest, deals=2)["bots"][0]["name"] == "low"


def runnable(example: Path, folder: Path) -> Path:
    """The example, or for an older Node.js the example without types."""
    if example.suffix != ".mts" or strips_types():
        return example
    plain = folder / f"{example.stem}.mjs"
    subprocess.run(["node", "-e", WITHOUT_TYPES, str(example), str(plain)], cwd=WEB, check=True)
    return plain


def strips_types() -> bool:
    """Whether Node.js strips types, as 22.18 and later do."""
    asked = ["node", "-p", "process.features.typescript"]
    said = subprocess.run(asked, check=True, capture_output=True, text=True).stdout
    return said.strip() == "strip"


@pytest.mark.outside
@pytest.mark.parametrize(
    ("program", "language"),
    [("python3", "low_engine.py"), ("node", "low.mjs"), ("node", "low.mts")],
)
def test_program_examples_play_like_the_bots_they_repeat(
    program: str, language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Where the machine has no Node.js, that of the web client's set-up.
    monkeypatch.setenv("PATH", node_path())
    example = runnable(ROOT / "examples" / language, tmp_path)
    game = jt.game("molotov")
    wanted, found = [
        arena.run(arena.contest(game, [bot], against="random"), deals=3)["bots"][0]
        for bot in ("examples/low.py:Low", f"exec:{program} {example}")
    ]
    assert found["mean"] == wanted["mean"]
    assert found["name"] != wanted["name"]


def test_the_page_states_the_limits_of_programs() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for seconds in subprocess_bot._TIMEOUTS_S.values():
        assert f"{seconds:g}" in text
    assert f"{subprocess_bot._MAX_LISTED_ACTIONS:,}" in text
    assert f"{subprocess_bot._MAX_ANSWER_BYTES:,}" in text
    assert subprocess_bot.PROTOCOL in text
    assert (
        f"2{str(subprocess_bot._SEED_BITS).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"
        in text
    )


def test_the_example_declares_its_games() -> None:
    assert getattr(resolve("examples/low.py:Low"), "games", None) == ("molotov", "offenbach")
