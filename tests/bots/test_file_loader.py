"""Bots from a file: how they are named, what they may do, and how faults are reported."""

import sys
from pathlib import Path
from random import Random

import pytest

import jasstisch as jt
from jasstisch import arena
from jasstisch.bots import Bot
from jasstisch.bots.resolver import resolve

LOW = """
from dataclasses import dataclass

@dataclass
class Low:
    name: str = "low"

    def act(self, view, legal, rng):
        return legal[0]

def high():
    return Low("high")
"""

BOT = "class Low:\n name = 'low'\n def act(self, view, legal, rng): return legal[0]\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a bot file in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])  # restored afterwards
    (tmp_path / "mybot.py").write_text(LOW)
    return tmp_path


@pytest.mark.parametrize(("what", "name"), [("mybot.py:Low", "low"), ("./mybot.py:high", "high")])
@pytest.mark.usefixtures("folder")
def test_class_or_function_in_a_file_is_loaded_as_a_bot(what: str, name: str) -> None:
    found = resolve(what)
    assert isinstance(found, Bot)
    assert found.name == name
    assert found.act({}, ["JC", "QC"], Random(1)) == "JC"


def test_absolute_path_finds_the_bot_from_another_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "else where").mkdir()
    monkeypatch.chdir(folder / "else where")
    assert resolve(f"{folder}/mybot.py:Low").name == "low"


def test_changed_file_is_reloaded_at_the_next_resolve(folder: Path) -> None:
    before = resolve("mybot.py:Low")
    (folder / "mybot.py").write_text(LOW.replace("legal[0]", "legal[-1]"))
    after = resolve("mybot.py:Low")
    assert [one.act({}, ["JC", "QC"], Random(1)) for one in (before, after)] == ["JC", "QC"]


def test_bot_may_import_a_module_from_its_own_folder(folder: Path) -> None:
    (folder / "choosing_beside.py").write_text("def first(legal): return legal[0]\n")
    text = BOT.replace("return legal[0]", "return first(legal)")
    (folder / "beside.py").write_text(f"from choosing_beside import first\n{text}")
    assert resolve("beside.py:Low").act({}, ["JC"], Random(1)) == "JC"


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("nobody.py:Low", r"^there is no file nobody.py$"),
        ("mybot.py:Lo", r"^mybot.py has no 'Lo'; mybot.py offers Low, high$"),
        (
            "mybot.py",
            r"^name a class after the file, as in mybot.py:Low; mybot.py offers Low, high$",
        ),
        ("mybot.py:", r"^name a class after the file, as in mybot.py:Low"),
        (
            "gredy",
            r"^unknown bot 'gredy'; the bots are .*; one of your own is file.py:Class or exec:",
        ),
    ],
)
@pytest.mark.usefixtures("folder")
def test_missing_bot_is_reported_with_the_available_ones(what: str, message: str) -> None:
    with pytest.raises(jt.GameError, match=message):
        resolve(what)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"^own.py has no 'Low'; own.py offers no class and no function$"),
        (
            "x = 1\nimport nothing_of_this_name",
            r"^own.py cannot be run: ModuleNotFoundError: .*line 2",
        ),
        ("class Low(:", r"^own.py cannot be run: SyntaxError: invalid syntax \(own.py, line 1\)$"),
        (
            "import sys\nsys.exit('no cards')",
            r"^own.py cannot be run: SystemExit: no cards \(line 2\)",
        ),
        ("raise ValueError('a\\nb')", r"^own.py cannot be run: ValueError: a b \(line 1\)$"),
        ("Low = 42", r"^own.py:Low is no bot but 42: a class or function is needed that gives"),
        (
            "class Low:\n def __init__(self, depth): pass",
            r"^own.py:Low cannot be made: TypeError: .*missing 1 required .*'depth'$",
        ),
        ("def Low(): raise RuntimeError", r"^own.py:Low cannot be made: RuntimeError$"),
        (
            "class Low:\n def act(self, view, legal, rng): ...",
            r"is no bot: it has no name; a name is",
        ),
        (BOT.replace("'low'", "7"), r"is no bot: its name is a text, not 7$"),
        (
            BOT.replace("'low'", "''"),
            r"is no bot: its name has 1 to 40 visible characters, unlike ''$",
        ),
        (BOT.replace("'low'", "'a\\tb'"), r"its name has 1 to 40 visible characters"),
        (BOT.replace("'low'", "'greedy'"), r"calls itself 'greedy', as a bot that comes with"),
        ("class Low:\n name = 'low'", r"is no bot: it has no act\(view, legal, rng\)$"),
        ("class Low:\n name = 'low'\n act = 3", r"its act is 3, not a function act\(view, legal"),
        (
            "class Low:\n name = 'low'\n def act(self, view, legal): ...",
            r"is no bot: its act\(view, legal\) cannot be called as act\(view, legal, rng\)$",
        ),
        (f"{BOT} games = ('molotv',)", r"names an unknown game, 'molotv'; the games are .*molotov"),
        (f"{BOT} games = 'molotov'", r"its games are several names, as in .*, not 'molotov'$"),
        (f"{BOT} def prepare(self): ...", r"its prepare\(\) cannot be called as prepare\(game\)$"),
    ],
)
def test_fault_of_a_bot_file_is_reported_in_one_line(folder: Path, text: str, message: str) -> None:
    (folder / "own.py").write_text(text)
    with pytest.raises(jt.GameError, match=message) as caught:
        resolve("own.py:Low")
    assert "\n" not in str(caught.value)


@pytest.mark.usefixtures("folder")
def test_bot_lookup_by_name_never_runs_a_file() -> None:
    with pytest.raises(jt.GameError, match=r"unknown bot 'mybot.py:Low'"):
        jt.bot("mybot.py:Low")


@pytest.mark.usefixtures("folder")
def test_contest_reports_a_bot_from_a_file_under_its_own_name() -> None:
    against = arena.contest(jt.game("molotov"), ["mybot.py:Low", "mybot.py:high"], against="greedy")
    bots = arena.run(against, deals=2)["bots"]
    assert [one["name"] for one in bots] == ["low", "high", "greedy"]


@pytest.mark.usefixtures("folder")
def test_two_paths_to_the_same_file_give_the_same_bot() -> None:
    table = ["mybot.py:Low", "./mybot.py:Low", "random", "random"]
    assert arena.contest(jt.game("molotov"), table).names == ("low", "low", "random", "random")


def test_two_different_bots_with_the_same_name_are_refused(folder: Path) -> None:
    (folder / "own.py").write_text(BOT)
    with pytest.raises(jt.GameError, match="two different bots are called 'low'"):
        arena.contest(jt.game("molotov"), ["mybot.py:Low", "own.py:Low"])


def test_bot_that_does_not_support_the_game_is_refused_before_play(folder: Path) -> None:
    (folder / "own.py").write_text(f"{BOT} games = ('jass',)")
    with pytest.raises(jt.GameError, match=r"^bot 'low' does not play molotov$"):
        arena.contest(jt.game("molotov"), ["own.py:Low"], against="greedy")


def test_contest_loads_the_bot_file_when_it_is_created(folder: Path) -> None:
    game = jt.game("molotov")

    def mean() -> float:
        report = arena.run(arena.contest(game, ["mybot.py:Low"], against="random"), deals=2)
        return float(report["bots"][0]["mean"])

    before = mean()
    (folder / "mybot.py").write_text(LOW.replace("legal[0]", "legal[-1]"))
    assert mean() != before


@pytest.mark.outside
@pytest.mark.usefixtures("folder")
def test_worker_processes_load_the_bot_from_its_file() -> None:
    contest = arena.contest(jt.game("molotov"), ["mybot.py:Low"], against="random")
    alone = arena.run(contest, deals=3)["compared"]
    with arena.process_pool(2) as executor:
        assert arena.run(contest, deals=3, executor=executor)["compared"] == alone
