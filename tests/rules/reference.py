"""The reference: the rules once more, written from the rule book with strings, lists and sets.

Nothing here imports the engine. It is slow and plain on purpose: where it and the engine disagree,
one of the two has misread a clause. It covers what the tests need of the four games: what may be
played (C8, C9), who wins (C7), what it is worth (C3, C10), table molotovs (MV4, MV5) and the marks
(MV8, C11, MW4 to MW8).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

SUITS = "CDHS"
PLAIN_ORDER = "6789TJQKA"
TRUMP_ORDER = "678TQKA9J"
PLAIN_VALUE = {"A": 11, "K": 4, "Q": 3, "J": 2, "T": 10}
TRUMP_VALUE = {**PLAIN_VALUE, "J": 20, "9": 14}
UNDERTRUMP = ("free", "if_void", "strict", "forced", "literal")
PACKETS = {3: (3, 3, 3, 3), 4: (3, 3, 3), 5: (4, 3), 6: (3, 3)}

Trick = list[tuple[int, str]]
Choose = Callable[[int, list[str]], str]


def pack(players: int) -> list[str]:
    """The cards that so many players play with (C1; MV1: five players leave out the six of D)."""
    cards = [rank + suit for suit in SUITS for rank in PLAIN_ORDER]
    return [card for card in cards if players != 5 or card != "6D"]


def value(card: str, trump: str | None) -> int:
    """The points of one card (C3)."""
    return (TRUMP_VALUE if card[1] == trump else PLAIN_VALUE).get(card[0], 0)


def strength(card: str, trump: str | None) -> int:
    """The place of a card in the order of its own suit (C2)."""
    return (TRUMP_ORDER if card[1] == trump else PLAIN_ORDER).index(card[0])


def winner(trick: Trick, trump: str | None) -> int:
    """The seat that takes the trick (C7)."""
    led = trick[0][1][1]
    trumps = [(seat, card) for seat, card in trick if card[1] == trump]
    fighting = trumps or [(seat, card) for seat, card in trick if card[1] == led]
    return max(fighting, key=lambda played: strength(played[1], trump))[0]


def playable(
    hand: Iterable[str], table: Sequence[str], trump: str | None, undertrump: str
) -> set[str]:
    """What may be played from the hand onto the cards on the table (C8, C9)."""
    held = set(hand)
    if not table:
        return held  # C8a
    led = table[0][1]
    following = {card for card in held if card[1] == led}
    trumps = {card for card in held if card[1] == trump}
    if trump is None:
        return following or held  # C8b
    if led == trump:
        return trumps if trumps - {"J" + trump} else held  # C8c
    lying = [card for card in table if card[1] == trump]
    if lying and undertrump != "free":
        return ruffed(held, following, trumps, lying, undertrump)  # C9
    return following | trumps if following else held  # C8d, C8e


def ruffed(
    held: set[str], following: set[str], trumps: set[str], lying: list[str], undertrump: str
) -> set[str]:
    """What may be played onto a plain suit once these trumps lie in the trick (C9)."""
    trump = lying[0][1]
    bar = max(strength(card, trump) for card in lying)
    higher = {card for card in trumps if strength(card, trump) > bar}
    lower = trumps - higher
    if undertrump == "literal":
        if not following and higher == {"J" + trump}:
            return held
        return following | higher or lower or held
    if following:
        return following | higher
    if undertrump == "if_void":
        return held
    if trumps == held:
        return held if undertrump == "strict" else higher or held
    return held - lower


def runs(cards: Iterable[str]) -> list[list[str]]:
    """The maximal sequences of three and more of one suit, each from low to high (MV4)."""
    found = []
    lying = set(cards)
    for suit in SUITS:
        run: list[str] = []
        for rank in PLAIN_ORDER + "?":
            if rank + suit in lying:
                run.append(rank + suit)
                continue
            if len(run) >= 3:
                found.append(run)
            run = []
    return found


def run_value(length: int, long_runs: str) -> int:
    """What a run on the table costs (MV4, MV5)."""
    if length >= 5 and long_runs == "weis":
        return {5: 100, 6: 150}[length]
    return 20 if length == 3 else 50


@dataclass
class Played:
    """A round as it was played: the tricks in order, and the trump at its end."""

    hands: list[list[str]]
    forehand: int
    trump: str | None
    tricks: list[Trick] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)

    @property
    def cards(self) -> list[str]:
        """All cards in the order in which they were played."""
        return [card for trick in self.tricks for _, card in trick]

    def card_points(self, *, eights: bool = True) -> list[int]:
        """Points of the cards and the last trick, by the trump at the end (C3, C10, MV7)."""
        points = [0] * len(self.hands)
        for trick, seat in zip(self.tricks, self.winners, strict=True):
            for _, card in trick:
                points[seat] += value(card, self.trump)
                if self.trump is None and eights and card[0] == "8":
                    points[seat] += 8
        points[self.winners[-1]] += 5
        return points

    def molotovs(self, long_runs: str = "fifty") -> list[tuple[int, int, list[str], int]]:
        """Each molotov as (number of the trick, seat, cards, points) (MV4, MV5)."""
        return [
            (number, seat, run, run_value(len(run), long_runs))
            for number, (trick, seat) in enumerate(
                zip(self.tricks, self.winners, strict=True), start=1
            )
            for run in runs(card for _, card in trick)
        ]

    def molotov_points(self, long_runs: str = "fifty", *, eights: bool = True) -> list[int]:
        """The round scores of Molotov: cards, last trick and molotovs (MV6)."""
        points = self.card_points(eights=eights)
        for _, seat, _, worth in self.molotovs(long_runs):
            points[seat] += worth
        return points


def play_round(
    hands: Sequence[Sequence[str]],
    forehand: int,
    choose: Choose,
    undertrump: str,
    trump: str | None = None,
) -> Played:
    """Play a round; without a trump given, the first card off the suit led makes it (MV2)."""
    held = [list(hand) for hand in hands]
    played = Played([list(hand) for hand in hands], forehand, trump)
    leader = forehand
    while held[leader]:
        trick: Trick = []
        for turn in range(len(held)):
            seat = (leader + turn) % len(held)
            table = [card for _, card in trick]
            options = playable(held[seat], table, played.trump, undertrump)
            card = choose(seat, sorted(options))
            held[seat].remove(card)
            trick.append((seat, card))
            if played.trump is None and card[1] != trick[0][1][1]:
                played.trump = card[1]
        leader = winner(trick, played.trump)
        played.tricks.append(trick)
        played.winners.append(leader)
    return played


PLACES = {
    "molotov": {3: "||0", 4: "||-0", 5: "|||-0", 6: "|||-00"},
    "offenbach": {3: "||0", 4: "||-0", 5: "||-00"},
}


def tally_marks(scores: Sequence[int], places: str, ties: str) -> list[str]:
    """The marks of a round of Molotov; `places` from the lowest score to the highest (MV8, C11)."""
    ranking = sorted(scores)
    marks = []
    for score in scores:
        earned = {places[place] for place, other in enumerate(ranking) if other == score}
        if len(earned) == 1:
            marks.append(earned.pop())
        elif ties == "nothing":
            marks.append("-")
        else:
            marks.append(next(mark for mark in "|-0" if mark in earned))
    return marks


def slate(marks: Iterable[str]) -> str:
    """What a player's marks, in order, look like on the slate (MV9)."""
    written = ""
    for mark in marks:
        if mark == "|" and "0" in written:
            written = written.replace("0", "Ø", 1)
        elif mark != "-":
            written += mark
    return written


def stick_marks(scores: Sequence[int], marks: str, drawn: Callable[[list[int]], int]) -> list[int]:
    """The sticks and potatoes of a round of Molotow (MW4 to MW8); `drawn` picks the loser."""
    top, bottom = max(scores), min(scores)
    kind = 3 if marks == "seed" else 1
    if top == 157:
        return [3 if score == 157 else -kind for score in scores]
    if top >= 100:
        return [-3 if score == top else kind for score in scores]
    for score in scores:
        tied = [seat for seat, other in enumerate(scores) if other == score]
        if len(tied) == 3:
            loser = drawn(tied)
            return [1 if seat not in tied else -1 if seat == loser else 0 for seat in range(4)]
    highest = [seat for seat, score in enumerate(scores) if score == top]
    lowest = [seat for seat, score in enumerate(scores) if score == bottom]
    result = [-1] * 4
    for extreme in (highest, lowest):
        for seat in extreme:
            result[seat] = 1 if len(extreme) == 1 else 0
    return result
