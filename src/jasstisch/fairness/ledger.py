"""The server's state of the deals of a match: the calls, openings and decided packs, in order.

A ledger is immutable: each step returns the next one. So a table may keep an earlier state, and a
restarted server repeats the same steps from its log. Three things must be in the log before they
are published: the call of a pack, the openings of a void attempt, and those of the deciding one.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Self

from jasstisch.fairness.chain import CHAIN_LENGTH, SecretChains
from jasstisch.fairness.contributions import matches_commitment
from jasstisch.fairness.encoding import MatchId
from jasstisch.fairness.errors import FairError
from jasstisch.fairness.evidence import Attempt, Contribution, Evidence
from jasstisch.fairness.messages import Announcement, PackCall, VoidAttempt
from jasstisch.fairness.shuffle import derive_order, transcript_hash

MAX_MISSES = 3
"""The number of packs of a match with a missed opening after which a seat is excluded."""

_Contributions = tuple[Contribution, ...]


def excluded_seats(packs: Iterable[Sequence[Iterable[Contribution]]]) -> set[int]:
    """The seats that are excluded after these packs, each a list of attempts."""
    people = chain.from_iterable(chain.from_iterable(packs))
    misses = Counter(one.seat for one in people if one.opening is None)
    return {seat for seat, missed in misses.items() if missed >= MAX_MISSES}


@dataclass(frozen=True, slots=True)
class Ledger:
    """The deals of one match; create it with `begin`.

    Attributes:
        match: the id of the match.
        seat_count: the number of seats.
        attempts_by_pack: the contributions in the attempts at each pack; the last may be in
            progress.
        pending_pack_call: the call of the last pack while openings are awaited, else None.
        announcement: the message to all before the first pack, and to later arrivals when they
            come. It is cached, because it needs a hash for each secret of a chain.
    """

    match: MatchId
    seat_count: int
    attempts_by_pack: tuple[tuple[_Contributions, ...], ...]
    pending_pack_call: PackCall | None
    announcement: Announcement
    _chain: SecretChains = field(repr=False, compare=False)

    @classmethod
    def begin(cls, seed: bytes, match: MatchId, seats: int) -> Self:
        """The ledger before the first pack.

        Args:
            seed: 32 random bytes, kept in the log and never published.
            match: the id of the match.
            seats: the number of seats.
        """
        chain = SecretChains(seed, match)
        return cls(match, seats, (), None, Announcement(match, chain.chain_end(0)), chain)

    @property
    def next_pack_number(self) -> int:
        """Number of the next pack, for which commitments are collected in advance."""
        return len(self.attempts_by_pack) + 1

    @property
    def excluded_seats(self) -> set[int]:
        """The seats that are excluded in this match."""
        return excluded_seats(self.attempts_by_pack)

    @property
    def attempt_number(self) -> int:
        """Number of the attempt that awaits openings; 0 when none does."""
        return 0 if self.pending_pack_call is None else len(self.attempts_by_pack[-1]) + 1

    @property
    def asked_seats(self) -> tuple[int, ...]:
        """The seats asked to open now, ascending."""
        if self.pending_pack_call is None:
            return ()
        attempts = self.attempts_by_pack[-1]
        if not attempts:
            return tuple(sorted(self.pending_pack_call.commitments))
        return tuple(one.seat for one in attempts[-1] if one.opening is not None)

    @property
    def finished_attempt_count(self) -> int:
        """The number of attempts in the match, without the one in progress."""
        return sum(map(len, self.attempts_by_pack))

    # Steps.

    def next_pack_call(self, committed: Mapping[int, Sequence[bytes]]) -> PackCall:
        """The call for the next pack.

        Args:
            committed: by seat, the commitments for this pack, as many as there are `seat_count`;
                excluded seats are ignored.

        Raises:
            FairError: the last pack is not decided yet.
        """
        if self.pending_pack_call is not None:
            raise FairError(
                len(self.attempts_by_pack), "the openings for this pack are still awaited"
            )
        seats = sorted(set(committed) - self.excluded_seats)
        commitments = {seat: tuple(committed[seat][: len(seats)]) for seat in seats}
        last = (self.finished_attempt_count + len(seats)) // CHAIN_LENGTH
        ends = (self.announcement.end, *(self._chain.chain_end(one) for one in range(1, last + 1)))
        return PackCall(self.next_pack_number, self.finished_attempt_count, ends, commitments)

    def with_pack_call(self, call: PackCall) -> Self:
        """The ledger after a call; when no seat is asked, the pack is decided at once.

        Raises:
            FairError: the call is not that of the next pack.
        """
        if self.pending_pack_call is not None or (call.pack, call.position) != (
            self.next_pack_number,
            self.finished_attempt_count,
        ):
            raise FairError(call.pack, f"pack {self.next_pack_number} is the next to be called")
        decided = not call.commitments
        packs = (*self.attempts_by_pack, ((),) if decided else ())
        return replace(self, attempts_by_pack=packs, pending_pack_call=None if decided else call)

    def check_opening(self, seat: int, attempt: int, opening: bytes) -> None:
        """Refuses an opening that does not match what the seat was asked for.

        Raises:
            FairError: nothing is awaited from the seat, or its opening does not match its
                commitment.
        """
        pack = len(self.attempts_by_pack)
        if seat not in self.asked_seats or attempt != self.attempt_number:
            raise FairError(pack, f"nothing is awaited from seat {seat} for attempt {attempt}")
        if not matches_commitment(self._committed(seat), self.match, pack, attempt, seat, opening):
            raise FairError(pack, f"this is not what seat {seat} committed itself to")

    def with_openings(self, openings: Mapping[int, bytes]) -> Self:
        """The ledger after an attempt.

        If all seats asked have opened, the pack is decided. Otherwise the attempt is void and the
        next one begins without those that did not open; when none remains, the secret alone
        decides.

        Args:
            openings: the contributions opened in time, by seat.

        Raises:
            FairError: no attempt is in progress, or one of the openings was not asked for.
        """
        if self.pending_pack_call is None:
            raise FairError(len(self.attempts_by_pack), "no openings are awaited")
        for seat, opening in openings.items():
            self.check_opening(seat, self.attempt_number, opening)
        people = [
            Contribution(one, self._committed(one), openings.get(one)) for one in self.asked_seats
        ]
        attempts: tuple[_Contributions, ...] = (*self.attempts_by_pack[-1], tuple(people))
        if not openings:
            attempts = (*attempts, ())
        decided = not openings or len(openings) == len(people)
        call = None if decided else self.pending_pack_call
        return replace(
            self, attempts_by_pack=(*self.attempts_by_pack[:-1], attempts), pending_pack_call=call
        )

    def _committed(self, seat: int) -> bytes:
        assert self.pending_pack_call is not None
        return self.pending_pack_call.commitments[seat][self.attempt_number - 1]

    # Results.

    @property
    def last_void_attempt(self) -> VoidAttempt | None:
        """The message about the last void attempt at the last pack; None when there is none."""
        attempts = self.attempts_by_pack[-1] if self.attempts_by_pack else ()
        missing = [tuple(one.seat for one in people if one.opening is None) for people in attempts]
        numbers = [number for number, seats in enumerate(missing, start=1) if seats]
        return (
            VoidAttempt(len(self.attempts_by_pack), numbers[-1], missing[numbers[-1] - 1])
            if numbers
            else None
        )

    def derive_order(self, cards: Iterable[str]) -> list[str]:
        """The last pack in its decided order.

        Args:
            cards: the cards of the pack, as in `match.pack`.

        Raises:
            FairError: no pack is decided.
        """
        if not self.attempts_by_pack or self.pending_pack_call is not None:
            raise FairError(len(self.attempts_by_pack), "the order of the pack is not decided yet")
        decided = transcript_hash(self.match, len(self.attempts_by_pack), self.attempts_by_pack[-1])
        return derive_order(
            cards,
            self._chain.secret(self.finished_attempt_count - 1),
            decided,
            len(self.attempts_by_pack),
        )

    def evidence(self, pack_count: int | None = None) -> Evidence:
        """All commitments, contributions and secrets. Publish it only after the match.

        Args:
            pack_count: the number of packs from the first on, for a match that ended early; None
                for all.

        Raises:
            FairError: a pack is not decided yet.
        """
        called = self.attempts_by_pack[:pack_count]
        if self.pending_pack_call is not None and len(called) == len(self.attempts_by_pack):
            raise FairError(len(called), "the openings for this pack are still awaited")
        secrets = self._chain.secrets(sum(map(len, called)))
        left = iter(secrets)
        packs = [tuple(Attempt(next(left), people) for people in pack) for pack in called]
        chains = -(-len(secrets) // CHAIN_LENGTH) or 1
        ends = [self._chain.chain_end(number) for number in range(chains)]
        return Evidence(self.match, tuple(ends), tuple(packs))
