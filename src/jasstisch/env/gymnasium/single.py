"""A Gymnasium environment that plays one round after the other."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import Env, spaces
from numpy.typing import NDArray

from jasstisch.engine.errors import GameError, quote
from jasstisch.env.gymnasium.learner_rounds import LearnerRounds, ObservationDict
from jasstisch.env.opponents import Opponent
from jasstisch.games.rules import Game


class RoundEnv(Env[ObservationDict, int]):
    """Rounds of one game, one after the other; an episode is a round.

    Args:
        game: the name of a game of tricks.
        opponents: the players of the other seats: `"random"`, `"greedy"`, `"learned"`, a policy, or
            a list with one for each seat.
        seat: the seat of the learner.
        illegal: the reward of an illegal action, which is not performed and marked by `illegal` in
            the info. None to raise an error instead.
        render_mode: None; rounds of a batch cannot be rendered.
        options: the options of the game that differ from their defaults.

    Attributes:
        parts: the parts of the array `observation`, in order.
        actions: all actions by number.

    Raises:
        GameError: unknown game, option or value, or opponents that do not play it.
    """

    def __init__(
        self,
        *,
        game: str,
        opponents: Opponent | Sequence[Opponent] = "random",
        seat: int = 0,
        illegal: float | None = -1.0,
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        if render_mode is not None:
            raise GameError(f"render_mode is None, not {quote(render_mode)}")
        self._learner = LearnerRounds(
            Game(game, options), 1, opponents, seat, illegal=illegal, redeal=False
        )
        self.metadata = {"render_modes": []}
        self.parts = self._learner.parts
        self.actions = self._learner.actions
        self.observation_space: spaces.Space[Any] = self._learner.observation_space
        self.action_space: spaces.Space[Any] = spaces.Discrete(self._learner.count)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObservationDict, dict[str, Any]]:
        """Deals a round.

        Args:
            seed: restarts the random generator of this environment; it continues if omitted.
            options: `packs`, `trumps`, `dealers` and `lines_played` of the round, as in
                `jasstisch.env.Batch.reset` for one round.
        """
        super().reset(seed=seed)
        return _first_row(self._learner.reset(self.np_random, options)), {}

    def step(self, action: int) -> tuple[ObservationDict, float, bool, bool, dict[str, Any]]:
        """Performs an action of the learner and runs the round until it must act again.

        Returns:
            The observation, the reward, whether the round is over, False, and the info.

        Raises:
            GameError: the round is over, or the action is illegal and illegal actions raise;
                nothing has changed.
        """
        rewards, ended, info = self._learner.step(np.array([action]))
        seen = _first_row(self._learner.observe())
        return seen, float(rewards[0]), bool(ended[0]), False, _first_row(info)

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, a column for each action."""
        return self._learner.action_masks()[0]


def _first_row(arrays: dict[str, NDArray[Any]]) -> dict[str, Any]:
    """The only row of the arrays of a single round."""
    return {name: array[0] for name, array in arrays.items()}
