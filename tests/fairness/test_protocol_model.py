"""All states of a model of the protocol, and that the model is that of the implementation."""

from copy import deepcopy
from pathlib import Path
from random import Random

import pytest

import jasstisch.fairness
from jasstisch.fairness import (
    Announcement,
    Attempt,
    Contribution,
    DealState,
    Evidence,
    FairError,
    MatchId,
    PackCall,
    Participant,
    SendCommitments,
    SendOpening,
    VoidAttempt,
)
from jasstisch.fairness.contributions import commitment
from jasstisch.fairness.encoding import digest
from tests.fairness.protocol_model import (
    ALL_RULES,
    CHAINS,
    DEVICE,
    OWN,
    Call,
    Message,
    Pack,
    Record,
    RecordedPack,
    Rule,
    State,
    accepts,
    called,
    is_own,
    opens,
    react,
)
from tests.fairness.protocol_search import (
    SCOPES,
    Scope,
    finding_without,
    recorded_packs,
    search,
    some_of,
    visits,
)
from tests.support.example_counts import examples
from tools.pseudo_random_bytes import pseudo_random_bytes

ROOT = Path(__file__).parents[2]
FAIRNESS = Path(str(jasstisch.fairness.__file__)).parent
TABLE = "a table's id"
MATCH = MatchId.of(TABLE, 1)
ENDS = {chain: digest("end", index) for index, chain in enumerate(CHAINS)}
FIRST = Message(CHAINS[0], 1)


@pytest.mark.parametrize("scope", SCOPES, ids=str)
def test_a_device_with_all_rules_gives_the_server_nothing_in_any_state(scope: Scope) -> None:
    state_count, finding = search(scope)
    assert finding is None
    page = (ROOT / "docs/fair-deals.md").read_text(encoding="utf-8")
    assert f"| {scope.packs} | {scope.accomplices} | {state_count:,} |" in page


@pytest.mark.parametrize("rule", Rule, ids=lambda rule: rule.name)
def test_without_any_of_its_rules_a_device_can_be_cheated(rule: Rule) -> None:
    assert finding_without(rule) is not None


@pytest.mark.parametrize("rule", Rule, ids=lambda rule: rule.name)
def test_each_rule_of_the_model_is_kept_by_one_line_of_the_implementation(rule: Rule) -> None:
    assert (FAIRNESS / rule.module).read_text(encoding="utf-8").count(rule.check) == 1


# The model against the implementation.


class RealDevice:
    """The implementation of the device, told what the device of the model is told."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        seats = len(scope.seats)
        self.participant = Participant(TABLE, seats, pseudo_random_bytes("device"))
        state = DealState(Announcement(MATCH, ENDS[FIRST.chain]), FIRST.next_pack, None, None)
        self._own = {
            one.pack_number: one.commitments
            for one in self.participant.react(state.to_json(), MATCH.number, DEVICE)
            if isinstance(one, SendCommitments)
        }

    def commitments(self, pack: int, seat: int, choice: int) -> tuple[bytes, ...]:
        """What is meant by a choice of the model."""
        if (seat, choice) == (DEVICE, OWN):
            return self._own[pack]
        return tuple(digest("other", pack, seat, choice, one) for one in self._scope.seats)

    def told(self, message: Message) -> tuple[bool, int | None]:
        """Tells the device something.

        Returns:
            Whether it finds no breach, and the attempt for which it opens its own contribution.
        """
        number = message.next_pack - 1
        void = None
        if message.void is not None:
            attempt, missing = message.void
            void = VoidAttempt(number, attempt, tuple(sorted(missing)))
        call = None if message.call is None else self._call(number, message.call)
        announced = Announcement(MATCH, ENDS[message.chain])
        state = DealState(announced, message.next_pack, call, void)
        self.participant.mark_all_unsent()
        sent = self.participant.react(state.to_json(), MATCH.number, DEVICE)
        opened = [one for one in sent if isinstance(one, SendOpening)]
        for one in opened:
            made = commitment(MATCH, one.pack_number, one.attempt, DEVICE, one.opening)
            assert (one.pack_number, made) == (number, self._own[number][one.attempt - 1])
        return self.participant.problem is None, opened[0].attempt if opened else None

    def verified(self, record: Record) -> int | None:
        """The number of its own packs in a record; None if it refuses the record."""
        assert self.participant.contributor is not None
        packs = [self._attempts(*pack) for pack in enumerate(record.packs, start=1)]
        evidence = Evidence(MATCH, (ENDS[record.chain],), tuple(packs))
        try:
            return self.participant.contributor.check_evidence(evidence)
        except FairError:
            return None

    def _call(self, number: int, call: Call) -> PackCall:
        seats = called(call.commitments)
        made = {
            seat: self.commitments(number, seat, choice)[: len(seats)]
            for seat, choice in enumerate(call.commitments)
            if choice is not None
        }
        return PackCall(number, call.position, (ENDS[call.chain],), made)

    def _attempts(self, number: int, made: RecordedPack) -> tuple[Attempt, ...]:
        asked = called(made.commitments)
        attempts = []
        for index, missing in enumerate((*made.voids, frozenset[int]())):
            people = []
            for seat in sorted(asked):
                choice = made.commitments[seat]
                assert choice is not None
                committed = self.commitments(number, seat, choice)[index]
                opening = None if seat in missing else bytes(32)
                people.append(Contribution(seat, committed, opening))
            attempts.append(Attempt(bytes(32), tuple(people)))
            asked -= missing
        return tuple(attempts)


def any_message(state: State, scope: Scope, rng: Random) -> Message:
    """Something that the server can say, also what is a breach; mostly of the call known."""
    number = rng.randint(1, scope.packs)
    seen = state.packs[number - 1].seen
    choices = [None, 0, 1]
    call = Call(
        rng.randrange(5), rng.choice(CHAINS), tuple(rng.choice(choices) for _ in scope.seats)
    )
    if seen is not None and rng.random() < 0.8:
        call = seen.call
    void = rng.randint(1, scope.accomplices), rng.choice(some_of(frozenset(scope.seats)))
    return Message(
        rng.choice("aaaab"),
        number + 1,
        rng.choice([None, call, call]),
        rng.choice([None, void]),
    )


def any_record(state: State, scope: Scope, rng: Random) -> Record:
    """A record that verifies by itself; mostly of the calls known."""
    calls = [
        pack.seen.call.commitments if pack.seen is not None and rng.random() < 0.9 else None
        for pack in state.packs
    ]
    packs = [rng.choice(recorded_packs(scope, ALL_RULES, call)) for call in calls]
    return Record(rng.choice("aaaab"), tuple(packs))


@pytest.mark.parametrize("scope", SCOPES, ids=str)
def test_the_implementation_does_in_each_state_what_the_model_says(scope: Scope) -> None:
    rng = Random(1)
    start = State((Pack(),) * scope.packs)
    devices = {start: RealDevice(scope)}
    outcomes = set()
    for state, before, message in visits(scope):
        if before is None or message is None:
            continue
        device = devices[state] = deepcopy(devices[before])
        assert_same_answer(device, before, message)
        for _ in range(examples(3, 1)):
            outcomes.add(
                assert_same_answer(deepcopy(device), state, any_message(state, scope, rng))
            )
        for _ in range(examples(3, 1)):
            outcomes.add(assert_same_verdict(device, state, any_record(state, scope, rng)))
    assert len(outcomes) > 6


def assert_same_answer(device: RealDevice, state: State, message: Message) -> str:
    """Checks that a device answers as the model says, and returns the answer in a word."""
    found = react(state, message, ALL_RULES)
    expected: tuple[bool, int | None] = found is not None, None
    if found is not None and message.call is not None:
        seen = found.packs[message.next_pack - 2].seen
        assert seen is not None
        expected = True, seen.attempt if opens(found, seen, ALL_RULES) else None
    assert device.told(message) == expected, (state, message)
    return str(expected)


def assert_same_verdict(device: RealDevice, state: State, record: Record) -> str:
    """Checks that a device judges a record as the model says, and returns the verdict in a word."""
    expected = None
    if accepts(state, record, ALL_RULES):
        pairs = zip(state.packs, record.packs, strict=True)
        expected = sum(is_own(pack, made, ALL_RULES) for pack, made in pairs)
    assert device.verified(record) == expected, (state, record)
    return f"own {expected}"
