"""Matches as environments of PettingZoo, with action masks.

This package decides how a match is presented as an `AECEnv` or a `ParallelEnv`. An episode is a
match with the options of the game, or its first round. It does not decide the observations, which
are one array of numbers whose parts have the names and the meaning of a batch's observation
(`jasstisch.env.matches`). Begin with `aec`.

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
from jasstisch.env.matches.encoded_match import MATCH, ObservationDict
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


def env(
    game: str, *, episode: str = MATCH, render_mode: str | None = None, **options: object
) -> MatchEnv:
    """Makes an environment of matches in which one agent acts at a time (AEC).

    Args:
        game: the name of the game, such as `"molotow"`.
        episode: what an episode is: `"match"`, or `"round"` for the first round of one.
        render_mode: `"ansi"` for a text, `"rgb_array"` for an image (extra `render`), or None.
        options: the options of the game that differ from their defaults.

    Raises:
        GameError: unknown game, option, value or episode, or a game of another package without
            tricks.
    """
    return MatchEnv(Game(game, options), render_mode, episode)


def parallel_env(
    game: str, *, episode: str = MATCH, render_mode: str | None = None, **options: object
) -> ParallelMatchEnv:
    """Makes an environment of matches in which all agents act at once; seats not to act wait.

    Args:
        game: the name of the game, such as `"differenzler"`, with simultaneous hidden bids.
        episode: what an episode is: `"match"`, or `"round"` for the first round of one.
        render_mode: `"ansi"` for a text, `"rgb_array"` for an image (extra `render`), or None.
        options: the options of the game that differ from their defaults.

    Raises:
        GameError: unknown game, option, value or episode, or a game of another package without
            tricks.
    """
    return ParallelMatchEnv(Game(game, options), render_mode, episode)
