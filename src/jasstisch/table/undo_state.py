"""Which card may be taken back at a table, and who has asked for it: that part of its state.

Only a card played to a trick is taken back, by the person who has played it, while nobody but
computers on seats of their own has played since; their cards are taken back with it. What was said,
bid, announced or claimed stands, and nothing goes back over it, over what the game has shown, over
the rest of a round that somebody has taken, or over a pack: what has come to light cannot be
forgotten.
"""

from dataclasses import dataclass, field

__all__ = ["MAX_UNDOS_PER_ROUND", "PendingUndo", "UndoState"]

MAX_UNDOS_PER_ROUND = 3
"""So often a seat may ask in a round."""


@dataclass(frozen=True, slots=True)
class PendingUndo:
    """A person asks the others to agree that he takes his last card back.

    Attributes:
        seat: who asks.
        agreed: the seats whose people have agreed so far.
    """

    seat: int
    agreed: frozenset[int] = frozenset()


@dataclass(slots=True)
class UndoState:
    """What has been played since a person's last card, and what was asked about it.

    Attributes:
        played: the seats that have played a card since, that person's first.
        asked: how often each seat has asked in this round.
        refused: that card stays where it is.
        question: what is asked now.
    """

    undoable_plays: list[int] = field(default_factory=list)
    request_counts: dict[int, int] = field(default_factory=dict)
    declined: bool = False
    pending: PendingUndo | None = None

    @property
    def eligible_seat(self) -> int | None:
        """The seat that may ask for its last card; None where nobody may."""
        if not self.undoable_plays or self.declined or self.pending is not None:
            return None
        seat = self.undoable_plays[0]
        return seat if self.request_counts.get(seat, 0) < MAX_UNDOS_PER_ROUND else None

    def on_action(self, seat: int, *, person: bool, goes_back: bool) -> None:
        """A seat has done something: whoever goes on agrees to nothing that was asked before."""
        self.pending = None
        if person:
            self.undoable_plays, self.declined = [], False
        if goes_back and (person or self.undoable_plays):
            self.undoable_plays.append(seat)
        else:
            self.undoable_plays = []

    def open_request(self, seat: int) -> None:
        """The person of a seat asks."""
        self.request_counts[seat] = self.request_counts.get(seat, 0) + 1
        self.pending = PendingUndo(seat)

    def agree(self, seat: int) -> None:
        """The person of a seat agrees."""
        if self.pending is not None:
            self.pending = PendingUndo(self.pending.seat, self.pending.agreed | {seat})

    def close_request(self, *, refused: bool) -> None:
        """The question has come to nothing; where it was refused it is not put again."""
        self.pending, self.declined = None, refused

    def on_seat_left(self, seat: int) -> None:
        """The person of a seat has left it: the next one has neither played nor agreed."""
        question = self.pending
        if self.undoable_plays and self.undoable_plays[0] == seat:
            self.undoable_plays, self.pending = [], None
        elif question is not None:
            self.pending = PendingUndo(question.seat, question.agreed - {seat})

    def clear(self) -> None:
        """Nothing that was played until now can be taken back any more."""
        self.undoable_plays, self.declined, self.pending = [], False, None
