"""The speed of this engine beside that of others, in one run, as tables in Markdown.

`make bench` installs the others in an environment of their own and runs this; `--write` keeps the
tables in docs/figures.md. Run it on an idle machine:

    make bench
    make bench ARGS="--seconds 5 --write"
"""

import argparse
import os
import sys

from bench.figures import Section, show
from jasstisch.bench.run import Compared, Own, Run, measure
from jasstisch.bench.timing import REPEATS, Figure, Unit

__all__ = ["beside", "main", "speed"]


def number(unit: Unit, figure: Figure) -> list[str]:
    """The cells of a figure: median, spread, unit."""
    low, high = figure.spread
    return [unit.written(figure.median), f"{unit.written(low)} – {unit.written(high)}", unit.name]


def speed(result: Run, command: str) -> Section:
    """Our own figures, each beside its bar and what others have published."""
    rows = [own_row(own) for own in result.own]
    columns = ["one core", "median", "spread", "unit", "bar", "published elsewhere"]
    load, cores = os.getloadavg()[0], result.machine.cores
    state = f"The machine's load at the end was {load:.1f} on {cores} cores"
    if load > cores:
        state += ", so that programs had to share them: an idle machine is faster"
    return Section(command, columns, rows, [f"Median and range of {REPEATS} repeats. {state}."])


def own_row(own: Own) -> list[str]:
    """One of our own figures."""
    measure = own.measure
    bar = ""
    if measure.bar is not None:
        sign = "≥" if measure.unit.per_second is None else "≤"
        bar = f"{sign} {measure.unit.written(measure.bar)}: "
        bar += "met" if own.meets_bar else "not met"
    return [measure.title, *number(measure.unit, own.figure), bar, measure.published]


def beside(result: Run, command: str) -> Section:
    """The figures of the peers, and how many times as fast ours are."""
    rows = [peer_row(one) for one in result.compared]
    columns = ["engine", "what it did", "median", "spread", "unit", "beside our", "ours is"]
    notes = [f"Not measured: {name}, {reason}." for name, reason in result.absent.items()]
    return Section(command, columns, rows, notes)


def peer_row(compared: Compared) -> list[str]:
    """A figure of a peer."""
    return [
        f"{compared.peer} {compared.version}",
        compared.measure.title,
        *number(compared.measure.unit, compared.figure),
        compared.against.title,
        f"{compared.ratio:,.1f} ×",
    ]


def main() -> int:
    """Measures, prints the tables, and writes them into docs/figures.md if asked to."""
    parser = argparse.ArgumentParser(prog="python -m bench.peers", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--seconds", type=float, default=3.0, help="time for each figure (3)")
    parser.add_argument("--write", action="store_true", help="put the tables into docs/figures.md")
    arguments = parser.parse_args()
    result = measure(
        arguments.seconds, tell=lambda what: print(f"· {what}", file=sys.stderr, flush=True)
    )
    words = "" if arguments.seconds == 3.0 else f' ARGS="--seconds {arguments.seconds:g}"'
    sections = {
        "speed": speed(result, f"make bench{words}"),
        "peers": beside(result, f"make bench{words}"),
    }
    for name, section in sections.items():
        print()
        show(name, section, keep=arguments.write)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
