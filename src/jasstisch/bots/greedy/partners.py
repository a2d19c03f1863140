"""What a player in two sides may work out: who holds a card, which side takes a trick.

All 36 cards are dealt, so an unseen card is with one of three others. With whom is estimated from
what they have played: who did not follow is void, who announced holds what the contract asks for,
and who has shown a Weis holds its cards. The trick in progress follows from that, card by card.

`jasstisch.env.partners` compiles these functions too; `greedy.outlook` says what that asks of them.
"""

from collections.abc import MutableSequence

from jasstisch import tricks
from jasstisch.bots import View
from jasstisch.bots.greedy.outlook import above
from jasstisch.bots.position import Position
from jasstisch.cards import JASS, card_set, members

__all__ = [
    "LADDERS", "OF_CONTRACTS", "SEATS", "Partners", "none_of", "points_to_come", "side_takes",
    "suppose", "void",
]  # fmt: skip

SEATS = 4

OF_CONTRACTS = tricks.RANKINGS[: tricks.BOTTOMS + 1]
"""The rankings that a trick may have once a contract is announced."""

LADDERS = tuple(
    tuple(
        tuple(sorted(members(suit), key=lambda card: above(card, ranking).bit_count()))
        for suit in tricks.SUIT_CARDS
    )
    for ranking in OF_CONTRACTS
)
"""For each ranking and suit its cards from the best one down."""

TRUMPS_OF_ANNOUNCER = 2.0
TOPS_OF_ANNOUNCER = 1.5
"""How much more likely than another who announced holds a card that the contract asks for."""

BEST_CARDS = 3
"""How many cards of a suit a contract without a trump asks for, from the best one down."""

ASKED_FOR = tuple(
    tricks.TRUMP_CARDS[ranking] or sum(card_set(one[:BEST_CARDS]) for one in LADDERS[ranking])
    for ranking in OF_CONTRACTS
)
"""The cards that a contract asks for, by the ranking by which its cards count."""

FREE_RUFF = 0.2
"""How often who could follow puts a trump all the same."""

LEAN = 0.5
"""By how much more than the mean a seat adds to a trick of its side, and less to one of others."""


class Partners(Position):
    """Where the unseen cards may be, as one of two sides of partners sees it.

    Args:
        view: the view of a seat, once a contract is announced.

    Attributes:
        by: the seat that has announced.
        later: for each of `OF_CONTRACTS` which part of the tricks after this one ranks so.
        shown: for each seat the cards it is known to have held, from the Weis shown.
        where: for each seat the chance of each card to be in its hand; one's own is left at 0.
        against: for each card the chance that it is with one of the other side.
    """

    __slots__ = ("against", "by", "later", "shown", "where")

    def __init__(self, view: View) -> None:
        super().__init__(view, discard_makes_trump=False)
        self.by: int = view["by"]
        later = self.rankings[1:]
        self.later = [later.count(ranking) / max(1, len(later)) for ranking in OF_CONTRACTS]
        self.shown = shown(view)
        self.where = [[0.0] * tricks.CARDS for _ in range(SEATS)]
        self.against = [0.0] * tricks.CARDS
        suppose(self)


def shown(view: View) -> list[int]:
    """For each seat the cards it is known to have held, from the Weis shown (SC3).

    The first meld is that of the seat named; the others may be its partner's.
    """
    known = [0] * SEATS
    weis = view["weis_shown"]
    if weis is None:
        return known
    seat = weis["seat"]
    alone = all(one["seat"] != (seat + 2) % SEATS for one in view["announced"])
    for meld in weis["melds"] if alone else weis["melds"][:1]:
        known[seat] |= card_set([JASS.numbers[card] for card in meld["cards"]])
    return known


def suppose(at: Partners) -> None:
    """Fills in `where` and `against`: each card is somewhere, and each hand as full as it is."""
    for seat in range(SEATS):
        if seat != at.seat:
            like(at, seat, at.where[seat])
    share_out(at)
    for seat in range(SEATS):
        if seat != at.seat:
            fill(at.sizes[seat], at.where[seat])
    share_out(at)
    left = at.unseen
    while left:
        card = (left & -left).bit_length() - 1
        left &= left - 1
        one, other = at.where[(at.seat + 1) % SEATS], at.where[(at.seat + 3) % SEATS]
        at.against[card] = one[card] + other[card]


def like(at: Partners, seat: int, row: MutableSequence[float]) -> None:
    """Writes how much the play so far speaks for each unseen card in the hand of another seat."""
    able = at.unseen & ~at.void[seat]
    for other in range(SEATS):
        if other != seat:
            able &= ~at.shown[other]
    asked = ASKED_FOR[at.valued] if seat == at.by else 0
    liked = TRUMPS_OF_ANNOUNCER if tricks.TRUMP_CARDS[at.valued] else TOPS_OF_ANNOUNCER
    while able:
        card = (able & -able).bit_length() - 1
        able &= able - 1
        row[card] = liked if asked >> card & 1 else 1.0


def share_out(at: Partners) -> None:
    """Makes the chances of each unseen card to be with one or another come to 1."""
    left = at.unseen
    while left:
        card = (left & -left).bit_length() - 1
        left &= left - 1
        whole = 0.0
        for seat in range(SEATS):
            whole += at.where[seat][card]
        for seat in range(SEATS):
            at.where[seat][card] /= whole


def fill(size: int, row: MutableSequence[float]) -> None:
    """Makes the chances of the cards in a hand come to its size."""
    held = 0.0
    for card in range(tricks.CARDS):
        held += row[card]
    if held:
        scale = size / held
        for card in range(tricks.CARDS):
            row[card] *= scale


def void(at: Partners, seat: int, suit: int) -> float:
    """The chance that a seat holds no card of a suit."""
    return none_of(at, seat, tricks.SUIT_CARDS[suit])


def none_of(at: Partners, seat: int, cards: int) -> float:
    """The chance that a seat holds none of these cards."""
    row = at.where[seat]
    chance = 1.0
    left = cards & at.unseen
    while left:
        card = (left & -left).bit_length() - 1
        left &= left - 1
        chance *= 1 - row[card]
    return chance


# The trick in progress.


def side_takes(at: Partners, card: int) -> float:
    """The chance that one's own side takes the trick in progress, if this card is played."""
    ours = at.winner == (at.seat + 2) % SEATS
    best = at.best
    if best < 0 or tricks.beats(card, best, at.ranking):
        best, ours = card, True
    led = card // tricks.RANKS if at.led < 0 else at.led
    takes = by_following(at, best, led, ours)
    if at.trump in (-1, led):
        return takes
    return after_ruffs(at, takes, best, led)


def by_following(at: Partners, best: int, led: int, ours: bool) -> float:
    """The chance of the side to have the best card once all who can have followed.

    The best card still out of the suit led that lies with a seat to come takes the trick.

    Args:
        at: what is known.
        best: the best card of the trick.
        led: the suit led.
        ours: whether the side has played it.
    """
    if best // tricks.RANKS != led:
        return 1.0 if ours else 0.0
    partner = (at.seat + 2) % SEATS
    takes, open_still = 0.0, 1.0
    for card in LADDERS[at.ranking][led]:
        if card == best:
            break
        if at.unseen >> card & 1:
            with_us = with_them = 0.0
            for seat in at.to_come:
                if seat == partner:
                    with_us = at.where[seat][card]
                else:
                    with_them += at.where[seat][card]
            takes += open_still * with_us
            open_still *= max(0.0, 1 - with_us - with_them)
    return takes + open_still if ours else takes


def after_ruffs(at: Partners, takes: float, best: int, led: int) -> float:
    """The same once those who cannot follow have trumped.

    Args:
        at: what is known.
        takes: the chance of the side if nobody did.
        best: the best card of the trick.
        led: the suit led, a plain one.
    """
    trumps = tricks.TRUMP_CARDS[at.ranking]
    if trumps >> best & 1:
        trumps = tricks.HIGHER_TRUMPS[best]
    for seat in at.to_come:
        lacks = void(at, seat, led)
        ruffs = (1 - none_of(at, seat, trumps)) * (lacks + FREE_RUFF * (1 - lacks))
        # Nobody trumps a trick of his own side.
        if seat == (at.seat + 2) % SEATS:
            takes += (1 - takes) * ruffs
        else:
            takes -= takes * ruffs
    return takes


def points_to_come(at: Partners, led: int, takes: float) -> float:
    """What the seats to come will add to the trick, good cards to the trick of their side.

    Args:
        at: what is known.
        led: the suit led.
        takes: the chance that one's own side takes the trick.
    """
    sure = 2 * takes - 1
    following = at.unseen & tricks.SUIT_CARDS[led]
    discards = at.unseen & ~following & ~tricks.TRUMP_CARDS[at.ranking]
    total = 0.0
    for seat in at.to_come:
        lacks = void(at, seat, led)
        mean = (1 - lacks) * mean_of(at, seat, following) + lacks * mean_of(at, seat, discards)
        total += mean * (1 + LEAN * (sure if seat == (at.seat + 2) % SEATS else -sure))
    return total


def mean_of(at: Partners, seat: int, cards: int) -> float:
    """What the card counts on average that a seat holds of these."""
    row = at.where[seat]
    points = held = 0.0
    while cards:
        card = (cards & -cards).bit_length() - 1
        cards &= cards - 1
        held += row[card]
        points += row[card] * tricks.card_points(card, at.valued)
    return points / held if held else 0.0
