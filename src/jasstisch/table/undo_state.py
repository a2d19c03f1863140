"""The undo part of a table's state: the card that may be undone, and the request to undo it.

Only a card played to a trick can be undone, by the person who played it, while only bots on their
own seats have played since; their cards are undone with it. Bids, announcements, claims and
answers stand. An undo never goes back past one of these, past information that the game has
revealed, past a claim of the remaining tricks, or past a pack.
"""

from dataclasses import dataclass, field

MAX_UNDOS_PER_ROUND = 3
"""The number of undo requests of a seat per round."""


@dataclass(frozen=True, slots=True)
class PendingUndo:
    """A person's request to the others to agree to undo their last card.

    Attributes:
        seat: the seat that asks.
        agreed: the seats whose people have agreed so far.
    """

    seat: int
    agreed: frozenset[int] = frozenset()


@dataclass(slots=True)
class UndoState:
    """The cards played since a person's last card, and the requests to undo it.

    Attributes:
        undoable_play_seats: the seats that have played since, beginning with that person's.
        request_counts: the number of requests of each seat in this round.
        declined: whether undoing that card was declined.
        pending: the pending request.
    """

    undoable_play_seats: list[int] = field(default_factory=list)
    request_counts: dict[int, int] = field(default_factory=dict)
    declined: bool = False
    pending: PendingUndo | None = None

    @property
    def eligible_seat(self) -> int | None:
        """The seat that may ask to undo its last card; None where no seat may."""
        if not self.undoable_play_seats or self.declined or self.pending is not None:
            return None
        seat = self.undoable_play_seats[0]
        return seat if self.request_counts.get(seat, 0) < MAX_UNDOS_PER_ROUND else None

    def on_action(self, seat: int, *, person: bool, goes_back: bool) -> None:
        """Records an action of a seat, which ends a pending request without agreement."""
        self.pending = None
        if person:
            self.undoable_play_seats, self.declined = [], False
        if goes_back and (person or self.undoable_play_seats):
            self.undoable_play_seats.append(seat)
        else:
            self.undoable_play_seats = []

    def open_request(self, seat: int) -> None:
        """Opens the request of a seat's person."""
        self.request_counts[seat] = self.request_counts.get(seat, 0) + 1
        self.pending = PendingUndo(seat)

    def agree(self, seat: int) -> None:
        """Records the agreement of a seat's person."""
        if self.pending is not None:
            self.pending = PendingUndo(self.pending.seat, self.pending.agreed | {seat})

    def close_request(self, *, refused: bool) -> None:
        """Closes the request without an undo; a declined one cannot be repeated."""
        self.pending, self.declined = None, refused

    def on_seat_left(self, seat: int) -> None:
        """Forgets the cards and agreement of a seat whose person has left."""
        question = self.pending
        if self.undoable_play_seats and self.undoable_play_seats[0] == seat:
            self.undoable_play_seats, self.pending = [], None
        elif question is not None:
            self.pending = PendingUndo(question.seat, question.agreed - {seat})

    def clear(self) -> None:
        """Makes all cards played so far final."""
        self.undoable_play_seats, self.declined, self.pending = [], False, None
