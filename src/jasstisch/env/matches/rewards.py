"""The rewards of a finished round: the same as those of a batch."""

from collections.abc import Sequence

from jasstisch.engine import slate
from jasstisch.games.rules import Game, Json
from jasstisch.games.scoring_kinds import BY_DIFFERENCE, BY_STROKES
from jasstisch.games.trick_taking import TrickTaking

__all__ = ["round_rewards"]


def round_rewards(game: Game, finished: Json) -> Sequence[int]:
    """The reward of each seat for a round; more is better (docs/batch-environment.md)."""
    scoring = game.rules.scoring_kind if issubclass(game.rules, TrickTaking) else None
    marks: list[str] = finished["marks"]
    if scoring == BY_DIFFERENCE:
        # The metric is the difference; the addition to the total may include the bonus of a hit
        # (DF8).
        return [-int(mark) for mark in marks]
    if scoring == BY_STROKES:
        # A null cancels the next stroke (JS9), and the metric counts only strokes.
        return [mark.count(slate.TALLY) - mark.count(slate.SACK) for mark in marks]
    figure = game.metric
    return [own if figure.higher_is_better else -own for own in figure.of_round(finished)]
