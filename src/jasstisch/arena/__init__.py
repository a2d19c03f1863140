"""The arena: bots against bots on the same deals, in every seating, with confidence intervals.

>>> import jasstisch as jt
>>> from jasstisch import arena
>>> pair = arena.contest(jt.game("molotov"), ["greedy"], against="random")
>>> report = arena.run(pair, deals=20, seed=1)
>>> [bot["name"] for bot in report["bots"]], report["bots"][0]["mean"] < 40
(['greedy', 'random'], True)

`docs/scaling.md` describes how to run it on several processes or machines.
"""

from jasstisch.arena.checkpoint import open_checkpoint
from jasstisch.arena.contests import Contest, contest
from jasstisch.arena.duplicate_boards import BoardResult, BotError
from jasstisch.arena.reports import ArenaReport, BotReport, Comparison, Rank
from jasstisch.arena.runner import ContestRun, process_pool, run

__all__ = [
    "ArenaReport",
    "BoardResult",
    "BotError",
    "BotReport",
    "Comparison",
    "Contest",
    "ContestRun",
    "Rank",
    "contest",
    "open_checkpoint",
    "process_pool",
    "run",
]  # fmt: skip
