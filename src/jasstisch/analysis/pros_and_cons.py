"""Arguments for and against an action; each game says which of them hold.

Those about Weis are the same in all games that have it.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from types import MappingProxyType

from jasstisch.bots import View
from jasstisch.i18n.templates import Values

NO_VALUES: Values = MappingProxyType({})

WEIS_WORD = "weis"
"""The word after a card that announces Weis."""


@dataclass(frozen=True, slots=True)
class Argument:
    """A statement about an action that holds.

    Attributes:
        id: one of `REASONS`.
        placeholder_values: the values of the placeholders of its text.
        is_against: whether it is an argument against the action.
        is_absolute: whether it is worth saying even if others are nearly as good or bad: two
            neighbouring bids can both be too high.
    """

    id: str
    placeholder_values: Values = field(default_factory=lambda: NO_VALUES)
    is_against: bool = False
    is_absolute: bool = False


ActionExplainer = Callable[[View, str, str], Iterable[Argument]]
"""Yields the arguments about an action, from the view of its seat, the most specific first.

The third parameter is the action that has turned out best.
"""


def weis_arguments(view: View, *, announced: bool) -> Iterator[Argument]:
    """Yields that a meld is announced or kept back (JS7, SC3)."""
    if not view["melds"]:
        return
    best = view["melds"][0]
    values: Values = {"cards": " ".join(best["cards"]), "points": best["points"]}
    yield Argument("weis", values) if announced else Argument("weis_kept", values, is_against=True)
