"""Measures how long a vacuum of a SQLite store takes, during which no move can be stored.

The store is filled with tables of the usual length, a match of 240 events. Example:

    python -m bench.speed.vacuum --tables 1200 6000
"""

import argparse
import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from jasstisch.storage import SqliteStore
from jasstisch.storage.sqlite.queries import connect
from jasstisch.storage.sqlite.vacuum import vacuum

_EVENTS_PER_TABLE = 240
_BODY = b'{"kind":"acted","seat":2,"action":"play H9","by":null}' * 2


def _rows(tables: int) -> Iterator[tuple[str, int, float, bytes, int]]:
    for number in range(tables):
        # Ids of tables are random, so that the index is filled in no order.
        table = f"{number * 7919 % 10**9:022d}"
        for version in range(1, _EVENTS_PER_TABLE + 1):
            yield table, version, 1.0, _BODY, 123_456_789


def measure(tables: int) -> tuple[float, float]:
    """Fills a store and vacuums it.

    Returns:
        The size of its file in MiB, and the seconds that the vacuum took.
    """
    with TemporaryDirectory(prefix="jass-") as folder:
        path = Path(folder) / "tables.sqlite3"
        asyncio.run(SqliteStore(path).close())
        with closing(connect(path)) as connection:
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("BEGIN")
            connection.executemany("INSERT INTO event VALUES (?, ?, ?, ?, ?)", _rows(tables))
            connection.execute("COMMIT")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            began = perf_counter()
            vacuum(connection)
            return path.stat().st_size / 2**20, perf_counter() - began


def main() -> None:
    """Prints size and duration for each number of tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--tables", metavar="N", type=int, nargs="+", default=[1200, 6000])
    for tables in parser.parse_args().tables:
        size, seconds = measure(tables)
        print(f"{tables} tables: {size:.0f} MiB, {seconds:.1f} s, {size / seconds:.0f} MiB/s")


if __name__ == "__main__":
    main()
