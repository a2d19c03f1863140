"""The open ladder: how strong all bots are that were ever measured, each game by itself.

Ratings are those of Plackett and Luce as Weng and Lin compute them ("A Bayesian Approximation
Method for Online Ranking", 2011): of each bot a strength and how much of it is in doubt, changed
by one ranking after the other. In which order they are taken matters a little. So they are taken in
several, which follow from what the rankings say and mix the contests, each time from the beginning,
and a rating is the mean: it depends on the deals, and not on when they were played or in which file
they stand.

A bot is taken to be as strong in its last deal as in its first: another version of it bears another
name. So nothing is forgotten, and doubt shrinks with each deal by all that the deal tells.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from statistics import fmean

from jasstisch.arena.estimates import NORMAL_95
from jasstisch.arena.ranking_files import Ranking
from jasstisch.extras import require

__all__ = ["RatedBot", "rate", "ratings_by_game"]

RATING_PASSES = 5
"""In so many orders the rankings are taken."""

CONSERVATIVE_SIGMAS = 3.0
"""A bot is rated by what it surely can: so many standard deviations less than its strength."""


@dataclass(frozen=True, slots=True)
class RatedBot:
    """A bot on the ladder of a game.

    Attributes:
        name: the bot.
        strength: its strength, 25 for one that nobody knows.
        ci95: half the width of the 95 % interval of that.
        rating: by which it is ranked: the strength less three standard deviations.
        deals: in how many deals it has met others.
        last: the day when it last did, as `2026-11-26`; None where that is not known.
    """

    name: str
    strength: float
    ci95: float
    rating: float
    deals: int
    last: str | None


@dataclass(slots=True)
class BotActivity:
    """In which deals a bot was seen, and when last."""

    deals: set[str] = field(default_factory=set)
    last: str | None = None

    def record(self, one: Ranking) -> None:
        """It was seen in this one."""
        self.deals.add(one.deal)
        if one.day is not None and (self.last is None or one.day > self.last):
            self.last = one.day


def ratings_by_game(rankings: Iterable[Ranking]) -> dict[str, list[RatedBot]]:
    """The ladder of each game that was played, from the strongest bot to the weakest.

    Args:
        rankings: of all games, each once, in any order.

    Raises:
        MissingExtraError: openskill is not installed.
    """
    by_game: dict[str, list[Ranking]] = {}
    for one in rankings:
        by_game.setdefault(one.game, []).append(one)
    return {game: rate(by_game[game]) for game in sorted(by_game)}


def rate(rankings: Sequence[Ranking]) -> list[RatedBot]:
    """The bots of some rankings of one game, from the strongest to the weakest.

    Raises:
        MissingExtraError: openskill is not installed.
    """
    seen: dict[str, BotActivity] = {}
    for one in rankings:
        for name in one.ranks:
            seen.setdefault(name, BotActivity()).record(one)
    runs = [_rate_in_order(_shuffled(rankings, number)) for number in range(RATING_PASSES)]
    found = []
    for name, where in seen.items():
        strength = fmean(run[name][0] for run in runs)
        doubt = fmean(run[name][1] for run in runs)
        found.append(
            RatedBot(
                name=name,
                strength=strength,
                ci95=NORMAL_95 * doubt,
                rating=strength - CONSERVATIVE_SIGMAS * doubt,
                deals=len(where.deals),
                last=where.last,
            )
        )
    return sorted(found, key=lambda one: (-one.rating, one.name))


def _shuffled(rankings: Sequence[Ranking], number: int) -> list[Ranking]:
    """The rankings in one of the orders that follow from what they say."""
    return sorted(rankings, key=lambda one: sha256(f"{number} {one.digest}".encode()).digest())


def _rate_in_order(rankings: Sequence[Ranking]) -> dict[str, tuple[float, float]]:
    """The strength of each bot, and its standard deviation, after rankings in this order."""
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
    """The part of what a ranking tells that takes doubt away; less suits a skill that changes."""
    return 1.0
