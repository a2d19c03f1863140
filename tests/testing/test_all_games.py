"""Every game of the package holds what the conformance kit asks, with options of every kind."""

from itertools import islice

import pytest

import jasstisch as jt
from jasstisch.testing import check_game
from jasstisch.testing.conformance_run import describe_game
from tests.games.covering_options import covering_games
from tests.support.example_counts import examples

GAMES = [
    game
    for name in jt.games()
    for game in islice(covering_games(name, shortest=True), examples(99, 1))
]


@pytest.mark.parametrize("game", GAMES, ids=describe_game)
def test_the_game_holds_what_every_game_must(game: jt.Game) -> None:
    report = check_game(game, matches=1)
    assert report.matches == 1
    assert report.rounds >= 1
    assert report.indistinguishable_matches >= 20
    assert min(report.tried_actions, report.refusals, report.resumed) >= 20
