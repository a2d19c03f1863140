"""The prompt for a claim: cards laid face down, true or false (ID2).

There are tens of thousands of ways to lay three cards and name a rank. The person chooses one of a
few suggestions by its letter, or names the cards by number and is asked for the rank, or types
everything.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import RenderableType
from rich.text import Text

from jasstisch.bots import View
from jasstisch.cli.game.prompts import NUMBER_PATTERN, AskFollowUp, Prompt
from jasstisch.cli.ui.card_style import RANKS, CardStyle
from jasstisch.cli.ui.hand_view import card_row, hand_by_rank
from jasstisch.cli.ui.translator import Translator

_CHOICE_LETTERS = "abcdefg"
_CARDS_PER_CLAIM = 3
"""Cards of a claim; fewer only if they are the last ones (ID5)."""

_PROPOSALS_PER_KIND = 2
"""The most suggestions of one kind."""

_CLAIM_PATTERN = r"(.*\S)(?:\s+(?:as|{word})\s+|\s*=\s*)(\S+)"
"""Cards and the claimed rank: `1 4 6 as J`; the last `as` counts, because `AS` is a card."""


@dataclass(frozen=True)
class Claim:
    """Cards to lay and the rank to claim.

    Attributes:
        cards: the cards, in the order of the action.
        rank: the claimed rank.
    """

    cards: tuple[str, ...]
    rank: str

    @property
    def action(self) -> str:
        """The text of the action."""
        return f"lay {' '.join(self.cards)} as {self.rank}"

    @property
    def true_count(self) -> int:
        """How many of the cards have the claimed rank."""
        return sum(card[0] == self.rank for card in self.cards)


def suggest_claims(hand: Sequence[str], size: int) -> list[Claim]:
    """Suggests claims of this many cards: true ones, then half true ones, then a lie.

    A lie claims the rank of which the hand has most, because the others hold the fewest of it. The
    cards laid falsely come from the ranks of which the hand has fewest.
    """
    ranks = sorted(RANKS, key=lambda rank: -sum(card[0] == rank for card in hand))
    groups = {rank: [card for card in hand if card[0] == rank] for rank in ranks}
    loose = [card for rank in reversed(ranks) for card in groups[rank]]
    whole = [rank for rank in ranks if len(groups[rank]) >= size][:_PROPOSALS_PER_KIND]
    claims = [Claim(tuple(groups[rank][:size]), rank) for rank in whole]
    begun = [rank for rank in ranks if 0 < len(groups[rank]) < size][:_PROPOSALS_PER_KIND]
    for rank, own in [*((rank, groups[rank]) for rank in begun), (ranks[0], [])]:
        others = [card for card in loose if card[0] != rank]
        cards = [*own, *others[: size - len(own)]]
        if len(cards) == size:
            claims.append(Claim(tuple(cards), rank))
    return list(dict.fromkeys(claims))


class ClaimPrompt(Prompt):
    """Asks for the cards to lay and the rank to claim."""

    def __init__(self, view: View, legal: Sequence[str], card_style: CardStyle, width: int) -> None:
        super().__init__(view, legal, card_style, width)
        self.size = min(_CARDS_PER_CLAIM, len(view["hand"]))
        self.cards, self.shown = hand_by_rank(view["hand"], card_style, width, numbered=True)
        self.claims = suggest_claims(self.cards, self.size)
        count = self.say.plain(f"word.count_{self.size}")
        rank = f" {self.say.plain('word.as')} {card_style.rank_labels['J']}"
        example = " ".join(str(number) for number in range(1, self.size + 1)) + rank
        cards = " ".join(self.cards[: self.size]) + rank
        self.help = self.say.plain(
            "lay.help", count=count, n=self.size, example=example, cards=cards
        )
        self.short_help = self.say.plain("lay.hint", count=count, n=self.size, example=example)

    @property
    def question(self) -> str:
        """How many cards to lay."""
        last = _CHOICE_LETTERS[len(self.claims) - 1]
        return self.say.plain(f"lay.prompt_{self.size}", range=f"a{f'-{last}' * (last != 'a')}")

    def render_choices(self) -> Iterator[RenderableType]:
        """Yields the hand by ranks, and the suggestions."""
        yield self.shown
        yield Text()
        lines = []
        for letter, claim in zip(_CHOICE_LETTERS, self.claims, strict=False):
            cards = card_row(claim.cards, self.card_style)
            cards.pad_right(self.size * (self.card_style.max_card_width + 1) - cards.cell_len)
            what = self.card_style.count_text(claim.rank, self.size)
            called = self.say.plain("lay.called", what=what).ljust(17)
            true = _truthfulness(claim, self.say)
            lines.append(Text.assemble((f" {letter}  ", "dim"), cards, called, (true, "dim")))
        yield Text("\n").join(lines)

    def parse(self, typed: str) -> str:
        """Parses a letter, or cards by number or name, with the rank or without it."""
        if typed.lower() in set(_CHOICE_LETTERS[: len(self.claims)]):
            return self.claims[_CHOICE_LETTERS.index(typed.lower())].action
        words = re.sub(r"^lay\s+", "", typed, flags=re.IGNORECASE)
        word = re.escape(self.say.plain("word.as"))
        claimed = re.fullmatch(_CLAIM_PATTERN.format(word=word), words, re.IGNORECASE)
        rank = self.card_style.parse_rank(claimed[2]) if claimed else None
        laid = claimed[1] if claimed else words
        cards = [self.parse_card(word) for word in laid.replace(",", " ").split()]
        named = [card for card in cards if card]
        if len(named) != len(cards) or not cards or (claimed and not rank):
            return typed
        return f"lay {' '.join(named)}" + (f" as {rank}" if rank else "")

    def parse_card(self, word: str) -> str | None:
        """Returns the card of this number or name."""
        if NUMBER_PATTERN.fullmatch(word):
            number = int(word)
            return self.cards[number - 1] if 1 <= number <= len(self.cards) else None
        return self.card_style.parse_card(word)

    def ask_follow_up(self, action: str, ask: AskFollowUp) -> str | None:
        """Asks for the rank if the right number of cards was named without one."""
        cards = action.split()[1:]
        held = set(cards) <= set(self.cards) and len(set(cards)) == len(cards) == self.size
        if not action.startswith("lay ") or not held:
            return action
        while True:
            count = self.say.plain(f"word.count_{self.size}")
            typed = ask(self.say.plain("lay.which", count=count))
            if not typed:
                return None
            if rank := self.card_style.parse_rank(typed):
                return f"{action} as {rank}"


def _truthfulness(claim: Claim, translator: Translator) -> str:
    """Returns how true a claim is, as the name of a text."""
    if claim.true_count == len(claim.cards):
        return translator.plain("lay.truth")
    if not claim.true_count:
        return translator.plain("lay.lie")
    count = translator.plain(f"word.count_{claim.true_count}")
    return translator.plain("lay.partly", count=count, n=claim.true_count)
