"""Statistics: 95 % confidence intervals of means, differences and ratios.

The unit of all statistics is the deal. Deals are independent of each other. The seatings and
line-ups of one deal are not, so they are averaged first. Two lists of the same deals are compared
pairwise, which removes the luck of the cards. Intervals assume a normal distribution and are
reliable from about thirty deals on.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

NORMAL_95 = 1.96
"""Standard errors on either side that contain 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its confidence interval.

    Attributes:
        mean: the mean over the deals.
        ci95: half the width of its 95 % interval.
    """

    mean: float
    ci95: float


def estimate(values: Sequence[float]) -> Estimate:
    """Returns the mean of one value per deal, for two deals or more."""
    error = statistics.stdev(values) / math.sqrt(len(values))
    return Estimate(statistics.fmean(values), NORMAL_95 * error)


def paired_difference(first: Sequence[float], second: Sequence[float]) -> Estimate:
    """Returns the mean of first minus second, deal by deal."""
    return estimate([one - other for one, other in zip(first, second, strict=True)])


def ratio(first: Sequence[float], second: Sequence[float]) -> Estimate:
    """Returns the mean of the first divided by the mean of the second, which is not 0.

    The interval follows from the deviation of each first value from that ratio of the second.
    """
    whole = statistics.fmean(second)
    part = statistics.fmean(first) / whole
    beyond = [one - part * other for one, other in zip(first, second, strict=True)]
    return Estimate(part, estimate(beyond).ci95 / abs(whole))
