"""What an extra holds is said once for pip and once for whoever lacks it, and both agree."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import jasstisch as jt
from jasstisch import extras
from jasstisch.cli import main
from jasstisch.engine.errors import GameError

PYPROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())
OFFERED = PYPROJECT["project"]["optional-dependencies"]


CALLED = {
    "PIL": "pillow",
    "nats": "nats-py",
    "prometheus_client": "prometheus-client",
    "pyspiel": "open_spiel",
    "resvg_py": "resvg-py",
}
"""What pip calls the packages that are imported under another name."""


def without(monkeypatch: pytest.MonkeyPatch, *packages: str) -> None:
    """As if these packages were not installed."""
    monkeypatch.setattr(extras, "_installed", lambda package: package not in packages)


@pytest.mark.parametrize("extra", extras.PACKAGES)
def test_the_packages_asked_for_are_those_that_pip_installs(extra: extras.Extra) -> None:
    named = {Requirement(line).name for line in OFFERED[extra]}
    # uvloop makes the server faster where there is one, and nothing imports it.
    assert named - {"uvloop"} == {CALLED.get(one, one) for one in extras.PACKAGES[extra]}


def test_all_is_all_of_them() -> None:
    (everything,) = OFFERED["all"]
    assert Requirement(everything).extras == set(extras.PACKAGES)


def test_what_lacks_its_extra_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "uvicorn")
    text = "a table needs uvicorn, which is not installed: pip install 'jasstisch[server]'"
    with pytest.raises(ModuleNotFoundError, match=re.escape(text)) as caught:
        extras.require("server", "a table")
    assert isinstance(caught.value, extras.MissingExtraError)
    assert (caught.value.extra, caught.value.name) == ("server", "uvicorn")
    extras.require("search", "a search")


def test_a_bot_that_lacks_its_extra_is_refused_with_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(_: str) -> None:
        raise extras.MissingExtraError("search", "searching", "numba")

    monkeypatch.setattr("jasstisch.bots.import_module", broken)
    text = r"bot 'club' cannot play here: .* pip install 'jasstisch\[search\]'"
    with pytest.raises(GameError, match=text):
        jt.bot("club")


def test_a_command_that_lacks_its_extra_ends_with_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    without(monkeypatch, "matplotlib")
    words = ["arena", "molotov", "greedy", "--against", "random", "--plot", "ladder.svg"]
    assert main(words) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == (
        "jasstisch: a picture needs matplotlib, which is not installed: "
        "pip install 'jasstisch[plot]'\n"
    )
