"""What a bot is: the protocol that every bot implements."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from random import Random

__all__ = ["Bot", "View"]

View = Mapping[str, Any]
"""What a seat may know, as `Match.view` gives it."""


@runtime_checkable
class Bot(Protocol):
    """A computer player.

    A bot keeps nothing between two calls: one object may play any number of seats and matches. It
    may also have `games`, the names of the games that it knows, all of them where it has none;
    `prepare(game)`, which does at leisure what would hold up its first move in a game; if a clock
    limits its time, `without_clock()`, which gives the same bot without a clock; and if it does not
    think in the thread that asks it, `measured_by()`, a clock in seconds for its moves.
    """

    @property
    def name(self) -> str:
        """The name by which the bot is looked up."""
        ...

    def act(self, view: View, legal: Sequence[str], rng: "Random") -> str:
        """Chooses an action.

        Args:
            view: `match.view(seat)` of a seat that may act; the bot does not change it.
            legal: `match.legal(seat)`, never empty.
            rng: the only chance the bot may use, so that equal seeds give equal games.

        Returns:
            One of `legal`.

        Raises:
            GameError: the bot does not know this game.
        """
        ...
