"""One run: all of our own figures, then those of the peers that are installed, and the ratios."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from platform import python_version

from jasstisch.bench.machine import Machine, this_machine
from jasstisch.bench.own import OWN
from jasstisch.bench.peers import PEERS, Peer
from jasstisch.bench.timing import Figure, Measure, measured

__all__ = ["Compared", "Own", "Run", "measure"]


@dataclass(frozen=True, slots=True)
class Own:
    """One of our own figures."""

    measure: Measure
    figure: Figure

    @property
    def meets_bar(self) -> bool | None:
        """Whether it reaches its bar; None without one."""
        if self.measure.bar is None:
            return None
        return self.measure.unit.meets(self.figure.median, self.measure.bar)


@dataclass(frozen=True, slots=True)
class Compared:
    """A figure of a peer, and how many times as fast ours is.

    Attributes:
        peer, version: whose it is.
        measure, figure: what it did, and how fast.
        against: our measure of the like.
        ratio: how many times as fast ours is, by the medians.
    """

    peer: str
    version: str
    measure: Measure
    figure: Figure
    against: Measure
    ratio: float


@dataclass(frozen=True, slots=True)
class Run:
    """All figures of one run.

    Attributes:
        machine: where they were measured.
        own: our own.
        compared: those of the peers.
        absent: the peers that could not be measured, each with the reason.
    """

    machine: Machine
    own: tuple[Own, ...]
    compared: tuple[Compared, ...]
    absent: dict[str, str]


def measure(
    seconds: float,
    *,
    own: Sequence[Measure] | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Run:
    """Measures everything that can be measured here.

    Args:
        seconds: time for each figure.
        own: some of our own measures instead of all; what of the peers compares with none of
            them is left out.
        tell: hears what is measured next.
    """
    figures: dict[str, Own] = {}
    for one in OWN if own is None else own:
        tell(one.title)
        figures[one.name] = Own(one, measured(one, seconds))
    compared: list[Compared] = []
    absent = {}
    for peer in PEERS:
        try:
            compared += beside(peer, figures, seconds, tell)
        except metadata.PackageNotFoundError:
            absent[peer.name] = "not installed"
        except ImportError as error:
            absent[peer.name] = f"cannot be loaded: {error}"
    return Run(this_machine(), tuple(figures.values()), tuple(compared), absent)


def beside(
    peer: Peer, own: Mapping[str, Own], seconds: float, tell: Callable[[str], None]
) -> Iterator[Compared]:
    """Measures a peer in all that compares with one of our own figures.

    Raises:
        PackageNotFoundError: it is not installed.
        ImportError: it is, and yet it can't be loaded.
    """
    version = metadata.version(peer.package) if peer.package else python_version()
    for comparison in peer.comparisons:
        ours = own.get(comparison.against)
        if ours is None:
            continue
        tell(f"{peer.name}: {comparison.measure.title}")
        figure = measured(comparison.measure, seconds)
        ratio = ours.measure.unit.ratio(ours.figure.median, figure.median)
        yield Compared(peer.name, version, comparison.measure, figure, ours.measure, ratio)
