"""How cards are drawn and called in a terminal: the French and the Swiss deck (C1).

The letters of suits and ranks are neutral; a deck gives them signs and colours, a language names
and initials. What is typed may be either; what could be both is read as the neutral form, unless a
blank parts rank and suit: the suit is then of the language where it means one there. No font has
the signs of Swiss suits: on a terminal with colours and any sign they are drawn by signs that come
near, else they are written out. The colours are mid-tones that can be read on a light and on a dark
background. The ranks below the six are those of games with 52 cards.
"""

import argparse
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from rich.text import Text

from jasstisch.cards import JASS, SUITS, Deck
from jasstisch.cli.speech import ENGLISH, Speech
from jasstisch.errors import shorten

__all__ = ["DECKS", "RANKS", "Faces", "deck", "faces_of", "fitting", "folded"]

RANKS = "23456789TJQKA"
"""The letters of all ranks that any game knows, low to high."""

APART = re.compile(r"\S+\s+[^\W\d_]+")
"""A rank and a word apart from it: the word is the name of a suit, or the beginning of one."""

CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS)


@dataclass(frozen=True)
class Faces:
    """One deck in one language.

    Attributes:
        deck: its name.
        speech: the language.
        signs: a sign for each suit letter; none where suits are written out.
        colours: the style of each suit.
        names: the suits' names in a sentence.
        ranks: how each rank letter is printed.
        called: what one card of each rank is called in a sentence.
        plurals: what several of them are called.
    """

    deck: str
    speech: Speech
    signs: Mapping[str, str]
    colours: Mapping[str, str]
    names: Mapping[str, str]
    ranks: Mapping[str, str]
    called: Mapping[str, str]
    plurals: Mapping[str, str]

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
        return card if self.lettered else f"{self.rank(card)} {self.names[card[1]]}"

    @property
    def lettered(self) -> bool:
        """Whether people know the suits by the letters of the neutral form."""
        return self.deck == FRENCH

    def several(self, rank: str, count: int) -> str:
        """So many cards of a rank in words: `three jacks`, `one ace`."""
        words, ranks = self.speech.vocabulary, self.plurals[rank]
        match count:
            case 1:
                return words[f"one_{rank.lower()}"]
            case 2 | 3:
                return self.speech.shared(f"{COUNTS[count]}_of", ranks=ranks).plain
            case _:
                return self.speech.plain(f"word.{COUNTS[count]}_of", ranks=ranks)

    def plural(self, rank: str) -> str:
        """Cards of a rank in words: `jacks`, `sixes`."""
        return self.plurals[rank]

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
        apart = APART.fullmatch(typed.strip())
        own = self.own_words.get(folded(typed)) if apart else None
        return own or self.spellings.get(folded(typed))

    def read_rank(self, typed: str) -> str | None:
        """The rank that a person means: `J`, `10`, `jack`, `jacks`, `under`; None if no rank."""
        return self.rank_spellings.get(folded(typed))

    @cached_property
    def widest(self) -> int:
        """Columns that the widest card takes."""
        return max(self.card(card).cell_len for card in CARDS)

    @cached_property
    def spellings(self) -> dict[str, str]:
        """Each card under all spellings that are understood, folded."""
        own = self.unambiguous(
            (f"{self.rank(card)}{spelling}", card)
            for card in CARDS
            for spelling in self.suit_spellings(card[1])
        )
        mixed = self.unambiguous(
            (rank + suit, card)
            for card in CARDS
            for rank, suit in (
                (self.rank(card), card[1]),
                *((card[0], spelling) for spelling in self.suit_spellings(card[1])),
            )
        )
        return mixed | own | {card: card for card in CARDS} | self.in_other_words()

    @cached_property
    def own_words(self) -> dict[str, str]:
        """Each card by its rank and a beginning of the name of its suit in this language."""
        return self.unambiguous(
            (f"{rank}{spelling}", card)
            for card in CARDS
            for rank in {card[0], self.rank(card)}
            for spelling in beginnings(self.names[card[1]])
        )

    def in_other_words(self) -> dict[str, str]:
        """The ten, which is a T in the neutral form and printed as a number."""
        return {f"10{card[1]}": card for card in CARDS if card[0] == "T"}

    @staticmethod
    def unambiguous(spelt: Iterator[tuple[str, str]]) -> dict[str, str]:
        """Spellings, folded, of which each means one thing."""
        meant: dict[str, set[str]] = {}
        for spelling, what in spelt:
            meant.setdefault(folded(spelling), set()).add(what)
        return {spelling: min(those) for spelling, those in meant.items() if len(those) == 1}

    @cached_property
    def rank_spellings(self) -> dict[str, str]:
        """Each rank under all spellings that are understood, folded."""
        neutral = {rank: rank for rank in RANKS} | {"10": "T"}
        own = {
            folded(spelling): rank
            for rank in RANKS
            for spelling in (self.called[rank], self.plurals[rank], *self.of_english(rank))
        }
        return own | neutral | {folded(self.ranks[rank]): rank for rank in RANKS}

    def of_english(self, rank: str) -> tuple[str, ...]:
        """What cards of a rank are called in English, which is understood in every language."""
        english = _named(self.deck, ENGLISH)
        return english.called[rank], english.plurals[rank]

    def suit_spellings(self, suit: str) -> list[str]:
        """The sign of a suit and every beginning of its name, in this language or in English."""
        name, english = self.names[suit], _named(self.deck, ENGLISH).names[suit]
        signs = [self.signs[suit]] if suit in self.signs else []
        return [
            *signs,
            *(spelling for one in {name, english} for spelling in beginnings(one)),
        ]


def folded(typed: str) -> str:
    """What somebody types, however it is accented: in capitals, without spaces, `œ` as `oe`."""
    parts = unicodedata.normalize("NFKD", re.sub(r"\s+", "", typed).upper().replace("Œ", "OE"))
    return "".join(sign for sign in parts if not unicodedata.combining(sign))


def beginnings(name: str) -> Iterator[str]:
    """Every beginning of a name, also of how it is typed without a ligature."""
    for one in {name, name.replace("œ", "oe")}:
        yield from (one[:length] for length in range(1, len(one) + 1))


FRENCH, SWISS = "french", "swiss"

COUNTS = ("none", "one", "two", "three", "four")

SIGNS = {
    FRENCH: dict(zip(SUITS, "♣♦♥♠", strict=True)),
    SWISS: dict(zip(SUITS, "♧◉✿▼", strict=True)),
}
COLOURS = {
    FRENCH: ("bold", "bold red", "bold red", "bold"),
    SWISS: ("bold color(28)", "bold color(136)", "bold color(160)", "bold color(32)"),
}
SWISS_PLURALS = {"T": "banners", "J": "unders", "Q": "obers"}
"""Ranks that French cards do not have, by the names of their texts."""


@dataclass(frozen=True)
class _Names:
    """What the cards of a deck are called in a language."""

    names: Mapping[str, str]
    called: Mapping[str, str]
    plurals: Mapping[str, str]


@cache
def _named(deck: str, speech: Speech) -> _Names:
    words = speech.vocabulary
    called = {
        rank: words.get(f"rank_{deck}_{rank.lower()}") or words[f"rank_{rank}"] for rank in RANKS
    }
    plurals = {rank: words[f"many_{rank.lower()}"] for rank in RANKS}
    if deck == SWISS:
        plurals |= {rank: speech.texts[f"word.{name}"] for rank, name in SWISS_PLURALS.items()}
    names = {suit: words[f"suit_{deck}_{suit.lower()}"] for suit in SUITS}
    return _Names(names, called, plurals)


@cache
def faces_of(deck: str, speech: Speech = ENGLISH, *, drawn: bool = False) -> Faces:
    """A deck in a language.

    Args:
        deck: its name.
        speech: the language.
        drawn: whether there are signs for Swiss suits too.
    """
    words, named = speech.vocabulary, _named(deck, speech)
    ten = "10" if deck == FRENCH else "B"
    ranks = {rank: words.get(f"index_{deck}_{rank.lower()}", rank) for rank in RANKS} | {"T": ten}
    return Faces(
        deck,
        speech,
        SIGNS[deck] if drawn or deck == FRENCH else {},
        dict(zip(SUITS, COLOURS[deck], strict=True)),
        named.names,
        ranks,
        named.called,
        named.plurals,
    )


DECKS = {deck: faces_of(deck) for deck in (FRENCH, SWISS)}
"""The decks by name, in English."""


def deck(name: str) -> Faces:
    """The deck of this name, as the type of an argument."""
    if name not in DECKS:
        raise argparse.ArgumentTypeError(f"{' or '.join(DECKS)} is needed, not {shorten(name)!r}")
    return DECKS[name]


def fitting(faces: Faces, cards: Deck, speech: Speech = ENGLISH, *, drawn: bool = False) -> Faces:
    """The faces that were wished in a language, or French ones for a pack with other ranks.

    Args:
        faces: those that were wished.
        cards: the pack.
        speech: the language.
        drawn: whether there are signs for Swiss suits too.
    """
    fits = set(cards.ranks) <= set(JASS.ranks)
    return faces_of(faces.deck if fits else FRENCH, speech, drawn=drawn)
