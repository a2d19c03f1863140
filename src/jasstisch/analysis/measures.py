"""The unit in which each game counts what a decision has cost."""

from jasstisch.errors import GameError
from jasstisch.games.figures import Figure
from jasstisch.games.rules import REGISTRY

__all__ = ["measure"]


def measure(game: str) -> Figure:
    """How a game measures decisions: by its figure.

    Raises:
        GameError: it has none, and so nothing of it can be analysed.
    """
    figure = REGISTRY[game].figure
    if figure is None:
        raise GameError(f"no analysis of {game}: its class names no figure to measure by")
    return figure
