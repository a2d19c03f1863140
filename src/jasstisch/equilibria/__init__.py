"""Game theory on small games: game trees, regret minimization, exploitability.

It measures how far bots are from an equilibrium and decides no rule. Begin with `game_tree`, then
`cfr`; `endgames` makes small games of real ones, `exploitability` asks bots in them.
"""

from jasstisch.extras import require

require("search", "solving small games")

from jasstisch.equilibria.cfr import (
    Profile,
    best_response_gains,
    expected_values,
    solve,
    uniform_profile,
)
from jasstisch.equilibria.endgame_bots import make_player
from jasstisch.equilibria.endgames import Endgame, random_endgame
from jasstisch.equilibria.exploitability import Exploitability, measure_game, player_profile
from jasstisch.equilibria.game_tree import GameTree, LabelledTree, build_tree

__all__ = [
    "Endgame",
    "Exploitability",
    "GameTree",
    "LabelledTree",
    "Profile",
    "best_response_gains",
    "build_tree",
    "expected_values",
    "make_player",
    "measure_game",
    "player_profile",
    "random_endgame",
    "solve",
    "uniform_profile",
]
