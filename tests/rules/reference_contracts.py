"""The reference of Schieber and Coiffeur, written from CT, SC and CO with plain strings.

Nothing here imports the engine. `Schieber` and `Coiffeur` are whole matches: they take packs and
actions, say what is legal, count every step, and keep what everybody may see. They are slow and
plain on purpose. Under a trump the tricks are those of `reference`, and a hand is divided into
melds as in `reference_handjass`; the order of melds is written anew: it depends on the contract.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.rules import reference, reference_handjass
from tests.rules.reference_handjass import Meld, in_order

TRUMPS = ("trump C", "trump D", "trump H", "trump S")
PLAIN = (*TRUMPS, "tops", "bottoms")
SLALOM = ("slalom tops", "slalom bottoms")
GUSCHTI = ("guschti tops", "guschti bottoms")
CONTRACTS = (*PLAIN, *SLALOM, *GUSCHTI)
FACTOR = {
    "none": dict.fromkeys(CONTRACTS, 1),
    "swiss": {**dict.fromkeys(CONTRACTS, 3), **dict(zip(TRUMPS, (1, 2, 1, 2), strict=True))},
    "french": {**dict.fromkeys(CONTRACTS, 3), **dict(zip(TRUMPS, (2, 1, 1, 2), strict=True))},
}
SUITS_OF_THE_SLATE = {"swiss": "CHSD", "french": "SCDH"}
TURNED_ROUND = {"tops": "bottoms", "bottoms": "tops"}


def side(seat: int) -> int:
    """The side of a seat (CT1)."""
    return seat % 2


def by_seat(sides: Sequence[int]) -> list[int]:
    """A figure of each side, written for each seat (CT1)."""
    return [sides[side(seat)] for seat in range(4)]


def trump_of(contract: str) -> str | None:
    """The trump suit of a contract, if it has one (CT2, CT4)."""
    return contract[-1] if contract in TRUMPS else None


def way(contract: str, number: int) -> str:
    """Whether a trick, counted from 1, is played tops or bottoms (CT4)."""
    kind, _, named = contract.rpartition(" ")
    as_named = {"slalom": number in {1, 3, 5, 7, 9}, "guschti": number <= 5}
    return named if as_named.get(kind, True) else TURNED_ROUND[named]


def value(card: str, contract: str) -> int:
    """The points of one card (C3, CT5)."""
    if trump_of(contract):
        return reference.value(card, trump_of(contract))
    eleven = "A" if contract.endswith("tops") else "6"
    return {"K": 4, "Q": 3, "J": 2, "T": 10, "8": 8, eleven: 11}.get(card[0], 0)


def winner(trick: reference.Trick, contract: str, number: int) -> int:
    """The seat that takes a trick, which is the first, second, ... of its round (CT3, CT4)."""
    if trump_of(contract):
        return reference.winner(trick, trump_of(contract))
    order = "6789TJQKA" if way(contract, number) == "tops" else "AKQJT9876"
    led = trick[0][1][1]
    followed = [(order.index(card[0]), seat) for seat, card in trick if card[1] == led]
    return max(followed)[1]


def playable(
    hand: Iterable[str], table: Sequence[str], contract: str, undertrump: str
) -> list[str]:
    """What may be played from the hand onto the cards on the table, in the order of a hand."""
    held = in_order(hand)
    trump = trump_of(contract)
    if trump:
        return in_order(reference.playable(held, table, trump, undertrump))  # CT3
    following = [card for card in held if table and card[1] == table[0][1]]
    return following or held  # CT4


def better_by(meld: Meld, contract: str) -> tuple[int, ...]:
    """What decides between two melds, the first difference first (JS7, SC3)."""
    ranks = [reference.PLAIN_ORDER.index(card[0]) for card in meld]
    reversed_ranks = contract in {"bottoms", "slalom bottoms"}
    worth = reference_handjass.worth(meld)
    if reference_handjass.is_four(meld):
        return (worth, 1, -ranks[0] if reversed_ranks else ranks[0])
    top = -min(ranks) if reversed_ranks else max(ranks)
    return (worth, 0, len(meld), top, int(meld[0][1] == trump_of(contract)))


def melds(hand: Iterable[str], contract: str) -> list[Meld]:
    """The melds of a hand by the division worth most, best first (JS7, SC3)."""

    def ranked(division: list[Meld]) -> list[Meld]:
        return sorted(division, key=lambda meld: better_by(meld, contract), reverse=True)

    def worth(division: list[Meld]) -> tuple[int, list[tuple[int, ...]]]:
        points = sum(reference_handjass.worth(meld) for meld in division)
        return points, [better_by(meld, contract) for meld in ranked(division)[:1]]

    return ranked(max(reference_handjass.divisions(hand), key=worth))


@dataclass
class Round:
    """A round in progress: who said what, what lies where, and what each side has."""

    dealer: int
    hands: list[list[str]]
    pushes: int = 0
    line: str | None = None
    contract: str | None = None
    by: int | None = None
    factor: int | None = None
    leader: int = -1
    trick: reference.Trick = field(default_factory=list)
    tricks: list[dict[str, Any]] = field(default_factory=list)
    match: int | None = None
    announced: list[tuple[int, list[Meld]]] = field(default_factory=list)
    shown: list[tuple[int, list[Meld]]] = field(default_factory=list)
    stoeck_cards: list[int] = field(default_factory=list)
    stoeck_called: int | None = None
    taken: list[int] = field(default_factory=lambda: [0, 0])
    weis: list[int] = field(default_factory=lambda: [0, 0])
    stoeck: list[int] = field(default_factory=lambda: [0, 0])

    @property
    def forehand(self) -> int:
        """The seat after the dealer (C5)."""
        return (self.dealer + 1) % 4

    @property
    def points(self) -> list[int]:
        """All that each side has got so far, before the factor (SC5)."""
        return [sum(parts) for parts in zip(self.taken, self.weis, self.stoeck, strict=True)]

    def as_finished(self) -> dict[str, Any]:
        """What stands in `rounds`, but for the marks and the line."""
        assert self.contract is not None
        return {
            "dealer": self.dealer,
            "trump": trump_of(self.contract),
            "tricks": self.tricks,
            "points": by_seat(self.points),
            "contract": self.contract,
            "by": self.by,
            "pushed": self.pushes > 0,
            "factor": self.factor,
            "match": self.match,
            "weis": by_seat(self.weis),
            "stoeck": by_seat(self.stoeck),
        }


class Table(ABC):
    """A match in two sides with a fixed first dealer.

    Args:
        options: `dealer` and every other option of the game.
    """

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.options = dict(options)
        self.dealer: int = options["dealer"]
        self.totals = [0, 0]
        self.rounds: list[dict[str, Any]] = []
        self.winners: list[int] = []
        self.round: Round | None = None

    # What differs between the two games.

    @abstractmethod
    def announcements(self) -> list[str]:
        """What the seat to announce may say, `push` last."""

    @abstractmethod
    def announcer(self, now: Round) -> int:
        """The seat to announce or to push."""

    @abstractmethod
    def announce(self, now: Round, action: str) -> None:
        """A line or contract is announced: note it, with its factor and who leads."""

    @abstractmethod
    def reached(self, now: Round) -> bool:
        """Whether what was counted last ends the match at once."""

    @abstractmethod
    def close(self, now: Round) -> None:
        """Write the round down; the match may be over."""

    # The deal and whose turn it is.

    def shuffle(self, pack: Sequence[str]) -> None:
        """Deal three packets of three (CT1)."""
        hands: list[list[str]] = [[] for _ in range(4)]
        for packet in range(12):
            hands[(self.dealer + 1 + packet) % 4] += pack[3 * packet : 3 * packet + 3]
        self.round = Round(self.dealer, hands)

    def actor(self) -> int | None:
        """The seat to act; None between rounds and at the end."""
        now = self.round
        if now is None:
            return None
        if now.contract is None:
            return self.announcer(now)
        return (now.leader + len(now.trick)) % 4

    def may_announce_weis(self, seat: int) -> bool:
        """Whether this seat is about to play its first card and holds a meld (SC3, SC4)."""
        now = self.round
        assert now is not None
        if self.options.get("weis") != "on" or now.contract is None or now.tricks:
            return False
        return seat not in dict(now.trick) and bool(melds(now.hands[seat], now.contract))

    def legal(self) -> list[str]:
        """What the seat to act may do, in the order in which it is listed."""
        now, seat = self.round, self.actor()
        assert now is not None
        assert seat is not None
        if now.contract is None:
            return self.announcements()
        table = [card for _, card in now.trick]
        cards = playable(now.hands[seat], table, now.contract, self.options["undertrump"])
        plays = [f"play {card}" for card in cards]
        if self.may_announce_weis(seat):
            plays += [f"{play} weis" for play in plays]
        return plays

    # What is done.

    def act(self, action: str) -> None:
        """Do a legal action, in its printed form, for the seat to act."""
        now, seat = self.round, self.actor()
        assert now is not None
        assert seat is not None
        if now.contract is not None:
            _, card, *weis = action.split()
            self.play(now, seat, card, weis=bool(weis))
        elif action == "push":
            now.pushes += 1
        else:
            now.by = seat
            self.announce(now, action)

    def play(self, now: Round, seat: int, card: str, *, weis: bool) -> None:
        """Play a card, announcing Weis with it or not; the fourth completes the trick."""
        assert now.contract is not None
        if weis:
            now.announced.append((seat, melds(now.hands[seat], now.contract)))
        now.hands[seat].remove(card)
        now.trick.append((seat, card))
        trump = trump_of(now.contract)
        if trump and card in {"K" + trump, "Q" + trump}:
            now.stoeck_cards.append(seat)
            if now.stoeck_cards in ([0, 0], [1, 1], [2, 2], [3, 3]):
                now.stoeck_called = seat
        if len(now.trick) == 4:
            self.complete(now)

    def complete(self, now: Round) -> None:
        """Count a complete trick: Stöck, Weis, trick; after each the match may end (SC6)."""
        assert now.contract is not None
        seat = winner(now.trick, now.contract, len(now.tricks) + 1)
        cards = [card for _, card in now.trick]
        now.tricks.append({"leader": now.leader, "cards": cards, "winner": seat})
        now.leader, now.trick = seat, []
        steps: list[Callable[[Round], None]] = [
            self.count_stoeck,
            self.count_weis,
            self.count_trick,
        ]
        for step in steps:
            step(now)
            if self.reached(now):
                self.close(now)
                return
        if len(now.tricks) == 9:
            self.close(now)

    def count_stoeck(self, now: Round) -> None:
        """King and queen of trumps out of one hand, if the second lay in this trick (SC4)."""
        if now.stoeck_called is not None and self.options.get("weis") == "on":
            now.stoeck[side(now.stoeck_called)] = 20

    def count_weis(self, now: Round) -> None:
        """After the first trick the side of the best meld scores all it announced (SC3)."""
        if len(now.tricks) > 1 or not now.announced:
            return
        assert now.contract is not None
        best_seat = -1
        best: tuple[int, ...] = ()
        for seat, own in now.announced:  # in the order of the first trick
            found = better_by(own[0], now.contract)
            if found > best:
                best_seat, best = seat, found
        for seat, own in now.announced:
            if side(seat) == side(best_seat):
                now.shown.append((seat, own))
                now.weis[side(seat)] += sum(reference_handjass.worth(meld) for meld in own)

    def count_trick(self, now: Round) -> None:
        """The cards; with the ninth trick the last trick and the match too (CT5, CT6)."""
        assert now.contract is not None
        last = now.tricks[-1]
        taker = side(last["winner"])
        now.taken[taker] += sum(value(card, now.contract) for card in last["cards"])
        if len(now.tricks) == 9:
            now.taken[taker] += 5
            if {side(trick["winner"]) for trick in now.tricks} == {taker}:
                now.match = taker
                now.taken[taker] += self.options["match_bonus"]

    def write(self, now: Round, written: Sequence[int], **own: Any) -> None:
        """Put a round into the list and its points onto the totals."""
        marks = [str(points) for points in by_seat(written)]
        self.rounds.append({**now.as_finished(), "marks": marks, **own})
        self.totals = [total + points for total, points in zip(self.totals, written, strict=True)]
        self.round = None
        self.dealer = now.forehand

    def higher_total_wins(self) -> None:
        """The higher total wins; equal: all four (SC7, CO5)."""
        best = max(self.totals)
        self.winners = [seat for seat in range(4) if self.totals[side(seat)] == best]

    # What is seen.

    def standing(self) -> list[dict[str, Any]]:
        """What each seat's side has."""
        return [{"side": side(seat), "points": self.totals[side(seat)]} for seat in range(4)]

    def phase(self) -> str:
        """What is going on."""
        if self.round is None:
            return "over" if self.winners else "deal"
        return "announce" if self.round.contract is None else "play"

    def seen(self) -> dict[str, Any]:
        """What every reader sees, without Weis."""
        now = self.round or Round(self.dealer, [[], [], [], []])
        return {
            "phase": self.phase(),
            "trump": trump_of(now.contract or ""),
            "contract": now.contract,
            "line": now.line,
            "by": now.by,
            "factor": now.factor,
            "pushes": now.pushes,
            "pushed": now.pushes > 0,
            "points": by_seat(now.points),
            "trick": [list(played) for played in now.trick],
            "tricks": now.tricks,
            "last_trick": now.tricks[-1] if now.tricks else None,
            "hand_sizes": [len(hand) for hand in now.hands],
            "standing": self.standing(),
            "over": bool(self.winners),
            "winners": self.winners,
        }

    def seen_weis(self, reader: int | None) -> dict[str, Any]:
        """What a reader sees of Weis and Stöck: points announced, and the melds laid open."""
        now = self.round or Round(self.dealer, [[], [], [], []])
        own: list[Meld] = []
        if reader is not None and now.contract and self.may_announce_weis(reader):
            own = melds(now.hands[reader], now.contract)
        return {
            "melds": written(own),
            "announced": [
                {"seat": seat, "points": reference_handjass.worth(best)}
                for seat, (best, *_) in now.announced
            ],
            "weis_shown": [meld for _, shown in now.shown for meld in written(shown)],
            "weis": by_seat(now.weis),
            "stoeck": by_seat(now.stoeck),
        }


def written(found: Iterable[Meld]) -> list[dict[str, Any]]:
    """Melds as views show them."""
    return [{"cards": in_order(meld), "points": reference_handjass.worth(meld)} for meld in found]


class Schieber(Table):
    """A match of `schieber` (SC)."""

    def announcer(self, now: Round) -> int:
        """Forehand, or its partner after a push (SC1)."""
        return (now.forehand + 2 * now.pushes) % 4

    def announcements(self) -> list[str]:
        """The contracts that are open, and `push` for forehand (SC1, SC2)."""
        assert self.round is not None
        contracts = [*PLAIN, *(SLALOM if self.options["slalom"] == "on" else ())]
        return contracts if self.round.pushes else [*contracts, "push"]

    def announce(self, now: Round, action: str) -> None:
        """Forehand leads, whoever announced (SC1); the factor goes by the contract (SC5)."""
        now.contract = action
        now.factor = FACTOR[self.options["multipliers"]][action]
        now.leader = now.forehand

    def totals_with(self, now: Round) -> list[int]:
        """What each side has with the round as far as it was counted (SC6)."""
        assert now.factor is not None
        return [
            total + points * now.factor
            for total, points in zip(self.totals, now.points, strict=True)
        ]

    def reached(self, now: Round) -> bool:
        """Whether a side has the target in the middle of a round (SC6)."""
        at_once = self.options["end"] == "at_once" and self.options["rounds"] == 0
        target: int = self.options["target"]
        return at_once and max(self.totals_with(now)) >= target

    def close(self, now: Round) -> None:
        """Write the round; see whether the match is over (SC6, SC7)."""
        assert now.factor is not None
        self.write(now, [points * now.factor for points in now.points])
        if self.options["rounds"]:
            if len(self.rounds) == self.options["rounds"]:
                self.higher_total_wins()
        elif max(self.totals) >= self.options["target"] and self.totals[0] != self.totals[1]:
            self.higher_total_wins()


class Coiffeur(Table):
    """A match of `coiffeur` (CO)."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        super().__init__(options)
        self.lines: list[dict[str, int]] = [{}, {}]

    def slate(self) -> list[tuple[str, int, list[str]]]:
        """Each line with its factor and the announcements that play it (CO1, CO2)."""
        suits = SUITS_OF_THE_SLATE[self.options["suits"]]
        lines = [f"trump {suit}" for suit in suits] + ["tops", "bottoms"]
        found = [(line, factor, [line]) for factor, line in enumerate(lines, start=1)]
        if self.options["lines"] == "ten":
            found += [("slalom", 7, list(SLALOM)), ("guschti", 8, list(GUSCHTI))]
        for factor in (len(found) + 1, len(found) + 2):
            joker = f"joker {factor}"
            found.append((joker, factor, [f"{joker} {contract}" for contract in PLAIN]))
        return found

    def open_to(self, seat: int) -> list[str]:
        """What this seat's side may still announce, in the order of the slate (CO1)."""
        played = self.lines[side(seat)]
        return [text for line, _, texts in self.slate() if line not in played for text in texts]

    def announcer(self, now: Round) -> int:
        """Forehand, or the next after a push; after four the first who can (CO2)."""
        seats = [(now.forehand + turn) % 4 for turn in range(4)]
        if now.pushes < 4:
            return seats[now.pushes]
        return next(seat for seat in seats if self.open_to(seat))

    def announcements(self) -> list[str]:
        """The lines open to the side, and `push` until four have pushed (CO2)."""
        assert self.round is not None
        push = ["push"] if self.round.pushes < 4 else []
        return self.open_to(self.announcer(self.round)) + push

    def announce(self, now: Round, action: str) -> None:
        """Who announced leads (CO3); a joker's contract stands behind its factor (CO2)."""
        assert now.by is not None
        now.line = action
        words = action.split()
        now.contract = " ".join(words[2:] if words[0] == "joker" else words)
        now.factor = next(factor for _, factor, texts in self.slate() if action in texts)
        now.leader = now.by

    def reached(self, now: Round) -> bool:
        """Never: every line is played to its end (CO5)."""
        return False

    def close(self, now: Round) -> None:
        """Only the side that announced writes (CO4); the end is when all is played (CO5)."""
        assert now.by is not None
        assert now.factor is not None
        own = side(now.by)
        points = [0, 0]
        points[own] = now.points[own] * now.factor
        line = next(line for line, _, texts in self.slate() if now.line in texts)
        self.lines[own][line] = points[own]
        self.write(now, points, line=now.line)
        if all(len(lines) == len(self.slate()) for lines in self.lines):
            self.higher_total_wins()

    def standing(self) -> list[dict[str, Any]]:
        """The points of each seat's side, and the lines it has played."""
        return [{**entry, "lines": self.lines[entry["side"]]} for entry in super().standing()]


GAMES: dict[str, type[Table]] = {"schieber": Schieber, "coiffeur": Coiffeur}


@dataclass
class Played:
    """A round of cards as it was played, without Weis, and the card points of the sides."""

    hands: list[list[str]]
    contract: str
    tricks: list[reference.Trick] = field(default_factory=list)
    winners: list[int] = field(default_factory=list)

    @property
    def cards(self) -> list[str]:
        """All cards in the order in which they were played."""
        return [card for trick in self.tricks for _, card in trick]

    @property
    def points(self) -> list[int]:
        """Cards and last trick by side (CT5)."""
        points = [0, 0]
        for trick, seat in zip(self.tricks, self.winners, strict=True):
            points[side(seat)] += sum(value(card, self.contract) for _, card in trick)
        points[side(self.winners[-1])] += 5
        return points


def play_round(
    hands: Sequence[Sequence[str]], leader: int, contract: str, rng: random.Random
) -> Played:
    """Play a round at random with `undertrump="strict"`."""
    played = Played([list(hand) for hand in hands], contract)
    held = [list(hand) for hand in hands]
    while held[leader]:
        trick: reference.Trick = []
        for turn in range(4):
            seat = (leader + turn) % 4
            table = [card for _, card in trick]
            card = rng.choice(playable(held[seat], table, contract, "strict"))
            held[seat].remove(card)
            trick.append((seat, card))
        leader = winner(trick, contract, len(played.tricks) + 1)
        played.tricks.append(trick)
        played.winners.append(leader)
    return played
