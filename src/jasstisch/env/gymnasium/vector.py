"""Many rounds at once as a vector environment of Gymnasium, over the batch."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from jasstisch.engine.errors import GameError
from jasstisch.env.gymnasium.core import ObservationDict, RoundLearner
from jasstisch.env.opponents import Opponent
from jasstisch.games.rules import Game

__all__ = ["RoundVectorEnv"]


class RoundVectorEnv(VectorEnv[ObservationDict, Any, NDArray[Any]]):
    """Rounds of one game side by side; an episode is a round, and the next begins in its last step.

    Args:
        num_envs: how many.
        game: the name of a game of tricks.
        opponents: who plays the other seats: `"random"`, `"greedy"`, a policy, or a list with one
            for each seat.
        seat: the seat of the learner, or one for each round.
        illegal: what an action earns that is not legal; nothing is done then, and `illegal` of the
            info says so. None where it is refused with an error.
        render_mode: None; many rounds are not drawn.
        options: those of the game that differ from their defaults.

    Attributes:
        parts: what the array `observation` holds, in order.
        actions: every action there is by its number.

    Raises:
        GameError: unknown game, option or value, or opponents that do not play it.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        game: str,
        opponents: Opponent | Sequence[Opponent] = "random",
        seat: ArrayLike = 0,
        illegal: float | None = -1.0,
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        if render_mode is not None:
            raise GameError("render_mode is None: many rounds are not drawn")
        self._learner = RoundLearner(
            Game(game, options), num_envs, opponents, seat, illegal=illegal, redeal=True
        )
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        self.num_envs = num_envs
        self.parts = self._learner.parts
        self.actions = self._learner.actions
        self.single_observation_space = self._learner.observation_space
        self.single_action_space = spaces.Discrete(self._learner.count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObservationDict, dict[str, Any]]:
        """Deals all rounds anew.

        Args:
            seed: begins the chance of all rounds again; it goes on where it is when not given.
            options: `packs`, `trumps`, `dealers` and `lines_played` of the rounds, as
                `jasstisch.env.Batch.reset` takes them.
        """
        super().reset(seed=seed)
        return self._learner.reset(self.np_random, options), {}

    def step(
        self, actions: ArrayLike
    ) -> tuple[
        ObservationDict, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
    ]:
        """Does one action of the learner in each round, and what follows until it must act again.

        Returns:
            What it sees, its rewards, which rounds have ended, None truncated, and where rounds
            have ended `final_obs` and `final_info`, with masks as Gymnasium has them.

        Raises:
            GameError: an action is not legal, and such ones are refused; nothing has changed.
        """
        rewards, ended, info = self._learner.step(actions)
        infos: dict[str, Any] = {}
        if "illegal" in info:
            infos["illegal"] = infos["_illegal"] = info.pop("illegal")
        if info:
            infos |= {
                "final_obs": with_mask(self._learner.last_observations, ended),
                "_final_obs": ended,
                "final_info": with_mask(info, ended),
                "_final_info": ended,
            }
        return self._learner.observe(), rewards, ended, np.zeros_like(ended), infos

    def action_masks(self) -> NDArray[np.bool_]:
        """What may be done in each round, a column for each action."""
        return self._learner.action_masks()


def with_mask(arrays: dict[str, NDArray[Any]], ended: NDArray[np.bool_]) -> dict[str, NDArray[Any]]:
    """Arrays of which only these rows mean anything, as Gymnasium tells it."""
    return arrays | {f"_{name}": ended for name in arrays}
