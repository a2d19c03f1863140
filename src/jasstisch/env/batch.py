"""A batch of rounds of one game, stepped together from Python.

The words are those of Gymnasium's vector environments: `num_envs`, `reset`, `step`. One seat acts
in each round at a time, as the rules have it, so that an observation is that of the seat to act and
rewards have a column for each seat. What is legal, who takes a trick and what it is worth is
decided by the very functions that `jasstisch.Match` uses, compiled.
"""

from collections.abc import Mapping
from random import Random
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from jasstisch import tricks
from jasstisch.cards import JASS
from jasstisch.env import rows, steps
from jasstisch.env.actions import actions_of
from jasstisch.env.laws import KIND, LINES_CROSS_OUT, laws_of
from jasstisch.env.observing import Observation, observation
from jasstisch.env.rows import Tables
from jasstisch.errors import GameError, quote
from jasstisch.games.rules import Game
from jasstisch.games.scoring import BY_SIDE, BY_STROKES
from jasstisch.games.trick_taking import TrickTaking
from jasstisch.search import chance, rounds

__all__ = ["Batch", "Step", "masks"]

Step = tuple[Observation, NDArray[np.int32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]
"""What a step returns: observation, rewards, terminations, truncations, info."""

WORD = 64


class Batch:
    """Many rounds of one game at once.

    A round knows no match: at Schieber it is played to its last card whatever the target (SC6), and
    at Coiffeur it begins with an empty slate, or with the lines played that `reset` is given (CO1).

    Args:
        game: a game of tricks, from `jasstisch.game`.
        num_envs: how many rounds are played side by side.
        seed: where their chance comes from: round i gets the same deals in a batch of any size,
            whatever is played.
        redeal: whether a round that has ended is dealt anew in the same step, by the next dealer.

    Attributes:
        game: the rules.
        num_envs: the number of rounds.
        actions: every action there is at this table by its number: a card's text, or what `Match`
            calls it.
        num_actions: actions are numbers below this one.
        redeal: as given.

    Raises:
        GameError: the game has no tricks, or a number is not allowed.
    """

    def __init__(self, game: Game, num_envs: int, *, seed: int = 0, redeal: bool = False) -> None:
        self._laws = laws_of(game)
        if type(num_envs) is not int or num_envs < 1:
            raise GameError(f"num_envs is a whole number from 1 on, not {quote(num_envs)}")
        self.game = game
        self.num_envs = num_envs
        rules = game.rules(game)
        assert isinstance(rules, TrickTaking)
        self.actions: Mapping[int, str] = MappingProxyType(actions_of(rules))
        self.num_actions = max(self.actions) + 1
        self.redeal = redeal
        cards = len(self._laws.pack)
        self._tables = Tables(
            states=np.tile(self._laws.empty, (num_envs, 1)),
            rows=np.zeros((num_envs, rows.ROW), dtype=np.int64),
            history=np.full((num_envs, cards, 2), -1, dtype=np.int8),
            legal=np.zeros(num_envs, dtype=np.int64),
            packs=np.tile(self._laws.pack, (num_envs, 1)),
            trumps=np.zeros(num_envs, dtype=np.int64),
            slates=np.zeros((num_envs, 2), dtype=np.int64),
            streams=np.zeros(num_envs, dtype=np.uint64),
        )
        self._choices = np.zeros(1, dtype=np.uint64)
        self._bids_due = False
        self.reset(seed=seed)

    # Dealing.

    def reset(
        self,
        *,
        seed: int | None = None,
        packs: ArrayLike | None = None,
        trumps: ArrayLike | None = None,
        dealers: ArrayLike | None = None,
        lines_played: ArrayLike | None = None,
    ) -> tuple[Observation, dict[str, Any]]:
        """Deals all rounds anew.

        Args:
            seed: begins the chance of this batch again; it goes on where it is when not given.
            packs: the shuffled packs to deal from, front card first (n, cards); by chance if not
                given.
            trumps: the trump suits drawn at Differenzler (n,); by chance if not given.
            dealers: the seats that deal (n,); round i is dealt by seat i modulo the seats if not
                given.
            lines_played: at Coiffeur the sets of the lines that each side has played before (n, 2),
                bit i for line i of the slate; none if not given. Rounds that are dealt anew begin
                with the same.

        Returns:
            The observation of the seats to act, and an empty info.

        Raises:
            GameError: an argument is not what it has to be; nothing has changed.
        """
        cards = len(self._laws.pack)
        given_packs = None if packs is None else self._numbers("packs", packs, (cards,))
        given_trumps = None if trumps is None else self._numbers("trumps", trumps, (), 0, 3)
        players = self.game.players
        self._check_packs(given_packs)
        if dealers is None:
            given_dealers = np.arange(self.num_envs) % players
        else:
            given_dealers = self._numbers("dealers", dealers, (), 0, players - 1)
        slates = self._slates(lines_played)
        if seed is not None:
            self._seed(seed)
        everyone = np.ones(self.num_envs, dtype=np.bool_)
        self._tables.rows[:, rows.DEALER] = given_dealers
        self._tables.slates[:] = slates
        steps.shuffle_packs(self._tables, everyone)
        if given_packs is not None:
            self._tables.packs[:] = given_packs
        if given_trumps is not None:
            self._tables.trumps[:] = given_trumps
        self._deal(everyone)
        return self.observe(), {}

    def _seed(self, seed: int) -> None:
        if type(seed) is not int:
            raise GameError(f"seed is a whole number, not {quote(seed)}")
        rng = Random(seed)  # noqa: S311 - chance must be repeatable from a seed
        steps.seeds(chance.stream(rng), self._tables.streams)
        self._choices[:] = chance.stream(rng)

    def _check_packs(self, packs: NDArray[np.int64] | None) -> None:
        if packs is None:
            return
        wrong = (np.sort(packs, axis=1) != np.sort(self._laws.pack)).any(axis=1)
        if wrong.any():
            one = int(np.flatnonzero(wrong)[0])
            raise GameError(f"packs[{one}] must hold each card of the pack once")

    def _slates(self, played: ArrayLike | None) -> NDArray[np.int64]:
        """The lines that each side has played, as asked for; one at least must be left."""
        if played is None:
            return np.zeros((self.num_envs, 2), dtype=np.int64)
        if not self._laws.numbers[LINES_CROSS_OUT]:
            raise GameError(f"lines_played: {self.game.name} has no lines that are played once")
        every = (1 << len(self._laws.lines)) - 1
        slates = self._numbers("lines_played", played, (2,), 0, every)
        full = np.flatnonzero((slates == every).all(axis=1))
        if len(full):
            raise GameError(f"lines_played[{full[0]}] leaves no line to play")
        return slates

    def _deal(self, chosen: NDArray[np.bool_]) -> None:
        steps.deal(self._laws, self._tables, chosen)
        steps.legal(self._laws, self._tables)
        self._bids_due = bool((self._tables.rows[:, rows.PHASE] == rows.BIDDING).any())

    # Bids.

    @property
    def bids_due(self) -> bool:
        """Whether rounds of Differenzler await their bids; `bid` gives them."""
        return self._bids_due

    def bid(self, bids: ArrayLike) -> Observation:
        """Gives the bids of all seats to the rounds that await them (DF3).

        Args:
            bids: points from 0 to 157 (n, p); rows of rounds that await none are not read.

        Returns:
            The observation of the seats to lead.

        Raises:
            GameError: no bids are due, or one is not allowed; nothing has changed.
        """
        if not self.bids_due:
            raise GameError("no bids are due")
        said = self._numbers("bids", bids, (self.game.players,), 0, tricks.ALL_POINTS)
        steps.begin_play(self._tables, said)
        self._bids_due = False
        steps.legal(self._laws, self._tables)
        return self.observe()

    # Acting.

    def step(self, actions: ArrayLike) -> Step:
        """Does one action in each round.

        Args:
            actions: the action of the seat to act in each round (n,), one of `actions` by its
                number; -1 for rounds that are over.

        Returns:
            observation: of the seats that act next, see `observe`.
            rewards: (n, p), 0 until a round ends; then the game's figure of each seat, higher being
                better: minus the round score (molotov, offenbach), minus what is added to the total
                (differenzler), sticks less potatoes (molotow), strokes, a null being -1 (jass),
                what the side of the seat writes (schieber, coiffeur).
            terminations: (n,), whether the round has ended in this step.
            truncations: (n,), always False.
            info: where rounds have ended, what is lost when they are dealt anew: `points` (n, p),
                the round scores; `void` (n,), rounds that do not count (MV7); `drawn` (n,), the
                seat that drew the potato (MW8) or -1; `match` (n,), the side that took all tricks
                (CT6) or -1. Only the rows of ended rounds mean anything.

        Raises:
            GameError: an action is not legal, or bids are due; nothing has changed.
        """
        done = self._numbers("actions", actions, ())
        if self.bids_due:
            raise GameError("bids are due: give them with bid(...) before a card is played")
        refused = steps.first_refused(self._tables.legal, done)
        if refused >= 0:
            raise GameError(self._refusal(refused, int(done[refused])))
        rewards = np.zeros((self.num_envs, self.game.players), dtype=np.int32)
        ended = np.zeros(self.num_envs, dtype=np.bool_)
        info: dict[str, Any] = {}
        if self._act(done):
            steps.settle(self._laws, self._tables, done, rewards, ended)
            info = self._settle(ended)
        return self.observe(), rewards, ended, np.zeros_like(ended), info

    def _act(self, actions: NDArray[np.int64]) -> int:
        """Does these legal actions; how many rounds have ended with them."""
        if self._laws.numbers[KIND] in (BY_STROKES, BY_SIDE):
            return steps.act(self._laws, self._tables, actions)
        return steps.play(self._tables, actions)

    def _settle(self, ended: NDArray[np.bool_]) -> dict[str, Any]:
        """What ended rounds came to; they are dealt anew if asked for."""
        info = {
            "points": self.points(),
            "void": self._tables.rows[:, rows.VOID] == 1,
            "drawn": self._tables.rows[:, rows.DRAWN].astype(np.int8),
            "match": self._tables.rows[:, rows.SWEPT].astype(np.int8),
        }
        if self.redeal:
            passing = ended & ~info["void"]  # after a void round the same dealer deals again
            self._tables.rows[passing, rows.DEALER] += 1
            self._tables.rows[:, rows.DEALER] %= self.game.players
            steps.shuffle_packs(self._tables, ended)
            self._deal(ended)
        return info

    def _refusal(self, one: int, action: int) -> str:
        """Why an action was refused, and what would be legal."""
        legal = int(self._tables.legal[one])
        tried = self._written(action) if action in self.actions else str(action)
        if not legal:
            return f"actions[{one}] is {tried}, but that round is over: give -1, or reset"
        allowed = ", ".join(self._written(n) for n in range(WORD) if legal >> n & 1)
        seat = int(self._tables.states[one, rounds.TURN])
        return f"actions[{one}] is {tried}, which seat {seat} may not do; legal: {allowed}"

    def _written(self, action: int) -> str:
        """An action for a reader."""
        return f"{action} ({self.actions[action]})"

    # What there is to see.

    @property
    def turn(self) -> NDArray[np.int8]:
        """The seat to act in each round (n,), -1 where it is over."""
        return self._tables.states[:, rounds.TURN].astype(np.int8)

    def legal(self) -> NDArray[np.uint64]:
        """The set of legal actions in each round (n,), bit a for action a; `masks` spreads it."""
        return self._tables.legal.view(np.uint64).copy()

    def action_masks(self) -> NDArray[np.bool_]:
        """The same, one column for each action (n, num_actions)."""
        return masks(self._tables.legal.view(np.uint64), self.num_actions)

    def random_legal(self) -> NDArray[np.int64]:
        """One legal action for each round, by chance (n,); -1 where it is over."""
        actions = np.empty(self.num_envs, dtype=np.int64)
        steps.choose(self._tables.legal, self._choices, actions)
        return actions

    def points(self) -> NDArray[np.int16]:
        """The points of all seats so far (n, p), or of their sides, whoever may see them."""
        result = np.empty((self.num_envs, self.game.players), dtype=np.int16)
        steps.count(self._laws.numbers, self._tables.states, result)
        return result

    def observe(self, seats: ArrayLike | None = None) -> Observation:
        """What a seat may know of each round, and nothing else.

        Args:
            seats: the reader in each round (n,), or one for all; the seat to act if not given.

        Returns:
            Arrays by name; docs/batch-environment.md describes each. They are copies.

        Raises:
            GameError: there is no such seat.
        """
        if seats is None:
            readers = self._tables.states[:, rounds.TURN].copy()
        else:
            wide = np.broadcast_to(np.asarray(seats), (self.num_envs,))
            readers = self._numbers("seats", wide, (), -1, self.game.players - 1)
        return observation(self._laws, self._tables, readers)

    # Checking.

    def _numbers(
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
        array = np.asarray(given)
        whole = (self.num_envs, *shape)
        if array.shape != whole or not np.issubdtype(array.dtype, np.integer):
            raise GameError(
                f"{name} are whole numbers of shape {whole}, not {array.dtype} of {array.shape}"
            )
        if low is not None and high is not None:
            wrong = np.argwhere((array < low) | (array > high))
            if len(wrong):
                place = "".join(f"[{index}]" for index in wrong[0])
                value = array[tuple(wrong[0])]
                raise GameError(f"{name}{place} is a number from {low} to {high}, not {value}")
        return np.ascontiguousarray(array, dtype=np.int64)


def masks(sets: NDArray[np.uint64], size: int = len(JASS.texts)) -> NDArray[np.bool_]:
    """Sets of cards or actions as booleans: one more axis, with a column for each of `size`."""
    places = np.arange(size, dtype=np.uint64)
    return (np.asarray(sets, dtype=np.uint64)[..., None] >> places & np.uint64(1)).astype(np.bool_)
