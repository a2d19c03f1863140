"""Who won a deal by the figure of its game, and what else its rounds have to tell."""

from collections.abc import Sequence

import jasstisch as jt
from jasstisch.games.rules import Json

__all__ = ["extra_metrics", "winners"]


def winners(figures: Sequence[float], *, high_is_good: bool) -> list[int]:
    """The places with the best figure of a deal; nobody where all are equal."""
    best = max(figures) if high_is_good else min(figures)
    won = [place for place, figure in enumerate(figures) if figure == best]
    return won if len(won) < len(figures) else []


def extra_metrics(game: jt.Game, rounds: Sequence[Json]) -> dict[str, float]:
    """What else a game tells of a deal, as means over its rounds."""
    told = game.metric.extra_statistics
    return {name: sum(of(one) for one in rounds) / len(rounds) for name, of in told.items()}
