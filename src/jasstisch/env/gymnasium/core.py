"""One seat of many rounds, as both environments of Gymnasium show it."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from jasstisch.engine.errors import GameError, quote
from jasstisch.env.batch import Batch
from jasstisch.env.flat_observation import FlatObservation
from jasstisch.env.opponents import Opponent, RowMask
from jasstisch.env.single_agent import SingleAgentBatch
from jasstisch.games.rules import Game

__all__ = ["ObservationDict", "RoundLearner"]

ObservationDict = dict[str, NDArray[Any]]
"""What the learner sees: `observation`, and the `action_mask` of what it may do now."""

RESET_OPTIONS = ("packs", "trumps", "dealers", "lines_played")
MAX_SEED = 2**63 - 1


class RoundLearner:
    """Rounds in which one seat learns.

    Args:
        game: what is played.
        count: how many rounds.
        opponents: who plays the other seats, as `Against` takes them.
        seats: the learner's seat, or one for each round.
        illegal: what an action that is not legal earns; None where it is refused.
        redeal: whether rounds that end are dealt anew in the same step.

    Attributes:
        parts: what the array `observation` holds, in order.
        actions: every action there is by its number.
        observation_space: of one round.
        last: what the learner sees of the rounds that have ended in the last step.

    Raises:
        GameError: a batch cannot play the game so.
    """

    def __init__(
        self,
        game: Game,
        count: int,
        opponents: Opponent | Sequence[Opponent],
        seats: ArrayLike,
        *,
        illegal: float | None,
        redeal: bool,
    ) -> None:
        self._illegal = illegal
        self._batch = Batch(game, count, redeal=redeal)
        self._flat = FlatObservation(game)
        self.last_observations: ObservationDict = {}
        self._learner = SingleAgentBatch(
            self._batch,
            opponents,
            seats,
            see=self._flatten,
            at_end=self._observe_ended if redeal else None,
        )
        self.parts = self._flat.parts
        self.actions = dict(self._learner.actions)
        self.count = self._learner.num_actions
        low = np.empty(self._flat.size, dtype=np.int32)
        high = np.empty_like(low)
        for part in self.parts:
            low[part.where], high[part.where] = part.low, part.high
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(low, high, dtype=np.int32),
                "action_mask": spaces.Box(0, 1, (self.count,), np.int8),
            }
        )

    def _flatten(self, readers: NDArray[np.int64]) -> NDArray[np.int32]:
        """What these seats see, as flat arrays."""
        return self._flat(self._batch, readers)

    def _observe_ended(self, ended: RowMask) -> None:
        """Looks once more at rounds that have ended, before they are dealt anew."""
        seen = self.observe()
        if not self.last_observations:
            self.last_observations = {name: np.zeros_like(array) for name, array in seen.items()}
        for name, array in seen.items():
            self.last_observations[name][ended] = array[ended]

    def reset(
        self, chance: np.random.Generator, options: Mapping[str, Any] | None
    ) -> ObservationDict:
        """Deals all rounds anew.

        Args:
            chance: where packs, dealers and the choices of random opponents come from.
            options: deals that are given, as `Batch.reset` takes them.

        Raises:
            GameError: an option is unknown or not what it has to be.
        """
        deals = dict(options or {})
        unknown = [name for name in deals if name not in RESET_OPTIONS]
        if unknown:
            raise GameError(
                f"reset has no option {quote(unknown[0])}; its options are "
                f"{', '.join(RESET_OPTIONS)}"
            )
        game, envs = self._batch.game, self._batch.num_envs
        seed = int(chance.integers(MAX_SEED))
        dealers = chance.integers(game.players, size=envs)
        if game.options["dealer"] is not None:
            dealers[:] = game.options["dealer"]
        self._learner.reset(seed=seed, **({"dealers": dealers} | deals))
        return self.observe()

    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_], dict[str, Any]]:
        """Does the learner's actions; its rewards, which rounds have ended, what they came to.

        Where an action is not legal nothing is done, and info says so.

        Raises:
            GameError: an action is not legal, and such ones are refused; nothing has changed.
        """
        self.last_observations = {}
        wrong = self._is_illegal(np.asarray(actions)) if self._illegal is not None else None
        _, rewards, ended, _, info = self._learner.step(actions, held=wrong)
        earned = rewards.astype(np.float64)
        if wrong is not None and wrong.any():
            earned[wrong] = self._illegal
            info["illegal"] = wrong
        return earned, ended, info

    def _is_illegal(self, actions: NDArray[Any]) -> RowMask | None:
        """Where an action is none of those that are legal, though there are some."""
        masks = self.action_masks()
        if actions.shape != masks.shape[:1] or not np.issubdtype(actions.dtype, np.integer):
            return None
        within = np.clip(actions, 0, self.count - 1)
        legal = masks[np.arange(len(masks)), within] & (within == actions)
        wrong: RowMask = masks.any(axis=1) & ~legal
        return wrong

    def observe(self) -> ObservationDict:
        """What the learner sees of each round."""
        return {
            "observation": self._learner.observe(),
            "action_mask": self.action_masks().astype(np.int8),
        }

    def action_masks(self) -> NDArray[np.bool_]:
        """What it may do in each round."""
        return self._learner.action_masks()
