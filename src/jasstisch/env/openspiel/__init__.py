"""Matches as games of OpenSpiel, with their options as parameters and explicit chance nodes.

This package decides how a match is presented as `pyspiel.Game` and `pyspiel.State`. It does not
decide actions and observations, which come from `jasstisch.env.matches`. Begin with `games`, then
`states`.

>>> import pyspiel
>>> from jasstisch.env import openspiel
>>> openspiel.register()
>>> game = pyspiel.load_game("jasstisch_molotow", {"rounds": 1, "dealer": 0})
>>> state = game.new_initial_state()
>>> while state.is_chance_node():
...     card, probability = state.chance_outcomes()[-1]
...     state.apply_action(card)
>>> state.action_to_string(state.current_player(), state.legal_actions()[0])
'play 6D'
"""

from jasstisch.extras import require

require("openspiel", "a game of OpenSpiel")

from jasstisch.env.openspiel.games import MatchGame, register
from jasstisch.env.openspiel.states import MatchState

__all__ = ["MatchGame", "MatchState", "register"]
