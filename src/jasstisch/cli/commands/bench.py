"""`jasstisch bench`: speed benchmarks of this machine, with ratios to installed competitors."""

import argparse
import json
import sys
from dataclasses import asdict

from rich.table import Table
from rich.text import Text

from jasstisch.bench.measurement import REPEATS
from jasstisch.bench.suite import BenchmarkRun, EngineResult, PeerResult, run_benchmarks
from jasstisch.cli.arguments import Parser
from jasstisch.cli.ui.terminal import Terminal
from jasstisch.engine.errors import shorten


def run(argv: list[str]) -> int:
    """Runs the benchmarks and prints the results."""
    arguments = parser().parse(argv)
    terminal = Terminal()
    with terminal.spinner("Measuring"):
        result = run_benchmarks(arguments.seconds)
    if arguments.json:
        json.dump(_to_json(result), sys.stdout, indent=2)
        print()
    else:
        _print_report(terminal, result)
    return 0


def parser() -> Parser:
    """Returns the parser of the command."""
    result = Parser(
        "jasstisch bench",
        "Measure how fast the engine and its search are on one core of this machine, and how many\n"
        "times as fast that is as other engines, where they are installed.",
    )
    result.add_argument(
        "--seconds",
        metavar="S",
        type=_parse_seconds,
        default=3.0,
        help="time for each figure (default 3)",
    )
    result.add_argument("--json", action="store_true", help="print one JSON object")
    return result


def _parse_seconds(text: str) -> float:
    """Argument type for the duration of a measurement."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0.01 <= number <= 600:
        raise argparse.ArgumentTypeError(
            f"a time from 0.01 to 600 seconds is needed, not {shorten(text)!r}"
        )
    return number


def _to_json(result: BenchmarkRun) -> dict[str, object]:
    """Returns all results as plain JSON."""
    return {
        "machine": asdict(result.machine),
        "repeats": REPEATS,
        "figures": [_engine_json(one) for one in result.engine_results],
        "peers": [_peer_json(one) for one in result.peer_results],
        "absent": result.unavailable_peers,
    }


def _engine_json(own: EngineResult) -> dict[str, object]:
    """Returns a result of our engine, with its target or null."""
    low, high = own.measurement.spread
    return {
        "name": own.benchmark.name,
        "unit": own.benchmark.unit.name,
        "median": own.measurement.median,
        "low": low,
        "high": high,
        "bar": own.benchmark.target,
    }


def _peer_json(compared: PeerResult) -> dict[str, object]:
    """Returns the result of a competitor; the ratio says how many times as fast our engine is."""
    low, high = compared.measurement.spread
    return {
        "name": compared.peer,
        "version": compared.version,
        "measure": compared.benchmark.title,
        "unit": compared.benchmark.unit.name,
        "median": compared.measurement.median,
        "low": low,
        "high": high,
        "against": compared.engine_benchmark.name,
        "ratio": compared.ratio,
    }


def _print_report(terminal: Terminal, result: BenchmarkRun) -> None:
    """Prints the results as tables."""
    machine = result.machine
    title = f"One core of {machine.processor}, Python {machine.python}; median of {REPEATS}"
    terminal.write(Text(title, "dim"), _engine_table(result))
    if result.peer_results:
        terminal.write(_peer_table(result))
    for name, reason in result.unavailable_peers.items():
        terminal.write(Text(f"Not compared with {name}: {reason}.", "dim"))


def _engine_table(result: BenchmarkRun) -> Table:
    """Returns the table of our own results."""
    table = _plain_table()
    for own in result.engine_results:
        unit = own.benchmark.unit
        bar = "" if own.benchmark.target is None else f" (bar: {unit.format(own.benchmark.target)})"
        table.add_row(unit.format(own.measurement.median), unit.name, own.benchmark.title + bar)
    return table


def _peer_table(result: BenchmarkRun) -> Table:
    """Returns the table of the competitors, with how many times as fast our engine is."""
    table = _plain_table()
    for compared in result.peer_results:
        unit = compared.benchmark.unit
        what = (
            f"{compared.peer} {compared.version}: {compared.benchmark.title}; "
            f"ours is {compared.ratio:,.1f} times as fast"
        )
        table.add_row(unit.format(compared.measurement.median), unit.name, what)
    return table


def _plain_table() -> Table:
    """Returns a table without lines: number, unit, description."""
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column()
    return table
