"""Trains the nets of the playouts by play in mixed company: `python -m tools.train GAME`.

In each round some seats play by the net that learns and the others by the one that imitates rules
of thumb, which must be there (`python -m tools.imitate GAME`).

Each game has a recipe: its rules, what is played for, and how long. The same recipe and seed give
the same weights on the same machine. Progress is printed as the mean gain of those who learn: at
Differenzler a tenth of the mean difference, with bids that are off on purpose.
"""

import argparse
import random
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from jasstisch import tricks
from jasstisch.search import bids, learning, policy, rounds
from jasstisch.search.chance import stream

WEIGHTS = Path(__file__).resolve().parent.parent / "src" / "jasstisch" / "search" / "weights"

ROUNDS, STUDIED, PLAYOUTS = 64, 4, 2
"""Rounds of one step, plays studied in each, and how often each card is tried there."""

RATE, BID_RATE, LEAST_RATE = 0.004, 0.3, 0.02
"""How far a weight goes in one step at first, and the least part of that towards the end."""

SPICE = 0.02

LEARNED, THUMB = policy.STYLES
REPORT = 100
"""After how many steps progress is printed and the weights are written."""


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
    """

    aim: int
    steps: int
    undertrump: int
    bombs: int = rounds.NO_BOMBS
    players: int = 4
    cards: int = 36


RECIPES = {
    "differenzler": Recipe(learning.DIFFERENCE, 12_000, tricks.IF_VOID),
    "molotov": Recipe(learning.FEW_POINTS, 8_000, tricks.FREE, rounds.BOMBS_FIFTY),
    "molotow": Recipe(learning.STICKS, 8_000, tricks.IF_VOID),
    "jass": Recipe(learning.STROKES, 5_000, tricks.STRICT),
}


class Adam:
    """Gradient ascent with a step of its own for each weight."""

    def __init__(self, size: int, rate: float) -> None:
        self.rate = rate
        self.mean = np.zeros(size)
        self.square = np.zeros(size)
        self.steps = 0

    def step(self, change: NDArray[np.float64], rate: float) -> NDArray[np.float64]:
        """How far the weights go for this change, at a part of the full rate."""
        self.steps += 1
        self.mean += 0.1 * (change - self.mean)
        self.square += 0.001 * (change**2 - self.square)
        mean = self.mean / (1 - 0.9**self.steps)
        square = self.square / (1 - 0.999**self.steps)
        moved: NDArray[np.float64] = self.rate * rate * mean / (np.sqrt(square) + 1e-8)
        return moved


def fresh(rng: np.random.Generator) -> policy.Net:
    """A net that has learned nothing."""
    weights = np.zeros(policy.NET, dtype=np.float32)
    inner = policy.OUT_WEIGHTS
    weights[:inner] = rng.normal(scale=0.25, size=inner)
    weights[inner:] = rng.normal(scale=0.1, size=policy.HIDDEN)
    return weights


def empty_round(recipe: Recipe) -> rounds.Round:
    """An empty round with the rules of a recipe."""
    rules = rounds.new(range(recipe.players))
    rules[rounds.UNDERTRUMP] = recipe.undertrump
    rules[rounds.BOMBS] = recipe.bombs
    return rules


def train(game: str, steps: int, seed: int) -> None:
    """Trains the net of one game and writes its weights every so often.

    It begins with the net that imitates rules of thumb.
    """
    recipe = RECIPES[game]
    chance = stream(random.Random(seed))  # noqa: S311 - a training can be repeated
    rules, pack = empty_round(recipe), np.arange(recipe.cards)
    thumb = kept(f"{game}-{THUMB}").astype(np.float32)
    nets = np.stack([thumb, thumb])
    bidding = np.zeros((len(policy.STYLES), bids.FEATURES))
    if recipe.aim == learning.STROKES:
        bidding[:] = bids.weights()  # who plays is decided by the glance at Differenzler
    elif recipe.aim == learning.DIFFERENCE:
        bidding[:] = kept(f"{game}-{THUMB}-bids")
    paper = policy.work()
    adam, bid_adam = Adam(policy.NET, RATE), Adam(bids.FEATURES, BID_RATE)
    begun, gains = time.monotonic(), []
    for step in range(1, steps + 1):
        rate = max(LEAST_RATE, 1 - step / steps)
        course = learning.Course(recipe.aim, STUDIED, PLAYOUTS, SPICE * rate)
        change, bid_change = np.zeros(policy.NET, np.float32), np.zeros(bids.FEATURES)
        pupil = learning.Pupil(nets, change, bidding, bid_change, paper)
        gains.append(learning.practise(rules, pack, ROUNDS, course, pupil, chance))
        moved = adam.step(change.astype(np.float64), rate)
        nets[policy.LEARNED] += moved.astype(np.float32)
        if recipe.aim == learning.DIFFERENCE:
            bidding[policy.LEARNED] += bid_adam.step(bid_change, rate)
        if step % REPORT == 0 or step == steps:
            spent, gain = time.monotonic() - begun, np.mean(gains[-REPORT:])
            print(f"{game} {step:6} of {steps}  {spent:6.0f} s  gain {gain:.4f}", flush=True)
            keep(f"{game}-{LEARNED}", nets[policy.LEARNED])
            if recipe.aim == learning.DIFFERENCE:
                keep(f"{game}-{LEARNED}-bids", bidding[policy.LEARNED])


def kept(name: str) -> NDArray[np.float64]:
    """Weights where the package looks for them.

    Raises:
        FileNotFoundError: there are none; `tools.imitate` makes those that must come first.
    """
    weights: NDArray[np.float64] = np.load(WEIGHTS / f"{name}.npy", allow_pickle=False)
    return weights


def keep(name: str, numbers: NDArray[np.float32] | NDArray[np.float64]) -> None:
    """Writes weights where the package looks for them."""
    WEIGHTS.mkdir(exist_ok=True)
    np.save(WEIGHTS / f"{name}.npy", numbers)


def main() -> int:
    """Trains the net of the game named on the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", choices=RECIPES)
    parser.add_argument("--steps", type=int, help="instead of those of the recipe")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    train(arguments.game, arguments.steps or RECIPES[arguments.game].steps, arguments.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
