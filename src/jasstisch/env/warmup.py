"""Compiles the kernels of a batch before anybody waits for its first step.

The compiled code is kept in the user's cache folder, so that only the first time after an
installation takes long. `jasstisch prepare` calls it for all games.
"""

from jasstisch.env.batch import Batch
from jasstisch.env.i_doubt_it import DoubtBatch
from jasstisch.env.single_agent import SingleAgentBatch
from jasstisch.games.rules import Game
from jasstisch.games.trick_taking import TrickTaking

_ROUNDS = 2
_MAX_STEPS = 200
"""A round of tricks has fewer actions; longer deals compile nothing new after this many."""


def prepare_game(game: Game) -> None:
    """Compiles, or loads from the cache, what a batch of this game needs.

    Raises:
        GameError: there is no batch of this game.
    """
    if not issubclass(game.rules, TrickTaking):
        deals = DoubtBatch(game, _ROUNDS, redeal=True)
        for _ in range(_MAX_STEPS):
            deals.step(deals.random_legal())
        return
    batch = Batch(game, _ROUNDS)
    finished = False
    while not finished:
        if batch.bids_due:
            batch.bid([[0] * game.players] * _ROUNDS)
        finished = bool(batch.step(batch.random_legal())[2].all()) or bool((batch.turn < 0).all())
    for opponent in ("random", "greedy"):
        SingleAgentBatch(Batch(game, _ROUNDS, redeal=True), opponent)  # it plays to its first turn
