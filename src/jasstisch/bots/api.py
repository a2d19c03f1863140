"""The protocol that every bot implements."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from random import Random

View = Mapping[str, Any]
"""The information available to a seat, as returned by `Match.view`."""


@runtime_checkable
class Bot(Protocol):
    """A computer player.

    A bot keeps no state between two calls: one object may play any number of seats and matches.

    A bot may also have these members:

    - `games`: the names of the games that it supports; without it, all of them.
    - `prepare(game)`: does in advance what would delay the first move in a game.
    - `without_clock()`: for a bot with a time limit, returns the same bot without one.
    - `measured_by()`: for a bot that does not run in the calling thread, a clock in seconds by
      which its moves are timed.
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
            rng: the only source of randomness the bot may use, so that equal seeds give equal
                games.

        Returns:
            One of `legal`.

        Raises:
            GameError: the bot does not support this game.
        """
        ...
