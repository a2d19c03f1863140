"""Game-specific metrics of a deal: its winners and further metrics of its rounds."""

from collections.abc import Sequence

import jasstisch as jt
from jasstisch.games.rules import Json

__all__ = ["extra_metrics", "winners"]


def winners(figures: Sequence[float], *, high_is_good: bool) -> list[int]:
    """Returns the indices with the best figure of a deal; none if all are equal."""
    best = max(figures) if high_is_good else min(figures)
    won = [place for place, figure in enumerate(figures) if figure == best]
    return won if len(won) < len(figures) else []


def extra_metrics(game: jt.Game, rounds: Sequence[Json]) -> dict[str, float]:
    """Returns further metrics of a deal, as means over its rounds."""
    statistics = game.metric.extra_statistics
    return {name: sum(of(one) for one in rounds) / len(rounds) for name, of in statistics.items()}
