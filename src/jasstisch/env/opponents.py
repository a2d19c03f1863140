"""The players of the other seats of a batch: random, heuristics, or a policy.

Each of them chooses for many rounds at once.
"""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jasstisch.engine import tricks
from jasstisch.engine.errors import GameError
from jasstisch.env.actions import BID, MAX_ACTIONS
from jasstisch.env.kernels import greedy, greedy_partners, transitions
from jasstisch.env.kernels.batch_state import BatchState
from jasstisch.env.kernels.compiled_rules import CompiledRules
from jasstisch.games.rules import Game
from jasstisch.search.jit import prng
from jasstisch.search.rounds.round_state import TURN

Policy = Callable[[Any, NDArray[np.bool_]], ArrayLike]
"""Chooses for k rounds at once.

The arguments are the observation of the seat to act in each round, and the action masks (k,
actions); the result is the number of a legal action for each round (k,).
"""

Opponent = str | Policy
"""`"random"`, `"greedy"`, or a policy."""

RowMask = NDArray[np.bool_]
"""The selected rounds (n,)."""

WordArray = NDArray[np.int64]

ObserveFunction = Callable[[WordArray, RowMask], tuple[Any, NDArray[np.bool_]]]
"""The observations of these seats (n,) in the selected rounds, and their masks, a row for each."""


class SeatPlayer(Protocol):
    """A player of seats in many rounds."""

    def bid(self, tables: BatchState, acting: RowMask, seat: int, bids: WordArray) -> None:
        """Writes its bids for one seat of these rounds (n, p)."""

    def act(self, tables: BatchState, acting: RowMask, actions: WordArray) -> None:
        """Writes its actions for the seats to act of these rounds (n,)."""


class RandomPlayer:
    """A uniformly random player, which uses the random stream of the round.

    Args:
        streams: the random stream of each round (n,).
    """

    def __init__(self, streams: prng.Stream) -> None:
        self._streams = streams

    def bid(self, tables: BatchState, acting: RowMask, seat: int, bids: WordArray) -> None:
        """Writes random bids."""
        transitions.draw_random_bids(self._streams, acting, seat, bids)

    def act(self, tables: BatchState, acting: RowMask, actions: WordArray) -> None:
        """Writes random actions."""
        transitions.choose_random_for(tables.legal, self._streams, acting, actions)


class _GreedyPlayer:
    """The bot `greedy` in games of individuals.

    Args:
        rules: the compiled rules.
    """

    def __init__(self, rules: CompiledRules) -> None:
        self._laws = rules

    def bid(self, tables: BatchState, acting: RowMask, seat: int, bids: WordArray) -> None:
        """Writes twice the trump points plus the corrections of the heuristics."""
        greedy.write_bids(self._laws.parameters, tables, acting, seat, bids)

    def act(self, tables: BatchState, acting: RowMask, actions: WordArray) -> None:
        """Writes the actions that the heuristics prefer."""
        greedy.write_actions(self._laws, tables, acting, actions)


class _GreedyPartnerPlayer:
    """The bot `greedy` in games of partners.

    Args:
        game: the game.
        rules: its compiled rules.
    """

    def __init__(self, game: Game, rules: CompiledRules) -> None:
        self._laws = rules
        self._announce_params = greedy_partners.announce_params(game)

    def bid(self, tables: BatchState, acting: RowMask, seat: int, bids: WordArray) -> None:
        """Does nothing: these games have no bids."""

    def act(self, tables: BatchState, acting: RowMask, actions: WordArray) -> None:
        """Writes the actions that the heuristics prefer."""
        greedy_partners.write_actions(self._laws, self._announce_params, tables, acting, actions)


def greedy_player(game: Game, rules: CompiledRules) -> SeatPlayer:
    """The bot `greedy` at this game.

    Args:
        game: the game.
        rules: its compiled rules.

    Raises:
        GameError: the heuristics of this game are not compiled.
    """
    if game.name in greedy_partners.GAMES:
        return _GreedyPartnerPlayer(game, rules)
    if game.name in greedy.GAMES:
        return _GreedyPlayer(rules)
    able = ", ".join(sorted((*greedy.GAMES, *greedy_partners.GAMES)))
    raise GameError(f"greedy does not play {game.name} in a batch; it plays {able}")


class PolicyPlayer:
    """A player that follows a policy.

    Args:
        policy: the policy.
        look: the function that observes the rounds.
    """

    def __init__(self, policy: Policy, look: ObserveFunction) -> None:
        self._policy = policy
        self._observe = look

    def bid(self, tables: BatchState, acting: RowMask, seat: int, bids: WordArray) -> None:
        """Writes the bids of the policy.

        Raises:
            GameError: an action of the policy is no bid.
        """
        said = self._ask_policy(np.full(len(acting), seat), acting) - BID
        wrong = (said < 0) | (said > tricks.ALL_POINTS)
        self._refuse(wrong, said + BID, acting)
        bids[acting, seat] = said

    def act(self, tables: BatchState, acting: RowMask, actions: WordArray) -> None:
        """Writes the actions of the policy.

        Raises:
            GameError: an action is illegal.
        """
        chosen = self._ask_policy(tables.round_states[:, TURN].copy(), acting)
        within = np.clip(chosen, 0, MAX_ACTIONS)
        wrong = (within != chosen) | (tables.legal[acting] >> within & 1 == 0)
        self._refuse(wrong, chosen, acting)
        actions[acting] = chosen

    def _ask_policy(self, seats: WordArray, acting: RowMask) -> WordArray:
        observation, masks = self._observe(seats, acting)
        chosen = np.asarray(self._policy(observation, masks))
        count = int(acting.sum())
        if chosen.shape != (count,) or not np.issubdtype(chosen.dtype, np.integer):
            raise GameError(
                f"a policy chooses whole numbers of shape ({count},), not {chosen.dtype} of "
                f"{chosen.shape}"
            )
        return chosen.astype(np.int64)

    def _refuse(self, wrong: RowMask, chosen: WordArray, acting: RowMask) -> None:
        if wrong.any():
            one = int(np.flatnonzero(wrong)[0])
            number = int(np.flatnonzero(acting)[one])
            raise GameError(f"an opponent chose {chosen[one]} in round {number}: see its mask")
