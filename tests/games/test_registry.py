"""The registry of games: entry points of other packages are loaded once and harm no other game.

Installed packages are tested in tests/games/test_external_packages.py; here loading an entry point
calls a function instead of importing a module.
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

import jasstisch as jt
from jasstisch.games.handjass import Handjass
from jasstisch.games.molotov import Molotov
from jasstisch.games.options import Choice, Whole
from jasstisch.games.registry import ENTRY_POINT_GROUP, Registry
from jasstisch.games.rules import COMMON_OPTIONS, REGISTRY, Rules
from jasstisch.games.trick_taking import TrickTaking


@dataclass
class StubEntryPoint:
    """An entry point of another package; `load` does what importing its module would do."""

    name: str
    load: Callable[[], object]
    value: str = "their_module"
    dist: SimpleNamespace | None = None


def load_nothing() -> None:
    """A module without a game."""


def load_broken() -> None:
    raise ValueError(7)


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> list[StubEntryPoint]:
    """The entry points of other packages, while the test runs."""
    found: list[StubEntryPoint] = []

    def entry_points(*, group: str) -> list[StubEntryPoint]:
        assert group == ENTRY_POINT_GROUP
        return found

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    return found


@pytest.fixture
def registry(offered: list[StubEntryPoint]) -> Registry[type[Rules]]:
    """A registry with one game of this package that has not loaded entry points yet."""
    made = Registry[type[Rules]]()
    made["ours"] = Handjass
    return made


def test_a_game_of_an_entry_point_is_registered(
    registry: Registry[type[Rules]], offered: list[StubEntryPoint]
) -> None:
    offered.append(StubEntryPoint("theirs", lambda: registry.__setitem__("theirs", Handjass)))
    assert registry["theirs"] is Handjass
    assert sorted(registry) == ["ours", "theirs"]
    assert len(registry) == 2
    assert registry.load_entry_points() == {}


def test_entry_points_are_loaded_once_and_only_for_unknown_names(
    registry: Registry[type[Rules]], offered: list[StubEntryPoint]
) -> None:
    loaded: list[str] = []
    offered.append(StubEntryPoint("theirs", lambda: loaded.append("theirs")))
    assert "ours" in registry
    assert registry["ours"] is Handjass
    assert not loaded
    assert "other" not in registry
    assert len(registry) == 1
    assert loaded == ["theirs"]  # once, however often a game is looked for


@pytest.mark.parametrize("name", [None, 5, ["ours"], {"ours": 1}])
def test_names_that_are_no_text_load_no_entry_points(
    registry: Registry[type[Rules]], offered: list[StubEntryPoint], name: object
) -> None:
    loaded: list[str] = []
    offered.append(StubEntryPoint("theirs", lambda: loaded.append("theirs")))
    assert name not in registry
    assert not loaded


def test_a_game_can_be_removed(registry: Registry[type[Rules]]) -> None:
    del registry["ours"]
    assert "ours" not in registry
    with pytest.raises(KeyError):
        registry["ours"]


def test_faulty_entry_points_change_nothing_and_are_reported(
    registry: Registry[type[Rules]], offered: list[StubEntryPoint]
) -> None:
    def half() -> None:
        registry["half"] = Handjass
        load_broken()

    def leaving() -> None:
        raise SystemExit(0)

    offered += [
        StubEntryPoint("empty", load_nothing, dist=SimpleNamespace(name="guests")),
        StubEntryPoint("half", half),
        StubEntryPoint("leaving", leaving),
        StubEntryPoint("thief", lambda: registry.__setitem__("ours", Molotov)),
        StubEntryPoint("theirs", lambda: registry.__setitem__("theirs", Handjass)),
    ]
    assert registry.load_entry_points() == {
        "empty": "game 'empty' of their_module of guests is no game: its module has no class with "
        "a name",
        "half": "game 'half' of their_module cannot be loaded: ValueError(7)",
        "leaving": "game 'leaving' of their_module cannot be loaded: SystemExit(0)",
        "thief": "game 'thief' of their_module cannot be registered: the name 'ours' is taken: "
        "it is that of the game jasstisch.games.handjass.Handjass; choose another name for "
        "jasstisch.games.molotov.Molotov",
    }
    assert dict(registry) == {"ours": Handjass, "theirs": Handjass}


@pytest.mark.parametrize(
    "name", ["Bad Name!", "", "a" * 41, "-a", "a--b", "a_b", "7up", "é", "a\n"]
)
def test_names_that_cannot_stand_in_commands_are_refused(
    registry: Registry[type[Rules]], name: str
) -> None:
    with pytest.raises(jt.GameError, match="is no name of a game: a name is 1 to 40 lower-case"):
        registry[name] = Handjass
    assert list(registry) == ["ours"]


def test_a_class_that_is_defined_again_replaces_itself(registry: Registry[type[Rules]]) -> None:
    again = type("Handjass", (Handjass,), {"__module__": Handjass.__module__})
    registry["ours"] = again
    assert registry["ours"] is again


PARTS: dict[str, Any] = {
    "options": (
        Whole("players", 4, low=3, high=4),
        *COMMON_OPTIONS,
        Choice("undertrump", ("free",)),
    ),
    "PACKETS": {3: (3, 3, 3, 3), 4: (3, 3, 3)},
}


@pytest.mark.parametrize(
    ("missing", "message"),
    [
        (
            {"options": ()},
            "the options of 'theirs' begin with `players` and include those of every",
        ),
        ({"options": PARTS["options"][1:]}, "the options of 'theirs' begin with `players`"),
        (
            {"options": PARTS["options"][:1]},
            r"Whole\(\"players\", 4, low=3, high=4\), \*COMMON_OPT",
        ),
        ({"options": PARTS["options"][:-1]}, "is a game of tricks, and its options say how trumps"),
        ({"PACKETS": {4: (3, 3, 3)}}, "does not say how cards are dealt to 3 players"),
    ],
)
def test_a_game_that_declares_too_little_is_refused_by_its_definition(
    missing: dict[str, Any], message: str
) -> None:
    with pytest.raises(jt.GameError, match=message):
        type("Theirs", (TrickTaking,), PARTS | missing, name="theirs")
    assert "theirs" not in jt.games()
    with pytest.raises(
        jt.GameError, match="the name 'molotov' is taken: it is that of the game jass"
    ):
        type("Theirs", (TrickTaking,), PARTS, name="molotov")
    assert REGISTRY["molotov"] is Molotov


def test_the_error_for_a_faulty_entry_point_names_the_cause(
    monkeypatch: pytest.MonkeyPatch, offered: list[StubEntryPoint]
) -> None:
    monkeypatch.setattr(REGISTRY, "_problems", None)
    offered += [StubEntryPoint("empty", load_nothing), StubEntryPoint("missing", load_broken)]
    with pytest.raises(jt.GameError, match=r"^game 'missing' of their_module cannot be loaded"):
        jt.game("missing")
    with pytest.raises(jt.GameError, match=r"unknown game 'lost'; the games are coiffeur, "):
        jt.game("lost")
