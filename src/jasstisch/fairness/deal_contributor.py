"""A client's side of the deals: makes contributions, opens them in time, and keeps what it saw.

A record alone could have been written at any time, so it must be compared with what a client saw
during the match. Each client therefore keeps a `DealContributor`, and checks the evidence with it
at the end.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from jasstisch.fairness.chain import CHAIN_LENGTH
from jasstisch.fairness.contributions import commitment
from jasstisch.fairness.encoding import DIGEST_SIZE
from jasstisch.fairness.errors import FairError
from jasstisch.fairness.evidence import Attempt, Evidence
from jasstisch.fairness.messages import Announcement, PackCall, VoidAttempt


@dataclass(slots=True)
class _SeenPack:
    """What was seen of a pack: the call, and the seats left out by each void attempt."""

    call: PackCall
    voids: list[tuple[int, ...]] = field(default_factory=list)

    @property
    def attempt(self) -> int:
        return len(self.voids) + 1

    @property
    def asked(self) -> list[int]:
        out = {seat for missing in self.voids for seat in missing}
        return [seat for seat in sorted(self.call.commitments) if seat not in out]

    @property
    def after(self) -> int:
        """The position of the next pack."""
        return self.call.position + self.attempt


class DealContributor:
    """One client's knowledge of the deals of a match.

    It opens a contribution for one call only. If it opened it for two, the server could learn it by
    the first and choose the commitments of the second.

    Args:
        announcement: the server's commitment to its secrets.
        seats: the number of seats.
        chance: a source of cryptographically random bytes, such as `secrets.token_bytes`.
    """

    def __init__(
        self, announcement: Announcement, seats: int, chance: Callable[[int], bytes]
    ) -> None:
        self.announcement = announcement
        self._seats = seats
        self._chance = chance
        self._ends: tuple[bytes, ...] = (announcement.end,)
        self._held: dict[tuple[int, int], list[bytes]] = {}
        self._opened: dict[int, int] = {}
        self._seen: dict[int, _SeenPack] = {}

    @property
    def last_called_pack(self) -> int | None:
        """The last pack that was called; None before the first."""
        return max(self._seen, default=None)

    def void_count(self, pack: int) -> int:
        """The number of void attempts at a pack that were seen."""
        return len(self._seen[pack].voids) if pack in self._seen else 0

    def forget_pack(self, pack: int) -> None:
        """Drops a pack from the comparison, because the client missed how it was decided.

        Its contributions are deleted: they must not be opened for another call.
        """
        self._seen.pop(pack, None)
        self._opened.pop(pack, None)
        self._held = {place: held for place, held in self._held.items() if place[0] != pack}

    def commit(self, pack: int, seat: int) -> list[bytes]:
        """The commitments to new contributions for a pack, to send in advance.

        Raises:
            FairError: this pack has been called already.
        """
        if pack in self._seen:
            raise FairError(pack, "it has been called already")
        made = [self._chance(DIGEST_SIZE) for _ in range(self._seats)]
        self._held = {place: kept for place, kept in self._held.items() if place[0] != pack}
        self._held[pack, seat] = made
        return self._commitments(pack, seat)

    def commit_again(self, pack: int, seat: int) -> list[bytes]:
        """The commitments to send after a lost connection: the same as before, if any were sent.

        The server may have called the pack already, and only called commitments can be opened.

        Raises:
            FairError: this pack has been called already, as far as is known here.
        """
        made = self._commitments(pack, seat)
        return made if made and pack not in self._seen else self.commit(pack, seat)

    def open(self, call: PackCall, seat: int | None) -> bytes | None:
        """The opening after a call, or for the attempt in progress when the call is repeated.

        Args:
            call: the server's call.
            seat: the client's seat; None for a spectator.

        Returns:
            The contribution; None when nothing is asked of this seat, or when the commitment is not
            this client's, because the same person may use another device too.

        Raises:
            FairError: the call contradicts what was seen before. Nothing must be opened, and the
                person should be told.
        """
        seen = self._seen.get(call.pack)
        if seen is None:
            self._check(call)
            seen = self._seen[call.pack] = _SeenPack(call)
            self._ends = call.ends
        elif seen.call != call:
            raise FairError(call.pack, "it is called a second time with something else")
        return self._opening(call.pack, seat)

    def open_after_void(self, void: VoidAttempt, seat: int | None) -> bytes | None:
        """The opening for the attempt after a void one; None when nothing is asked.

        Raises:
            FairError: this attempt was not in progress, or a seat is left out that was not asked.
        """
        seen = self._seen.get(void.pack)
        if seen is None:
            return None
        if void.attempt != seen.attempt:
            raise FairError(void.pack, f"attempt {seen.attempt} is under way, not {void.attempt}")
        if not void.missing or not set(void.missing) <= set(seen.asked):
            missing = f"the missing seats {void.missing} are not some of the seats {seen.asked}"
            raise FairError(void.pack, missing)
        seen.voids.append(tuple(sorted(void.missing)))
        return self._opening(void.pack, seat)

    def check_evidence(self, evidence: Evidence) -> int:
        """Checks that the evidence agrees with what was seen during the match.

        `verify` does the other checks.

        Returns:
            The number of packs that a contribution of this client helped decide. For a person who
            trusts this client, nobody has chosen these packs.

        Raises:
            FairError: the evidence contradicts what was seen.
        """
        if evidence.match != self.announcement.match:
            raise FairError(0, "the evidence is of another match")
        shared = min(len(evidence.chain_ends), len(self._ends))
        if not shared or evidence.chain_ends[:shared] != self._ends[:shared]:
            raise FairError(0, "the server has bound itself to other secrets")
        position = 0
        for pack, attempts in enumerate(evidence.attempts_by_pack, start=1):
            seen = self._seen.get(pack)
            if seen is not None:
                _compare(seen, attempts, position)
            position += len(attempts)
        if any(pack > len(evidence.attempts_by_pack) for pack in self._seen):
            raise FairError(max(self._seen), "it was called and is not in the evidence")
        return sum(map(self._contributed_to, self._seen))

    @property
    def excluded_from_packs(self) -> tuple[int, ...]:
        """The packs with commitments of this client that were decided without it.

        The call omitted the client, or an attempt left it out as if it had not opened. A slow
        connection may be the reason; the person should be told in any case.
        """
        committed = {pack for pack, _ in self._held if pack in self._seen}
        return tuple(sorted(pack for pack in committed if not self._contributed_to(pack)))

    def _contributed_to(self, pack: int) -> bool:
        return self._opened.get(pack, -1) in self._seen[pack].asked

    def _check(self, call: PackCall) -> None:
        pack = call.pack
        if pack < 1 or any(later > pack for later in self._seen):
            raise FairError(pack, "a later pack has been called before")
        before = self._seen.get(pack - 1)
        expected = 0 if pack == 1 else None if before is None else before.after
        if expected is not None and call.position != expected:
            raise FairError(pack, f"{expected} attempts have been before, not {call.position}")
        chains = (call.position + len(call.commitments)) // CHAIN_LENGTH + 1
        known = self._ends[:chains]
        if len(call.ends) != chains or call.ends[: len(known)] != known:
            raise FairError(pack, "the server has bound itself to other secrets")
        for other, made in call.commitments.items():
            if not 0 <= other < self._seats or len(made) != len(call.commitments):
                raise FairError(pack, f"seat {other} cannot have committed itself so")

    def _commitments(self, pack: int, seat: int) -> list[bytes]:
        match = self.announcement.match
        held = self._held.get((pack, seat), [])
        return [
            commitment(match, pack, attempt, seat, made)
            for attempt, made in enumerate(held, start=1)
        ]

    def _opening(self, pack: int, seat: int | None) -> bytes | None:
        seen = self._seen[pack]
        if seat is None or seat not in seen.asked or not self._is_own(seen.call, seat):
            return None
        self._opened[pack] = seat
        return self._held[pack, seat][seen.attempt - 1]

    def _is_own(self, call: PackCall, seat: int) -> bool:
        called = call.commitments[seat]
        return list(called) == self._commitments(call.pack, seat)[: len(called)]


def _compare(seen: _SeenPack, attempts: Sequence[Attempt], position: int) -> None:
    call = seen.call
    if position != call.position:
        raise FairError(call.pack, f"{call.position} attempts were before it, not {position}")
    people = [] if not call.commitments else sorted(call.commitments)
    for number, attempt in enumerate(attempts, start=1):
        told = [(seat, call.commitments[seat][number - 1]) for seat in people]
        if told != [(one.seat, one.commitment) for one in attempt.contributions]:
            raise FairError(call.pack, f"others were called for attempt {number}")
        missing = seen.voids[number - 1] if number <= len(seen.voids) else ()
        if attempt.missing_seats != missing:
            raise FairError(call.pack, f"in attempt {number} the seats {missing} were missing")
        people = [seat for seat in people if seat not in missing]
    if len(attempts) != seen.attempt:
        raise FairError(call.pack, f"it was decided by attempt {seen.attempt}")
