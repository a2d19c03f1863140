"""`jasstisch bench`: the speed figures of this machine, and ratios to the peers installed on it."""

import argparse
import json
import sys
from dataclasses import asdict

from rich.table import Table
from rich.text import Text

from jasstisch.bench.run import Compared, Own, Run, measure
from jasstisch.bench.timing import REPEATS
from jasstisch.cli.arguments import Parser
from jasstisch.cli.terminal import Terminal
from jasstisch.errors import shorten

__all__ = ["run"]


def run(words: list[str]) -> int:
    """Measures, and prints the figures."""
    arguments = parser().read(words)
    terminal = Terminal()
    with terminal.working("Measuring"):
        result = measure(arguments.seconds)
    if arguments.json:
        json.dump(as_json(result), sys.stdout, indent=2)
        print()
    else:
        report(terminal, result)
    return 0


def parser() -> Parser:
    """The words the command takes."""
    result = Parser(
        "jasstisch bench",
        "Measure how fast the engine and its search are on one core of this machine, and how many\n"
        "times as fast that is as other engines, where they are installed.",
    )
    result.add_argument(
        "--seconds", metavar="S", type=seconds, default=3.0, help="time for each figure (default 3)"
    )
    result.add_argument("--json", action="store_true", help="print one JSON object")
    return result


def seconds(text: str) -> float:
    """A time that can be measured in."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0.01 <= number <= 600:
        raise argparse.ArgumentTypeError(
            f"a time from 0.01 to 600 seconds is needed, not {shorten(text)!r}"
        )
    return number


def as_json(result: Run) -> dict[str, object]:
    """All figures as plain JSON."""
    return {
        "machine": asdict(result.machine),
        "repeats": REPEATS,
        "figures": [own_json(one) for one in result.own],
        "peers": [peer_json(one) for one in result.compared],
        "absent": result.absent,
    }


def own_json(own: Own) -> dict[str, object]:
    """One of our own figures, with its bar or null."""
    low, high = own.figure.spread
    return {
        "name": own.measure.name,
        "unit": own.measure.unit.name,
        "median": own.figure.median,
        "low": low,
        "high": high,
        "bar": own.measure.bar,
    }


def peer_json(compared: Compared) -> dict[str, object]:
    """A figure of a peer; the ratio says how many times as fast we are."""
    low, high = compared.figure.spread
    return {
        "name": compared.peer,
        "version": compared.version,
        "measure": compared.measure.title,
        "unit": compared.measure.unit.name,
        "median": compared.figure.median,
        "low": low,
        "high": high,
        "against": compared.against.name,
        "ratio": compared.ratio,
    }


def report(terminal: Terminal, result: Run) -> None:
    """Prints the figures for a reader."""
    machine = result.machine
    title = f"One core of {machine.processor}, Python {machine.python}; median of {REPEATS}"
    terminal.say(Text(title, "dim"), own_table(result))
    if result.compared:
        terminal.say(peer_table(result))
    for name, reason in result.absent.items():
        terminal.say(Text(f"Not compared with {name}: {reason}.", "dim"))


def own_table(result: Run) -> Table:
    """Our own figures."""
    table = grid()
    for own in result.own:
        unit = own.measure.unit
        bar = "" if own.measure.bar is None else f" (bar: {unit.written(own.measure.bar)})"
        table.add_row(unit.written(own.figure.median), unit.name, own.measure.title + bar)
    return table


def peer_table(result: Run) -> Table:
    """The figures of the peers, each with how many times as fast ours is."""
    table = grid()
    for compared in result.compared:
        unit = compared.measure.unit
        what = (
            f"{compared.peer} {compared.version}: {compared.measure.title}; "
            f"ours is {compared.ratio:,.1f} times as fast"
        )
        table.add_row(unit.written(compared.figure.median), unit.name, what)
    return table


def grid() -> Table:
    """A table without lines: a number, its unit, what it is."""
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column()
    return table
