"""Reports the speed of this engine and of competitors in one run, as Markdown tables.

`make bench` installs the competitors in an environment of their own and runs this; `--write` saves
the tables in docs/figures.md. Run it on an idle machine:

    make bench
    make bench ARGS="--seconds 5 --write"
"""

import os
import sys

from bench.figures_page import Section, figures_parser, print_section
from jasstisch.bench.measurement import REPEATS, Measurement, MetricUnit
from jasstisch.bench.suite import BenchmarkRun, EngineResult, PeerResult, run_benchmarks


def measurement_cells(unit: MetricUnit, figure: Measurement) -> list[str]:
    """Returns the cells of a result: median, range, unit."""
    low, high = figure.spread
    return [unit.format(figure.median), f"{unit.format(low)} – {unit.format(high)}", unit.name]


def engine_section(result: BenchmarkRun, command: str) -> Section:
    """Returns our own results with their targets and published results."""
    rows = [engine_row(own) for own in result.engine_results]
    columns = ["one core", "median", "spread", "unit", "bar", "published elsewhere"]
    load, cores = os.getloadavg()[0], result.machine.cores
    state = f"The machine's load at the end was {load:.1f} on {cores} cores"
    if load > cores:
        state += ", so that programs had to share them: an idle machine is faster"
    return Section(command, columns, rows, [f"Median and range of {REPEATS} repeats. {state}."])


def engine_row(own: EngineResult) -> list[str]:
    """Returns the row of one of our results."""
    measure = own.benchmark
    bar = ""
    if measure.target is not None:
        sign = "≥" if measure.unit.units_per_second is None else "≤"
        bar = f"{sign} {measure.unit.format(measure.target)}: "
        bar += "met" if own.meets_target else "not met"
    return [
        measure.title,
        *measurement_cells(measure.unit, own.measurement),
        bar,
        measure.published_results,
    ]


def peer_section(result: BenchmarkRun, command: str) -> Section:
    """Returns the results of the competitors, and how many times as fast our engine is."""
    rows = [peer_row(one) for one in result.peer_results]
    columns = ["engine", "what it did", "median", "spread", "unit", "beside our", "ours is"]
    notes = [
        f"Not measured: {name}, {reason}." for name, reason in result.unavailable_peers.items()
    ]
    return Section(command, columns, rows, notes)


def peer_row(compared: PeerResult) -> list[str]:
    """Returns the row of a competitor."""
    return [
        f"{compared.peer} {compared.version}",
        compared.benchmark.title,
        *measurement_cells(compared.benchmark.unit, compared.measurement),
        compared.engine_benchmark.title,
        f"{compared.ratio:,.1f} ×",
    ]


def main() -> int:
    """Measures, prints the tables, and saves them in docs/figures.md if requested."""
    parser = figures_parser("bench.peers", __doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="time for each figure (3)")
    arguments = parser.parse_args()
    result = run_benchmarks(
        arguments.seconds, tell=lambda what: print(f"· {what}", file=sys.stderr, flush=True)
    )
    words = "" if arguments.seconds == 3.0 else f' ARGS="--seconds {arguments.seconds:g}"'
    sections = {
        "speed": engine_section(result, f"make bench{words}"),
        "peers": peer_section(result, f"make bench{words}"),
    }
    for name, section in sections.items():
        print()
        print_section(name, section, keep=arguments.write)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
