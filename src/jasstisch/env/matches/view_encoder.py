"""What was trained plays by its views: the same arrays and numbers as in an environment."""

from collections.abc import Sequence

import numpy as np

from jasstisch.engine.errors import GameError
from jasstisch.env.matches.encoded_match import ObservationDict
from jasstisch.env.matches.encoding import PendingAction, encoding_for
from jasstisch.games.rules import Game, Json

__all__ = ["ViewEncoder"]


class ViewEncoder:
    """How a bot sees a table as the agents of an environment do.

    Args:
        game: the game it plays, with the options of the table.

    Raises:
        GameError: its actions have no numbers.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        _, self._actions, self._observations = encoding_for(game)

    def __call__(
        self, view: Json, legal: Sequence[str], begun: PendingAction = ()
    ) -> ObservationDict:
        """What the environment would show in this position.

        Args:
            view: the view of the seat to act.
            legal: what it may do, as `match.legal` has it.
            begun: the numbers by which it has begun an action, such as Weis or the cards of a
                claim.

        Raises:
            GameError: the view is of another game, or of a table of another size.
        """
        players = len(view["hand_sizes"])
        if view["game"] != self._game.name or players != self._game.players:
            raise GameError(
                f"this sight is for {self._game.name} of {self._game.players} players, not for "
                f"{view['game']} of {players}"
            )
        mask = bytearray(self._actions.mask_from_view(view, legal, begun))
        seen = self._observations.from_view(view, begun)
        return {"observation": seen, "action_mask": np.frombuffer(mask, np.int8)}

    def decode(self, number: int, begun: PendingAction = ()) -> str | None:
        """The text of the action that ends with this number; None where it goes on.

        Args:
            number: what was chosen.
            begun: the numbers chosen before it for the same action.

        Raises:
            GameError: there is no such number, or it is none by which this action goes on.
        """
        return self._actions.decode(number, begun)
