"""Measures the speed-up of the arena with several workers, as a Markdown table.

The same deals are played in this thread, by processes, and with Ray if it is installed. Starting
the workers and their first deals are not timed. `--write` saves the table in docs/scaling.md. Run
it on an idle machine:

    python -m bench.speed.arena_scaling --write
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, nullcontext
from importlib.util import find_spec
from typing import Any

import jasstisch as jt
from bench.figures_page import ROOT, Section, print_section
from jasstisch import arena
from jasstisch.arena.ray_executor import RayExecutor
from jasstisch.arena.runner import MIN_DEALS
from jasstisch.cli.arguments import int_range

SCALING_PAGE = ROOT / "docs" / "scaling.md"
GAME, BOT, OPPONENT = "differenzler", "greedy", "random"


@contextmanager
def ray_executor(workers: int) -> Iterator[Executor]:
    """Yields an executor on a local Ray."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    with RayExecutor(
        num_cpus=workers, include_dashboard=False, log_to_driver=False, logging_level="error"
    ) as executor:
        yield executor


def time_contest(
    contest: arena.Contest, deals: int, executor: Executor | None
) -> tuple[float, Any]:
    """Returns the duration of the deals on warm workers, and the comparison."""
    arena.run(contest, deals=40, seed=0, executor=executor)
    start = time.perf_counter()
    report = arena.run(contest, deals=deals, executor=executor)
    return time.perf_counter() - start, report["compared"]


def measure_scaling(deals: int, most: int) -> Section:
    """Returns the table: this thread, then processes and Ray, doubling the workers each time."""
    contest = arena.contest(jt.game(GAME), [BOT], against=OPPONENT)
    ways: list[tuple[str, Any]] = [("this thread", nullcontext())]
    steps = [1 << power for power in range(1, most.bit_length())]
    ways += [(f"{number} processes", arena.process_pool(number)) for number in steps]
    if find_spec("ray"):
        ways += [(f"Ray, {number} workers", ray_executor(number)) for number in steps]
    alone, expected, rows = 0.0, None, []
    for name, way in ways:
        print(f"· {name}", file=sys.stderr, flush=True)
        with way as executor:
            took, found = time_contest(contest, deals, executor)
        alone, expected = alone or took, expected or found
        assert found == expected, f"{name} found other figures than one thread"
        rows.append([name, f"{took:.1f} s", f"{deals / took:,.0f}", f"{alone / took:.2f} ×"])
    columns = ["where", "time", "deals a second", "as fast as one thread"]
    note = (
        f"{deals:,} deals of {GAME}, each at {contest.tables_per_deal} tables: {BOT} against "
        f"{OPPONENT}. The figures found were the same every time."
    )
    return Section(f"python -m bench.speed.arena_scaling --deals {deals}", columns, rows, [note])


def main() -> int:
    """Measures, prints the table, and saves it in docs/scaling.md if requested."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.speed.arena_scaling", description=__doc__
    )
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "--deals", type=int_range(MIN_DEALS), default=1000, help="deals for each row (1000)"
    )
    parser.add_argument(
        "--most",
        type=int_range(1),
        default=os.cpu_count() or 1,
        help="maximum number of workers (all cores)",
    )
    parser.add_argument("--write", action="store_true", help="save the table in docs/scaling.md")
    arguments = parser.parse_args()
    section = measure_scaling(arguments.deals, arguments.most)
    print_section("scaling", section, keep=arguments.write, page=SCALING_PAGE)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
