"""Warm-up: compiles all kernels of the searching bots before anybody waits for a move.

Each game is played for one round with the smallest budget. The compiled code is kept in the user's
cache folder, so that only the first warm-up after an installation takes long. A process prepares
each game once, at the latest before its first move: compilation must not count against the time
limit of a move.
"""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from threading import Lock

from jasstisch.bots.searching.budget import ADVICE, CLUB
from jasstisch.bots.searching.registry import find_searcher, supported_games
from jasstisch.engine.cards import shuffled
from jasstisch.games.rules import Game
from jasstisch.match.match import Match

_Progress = Callable[[str, int, int], None]

_WARMUP_BUDGETS = (
    replace(CLUB, max_deals=8, time_limit_s=60.0),
    replace(ADVICE, max_deals=8, max_cards_played=5000, time_limit_s=60.0),
)
_MAX_MOVES = 100
"""A round of tricks has fewer moves; longer rounds compile nothing new after this many."""

_warmup_lock = Lock()
_prepared_games: set[str] = set()
"""The games that this process has prepared."""


def prepare(progress: _Progress | None = None) -> None:
    """Compiles, or loads from the cache, the kernels of every supported game.

    Args:
        progress: called before each game with its name, the number done, and the total.
    """
    games = supported_games()
    for done, name in enumerate(games):
        if progress:
            progress(name, done, len(games))
        prepare_game(name)


def prepare_game(name: str) -> None:
    """The same for one game; later calls cost nothing. Concurrent calls wait for the first."""
    if name in _prepared_games:
        return
    with _warmup_lock:
        if name not in _prepared_games:
            _play_warmup_round(Game(name, {}))
            _prepared_games.add(name)


def _play_warmup_round(game: Game) -> None:
    """Plays the same round, or its beginning, with the smallest budget of each bot in turn."""
    rng = Random(1)
    match = Match(game)
    moves = 0
    while not match.rounds and moves < _MAX_MOVES:
        if match.needs_pack:
            match.deal(shuffled(match.pack, rng))
            continue
        seat = match.to_act[0]
        thought = find_searcher(game.name)
        assert thought is not None
        budget = _WARMUP_BUDGETS[moves % len(_WARMUP_BUDGETS)]
        match.act(seat, thought(match.view(seat), match.legal(seat), rng, budget)[0].action)
        moves += 1
