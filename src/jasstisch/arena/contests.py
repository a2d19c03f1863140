"""Contests: which bots meet in which line-ups, and how results become a report.

A *table* is one line-up, a bot for each chair. In a *challenge* several bots take the same chair in
turn, against the same opponents on the same deals, and each is compared with one of them, the
baseline. In a *round robin* every bot of a pool sits alone among copies of every other bot, and
among copies of itself. A contest decides which line-ups play each deal and how the boards become a
report; playing the deals and distributing them over workers is done elsewhere.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import TypedDict

import jasstisch as jt
from jasstisch.arena.duplicate_boards import BoardResult, LineUp, resolve_bot_cached, seatings
from jasstisch.arena.estimates import estimate, paired_difference
from jasstisch.arena.results import Placement, Results
from jasstisch.bots import Bot, bots, supports
from jasstisch.bots.resolver import portable_spec
from jasstisch.engine.errors import GameError, quote
from jasstisch.games.rules import Json


@dataclass(frozen=True)
class Contest(ABC):
    """Which bots meet in which line-ups.

    Attributes:
        game: the game with its options.
        names: the bots as named, in that order.
        bot_objects: bot objects that were passed in instead of being looked up, by name.
        origins: how the bots that come from a file were named.
    """

    game: jt.Game
    names: tuple[str, ...]
    bot_objects: Mapping[str, Bot] = field(kw_only=True, default_factory=dict)
    origins: Mapping[str, str] = field(kw_only=True, default_factory=dict)

    @property
    @abstractmethod
    def line_ups(self) -> tuple[LineUp, ...]:
        """The line-ups that play every deal."""

    @property
    def tables_per_deal(self) -> int:
        """How many times each deal is played."""
        return sum(len(seatings(line_up)) for line_up in self.line_ups)

    def report(self, boards: Sequence[BoardResult]) -> Json:
        """Returns the report on two or more boards, as plain JSON."""
        results = Results(self.game, self.line_ups, boards)
        figure = results.metric
        return {
            "kind": type(self).__name__,
            "figure": figure.name,
            "unit": figure.unit,
            "high_is_good": figure.higher_is_better,
            "tables_per_deal": self.tables_per_deal,
            "line_ups": [list(line_up) for line_up in self.line_ups],
            **self.report_part(results),
            **results.extra_metrics(),
        }

    @abstractmethod
    def report_part(self, results: Results) -> Json:
        """Returns the part of the report that depends on the kind of contest."""

    def line_up(self, name: str, company: Sequence[str]) -> LineUp:
        """Returns a bot with its opponents, in an order independent of that of the arguments."""
        return tuple(sorted([name, *company]))

    def lone_line_up(self, name: str, other: str) -> LineUp:
        """Returns a bot alone among copies of another, or of itself."""
        return self.line_up(name, [other] * (len(self.game.sides) - 1))


@dataclass(frozen=True)
class FixedTable(Contest):
    """One line-up: a bot for each chair."""

    @property
    def line_ups(self) -> tuple[LineUp, ...]:
        """The one line-up, in the order in which it was named."""
        return (self.names,)

    def report_part(self, results: Results) -> Json:
        """Returns the report of each bot, and the comparison of each pair."""
        places = {name: (name, self.names) for name in self.names}
        different = list(places.values())
        return {
            "bots": [results.bot_report(name, [self.names]) for name in self.names],
            "compared": [
                results.comparison(first, second)
                for number, first in enumerate(different)
                for second in different[number + 1 :]
            ],
        }


@dataclass(frozen=True)
class Challenge(Contest):
    """Several bots take the same chair in turn, on the same deals.

    Attributes:
        company: the bots in the other chairs.
        baseline: the bot in that chair with which the named ones are compared.
    """

    company: tuple[str, ...]
    baseline: str

    @property
    def challengers(self) -> tuple[str, ...]:
        """All bots that take the chair, the baseline last unless it was named itself."""
        return tuple(dict.fromkeys([*self.names, self.baseline]))

    @property
    def line_ups(self) -> tuple[LineUp, ...]:
        """The other bots with each of those that take the chair."""
        return tuple(dict.fromkeys(self.line_up(name, self.company) for name in self.challengers))

    def report_part(self, results: Results) -> Json:
        """Returns the report of each bot in the chair, and its comparison with the baseline."""
        placed = {name: (name, self.line_up(name, self.company)) for name in self.challengers}
        base = placed[self.baseline]
        return {
            "company": list(self.company),
            "baseline": self.baseline,
            "bots": [results.bot_report(name, [placed[name][1]]) for name in self.challengers],
            "compared": [
                results.comparison(placed[name], base)
                for name in self.challengers
                if name != self.baseline
            ],
        }


@dataclass(frozen=True)
class RoundRobin(Contest):
    """Every bot of a pool alone among copies of every other, and of itself."""

    @property
    def line_ups(self) -> tuple[LineUp, ...]:
        """Two line-ups for each pair of the pool, and one of copies for each bot."""
        every = [self.lone_line_up(name, other) for name in self.names for other in self.names]
        return tuple(dict.fromkeys(every))

    def report_part(self, results: Results) -> Json:
        """Returns the report of each bot, the ranking, and the comparisons at each table."""
        return {
            "bots": [
                results.bot_report(
                    name, [self.lone_line_up(name, other) for other in self.others(name)]
                )
                for name in self.names
            ],
            "ranking": self.ranking(results),
            "compared": [
                results.comparison(
                    self.lone_placement(name, other), self.lone_placement(other, other)
                )
                for name in self.names
                for other in self.others(name)
            ],
        }

    def lone_placement(self, name: str, other: str) -> Placement:
        """Returns the placement of a bot alone among copies of another, or of itself."""
        return name, self.lone_line_up(name, other)

    def others(self, name: str) -> list[str]:
        """Returns the rest of the pool."""
        return [other for other in self.names if other != name]

    def ranking(self, results: Results) -> list[Json]:
        """Returns the pool from the strongest to the weakest, each with its lead over the next one.

        The rating of a bot is by how much its figure is better than that of its opponent in the
        same chair: the mean over all opponents, at their tables and at its own.
        """
        ratings = {name: self.rating_by_deal(name, results) for name in self.names}
        order = sorted(self.names, key=lambda name: -fmean(ratings[name]))
        rows: list[Json] = []
        for place, name in enumerate(order):
            rated = estimate(ratings[name])
            row: Json = {"name": name, "rating": round(rated.mean, 3), "ci95": round(rated.ci95, 3)}
            if place + 1 < len(order):
                lead = paired_difference(ratings[name], ratings[order[place + 1]])
                row |= {"lead": round(lead.mean, 3), "lead_ci95": round(lead.ci95, 3)}
            rows.append(row)
        return rows

    def rating_by_deal(self, name: str, results: Results) -> list[float]:
        """Returns the rating of a bot for each deal."""
        duels = [self.head_to_head(name, other, results) for other in self.others(name)]
        return [fmean(deal) for deal in zip(*duels, strict=True)]

    def head_to_head(self, name: str, other: str, results: Results) -> list[float]:
        """Returns by how much a bot is better than another, at the other's table and at its own."""
        here = results.advantage(
            self.lone_placement(name, other), self.lone_placement(other, other)
        )
        there = results.advantage(self.lone_placement(other, name), self.lone_placement(name, name))
        return [(one - two) / 2 for one, two in zip(here, there, strict=True)]


def contest(
    game: jt.Game,
    bots: Sequence[str | Bot],
    *,
    against: str | Bot | None = None,
    baseline: str | Bot | None = None,
    round_robin: bool = False,
) -> Contest:
    """Creates the contest that these arguments describe.

    Args:
        game: the game with its options, from `jasstisch.game`.
        bots: names, `file.py:Class`, or bot objects; objects must be picklable to be sent to other
            processes. As many bots as seats (or as sides, with partners) make a table; any other
            number from two on makes a round robin.
        against: the bot in all other chairs; each of `bots` then sits alone in turn.
        baseline: the bot with which the others are compared in the same chair; `against` when left
            out. Without `against` the first bot is compared, and the others are its opponents.
        round_robin: whether every bot meets every other, even if there are as many as seats.

    Raises:
        GameError: unknown bots, or bots that make no contest; the message says what would.
    """
    _ = game.metric  # refused before anything is played
    cast = BotRoster(game.name)
    names, chairs = tuple([cast.add(one) for one in bots]), len(game.sides)
    places = "sides" if game.rules.sides else "seats"
    other, base = [None if one is None else cast.add(one) for one in (against, baseline)]
    if round_robin and (other or base):
        raise GameError(
            "a round robin has no opponent and no baseline: every bot meets every other"
        )
    if other:
        _check_distinct(names, at_least=1)
        return Challenge(game, names, (other,) * (chairs - 1), base or other, **cast.bot_sources)
    if base:
        if len(names) != chairs:
            raise GameError(
                f"with a baseline, {chairs} {places} need {chairs} bots, not {len(names)}: "
                f"the one to compare and its company of {chairs - 1}"
            )
        return Challenge(game, names[:1], names[1:], base, **cast.bot_sources)
    if len(names) == chairs and not round_robin:
        return FixedTable(game, names, **cast.bot_sources)
    if len(names) < 2:
        raise GameError(
            f"too few bots: name one for each of the {chairs} {places}, or two or more for a round "
            f"robin, or one and whom it plays against"
        )
    _check_distinct(names, at_least=2)
    return RoundRobin(game, names, **cast.bot_sources)


class BotRoster:
    """The bots that take part in a contest, by name."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.bot_objects: dict[str, Bot] = {}
        self.known: dict[str, str] = {}  # how the others are looked up

    @property
    def bot_sources(self) -> "BotSources":
        """What a contest stores about its bots."""
        origins = {name: what for name, what in self.known.items() if name != what}
        return {"bot_objects": self.bot_objects, "origins": origins}

    def add(self, one: str | Bot) -> str:
        """Adds a bot, given by name, by file or as an object, and returns its name.

        A bot object can be named later, unless there is another bot of its name.

        Raises:
            GameError: there is no such bot, it does not play the game, or two different bots have
                the same name.
        """
        if not isinstance(one, str):
            name, same = one.name, self.bot_objects.setdefault(one.name, one) is one
        elif one in self.bot_objects and one not in bots():
            name, same = one, True
        else:
            what = portable_spec(one)
            found = resolve_bot_cached(what, reload=what not in self.known.values())
            if not supports(found, self.game):
                raise GameError(f"bot {found.name!r} does not play {self.game}")
            name = found.name
            same = self.known.setdefault(name, what) == what
        if not same or name in self.known.keys() & self.bot_objects.keys():
            raise GameError(f"two different bots are called {quote(name)}")
        return name


class BotSources(TypedDict):
    """What a contest stores about its bots besides their names."""

    bot_objects: Mapping[str, Bot]
    origins: Mapping[str, str]


def _check_distinct(names: Sequence[str], *, at_least: int) -> None:
    """Refuses too few names and duplicate names.

    Raises:
        GameError: there are too few names, or one appears twice.
    """
    if len(names) < at_least:
        raise GameError(f"too few bots: {len(names)}, where {at_least} or more are needed")
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise GameError(
            f"{twice[0]} is named twice: only a table, with as many bots as seats, may have the "
            f"same one more than once"
        )
