"""Lookup of bots by name: built-in ones, and those offered by other packages."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import jasstisch as jt
from jasstisch.bots import BUILT_IN, Bot, bot, bots, default_bot

Offer = Callable[..., None]

GUEST = """
class Guest:
    name = "guest"
    def act(self, view, legal, rng):
        return legal[0]
def fails():
    raise RuntimeError("no cards today")
nothing = 42
nobody = object
"""


@pytest.fixture
def offer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Offer:
    """Installs a package that offers bots with these lines of entry points."""

    def install(*lines: str, package: str = "guest_bots") -> None:
        place = tmp_path / package
        about = place / f"{package}-1.0.dist-info"
        about.mkdir(parents=True)
        (place / f"{package}.py").write_text(GUEST)
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text("\n".join(["[jasstisch.bots]", *lines]))
        monkeypatch.syspath_prepend(str(place))
        monkeypatch.delitem(sys.modules, package, raising=False)

    return install


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_built_in_bot_is_found_by_its_name(name: str) -> None:
    found = jt.bot(name)
    assert isinstance(found, Bot)
    assert found.name == name


@pytest.mark.parametrize(
    ("game", "name"), [("i-doubt-it", "sociable"), ("molotov", "greedy"), ("halma", "random")]
)
def test_default_bot_is_the_first_that_supports_the_game(game: str, name: str) -> None:
    assert default_bot(game).name == name


def test_unknown_bot_name_is_refused_with_the_known_names() -> None:
    with pytest.raises(jt.GameError, match=r"unknown bot 'gredy'; the bots are .*greedy.*random"):
        bot("gredy")


def test_another_package_adds_a_bot(offer: Offer) -> None:
    offer("guest = guest_bots:Guest")
    assert set(bots()) == {"club", "greedy", "guest", "master", "random", "sociable"}
    assert "guest_bots" not in sys.modules, "listing the names imports nobody"
    found = bot("guest")
    assert found.name == "guest"
    assert type(found).__module__ == "guest_bots"


def test_another_package_cannot_take_over_a_built_in_name(offer: Offer) -> None:
    offer("greedy = guest_bots:Guest")
    assert type(bot("greedy")).__module__ == "jasstisch.bots.greedy"


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("guest_bots_that_moved:Guest", "cannot be loaded: ModuleNotFoundError"),
        ("guest_bots:Gast", "cannot be loaded: AttributeError"),
        ("guest_bots:fails", "cannot be made: RuntimeError.*no cards today"),
        ("guest_bots:nothing", "is no bot"),
        ("guest_bots:nobody", "is no bot"),
    ],
)
def test_broken_entry_point_names_its_package_and_affects_no_other_bot(
    offer: Offer, entry: str, message: str
) -> None:
    offer(f"broken = {entry}", "guest = guest_bots:Guest")
    with pytest.raises(jt.GameError, match=f"bot 'broken' of .*guest_bots.*{message}"):
        bot("broken")
    assert bot("guest").name == "guest"
    assert bot("greedy").name == "greedy"
    assert "broken" in bots()


def test_bot_name_must_equal_its_entry_point_name(offer: Offer) -> None:
    offer("casino = guest_bots:Guest")
    with pytest.raises(jt.GameError, match=r"bot 'casino' of .* calls itself 'guest'"):
        bot("casino")


def test_name_offered_by_two_packages_is_refused_with_both_named(offer: Offer) -> None:
    offer("guest = guest_bots:Guest")
    offer("guest = other_bots:Guest", package="other_bots")
    with pytest.raises(
        jt.GameError, match=r"'guest' is offered more than once: .*guest_bots.*other"
    ):
        bot("guest")


@pytest.mark.outside
def test_importing_jasstisch_loads_neither_bots_nor_package_metadata() -> None:
    code = (
        "import sys, jasstisch; "
        "print([name for name in sys.modules if name.startswith(('jasstisch.bots.', "
        "'importlib.metadata')) and name not in {'jasstisch.bots.api', 'jasstisch.bots.calls'}])"
    )
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert printed.stdout.strip() == "[]"
