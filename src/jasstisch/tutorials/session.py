"""A tutorial in progress: the current hint, the next pack and the next scripted actions.

A session is a fold, like the match: an immutable value that each pack, action and acknowledgement
turns into the next one. So it can be rebuilt from the log of a table.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random
from types import MappingProxyType

from jasstisch.bots import bot
from jasstisch.i18n.templates import Values
from jasstisch.tutorials.match_step import MatchStep, View
from jasstisch.tutorials.prompts import prompt_name
from jasstisch.tutorials.tutorial import LEARNER_SEAT, Tutorial

_PROMPT_PREFIX = "prompt."
"""The prefix of the ids of prompts, see `prompts`."""

_ADVISER_BOT = "greedy"
"""The bot that suggests actions to a learner who has left the script."""


@dataclass(frozen=True, slots=True)
class TutorialMessage:
    """A message to the learner.

    Attributes:
        id: the id of the text.
        values: the values of its placeholders.
    """

    id: str
    values: Values = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class TutorialSession:
    """The state of a tutorial in progress.

    Attributes:
        tutorial: the tutorial.
        view: the learner's last view.
        my_turn: whether the learner may act.
        fired_triggers: the triggers that have fired.
        messages: the messages still to be read; the first is shown now.
        packs_dealt: the number of packs given.
        action_counts: the number of actions of each seat.
        is_on_script: whether all seats have followed the script so far.
    """

    tutorial: Tutorial
    view: View | None = None
    my_turn: bool = False
    fired_triggers: tuple[str, ...] = ()
    messages: tuple[TutorialMessage, ...] = ()
    packs_dealt: int = 0
    action_counts: tuple[int, ...] = ()
    is_on_script: bool = True

    @classmethod
    def start(cls, guide: Tutorial) -> "TutorialSession":
        """The session before its first pack."""
        return cls(guide, action_counts=(0,) * len(guide.script))

    # The present state.

    @property
    def message(self) -> TutorialMessage | None:
        """The message shown now."""
        return self.messages[0] if self.messages else None

    @property
    def over(self) -> bool:
        """Whether the round of the tutorial is over."""
        return self.view is not None and bool(self.view["rounds"])

    @property
    def is_paused(self) -> bool:
        """Whether the table waits until the learner has read the message."""
        if self.over:
            return False
        return len(self.messages) > 1 or (bool(self.messages) and not self.my_turn)

    @property
    def next_pack(self) -> str | None:
        """The next pack of the round; None once all packs are given."""
        return (
            self.tutorial.packs[self.packs_dealt]
            if self.packs_dealt < len(self.tutorial.packs)
            else None
        )

    def scripted_action(self, seat: int, legal: Sequence[str]) -> str | None:
        """The scripted next action of a seat; None when the script has been left.

        Args:
            seat: the seat to act.
            legal: its legal actions.
        """
        action = self._next_scripted(seat)
        return action if action is not None and action in legal else None

    def _next_scripted(self, seat: int) -> str | None:
        actions = self.tutorial.script[seat][self.action_counts[seat] :]
        return actions[0] if self.is_on_script and actions else None

    def suggestion(self, legal: Sequence[str]) -> str | None:
        """The action suggested to the learner, on their turn and when all messages are read."""
        if not self.my_turn or self.view is None or self.is_paused:
            return None
        return self.suggest(self.view, legal)

    def suggest(self, view: View, legal: Sequence[str]) -> str:
        """The suggested action for the learner: the scripted one, or that of the adviser bot.

        Args:
            view: the learner's view.
            legal: the learner's legal actions, at least one.
        """
        scripted = self.scripted_action(LEARNER_SEAT, legal)
        if scripted is not None:
            return scripted
        return bot(_ADVISER_BOT).act(view, legal, Random(0))  # noqa: S311 - advice is repeatable

    # Transitions.

    def after_pack(self, view: View, legal: Sequence[str]) -> "TutorialSession":
        """The session after a pack."""
        return _with_view(replace(self, packs_dealt=self.packs_dealt + 1), view, legal)

    def after_action(
        self, seat: int, action: str, view: View, legal: Sequence[str]
    ) -> "TutorialSession":
        """The session after an action, given in its canonical text.

        Args:
            seat: the seat that acted.
            action: its action.
            view: the learner's view now.
            legal: the learner's legal actions now.
        """
        planned = self._next_scripted(seat)
        # The order in which cards are laid does not matter to the script.
        on_line = planned is not None and sorted(action.split()) == sorted(planned.split())
        done = tuple(count + (other == seat) for other, count in enumerate(self.action_counts))
        hints = () if seat == LEARNER_SEAT else self.messages
        after = replace(self, is_on_script=on_line, action_counts=done, messages=hints)
        return _with_view(after, view, legal)

    def acknowledge(self) -> "TutorialSession":
        """The session after the learner has read the message."""
        return replace(self, messages=self.messages[1:])


def _with_view(lesson: TutorialSession, view: View, legal: Sequence[str]) -> TutorialSession:
    """The session with the messages that a new view triggers."""
    scene = MatchStep(lesson.view, view, legal, lesson.suggest(view, legal) if legal else None)
    news: list[TutorialMessage] = []
    newly_fired: list[str] = []
    for moment in lesson.tutorial.triggers:
        values = None if moment.id in lesson.fired_triggers else moment.evaluate(scene)
        if values is not None:
            news.append(TutorialMessage(moment.text_id(values), values))
            newly_fired.append(moment.id)
    if scene.finished_round is not None:  # only the score matters now
        news = news[-1:]
    # A prompt is only needed where no other message is shown.
    kept = [hint for hint in lesson.messages if not (news and hint.id.startswith(_PROMPT_PREFIX))]
    hints = (*kept, *news)
    if not hints and scene.my_turn:
        hints = (TutorialMessage(_PROMPT_PREFIX + prompt_name(scene)),)
    said = (*lesson.fired_triggers, *newly_fired)
    return replace(lesson, view=view, my_turn=scene.my_turn, fired_triggers=said, messages=hints)
