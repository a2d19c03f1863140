"""What was trained plays by its views: the same arrays and numbers as in an environment."""

from collections.abc import Iterable

import numpy as np

from jasstisch.env.pettingzoo.moves import Moves
from jasstisch.env.pettingzoo.seeing import Seeing
from jasstisch.env.pettingzoo.tables import Observed
from jasstisch.games.rules import Game, Json

__all__ = ["Sight"]


class Sight:
    """How a bot sees a table as the agents of an environment do.

    Args:
        game: the game it plays, with the options of the table.

    Raises:
        GameError: the game has no tricks.
    """

    def __init__(self, game: Game) -> None:
        self._seeing = Seeing(game)
        self._moves = Moves(game)

    def __call__(self, view: Json, legal: Iterable[str], *, melding: bool = False) -> Observed:
        """What the environment would show in this position.

        Args:
            view: the view of the seat to act.
            legal: what it may do, as `match.legal` has it.
            melding: whether it has chosen to announce Weis, and chooses the card now.
        """
        mask = bytearray(self._moves.mask_of(legal, melding=melding))
        seen = self._seeing.of_view(view, melding=melding)
        return {"observation": seen, "action_mask": np.frombuffer(mask, np.int8)}

    def action(self, number: int, *, melding: bool = False) -> str:
        """The text of the action with this number; with Weis where these were chosen before.

        Raises:
            GameError: no action has this number.
        """
        return self._moves.text(number, melding=melding)
