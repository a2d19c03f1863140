"""What a device checks of the deals that it is told; written from docs/fair-deals.md alone.

Like the verifier beside it, it shares no code with the package.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from tests.fairness.independent_verifier import (
    CHAIN_LENGTH,
    MOST_SEATS,
    Attempt,
    FaultError,
    Proof,
    commitment_to,
    parse_hash,
    parse_list,
    parse_number,
    parse_object,
    parse_seat,
    verify,
)

PACKS_AHEAD: Final = 3


@dataclass(frozen=True)
class Call:
    pack: int
    position: int
    ends: tuple[bytes, ...]
    commitments: dict[int, tuple[bytes, ...]]


@dataclass(frozen=True)
class Void:
    pack: int
    attempt: int
    missing: frozenset[int]


@dataclass(frozen=True)
class State:
    table: bytes
    match: int
    end: bytes
    next_pack: int
    call: Call | None
    void: Void | None


@dataclass
class Answer:
    """What the device sends: commitments by pack, and openings by pack and attempt."""

    commitments: dict[int, list[bytes]] = field(default_factory=dict)
    openings: dict[tuple[int, int], bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class Verdict:
    kind: str
    pack: int | None
    own: int = 0
    alone: int = 0


@dataclass
class SeenPack:
    """What the device knows of a pack that it has seen called."""

    call: Call
    missing: dict[int, frozenset[int]] = field(default_factory=dict)  # by void attempt
    fewest: int = 1  # attempts that it may have taken, as later calls and states say
    most: int | None = None
    opened: set[int] = field(default_factory=set)

    @property
    def under_way(self) -> int:
        """The attempt after the last one known to be void."""
        return max(self.missing, default=0) + 1

    @property
    def untold(self) -> int:
        """How many void attempts were missed."""
        return self.under_way - 1 - len(self.missing)

    def may_have_taken(self) -> tuple[int, int]:
        """How many attempts may have decided the pack: the fewest and the most."""
        most = self.under_way + len(self.asked(self.under_way)) - self.untold
        fewest = max(self.fewest, self.under_way)
        return fewest, most if self.most is None else min(most, self.most)

    def took(self, fewest: int, most: int) -> bool:
        """Notes how many attempts it took; whether that can be."""
        self.fewest = max(self.fewest, fewest)
        self.most = most if self.most is None else min(self.most, most)
        return self.may_have_taken()[0] <= self.may_have_taken()[1]

    def asked(self, attempt: int) -> set[int]:
        gone = {seat for n, seats in self.missing.items() if n < attempt for seat in seats}
        return self.call.commitments.keys() - gone

    def next_to_open(self, seat: int) -> int | None:
        """The attempt that now awaits this seat; None if a void attempt before it was missed."""
        attempt = self.under_way
        knows_all = len(self.missing) == attempt - 1
        return attempt if knows_all and seat in self.asked(attempt) else None


class Device:
    """A device at one table, which draws its contributions from the given source."""

    def __init__(self, table: bytes, seats: int, draw: Callable[[], bytes]) -> None:
        self.table = table
        self.seats = seats
        self.draw = draw
        self.matches: dict[int, Watch] = {}

    def watch(self, match: int) -> "Watch":
        return self.matches.setdefault(match, Watch(self.table, match, self.seats, self.draw))

    def concerned(self, match: int) -> "Watch":
        """The match to which belongs what is told of this one: the last announced, or a later."""
        return self.watch(max([match, *self.heard]))

    @property
    def heard(self) -> list[int]:
        """The matches of which it was told, from the first one with fair deals on."""
        return [n for n, one in self.matches.items() if one.ends or one.trouble is not None]

    def hear(self, match: int, value: Any, seat: int | None) -> Answer:
        """What it sends after this state; nothing once the server has broken the protocol."""
        if value is None and not self.heard:
            return Answer()
        watch = self.concerned(match)
        if watch.match > match and watch.trouble is None:
            watch.trouble = 0
        return watch.hear(value, seat)


class Watch:
    """What the device remembers of one match."""

    def __init__(self, table: bytes, match: int, seats: int, draw: Callable[[], bytes]) -> None:
        self.table = table
        self.match = match
        self.seats = seats
        self.draw = draw
        self.trouble: int | None = None
        self.ends: tuple[bytes, ...] = ()
        self.next_pack = 1  # the latest of which the server has spoken
        self.made: dict[tuple[int, int], list[tuple[bytes, bytes]]] = {}  # by pack and seat
        self.packs: dict[int, SeenPack] = {}

    def hear(self, value: Any, seat: int | None) -> Answer:
        if self.trouble is not None:
            return Answer()
        try:
            state = parse_state(value)
            self.note(state)
        except FaultError as fault:
            self.trouble = fault.pack
            return Answer()
        return Answer() if seat is None else self.answer(state, seat)

    def answer(self, state: State, seat: int) -> Answer:
        answer = Answer()
        for pack in range(state.next_pack, state.next_pack + PACKS_AHEAD):
            if pack >= self.next_pack and (pack, seat) not in self.made:
                answer.commitments[pack] = self.commit(pack, seat)
        if state.call:
            answer.openings = self.open(state.call.pack, seat)
        return answer

    # What it is told

    def note(self, state: State) -> None:
        if (state.table, state.match) != (self.table, self.match):
            raise FaultError(0, "another table or match was announced")
        self.announce(state.end)
        if state.call:
            self.note_call(state.call)
        if state.void:
            self.note_void(state.void)
        if not state.call:
            self.note_decided(state.next_pack - 1)
        self.next_pack = max(self.next_pack, state.next_pack)

    def announce(self, end: bytes) -> None:
        if self.ends and end != self.ends[0]:
            raise FaultError(0, "another chain was announced")
        self.ends = self.ends or (end,)

    def note_call(self, call: Call) -> None:
        people = call.commitments
        seen = self.packs.get(call.pack)
        if seen:
            if seen.call != call:
                raise FaultError(call.pack, "the pack was called with something else")
            return
        if call.pack < self.next_pack:
            raise FaultError(call.pack, "a later pack was spoken of")
        if len(call.ends) != (call.position + len(people)) // CHAIN_LENGTH + 1:
            raise FaultError(call.pack, "the ends are not those of the chains it may reach")
        if not agree(call.ends, self.ends):
            raise FaultError(call.pack, "the ends are not those known")
        if any(seat >= self.seats for seat in people):
            raise FaultError(call.pack, "a seat is none of the table")
        if any(len(made) != len(people) for made in people.values()):
            raise FaultError(call.pack, "there are not as many commitments as people")
        self.check_position(call)
        self.packs[call.pack] = SeenPack(call)
        self.ends = max(self.ends, call.ends, key=len)

    def note_void(self, void: Void) -> None:
        seen = self.packs.get(void.pack)
        if not seen:
            return
        if void.attempt < seen.under_way and void.attempt not in seen.missing:
            return  # it was missed, and is not made good by being told late
        if seen.missing.get(void.attempt, void.missing) != void.missing:
            raise FaultError(void.pack, "others were missing when it was told first")
        if not void.missing or not seen.asked(void.attempt) >= void.missing:
            raise FaultError(void.pack, "somebody was missing who was not asked, or nobody")
        seen.missing[void.attempt] = void.missing
        fewest, most = seen.may_have_taken()
        if fewest > most:
            raise FaultError(void.pack, "the pack was decided before, or nobody was left")

    def note_decided(self, pack: int) -> None:
        seen = self.packs.get(pack)
        if not seen:
            return
        if not seen.took(seen.under_way, seen.under_way):
            raise FaultError(pack, "another attempt was told to have decided it")

    def check_position(self, call: Call) -> None:
        """Notes also what the position says of the last pack seen before."""
        last = max(self.packs, default=0)
        unseen = call.pack - 1 - last
        fewest, most = unseen, unseen * (self.seats + 1)
        if last:
            after = call.position - self.packs[last].call.position
            fits = self.packs[last].took(after - most, after - fewest)
        else:
            fits = fewest <= call.position <= most
        if not fits:
            raise FaultError(call.pack, "the position does not follow from the attempts before")

    # What it sends

    def commit(self, pack: int, seat: int) -> list[bytes]:
        made = []
        for attempt in range(1, self.seats + 1):
            drawn = self.draw()
            place = (self.table, self.match, pack, attempt, seat)
            made.append((drawn, commitment_to(*place, drawn)))
        self.made[pack, seat] = made
        return [commitment for _, commitment in made]

    def open(self, pack: int, seat: int) -> dict[tuple[int, int], bytes]:
        seen = self.packs[pack]
        made = self.made.get((pack, seat), [])
        shown = seen.call.commitments.get(seat)
        attempt = seen.next_to_open(seat)
        if attempt is None or attempt in seen.opened:
            return {}
        if shown != tuple(commitment for _, commitment in made[: len(seen.call.commitments)]):
            return {}
        seen.opened.add(attempt)
        return {(pack, attempt): made[attempt - 1][0]}

    # At the end

    def judge(self, record: Any, *, closed: bool = False) -> Verdict:
        """By the record of the match that is over, or whose table was closed."""
        if self.trouble is not None:
            return Verdict("broken", self.trouble)
        try:
            proof = verify(record)
            if self.ends:
                self.compare(proof, closed)
        except FaultError as fault:
            return Verdict("wrong", fault.pack)
        decided = enumerate(proof.packs, 1)
        own = sum(self.opened(pack, len(attempts)) for pack, attempts in decided)
        return Verdict("verified", None, own, proof.alone)

    def opened(self, pack: int, attempt: int) -> bool:
        return pack in self.packs and attempt in self.packs[pack].opened

    def uncounted(self, proof: Proof, seat: int) -> list[int]:
        """The packs decided without it although it had committed to them and saw them called."""
        return [
            pack
            for pack, attempts in enumerate(proof.packs, 1)
            if pack in self.packs
            and (pack, seat) in self.made
            and not self.opened(pack, len(attempts))
        ]

    def compare(self, proof: Proof, closed: bool) -> None:
        if (proof.table, proof.match) != (self.table, self.match):
            raise FaultError(0, "it is the record of another match")
        if not agree(self.ends, proof.ends):
            raise FaultError(0, "the ends are not those that were told")
        position = 0
        for number, attempts in enumerate(proof.packs, 1):
            if number in self.packs:
                compare_pack(position, attempts, self.packs[number])
            position += len(attempts)
        called = self.next_pack - 1
        if len(proof.packs) < called - closed:
            raise FaultError(called, "a pack that was called is not in the record")


def agree(some: tuple[bytes, ...], others: tuple[bytes, ...]) -> bool:
    """Whether the ends of chains are the same, as far as both go."""
    return all(one == other for one, other in zip(some, others, strict=False))


def compare_pack(position: int, attempts: tuple[Attempt, ...], seen: SeenPack) -> None:
    number, called = seen.call.pack, seen.call.commitments
    if seen.call.position != position:
        raise FaultError(number, "there were not as many attempts before as its call said")
    if set(attempts[0].seats) != called.keys():
        raise FaultError(number, "others were called")
    for place, attempt in enumerate(attempts):
        if any(one.commitment != called[one.seat][place] for one in attempt.people):
            raise FaultError(number, "another commitment was called")
    fewest, most = seen.may_have_taken()
    if not fewest <= len(attempts) <= most:
        raise FaultError(number, "it was told to be decided by another attempt")
    for void, missing in seen.missing.items():
        if void >= len(attempts) or set(attempts[void - 1].missing) != missing:
            raise FaultError(number, "others were told to be missing")


# The form of a state


def parse_state(value: Any) -> State:
    state = parse_object(value, "announcement", "next_pack", "call", "void", "asked")
    announcement = parse_object(state["announcement"], "match", "end")
    match = parse_object(announcement["match"], "table", "number")
    parsed = State(
        table=parse_hash(match["table"]),
        match=parse_number(match["number"], 1),
        end=parse_hash(announcement["end"]),
        next_pack=parse_number(state["next_pack"], 1),
        call=None if state["call"] is None else parse_call(state["call"]),
        void=None if state["void"] is None else parse_void(state["void"]),
    )
    for told in (parsed.call, parsed.void):
        if told and told.pack != parsed.next_pack - 1:
            raise FaultError(told.pack, "it is not the last pack called")
    return parsed


def parse_call(value: Any) -> Call:
    call = parse_object(value, "pack", "position", "ends", "commitments")
    pack = parse_number(call["pack"], 1)
    commitments = call["commitments"]
    if not isinstance(commitments, dict):
        raise FaultError(pack, "the commitments are no object")
    return Call(
        pack=pack,
        position=parse_number(call["position"], 0, pack),
        ends=tuple(parse_hash(end, pack) for end in parse_list(call["ends"], pack)),
        commitments={
            parse_key(seat, pack): tuple(parse_hash(one, pack) for one in parse_list(made, pack))
            for seat, made in commitments.items()
        },
    )


def parse_key(value: str, pack: int) -> int:
    """The seat of a key: as a whole number is written, without further digits."""
    seats = {str(seat): seat for seat in range(MOST_SEATS)}
    return parse_seat(seats.get(value), pack)


def parse_void(value: Any) -> Void:
    void = parse_object(value, "pack", "attempt", "missing")
    pack = parse_number(void["pack"], 1)
    return Void(
        pack=pack,
        attempt=parse_number(void["attempt"], 1, pack),
        missing=frozenset(parse_seat(seat, pack) for seat in parse_list(void["missing"], pack)),
    )
