"""How cards are drawn and called in a terminal: the French and the Swiss deck (C1).

The letters of suits and ranks are neutral; a deck gives them signs, names and colours. Swiss suits
have no signs in any font, so they are written out. The colours are mid-tones that can be read on a
light and on a dark background. The ranks below the six are those of games with 52 cards.
"""

import argparse
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from rich.text import Text

from jasstisch.cards import JASS, SUITS, Deck
from jasstisch.errors import shorten

__all__ = ["DECKS", "RANKS", "Faces", "deck", "fitting"]

RANKS = "23456789TJQKA"
"""The letters of all ranks that any game knows, low to high."""

CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS)


@dataclass(frozen=True)
class Faces:
    """One deck.

    Attributes:
        signs: a sign for each suit letter; none where suits are written out.
        names: the suits' names in a sentence.
        ranks: how each rank letter is printed.
        called: what one card of each rank is called in a sentence.
        colours: the style of each suit.
    """

    signs: Mapping[str, str]
    names: Mapping[str, str]
    ranks: Mapping[str, str]
    called: Mapping[str, str]
    colours: Mapping[str, str]

    def rank(self, card: str) -> str:
        """The rank of a card as printed: `10`, `J`, `U`."""
        return self.ranks[card[0]]

    def card(self, card: str) -> Text:
        """A card in its colour: `10♣`, or `U acorns`."""
        suit = card[1]
        sign = self.signs.get(suit) or f" {self.names[suit]}"
        return Text(f"{self.rank(card)}{sign}", style=self.colours[suit])

    def typed(self, card: str) -> str:
        """How a person may type a card: `JC`, or `U acorns` where a suit has no letter."""
        return card if self.signs else self.card(card).plain

    def several(self, rank: str, count: int) -> str:
        """So many cards of a rank in words: `three jacks`, `one ace`."""
        return f"{COUNTS[count]} {self.called[rank] if count == 1 else self.plural(rank)}"

    def plural(self, rank: str) -> str:
        """Cards of a rank in words: `jacks`, `sixes`."""
        name = self.called[rank]
        return f"{name}es" if name == "six" else f"{name}s"

    def suit(self, suit: str) -> Text:
        """A suit in its colour: `♥ hearts`, or `roses`."""
        return Text(f"{self.signs.get(suit, '')} {self.names[suit]}".strip(), self.colours[suit])

    def piece(self, kind: str, text: str) -> Text:
        """A part of a text: a card, a suit, a rank or cards of it as in this deck, or words."""
        match kind:
            case "card":
                return self.card(text)
            case "suit":
                return self.suit(text)
            case "rank":
                return Text(self.ranks[text], "bold")
            case "ranks":
                return Text(self.plural(text))
            case _:
                return Text(text)

    def read(self, typed: str) -> str | None:
        """The card that a person means: `JC`, `j♣`, `10 hearts`, `u acorns`; None if no card."""
        return self.spellings.get(re.sub(r"\s+", "", typed).upper())

    def read_rank(self, typed: str) -> str | None:
        """The rank that a person means: `J`, `10`, `jack`, `jacks`, `under`; None if no rank."""
        return self.rank_spellings.get(typed.strip().upper())

    @cached_property
    def widest(self) -> int:
        """Columns that the widest card takes."""
        return max(self.card(card).cell_len for card in CARDS)

    @cached_property
    def spellings(self) -> dict[str, str]:
        """Each card under all spellings that are understood, in capitals and without spaces."""
        return {
            rank.upper() + suit.upper(): card
            for card in CARDS
            for rank in (card[0], self.rank(card))
            for suit in (card[1], *self.suit_spellings(card[1]))
        }

    @cached_property
    def rank_spellings(self) -> dict[str, str]:
        """Each rank under all spellings that are understood, in capitals."""
        return {
            spelling.upper(): rank
            for rank in RANKS
            for name in (self.called[rank],)
            for spelling in (rank, self.rank(rank), name, f"{name}s", f"{name}es")
        }

    def suit_spellings(self, suit: str) -> list[str]:
        """The sign of a suit and every beginning of its name."""
        name = self.names[suit]
        signs = [self.signs[suit]] if suit in self.signs else []
        return signs + [name[:length] for length in range(1, len(name) + 1)]


def _by_suit(*values: str) -> dict[str, str]:
    return dict(zip(SUITS, values, strict=True))


def _by_rank(*values: str) -> dict[str, str]:
    return dict(zip(RANKS, values, strict=True))


COUNTS = ("no", "one", "two", "three", "four")
NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine")

DECKS = {
    "french": Faces(
        _by_suit("♣", "♦", "♥", "♠"),
        _by_suit("clubs", "diamonds", "hearts", "spades"),
        _by_rank(*"23456789", "10", "J", "Q", "K", "A"),
        _by_rank(*NUMBERS, "ten", "jack", "queen", "king", "ace"),
        _by_suit("bold", "bold red", "bold red", "bold"),
    ),
    "swiss": Faces(
        {},
        _by_suit("acorns", "bells", "roses", "shields"),
        _by_rank(*"23456789", "B", "U", "O", "K", "A"),
        _by_rank(*NUMBERS, "banner", "under", "ober", "king", "ace"),
        _by_suit("bold color(28)", "bold color(136)", "bold color(160)", "bold color(32)"),
    ),
}
"""The decks by name."""


def deck(name: str) -> Faces:
    """The deck of this name, as the type of an argument."""
    if name not in DECKS:
        raise argparse.ArgumentTypeError(f"{' or '.join(DECKS)} is needed, not {shorten(name)!r}")
    return DECKS[name]


def fitting(faces: Faces, cards: Deck) -> Faces:
    """The faces that were wished, or French ones for a pack that no other deck knows."""
    return faces if set(cards.ranks) <= set(JASS.ranks) else DECKS["french"]
