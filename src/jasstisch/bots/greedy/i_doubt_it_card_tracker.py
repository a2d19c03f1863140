"""Card tracking at I Doubt It: probabilities of card locations, from all that a seat has seen.

Each card outside the seat's own hand has a probability for each other hand and for the middle.
Cards turned up, the seat's own cards and cards known to lie on top are tracked exactly. When
another seat lays cards unseen, a fraction of every card it may hold moves with them, a larger one
of the claimed rank. This is not exact inference, but it keeps track of who took which cards.
"""

from collections.abc import Iterable, Sequence

from jasstisch.bots.api import View
from jasstisch.games.i_doubt_it import FULL_DECK

_CARDS = len(FULL_DECK.texts)
RANKS = len(FULL_DECK.ranks)
SUITS = _CARDS // RANKS

_CLAIM_TRUE_RATE = 0.4
"""The probability with which a claim that nobody has doubted is taken to be true."""

_MAX_GONE = 0.9
"""The largest fraction of a card that leaves a hand: a seat with cards left may still hold it."""

_PASS_FACTOR = 0.2
"""The likelihood ratio that a seat that passes holds a card of the claimed rank.

Such a card could disprove the claim.
"""

_DOUBT_FACTOR = 3.0
"""The same ratio for a seat that doubts."""

_CERTAIN = 0.999
"""Cards that lie in a hand with at least this probability are not updated any more."""


def poisson_binomial_tail(count: int, chances: Sequence[float]) -> float:
    """The probability that at least `count` of some independent events happen."""
    exactly = [1.0] + [0.0] * len(chances)
    for number, chance in enumerate(chances, start=1):
        for happened in range(number, 0, -1):
            exactly[happened] += chance * (exactly[happened - 1] - exactly[happened])
        exactly[0] *= 1 - chance
    return sum(exactly[count:])


class CardTracker:
    """Beliefs of a seat about the cards it does not hold.

    An open claim is not counted yet: its cards still belong to the hand of the seat that laid them,
    because the claim is judged by what that hand held.

    Args:
        view: the view of a seat.

    Attributes:
        seat: the seat whose beliefs these are.
        hand: its own cards, as numbers.
        sizes: cards in each hand, with those of an open claim.
        probabilities: for each seat, and last for the middle, the probability of each card to be
            there.
        caught_lie_counts: for each seat, how many of its claims were turned up as false.
        proven_true_counts: the same for claims turned up as true.
        claim_counts: the same for all its claims.
        middle_pile: the middle from bottom to top; a number for a known card, None for an unknown
            one.
    """

    def __init__(self, view: View) -> None:
        self.seat: int = view["seat"]
        self.hand = [FULL_DECK.numbers[text] for text in view["hand"]]
        players = len(view["players"])
        self.sizes = [_CARDS // players] * players
        self.caught_lie_counts = [0] * players
        self.proven_true_counts = [0] * players
        self.claim_counts = [0] * players
        surplus = _CARDS % players
        self.middle_pile: list[int | None] = [None] * surplus
        self.init_uniform(view["turns"], surplus)
        for turn in view["turns"]:
            self.on_draw(turn)
            if turn["count"]:
                self.on_claim_answers(turn)
                if not (turn is view["turns"][-1] and view["claim"]):
                    self.on_lay(turn)
        self.rebalance()

    @property
    def middle_probabilities(self) -> list[float]:
        """The probability of each card to lie in the middle."""
        return self.probabilities[-1]

    def init_uniform(self, turns: Sequence[View], surplus: int) -> None:
        """Spreads all other cards over the other hands and the surplus, by their sizes."""
        own = set(self.hand)
        for turn in turns:
            if turn["seat"] == self.seat:
                own.update(FULL_DECK.numbers[text] for text in turn["laid"])
        spread = [0.0 if seat == self.seat else float(n) for seat, n in enumerate(self.sizes)]
        spread.append(float(surplus))
        whole = sum(spread)
        self.probabilities = [
            [0.0 if card in own else share / whole for card in range(_CARDS)] for share in spread
        ]

    def record_location(self, cards: Iterable[int], place: int) -> None:
        """Records that cards are known to be at a place; the seat's own hand is not tracked."""
        for card in cards:
            for chances in self.probabilities:
                chances[card] = 0.0
            if place != self.seat:
                self.probabilities[place][card] = 1.0

    def on_draw(self, turn: View) -> None:
        """Updates the beliefs when a seat draws from the top of the middle (ID5)."""
        seat, number = turn["seat"], turn["drew"]
        if not number:
            return
        part = number / len(self.middle_pile)
        drawn = [self.middle_pile.pop() for _ in range(number)]
        self.sizes[seat] += number
        if seat == self.seat:
            self.record_location([FULL_DECK.numbers[text] for text in turn["drawn"]], seat)
            return
        known = {card for card in self.middle_pile if card is not None}
        middle, hand = self.middle_probabilities, self.probabilities[seat]
        for card in range(_CARDS):
            if middle[card] and card not in known:
                hand[card] += part * middle[card]
                middle[card] -= part * middle[card]
        self.record_location([card for card in drawn if card is not None], seat)

    def on_claim_answers(self, turn: View) -> None:
        """Updates the beliefs by the answers to a claim.

        A seat that passes hardly holds cards that would disprove the claim; a seat that doubts may
        hold them.
        """
        rank = FULL_DECK.ranks.index(turn["rank"])
        for seat in turn["passed"]:
            if seat != self.seat:
                self.scale_rank_probabilities(seat, rank, _PASS_FACTOR)
        if turn["doubter"] not in (None, self.seat):
            self.scale_rank_probabilities(turn["doubter"], rank, _DOUBT_FACTOR)

    def scale_rank_probabilities(self, seat: int, rank: int, factor: float) -> None:
        """Multiplies the probabilities of the cards of a rank in a hand by a factor."""
        places = self.probabilities
        hand = places[seat]
        for card in range(rank, _CARDS, RANKS):
            here = hand[card]
            if 0 < here < _CERTAIN:
                scale = 1 / (1 + (factor - 1) * here)
                for chances in places:
                    chances[card] *= scale
                hand[card] *= factor

    def on_lay(self, turn: View) -> None:
        """Updates the beliefs when a seat lays cards and the claim is settled (ID3, ID4)."""
        seat, count = turn["seat"], turn["count"]
        if turn["laid"] is None:
            self.move_to_middle(seat, count, turn["rank"])
            self.middle_pile += [None] * count
        else:
            laid = [FULL_DECK.numbers[text] for text in turn["laid"]]
            self.record_location(laid, -1)
            self.middle_pile += laid
        self.sizes[seat] -= count
        self.claim_counts[seat] += 1
        if turn["doubter"] is not None:
            tally = self.proven_true_counts if turn["truth"] else self.caught_lie_counts
            tally[seat] += 1
            self.on_middle_taken(turn["taker"])

    def move_to_middle(self, seat: int, count: int, rank: str) -> None:
        """Moves a fraction of each card of a hand into the middle, more of the claimed rank."""
        hand, middle = self.probabilities[seat], self.middle_probabilities
        claimed = FULL_DECK.ranks.index(rank)
        there = sum(hand[claimed::RANKS])
        left = sum(hand) - there
        of_claimed = min(_MAX_GONE, _CLAIM_TRUE_RATE * count / there) if there else 0.0
        of_others = min(_MAX_GONE, (count - of_claimed * there) / left) if left else 0.0
        for card in range(_CARDS):
            if hand[card]:
                part = hand[card] * (of_claimed if card % RANKS == claimed else of_others)
                hand[card] -= part
                middle[card] += part

    def on_middle_taken(self, taker: int) -> None:
        """Moves the whole middle to a seat; its contents become known to the one that took it."""
        self.sizes[taker] += len(self.middle_pile)
        self.middle_pile.clear()
        middle = self.middle_probabilities
        if taker == self.seat:
            for card in [card for card in range(_CARDS) if middle[card]]:
                middle[card] = 0.0
                self.normalize_card(card)
            return
        hand = self.probabilities[taker]
        self.probabilities[taker] = [one + other for one, other in zip(hand, middle, strict=True)]
        self.probabilities[-1] = [0.0] * _CARDS

    def rebalance(self) -> None:
        """Alternates two normalizations: each hand sums to its size, each card to 1."""
        self.record_location(self.hand, self.seat)
        own = set(self.hand)
        room = [*self.sizes, len(self.middle_pile)]
        room[self.seat] = 0
        for _ in range(2):
            for place, chances in enumerate(self.probabilities):
                held = sum(chances)
                if held:
                    scale = room[place] / held
                    self.probabilities[place] = [chance * scale for chance in chances]
            for card in range(_CARDS):
                if card not in own:
                    self.normalize_card(card)

    def normalize_card(self, card: int) -> None:
        """Scales the probabilities of a card so that they sum to 1."""
        whole = sum([chances[card] for chances in self.probabilities])
        for chances in self.probabilities:
            chances[card] = chances[card] / whole if whole else 0.0

    # Queries.

    def probability_holds(self, seat: int, rank: int, count: int) -> float:
        """The probability that a seat holds at least `count` cards of a rank (by index)."""
        return poisson_binomial_tail(count, self.probabilities[seat][rank::RANKS])

    def own_cards_of_rank(self, rank: int) -> list[int]:
        """The seat's own cards of a rank (by index)."""
        return [card for card in self.hand if card % RANKS == rank]
