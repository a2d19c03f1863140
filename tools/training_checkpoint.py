"""A training as far as it has come, kept in a file so that it can stop and go on.

All that the next step depends on is in the file: weights, the memory of the steps, the source of
chance, the pack as it lies. So a training that was interrupted ends with the same weights as one
that was not.
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

__all__ = [
    "TRAININGS_DIR",
    "Training",
    "TrainingFileError",
    "find_unfinished",
    "load_training",
    "training_path",
]

Floats = NDArray[np.float64]

TRAININGS_DIR = Path(__file__).resolve().parent.parent / "build" / "training"
"""Where trainings are kept."""

BID_LEARNING_RATE = 0.3
"""How far a weight of the glance goes in one step at first."""

READ_ERRORS = (
    *(EOFError, LookupError, OSError, RuntimeError, TypeError, ValueError),
    *(struct.error, zipfile.BadZipFile, zlib.error),
)
"""What NumPy and what follows say of a file that is something else, or damaged; `zipfile` calls a
packing that it does not know, or a secret one, a kind of `RuntimeError`."""


class TrainingFileError(ValueError):
    """A file that holds no training; the message says which and why."""


@dataclass(slots=True)
class Training:
    """A training of the learned net of a game.

    Attributes:
        game: whose recipe it follows.
        steps: how many steps it takes in all.
        seed: the seed of all its chance.
        nets: the net that learns, and those of the company.
        bidding: for each of them the weights of `bids.glance`.
        adam: the memory of the steps of the net.
        bid_adam: that of the steps of the glance.
        chance: where chance comes from.
        pack: the cards to deal, as the last shuffle left them.
        gains: what those who learn gained in each step so far, on average.
        seconds: how long it has computed.
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
        """A training that has not taken a step; it begins with the net for rules of thumb."""
        recipe, nets = RECIPES[game], initial_nets(game)
        bidding = np.zeros((len(nets), bid_model.FEATURE_COUNT))
        if recipe.aim == scoring_kinds.BY_STROKES:
            bidding[:] = bid_model.load_weights()[: len(nets)]  # who plays depends on it
        elif recipe.aim == scoring_kinds.BY_DIFFERENCE:
            bidding[:] = load_weights(f"{game}-thumb-bids")
        adam, bid_adam = Adam(nets.shape[1]), Adam(bid_model.FEATURE_COUNT, BID_LEARNING_RATE)
        chance = new_stream(random.Random(seed))  # noqa: S311 - a training can be repeated
        return cls(
            game, steps, seed, nets, bidding, adam, bid_adam, chance, np.arange(recipe.cards)
        )

    @property
    def is_finished(self) -> bool:
        """Whether all steps are taken."""
        return len(self.gains) >= self.steps

    def save(self) -> None:
        """Writes it to its file, which is never seen half written."""
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
    """The nets a training begins with: the one that learns, and the company that does not."""
    thumb = load_weights(f"{game}-thumb").astype(np.float32)
    return np.stack([thumb, thumb])


def training_path(game: str, steps: int, seed: int) -> Path:
    """Where such a training is kept."""
    return TRAININGS_DIR / f"{game}-{steps}-{seed}.npz"


def load_training(file: Path) -> Training:
    """The training kept in a file that `Run.write` has written.

    Raises:
        RunError: it cannot be read or understood.
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
    """The training of which these numbers were written."""
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
    """Such a training that was interrupted; none if it is over, or its company has changed since.

    Raises:
        RunError: its file cannot be read or understood.
    """
    file = training_path(game, steps, seed)
    if not file.exists():
        return None
    run, anew = load_training(file), Training.start(game, steps, seed)
    same = np.array_equal(
        run.nets[policy.HEURISTIC], anew.nets[policy.HEURISTIC]
    ) and np.array_equal(run.bidding[policy.HEURISTIC], anew.bidding[policy.HEURISTIC])
    return run if same and not run.is_finished else None
