"""Trains the nets of the playouts by play in mixed company: `python -m tools.train GAME`.

In each round some seats play by the net that learns and the others by the one that imitates rules
of thumb, which must be there (`python -m tools.imitate GAME`).

Each game has a recipe: its rules, what is played for, and how long. The same recipe and seed,
beginning with the same weights, give the same weights on the same machine. Progress is printed as
the mean gain of those who learn: at Differenzler a tenth of the mean difference, with bids that are
off on purpose.
"""

import argparse
import random
import sys
import time

import numpy as np
from numpy.typing import NDArray

from jasstisch.cli.arguments import whole
from jasstisch.games import scoring
from jasstisch.search import bids, learning, policy
from jasstisch.search.chance import stream
from tools.nets import RECIPES, Adam, empty_round, keep, kept

ROUNDS, STUDIED, PLAYOUTS = 64, 4, 2
"""Rounds of one step, plays studied in each, and how often each card is tried there."""

BID_RATE = 0.3
"""How far a weight of the glance goes in one step at first."""

SPICE, LEAST_SPICE = 0.02, 0.02
"""What trying many different cards is worth at first, and the least part of that in the end."""

REPORT = 100
"""After how many steps progress is printed and the weights are written."""


def train(game: str, steps: int, seed: int) -> None:
    """Trains the net of one game and writes its weights every so often.

    It begins with the net that imitates rules of thumb.
    """
    recipe = RECIPES[game]
    chance = stream(random.Random(seed))  # noqa: S311 - a training can be repeated
    rules, pack = empty_round(recipe), np.arange(recipe.cards)
    nets = first_nets(game)
    bidding = np.zeros((len(nets), bids.FEATURES))
    if recipe.aim == scoring.BY_STROKES:
        bidding[:] = bids.weights()[: len(nets)]  # who plays depends on it
    elif recipe.aim == scoring.BY_DIFFERENCE:
        bidding[:] = kept(f"{game}-thumb-bids")
    paper = policy.work()
    adam, bid_adam = Adam(nets.shape[1]), Adam(bids.FEATURES, BID_RATE)
    begun, gains = time.monotonic(), []
    for step in range(1, steps + 1):
        done = step / steps
        spice = SPICE * max(LEAST_SPICE, 1 - done)
        course = learning.Course(recipe.aim, STUDIED, PLAYOUTS, spice)
        change, bid_change = np.zeros(nets.shape[1], np.float32), np.zeros(bids.FEATURES)
        playing = policy.ready(nets)
        pupil = learning.Pupil(nets[policy.LEARNED], playing, change, bidding, bid_change, paper)
        gains.append(learning.practise(rules, pack, ROUNDS, course, pupil, chance))
        moved = adam.step(change.astype(np.float64), done)
        nets[policy.LEARNED] += moved.astype(np.float32)
        if recipe.aim == scoring.BY_DIFFERENCE:
            bidding[policy.LEARNED] += bid_adam.step(bid_change, done)
        if step % REPORT == 0 or step == steps:
            spent, gain = time.monotonic() - begun, np.mean(gains[-REPORT:])
            print(f"{game} {step:6} of {steps}  {spent:6.0f} s  gain {gain:.4f}", flush=True)
            keep(f"{game}-learned", nets[policy.LEARNED])
            if recipe.aim == scoring.BY_DIFFERENCE:
                keep(f"{game}-learned-bids", bidding[policy.LEARNED])


def first_nets(game: str) -> NDArray[np.float32]:
    """The nets a training begins with: the one that learns, and the company that does not."""
    thumb = kept(f"{game}-thumb").astype(np.float32)
    return np.stack([thumb, thumb])


def main() -> int:
    """Trains the net of the game named on the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", choices=RECIPES)
    parser.add_argument("--steps", type=whole(1), help="instead of those of the recipe")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    train(arguments.game, arguments.steps or RECIPES[arguments.game].steps, arguments.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
