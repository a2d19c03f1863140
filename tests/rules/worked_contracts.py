"""Whole rounds worked out by hand: hands, each trick with its winner and its worth, and the sums.

Every figure was found on paper by CT3 to CT5. The worth of a trick is that of its cards; the five
for the last trick, Weis, Stöck and match come on top.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.rules.match_builders import cards


@dataclass(frozen=True)
class Worked:
    """A round on paper.

    Attributes:
        contract: the contract it is played by.
        hands: the four hands, by seat, as tests write them.
        tricks: leader, cards in order of play, winner, and what the cards are worth.
        points: cards and last trick of side 0 and of side 1.
    """

    contract: str
    hands: tuple[str, str, str, str]
    tricks: tuple[tuple[int, str, int, int], ...]
    points: tuple[int, int]

    @property
    def dealt(self) -> list[list[str]]:
        """The hands as cards."""
        return [cards(hand) for hand in self.hands]

    @property
    def played(self) -> list[str]:
        """All cards in the order of play."""
        return [card for _, trick, _, _ in self.tricks for card in trick.split()]

    @property
    def written(self) -> list[dict[str, object]]:
        """The tricks as rounds show them."""
        return [
            {"leader": leader, "cards": trick.split(), "winner": winner}
            for leader, trick, winner, _ in self.tricks
        ]


# Seats 1 and 3 hold 6-7-8 and J-Q-K of diamonds; king and queen of hearts are in two hands.
HEARTS = Worked(
    "trump H",
    ("8C AD 7TJH 69QKS", "7JC 678D 6H 8JAS", "69QC 9TD 9KAH 7S", "TKAC JQKD 8QH TS"),
    (
        (0, "KS 8S 7S QH", 3, 7),
        (3, "JD TH 6D TD", 0, 22),
        (0, "QS JS QC 8H", 3, 8),
        (3, "QD JH 7D 9D", 0, 23),
        (0, "7H 6H AH AC", 2, 22),
        (2, "KH KC 6S 8D", 2, 8),
        (2, "9H KD 9S JC", 2, 20),
        (2, "6C TC 8C 7C", 3, 10),
        (3, "TS AD AS 9C", 1, 32),
    ),
    (95, 62),
)

# Seat 2 holds king and queen of trumps and plays the second in the fifth trick; seat 3 holds
# 10-J-Q of hearts. In the third trick seat 0 withholds the Bur.
CLUBS = Worked(
    "trump C",
    ("JC 78AD 9H 67JQS", "9C 6TD 67AH 89KS", "6QKC QKD 8KH TAS", "78TAC 9JD TJQH"),
    (
        (0, "9H 9C 8H JH", 1, 16),
        (1, "9S 6C 7C 7S", 3, 0),
        (3, "TC JS 6D KC", 2, 16),
        (2, "AS TH JC 8S", 0, 41),
        (0, "QS KS QC QH", 2, 13),
        (2, "KD AC AD TD", 3, 36),
        (3, "JD 8D 7H QD", 2, 5),
        (2, "TS 8C 6S 6H", 3, 10),
        (3, "9D 7D AH KH", 3, 15),
    ),
    (75, 82),
)

# In the second trick seat 2, whose only trump is the Bur, does not follow the trump that was led.
SPADES = Worked(
    "trump S",
    ("TD 8TJQAH 7QAS", "9JC 7JD 69H 6TKS", "7KAC 689KAD JS", "68TQC QD 7KH 89S"),
    (
        (3, "KH QH 9H 6D", 3, 7),
        (3, "9S QS 6S 9D", 3, 17),
        (3, "6C TH TS KC", 1, 24),
        (1, "JD JS QD TD", 2, 35),
        (2, "KD TC JH KS", 1, 20),
        (1, "7D 8D 8C 8H", 2, 0),
        (2, "AC 8S AS JC", 0, 24),
        (0, "AH 6H 7C 7H", 0, 11),
        (0, "7S 9C AD QC", 0, 14),
    ),
    (89, 68),
)

BOTTOMS = Worked(
    "bottoms",
    ("8C QAD 8TAH 79AS", "6TKC 89JKD 8TS", "7QAC 6TD 67QH QS", "9JC 7D 9JKH 6JKS"),
    (
        (1, "8D 6D 7D QD", 2, 22),
        (2, "7H 9H 8H KD", 2, 12),
        (2, "6H JH AH TS", 2, 23),
        (2, "TD KS AD JD", 2, 16),
        (2, "AC JC 8C TC", 0, 20),
        (0, "AS 8S QS JS", 1, 13),
        (1, "KC QC 9C 7S", 3, 7),
        (3, "6S 9S 9D 7C", 3, 11),
        (3, "KH TH 6C QH", 0, 28),
    ),
    (126, 31),
)

# Another one, for the joker.
JOKER_BOTTOMS = Worked(
    "bottoms",
    ("JAC 7JD JQH 68TS", "6KC 9QD 7TH 79KS", "78QC TKD 69H QAS", "9TC 68AD 8KAH JS"),
    (
        (2, "QC 9C AC 6C", 1, 14),
        (1, "9D TD 8D 7D", 0, 18),
        (0, "6S KS QS JS", 0, 20),
        (0, "8S 7S AS AH", 1, 8),
        (1, "9S 6H AD TS", 1, 21),
        (1, "TH 9H KH JH", 2, 16),
        (2, "7C TC JC KC", 2, 16),
        (2, "KD 6D JD QD", 3, 20),
        (3, "8H QH 7H 8C", 1, 19),
    ),
    (70, 87),
)

# Sixes count 11 and aces nothing, also in the tricks that are played tops. Seat 3 holds 6-7-8 of
# hearts.
SLALOM_BOTTOMS = Worked(
    "slalom bottoms",
    ("7JC 68TJKD TH 8S", "9TC 79D 9QAH 7TS", "6QKC AD KH 6JQAS", "8AC QD 678JH 9KS"),
    (
        (2, "QS KS 8S TS", 0, 25),
        (0, "TH 9H KH 6H", 2, 25),
        (2, "6C 8C JC 9C", 2, 21),
        (2, "AD QD TD 9D", 2, 13),
        (2, "AS 9S KD 7S", 1, 4),
        (1, "AH KC 8H 7C", 1, 12),
        (1, "7D JS JH JD", 1, 6),
        (1, "TC QC AC 6D", 3, 24),
        (3, "7H 8D QH 6S", 3, 22),
    ),
    (84, 73),
)

SLALOM_TOPS = Worked(
    "slalom tops",
    ("7KC 8TKH 7JQAS", "9C 69JAD 7AH 89S", "QAC 78TD JQH 6KS", "68TJC QKD 69H TS"),
    (
        (3, "8C 7C 9C QC", 2, 11),
        (2, "AC JC KC AH", 3, 28),
        (3, "KD AS 9D TD", 3, 25),
        (3, "9H KH 7H QH", 1, 7),
        (1, "JD 8D QD 7S", 3, 13),
        (3, "6C 8H AD 7D", 3, 19),
        (3, "TS QS 9S 6S", 0, 13),
        (0, "JS 8S KS TC", 1, 24),
        (1, "6D JH 6H TH", 1, 12),
    ),
    (24, 133),
)

# From the sixth trick on the lowest card wins; aces stay worth 11 and sixes nothing.
GUSCHTI_TOPS = Worked(
    "guschti tops",
    ("AC 67TD 7AH 79AS", "68TQC JD 9JH 6KS", "9JC 89QAD 6KH TS", "7KC KD 8TQH 8JQS"),
    (
        (1, "TC 9C KC AC", 0, 25),
        (0, "7H 9H 6H QH", 3, 3),
        (3, "KD 7D JD 8D", 3, 14),
        (3, "TH AH JH KH", 0, 27),
        (0, "7S 6S TS JS", 3, 12),
        (3, "7C 9S 6C JC", 1, 2),
        (1, "QC QD 8S AS", 1, 25),
        (1, "KS 9D QS TD", 3, 17),
        (3, "8H 6D 8C AD", 3, 27),
    ),
    (52, 105),
)

WORKED = (
    *(HEARTS, CLUBS, SPADES, BOTTOMS, JOKER_BOTTOMS),
    *(SLALOM_BOTTOMS, SLALOM_TOPS, GUSCHTI_TOPS),
)
