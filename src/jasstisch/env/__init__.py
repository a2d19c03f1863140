"""Thousands of rounds of one game at once, stepped from Python with NumPy arrays.

`Batch` plays rounds of any game of tricks by the compiled rules, fast enough to train on, `Against`
has one seat of them learn, and `DoubtBatch` plays deals of I Doubt It; the words are those of
Gymnasium's vector environments. A card is its number, 9 · suit + rank with the suits C D H S and
the ranks 6 … A; a set of cards is a number with one bit for each.

>>> import jasstisch as jt
>>> from jasstisch import env
>>> batch = env.Batch(jt.game("molotov"), 1000, seed=1)
>>> for _ in range(36):
...     observation, rewards, terminations, truncations, info = batch.step(batch.random_legal())
>>> bool(terminations.all()), rewards.shape
(True, (1000, 4))
"""

from jasstisch.extras import require

require("search", "a batch of rounds")

from jasstisch.env.actions import ANNOUNCE, BID, BLIND, DROP, JOKER, PUSH, ROB, STAY, WEIS
from jasstisch.env.batch import Batch, Step, unpack_masks
from jasstisch.env.i_doubt_it import DoubtBatch
from jasstisch.env.kernels.observations import Observation
from jasstisch.env.matches.i_doubt_it import CLAIM, DOUBT, PASS
from jasstisch.env.opponents import Opponent, Policy
from jasstisch.env.single_agent import SingleAgentBatch

__all__ = [
    "ANNOUNCE",
    "BID",
    "BLIND",
    "CLAIM",
    "DOUBT",
    "DROP",
    "JOKER",
    "PASS",
    "PUSH",
    "ROB",
    "STAY",
    "WEIS",
    "Batch",
    "DoubtBatch",
    "Observation",
    "Opponent",
    "Policy",
    "SingleAgentBatch",
    "Step",
    "unpack_masks",
]  # fmt: skip
