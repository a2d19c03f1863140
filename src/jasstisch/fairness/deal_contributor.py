"""A client's side of the deals: makes contributions, opens them in time, and keeps what it saw.

A record alone could have been written at any time, so it must be compared with what a client saw
during the match. Each client therefore keeps a `DealContributor`, and checks the evidence with it
at the end.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Self

from jasstisch.fairness.chain import CHAIN_LENGTH
from jasstisch.fairness.contributions import commitment
from jasstisch.fairness.encoding import DIGEST_SIZE
from jasstisch.fairness.errors import FairError
from jasstisch.fairness.evidence import Attempt, Evidence
from jasstisch.fairness.messages import Announcement, PackCall, VoidAttempt


@dataclass(slots=True)
class _SeenPack:
    """What was seen of a pack.

    Attributes:
        call: its call.
        least: how many attempts have decided it, or will at least, as far as is known.
        most: the same at most.
        voids: the seats left out by each void attempt; None for one that was missed.
    """

    call: PackCall
    least: int
    most: int
    voids: list[tuple[int, ...] | None] = field(default_factory=list)

    @classmethod
    def of(cls, call: PackCall) -> Self:
        """A pack that was just called: each void attempt leaves out somebody."""
        return cls(call, 1, len(call.commitments) + 1)

    @property
    def attempt(self) -> int:
        return len(self.voids) + 1

    @property
    def may_be_asked(self) -> list[int]:
        """The seats that may be asked in the attempt under way, as far as is known."""
        out = {seat for missing in self.voids for seat in missing or ()}
        return [seat for seat in sorted(self.call.commitments) if seat not in out]

    @property
    def asked(self) -> list[int]:
        """The seats asked in the attempt under way; [] if that is unknown."""
        return [] if None in self.voids else self.may_be_asked

    def narrow(self, least: int, most: int) -> bool:
        """Notes between which numbers that of its attempts is; whether that can be."""
        least, most = max(self.least, least), min(self.most, most)
        if least <= most:
            self.least, self.most = least, most
        return least <= most


class DealContributor:
    """One client's knowledge of the deals of a match.

    It opens a contribution for one call only. If it opened it for two, the server could learn it by
    the first and choose the commitments of the second. And it commits to a pack only before any
    word of its call, so that the server cannot have it called again until it likes the order.

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
        self._opened: dict[int, tuple[int, int]] = {}
        self._seen: dict[int, _SeenPack] = {}
        self._last_called_pack = 0

    def attempt_number(self, pack: int) -> int:
        """The number of the attempt at a pack that was seen called, after the void ones told."""
        return self._seen[pack].attempt

    def commit(self, pack: int, seat: int) -> list[bytes]:
        """The commitments to contributions for a pack, to send in advance.

        They are made once. The same ones are sent after a lost connection, because the server may
        have called the pack, and only called commitments can be opened.

        Returns:
            One for each attempt there may be; [] if this pack, or a later one, has been called.
        """
        if pack <= self._last_called_pack:
            return []
        if (pack, seat) not in self._held:
            self._held[pack, seat] = [self._chance(DIGEST_SIZE) for _ in range(self._seats)]
        return self._commitments(pack, seat)

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
            self._seen[call.pack] = _SeenPack.of(call)
            self._ends = max(call.ends, self._ends, key=len)
            self._last_called_pack = call.pack
        elif seen.call != call:
            raise FairError(call.pack, "it is called a second time with something else")
        return self._opening(call.pack, seat)

    def open_after_void(self, void: VoidAttempt, seat: int | None) -> bytes | None:
        """The opening for the attempt after a void one.

        Returns:
            The contribution; None when nothing is asked, or when an earlier void attempt was
            missed, so that it is unknown who is asked.

        Raises:
            FairError: this attempt was not in progress, or a seat is left out that was not asked.
        """
        seen = self._seen.get(void.pack)
        if seen is None:
            return None
        missing = tuple(sorted(set(void.missing)))
        missed = void.attempt - seen.attempt
        if missed < 0:
            known = seen.voids[void.attempt - 1]
            if known is not None and known != missing:
                raise FairError(void.pack, f"attempt {void.attempt} lacked the seats {known}")
            return self._opening(void.pack, seat)
        asked = seen.may_be_asked
        if not missing or not set(missing) <= set(asked):
            raise FairError(
                void.pack,
                f"the missing seats {list(void.missing)} are not some of the seats {asked}",
            )
        # Each attempt that was missed has left out somebody else.
        left = len(asked) - len(missing) - seen.voids.count(None) - missed
        if not seen.narrow(void.attempt + 1, void.attempt + 1 + left):
            raise FairError(void.pack, f"attempt {void.attempt} is not under way")
        seen.voids += [*[None] * missed, missing]
        return self._opening(void.pack, seat)

    def note_next_pack(self, next_pack: int, *, decided: bool) -> None:
        """Notes how far the server has come, as it tells.

        Args:
            next_pack: the first pack that it has not called.
            decided: whether the pack before is decided, by the attempt after its last void one.

        Raises:
            FairError: that pack was decided by another attempt.
        """
        seen = self._seen.get(next_pack - 1)
        if decided and seen is not None and not seen.narrow(seen.attempt, seen.attempt):
            raise FairError(next_pack - 1, f"attempt {seen.attempt} has not decided it")
        self._last_called_pack = max(self._last_called_pack, next_pack - 1)

    def check_evidence(self, evidence: Evidence, *, ended_early: bool = False) -> int:
        """Checks that the evidence agrees with what was seen during the match.

        `verify` does the other checks.

        Args:
            evidence: the published evidence.
            ended_early: whether the match ended before its last pack, because the table was closed:
                a pack may have been called that was never dealt.

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
        missing = self._last_called_pack - len(evidence.attempts_by_pack)
        if missing > (1 if ended_early else 0):
            raise FairError(self._last_called_pack, "it was called and is not in the evidence")
        return len(self.own_packs(evidence))

    def own_packs(self, evidence: Evidence) -> tuple[int, ...]:
        """The packs that a contribution of this client helped decide, by the checked evidence."""
        decided = evidence.attempts_by_pack
        return tuple(
            pack
            for pack, (seat, attempt) in sorted(self._opened.items())
            if pack <= len(decided)
            and attempt == len(decided[pack - 1])
            and seat in {one.seat for one in decided[pack - 1][-1].contributions}
        )

    @property
    def committed_packs(self) -> frozenset[int]:
        """The packs that were seen called and for which this client had made commitments."""
        return frozenset(pack for pack, _ in self._held if pack in self._seen)

    @property
    def has_seen_first_call(self) -> bool:
        """Whether this client knew the server's commitment by the call of the first pack."""
        return 1 in self._seen

    @property
    def excluded_from_packs(self) -> tuple[int, ...]:
        """The packs with commitments of this client that were decided without it.

        The call omitted the client, or an attempt left it out as if it had not opened. A slow
        connection may be the reason; the person should be told in any case.
        """
        packs = sorted(self.committed_packs)
        return tuple(pack for pack in packs if not self._takes_part_in(pack))

    def _takes_part_in(self, pack: int) -> bool:
        opened, seen = self._opened.get(pack), self._seen[pack]
        return opened is not None and opened[1] == seen.attempt and opened[0] in seen.asked

    def _check(self, call: PackCall) -> None:
        pack = call.pack
        if pack <= self._last_called_pack:
            raise FairError(pack, "it, or a later one, has been called before")
        if not self._can_begin(pack, call.position):
            raise FairError(pack, f"there cannot have been {call.position} attempts before it")
        chains = (call.position + len(call.commitments)) // CHAIN_LENGTH + 1
        known = self._ends[:chains]
        if len(call.ends) != chains or call.ends[: len(known)] != known:
            raise FairError(pack, "the server has bound itself to other secrets")
        for other, made in call.commitments.items():
            if not 0 <= other < self._seats or len(made) != len(call.commitments):
                raise FairError(pack, f"seat {other} cannot have committed itself so")

    def _can_begin(self, pack: int, position: int) -> bool:
        """Whether a pack can begin there, and what that says of the last pack seen before.

        Each pack between takes an attempt at least, and one more than there are seats at most.
        """
        last = max(self._seen, default=0)
        unseen = pack - 1 - last
        if not last:
            return unseen <= position <= unseen * (self._seats + 1)
        taken = position - self._seen[last].call.position - unseen
        return self._seen[last].narrow(taken - unseen * self._seats, taken)

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
        self._opened[pack] = seat, seen.attempt
        return self._held[pack, seat][seen.attempt - 1]

    def _is_own(self, call: PackCall, seat: int) -> bool:
        called = call.commitments[seat]
        return list(called) == self._commitments(call.pack, seat)[: len(called)]


def _compare(seen: _SeenPack, attempts: Sequence[Attempt], position: int) -> None:
    """Compares the attempts at a pack with what was seen of it.

    `verify` checks that each attempt asks those who opened in the one before.
    """
    call = seen.call
    if position != call.position:
        raise FairError(call.pack, f"{call.position} attempts were before it, not {position}")
    if not attempts or [one.seat for one in attempts[0].contributions] != sorted(call.commitments):
        raise FairError(call.pack, "others were called for it")
    for number, attempt in enumerate(attempts, start=1):
        for one in attempt.contributions:
            if one.commitment not in call.commitments.get(one.seat, ())[number - 1 : number]:
                raise FairError(call.pack, f"others were called for attempt {number}")
        last = () if number == len(attempts) else None
        told = seen.voids[number - 1] if number < seen.attempt else last
        if told is not None and attempt.missing_seats != told:
            raise FairError(call.pack, f"in attempt {number} the seats {told} were missing")
    if not seen.least <= len(attempts) <= seen.most:
        raise FairError(call.pack, f"it was decided by attempt {seen.attempt}")
