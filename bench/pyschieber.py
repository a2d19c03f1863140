"""How our players do against the rule player of pyschieber in its own game, as a table.

Both seats of a side are ours, both of the other are its `ChallengePlayer`; every deal is played
twice, with sides swapped. Our players think without a clock, so that the same deals come out the
same on every machine and with any number of workers. With `--keep` a run can stop and go on; the
first of the deals that were kept is then played again to see whether they hold. As in:

    python -m bench.pyschieber club master --deals 1000 --workers 2 --keep /tmp/kept --write
    python -m bench.pyschieber master-seeing --deals 100 --seed 7
"""

import argparse
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

from bench.bridge import GAME, play_table
from bench.ceiling import Seeing
from bench.figures import Section, interval, show
from bench.parts import EFFORTS
from bench.strength import LIMITS, milliseconds, slowest
from jasstisch import arena
from jasstisch.arena.boards import Pace, Stopwatch, warm_up
from jasstisch.arena.estimates import Estimate, estimate
from jasstisch.arena.running import FEWEST_DEALS
from jasstisch.bench.own import OWN
from jasstisch.bench.timing import measured
from jasstisch.bots import Bot, bot, bots, unhurried
from jasstisch.cli.arguments import whole
from jasstisch.errors import GameError
from jasstisch.tricks import ALL_POINTS

__all__ = ["BARS", "Deal", "main", "measure", "play", "row", "section", "share"]

BARS = {"club": 56, "master": 61}
"""The part of the card points that a player shall take, in percent."""

SEEING = {
    player.name: player
    for player in (Seeing(replace(effort, limit=inf)) for effort in EFFORTS.values())
}
"""The searching players as they would play if they saw all hands, by name."""

CHUNK = 4
"""Deals that a worker is sent at once."""

SPEED = 2_500
"""Rounds a second that `Match` makes on the slowest machine; times of moves are told as there."""

SECONDS = 0.1
"""How long it takes to see how many it makes here, each time that deals are played."""

(MATCH,) = (one for one in OWN if one.name == "match")


@dataclass(frozen=True, slots=True)
class Deal:
    """What came of one deal.

    Attributes:
        number: its number, from 0.
        points: our card points, first where we held forehand and so announced, then where they did.
        pace: how long our moves took; no part of what makes two deals equal.
        speed: how many rounds a second `Match` made there and then; no part of it either.
    """

    number: int
    points: tuple[int, int]
    pace: Pace = field(compare=False)
    speed: float = field(compare=False)

    @property
    def times(self) -> Pace:
        """The pace as it would be where `Match` makes `SPEED` rounds a second."""
        slower = self.speed / SPEED
        return Pace(self.pace.moves, slower * self.pace.seconds, slower * self.pace.slowest)


def play(player: Bot, seed: int, numbers: Sequence[int]) -> list[Deal]:
    """Plays the deals of these numbers, with sides swapped.

    Raises:
        BridgeError: a player failed, or the two games disagree.
    """
    warm_up(GAME, player)
    speed = measured(MATCH, SECONDS).median
    return [deal(player, seed, number, speed) for number in numbers]


def deal(player: Bot, seed: int, number: int, speed: float) -> Deal:
    """Plays one deal, first with us as the side of forehand, then with them."""
    stopwatch = Stopwatch()
    tables = [play_table(player, seed, number, side, stopwatch) for side in (0, 1)]
    first, second = (table.rounds[0]["points"][side] for side, table in enumerate(tables))
    return Deal(number, (first, second), stopwatch.paces[player.name], speed)


def timed_again(player: Bot, seed: int, one: Deal) -> Deal:
    """A deal, played once more if a move of it took longer than the player may think.

    The shorter time counts, as in `bench.strength`: a machine held up once is hardly held up there
    again, while a search that takes long does so every time.
    """
    allowed = LIMITS.get(player.name, inf)
    if 1000 * one.times.slowest <= allowed:
        return one
    (again,) = play(player, seed, [one.number])
    return min(one, again, key=lambda tried: tried.times.slowest)


def measure(
    player: Bot,
    deals: int,
    seed: int = 1,
    executor: Executor | None = None,
    keep: Path | None = None,
) -> list[Deal]:
    """Plays so many deals.

    Args:
        player: who takes our seats.
        deals: how many.
        seed: the seed of all chance.
        executor: where they are played; in this thread when left out. It is not shut down.
        keep: a file that deals are added to as they are played; those in it are not played again.

    Returns:
        The deals in their order, the same wherever they are played.

    Raises:
        BridgeError: a player failed, or the two games disagree.
        GameError: the file holds something else, or deals of a player who played otherwise.
    """
    done = taken_up(keep, player, seed) if keep else []
    starts = range(len(done), deals, CHUNK)
    chunks = [range(first, min(first + CHUNK, deals)) for first in starts]
    task = partial(play, player, seed)
    with keep.open("a", encoding="utf-8") if keep else nullcontext() as file:
        for played in (map if executor is None else executor.map)(task, chunks):
            done += played
            if file:
                file.writelines(map(line_of, played))
                file.flush()
    return done[:deals]


# Deals that are kept, a line of JSON for each.


def line_of(one: Deal) -> str:
    """A deal as a line of the file."""
    pace = one.pace
    line = [one.number, one.points, [pace.moves, pace.seconds, pace.slowest], one.speed]
    return f"{json.dumps(line)}\n"


def deal_of(line: str) -> Deal:
    """The deal of a line.

    Raises:
        TypeError, ValueError: it holds none.
    """
    number, (first, second), pace, speed = json.loads(line)
    return Deal(number, (first, second), Pace(*pace), speed)


def taken_up(path: Path, player: Bot, seed: int) -> list[Deal]:
    """The deals of a file, which is begun where there is none; a last line cut off is dropped.

    Raises:
        GameError: it holds something else, or this player now plays the first of them otherwise.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    lines = [line for line in text.splitlines(keepends=True) if line.endswith("\n")]
    try:
        done = [deal_of(line) for line in lines]
    except (TypeError, ValueError):
        raise GameError(f"{path} is no file of deals") from None
    if [one.number for one in done] != list(range(len(done))):
        raise GameError(f"{path}: the deals are not in their order")
    if done and play(player, seed, [0]) != done[:1]:
        raise GameError(
            f"{path}: {player.name} plays deal 0 otherwise than it did; begin with an empty folder"
        )
    path.write_text("".join(lines), encoding="utf-8")
    return done


# The table.


def share(points: Sequence[float], of: int = ALL_POINTS) -> Estimate:
    """The mean part of the card points in percent, from those of each deal."""
    return estimate([100 * one / of for one in points])


def row(name: str, deals: Sequence[Deal]) -> list[str]:
    """The cells of one player."""
    both = share([sum(one.points) for one in deals], 2 * ALL_POINTS)
    times = sum((one.times for one in deals), Pace())
    bar = BARS.get(name)
    verdict = "met" if bar is not None and both.mean >= bar else "not met"
    return [
        name,
        f"{len(deals):,}",
        percent(both),
        *(percent(share([one.points[table] for one in deals])) for table in (0, 1)),
        milliseconds(1000 * times.seconds / times.moves),
        slowest(name, 1000 * times.slowest),
        "" if bar is None else f"≥ {bar} %: {verdict}",
    ]


def percent(one: Estimate) -> str:
    """A part in percent and its interval."""
    return f"{interval(one.mean, one.ci95)} %"


def section(played: Mapping[str, Sequence[Deal]], seed: int, words: str) -> Section:
    """The table of all players, from the deals of each."""
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
        f"without a clock. Their times are told as where `Match` makes {SPEED:,} rounds/s; while "
        f"these deals were played it made {median(speeds):,.0f}. A deal with a move that took "
        "longer than allowed was played once more, and the shorter time counts."
    )
    rows = [row(name, deals) for name, deals in played.items()]
    return Section(f"python -m bench.pyschieber {words}", columns, rows, [note])


def player_of(name: str) -> Bot:
    """The bot of this name without a clock, or with `-seeing` behind it one that sees all hands.

    Raises:
        GameError: there is none, or it does not know Schieber.
    """
    if name in SEEING:
        return SEEING[name]
    found = unhurried(bot(name))
    if GAME.name not in getattr(found, "games", (GAME.name,)):
        raise GameError(f"{name} does not know {GAME.name}")
    return found


def main() -> int:
    """Plays, prints the table, and keeps it if asked to."""
    parser = argparse.ArgumentParser(prog="python -m bench.pyschieber", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("bots", nargs="+", choices=(*bots(), *SEEING), metavar="BOT")
    parser.add_argument(
        "--deals", type=whole(FEWEST_DEALS), default=1000, help="deals for each player (1000)"
    )
    parser.add_argument(
        "--seeing", type=whole(FEWEST_DEALS), help="deals of those that see all hands (as many)"
    )
    parser.add_argument("--seed", type=whole(0), default=1, help="seed of all chance (1)")
    parser.add_argument("--workers", type=whole(1), default=1, help="processes that play (1)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep deals, and go on")
    parser.add_argument("--write", action="store_true", help="keep the table in docs/figures.md")
    arguments = parser.parse_args()
    deals, seed, folder = arguments.deals, arguments.seed, arguments.keep
    seeing = deals if arguments.seeing is None else arguments.seeing
    played = {}
    try:
        players = [player_of(name) for name in arguments.bots]
        with arena.processes(arguments.workers) as executor:
            for player in players:
                print(f"· {player.name}", file=sys.stderr, flush=True)
                keep = folder and folder / f"{player.name}-{seed}"
                number = seeing if player.name in SEEING else deals
                found = measure(player, number, seed, executor, keep)
                played[player.name] = [timed_again(player, seed, one) for one in found]
    except GameError as error:
        parser.error(str(error))
    words = f"{' '.join(arguments.bots)} --deals {deals} --seed {seed}"
    words += f" --seeing {seeing}" if arguments.seeing else ""
    show("pyschieber", section(played, seed, words), keep=arguments.write)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
