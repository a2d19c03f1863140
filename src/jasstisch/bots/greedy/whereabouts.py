"""Where the cards may be at I Doubt It, counted from all that a seat has seen go by.

Each card that is not one's own has a chance to lie in each hand and in the middle. Cards turned up,
one's own cards laid and cards that are known to lie on top are followed exactly; when somebody
lays cards unseen, a part of every card he may hold goes with them, a bigger one of the rank he
claims. That is no exact inference, but it never forgets who took what.
"""

from collections.abc import Iterable, Sequence

from jasstisch.bots import View
from jasstisch.games.i_doubt_it import PACK

__all__ = ["Whereabouts", "at_least"]

CARDS = len(PACK.texts)
RANKS = len(PACK.ranks)
SUITS = CARDS // RANKS

BELIEVED = 0.4
"""How often a claim that nobody has doubted is taken for true."""

PART = 0.9
"""The most that is thought gone of any card: who still holds cards may hold just this one."""

PASSED = 0.2
"""How much less likely who passes holds a card of the rank claimed, which could disprove it."""

DOUBTED = 3.0
"""How much more likely who doubts holds one."""

SURE = 0.999
"""Cards so surely in a hand are not thought over."""


def at_least(count: int, chances: Sequence[float]) -> float:
    """The chance that at least so many of some independent things happen."""
    exactly = [1.0] + [0.0] * len(chances)
    for number, chance in enumerate(chances, start=1):
        for happened in range(number, 0, -1):
            exactly[happened] += chance * (exactly[happened - 1] - exactly[happened])
        exactly[0] *= 1 - chance
    return sum(exactly[count:])


class Whereabouts:
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
        self.hand = [PACK.numbers[text] for text in view["hand"]]
        players = len(view["players"])
        self.sizes = [CARDS // players] * players
        self.caught = [0] * players
        self.proved = [0] * players
        self.claims = [0] * players
        surplus = CARDS % players
        self.pile: list[int | None] = [None] * surplus
        self.deal(view["turns"], surplus)
        for turn in view["turns"]:
            self.draw(turn)
            if turn["count"]:
                self.hear(turn)
                if not (turn is view["turns"][-1] and view["claim"]):
                    self.lay(turn)
        self.settle_up()

    @property
    def middle(self) -> list[float]:
        """The chance of each card to lie in the middle."""
        return self.places[-1]

    def deal(self, turns: Sequence[View], surplus: int) -> None:
        """Spreads all cards but one's own over the other hands and the surplus, by their sizes."""
        own = set(self.hand)
        for turn in turns:
            if turn["seat"] == self.seat:
                own.update(PACK.numbers[text] for text in turn["laid"])
        spread = [0.0 if seat == self.seat else float(n) for seat, n in enumerate(self.sizes)]
        spread.append(float(surplus))
        whole = sum(spread)
        self.places = [
            [0.0 if card in own else share / whole for card in range(CARDS)] for share in spread
        ]

    def put(self, cards: Iterable[int], place: int) -> None:
        """These cards are known to be at this place now; one's own hand is no place."""
        for card in cards:
            for chances in self.places:
                chances[card] = 0.0
            if place != self.seat:
                self.places[place][card] = 1.0

    def draw(self, turn: View) -> None:
        """Somebody draws from the top of the middle (ID5)."""
        seat, number = turn["seat"], turn["drew"]
        if not number:
            return
        part = number / len(self.pile)
        drawn = [self.pile.pop() for _ in range(number)]
        self.sizes[seat] += number
        if seat == self.seat:
            self.put([PACK.numbers[text] for text in turn["drawn"]], seat)
            return
        known = {card for card in self.pile if card is not None}
        middle, hand = self.middle, self.places[seat]
        for card in range(CARDS):
            if middle[card] and card not in known:
                hand[card] += part * middle[card]
                middle[card] -= part * middle[card]
        self.put([card for card in drawn if card is not None], seat)

    def hear(self, turn: View) -> None:
        """Who passes hardly holds the cards that would disprove the claim; who doubts may."""
        rank = PACK.ranks.index(turn["rank"])
        for seat in turn["passed"]:
            if seat != self.seat:
                self.weigh(seat, rank, PASSED)
        if turn["doubter"] not in (None, self.seat):
            self.weigh(turn["doubter"], rank, DOUBTED)

    def weigh(self, seat: int, rank: int, factor: float) -> None:
        """Cards of a rank are less or more likely in a hand than was thought."""
        places = self.places
        hand = places[seat]
        for card in range(rank, CARDS, RANKS):
            here = hand[card]
            if 0 < here < SURE:
                scale = 1 / (1 + (factor - 1) * here)
                for chances in places:
                    chances[card] *= scale
                hand[card] *= factor

    def lay(self, turn: View) -> None:
        """Somebody lays cards, and they are settled where they belong (ID3, ID4)."""
        seat, count = turn["seat"], turn["count"]
        if turn["laid"] is None:
            self.move_unseen(seat, count, turn["rank"])
            self.pile += [None] * count
        else:
            laid = [PACK.numbers[text] for text in turn["laid"]]
            self.put(laid, -1)
            self.pile += laid
        self.sizes[seat] -= count
        self.claims[seat] += 1
        if turn["doubter"] is not None:
            tally = self.proved if turn["truth"] else self.caught
            tally[seat] += 1
            self.take(turn["taker"])

    def move_unseen(self, seat: int, count: int, rank: str) -> None:
        """A part of each card of a hand goes into the middle, more of the rank claimed."""
        hand, middle = self.places[seat], self.middle
        claimed = PACK.ranks.index(rank)
        there = sum(hand[claimed::RANKS])
        left = sum(hand) - there
        of_claimed = min(PART, BELIEVED * count / there) if there else 0.0
        of_others = min(PART, (count - of_claimed * there) / left) if left else 0.0
        for card in range(CARDS):
            if hand[card]:
                part = hand[card] * (of_claimed if card % RANKS == claimed else of_others)
                hand[card] -= part
                middle[card] += part

    def take(self, taker: int) -> None:
        """The whole middle goes to a seat; what one has not taken oneself was not there."""
        self.sizes[taker] += len(self.pile)
        self.pile.clear()
        middle = self.middle
        if taker == self.seat:
            for card in [card for card in range(CARDS) if middle[card]]:
                middle[card] = 0.0
                self.share_out(card)
            return
        hand = self.places[taker]
        self.places[taker] = [one + other for one, other in zip(hand, middle, strict=True)]
        self.places[-1] = [0.0] * CARDS

    def settle_up(self) -> None:
        """Makes the chances fit the sizes of the hands, and each card be somewhere."""
        self.put(self.hand, self.seat)
        own = set(self.hand)
        room = [*self.sizes, len(self.pile)]
        room[self.seat] = 0
        for _ in range(2):
            for place, chances in enumerate(self.places):
                held = sum(chances)
                if held:
                    scale = room[place] / held
                    self.places[place] = [chance * scale for chance in chances]
            for card in range(CARDS):
                if card not in own:
                    self.share_out(card)

    def share_out(self, card: int) -> None:
        """Makes the chances of a card to be at one place or another come to 1."""
        whole = sum([chances[card] for chances in self.places])
        for chances in self.places:
            chances[card] = chances[card] / whole if whole else 0.0

    # What one wants to know.

    def holds(self, seat: int, rank: int, count: int) -> float:
        """The chance that a seat holds at least so many cards of a rank (by index)."""
        return at_least(count, self.places[seat][rank::RANKS])

    def own(self, rank: int) -> list[int]:
        """One's own cards of a rank (by index)."""
        return [card for card in self.hand if card % RANKS == rank]
