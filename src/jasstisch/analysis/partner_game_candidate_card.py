"""Facts about a card in games of two sides: which side wins the trick (CT1).

As in `analysis.candidate_card`, they follow from what the seat can see. A side wins the trick *for
certain* if no opponent who is still to play can hold a card that beats the best one; a partner who
beats it changes nothing.
"""

from functools import cached_property

from jasstisch.analysis.candidate_card import CandidateCard, WinStatus
from jasstisch.bots import View
from jasstisch.bots.greedy.trick_estimates import higher_cards_of_suit
from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS, cards_in_set


class PartnerGameCandidateCard(CandidateCard):
    """A card that a seat may play, with the facts about it for its side.

    Args:
        view: the view of the seat, once a contract is announced.
        card: text of the card.

    Attributes:
        seat: the seat that plays.
        partner: the seat of the partner.
        opponents: the seats of the other side, the next one in order of play first.
    """

    def __init__(self, view: View, card: str) -> None:
        super().__init__(view, card, discard_makes_trump=False)
        self.seat = self.position.seat
        self.partner = (self.seat + 2) % 4
        self.opponents = ((self.seat + 1) % 4, (self.seat + 3) % 4)

    # Holdings.

    def possible_cards(self, seat: int) -> int:
        """Returns the unseen cards that another seat may hold, by its play, as a set."""
        return self.position.unseen & ~self.position.void[seat]

    def has_shown_void(self, seat: int, suit: int) -> bool:
        """Returns whether a seat has shown a void in a suit of which some cards are unseen."""
        cards = tricks.SUIT_CARDS[suit]
        return bool(self.position.unseen & cards) and not self.possible_cards(seat) & cards

    def may_hold_trumps(self, seat: int) -> bool:
        """Returns whether a seat may hold trumps."""
        return bool(self.possible_cards(seat) & tricks.TRUMP_CARDS[self.ranking])

    def can_draw_trumps_from(self, *seats: int) -> bool:
        """Returns whether a seat may hold a trump that a lead draws; the Bur is exempt."""
        drawn = tricks.TRUMP_CARDS[self.ranking] & ~tricks.BURS[self.ranking]
        return any(self.possible_cards(seat) & drawn for seat in seats)

    # Trick.

    @property
    def follows(self) -> bool:
        """Whether it follows the suit led by another player."""
        return self.suit == self.position.led

    @property
    def is_discard(self) -> bool:
        """Whether it can win nothing: neither the suit led nor a trump."""
        return not self.leads and not self.follows and not self.is_trump

    @property
    def partner_ahead(self) -> bool:
        """Whether the best card of the trick is the partner's."""
        return not self.leads and self.position.winner == self.partner

    @property
    def best_card_text(self) -> str:
        """The best card of the trick, in which a card lies."""
        return JASS.texts[self.position.best]

    def beaters(self, card: int) -> int:
        """Returns all cards that beat a card in this trick, as a set."""
        cards = higher_cards_of_suit(card, self.ranking)
        if card // tricks.RANKS != self.ranking:
            cards |= tricks.TRUMP_CARDS[self.ranking]
        return cards

    def seats_may_beat(self, seats: tuple[int, ...], card: int) -> bool:
        """Returns whether one of these seats is still to play and may beat a card."""
        beaters = self.beaters(card)
        return any(
            seat in self.position.to_come and self.possible_cards(seat) & beaters for seat in seats
        )

    @cached_property
    def partner_is_sure(self) -> bool:
        """Whether the partner's card beats the opponents for certain."""
        return self.partner_ahead and not self.seats_may_beat(self.opponents, self.position.best)

    @cached_property
    def side_win_status(self) -> WinStatus:
        """Whether the own side wins the trick, as far as the seat can know."""
        if self.is_best_so_far or self.partner_ahead:
            best = self.number if self.is_best_so_far else self.position.best
            return "open" if self.seats_may_beat(self.opponents, best) else "sure"
        return "open" if self.seats_may_beat((self.partner,), self.position.best) else "lost"

    # Round.

    @cached_property
    def later_ranking(self) -> int | None:
        """The ranking of all later tricks; None if they differ or there are none."""
        rankings = set(self.position.rankings[1:])
        return rankings.pop() if len(rankings) == 1 else None

    def higher_later_count(self, card: int) -> int:
        """Returns how many unseen cards of its suit beat a card in the later tricks."""
        assert self.later_ranking is not None
        return (self.position.unseen & higher_cards_of_suit(card, self.later_ranking)).bit_count()

    def best_later(self, cards: int) -> int:
        """Returns the best of some cards of its suit in the later tricks."""
        assert self.later_ranking is not None
        ranking = self.later_ranking
        return min(
            cards_in_set(cards), key=lambda card: higher_cards_of_suit(card, ranking).bit_count()
        )

    @property
    def own_suit_cards_left(self) -> int:
        """The cards of its suit that stay in the hand, as a set."""
        return self.position.hand & tricks.SUIT_CARDS[self.suit] & ~(1 << self.number)

    @property
    def own_side_announced(self) -> bool:
        """Whether the own side announced."""
        return (int(self.view["by"]) - self.seat) % 2 == 0

    @property
    def sides_with_tricks(self) -> set[int]:
        """The sides that have won a trick."""
        return {one["winner"] % 2 for one in self.view["tricks"]}

    @property
    def suit_letter(self) -> str:
        """The letter of its suit."""
        return self.letter_of_suit(self.suit)
