"""Ratings of the open ladder: the strength of all bots ever measured, for each game.

Ratings follow the Plackett-Luce model with the online updates of Weng and Lin ("A Bayesian
Approximation Method for Online Ranking", 2011): each bot has a strength and a standard deviation,
which every ranking updates. The order of the rankings matters a little. So several orders are used,
each from the beginning; they follow from the content of the rankings and mix the contests. The
rating is their mean: it depends on the deals, not on when they were played or in which file they
are.

A bot is assumed to be equally strong in all its deals: another version of it has another name. So
there is no decay, and the standard deviation shrinks with each deal by everything that the deal
reveals.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from statistics import fmean

from jasstisch.arena.estimates import NORMAL_95
from jasstisch.arena.ranking_files import DealRanking
from jasstisch.extras import require

_RATING_PASSES = 5
"""The number of orders in which the rankings are processed."""

_CONSERVATIVE_SIGMAS = 3.0
"""Standard deviations subtracted from the strength: the rating is a conservative estimate."""


@dataclass(frozen=True, slots=True)
class RatedBot:
    """A bot on the ladder of a game.

    Attributes:
        name: the bot.
        strength: its strength; 25 for an unknown bot.
        ci95: half the width of the 95 % interval of the strength.
        rating: the value it is ranked by: the strength minus three standard deviations.
        deals: the number of deals in which it has met others.
        last: the day of the last one, such as `2026-11-26`; None if unknown.
    """

    name: str
    strength: float
    ci95: float
    rating: float
    deals: int
    last: str | None


@dataclass(slots=True)
class _BotActivity:
    """The deals of a bot, and the day of the last one."""

    deals: set[str] = field(default_factory=set)
    last: str | None = None

    def record(self, one: DealRanking) -> None:
        """Records a deal."""
        self.deals.add(one.deal_key)
        if one.day is not None and (self.last is None or one.day > self.last):
            self.last = one.day


def ratings_by_game(rankings: Iterable[DealRanking]) -> dict[str, list[RatedBot]]:
    """Returns the ladder of each game, from the strongest bot to the weakest.

    Args:
        rankings: the distinct rankings of all games, in any order.

    Raises:
        MissingExtraError: openskill is not installed.
    """
    by_game: dict[str, list[DealRanking]] = {}
    for one in rankings:
        by_game.setdefault(one.game, []).append(one)
    return {game: rate(by_game[game]) for game in sorted(by_game)}


def rate(rankings: Sequence[DealRanking]) -> list[RatedBot]:
    """Rates the bots of some rankings of one game, from the strongest to the weakest.

    Raises:
        MissingExtraError: openskill is not installed.
    """
    seen: dict[str, _BotActivity] = {}
    for one in rankings:
        for name in one.ranks:
            seen.setdefault(name, _BotActivity()).record(one)
    runs = [_rate_in_order(_shuffled(rankings, number)) for number in range(_RATING_PASSES)]
    found = []
    for name, where in seen.items():
        strength = fmean(run[name][0] for run in runs)
        doubt = fmean(run[name][1] for run in runs)
        found.append(
            RatedBot(
                name=name,
                strength=strength,
                ci95=NORMAL_95 * doubt,
                rating=strength - _CONSERVATIVE_SIGMAS * doubt,
                deals=len(where.deals),
                last=where.last,
            )
        )
    return sorted(found, key=lambda one: (-one.rating, one.name))


def _shuffled(rankings: Sequence[DealRanking], number: int) -> list[DealRanking]:
    """Returns the rankings in one of the orders that follow from their content."""
    return sorted(rankings, key=lambda one: sha256(f"{number} {one.digest}".encode()).digest())


def _rate_in_order(rankings: Sequence[DealRanking]) -> dict[str, tuple[float, float]]:
    """Returns the strength and standard deviation of each bot after rankings in this order."""
    require("ladder", "a ladder")
    from openskill.models import PlackettLuce, PlackettLuceRating  # noqa: PLC0415 - an extra

    model = PlackettLuce(gamma=_gamma, tau=0.0)
    ratings: dict[str, PlackettLuceRating] = {}
    for one in rankings:
        names = sorted(one.ranks)
        teams = [[ratings.get(name) or model.rating(name=name)] for name in names]
        after = model.rate(teams, ranks=[float(one.ranks[name]) for name in names])
        ratings |= {name: team[0] for name, team in zip(names, after, strict=True)}
    return {name: (rating.mu, rating.sigma) for name, rating in ratings.items()}


def _gamma(*_: object) -> float:
    """The damping factor of the update of the standard deviation; 1, as skill does not change."""
    return 1.0
