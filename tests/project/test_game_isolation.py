"""Code outside the modules of a game does not name the game.

A game has its rules in `games`, and what else is its own in a module or a folder that bears its
name: its guide, its rule player, its judge, its kernels. All other rooms read what a game says of
itself; the few exceptions are listed, with their reasons.
"""

import ast
import re
from pathlib import Path

import pytest

import jasstisch as jt

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / "src" / "jasstisch"
PAGE = ROOT / "web" / "src"

GAMES = {name: jt.game(name).rules.__module__.rpartition(".")[2] for name in jt.games()}
"""The module of each game, by its name."""

OWN = {
    "games",  # the rules, words and sheets
    "bench",  # measures, each named after the games that it is about
}
"""Folders of `src/jasstisch` in which games are at home."""

EXCEPTIONS = {
    "bots/searching/contracts.py": "how Schieber and Coiffeur are thought about",
    "bots/searching/trick_games.py": "how all games of tricks are thought about, Differenzler with "
    "bids",
    "bots/searching/match_utility.py": "what marks are worth, by the enumeration of scorings; the "
    "places and the bonus of a bid of 0 are counted by the functions of Molotov and "
    "Differenzler",
    "bots/position.py": "asks whether a view shows a hand laid away, as that of Handjass "
    "declares it",
    "bots/searching/root_state.py": "asks whether a view shows bids, as that of Differenzler "
    "declares them",
    "bots/sociable.py": "how I Doubt It is played by people",
    "cli/ui/view_features.py": "narrows a view to what games declare of theirs: bids, claims, who "
    "dropped; a game that declares the same is told of alike",
    "bots/greedy/i_doubt_it_card_tracker.py": "what a rule player of I Doubt It remembers",
    "data/columns.py": "narrows a view to what games declare of theirs: bids, who dropped",
    "env/card_round.py": "asks whether a view shows who plays, as that of Handjass declares it",
    "env/round_match.py": "crosses out lines of a slate, which only Coiffeur has",
    "env/openspiel/resampling.py": "draws hidden bids and claims, which only single games have",
    "env/kernels/greedy.py": "whose rules of thumb are compiled, by the modules that are named "
    "after games",
    "env/kernels/greedy_partners.py": "the same, where two play together",
    "env/matches/render.py": "tells of a claim, as the view of I Doubt It declares it",
    "env/matches/encoding.py": "whether a game is one of claims, whose actions take several "
    "numbers",
    "env/matches/game_features.py": "what single games have in an observation besides",
    "env/matches/render_image.py": "draws bids, answers, turned cards and claims that a view shows",
    "env/matches/trick_observations.py": "asks whether a view shows who plays, as that of "
    "Handjass declares it",
    "equilibria/endgames.py": "which games have ends of rounds that are solved",
    "match/jass_kit.py": "reads the logs of another program, whose only game is Schieber",
    "env/openspiel/bounds.py": "how long a match can be, by claims in I Doubt It",
    "env/kernels/compiled_rules.py": "the options of a game as numbers, and the blind that only "
    "Handjass deals",
    "env/kernels/transitions.py": "kernels that call the scoring functions of the games, compiled",
    "search/round_utility.py": "kernels that call the scoring functions of the games, compiled",
    "search/nets/policy_training.py": "kernels that call the scoring functions of the games, "
    "compiled",
}
"""Who else names a game, and why."""


def modules() -> list[str]:
    """Every module outside the games' own folders, by its path."""
    places = [path.relative_to(PYTHON) for path in sorted(PYTHON.rglob("*.py"))]
    return [one.as_posix() for one in places if one.parts[0] not in OWN and not is_own(one)]


def is_own(place: Path) -> bool:
    """Whether a module or one of its folders is named after a game."""
    return not {*place.parts[:-1], place.stem}.isdisjoint(GAMES.values())


def named(path: Path) -> set[str]:
    """The games that a module names, in a string or by importing their rules."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and node.value in GAMES:
            found.add(str(node.value))
        if isinstance(node, ast.ImportFrom) and node.module:
            imported = [*node.module.split("."), *(one.name for one in node.names)]
            if node.module.startswith("jasstisch.games"):
                found |= {name for name, module in GAMES.items() if module in imported}
    return found


def excepted(place: str) -> str | None:
    """The exception that covers a module, if any."""
    return next((one for one in EXCEPTIONS if place == one or place.startswith(f"{one}/")), None)


@pytest.mark.parametrize("place", modules())
def test_no_shared_module_names_a_game(place: str) -> None:
    assert excepted(place) or not named(PYTHON / place)


@pytest.mark.parametrize("exception", EXCEPTIONS)
def test_every_exception_is_needed(exception: str) -> None:
    assert any(named(PYTHON / one) for one in modules() if excepted(one) == exception)


ABOUT_A_MATCH = {"view", "before", "after", "finished", "standing", "table"}
"""What a view is called, or a part of it, wherever one is looked at."""


def questions(tree: ast.AST) -> list[str]:
    """Checks of whether a view has a key: `"bids" in view`, `view.get("bids")`."""
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.Compare(ast.Constant(str()), [ast.In() | ast.NotIn()], [asked]):
                found.append(asked)
            case ast.Call(ast.Attribute(asked, "get"), [ast.Constant(str()), *_]):
                found.append(asked)
    names = [ast.unparse(one).rpartition(".")[2] for one in found]
    return [name for name in names if name in ABOUT_A_MATCH]


@pytest.mark.parametrize("asks", ['"bids" in view', 'self.view.get("bids", ())'])
def test_a_check_for_a_key_is_found(asks: str) -> None:
    assert questions(ast.parse(asks)) == ["view"]
    assert not questions(ast.parse('"joker" in lines or words.get("bids")'))


@pytest.mark.parametrize("place", modules())
def test_no_shared_module_checks_views_for_keys(place: str) -> None:
    """Views are narrowed to what their game declares (`games.views.shows`)."""
    assert not questions(ast.parse((PYTHON / place).read_text(encoding="utf-8")))


IN_THE_PAGE = {
    "features/shortcuts/ShortcutsPanel.svelte": "says in which game keys do something else",
    "api/narrowGameView.ts": "narrows a view by its game to what the game declares of it",
    "api/messages.ts": "made from what the games declare of their views",
}
MELD = re.compile(r"kind(:| ===) \"molotov\"|case \"molotov\"|^  \"molotov\",$", re.MULTILINE)
"""A molotov that bombs a trick is news at a table, whatever the game is called."""


def scripts() -> list[str]:
    """Every script and component of the page outside the games' folders, without tests."""
    paths = sorted((*PAGE.rglob("*.ts"), *PAGE.rglob("*.svelte")))
    places = [path.relative_to(PAGE) for path in paths]
    others = [one for one in places if one.parts[0] != "games" and ".test." not in one.name]
    return [one.as_posix() for one in others]


@pytest.mark.parametrize("place", scripts())
def test_no_shared_screen_names_a_game(place: str) -> None:
    text = MELD.sub("", (PAGE / place).read_text(encoding="utf-8"))
    found = {name for name in GAMES if f'"{name}"' in text}
    assert not found or place in IN_THE_PAGE
