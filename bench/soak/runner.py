"""Kills servers repeatedly while people play, and audits the results.

With SQLite there is one server; with Postgres there are three, connected by NATS. Both set-ups run
at the same time; clients connect through load balancers. At random moments one server is killed
(SIGKILL) and restarted. When a table ends, and after the last kill, all responses are compared with
the log: no acknowledged action may be lost, duplicated or misplaced, and all clients must have the
state of the log. Examples:

    python -m bench.soak
    python -m bench.soak --store sqlite --minutes 5 --seed 7
    python -m bench.soak --store sqlite --write

`--seed` determines games, actions, moments and victims; the interleaving of processes always
varies. Each fault is printed with table, seat (from 1) and version, and the exit status is 1.
"""

import argparse
import asyncio
import random
import shlex
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    closing,
    contextmanager,
)
from dataclasses import dataclass, field
from functools import partial
from math import inf
from pathlib import Path

from bench.figures_page import Section, print_section
from bench.soak.audit import Fault, Tally
from bench.soak.simulated_players import PEOPLE, LogReader, Progress, TableGroup
from jasstisch.bots.searching import prepare
from jasstisch.cli.arguments import int_range
from jasstisch.client import RequestError
from jasstisch.storage import StoreError
from jasstisch.storage.integrity import SqliteLogSource
from jasstisch.storage.postgres.event_store import PostgresStore
from jasstisch.storage.store_url import DATABASE_FILENAME
from tests.server.cluster.process_harness import LoadBalancer, NatsServer, NodeProcess
from tests.support import postgres_server

FULL_RUN_KILLS = 1_000
FULL_RUN_ACTIONS = 100_000
"""The kills and acknowledged actions that a run needs for its figures to be saved."""

TABLES = 8
NODES = 3

MIN_ACTIONS_BETWEEN_KILLS, MAX_ACTIONS_BETWEEN_KILLS = 50, 250
"""Acknowledged actions between two kills, uniformly distributed."""

EARLY_KILL_PROBABILITY = 0.1
"""The probability of another kill while clients still reconnect."""

EARLY_KILL_S = 0.5

STORES = ("sqlite", "postgres")

RUN_ERRORS = (AssertionError, OSError, TimeoutError, RequestError, StoreError)
"""The errors if a server does not start, or play does not go on."""


@dataclass(slots=True)
class SoakResult:
    """The results with one store.

    Attributes:
        store: the kind of store.
        nodes: the number of servers.
        kills: the number of kills.
        seconds: the duration.
        counter: the counted results.
    """

    store: str
    nodes: int
    kills: int = 0
    seconds: float = 0.0
    counter: Progress = field(default_factory=Progress)

    @property
    def tally(self) -> Tally:
        """The counted outcomes of the requests."""
        return self.counter.tally


@dataclass(frozen=True, slots=True)
class Deployment:
    """The store and the message bus of a set-up.

    Attributes:
        store: the store setting of a server.
        bus: its bus setting; empty for a single server.
        nodes: the number of servers.
        logs: reads the logs of the tables.
    """

    store: str
    bus: str
    nodes: int
    logs: Callable[[], AbstractAsyncContextManager[LogReader]]


class SoakRun:
    """Servers that are killed, and their players.

    Args:
        site: the deployment.
        outcome: the results.
        rng: chooses moments and victims.
    """

    def __init__(self, site: Deployment, outcome: SoakResult, rng: random.Random) -> None:
        self._site = site
        self._outcome = outcome
        self._rng = rng
        self._nodes: list[NodeProcess] = []
        self._people: list[TableGroup] = []

    async def run(
        self, kills: int, tables: int, seconds: float, told: Callable[[SoakResult], None]
    ) -> None:
        """Kills this many times while people play at this many tables; then audits everything.

        It stops killing after this many seconds.

        Raises:
            ExceptionGroup: some or all players cannot go on.
        """
        async with AsyncExitStack() as stack:
            stack.callback(self._stop_and_audit)
            for _ in range(self._site.nodes):
                self._nodes.append(await self._start_server())
            balancers = [
                await stack.enter_async_context(LoadBalancer(self._nodes, first))
                for first in range(self._site.nodes)
            ]
            logs = await stack.enter_async_context(self._site.logs())
            for number in range(tables):
                urls = [balancers[(number + at) % len(balancers)].url for at in range(PEOPLE)]
                rng = random.Random(self._rng.random())
                self._people.append(TableGroup(urls, logs, self._outcome.counter, rng))
            async with asyncio.TaskGroup() as playing:
                for people in self._people:
                    playing.create_task(people.play())
                until = time.monotonic() + seconds
                while self._outcome.kills < kills and time.monotonic() < until:
                    await self._wait_for_kill_time()
                    await self._kill()
                    told(self._outcome)
                for people in self._people:
                    await people.wait_for_recovery()
                for people in self._people:
                    people.stop()

    async def _start_server(self) -> NodeProcess:
        node = NodeProcess(self._site.store, self._site.bus)
        return await asyncio.to_thread(node.wait_ready)

    async def _wait_for_kill_time(self) -> None:
        """Waits for the moment of the next kill."""
        if self._rng.random() >= EARLY_KILL_PROBABILITY:
            await self._outcome.counter.wait_for(
                self._rng.randint(MIN_ACTIONS_BETWEEN_KILLS, MAX_ACTIONS_BETWEEN_KILLS)
            )
            await asyncio.sleep(self._rng.uniform(0.0, 0.05))
        else:
            await asyncio.sleep(self._rng.uniform(0.0, EARLY_KILL_S))
        for people in self._people:
            await people.wait_until_not_stalled()

    async def _kill(self) -> None:
        """Kills a server and starts it again."""
        at = self._rng.randrange(len(self._nodes))
        now = asyncio.get_running_loop().time()
        for people in self._people:
            people.on_kill(now)
        await asyncio.to_thread(self._nodes[at].kill)
        self._outcome.kills += 1
        self._nodes[at] = await self._start_server()

    def _stop_and_audit(self) -> None:
        for node in self._nodes:
            node.kill()


@contextmanager
def sqlite_deployment() -> Iterator[Deployment]:
    """Yields a data folder for one server."""
    with tempfile.TemporaryDirectory(prefix="jass-") as folder:
        yield Deployment(
            f"sqlite:{folder}", "", 1, partial(sqlite_logs, Path(folder) / DATABASE_FILENAME)
        )


@asynccontextmanager
async def sqlite_logs(path: Path) -> AsyncIterator[LogReader]:
    """Yields the logs in the file of a server."""
    with closing(SqliteLogSource(path)) as logs:
        yield logs


@contextmanager
def postgres_deployment() -> Iterator[Deployment]:
    """Yields Postgres and NATS for several servers."""
    nats = NatsServer()
    try:
        url = postgres_server.postgres_server().new_database()
        yield Deployment(url, nats.url, NODES, partial(postgres_logs, url))
    finally:
        nats.stop()
        postgres_server.stop_server()


@asynccontextmanager
async def postgres_logs(url: str) -> AsyncIterator[LogReader]:
    """Yields the logs in the database of the servers."""
    store = PostgresStore(url, only_read=True)
    try:
        yield store
    finally:
        await store.close()


async def soak(
    store: str,
    kills: int,
    tables: int,
    seed: int,
    seconds: float = inf,
    told: Callable[[SoakResult], None] = lambda _: None,
) -> SoakResult:
    """Runs a soak test with a store.

    Args:
        store: `sqlite` or `postgres`.
        kills: the number of kills.
        tables: the number of concurrent tables.
        seed: the random seed.
        seconds: the time after which there are no more kills.
        told: called with the results after each kill.
    """
    with sqlite_deployment() if store == "sqlite" else postgres_deployment() as site:
        outcome = SoakResult(store, site.nodes)
        begun = time.perf_counter()
        try:
            await SoakRun(site, outcome, random.Random(seed)).run(kills, tables, seconds, told)
        except* RUN_ERRORS as group:
            for error in group.exceptions:
                fault = Fault("history", "any", None, 0, f"play does not go on: {error!r}")
                outcome.tally.faults.append(fault)
        outcome.seconds = time.perf_counter() - begun
    return outcome


async def soak_all(
    stores: Sequence[str], kills: int, tables: int, seed: int, seconds: float
) -> list[SoakResult]:
    """Runs the soak tests of all stores concurrently; see `soak`."""
    far: dict[str, SoakResult] = {}

    def told(outcome: SoakResult) -> None:
        far[outcome.store] = outcome
        show_progress(kills, list(far.values()))

    return await asyncio.gather(
        *(soak(store, kills, tables, seed, seconds, told) for store in stores)
    )


def show_progress(kills: int, outcomes: Sequence[SoakResult]) -> None:
    """Shows the progress on a terminal."""
    if sys.stderr.isatty():
        parts = [
            f"{one.store}: {one.kills:,} of {kills:,} kills, {one.counter.acknowledged:,} actions "
            f"acknowledged, {one.counter.tables:,} tables compared, {len(one.tally.faults)} faults"
            for one in outcomes
        ]
        sys.stderr.write(f"\r{'; '.join(parts)} ")
        sys.stderr.flush()


COLUMNS = (
    "store", "servers", "kills", "asked", "acknowledged", "lost", "done twice", "elsewhere",
    "fate unknown", "of those done", "not done", "back p50 s", "p95 s", "longest s",
)  # fmt: skip


def row(outcome: SoakResult) -> list[str]:
    """Returns the row of one store."""
    tally, waits = outcome.tally, sorted(outcome.counter.recovery_times)

    def within(share: float) -> str:
        return f"{waits[int(share * (len(waits) - 1))]:.2f}" if waits else ""

    numbers = (
        outcome.nodes, outcome.kills, tally.asked, tally.acknowledged, tally.count("lost"),
        tally.count("twice"), tally.count("misplaced"), tally.done + tally.undone, tally.done,
        tally.undone,
    )  # fmt: skip
    return [
        outcome.store,
        *(f"{number:,}" for number in numbers),
        *(within(share) for share in (0.5, 0.95, 1.0)),
    ]


def section(words: Sequence[str], outcomes: Sequence[SoakResult]) -> Section:
    """Returns the section for docs/figures.md."""
    given = [word for word in words if word != "--write"]
    return Section(
        command=shlex.join(["python", "-m", "bench.soak", *given]),
        columns=COLUMNS,
        rows=[row(outcome) for outcome in outcomes],
        notes=[note(outcome) for outcome in outcomes],
    )


def note(outcome: SoakResult) -> str:
    """Returns further results of one store."""
    counter, tally = outcome.counter, outcome.tally
    refused = ", ".join(f"{number:,} {code}" for code, number in sorted(tally.refused.items()))
    others = sum(fault.kind not in ("lost", "twice", "misplaced") for fault in tally.faults)
    return (
        f"{outcome.store}: {counter.matches:,} matches played to the end, {counter.tables:,} "
        f"tables compared with their logs in {outcome.seconds / 60:.0f} minutes; refused: "
        f"{refused or 'nothing'}; other faults: {others}. Back: from a kill to the next "
        "acknowledgement, at each table, also where another server has it."
    )


def is_partial_run(outcome: SoakResult) -> bool:
    """Returns whether the run is too short for its figures to be saved."""
    return outcome.kills < FULL_RUN_KILLS or outcome.tally.acknowledged < FULL_RUN_ACTIONS


def main() -> int:
    """Kills, audits and prints."""
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--kills", type=int_range(1), default=FULL_RUN_KILLS, metavar="N")
    parser.add_argument("--store", choices=(*STORES, "both"), default="both")
    parser.add_argument("--tables", type=int_range(1), default=TABLES, metavar="K")
    parser.add_argument(
        "--minutes",
        type=float,
        default=inf,
        metavar="M",
        help="kill no longer than this, per store",
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    parser.add_argument(
        "--write", action="store_true", help="put the figures of a whole run into docs/figures.md"
    )
    arguments = parser.parse_args()
    kills: int = arguments.kills
    stores = STORES if arguments.store == "both" else (arguments.store,)
    if arguments.write and kills < FULL_RUN_KILLS:
        parser.error(f"--write needs {FULL_RUN_KILLS:,} kills or more")
    tables, seed, seconds = arguments.tables, arguments.seed, 60 * arguments.minutes
    # Otherwise each restarted server would start to compile them, and be killed before the end.
    prepare()
    outcomes = asyncio.run(soak_all(stores, kills, tables, seed, seconds))
    if sys.stderr.isatty():
        sys.stderr.write("\n")
    sound = [print_result(outcome, keep=arguments.write) for outcome in outcomes]
    return 0 if all(sound) else 1


def print_result(outcome: SoakResult, *, keep: bool) -> bool:
    """Prints the results of one store; returns whether they are correct, and saved if requested."""
    for fault in outcome.tally.faults:
        print(fault)
    sound = not outcome.tally.faults and not (keep and is_partial_run(outcome))
    print_section(f"soak-{outcome.store}", section(sys.argv[1:], [outcome]), keep=keep and sound)
    if keep and not sound:
        print("these figures are not kept: something is wrong, or too little was done")
    return sound


if __name__ == "__main__":
    raise SystemExit(main())
