"""Simulates an evening on a service with many tables: arrivals, and the capacity they require.

Tables are opened as people come home, most of them around the peak hour, and last as long as their
matches. The costs of moves, sockets and restarts come from measurements (docs/figures.md,
docs/scaling.md); they and the profile of the evening can be changed:

    python -m bench.load.capacity
    python -m bench.load.capacity --peak 10000 --move-us 200 --nodes-lost 1

The result is the load of each component in the peak minute, the number of instances it requires,
and the component closest to its limit.
"""

import argparse
import random
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil, exp, log

from bench.figures_page import ROOT, Section, print_section
from jasstisch.cli.arguments import int_range

SCALING_PAGE = ROOT / "docs" / "scaling.md"

STEP_S = 10
"""Seconds of a simulation step."""

MATCH_LENGTH_SIGMA = 0.6
"""The standard deviation of the logarithm of match lengths."""

MAX_UTILISATION = 0.7
"""The maximum planned utilization: above it queues grow long."""


@dataclass(frozen=True, slots=True)
class EveningProfile:
    """The arrivals of an evening.

    Attributes:
        peak: expected tables at the peak.
        hours: from the first to the last arrivals; the peak is at two thirds.
        minutes: the median duration of a table.
        move_seconds: seconds between two actions at a table.
        people: people at a table, each with a socket.
    """

    peak: int
    hours: float = 5.0
    minutes: float = 40.0
    move_seconds: float = 4.0
    people: float = 2.5


@dataclass(frozen=True, slots=True)
class ResourceCosts:
    """Costs, in microseconds of one core unless stated otherwise.

    Attributes:
        move_us: an action on the node of the table, with all notifications.
        remote_us: the addition for each person at another node, on both nodes together.
        socket_us: opening a socket and subscribing it to a table.
        socket_kb: kilobytes of a socket.
        table_kb: kilobytes of a table.
        load_us: loading a table from its log.
        appends: appends per second that one Postgres accepts from several nodes, which share fewer
            commits than a single one.
        event_bytes: bytes of an event in the log, with its index.
        bus_messages: messages per second of one NATS.
    """

    move_us: float = 300.0
    remote_us: float = 300.0
    socket_us: float = 700.0
    socket_kb: float = 7.0
    table_kb: float = 35.0
    load_us: float = 2000.0
    appends: float = 20_000.0
    event_bytes: float = 400.0
    bus_messages: float = 200_000.0


COSTS = ResourceCosts()


@dataclass(frozen=True, slots=True)
class PeakLoad:
    """The load of the peak minute.

    Attributes:
        tables: open tables.
        moves: actions per second.
        arrivals: tables opened per second.
    """

    tables: int
    moves: float
    arrivals: float


@dataclass(frozen=True, slots=True)
class Requirement:
    """The requirement of a component in the peak minute.

    Attributes:
        part: the component.
        does: its load, as text.
        one: the utilization of a single instance.
        many: the number of instances required.
    """

    part: str
    does: str
    one: float
    many: int


def open_tables(evening: EveningProfile, chance: random.Random) -> Iterator[tuple[int, int]]:
    """Returns for each step the number of open tables, and of tables opened in it."""
    steps = int(evening.hours * 3600 / STEP_S)
    middle, width = steps * 2 / 3, steps / 6
    shape = [exp(-(((step - middle) / width) ** 2) / 2) for step in range(steps)]
    lasting = _survival(evening)
    expected = max(
        sum(shape[at - age] * share for age, share in enumerate(lasting[: at + 1]))
        for at in range(int(middle), min(steps, int(middle + width)))
    )
    change = [0] * (steps + 1)
    opened = []
    for step, height in enumerate(shape):
        come = _poisson(height * evening.peak / expected, chance)
        opened.append(come)
        change[step] += come
        for _ in range(come):
            length = chance.lognormvariate(log(evening.minutes * 60 / STEP_S), MATCH_LENGTH_SIGMA)
            if step + length < steps:
                change[step + ceil(length)] -= 1
    return zip(accumulate(change), opened, strict=False)


def _survival(evening: EveningProfile) -> list[float]:
    """Returns the share of tables that last at least this many steps."""
    chance = random.Random(1)
    lengths = sorted(
        chance.lognormvariate(log(evening.minutes * 60 / STEP_S), MATCH_LENGTH_SIGMA)
        for _ in range(20_000)
    )
    left, found = len(lengths), []
    for age in range(int(lengths[-1]) + 1):
        while left and lengths[len(lengths) - left] < age:
            left -= 1
        found.append(left / len(lengths))
        if left < len(lengths) / 100:
            break
    return found


def _poisson(mean: float, chance: random.Random) -> int:
    """Draws the number of arrivals of a step; large numbers by the normal distribution."""
    if mean > 50:
        return max(0, round(chance.gauss(mean, mean**0.5)))
    count, product, limit = 0, chance.random(), exp(-mean)
    while product > limit:
        count += 1
        product *= chance.random()
    return count


def peak_load(evening: EveningProfile, seed: int) -> PeakLoad:
    """Returns the peak minute of an evening."""
    chance = random.Random(seed)
    minute = 60 // STEP_S
    steps = list(open_tables(evening, chance))

    def busy(at: int) -> int:
        return sum(count for count, _ in steps[at : at + minute])

    best = max(range(len(steps) - minute), key=busy)
    tables = max(count for count, _ in steps[best : best + minute])
    opened = sum(count for _, count in steps[best : best + minute]) / 60
    moves = _poisson(tables * 60 / evening.move_seconds, chance) / 60
    return PeakLoad(tables, moves, opened)


def requirements(
    evening: EveningProfile, load: PeakLoad, costs: ResourceCosts, lost: int
) -> list[Requirement]:
    """Returns the requirements of all components, the one closest to its limit first.

    Args:
        evening: the profile of the evening.
        load: the peak minute.
        costs: the costs.
        lost: how many nodes may fail at that moment without effect.
    """
    others = evening.people - 1
    nodes = 1 + lost
    while True:
        # People connect to any node, wherever their table is.
        away = others * (nodes - 1) / nodes
        cores = load.moves * (costs.move_us + away * costs.remote_us) / 1e6
        cores += load.arrivals * (evening.people * costs.socket_us + costs.load_us) / 1e6
        if cores <= MAX_UTILISATION * (nodes - lost):
            break
        nodes = max(nodes + 1, ceil(cores / MAX_UTILISATION) + lost)
    messages = load.moves * (away + min(away, 1.0) / max(evening.people, 1.0))
    written = load.moves * costs.event_bytes / 1e6
    megabytes = (load.tables * (costs.table_kb + evening.people * costs.socket_kb)) / 1000
    return sorted(
        [
            Requirement(
                "node, a core each",
                f"{load.moves:,.0f} moves a second, {megabytes / nodes:,.0f} MB",
                cores,
                nodes,
            ),
            Requirement(
                "Postgres",
                f"{load.moves:,.0f} appends, {written:.1f} MB a second",
                load.moves / costs.appends,
                ceil(load.moves / costs.appends / MAX_UTILISATION),
            ),
            Requirement(
                "NATS",
                f"{messages:,.0f} messages a second",
                messages / costs.bus_messages,
                ceil(messages / costs.bus_messages / MAX_UTILISATION) if nodes > 1 else 0,
            ),
        ],
        key=lambda need: -need.one,
    )


def section(
    words: Sequence[str], evenings: Sequence[EveningProfile], costs: ResourceCosts, lost: int
) -> Section:
    """Returns the table of all evenings."""
    rows, notes = [], []
    for evening in evenings:
        load = peak_load(evening, seed=1)
        back = load.tables * (evening.people * costs.socket_us + costs.load_us) / 1e6
        rows += [
            [
                f"{evening.peak:,}",
                need.part,
                need.does,
                f"{100 * need.one:,.0f} %",
                f"{need.many:,}",
            ]
            for need in requirements(evening, load, costs, lost)
        ]
        notes.append(
            f"{evening.peak:,} tables that all come back at once: {back:,.0f} s of a core."
        )
    return Section(
        command=shlex.join(["python", "-m", "bench.load.capacity", *words]),
        columns=["tables at the peak", "part", "does", "one alone", "it takes"],
        rows=rows,
        notes=notes,
    )


def parser() -> argparse.ArgumentParser:
    """Returns the parser: the profile of the evening, and every cost by name."""
    result = argparse.ArgumentParser(prog="python -m bench.load.capacity", description=__doc__)
    result.formatter_class = argparse.RawDescriptionHelpFormatter
    peaks = [1000, 10_000, 100_000]
    result.add_argument("--peak", type=int_range(1), nargs="+", default=peaks, metavar="TABLES")
    number: Callable[[str], float] = _positive
    for of, given in (
        (EveningProfile, ("hours", "minutes", "move_seconds", "people")),
        (ResourceCosts, None),
    ):
        for name, one in of.__dataclass_fields__.items():
            if given is None or name in given:
                flag = f"--{name.replace('_', '-')}"
                text = f"default {one.default:g}"
                result.add_argument(flag, type=number, default=one.default, metavar="N", help=text)
    result.add_argument("--nodes-lost", type=int_range(0), default=1, metavar="N")
    result.add_argument("--write", action="store_true", help="save the table in docs/scaling.md")
    return result


def _positive(text: str) -> float:
    number = float(text)
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError("a number above 0, please")
    return number


def main(words: Sequence[str] | None = None) -> int:
    """Simulates the evenings and prints the requirements."""
    given = list(sys.argv[1:] if words is None else words)
    read = vars(parser().parse_args(given))
    keep, lost, peaks = read.pop("write"), read.pop("nodes_lost"), read.pop("peak")
    costs = ResourceCosts(**{name: read[name] for name in ResourceCosts.__dataclass_fields__})
    rest = {
        name: value for name, value in read.items() if name in EveningProfile.__dataclass_fields__
    }
    evenings = [EveningProfile(peak, **rest) for peak in peaks]
    said = [word for word in given if word != "--write"]
    print_section("evening", section(said, evenings, costs, lost), keep=keep, page=SCALING_PAGE)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
