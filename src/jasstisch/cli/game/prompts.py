"""What a person is asked when it is his turn, and how his answer is read.

Which question it is depends on the actions that are open, not on the game: cards are chosen by the
numbers below them, and any other actions make a numbered menu, so that a further game can be played
at once. Whatever is not understood goes to the match as it was typed, which says what is wrong with
it.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from jasstisch.bots import View
from jasstisch.cli.ui.action_labels import action_label
from jasstisch.cli.ui.card_style import CardStyle
from jasstisch.cli.ui.hand_view import hand_by_rank, melds_line, numbered_hand
from jasstisch.cli.ui.view_types import announceable_melds, has_claims, has_drop_out

__all__ = [
    "NUMBER_PATTERN",
    "AskFollowUp",
    "BidPrompt",
    "CardPrompt",
    "MenuPrompt",
    "Prompt",
    "played_card",
]

AskFollowUp = Callable[..., str]
"""Asks a further question and returns what is typed; `answers` are words that are no commands."""

NUMBER_PATTERN = re.compile(r"[0-9]{1,4}")

WEIS_SUFFIX = r"(?:\s+|(?<=[0-9]))(?:weis|w|{word})$"
"""What is added to a card to announce a Weis with it: `JC weis`, `3 w`, `3w`."""

MAX_LISTED = 40
"""How many actions a menu lists; of more, the others are chosen by typing them."""


class Prompt(ABC):
    """One question to the person at the terminal.

    Args:
        view: what the person may know.
        legal: the actions open to him.
        faces: the deck.
        width: columns there are.
    """

    help: str
    """What may be answered, for who asks with `?`."""

    hint: str
    """The same in a line, for who typed what means nothing."""

    def __init__(self, view: View, legal: Sequence[str], faces: CardStyle, width: int) -> None:
        self.view = view
        self.legal = legal
        self.faces = faces
        self.say = faces.translator
        self.width = width

    @property
    @abstractmethod
    def prompt(self) -> str:
        """What is asked, in a few words."""

    @abstractmethod
    def header(self) -> Iterator[RenderableType]:
        """What is shown above the question: the hand, and what there is to choose from."""

    @abstractmethod
    def parse(self, typed: str) -> str:
        """The action that somebody means who types this, in the words of the match."""

    def complete(self, action: str, ask: AskFollowUp) -> str | None:
        """The whole action, where an answer leaves something open; None to ask anew."""
        return action

    def menu(self, actions: Sequence[str], first: int, told: Mapping[str, Text]) -> Text:
        """Actions below one another with their numbers and what they mean.

        Args:
            actions: what may be done; their own words are what may be typed.
            first: the number of the first of them.
            told: what some of them mean at this table.
        """
        called = [self.label(action) for action in actions]
        column = max(map(cell_len, called), default=0) + 2
        lines = []
        for number, (action, name) in enumerate(zip(actions, called, strict=True), start=first):
            meaning = told[action] if action in told else self.description(action)
            padded = name + " " * (column - cell_len(name))
            line = Text.assemble((f"{number:>2}  ", "dim"), (padded, "bold"), meaning)
            line.rstrip()
            lines.append(line)
        return Text("\n").join(lines)

    def label(self, action: str) -> str:
        """What may be typed for an action."""
        return action_label(self.view["game"], action, self.faces).plain

    def description(self, action: str) -> Text:
        """What is said of an action, or what it is called where that is something else."""
        words = self.say.game_texts(self.view["game"])
        said = words.action_note(action) or words.action_label(action) or ()
        meaning = Text().join(self.faces.render_part(*piece) for piece in said)
        return Text() if meaning.plain.lower() == self.label(action).lower() else meaning

    def meld_lines(self) -> Iterator[RenderableType]:
        """The Weis that may still be announced, in the best split (JS7)."""
        if melds := announceable_melds(self.view):
            yield melds_line(self.say.plain("ask.your_weis"), melds, self.faces, self.width)


class BidPrompt(Prompt):
    """How many points will you take (DF3)?"""

    def __init__(self, view: View, legal: Sequence[str], faces: CardStyle, width: int) -> None:
        super().__init__(view, legal, faces, width)
        self.help = self.say.plain("ask.bid_help")
        self.hint = self.say.plain("ask.bid_hint")

    @property
    def prompt(self) -> str:
        """Between what and what a bid lies."""
        return self.say.plain("ask.bid")

    def header(self) -> Iterator[RenderableType]:
        """The hand, without numbers, which would be taken for bids."""
        yield numbered_hand(self.view["hand"], None, self.faces, self.width)

    def parse(self, typed: str) -> str:
        """A number is a bid."""
        card = self.faces.parse_card(typed)
        return (
            f"bid {int(typed)}"
            if NUMBER_PATTERN.fullmatch(typed)
            else f"play {card}"
            if card
            else typed
        )


class MenuPrompt(Prompt):
    """Which of a few actions without cards?"""

    def __init__(self, view: View, legal: Sequence[str], faces: CardStyle, width: int) -> None:
        super().__init__(view, legal, faces, width)
        self.listed = legal[:MAX_LISTED]
        either = f" {self.say.plain('word.or')} "
        words = either.join(map(self.label, self.listed))
        self.help = self.say.plain("ask.menu_help", words=words)
        if len(legal) > len(self.listed):
            count = f"{len(legal):,}".replace(",", self.say.plain("word.thousands"))
            last = self.label(legal[-1])
            self.help = self.say.plain("ask.menu_help_many", count=count, last=last)
        self.hint = self.help

    @property
    def prompt(self) -> str:
        """How many there are to choose from."""
        last = len(self.listed)
        return self.say.plain("ask.answer", range=f"{'1-' * (last > 1)}{last}")

    def header(self) -> Iterator[RenderableType]:
        """The hand, what in it matters for the answer, and the menu."""
        hand: list[str] = self.view["hand"]
        claim = self.view["claim"] if has_claims(self.view) else None
        if claim:
            yield hand_by_rank(hand, self.faces, self.width, numbered=False)[1]
            count = sum(card[0] == claim["rank"] for card in hand)
            held = self.faces.count_text(claim["rank"], count)
            yield Text("\n").append_text(self.say("ask.hold", what=held))
        else:
            yield numbered_hand(hand, None, self.faces, self.width)
            for melds in self.meld_lines():
                yield from (Text(), melds)
        yield Text()
        yield self.menu(self.listed, 1, {})

    def parse(self, typed: str) -> str:
        """A number of the menu, or the beginning of one of its words."""
        return match_menu_entry(typed, self.listed, 1, self.label) or typed


class CardPrompt(Prompt):
    """Which card, or what else that may be done before it?"""

    def __init__(self, view: View, legal: Sequence[str], faces: CardStyle, width: int) -> None:
        super().__init__(view, legal, faces, width)
        self.hand: list[str] = view["hand"]
        self.others = [action for action in legal if played_card(action) is None]
        card = faces.input_form(self.hand[0])
        self.hint = self.say.plain("ask.card_hint", card=card)
        self.help = self.say.plain("ask.card_help", card=card)
        if announceable_melds(view):
            self.help += self.say.plain("ask.weis_help", card=card)

    @property
    def prompt(self) -> str:
        """How many cards and other actions there are."""
        last = len(self.hand) + len(self.others)
        return self.say.plain("ask.card", range=f"{'1-' * (last > 1)}{last}")

    def header(self) -> Iterator[RenderableType]:
        """The hand over its numbers, Weis to announce, and what else may be done."""
        playable = {card for card in map(played_card, self.legal) if card}
        yield numbered_hand(self.hand, playable, self.faces, self.width)
        for melds in self.meld_lines():
            yield from (Text(), melds)
        if self.others:
            yield from (Text(), self.menu(self.others, len(self.hand) + 1, self.action_notes()))

    def action_notes(self) -> dict[str, Text]:
        """What the other actions mean at this table."""
        if not has_drop_out(self.view) or not self.view["turned"]:
            return {}
        turned = self.view["turned"]
        card = self.faces.card
        six = card(f"6{turned[1]}")
        return {"rob": self.say("ask.rob", card=card(turned), six=six)}

    def parse(self, typed: str) -> str:
        """A card by its number or name, with a Weis or without; or one of the other actions."""
        word = re.escape(self.say.plain("word.weis"))
        plain = re.sub(WEIS_SUFFIX.format(word=word), "", typed.lower())
        weis = " weis" if plain != typed.lower() else ""
        if NUMBER_PATTERN.fullmatch(plain) and 1 <= int(plain) <= len(self.hand):
            return f"play {self.hand[int(plain) - 1]}{weis}"
        card = self.faces.parse_card(plain.removeprefix("play "))
        if card:
            return f"play {card}{weis}"
        return match_menu_entry(typed, self.others, len(self.hand) + 1, self.label) or typed

    def complete(self, action: str, ask: AskFollowUp) -> str | None:
        """Asks whether a Weis is announced, so that it cannot be forgotten (JS7)."""
        announced = f"{action} weis"
        if action not in self.legal or announced not in self.legal:
            return action
        melds = announceable_melds(self.view)
        yes, no = (self.say.accepted_answers(name) for name in ("yes", "no"))
        question = usual = self.say.plain(
            "ask.weis_of" if melds else "ask.weis",
            n=melds[0]["points"] if melds else 0,
            answers=self.say.plain("word.yes_if_empty"),
        )
        while True:
            answer = ask(question, answers=[*yes, *no]).lower()
            question = self.say.plain("ask.yes_or_no", yes=yes[0], no=no[0]) + usual
            if answer in {"", *yes, "w", "weis", self.say.plain("word.weis"), "1"}:
                return announced
            if answer in {*no, "0", "2"}:
                return action


def played_card(action: str) -> str | None:
    """The card that an action plays, with a Weis or without; None where it does something else."""
    match action.split():
        case ["play", card] | ["play", card, "weis"]:
            return card
        case _:
            return None


def match_menu_entry(
    typed: str, actions: Sequence[str], first: int, called: Callable[[str], str] = str
) -> str | None:
    """The action of a menu that begins with the number `first`; by number or beginning.

    Args:
        typed: what was typed.
        actions: those of the menu.
        first: the number of the first of them.
        called: what else may be typed for an action.
    """
    if NUMBER_PATTERN.fullmatch(typed):
        place = int(typed) - first
        return actions[place] if 0 <= place < len(actions) else None
    wanted = " ".join(typed.lower().split())
    names = {action: (action.lower(), called(action).lower()) for action in actions}
    begun = [
        action
        for action, spelt in names.items()
        if wanted and any(name.startswith(wanted) for name in spelt)
    ]
    whole = [action for action in begun if wanted in names[action]]
    return (whole or begun)[0] if whole or len(begun) == 1 else None
