"""`jasstisch bench`: the speed figures of this machine, and ratios to the peers installed on it."""

import argparse
import json
import platform
import sys

from rich.text import Text

from jasstisch import bench
from jasstisch.cli.arguments import Parser
from jasstisch.cli.terminal import Terminal
from jasstisch.errors import shorten

__all__ = ["run"]

TITLES = {
    "match": "Match: packs, bids, plays, scoring, log",
    "bare": "the bare rules of a round",
}


def run(words: list[str]) -> int:
    """Measures, and prints the figures."""
    arguments = parser().read(words)
    terminal = Terminal()
    versions = bench.installed()
    with terminal.working("Measuring"):
        own = {name: bench.rate(play, arguments.seconds) for name, play in bench.OWN.items()}
        peers = {name: bench.rate(bench.PEERS[name], arguments.seconds) for name in versions}
    if arguments.json:
        json.dump(figures(own, peers, versions), sys.stdout, indent=2)
        print()
    else:
        report(terminal, own, peers, versions)
    return 0


def parser() -> Parser:
    """The words the command takes."""
    peers = ", ".join(bench.PEERS)
    result = Parser(
        "jasstisch bench",
        "Measure how many random rounds a second the engine plays on one core of this machine,\n"
        f"and how many times as many that is as another engine plays, if installed: {peers}.",
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


def figures(
    own: dict[str, float], peers: dict[str, float], versions: dict[str, str]
) -> dict[str, object]:
    """All figures as plain JSON; a ratio says how many times as fast `Match` is."""
    return {
        "python": platform.python_version(),
        "rounds_per_second": {name: round(figure) for name, figure in own.items()},
        "peers": [
            {
                "name": name,
                "version": versions[name],
                "rounds_per_second": round(figure),
                "ratio": round(own["match"] / figure, 1),
            }
            for name, figure in peers.items()
        ],
    }


def report(
    terminal: Terminal, own: dict[str, float], peers: dict[str, float], versions: dict[str, str]
) -> None:
    """Prints the figures for a reader."""
    title = f"Random rounds a second on one core, Python {platform.python_version()}"
    terminal.say(Text(title, "dim"))
    for name, figure in own.items():
        terminal.say(f"{round(figure):>10,}  {TITLES[name]}")
    for name, figure in peers.items():
        ratio = own["match"] / figure
        terminal.say(
            f"{round(figure):>10,}  {name} {versions[name]}; Match is {ratio:.1f} times as fast"
        )
    if not peers:
        terminal.say(
            Text(f"No peer is installed to compare with: {', '.join(bench.PEERS)}.", "dim")
        )
