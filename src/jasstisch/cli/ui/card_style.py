"""Card styles: how the cards of the French and the Swiss deck are drawn and named (C1).

The letters of suits and ranks are neutral. A deck adds symbols and colours, a language names and
initials. Input may use either form. Ambiguous input is read as the neutral form, unless a space
separates rank and suit: then a suit of the language is preferred. No font has the symbols of the
Swiss suits: on a terminal with colours and Unicode, similar symbols are used, otherwise the names.
The colours are mid-tones, readable on light and dark backgrounds. Ranks below six belong to games
with 52 cards.
"""

import argparse
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from rich.text import Text

from jasstisch.cli.ui.translator import ENGLISH, Translator
from jasstisch.engine.cards import JASS, SUITS, Deck
from jasstisch.engine.errors import shorten

RANKS = "23456789TJQKA"
"""The letters of all ranks of any game, low to high."""

_SPACED_CARD_PATTERN = re.compile(r"\S+\s+[^\W\d_]+")
"""A rank and, separated by a space, the name of a suit or a prefix of it."""

_CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS)


@dataclass(frozen=True)
class CardStyle:
    """One deck in one language.

    Attributes:
        deck: its name.
        translator: the language.
        suit_symbols: the symbol of each suit letter; none where suits are written out.
        suit_colours: the style of each suit.
        suit_names: the names of the suits in a sentence.
        rank_labels: how each rank letter is printed.
        rank_names: the name of one card of each rank in a sentence.
        rank_plurals: the plural of that name.
    """

    deck: str
    translator: Translator
    suit_symbols: Mapping[str, str]
    suit_colours: Mapping[str, str]
    suit_names: Mapping[str, str]
    rank_labels: Mapping[str, str]
    rank_names: Mapping[str, str]
    rank_plurals: Mapping[str, str]

    def rank_text(self, card: str) -> str:
        """Returns the rank of a card as printed: `10`, `J`, `U`."""
        return self.rank_labels[card[0]]

    def card_text(self, card: str) -> Text:
        """Returns a card in its colour: `10♣`, or `U acorns`."""
        suit = card[1]
        sign = self.suit_symbols.get(suit) or f" {self.suit_names[suit]}"
        return Text(f"{self.rank_text(card)}{sign}", style=self.suit_colours[suit])

    def input_form(self, card: str) -> str:
        """Returns how a card can be typed: `JC`, or `U acorns` where a suit has no letter."""
        return (
            card if self.has_suit_letters else f"{self.rank_text(card)} {self.suit_names[card[1]]}"
        )

    @property
    def has_suit_letters(self) -> bool:
        """Whether the suits are known by the letters of the neutral form."""
        return self.deck == _FRENCH

    def count_text(self, rank: str, count: int) -> str:
        """Returns a number of cards of a rank in words: `three jacks`, `one ace`."""
        words, ranks = self.translator.shared_texts, self.rank_plurals[rank]
        match count:
            case 1:
                return words[f"one_{rank.lower()}"]
            case 2 | 3:
                return self.translator.shared_text(
                    f"{_COUNT_TEXT_NAMES[count]}_of", ranks=ranks
                ).plain
            case _:
                return self.translator.plain(f"word.{_COUNT_TEXT_NAMES[count]}_of", ranks=ranks)

    def rank_plural(self, rank: str) -> str:
        """Returns the plural of a rank: `jacks`, `sixes`."""
        return self.rank_plurals[rank]

    def suit_text(self, suit: str) -> Text:
        """Returns a suit in its colour: `♥ hearts`, or `roses`."""
        return Text(
            f"{self.suit_symbols.get(suit, '')} {self.suit_names[suit]}".strip(),
            self.suit_colours[suit],
        )

    def render_part(self, kind: str, text: str) -> Text:
        """Renders a part of a text: a card, a suit, a rank, cards of a rank, or words."""
        match kind:
            case "card":
                return self.card_text(text)
            case "suit":
                return self.suit_text(text)
            case "rank":
                return Text(self.rank_labels[text], "bold")
            case "ranks":
                return Text(self.rank_plural(text))
            case _:
                return Text(text)

    def action_label(self, game: str, action: str) -> Text:
        """What can be typed for an action: its own words in English, else its label."""
        said = None
        if self.translator != ENGLISH:
            said = self.translator.game_texts(game).action_label(action)
        return Text().join(self.render_part(*piece) for piece in said) if said else Text(action)

    def parse_card(self, typed: str) -> str | None:
        """Parses a card: `JC`, `j♣`, `10 hearts`, `u acorns`; None if it is not a card."""
        apart = _SPACED_CARD_PATTERN.fullmatch(typed.strip())
        own = self.localized_spellings.get(normalize_input(typed)) if apart else None
        return own or self.card_spellings.get(normalize_input(typed))

    def parse_rank(self, typed: str) -> str | None:
        """Parses a rank: `J`, `10`, `jack`, `jacks`, `under`; None if it is not a rank."""
        return self.rank_spellings.get(normalize_input(typed))

    @cached_property
    def max_card_width(self) -> int:
        """The width of the widest card in columns."""
        return max(self.card_text(card).cell_len for card in _CARDS)

    @cached_property
    def card_spellings(self) -> dict[str, str]:
        """Each card by its accepted spellings, normalized."""
        own = self.unique_spellings(
            (f"{self.rank_text(card)}{spelling}", card)
            for card in _CARDS
            for spelling in self.suit_spellings(card[1])
        )
        mixed = self.unique_spellings(
            (rank + suit, card)
            for card in _CARDS
            for rank, suit in (
                (self.rank_text(card), card[1]),
                *((card[0], spelling) for spelling in self.suit_spellings(card[1])),
            )
        )
        return mixed | own | {card: card for card in _CARDS} | self.extra_spellings()

    @cached_property
    def localized_spellings(self) -> dict[str, str]:
        """Each card by its rank and a prefix of the name of its suit in this language."""
        return self.unique_spellings(
            (f"{rank}{spelling}", card)
            for card in _CARDS
            for rank in {card[0], self.rank_text(card)}
            for spelling in _prefixes(self.suit_names[card[1]])
        )

    def extra_spellings(self) -> dict[str, str]:
        """Spellings of the ten: T in the neutral form, printed as a number."""
        return {f"10{card[1]}": card for card in _CARDS if card[0] == "T"}

    @staticmethod
    def unique_spellings(spelt: Iterator[tuple[str, str]]) -> dict[str, str]:
        """Returns the normalized spellings that have one meaning."""
        meant: dict[str, set[str]] = {}
        for spelling, what in spelt:
            meant.setdefault(normalize_input(spelling), set()).add(what)
        return {spelling: min(those) for spelling, those in meant.items() if len(those) == 1}

    @cached_property
    def rank_spellings(self) -> dict[str, str]:
        """Each rank by its accepted spellings, normalized."""
        neutral = {rank: rank for rank in RANKS} | {"10": "T"}
        own = {
            normalize_input(spelling): rank
            for rank in RANKS
            for spelling in (
                self.rank_names[rank],
                self.rank_plurals[rank],
                *self.english_rank_names(rank),
            )
        }
        return own | neutral | {normalize_input(self.rank_labels[rank]): rank for rank in RANKS}

    def english_rank_names(self, rank: str) -> tuple[str, ...]:
        """Returns the English names of a rank, which every language accepts."""
        english = _card_names(self.deck, ENGLISH)
        return english.rank_names[rank], english.rank_plurals[rank]

    def suit_spellings(self, suit: str) -> list[str]:
        """Returns the symbol of a suit and all prefixes of its name, localized and English."""
        name, english = self.suit_names[suit], _card_names(self.deck, ENGLISH).suit_names[suit]
        signs = [self.suit_symbols[suit]] if suit in self.suit_symbols else []
        return [
            *signs,
            *(spelling for one in {name, english} for spelling in _prefixes(one)),
        ]


def normalize_input(typed: str) -> str:
    """Normalizes input: upper case, no accents, no spaces, `œ` as `oe`."""
    parts = unicodedata.normalize("NFKD", re.sub(r"\s+", "", typed).upper().replace("Œ", "OE"))
    return "".join(sign for sign in parts if not unicodedata.combining(sign))


def _prefixes(name: str) -> Iterator[str]:
    """Yields all prefixes of a name, also of its spelling without ligatures."""
    for one in {name, name.replace("œ", "oe")}:
        yield from (one[:length] for length in range(1, len(one) + 1))


_FRENCH, _SWISS = "french", "swiss"

_COUNT_TEXT_NAMES = ("none", "one", "two", "three", "four")

_SUIT_SYMBOLS = {
    _FRENCH: dict(zip(SUITS, "♣♦♥♠", strict=True)),
    _SWISS: dict(zip(SUITS, "♧◉✿▼", strict=True)),
}
_SUIT_COLOURS = {
    _FRENCH: ("bold", "bold red", "bold red", "bold"),
    _SWISS: ("bold color(28)", "bold color(136)", "bold color(160)", "bold color(32)"),
}
_SWISS_PLURALS = {"T": "banners", "J": "unders", "Q": "obers"}
"""Ranks that French cards do not have, by the names of their texts."""


@dataclass(frozen=True)
class _CardNames:
    """The names of the cards of a deck in a language."""

    suit_names: Mapping[str, str]
    rank_names: Mapping[str, str]
    rank_plurals: Mapping[str, str]


@cache
def _card_names(deck: str, translator: Translator) -> _CardNames:
    words = translator.shared_texts
    called = {
        rank: words.get(f"rank_{deck}_{rank.lower()}") or words[f"rank_{rank}"] for rank in RANKS
    }
    plurals = {rank: words[f"many_{rank.lower()}"] for rank in RANKS}
    if deck == _SWISS:
        plurals |= {rank: translator.texts[f"word.{name}"] for rank, name in _SWISS_PLURALS.items()}
    names = {suit: words[f"suit_{deck}_{suit.lower()}"] for suit in SUITS}
    return _CardNames(names, called, plurals)


@cache
def style_for(deck: str, translator: Translator = ENGLISH, *, drawn: bool = False) -> CardStyle:
    """Returns a deck in a language.

    Args:
        deck: its name.
        translator: the language.
        drawn: whether the terminal shows symbols for Swiss suits.
    """
    words, named = translator.shared_texts, _card_names(deck, translator)
    ten = "10" if deck == _FRENCH else "B"
    ranks = {rank: words.get(f"index_{deck}_{rank.lower()}", rank) for rank in RANKS} | {"T": ten}
    return CardStyle(
        deck,
        translator,
        _SUIT_SYMBOLS[deck] if drawn or deck == _FRENCH else {},
        dict(zip(SUITS, _SUIT_COLOURS[deck], strict=True)),
        named.suit_names,
        ranks,
        named.rank_names,
        named.rank_plurals,
    )


STYLES = {deck: style_for(deck) for deck in (_FRENCH, _SWISS)}
"""The decks by name, in English."""


def parse_deck(name: str) -> CardStyle:
    """Argument type for the name of a deck."""
    if name not in STYLES:
        raise argparse.ArgumentTypeError(f"{' or '.join(STYLES)} is needed, not {shorten(name)!r}")
    return STYLES[name]


def add_deck_flag(parser: argparse.ArgumentParser) -> None:
    """Adds the flag for the deck in which cards are shown, as a `CardStyle`."""
    parser.add_argument(
        "--deck",
        metavar="DECK",
        type=parse_deck,
        default="french",
        help="french (default) or swiss",
    )


def compatible_style(
    card_style: CardStyle, cards: Deck, translator: Translator = ENGLISH, *, drawn: bool = False
) -> CardStyle:
    """Returns the preferred style in a language, or a French one if the game needs other ranks.

    Args:
        card_style: the preferred style.
        cards: the deck of the game.
        translator: the language.
        drawn: whether the terminal shows symbols for Swiss suits.
    """
    fits = set(cards.ranks) <= set(JASS.ranks)
    return style_for(card_style.deck if fits else _FRENCH, translator, drawn=drawn)
