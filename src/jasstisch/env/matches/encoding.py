"""What an environment asks of a kind of game: its actions and what is seen of it, by numbers.

Games of tricks are one kind, I Doubt It is another.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from jasstisch.engine.errors import GameError
from jasstisch.env.matches.i_doubt_it import DoubtActionEncoder, DoubtObservationEncoder
from jasstisch.env.matches.observation_parts import Part
from jasstisch.env.matches.trick_actions import TrickActionEncoder
from jasstisch.env.matches.trick_observations import TrickObservationEncoder
from jasstisch.games.i_doubt_it import IDoubtIt
from jasstisch.games.rules import Game, Json
from jasstisch.games.trick_taking import TrickTaking

__all__ = [
    "ActionEncoder",
    "GameEncoding",
    "ObservationEncoder",
    "PendingAction",
    "RoundHistory",
    "encoding_for",
]

PendingAction = tuple[int, ...]
"""The numbers by which a seat has begun an action of several, such as Weis and a card."""


class ActionEncoder(Protocol):
    """What may be done at a table, by numbers; an action is one of them or several in order.

    Attributes:
        texts: every number there is, with what it says.
        count: numbers are below this one.
    """

    texts: dict[int, str]
    count: int

    def mask(self, rules: Any, seat: int, begun: PendingAction, /) -> bytes:  # noqa: ANN401 - of the game
        """A byte for each number, 1 where this seat may say it now, from the rules."""

    def mask_from_view(self, view: Json, legal: Sequence[str], begun: PendingAction, /) -> bytes:
        """The same from the view of the seat and from what a match calls legal."""

    def decode(self, number: int, begun: PendingAction, /) -> str | None:
        """The action that ends with this number; None where it only begins one or goes on with it.

        Raises:
            GameError: there is no such number, or it is none by which this action goes on.
        """


class RoundHistory(Protocol):
    """How a round has gone, kept as it goes on so that it need not be told anew each time."""

    def start_round(self, standing: Sequence[Json], /) -> None:
        """A round begins, with this standing."""

    def on_action(self, rules: Any, seat: int, done: str, /) -> None:  # noqa: ANN401 - of the game
        """A seat has done this, in the printed form, and the rules stand behind it."""

    def copy(self) -> "RoundHistory":
        """The story so far, once more: each goes on by itself."""


class ObservationEncoder(Protocol):
    """What a seat may know, as one array of numbers.

    Attributes:
        parts: what an observation holds, in order.
        size: how many numbers that are.
    """

    parts: tuple[Part, ...]
    size: int

    def new_history(self) -> Any:  # noqa: ANN401 - each kind tells its own
        """How a round has gone that is about to begin."""

    def from_rules(
        self,
        rules: Any,  # noqa: ANN401 - of the game
        seat: int,
        story: Any,  # noqa: ANN401 - each kind tells its own
        begun: PendingAction,
        /,
    ) -> NDArray[np.int32]:
        """What a seat may know, from the rules and from how the round has gone."""

    def from_view(self, view: Json, begun: PendingAction, /) -> NDArray[np.int32]:
        """The same from its view."""


class GameEncoding(NamedTuple):
    """A game as environments play it."""

    game: Game
    actions: ActionEncoder
    observations: ObservationEncoder


def encoding_for(game: Game) -> GameEncoding:
    """How environments play a game.

    Raises:
        GameError: its actions have no numbers, or it has too many announcements.
    """
    rules = game.rules(game)
    if isinstance(rules, TrickTaking):
        return GameEncoding(game, TrickActionEncoder(rules), TrickObservationEncoder(rules))
    if isinstance(rules, IDoubtIt):
        return GameEncoding(game, DoubtActionEncoder(), DoubtObservationEncoder(rules))
    raise GameError(f"{game.name} has no tricks, and its actions no numbers")
