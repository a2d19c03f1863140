"""The benchmark suite: our own benchmarks, then the installed competitors, and the ratios."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from platform import python_version

from jasstisch.bench.competitors import PEERS, Peer
from jasstisch.bench.engine_benchmarks import ENGINE_BENCHMARKS
from jasstisch.bench.machine import Machine, this_machine
from jasstisch.bench.measurement import Benchmark, Measurement, measure_repeatedly


@dataclass(frozen=True, slots=True)
class EngineResult:
    """A result of our own engine."""

    benchmark: Benchmark
    measurement: Measurement

    @property
    def meets_target(self) -> bool | None:
        """Whether it reaches its target; None without one."""
        if self.benchmark.target is None:
            return None
        return self.benchmark.unit.meets(self.measurement.median, self.benchmark.target)


@dataclass(frozen=True, slots=True)
class PeerResult:
    """A result of a competitor, and how many times as fast our engine is.

    Attributes:
        peer, version: the competitor.
        benchmark, measurement: its benchmark and the result.
        engine_benchmark: our comparable benchmark.
        ratio: how many times as fast our engine is, by the medians.
    """

    peer: str
    version: str
    benchmark: Benchmark
    measurement: Measurement
    engine_benchmark: Benchmark
    ratio: float


@dataclass(frozen=True, slots=True)
class BenchmarkRun:
    """All results of one run.

    Attributes:
        machine: where they were measured.
        engine_results: our own.
        peer_results: those of the competitors.
        unavailable_peers: the competitors that could not be measured, each with the reason.
    """

    machine: Machine
    engine_results: tuple[EngineResult, ...]
    peer_results: tuple[PeerResult, ...]
    unavailable_peers: dict[str, str]


def run_benchmarks(
    seconds: float,
    *,
    own: Sequence[Benchmark] | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> BenchmarkRun:
    """Runs all benchmarks that can run here.

    Args:
        seconds: the time for each benchmark.
        own: some of our own benchmarks instead of all; competitors without a comparable one are
            left out.
        tell: called with the next benchmark.
    """
    figures: dict[str, EngineResult] = {}
    for one in ENGINE_BENCHMARKS if own is None else own:
        tell(one.title)
        figures[one.name] = EngineResult(one, measure_repeatedly(one, seconds))
    compared: list[PeerResult] = []
    absent = {}
    for peer in PEERS:
        try:
            compared += _compare_peer(peer, figures, seconds, tell)
        except metadata.PackageNotFoundError:
            absent[peer.name] = "not installed"
        except ImportError as error:
            absent[peer.name] = f"cannot be loaded: {error}"
    return BenchmarkRun(this_machine(), tuple(figures.values()), tuple(compared), absent)


def _compare_peer(
    peer: Peer, own: Mapping[str, EngineResult], seconds: float, tell: Callable[[str], None]
) -> Iterator[PeerResult]:
    """Runs the benchmarks of a competitor that are comparable with our own.

    Raises:
        metadata.PackageNotFoundError: it is not installed.
        ImportError: it is installed, but cannot be loaded.
    """
    version = metadata.version(peer.package) if peer.package else python_version()
    for comparison in peer.benchmarks:
        ours = own.get(comparison.engine_benchmark_name)
        if ours is None:
            continue
        tell(f"{peer.name}: {comparison.benchmark.title}")
        figure = measure_repeatedly(comparison.benchmark, seconds)
        ratio = ours.benchmark.unit.ratio(ours.measurement.median, figure.median)
        yield PeerResult(peer.name, version, comparison.benchmark, figure, ours.benchmark, ratio)
