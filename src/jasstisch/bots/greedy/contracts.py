"""Contracts of two sides by rules of thumb: what a hand promises, and what a card brings its side.

A card is worth what it should win or lose in the trick on the table, and costs what the hand is
worth less without it in the tricks to come. That nobody trumps his partner's trick, smears what
will take no trick itself, plays low to the others' tricks, keeps guards and plays the cards that
are master follows from that. Points of the other side are as bad as one's own are good: only the
difference counts, whoever writes it.

`jasstisch.env.partners` compiles these functions too; `greedy.outlook` says what that asks of them.
"""

import math
from collections.abc import Sequence

from jasstisch import tricks
from jasstisch.bots import View
from jasstisch.bots.greedy.partners import (
    LADDERS,
    OF_CONTRACTS,
    SEATS,
    Partners,
    points_to_come,
    side_takes,
    void,
)
from jasstisch.cards import JASS
from jasstisch.games.contracts import CONTRACTS
from jasstisch.games.weis import WEIS

__all__ = ["NUMBER", "ahead", "for_match", "gain", "play"]

NUMBER = {text: number for number, text in enumerate(CONTRACTS)}
"""The number of each contract in `bots.promise`."""

TRICK = 28.0
"""What a card that takes a trick wins by that beside its own points: they change sides."""

BEATEN = 0.35
"""What each higher card with the other side leaves of the chance to take a trick."""

HIGHER_TRUMP = 0.8
"""The same for each higher trump: a trump also takes tricks of other suits."""

UNGUARDED = 0.5
"""What is left of it for each higher card that no lower one of the suit is there to be spent on."""

MASTER = 0.75
"""How often the best card of a plain suit takes a trick, once nobody holds a trump."""

MASTER_WITHOUT_TRUMP = 0.62
"""The same in a contract without a trump, where the suit must be led."""

RUFFED = 0.5
"""How much less often while the other side holds many trumps."""

MANY_TRUMPS = 4.0

DRAWN = 8.0
"""What each trump is worth that a lead draws from the other side, if one's own side announced."""

LATER = 0.9
"""What the tricks to come count beside the one on the table: what is taken now is safe."""

STILL_MATCH = 0.7
"""How likely who has taken all tricks so far takes one more."""


def play(view: View, legal: Sequence[str]) -> str:
    """The play that gains most for the side, with every Weis there is."""
    at = Partners(view)
    even, odd = at.taken[0] | at.taken[2], at.taken[1] | at.taken[3]
    bonus = for_match(even, odd, view["options"]["match_bonus"], len(at.rankings) - 1)
    cards = dict.fromkeys([JASS.numbers[action.split()[1]] for action in legal])
    best = JASS.texts[max(cards, key=lambda card: gain(at, card, bonus))]
    action = f"play {best}"
    return action + WEIS if action + WEIS in legal else action


def for_match(even: int, odd: int, bonus: int, later: int) -> float:
    """What the trick in progress is worth beside its points while a match is possible (CT6).

    Args:
        even: the cards captured by seats 0 and 2.
        odd: and by seats 1 and 3.
        bonus: what a match brings.
        later: how many tricks follow.
    """
    return 0.0 if even and odd else bonus * math.pow(STILL_MATCH, float(later))


def gain(at: Partners, card: int, bonus: float) -> float:
    """By how much a card brings the points of the two sides apart, in favour of one's own.

    Args:
        at: what is known.
        card: the card.
        bonus: what the trick is worth beside its points.
    """
    takes = side_takes(at, card)
    led = card // tricks.RANKS if at.led < 0 else at.led
    trick = tricks.points(at.lying | 1 << card, at.valued)
    coming = points_to_come(at, led, takes)
    left = at.hand ^ 1 << card
    if not left:
        return (2 * takes - 1) * (trick + coming + tricks.LAST_TRICK + bonus)
    suit = tricks.SUIT_CARDS[card // tricks.RANKS]
    cost = LATER * (ahead(at, at.hand & suit) - ahead(at, left & suit))
    gained = (2 * takes - 1) * (trick + coming) + takes * bonus - cost
    ours = (at.by - at.seat) % 2 == 0
    if ours and at.led < 0 and suit == tricks.TRUMP_CARDS[at.ranking]:
        gained += DRAWN * trumps_drawn(at)
    return gained


def trumps_drawn(at: Partners) -> float:
    """How many trumps a lead of trumps should draw from the other side."""
    one, other = (at.seat + 1) % SEATS, (at.seat + 3) % SEATS
    return 1 - void(at, one, at.trump) + (1 - void(at, other, at.trump))


def ahead(at: Partners, held: int) -> float:
    """What cards of one suit are worth in the tricks to come, be they ranked one way or both."""
    worth = 0.0
    if held:
        for ranking in OF_CONTRACTS:
            part = at.later[ranking]
            if part:
                worth += part * ahead_by(at, held, ranking)
    return worth


def ahead_by(at: Partners, held: int, ranking: int) -> float:
    """The same where all tricks to come rank alike."""
    suit = ((held & -held).bit_length() - 1) // tricks.RANKS
    top = 1.0 if suit == ranking else master(at, ranking)
    worth = higher = 0.0
    lower = held.bit_count()
    for card in LADDERS[ranking][suit]:
        if held >> card & 1:
            lower -= 1
            if suit == ranking:
                takes = math.pow(HIGHER_TRUMP, higher)
            else:
                unguarded = max(0.0, higher - lower)
                takes = top * math.pow(BEATEN, higher) * math.pow(UNGUARDED, unguarded)
            worth += takes * (TRICK + tricks.card_points(card, at.valued))
        elif at.unseen >> card & 1:
            higher += at.against[card]
    return worth


def master(at: Partners, ranking: int) -> float:
    """The chance of the best card of a plain suit to take a trick."""
    if not tricks.TRUMP_CARDS[ranking]:
        return MASTER_WITHOUT_TRUMP
    out = 0.0
    left = tricks.TRUMP_CARDS[ranking] & at.unseen
    while left:
        card = (left & -left).bit_length() - 1
        left &= left - 1
        out += at.against[card]
    return MASTER - RUFFED * min(1.0, out / MANY_TRUMPS)
