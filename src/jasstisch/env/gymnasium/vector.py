"""A Gymnasium vector environment that plays many rounds at once, over a batch."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from jasstisch.engine.errors import GameError
from jasstisch.env.gymnasium.learner_rounds import LearnerRounds, ObservationDict
from jasstisch.env.opponents import Opponent
from jasstisch.games.rules import Game


class RoundVectorEnv(VectorEnv[ObservationDict, Any, NDArray[Any]]):
    """Rounds of one game side by side; an episode is a round (autoreset in the same step).

    Args:
        num_envs: the number of rounds.
        game: the name of a game of tricks.
        opponents: the players of the other seats: `"random"`, `"greedy"`, `"learned"`, a policy, or
            a list with one for each seat.
        seat: the seat of the learner, or one for each round.
        illegal: the reward of an illegal action, which is not performed and marked by `illegal` in
            the info. None to raise an error instead.
        render_mode: None; many rounds cannot be rendered.
        options: the options of the game that differ from their defaults.

    Attributes:
        parts: the parts of the array `observation`, in order.
        actions: all actions by number.

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
        self._learner = LearnerRounds(
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
        """Deals all rounds.

        Args:
            seed: restarts all random streams; they continue if omitted.
            options: `packs`, `trumps`, `dealers` and `lines_played` of the rounds, as in
                `jasstisch.env.Batch.reset`.
        """
        super().reset(seed=seed)
        return self._learner.reset(self.np_random, options), {}

    def step(
        self, actions: ArrayLike
    ) -> tuple[
        ObservationDict, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
    ]:
        """Performs one action of the learner in each round and runs it until the learner must act.

        Returns:
            The observation, the rewards, which rounds have ended, which were truncated (none), and
            for ended rounds `final_obs` and `final_info`, with masks as in Gymnasium.

        Raises:
            GameError: an action is illegal, and illegal actions raise; nothing has changed.
        """
        rewards, ended, info = self._learner.step(actions)
        infos: dict[str, Any] = {}
        if "illegal" in info:
            infos["illegal"] = infos["_illegal"] = info.pop("illegal")
        if info:
            infos |= {
                "final_obs": _with_mask(self._learner.last_observations, ended),
                "_final_obs": ended,
                "final_info": _with_mask(info, ended),
                "_final_info": ended,
            }
        return self._learner.observe(), rewards, ended, np.zeros_like(ended), infos

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions in each round, a column for each action."""
        return self._learner.action_masks()


def _with_mask(
    arrays: dict[str, NDArray[Any]], ended: NDArray[np.bool_]
) -> dict[str, NDArray[Any]]:
    """Adds the masks by which Gymnasium marks the valid rows of arrays."""
    return arrays | {f"_{name}": ended for name in arrays}
