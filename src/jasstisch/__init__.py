"""Jasstisch: the card games of Switzerland and its neighbours, as an engine and a table.

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
