"""What a person is asked when it is his turn, and how his answer is read.

Which question it is depends on the actions that are open, not on the game: cards are chosen by the
numbers below them, and any other actions make a numbered menu, so that a further game can be played
at once. Whatever is not understood goes to the match as it was typed, which says what is wrong with
it.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence

from rich.console import RenderableType
from rich.text import Text

from jasstisch import rulebook
from jasstisch.bots import View
from jasstisch.cli.faces import Faces
from jasstisch.cli.hands import cards_by_rank, cards_in_hand, melds_line
from jasstisch.cli.views import answers_claims, may_drop, own_melds

__all__ = [
    "NUMBER",
    "Ask",
    "BidQuestion",
    "CardQuestion",
    "MenuQuestion",
    "Question",
    "card_played",
]

Ask = Callable[[str], str]
"""Asks a further question and returns what is typed."""

NUMBER = re.compile(r"[0-9]{1,4}")

WEIS = re.compile(r"(?:\s+|(?<=[0-9]))(?:weis|w)$")
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
        column = max(map(len, actions), default=0) + 2
        lines = []
        for number, action in enumerate(actions, start=first):
            meaning = told[action] if action in told else self.meaning(action)
            line = Text.assemble((f"{number:>2}  ", "dim"), (action.ljust(column), "bold"), meaning)
            line.rstrip()
            lines.append(line)
        return Text("\n").join(lines)

    def meaning(self, action: str) -> Text:
        """What is said of an action, or what it is called where that is something else."""
        words = rulebook.words(self.view["game"])
        said = words.note(action) or words.action(action) or ()
        meaning = Text().join(self.faces.piece(*piece) for piece in said)
        return Text() if meaning.plain.lower() == action.lower() else meaning

    def own_melds(self) -> Iterator[RenderableType]:
        """The Weis that may still be announced, in the best split (JS7)."""
        if melds := own_melds(self.view):
            yield melds_line("Your Weis", melds, self.faces, self.width)


class BidQuestion(Question):
    """How many points will you take (DF3)?"""

    prompt = "Your bid, 0-157 or ?: "
    help = (
        "Type how many points you are going to take in this round, from 0 to 157. The closer you "
        "come to your bid the better."
    )

    hint = "A bid is a whole number from 0 to 157, such as 42. Type ? for help."

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
        self.help = f"Type a number, or the word beside it: {' or '.join(self.listed)}."
        if len(legal) > len(self.listed):
            self.help = (
                f"Type a number, or the word beside it. There are {len(legal):,} actions, of which "
                f"the first are listed; any other is typed as it is, such as {legal[-1]}."
            )
        self.hint = self.help

    @property
    def prompt(self) -> str:
        """How many there are to choose from."""
        last = len(self.listed)
        return f"Your answer, {'1-' * (last > 1)}{last} or ?: "

    def above(self) -> Iterator[RenderableType]:
        """The hand, what in it matters for the answer, and the menu."""
        hand: list[str] = self.view["hand"]
        claim = self.view["claim"] if answers_claims(self.view) else None
        if claim:
            yield cards_by_rank(hand, self.faces, self.width, numbered=False)[1]
            count = sum(card[0] == claim["rank"] for card in hand)
            yield Text(f"\nYou hold {self.faces.several(claim['rank'], count)}.")
        else:
            yield cards_in_hand(hand, None, self.faces, self.width)
            for melds in self.own_melds():
                yield from (Text(), melds)
        yield Text()
        yield self.menu(self.listed, 1, {})

    def meant(self, typed: str) -> str:
        """A number of the menu, or the beginning of one of its words."""
        return chosen(typed, self.listed, 1) or typed


class CardQuestion(Question):
    """Which card, or what else that may be done before it?"""

    def __init__(self, view: View, legal: Sequence[str], faces: Faces, width: int) -> None:
        super().__init__(view, legal, faces, width)
        self.hand: list[str] = view["hand"]
        self.others = [action for action in legal if card_played(action) is None]
        card = faces.typed(self.hand[0])
        self.hint = f"Type a number below a card, a card such as {card}, or ? for help."
        self.help = (
            f"Type the number below a card, or the card itself, such as {card}. A card whose "
            f"number is in brackets may not be played now; type it to be told why."
        )
        if own_melds(view):
            self.help += f" Add weis, as in {card} weis, to announce your best meld with the card."

    @property
    def prompt(self) -> str:
        """How many cards and other actions there are."""
        last = len(self.hand) + len(self.others)
        return f"Your card, {'1-' * (last > 1)}{last} or ?: "

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
        return {"rob": Text.assemble("take ", card(turned), " from the table for your ", six)}

    def meant(self, typed: str) -> str:
        """A card by its number or name, with a Weis or without; or one of the other actions."""
        plain = WEIS.sub("", typed.lower())
        weis = " weis" if plain != typed.lower() else ""
        if NUMBER.fullmatch(plain) and 1 <= int(plain) <= len(self.hand):
            return f"play {self.hand[int(plain) - 1]}{weis}"
        card = self.faces.read(plain.removeprefix("play "))
        if card:
            return f"play {card}{weis}"
        return chosen(typed, self.others, len(self.hand) + 1) or typed

    def completed(self, action: str, ask: Ask) -> str | None:
        """Asks whether a Weis is announced, so that it cannot be forgotten (JS7)."""
        announced = f"{action} weis"
        if action not in self.legal or announced not in self.legal:
            return action
        melds = own_melds(self.view)
        of = f" of {melds[0]['points']}" if melds else ""
        question = f"Announce your Weis{of}? [Y/n] "
        while True:
            answer = ask(question).lower()
            question = f"Type y or n. Announce your Weis{of}? [Y/n] "
            if answer in {"", "y", "yes", "w", "weis", "1"}:
                return announced
            if answer in {"n", "no", "0", "2"}:
                return action


def card_played(action: str) -> str | None:
    """The card that an action plays, with a Weis or without; None where it does something else."""
    match action.split():
        case ["play", card] | ["play", card, "weis"]:
            return card
        case _:
            return None


def chosen(typed: str, actions: Sequence[str], first: int) -> str | None:
    """The action of a menu that begins with the number `first`; by number or beginning."""
    if NUMBER.fullmatch(typed):
        place = int(typed) - first
        return actions[place] if 0 <= place < len(actions) else None
    wanted = " ".join(typed.lower().split())
    begun = [action for action in actions if wanted and action.lower().startswith(wanted)]
    whole = [action for action in begun if action.lower() == wanted]
    return (whole or begun)[0] if whole or len(begun) == 1 else None
