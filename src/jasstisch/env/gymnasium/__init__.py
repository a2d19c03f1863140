"""Environments of Gymnasium: rounds in which one seat learns and opponents play the others.

This package decides how `jasstisch.env.SingleAgentBatch` is presented as `gymnasium.Env` and
`gymnasium.vector.VectorEnv`. Importing it registers `jasstisch/<game>-v0`: `gymnasium.make` gives a
single environment, and `gymnasium.make_vec` many rounds at once. It does not decide observations or
rewards. Begin with `learner_rounds`.

>>> import gymnasium
>>> import jasstisch.env.gymnasium
>>> envs = gymnasium.make_vec("jasstisch/molotow-v0", num_envs=100, opponents="greedy")
>>> seen, infos = envs.reset(seed=1)
>>> for _ in range(9):
...     actions = seen["action_mask"].argmax(axis=1)
...     seen, rewards, terminations, truncations, infos = envs.step(actions)
>>> bool(terminations.all())
True
"""

from jasstisch.extras import require

require("gymnasium", "an environment of Gymnasium")

import gymnasium

from jasstisch.env.gymnasium.single import RoundEnv
from jasstisch.env.gymnasium.vector import RoundVectorEnv
from jasstisch.env.kernels.compiled_rules import is_supported
from jasstisch.games.rules import REGISTRY

__all__ = ["RoundEnv", "RoundVectorEnv"]

for _name, _rules in sorted(REGISTRY.items()):
    if is_supported(_rules):
        gymnasium.register(
            f"jasstisch/{_name}-v0",
            entry_point="jasstisch.env.gymnasium.single:RoundEnv",
            vector_entry_point="jasstisch.env.gymnasium.vector:RoundVectorEnv",
            kwargs={"game": _name},
        )
