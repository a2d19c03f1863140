"""The state and the steps of the rounds of a batch: dealing, bids, actions, results.

The public classes built on it, `Batch` and `SingleAgentBatch`, validate arguments and present
results.
"""

from random import Random
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jasstisch.engine.errors import GameError, quote
from jasstisch.env.actions import MAX_ACTIONS, action_texts
from jasstisch.env.array_validation import checked_int_array
from jasstisch.env.kernels import batch_state, transitions
from jasstisch.env.kernels.batch_state import BatchState
from jasstisch.env.kernels.compiled_rules import LINES_CROSS_OUT, SCORING, compile_rules
from jasstisch.games.rules import Game
from jasstisch.games.scoring_kinds import BY_SIDE, BY_STROKES
from jasstisch.games.trick_taking import TrickTaking
from jasstisch.search.jit import prng
from jasstisch.search.rounds import round_state

_WordArray = NDArray[np.int64]
_RowMask = NDArray[np.bool_]


class RoundBatch:
    """Many rounds of one game.

    Args:
        game: a game of tricks.
        count: the number of rounds.

    Attributes:
        game: the rules.
        count: the number of rounds.
        compiled_rules: the compiled rules.
        state: the state of the rounds.
        actions: all actions by number.

    Raises:
        GameError: a batch does not support the game, or the number is invalid.
    """

    def __init__(self, game: Game, count: int) -> None:
        self.compiled_rules = compile_rules(game)
        if type(count) is not int or count < 1:
            raise GameError(f"num_envs is a whole number from 1 on, not {quote(count)}")
        self.game = game
        self.count = count
        rules = game.rules(game)
        assert isinstance(rules, TrickTaking)
        self.actions = action_texts(rules)
        cards = len(self.compiled_rules.pack)
        self.state = BatchState(
            round_states=np.tile(self.compiled_rules.empty_state, (count, 1)),
            round_details=np.zeros((count, batch_state.ROW_SIZE), dtype=np.int64),
            history=np.full((count, cards, 2), -1, dtype=np.int8),
            legal=np.zeros(count, dtype=np.int64),
            packs=np.tile(self.compiled_rules.pack, (count, 1)),
            trumps=np.zeros(count, dtype=np.int64),
            lines_played=np.zeros((count, 2), dtype=np.int64),
            random_streams=np.zeros(count, dtype=np.uint64),
        )

    # Dealing.

    def seed(self, rng: Random) -> None:
        """Restarts the random streams of the deals."""
        transitions.seed_streams(prng.new_stream(rng), self.state.random_streams)
        self.state.packs[:] = (
            self.compiled_rules.pack
        )  # a shuffle starts from the present order of the pack

    def shuffle(self, chosen: _RowMask) -> None:
        """Shuffles the packs of these rounds, and draws their trumps."""
        transitions.shuffle_packs(self.state, chosen)

    def deal(self, chosen: _RowMask) -> None:
        """Deals these rounds from their packs, by their dealers."""
        transitions.deal(self.compiled_rules, self.state, chosen)
        transitions.write_legal(self.compiled_rules, self.state)

    def redeal(self, ended: _RowMask) -> None:
        """Deals these rounds again, by the next dealer, or after a void round by the same one."""
        passing = ended & (self.state.round_details[:, batch_state.IS_VOID] == 0)
        self.state.round_details[passing, batch_state.DEALER] += 1
        self.state.round_details[:, batch_state.DEALER] %= self.game.players
        self.shuffle(ended)
        self.deal(ended)

    # Playing.

    @property
    def seats_to_act(self) -> _WordArray:
        """The seat to act in each round, -1 if it is over; not a copy."""
        turns: _WordArray = self.state.round_states[:, round_state.TURN]
        return turns

    @property
    def bidding(self) -> _RowMask:
        """The rounds that wait for bids."""
        bidding: _RowMask = self.state.round_details[:, batch_state.PHASE] == batch_state.BIDDING
        return bidding

    @property
    def over(self) -> _RowMask:
        """The rounds that are over."""
        over: _RowMask = self.state.round_details[:, batch_state.PHASE] == batch_state.OVER
        return over

    def place_bids(self, chosen: _RowMask, bids: _WordArray) -> None:
        """Places the bids (n, p) in those of these rounds that wait for them."""
        transitions.place_bids(self.state, chosen, bids)
        transitions.write_legal(self.compiled_rules, self.state)

    def act(self, actions: _WordArray, rewards: NDArray[np.int32], ended: _RowMask) -> bool:
        """Performs a legal action in each round, none if it is -1; returns whether any round ends.

        Args:
            actions: the actions (n,).
            rewards: receives the rewards of all seats in rounds that have ended (n, p).
            ended: receives which rounds have ended (n,).
        """
        if self.compiled_rules.parameters[SCORING] in (BY_STROKES, BY_SIDE):
            count = transitions.act(self.compiled_rules, self.state, actions)
        else:
            count = transitions.play(self.state, actions)
        if count:
            transitions.settle_ended(self.compiled_rules, self.state, actions, rewards, ended)
        return count > 0

    def points(self) -> NDArray[np.int16]:
        """The points so far of all seats (n, p), or of their sides."""
        result = np.empty((self.count, self.game.players), dtype=np.int16)
        transitions.write_points(self.compiled_rules.parameters, self.state.round_states, result)
        return result

    def final_results(self) -> dict[str, Any]:
        """The results of rounds that have ended."""
        return {
            "points": self.points(),
            "void": self.state.round_details[:, batch_state.IS_VOID] == 1,
            "drawn": self.state.round_details[:, batch_state.DRAWN_SEAT].astype(np.int8),
            "match": self.state.round_details[:, batch_state.MATCH_SIDE].astype(np.int8),
        }

    # Validation.

    def check_actions(self, actions: _WordArray, chosen: _RowMask | None = None) -> None:
        """Raises an error if an action is illegal, or missing where one is due.

        Args:
            actions: the actions to perform (n,).
            chosen: the rounds to check, all if omitted.

        Raises:
            GameError: an action is illegal; the message names the first one and the legal actions.
        """
        legal = self.state.legal if chosen is None else np.where(chosen, self.state.legal, 0)
        refused = transitions.first_refused(legal, actions)
        if refused >= 0:
            raise GameError(self._describe_illegal(refused, int(actions[refused])))

    def _describe_illegal(self, one: int, action: int) -> str:
        """Says why an action is illegal, and which actions are legal."""
        legal = int(self.state.legal[one])
        tried = self._action_text(action) if action in self.actions else str(action)
        if not legal:
            return f"actions[{one}] is {tried}, but that round is over: give -1, or reset"
        allowed = ", ".join(self._action_text(n) for n in range(MAX_ACTIONS + 1) if legal >> n & 1)
        seat = int(self.seats_to_act[one])
        return f"actions[{one}] is {tried}, which seat {seat} may not do; legal: {allowed}"

    def _action_text(self, action: int) -> str:
        """The text of an action for messages."""
        return f"{action} ({self.actions[action]})"

    def check_packs(self, packs: _WordArray | None) -> None:
        """Raises an error if a pack is not the whole pack.

        Raises:
            GameError: a pack is invalid; the message names the first one.
        """
        if packs is None:
            return
        wrong = (np.sort(packs, axis=1) != np.sort(self.compiled_rules.pack)).any(axis=1)
        if wrong.any():
            one = int(np.flatnonzero(wrong)[0])
            raise GameError(f"packs[{one}] must hold each card of the pack once")

    def check_lines_played(self, played: ArrayLike | None) -> _WordArray:
        """Validates the lines that each side has played; at least one must be left.

        Raises:
            GameError: a line does not exist, or none is left.
        """
        if played is None:
            return np.zeros((self.count, 2), dtype=np.int64)
        if not self.compiled_rules.parameters[LINES_CROSS_OUT]:
            raise GameError(f"lines_played: {self.game.name} has no lines that are played once")
        every = (1 << len(self.compiled_rules.line_actions)) - 1
        slates = self.checked_int_array("lines_played", played, (2,), 0, every)
        full = np.flatnonzero((slates == every).all(axis=1))
        if len(full):
            raise GameError(f"lines_played[{full[0]}] leaves no line to play")
        return slates

    def checked_int_array(
        self,
        name: str,
        given: ArrayLike,
        shape: tuple[int, ...],
        low: int | None = None,
        high: int | None = None,
    ) -> NDArray[np.int64]:
        """Converts an argument to an array of words and checks its shape and bounds.

        Raises:
            GameError: the argument is not such an array.
        """
        return checked_int_array(name, given, (self.count, *shape), low, high)
