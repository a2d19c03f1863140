"""One seat of each round of a batch learns, and others play the rest: by chance, rules or a net.

Whoever trains sees only the positions in which his seat must act; what happens between two of them
happens in one step.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jasstisch.engine import tricks
from jasstisch.engine.errors import GameError, quote
from jasstisch.env.actions import BID, BID_TEXTS
from jasstisch.env.batch import Batch
from jasstisch.env.kernels import transitions
from jasstisch.env.kernels.compiled_rules import SCORING
from jasstisch.env.opponents import (
    Opponent,
    PolicyPlayer,
    RandomPlayer,
    RowMask,
    SeatPlayer,
    WordArray,
    greedy_player,
)
from jasstisch.games.scoring_kinds import BY_DIFFERENCE
from jasstisch.search.jit import prng

__all__ = ["SingleAgentBatch"]

RANDOM, GREEDY = "random", "greedy"


class SingleAgentBatch:
    """A batch as one seat of each round plays it.

    A round that is over before this seat is asked, as at Jass where all others drop, is dealt anew
    and counts for nothing.

    Args:
        batch: the rounds, which are played here from now on.
        opponents: who plays the other seats: `"random"`, `"greedy"` or a policy, which is given
            what `observe` gives of some rounds, and their `action_masks`, and gives an action for
            each; one for all, or one for each seat, of which that of the learner is not asked.
        seats: the learner's seat, or one for each round (n,).
        seed: where the chance of random opponents comes from.
        see: what these seats (n,) are shown instead of `Batch.observe`, for policies too.
        at_end: is told which rounds have ended (n,) before they are dealt anew.

    Attributes:
        batch: as given.
        seats: the learner's seat in each round (n,).
        actions: every action there is by its number; at Differenzler `BID` and the numbers behind
            it too.
        num_actions: actions are numbers below this one.

    Raises:
        GameError: there is no such seat or opponent, or `greedy` does not play this game here.
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
        self.batch = batch
        self._flatten = see or batch.observe
        self._final = at_end
        wide = np.broadcast_to(np.asarray(seats), (batch.num_envs,))
        # A copy: what was given may be written over by whoever has it.
        self.seats = batch.rounds.int_array("seats", wide, (), 0, batch.game.players - 1).copy()
        self.seats.flags.writeable = False
        named = dict(batch.actions)
        if batch.rounds.laws.words[SCORING] == BY_DIFFERENCE:
            named |= BID_TEXTS
        self.actions: Mapping[int, str] = MappingProxyType(named)
        self.num_actions = max(named) + 1
        self._streams = np.zeros(batch.num_envs, dtype=np.uint64)
        self._seed(seed)
        self._players = self._make_players(opponents)
        self._awaiting = np.zeros(batch.num_envs, dtype=np.bool_)
        self._run_to_learner()

    def _make_players(
        self, opponents: Opponent | Sequence[Opponent]
    ) -> list[tuple[SeatPlayer, NDArray[np.bool_]]]:
        """Who plays, each with the seats that are his (p,)."""
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
        if opponent == RANDOM:
            return RandomPlayer(self._streams)
        if opponent == GREEDY:
            return greedy_player(self.batch.game, self.batch.rounds.laws)
        if isinstance(opponent, str) or not callable(opponent):
            raise GameError(f"an opponent is random, greedy or a policy, not {quote(opponent)}")
        return PolicyPlayer(opponent, self._observe_for_policy)

    def _seed(self, seed: int) -> None:
        if type(seed) is not int:
            raise GameError(f"seed is a whole number, not {quote(seed)}")
        rng = Random(f"opponents {seed}")  # noqa: S311 - chance must be repeatable from a seed
        transitions.seed_streams(prng.new_stream(rng), self._streams)

    # Playing.

    def reset(
        self, *, seed: int | None = None, **deals: ArrayLike | None
    ) -> tuple[Any, dict[str, Any]]:
        """Deals all rounds anew, and lets the others play until the learner is to act.

        Args:
            seed: begins the chance of the batch and of the opponents again.
            deals: `packs`, `trumps`, `dealers` and `lines_played`, as `Batch.reset` takes them.

        Returns:
            What the learner sees, and an empty info.

        Raises:
            GameError: an argument is not what it has to be; nothing has changed.
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
        """Does one action of the learner in each round, and what follows until it must act again.

        Args:
            actions: the action in each round (n,), one of `actions` by its number; -1 for rounds
                that are over.
            held: rounds in which nothing is done (n,), whatever their action.

        Returns:
            observation: what the learner sees, see `observe`.
            rewards: of the learner (n,), 0 until a round ends.
            terminations: whether the round has ended in this step (n,).
            truncations: always False (n,).
            info: where rounds have ended that of `Batch.step`, and `rewards` of all seats (n, p).

        Raises:
            GameError: an action is not legal; nothing has changed. Or a policy chose one that is
                not legal; the others have acted then.
        """
        done = self.batch.rounds.int_array("actions", actions, ())
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
        own = self._rewards[np.arange(len(ended)), self.seats]
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
        """All bid in the rounds that await it: the learner so, the others as they like (DF3)."""
        players = self.batch.game.players
        bids = np.zeros((self.batch.num_envs, players), dtype=np.int64)
        for player, theirs in self._players:
            for seat in np.flatnonzero(theirs):
                acting = bidding & (self.seats != seat)
                if acting.any():
                    player.bid(self.batch.rounds.tables, acting, int(seat), bids)
        bids[bidding, self.seats[bidding]] = said[bidding]
        self.batch.rounds.begin_play(bidding, bids)

    def _run_opponents(self) -> None:
        """The others act until the learner must, or the round is over."""
        tables, turns = self.batch.rounds.tables, self.batch.rounds.turns
        while True:
            waiting = (turns >= 0) & (turns != self.seats) & ~self.batch.rounds.bidding
            if not waiting.any():
                return
            actions = np.full(len(turns), -1, dtype=np.int64)
            for player, theirs in self._players:
                acting = waiting & theirs[turns]
                if acting.any():
                    player.act(tables, acting, actions)
            self._apply(actions)

    def _apply(self, actions: WordArray) -> None:
        """Does these actions, -1 for none, and notes what has come of rounds that end with them."""
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

    # What there is to see.

    def observe(self) -> Any:  # noqa: ANN401 - what `see` gives
        """What the learner may know of each round, as `Batch.observe` tells it."""
        return self._flatten(self.seats)

    def action_masks(self) -> NDArray[np.bool_]:
        """What the learner may do in each round, a column for each action (n, num_actions)."""
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
        """What a policy is given."""
        seen = self._flatten(seats)
        if isinstance(seen, Mapping):
            seen = {name: array[acting] for name, array in seen.items()}
        else:
            seen = seen[acting]
        return seen, self._masks()[acting]
