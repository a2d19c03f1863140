"""The prompt for a contract: a line of the slate, or a push.

The person chooses a line by its number on the slate, which stays the same while others are ticked
off, or by a short word: a suit, `t` for tops, `p` to push. A joker is a line with many variants;
the person is asked for one, or types it at once: `7 h`.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from jasstisch.bots import View
from jasstisch.cli.game.prompts import LETTER_COMMANDS, AskFollowUp, Prompt
from jasstisch.cli.ui.card_style import CardStyle, normalize_input
from jasstisch.cli.ui.contract_view import contract_choices, contract_label
from jasstisch.cli.ui.hand_view import numbered_hand
from jasstisch.cli.ui.text_tables import borderless_table
from jasstisch.cli.ui.translator import ENGLISH
from jasstisch.engine.cards import SUITS
from jasstisch.games.contracts import PUSH, SlateLine, contract_text

_MAX_LISTED_VARIANTS = 2
"""The most variants of a line to list in the menu; of more, one is asked for."""

_VARIANT_PATTERN = re.compile(r"([a-z]*)\s*([0-9]{1,2})\s*(.*)")
"""A line with variants and one of them: `7 h`, `7h`, `j7 h`, `joker 7 trump h`."""


class AnnouncePrompt(Prompt):
    """Asks which contract is played."""

    def __init__(self, view: View, legal: Sequence[str], card_style: CardStyle, width: int) -> None:
        super().__init__(view, legal, card_style, width)
        self.lines = contract_choices(view)
        self.many = [line for line in self.lines if len(line.announcements) > _MAX_LISTED_VARIANTS]
        self.rows = list(self.numbered_rows())
        self.help = self.short_help = self.input_hint()

    def input_hint(self) -> str:
        """Returns what can be typed, in a sentence or two."""
        faces, say = self.card_style, self.say
        if not set(self.legal) - {PUSH}:
            return say.plain("announce.all_played", push=say.plain("announce.push"))
        suit = "h" if faces.has_suit_letters else faces.suit_names["H"]
        accepted = [say.plain("announce.a_suit", suit=suit)]
        for name, short in (("for_tops", "tops"), ("for_bottoms", "bottoms"), ("to_push", PUSH)):
            if short != PUSH or PUSH in self.legal:
                accepted.append(say.plain(f"announce.{name}", word=say.plain(f"announce.{short}")))
        hint = say.plain("announce.hint", words=", ".join(accepted))
        for line in self.many[:1]:
            name = contract_label(self.view["game"], line.text, faces).plain.split()[0]
            name = name if say.language == "de" else name.lower()  # German capitalises nouns
            hint += say.plain("announce.way", name=name, example=f"{line.factor} {suit}")
        return hint

    def numbered_rows(self) -> Iterator[tuple[int, str, SlateLine | None]]:
        """The rows of the menu: number, action or line with variants, and its line."""
        number = 0
        for line in self.lines:
            ways = (
                line.announcements
                if len(line.announcements) <= _MAX_LISTED_VARIANTS
                else (line.text,)
            )
            for way in ways:
                number += 1
                if line.announcements[0] in self.legal:
                    yield number, way, line
        if PUSH in self.legal:
            yield number + 1, PUSH, None

    @property
    def question(self) -> str:
        """What can be typed."""
        first, last = self.rows[0][0], self.rows[-1][0]
        return self.say.plain("ask.answer", range=f"{f'{first}-' * (first != last)}{last}")

    @property
    def answers(self) -> Collection[str]:
        """The letters that name a contract here, such as that of spades."""
        return [letter for letter in LETTER_COMMANDS if self.match_entry(letter) is not None]

    def render_choices(self) -> Iterator[RenderableType]:
        """Yields the hand, and the open lines with their factors."""
        yield numbered_hand(self.view["hand"], None, self.card_style, self.width)
        yield Text()
        yield self.menu_rows()

    def menu_rows(self) -> Table:
        """Returns the rows of the menu; a text common to several rows appears once."""
        table = borderless_table("", "", "", "")
        table.show_header = False
        table.columns[0].justify = "right"
        before = Text()
        for number, action, line in self.rows:
            way = action if line is None or action in line.announcements else line.announcements[0]
            note = self.action_description(way)
            name = contract_label(self.view["game"], action, self.card_style)
            hidden = line is None or self.is_unweighted or "×" in name.plain
            factor = "" if line is None or hidden else f"×{line.factor}"
            again = note.plain == before.plain
            table.add_row(Text(f"{number:>2}", "dim"), name, factor, "" if again else note)
            before = note
        return table

    @property
    def is_unweighted(self) -> bool:
        """Whether all factors are 1 at this table."""
        return all(line.factor == 1 for line in self.lines)

    # Input.

    def parse(self, typed: str) -> str:
        """Parses a number of the menu, a short word, or a joker with its variant."""
        return self.match_entry(typed) or typed

    def match_entry(self, typed: str) -> str | None:
        """Returns the action or line that matches the input; None if there is none."""
        phrase = " ".join(typed.lower().split())
        for number, action, _ in self.rows:
            if phrase in {
                str(number),
                contract_label(self.view["game"], action, self.card_style).plain.lower(),
            }:
                return action
        for line in self.many:
            way = _VARIANT_PATTERN.fullmatch(phrase)
            if way and line.text.startswith(way[1]) and way[2] == str(line.factor):
                return self.match_variant(way[3], line.announcements) if way[3] else line.text
        few = [one for line in self.lines if line not in self.many for one in line.announcements]
        return self.match_variant(phrase, [*few, PUSH])

    def match_variant(self, phrase: str, actions: Sequence[str]) -> str | None:
        """Returns the one action that matches these words or their prefixes."""
        texts = {contract_text(action): action for action in actions}
        exact = {f"trump {suit}": suit for suit in SUITS}
        for text, action in texts.items():
            if phrase == text.lower() or phrase == exact.get(text, "").lower() != "":
                return action
        begun = [action for text, action in texts.items() if self.is_abbreviation(phrase, text)]
        if begun or self.say == ENGLISH:
            return begun[0] if len(begun) == 1 else None
        return self.match_by_name(phrase, texts)

    def match_by_name(self, phrase: str, texts: Mapping[str, str]) -> str | None:
        """Returns the action whose localized name matches these prefixes, the shortest first."""
        game = self.view["game"]
        names = {
            action: contract_label(game, text, self.card_style)
            .plain.lower()
            .replace(",", "")
            .split()
            for text, action in texts.items()
        }
        meant = [
            action for action, name in names.items() if _matches_prefixes(phrase.split(), name)
        ]
        least = min((len(names[action]) for action in meant), default=0)
        shortest = [action for action in meant if len(names[action]) == least]
        return shortest[0] if len(shortest) == 1 else None

    def is_abbreviation(self, phrase: str, text: str) -> bool:
        """Returns whether words abbreviate a contract: `bo`, `sl t`, `roses`."""
        if text.startswith("trump "):
            spellings = set(map(normalize_input, self.card_style.suit_spellings(text[-1])))
            trump = self.say.plain("table.trump", suit="").strip().lower()
            suit = [word for word in phrase.split() if word not in {"trump", trump}]
            return normalize_input(" ".join(suit)) in spellings
        typed, whole = phrase.split(), text.split()
        return 0 < len(typed) <= len(whole) and all(
            full.startswith(part) for part, full in zip(typed, whole, strict=False)
        )

    def ask_follow_up(self, action: str, ask: AskFollowUp) -> str | None:
        """Asks for the variant of a joker that was chosen without one."""
        line = next((one for one in self.many if one.text == action), None)
        if line is None or line.announcements[0] not in self.legal:
            return action
        name = contract_label(self.view["game"], action, self.card_style).plain
        suits = [one for one in LETTER_COMMANDS if self.match_variant(one, line.announcements)]
        while True:
            typed = ask(self.say.plain("announce.which", name=name), answers=suits)
            if not typed:
                return None
            if way := self.match_variant(" ".join(typed.lower().split()), line.announcements):
                return way


def _matches_prefixes(typed: Sequence[str], name: Sequence[str]) -> bool:
    """Returns whether the input consists of prefixes of words of a name, in the same order."""
    left = iter(name)
    return bool(typed) and all(any(word.startswith(part) for word in left) for part in typed)
