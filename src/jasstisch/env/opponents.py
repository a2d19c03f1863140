"""The players of the other seats of a batch: random, heuristics, a trained net, a bot, or a policy.

All but bots choose for many rounds at once. A bot sees one round after the other.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jasstisch.bots.api import Bot
from jasstisch.engine import tricks
from jasstisch.engine.errors import GameError, quote
from jasstisch.env.actions import BID, MAX_ACTIONS, WEIS
from jasstisch.env.kernels import greedy, greedy_partners, net_players, transitions
from jasstisch.env.kernels.batch_state import BatchState
from jasstisch.env.kernels.compiled_rules import CompiledRules
from jasstisch.env.round_match import is_weis_announced, match_of_round
from jasstisch.games import weis
from jasstisch.games.rules import Game
from jasstisch.games.trick_taking import TrickTaking
from jasstisch.search.jit import prng
from jasstisch.search.nets import bid_model, policy
from jasstisch.search.rounds.round_state import TURN

Policy = Callable[[Any, NDArray[np.bool_]], ArrayLike]
"""Chooses for k rounds at once.

The arguments are the observation of the seat to act in each round, and the action masks (k,
actions); the result is the number of a legal action for each round (k,).
"""

Opponent = str | Bot | Policy
"""`"random"`, `"greedy"`, `"learned"`, a bot or its name, or a policy."""

_CARDS = tricks.CARDS

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


class _NetPlayer:
    """A player of the trained net with which the searching bots finish rounds.

    Cards are drawn by the probabilities of the net. What the net does not know is decided as by
    `greedy`: Weis, answers, robbing and announcements.

    Args:
        family: the family of nets of the game.
        greedy: the player for everything besides cards and bids.
        streams: the random stream of each round (n,).
    """

    def __init__(self, family: str, greedy: SeatPlayer, streams: prng.Stream) -> None:
        self._family, self._greedy, self._streams = family, greedy, streams

    def bid(self, tables: BatchState, acting: RowMask, seat: int, bids: WordArray) -> None:
        """Writes the bids of the linear model that was trained with the net."""
        weights = bid_model.load_weights()[policy.LEARNED]
        net_players.write_bids(tables, acting, seat, weights, bids)

    def act(self, tables: BatchState, acting: RowMask, actions: WordArray) -> None:
        """Writes other actions that `greedy` prefers to a card, and cards of the net."""
        undecided = acting & (tables.legal >> _CARDS != 0)
        if undecided.any():
            self._greedy.act(tables, undecided, actions)
            acting = acting & ~(undecided & (actions >= _CARDS))
        net_players.write_cards(
            tables,
            acting,
            policy.playout_nets(self._family),
            policy.new_scratch(),
            self._streams,
            actions,
        )


def net_player(game: Game, rules: CompiledRules, streams: prng.Stream) -> SeatPlayer:
    """The trained net of this game.

    Args:
        game: the game.
        rules: its compiled rules.
        streams: the random stream of each round (n,).

    Raises:
        GameError: no net was trained for this game.
    """
    family = game.rules.net_family if issubclass(game.rules, TrickTaking) else ""
    if not family:
        raise GameError(f"no net was trained for {game.name}")
    return _NetPlayer(family, greedy_player(game, rules), streams)


class BotPlayer:
    """A player of a bot, which gets the view of a match for each decision.

    Args:
        bot: the bot; one with a time limit plays without it, so that equal seeds give equal games.
        game: the game.
        actions: the number of each action by its text.
        streams: the random stream of each round (n,).

    Raises:
        GameError: the bot does not play this game.
    """

    def __init__(
        self, bot: Bot, game: Game, actions: Mapping[str, int], streams: prng.Stream
    ) -> None:
        games = getattr(bot, "games", (game.name,))
        if game.name not in games:
            raise GameError(f"{bot.name} does not play {game.name}; it plays {', '.join(games)}")
        self._bot: Bot = bot.without_clock() if hasattr(bot, "without_clock") else bot
        self._game, self._actions, self._streams = game, actions, streams

    def bid(self, tables: BatchState, acting: RowMask, seat: int, bids: WordArray) -> None:
        """Writes the bids of the bot.

        Raises:
            GameError: an action of the bot is no bid.
        """
        for one in np.flatnonzero(acting):
            bids[one, seat] = self._choose(tables, int(one), seat) - BID

    def act(self, tables: BatchState, acting: RowMask, actions: WordArray) -> None:
        """Writes the actions of the bot.

        Raises:
            GameError: an action is illegal.
        """
        for one in np.flatnonzero(acting):
            seat = int(tables.round_states[one, TURN])
            actions[one] = self._choose(tables, int(one), seat)

    def _choose(self, tables: BatchState, one: int, seat: int) -> int:
        match = match_of_round(self._game, tables, one)
        legal = match.legal(seat)
        announcing = is_weis_announced(tables, one)
        if announcing:
            legal = [text for text in legal if text.endswith(weis.WEIS)]
        word = int(prng.next_u64(self._streams[one : one + 1]))
        text = self._bot.act(match.view(seat), legal, Random(word))  # noqa: S311 - repeatable
        if text not in legal:
            raise GameError(
                f"{self._bot.name} chose {quote(text)} in round {one}; legal: {', '.join(legal)}"
            )
        if text.endswith(weis.WEIS) and not announcing:
            return WEIS
        return self._actions[text.removeprefix("play ").removesuffix(weis.WEIS)]


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
