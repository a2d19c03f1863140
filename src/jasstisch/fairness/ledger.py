"""The deals of a match as the server keeps them: what was called, opened and decided, in order.

A ledger is never changed: each step gives the next one, so that a table may keep an earlier state
and a server that starts again makes the same steps from its log. What must be in the log before
anybody is told: the call of a pack, what was opened in a void attempt, and what was opened in the
one that decided.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Self

from jasstisch.fairness.chain import CHAIN_LENGTH, Chain
from jasstisch.fairness.contributions import matches_commitment
from jasstisch.fairness.encoding import MatchId
from jasstisch.fairness.errors import FairError
from jasstisch.fairness.evidence import Attempt, Contribution, Evidence
from jasstisch.fairness.messages import Announcement, PackCall, VoidAttempt
from jasstisch.fairness.shuffle import derive_order, transcript

__all__ = ["MAX_MISSES", "Ledger", "excluded_seats"]

MAX_MISSES = 3
"""Whoever has not opened in so many packs of a match is asked no more in it."""

Contributions = tuple[Contribution, ...]


def excluded_seats(packs: Iterable[Sequence[Iterable[Contribution]]]) -> set[int]:
    """The seats that are asked no more after these packs, each a list of attempts."""
    people = chain.from_iterable(chain.from_iterable(packs))
    misses = Counter(one.seat for one in people if one.opening is None)
    return {seat for seat, missed in misses.items() if missed >= MAX_MISSES}


@dataclass(frozen=True, slots=True)
class Ledger:
    """The deals of one match; make it with `begin`.

    Attributes:
        match: which match.
        seats: how many seats the table has.
        packs: who did what in the attempts at each pack, the last of which may be under way.
        call: of the last pack, while openings are awaited; else None.
        announcement: what everybody is told before the first pack, and whoever comes later when he
            comes. It is kept, for it takes a hash for each secret of a chain.
    """

    match: MatchId
    seats: int
    packs: tuple[tuple[Contributions, ...], ...]
    call: PackCall | None
    announcement: Announcement
    _chain: Chain = field(repr=False, compare=False)

    @classmethod
    def begin(cls, seed: bytes, match: MatchId, seats: int) -> Self:
        """The ledger before the first pack.

        Args:
            seed: 32 random bytes, kept in the log and told to nobody.
            match: which match.
            seats: how many seats the table has.
        """
        chain = Chain(seed, match)
        return cls(match, seats, (), None, Announcement(match, chain.end(0)), chain)

    @property
    def next_pack(self) -> int:
        """Number of the pack for which people commit themselves ahead."""
        return len(self.packs) + 1

    @property
    def excluded_seats(self) -> set[int]:
        """The seats that are asked no more in this match."""
        return excluded_seats(self.packs)

    @property
    def attempt(self) -> int:
        """Number of the attempt that waits for openings; 0 when none does."""
        return 0 if self.call is None else len(self.packs[-1]) + 1

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that are to open now, ascending."""
        if self.call is None:
            return ()
        attempts = self.packs[-1]
        if not attempts:
            return tuple(sorted(self.call.commitments))
        return tuple(one.seat for one in attempts[-1] if one.opening is not None)

    @property
    def position(self) -> int:
        """How many attempts the match has had, the one under way left out."""
        return sum(map(len, self.packs))

    # Steps.

    def next_call(self, ahead: Mapping[int, Sequence[bytes]]) -> PackCall:
        """The call for the next pack.

        Args:
            ahead: by seat, the commitments of those who are asked, as many as there are `seats`.
                Who is asked no more is left out here.

        Raises:
            FairError: the last pack is not decided yet.
        """
        if self.call is not None:
            raise FairError(len(self.packs), "the openings for this pack are still awaited")
        seats = sorted(set(ahead) - self.excluded_seats)
        commitments = {seat: tuple(ahead[seat][: len(seats)]) for seat in seats}
        last = (self.position + len(seats)) // CHAIN_LENGTH
        ends = (self.announcement.end, *(self._chain.end(one) for one in range(1, last + 1)))
        return PackCall(self.next_pack, self.position, ends, commitments)

    def with_call(self, call: PackCall) -> Self:
        """The ledger after a call; when nobody is asked, the pack is decided at once.

        Raises:
            FairError: it is not the call of the next pack.
        """
        if self.call is not None or (call.pack, call.position) != (self.next_pack, self.position):
            raise FairError(call.pack, f"pack {self.next_pack} is the next to be called")
        decided = not call.commitments
        packs = (*self.packs, ((),) if decided else ())
        return replace(self, packs=packs, call=None if decided else call)

    def check_opening(self, seat: int, attempt: int, opening: bytes) -> None:
        """Refuses an opening that is not what the seat was asked for.

        Raises:
            FairError: nothing is awaited from the seat, or it is not what it committed itself to.
        """
        pack = len(self.packs)
        if seat not in self.asked or attempt != self.attempt:
            raise FairError(pack, f"nothing is awaited from seat {seat} for attempt {attempt}")
        if not matches_commitment(self._committed(seat), self.match, pack, attempt, seat, opening):
            raise FairError(pack, f"this is not what seat {seat} committed itself to")

    def with_openings(self, openings: Mapping[int, bytes]) -> Self:
        """The ledger after an attempt.

        With an opening of everybody who was asked the pack is decided. Else the attempt is void and
        the next one begins without those who did not open; when nobody remains, the secret alone
        decides.

        Args:
            openings: what was opened in time, by seat.

        Raises:
            FairError: no attempt is under way, or one of the openings was not asked for.
        """
        if self.call is None:
            raise FairError(len(self.packs), "no openings are awaited")
        for seat, opening in openings.items():
            self.check_opening(seat, self.attempt, opening)
        people = [Contribution(one, self._committed(one), openings.get(one)) for one in self.asked]
        attempts: tuple[Contributions, ...] = (*self.packs[-1], tuple(people))
        if not openings:
            attempts = (*attempts, ())
        decided = not openings or len(openings) == len(people)
        call = None if decided else self.call
        return replace(self, packs=(*self.packs[:-1], attempts), call=call)

    def _committed(self, seat: int) -> bytes:
        assert self.call is not None
        return self.call.commitments[seat][self.attempt - 1]

    # What comes of them.

    @property
    def last_void_attempt(self) -> VoidAttempt | None:
        """The last void attempt at the last pack, as everybody is told; None when there is none."""
        attempts = self.packs[-1] if self.packs else ()
        missing = [tuple(one.seat for one in people if one.opening is None) for people in attempts]
        numbers = [number for number, seats in enumerate(missing, start=1) if seats]
        return (
            VoidAttempt(len(self.packs), numbers[-1], missing[numbers[-1] - 1]) if numbers else None
        )

    def derive_order(self, cards: Iterable[str]) -> list[str]:
        """The last pack in the order that has been decided.

        Args:
            cards: of the pack, as `match.pack` has them.

        Raises:
            FairError: no pack is decided.
        """
        if not self.packs or self.call is not None:
            raise FairError(len(self.packs), "the order of the pack is not decided yet")
        decided = transcript(self.match, len(self.packs), self.packs[-1])
        return derive_order(cards, self._chain.secret(self.position - 1), decided, len(self.packs))

    def evidence(self) -> Evidence:
        """All commitments, contributions and secrets. Only for when the match is over.

        Raises:
            FairError: a pack is not decided yet.
        """
        if self.call is not None:
            raise FairError(len(self.packs), "the openings for this pack are still awaited")
        secrets = self._chain.secrets(self.position)
        left = iter(secrets)
        packs = [tuple(Attempt(next(left), people) for people in pack) for pack in self.packs]
        chains = -(-len(secrets) // CHAIN_LENGTH) or 1
        ends = [self._chain.end(number) for number in range(chains)]
        return Evidence(self.match, tuple(ends), tuple(packs))
