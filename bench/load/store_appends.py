"""Measures the throughput of a store: events per second from one server that appends at full speed.

This many tables append events, each as soon as the previous one is on disk; concurrent appends
share a commit. Postgres runs on the same machine. Examples:

    python -m bench.load.store_appends
    python -m bench.load.store_appends --tables 1 100 2000 --write
"""

import asyncio
import os
import shlex
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from secrets import token_hex

import uvloop

from bench.figures_page import Section, figures_parser, print_section
from bench.load.cluster import process_tree, start_postgres
from bench.load.generator import process_cpu_seconds
from jasstisch.cli.arguments import int_range
from jasstisch.server.cluster import SingleNode
from jasstisch.storage import EventStore, SqliteStore
from jasstisch.storage.postgres.event_store import PostgresStore
from jasstisch.table.events import Acted, Event, TableCreated

DURATION_S = 5.0
"""Seconds of appending, for each number of tables."""

MOVE: list[Event] = [Acted(0, "play JC", "person")]


async def count_appends(store: EventStore, tables: int, seconds: float) -> int:
    """Returns how many events these tables appended in these seconds."""
    done = 0
    until = time.perf_counter() + seconds

    async def play(table: str) -> None:
        nonlocal done
        await store.append(table, 0, [TableCreated(table, "molotow", {}, [None] * 4, None, 0)])
        version = 1
        while time.perf_counter() < until:
            await store.append(table, version, MOVE)
            version += 1
            done += 1

    mark = token_hex(4)
    await asyncio.gather(*(play(f"{mark}-{number}") for number in range(tables)))
    return done


async def measure_store(
    kind: str, store: EventStore, counts: Sequence[int], beside: Callable[[], float]
) -> list[list[str]]:
    """Returns the rows of a store.

    Args:
        kind: its name.
        store: the store.
        counts: numbers of tables.
        beside: returns the CPU seconds of the database so far, if it is a process.
    """
    rows = []
    for tables in counts:
        own, others, began = process_cpu_seconds(os.getpid()), beside(), time.perf_counter()
        done = await count_appends(store, tables, DURATION_S)
        took = time.perf_counter() - began
        own, others = process_cpu_seconds(os.getpid()) - own, beside() - others
        theirs = f"{1e6 * others / done:,.0f}" if others else ""
        rows.append(
            [kind, f"{tables:,}", f"{done / took:,.0f}", f"{1e6 * own / done:,.0f}", theirs]
        )
    return rows


async def measure_stores(counts: Sequence[int]) -> list[list[str]]:
    """Returns the rows of both stores."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        file = SqliteStore(Path(folder) / "tables.sqlite")
        rows = await measure_store("SQLite", file, counts, lambda: 0.0)
        await file.close()
        server = await asyncio.to_thread(start_postgres, stack)
        store = PostgresStore(server.new_database())
        alone = SingleNode(store, "bench", lambda: None)
        await alone.start()
        process = server.pid

        def beside() -> float:
            return sum(process_cpu_seconds(one) for one in process_tree(process))

        rows += await measure_store("Postgres", store, counts, beside)
        alone.stop()
        await store.close()
    return rows


def section(words: Sequence[str], rows: Sequence[Sequence[str]]) -> Section:
    """Returns the section for docs/figures.md."""
    given = [word for word in words if word != "--write"]
    return Section(
        command=shlex.join(["python", "-m", "bench.load.store_appends", *given]),
        columns=["store", "tables", "events a second", "server, µs each", "Postgres, µs each"],
        rows=rows,
    )


def main() -> None:
    """Measures and prints."""
    parser = figures_parser("bench.load.store_appends", __doc__)
    parser.add_argument(
        "--tables", type=int_range(1), nargs="+", default=[1, 100, 2000], metavar="N"
    )
    arguments = parser.parse_args()
    rows = uvloop.run(measure_stores(arguments.tables))
    print_section("appends", section(sys.argv[1:], rows), keep=arguments.write)


if __name__ == "__main__":
    main()
