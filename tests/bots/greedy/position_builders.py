"""Constructed positions, as seen by a seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from jasstisch.bots.position import Position
from jasstisch.engine.cards import JASS, SUITS, card_set
from tests.rules import match_builders


def cards(text: str) -> int:
    """The set of cards of an abbreviation such as `"69H JC"`."""
    return card_set(card(one) for one in match_builders.cards(text))


def card(text: str) -> int:
    """The card with this text."""
    return JASS.numbers[text]


def position(
    hand: str,
    unseen: str,
    *,
    trick: Sequence[str] = (),
    trump: str | None = None,
    taken: Mapping[int, str] | None = None,
    players: int = 4,
) -> Position:
    """A position in which seat 0 is to play, and nobody has shown a void.

    Args:
        hand: the cards of seat 0.
        unseen: the cards of all other seats.
        trick: the cards of the current trick, played by the last seats, so that seat 0 is to act.
        trump: letter of the trump suit.
        taken: cards captured, by seat.
        players: number of players.
    """
    made = object.__new__(Position)
    made.seat, made.players, made.playing = 0, players, range(players)
    made.trump = SUITS.index(trump) if trump else -1
    made.value_ranking = made.ranking = made.trump
    made.rankings = (made.trump,)
    made.hand, made.unseen = cards(hand), cards(unseen)
    made.trick = [card(text) for text in trick]
    made.absent = 0
    made.taken = [cards((taken or {}).get(seat, "")) for seat in range(players)]
    made.void = [0] * players
    held = made.hand.bit_count()
    made.sizes = [held - (bool(trick) and seat >= players - len(trick)) for seat in range(players)]
    assert sum(made.sizes[1:]) == made.unseen.bit_count(), "all other hands have equally many cards"
    made.read_trick(-len(trick) % players)
    return made


def best(where: Position, among: str, key: Callable[[int], float]) -> str:
    """The first of these cards by this key."""
    return min(match_builders.cards(among), key=lambda text: key(card(text)))
