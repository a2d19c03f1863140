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
from jasstisch.cli.faces import Faces
from jasstisch.cli.hands import cards_by_rank, cards_in_hand, melds_line
from jasstisch.cli.views import answers_claims, may_drop, own_melds
from jasstisch.cli.words import action_called

__all__ = [
    "NUMBER",
    "Ask",
    "BidQuestion",
    "CardQuestion",
    "MenuQuestion",
    "Question",
    "card_played",
]

Ask = Callable[..., str]
"""Asks a further question and returns what is typed; `answers` are words that are no commands."""

NUMBER = re.compile(r"[0-9]{1,4}")

WEIS = r"(?:\s+|(?<=[0-9]))(?:weis|w|{word})$"
"""What is added to a card to announce a Weis with it: `JC weis`, `3 w`, `3w`."""

MOST_LISTED = 40
"""How many actions a menu lists; of more, the others are chosen by typing them."""


class Question(ABC):
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

    def __init__(self, view: View, legal: Sequence[str], faces: Faces, width: int) -> None:
        self.view = view
        self.legal = legal
        self.faces = faces
        self.say = faces.speech
        self.width = width

    @property
    @abstractmethod
    def prompt(self) -> str:
        """What is asked, in a few words."""

    @abstractmethod
    def above(self) -> Iterator[RenderableType]:
        """What is shown above the question: the hand, and what there is to choose from."""

    @abstractmethod
    def meant(self, typed: str) -> str:
        """The action that somebody means who types this, in the words of the match."""

    def completed(self, action: str, ask: Ask) -> str | None:
        """The whole action, where an answer leaves something open; None to ask anew."""
        return action

    def menu(self, actions: Sequence[str], first: int, told: Mapping[str, Text]) -> Text:
        """Actions below one another with their numbers and what they mean.

        Args:
            actions: what may be done; their own words are what may be typed.
            first: the number of the first of them.
            told: what some of them mean at this table.
        """
        called = [self.called(action) for action in actions]
        column = max(map(cell_len, called), default=0) + 2
        lines = []
        for number, (action, name) in enumerate(zip(actions, called, strict=True), start=first):
            meaning = told[action] if action in told else self.meaning(action)
            padded = name + " " * (column - cell_len(name))
            line = Text.assemble((f"{number:>2}  ", "dim"), (padded, "bold"), meaning)
            line.rstrip()
            lines.append(line)
        return Text("\n").join(lines)

    def called(self, action: str) -> str:
        """What may be typed for an action."""
        return action_called(self.view["game"], action, self.faces).plain

    def meaning(self, action: str) -> Text:
        """What is said of an action, or what it is called where that is something else."""
        words = self.say.words(self.view["game"])
        said = words.note(action) or words.action(action) or ()
        meaning = Text().join(self.faces.piece(*piece) for piece in said)
        return Text() if meaning.plain.lower() == self.called(action).lower() else meaning

    def own_melds(self) -> Iterator[RenderableType]:
        """The Weis that may still be announced, in the best split (JS7)."""
        if melds := own_melds(self.view):
            yield melds_line(self.say.plain("ask.your_weis"), melds, self.faces, self.width)


class BidQuestion(Question):
    """How many points will you take (DF3)?"""

    def __init__(self, view: View, legal: Sequence[str], faces: Faces, width: int) -> None:
        super().__init__(view, legal, faces, width)
        self.help = self.say.plain("ask.bid_help")
        self.hint = self.say.plain("ask.bid_hint")

    @property
    def prompt(self) -> str:
        """Between what and what a bid lies."""
        return self.say.plain("ask.bid")

    def above(self) -> Iterator[RenderableType]:
        """The hand, without numbers, which would be taken for bids."""
        yield cards_in_hand(self.view["hand"], None, self.faces, self.width)

    def meant(self, typed: str) -> str:
        """A number is a bid."""
        card = self.faces.read(typed)
        return f"bid {int(typed)}" if NUMBER.fullmatch(typed) else f"play {card}" if card else typed


class MenuQuestion(Question):
    """Which of a few actions without cards?"""

    def __init__(self, view: View, legal: Sequence[str], faces: Faces, width: int) -> None:
        super().__init__(view, legal, faces, width)
        self.listed = legal[:MOST_LISTED]
        either = f" {self.say.plain('word.or')} "
        words = either.join(map(self.called, self.listed))
        self.help = self.say.plain("ask.menu_help", words=words)
        if len(legal) > len(self.listed):
            count = f"{len(legal):,}".replace(",", self.say.plain("word.thousands"))
            last = self.called(legal[-1])
            self.help = self.say.plain("ask.menu_help_many", count=count, last=last)
        self.hint = self.help

    @property
    def prompt(self) -> str:
        """How many there are to choose from."""
        last = len(self.listed)
        return self.say.plain("ask.answer", range=f"{'1-' * (last > 1)}{last}")

    def above(self) -> Iterator[RenderableType]:
        """The hand, what in it matters for the answer, and the menu."""
        hand: list[str] = self.view["hand"]
        claim = self.view["claim"] if answers_claims(self.view) else None
        if claim:
            yield cards_by_rank(hand, self.faces, self.width, numbered=False)[1]
            count = sum(card[0] == claim["rank"] for card in hand)
            held = self.faces.several(claim["rank"], count)
            yield Text("\n").append_text(self.say("ask.hold", what=held))
        else:
            yield cards_in_hand(hand, None, self.faces, self.width)
            for melds in self.own_melds():
                yield from (Text(), melds)
        yield Text()
        yield self.menu(self.listed, 1, {})

    def meant(self, typed: str) -> str:
        """A number of the menu, or the beginning of one of its words."""
        return chosen(typed, self.listed, 1, self.called) or typed


class CardQuestion(Question):
    """Which card, or what else that may be done before it?"""

    def __init__(self, view: View, legal: Sequence[str], faces: Faces, width: int) -> None:
        super().__init__(view, legal, faces, width)
        self.hand: list[str] = view["hand"]
        self.others = [action for action in legal if card_played(action) is None]
        card = faces.typed(self.hand[0])
        self.hint = self.say.plain("ask.card_hint", card=card)
        self.help = self.say.plain("ask.card_help", card=card)
        if own_melds(view):
            self.help += self.say.plain("ask.weis_help", card=card)

    @property
    def prompt(self) -> str:
        """How many cards and other actions there are."""
        last = len(self.hand) + len(self.others)
        return self.say.plain("ask.card", range=f"{'1-' * (last > 1)}{last}")

    def above(self) -> Iterator[RenderableType]:
        """The hand over its numbers, Weis to announce, and what else may be done."""
        playable = {card for card in map(card_played, self.legal) if card}
        yield cards_in_hand(self.hand, playable, self.faces, self.width)
        for melds in self.own_melds():
            yield from (Text(), melds)
        if self.others:
            yield from (Text(), self.menu(self.others, len(self.hand) + 1, self.told()))

    def told(self) -> dict[str, Text]:
        """What the other actions mean at this table."""
        if not may_drop(self.view) or not self.view["turned"]:
            return {}
        turned = self.view["turned"]
        card = self.faces.card
        six = card(f"6{turned[1]}")
        return {"rob": self.say("ask.rob", card=card(turned), six=six)}

    def meant(self, typed: str) -> str:
        """A card by its number or name, with a Weis or without; or one of the other actions."""
        word = re.escape(self.say.plain("word.weis"))
        plain = re.sub(WEIS.format(word=word), "", typed.lower())
        weis = " weis" if plain != typed.lower() else ""
        if NUMBER.fullmatch(plain) and 1 <= int(plain) <= len(self.hand):
            return f"play {self.hand[int(plain) - 1]}{weis}"
        card = self.faces.read(plain.removeprefix("play "))
        if card:
            return f"play {card}{weis}"
        return chosen(typed, self.others, len(self.hand) + 1, self.called) or typed

    def completed(self, action: str, ask: Ask) -> str | None:
        """Asks whether a Weis is announced, so that it cannot be forgotten (JS7)."""
        announced = f"{action} weis"
        if action not in self.legal or announced not in self.legal:
            return action
        melds = own_melds(self.view)
        yes, no = (self.say.answers(name) for name in ("yes", "no"))
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


def card_played(action: str) -> str | None:
    """The card that an action plays, with a Weis or without; None where it does something else."""
    match action.split():
        case ["play", card] | ["play", card, "weis"]:
            return card
        case _:
            return None


def chosen(
    typed: str, actions: Sequence[str], first: int, called: Callable[[str], str] = str
) -> str | None:
    """The action of a menu that begins with the number `first`; by number or beginning.

    Args:
        typed: what was typed.
        actions: those of the menu.
        first: the number of the first of them.
        called: what else may be typed for an action.
    """
    if NUMBER.fullmatch(typed):
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
