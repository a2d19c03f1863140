"""Which games have a judge of their own. A module of this package adds its games with `judges`.

A game without one is analysed all the same: of its actions is then said what came of them.
"""

from collections.abc import Callable, Iterable

from jasstisch.analysis.grounds import Ground, Judge
from jasstisch.bots import View

__all__ = ["JUDGES", "judge_of", "judges"]

JUDGES: dict[str, Judge] = {}
"""Who says what holds of the actions of each game, by its name."""


def judges(*games: str) -> Callable[[Judge], Judge]:
    """Makes the decorated function the judge of these games."""

    def add(judge: Judge) -> Judge:
        JUDGES.update(dict.fromkeys(games, judge))
        return judge

    return add


def judge_of(game: str) -> Judge:
    """The judge of a game; where there is none, one who knows nothing to say."""
    return JUDGES.get(game, silent)


def silent(_view: View, _action: str, _best: str) -> Iterable[Ground]:
    """Nothing is known to hold of any action."""
    return ()
