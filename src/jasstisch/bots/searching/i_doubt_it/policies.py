"""The opponent policies that the search assumes at I Doubt It.

Opponents may play recklessly, at random; carefully, by counting cards and doubting large middles
only; or boldly. A searching bot assumes that it plays on boldly itself, and infers the policy of
each other seat from the answers and claims of the deal.
"""

from dataclasses import astuple, dataclass

import numpy as np

from jasstisch.search.games.i_doubt_it.policy import PARAM_COUNT, PolicyTable


@dataclass(frozen=True, slots=True)
class PolicyParams:
    """The parameters of a policy, explained and ordered as in `search.games.i_doubt_it.policy`."""

    truth_low: float = 1.0
    truth_high: float = 1.0
    truth_stake: float = 0.0
    lies: tuple[float, float, float, float, float] = (0.05, 0.3, 3.0, 3.0, 1.0)
    tired: float = 0.3
    parts: tuple[float, float, float, float] = (1.0, 0.1, 0.02, 0.02)
    floor: float = 0.01
    sure_low: float = 0.0
    sure_high: float = 1.0
    stake: float = 13.0
    suspect: float = 0.06
    suspect_often: float = 0.2
    liar: float = 0.4
    last_sure: float = 0.4
    last_suspect: float = 1.0
    last_often: float = 0.3
    repeated: float = 0.4
    common: float = 0.5

    def to_row(self) -> list[float]:
        """The parameters as one flat list."""
        flat: list[float] = []
        for figure in astuple(self):
            flat.extend(figure if isinstance(figure, tuple) else (figure,))
        assert len(flat) == PARAM_COUNT
        return flat


_CAREFUL = PolicyParams()

_RECKLESS = PolicyParams(
    truth_low=0.01,
    truth_high=0.01,
    lies=(1, 1, 1, 1, 1),
    tired=1.0,
    parts=(1, 2, 3, 4),
    floor=0.5,
    common=0.1,
)

_BOLD = PolicyParams(
    truth_low=0.5,
    truth_high=0.97,
    truth_stake=10,
    lies=(0.1, 0.6, 3, 6, 2),
    parts=(1, 0.25, 0.05, 0.1),
    floor=0.02,
    sure_low=0.6,
    sure_high=1.0,
    stake=6,
    suspect=0.25,
    suspect_often=0.9,
    last_sure=1.0,
    last_suspect=0.5,
    last_often=0.97,
    common=0.4,
)

POLICY_TABLE: PolicyTable = np.array([one.to_row() for one in (_RECKLESS, _CAREFUL, _BOLD)])

OWN_POLICY = 2
"""The index of the policy with which a searching bot expects to play on."""
