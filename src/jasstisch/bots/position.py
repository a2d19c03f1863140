"""The table from the point of view of one seat, in the integers of `jasstisch.engine.tricks`.

Views are made for people and for JSON; bots that play tricks need sets of cards. `Position`
translates a view once per move: the hand, the trick, the captured cards, the unseen cards, and the
suits in which a seat is known to be void.
"""

from collections.abc import Sequence

from jasstisch.bots.api import View
from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS, SIX_OF_DIAMONDS, SUITS, card_set
from jasstisch.games.contracts import CONTRACTS, ContractView
from jasstisch.games.handjass import HandjassView
from jasstisch.games.views import declares_keys

_CARD_NUMBERS = JASS.numbers


class Position:
    """The knowledge of one seat in the middle of a round of tricks.

    Args:
        view: the view of a seat.
        discard_makes_trump: whether the round began without trump (MV2).

    Attributes:
        seat: the seat whose knowledge this is.
        players: number of players.
        trump: trump suit, -1 while it is unknown or if there is none.
        value_ranking: the ranking by which cards count; equals the trump if no contract is
            announced.
        rankings: the rankings of the trick in progress and of later ones; before a contract is
            announced, and in games without contracts, only that of the trump.
        ranking: the ranking of the trick in progress.
        hand: set of the seat's own cards.
        trick: cards of the trick in progress, in order.
        lying: the same as a set.
        led: suit led, -1 when the trick is empty.
        best: best card of the trick, -1 when it is empty.
        winner: seat that played it; the seat itself when the trick is empty.
        to_come: seats that play to this trick after this one, in order.
        taken: set of cards each seat has captured in this round.
        unseen: set of the cards that may be in the hands of the others.
        absent: how many unseen cards are in no hand: laid away, dropped, or never dealt.
        sizes: number of cards in each hand.
        playing: seats that take part in the round, ascending.
        void: for each seat, the set of the cards it has shown not to hold.
        may_undertrump: whether a seat that holds the suit led may undertrump (C9).
    """

    __slots__ = (
        "absent", "best", "hand", "led", "lying", "may_undertrump", "players", "playing", "ranking",
        "rankings", "seat", "sizes", "taken", "to_come", "trick", "trump", "unseen",
        "value_ranking", "void", "winner",
    )  # fmt: skip

    def __init__(self, view: View, *, discard_makes_trump: bool) -> None:
        self.seat: int = view["seat"]
        self.players = len(view["players"])
        self.playing: Sequence[int] = range(self.players)
        laid_away = 0
        if declares_keys(view, HandjassView):
            self.playing = view["playing"]
            assert view["laid_away"] is not None, "a seat sees what it has laid away"
            laid_away = card_set([_CARD_NUMBERS[text] for text in view["laid_away"]])
            laid_away |= 1 << _CARD_NUMBERS[view["turned"]] if view["turned"] else 0
        self.trump = SUITS.index(view["trump"]) if view["trump"] else -1
        self.read_rankings(view)
        self.hand = card_set([_CARD_NUMBERS[text] for text in view["hand"]])
        self.sizes: list[int] = view["hand_sizes"]
        self.trick = [_CARD_NUMBERS[text] for _, text in view["trick"]]
        leader: int = view["trick"][0][0] if self.trick else self.seat
        self.read_trick(leader)
        self.taken = [0] * self.players
        played = []
        for one in view["tricks"]:
            cards = [_CARD_NUMBERS[text] for text in one["cards"]]
            self.taken[one["winner"]] |= card_set(cards)
            played.append((one["leader"], cards))
        played.append((leader, self.trick))
        seen = self.hand | sum(self.taken) | self.lying | laid_away
        # Five play without the six of diamonds (MV1).
        self.unseen = tricks.WHOLE_PACK & ~seen
        if self.players == 5:
            self.unseen &= ~(1 << SIX_OF_DIAMONDS)
        self.absent = self.unseen.bit_count() - sum(self.sizes) + self.sizes[self.seat]
        self.void = [0] * self.players
        self.may_undertrump = view["options"]["undertrump"] == "free"
        self.read_voids(played, -1 if discard_makes_trump else self.value_ranking)

    def read_rankings(self, view: View) -> None:
        """Sets the rankings of this trick and later ones, and the card values (CT4, CT5)."""
        if not declares_keys(view, ContractView) or view["contract"] is None:
            self.value_ranking = self.ranking = self.trump
            self.rankings: tuple[int, ...] = (self.trump,)
            return
        contract = CONTRACTS[view["contract"]]
        self.value_ranking = contract.value_ranking
        self.rankings = contract.rankings[len(view["tricks"]) :]
        self.ranking = self.rankings[0]

    def order_from(self, seat: int) -> list[int]:
        """The seats of the round in order of play, starting with this one (C4)."""
        start = self.playing.index(seat)
        return [*self.playing[start:], *self.playing[:start]]

    def read_trick(self, leader: int) -> None:
        """Finds the suit led, the best card and its seat, and the seats still to play."""
        self.lying = card_set(self.trick)
        self.led = self.best = -1
        self.winner = self.seat
        order = self.order_from(leader)
        for step, card in enumerate(self.trick):
            if step == 0:
                self.led = card // tricks.RANKS
            if step == 0 or tricks.beats(card, self.best, self.ranking):
                self.best = card
                self.winner = order[step]
        self.to_come = order[len(self.trick) + 1 :]

    def read_voids(self, played: Sequence[tuple[int, Sequence[int]]], trump: int) -> None:
        """Finds the cards that a seat cannot hold because it did not follow suit (C8).

        Args:
            played: leader and cards of each trick in order, the trick in progress included.
            trump: the trump suit at the beginning; -1 if the first discard makes it. A ranking
                without trump is no suit, so a seat that does not follow is then void (CT4).
        """
        for leader, cards in played:
            led = cards[0] // tricks.RANKS if cards else -1
            top = -1
            for seat, card in zip(self.order_from(leader), cards, strict=False):
                below = is_undertrump(card, top, trump)
                if not (below and self.may_undertrump):
                    self.void[seat] |= cards_ruled_out(card, led, trump, below)
                trump = tricks.trump_after(card, led, trump)
                if card // tricks.RANKS == trump != led and not below:
                    top = card


def is_undertrump(card: int, top: int, trump: int) -> bool:
    """Whether a card is a trump below the highest one of the trick."""
    return card // tricks.RANKS == trump and top >= 0 and not tricks.beats(card, top, trump)


def cards_ruled_out(card: int, led: int, trump: int, below: bool) -> int:
    """The set of the cards that a seat shows it does not hold by playing a card (C8).

    Args:
        card: the card.
        led: the suit led.
        trump: the trump suit before it is played.
        below: whether it is a trump below another one; only a seat void in the suit led may play
            such a trump (C9).
    """
    suit = card // tricks.RANKS
    # A trump on a plain suit proves nothing: a seat that holds the suit may play it too (C8d).
    if suit == led or (suit == trump and not below):
        return 0
    # The Bur is free where trumps are led (C8c).
    return tricks.SUIT_CARDS[led] & ~(tricks.BURS[led] if led == trump else 0)
