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

from jasstisch.games import scoring
from jasstisch.search import bids, policy
from jasstisch.search.chance import Stream, stream
from tools.nets import RECIPES, Adam, kept

__all__ = ["RUNS", "Run", "RunError", "file_of", "read", "unfinished"]

Floats = NDArray[np.float64]

RUNS = Path(__file__).resolve().parent.parent / "build" / "training"
"""Where trainings are kept."""

BID_RATE = 0.3
"""How far a weight of the glance goes in one step at first."""

DAMAGE = (
    *(EOFError, LookupError, OSError, RuntimeError, TypeError, ValueError),
    *(struct.error, zipfile.BadZipFile, zlib.error),
)
"""What NumPy and what follows say of a file that is something else, or damaged; `zipfile` calls a
packing that it does not know, or a secret one, a kind of `RuntimeError`."""


class RunError(ValueError):
    """A file that holds no training; the message says which and why."""


@dataclass(slots=True)
class Run:
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
    pack: NDArray[np.int64]
    gains: list[float] = field(default_factory=list)
    seconds: float = 0.0

    @classmethod
    def begun(cls, game: str, steps: int, seed: int) -> Self:
        """A training that has not taken a step; it begins with the net for rules of thumb."""
        recipe, nets = RECIPES[game], first_nets(game)
        bidding = np.zeros((len(nets), bids.FEATURES))
        if recipe.aim == scoring.BY_STROKES:
            bidding[:] = bids.weights()[: len(nets)]  # who plays depends on it
        elif recipe.aim == scoring.BY_DIFFERENCE:
            bidding[:] = kept(f"{game}-thumb-bids")
        adam, bid_adam = Adam(nets.shape[1]), Adam(bids.FEATURES, BID_RATE)
        chance = stream(random.Random(seed))  # noqa: S311 - a training can be repeated
        return cls(
            game, steps, seed, nets, bidding, adam, bid_adam, chance, np.arange(recipe.cards)
        )

    @property
    def is_over(self) -> bool:
        """Whether all steps are taken."""
        return len(self.gains) >= self.steps

    def write(self) -> None:
        """Writes it to its file, which is never seen half written."""
        file = file_of(self.game, self.steps, self.seed)
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
                pack=self.pack,
                gains=np.array(self.gains),
                seconds=np.array(self.seconds),
            )
        half.replace(file)


def first_nets(game: str) -> NDArray[np.float32]:
    """The nets a training begins with: the one that learns, and the company that does not."""
    thumb = kept(f"{game}-thumb").astype(np.float32)
    return np.stack([thumb, thumb])


def file_of(game: str, steps: int, seed: int) -> Path:
    """Where such a training is kept."""
    return RUNS / f"{game}-{steps}-{seed}.npz"


def read(file: Path) -> Run:
    """The training kept in a file that `Run.write` has written.

    Raises:
        RunError: it cannot be read or understood.
    """
    try:
        game, steps, seed = file.stem.rsplit("-", 2)
        with file.open("rb") as opened, np.load(opened, allow_pickle=False) as numbers:
            return restored(game, int(steps), int(seed), numbers)
    except DAMAGE as problem:
        raise RunError(f"{file} holds no training: {problem}") from problem


def restored(game: str, steps: int, seed: int, numbers: Mapping[str, NDArray[Any]]) -> Run:
    """The training of which these numbers were written."""
    run = Run(
        game=game,
        steps=steps,
        seed=seed,
        nets=numbers["nets"],
        bidding=numbers["bidding"],
        adam=Adam(numbers["nets"].shape[1]),
        bid_adam=Adam(bids.FEATURES, BID_RATE),
        chance=numbers["chance"],
        pack=numbers["pack"],
        gains=numbers["gains"].tolist(),
        seconds=float(numbers["seconds"]),
    )
    for adam, kind in ((run.adam, ""), (run.bid_adam, "bid_")):
        adam.mean, adam.square = numbers[f"{kind}mean"], numbers[f"{kind}square"]
        adam.steps = len(run.gains)
    return run


def unfinished(game: str, steps: int, seed: int) -> Run | None:
    """Such a training that was interrupted; none if it is over, or its company has changed since.

    Raises:
        RunError: its file cannot be read or understood.
    """
    file = file_of(game, steps, seed)
    if not file.exists():
        return None
    run, anew = read(file), Run.begun(game, steps, seed)
    same = np.array_equal(run.nets[policy.THUMB], anew.nets[policy.THUMB]) and np.array_equal(
        run.bidding[policy.THUMB], anew.bidding[policy.THUMB]
    )
    return run if same and not run.is_over else None
