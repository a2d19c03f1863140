"""What a client has seen of one match with verifiable deals, as a fold over what it was told.

The client's part in the deals follows from what the server has told it and from the random bytes
that it has drawn. So a journal of both brings it back after a restart: it sends the same
commitments, and opens nothing for a second call.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from jasstisch.client.deal_verdict import (
    DealVerdict,
    VerdictKind,
    judge_deals,
    judge_without_record,
)
from jasstisch.client.match_witness import Change, MatchWitness, digest_of
from jasstisch.fairness import FairError, Participant, SendCommitments, SendOpening


class Told(msgspec.Struct, tag="deals", frozen=True, forbid_unknown_fields=True):
    """A state of the deals, as the server has told it.

    Attributes:
        deals: the state; None where the server did not speak of verifiable deals.
        match: the number of the match at the table.
        seat: the client's seat, None for a spectator.
        drawn: the random bytes that the client drew for its contributions, in hexadecimal.
    """

    deals: Any
    match: int
    seat: int | None
    drawn: list[str]


class Viewed(msgspec.Struct, tag="view", frozen=True, forbid_unknown_fields=True):
    """A view of the match, see `MatchWitness.note_digest`."""

    seat: int | None
    digest: str
    change: Change


class Judged(msgspec.Struct, tag="judged", frozen=True, forbid_unknown_fields=True):
    """The kind of the verdict on the record of the match."""

    kind: VerdictKind


class Ended(msgspec.Struct, tag="ended", frozen=True, forbid_unknown_fields=True):
    """The journal is full; from now on the client takes no part in the deals.

    Attributes:
        problem: the pack at which the server had broken the protocol by then; None if it had not.
    """

    problem: int | None


Entry = Told | Viewed | Judged | Ended
"""Something that the client has seen."""


class Journal(Protocol):
    """Where a client keeps what it has seen."""

    def append(self, entry: Entry) -> bool:
        """Keeps an entry; what was told is stored durably. False if the journal is full."""

    def close(self) -> None:
        """Ends the keeping."""


class SeenMatch:
    """What a client has seen of one match, and its part in the deals.

    Args:
        table: the id of the table.
        number: the number of the match at the table.
        seats: the number of seats.

    Attributes:
        journal: where it is kept; None to keep it in memory only.
        participant: the client's part in the deals.
        next_pack: the highest number that the server has told of the next pack; 0 before.
        judged: the kind of the verdict on the record; None as long as there was no record.
    """

    def __init__(self, table: str, number: int, seats: int) -> None:
        self.table = table
        self.number = number
        self.seats = seats
        self.journal: Journal | None = None
        self.next_pack = 0
        self.judged: VerdictKind | None = None
        self._random = _RecordedBytes()
        self.participant = Participant(table, seats, self._random.draw)
        self._witness = MatchWitness()
        self._last_told: Told | None = None
        self._has_ended = False

    @property
    def problem(self) -> FairError | None:
        """What the server did that it may not do; None as long as it has kept to the protocol."""
        return self.participant.problem

    @property
    def weight(self) -> tuple[bool, int]:
        """How much would be lost without what was seen here; larger is more."""
        return self.problem is not None, self.next_pack

    @property
    def is_unproven(self) -> bool:
        """Whether verifiable deals were announced, and no record has come for a verdict yet."""
        return self.commitment is not None and self.judged is None

    @property
    def has_begun(self) -> bool:
        """Whether the server has told of a pack that was called."""
        return self.next_pack > 1

    @property
    def commitment(self) -> str | None:
        """The commitment that the server has announced, in hexadecimal; None before that."""
        contributor = self.participant.contributor
        return None if contributor is None else contributor.announcement.end.hex()

    def draw_from(self, source: Callable[[int], bytes]) -> None:
        """Draws from a source of cryptographically random bytes other than the system's."""
        self._random.source = source

    def tell(
        self, deals: object, match: int, seat: int | None
    ) -> Sequence[SendCommitments | SendOpening]:
        """The messages to send in a state of the deals, which is kept first.

        Args:
            deals: the state; None where the server does not speak of verifiable deals.
            match: the number of the match at the table, as the server says; 0 if that is none.
            seat: the client's seat, None for a spectator.
        """
        if self.problem is not None:
            return ()
        found = self._react(deals, match, None if self._has_ended else seat)
        told = Told(deals, match, seat, self._random.take())
        if told != self._last_told:
            self._keep(told)
        self._last_told = msgspec.structs.replace(told, drawn=[])
        return () if self._has_ended else found

    def note(self, seat: int | None, view: Mapping[str, Any], change: Change) -> None:
        """Notes a view of the match, see `MatchWitness.note_digest`."""
        digest = digest_of(view)
        if self._witness.note_digest(seat, digest, change):
            self._keep(Viewed(seat, digest, change))

    def restore(self, entry: Entry) -> None:
        """Brings back what an entry of a journal says.

        Raises:
            ValueError: the entry cannot have been written after those before it.
        """
        match entry:
            case Judged(kind):
                self.judged = kind
            case Ended(pack):
                self._has_ended = True
                if pack is not None:
                    self.participant.problem = FairError(pack, "found when no more could be kept")
            case Viewed(seat, digest, change):
                self._witness.note_digest(seat, digest, change)
            case Told(deals, match, seat, drawn):
                self._random.expect([bytes.fromhex(one) for one in drawn])
                self._react(deals, match, seat)
                if self._random.take() != drawn:
                    raise ValueError("other random bytes were drawn")
                self.participant.mark_all_unsent()
                self._last_told = msgspec.structs.replace(entry, drawn=[])

    def judge(self, record: Mapping[str, Any], *, closed: bool) -> DealVerdict | None:
        """The verdict on the deals by a record, see `judge_deals`; its kind is kept."""
        verdict = judge_deals(record, self.participant, self._witness, closed=closed)
        if verdict is not None and verdict.kind != self.judged:
            self.judged = verdict.kind
            if self.journal is not None:
                self.journal.append(Judged(verdict.kind))
        return verdict

    def judge_without_record(self) -> DealVerdict | None:
        """The verdict where the record does not come, see `judge_without_record`."""
        return judge_without_record(self.participant)

    def close(self) -> None:
        """Keeps nothing more."""
        if self.journal is not None:
            self.journal.close()
            self.journal = None

    def _keep(self, entry: Told | Viewed) -> None:
        """Keeps an entry, or that no more can be kept."""
        if self.journal is None or (self._has_ended and self.problem is None):
            return
        if self._has_ended or not self.journal.append(entry):
            self._has_ended = True
            self.journal.append(Ended(None if self.problem is None else self.problem.pack))

    def _react(
        self, deals: object, match: int, seat: int | None
    ) -> Sequence[SendCommitments | SendOpening]:
        """The client's reaction; to be told of an earlier match, or of none, is a breach."""
        if match < self.number:
            told = f"match {match}" if match else "a match without a number"
            text = f"match {self.number} was announced before {told}"
            self.participant.problem = FairError(0, text)
            return ()
        if isinstance(deals, dict) and type(deals.get("next_pack")) is int:
            self.next_pack = max(self.next_pack, deals["next_pack"])
        return self.participant.react(deals, match, seat)


class _RecordedBytes:
    """Random bytes: fresh ones, or those that were drawn before."""

    def __init__(self) -> None:
        self.source: Callable[[int], bytes] = secrets.token_bytes
        self._drawn: list[bytes] = []
        self._expected: list[bytes] = []

    def draw(self, size: int) -> bytes:
        """Draws bytes.

        Raises:
            ValueError: others were drawn before.
        """
        self._drawn.append(self._expected.pop(0) if self._expected else self.source(size))
        if len(self._drawn[-1]) != size:
            raise ValueError(f"{size} bytes are drawn, not {len(self._drawn[-1])}")
        return self._drawn[-1]

    def expect(self, drawn: list[bytes]) -> None:
        """Draws these bytes first."""
        self._expected = drawn

    def take(self) -> list[str]:
        """Returns what was drawn since, and expects nothing any more."""
        drawn = [one.hex() for one in self._drawn]
        self._drawn, self._expected = [], []
        return drawn
