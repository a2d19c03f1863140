"""The tutorial in the terminal: its texts and suggestions.

The texts are those of the page, with the cards in the style of the terminal.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.text import Text

import jasstisch as jt
from jasstisch.cli.ui.card_style import CardStyle
from jasstisch.cli.ui.contract_view import contract_label, has_contracts
from jasstisch.cli.ui.player_names import PlayerNames
from jasstisch.i18n.templates import Segment, load_tutorial_texts, render
from jasstisch.tutorials import LEARNER_SEAT, TutorialSession


@dataclass
class TutorialNarrator:
    """Shows the texts of a tutorial while the first round is played.

    Attributes:
        session: the tutorial session.
        player_names: the players.
        card_style: the style of the cards.
    """

    session: TutorialSession
    player_names: PlayerNames
    card_style: CardStyle

    def advance(self, match: jt.Match) -> None:
        """Passes the last step of the match to the session."""
        actor, action = match.record()["log"][-1]
        seen = match.view(LEARNER_SEAT), match.legal(LEARNER_SEAT)
        if actor == "pack":
            self.session = self.session.after_pack(*seen)
        else:
            self.session = self.session.after_action(actor, action, *seen)

    def instruction_lines(self) -> Iterator[Text]:
        """Yields the current text, on a line of its own."""
        hint = self.session.message
        if hint is not None:
            say = self.player_names.translator
            parts = render(load_tutorial_texts(say.language)[hint.id], hint.values)
            yield Text.assemble((say.plain("coach.says"), "bold cyan"), self._render(parts))
        if self.session.over:
            yield self.player_names.translator("coach.after")

    def suggestion_lines(self, legal: Sequence[str]) -> Iterator[Text]:
        """Yields the suggested action on the learner's turn."""
        action = self.session.suggestion(legal)
        if action is not None:
            tip = self.player_names.translator.plain("coach.tip")
            yield Text.assemble((tip, "bold cyan"), self._action_text(action))

    def _action_text(self, action: str) -> Text:
        verb, *words = action.split()
        match verb:
            case "play":
                return Text(" ").join([self.card_style.card_text(words[0]), *map(Text, words[1:])])
            case "bid":
                return Text(words[0])
            case "lay":
                *cards, _, rank = words
                laid = Text(" ").join([self.card_style.card_text(card) for card in cards])
                ranks = self.card_style.rank_plural(rank)
                return laid.append_text(self.player_names.translator("coach.claimed", ranks=ranks))
            case _ if has_contracts(self.session.tutorial.game):
                return contract_label(self.session.tutorial.game, action, self.card_style)
            case _:
                return self.card_style.action_label(self.session.tutorial.game, action)

    def _render(self, parts: Iterator[Segment]) -> Text:
        result = Text()
        for kind, text in parts:
            result.append_text(self._render_part(kind, text, first=not result))
        return result

    def _render_part(self, kind: str, text: str, *, first: bool) -> Text:
        if kind != "seat":
            return self.card_style.render_part(kind, text)
        seat = int(text)
        within = seat in self.player_names.you and not first
        return Text(
            self.player_names.translator.plain("word.you_within")
            if within
            else self.player_names[seat]
        )
