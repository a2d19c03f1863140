"""The coach of a guided round at the terminal: what it says, and what it would do.

The texts are those of the web client; cards stand in them as they are printed everywhere here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.text import Text

import jasstisch as jt
from jasstisch.cli.contracts import called, contracted
from jasstisch.cli.faces import Faces
from jasstisch.cli.seats import Seats
from jasstisch.cli.words import action_called
from jasstisch.guides import LEARNER, Lesson
from jasstisch.guides.texts import Piece, pieces, texts

__all__ = ["Coach"]


@dataclass
class Coach:
    """Speaks while the first round is played.

    Attributes:
        lesson: the guided round.
        seats: the players.
        faces: the deck.
    """

    lesson: Lesson
    seats: Seats
    faces: Faces

    def follow(self, match: jt.Match) -> None:
        """Takes the last step of the match into the lesson."""
        actor, action = match.record()["log"][-1]
        seen = match.view(LEARNER), match.legal(LEARNER)
        if actor == "pack":
            self.lesson = self.lesson.after_pack(*seen)
        else:
            self.lesson = self.lesson.after_action(actor, action, *seen)

    def says(self) -> Iterator[Text]:
        """What there is to say now, in a line of its own."""
        hint = self.lesson.hint
        if hint is not None:
            say = self.seats.speech
            parts = pieces(texts(say.language)[hint.id], hint.values)
            yield Text.assemble((say.plain("coach.says"), "bold cyan"), self._written(parts))
        if self.lesson.over:
            yield self.seats.speech("coach.after")

    def advises(self, legal: Sequence[str]) -> Iterator[Text]:
        """What the coach would do, when it is the learner's turn."""
        action = self.lesson.suggestion(legal)
        if action is not None:
            tip = self.seats.speech.plain("coach.tip")
            yield Text.assemble((tip, "bold cyan"), self._action(action))

    def _action(self, action: str) -> Text:
        verb, *words = action.split()
        match verb:
            case "play":
                return Text(" ").join([self.faces.card(words[0]), *map(Text, words[1:])])
            case "bid":
                return Text(words[0])
            case "lay":
                *cards, _, rank = words
                laid = Text(" ").join([self.faces.card(card) for card in cards])
                ranks = self.faces.plural(rank)
                return laid.append_text(self.seats.speech("coach.claimed", ranks=ranks))
            case _ if contracted(self.lesson.guide.game):
                return called(self.lesson.guide.game, action, self.faces)
            case _:
                return action_called(self.lesson.guide.game, action, self.faces)

    def _written(self, parts: Iterator[Piece]) -> Text:
        result = Text()
        for kind, text in parts:
            result.append_text(self._piece(kind, text, first=not result))
        return result

    def _piece(self, kind: str, text: str, *, first: bool) -> Text:
        if kind != "seat":
            return self.faces.piece(kind, text)
        seat = int(text)
        within = seat in self.seats.you and not first
        return Text(self.seats.speech.plain("word.you_within") if within else self.seats[seat])
