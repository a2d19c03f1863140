"""The results of a contest by bot: figures, wins, shares, comparisons.

Results within a deal are averaged already: every list here has one number for each deal, and two
lists of the same deals can be compared pairwise.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

import jasstisch as jt
from jasstisch.arena.duplicate_boards import BoardResult, LineUp, MoveTiming
from jasstisch.arena.estimates import Estimate, estimate, paired_difference, ratio
from jasstisch.games.metrics import ScoreMetric
from jasstisch.games.rules import Json

Placement = tuple[str, LineUp]
"""A bot in a line-up."""


@dataclass(frozen=True)
class Results:
    """The results of some line-ups on the same deals.

    Attributes:
        game: the game with its options.
        line_ups: the line-ups, in the order of the boards.
        boards: the deals, two or more.
    """

    game: jt.Game
    line_ups: tuple[LineUp, ...]
    boards: Sequence[BoardResult]

    @cached_property
    def metric(self) -> ScoreMetric:
        """The metric of the game."""
        return self.game.metric

    @cached_property
    def line_up_index(self) -> dict[LineUp, int]:
        """The index of each line-up in a board."""
        return {line_up: place for place, line_up in enumerate(self.line_ups)}

    def metric_values(self, name: str, line_up: LineUp) -> list[float]:
        """Returns the figure of a bot in a line-up for each deal."""
        place = self.line_up_index[line_up]
        return [board.scores[place][name].metric_value for board in self.boards]

    def win_rates(self, name: str, line_up: LineUp) -> list[float]:
        """Returns the wins of a bot in a line-up for each deal."""
        place = self.line_up_index[line_up]
        return [board.scores[place][name].win_rate for board in self.boards]

    def advantage(self, first: Placement, second: Placement) -> list[float]:
        """Returns by how much one placement did better than another, for each deal."""
        pairs = zip(self.metric_values(*first), self.metric_values(*second), strict=True)
        return [self.metric.gain(one, two) for one, two in pairs]

    def timing(self, name: str) -> MoveTiming:
        """Returns the total time of a bot."""
        return sum([board.timings.get(name, MoveTiming()) for board in self.boards], MoveTiming())

    def bot_report(self, name: str, line_ups: Sequence[LineUp]) -> Json:
        """Returns the report of one bot, as the mean over some of its line-ups."""
        figures = _mean_by_deal([self.metric_values(name, one) for one in line_ups])
        wins = _mean_by_deal([self.win_rates(name, one) for one in line_ups])
        pace = self.timing(name)
        return {
            "name": name,
            **_rounded_estimate("mean", "ci95", estimate(figures)),
            **_rounded_estimate("wins", "wins_ci95", estimate(wins)),
            **self.score_share(name, line_ups),
            "moves": pace.moves,
            "ms_per_move": round(1000 * pace.seconds / pace.moves, 3),
            "ms_slowest": round(1000 * pace.slowest, 3),
        }

    def score_share(self, name: str, line_ups: Sequence[LineUp]) -> Json:
        """Returns the share of a bot in the total of all seats of its tables (strokes)."""
        if not self.metric.is_constant_sum:
            return {}
        own, total = [0.0] * len(self.boards), [0.0] * len(self.boards)
        for line_up in line_ups:
            for one in dict.fromkeys(line_up):
                seats = line_up.count(one)
                for number, figure in enumerate(self.metric_values(one, line_up)):
                    total[number] += seats * figure
                    own[number] += seats * figure * (one == name)
        return _rounded_estimate("share", "share_ci95", ratio(own, total)) if any(total) else {}

    def comparison(self, first: Placement, second: Placement) -> Json:
        """Returns by how much one placement is better than another, pairwise.

        The percentage refers to the figure of the second one, where that is meaningful.
        """
        own, theirs = self.metric_values(*first), self.metric_values(*second)
        result = {
            "bot": first[0],
            "than": second[0],
            **_rounded_estimate("better_by", "ci95", estimate(self.advantage(first, second))),
            **_rounded_estimate(
                "wins_by",
                "wins_ci95",
                paired_difference(self.win_rates(*first), self.win_rates(*second)),
            ),
        }
        if self.metric.is_non_negative and any(theirs):
            part = ratio(own, theirs)
            percent = Estimate(100 * self.metric.gain(part.mean, 1), 100 * part.ci95)
            result |= _rounded_estimate("percent", "percent_ci95", percent)
        return result

    def extra_metrics(self) -> Json:
        """Returns further metrics of the game over all tables."""
        said = [one for board in self.boards for one in board.extra_metrics]
        return {key: round(fmean(one[key] for one in said), 3) for key in said[0]}


def _mean_by_deal(lists: Sequence[Sequence[float]]) -> list[float]:
    """Returns the mean of several lists for each deal."""
    return [fmean(deal) for deal in zip(*lists, strict=True)]


def _rounded_estimate(mean: str, ci95: str, estimated: Estimate) -> Json:
    """Returns an estimate under two keys."""
    return {mean: round(estimated.mean, 3), ci95: round(estimated.ci95, 3)}
