"""The unit in which each game counts what a decision has cost."""

from jasstisch.bots import View
from jasstisch.errors import GameError
from jasstisch.games.figures import Figure
from jasstisch.games.rules import REGISTRY

__all__ = ["is_measured", "measure", "noticeable"]


def measure(game: str) -> Figure:
    """How a game measures decisions: by its figure.

    Raises:
        GameError: it has none, and so nothing of it can be analysed.
    """
    figure = REGISTRY[game].figure
    if figure is None:
        raise GameError(f"no analysis of {game}: its class names no figure to measure by")
    return figure


def is_measured(game: str) -> bool:
    """Whether a game has a figure to measure decisions by."""
    return REGISTRY[game].figure is not None


def noticeable(view: View, *actions: str) -> float:
    """From which difference in worth on these actions of a seat can be told apart.

    A round that counts several times is known so many times less well.
    """
    rules = REGISTRY[view["game"]]
    return measure(rules.name).noticeable * max(rules.weight(view, one) for one in actions)
