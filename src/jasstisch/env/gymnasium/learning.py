"""One seat of many rounds, as both environments of Gymnasium show it."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from jasstisch.env.against import Against
from jasstisch.env.batch import Batch
from jasstisch.env.flat import Flat
from jasstisch.env.opponents import Chosen, Opponent
from jasstisch.errors import GameError, quote
from jasstisch.games.rules import Game

__all__ = ["Learning", "Observed"]

Observed = dict[str, NDArray[Any]]
"""What the learner sees: `observation`, and the `action_mask` of what it may do now."""

DEALS = ("packs", "trumps", "dealers", "lines_played")
SEEDS = 2**63 - 1


class Learning:
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
        self._flat = Flat(game)
        self.last: Observed = {}
        self._learner = Against(
            self._batch,
            opponents,
            seats,
            see=self._see,
            at_end=self._keep if redeal else None,
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

    def _see(self, readers: NDArray[np.int64]) -> NDArray[np.int32]:
        """What these seats see, as flat arrays."""
        return self._flat(self._batch, readers)

    def _keep(self, ended: Chosen) -> None:
        """Looks once more at rounds that have ended, before they are dealt anew."""
        seen = self.seen()
        if not self.last:
            self.last = {name: np.zeros_like(array) for name, array in seen.items()}
        for name, array in seen.items():
            self.last[name][ended] = array[ended]

    def reset(self, chance: np.random.Generator, options: Mapping[str, Any] | None) -> Observed:
        """Deals all rounds anew.

        Args:
            chance: where packs, dealers and the choices of random opponents come from.
            options: deals that are given, as `Batch.reset` takes them.

        Raises:
            GameError: an option is unknown or not what it has to be.
        """
        deals = dict(options or {})
        unknown = [name for name in deals if name not in DEALS]
        if unknown:
            raise GameError(
                f"reset has no option {quote(unknown[0])}; its options are {', '.join(DEALS)}"
            )
        game, envs = self._batch.game, self._batch.num_envs
        seed = int(chance.integers(SEEDS))
        dealers = chance.integers(game.players, size=envs)
        if game.options["dealer"] is not None:
            dealers[:] = game.options["dealer"]
        self._learner.reset(seed=seed, **({"dealers": dealers} | deals))
        return self.seen()

    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_], dict[str, Any]]:
        """Does the learner's actions; its rewards, which rounds have ended, what they came to.

        Where an action is not legal nothing is done, and info says so.

        Raises:
            GameError: an action is not legal, and such ones are refused; nothing has changed.
        """
        self.last = {}
        wrong = self._wrong(np.asarray(actions)) if self._illegal is not None else None
        _, rewards, ended, _, info = self._learner.step(actions, held=wrong)
        earned = rewards.astype(np.float64)
        if wrong is not None and wrong.any():
            earned[wrong] = self._illegal
            info["illegal"] = wrong
        return earned, ended, info

    def _wrong(self, actions: NDArray[Any]) -> Chosen | None:
        """Where an action is none of those that are legal, though there are some."""
        masks = self.masks()
        if actions.shape != masks.shape[:1] or not np.issubdtype(actions.dtype, np.integer):
            return None
        within = np.clip(actions, 0, self.count - 1)
        legal = masks[np.arange(len(masks)), within] & (within == actions)
        wrong: Chosen = masks.any(axis=1) & ~legal
        return wrong

    def seen(self) -> Observed:
        """What the learner sees of each round."""
        return {
            "observation": self._learner.observe(),
            "action_mask": self.masks().astype(np.int8),
        }

    def masks(self) -> NDArray[np.bool_]:
        """What it may do in each round."""
        return self._learner.action_masks()
