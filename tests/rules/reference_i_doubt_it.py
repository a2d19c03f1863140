"""The reference of I Doubt It, written from ID1 to ID9 with plain strings and lists.

Nothing here imports the engine. `Table` is a whole match: it takes packs and actions, says whose
turn it is and what is legal, and keeps what everybody and what each seat alone may see.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

SUITS = "CDHS"
RANKS = "23456789TJQKA"


def pack() -> list[str]:
    """The 52 cards, by suit and rank (ID1)."""
    return [rank + suit for suit in SUITS for rank in RANKS]


def in_order(cards: Iterable[str]) -> list[str]:
    """The cards as a hand shows them."""
    return sorted(cards, key=pack().index)


@dataclass
class Turn:
    """One turn: what was drawn and laid, what was claimed, who said what, who took the middle."""

    seat: int
    drawn: list[str] = field(default_factory=list)
    laid: list[str] = field(default_factory=list)
    rank: str | None = None
    passed: list[int] = field(default_factory=list)
    doubter: int | None = None
    taker: int | None = None
    taken: int = 0

    @property
    def is_true(self) -> bool:
        """Whether all cards laid are of the rank claimed."""
        return all(card[0] == self.rank for card in self.laid)

    def seen(self, reader: int | None) -> dict[str, Any]:
        """The turn as one reader knows it: own cards, and those turned up (ID3, ID4, ID5)."""
        own = reader == self.seat
        doubted = self.doubter is not None
        return {
            "seat": self.seat,
            "drew": len(self.drawn),
            "drawn": self.drawn if own else None,
            "rank": self.rank,
            "count": len(self.laid),
            "laid": self.laid if own or doubted else None,
            "passed": self.passed,
            "doubter": self.doubter,
            "truth": self.is_true if doubted else None,
            "taker": self.taker,
            "taken": self.taken,
        }


class Table:
    """A match of `i-doubt-it` with a fixed first dealer."""

    def __init__(
        self, players: int, dealer: int, rounds: int, max_turns: int, last: str, lie_fee: int
    ) -> None:
        self.players, self.dealer, self.deals = players, dealer, rounds
        self.max_turns, self.last, self.lie_fee = max_turns, last, lie_fee
        self.chips = [0] * players
        self.rounds: list[dict[str, Any]] = []
        self.winners: list[int] = []
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.middle: list[str] = []  # the top card is the first
        self.turns: list[Turn] = []
        self.claims = 0
        self.fees = [0] * players
        self.layer: int | None = None
        self.asked: int | None = None

    @property
    def actor(self) -> int | None:
        """The seat to act: the one to answer, else the one to lay."""
        return self.layer if self.asked is None else self.asked

    def shuffle(self, cards: Sequence[str]) -> None:
        """Deal singly as far as it goes equally, forehand first; the rest is the middle (ID1)."""
        each = 52 // self.players
        self.hands = [[] for _ in range(self.players)]
        left = list(cards)
        for _ in range(each):
            for turn in range(self.players):
                self.hands[(self.dealer + 1 + turn) % self.players].append(left.pop(0))
        self.middle, self.turns, self.claims = left, [], 0
        self.begin_turn((self.dealer + 1) % self.players)

    def begin_turn(self, seat: int) -> None:
        """A seat's turn: it draws the cards it lacks of three, or misses its turn (ID5)."""
        lacking = 3 - len(self.hands[seat]) if self.last == "three" else 0
        if lacking > 0 and len(self.middle) < lacking:
            self.turns.append(Turn(seat))
            self.begin_turn((seat + 1) % self.players)
            return
        if lacking > 0:
            drawn = self.middle[:lacking]
            del self.middle[:lacking]
            self.hands[seat] += drawn
            self.turns.append(Turn(seat, drawn))
        self.layer = seat

    @property
    def due(self) -> int:
        """How many cards are to be laid now: three, or the last one or two (ID2, ID5)."""
        assert self.layer is not None
        return min(3, len(self.hands[self.layer]))

    def legal(self) -> Iterator[str]:
        """The answers, or each set of cards once in the order of the hand, with each rank (ID2)."""
        if self.asked is not None:
            yield from ("doubt", "pass")
            return
        assert self.layer is not None
        for laid in itertools.combinations(in_order(self.hands[self.layer]), self.due):
            for rank in RANKS:
                yield f"lay {' '.join(laid)} as {rank}"

    def act(self, action: str) -> None:
        """Do a legal action, in its printed form, for the seat to act."""
        if action == "pass":
            assert self.asked is not None
            self.turns[-1].passed.append(self.asked)
            self.asked = (self.asked + 1) % self.players
            if self.asked == self.layer:
                turn = self.turns[-1]
                self.middle = turn.laid[::-1] + self.middle  # ID4; the last one written is on top
                self.settled()
        elif action == "doubt":
            self.doubt()
        else:
            self.lay(action.split())

    def lay(self, words: list[str]) -> None:
        """Lay cards and claim a rank (ID2)."""
        seat = self.layer
        assert seat is not None
        if not self.turns or self.turns[-1].seat != seat or self.turns[-1].rank is not None:
            self.turns.append(Turn(seat))
        turn = self.turns[-1]
        turn.laid, turn.rank = words[1:-2], words[-1]
        for card in turn.laid:
            self.hands[seat].remove(card)
        self.claims += 1
        self.asked = (seat + 1) % self.players

    def doubt(self) -> None:
        """The cards are turned up; liar or doubter takes them with the whole middle (ID3, ID9)."""
        turn = self.turns[-1]
        assert self.asked is not None
        turn.doubter = self.asked
        turn.taker = turn.doubter if turn.is_true else turn.seat
        turn.taken = len(turn.laid) + len(self.middle)
        self.hands[turn.taker] += turn.laid + self.middle
        self.middle = []
        if not turn.is_true:
            self.fees[turn.seat] -= self.lie_fee
            self.fees[turn.doubter] += self.lie_fee
        self.settled()

    def settled(self) -> None:
        """A claim is settled: the deal is won, or has been long enough, or goes on (ID6, ID8)."""
        layer = self.layer
        assert layer is not None
        self.asked = self.layer = None
        left = [len(hand) for hand in self.hands]
        if left[layer] == 0:
            self.end_of_deal(
                [cards if seat != layer else -sum(left) for seat, cards in enumerate(left)], left
            )
        elif self.claims == self.max_turns:
            fewest = min(left)
            pays = [cards - fewest for cards in left]
            if left.count(fewest) > 1:
                pays = [0] * self.players
            else:
                pays[left.index(fewest)] = -sum(pays)
            self.end_of_deal(pays, left)
        else:
            self.begin_turn((layer + 1) % self.players)

    def end_of_deal(self, pays: list[int], left: list[int]) -> None:
        """Writes the chips of the deal; the deal passes on, or the match is over (ID7)."""
        change = [fee - paid for fee, paid in zip(self.fees, pays, strict=True)]
        self.rounds.append(
            {
                "dealer": self.dealer,
                "trump": None,
                "tricks": [],
                "points": change,
                "marks": [f"{own:+d}" if own else "0" for own in change],
                "claims": self.claims,
                "chips": change,
                "left": left,
            }
        )
        self.chips = [sum(pair) for pair in zip(self.chips, change, strict=True)]
        self.hands = [[] for _ in range(self.players)]
        self.middle, self.fees = [], [0] * self.players
        if len(self.rounds) == self.deals:
            most = max(self.chips)
            self.winners = [seat for seat, own in enumerate(self.chips) if own == most]
        else:
            self.dealer = (self.dealer + 1) % self.players

    def seen(self, reader: int | None) -> dict[str, Any]:
        """What a reader sees of the table."""
        claim = None
        if self.asked is not None:
            turn = self.turns[-1]
            claim = {"seat": turn.seat, "rank": turn.rank, "count": len(turn.laid)}
        return {
            "hand": None if reader is None else in_order(self.hands[reader]),
            "hand_sizes": [len(hand) for hand in self.hands],
            "points": self.fees,
            "middle": len(self.middle),
            "claim": claim,
            "claims": self.claims,
            "turns": [turn.seen(reader) for turn in self.turns],
            "standing": [{"chips": own} for own in self.chips],
        }
