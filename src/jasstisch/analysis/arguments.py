"""What may be said of an action, for it or against it; the games say what holds of theirs."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import MappingProxyType

from jasstisch.bots import View
from jasstisch.i18n.templates import Values

__all__ = ["NO_VALUES", "ActionExplainer", "Argument"]

NO_VALUES: Values = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Argument:
    """Something that holds of an action.

    Attributes:
        id: one of `REASONS`.
        values: what stands in the gaps of its text.
        against: whether it speaks against the action.
        always: whether it is worth saying even where others are nearly as good or bad: of two bids
            side by side both are too high.
    """

    id: str
    values: Values = field(default_factory=lambda: NO_VALUES)
    against: bool = False
    always: bool = False


ActionExplainer = Callable[[View, str, str], Iterable[Argument]]
"""Says what holds of an action, as the seat of the view can see it, the most telling first; the
third argument is the action that has turned out best."""
