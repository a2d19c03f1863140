"""Measures the cost of Postgres and of several servers: the same load on each, on one machine.

The load is that of `bench.load`. The four people at each table connect to different servers, so
that most moves are forwarded. Postgres, NATS, the servers and all clients share the cores of the
machine: with few cores, several servers are slower than one. Examples:

    python -m bench.load.cluster
    python -m bench.load.cluster --tables 300 --write
"""

import argparse
import shlex
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import uvloop

from bench.figures_page import ROOT, Section, figures_parser, print_section
from bench.load.generator import UNLIMITED_SCRIPT, ServerProcess, load_target, process_cpu_seconds
from jasstisch.cli.arguments import int_range
from tests.server.cluster.process_harness import NatsServer
from tests.support import postgres_server

NODE_SCRIPT = f"""{UNLIMITED_SCRIPT}
store, bus = sys.argv[1], sys.argv[2] or None
sys.exit(run("127.0.0.1", 0, None, open_browser=False, thinkers=1, store=store, bus=bus))
"""
"""Runs a server with Postgres, alone or in a cluster."""

MOST_NODES = 3

REPORTED_COLUMNS = (
    *("moves a second", "p50 ms", "p95 ms", "p99 ms", "longest ms", "server, cores", "µs a move"),
    *("Postgres, cores", "NATS, cores", "loader, cores", "machine busy"),
)
"""The reported columns of the load results."""


class Cluster:
    """Servers with one Postgres, and NATS if there are several.

    Args:
        folder: the folder of their logs.
        nodes: the number of servers.
        stack: stops all of them.
    """

    def __init__(self, folder: Path, nodes: int, stack: ExitStack) -> None:
        server = start_postgres(stack)
        self._database = server.pid
        nats = NatsServer() if nodes > 1 else None
        if nats is not None:
            stack.callback(nats.stop)
        self._nats = 0 if nats is None else nats.pid
        store, bus = server.new_database(), "" if nats is None else nats.url
        self._nodes = []
        for number in range(nodes):
            place = folder / str(number)
            place.mkdir()
            node = ServerProcess(place, ROOT / "src", NODE_SCRIPT, [store, bus])
            stack.callback(node.stop)
            self._nodes.append(node)

    @property
    def ports(self) -> Sequence[int]:
        """The ports of the servers."""
        return [node.port for node in self._nodes]

    def cpu_seconds(self) -> float:
        """Returns the CPU seconds of the servers so far."""
        return sum(node.cpu_seconds() for node in self._nodes)

    def memory_bytes(self) -> int:
        """Returns the memory of the servers in bytes."""
        return sum(node.memory_bytes() for node in self._nodes)

    def other_cpu_seconds(self) -> dict[str, float]:
        """Returns the CPU seconds of Postgres and NATS so far."""
        nats = process_cpu_seconds(self._nats) if self._nats else 0.0
        return {
            "Postgres": sum(process_cpu_seconds(one) for one in process_tree(self._database)),
            "NATS": nats,
        }


def start_postgres(stack: ExitStack) -> postgres_server.PostgresServer:
    """Starts Postgres with production settings: unlike that of the tests, it waits for the disk.

    Args:
        stack: stops it.
    """
    server = postgres_server.PostgresServer()
    stack.callback(server.shutdown)
    server.execute("ALTER SYSTEM SET fsync = on", "ALTER SYSTEM SET autovacuum = on")
    server.execute("SELECT pg_reload_conf()")
    return server


def process_tree(parent: int) -> Iterator[int]:
    """Yields a process and its children."""
    yield parent
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = place.read_text().rpartition(")")[2].split()
        except OSError:  # it has just exited
            continue
        if int(words[1]) == parent:
            yield int(place.parent.name)


@contextmanager
def single_sqlite_server() -> Iterator[ServerProcess]:
    """Yields a server with SQLite, the usual set-up."""
    with tempfile.TemporaryDirectory() as data:
        server = ServerProcess(Path(data), ROOT / "src")
        try:
            yield server
        finally:
            server.stop()


@contextmanager
def start_cluster(nodes: int) -> Iterator[Cluster]:
    """Yields this many servers with Postgres."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        yield Cluster(Path(folder), nodes, stack)


def measure_nodes(arguments: argparse.Namespace, nodes: int) -> list[str]:
    """Measures one row: SQLite if there are no nodes, else Postgres."""
    if not nodes:
        with single_sqlite_server() as server:
            found = uvloop.run(load_target(arguments, server, arguments.tables))
    else:
        with start_cluster(nodes) as servers:
            found = uvloop.run(load_target(arguments, servers, arguments.tables))
    figures = [f"{found[key]:,.4g}" if key in found else "" for key in REPORTED_COLUMNS]
    return ["Postgres" if nodes else "SQLite", str(nodes or 1), *figures]


def section(words: Sequence[str], tables: int, rows: Sequence[Sequence[str]]) -> Section:
    """Returns the section for docs/figures.md."""
    given = [word for word in words if word != "--write"]
    return Section(
        command=shlex.join(["python", "-m", "bench.load.cluster", *given]),
        columns=["store", "servers", *REPORTED_COLUMNS],
        rows=rows,
        notes=[f"{tables:,} tables, a move a second at each, on one machine for all of it."],
    )


def main() -> None:
    """Measures and prints."""
    parser = figures_parser("bench.load.cluster", __doc__)
    parser.add_argument("--tables", type=int_range(1), default=300, metavar="N")
    parser.add_argument("--nodes", type=int_range(1), default=MOST_NODES, metavar="K")
    parser.add_argument("--seconds", type=float, default=20.0, metavar="S")
    arguments = parser.parse_args()
    arguments.game, arguments.every = "molotow", 1.0
    rows = [measure_nodes(arguments, nodes) for nodes in range(arguments.nodes + 1)]
    print_section("nodes", section(sys.argv[1:], arguments.tables, rows), keep=arguments.write)


if __name__ == "__main__":
    main()
