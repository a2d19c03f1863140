"""Verification that each pack of a match had the order that the evidence determines."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from jasstisch.fairness.chain import CHAIN_LENGTH, next_link
from jasstisch.fairness.contributions import matches_commitment
from jasstisch.fairness.encoding import MatchId
from jasstisch.fairness.errors import FairError
from jasstisch.fairness.evidence import Attempt, Evidence
from jasstisch.fairness.ledger import MAX_MISSES
from jasstisch.fairness.shuffle import derive_order, transcript_hash


@dataclass(frozen=True, slots=True)
class MissedOpening:
    """A contribution that was not opened in time.

    Attributes:
        pack_number: number of the pack, from 1.
        attempt: number of the void attempt, from 1.
        seat: the seat that did not open.
    """

    pack_number: int
    attempt: int
    seat: int


@dataclass(frozen=True, slots=True)
class VerificationReport:
    """The result of a successful verification.

    Attributes:
        pack_count: the number of packs.
        attempt_count: the number of attempts they took.
        contribution_counts: by ascending seat, the number of packs that the contribution of its
            person helped decide.
        missed_openings: the missed openings, in order.
        secret_only_packs: the packs without any contribution of a person in the deciding attempt:
            the server alone decided them, and could know their order in advance.
    """

    pack_count: int
    attempt_count: int
    contribution_counts: dict[int, int]
    missed_openings: tuple[MissedOpening, ...]
    secret_only_packs: tuple[int, ...]

    @property
    def secret_only_pack_count(self) -> int:
        """The number of packs that the server alone decided."""
        return len(self.secret_only_packs)


def verify(
    evidence: Evidence,
    packs: Sequence[Sequence[str]],
    seats: int,
    computers: Collection[int] = (),
) -> VerificationReport:
    """Checks every commitment, secret and order of a match.

    Args:
        evidence: the published evidence of its deals.
        packs: the cards of each pack as it was dealt, front card first.
        seats: the number of seats.
        computers: the seats of computers. The server would contribute for them, so that what they
            contribute counts for nobody.

    Raises:
        FairError: a check fails; `pack` is the first wrong pack, 0 where the error concerns the
            whole match.
    """
    chain = _Chain(evidence)
    misses: Counter[int] = Counter()
    for pack, cards in enumerate(packs, start=1):
        if pack > len(evidence.attempts_by_pack):
            raise FairError(pack, f"the evidence has {len(evidence.attempts_by_pack)} packs only")
        attempts = evidence.attempts_by_pack[pack - 1]
        _check_people(attempts, pack, seats, misses)
        for number, attempt in enumerate(attempts, start=1):
            chain.check(attempt.secret, pack)
            _check_openings(evidence.match, pack, number, attempt)
        misses.update(seat for attempt in attempts for seat in attempt.missing_seats)
        decided = transcript_hash(evidence.match, pack, [one.contributions for one in attempts])
        if list(cards) != derive_order(cards, attempts[-1].secret, decided, pack):
            raise FairError(pack, "its cards lie in another order than was decided")
    if len(evidence.attempts_by_pack) != len(packs):
        raise FairError(0, f"there are {len(packs)} packs, not {len(evidence.attempts_by_pack)}")
    chain.check_ends()
    return _report(evidence, computers)


class _Chain:
    """Checks secrets in order: each hashes to the previous one, or to the end of its chain."""

    def __init__(self, evidence: Evidence) -> None:
        self._match = evidence.match
        self._ends = evidence.chain_ends
        self._used = 0
        self._before = b""

    def check(self, secret: bytes, pack: int) -> None:
        number, place = divmod(self._used, CHAIN_LENGTH)
        if place == 0:
            if number >= len(self._ends):
                raise FairError(pack, "the end of its chain is missing")
            self._before = self._ends[number]
        if next_link(self._match, secret) != self._before:
            raise FairError(pack, "its secret is not the one that was committed to")
        self._before = secret
        self._used += 1

    def check_ends(self) -> None:
        chains = -(-self._used // CHAIN_LENGTH) or 1
        if len(self._ends) != chains:
            raise FairError(0, f"{chains} chains were used, not {len(self._ends)}")


def _check_people(attempts: Sequence[Attempt], pack: int, seats: int, misses: Counter[int]) -> None:
    """Checks the seats asked: first any, then those that opened, until all asked have opened."""
    if not attempts:
        raise FairError(pack, "there is no attempt at it")
    asked = [one.seat for one in attempts[0].contributions]
    if asked != sorted(set(asked)) or not all(0 <= seat < seats for seat in asked):
        raise FairError(pack, f"the seats {asked} are not seats of it in ascending order")
    for seat in asked:
        if misses[seat] >= MAX_MISSES:
            raise FairError(pack, f"seat {seat} has missed {MAX_MISSES} packs; ask it no more")
    for number, attempt in enumerate(attempts, start=1):
        here = [one.seat for one in attempt.contributions]
        if here != asked:
            raise FairError(pack, f"attempt {number} asks the seats {here}, not {asked}")
        last = number == len(attempts)
        if last == bool(attempt.missing_seats):
            what = "is the last and not all have opened" if last else "is not the last and not void"
            raise FairError(pack, f"attempt {number} {what}")
        asked = [seat for seat in asked if seat not in attempt.missing_seats]


def _check_openings(match: MatchId, pack: int, number: int, attempt: Attempt) -> None:
    for one in attempt.contributions:
        if one.opening is None:
            continue
        if not matches_commitment(one.commitment, match, pack, number, one.seat, one.opening):
            raise FairError(
                pack, f"seat {one.seat} did not commit itself to what it opened in attempt {number}"
            )


def _report(evidence: Evidence, computers: Collection[int]) -> VerificationReport:
    contributed: dict[int, int] = {}
    misses: list[MissedOpening] = []
    alone: list[int] = []
    for pack, attempts in enumerate(evidence.attempts_by_pack, start=1):
        people = [one.seat for one in attempts[-1].contributions if one.seat not in computers]
        alone += [] if people else [pack]
        for seat in people:
            contributed[seat] = contributed.get(seat, 0) + 1
        for number, attempt in enumerate(attempts, start=1):
            misses += [MissedOpening(pack, number, seat) for seat in attempt.missing_seats]
    return VerificationReport(
        len(evidence.attempts_by_pack),
        sum(map(len, evidence.attempts_by_pack)),
        dict(sorted(contributed.items())),
        tuple(misses),
        tuple(alone),
    )
