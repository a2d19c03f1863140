"""What training a net takes, whatever it learns from: recipes, steps, where weights are kept."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import jasstisch as jt
from jasstisch.engine import melds, tricks
from jasstisch.games import scoring_kinds
from jasstisch.search.rounds import round_state

__all__ = [
    "RECIPES",
    "Adam",
    "Recipe",
    "empty_round",
    "has_weights",
    "load_weights",
    "save_weights",
]

Floats = NDArray[np.float64]

WEIGHTS_DIR = Path(__file__).resolve().parent.parent / "src" / "jasstisch" / "search" / "weights"

LEARNING_RATE, FINAL_RATE_SHARE = 0.004, 0.02
"""How far a weight goes in one step at first, and the least part of that towards the end."""


@dataclass(frozen=True)
class Recipe:
    """How the net of one game is trained.

    Attributes:
        aim: what is played for.
        steps: how many steps are taken.
        undertrump: the reading of C9.
        bombs: whether runs bomb, and what they count.
        players: how many play.
        cards: how many cards are dealt.
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
    """Gradient ascent with a step of its own for each weight, smaller and smaller.

    Args:
        size: how many weights.
        rate: how far a weight goes in one step at first.
    """

    def __init__(self, size: int, rate: float = LEARNING_RATE) -> None:
        self.rate = rate
        self.mean = np.zeros(size)
        self.square = np.zeros(size)
        self.steps = 0

    def step(self, change: Floats, done: float = 0.0) -> Floats:
        """How far the weights go for this change, when this part of the training is done."""
        self.steps += 1
        self.mean += 0.1 * (change - self.mean)
        self.square += 0.001 * (change**2 - self.square)
        mean = self.mean / (1 - 0.9**self.steps)
        square = self.square / (1 - 0.999**self.steps)
        rate = self.rate * max(FINAL_RATE_SHARE, 1 - done)
        moved: Floats = rate * mean / (np.sqrt(square) + 1e-8)
        return moved


def empty_round(recipe: Recipe) -> round_state.Round:
    """An empty round with the rules of a recipe."""
    rules = round_state.new_round(range(recipe.players))
    rules[round_state.UNDERTRUMP] = recipe.undertrump
    rules[round_state.BOMBS] = recipe.bombs
    return rules


def has_weights(name: str) -> bool:
    """Whether there are weights of this name where the package looks for them."""
    return (WEIGHTS_DIR / f"{name}.npy").is_file()


def load_weights(name: str) -> NDArray[np.float64]:
    """Weights where the package looks for them.

    Raises:
        FileNotFoundError: there are none; `tools.train_imitation` makes those that must come first.
    """
    weights: NDArray[np.float64] = np.load(WEIGHTS_DIR / f"{name}.npy", allow_pickle=False)
    return weights


def save_weights(name: str, numbers: NDArray[np.float32] | NDArray[np.float64]) -> None:
    """Writes weights where the package looks for them."""
    WEIGHTS_DIR.mkdir(exist_ok=True)
    np.save(WEIGHTS_DIR / f"{name}.npy", numbers)
