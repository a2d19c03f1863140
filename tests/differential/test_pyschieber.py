"""Our rules against those of pyschieber, which somebody else wrote for another game.

pyschieber plays Schieber, and what may be played there when a suit is trump is what this rule book
calls `undertrump="forced"` (C8 with C9). Its other contracts, and rounds that have no trump yet
(C8b), have no counterpart on the other side; all else is compared on every position, and no
position is left out. No difference has been found: in particular both sides never force the Bur on
a trump lead (C8c), and both force it on a hand of nothing but trumps (C9). It also tells who takes
a trick (C7) and what cards are worth (C3), and is held against both.
"""

import importlib.util
import random
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

import jasstisch as jt
from jasstisch import tricks
from jasstisch.cards import JASS, SUITS, card_set, members
from jasstisch.games.options import Choice
from jasstisch.games.rules import REGISTRY

# `make test` installs the package. Without it this module fails, and says what is missing.
if importlib.util.find_spec("pyschieber") is None:
    raise ModuleNotFoundError(
        "pyschieber is not installed: pip install --no-deps -r requirements/peers.txt"
    )

from pyschieber.card import Card
from pyschieber.rules.count_rules import count_stich
from pyschieber.rules.stich_rules import allowed_cards, stich_rules
from pyschieber.stich import PlayedCard
from pyschieber.suit import Suit
from pyschieber.trumpf import Trumpf

POSITIONS = 50_000
TRICKS = 10_000

SUIT_NAMES = {"C": "ACORN", "D": "BELL", "H": "ROSE", "S": "SHIELD"}
VALUES = dict(zip("6789TJQKA", range(6, 15), strict=True))
THEIRS = [Card(Suit[SUIT_NAMES[text[1]]], VALUES[text[0]]) for text in JASS.texts]
"""Each of our cards, by its number, as pyschieber has it."""

NUMBERS = {card: number for number, card in enumerate(THEIRS)}
TRUMPS = [Trumpf[SUIT_NAMES[suit]] for suit in SUITS]


def theirs(hand: int, table: list[int], trump: int) -> int:
    """The set of cards that pyschieber lets a hand play to the cards on the table."""
    held = [THEIRS[card] for card in members(hand)]
    allowed = allowed_cards(held, [THEIRS[card] for card in table], TRUMPS[trump])
    return card_set(NUMBERS[card] for card in allowed)


def top_trump(table: list[int], trump: int) -> int:
    """The highest trump in a trick led in a plain suit, -1 where there is none."""
    if not table or JASS.suit(table[0]) == trump:
        return -1
    top = -1
    for card in table:
        if JASS.suit(card) == trump and (top < 0 or tricks.beats(card, top, trump)):
            top = card
    return top


def ours(hand: int, table: list[int], trump: int) -> int:
    """The set of cards that our rules let a hand play to the cards on the table."""
    led = JASS.suit(table[0]) if table else -1
    return tricks.legal_cards(hand, led, trump, top_trump(table, trump), tricks.FORCED)


def kind(hand: int, table: list[int], trump: int) -> str:
    """Which part of C8 and C9 a position falls under."""
    if not table:
        return "C8a"
    follow = hand & tricks.SUIT_CARDS[JASS.suit(table[0])]
    trumps = hand & tricks.SUIT_CARDS[trump]
    if JASS.suit(table[0]) == trump:
        return "C8c, the Bur alone" if trumps == tricks.BURS[trump] else "C8c"
    clause = "C8d" if follow else "C8e"
    if top_trump(table, trump) < 0:
        return clause
    return f"{clause} over a trump, trumps only" if trumps == hand else f"{clause} over a trump"


def position(rng: random.Random) -> tuple[int, list[int], int]:
    """A hand of one to nine cards, up to three cards on the table, and a trump.

    Half of the hands and tables are drawn from two suits only, so that trumps meet trumps and
    hands run short of a suit as often as it matters.
    """
    trump = rng.randrange(4)
    cards = list(range(36))
    if rng.random() < 0.5:
        other = rng.choice([suit for suit in range(4) if suit != trump])
        cards = [card for card in cards if JASS.suit(card) in {trump, other}]
    rng.shuffle(cards)
    on_table = rng.randrange(4)
    size = rng.randint(1, 9)
    return card_set(cards[on_table : on_table + size]), cards[:on_table], trump


def written(hand: int, table: list[int], trump: int) -> str:
    """A position in words."""
    lying = " ".join(JASS.texts[card] for card in table)
    return f"hand {' '.join(JASS.write(hand))}, table {lying or 'empty'}, trump {SUITS[trump]}"


def test_the_same_cards_may_be_played_as_in_pyschieber__C8_C9() -> None:
    """On 50,000 random positions, of each kind at least some hundreds."""
    rng = random.Random(132)
    kinds: Counter[str] = Counter()
    for _ in range(POSITIONS):
        where = position(rng)
        kinds[kind(*where)] += 1
        assert JASS.write(ours(*where)) == JASS.write(theirs(*where)), written(*where)
    assert sum(kinds.values()) == POSITIONS
    assert min(kinds.values()) >= 300, kinds
    assert len(kinds) == 8, kinds


def forced_games() -> list[str]:
    """The games that can be played with the forced reading."""
    return [
        name
        for name in jt.games()
        for option in REGISTRY[name].options
        if isinstance(option, Choice) and "forced" in option.values
    ]


@pytest.mark.parametrize("name", forced_games())
def test_at_the_table_the_same_cards_are_legal_as_in_pyschieber__JS2(name: str) -> None:
    """In whole matches of a game with `undertrump="forced"`, at every turn."""
    rng = random.Random(name)
    compared = 0
    for _ in range(5):
        match = jt.Match(jt.game(name, undertrump="forced"))
        while not match.over:
            if match.needs_pack:
                match.shuffle(rng.sample(match.pack, len(match.pack)))
                continue
            (seat,) = match.to_act
            legal = match.legal(seat)
            plays = [action.split()[1] for action in legal if len(action.split()) == 2]
            if plays:
                trump = SUITS.index(match.trump or "")
                hand = card_set(JASS.parse_all(match.hand(seat)))
                table = JASS.parse_all([card for _, card in match.trick])
                assert plays == JASS.write(theirs(hand, table, trump)), match.record()
                compared += 1
            match.act(seat, rng.choice(legal))
    assert compared > 500


def test_the_same_player_takes_the_trick_as_in_pyschieber__C7() -> None:
    """With a suit as trump, in random tricks of four cards."""
    rng = random.Random(7)
    for _ in range(TRICKS):
        trump, table = rng.randrange(4), rng.sample(range(36), 4)
        best = 0
        for seat in range(1, 4):
            if tricks.beats(table[seat], table[best], trump):
                best = seat
        played: list[Any] = [
            PlayedCard(SimpleNamespace(id=seat), THEIRS[card]) for seat, card in enumerate(table)
        ]
        taken = stich_rules[TRUMPS[trump]](played_cards=played)
        assert taken.player.id == best, written(0, table, trump)


@pytest.mark.parametrize("trump", SUITS)
def test_every_card_is_worth_what_it_is_in_pyschieber__C3(trump: str) -> None:
    suit = SUITS.index(trump)
    for card, other in enumerate(THEIRS):
        assert tricks.card_points(card, suit) == count_stich([other], TRUMPS[suit])
        last = count_stich([other], TRUMPS[suit], last=True)
        assert tricks.card_points(card, suit) + tricks.LAST_TRICK == last
