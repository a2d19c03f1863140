"""Contracts of two sides by rules of thumb: what a hand promises, and what a card brings its side.

A card is worth what it should win or lose in the trick on the table, and costs what the hand is
worth less without it in the tricks to come. That nobody trumps his partner's trick, smears what
will take no trick itself, plays low to the others' tricks, keeps guards and plays the cards that
are master follows from that. Points of the other side are as bad as one's own are good: only the
difference counts, whoever writes it.
"""

from collections.abc import Sequence

from jasstisch import tricks
from jasstisch.bots import View, promise
from jasstisch.bots.greedy.partners import LADDERS, Partners
from jasstisch.bots.position import Position
from jasstisch.cards import JASS, card_set, members
from jasstisch.games.contracts import CONTRACTS
from jasstisch.games.weis import WEIS

__all__ = ["gain", "play", "promised"]

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


def promised(hand: int, contract: str) -> float:
    """The points that a hand promises its side in a contract, given by its text."""
    return promise.promise(hand, NUMBER[contract])


def play(view: View, legal: Sequence[str]) -> str:
    """The play that gains most for the side, with every Weis there is."""
    partners = Partners(view, Position(view, discard_makes_trump=False))
    bonus = for_match(view, partners.position)
    ours = (view["by"] - partners.position.seat) % 2 == 0
    cards = dict.fromkeys([JASS.numbers[action.split()[1]] for action in legal])
    best = JASS.texts[max(cards, key=lambda card: gain(partners, card, bonus, ours=ours))]
    action = f"play {best}"
    return action + WEIS if action + WEIS in legal else action


def for_match(view: View, position: Position) -> float:
    """What the trick in progress is worth beside its points while a match is possible (CT6)."""
    if len({one["winner"] % 2 for one in view["tricks"]}) == 2:
        return 0.0
    bonus: int = view["options"]["match_bonus"]
    return bonus * STILL_MATCH ** (len(position.rankings) - 1)


def gain(partners: Partners, card: int, bonus: float, *, ours: bool) -> float:
    """By how much a card brings the points of the two sides apart, in favour of one's own.

    Args:
        partners: what is known.
        card: the card.
        bonus: what the trick is worth beside its points.
        ours: whether one's own side announced the contract.
    """
    position = partners.position
    takes = partners.side_takes(card)
    led = card // tricks.RANKS if position.led < 0 else position.led
    trick = tricks.points(card_set(position.trick) | 1 << card, position.valued)
    coming = partners.points_to_come(led, takes)
    left = position.hand ^ 1 << card
    if not left:
        return (2 * takes - 1) * (trick + coming + tricks.LAST_TRICK + bonus)
    suit = tricks.SUIT_CARDS[card // tricks.RANKS]
    cost = LATER * (ahead(partners, position.hand & suit) - ahead(partners, left & suit))
    gained = (2 * takes - 1) * (trick + coming) + takes * bonus - cost
    if ours and position.led < 0 and suit == tricks.TRUMP_CARDS[position.ranking]:
        gained += DRAWN * trumps_drawn(partners)
    return gained


def trumps_drawn(partners: Partners) -> float:
    """How many trumps a lead of trumps should draw from the other side."""
    trump = partners.position.trump
    return sum([1 - partners.void(seat, trump) for seat in partners.opponents])


def ahead(partners: Partners, held: int) -> float:
    """What cards of one suit are worth in the tricks to come, be they ranked one way or both."""
    if not held:
        return 0.0
    rankings = partners.position.rankings[1:]
    return sum(
        rankings.count(ranking) / len(rankings) * ahead_by(partners, held, ranking)
        for ranking in set(rankings)
    )


def ahead_by(partners: Partners, held: int, ranking: int) -> float:
    """The same where all tricks to come rank alike."""
    position = partners.position
    suit = (held.bit_length() - 1) // tricks.RANKS
    top = 1.0 if suit == ranking else master(partners, ranking)
    worth = higher = 0.0
    lower = held.bit_count()
    for card in LADDERS[ranking][suit]:
        if held >> card & 1:
            lower -= 1
            if suit == ranking:
                takes = HIGHER_TRUMP**higher
            else:
                takes = top * BEATEN**higher * UNGUARDED ** max(0.0, higher - lower)
            worth += takes * (TRICK + tricks.card_points(card, position.valued))
        elif position.unseen >> card & 1:
            higher += partners.against[card]
    return worth


def master(partners: Partners, ranking: int) -> float:
    """The chance of the best card of a plain suit to take a trick."""
    if not tricks.TRUMP_CARDS[ranking]:
        return MASTER_WITHOUT_TRUMP
    trumps = tricks.TRUMP_CARDS[ranking] & partners.position.unseen
    out = sum([partners.against[card] for card in members(trumps)])
    return MASTER - RUFFED * min(1.0, out / MANY_TRUMPS)
