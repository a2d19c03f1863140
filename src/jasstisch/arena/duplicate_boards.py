"""Playing boards: one deal, played by several line-ups in every seating. This is a worker's task.

As in duplicate bridge, a *board* is a deal that is played more than once. Every line-up gets the
same packs, and so the same dealer, and takes each of its different seatings, so that neither the
cards nor the seats favour any bot. The result of a board depends only on the game, the bots, the
seed and its number; the time of moves is not part of it.
"""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from statistics import fmean

import jasstisch as jt
from jasstisch.bots import Bot, choose_action, without_clock
from jasstisch.bots.resolver import resolve
from jasstisch.engine.cards import shuffled
from jasstisch.engine.errors import shorten
from jasstisch.games.rules import Json

LineUp = tuple[str, ...]
"""The names of the bots at a table, one for each side, in any seating."""


class BotError(RuntimeError):
    """A bot failed to answer or answered with an illegal action; the message names the deal."""


@dataclass(frozen=True, slots=True)
class ContestTask:
    """What is to be played: plain data that can be sent to any worker.

    Attributes:
        game: the game with its options.
        line_ups: the line-ups that play each deal.
        seed: the random seed.
        plays_whole_matches: whether a deal is the first of a whole match that is played to its end.
        bot_objects: bot objects that were passed in instead of being looked up, by name.
        uses_clock: whether bots with a time limit observe it.
        origins: where workers find the bots that are not registered by name.
    """

    game: jt.Game
    line_ups: tuple[LineUp, ...]
    seed: int
    plays_whole_matches: bool = False
    bot_objects: Mapping[str, Bot] = field(default_factory=dict)
    uses_clock: bool = True
    origins: Mapping[str, str] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all bots that play."""
        return tuple(dict.fromkeys(name for line_up in self.line_ups for name in line_up))

    def bot(self, name: str) -> Bot:
        """Returns the bot of this name."""
        known = self.bot_objects.get(name)
        found = resolve_bot_cached(self.origins.get(name, name)) if known is None else known
        return found if self.uses_clock else without_clock(found)

    def rng_for(self, number: int, what: str | int) -> random.Random:
        """Returns the random generator of a deal for its packs, or for the bot in a seat."""
        return random.Random(f"{self.seed}/{number}/{what}")  # noqa: S311 - deals are reproducible


@dataclass(frozen=True, slots=True)
class BotScore:
    """The result of a bot with a line-up in one deal.

    Attributes:
        metric_value: the mean of its figure per round over all its chairs in all seatings.
        win_rate: the share of those chairs that won the deal or match.
    """

    metric_value: float
    win_rate: float


@dataclass(frozen=True, slots=True)
class MoveTiming:
    """The time a bot took for its moves: CPU time of its thread, in seconds."""

    moves: int = 0
    seconds: float = 0.0
    slowest: float = 0.0

    def __add__(self, other: "MoveTiming") -> "MoveTiming":
        return MoveTiming(
            self.moves + other.moves,
            self.seconds + other.seconds,
            max(self.slowest, other.slowest),
        )


@dataclass(frozen=True, slots=True)
class BoardResult:
    """The result of one deal.

    Attributes:
        number: the number of the deal, from 0.
        scores: for each line-up, the score of each of its bots.
        extra_metrics: for each line-up, further metrics of the game; see `Metric.extra_statistics`.
        timings: the time of each bot; ignored when boards are compared.
    """

    number: int
    scores: tuple[dict[str, BotScore], ...]
    extra_metrics: tuple[dict[str, float], ...]
    timings: dict[str, MoveTiming] = field(compare=False)


def seatings(line_up: LineUp) -> list[LineUp]:
    """Returns the distinct seatings of a line-up."""
    return sorted(set(permutations(line_up)))


def play_deals(assignment: ContestTask, numbers: Iterable[int]) -> list[BoardResult]:
    """Plays the deals of these numbers.

    Raises:
        BotError: a bot failed.
        GameError: a bot is unknown.
    """
    for name in assignment.names:
        warm_up(assignment.game, assignment.bot(name))
    return [_play_board(assignment, number) for number in numbers]


def _play_board(assignment: ContestTask, number: int) -> BoardResult:
    """Plays one deal with every line-up."""
    stopwatch = MoveTimer()
    tables = [
        _play_line_up(assignment, number, line_up, stopwatch) for line_up in assignment.line_ups
    ]
    return BoardResult(
        number,
        tuple(showings for showings, _ in tables),
        tuple(said for _, said in tables),
        stopwatch.timings,
    )


def _play_line_up(
    assignment: ContestTask, number: int, line_up: LineUp, stopwatch: "MoveTimer"
) -> tuple[dict[str, BotScore], dict[str, float]]:
    """Plays one deal in all seatings of a line-up; returns the scores and the extra metrics."""
    figures: dict[str, list[float]] = {name: [] for name in line_up}
    wins: dict[str, list[bool]] = {name: [] for name in line_up}
    rounds: list[Json] = []
    for seating in seatings(line_up):
        match = play_deal(assignment, number, seating, stopwatch)
        finished = match.rounds
        rounds += finished
        scored = _seat_metrics(match.game, finished)
        won = _deal_winners(match, scored, matches=assignment.plays_whole_matches)
        for (seat, *_), name in zip(match.game.sides, seating, strict=True):
            figures[name].append(scored[seat])
            wins[name].append(seat in won)
    showings = {name: BotScore(fmean(figures[name]), fmean(wins[name])) for name in figures}
    return showings, _extra_metrics(assignment.game, rounds)


def _seat_metrics(game: jt.Game, rounds: Sequence[Json]) -> list[float]:
    """Returns the mean figure of each seat over the rounds that were played."""
    by_round = [game.metric.of_round(finished) for finished in rounds]
    return [fmean(seat) for seat in zip(*by_round, strict=True)]


def _deal_winners(match: jt.Match, figures: Sequence[float], *, matches: bool) -> list[int]:
    """Returns the seats that won the match, or the deal."""
    if matches:
        return match.winners
    return winners(figures, high_is_good=match.game.metric.higher_is_better)


def _bots_by_seat(game: jt.Game, seating: LineUp) -> list[str]:
    """Returns the name of the bot in each seat; partners are the same bot."""
    side_of = {seat: side for side, seats in enumerate(game.sides) for seat in seats}
    return [seating[side_of[seat]] for seat in range(game.players)]


def play_deal(
    assignment: ContestTask, number: int, seating: LineUp, stopwatch: "MoveTimer"
) -> jt.Match:
    """Plays one deal, or the match that begins with it, in one seating."""
    names = _bots_by_seat(assignment.game, seating)
    match = jt.Match(assignment.game, names)
    players = [assignment.bot(name) for name in names]
    packs = assignment.rng_for(number, "packs")
    chance = [assignment.rng_for(number, seat) for seat in range(len(names))]
    while not (match.over if assignment.plays_whole_matches else match.rounds):
        if match.needs_pack:
            match.deal(shuffled(match.pack, packs))
            continue
        seat = match.to_act[0]
        try:
            _make_move(match, seat, players[seat], chance[seat], stopwatch)
        except Exception as error:
            raise BotError(
                f"{names[seat]} failed in deal {number} of seed {assignment.seed}, "
                f"seat {seat} of {' '.join(names)}: "
                f"{shorten(f'{type(error).__name__}: {error}', 400)}"
            ) from error
    return match


def _make_move(
    match: jt.Match, seat: int, player: Bot, chance: random.Random, stopwatch: "MoveTimer"
) -> None:
    """Asks a bot for an action and does it."""
    view, legal = match.view(seat), match.legal(seat)
    clock: Callable[[], float] = getattr(player, "measured_by", time.thread_time)
    start = clock()
    action = choose_action(player, view, legal, chance)
    stopwatch.add(player.name, clock() - start)
    match.act(seat, action)


class MoveTimer:
    """Adds up the time of the bots' moves in one deal."""

    def __init__(self) -> None:
        self.moves: Counter[str] = Counter()
        self.seconds: dict[str, float] = {}
        self.slowest: dict[str, float] = {}

    def add(self, name: str, seconds: float) -> None:
        """Records a move."""
        self.moves[name] += 1
        self.seconds[name] = self.seconds.get(name, 0.0) + seconds
        self.slowest[name] = max(self.slowest.get(name, 0.0), seconds)

    @property
    def timings(self) -> dict[str, MoveTiming]:
        """The timing of each bot that has moved."""
        return {
            name: MoveTiming(moves, self.seconds[name], self.slowest[name])
            for name, moves in self.moves.items()
        }


_BOT_CACHE: dict[str, Bot] = {}
"""The bots of this process, by name or origin."""


def resolve_bot_cached(what: str, *, reload: bool = False) -> Bot:
    """Returns the bot of this name or file; each worker creates it once, unless `reload`."""
    if reload or what not in _BOT_CACHE:
        _BOT_CACHE[what] = resolve(what)
    return _BOT_CACHE[what]


_WARMED_UP: set[tuple[jt.Game, str, type]] = set()
"""The games, bot names and bot types that were warmed up in this process."""


def warm_up(game: jt.Game, player: Bot) -> None:
    """Lets a bot play an untimed deal, the first time it plays a game in this process.

    Loading and compiling for the first move does not count as thinking time.
    """
    known = (game, player.name, type(player))
    if known in _WARMED_UP:
        return
    seating = (player.name, *["random"] * (len(game.sides) - 1))
    line_up = ContestTask(game, (seating,), seed=0, bot_objects={player.name: player})
    play_deal(line_up, 0, seating, MoveTimer())
    _WARMED_UP.add(known)


def winners(figures: Sequence[float], *, high_is_good: bool) -> list[int]:
    """Returns the indices with the best figure of a deal; none if all are equal."""
    best = max(figures) if high_is_good else min(figures)
    won = [place for place, figure in enumerate(figures) if figure == best]
    return won if len(won) < len(figures) else []


def _extra_metrics(game: jt.Game, rounds: Sequence[Json]) -> dict[str, float]:
    """Returns further metrics of a deal, as means over its rounds."""
    statistics = game.metric.extra_statistics
    return {name: sum(of(one) for one in rounds) / len(rounds) for name, of in statistics.items()}
