"""The observation of a batch as one flat array, with the layout of environments of matches.

Its parts are those of `env.matches`, so that a policy trained on rounds can play matches. A batch
has no matches: each of its rounds is encoded as the first one of a match.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from jasstisch.engine.cards import JASS
from jasstisch.env.batch import Batch
from jasstisch.env.kernels import batch_state
from jasstisch.env.kernels.compiled_rules import BIDS_OPEN
from jasstisch.env.matches.observation_parts import standing_values
from jasstisch.env.matches.trick_observations import TrickObservationEncoder
from jasstisch.games.rules import Game
from jasstisch.games.trick_taking import TrickTaking
from jasstisch.search.jit.compiler import kernel

_CARDS = len(JASS.texts)


class FlatObservationEncoder:
    """The encoder of flat observations for batches of one game.

    Args:
        game: a game of tricks.

    Attributes:
        parts: the parts of an observation, in order.
        size: the total size.
    """

    def __init__(self, game: Game) -> None:
        rules = game.rules(game)
        assert isinstance(rules, TrickTaking)
        seeing = TrickObservationEncoder(rules)
        self.parts = seeing.parts
        self.size = seeing.size
        self._standing = np.array(standing_values(rules.standing()), dtype=np.int32)

    def __call__(self, batch: Batch, seats: NDArray[np.int64]) -> NDArray[np.int32]:
        """Encodes the observations of these seats (n,) in the rounds of a batch (n, size)."""
        arrays = batch.observe(seats) | self._match_parts(batch, seats)
        result = np.empty((batch.num_envs, self.size), dtype=np.int32)
        for part in self.parts:
            array, there = arrays[part.name], result[:, part.array_slice]
            if array.dtype == np.uint64:
                _unpack_bits(array.view(np.int64).reshape(batch.num_envs, -1), there)
            else:
                there[:] = array.reshape(batch.num_envs, -1)
        return result

    def _match_parts(self, batch: Batch, seats: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """The parts that only matches have, and those that matches encode differently."""
        tables, turns, bidding = batch.rounds.state, batch.rounds.seats_to_act, batch.rounds.bidding
        envs, players = batch.num_envs, batch.game.players
        first = turns if batch.rounds.compiled_rules.parameters[BIDS_OPEN] else 0
        return {
            "turn": np.where(bidding, first, turns),
            "round": np.ones(envs, dtype=np.int32),
            "melding": (tables.round_details[:, batch_state.ANNOUNCES_WEIS] == 1)
            & (turns == seats),
            "standing": np.broadcast_to(self._standing, (envs, len(self._standing))),
            "has_bid": np.broadcast_to(~bidding[:, None], (envs, players)),
        }


@kernel
def _unpack_bits(sets: NDArray[np.int64], flags: NDArray[np.int32]) -> None:
    """Expands each set of a row into flags, one for each possible member."""
    many = flags.shape[1] // sets.shape[1]
    for one in range(len(sets)):
        for place in range(sets.shape[1]):
            for member in range(many):
                flags[one, place * many + member] = sets[one, place] >> member & 1
