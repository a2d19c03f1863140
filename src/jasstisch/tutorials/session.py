"""A guided round under way: what is to be said now, what is dealt, and what the line plays next.

A lesson is a fold, like the match: a value that each pack, action and "read on" turns into the next
one. So it can be made again from the log of a table, and looking back needs no undoing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random
from types import MappingProxyType

from jasstisch.bots import bot
from jasstisch.i18n.templates import Values
from jasstisch.tutorials.prompts import prompt_name
from jasstisch.tutorials.step import Step, View
from jasstisch.tutorials.tutorial import LEARNER_SEAT, Tutorial

__all__ = ["TutorialMessage", "TutorialSession"]

PROMPT_PREFIX = "prompt."
"""How the texts are named that only tell what to do next."""

ADVISER_BOT = "greedy"
"""The computer player that advises who has left the main line."""


@dataclass(frozen=True, slots=True)
class TutorialMessage:
    """Something said to the learner.

    Attributes:
        id: names the text.
        values: what stands in its gaps.
    """

    id: str
    values: Values = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class TutorialSession:
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

    tutorial: Tutorial
    view: View | None = None
    my_turn: bool = False
    fired: tuple[str, ...] = ()
    messages: tuple[TutorialMessage, ...] = ()
    packs_dealt: int = 0
    actions_done: tuple[int, ...] = ()
    on_script: bool = True

    @classmethod
    def start(cls, guide: Tutorial) -> "TutorialSession":
        """A lesson before its first pack."""
        return cls(guide, actions_done=(0,) * len(guide.script))

    # What there is.

    @property
    def message(self) -> TutorialMessage | None:
        """What is said now."""
        return self.messages[0] if self.messages else None

    @property
    def over(self) -> bool:
        """Whether the guided round has been played."""
        return self.view is not None and bool(self.view["rounds"])

    @property
    def is_paused(self) -> bool:
        """Whether nothing goes on before the learner has read what is said."""
        if self.over:
            return False
        return len(self.messages) > 1 or (bool(self.messages) and not self.my_turn)

    @property
    def next_pack(self) -> str | None:
        """The next pack of the round; None once all of them are given."""
        return (
            self.tutorial.packs[self.packs_dealt]
            if self.packs_dealt < len(self.tutorial.packs)
            else None
        )

    def scripted_action(self, seat: int, legal: Sequence[str]) -> str | None:
        """What the line has this seat do next; None when it has been left.

        Args:
            seat: whose action.
            legal: what it may do now.
        """
        action = self._next_scripted(seat)
        return action if action is not None and action in legal else None

    def _next_scripted(self, seat: int) -> str | None:
        actions = self.tutorial.script[seat][self.actions_done[seat] :]
        return actions[0] if self.on_script and actions else None

    def suggestion(self, legal: Sequence[str]) -> str | None:
        """What the learner might do, when it is his turn and all has been read."""
        if not self.my_turn or self.view is None or self.is_paused:
            return None
        return self.suggest(self.view, legal)

    def suggest(self, view: View, legal: Sequence[str]) -> str:
        """What the coach would do in the learner's place: the line, or what the computer advises.

        Args:
            view: the learner's view.
            legal: what he may do now, at least one action.
        """
        scripted = self.scripted_action(LEARNER_SEAT, legal)
        if scripted is not None:
            return scripted
        return bot(ADVISER_BOT).act(view, legal, Random(0))  # noqa: S311 - advice is repeatable

    # What happens.

    def after_pack(self, view: View, legal: Sequence[str]) -> "TutorialSession":
        """The lesson after a pack."""
        return _with_view(replace(self, packs_dealt=self.packs_dealt + 1), view, legal)

    def after_action(
        self, seat: int, action: str, view: View, legal: Sequence[str]
    ) -> "TutorialSession":
        """The lesson after an action, given in its printed form.

        Args:
            seat: who acted.
            action: what he did.
            view: the learner's view now.
            legal: what the learner may do now.
        """
        planned = self._next_scripted(seat)
        # In which order cards are laid changes nothing that the line is about.
        on_line = planned is not None and sorted(action.split()) == sorted(planned.split())
        done = tuple(count + (other == seat) for other, count in enumerate(self.actions_done))
        hints = () if seat == LEARNER_SEAT else self.messages
        after = replace(self, on_script=on_line, actions_done=done, messages=hints)
        return _with_view(after, view, legal)

    def acknowledge(self) -> "TutorialSession":
        """The lesson once the learner has read what is said."""
        return replace(self, messages=self.messages[1:])


def _with_view(lesson: TutorialSession, view: View, legal: Sequence[str]) -> TutorialSession:
    """The lesson with what there is to say about a new view."""
    scene = Step(lesson.view, view, legal, lesson.suggest(view, legal) if legal else None)
    news: list[TutorialMessage] = []
    told: list[str] = []
    for moment in lesson.tutorial.triggers:
        values = None if moment.id in lesson.fired else moment.evaluate(scene)
        if values is not None:
            news.append(TutorialMessage(moment.text_id(values), values))
            told.append(moment.id)
    if scene.finished_round is not None:  # only the score matters now
        news = news[-1:]
    # What to do next goes without saying as soon as there is something to tell.
    kept = [hint for hint in lesson.messages if not (news and hint.id.startswith(PROMPT_PREFIX))]
    hints = (*kept, *news)
    if not hints and scene.my_turn:
        hints = (TutorialMessage(PROMPT_PREFIX + prompt_name(scene)),)
    said = (*lesson.fired, *told)
    return replace(lesson, view=view, my_turn=scene.my_turn, fired=said, messages=hints)
