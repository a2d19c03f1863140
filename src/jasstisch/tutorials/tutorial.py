"""The parts of a tutorial: a fixed deal, the script of all seats, and the triggers of hints.

A tutorial names the packs of one round, so that every learner meets the same decisive situations,
and the scripted actions of all seats. Learners may deviate: then the script ends, and the triggers
fire as the round develops.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from jasstisch.i18n.templates import Values
from jasstisch.tutorials.match_step import MatchStep

LEARNER_SEAT = 0
"""The seat of the learner."""


@dataclass(frozen=True, slots=True)
class Trigger:
    """The condition of a hint, which is shown once.

    Attributes:
        id: the id of the text, `section.name`; the section is a game, or shared by several.
        evaluate: a function of the learner's step. It returns the values of the text's placeholders
            where the condition holds, else None. It uses only the learner's views.
        has_learner_text: whether the text `id_own` replaces it where the seat in it is the
            learner's.
    """

    id: str
    evaluate: Callable[[MatchStep], Values | None]
    has_learner_text: bool = False

    def text_id(self, values: Values) -> str:
        """The id of the text for these values."""
        return (
            f"{self.id}_own"
            if self.has_learner_text and values.get("seat") == LEARNER_SEAT
            else self.id
        )


@dataclass(frozen=True, slots=True)
class Tutorial:
    """The guided first round of one game.

    Attributes:
        game: name of the game.
        options: the options of the match that differ from their defaults.
        packs: the packs of the first round, in the order in which they are awaited.
        script: for each seat its actions, in order.
        triggers: the triggers of this game; of several at once the first is shown first.
    """

    game: str
    options: Mapping[str, Any]
    packs: tuple[str, ...]
    script: tuple[tuple[str, ...], ...]
    triggers: tuple[Trigger, ...]


def parse_scripted_actions(*seats: str) -> tuple[tuple[str, ...], ...]:
    """Parses the actions of each seat from a text with semicolons: `"bid 42; KD; 7H"`.

    A card alone means to play it.
    """
    return tuple(
        tuple(f"play {one}" if len(one) == 2 else one for one in text.split("; ")) for text in seats
    )
