"""A server that lies about the deals, and how it can be told that it has succeeded.

It knows all that it could know: several chains of secrets, the contributions of its accomplices,
and whatever the one honest device at the table has opened. It can tell the device any state of the
deals, in any order, show it any play, and publish any record at the end.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from bench.attacks.fair_deals.devices import Answer, Device, Verdict
from bench.attacks.fair_deals.play import Play, Step
from jasstisch.engine.cards import JASS
from jasstisch.fairness import (
    Announcement,
    Attempt,
    Contribution,
    DealState,
    Evidence,
    MatchId,
    PackCall,
    SecretChains,
    VoidAttempt,
)
from jasstisch.fairness.chain import next_link
from jasstisch.fairness.contributions import commitment
from jasstisch.fairness.encoding import digest
from jasstisch.fairness.shuffle import derive_order, transcript_hash
from jasstisch.match.record import BOT_PREFIX

TABLE = "a table's id"
SEATS = 4
HONEST = 0
"""The seat of the honest device; the others are accomplices of the server."""

PEOPLE = tuple(f"Person {seat}" for seat in range(SEATS))

Commitments = tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Reveal:
    """What the device knew to be fixed when it opened a contribution.

    Attributes:
        end: the end of the first chain, as it was announced.
        call: the call of the pack.
        voids: the seats missing in the attempts before, as they were told; None for one that was
            not told.
        seat: the seat for which it opened.
        commitment: the commitment that it opened.
    """

    end: bytes
    call: PackCall
    voids: tuple[tuple[int, ...] | None, ...]
    seat: int
    commitment: bytes


@dataclass(frozen=True, slots=True)
class PublishedPack:
    """How a pack is to stand in the record.

    Attributes:
        commitments: by seat, the commitments for each attempt.
        voids: the seats missing in each void attempt.
    """

    commitments: Mapping[int, Commitments]
    voids: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class ForgedRecord:
    """The record of a match at a table that was closed after its last pack.

    Attributes:
        evidence: the evidence of its deals.
        play: its packs, players and moves.
    """

    evidence: Evidence
    play: Play

    def plain(self) -> dict[str, Any]:
        """The record as plain JSON."""
        return {**self.play.record(), "fair": self.evidence.to_json()}

    def packs_without_people(self) -> list[int]:
        """The packs to which no person has contributed."""
        players = self.play.players
        people = {seat for seat, name in enumerate(players) if not name.startswith(BOT_PREFIX)}
        return [
            pack
            for pack, attempts in enumerate(self.evidence.attempts_by_pack, start=1)
            if not people & {one.seat for one in attempts[-1].contributions}
        ]


@dataclass(frozen=True, slots=True)
class ShownPlay:
    """What the device was shown of the play.

    Attributes:
        seat: the seat that it had; None for a spectator.
        first: the step with which it began.
        snapshots: the steps of which it was told by a snapshot.
        seen: what it saw from then on, see `Step.seen`.
    """

    seat: int | None
    first: int
    snapshots: Container[int]
    seen: list[tuple[object, ...]]

    def is_in(self, play: Play) -> bool:
        """Whether somebody at this seat has seen the same in a play."""
        steps = islice(play.steps(self.seat, self.first, snapshots=self.snapshots), len(self.seen))
        return [step.seen for step in steps] == self.seen


class DishonestServer:
    """The server of a table with one honest device.

    Args:
        device: the honest device.
        match: the number of the match.

    Attributes:
        device: the honest device.
        match: the number of the match that the server speaks of.
        seat: the seat that it gives to the device; None for a spectator.
        end: the end of the first chain that it announces.
        committed: by pack and seat, the commitments the device has sent last.
        opened: the contributions that the server knows, by their commitments.
        told: by pack, the first call of it that the device was told without noticing a breach, and
            the seats that were missing by attempt.
        reveals: by match and pack, what was fixed when the device opened its contributions, since
            it last lost its memory.
        shown: by match, the step from which the play was shown, its seat, and what was seen.
    """

    def __init__(self, device: Device, match: int = 1) -> None:
        self.device = device
        self.match = match
        self.seat: int | None = HONEST
        self.end = self.chain(0).chain_end(0)
        self.committed: dict[tuple[int, int], Commitments] = {}
        self.opened: dict[bytes, bytes] = {}
        self.reveals: dict[tuple[int, int], list[Reveal]] = {}
        self.told: dict[int, tuple[PackCall, dict[int, tuple[int, ...]]]] = {}
        self.shown: dict[int, ShownPlay] = {}

    @property
    def match_id(self) -> MatchId:
        """The id of the match that the server speaks of."""
        return MatchId.of(TABLE, self.match)

    def chain(self, seed: int) -> SecretChains:
        """One of the chains of secrets among which the server would like to choose."""
        return SecretChains(digest("dishonest", seed), self.match_id)

    # --- what the server tells ---------------------------------------------------------------

    def accomplice(self, pack: int, seat: int, choice: int = 0) -> Commitments:
        """Commitments of an accomplice: one of any number of choices."""
        made = []
        for attempt in range(1, SEATS + 1):
            opening = digest("accomplice", self.match, pack, attempt, seat, choice)
            committed = commitment(self.match_id, pack, attempt, seat, opening)
            self.opened[committed] = opening
            made.append(committed)
        return tuple(made)

    def call(
        self,
        pack: int,
        position: int,
        commitments: Mapping[int, Commitments],
        end: bytes | None = None,
    ) -> PackCall:
        """A call, with as many commitments of each seat as there are seats."""
        count = len(commitments)
        cut = {seat: made[:count] for seat, made in sorted(commitments.items())}
        return PackCall(pack, position, (self.end if end is None else end,), cut)

    def tell(
        self,
        next_pack: int,
        call: PackCall | None = None,
        void: VoidAttempt | None = None,
    ) -> None:
        """Tells the device a state of the deals, and takes in what it answers."""
        self.tell_plain(self.state(next_pack, call, void), call, void)

    def state(
        self,
        next_pack: int,
        call: PackCall | None = None,
        void: VoidAttempt | None = None,
    ) -> dict[str, Any]:
        """A state of the deals as plain JSON."""
        announced = Announcement(self.match_id, self.end)
        return {**DealState(announced, next_pack, call, void).to_json(), "asked": []}

    def tell_plain(
        self, state: object, call: PackCall | None = None, void: VoidAttempt | None = None
    ) -> Answer:
        """Tells the device anything, with the call and the void attempt that it contains."""
        answer = self.device.react(state, self.match, self.seat)
        if answer.trouble is None:
            self._note(call, void)
        for pack, made in answer.commitments:
            assert self.seat is not None
            self.committed[pack, self.seat] = made
        for pack, attempt, opening in answer.openings:
            self._take_opening(pack, attempt, opening, _announced_end(state))
        return answer

    def open_to_all(self, pack: int, position: int = 0, *others: int) -> PackCall:
        """Calls a pack with the honest device and accomplices: seat 1 if no other is named."""
        seats = {seat: self.accomplice(pack, seat) for seat in others or (1,)}
        call = self.call(pack, position, {HONEST: self.committed[pack, HONEST], **seats})
        self.tell(pack + 1, call)
        return call

    def announce_match(self, number: int) -> None:
        """Another match is announced from now on."""
        self.match = number
        self.end = self.chain(0).chain_end(0)
        self.told.clear()

    def lose_memory(self) -> None:
        """The device loses its memory: it cannot speak for what it opened before."""
        self.device.lose_memory()
        self.committed.clear()
        self.reveals.clear()
        self.told.clear()
        self.shown.clear()

    def show(
        self, steps: Sequence[Step], first: int = 0, *, snapshots: Container[int] = ()
    ) -> None:
        """Shows the device a play, from the step of that number on; see `Play.steps`."""
        seen = [step.seen for step in steps]
        self.shown[self.match] = ShownPlay(self.seat, first, snapshots, seen)
        self.device.show(steps, self.match, self.seat)

    def _note(self, call: PackCall | None, void: VoidAttempt | None) -> None:
        if call is not None:
            self.told.setdefault(call.pack, (call, {}))
        if void is not None and void.pack in self.told:
            self.told[void.pack][1].setdefault(void.attempt, tuple(sorted(set(void.missing))))

    def _take_opening(self, pack: int, attempt: int, opening: bytes, end: bytes) -> None:
        assert self.seat is not None
        committed = commitment(self.match_id, pack, attempt, self.seat, opening)
        self.opened[committed] = opening
        call, voids = self.told[pack]
        before = tuple(voids.get(number) for number in range(1, attempt))
        self.reveals.setdefault((self.match, pack), []).append(
            Reveal(end, call, before, self.seat, committed)
        )

    # --- what the server publishes -----------------------------------------------------------

    def evidence(self, packs: Sequence[PublishedPack], seed: int = 0) -> Evidence:
        """The evidence with these packs, as it verifies by itself."""
        secret_chain = self.chain(seed)
        secrets = iter(secret_chain.secrets(sum(len(pack.voids) + 1 for pack in packs)))
        made = [self._attempts(pack, secrets.__next__) for pack in packs]
        return Evidence(self.match_id, (secret_chain.chain_end(0),), tuple(made))

    def record(self, packs: Sequence[PublishedPack], seed: int = 0) -> ForgedRecord:
        """The record with these packs, as it verifies by itself."""
        evidence = self.evidence(packs, seed)
        return ForgedRecord(evidence, Play(orders(evidence, JASS.texts), PEOPLE))

    def _attempts(
        self, pack: PublishedPack, next_secret: Callable[[], bytes]
    ) -> tuple[Attempt, ...]:
        asked = sorted(pack.commitments)
        attempts = []
        for index, missing in enumerate((*pack.voids, ())):
            people = []
            for seat in asked:
                committed = pack.commitments[seat][index]
                opening = None if seat in missing else self.opened.get(committed, bytes(32))
                people.append(Contribution(seat, committed, opening))
            attempts.append(Attempt(next_secret(), tuple(people)))
            asked = [seat for seat in asked if seat not in missing]
        return tuple(attempts)

    def judge(self, record: ForgedRecord) -> Verdict:
        """The verdict of the device on a record."""
        return self.device.judge(record.plain())

    def has_won(self, record: ForgedRecord, verdict: Verdict) -> bool:
        """Whether the device vouches for a pack that the server could choose, or another play.

        The order of a pack was fixed when the device opened its contribution if all it had been
        told by then stands so in the record: the end of the chain, the call, and who was missing
        before. Secrets and openings must be those that had been committed to. Then the attempts in
        which the device opened anything are those of the record, each void one named there.
        """
        if verdict.kind != "verified":
            return False
        if self.match in self.shown and not self.shown[self.match].is_in(record.play):
            return True
        packs = range(1, len(record.evidence.attempts_by_pack) + 1)
        fixed = [
            pack
            for pack in packs
            if self._is_own(record.evidence, pack) and self._was_fixed(record, pack)
        ]
        return verdict.own_pack_count > len(fixed) or verdict.secret_only_pack_count < len(
            record.packs_without_people()
        )

    def _is_own(self, evidence: Evidence, pack: int) -> bool:
        """Whether an opening of the device decided this pack."""
        attempts = evidence.attempts_by_pack[pack - 1]
        reveals = self.reveals.get((self.match, pack), [])
        return any(
            len(one.voids) + 1 == len(attempts)
            and (one.seat, one.commitment)
            in {(p.seat, p.commitment) for p in attempts[-1].contributions}
            for one in reveals
        )

    def _was_fixed(self, record: ForgedRecord, pack: int) -> bool:
        evidence = record.evidence
        attempts = evidence.attempts_by_pack[pack - 1]
        position = sum(map(len, evidence.attempts_by_pack[: pack - 1]))
        if record.play.packs[pack - 1] != orders(evidence, JASS.texts)[pack - 1]:
            return False
        if not _follow_from_commitments(evidence, pack):
            return False
        return all(
            one.call.ends[0] == one.end == evidence.chain_ends[0]
            and one.call.position == position
            and _are_called(one.call, attempts)
            and list(one.voids) == [attempt.missing_seats for attempt in attempts][: len(one.voids)]
            for one in self.reveals.get((self.match, pack), [])
        )


def _announced_end(state: Any) -> bytes:
    """The end of the first chain in a state that a device has opened something for."""
    return bytes.fromhex(state["announcement"]["end"])


def _follow_from_commitments(evidence: Evidence, pack: int) -> bool:
    """Whether secrets and openings of a pack, and the secrets before, are what was committed to."""
    before = evidence.chain_ends[0]
    for attempt in chain.from_iterable(evidence.attempts_by_pack[:pack]):
        if next_link(evidence.match, attempt.secret) != before:
            return False
        before = attempt.secret
    return all(
        one.opening is None
        or commitment(evidence.match, pack, number, one.seat, one.opening) == one.commitment
        for number, attempt in enumerate(evidence.attempts_by_pack[pack - 1], start=1)
        for one in attempt.contributions
    )


def _are_called(call: PackCall, attempts: Sequence[Attempt]) -> bool:
    """Whether these attempts ask the seats of this call, with its commitments."""
    first = [one.seat for one in attempts[0].contributions]
    return first == sorted(call.commitments) and all(
        one.commitment == call.commitments[one.seat][index]
        for index, attempt in enumerate(attempts)
        for one in attempt.contributions
    )


def orders(evidence: Evidence, cards: Sequence[str]) -> list[list[str]]:
    """The packs that follow from evidence."""
    return [
        derive_order(
            cards,
            attempts[-1].secret,
            transcript_hash(evidence.match, pack, [attempt.contributions for attempt in attempts]),
        )
        for pack, attempts in enumerate(evidence.attempts_by_pack, start=1)
    ]
