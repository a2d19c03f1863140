"""Means and what they leave in doubt: 95 % intervals of means, differences and ratios.

The unit of all statistics is the deal. Deals are independent of each other; what happens within a
deal, in its several seatings and line-ups, is not, and is averaged before it comes here. So two
lists of the same deals are compared pair by pair, which takes the luck of the cards out. Intervals
are those of the normal distribution and hold from some thirty deals on.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Estimate", "estimate", "paired_difference", "ratio"]

NORMAL_95 = 1.96
"""Standard errors to either side that hold 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and how far it may be off.

    Attributes:
        mean: the mean over the deals.
        ci95: half the width of its 95 % interval.
    """

    mean: float
    ci95: float


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of one value for each deal, of two deals or more."""
    error = statistics.stdev(values) / math.sqrt(len(values))
    return Estimate(statistics.fmean(values), NORMAL_95 * error)


def paired_difference(first: Sequence[float], second: Sequence[float]) -> Estimate:
    """The mean of first minus second, deal by deal."""
    return estimate([one - other for one, other in zip(first, second, strict=True)])


def ratio(first: Sequence[float], second: Sequence[float]) -> Estimate:
    """The mean of the first divided by the mean of the second, which is not 0.

    The interval follows from how far the first of each deal is from that part of the second.
    """
    whole = statistics.fmean(second)
    part = statistics.fmean(first) / whole
    beyond = [one - part * other for one, other in zip(first, second, strict=True)]
    return Estimate(part, estimate(beyond).ci95 / abs(whole))
