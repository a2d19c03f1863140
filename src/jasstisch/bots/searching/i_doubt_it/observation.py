"""The observation history of a seat in a deal of I Doubt It, encoded for the particle filter.

A seat learns the cards of a claim in three ways: it laid them, they were turned up, or it drew them
later from the middle. If the seat has taken the middle itself, its earlier hand follows from its
present one; what remains unknown of that hand is left open.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from jasstisch.bots.api import View
from jasstisch.games.i_doubt_it import FULL_DECK
from jasstisch.search.games.i_doubt_it.deal_state import (
    BITS_PER_RANK,
    CLAIM_LIMIT,
    CLAIM_NUMBER,
    CLAIMANT,
    HAND_SIZES,
    HANDS,
    LAST_ANY,
    LIE_FEE,
    MIDDLE_SIZE,
    NOBODY,
    OBSERVER,
    OWNER_BASE,
    PILE,
    PLAYERS,
    STATE_SIZE,
    Deal,
)
from jasstisch.search.games.i_doubt_it.particle_filter import (
    CLAIM_SIZE_FIELD,
    CLAIMED_RANK,
    DOUBTER,
    EVENT_SIZE,
    FACTS_SIZE,
    LAID_CARDS,
    MIDDLE_FACTS,
    PASSED_SEATS,
    UNSEEN,
    WAS_OPENED,
    Event,
    Events,
    Facts,
)

_MAX_TURNS = 60
"""The maximum number of turns that are replayed; a deal may have thousands (ID8)."""


@dataclass(frozen=True, slots=True)
class DealObservation:
    """A deal as observed by one seat.

    Attributes:
        initial_deal: the deal before the first event, with no hand but the cards the seat surely
            held.
        possible_own_ranks: ranks of the cards that make up the rest of its hand there.
        events: the claims since then.
        facts: the known cards before each claim, and last the known cards now.
    """

    initial_deal: Deal
    possible_own_ranks: NDArray[np.int64]
    events: Events
    facts: NDArray[np.int64]


def rank_index(card: str) -> int:
    """The rank of a card, as an index."""
    return FULL_DECK.ranks.index(card[0])


def to_counts(cards: Iterable[str]) -> int:
    """A hand as the number of cards of each rank."""
    return sum(1 << BITS_PER_RANK * rank_index(card) for card in cards)


def observe_deal(view: View) -> DealObservation:
    """Encodes what the seat of a view has observed."""
    history = _TurnHistory(view)
    start = np.zeros(STATE_SIZE, np.int64)
    start[HAND_SIZES : HAND_SIZES + len(history.sizes)] = history.sizes
    start[MIDDLE_SIZE] = len(history.surplus)
    start[PILE : PILE + len(history.surplus)] = [
        UNSEEN if slot.card is None else NOBODY * OWNER_BASE + slot.rank for slot in history.surplus
    ]
    sure, maybe = history.own_hand_before()
    start[HANDS + history.seat] = to_counts(sure)
    start[OBSERVER] = history.seat
    start[CLAIMANT] = history.turns[0]["seat"] if history.turns else view["to_act"][0]
    start[PLAYERS] = len(history.sizes)
    start[CLAIM_NUMBER] = view["claims"] - len(history.claims)
    start[CLAIM_LIMIT] = view["options"]["max_turns"]
    start[LAST_ANY] = view["options"]["last"] == "any"
    start[LIE_FEE] = view["options"]["lie_fee"]
    ranks = np.array(sorted(rank_index(card) for card in maybe), np.int64)
    return DealObservation(start, ranks, *history.encode_events())


class _PileSlot:
    """A position in the middle, with its card once that is known."""

    __slots__ = ("card",)

    def __init__(self, card: str | None = None) -> None:
        self.card = card

    @property
    def rank(self) -> int:
        """The rank of the card, or `UNSEEN` while the seat does not know it."""
        return UNSEEN if self.card is None else rank_index(self.card)


class _TurnHistory:
    """The turns of a deal that are replayed, with all cards that have become known since.

    Args:
        view: the view of the seat.

    Attributes:
        seat: the seat.
        turns: the turns.
        claims: those with a claim.
        sizes: the sizes of the hands before these turns.
        surplus: the size of the middle before them.
        laid: the cards of each claim.
        first_taken: the index of the first turn in which the seat took the middle, or -1.
        cards_taken: the index of the last turn in which the seat took the middle, or -1.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self.seat: int = view["seat"]
        self.turns = recent_turns(view["turns"])
        self.claims = [turn for turn in self.turns if turn["count"]]
        self.sizes, middle = _sizes_before(view, self.turns)
        self.surplus = [_PileSlot() for _ in range(middle)]
        self.laid = [
            [_PileSlot(card) for card in turn["laid"] or [None] * turn["count"]]
            for turn in self.claims
        ]
        own = [place for place, turn in enumerate(self.turns) if turn["taker"] == self.seat]
        self.first_taken, self.cards_taken = (own[0], own[-1]) if own else (-1, -1)
        self.propagate_draws()

    def propagate_draws(self) -> None:
        """Records cards that the seat drew at the positions where they lay before."""
        pile, laid = list(self.surplus), iter(self.laid)
        for turn in self.turns:
            drawn = [pile.pop() for _ in range(turn["drew"])]
            for slot, card in zip(drawn, turn["drawn"] or (), strict=False):
                slot.card = card
            if turn["count"]:
                pile += next(laid)
            if turn["taker"] is not None:
                pile.clear()

    def own_hand_after(self, place: int) -> set[str]:
        """The seat's own hand after a turn after which it has taken nothing."""
        hand = set(self.view["hand"])
        for turn in reversed(self.turns[place + 1 :]):
            if turn["seat"] == self.seat:
                hand.update(turn["laid"])
                hand.difference_update(turn["drawn"])
        return hand

    def own_hand_before(self) -> tuple[set[str], set[str]]:
        """The seat's hand before these turns: known cards, and candidates for the rest."""
        if self.cards_taken < 0:
            return self.own_hand_after(-1), set()
        drawn: set[str] = set()
        sure: set[str] = set()
        held = set(self.view["hand"])
        shown = {slot.card for slot in self.surplus}
        for place, turn in enumerate(self.turns):
            if turn["seat"] != self.seat:
                shown.update(turn["laid"] or ())
                continue
            held.update(turn["laid"])
            if place <= self.first_taken:
                drawn.update(turn["drawn"])
                sure.update(card for card in turn["laid"] if card not in drawn)
        possible = held - sure - {slot.card for slot in self.surplus}
        likely = possible - shown - drawn
        return sure, likely if len(sure) + len(likely) >= self.sizes[self.seat] else possible

    def encode_events(self) -> tuple[Events, NDArray[np.int64]]:
        """Encodes the claims as events, and the known cards before each and after all of them."""
        events = np.zeros((len(self.claims), EVENT_SIZE), np.int64)
        facts = np.zeros((len(self.claims) + 1, FACTS_SIZE), np.int64)
        sure: list[set[str]] = [set() for _ in self.sizes]
        if self.cards_taken < 0:
            sure[self.seat] = self.own_hand_after(-1)
        pile = list(self.surplus)
        number = 0
        for place, turn in enumerate(self.turns):
            drawn = [pile.pop() for _ in range(turn["drew"])]
            sure[turn["seat"]].update(slot.card for slot in drawn if slot.card)
            if not turn["count"]:
                continue
            sure[turn["seat"]].update(slot.card for slot in self.laid[number] if slot.card)
            _encode_facts(facts[number], sure, pile)
            self.encode_event(events[number], number)
            pile += self.laid[number]
            _remaining_known(sure[turn["seat"]], self.laid[number])
            if turn["taker"] is not None:
                sure[turn["taker"]].update(slot.card for slot in pile if slot.card)
                pile.clear()
            if place == self.cards_taken:
                sure[self.seat] = self.own_hand_after(place)
            number += 1
        _encode_facts(facts[number], sure, pile[: self.view["middle"]])
        return events, facts

    def encode_event(self, event: Event, number: int) -> None:
        """Encodes one of the claims."""
        turn, laid = self.claims[number], self.laid[number]
        event[CLAIM_SIZE_FIELD] = turn["count"]
        event[CLAIMED_RANK] = FULL_DECK.ranks.index(turn["rank"])
        event[LAID_CARDS : LAID_CARDS + len(laid)] = [slot.rank for slot in laid]
        event[PASSED_SEATS] = sum(1 << seat for seat in turn["passed"])
        event[DOUBTER] = -1 if turn["doubter"] is None else turn["doubter"]
        event[WAS_OPENED] = bool(self.view["claim"]) and turn is self.claims[-1]


def _remaining_known(sure: set[str], laid: Sequence[_PileSlot]) -> None:
    """Removes laid cards from the known cards of a hand, or all if a laid card is unknown."""
    cards = {slot.card for slot in laid}
    if None in cards:
        sure.clear()
    sure.difference_update(card for card in cards if card)


def _encode_facts(facts: Facts, sure: Sequence[set[str]], pile: Sequence[_PileSlot]) -> None:
    """Encodes the cards known to be in hands and in the middle."""
    facts[: len(sure)] = [to_counts(cards) for cards in sure]
    facts[MIDDLE_FACTS:] = UNSEEN
    facts[MIDDLE_FACTS : MIDDLE_FACTS + len(pile)] = [slot.rank for slot in pile]


def recent_turns(turns: Sequence[View]) -> Sequence[View]:
    """All turns, or the last ones of very many, preferably from when the middle was just taken."""
    if len(turns) <= _MAX_TURNS:
        return turns
    latest = turns[-_MAX_TURNS:]
    taken = [place for place, turn in enumerate(latest) if turn["taker"] is not None]
    return latest[taken[0] + 1 :] if taken else latest


def _sizes_before(view: View, turns: Sequence[View]) -> tuple[list[int], int]:
    """The sizes of the hands and of the middle before these turns."""
    sizes, middle = list(view["hand_sizes"]), view["middle"]
    for turn in reversed(turns):
        seat, count = turn["seat"], turn["count"]
        if turn["taker"] is not None:
            sizes[turn["taker"]] -= turn["taken"]
            middle = turn["taken"] - count
        elif not (view["claim"] and turn is turns[-1]):
            middle -= count
        sizes[seat] += count - turn["drew"]
        middle += turn["drew"]
    return sizes, middle
