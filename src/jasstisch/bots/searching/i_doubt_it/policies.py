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

    low_stake_truth_rate: float = 1.0
    high_stake_truth_rate: float = 1.0
    high_stake_min_cards: float = 0.0
    lie_weights: tuple[float, float, float, float, float] = (0.05, 0.3, 3.0, 3.0, 1.0)
    repeat_discount: float = 0.3
    discard_weights: tuple[float, float, float, float] = (1.0, 0.1, 0.02, 0.02)
    noise_rate: float = 0.01
    small_middle_lie_doubt_rate: float = 0.0
    large_middle_lie_doubt_rate: float = 1.0
    large_middle_min_cards: float = 13.0
    suspect_threshold: float = 0.06
    suspect_doubt_rate: float = 0.2
    liar_threshold: float = 0.4
    last_cards_lie_doubt_rate: float = 0.4
    last_cards_suspect_threshold: float = 1.0
    last_cards_suspect_rate: float = 0.3
    repeat_trust: float = 0.4
    prior: float = 0.5

    def to_row(self) -> list[float]:
        """The parameters as one flat list."""
        flat: list[float] = []
        for figure in astuple(self):
            flat.extend(figure if isinstance(figure, tuple) else (figure,))
        assert len(flat) == PARAM_COUNT
        return flat


_CAREFUL = PolicyParams()

_RECKLESS = PolicyParams(
    low_stake_truth_rate=0.01,
    high_stake_truth_rate=0.01,
    lie_weights=(1, 1, 1, 1, 1),
    repeat_discount=1.0,
    discard_weights=(1, 2, 3, 4),
    noise_rate=0.5,
    prior=0.1,
)

_BOLD = PolicyParams(
    low_stake_truth_rate=0.5,
    high_stake_truth_rate=0.97,
    high_stake_min_cards=10,
    lie_weights=(0.1, 0.6, 3, 6, 2),
    discard_weights=(1, 0.25, 0.05, 0.1),
    noise_rate=0.02,
    small_middle_lie_doubt_rate=0.6,
    large_middle_lie_doubt_rate=1.0,
    large_middle_min_cards=6,
    suspect_threshold=0.25,
    suspect_doubt_rate=0.9,
    last_cards_lie_doubt_rate=1.0,
    last_cards_suspect_threshold=0.5,
    last_cards_suspect_rate=0.97,
    prior=0.4,
)

POLICY_TABLE: PolicyTable = np.array([one.to_row() for one in (_RECKLESS, _CAREFUL, _BOLD)])

OWN_POLICY = 2
"""The index of the policy with which a searching bot expects to play on."""
