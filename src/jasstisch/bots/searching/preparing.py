"""Compiling all that the searching players need before somebody waits for a move.

Each game is played for one round with the least effort. What that compiles is kept in the user's
cache folder, so that only the first time after an installation takes long. A process does so once
for each game, before its first move at the latest: compiling is not thinking, and no move must be
cut short by it.
"""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from threading import Lock

from jasstisch.bots.searching.effort import ADVICE, CLUB
from jasstisch.bots.searching.register import known, thought_of
from jasstisch.cards import shuffled
from jasstisch.games.rules import Game
from jasstisch.match import Match

__all__ = ["prepare", "prepare_game"]

Progress = Callable[[str, int, int], None]

EFFORTS = (
    replace(CLUB, worlds=8, limit=60.0),
    replace(ADVICE, worlds=8, plays=5000, limit=60.0),
)
MOST_MOVES = 100
"""A round of tricks has fewer; what is longer shows nothing new after so many."""

one_at_a_time = Lock()
prepared: set[str] = set()
"""The games that this process has prepared."""


def prepare(progress: Progress | None = None) -> None:
    """Compiles or loads from the cache what the searching players need in every game they know.

    Args:
        progress: is told before each game its name, how many are done, and how many there are.
    """
    games = known()
    for done, name in enumerate(games):
        if progress:
            progress(name, done, len(games))
        prepare_game(name)


def prepare_game(name: str) -> None:
    """The same for one game; the second time it costs nothing. Other threads wait meanwhile."""
    if name in prepared:
        return
    with one_at_a_time:
        if name not in prepared:
            play_round(Game(name, {}))
            prepared.add(name)


def play_round(game: Game) -> None:
    """One round or its beginning, always the same, with the least effort of each player in turn."""
    rng = Random(1)
    match = Match(game)
    moves = 0
    while not match.rounds and moves < MOST_MOVES:
        if match.needs_pack:
            match.shuffle(shuffled(match.pack, rng))
            continue
        seat = match.to_act[0]
        thought = thought_of(game.name)
        assert thought is not None
        effort = EFFORTS[moves % len(EFFORTS)]
        match.act(seat, thought(match.view(seat), match.legal(seat), rng, effort)[0].action)
        moves += 1
