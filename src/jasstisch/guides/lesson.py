"""A guided round under way: what is to be said now, what is dealt, and what the line plays next.

A lesson is a fold, like the match: a value that each pack, action and "read on" turns into the next
one. So it can be made again from the log of a table, and looking back needs no undoing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random
from types import MappingProxyType

from jasstisch.bots import bot
from jasstisch.guides.guide import LEARNER, Guide, Values
from jasstisch.guides.prompts import prompt
from jasstisch.guides.scene import Scene, View

__all__ = ["Hint", "Lesson"]

PROMPT = "prompt."
"""How the texts are named that only tell what to do next."""

ADVISER = "greedy"
"""The computer player that advises who has left the main line."""


@dataclass(frozen=True, slots=True)
class Hint:
    """Something said to the learner.

    Attributes:
        id: names the text.
        values: what stands in its gaps.
    """

    id: str
    values: Values = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Lesson:
    """The state of a guided round.

    Attributes:
        guide: what is taught.
        view: what the learner saw last.
        my_turn: whether he may act.
        said: the moments that have come.
        hints: what is to be read, the first one now.
        dealt: how many packs have been given.
        done: how many actions each seat has done.
        on_line: everybody has so far done what the line says.
    """

    guide: Guide
    view: View | None = None
    my_turn: bool = False
    said: tuple[str, ...] = ()
    hints: tuple[Hint, ...] = ()
    dealt: int = 0
    done: tuple[int, ...] = ()
    on_line: bool = True

    @classmethod
    def of(cls, guide: Guide) -> "Lesson":
        """A lesson before its first pack."""
        return cls(guide, done=(0,) * len(guide.line))

    # What there is.

    @property
    def hint(self) -> Hint | None:
        """What is said now."""
        return self.hints[0] if self.hints else None

    @property
    def over(self) -> bool:
        """Whether the guided round has been played."""
        return self.view is not None and bool(self.view["rounds"])

    @property
    def waits(self) -> bool:
        """Whether nothing goes on before the learner has read what is said."""
        if self.over:
            return False
        return len(self.hints) > 1 or (bool(self.hints) and not self.my_turn)

    @property
    def pack(self) -> str | None:
        """The next pack of the round; None once all of them are given."""
        return self.guide.packs[self.dealt] if self.dealt < len(self.guide.packs) else None

    def scripted(self, seat: int, legal: Sequence[str]) -> str | None:
        """What the line has this seat do next; None when it has been left.

        Args:
            seat: whose action.
            legal: what it may do now.
        """
        action = self._next(seat)
        return action if action is not None and action in legal else None

    def _next(self, seat: int) -> str | None:
        actions = self.guide.line[seat][self.done[seat] :]
        return actions[0] if self.on_line and actions else None

    def suggestion(self, legal: Sequence[str]) -> str | None:
        """What the learner might do, when it is his turn and all has been read."""
        if not self.my_turn or self.view is None or self.waits:
            return None
        return self.tip(self.view, legal)

    def tip(self, view: View, legal: Sequence[str]) -> str:
        """What the coach would do in the learner's place: the line, or what the computer advises.

        Args:
            view: the learner's view.
            legal: what he may do now, at least one action.
        """
        scripted = self.scripted(LEARNER, legal)
        if scripted is not None:
            return scripted
        return bot(ADVISER).act(view, legal, Random(0))  # noqa: S311 - advice is repeatable

    # What happens.

    def after_pack(self, view: View, legal: Sequence[str]) -> "Lesson":
        """The lesson after a pack."""
        return _seen(replace(self, dealt=self.dealt + 1), view, legal)

    def after_action(self, seat: int, action: str, view: View, legal: Sequence[str]) -> "Lesson":
        """The lesson after an action, given in its printed form.

        Args:
            seat: who acted.
            action: what he did.
            view: the learner's view now.
            legal: what the learner may do now.
        """
        planned = self._next(seat)
        # In which order cards are laid changes nothing that the line is about.
        on_line = planned is not None and sorted(action.split()) == sorted(planned.split())
        done = tuple(count + (other == seat) for other, count in enumerate(self.done))
        hints = () if seat == LEARNER else self.hints
        return _seen(replace(self, on_line=on_line, done=done, hints=hints), view, legal)

    def read_on(self) -> "Lesson":
        """The lesson once the learner has read what is said."""
        return replace(self, hints=self.hints[1:])


def _seen(lesson: Lesson, view: View, legal: Sequence[str]) -> Lesson:
    """The lesson with what there is to say about a new view."""
    scene = Scene(lesson.view, view, legal, lesson.tip(view, legal) if legal else None)
    news: list[Hint] = []
    told: list[str] = []
    for moment in lesson.guide.moments:
        values = None if moment.id in lesson.said else moment.tell(scene)
        if values is not None:
            news.append(Hint(moment.text(values), values))
            told.append(moment.id)
    if scene.ended is not None:  # only the score matters now
        news = news[-1:]
    # What to do next goes without saying as soon as there is something to tell.
    kept = [hint for hint in lesson.hints if not (news and hint.id.startswith(PROMPT))]
    hints = (*kept, *news)
    if not hints and scene.my_turn:
        hints = (Hint(PROMPT + prompt(scene)),)
    said = (*lesson.said, *told)
    return replace(lesson, view=view, my_turn=scene.my_turn, said=said, hints=hints)
