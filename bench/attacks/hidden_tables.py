"""Measures whether the time of a refusal reveals that a table exists.

Somebody whose link was renewed asks for tables with long logs, which are in memory, in the store or
damaged there, and in turn for ids that do not exist. Each table is asked for once, as the first
request tells most. Examples:

    python -m bench.attacks.hidden_tables
    python -m bench.attacks.hidden_tables --requests 100 --write
"""

import argparse
import asyncio
import shlex
import sqlite3
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter

from msgspec.structs import replace

from bench.attacks.timing_side_channel import ks_distance, ks_threshold
from bench.figures_page import Section, write_section
from bench.load.bot_latency import percentiles
from jasstisch.cli.arguments import int_range
from jasstisch.games import game as find_game
from jasstisch.server.context import ServerContext
from jasstisch.server.errors import TableNotFoundError
from jasstisch.server.identity import new_table_id
from jasstisch.server.limits import Limits
from jasstisch.server.main import create_table_services
from jasstisch.server.tables import TableLookup, Visitor
from jasstisch.storage import SqliteStore
from jasstisch.table import PackSource, Table, commands, events

GAME = "schieber"
PEOPLE = "abcd"
EVENTS = 2200
"""The length of a log: about six matches."""

STATES = ("in the store", "in memory", "damaged")

NOTE = (
    f"Milliseconds until the refusal, of tables with {EVENTS:,} events and of ids that do not "
    "exist, in turn. Apart is the largest distance of the two distributions (Kolmogorov-Smirnov); "
    "chance alone stays below the last column in 95 of 100 cases."
)
"""The note below the table."""

Times = tuple[list[float], list[float]]
"""The seconds until refusals: of hidden tables, and of ids that do not exist."""


def long_log() -> list[events.Event]:
    """Returns the log of a table where people have played until it was long, and renewed the link.

    They play the first legal action at any time.
    """
    rules, chance = find_game(GAME), Random(1)
    seats: list[str | None] = [None] * len(PEOPLE)
    created = events.TableCreated(
        new_table_id(), rules.name, dict(rules.options), seats, None, 0, host=PEOPLE[0]
    )
    table, packs = Table(created), PackSource(lambda pack: chance.sample(pack, len(pack)))
    log: list[events.Event] = [created]
    while len(log) < EVENTS:
        for command in next_commands(table):
            log.extend(table.execute(command, packs))
    log.extend(table.execute(commands.RevokeLink(PEOPLE[0], "renewed"), packs))
    return log


def next_commands(table: Table) -> Iterator[commands.Command]:
    """Yields what people do next at a table."""
    state = table.state
    if not state.known_persons:
        for seat, person in enumerate(PEOPLE):
            yield commands.Sit(person, seat, person)
    elif state.match is None:
        yield commands.StartMatch(PEOPLE[0])
    elif state.phase == "playing":
        seat = next(iter(state.match.to_act))
        yield commands.Act(PEOPLE[seat], state.match.legal(seat)[0])
    else:
        seat = next(seat for seat, place in enumerate(state.seats) if not place.ready)
        yield commands.ReadyUp(PEOPLE[seat])


async def store_tables(path: Path, count: int) -> dict[str, list[str]]:
    """Stores as many hidden tables for each state; returns their ids."""
    log = long_log()
    rules = Table.from_events(log).state.access_rules
    tables = {state: [new_table_id() for _ in range(count)] for state in STATES}
    store = SqliteStore(path)
    for table in (one for some in tables.values() for one in some):
        assert isinstance(log[0], events.TableCreated)
        renamed = [replace(log[0], table=table), *log[1:]]
        await store.append(table, 0, renamed, "match", rules)
    await store.close()
    with closing(sqlite3.connect(path)) as connection:
        damage = "UPDATE event SET body = x'7b7d' WHERE table_id = ? AND version = 9"
        connection.executemany(damage, [(table,) for table in tables["damaged"]])
        connection.commit()
    return tables


async def measure_refusals(path: Path, count: int) -> dict[str, Times]:
    """Returns the times of so many refusals of tables in each state, and of other ids."""
    tables = await store_tables(path, count)
    limits = Limits(unknown_tables_per_minute=10**9, idle_seconds=1e9, live_tables=2 * count)
    registry = create_table_services(ServerContext(SqliteStore(path), limits)).registry
    lookup = TableLookup(registry, registry.context.alerts)
    found: dict[str, Times] = {}
    for state, hidden in tables.items():
        if state == "in memory":
            for table in hidden:
                await registry.load_local(table)
        seconds, others = found[state] = [], []
        for number, table in enumerate(hidden):
            pair = [(seconds, table), (others, new_table_id())]
            for times, asked in pair if number % 2 else reversed(pair):
                times.append(await refusal_time(lookup, asked))
    await registry.close()
    return found


async def refusal_time(lookup: TableLookup, table: str) -> float:
    """Returns the seconds until somebody with an old link is refused."""
    began = perf_counter()
    with suppress(TableNotFoundError):
        await lookup.find(table, Visitor("stranger", "old", "192.0.2.1"))
        raise AssertionError("a hidden table was found")
    return perf_counter() - began


def section(words: Sequence[str], found: Mapping[str, Times]) -> Section:
    """Returns the section for docs/figures.md, in milliseconds."""
    columns = ["table", "refusals", "p50", "p99", "no table: p50", "p99", "apart", "by chance"]
    rows = []
    for state, (hidden, none) in found.items():
        shown = [
            str(side[at]) for side in map(percentiles, (hidden, none)) for at in ("p50", "p99")
        ]
        distance = f"{ks_distance(hidden, none):.2f}"
        threshold = f"{ks_threshold(len(hidden), len(none)):.2f}"
        rows.append([state, str(len(hidden)), *shown, distance, threshold])
    given = [word for word in words if word != "--write"]
    command = shlex.join(["python", "-m", "bench.attacks.hidden_tables", *given])
    return Section(command=command, columns=columns, rows=rows, notes=[NOTE])


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="bench.attacks.hidden_tables", description=__doc__)
    parser.add_argument(
        "--requests", type=int_range(1), default=150, help="for each state (default 150)"
    )
    parser.add_argument("--write", action="store_true", help="save the figures in docs/figures.md")
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder:
        path = Path(folder, "tables.sqlite3")
        found = asyncio.run(measure_refusals(path, arguments.requests))
    shown = section(sys.argv[1:], found)
    print(shown.markdown())
    if arguments.write:
        write_section("refusals", shown)


if __name__ == "__main__":
    main()
