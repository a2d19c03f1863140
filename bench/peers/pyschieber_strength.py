"""Measures the strength of our bots against the rule-based player of pyschieber, in its own game.

Both seats of one side are ours, both of the other are its `ChallengePlayer`. Every deal is played
twice, with sides swapped. Our bots play without a time limit, so that deals are reproducible on
every machine and with any number of workers. With `--keep` a run can stop and resume; the first
stored deal is then replayed to check that it is still reproducible. Examples:

    python -m bench.peers.pyschieber_strength club master --deals 1000 --workers 2 --keep /tmp/kept
    --write
    python -m bench.peers.pyschieber_strength master-seeing --deals 100 --seed 7
"""

import json
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import version
from math import inf
from pathlib import Path
from statistics import median

from bench.figures_page import Section, figures_parser, format_interval, print_section
from bench.peers.pyschieber_adapter import GAME, play_table
from bench.strength.ablation import EFFORTS
from bench.strength.bot_strength import MOVE_LIMITS_MS, format_milliseconds, slowest_move_cell
from bench.strength.perfect_information import PerfectInformationPlayer
from jasstisch import arena
from jasstisch.arena.duplicate_boards import MoveTimer, MoveTiming, warm_up
from jasstisch.arena.estimates import Estimate, estimate
from jasstisch.arena.runner import MIN_DEALS
from jasstisch.bench.engine_benchmarks import ENGINE_BENCHMARKS
from jasstisch.bench.measurement import measure_repeatedly
from jasstisch.bots import Bot, bot, bots, without_clock
from jasstisch.cli.arguments import int_range
from jasstisch.engine.errors import GameError
from jasstisch.engine.tricks import ALL_POINTS

MIN_POINT_SHARES = {"club": 56, "master": 61}
"""The target share of the card points of each bot, in percent."""

PERFECT_INFORMATION_PLAYERS = {
    player.name: player
    for player in (
        PerfectInformationPlayer(replace(effort, time_limit_s=inf)) for effort in EFFORTS.values()
    )
}
"""The search bots with perfect information, by name."""

CHUNK_DEALS = 4
"""Deals in a chunk for a worker."""

REFERENCE_ROUNDS_PER_S = 2_500
"""Rounds per second of `Match` on the slowest machine; move times are scaled to it."""

CALIBRATION_S = 0.1
"""Seconds of the calibration of this machine, each time that deals are played."""

(MATCH_BENCHMARK,) = (one for one in ENGINE_BENCHMARKS if one.name == "match")


@dataclass(frozen=True, slots=True)
class DealResult:
    """The result of one deal.

    Attributes:
        number: its number, from 0.
        points: our card points, first with forehand on our side, then on theirs.
        timing: the time of our moves; ignored when results are compared.
        speed: the rounds per second of `Match` at that moment; ignored too.
    """

    number: int
    points: tuple[int, int]
    timing: MoveTiming = field(compare=False)
    speed: float = field(compare=False)

    @property
    def scaled_timing(self) -> MoveTiming:
        """The timing scaled to a machine of `REFERENCE_ROUNDS_PER_S`."""
        slower = self.speed / REFERENCE_ROUNDS_PER_S
        return MoveTiming(
            self.timing.moves, slower * self.timing.seconds, slower * self.timing.slowest
        )


def play_deals(player: Bot, seed: int, numbers: Sequence[int]) -> list[DealResult]:
    """Plays the deals of these numbers, with sides swapped.

    Raises:
        AdapterError: a bot failed, or the two games disagree.
    """
    warm_up(GAME, player)
    speed = measure_repeatedly(MATCH_BENCHMARK, CALIBRATION_S).median
    return [play_deal(player, seed, number, speed) for number in numbers]


def play_deal(player: Bot, seed: int, number: int, speed: float) -> DealResult:
    """Plays one deal, first with forehand on our side, then on theirs."""
    stopwatch = MoveTimer()
    tables = [play_table(player, seed, number, side, stopwatch) for side in (0, 1)]
    first, second = (table.rounds[0]["points"][side] for side, table in enumerate(tables))
    return DealResult(number, (first, second), stopwatch.timings[player.name], speed)


def remeasure_if_late(player: Bot, seed: int, one: DealResult) -> DealResult:
    """Plays a deal again if one of its moves exceeded the time limit.

    The shorter time counts, as in `bench.strength`: a machine is hardly delayed twice at the same
    move, while a slow search is slow every time.
    """
    allowed = MOVE_LIMITS_MS.get(player.name, inf)
    if 1000 * one.scaled_timing.slowest <= allowed:
        return one
    (again,) = play_deals(player, seed, [one.number])
    return min(one, again, key=lambda tried: tried.scaled_timing.slowest)


def play_match(
    player: Bot,
    deals: int,
    seed: int = 1,
    executor: Executor | None = None,
    keep: Path | None = None,
) -> list[DealResult]:
    """Plays a number of deals.

    Args:
        player: the bot in our seats.
        deals: the number of deals.
        seed: the random seed.
        executor: where to play; this thread when left out. It is not shut down.
        keep: a file to which deals are appended; those in it are not played again.

    Returns:
        The deals in order, independent of where they are played.

    Raises:
        AdapterError: a bot failed, or the two games disagree.
        GameError: the file holds something else, or deals of a bot that played differently.
    """
    done = load_deals(keep, player, seed) if keep else []
    starts = range(len(done), deals, CHUNK_DEALS)
    chunks = [range(first, min(first + CHUNK_DEALS, deals)) for first in starts]
    task = partial(play_deals, player, seed)
    with keep.open("a", encoding="utf-8") if keep else nullcontext() as file:
        for played in (map if executor is None else executor.map)(task, chunks):
            done += played
            if file:
                file.writelines(map(encode_deal, played))
                file.flush()
    return done[:deals]


# Stored deals, a line of JSON each.


def encode_deal(one: DealResult) -> str:
    """Encodes a deal as a line of the file."""
    pace = one.timing
    line = [one.number, one.points, [pace.moves, pace.seconds, pace.slowest], one.speed]
    return f"{json.dumps(line)}\n"


def decode_deal(line: str) -> DealResult:
    """Decodes the deal of a line.

    Raises:
        TypeError, ValueError: it holds none.
    """
    number, (first, second), pace, speed = json.loads(line)
    return DealResult(number, (first, second), MoveTiming(*pace), speed)


def load_deals(path: Path, player: Bot, seed: int) -> list[DealResult]:
    """Loads the deals of a file, which is created if missing; an incomplete last line is dropped.

    Raises:
        GameError: it holds something else, or this bot now plays the first deal differently.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    lines = [line for line in text.splitlines(keepends=True) if line.endswith("\n")]
    try:
        done = [decode_deal(line) for line in lines]
    except (TypeError, ValueError):
        raise GameError(f"{path} is no file of deals") from None
    if [one.number for one in done] != list(range(len(done))):
        raise GameError(f"{path}: the deals are not in their order")
    if done and play_deals(player, seed, [0]) != done[:1]:
        raise GameError(
            f"{path}: {player.name} plays deal 0 otherwise than it did; begin with an empty folder"
        )
    path.write_text("".join(lines), encoding="utf-8")
    return done


# Table.


def mean_share(points: Sequence[float], of: int = ALL_POINTS) -> Estimate:
    """Returns the mean share of the card points in percent."""
    return estimate([100 * one / of for one in points])


def row(name: str, deals: Sequence[DealResult]) -> list[str]:
    """Returns the row of one bot."""
    both = mean_share([sum(one.points) for one in deals], 2 * ALL_POINTS)
    times = sum((one.scaled_timing for one in deals), MoveTiming())
    bar = MIN_POINT_SHARES.get(name)
    verdict = "met" if bar is not None and both.mean >= bar else "not met"
    return [
        name,
        f"{len(deals):,}",
        format_percent(both),
        *(format_percent(mean_share([one.points[table] for one in deals])) for table in (0, 1)),
        format_milliseconds(1000 * times.seconds / times.moves),
        slowest_move_cell(name, 1000 * times.slowest),
        "" if bar is None else f"≥ {bar} %: {verdict}",
    ]


def format_percent(one: Estimate) -> str:
    """Formats a share in percent with its interval."""
    return f"{format_interval(one.mean, one.ci95)} %"


def section(played: Mapping[str, Sequence[DealResult]], seed: int, words: str) -> Section:
    """Returns the table of all bots."""
    columns = [
        "player",
        "deals",
        "of the card points",
        "as forehand's side",
        "as the other side",
        "ms a move",
        "slowest",
        "bar",
    ]
    speeds = [one.speed for deals in played.values() for one in deals]
    note = (
        f"Two of ours against two `ChallengePlayer` of pyschieber {version('pyschieber')}, each "
        f"deal twice with sides swapped, seed {seed}; means with 95 % intervals. Ours think "
        f"without a clock. Their times are told as where `Match` makes {REFERENCE_ROUNDS_PER_S:,} "
        "rounds/s; while "
        f"these deals were played it made {median(speeds):,.0f}. A deal with a move that took "
        "longer than allowed was played once more, and the shorter time counts."
    )
    rows = [row(name, deals) for name, deals in played.items()]
    return Section(f"python -m bench.peers.pyschieber_strength {words}", columns, rows, [note])


def find_player(name: str) -> Bot:
    """Returns the bot of this name without a time limit; `-seeing` adds perfect information.

    Raises:
        GameError: there is none, or it does not play Schieber.
    """
    if name in PERFECT_INFORMATION_PLAYERS:
        return PERFECT_INFORMATION_PLAYERS[name]
    found = without_clock(bot(name))
    if GAME.name not in getattr(found, "games", (GAME.name,)):
        raise GameError(f"{name} does not know {GAME.name}")
    return found


def main() -> int:
    """Plays, prints the table, and saves it if requested."""
    parser = figures_parser("bench.peers.pyschieber_strength", __doc__)
    parser.add_argument(
        "bots", nargs="+", choices=(*bots(), *PERFECT_INFORMATION_PLAYERS), metavar="BOT"
    )
    parser.add_argument(
        "--deals", type=int_range(MIN_DEALS), default=1000, help="deals for each player (1000)"
    )
    parser.add_argument(
        "--seeing", type=int_range(MIN_DEALS), help="deals of those that see all hands (as many)"
    )
    parser.add_argument("--seed", type=int_range(0), default=1, help="random seed (1)")
    parser.add_argument("--workers", type=int_range(1), default=1, help="worker processes (1)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="save deals, and resume")
    arguments = parser.parse_args()
    deals, seed, folder = arguments.deals, arguments.seed, arguments.keep
    seeing = deals if arguments.seeing is None else arguments.seeing
    played = {}
    try:
        players = [find_player(name) for name in arguments.bots]
        with arena.process_pool(arguments.workers) as executor:
            for player in players:
                print(f"· {player.name}", file=sys.stderr, flush=True)
                keep = folder and folder / f"{player.name}-{seed}"
                number = seeing if player.name in PERFECT_INFORMATION_PLAYERS else deals
                found = play_match(player, number, seed, executor, keep)
                played[player.name] = [remeasure_if_late(player, seed, one) for one in found]
    except GameError as error:
        parser.error(str(error))
    words = f"{' '.join(arguments.bots)} --deals {deals} --seed {seed}"
    words += f" --seeing {seeing}" if arguments.seeing else ""
    print_section("pyschieber", section(played, seed, words), keep=arguments.write)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
