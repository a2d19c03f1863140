"""Which card may be taken back at a table, and who has asked for it: that part of its state.

Only a card played to a trick is taken back, by the person who has played it, while nobody but
computers on seats of their own has played since; their cards are taken back with it. What was said,
bid, announced or claimed stands, and nothing goes back over it, over what the game has shown, over
the rest of a round that somebody has taken, or over a pack: what has come to light cannot be
forgotten.
"""

from dataclasses import dataclass, field

__all__ = ["MOST_UNDOS", "Question", "Undoing"]

MOST_UNDOS = 3
"""So often a seat may ask in a round."""


@dataclass(frozen=True, slots=True)
class Question:
    """A person asks the others to agree that he takes his last card back.

    Attributes:
        seat: who asks.
        agreed: the seats whose people have agreed so far.
    """

    seat: int
    agreed: frozenset[int] = frozenset()


@dataclass(slots=True)
class Undoing:
    """What has been played since a person's last card, and what was asked about it.

    Attributes:
        played: the seats that have played a card since, that person's first.
        asked: how often each seat has asked in this round.
        refused: that card stays where it is.
        question: what is asked now.
    """

    played: list[int] = field(default_factory=list)
    asked: dict[int, int] = field(default_factory=dict)
    refused: bool = False
    question: Question | None = None

    @property
    def whose(self) -> int | None:
        """The seat that may ask for its last card; None where nobody may."""
        if not self.played or self.refused or self.question is not None:
            return None
        seat = self.played[0]
        return seat if self.asked.get(seat, 0) < MOST_UNDOS else None

    def acted(self, seat: int, *, person: bool, goes_back: bool) -> None:
        """A seat has done something: whoever goes on agrees to nothing that was asked before."""
        self.question = None
        if person:
            self.played, self.refused = [], False
        if goes_back and (person or self.played):
            self.played.append(seat)
        else:
            self.played = []

    def ask(self, seat: int) -> None:
        """The person of a seat asks."""
        self.asked[seat] = self.asked.get(seat, 0) + 1
        self.question = Question(seat)

    def agree(self, seat: int) -> None:
        """The person of a seat agrees."""
        if self.question is not None:
            self.question = Question(self.question.seat, self.question.agreed | {seat})

    def end(self, *, refused: bool) -> None:
        """The question has come to nothing; where it was refused it is not put again."""
        self.question, self.refused = None, refused

    def left(self, seat: int) -> None:
        """The person of a seat has left it: the next one has neither played nor agreed."""
        question = self.question
        if self.played and self.played[0] == seat:
            self.played, self.question = [], None
        elif question is not None:
            self.question = Question(question.seat, question.agreed - {seat})

    def forget(self) -> None:
        """Nothing that was played until now can be taken back any more."""
        self.played, self.refused, self.question = [], False, None
