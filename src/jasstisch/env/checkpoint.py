"""Saving and restoring the exact state of a batch, as plain NumPy arrays."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from jasstisch.engine.errors import GameError
from jasstisch.games.rules import Game

SavedState = dict[str, NDArray[Any]]
"""The state of a batch: arrays by name, fit for `numpy.savez`."""

_GAME = "game"
"""The name under which a saved state holds its game and options, as text."""


class ResumableBatch(ABC):
    """A batch whose state can be copied, saved and restored; pickling works too.

    Attributes:
        game: the rules.
    """

    game: Game

    @abstractmethod
    def state_arrays(self) -> Mapping[str, NDArray[Any]]:
        """The arrays that change while the batch is stepped, by name; not copies."""

    def state(self) -> SavedState:
        """The exact state of all rounds and random streams, as copies."""
        saved = {name: array.copy() for name, array in self.state_arrays().items()}
        return saved | {_GAME: np.array(repr(self.game))}

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Goes back to a state saved from a batch of the same game and size.

        Args:
            state: what `state` returned, or its arrays as `numpy.load` reads them.

        Raises:
            GameError: the state is that of another batch; nothing has changed.
        """
        arrays = self.state_arrays()
        if {*state} != {*arrays, _GAME} or str(state[_GAME]) != repr(self.game):
            saved = str(state[_GAME]) if _GAME in state else "another kind of batch"
            raise GameError(f"this state is of {saved}, not of {self.game!r}")
        for name, array in arrays.items():
            if state[name].shape != array.shape or state[name].dtype != array.dtype:
                raise GameError(
                    f"{name} of this state is {state[name].dtype} of {state[name].shape}, not "
                    f"{array.dtype} of {array.shape}: restore it to a batch of the same size"
                )
        for name, array in arrays.items():
            array[...] = state[name]

    def copy(self) -> Self:
        """An independent copy, which goes on as this batch does."""
        return deepcopy(self)
