"""Matches as environments of PettingZoo, with action masks.

An episode is a match by the options of the game. What an agent sees is one array of numbers, whose
parts have the names and the meaning of a batch's observation.

>>> from jasstisch.env import pettingzoo
>>> env = pettingzoo.env("molotow", rounds=1)
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     seen, reward, termination, truncation, info = env.last()
...     env.step(None if termination else int(seen["action_mask"].argmax()))
>>> reward == env.unwrapped.match().standing[3]["net"]
True
"""

from jasstisch.extras import require

require("pettingzoo", "an environment of PettingZoo")

from jasstisch.env.actions import BID
from jasstisch.env.matches.encoded_match import ObservationDict
from jasstisch.env.matches.i_doubt_it import CLAIM, DOUBT, PASS
from jasstisch.env.matches.observation_parts import Part
from jasstisch.env.matches.view_encoder import ViewEncoder
from jasstisch.env.pettingzoo.aec import MatchEnv
from jasstisch.env.pettingzoo.parallel import ParallelMatchEnv
from jasstisch.games.rules import Game

__all__ = [
    "BID",
    "CLAIM",
    "DOUBT",
    "PASS",
    "MatchEnv",
    "ObservationDict",
    "ParallelMatchEnv",
    "Part",
    "ViewEncoder",
    "env",
    "parallel_env",
]  # fmt: skip


def env(game: str, *, render_mode: str | None = None, **options: object) -> MatchEnv:
    """Matches of a game in which one agent acts at a time (AEC).

    Args:
        game: its name, such as `"molotow"`.
        render_mode: `"ansi"` for a text, `"rgb_array"` for a picture (extra `render`), or None.
        options: those of the game that differ from their defaults.

    Raises:
        GameError: unknown game, option or value, or a game of another package without tricks.
    """
    return MatchEnv(Game(game, options), render_mode)


def parallel_env(
    game: str, *, render_mode: str | None = None, **options: object
) -> ParallelMatchEnv:
    """Matches of a game in which all agents act at once: who is not to act waits.

    Args:
        game: its name, such as `"differenzler"`, whose hidden bids are made at once.
        render_mode: `"ansi"` for a text, `"rgb_array"` for a picture (extra `render`), or None.
        options: those of the game that differ from their defaults.

    Raises:
        GameError: unknown game, option or value, or a game of another package without tricks.
    """
    return ParallelMatchEnv(Game(game, options), render_mode)
