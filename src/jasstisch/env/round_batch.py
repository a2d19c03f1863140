"""The rounds of a batch as they are played: dealing, bids, actions, what comes of them.

What is asked of a batch is checked and answered by what is built on them: `Batch`, `Against`.
"""

from random import Random
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jasstisch.engine.errors import GameError, quote
from jasstisch.env.actions import MAX_ACTIONS, action_texts
from jasstisch.env.arrays import int_array
from jasstisch.env.kernels import batch_state, transitions
from jasstisch.env.kernels.batch_state import BatchState
from jasstisch.env.kernels.compiled_rules import LINES_CROSS_OUT, SCORING, compile_rules
from jasstisch.games.rules import Game
from jasstisch.games.scoring_kinds import BY_SIDE, BY_STROKES
from jasstisch.games.trick_taking import TrickTaking
from jasstisch.search.jit import prng
from jasstisch.search.rounds import round_state

__all__ = ["RoundBatch"]

WordArray = NDArray[np.int64]
RowMask = NDArray[np.bool_]


class RoundBatch:
    """Many rounds of one game.

    Args:
        game: a game of tricks.
        count: how many.

    Attributes:
        game: the rules.
        count: as given.
        laws: the rules for kernels.
        tables: how the rounds stand.
        actions: every action there is by its number.

    Raises:
        GameError: a batch cannot play the game, or the number is not allowed.
    """

    def __init__(self, game: Game, count: int) -> None:
        self.laws = compile_rules(game)
        if type(count) is not int or count < 1:
            raise GameError(f"num_envs is a whole number from 1 on, not {quote(count)}")
        self.game = game
        self.count = count
        rules = game.rules(game)
        assert isinstance(rules, TrickTaking)
        self.actions = action_texts(rules)
        cards = len(self.laws.pack)
        self.tables = BatchState(
            states=np.tile(self.laws.empty_state, (count, 1)),
            rows=np.zeros((count, batch_state.ROW_SIZE), dtype=np.int64),
            history=np.full((count, cards, 2), -1, dtype=np.int8),
            legal=np.zeros(count, dtype=np.int64),
            packs=np.tile(self.laws.pack, (count, 1)),
            trumps=np.zeros(count, dtype=np.int64),
            slates=np.zeros((count, 2), dtype=np.int64),
            streams=np.zeros(count, dtype=np.uint64),
        )

    # Dealing.

    def seed(self, rng: Random) -> None:
        """Begins the chance of the deals again."""
        transitions.seed_streams(prng.new_stream(rng), self.tables.streams)
        self.tables.packs[:] = self.laws.pack  # a pack is shuffled from the order it lies in

    def shuffle(self, chosen: RowMask) -> None:
        """Shuffles the packs of these rounds, and draws their trumps."""
        transitions.shuffle_packs(self.tables, chosen)

    def deal(self, chosen: RowMask) -> None:
        """Deals these rounds from their packs, by their dealers."""
        transitions.deal(self.laws, self.tables, chosen)
        transitions.write_legal(self.laws, self.tables)

    def redeal(self, ended: RowMask) -> None:
        """Deals these rounds anew, by the next dealer; after a void one the same deals again."""
        passing = ended & (self.tables.rows[:, batch_state.IS_VOID] == 0)
        self.tables.rows[passing, batch_state.DEALER] += 1
        self.tables.rows[:, batch_state.DEALER] %= self.game.players
        self.shuffle(ended)
        self.deal(ended)

    # Playing.

    @property
    def turns(self) -> WordArray:
        """The seat to act in each round, -1 where it is over; the array itself."""
        turns: WordArray = self.tables.states[:, round_state.TURN]
        return turns

    @property
    def bidding(self) -> RowMask:
        """Which rounds await their bids."""
        bidding: RowMask = self.tables.rows[:, batch_state.PHASE] == batch_state.BIDDING
        return bidding

    @property
    def over(self) -> RowMask:
        """Which rounds are over."""
        over: RowMask = self.tables.rows[:, batch_state.PHASE] == batch_state.OVER
        return over

    def begin_play(self, chosen: RowMask, bids: WordArray) -> None:
        """Gives their bids (n, p) to those of these rounds that await them."""
        transitions.begin_play(self.tables, chosen, bids)
        transitions.write_legal(self.laws, self.tables)

    def act(self, actions: WordArray, rewards: NDArray[np.int32], ended: RowMask) -> bool:
        """Does a legal action in each round, none where it is -1; whether rounds end with them.

        Args:
            actions: what is done (n,).
            rewards: where rounds have ended, those of all seats are written here (n, p).
            ended: which have is written here (n,).
        """
        if self.laws.words[SCORING] in (BY_STROKES, BY_SIDE):
            count = transitions.act(self.laws, self.tables, actions)
        else:
            count = transitions.play(self.tables, actions)
        if count:
            transitions.settle_ended(self.laws, self.tables, actions, rewards, ended)
        return count > 0

    def points(self) -> NDArray[np.int16]:
        """The points of all seats so far (n, p), or of their sides."""
        result = np.empty((self.count, self.game.players), dtype=np.int16)
        transitions.write_points(self.laws.words, self.tables.states, result)
        return result

    def final_results(self) -> dict[str, Any]:
        """What rounds that have ended came to."""
        return {
            "points": self.points(),
            "void": self.tables.rows[:, batch_state.IS_VOID] == 1,
            "drawn": self.tables.rows[:, batch_state.DRAWN_SEAT].astype(np.int8),
            "match": self.tables.rows[:, batch_state.MATCH_SIDE].astype(np.int8),
        }

    # Checking.

    def check_actions(self, actions: WordArray, chosen: RowMask | None = None) -> None:
        """Refuses actions of which one is not legal, or none where one is due.

        Args:
            actions: what is to be done (n,).
            chosen: the rounds it is about, all if not given.

        Raises:
            GameError: it names the first one, and what would be legal.
        """
        legal = self.tables.legal if chosen is None else np.where(chosen, self.tables.legal, 0)
        refused = transitions.first_refused(legal, actions)
        if refused >= 0:
            raise GameError(self._describe_illegal(refused, int(actions[refused])))

    def _describe_illegal(self, one: int, action: int) -> str:
        """Why an action was refused, and what would be legal."""
        legal = int(self.tables.legal[one])
        tried = self._action_text(action) if action in self.actions else str(action)
        if not legal:
            return f"actions[{one}] is {tried}, but that round is over: give -1, or reset"
        allowed = ", ".join(self._action_text(n) for n in range(MAX_ACTIONS + 1) if legal >> n & 1)
        seat = int(self.turns[one])
        return f"actions[{one}] is {tried}, which seat {seat} may not do; legal: {allowed}"

    def _action_text(self, action: int) -> str:
        """An action for a reader."""
        return f"{action} ({self.actions[action]})"

    def check_packs(self, packs: WordArray | None) -> None:
        """Refuses packs of which one is not the whole pack.

        Raises:
            GameError: it names the first one.
        """
        if packs is None:
            return
        wrong = (np.sort(packs, axis=1) != np.sort(self.laws.pack)).any(axis=1)
        if wrong.any():
            one = int(np.flatnonzero(wrong)[0])
            raise GameError(f"packs[{one}] must hold each card of the pack once")

    def check_slates(self, played: ArrayLike | None) -> WordArray:
        """The lines that each side has played, as asked for; one at least must be left.

        Raises:
            GameError: there are no such lines, or none is left.
        """
        if played is None:
            return np.zeros((self.count, 2), dtype=np.int64)
        if not self.laws.words[LINES_CROSS_OUT]:
            raise GameError(f"lines_played: {self.game.name} has no lines that are played once")
        every = (1 << len(self.laws.lines)) - 1
        slates = self.int_array("lines_played", played, (2,), 0, every)
        full = np.flatnonzero((slates == every).all(axis=1))
        if len(full):
            raise GameError(f"lines_played[{full[0]}] leaves no line to play")
        return slates

    def int_array(
        self,
        name: str,
        given: ArrayLike,
        shape: tuple[int, ...],
        low: int | None = None,
        high: int | None = None,
    ) -> NDArray[np.int64]:
        """An argument as an array of words, a row for each round, within bounds if there are any.

        Raises:
            GameError: it is none.
        """
        return int_array(name, given, (self.count, *shape), low, high)
