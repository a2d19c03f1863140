"""Measures whether the response time of a bot reveals that its card was forced.

Bots play rounds of Molotov at a table of a server without pauses, on worker processes. The time
between moves is measured separately for forced cards and for choices. Examples:

    python -m bench.attacks.timing_side_channel
    python -m bench.attacks.timing_side_channel --rounds 8 --write
"""

import argparse
import asyncio
import shlex
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from bench.figures_page import Section, write_section
from bench.load.bot_latency import percentiles
from jasstisch.bots import strength_order
from jasstisch.cli.arguments import int_range
from jasstisch.games import game as find_game
from jasstisch.server.context import ServerContext
from jasstisch.server.tables import TableActor
from jasstisch.server.workers import BillingKey, FairWorkerPool, ProcessWorker
from jasstisch.storage import EventStore
from jasstisch.table import AccessRules, Table, commands, events

GAME = "molotov"

NOTE = (
    "Milliseconds from one move to the next, without a pause. Apart is the largest distance of the "
    "two distributions (Kolmogorov-Smirnov); chance alone stays below the last column in 95 of 100 "
    "cases."
)
"""The note below the table."""


class ActionCountingServices(ServerContext):
    """Services that record the number of legal actions of each move."""

    def __init__(self) -> None:
        super().__init__(TimestampingStore(), worker_pool=FairWorkerPool([ProcessWorker()]))  # type: ignore[abstract] # see below
        self.legal: list[int] = []

    async def choose_action(
        self, account: BillingKey, name: str, view: dict[str, Any], legal: Sequence[str]
    ) -> str:
        """Records the actions, and has one chosen."""
        self.legal.append(len(legal))
        return await super().choose_action(account, name, view, legal)


class TimestampingStore(EventStore):
    """A store that records the times of appends, and nothing else."""

    def __init__(self) -> None:
        self.done: list[float] = []

    async def append(
        self,
        table: str,
        after: int,
        events: Sequence[events.Event],
        finished: object = None,
        access: AccessRules | None = None,
    ) -> None:
        """Records the time."""
        self.done.append(asyncio.get_running_loop().time())


async def measure_moves(player: str, rounds: int) -> tuple[list[float], list[float]]:
    """Returns the seconds between moves: for forced cards, and for choices."""
    forced: list[float] = []
    free: list[float] = []
    services = ActionCountingServices()
    await services.bots_by_game()
    for _ in range(rounds):
        store = TimestampingStore()  # type: ignore[abstract] # a table that is never reloaded only appends
        services.store, services.legal = store, []
        await play_round(services, player)
        for legal, (before, now) in zip(services.legal[1:], pairwise(store.done), strict=True):
            (forced if legal == 1 else free).append(now - before)
    services.close()
    return forced, free


async def play_round(services: ServerContext, player: str) -> None:
    """Plays a round of bots."""
    rules = find_game(GAME)
    seats = [None, player, player, player]
    made = events.TableCreated("A" * 22, GAME, dict(rules.options), seats, None, 0, stand_in=player)
    table = Table(made)
    for command in (commands.Sit("a", 0, "Anna"), commands.StartMatch("a"), commands.Stand("a")):
        list(table.execute(command, services.new_pack_source()))
    live = TableActor(table, services, lambda _: None)
    while table.state.phase == "playing":  # noqa: ASYNC110 - a table notifies only subscribers
        await asyncio.sleep(0.05)
    live.evict()


def ks_distance(one: Sequence[float], other: Sequence[float]) -> float:
    """Returns the Kolmogorov-Smirnov distance of two samples."""
    points = sorted({*one, *other})
    return max(abs(_cdf(one, at) - _cdf(other, at)) for at in points)


def _cdf(of: Sequence[float], at: float) -> float:
    return sum(value <= at for value in of) / len(of)


def ks_threshold(one: int, other: int) -> float:
    """Returns the distance that 95 of 100 pairs of samples of one distribution stay below."""
    return float(1.358 * ((one + other) / (one * other)) ** 0.5)


def section(words: Sequence[str], found: dict[str, tuple[list[float], list[float]]]) -> Section:
    """Returns the section for docs/figures.md, in milliseconds."""
    columns = ["player", "forced", "p50", "p99", "choices", "p50", "p99", "apart", "by chance"]
    rows = []
    for player, (forced, free) in found.items():
        sides = [percentiles(forced), percentiles(free)]
        counts = [len(forced), len(free)]
        cells = [
            cell
            for count, side in zip(counts, sides, strict=True)
            for cell in (str(count), str(side["p50"]), str(side["p99"]))
        ]
        rows.append(
            [player, *cells, f"{ks_distance(forced, free):.2f}", f"{ks_threshold(*counts):.2f}"]
        )
    given = [word for word in words if word != "--write"]
    command = shlex.join(["python", "-m", "bench.attacks.timing_side_channel", *given])
    return Section(command=command, columns=columns, rows=rows, notes=[NOTE])


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog="bench.attacks.timing_side_channel", description=__doc__)
    parser.add_argument(
        "--rounds", type=int_range(1), default=4, help="for each player (default 4)"
    )
    parser.add_argument("--write", action="store_true", help="save the figures in docs/figures.md")
    arguments = parser.parse_args()
    found = {
        player: asyncio.run(measure_moves(player, arguments.rounds))
        for player in strength_order(GAME)
    }
    shown = section(sys.argv[1:], found)
    print(shown.markdown())
    if arguments.write:
        write_section("beat", shown)


if __name__ == "__main__":
    main()
