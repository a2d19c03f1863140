"""Observers: a player's information in a state, as a tensor and as a string."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from jasstisch.engine.errors import GameError
from jasstisch.env.matches.observation_parts import Part
from jasstisch.env.openspiel.states import MatchState


class MatchObserver:
    """The observer of OpenSpiel for one player's information.

    With perfect recall a match has only the string, which contains all that the player has ever
    known in it; a tensor for the maximum number of rounds would be mostly empty. In an episode of
    one round the tensor of the observation contains all of it, in most games.

    Args:
        parts: the parts of the tensor, in order.
        kind: the observation type of OpenSpiel; if None, that of a player without perfect recall.
        parameters: must be empty.
        has_recall_tensor: whether the tensor keeps perfect recall.

    Attributes:
        tensor: the numbers of the last `set_from`; None for perfect recall that it does not keep.
        dict: the parts of the tensor by their names, each in its shape.

    Raises:
        GameError: the observation type is not supported, or parameters are given.
    """

    def __init__(
        self,
        parts: tuple[Part, ...],
        kind: Any,  # noqa: ANN401 - OpenSpiel has no types
        parameters: Mapping[str, Any] | None,
        *,
        has_recall_tensor: bool,
    ) -> None:
        if parameters:
            raise GameError(f"an observer takes no parameters, not {', '.join(parameters)}")
        if kind is None:
            kind = pyspiel.IIGObservationType(perfect_recall=False)
        single = pyspiel.PrivateInfoType.SINGLE_PLAYER
        if not kind.public_info or kind.private_info != single:
            raise GameError("an observer sees what is public and what is its own player's, both")
        self._recall = bool(kind.perfect_recall)
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, NDArray[np.float32]] = {}
        if has_recall_tensor or not self._recall:
            self.tensor = np.zeros(parts[-1].array_slice.stop, np.float32)
            self.dict = {one.name: self.tensor[one.array_slice].reshape(one.shape) for one in parts}

    def set_from(self, state: MatchState, player: int) -> None:
        """Fills the tensor with a player's observation of a state."""
        if self.tensor is not None:
            self.tensor[:] = state.playing.observation(player)

    def string_from(self, state: MatchState, player: int) -> str:
        """A player's view as JSON text, with its pending action and its memory."""
        playing = state.playing
        observed: dict[str, Any] = {"view": playing.match().view(player)}
        if player in playing.rules.to_act:
            observed["begun"] = list(playing.pending)
        if self._recall:
            observed["memory"] = list(state.memory.entries[player])
        return json.dumps(observed, separators=(",", ":"))
