"""Arena reports as plain JSON, with their types: the output of `jasstisch arena --json`.

docs/arena.md explains the keys. Every `ci95` is half the width of a 95 % interval.
"""

from typing import NotRequired, TypedDict

from jasstisch.games.options import Value


class BotReport(TypedDict):
    """The results of a bot: its figure, its wins and its time per move in milliseconds.

    `share` is present if a game divides something among its seats.
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
    """By how much a bot is better than another, pairwise; in percent where meaningful."""

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
    """The report of a contest.

    A challenge has `company` and `baseline`, a round robin has `ranking`. I Doubt It has `out` and
    `claims`: how often a player went out, and the claims per round. A game of another package may
    add metrics of its own.
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
