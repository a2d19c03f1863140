"""Measures the cost of storing the decisions of self-play, beyond the play itself.

The same deals are played twice on the same workers: once without output, once with all decisions
written to a Parquet file. The difference is the cost of the rows; the target is less than a minute
for a million rows on two cores. Examples:

    python -m bench.speed.self_play_data --write
    python -m bench.speed.self_play_data --game schieber --bot greedy --deals 2000 --workers 1
"""

import shlex
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow.dataset as ds

import jasstisch as jt
from bench.figures_page import Section, figures_parser, print_section
from jasstisch import arena, data
from jasstisch.arena.duplicate_boards import ContestTask, MoveTimer, play_deal
from jasstisch.cli.arguments import int_range
from jasstisch.data.selfplay import DEALS_PER_CHUNK

MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class RunResult:
    """The results of one run.

    Attributes:
        rows: decisions written.
        played: seconds of the play alone.
        kept: seconds of the play, the rows and the file.
        size: bytes of the file.
        read: seconds to read all columns of it.
    """

    rows: int
    played: float
    kept: float
    size: int
    read: float

    @property
    def per_million(self) -> float:
        """Seconds beyond the play for a million decisions."""
        return (self.kept - self.played) * MILLION / self.rows


def measure_run(
    game: jt.Game, bot: str, deals: int, executor: Executor | None, folder: Path
) -> RunResult:
    """Plays twice, and reads the file."""
    bots = (bot,) * len(game.sides)
    path = folder / "decisions.parquet"
    assignment = ContestTask(game, (bots,), seed=1)
    rows = 0

    def keep() -> None:
        nonlocal rows
        rows = data.write(path, data.self_play(game, bots, deals=deals, executor=executor))

    play_deals(assignment, min(deals, DEALS_PER_CHUNK), executor)  # warm up the workers
    played = time_call(lambda: play_deals(assignment, deals, executor))
    kept = time_call(keep)
    read = time_call(lambda: ds.dataset(path).to_table())
    return RunResult(rows, played, kept, path.stat().st_size, read)


def play_deals(assignment: ContestTask, deals: int, executor: Executor | None) -> None:
    """Plays deals, in chunks of the size used for self-play, and discards them."""
    told = chunk_assignments(assignment, deals)
    if executor is None:
        for chunk in told:
            play_chunk(*chunk)
        return
    for future in [executor.submit(play_chunk, *chunk) for chunk in told]:
        future.result()


def chunk_assignments(assignment: ContestTask, deals: int) -> Iterator[tuple[ContestTask, range]]:
    """Yields the assignments of the workers, chunk by chunk."""
    for first in range(0, deals, DEALS_PER_CHUNK):
        yield assignment, range(first, min(first + DEALS_PER_CHUNK, deals))


def play_chunk(assignment: ContestTask, numbers: range) -> None:
    """Plays the deals of these numbers."""
    (seating,) = assignment.line_ups
    for number in numbers:
        play_deal(assignment, number, seating, MoveTimer())


def time_call(work: Callable[[], object]) -> float:
    """Returns the duration of a call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def section(command: str, name: str, kept: RunResult) -> Section:
    """Returns the results as a table."""
    columns = ["game", "decisions", "play alone", "play, rows and file", "a million rows", "file"]
    row = [
        name,
        f"{kept.rows:,}",
        f"{kept.played:.1f} s",
        f"{kept.kept:.1f} s",
        f"{kept.per_million:.1f} s",
        f"{kept.size / kept.rows:.1f} bytes a row",
    ]
    read = f"The file is read again, all columns, in {kept.read:.1f} s."
    note = f"A million rows is what these take beyond the play. {read}"
    return Section(command, columns, [row], [note])


def main() -> int:
    """Measures, and prints the table."""
    parser = figures_parser("bench.speed.self_play_data", __doc__)
    parser.add_argument("--game", choices=jt.games(), default="molotov", help="which (molotov)")
    parser.add_argument("--bot", default="random", help="the bot in all chairs (random)")
    parser.add_argument("--deals", type=int_range(1), default=28_000, help="how many (28000)")
    parser.add_argument("--workers", type=int_range(1), default=2, help="worker processes (2)")
    arguments = parser.parse_args()
    command = shlex.join(["python", "-m", "bench.speed.self_play_data", *sys.argv[1:]])
    game = jt.game(arguments.game)
    with TemporaryDirectory() as folder, arena.process_pool(arguments.workers) as pool:
        kept = measure_run(game, arguments.bot, arguments.deals, pool, Path(folder))
    print_section("decisions", section(command, game.name, kept), keep=arguments.write)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
