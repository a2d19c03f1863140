"""The learning seat of many rounds: the common core of both Gymnasium environments."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from jasstisch.engine.errors import GameError, quote
from jasstisch.env.batch import Batch
from jasstisch.env.flat_observation import FlatObservationEncoder
from jasstisch.env.opponents import Opponent, RowMask
from jasstisch.env.single_agent import SingleAgentBatch
from jasstisch.games.rules import Game

ObservationDict = dict[str, NDArray[Any]]
"""The learner's observation: `observation`, and the `action_mask` of its legal actions."""

_RESET_OPTIONS = ("packs", "trumps", "dealers", "lines_played")
_MAX_SEED = 2**63 - 1


class LearnerRounds:
    """Rounds in which one seat learns.

    Args:
        game: the game.
        count: the number of rounds.
        opponents: the players of the other seats, as in `SingleAgentBatch`.
        seats: the learner's seat, or one for each round.
        illegal: the reward of an illegal action; None to raise an error instead.
        redeal: whether rounds that end are dealt again in the same step.

    Attributes:
        parts: the parts of the array `observation`, in order.
        actions: all actions by number.
        observation_space: the space of one round.
        last_observations: the learner's final observations of the rounds that ended in the last
            step.

    Raises:
        GameError: a batch cannot play the game with these arguments.
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
        self._flat = FlatObservationEncoder(game)
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
            low[part.array_slice], high[part.array_slice] = part.low, part.high
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(low, high, dtype=np.int32),
                "action_mask": spaces.Box(0, 1, (self.count,), np.int8),
            }
        )

    def _flatten(self, readers: NDArray[np.int64]) -> NDArray[np.int32]:
        """The observations of these seats, as flat arrays."""
        return self._flat(self._batch, readers)

    def _observe_ended(self, ended: RowMask) -> None:
        """Stores the final observations of rounds that have ended, before they are dealt again."""
        seen = self.observe()
        if not self.last_observations:
            self.last_observations = {name: np.zeros_like(array) for name, array in seen.items()}
        for name, array in seen.items():
            self.last_observations[name][ended] = array[ended]

    def reset(
        self, chance: np.random.Generator, options: Mapping[str, Any] | None
    ) -> ObservationDict:
        """Deals all rounds.

        Args:
            chance: the source of packs, dealers and the choices of random opponents.
            options: given deals, as in `Batch.reset`.

        Raises:
            GameError: an option is unknown or invalid.
        """
        deals = dict(options or {})
        unknown = [name for name in deals if name not in _RESET_OPTIONS]
        if unknown:
            raise GameError(
                f"reset has no option {quote(unknown[0])}; its options are "
                f"{', '.join(_RESET_OPTIONS)}"
            )
        game, envs = self._batch.game, self._batch.num_envs
        seed = int(chance.integers(_MAX_SEED))
        dealers = chance.integers(game.players, size=envs)
        if game.options["dealer"] is not None:
            dealers[:] = game.options["dealer"]
        self._learner.reset(seed=seed, **({"dealers": dealers} | deals))
        return self.observe()

    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_], dict[str, Any]]:
        """Performs the learner's actions; returns its rewards, the ended rounds, and the info.

        Illegal actions are not performed; the info marks them.

        Raises:
            GameError: an action is illegal, and illegal actions raise; nothing has changed.
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
        """The rounds whose action is illegal, if any action is legal there."""
        masks = self.action_masks()
        if actions.shape != masks.shape[:1] or not np.issubdtype(actions.dtype, np.integer):
            return None
        within = np.clip(actions, 0, self.count - 1)
        legal = masks[np.arange(len(masks)), within] & (within == actions)
        wrong: RowMask = masks.any(axis=1) & ~legal
        return wrong

    def observe(self) -> ObservationDict:
        """The learner's observation of each round."""
        return {
            "observation": self._learner.observe(),
            "action_mask": self.action_masks().astype(np.int8),
        }

    def action_masks(self) -> NDArray[np.bool_]:
        """The learner's legal actions in each round."""
        return self._learner.action_masks()
