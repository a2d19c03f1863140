"""The report of a contest as plain JSON, with its types: what `jasstisch arena --json` prints.

docs/arena.md says what each key means. Every `ci95` is half of a 95 % interval.
"""

from typing import NotRequired, TypedDict

from jasstisch.games.options import Value

__all__ = ["ArenaReport", "BotReport", "Comparison", "Rank"]


class BotReport(TypedDict):
    """A bot: its figure, its wins and the time it took, in milliseconds.

    `share` is there where a game divides something among its seats.
    """

    name: str
    mean: float
    ci95: float
    wins: float
    wins_ci95: float
    share: NotRequired[float]
    share_ci95: NotRequired[float]
    moves: int
    ms_per_move: float
    ms_slowest: float


class Comparison(TypedDict):
    """By how much a bot is better than another, deal by deal; in percent where that has meaning."""

    bot: str
    than: str
    better_by: float
    ci95: float
    wins_by: float
    wins_ci95: float
    percent: NotRequired[float]
    percent_ci95: NotRequired[float]


class Rank(TypedDict):
    """A bot of a round robin, and its lead over the next one; the last has none."""

    name: str
    rating: float
    ci95: float
    lead: NotRequired[float]
    lead_ci95: NotRequired[float]


class ArenaReport(TypedDict):
    """A contest over some deals.

    `company` and `baseline` are there for a challenge, `ranking` for a round robin, `out` and
    `claims` for I Doubt It: how often somebody went out, and the claims of a round. A game from
    another package may add remarks of its own.
    """

    game: str
    options: dict[str, Value]
    deals: int
    matches: bool
    seed: int
    clock: bool
    kind: str
    figure: str
    unit: str
    high_is_good: bool
    tables_per_deal: int
    line_ups: list[list[str]]
    company: NotRequired[list[str]]
    baseline: NotRequired[str]
    bots: list[BotReport]
    ranking: NotRequired[list[Rank]]
    compared: list[Comparison]
    out: NotRequired[float]
    claims: NotRequired[float]
