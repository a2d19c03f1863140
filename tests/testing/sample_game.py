"""A small game that is in order, for tests that break it in one place.

Each player gets three cards, bids in secret how many red ones they are, and lays them open in turn.
Whoever bid right gets a point; most points after some rounds win.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from jasstisch.engine.cards import JASS, card_set
from jasstisch.engine.errors import IllegalAction, Refusal
from jasstisch.games.options import Whole
from jasstisch.games.rules import COMMON_OPTIONS, REGISTRY, Game, Json, Rules

NAME = "sample"
HAND = 3
RED = {1, 2}


class Sample(Rules):
    """One match of the game."""

    name = NAME
    options = (
        Whole("players", 3, low=2, high=4),
        *COMMON_OPTIONS,
        Whole("rounds", 2, low=1, high=4),
    )

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.total = [0] * self.players
        self.clear()

    def clear(self) -> None:
        self.hands = [0] * self.players
        self.bids: list[int | None] = [None] * self.players
        self.laid: list[tuple[int, int]] = []

    def deal(self, pack: Sequence[int]) -> None:
        self.clear()
        for seat in range(self.players):
            self.hands[seat] = card_set(pack[HAND * seat : HAND * seat + HAND])
        self.phase, self.pack = "bid", ()
        self.to_act = tuple(range(self.players))

    def legal(self, seat: int) -> Sequence[str]:
        if seat not in self.to_act:
            return ()
        if self.phase == "bid":
            return [f"bid {number}" for number in range(HAND + 1)]
        return [f"play {card}" for card in JASS.texts_of(self.hands[seat])]

    def refusal(self, seat: int, action: str) -> Refusal | None:
        if out_of_turn := self.turn_refusal(seat):
            return out_of_turn
        if self.spelled(action) in self.legal(seat):
            return None
        return Refusal("C12", "unknown", "bid how many red cards you hold, or play a card")

    def spelled(self, action: str) -> str:
        words = [
            word.upper() if word.upper() in JASS.numbers else word.lower()
            for word in action.split()
        ]
        return " ".join(words)

    def act(self, seat: int, action: str) -> str:
        if refusal := self.refusal(seat, action):
            raise IllegalAction(action, refusal, self.legal(seat))
        text = self.spelled(action)
        if self.phase == "bid":
            self.bid(seat, int(text.split()[1]))
        else:
            self.play(seat, JASS.parse(text.split()[1]))
        return text

    def bid(self, seat: int, number: int) -> None:
        self.bids[seat] = number
        self.to_act = tuple(other for other in self.to_act if other != seat)
        if not self.to_act:
            self.phase = "play"
            self.to_act = (0,)

    def play(self, seat: int, card: int) -> None:
        self.hands[seat] ^= 1 << card
        self.laid.append((seat, card))
        self.to_act = ((seat + 1) % self.players,)
        if not any(self.hands):
            self.score()

    def score(self) -> None:
        red = [
            sum(JASS.suit(card) in RED for other, card in self.laid if other == seat)
            for seat in range(self.players)
        ]
        points = [int(bid == own) for bid, own in zip(self.bids, red, strict=True)]
        self.total = [sum(pair) for pair in zip(self.total, points, strict=True)]
        self.add_round(points)
        self.clear()
        if len(self.rounds) == self.game.options["rounds"]:
            best = max(self.total)
            self.finish([seat for seat in range(self.players) if self.total[seat] == best])
        else:
            self.next_deal()

    def add_round(self, points: list[int]) -> None:
        self.rounds.append(
            {
                "dealer": self.dealer,
                "trump": None,
                "tricks": [],
                "points": points,
                "marks": [str(own) for own in points],
                "bids": list(self.bids),
            }
        )

    def hand(self, seat: int) -> int:
        return self.hands[seat]

    def standing(self) -> list[Json]:
        return [{"total": total} for total in self.total]

    def redact_action(self, actor: int, action: str, reader: int | None) -> str:
        return "bid" if action.startswith("bid") and actor != reader else action

    def table_view(self, seat: int | None) -> Json:
        return {
            "hand_sizes": [hand.bit_count() for hand in self.hands],
            "trick": [],
            "last_trick": None,
            "tricks": [],
            "trump": None,
            "points": list(self.total),
            "bids": [bid if other == seat else None for other, bid in enumerate(self.bids)],
            "has_bid": [bid is not None for bid in self.bids],
            "laid": [[other, JASS.texts[card]] for other, card in self.laid],
        }


@contextmanager
def registered_name(rules: type[Rules]) -> Iterator[str]:
    """The name of the game, which is one only in between."""
    REGISTRY[NAME] = rules
    try:
        yield NAME
    finally:
        del REGISTRY[NAME]
