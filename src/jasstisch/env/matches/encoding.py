"""The encoding of a game for environments: its actions and observations as numbers.

Games of tricks have one encoding, I Doubt It has another.
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

PendingAction = tuple[int, ...]
"""The numbers by which a seat has started an action of several numbers, such as Weis and a card."""


class ActionEncoder(Protocol):
    """The encoder of actions at a table; an action is one number, or several in order.

    Attributes:
        texts: all numbers, with their texts.
        count: numbers are below this one.
    """

    texts: dict[int, str]
    count: int

    def mask(self, rules: Any, seat: int, pending: PendingAction, /) -> bytes:  # noqa: ANN401 - of the game
        """A byte for each number, 1 if this seat may choose it now, from the rules."""

    def mask_from_view(self, view: Json, legal: Sequence[str], pending: PendingAction, /) -> bytes:
        """The same from the view of the seat and the legal actions of a match."""

    def decode(self, number: int, pending: PendingAction, /) -> str | None:
        """The action that this number completes; None if the number starts or continues an action.

        Raises:
            GameError: the number does not exist or does not continue this action.
        """

    def encode(self, action: str, /) -> Sequence[int]:
        """The numbers that complete an action, in order: the inverse of `decode`."""


class RoundHistory(Protocol):
    """The history of a round, updated with each action so that it need not be encoded anew."""

    def start_round(self, standing: Sequence[Json], /) -> None:
        """Starts a round with this standing."""

    def on_action(self, rules: Any, seat: int, done: str, /) -> None:  # noqa: ANN401 - of the game
        """Records an action of a seat, in its text form; the rules already include it."""

    def copy(self) -> "RoundHistory":
        """An independent copy of the history."""


class ObservationEncoder(Protocol):
    """The encoder of a seat's information as one array of numbers.

    Attributes:
        parts: the parts of an observation, in order.
        size: the total size.
    """

    parts: tuple[Part, ...]
    size: int

    def new_history(self) -> Any:  # noqa: ANN401 - each encoder has its own
        """The empty history of a round that is about to start."""

    def encode_from_rules(
        self,
        rules: Any,  # noqa: ANN401 - of the game
        seat: int,
        history: Any,  # noqa: ANN401 - each encoder has its own
        pending: PendingAction,
        /,
    ) -> NDArray[np.int32]:
        """The observation of a seat, from the rules and the history of the round."""

    def encode_from_view(self, view: Json, pending: PendingAction, /) -> NDArray[np.int32]:
        """The same from the seat's view."""


class GameEncoding(NamedTuple):
    """A game with its encoders."""

    game: Game
    action_encoder: ActionEncoder
    observation_encoder: ObservationEncoder


def encoding_for(game: Game) -> GameEncoding:
    """The encoding of a game.

    Raises:
        GameError: the game has no encoding or no metric, or too many announcements.
    """
    _ = game.metric  # rewards need it
    rules = game.rules(game)
    if isinstance(rules, TrickTaking):
        return GameEncoding(game, TrickActionEncoder(rules), TrickObservationEncoder(rules))
    if isinstance(rules, IDoubtIt):
        return GameEncoding(game, DoubtActionEncoder(), DoubtObservationEncoder(rules))
    raise GameError(f"{game.name} is not a game of tricks: its actions have no numbers")
