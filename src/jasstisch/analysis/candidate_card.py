"""Facts about a card that may be played: whether it can win the trick, and the points at stake.

They follow from what the seat itself can see: its hand, the table, the tricks played, and the voids
shown by others.
"""

from functools import cached_property
from typing import Literal

from jasstisch.bots import View
from jasstisch.bots.greedy.trick_estimates import higher_cards_of_suit
from jasstisch.bots.position import Position
from jasstisch.engine import melds, tricks
from jasstisch.engine.cards import JASS, SUITS, card_set

WinStatus = Literal["sure", "open", "lost"]
"""Whether a card wins the trick for certain, perhaps, or not at all."""


class CandidateCard:
    """A card that a seat may play, with the facts about it.

    Args:
        view: the view of the seat.
        card: text of the card.
        discard_makes_trump: whether the round began without trump (MV2).

    Attributes:
        view: the view.
        text: the card's text.
        number: the card as a number.
        position: the knowledge of the seat.
        trump: the trump suit once the card is played, -1 if there is none.
        ranking: the ranking of the trick once the card is played.
        value_ranking: the ranking by which cards then count.
        makes_trump: whether this card makes trump.
    """

    def __init__(self, view: View, card: str, *, discard_makes_trump: bool) -> None:
        self.view = view
        self.text = card
        self.number = JASS.numbers[card]
        self.position = Position(view, discard_makes_trump=discard_makes_trump)
        self.trumpless_start = discard_makes_trump
        before = self.position.trump
        self.trump, self.ranking = before, self.position.ranking
        self.value_ranking = self.position.value_ranking
        if discard_makes_trump:
            self.trump = tricks.trump_after(self.number, self.position.led, before)
            self.ranking = self.value_ranking = self.trump
        self.makes_trump = self.trump != before

    # Card.

    @property
    def suit(self) -> int:
        """Its suit, as a number."""
        return self.number // tricks.RANKS

    @property
    def is_trump(self) -> bool:
        """Whether it is a trump once it is played."""
        return self.suit == self.trump

    @property
    def card_value(self) -> int:
        """Its points."""
        return tricks.card_points(self.number, self.value_ranking)

    @property
    def leads(self) -> bool:
        """Whether it leads to a trick."""
        return self.position.led < 0

    @property
    def is_last_of_suit(self) -> bool:
        """Whether it is the last card of its suit in the hand."""
        return self.position.hand & tricks.SUIT_CARDS[self.suit] == 1 << self.number

    @property
    def higher_unseen_count(self) -> int:
        """How many unseen cards of its suit rank above it."""
        return (self.position.unseen & higher_cards_of_suit(self.number, self.ranking)).bit_count()

    @property
    def lower_unseen_count(self) -> int:
        """How many unseen cards of its suit rank below it."""
        suit = (
            tricks.SUIT_CARDS[self.suit]
            & ~higher_cards_of_suit(self.number, self.ranking)
            & ~(1 << self.number)
        )
        return (self.position.unseen & suit).bit_count()

    @property
    def unseen_trump_count(self) -> int:
        """How many trumps are unseen."""
        if self.trump < 0:
            return 0
        return (self.position.unseen & tricks.TRUMP_CARDS[self.trump]).bit_count()

    @property
    def own_other_trump_count(self) -> int:
        """How many trumps are in the hand besides this card."""
        if self.trump < 0:
            return 0
        held = self.position.hand & tricks.TRUMP_CARDS[self.trump] & ~(1 << self.number)
        return held.bit_count()

    # Trick.

    @cached_property
    def trick_with_card(self) -> int:
        """The cards of the trick with this one, as a set."""
        return card_set([*self.position.trick, self.number])

    @property
    def trick_points(self) -> int:
        """The points of the trick with this card, without bombs."""
        last = tricks.LAST_TRICK if self.position.hand == 1 << self.number else 0
        return tricks.points(self.trick_with_card, self.value_ranking) + last

    @property
    def is_best_so_far(self) -> bool:
        """Whether it is the best card of the trick so far."""
        return self.leads or tricks.beats(self.number, self.position.best, self.ranking)

    @cached_property
    def win_status(self) -> WinStatus:
        """Whether it wins the trick, as far as the seat can know."""
        if not self.is_best_so_far:
            return "lost"
        return "open" if self.beatable_in_suit or self.may_be_trumped else "sure"

    @cached_property
    def _cards_to_come(self) -> int:
        """The cards that the seats to come may hold, as a set."""
        cards = 0
        for seat in self.position.to_come:
            cards |= self.position.unseen & ~self.position.void[seat]
        return cards

    @property
    def beatable_in_suit(self) -> bool:
        """Whether a seat to come may hold a higher card of the same suit."""
        return bool(self._cards_to_come & higher_cards_of_suit(self.number, self.ranking))

    @property
    def may_be_trumped(self) -> bool:
        """Whether a seat to come may win the trick with a trump."""
        if self.is_trump:
            return False
        if self.trump >= 0:
            return bool(self._cards_to_come & tricks.TRUMP_CARDS[self.trump])
        # A player who cannot follow makes trump, and wins the trick with it (MV2).
        return self.trumpless_start and bool(self._cards_to_come & ~tricks.SUIT_CARDS[self.suit])

    @property
    def certain_winner_seat(self) -> int | None:
        """The winner of the trick if it is certain."""
        if self.win_status == "sure":
            return self.position.seat
        return self.position.winner if not self.position.to_come else None

    # Round.

    @property
    def seat_round_points(self) -> int:
        """The points of the seat in this round so far."""
        return int(self.view["points"][self.position.seat])

    @cached_property
    def completed_bomb(self) -> int:
        """The molotov that this card makes or extends, as a set; 0 if none (MV4)."""
        left = self.trick_with_card
        while run := melds.first_run(left):
            if run >> self.number & 1:
                return run
            left ^= run
        return 0

    @property
    def bomb_points(self) -> int:
        """The points of that molotov (MV5)."""
        weis = self.view["options"]["long_runs"] == "weis"
        return melds.molotov_points(self.completed_bomb, weis) if self.completed_bomb else 0

    @property
    def bomb_cards(self) -> str:
        """The cards of that molotov."""
        return " ".join(JASS.texts_of(self.completed_bomb))

    @property
    def bomb_threat_pair(self) -> str:
        """Two cards of the trick, with this one, that an unseen third completes to a molotov."""
        if self.completed_bomb:
            return ""
        for step in (1, 2):
            for low in (self.number - step, self.number):
                if low < 0 or low // tricks.RANKS != (low + step) // tricks.RANKS:
                    continue
                pair = 1 << low | 1 << low + step
                if (
                    pair & self.trick_with_card == pair
                    and self._completing(low, step) & self._cards_to_come
                ):
                    return " ".join(JASS.texts_of(pair))
        return ""

    @staticmethod
    def _completing(low: int, step: int) -> int:
        """Returns the cards that complete a run of three with a card and that `step` above it."""
        suit = tricks.SUIT_CARDS[low // tricks.RANKS]
        if step == 2:
            return 1 << low + 1
        return (1 << low + 2 | (1 << low) >> 1) & suit

    def letter_of_suit(self, suit: int) -> str:
        """Returns the letter of a suit."""
        return SUITS[suit]
