"""Arguments about announcing Weis, in all games that have it (JS7, SC3)."""

from collections.abc import Iterator

from jasstisch.analysis.arguments import Argument
from jasstisch.bots import View
from jasstisch.i18n.templates import Values

__all__ = ["WEIS_WORD", "weis_arguments"]

WEIS_WORD = "weis"
"""The word after a card that announces Weis."""


def weis_arguments(view: View, *, announced: bool) -> Iterator[Argument]:
    """Yields that a meld is announced or kept back."""
    if not view["melds"]:
        return
    best = view["melds"][0]
    values: Values = {"cards": " ".join(best["cards"]), "points": best["points"]}
    yield Argument("weis", values) if announced else Argument("weis_kept", values, against=True)
