"""An evening on a service of many tables: who comes when, and what that asks of its parts.

Tables are opened as people come home, most of them around the busiest hour, and last as long as
their matches do. What a move, a socket or a restart costs comes from measurements (docs/figures.md,
docs/scaling.md) and can be given otherwise, as can the evening:

    python -m bench.load.capacity
    python -m bench.load.capacity --peak 10000 --move-us 200 --nodes-lost 1

The result is what each part has to do in the busiest minute, how many of it that takes, and which
part is nearest to its end.
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

__all__ = [
    "COSTS",
    "EveningProfile",
    "PeakLoad",
    "Requirement",
    "ResourceCosts",
    "main",
    "open_tables",
    "peak_load",
    "requirements",
]

SCALING_PAGE = ROOT / "docs" / "scaling.md"

STEP_S = 10
"""Seconds of a step of the simulation."""

MATCH_LENGTH_SIGMA = 0.6
"""How much the lengths of matches differ: the standard deviation of their logarithm."""

MAX_UTILISATION = 0.7
"""Nothing is planned to be busier than this share: above it queues grow long."""


@dataclass(frozen=True, slots=True)
class EveningProfile:
    """Who comes.

    Attributes:
        peak: tables that are expected at the busiest moment.
        hours: from the first tables to the last arrivals; the busiest moment lies at two thirds.
        minutes: how long a table lasts, in the middle.
        move_seconds: from one action at a table to the next.
        people: people at a table, each with a socket.
    """

    peak: int
    hours: float = 5.0
    minutes: float = 40.0
    move_seconds: float = 4.0
    people: float = 2.5


@dataclass(frozen=True, slots=True)
class ResourceCosts:
    """What things cost, in microseconds of one core where nothing else is said.

    Attributes:
        move_us: an action on the node that has the table, with all it tells.
        remote_us: what each person at another node adds to it, on both nodes together.
        socket_us: a socket that opens and is given a table.
        socket_kb: kilobytes a socket takes.
        table_kb: kilobytes a table takes besides.
        load_us: a table that is read from its log.
        appends: appends a second that one Postgres takes on from several nodes, which share fewer
            commits than one node does.
        event_bytes: bytes of an event in the log, with its index.
        bus_messages: messages a second that one NATS carries.
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
    """The busiest minute.

    Attributes:
        tables: tables that are open.
        moves: actions a second.
        arrivals: tables a second that are opened.
    """

    tables: int
    moves: float
    arrivals: float


@dataclass(frozen=True, slots=True)
class Requirement:
    """What a part has to do in the busiest minute.

    Attributes:
        part: the part.
        does: what it does, as a text.
        one: how busy a single one of it would be, as a share.
        many: how many it takes.
    """

    part: str
    does: str
    one: float
    many: int


def open_tables(evening: EveningProfile, chance: random.Random) -> Iterator[tuple[int, int]]:
    """For each step how many tables are open, and how many were opened in it."""
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
    """The share of tables that last at least so many steps."""
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
    """How many come in a step; for many at once by the normal distribution."""
    if mean > 50:
        return max(0, round(chance.gauss(mean, mean**0.5)))
    count, product, limit = 0, chance.random(), exp(-mean)
    while product > limit:
        count += 1
        product *= chance.random()
    return count


def peak_load(evening: EveningProfile, seed: int) -> PeakLoad:
    """The busiest minute of an evening."""
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
    """What the parts have to do, the one first that is nearest to its end.

    Args:
        evening: who comes.
        load: the busiest minute.
        costs: what it costs.
        lost: how many nodes may fail at that moment without anybody noticing.
    """
    others = evening.people - 1
    nodes = 1 + lost
    while True:
        # People come to any node, whichever has their table.
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
    """The table of all evenings."""
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
    """The words it takes: the evening, and every cost by its name."""
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
    result.add_argument("--write", action="store_true", help="put the table into docs/scaling.md")
    return result


def _positive(text: str) -> float:
    number = float(text)
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError("a number above 0, please")
    return number


def main(words: Sequence[str] | None = None) -> int:
    """Simulates the evenings and prints what they need."""
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
