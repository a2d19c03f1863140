"""Where the cards may be at I Doubt It, counted from all that a seat has seen go by.

Each card that is not one's own has a chance to lie in each hand and in the middle. Cards turned up,
one's own cards laid and cards that are known to lie on top are followed exactly; when somebody
lays cards unseen, a part of every card he may hold goes with them, a bigger one of the rank he
claims. That is no exact inference, but it never forgets who took what.
"""

from collections.abc import Iterable, Sequence

from jasstisch.bots.api import View
from jasstisch.games.i_doubt_it import FULL_DECK

__all__ = ["CardTracker", "poisson_binomial_tail"]

CARDS = len(FULL_DECK.texts)
RANKS = len(FULL_DECK.ranks)
SUITS = CARDS // RANKS

CLAIM_TRUE_RATE = 0.4
"""How often a claim that nobody has doubted is taken for true."""

MAX_GONE = 0.9
"""The most that is thought gone of any card: who still holds cards may hold just this one."""

PASS_FACTOR = 0.2
"""How much less likely who passes holds a card of the rank claimed, which could disprove it."""

DOUBT_FACTOR = 3.0
"""How much more likely who doubts holds one."""

CERTAIN = 0.999
"""Cards so surely in a hand are not thought over."""


def poisson_binomial_tail(count: int, chances: Sequence[float]) -> float:
    """The chance that at least so many of some independent things happen."""
    exactly = [1.0] + [0.0] * len(chances)
    for number, chance in enumerate(chances, start=1):
        for happened in range(number, 0, -1):
            exactly[happened] += chance * (exactly[happened - 1] - exactly[happened])
        exactly[0] *= 1 - chance
    return sum(exactly[count:])


class CardTracker:
    """What a seat may conclude about the cards it does not hold.

    An open claim is not yet counted: its cards still belong to the hand of their layer, which is
    just what one has to know to judge it.

    Args:
        view: the view of a seat.

    Attributes:
        seat: who looks.
        hand: the cards held, as numbers.
        sizes: cards in each hand, with those of an open claim.
        places: for each seat, and last the middle, the chance of each card to be there.
        caught: for each seat how many of its claims were turned up false.
        proved: and how many true.
    """

    def __init__(self, view: View) -> None:
        self.seat: int = view["seat"]
        self.hand = [FULL_DECK.numbers[text] for text in view["hand"]]
        players = len(view["players"])
        self.sizes = [CARDS // players] * players
        self.lies_caught = [0] * players
        self.proven_cards = [0] * players
        self.claim_counts = [0] * players
        surplus = CARDS % players
        self.middle_size: list[int | None] = [None] * surplus
        self.init_uniform(view["turns"], surplus)
        for turn in view["turns"]:
            self.on_draw(turn)
            if turn["count"]:
                self.on_answers(turn)
                if not (turn is view["turns"][-1] and view["claim"]):
                    self.on_lay(turn)
        self.rebalance()

    @property
    def middle_probabilities(self) -> list[float]:
        """The chance of each card to lie in the middle."""
        return self.probabilities[-1]

    def init_uniform(self, turns: Sequence[View], surplus: int) -> None:
        """Spreads all cards but one's own over the other hands and the surplus, by their sizes."""
        own = set(self.hand)
        for turn in turns:
            if turn["seat"] == self.seat:
                own.update(FULL_DECK.numbers[text] for text in turn["laid"])
        spread = [0.0 if seat == self.seat else float(n) for seat, n in enumerate(self.sizes)]
        spread.append(float(surplus))
        whole = sum(spread)
        self.probabilities = [
            [0.0 if card in own else share / whole for card in range(CARDS)] for share in spread
        ]

    def place_cards(self, cards: Iterable[int], place: int) -> None:
        """These cards are known to be at this place now; one's own hand is no place."""
        for card in cards:
            for chances in self.probabilities:
                chances[card] = 0.0
            if place != self.seat:
                self.probabilities[place][card] = 1.0

    def on_draw(self, turn: View) -> None:
        """Somebody draws from the top of the middle (ID5)."""
        seat, number = turn["seat"], turn["drew"]
        if not number:
            return
        part = number / len(self.middle_size)
        drawn = [self.middle_size.pop() for _ in range(number)]
        self.sizes[seat] += number
        if seat == self.seat:
            self.place_cards([FULL_DECK.numbers[text] for text in turn["drawn"]], seat)
            return
        known = {card for card in self.middle_size if card is not None}
        middle, hand = self.middle_probabilities, self.probabilities[seat]
        for card in range(CARDS):
            if middle[card] and card not in known:
                hand[card] += part * middle[card]
                middle[card] -= part * middle[card]
        self.place_cards([card for card in drawn if card is not None], seat)

    def on_answers(self, turn: View) -> None:
        """Who passes hardly holds the cards that would disprove the claim; who doubts may."""
        rank = FULL_DECK.ranks.index(turn["rank"])
        for seat in turn["passed"]:
            if seat != self.seat:
                self.scale_rank(seat, rank, PASS_FACTOR)
        if turn["doubter"] not in (None, self.seat):
            self.scale_rank(turn["doubter"], rank, DOUBT_FACTOR)

    def scale_rank(self, seat: int, rank: int, factor: float) -> None:
        """Cards of a rank are less or more likely in a hand than was thought."""
        places = self.probabilities
        hand = places[seat]
        for card in range(rank, CARDS, RANKS):
            here = hand[card]
            if 0 < here < CERTAIN:
                scale = 1 / (1 + (factor - 1) * here)
                for chances in places:
                    chances[card] *= scale
                hand[card] *= factor

    def on_lay(self, turn: View) -> None:
        """Somebody lays cards, and they are settled where they belong (ID3, ID4)."""
        seat, count = turn["seat"], turn["count"]
        if turn["laid"] is None:
            self.move_to_middle(seat, count, turn["rank"])
            self.middle_size += [None] * count
        else:
            laid = [FULL_DECK.numbers[text] for text in turn["laid"]]
            self.place_cards(laid, -1)
            self.middle_size += laid
        self.sizes[seat] -= count
        self.claim_counts[seat] += 1
        if turn["doubter"] is not None:
            tally = self.proven_cards if turn["truth"] else self.lies_caught
            tally[seat] += 1
            self.on_take(turn["taker"])

    def move_to_middle(self, seat: int, count: int, rank: str) -> None:
        """A part of each card of a hand goes into the middle, more of the rank claimed."""
        hand, middle = self.probabilities[seat], self.middle_probabilities
        claimed = FULL_DECK.ranks.index(rank)
        there = sum(hand[claimed::RANKS])
        left = sum(hand) - there
        of_claimed = min(MAX_GONE, CLAIM_TRUE_RATE * count / there) if there else 0.0
        of_others = min(MAX_GONE, (count - of_claimed * there) / left) if left else 0.0
        for card in range(CARDS):
            if hand[card]:
                part = hand[card] * (of_claimed if card % RANKS == claimed else of_others)
                hand[card] -= part
                middle[card] += part

    def on_take(self, taker: int) -> None:
        """The whole middle goes to a seat; what one has not taken oneself was not there."""
        self.sizes[taker] += len(self.middle_size)
        self.middle_size.clear()
        middle = self.middle_probabilities
        if taker == self.seat:
            for card in [card for card in range(CARDS) if middle[card]]:
                middle[card] = 0.0
                self.normalize_card(card)
            return
        hand = self.probabilities[taker]
        self.probabilities[taker] = [one + other for one, other in zip(hand, middle, strict=True)]
        self.probabilities[-1] = [0.0] * CARDS

    def rebalance(self) -> None:
        """Makes the chances fit the sizes of the hands, and each card be somewhere."""
        self.place_cards(self.hand, self.seat)
        own = set(self.hand)
        room = [*self.sizes, len(self.middle_size)]
        room[self.seat] = 0
        for _ in range(2):
            for place, chances in enumerate(self.probabilities):
                held = sum(chances)
                if held:
                    scale = room[place] / held
                    self.probabilities[place] = [chance * scale for chance in chances]
            for card in range(CARDS):
                if card not in own:
                    self.normalize_card(card)

    def normalize_card(self, card: int) -> None:
        """Makes the chances of a card to be at one place or another come to 1."""
        whole = sum([chances[card] for chances in self.probabilities])
        for chances in self.probabilities:
            chances[card] = chances[card] / whole if whole else 0.0

    # What one wants to know.

    def probability_holds(self, seat: int, rank: int, count: int) -> float:
        """The chance that a seat holds at least so many cards of a rank (by index)."""
        return poisson_binomial_tail(count, self.probabilities[seat][rank::RANKS])

    def own_count(self, rank: int) -> list[int]:
        """One's own cards of a rank (by index)."""
        return [card for card in self.hand if card % RANKS == rank]
