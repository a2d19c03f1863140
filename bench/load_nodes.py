"""What Postgres and several servers cost: the same load on each, on this one machine.

The load is that of `bench.load`; at each table the four people sit at different servers, so that
most moves are passed on. Postgres, NATS, the servers and all who play share the cores of the
machine: where these are few, several servers are slower than one. As in:

    python -m bench.load_nodes
    python -m bench.load_nodes --tables 300 --write
"""

import argparse
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import uvloop

from bench.figures import ROOT, Section, show
from bench.load import LIMITS, Served, loaded, processor_time
from jasstisch.cli.arguments import whole
from tests import postgres
from tests.nodes.harness import Nats

__all__ = ["House", "database", "family", "section"]

NODE = f"""{LIMITS}
store, bus = sys.argv[1], sys.argv[2] or None
sys.exit(run("127.0.0.1", 0, None, open_browser=False, thinkers=1, store=store, bus=bus))
"""
"""Runs a server over Postgres, by itself or with others."""

MOST_NODES = 3

KEPT = (
    *("moves a second", "p50 ms", "p95 ms", "p99 ms", "longest ms", "server, cores", "µs a move"),
    *("Postgres, cores", "NATS, cores", "loader, cores", "machine busy"),
)
"""What of the figures of a load is told here."""


class House:
    """Servers over one Postgres, with a NATS between them where they are several.

    Args:
        folder: for their logs.
        nodes: how many.
        stack: ends them all.
    """

    def __init__(self, folder: Path, nodes: int, stack: ExitStack) -> None:
        server = database(stack)
        self._database = server.process
        nats = Nats() if nodes > 1 else None
        if nats is not None:
            stack.callback(nats.stop)
        self._nats = 0 if nats is None else nats.process
        store, bus = server.fresh(), "" if nats is None else nats.url
        self._nodes = []
        for number in range(nodes):
            place = folder / str(number)
            place.mkdir()
            node = Served(place, ROOT / "src", NODE, [store, bus])
            stack.callback(node.stop)
            self._nodes.append(node)

    @property
    def ports(self) -> Sequence[int]:
        """Where the servers answer."""
        return [node.port for node in self._nodes]

    def used(self) -> float:
        """Seconds of processor time of the servers until now."""
        return sum(node.used() for node in self._nodes)

    def memory(self) -> int:
        """Bytes of memory that the servers use now."""
        return sum(node.memory() for node in self._nodes)

    def beside(self) -> dict[str, float]:
        """Seconds of processor time of Postgres and of NATS until now."""
        nats = processor_time(self._nats) if self._nats else 0.0
        return {
            "Postgres": sum(processor_time(one) for one in family(self._database)),
            "NATS": nats,
        }


def database(stack: ExitStack) -> postgres.Server:
    """A Postgres as a host has it: unlike that of the tests it waits for the disk.

    Args:
        stack: ends it.
    """
    server = postgres.Server()
    stack.callback(server.end)
    server.do("ALTER SYSTEM SET fsync = on", "ALTER SYSTEM SET autovacuum = on")
    server.do("SELECT pg_reload_conf()")
    return server


def family(parent: int) -> Iterator[int]:
    """A process and its children."""
    yield parent
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = place.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        if int(words[1]) == parent:
            yield int(place.parent.name)


@contextmanager
def one_server() -> Iterator[Served]:
    """A server as most hosts have it."""
    with tempfile.TemporaryDirectory() as data:
        server = Served(Path(data), ROOT / "src")
        try:
            yield server
        finally:
            server.stop()


@contextmanager
def house(nodes: int) -> Iterator[House]:
    """So many servers over Postgres."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        yield House(Path(folder), nodes, stack)


def measured(arguments: argparse.Namespace, nodes: int) -> list[str]:
    """One row: a server over SQLite where there is to be none over Postgres."""
    if not nodes:
        with one_server() as server:
            found = uvloop.run(loaded(arguments, server, arguments.tables))
    else:
        with house(nodes) as servers:
            found = uvloop.run(loaded(arguments, servers, arguments.tables))
    figures = [f"{found[key]:,.4g}" if key in found else "" for key in KEPT]
    return ["Postgres" if nodes else "SQLite", str(nodes or 1), *figures]


def section(words: Sequence[str], tables: int, rows: Sequence[Sequence[str]]) -> Section:
    """The figures as they stand in docs/figures.md."""
    given = [word for word in words if word != "--write"]
    return Section(
        command=shlex.join(["python", "-m", "bench.load_nodes", *given]),
        columns=["store", "servers", *KEPT],
        rows=rows,
        notes=[f"{tables:,} tables, a move a second at each, on one machine for all of it."],
    )


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="python -m bench.load_nodes", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--tables", type=whole(1), default=300, metavar="N")
    parser.add_argument("--nodes", type=whole(1), default=MOST_NODES, metavar="K")
    parser.add_argument("--seconds", type=float, default=20.0, metavar="S")
    parser.add_argument("--write", action="store_true", help="put the figures into docs/figures.md")
    arguments = parser.parse_args()
    arguments.game, arguments.every = "molotow", 1.0
    rows = [measured(arguments, nodes) for nodes in range(arguments.nodes + 1)]
    show("nodes", section(sys.argv[1:], arguments.tables, rows), keep=arguments.write)


if __name__ == "__main__":
    main()
