"""The metric by which each game measures the loss of a decision."""

from jasstisch.bots import View
from jasstisch.engine.errors import GameError
from jasstisch.games.metrics import ScoreMetric
from jasstisch.games.rules import REGISTRY


def metric_of(game: str) -> ScoreMetric:
    """Returns the metric of a game.

    Raises:
        GameError: it has none, so it cannot be analysed.
    """
    figure = REGISTRY[game].metric
    if figure is None:
        raise GameError(
            f"no analysis of {game}, which has no metric by which decisions are compared: set "
            "`metric` in its class to a jasstisch.games.metrics.ScoreMetric"
        )
    return figure


def has_metric(game: str) -> bool:
    """Returns whether a game has a metric."""
    return REGISTRY[game].metric is not None


def min_significant(view: View, *actions: str) -> float:
    """Returns the smallest significant difference between the values of actions of a seat.

    If a round counts several times, the difference is as many times larger.
    """
    rules = REGISTRY[view["game"]]
    return metric_of(rules.name).min_significant * max(
        rules.score_weight(view, one) for one in actions
    )
