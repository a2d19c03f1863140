"""Cards, sets of cards and packs, and their text forms.

A card is an int, `ranks * suit + rank`; a set of cards is an int with one bit for each card, so
that any pack of up to 63 cards fits a signed 64-bit word. `Deck` knows the ranks of one family of
packs and translates between these ints and the public text forms (`JC`, `"6C 7C JH"`).
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from jasstisch.engine.errors import GameError, quote

if TYPE_CHECKING:
    from random import Random

SUITS = "CDHS"
"""The suits in order (C1, C5), by their French names: clubs, diamonds, hearts, spades."""

SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def cards_in_set(cards: int) -> Iterator[int]:
    """The cards of a set, ascending."""
    while cards:
        lowest = cards & -cards
        yield lowest.bit_length() - 1
        cards ^= lowest


def card_set(cards: Iterable[int]) -> int:
    """The set of the given cards."""
    result = 0
    for card in cards:
        result |= 1 << card
    return result


def shuffled(pack: Sequence[str], chance: "Random") -> list[str]:
    """The cards of a pack in random order, for simulations; table deals are shuffled elsewhere."""
    cards = list(pack)
    chance.shuffle(cards)
    return cards


_CARDS_PER_CHUNK = 9
"""Cards of a set whose texts one table lookup gives; every view writes a hand, so it is hot."""


class Deck:
    """The cards of one kind of pack, ordered by suit, then by rank.

    Args:
        ranks: one letter for each rank, low to high in plain order.

    Attributes:
        ranks: the rank letters.
        texts: the text of each card, by its number.
        numbers: the number of each card, by its text.
    """

    __slots__ = ("_written", "numbers", "ranks", "texts")

    def __init__(self, ranks: str) -> None:
        self.ranks = ranks
        self.texts = tuple(rank + suit for suit in SUITS for rank in ranks)
        self.numbers = {text: card for card, text in enumerate(self.texts)}
        self._written = tuple(
            _subset_texts(self.texts[start : start + _CARDS_PER_CHUNK])
            for start in range(0, len(self.texts), _CARDS_PER_CHUNK)
        )

    def suit(self, card: int) -> int:
        """Index of the card's suit in `SUITS`."""
        return card // len(self.ranks)

    def rank(self, card: int) -> int:
        """Index of the card's rank in `ranks`."""
        return card % len(self.ranks)

    def parse(self, text: object) -> int:
        """The card with this text, upper or lower case.

        Raises:
            GameError: no card of this deck has this text.
        """
        card = None
        if isinstance(text, str) and text.isascii():
            card = self.numbers.get(text.upper())
        if card is None:
            raise GameError(
                f"unknown card {quote(text)}: a card is a rank of {self.ranks} "
                f"and a suit of {SUITS}, such as {self.texts[0]}"
            )
        return card

    def parse_all(self, cards: str | Iterable[str]) -> list[int]:
        """The cards of a text such as `"6C 7C JH"`, or of card texts, in the order given.

        Raises:
            GameError: one of them is not a card of this deck.
        """
        texts = cards.split() if isinstance(cards, str) else list(cards)
        try:
            return [self.numbers[text] for text in texts]
        except (KeyError, TypeError):
            return [self.parse(text) for text in texts]

    def texts_of(self, cards: int) -> list[str]:
        """The texts of a set of cards, in order."""
        written: list[str] = []
        for subsets in self._written:
            written += subsets[cards & len(subsets) - 1]
            cards >>= _CARDS_PER_CHUNK
        return written


def _subset_texts(texts: Sequence[str]) -> Sequence[Sequence[str]]:
    """The texts of each set of some cards, by the set."""
    return [
        tuple([text for bit, text in enumerate(texts) if cards >> bit & 1])
        for cards in range(1 << len(texts))
    ]


JASS = Deck("6789TJQKA")
"""The 36 cards of the Jass games (C1)."""

SIX_OF_DIAMONDS = JASS.numbers["6D"]
"""The card that five players leave out (MV1)."""
