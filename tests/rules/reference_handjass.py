"""The reference of Handjass, written from JS1 to JS10 with plain strings.

Nothing here imports the engine. `Table` is a whole match: it takes packs and actions, says what is
legal, and keeps what everybody and what each seat alone may see. It is slow and plain on purpose.
Tricks are those of `reference`: what may be played, who wins, what cards are worth.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.rules import reference

FOUR_VALUE = {"A": 100, "K": 100, "Q": 100, "T": 100, "9": 150, "J": 200}
RUN_VALUE = {3: 20, 4: 50}
NULL_BELOW = 21

Meld = tuple[str, ...]


def in_order(cards: Iterable[str]) -> list[str]:
    """The cards as a hand shows them: by suit, then by plain rank."""
    return sorted(
        cards,
        key=lambda card: (reference.SUITS.index(card[1]), reference.PLAIN_ORDER.index(card[0])),
    )


def is_four(meld: Meld) -> bool:
    """Whether a meld is four of a kind; a run is of one suit."""
    return len({card[1] for card in meld}) > 1


def worth(meld: Meld) -> int:
    """The points of a meld (JS7)."""
    return FOUR_VALUE[meld[0][0]] if is_four(meld) else RUN_VALUE.get(len(meld), 100)


def better_by(meld: Meld, trump: str) -> tuple[int, ...]:
    """What decides between two melds, the first difference first; without whose turn it was (JS7).

    Two fours never get beyond the rank, two runs never as far as a tie but of equal plain suits.
    """
    ranks = [reference.PLAIN_ORDER.index(card[0]) for card in meld]
    if is_four(meld):
        return (worth(meld), 1, ranks[0])
    return (worth(meld), 0, len(meld), max(ranks), int(meld[0][1] == trump))


def divisions(hand: Iterable[str]) -> list[list[Meld]]:
    """All the ways JS7 allows to divide a hand: any fours set aside, then runs at full length."""
    held = set(hand)
    fours = [
        tuple(rank + suit for suit in reference.SUITS)
        for rank in FOUR_VALUE
        if held >= {rank + suit for suit in reference.SUITS}
    ]
    ways: list[list[Meld]] = []
    for number in range(len(fours) + 1):
        for aside in itertools.combinations(fours, number):
            rest = held - set(itertools.chain(*aside))
            ways.append([*aside, *(tuple(run) for run in reference.runs(rest))])
    return ways


def melds(hand: Iterable[str], trump: str) -> list[Meld]:
    """The melds of a hand by the division worth most, best first (JS7)."""

    def value(way: list[Meld]) -> tuple[int, list[tuple[int, ...]]]:
        ranked = sorted((better_by(meld, trump) for meld in way), reverse=True)
        return sum(worth(meld) for meld in way), ranked[:1]

    best = max(divisions(hand), key=value)
    return sorted(best, key=lambda meld: better_by(meld, trump), reverse=True)


def marks(points: Mapping[int, int], players: int, ties: str) -> list[str]:
    """The marks of a round by the points of those who played it (JS6, JS9)."""
    written = ["-"] * players
    good = {seat: own for seat, own in points.items() if own >= NULL_BELOW}
    for seat in points.keys() - good.keys():
        written[seat] = "0"
    if len(points) == 1:
        written[next(iter(points))] = "||"
    elif len(good) == 1:
        written[next(iter(good))] = "||"
    elif len(points) == 2:
        for seat, own in good.items():
            written[seat] = "|" if own == max(good.values()) else "-"
    else:
        for seat, own in good.items():
            before = sum(other > own for other in good.values())
            behind = before + sum(other == own for other in good.values())
            if behind <= 2 or (before < 2 and ties == "generous"):
                written[seat] = "|"
    return written


def add(slate: str, mark: str) -> str:
    """The slate after one more mark (JS10): each stroke crosses the oldest open null instead."""
    for sign in mark:
        if sign == "|" and "0" in slate:
            slate = slate.replace("0", "Ø", 1)
        elif sign != "-":
            slate += sign
    return slate


@dataclass
class Round:
    """A round in progress: what lies where, who said what, and what was taken."""

    dealer: int
    order: list[int]
    hands: dict[int, list[str]]
    blind: list[str]
    shown: str
    turned: str | None
    said: dict[int, str] = field(default_factory=dict)
    laid: dict[int, list[str]] = field(default_factory=dict)
    taker: int | None = None
    robbed: int | None = None
    trick: reference.Trick = field(default_factory=list)
    tricks: list[dict[str, Any]] = field(default_factory=list)
    leader: int = -1
    hand_at_weis: dict[int, list[str]] = field(default_factory=dict)
    announced: list[dict[str, int]] = field(default_factory=list)
    weis_shown: dict[str, Any] | None = None
    taken: dict[int, int] = field(default_factory=dict)
    weis: dict[int, int] = field(default_factory=dict)
    stoeck: dict[int, int] = field(default_factory=dict)
    had_stoeck: dict[int, int] = field(default_factory=dict)

    @property
    def trump(self) -> str:
        """The suit of the card that was turned (JS3)."""
        return self.shown[1]

    @property
    def playing(self) -> list[int]:
        """Those who have not dropped, from forehand on."""
        return [seat for seat in self.order if self.said.get(seat) != "drop"]

    def to_answer(self) -> int | None:
        """Who is asked next; nobody once all have spoken or the last one is alone (JS4)."""
        silent = [seat for seat in self.order if seat not in self.said]
        if not silent or (len(silent) == 1 and self.playing == silent):
            return None
        return silent[0]

    def points(self, seat: int) -> int:
        """All the points of a seat so far (JS9)."""
        return sum(kind.get(seat, 0) for kind in (self.taken, self.weis, self.stoeck))


class Table:
    """A match of `jass` with a fixed first dealer."""

    def __init__(self, players: int, dealer: int, target: int, undertrump: str, ties: str) -> None:
        self.players, self.dealer, self.target = players, dealer, target
        self.undertrump, self.ties = undertrump, ties
        self.slates = [""] * players
        self.safe = [False] * players
        self.rounds: list[dict[str, Any]] = []
        self.winners: list[int] = []
        self.round: Round | None = None

    def seats_from(self, seat: int) -> list[int]:
        """The seats still in the match, from this one on in order of play."""
        turned = [(seat + step) % self.players for step in range(self.players)]
        return [other for other in turned if not self.safe[other]]

    def shuffle(self, pack: Sequence[str]) -> None:
        """Deal (JS3): three packets of three; what becomes of the rest depends on how many play."""
        order = self.seats_from(self.dealer + 1)
        hands: dict[int, list[str]] = {seat: [] for seat in order}
        rest = list(pack)
        for _ in range(3):
            for seat in order:
                hands[seat] += rest[:3]
                del rest[:3]
        shown = pack[35] if len(order) == 4 else pack[27]
        turned = None if len(order) == 4 else shown
        self.round = Round(self.dealer, order, hands, rest[:9], shown, turned)
        self.begin_play_or_ask()

    # Whose turn it is and what is legal.

    def actor(self) -> int | None:
        """The seat to act; None between rounds and at the end."""
        now = self.round
        if now is None:
            return None
        asked = now.to_answer()
        if asked is not None:
            return asked
        playing = now.playing
        return playing[(playing.index(now.leader) + len(now.trick)) % len(playing)]

    def first_card_due(self, seat: int) -> bool:
        """Whether this seat plays and has not played a card in this round."""
        now = self.round
        return (
            now is not None
            and seat in now.playing
            and not now.tricks
            and seat not in [other for other, _ in now.trick]
        )

    def legal(self) -> list[str]:
        """What the seat to act may do: plays in the order of the hand, those with Weis, `rob`."""
        now, seat = self.round, self.actor()
        assert now is not None
        assert seat is not None
        if now.to_answer() is not None:
            return ["stay", "drop"] + (["blind"] if now.blind else [])
        table = [card for _, card in now.trick]
        allowed = reference.playable(now.hands[seat], table, now.trump, self.undertrump)
        plays = [f"play {card}" for card in in_order(allowed)]
        actions = list(plays)
        if self.first_card_due(seat):
            if melds(now.hands[seat], now.trump):
                actions += [f"{action} weis" for action in plays]
            if now.turned is not None and "6" + now.trump in now.hands[seat]:
                actions.append("rob")
        return actions

    # What is done.

    def act(self, action: str) -> None:
        """Do a legal action, in its printed form, for the seat to act."""
        now, seat = self.round, self.actor()
        assert now is not None
        assert seat is not None
        match action.split():
            case ["stay" | "drop" | "blind" as answer]:
                self.answer(now, seat, answer)
            case ["rob"]:
                assert now.turned is not None
                six = "6" + now.trump
                now.hands[seat].remove(six)
                now.hands[seat].append(now.turned)
                now.turned, now.robbed = six, seat
            case ["play", card, *weis]:
                self.play(now, seat, card, weis=bool(weis))
            case _:
                raise AssertionError(action)

    def answer(self, now: Round, seat: int, answer: str) -> None:
        """Stay, drop or take the blind (JS4)."""
        now.said[seat] = answer
        if answer != "stay":
            now.laid[seat] = now.hands[seat]
            now.hands[seat] = []
        if answer == "blind":
            now.hands[seat], now.blind, now.taker = now.blind, [], seat
            if now.turned in now.hands[seat]:
                now.turned = None
        self.begin_play_or_ask()

    def begin_play_or_ask(self) -> None:
        """Once nobody is asked any more the first who plays leads; one alone has won (JS6)."""
        now = self.round
        assert now is not None
        if now.to_answer() is None:
            now.leader = now.playing[0]
            if len(now.playing) == 1:
                self.score(now)

    def play(self, now: Round, seat: int, card: str, *, weis: bool) -> None:
        """Play a card, announcing Weis with it or not (JS7, JS8)."""
        if weis:
            best = melds(now.hands[seat], now.trump)[0]
            now.hand_at_weis[seat] = list(now.hands[seat])
            now.announced.append({"seat": seat, "points": worth(best)})
        now.hands[seat].remove(card)
        now.trick.append((seat, card))
        if card in ("K" + now.trump, "Q" + now.trump):
            now.had_stoeck[seat] = now.had_stoeck.get(seat, 0) + 1
            if now.had_stoeck[seat] == 2:
                now.stoeck[seat] = 20
        if len(now.trick) == len(now.playing):
            self.take(now)

    def take(self, now: Round) -> None:
        """A trick is complete (C7); the first one settles the Weis, the last one is worth 5."""
        winner = reference.winner(now.trick, now.trump)
        cards = [card for _, card in now.trick]
        last = not now.hands[winner]
        won = sum(reference.value(card, now.trump) for card in cards) + 5 * last
        now.taken[winner] = now.taken.get(winner, 0) + won
        now.tricks.append({"leader": now.leader, "cards": cards, "winner": winner})
        if len(now.tricks) == 1:
            self.show_weis(now)
        now.leader, now.trick = winner, []
        if last:
            self.score(now)

    def show_weis(self, now: Round) -> None:
        """The best announced meld wins; at full equality that of the earlier player (JS7)."""
        winner: int | None = None
        best: tuple[int, ...] = ()
        for seat, hand in now.hand_at_weis.items():  # in the order in which they played
            found = better_by(melds(hand, now.trump)[0], now.trump)
            if winner is None or found > best:
                winner, best = seat, found
        if winner is not None:
            shown = melds(now.hand_at_weis[winner], now.trump)
            now.weis[winner] = sum(worth(meld) for meld in shown)
            now.weis_shown = {"seat": winner, "melds": self.written(shown)}

    @staticmethod
    def written(found: Iterable[Meld]) -> list[dict[str, Any]]:
        """Melds as views show them."""
        return [{"cards": in_order(meld), "points": worth(meld)} for meld in found]

    def score(self, now: Round) -> None:
        """Write the marks; who has enough strokes leaves; the match may be over (JS9, JS10)."""
        seats = range(self.players)
        alone = len(now.playing) == 1
        points = {seat: 0 if alone else now.points(seat) for seat in now.playing}
        written = marks(points, self.players, self.ties)
        self.rounds.append(
            {
                "dealer": now.dealer,
                "trump": now.trump,
                "tricks": now.tricks,
                "points": [points.get(seat, 0) for seat in seats],
                "marks": written,
                "playing": sorted(now.playing),
                "blind": now.taker,
                "robbed": now.robbed,
                "weis": [now.weis.get(seat, 0) for seat in seats],
                "stoeck": [now.stoeck.get(seat, 0) for seat in seats],
            }
        )
        self.slates = [add(*pair) for pair in zip(self.slates, written, strict=True)]
        self.safe = [slate.count("|") >= self.target for slate in self.slates]
        self.round = None
        left = [seat for seat in seats if not self.safe[seat]]
        if len(left) <= 1:
            self.winners = [seat for seat in seats if seat not in left]
        else:
            self.dealer = self.seats_from(self.dealer + 1)[0]

    # What is seen.

    def standing(self) -> list[dict[str, Any]]:
        """The slate of each seat."""
        return [
            {
                "strokes": slate,
                "tallies": slate.count("|"),
                "nulls": slate.count("0"),
                "safe": safe,
            }
            for slate, safe in zip(self.slates, self.safe, strict=True)
        ]

    def seen(self, reader: int | None) -> dict[str, Any]:
        """The part of a view that is the game's own, but for melds of equal rank in any order."""
        now, seats = self.round, range(self.players)
        if now is None:
            return {
                "playing": [],
                "said": [None] * self.players,
                "shown": None,
                "turned": None,
                "blind": None,
                "blind_open": False,
                "robbed": None,
                "melds": [],
                "announced": [],
                "weis_shown": None,
                "weis": [0] * self.players,
                "stoeck": [0] * self.players,
                "laid_away": None if reader is None else [],
            }
        own: list[Meld] = []
        if reader is not None and self.first_card_due(reader):
            own = melds(now.hands[reader], now.trump)
        return {
            "playing": sorted(now.playing),
            "said": [now.said.get(seat) for seat in seats],
            "shown": now.shown,
            "turned": now.turned,
            "blind": now.taker,
            "blind_open": bool(now.blind) and now.to_answer() is not None,
            "robbed": now.robbed,
            "melds": self.written(own),
            "announced": now.announced,
            "weis_shown": now.weis_shown,
            "weis": [now.weis.get(seat, 0) for seat in seats],
            "stoeck": [now.stoeck.get(seat, 0) for seat in seats],
            "laid_away": None if reader is None else in_order(now.laid.get(reader, [])),
        }
