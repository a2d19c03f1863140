"""Matches with verifiable deals at an honest table, as several clients see them, for tests."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from random import Random
from typing import Any

import jasstisch as jt
from jasstisch.client.match_witness import Change
from jasstisch.client.seen_match import SeenMatch
from jasstisch.fairness import DealState, Ledger, MatchId, PendingContributions, SendOpening
from tools.fairness_vectors import SEED

TABLE = "a table"
NAMES = ["Anna", "bot:club", "bot:club", "Reto"]


class SeenTable:
    """A match of Differenzler, and what the clients of some seats see of it.

    Args:
        clients: what each client has seen so far, by seat.
        number: the number of the match at the table.
        deaf: for each number of a pack, the seats whose openings never arrive.
        seed: the seed of the random play.
        rounds: how many rounds are played.
    """

    def __init__(
        self,
        clients: Mapping[int, SeenMatch],
        *,
        number: int = 1,
        deaf: Mapping[int, Collection[int]] | None = None,
        seed: int = 1,
        rounds: int = 4,
    ) -> None:
        self.clients = dict(clients)
        self.number = number
        self.deaf = deaf or {}
        self.random = Random(seed)
        self.match = jt.Match(jt.game("differenzler", rounds=rounds), NAMES)
        self.ledger = Ledger.begin(SEED, MatchId.of(TABLE, number), 4)
        self.pending = PendingContributions()

    def play(self, on_step: Callable[[], None] = lambda: None) -> dict[str, Any]:
        """Plays to the end, calling a function after each step; returns the record."""
        while not self.match.over:
            self.step()
            on_step()
        return self.record()

    def record(self) -> dict[str, Any]:
        """The record with its proof."""
        packs = sum(actor == "pack" for actor, _ in self.match.record()["log"])
        self.match.fair = self.ledger.evidence(packs).to_json()
        return json.loads(json.dumps(self.match.record()))  # type: ignore[no-any-return]

    def step(self) -> None:
        """Deals a pack, or lets a seat act."""
        if self.match.needs_pack:
            self.decide_pack()
            self.match.deal(self.ledger.derive_order(self.match.pack))
            self.show("final")
        else:
            seat = self.match.to_act[0]
            action = self.random.choice(self.match.legal(seat))
            self.match.act(seat, action)
            played: Change = "card" if seat in self.clients else "reply"
            self.show(played if action.startswith("play ") else "final")

    def show(self, change: Change) -> None:
        """Shows each client its view."""
        for seat, client in self.clients.items():
            client.note(seat, json.loads(json.dumps(self.match.view(seat))), change)

    def decide_pack(self) -> None:
        """Has the clients shuffle the next pack."""
        self.tell()
        self.ledger = self.ledger.with_pack_call(self.pending.next_pack_call(self.ledger))
        self.tell()
        while self.ledger.pending_pack_call is not None:
            self.ledger = self.ledger.with_openings(self.pending.openings(self.ledger))
            self.tell()

    def tell(self, seats: Iterable[int] | None = None) -> list[SendOpening]:
        """Tells clients the state of the deals and takes what they send; returns the openings."""
        state = DealState(
            self.ledger.announcement,
            self.ledger.next_pack_number,
            self.ledger.pending_pack_call,
            self.ledger.last_void_attempt,
        )
        opened: list[SendOpening] = []
        for seat in self.clients if seats is None else seats:
            for sent in self.clients[seat].tell(state.to_json(), self.number, seat):
                if isinstance(sent, SendOpening):
                    opened.append(sent)
                    if seat not in self.deaf.get(sent.pack_number, ()):
                        self.pending.add_opening(self.ledger, seat, sent.attempt, sent.opening)
                elif seat not in self.ledger.excluded_seats:
                    pack, made = sent.pack_number, sent.commitments
                    self.pending.add_commitments(self.ledger, seat, pack, made)
        return opened


def new_client(number: int = 1) -> SeenMatch:
    """A client that has seen nothing yet and keeps nothing in a file."""
    return SeenMatch(TABLE, number, 4)
