"""A batch for a single learning agent: opponents play the other seats of each round.

The agent only sees positions in which its seat must act; all plays between two of them belong to
one step.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from random import Random
from types import MappingProxyType
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jasstisch.bots import UnknownBotError, bot
from jasstisch.bots.api import Bot
from jasstisch.engine import tricks
from jasstisch.engine.errors import GameError, quote
from jasstisch.env.actions import BID, BID_TEXTS
from jasstisch.env.batch import Batch
from jasstisch.env.checkpoint import ResumableBatch
from jasstisch.env.kernels import transitions
from jasstisch.env.kernels.compiled_rules import SCORING
from jasstisch.env.opponents import (
    BotPlayer,
    Opponent,
    PolicyPlayer,
    RandomPlayer,
    RowMask,
    SeatPlayer,
    WordArray,
    greedy_player,
    net_player,
)
from jasstisch.games.scoring_kinds import BY_DIFFERENCE
from jasstisch.search.jit import prng

_RANDOM, _GREEDY, _LEARNED = "random", "greedy", "learned"
_NAMED = f"{_RANDOM}, {_GREEDY}, {_LEARNED}"


class SingleAgentBatch(ResumableBatch):
    """A batch from the point of view of one seat of each round.

    A round that is over before this seat has to act, as at Jass when all others drop, is dealt
    again and does not count. A saved state contains the rounds and the random opponents, but not
    what a policy remembers; a copy shares its policies with this object.

    Args:
        batch: the rounds, which this object steps from now on.
        opponents: the players of the other seats: `"random"`, `"greedy"`, `"learned"` (the trained
            net of the searching bots), another bot or its name, or a policy. A policy receives the
            result of `observe` for some rounds and their `action_masks`, and returns an action for
            each. One for all seats, or one for each seat; the one for the learner's seat is not
            used.
        seats: the learner's seat, or one for each round (n,).
        seed: the seed of random opponents.
        see: a function that observes these seats (n,) instead of `Batch.observe`, for policies too.
        at_end: called with the rounds that have ended (n,), before they are dealt again.

    Attributes:
        game: the rules.
        batch: the rounds.
        num_actions: actions are numbers below this one.

    Raises:
        GameError: a seat or opponent does not exist, or an opponent does not play this game.
    """

    def __init__(
        self,
        batch: Batch,
        opponents: Opponent | Sequence[Opponent],
        seats: ArrayLike = 0,
        *,
        seed: int = 0,
        see: Callable[[WordArray], Any] | None = None,
        at_end: Callable[[RowMask], None] | None = None,
    ) -> None:
        self.game = batch.game
        self.batch = batch
        self._flatten = see or batch.observe
        self._final = at_end
        wide = np.broadcast_to(np.asarray(seats), (batch.num_envs,))
        # A copy, because the caller may overwrite its array.
        self._seats = batch.rounds.checked_int_array(
            "seats", wide, (), 0, batch.game.players - 1
        ).copy()
        named = dict(batch.actions)
        if batch.rounds.compiled_rules.parameters[SCORING] == BY_DIFFERENCE:
            named |= BID_TEXTS
        self._actions = named
        self.num_actions = max(named) + 1
        self._streams = np.zeros(batch.num_envs, dtype=np.uint64)
        self._seed(seed)
        self._opponents = opponents
        self._players = self._make_players(opponents)
        self._awaiting = np.zeros(batch.num_envs, dtype=np.bool_)
        self._run_to_learner()

    @property
    def seats(self) -> WordArray:
        """The learner's seat in each round (n,), read-only."""
        seats = self._seats.view()
        seats.flags.writeable = False
        return seats

    @property
    def actions(self) -> Mapping[int, str]:
        """All actions by number; at Differenzler including `BID` and the numbers after it."""
        return MappingProxyType(self._actions)

    def state_arrays(self) -> Mapping[str, NDArray[Any]]:
        """The arrays that change while the batch is stepped, by name; not copies."""
        own = {"opponent_streams": self._streams, "awaiting": self._awaiting}
        return {**self.batch.state_arrays(), **own}

    def copy(self) -> Self:
        """An independent copy, which goes on as this object does and shares its policies."""
        return deepcopy(self, {id(self._opponents): self._opponents, **self._shared_policies()})

    def _shared_policies(self) -> dict[int, Any]:
        some = self._opponents if isinstance(self._opponents, Sequence) else [self._opponents]
        return {id(policy): policy for policy in some}

    def _make_players(
        self, opponents: Opponent | Sequence[Opponent]
    ) -> list[tuple[SeatPlayer, NDArray[np.bool_]]]:
        """The players, each with the mask of its seats (p,)."""
        players = self.batch.game.players
        if isinstance(opponents, str) or not isinstance(opponents, Sequence):
            return [(self._make_player(opponents), np.ones(players, dtype=np.bool_))]
        if len(opponents) != players:
            raise GameError(f"opponents are one, or one for each of {players} seats")
        return [
            (self._make_player(opponent), np.arange(players) == seat)
            for seat, opponent in enumerate(opponents)
        ]

    def _make_player(self, opponent: Opponent) -> SeatPlayer:
        if opponent == _RANDOM:
            return RandomPlayer(self._streams)
        if opponent == _GREEDY:
            return greedy_player(self.batch.game, self.batch.rounds.compiled_rules)
        if opponent == _LEARNED:
            rules = self.batch.rounds.compiled_rules
            return net_player(self.batch.game, rules, self._streams)
        if isinstance(opponent, str):
            opponent = _bot_called(opponent)
        if isinstance(opponent, Bot):
            numbers = {text: number for number, text in self._actions.items()}
            return BotPlayer(opponent, self.game, numbers, self._streams)
        if not callable(opponent):
            raise GameError(
                f"an opponent is {_NAMED}, another bot or a policy, not {quote(opponent)}"
            )
        return PolicyPlayer(opponent, self._observe_for_policy)

    def _seed(self, seed: int) -> None:
        if type(seed) is not int:
            raise GameError(f"seed is a whole number, not {quote(seed)}")
        rng = Random(f"opponents {seed}")  # noqa: S311 - chance must be repeatable from a seed
        transitions.seed_streams(prng.new_stream(rng), self._streams)

    # Play.

    def reset(
        self, *, seed: int | None = None, **deals: ArrayLike | None
    ) -> tuple[Any, dict[str, Any]]:
        """Deals all rounds and lets the opponents play until the learner is to act.

        Args:
            seed: restarts the random streams of the batch and of the opponents.
            deals: `packs`, `trumps`, `dealers` and `lines_played`, as in `Batch.reset`.

        Returns:
            The learner's observation, and an empty info.

        Raises:
            GameError: an argument is invalid; nothing has changed.
        """
        self.batch.reset(seed=seed, **deals)
        if seed is not None:
            self._seed(seed)
        self._run_to_learner()
        return self.observe(), {}

    def _run_to_learner(self) -> None:
        self._awaiting[:] = False
        self._start_step()
        over = self.batch.rounds.over
        if over.any():
            self.batch.rounds.redeal(over)
        self._run_opponents()

    def _start_step(self) -> None:
        envs, players = self.batch.num_envs, self.batch.game.players
        self._rewards = np.zeros((envs, players), dtype=np.int32)
        self._ended = np.zeros(envs, dtype=np.bool_)
        self._info: dict[str, Any] = {}

    def step(
        self, actions: ArrayLike, *, held: RowMask | None = None
    ) -> tuple[Any, NDArray[np.int32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Performs one action of the learner in each round and runs it until the learner must act.

        Args:
            actions: the action in each round (n,), one of `actions` by its number; -1 for rounds
                that are over.
            held: rounds in which nothing is performed (n,), whatever their action.

        Returns:
            observation: the learner's observation, see `observe`.
            rewards: the rewards of the learner (n,), 0 until a round ends.
            terminations: whether the round has ended in this step (n,).
            truncations: always False (n,).
            info: for ended rounds that of `Batch.step`, and `rewards` of all seats (n, p).

        Raises:
            GameError: an action is illegal; nothing has changed. Or an action of a policy is
                illegal; the other opponents have acted then.
        """
        done = self.batch.rounds.checked_int_array("actions", actions, ())
        going = np.ones(len(done), dtype=np.bool_) if held is None else ~held
        bidding = self.batch.rounds.bidding & going
        said = np.where(bidding, done - BID, 0)
        cards = np.where(going & ~bidding, done, -1)
        self._validate(done, said, cards, going)
        self._start_step()
        self._awaiting |= going & (done >= 0)
        if bidding.any():
            self._place_bids(said, bidding)
        self._apply(cards)
        self._run_opponents()
        seen, ended = self.observe(), self._ended
        own = self._rewards[np.arange(len(ended)), self._seats]
        info = self._info | {"rewards": self._rewards} if ended.any() else {}
        return seen, own, ended, np.zeros_like(ended), info

    def _validate(self, done: WordArray, said: WordArray, cards: WordArray, going: RowMask) -> None:
        wrong = np.flatnonzero((said < 0) | (said > tricks.ALL_POINTS))
        if len(wrong):
            raise GameError(
                f"actions[{wrong[0]}] is {done[wrong[0]]}, but a bid is due, {BID} for 0 points to "
                f"{BID + tricks.ALL_POINTS} for {tricks.ALL_POINTS}"
            )
        self.batch.rounds.check_actions(cards, going)

    def _place_bids(self, said: WordArray, bidding: RowMask) -> None:
        """Places the bids of the learner and the opponents in rounds that wait for them (DF3)."""
        players = self.batch.game.players
        bids = np.zeros((self.batch.num_envs, players), dtype=np.int64)
        for player, theirs in self._players:
            for seat in np.flatnonzero(theirs):
                acting = bidding & (self._seats != seat)
                if acting.any():
                    player.bid(self.batch.rounds.state, acting, int(seat), bids)
        bids[bidding, self._seats[bidding]] = said[bidding]
        self.batch.rounds.place_bids(bidding, bids)

    def _run_opponents(self) -> None:
        """Lets the opponents act until the learner must, or the round is over."""
        tables, turns = self.batch.rounds.state, self.batch.rounds.seats_to_act
        while True:
            waiting = (turns >= 0) & (turns != self._seats) & ~self.batch.rounds.bidding
            if not waiting.any():
                return
            actions = np.full(len(turns), -1, dtype=np.int64)
            for player, theirs in self._players:
                acting = waiting & theirs[turns]
                if acting.any():
                    player.act(tables, acting, actions)
            self._apply(actions)

    def _apply(self, actions: WordArray) -> None:
        """Performs these actions, -1 for none, and records the results of rounds that end."""
        rewards, ended = np.zeros_like(self._rewards), np.zeros_like(self._ended)
        if not self.batch.rounds.act(actions, rewards, ended):
            return
        counted = ended & self._awaiting
        if counted.any():
            self._record_ended(counted, rewards)
        again = ended if self.batch.redeal else ended & ~counted
        if again.any():
            self._awaiting[again] = False
            self.batch.rounds.redeal(again)

    def _record_ended(self, ended: RowMask, rewards: NDArray[np.int32]) -> None:
        if self._final is not None:
            self._final(ended)
        self._ended |= ended
        self._rewards[ended] = rewards[ended]
        for name, array in self.batch.rounds.final_results().items():
            self._info.setdefault(name, array.copy())[ended] = array[ended]

    # Observations.

    def observe(self) -> Any:  # noqa: ANN401 - what `see` gives
        """The learner's information in each round, as from `Batch.observe`."""
        return self._flatten(self._seats)

    def action_masks(self) -> NDArray[np.bool_]:
        """The learner's legal actions in each round, a column for each action (n, num_actions)."""
        return self._masks()

    def _masks(self) -> NDArray[np.bool_]:
        result = np.zeros((self.batch.num_envs, self.num_actions), dtype=np.bool_)
        result[:, : self.batch.num_actions] = self.batch.action_masks()
        if self.num_actions > self.batch.num_actions:
            result[self.batch.rounds.bidding, BID:] = True
        return result

    def _observe_for_policy(
        self, seats: WordArray, acting: RowMask
    ) -> tuple[Any, NDArray[np.bool_]]:
        """The observations and masks for a policy."""
        seen = self._flatten(seats)
        if isinstance(seen, Mapping):
            seen = {name: array[acting] for name, array in seen.items()}
        else:
            seen = seen[acting]
        return seen, self._masks()[acting]


def _bot_called(name: str) -> Bot:
    """The bot of this name.

    Raises:
        GameError: there is none.
    """
    try:
        return bot(name)
    except UnknownBotError as error:
        raise GameError(f"an opponent is {_NAMED}, another bot or a policy: {error}") from error
