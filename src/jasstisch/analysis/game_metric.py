"""The unit in which each game counts what a decision has cost."""

from jasstisch.bots import View
from jasstisch.engine.errors import GameError
from jasstisch.games.metrics import ScoreMetric
from jasstisch.games.rules import REGISTRY

__all__ = ["has_metric", "metric_of", "min_significant"]


def metric_of(game: str) -> ScoreMetric:
    """How a game measures decisions: by its figure.

    Raises:
        GameError: it has none, and so nothing of it can be analysed.
    """
    figure = REGISTRY[game].metric
    if figure is None:
        raise GameError(f"no analysis of {game}: its class names no figure to measure by")
    return figure


def has_metric(game: str) -> bool:
    """Whether a game has a figure to measure decisions by."""
    return REGISTRY[game].metric is not None


def min_significant(view: View, *actions: str) -> float:
    """From which difference in worth on these actions of a seat can be told apart.

    A round that counts several times is known so many times less well.
    """
    rules = REGISTRY[view["game"]]
    return metric_of(rules.name).min_significant * max(
        rules.score_weight(view, one) for one in actions
    )
