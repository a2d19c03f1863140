"""A batch of rounds of one game, stepped together from Python.

The interface follows Gymnasium's vector environments: `num_envs`, `reset`, `step`. In each round
one seat acts at a time, so that an observation is that of the seat to act, and rewards have a
column for each seat. Legal actions, winners of tricks and scores come from the compiled forms of
the functions that `jasstisch.Match` uses.
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
from jasstisch.env.checkpoint import ResumableBatch
from jasstisch.env.kernels import batch_state, transitions
from jasstisch.env.kernels.observations import Observation, read_observations
from jasstisch.env.round_batch import RoundBatch
from jasstisch.env.round_match import match_of_round
from jasstisch.games.rules import Game
from jasstisch.match.match import Match
from jasstisch.search.jit import prng

Step = tuple[Observation, NDArray[np.int32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]
"""What a step returns: observation, rewards, terminations, truncations, info."""


class Batch(ResumableBatch):
    """Many rounds of one game at once.

    A round is independent of a match: at Schieber it is played to its last card whatever the target
    (SC6), and at Coiffeur it starts with an empty slate, or with the lines played that `reset`
    receives (CO1).

    Args:
        game: a game of tricks, from `jasstisch.game`.
        num_envs: the number of rounds.
        seed: the seed of all rounds: round i gets the same deals in a batch of any size, whatever
            is played.
        redeal: whether a round that has ended is dealt again in the same step, by the next dealer.

    Attributes:
        game: the rules.
        num_envs: the number of rounds.
        num_actions: actions are numbers below this one.
        redeal: as given.
        rounds: the underlying rounds, for classes built on a batch.

    Raises:
        GameError: the game has no tricks, or a number is invalid.
    """

    def __init__(self, game: Game, num_envs: int, *, seed: int = 0, redeal: bool = False) -> None:
        self.rounds = RoundBatch(game, num_envs)
        self.game = game
        self.num_envs = num_envs
        self.num_actions = max(self.rounds.actions) + 1
        self.redeal = redeal
        self._choices = np.zeros(1, dtype=np.uint64)
        self.reset(seed=seed)

    @property
    def actions(self) -> Mapping[int, str]:
        """All actions at this table by number: the text of a card, or that which `Match` uses."""
        return MappingProxyType(self.rounds.actions)

    def state_arrays(self) -> Mapping[str, NDArray[Any]]:
        """The arrays that change while the batch is stepped, by name; not copies."""
        return {**self.rounds.state._asdict(), "choices": self._choices}

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
        """Deals all rounds.

        Args:
            seed: restarts the random streams of this batch; they continue if omitted.
            packs: the shuffled packs to deal from, front card first (n, cards); random if omitted.
            trumps: the trump suits drawn at Differenzler (n,); random if omitted.
            dealers: the seats that deal (n,); round i is dealt by seat i modulo the seats if
                omitted.
            lines_played: at Coiffeur the sets of the lines that each side has played before (n, 2),
                bit i for line i of the slate; none if omitted. Rounds that are dealt again start
                with the same sets.

        Returns:
            The observation of the seats to act, and an empty info.

        Raises:
            GameError: an argument is invalid; nothing has changed.
        """
        ours, tables, players = self.rounds, self.rounds.state, self.game.players
        cards = len(ours.compiled_rules.pack)
        given_packs = None if packs is None else ours.checked_int_array("packs", packs, (cards,))
        given_trumps = (
            None if trumps is None else ours.checked_int_array("trumps", trumps, (), 0, 3)
        )
        ours.check_packs(given_packs)
        if dealers is None:
            given_dealers = np.arange(self.num_envs) % players
        else:
            given_dealers = ours.checked_int_array("dealers", dealers, (), 0, players - 1)
        slates = ours.check_lines_played(lines_played)
        if seed is not None:
            self._seed(seed)
        everyone = np.ones(self.num_envs, dtype=np.bool_)
        tables.round_details[:, batch_state.DEALER] = given_dealers
        tables.lines_played[:] = slates
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
        """Whether rounds of Differenzler wait for bids, which `bid` places."""
        return bool(self.rounds.bidding.any())

    def bid(self, bids: ArrayLike) -> Observation:
        """Places the bids of all seats in the rounds that wait for them (DF3).

        Args:
            bids: points from 0 to 157 (n, p); rows of rounds that wait for none are ignored.

        Returns:
            The observation of the seats to lead.

        Raises:
            GameError: no bids are due, or a bid is invalid; nothing has changed.
        """
        if not self.bids_due:
            raise GameError("no bids are due")
        said = self.rounds.checked_int_array(
            "bids", bids, (self.game.players,), 0, tricks.ALL_POINTS
        )
        self.rounds.place_bids(np.ones(self.num_envs, dtype=np.bool_), said)
        return self.observe()

    # Acting.

    def step(self, actions: ArrayLike) -> Step:
        """Performs one action in each round.

        Args:
            actions: the action of the seat to act in each round (n,), one of `actions` by its
                number; -1 for rounds that are over.

        Returns:
            observation: of the seats that act next, see `observe`.
            rewards: (n, p), 0 until a round ends; then the metric of each seat, higher being
                better: minus the round score (molotov, offenbach), minus the addition to the total
                (differenzler), sticks less potatoes (molotow), strokes, a null being -1 (jass), the
                points that the side of the seat writes (schieber, coiffeur).
            terminations: (n,), whether the round has ended in this step.
            truncations: (n,), always False.
            info: for ended rounds, what would be lost when they are dealt again: `points` (n, p),
                the round scores; `void` (n,), rounds that do not count (MV7); `drawn` (n,), the
                seat that drew the potato (MW8) or -1; `match` (n,), the side that took all tricks
                (CT6) or -1. Only the rows of ended rounds are valid.

        Raises:
            GameError: an action is not legal, or bids are due; nothing has changed.
        """
        done = self.rounds.checked_int_array("actions", actions, ())
        if self.bids_due:
            raise GameError("bids are due: place them with bid(...) before playing cards")
        self.rounds.check_actions(done)
        rewards = np.zeros((self.num_envs, self.game.players), dtype=np.int32)
        ended = np.zeros(self.num_envs, dtype=np.bool_)
        info: dict[str, Any] = {}
        if self.rounds.act(done, rewards, ended):
            info = self.rounds.final_results()
            if self.redeal:
                self.rounds.redeal(ended)
        return self.observe(), rewards, ended, np.zeros_like(ended), info

    def match(self, number: int) -> Match:
        """A round as a match of its own, for its views, its record, bots and `CardRound`.

        The match has its own dealer, and at Schieber goes on to the last card whatever the target,
        as a batch does (option `end`). Lines of Coiffeur that were played before are not in its
        record. A seat that has said `WEIS` has yet to say so with its card in this match.

        Args:
            number: the number of the round.

        Raises:
            GameError: the round does not exist.
        """
        if type(number) is not int or not 0 <= number < self.num_envs:
            raise GameError(
                f"a round is a number from 0 to {self.num_envs - 1}, not {quote(number)}"
            )
        return match_of_round(self.game, self.rounds.state, number)

    # Observations.

    @property
    def turn(self) -> NDArray[np.int8]:
        """The seat to act in each round (n,), -1 if it is over."""
        return self.rounds.seats_to_act.astype(np.int8)

    def legal(self) -> NDArray[np.uint64]:
        """The set of legal actions in each round (n,), bit a for action a; see `action_masks`."""
        return self.rounds.state.legal.view(np.uint64).copy()

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions as booleans, one column for each action (n, num_actions)."""
        return unpack_masks(self.rounds.state.legal.view(np.uint64), self.num_actions)

    def random_legal(self) -> NDArray[np.int64]:
        """One random legal action for each round (n,); -1 if it is over."""
        actions = np.empty(self.num_envs, dtype=np.int64)
        transitions.choose_random(self.rounds.state.legal, self._choices, actions)
        return actions

    def points(self) -> NDArray[np.int16]:
        """The points so far of all seats (n, p), or of their sides, including hidden ones."""
        return self.rounds.points()

    def observe(self, seats: ArrayLike | None = None) -> Observation:
        """The information of one seat in each round.

        Args:
            seats: the observing seat in each round (n,), or one for all; the seat to act if
                omitted.

        Returns:
            Arrays by name; docs/batch-environment.md describes each. They are copies.

        Raises:
            GameError: a seat does not exist.
        """
        if seats is None:
            readers = self.rounds.seats_to_act.copy()
        else:
            wide = np.broadcast_to(np.asarray(seats), (self.num_envs,))
            readers = self.rounds.checked_int_array("seats", wide, (), -1, self.game.players - 1)
        return read_observations(self.rounds.compiled_rules, self.rounds.state, readers)


def unpack_masks(sets: NDArray[np.uint64], size: int = len(JASS.texts)) -> NDArray[np.bool_]:
    """Sets of cards or actions as booleans: one more axis, with a column for each of `size`."""
    places = np.arange(size, dtype=np.uint64)
    return (np.asarray(sets, dtype=np.uint64)[..., None] >> places & np.uint64(1)).astype(np.bool_)
