"""Batched environments for reinforcement learning: thousands of rounds of one game at once.

This package decides how rounds and matches are encoded as NumPy arrays, for actions, observations
and rewards. `Batch` plays rounds of any game of tricks with compiled rules, fast enough for
training; in `SingleAgentBatch` one seat of each round learns; `DoubtBatch` plays deals of I Doubt
It; `CardRound` steps the cards of a single round, for search in Python. The interface follows
Gymnasium's vector environments. A card is its number, 9 · suit + rank with the suits C D H S and
the ranks 6 … A; a set of cards is an integer with one bit for each.

It does not decide the rules, which come from `jasstisch.games`, and it contains no learning
algorithm. Adapters are in `gymnasium`, `pettingzoo` and `openspiel`. Begin with `batch`, then
`kernels.transitions`; for whole matches with `matches.encoded_match`.

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
from jasstisch.env.card_round import CardRound
from jasstisch.env.feature_encoder import FeatureEncoder, features
from jasstisch.env.i_doubt_it import DoubtBatch
from jasstisch.env.kernels.observations import Observation
from jasstisch.env.matches.i_doubt_it import CLAIM, DOUBT, PASS
from jasstisch.env.opponents import Opponent, Policy
from jasstisch.env.single_agent import SingleAgentBatch
from jasstisch.search.jit.compiler import warn_of_compilation

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
    "CardRound",
    "DoubtBatch",
    "FeatureEncoder",
    "Observation",
    "Opponent",
    "Policy",
    "SingleAgentBatch",
    "Step",
    "features",
    "unpack_masks",
]  # fmt: skip

warn_of_compilation()
