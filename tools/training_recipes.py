"""Recipes for training nets, the optimizer, and the location of weights."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import jasstisch as jt
from jasstisch.engine import melds, tricks
from jasstisch.games import scoring_kinds
from jasstisch.search.rounds import round_state

Floats = NDArray[np.float64]

WEIGHTS_DIR = Path(__file__).resolve().parent.parent / "src" / "jasstisch" / "search" / "weights"

LEARNING_RATE, FINAL_RATE_SHARE = 0.004, 0.02
"""The initial learning rate, and the share of it that remains at the end."""


@dataclass(frozen=True)
class Recipe:
    """How the net of one game is trained.

    Attributes:
        aim: the objective.
        steps: the number of steps.
        undertrump: the reading of C9.
        bombs: whether runs score, and how.
        players: the number of players.
        cards: the number of cards dealt.
        games: the games that it plays.
    """

    aim: int
    steps: int
    undertrump: int
    bombs: int = melds.NO_BOMBS
    players: int = 4
    cards: int = 36
    games: tuple[jt.Game, ...] = ()


RECIPES = {
    "differenzler": Recipe(
        scoring_kinds.BY_DIFFERENCE, 12_000, tricks.IF_VOID, games=(jt.game("differenzler"),)
    ),
    "molotov": Recipe(
        scoring_kinds.BY_PLACE, 8_000, tricks.FREE, melds.BOMBS_FIFTY, games=(jt.game("molotov"),)
    ),
    "molotow": Recipe(scoring_kinds.BY_STICKS, 8_000, tricks.IF_VOID, games=(jt.game("molotow"),)),
    "jass": Recipe(scoring_kinds.BY_STROKES, 5_000, tricks.STRICT, games=(jt.game("jass"),)),
    "contracts": Recipe(
        scoring_kinds.BY_SIDE,
        20_000,
        tricks.STRICT,
        games=(jt.game("schieber", slalom="on"), jt.game("coiffeur", lines="ten")),
    ),
}


class Adam:
    """Adam optimizer (gradient ascent) with a decaying learning rate.

    Args:
        size: the number of weights.
        rate: the initial learning rate.
    """

    def __init__(self, size: int, rate: float = LEARNING_RATE) -> None:
        self.rate = rate
        self.mean = np.zeros(size)
        self.square = np.zeros(size)
        self.steps = 0

    def step(self, change: Floats, done: float = 0.0) -> Floats:
        """Returns the update for a gradient at this fraction of the training."""
        self.steps += 1
        self.mean += 0.1 * (change - self.mean)
        self.square += 0.001 * (change**2 - self.square)
        mean = self.mean / (1 - 0.9**self.steps)
        square = self.square / (1 - 0.999**self.steps)
        rate = self.rate * max(FINAL_RATE_SHARE, 1 - done)
        moved: Floats = rate * mean / (np.sqrt(square) + 1e-8)
        return moved


def empty_round(recipe: Recipe) -> round_state.Round:
    """Returns an empty round with the rules of a recipe."""
    rules = round_state.new_round(range(recipe.players))
    rules[round_state.UNDERTRUMP] = recipe.undertrump
    rules[round_state.BOMBS] = recipe.bombs
    return rules


def has_weights(name: str) -> bool:
    """Returns whether there are weights of this name in the package's folder."""
    return (WEIGHTS_DIR / f"{name}.npy").is_file()


def load_weights(name: str) -> NDArray[np.float64]:
    """Loads weights from the package's folder.

    Raises:
        FileNotFoundError: they do not exist; `tools.train_imitation` trains those needed first.
    """
    weights: NDArray[np.float64] = np.load(WEIGHTS_DIR / f"{name}.npy", allow_pickle=False)
    return weights


def save_weights(name: str, numbers: NDArray[np.float32] | NDArray[np.float64]) -> None:
    """Saves weights in the package's folder."""
    WEIGHTS_DIR.mkdir(exist_ok=True)
    np.save(WEIGHTS_DIR / f"{name}.npy", numbers)
