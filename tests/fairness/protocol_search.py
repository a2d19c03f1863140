"""Searches all states of the model of the protocol for what a dishonest server can do.

    python -m tests.fairness.protocol_search
    python -m tests.fairness.protocol_search --packs 3 --accomplices 1

The first says how many states there are, and for each rule of a device what the server does if the
device lacks it; the second visits the states of another match.
"""

from argparse import ArgumentParser
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from typing import NamedTuple

from tests.fairness.protocol_model import (
    AGAIN,
    ALL_RULES,
    CHAINS,
    DEVICE,
    OTHER,
    OWN,
    Call,
    Commitments,
    Message,
    Pack,
    Record,
    RecordedPack,
    Rule,
    Rules,
    Seats,
    State,
    agrees,
    are_called,
    called,
    is_own,
    react,
)

LIES = (Rule.SECRET, Rule.OPENING, Rule.CARDS)
"""The rules of a verifier without which the server chooses a pack when all is over."""

CHOSEN = "a pack that the server could choose is verified as one that the device helped to shuffle"
IN_VAIN = "the device opens what cannot stand in a record that it would call verified"
MISNAMED = "a pack is verified with others missing in it than the device was told"


class Scope(NamedTuple):
    """How much of a match is searched."""

    packs: int
    accomplices: int

    @property
    def seats(self) -> range:
        """The seats of the table."""
        return range(self.accomplices + 1)


SCOPES = (Scope(packs=1, accomplices=2), Scope(packs=2, accomplices=1))

LESS_THAN_A_CHOICE = {
    Rule.ORDER: IN_VAIN,
    Rule.POSITION: IN_VAIN,
    Rule.VOID_IN_TIME: IN_VAIN,
    Rule.MISSING: IN_VAIN,
    Rule.DECIDED_ONCE: IN_VAIN,
    Rule.RECORD_ATTEMPTS: MISNAMED,
}
"""The rules without which the server cannot choose a pack, and what it can do instead."""


# --- what the server can tell --------------------------------------------------------------------


def messages(state: State, scope: Scope, rules: Rules) -> Iterator[Message]:
    """What the server can say, without what differs in names only and what ends all.

    The chain announced first is a, and the choice of an accomplice with which a pack is called
    first is 0.
    """
    voids = [None, *product(scope.seats[1:], some_of(frozenset(scope.seats)))]
    for chain in CHAINS if state.announced else CHAINS[:1]:
        if react(state, Message(chain, 1), rules) is None:
            continue
        yield Message(chain, 1)
        for number, pack in enumerate(state.packs, start=1):
            yield from (Message(chain, number + 1, None, void) for void in voids)
            for call in calls(scope, pack, state.own):
                if react(state, Message(chain, number + 1, call), rules) is not None:
                    yield from (Message(chain, number + 1, call, void) for void in voids)


def calls(scope: Scope, pack: Pack, own: int) -> Iterator[Call]:
    """The calls of a pack that the server can make."""
    positions = range(len(scope.seats) * (scope.packs - 1) + 3)
    device = (None, OWN, OTHER, AGAIN) if own == AGAIN else (None, OWN, OTHER)
    accomplice = (None, 0, 1) if pack.seen or pack.openings else (None, 0)
    made = product(device, *[accomplice] * scope.accomplices)
    yield from map(Call._make, product(positions, CHAINS, made))


def some_of(seats: Seats) -> list[Seats]:
    """Each set of some of these seats, at least one."""
    sizes = range(1, len(seats) + 1)
    return [frozenset(one) for size in sizes for one in combinations(sorted(seats), size)]


# --- what it can publish -------------------------------------------------------------------------


class Accepted(NamedTuple):
    """A pack in a record that the device accepts.

    Attributes:
        made: the pack.
        own: whether the device counts it as one that it helped to shuffle.
        chosen: whether the server could choose it.
        misnamed: whether it names others as missing than the device was told.
        known: whether the server knows what it needs of the device to publish it.
    """

    made: RecordedPack
    own: bool
    chosen: bool
    misnamed: bool
    known: bool


@cache
def recorded_packs(scope: Scope, rules: Rules, call: Commitments | None) -> Sequence[RecordedPack]:
    """All that can stand in a record for a pack and verifies, with the commitments of its call."""
    device = (None, OWN, OTHER) if Rule.MEMORY in rules else (None, OWN, OTHER, AGAIN)
    return [
        RecordedPack(commitments, voids, lie)
        for commitments in product(device, *[(None, 0, 1)] * scope.accomplices)
        if call is None or are_called(commitments, call, rules)
        for voids in void_attempts(called(commitments))
        for lie in [None, *(lie for lie in LIES if lie not in rules)]
    ]


def void_attempts(asked: Seats) -> Iterator[tuple[Seats, ...]]:
    """The void attempts that there can be, if these seats are asked."""
    yield ()
    for missing in some_of(asked):
        for others in void_attempts(asked - missing):
            yield (missing, *others)


@cache
def publishable(
    scope: Scope, rules: Rules, pack: Pack, position: int, chain: str
) -> Sequence[Accepted]:
    """What can stand in a record for a pack so that the device accepts it, one of each kind."""
    call = None if pack.seen is None else pack.seen.call.commitments
    found: dict[tuple[object, ...], Accepted] = {}
    for made in recorded_packs(scope, rules, call):
        if agrees(pack.seen, position, made, rules):
            own = is_own(pack, made, rules)
            chosen = not _was_fixed(pack, position, made, chain)
            one = Accepted(made, own, chosen, _is_misnamed(pack, made), _is_known(pack, made))
            found.setdefault((made.attempts, *one[1:]), one)
    return [*found.values()]


def records(state: State, scope: Scope, rules: Rules) -> Iterator[tuple[str, list[Accepted]]]:
    """The records that the device calls verified, one of each kind, with their chains."""
    for chain in state.chain if Rule.RECORD_CHAIN in rules else CHAINS:
        found: list[tuple[int, list[Accepted]]] = [(0, [])]
        for pack in state.packs:
            found = [
                (position + one.made.attempts, [*before, one])
                for position, before in found
                for one in publishable(scope, rules, pack, position, chain)
            ]
        yield from ((chain, packs) for _, packs in found)


def _is_known(pack: Pack, made: RecordedPack) -> bool:
    """Whether the server knows the contributions that decide a pack.

    Those of void attempts decide nothing, so the model does not ask for them.
    """
    deciding = made.commitments[DEVICE], made.attempts
    return not made.has_own or any(
        (one.call.commitments[DEVICE], len(one.voids) + 1) == deciding for one in pack.openings
    )


def _was_fixed(pack: Pack, position: int, made: RecordedPack, chain: str) -> bool:
    """Whether a contribution of the device decided a pack that was fixed whenever it opened one.

    It was if all that the device had been told by then stands so in the record. Then the server has
    learnt one order for each attempt, and all attempts but the last are named as void.
    """
    call = Call(position, chain, made.commitments)
    return (
        made.lie is None
        and made.has_own
        and all(
            (one.chain, one.call, one.voids) == (chain, call, made.voids[: len(one.voids)])
            for one in pack.openings
        )
    )


def _is_misnamed(pack: Pack, made: RecordedPack) -> bool:
    """Whether a pack that was told to be decided names others as missing than were told."""
    if pack.seen is None or not pack.seen.is_decided:
        return False
    told = pack.seen.voids
    return len(told) != len(made.voids) or any(
        one not in (None, missing) for one, missing in zip(told, made.voids, strict=True)
    )


# --- the search ----------------------------------------------------------------------------------


class Visit(NamedTuple):
    """A state, and the message by which it was reached first; None for the first state."""

    state: State
    before: State | None = None
    message: Message | None = None


def visits(scope: Scope, rules: Rules = ALL_RULES) -> Iterator[Visit]:
    """All states that a device with these rules can be brought to, each once, nearest first."""
    start = State((Pack(),) * scope.packs)
    reached, waiting = {start}, [start]
    yield Visit(start)
    for state in waiting:
        for message in messages(state, scope, rules):
            found = react(state, message, rules)
            if found is not None and found not in reached:
                reached.add(found)
                waiting.append(found)
                yield Visit(found, state, message)


class Finding(NamedTuple):
    """What a server can do.

    Attributes:
        what: what is wrong with it.
        told: what the server tells, one after the other.
        record: the record that it publishes; None if it needs none.
    """

    what: str
    told: Sequence[Message]
    record: Record | None


class Search(NamedTuple):
    """A search: how many states were visited until the first finding, and that finding."""

    state_count: int
    finding: Finding | None


def search(
    scope: Scope, rules: Rules = ALL_RULES, faults: Collection[str] = (CHOSEN, MISNAMED, IN_VAIN)
) -> Search:
    """Searches all states for one of these faults.

    Args:
        scope: how much of a match is searched.
        rules: the rules of the device.
        faults: what to look for.
    """
    visited: dict[State, Visit] = {}
    for visit in visits(scope, rules):
        visited[visit.state] = visit
        for what, record in _faults(visit, scope, rules):
            if what in faults:
                return Search(len(visited), Finding(what, _way_to(visit, visited), record))
    return Search(len(visited), None)


def _faults(visit: Visit, scope: Scope, rules: Rules) -> Iterator[tuple[str, Record | None]]:
    """What is wrong in a state, with the record that shows it."""
    found = [*records(visit.state, scope, rules)]
    for chain, packs in found:
        if all(one.known for one in packs):
            record = Record(chain, tuple(one.made for one in packs))
            if any(one.own and one.chosen for one in packs):
                yield CHOSEN, record
            if any(one.misnamed for one in packs):
                yield MISNAMED, record
    if visit.before is not None:
        pairs = zip(visit.before.packs, visit.state.packs, strict=True)
        opened = [len(pack.openings) > len(before.openings) for before, pack in pairs]
        if any(opened) and not any(packs[opened.index(True)].own for _, packs in found):
            yield IN_VAIN, None


def _way_to(visit: Visit, visited: Mapping[State, Visit]) -> list[Message]:
    """The messages that lead to a state."""
    if visit.before is None or visit.message is None:
        return []
    return [*_way_to(visited[visit.before], visited), visit.message]


# --- in words ------------------------------------------------------------------------------------


def describe(finding: Finding) -> Iterator[str]:
    """A finding in words, line by line."""
    yield finding.what
    for number, message in enumerate(finding.told, start=1):
        yield f"  {number}. {', '.join(_message_in_words(message))}"
    if finding.record is not None:
        yield f"  record of chain {finding.record.chain}"
        for number, pack in enumerate(finding.record.packs, start=1):
            yield f"     pack {number}: {', '.join(_pack_in_words(pack))}"


def _message_in_words(message: Message) -> Iterator[str]:
    yield f"chain {message.chain}"
    pack = message.next_pack - 1
    if pack == 0:
        yield "no pack is called yet"
    elif message.call is None:
        yield f"pack {pack} is decided"
    else:
        yield f"pack {pack} is called with {_in_words(message.call.commitments)}"
        yield f"attempts before it: {message.call.position}"
        if message.call.chain != message.chain:
            yield f"chain {message.call.chain} in the call"
    if message.void is not None:
        attempt, missing = message.void
        yield f"attempt {attempt} lacks {_seats_in_words(missing)}"


def _pack_in_words(pack: RecordedPack) -> Iterator[str]:
    yield _in_words(pack.commitments)
    for number, missing in enumerate(pack.voids, start=1):
        yield f"attempt {number} lacks {_seats_in_words(missing)}"
    if pack.lie is not None:
        yield f"and this does not hold: {pack.lie.text}"


def _in_words(commitments: Commitments) -> str:
    device = ("the device", "others for the device", "new ones of the device")
    return (
        " and ".join(
            device[made] if seat == DEVICE else f"accomplice {seat} ({'xy'[made]})"
            for seat, made in enumerate(commitments)
            if made is not None
        )
        or "nobody"
    )


def _seats_in_words(seats: Iterable[int]) -> str:
    return " and ".join(
        "the device" if seat == DEVICE else f"accomplice {seat}" for seat in sorted(seats)
    )


def finding_without(rule: Rule) -> Finding | None:
    """The worst that the server can do to a device without a rule."""
    fault = LESS_THAN_A_CHOICE.get(rule, CHOSEN)
    found = (search(scope, ALL_RULES - {rule}, {fault}).finding for scope in SCOPES)
    return next((finding for finding in found if finding is not None), None)


def main() -> None:
    """The program."""
    parser = ArgumentParser(description="Searches all states of the model of the protocol.")
    parser.add_argument("--packs", type=int, help="of a match that is searched alone")
    parser.add_argument("--accomplices", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.packs is not None:
        _print_search(Scope(arguments.packs, arguments.accomplices))
        return
    for scope in SCOPES:
        _print_search(scope)
    for rule in Rule:
        print(f"Without the rule: {rule.text}")
        print(*_lines(finding_without(rule)), sep="\n")
        if rule in LESS_THAN_A_CHOICE:
            choices = [search(scope, ALL_RULES - {rule}, {CHOSEN}).finding for scope in SCOPES]
            print("the server can choose a pack:", "yes" if any(choices) else "no")
        print()


def _print_search(scope: Scope) -> None:
    state_count, finding = search(scope)
    print(f"Packs {scope.packs}, accomplices {scope.accomplices}, states {state_count:,}")
    print(*_lines(finding), sep="\n", end="\n\n")


def _lines(finding: Finding | None) -> Iterable[str]:
    return ["nothing found"] if finding is None else describe(finding)


if __name__ == "__main__":
    main()
