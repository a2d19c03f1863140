"""What may be said of announcing Weis, in any game that has them (JS7, SC3)."""

from collections.abc import Iterator

from jasstisch.analysis.grounds import Ground
from jasstisch.bots import View
from jasstisch.guides.guide import Values

__all__ = ["WEIS", "weis"]

WEIS = "weis"
"""The word behind a card with which Weis is announced."""


def weis(view: View, *, announced: bool) -> Iterator[Ground]:
    """A meld is announced, or kept back."""
    if not view["melds"]:
        return
    best = view["melds"][0]
    values: Values = {"cards": " ".join(best["cards"]), "points": best["points"]}
    yield Ground("weis", values) if announced else Ground("weis_kept", values, against=True)
