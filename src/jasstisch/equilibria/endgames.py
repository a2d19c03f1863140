"""Endgames as small games: three players, and unknown positions of the last cards.

The history is public and the same in every deal: tricks in which everybody followed suit, so that
no void is known. Three cards are left to each seat, six of one suit and three of another, or two
cards, three of either suit. All distributions are equally likely (1680 deals, or 90). Otherwise
these are the real games with their rules, so any bot can be asked for a move with a normal view.

In Molotov no trump has been made yet; the first discard makes it. Forehand already has so many
points that no card changes the marks, so only points count. In Differenzler the bids are made
secretly and simultaneously at the beginning of the endgame instead of before the first card
(`LateBidDifferenzler`); points captured before count.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

import jasstisch as jt
from jasstisch.engine import tricks
from jasstisch.engine.cards import JASS, card_set, cards_in_set
from jasstisch.games.dealing import deal
from jasstisch.games.differenzler import Differenzler
from jasstisch.games.rules import Game

GAMES = ("differenzler", "molotov")

SEATS = 3
FOREHAND = 0

PACKETS = Differenzler.PACKETS[SEATS]  # the same in Molotov

CARDS_LEFT_BY_SUIT = {2: (3, 3, 0, 0), 3: (6, 3, 0, 0)}
"""The cards left of each suit, by the number of cards of each seat."""


class LateBidDifferenzler(Differenzler):
    """Differenzler with the bids after a number of tricks."""

    def __init__(self, game: Game, after: int) -> None:
        super().__init__(game)
        self.next_seat = after

    def await_bids(self) -> None:
        """Asks for bids at the right time; before it, play continues."""
        if len(self.history) < self.next_seat:
            self.begin_play()
        else:
            super().await_bids()

    def first_leader(self) -> int:
        """Returns forehand at first, and the winner of the last trick after the bids."""
        return self.history[-1][2] if self.history else super().first_leader()

    def start_trick(self, seat: int) -> None:
        """Starts a trick, or the bidding before it."""
        super().start_trick(seat)
        if len(self.history) == self.next_seat and None in self.bids:
            self.await_bids()


@dataclass(frozen=True, slots=True)
class History:
    """The history of an endgame.

    Attributes:
        trump: the trump suit, -1 if the first discard makes it.
        tricks: the seats and cards of each trick, in order of play.
        hidden: the cards left.
    """

    trump: int
    tricks: list[list[tuple[int, int]]]
    hidden: list[int]


@dataclass(frozen=True, slots=True)
class EndgameState:
    """The state of an endgame in one deal.

    Attributes:
        match: the match.
        hands: the hand of each seat at the beginning.
        actions: the actions since.
    """

    match: jt.Match
    hands: tuple[tuple[int, ...], ...]
    actions: tuple[str, ...] = ()

    @property
    def turn(self) -> int:
        """The seat to play; -1 when the round is over."""
        return -1 if self.match.needs_pack or self.match.over else self.match.to_act[0]

    def legal(self) -> Sequence[str]:
        """The cards it may play."""
        return self.match.legal(self.turn)

    def after(self, action: str) -> "EndgameState":
        """Returns the state after a card; the last trick is played automatically."""
        match = self.match.copy()
        match.act(self.turn, action)
        made = EndgameState(match, self.hands, (*self.actions, action))
        if made.turn >= 0 and not match.trick and len(match.hand(made.turn)) == 1:
            while made.turn >= 0:
                match.act(made.turn, made.legal()[0])
        return made

    def information(self, seat: int) -> tuple[tuple[int, ...], tuple[str, ...]]:
        """The seat's own cards and all cards played."""
        return self.hands[seat], self.actions

    def scores(self) -> Sequence[float]:
        """The points of each seat, negative where points are bad."""
        (finished,) = self.match.rounds
        points: list[int] = finished["points"]
        return points if self.match.game.name == "differenzler" else [-one for one in points]


@dataclass(frozen=True, slots=True)
class Endgame:
    """The end of a round.

    Attributes:
        game: the game.
        start_matches: the match of each deal, before the bids if there are any.
        hands_by_deal: the hands of each deal.
    """

    game: jt.Game
    start_matches: list[jt.Match]
    hands_by_deal: list[tuple[tuple[int, ...], ...]]

    @property
    def has_bids(self) -> bool:
        """Whether its players bid."""
        return self.game.name == "differenzler"

    def positions(self) -> list[EndgameState]:
        """Returns the state of each deal before the first card; bids, if any, are 0."""
        return [
            EndgameState(self.match(number, [0] * SEATS), dealt)
            for number, dealt in enumerate(self.hands_by_deal)
        ]

    def match(self, number: int, bids: Sequence[int] = (), done: Sequence[str] = ()) -> jt.Match:
        """Returns the match of a deal after these bids and cards.

        Args:
            number: the number of the deal.
            bids: the bid of each seat; empty before the bidding, and ignored without bidding.
            done: the cards played.
        """
        match = self.start_matches[number].copy()
        if self.has_bids:
            for seat, bid in enumerate(bids):
                match.act(seat, f"bid {bid}")
        for action in done:
            match.act(match.to_act[0], action)
        return match


def random_endgame(name: str, chance: Random, left: int = 3) -> Endgame:
    """Returns a random endgame of a game with this many cards per seat."""
    past = random_history(name, chance, left)
    game = jt.game(name, players=SEATS, dealer=SEATS - 1)
    dealt = possible_hands(past.hidden, left)
    return Endgame(game, [match_from(game, past, hands) for hands in dealt], dealt)


def random_history(name: str, chance: Random, left: int) -> History:
    """Returns tricks in which everybody followed suit until this many cards were left.

    Forehand takes all but the last one, the trick with the fewest points, which anybody may take.
    """
    suits = chance.sample(range(4), 4)
    trump = chance.choice(suits[:2]) if name == "differenzler" else tricks.PLAIN
    hidden, groups = [], []
    for suit, kept in zip(suits, CARDS_LEFT_BY_SUIT[left], strict=True):
        cards = chance.sample(list(cards_in_set(tricks.SUIT_CARDS[suit])), tricks.RANKS)
        hidden += sorted(cards[:kept])
        groups += [cards[low : low + SEATS] for low in range(kept, tricks.RANKS, SEATS)]
    chance.shuffle(groups)
    groups.sort(key=lambda cards: -tricks.points(card_set(cards), trump))
    found, leader = [], FOREHAND
    for cards in groups:
        winner = chance.randrange(SEATS) if cards is groups[-1] else FOREHAND
        highest = cards[0]
        for card in cards:
            if tricks.beats(card, highest, trump):
                highest = card
        others = iter([card for card in cards if card != highest])
        order = [(leader + step) % SEATS for step in range(SEATS)]
        found.append([(seat, highest if seat == winner else next(others)) for seat in order])
        leader = winner
    return History(trump, found, hidden)


def possible_hands(hidden: Sequence[int], left: int) -> list[tuple[tuple[int, ...], ...]]:
    """Returns all distributions of the cards."""
    if not hidden:
        return [()]
    return [
        (own, *rest)
        for own in combinations(hidden, left)
        for rest in possible_hands([card for card in hidden if card not in own], left)
    ]


def match_from(game: jt.Game, past: History, hands: Sequence[Sequence[int]]) -> jt.Match:
    """Returns the match with these hands after that history."""
    match = jt.Match(game)
    if game.name == "differenzler":
        match = jt.Match.from_rules(LateBidDifferenzler(game, len(past.tricks)), [])
    match.deal(pack_for(hands, past))
    if match.needs_pack:  # whose first card determines trump (DF2)
        drawn = tricks.RANKS * past.trump
        match.deal([*JASS.texts[drawn:], *JASS.texts[:drawn]])
    for trick in past.tricks:
        for seat, card in trick:
            match.act(seat, f"play {JASS.texts[card]}")
    return match


def pack_for(hands: Sequence[Sequence[int]], past: History) -> list[str]:
    """Returns the pack that deals the hands and the cards already played."""
    whole = [[*hand] for hand in hands]
    for trick in past.tricks:
        for seat, card in trick:
            whole[seat].append(card)
    pack = [""] * len(JASS.texts)
    for seat, places in enumerate(deal(range(len(pack)), PACKETS, range(SEATS))):
        for place, card in zip(places, whole[seat], strict=True):
            pack[place] = JASS.texts[card]
    return pack
