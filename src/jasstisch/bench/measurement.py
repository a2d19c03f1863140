"""How a figure comes about: the same work several times, its median and its spread.

Time is that of the measuring thread on its core, so that other programs on the machine disturb a
figure less than they would a clock on the wall. It flatters nobody: all that is measured here works
in the thread that calls it, or in a process of its own, whose time on its core is taken.
"""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["REPEATS", "Benchmark", "Measurement", "MetricUnit", "Work", "measure_repeatedly"]

REPEATS = 7
"""How often each work is measured for one figure."""

Work = Callable[[], float]
"""Does something and returns how much of it was done, in whole or broken units."""


@dataclass(frozen=True, slots=True)
class MetricUnit:
    """What a figure counts: so many a second, or the time that one takes.

    Attributes:
        name: such as `rounds/s` or `µs`.
        per_second: for a time, how many of this unit make a second; None where more is better.
    """

    name: str
    per_second: float | None = None

    def value(self, done: float, seconds: float) -> float:
        """The figure of work of which so much was done in this time."""
        if self.per_second is None:
            return done / seconds
        return seconds * self.per_second / done

    def ratio(self, one: float, other: float) -> float:
        """How many times as good the first figure is as the second."""
        return one / other if self.per_second is None else other / one

    def meets(self, figure: float, bar: float) -> bool:
        """Whether a figure is at least as good as the bar."""
        return self.ratio(figure, bar) >= 1

    def format(self, figure: float) -> str:
        """A figure for a reader, to three or four digits."""
        digits = 0 if figure >= 100 else 1 if figure >= 10 else 2
        return f"{figure:,.{digits}f}"


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Something whose speed is measured.

    Attributes:
        name: one word for programs.
        title: what is done, for readers.
        unit: what its figure counts.
        setup: prepares the work, untimed, and returns it.
        bar: what the project asks of itself.
        published: figures that others have published for the like of it, in words.
        clock: seconds that pass while it works.
    """

    name: str
    title: str
    unit: MetricUnit
    setup: Callable[[], Work]
    bar: float | None = None
    published: str = ""
    clock: Callable[[], float] = time.thread_time


@dataclass(frozen=True, slots=True)
class Measurement:
    """What several measurements of one work said.

    Attributes:
        values: the figure of each repeat, in the unit of the measure.
    """

    values: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle one, which stands for all."""
        return statistics.median(self.values)

    @property
    def spread(self) -> tuple[float, float]:
        """The lowest and the highest."""
        return min(self.values), max(self.values)


def measure_repeatedly(measure: Benchmark, seconds: float) -> Measurement:
    """Measures `REPEATS` times, for this many seconds in all or for one go of the work each."""
    work = measure.setup()
    work()  # what is done the first time only, such as filling caches, belongs to no figure
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
