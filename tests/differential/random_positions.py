"""Random positions, on which our rules are compared with those of other packages."""

import random

from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS, SUITS, card_set

NAMES = (*(f"trump {suit}" for suit in SUITS), "tops", "bottoms")
"""The six contracts that all these packages have, by the ranking of their tricks (CT3, CT4)."""

RANKINGS = range(len(NAMES))

Position = tuple[int, list[int], int]
"""A hand, the cards on the table in order of play, and the ranking of the trick."""


def random_position(rng: random.Random) -> Position:
    """A hand of one to nine cards, up to three cards on the table, and one of the six contracts.

    Half of the hands and tables are drawn from two suits only, the trump one of them where there is
    one, so that trumps meet trumps and hands run short of a suit as often as it matters.
    """
    ranking = rng.choice(RANKINGS)
    cards = list(range(36))
    if rng.random() < 0.5:
        suits = rng.sample(range(4), 2)
        if ranking < 4 and ranking not in suits:
            suits[0] = ranking
        cards = [card for card in cards if JASS.suit(card) in suits]
    rng.shuffle(cards)
    on_table = rng.randrange(4)
    size = rng.randint(1, 9)
    return card_set(cards[on_table : on_table + size]), cards[:on_table], ranking


def top_trump(table: list[int], ranking: int) -> int:
    """The highest trump in a trick led in a plain suit; -1 without trumps."""
    best = top = -1
    for card in table:
        best, top = tricks.best_card_after(card, best, top, ranking)
    return top


def position_kind(hand: int, table: list[int], ranking: int) -> str:
    """The part of C8, C9 and CT4 that applies to a position."""
    if not table:
        return "C8a"
    follow = hand & tricks.SUIT_CARDS[JASS.suit(table[0])]
    trumps = hand & tricks.TRUMP_CARDS[ranking]
    if not tricks.TRUMP_CARDS[ranking]:
        return f"CT4, {NAMES[ranking]}, {'to follow' if follow else 'free'}"
    if JASS.suit(table[0]) == ranking:
        return "C8c, the Bur alone" if trumps == tricks.BURS[ranking] else "C8c"
    clause = "C8d" if follow else "C8e"
    if top_trump(table, ranking) < 0:
        return clause
    return f"{clause} over a trump, trumps only" if trumps == hand else f"{clause} over a trump"


def describe_position(hand: int, table: list[int], ranking: int) -> str:
    """A position in words."""
    lying = " ".join(JASS.texts[card] for card in table)
    return f"hand {' '.join(JASS.texts_of(hand))}, table {lying or 'empty'}, {NAMES[ranking]}"
