"""Checkpoints of a training, so that it can stop and resume.

A file holds the complete state: weights, optimizer state, random state and deck order. An
interrupted training therefore ends with the same weights as an uninterrupted one.
"""

import random
import struct
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from jasstisch.games import scoring_kinds
from jasstisch.search.jit.prng import Stream, new_stream
from jasstisch.search.nets import bid_model, policy
from tools.training_recipes import RECIPES, Adam, load_weights

Floats = NDArray[np.float64]

TRAININGS_DIR = Path(__file__).resolve().parent.parent / "build" / "training"
"""The folder of checkpoints."""

BID_LEARNING_RATE = 0.3
"""The initial learning rate of the bid model."""

READ_ERRORS = (
    *(EOFError, LookupError, OSError, RuntimeError, TypeError, ValueError),
    *(struct.error, zipfile.BadZipFile, zlib.error),
)
"""The errors of NumPy and below for a file of another kind or a damaged one.

`zipfile` raises a kind of `RuntimeError` for unknown compression and for encryption.
"""


class TrainingFileError(ValueError):
    """A file that holds no training; the message says which and why."""


@dataclass(slots=True)
class Training:
    """A training of the policy net of a game.

    Attributes:
        game: the game, which selects the recipe.
        steps: the total number of steps.
        seed: the random seed.
        nets: the learning net, and those of the opponents.
        bidding: the weights of the bid model for each of them.
        adam: the optimizer state of the net.
        bid_adam: the optimizer state of the bid model.
        chance: the random stream.
        round_order: the deck as the last shuffle left it.
        gains: the mean gain of the learning seats in each step so far.
        seconds: the computing time so far.
    """

    game: str
    steps: int
    seed: int
    nets: NDArray[np.float32]
    bidding: Floats
    adam: Adam
    bid_adam: Adam
    chance: Stream
    round_order: NDArray[np.int64]
    gains: list[float] = field(default_factory=list)
    seconds: float = 0.0

    @classmethod
    def start(cls, game: str, steps: int, seed: int) -> Self:
        """Starts a training; it begins with the net that imitates `greedy`."""
        recipe, nets = RECIPES[game], initial_nets(game)
        bidding = np.zeros((len(nets), bid_model.FEATURE_COUNT))
        if recipe.aim == scoring_kinds.BY_STROKES:
            bidding[:] = bid_model.load_weights()[: len(nets)]  # it decides who plays
        elif recipe.aim == scoring_kinds.BY_DIFFERENCE:
            bidding[:] = load_weights(f"{game}-thumb-bids")
        adam, bid_adam = Adam(nets.shape[1]), Adam(bid_model.FEATURE_COUNT, BID_LEARNING_RATE)
        chance = new_stream(random.Random(seed))  # noqa: S311 - a training is reproducible
        return cls(
            game, steps, seed, nets, bidding, adam, bid_adam, chance, np.arange(recipe.cards)
        )

    @property
    def is_finished(self) -> bool:
        """Whether all steps are done."""
        return len(self.gains) >= self.steps

    def save(self) -> None:
        """Writes the checkpoint atomically."""
        file = training_path(self.game, self.steps, self.seed)
        file.parent.mkdir(parents=True, exist_ok=True)
        half = file.with_suffix(".new")
        with half.open("wb") as opened:
            np.savez(
                opened,
                nets=self.nets,
                bidding=self.bidding,
                mean=self.adam.mean,
                square=self.adam.square,
                bid_mean=self.bid_adam.mean,
                bid_square=self.bid_adam.square,
                chance=self.chance,
                pack=self.round_order,
                gains=np.array(self.gains),
                seconds=np.array(self.seconds),
            )
        half.replace(file)


def initial_nets(game: str) -> NDArray[np.float32]:
    """Returns the initial nets: the learning one, and those of the opponents."""
    thumb = load_weights(f"{game}-thumb").astype(np.float32)
    return np.stack([thumb, thumb])


def training_path(game: str, steps: int, seed: int) -> Path:
    """Returns the path of the checkpoint of such a training."""
    return TRAININGS_DIR / f"{game}-{steps}-{seed}.npz"


def load_training(file: Path) -> Training:
    """Loads a training from a file that `Training.save` has written.

    Raises:
        TrainingFileError: it cannot be read or understood.
    """
    try:
        game, steps, seed = file.stem.rsplit("-", 2)
        with file.open("rb") as opened, np.load(opened, allow_pickle=False) as numbers:
            return restore_training(game, int(steps), int(seed), numbers)
    except READ_ERRORS as problem:
        raise TrainingFileError(f"{file} holds no training: {problem}") from problem


def restore_training(
    game: str, steps: int, seed: int, numbers: Mapping[str, NDArray[Any]]
) -> Training:
    """Returns the training with these stored arrays."""
    run = Training(
        game=game,
        steps=steps,
        seed=seed,
        nets=numbers["nets"],
        bidding=numbers["bidding"],
        adam=Adam(numbers["nets"].shape[1]),
        bid_adam=Adam(bid_model.FEATURE_COUNT, BID_LEARNING_RATE),
        chance=numbers["chance"],
        round_order=numbers["pack"],
        gains=numbers["gains"].tolist(),
        seconds=float(numbers["seconds"]),
    )
    for adam, kind in ((run.adam, ""), (run.bid_adam, "bid_")):
        adam.mean, adam.square = numbers[f"{kind}mean"], numbers[f"{kind}square"]
        adam.steps = len(run.gains)
    return run


def find_unfinished(game: str, steps: int, seed: int) -> Training | None:
    """Returns such a training that was interrupted.

    None if it is finished or if its opponents have changed.

    Raises:
        TrainingFileError: its file cannot be read or understood.
    """
    file = training_path(game, steps, seed)
    if not file.exists():
        return None
    run, anew = load_training(file), Training.start(game, steps, seed)
    same = np.array_equal(
        run.nets[policy.HEURISTIC], anew.nets[policy.HEURISTIC]
    ) and np.array_equal(run.bidding[policy.HEURISTIC], anew.bidding[policy.HEURISTIC])
    return run if same and not run.is_finished else None
