"""Heuristics for Molotov and Offenbach Molotov: duck, throw points away, avoid the bombs.

A card is scored by the points with which it leaves its player: captured so far, in this trick if
the card takes it, and later with the rest of the hand. Ducking follows from that, and so does the
choice of the discard that makes trump: it sets the value of the jacks and nines that are already
captured, by the player and by others, and of the cards still held.
"""

import math
from collections.abc import Sequence

from jasstisch.bots.api import View
from jasstisch.bots.greedy.duck_odds import expected_points_if_ducking, probability_forced_to_take
from jasstisch.bots.greedy.registry import register_strategy
from jasstisch.bots.greedy.trick_estimates import (
    expected_added_trick_points,
    expected_card_points,
    higher_cards_of_suit,
    holder_probability,
    possible_places,
    suit_led,
)
from jasstisch.bots.position import Position
from jasstisch.engine import melds, tricks
from jasstisch.engine.cards import JASS

_RUNS_OF_THREE = tuple(
    tuple(0b111 << tricks.RANKS * suit + low for low in range(tricks.RANKS - 2))
    for suit in range(4)
)
"""For each suit the seven sets of three cards in sequence."""

_RUN_OF_THREE_POINTS = 20

_COMPLETION_RATE = 0.5
"""The probability that a later seat plays a card it holds that completes a molotov."""

_DISCARD_POINTS_FACTOR = 1.3
"""The factor on points thrown on a trick that a seat is forced to take: they exceed the average."""

_SPITE_WEIGHT = 0.2
_SPITE_WEIGHT_LEADER = 0.4
"""The value, in own points, of one molotov point that goes to another player."""


@register_strategy("molotov", "offenbach")
def choose_action(view: View, legal: Sequence[str]) -> str:
    """The card that leaves its player with the fewest points."""
    position = Position(view, discard_makes_trump=True)
    weis = view["options"]["long_runs"] == "weis"
    leader = slate_leader(view)

    def cost(play: str) -> float:
        card = JASS.numbers[play[-2:]]
        return expected_points(position, card, weis) - spite_value(position, card, leader, weis)

    return min(legal, key=cost)


def slate_leader(view: View) -> int:
    """The seat nearest to the end of the match: most tallies, then fewest open sacks (MV9)."""
    standing = view["standing"]
    return max(
        (seat for seat in range(len(standing)) if seat != view["seat"]),
        key=lambda seat: (standing[seat]["tallies"], -standing[seat]["sacks"]),
    )


def spite_value(position: Position, card: int, leader: int, weis: bool) -> float:
    """The value of completing a molotov for the seat that currently wins the trick.

    Args:
        position: the table before the card is played.
        card: the card.
        leader: the seat that leads on the slate, as returned by `slate_leader`.
        weis: whether runs of five and six count 100 and 150 (MV5).
    """
    if position.best < 0 or tricks.beats(card, position.best, trump_after_card(position, card)):
        return 0.0
    lying = position.lying
    completed = bomb_points(lying | 1 << card, weis) - bomb_points(lying, weis)
    return completed * (_SPITE_WEIGHT_LEADER if position.winner == leader else _SPITE_WEIGHT)


def trump_after_card(position: Position, card: int) -> int:
    """The trump suit once this card is played (MV2)."""
    return tricks.trump_after(card, position.led, position.trump)


def expected_points(position: Position, card: int, weis: bool) -> float:
    """The points expected at the end of the round if a card is played.

    Args:
        position: the table before the card is played.
        card: the card.
        weis: whether runs of five and six count 100 and 150 (MV5).
    """
    trump = trump_after_card(position, card)
    left = position.hand ^ 1 << card
    stuck = probability_forced_to_take(position, card, trump)
    lying = position.lying | 1 << card
    coming = _DISCARD_POINTS_FACTOR * expected_added_trick_points(position, card, trump)
    trick = expected_card_points(lying, trump) + coming + bomb_points(lying, weis)
    trick += expected_bomb_points(position, card, lying, trump)
    if not left:
        trick += tricks.LAST_TRICK
    rest = (
        max(0.0, expected_card_points(position.unseen | left, trump) - coming) + tricks.LAST_TRICK
    )
    captured = expected_card_points(position.taken[position.seat], trump)
    return captured + stuck * trick + expected_points_if_ducking(position, left, trump, rest, stuck)


def bomb_points(lying: int, weis: bool) -> int:
    """The points that the molotovs among the cards of a trick bring its winner (MV4, MV5)."""
    points = 0
    run = melds.first_run(lying)
    while run:
        lying ^= run
        points += melds.molotov_points(run, weis)
        run = melds.first_run(lying)
    return points


def expected_bomb_points(position: Position, card: int, lying: int, trump: int) -> float:
    """The expected points of molotovs that later seats can still complete, if this card wins."""
    suit = suit_led(position, card)
    hidden = position.unseen
    if card // tricks.RANKS == suit:
        hidden &= ~higher_cards_of_suit(card, trump)
    played = 0.0
    places = possible_places(position, suit)
    for seat in position.to_come:
        played += holder_probability(position, seat, suit, places)
    points = 0.0
    for run in _RUNS_OF_THREE[suit]:
        missing = run & ~lying
        if missing and run & lying and not missing & ~hidden:
            number = missing.bit_count()
            if number <= len(position.to_come):
                points += _RUN_OF_THREE_POINTS * math.pow(_COMPLETION_RATE * played, float(number))
    return points
