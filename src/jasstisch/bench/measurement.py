"""Measuring: the same work several times, with median and range.

Time is the CPU time of the measuring thread, so that other programs disturb a result less than wall
time would. This favours nobody: everything measured here runs in the calling thread, or in a
process of its own, whose CPU time is taken.
"""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

REPEATS = 7
"""The number of measurements for one result."""

Work = Callable[[], float]
"""Does some work and returns its amount, which may be fractional."""


@dataclass(frozen=True, slots=True)
class MetricUnit:
    """The unit of a result: a rate, or the time that one takes.

    Attributes:
        name: such as `rounds/s` or `µs`.
        units_per_second: for a time, how many of this unit make a second; None for a rate.
    """

    name: str
    units_per_second: float | None = None

    def value(self, done: float, seconds: float) -> float:
        """Returns the result for an amount of work in a time."""
        if self.units_per_second is None:
            return done / seconds
        return seconds * self.units_per_second / done

    def ratio(self, one: float, other: float) -> float:
        """Returns how many times as good the first result is as the second."""
        return one / other if self.units_per_second is None else other / one

    def meets(self, figure: float, bar: float) -> bool:
        """Returns whether a result is at least as good as the bar."""
        return self.ratio(figure, bar) >= 1

    def format(self, figure: float) -> str:
        """Formats a result with three or four digits."""
        digits = 0 if figure >= 100 else 1 if figure >= 10 else 2
        return f"{figure:,.{digits}f}"


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark.

    Attributes:
        name: a short name for programs.
        title: the description for readers.
        unit: the unit of its result.
        setup: prepares the work, untimed, and returns it.
        target: the target.
        published_results: published results of comparable work, in words.
        clock: returns the elapsed seconds.
    """

    name: str
    title: str
    unit: MetricUnit
    setup: Callable[[], Work]
    target: float | None = None
    published_results: str = ""
    clock: Callable[[], float] = time.thread_time


@dataclass(frozen=True, slots=True)
class Measurement:
    """The results of several measurements.

    Attributes:
        values: the result of each repeat, in the unit of the benchmark.
    """

    values: tuple[float, ...]

    @property
    def median(self) -> float:
        """The median, which represents all."""
        return statistics.median(self.values)

    @property
    def spread(self) -> tuple[float, float]:
        """The lowest and the highest result."""
        return min(self.values), max(self.values)


def measure_repeatedly(measure: Benchmark, seconds: float) -> Measurement:
    """Measures `REPEATS` times, for this many seconds in total or one unit of work each."""
    work = measure.setup()
    work()  # warm-up, such as filling caches, is not measured
    return Measurement(
        tuple(_measure_once(measure, work, seconds / REPEATS) for _ in range(REPEATS))
    )


def _measure_once(measure: Benchmark, work: Work, seconds: float) -> float:
    done, start = 0.0, measure.clock()
    while True:
        done += work()
        passed = measure.clock() - start
        if passed >= seconds:
            return measure.unit.value(done, passed)
