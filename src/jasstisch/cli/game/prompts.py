"""Prompts: what a person is asked on their turn, and how the input is parsed.

The kind of prompt depends on the legal actions, not on the game: cards are chosen by the numbers
below them, and all other actions make a numbered menu, so that a new game can be played at once.
Input that no prompt understands is passed to the match unchanged, which explains what is wrong.
"""

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from jasstisch.bots import View
from jasstisch.cli.ui.card_style import CardStyle
from jasstisch.cli.ui.hand_view import hand_by_rank, melds_line, numbered_hand
from jasstisch.cli.ui.view_features import announceable_melds, has_claims, has_drop_out

AskFollowUp = Callable[..., str]
"""Asks a further question and returns the input; `answers` are words that are not commands."""

LETTER_COMMANDS = ("l", "s", "r", "q")
"""The commands of one letter: last trick, slate, rules, quit."""

NUMBER_PATTERN = re.compile(r"[0-9]{1,4}")

_WEIS_SUFFIX = r"(?:\s+|(?<=[0-9]))(?:weis|w|{word})$"
"""What can follow a card to announce a Weis with it: `JC weis`, `3 w`, `3w`."""

_MAX_LINES = 20
"""The most actions that a menu lists one below the other; more stand in columns."""

_MAX_LISTED = 160
"""The most actions that a menu lists; the others can be typed."""


class Prompt(ABC):
    """A question to the person at the terminal.

    Args:
        view: the view of the person's seat.
        legal: the legal actions.
        card_style: the style of the cards.
        width: columns.
    """

    help: str
    """The possible answers, shown for `?`."""

    short_help: str
    """The same in one line, shown after input that was not understood."""

    def __init__(self, view: View, legal: Sequence[str], card_style: CardStyle, width: int) -> None:
        self.view = view
        self.legal = legal
        self.card_style = card_style
        self.say = card_style.translator
        self.width = width

    @property
    @abstractmethod
    def question(self) -> str:
        """The question in a few words."""

    @property
    def answers(self) -> Collection[str]:
        """The letters of commands that are answers to this question instead."""
        return ()

    @abstractmethod
    def render_choices(self) -> Iterator[RenderableType]:
        """Yields what is shown above the question: the hand and the choices."""

    @abstractmethod
    def parse(self, typed: str) -> str:
        """Returns the action that the input stands for, in the notation of the match."""

    def ask_follow_up(self, action: str, ask: AskFollowUp) -> str | None:
        """Completes an action that leaves something open; None to ask again."""
        return action

    def menu(self, actions: Sequence[str], first: int, meanings: Mapping[str, Text]) -> Text:
        """Returns a numbered list of actions with their meanings.

        Args:
            actions: the actions; their own words can be typed.
            first: the number of the first one.
            meanings: the meanings of some of them at this table.
        """
        called = [self.action_label(action) for action in actions]
        column = max(map(cell_len, called), default=0) + 2
        lines = []
        for number, (action, name) in enumerate(zip(actions, called, strict=True), start=first):
            meaning = meanings[action] if action in meanings else self.action_description(action)
            padded = name + " " * (column - cell_len(name))
            line = Text.assemble((f"{number:>2}  ", "dim"), (padded, "bold"), meaning)
            line.rstrip()
            lines.append(line)
        return Text("\n").join(lines)

    def menu_columns(self, actions: Sequence[str]) -> Text:
        """Returns a numbered list of many actions in columns, read downwards."""
        labels = [self.action_label(action) for action in actions]
        digits = len(str(len(labels)))
        column = digits + 2 + max(map(cell_len, labels)) + 3
        rows = -(-len(labels) // max(1, (self.width + 3) // column))
        lines = []
        for row in range(rows):
            line = Text()
            for place in range(row, len(labels), rows):
                padded = labels[place] + " " * (column - digits - 2 - cell_len(labels[place]))
                line.append(f"{place + 1:>{digits}}  ", "dim").append(padded, "bold")
            line.rstrip()
            lines.append(line)
        return Text("\n").join(lines)

    def action_label(self, action: str) -> str:
        """Returns what can be typed for an action."""
        return self.card_style.action_label(self.view["game"], action).plain

    def action_description(self, action: str) -> Text:
        """Returns the meaning of an action, or its name if that differs from its label."""
        words = self.say.game_texts(self.view["game"])
        said = words.action_note(action) or words.action_label(action) or ()
        meaning = Text().join(self.card_style.render_part(*piece) for piece in said)
        return Text() if meaning.plain.lower() == self.action_label(action).lower() else meaning

    def meld_lines(self) -> Iterator[RenderableType]:
        """Yields the Weis that can still be announced, in the best split (JS7)."""
        if melds := announceable_melds(self.view):
            yield melds_line(self.say.plain("ask.your_weis"), melds, self.card_style, self.width)


class BidPrompt(Prompt):
    """Asks for a bid in points (DF3)."""

    def __init__(self, view: View, legal: Sequence[str], card_style: CardStyle, width: int) -> None:
        super().__init__(view, legal, card_style, width)
        self.help = self.say.plain("ask.bid_help")
        self.short_help = self.say.plain("ask.bid_hint")

    @property
    def question(self) -> str:
        """The range of bids."""
        return self.say.plain("ask.bid")

    def render_choices(self) -> Iterator[RenderableType]:
        """Yields the hand, without numbers, which could be mistaken for bids."""
        yield numbered_hand(self.view["hand"], None, self.card_style, self.width)

    def parse(self, typed: str) -> str:
        """Parses a number as a bid."""
        card = self.card_style.parse_card(typed)
        return (
            f"bid {int(typed)}"
            if NUMBER_PATTERN.fullmatch(typed)
            else f"play {card}"
            if card
            else typed
        )


class MenuPrompt(Prompt):
    """Asks for one of a few actions that play no card."""

    def __init__(self, view: View, legal: Sequence[str], card_style: CardStyle, width: int) -> None:
        super().__init__(view, legal, card_style, width)
        self.listed, left_out = _split_menu(legal)
        self.help = self._help(left_out)
        self.short_help = self.help

    def _help(self, left_out: Sequence[str]) -> str:
        labels = [self.action_label(action) for action in self.listed]
        if left_out:
            count = f"{len(self.legal):,}".replace(",", self.say.plain("word.thousands"))
            last = self.action_label(left_out[-1])
            return self.say.plain("ask.menu_help_many", count=count, last=last)
        if len(labels) > _MAX_LINES:
            return self.say.plain("ask.menu_help_columns", word=labels[0])
        words = f" {self.say.plain('word.or')} ".join(labels)
        return self.say.plain("ask.menu_help", words=words)

    @property
    def question(self) -> str:
        """The number of choices."""
        last = len(self.listed)
        return self.say.plain("ask.answer", range=f"{'1-' * (last > 1)}{last}")

    def render_choices(self) -> Iterator[RenderableType]:
        """Yields the hand, what matters in it for the answer, and the menu."""
        hand: list[str] = self.view["hand"]
        claim = self.view["claim"] if has_claims(self.view) else None
        if claim:
            yield hand_by_rank(hand, self.card_style, self.width, numbered=False)[1]
            count = sum(card[0] == claim["rank"] for card in hand)
            held = self.card_style.count_text(claim["rank"], count)
            yield Text("\n").append_text(self.say("ask.hold", what=held))
        else:
            yield numbered_hand(hand, None, self.card_style, self.width)
            for melds in self.meld_lines():
                yield from (Text(), melds)
        yield Text()
        many = len(self.listed) > _MAX_LINES
        yield self.menu_columns(self.listed) if many else self.menu(self.listed, 1, {})

    def parse(self, typed: str) -> str:
        """Parses a number of the menu, or the prefix of a label."""
        return _match_menu_entry(typed, self.listed, 1, self.action_label) or typed


class CardPrompt(Prompt):
    """Asks for a card, or another action that may come before it."""

    def __init__(self, view: View, legal: Sequence[str], card_style: CardStyle, width: int) -> None:
        super().__init__(view, legal, card_style, width)
        self.hand: list[str] = view["hand"]
        self.others = [action for action in legal if played_card(action) is None]
        card = card_style.input_form(self.hand[0])
        self.short_help = self.say.plain("ask.card_hint", card=card)
        self.help = self.say.plain("ask.card_help", card=card)
        if announceable_melds(view):
            self.help += self.say.plain("ask.weis_help", card=card)

    @property
    def question(self) -> str:
        """The number of cards and of other actions."""
        last = len(self.hand) + len(self.others)
        return self.say.plain("ask.card", range=f"{'1-' * (last > 1)}{last}")

    def render_choices(self) -> Iterator[RenderableType]:
        """Yields the hand above its numbers, the Weis to announce, and the other actions."""
        playable = {card for card in map(played_card, self.legal) if card}
        yield numbered_hand(self.hand, playable, self.card_style, self.width)
        for melds in self.meld_lines():
            yield from (Text(), melds)
        if self.others:
            yield from (Text(), self.menu(self.others, len(self.hand) + 1, self.action_notes()))

    def action_notes(self) -> dict[str, Text]:
        """Returns what the other actions mean at this table."""
        if not has_drop_out(self.view) or not self.view["turned"]:
            return {}
        turned = self.view["turned"]
        card = self.card_style.card_text
        six = card(f"6{turned[1]}")
        return {"rob": self.say("ask.rob", card=card(turned), six=six)}

    def parse(self, typed: str) -> str:
        """Parses a card by number or name, with or without a Weis, or another action."""
        word = re.escape(self.say.plain("word.weis"))
        plain = re.sub(_WEIS_SUFFIX.format(word=word), "", typed.lower())
        weis = " weis" if plain != typed.lower() else ""
        if NUMBER_PATTERN.fullmatch(plain) and 1 <= int(plain) <= len(self.hand):
            return f"play {self.hand[int(plain) - 1]}{weis}"
        card = self.card_style.parse_card(plain.removeprefix("play "))
        if card:
            return f"play {card}{weis}"
        return _match_menu_entry(typed, self.others, len(self.hand) + 1, self.action_label) or typed

    def ask_follow_up(self, action: str, ask: AskFollowUp) -> str | None:
        """Asks what would be lost with the first card: robbing (JS5), and announcing Weis (JS7)."""
        answers = self.say.plain("word.yes_if_empty")
        if played_card(action) and action in self.legal and "rob" in self.legal:
            turned = self.view["turned"]
            card, six = (self.card_style.card_text(one).plain for one in (turned, f"6{turned[1]}"))
            rob = self.say.plain("ask.rob_first", card=card, six=six, answers=answers)
            if self._agrees(rob, ask, ("rob",)):
                return "rob"
        announced = f"{action} weis"
        if action not in self.legal or announced not in self.legal:
            return action
        melds = announceable_melds(self.view)
        question = self.say.plain(
            "ask.weis_of" if melds else "ask.weis",
            n=melds[0]["points"] if melds else 0,
            answers=answers,
        )
        words = ("w", "weis", self.say.plain("word.weis"))
        return announced if self._agrees(question, ask, words) else action

    def _agrees(self, usual: str, ask: AskFollowUp, words: Collection[str]) -> bool:
        """Asks a question until the answer is yes, one of these words, or no; Enter means yes."""
        yes, no = (self.say.accepted_answers(name) for name in ("yes", "no"))
        question = usual
        while True:
            answer = ask(question, answers=[*yes, *no]).lower()
            if answer in {"", *yes, *words, "1"}:
                return True
            if answer in {*no, "0", "2"}:
                return False
            question = self.say.plain("ask.yes_or_no", yes=yes[0], no=no[0]) + usual


def _split_menu(legal: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Splits the actions into those that a menu lists and those that can only be typed.

    Of too many actions the first are listed, and those that begin like no other, such as `pass`.
    """
    if len(legal) <= _MAX_LISTED:
        return legal, ()
    alike = Counter(action.partition(" ")[0] for action in legal)
    single = [action for action in legal if alike[action.partition(" ")[0]] == 1]
    others = [action for action in legal if alike[action.partition(" ")[0]] > 1]
    count = _MAX_LISTED - len(single)
    return [*others[:count], *single], others[count:]


def played_card(action: str) -> str | None:
    """Returns the card that an action plays, with or without a Weis; None if it plays none."""
    match action.split():
        case ["play", card] | ["play", card, "weis"]:
            return card
        case _:
            return None


def _match_menu_entry(
    typed: str, actions: Sequence[str], first: int, called: Callable[[str], str] = str
) -> str | None:
    """Returns the action of a menu that the input names, by number or prefix.

    Args:
        typed: the input.
        actions: the actions of the menu.
        first: the number of the first one.
        called: returns another label of an action.
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
