"""Encoding of views: lets a trained policy play as a bot, with the arrays of its environment."""

from collections.abc import Sequence

import numpy as np

from jasstisch.engine.errors import GameError
from jasstisch.env.matches.encoded_match import ObservationDict
from jasstisch.env.matches.encoding import PendingAction, encoding_for
from jasstisch.games.rules import Game, Json


class ViewEncoder:
    """Encodes a bot's view as the observation of an environment, and decodes its action.

    Args:
        game: the game it plays, with the options of the table.

    Raises:
        GameError: the game has no encoding.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        _, self._actions, self._observations = encoding_for(game)

    def __call__(
        self, view: Json, legal: Sequence[str], pending: PendingAction = ()
    ) -> ObservationDict:
        """The observation of the environment in this position.

        Args:
            view: the view of the seat to act.
            legal: its legal actions, from `match.legal`.
            pending: the numbers by which it has started an action, such as Weis or the cards of a
                claim.

        Raises:
            GameError: the view is of another game, or of a table of another size.
        """
        players = len(view["hand_sizes"])
        if view["game"] != self._game.name or players != self._game.players:
            raise GameError(
                f"this encoder is for {self._game.name} of {self._game.players} players, not for "
                f"{view['game']} of {players}"
            )
        mask = bytearray(self._actions.mask_from_view(view, legal, pending))
        seen = self._observations.encode_from_view(view, pending)
        return {"observation": seen, "action_mask": np.frombuffer(mask, np.int8)}

    def decode(self, number: int, pending: PendingAction = ()) -> str | None:
        """The text of the action that this number completes; None if the action continues.

        Args:
            number: the chosen number.
            pending: the numbers chosen before for the same action.

        Raises:
            GameError: the number does not exist or does not continue this action.
        """
        return self._actions.decode(number, pending)
