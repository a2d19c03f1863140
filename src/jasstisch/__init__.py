"""Jasstisch: an engine and an open virtual table for the card games of Switzerland.

This package exports the public names: games, matches, records, bots and errors. It decides nothing
itself: rules are in `jasstisch.games`, and the server, the client and the command line are not
imported here. Begin with `jasstisch.match`, whose `Match` plays one match of any game.

>>> import jasstisch as jt
>>> match = jt.Match(jt.game("molotov", dealer=0))
>>> match.deal(match.pack)
>>> match.to_act, match.hand(1)[0]
((1,), '6C')
"""

from jasstisch.bots import bot
from jasstisch.engine.errors import GameError, IllegalAction, RecordError, Refusal
from jasstisch.games import game, games
from jasstisch.games.rules import Game
from jasstisch.match.match import Match
from jasstisch.match.record import record_schema

__version__ = "0.1.0"

__all__ = [
    "Game",
    "GameError",
    "IllegalAction",
    "Match",
    "RecordError",
    "Refusal",
    "__version__",
    "bot",
    "game",
    "games",
    "record_schema",
]
