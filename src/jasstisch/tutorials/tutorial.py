"""What a guided round is made of: a fixed deal, its main line, and the moments worth a word.

A guide names the packs of one round, so that every learner meets the same decisive moments, and the
actions of all seats in the line it suggests. It forces nobody: who plays otherwise leaves the line,
and from then on the moments come as they come.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from jasstisch.i18n.templates import Values
from jasstisch.tutorials.step import Step

__all__ = ["LEARNER_SEAT", "Trigger", "Tutorial", "parse_script"]

LEARNER_SEAT = 0
"""The seat of whoever learns."""


@dataclass(frozen=True, slots=True)
class Trigger:
    """A moment that is worth a word, once.

    Attributes:
        id: names the text, `section.name`; the section is the game, or what games share.
        tell: whether the moment has come, as the learner sees it: the values of the text's gaps,
            or None. It gets the learner's views and nothing else.
        own: whether another text, `id_own`, stands in where the seat spoken of is the learner's.
    """

    id: str
    evaluate: Callable[[Step], Values | None]
    has_own_text: bool = False

    def text_id(self, values: Values) -> str:
        """The id of the text that says this moment."""
        return (
            f"{self.id}_own"
            if self.has_own_text and values.get("seat") == LEARNER_SEAT
            else self.id
        )


@dataclass(frozen=True, slots=True)
class Tutorial:
    """The guided first round of one game.

    Attributes:
        game: name of the game.
        options: what the match is played with; what is left out has its default.
        packs: the packs of the first round, in the order in which they are awaited.
        line: for each seat its actions in the main line, in order.
        moments: what is worth a word in this game; of several at once the first is told first.
    """

    game: str
    options: Mapping[str, Any]
    packs: tuple[str, ...]
    script: tuple[tuple[str, ...], ...]
    triggers: tuple[Trigger, ...]


def parse_script(*seats: str) -> tuple[tuple[str, ...], ...]:
    """The actions of each seat from a text that separates them by semicolons.

    A card alone is played: `"bid 42; KD; 7H"`.
    """
    return tuple(
        tuple(f"play {one}" if len(one) == 2 else one for one in text.split("; ")) for text in seats
    )
