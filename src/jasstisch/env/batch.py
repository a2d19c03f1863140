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

from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS
from jasstisch.engine.errors import GameError, quote
from jasstisch.env.kernels import batch_state, transitions
from jasstisch.env.kernels.observations import Observation, read_observations
from jasstisch.env.round_batch import RoundBatch
from jasstisch.games.rules import Game
from jasstisch.search.jit import prng

__all__ = ["Batch", "Step", "unpack_masks"]

Step = tuple[Observation, NDArray[np.int32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]
"""What a step returns: observation, rewards, terminations, truncations, info."""


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
        rounds: the rounds themselves, for what is built on a batch.

    Raises:
        GameError: the game has no tricks, or a number is not allowed.
    """

    def __init__(self, game: Game, num_envs: int, *, seed: int = 0, redeal: bool = False) -> None:
        self.rounds = RoundBatch(game, num_envs)
        self.game = game
        self.num_envs = num_envs
        self.actions: Mapping[int, str] = MappingProxyType(self.rounds.actions)
        self.num_actions = max(self.actions) + 1
        self.redeal = redeal
        self._choices = np.zeros(1, dtype=np.uint64)
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
        ours, tables, players = self.rounds, self.rounds.tables, self.game.players
        cards = len(ours.laws.pack)
        given_packs = None if packs is None else ours.int_array("packs", packs, (cards,))
        given_trumps = None if trumps is None else ours.int_array("trumps", trumps, (), 0, 3)
        ours.check_packs(given_packs)
        if dealers is None:
            given_dealers = np.arange(self.num_envs) % players
        else:
            given_dealers = ours.int_array("dealers", dealers, (), 0, players - 1)
        slates = ours.check_slates(lines_played)
        if seed is not None:
            self._seed(seed)
        everyone = np.ones(self.num_envs, dtype=np.bool_)
        tables.rows[:, batch_state.DEALER] = given_dealers
        tables.slates[:] = slates
        ours.shuffle(everyone)
        if given_packs is not None:
            tables.packs[:] = given_packs
        if given_trumps is not None:
            tables.trumps[:] = given_trumps
        ours.deal(everyone)
        return self.observe(), {}

    def _seed(self, seed: int) -> None:
        if type(seed) is not int:
            raise GameError(f"seed is a whole number, not {quote(seed)}")
        rng = Random(seed)  # noqa: S311 - chance must be repeatable from a seed
        self.rounds.seed(rng)
        self._choices[:] = prng.new_stream(rng)

    # Bids.

    @property
    def bids_due(self) -> bool:
        """Whether rounds of Differenzler await their bids; `bid` gives them."""
        return bool(self.rounds.bidding.any())

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
        said = self.rounds.int_array("bids", bids, (self.game.players,), 0, tricks.ALL_POINTS)
        self.rounds.begin_play(np.ones(self.num_envs, dtype=np.bool_), said)
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
        done = self.rounds.int_array("actions", actions, ())
        if self.bids_due:
            raise GameError("bids are due: give them with bid(...) before a card is played")
        self.rounds.check_actions(done)
        rewards = np.zeros((self.num_envs, self.game.players), dtype=np.int32)
        ended = np.zeros(self.num_envs, dtype=np.bool_)
        info: dict[str, Any] = {}
        if self.rounds.act(done, rewards, ended):
            info = self.rounds.final_results()
            if self.redeal:
                self.rounds.redeal(ended)
        return self.observe(), rewards, ended, np.zeros_like(ended), info

    # What there is to see.

    @property
    def turn(self) -> NDArray[np.int8]:
        """The seat to act in each round (n,), -1 where it is over."""
        return self.rounds.turns.astype(np.int8)

    def legal(self) -> NDArray[np.uint64]:
        """The set of legal actions in each round (n,), bit a for action a; `masks` spreads it."""
        return self.rounds.tables.legal.view(np.uint64).copy()

    def action_masks(self) -> NDArray[np.bool_]:
        """The same, one column for each action (n, num_actions)."""
        return unpack_masks(self.rounds.tables.legal.view(np.uint64), self.num_actions)

    def random_legal(self) -> NDArray[np.int64]:
        """One legal action for each round, by chance (n,); -1 where it is over."""
        actions = np.empty(self.num_envs, dtype=np.int64)
        transitions.choose_random(self.rounds.tables.legal, self._choices, actions)
        return actions

    def points(self) -> NDArray[np.int16]:
        """The points of all seats so far (n, p), or of their sides, whoever may see them."""
        return self.rounds.points()

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
            readers = self.rounds.turns.copy()
        else:
            wide = np.broadcast_to(np.asarray(seats), (self.num_envs,))
            readers = self.rounds.int_array("seats", wide, (), -1, self.game.players - 1)
        return read_observations(self.rounds.laws, self.rounds.tables, readers)


def unpack_masks(sets: NDArray[np.uint64], size: int = len(JASS.texts)) -> NDArray[np.bool_]:
    """Sets of cards or actions as booleans: one more axis, with a column for each of `size`."""
    places = np.arange(size, dtype=np.uint64)
    return (np.asarray(sets, dtype=np.uint64)[..., None] >> places & np.uint64(1)).astype(np.bool_)
