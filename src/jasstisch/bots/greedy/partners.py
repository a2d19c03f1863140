"""What a player in two sides may work out: who holds a card, which side takes a trick.

All 36 cards are dealt, so an unseen card is with one of three others. With whom is estimated from
what they have played: who did not follow is void, who announced holds what the contract asks for,
and who has shown a Weis holds its cards. The trick in progress follows from that, card by card.
"""

from collections.abc import Sequence

from jasstisch import tricks
from jasstisch.bots import View
from jasstisch.bots.greedy.outlook import above
from jasstisch.bots.position import Position
from jasstisch.cards import JASS, card_set, members

__all__ = ["Partners"]

CARDS = 36

LADDERS = {
    ranking: tuple(
        tuple(sorted(members(suit), key=lambda card: above(card, ranking).bit_count()))
        for suit in tricks.SUIT_CARDS
    )
    for ranking in (*range(4), tricks.TOPS, tricks.BOTTOMS)
}
"""For each ranking and suit its cards from the best one down."""

TRUMPS_OF_ANNOUNCER = 2.0
TOPS_OF_ANNOUNCER = 1.5
"""How much more likely than another who announced holds a card that the contract asks for."""

ASKED_FOR = 3
"""How many cards of a suit a contract without a trump asks for, from the best one down."""

FREE_RUFF = 0.2
"""How often who could follow puts a trump all the same."""

LEAN = 0.5
"""By how much more than the mean a seat adds to a trick of its side, and less to one of others."""


class Partners:
    """Where the unseen cards may be, as one of two sides of partners sees it.

    Args:
        view: the view of a seat, once a contract is announced.
        position: the same for counting.

    Attributes:
        position: what is certain.
        partner: the seat of the partner.
        opponents: the seats of the other side.
        where: for each seat the chance of each card to be in its hand; one's own is left at 0.
        against: for each card the chance that it is with one of the other side.
    """

    def __init__(self, view: View, position: Position) -> None:
        self.position = position
        self.partner = (position.seat + 2) % 4
        self.opponents = ((position.seat + 1) % 4, (position.seat + 3) % 4)
        self.others = [seat for seat in range(4) if seat != position.seat]
        self.where = self.spread(self.likings(view))
        first, second = (self.where[seat] for seat in self.opponents)
        self.against = [one + other for one, other in zip(first, second, strict=True)]

    def likings(self, view: View) -> list[list[float]]:
        """For each seat how much the play so far speaks for each unseen card in its hand."""
        position = self.position
        likings = [[0.0] * CARDS for _ in range(4)]
        for seat in self.others:
            for card in members(position.unseen & ~position.void[seat]):
                likings[seat][card] = 1.0
        by: int = view["by"]
        if by != position.seat:
            asked, factor = asked_for(position)
            for card in members(position.unseen & asked):
                likings[by][card] *= factor
        for seat, cards in shown(view):
            for card in members(position.unseen & cards):
                for other in self.others:
                    likings[other][card] *= other == seat
        return likings

    def spread(self, likings: list[list[float]]) -> list[list[float]]:
        """Makes likings chances: each card is somewhere, and each hand as full as it is."""
        position = self.position
        unseen = list(members(position.unseen))
        for fill in (True, False):
            for card in unseen:
                whole = sum([likings[seat][card] for seat in self.others])
                for seat in self.others:
                    likings[seat][card] /= whole
            if fill:
                for seat in self.others:
                    held = sum(likings[seat])
                    scale = position.sizes[seat] / held if held else 0.0
                    likings[seat] = [chance * scale for chance in likings[seat]]
        return likings

    def void(self, seat: int, suit: int) -> float:
        """The chance that a seat holds no card of a suit."""
        return self.none_of(seat, tricks.SUIT_CARDS[suit])

    def none_of(self, seat: int, cards: int) -> float:
        """The chance that a seat holds none of these cards."""
        row = self.where[seat]
        chance = 1.0
        for card in members(cards & self.position.unseen):
            chance *= 1 - row[card]
        return chance

    # The trick in progress.

    def side_takes(self, card: int) -> float:
        """The chance that one's own side takes the trick in progress, if this card is played."""
        position = self.position
        ours = position.winner == self.partner
        best = position.best
        if best < 0 or tricks.beats(card, best, position.ranking):
            best, ours = card, True
        led = card // tricks.RANKS if position.led < 0 else position.led
        takes = self.by_following(best, led, ours=ours)
        if position.trump in (-1, led):
            return takes
        return self.after_ruffs(takes, best, led)

    def by_following(self, best: int, led: int, *, ours: bool) -> float:
        """The chance of the side to have the best card once all who can have followed.

        The best card still out of the suit led that lies with a seat to come takes the trick.

        Args:
            best: the best card of the trick.
            led: the suit led.
            ours: whether the side has played it.
        """
        position = self.position
        if best // tricks.RANKS != led:
            return float(ours)
        takes, open_still = 0.0, 1.0
        for card in LADDERS[position.ranking][led]:
            if card == best:
                break
            if position.unseen >> card & 1:
                with_us = with_them = 0.0
                for seat in position.to_come:
                    if seat == self.partner:
                        with_us = self.where[seat][card]
                    else:
                        with_them += self.where[seat][card]
                takes += open_still * with_us
                open_still *= max(0.0, 1 - with_us - with_them)
        return takes + open_still if ours else takes

    def after_ruffs(self, takes: float, best: int, led: int) -> float:
        """The same once those who cannot follow have trumped.

        Args:
            takes: the chance of the side if nobody did.
            best: the best card of the trick.
            led: the suit led, a plain one.
        """
        position = self.position
        trumps = tricks.TRUMP_CARDS[position.ranking]
        if trumps >> best & 1:
            trumps = tricks.HIGHER_TRUMPS[best]
        for seat in position.to_come:
            void = self.void(seat, led)
            ruffs = (1 - self.none_of(seat, trumps)) * (void + FREE_RUFF * (1 - void))
            # Nobody trumps a trick of his own side.
            if seat == self.partner:
                takes += (1 - takes) * ruffs
            else:
                takes -= takes * ruffs
        return takes

    def points_to_come(self, led: int, takes: float) -> float:
        """What the seats to come will add to the trick, good cards to the trick of their side.

        Args:
            led: the suit led.
            takes: the chance that one's own side takes the trick.
        """
        position = self.position
        sure = 2 * takes - 1
        following = position.unseen & tricks.SUIT_CARDS[led]
        discards = position.unseen & ~following & ~tricks.TRUMP_CARDS[position.ranking]
        total = 0.0
        for seat in position.to_come:
            void = self.void(seat, led)
            mean = (1 - void) * self.mean(seat, following) + void * self.mean(seat, discards)
            total += mean * (1 + LEAN * (sure if seat == self.partner else -sure))
        return total

    def mean(self, seat: int, cards: int) -> float:
        """What the card counts on average that a seat holds of these."""
        row, valued = self.where[seat], self.position.valued
        points = held = 0.0
        for card in members(cards):
            held += row[card]
            points += row[card] * tricks.card_points(card, valued)
        return points / held if held else 0.0


def asked_for(position: Position) -> tuple[int, float]:
    """The cards that a contract asks for, and how much likelier they are with the announcer."""
    if position.trump >= 0:
        return tricks.TRUMP_CARDS[position.trump], TRUMPS_OF_ANNOUNCER
    best = [ladder[:ASKED_FOR] for ladder in LADDERS[position.valued]]
    return sum(map(card_set, best)), TOPS_OF_ANNOUNCER


def shown(view: View) -> Sequence[tuple[int, int]]:
    """Seats and the cards they are known to have held, from the Weis shown (SC3).

    The first meld is that of the seat named; the others may be its partner's.
    """
    weis = view["weis_shown"]
    if weis is None:
        return ()
    seat = weis["seat"]
    alone = all(one["seat"] != (seat + 2) % 4 for one in view["announced"])
    melds = weis["melds"] if alone else weis["melds"][:1]
    return [(seat, card_set([JASS.numbers[card] for card in meld["cards"]])) for meld in melds]
