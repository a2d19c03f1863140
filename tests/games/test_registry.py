"""The games by their names: what another package offers is taken in once, and harms no other game.

Packages that are really installed are tried in tests/games/test_external_packages.py; here an
offer is whatever happens when its module is imported.
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace

import pytest

import jasstisch as jt
from jasstisch.games.handjass import Handjass
from jasstisch.games.molotov import Molotov
from jasstisch.games.registry import ENTRY_POINT_GROUP, Registry
from jasstisch.games.rules import REGISTRY, Rules


@dataclass
class Offer:
    """An entry point of another package; `load` does what the import of its module would do."""

    name: str
    load: Callable[[], object]
    value: str = "their_module"
    dist: SimpleNamespace | None = None


def nothing() -> None:
    """A module without a game."""


def broken() -> None:
    raise ValueError(7)


@pytest.fixture
def offers(monkeypatch: pytest.MonkeyPatch) -> list[Offer]:
    """What other packages offer, while the test runs."""
    found: list[Offer] = []

    def entry_points(*, group: str) -> list[Offer]:
        assert group == ENTRY_POINT_GROUP
        return found

    monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
    return found


@pytest.fixture
def registry(offers: list[Offer]) -> Registry[type[Rules]]:
    """A registry with one game of ours that has not looked elsewhere yet."""
    made = Registry[type[Rules]]()
    made["ours"] = Handjass
    return made


def test_an_offered_game_is_one_of_the_games(
    registry: Registry[type[Rules]], offers: list[Offer]
) -> None:
    offers.append(Offer("theirs", lambda: registry.__setitem__("theirs", Handjass)))
    assert registry["theirs"] is Handjass
    assert sorted(registry) == ["ours", "theirs"]
    assert len(registry) == 2
    assert registry.load_entry_points() == {}


def test_nobody_looks_elsewhere_for_a_game_of_ours(
    registry: Registry[type[Rules]], offers: list[Offer]
) -> None:
    loaded: list[str] = []
    offers.append(Offer("theirs", lambda: loaded.append("theirs")))
    assert "ours" in registry
    assert registry["ours"] is Handjass
    assert not loaded
    assert "other" not in registry
    assert len(registry) == 1
    assert loaded == ["theirs"]  # once, however often a game is looked for


@pytest.mark.parametrize("name", [None, 5, ["ours"], {"ours": 1}])
def test_what_is_no_text_is_no_game_and_looked_for_nowhere(
    registry: Registry[type[Rules]], offers: list[Offer], name: object
) -> None:
    loaded: list[str] = []
    offers.append(Offer("theirs", lambda: loaded.append("theirs")))
    assert name not in registry
    assert not loaded


def test_a_game_may_go_again(registry: Registry[type[Rules]]) -> None:
    del registry["ours"]
    assert "ours" not in registry
    with pytest.raises(KeyError):
        registry["ours"]


def test_an_offer_that_brings_no_game_changes_nothing_and_is_told(
    registry: Registry[type[Rules]], offers: list[Offer]
) -> None:
    def half() -> None:
        registry["half"] = Handjass
        broken()

    offers += [
        Offer("empty", nothing, dist=SimpleNamespace(name="guests")),
        Offer("half", half),
        Offer("thief", lambda: registry.__setitem__("ours", Molotov)),
        Offer("theirs", lambda: registry.__setitem__("theirs", Handjass)),
    ]
    assert registry.load_entry_points() == {
        "empty": "game 'empty' of their_module of guests is no game: its module has no class with "
        "a name",
        "half": "game 'half' of their_module cannot be loaded: ValueError(7)",
        "thief": "game 'thief' of their_module calls itself 'ours', as another game does",
    }
    assert dict(registry) == {"ours": Handjass, "theirs": Handjass}


def test_who_asks_for_an_offer_that_brought_no_game_is_told_why(
    monkeypatch: pytest.MonkeyPatch, offers: list[Offer]
) -> None:
    monkeypatch.setattr(REGISTRY, "_problems", None)
    offers += [Offer("empty", nothing), Offer("missing", broken)]
    with pytest.raises(jt.GameError, match=r"^game 'missing' of their_module cannot be loaded"):
        jt.game("missing")
    with pytest.raises(jt.GameError, match=r"unknown game 'lost'; the games are coiffeur, "):
        jt.game("lost")
