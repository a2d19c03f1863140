"""A contributor opens for one call only, and catches evidence that contradicts what it saw."""

import json
from dataclasses import replace
from typing import Any

import pytest

from jasstisch.fairness import (
    Announcement,
    Attempt,
    Contribution,
    DealContributor,
    Evidence,
    FairError,
    Ledger,
    MatchId,
    PackCall,
    PendingContributions,
    VoidAttempt,
    verify,
)
from tools.fairness_vectors import ABSENCES, MATCH, SEATS, SEED, play_match
from tools.pseudo_random_bytes import pseudo_random_bytes

OTHER = b"\xff" * 32


class Scene:
    """The call of the first pack, to which seats 0 and 1 have sent commitments."""

    def __init__(self) -> None:
        self.ledger = Ledger.begin(SEED, MATCH, SEATS)
        self.contributors = [
            DealContributor(self.ledger.announcement, SEATS, pseudo_random_bytes(f"seat {seat}"))
            for seat in (0, 1)
        ]
        pending = PendingContributions()
        for seat, contributor in enumerate(self.contributors):
            pending.add_commitments(self.ledger, seat, 1, contributor.commit(1, seat))
        self.call = pending.next_pack_call(self.ledger)

    def changed(self, **values: Any) -> PackCall:
        """The call with these values replaced."""
        return replace(self.call, **values)


@pytest.fixture
def scene() -> Scene:
    return Scene()


def test_contributor_opens_its_contribution_and_repeats_it_for_the_same_call(scene: Scene) -> None:
    contributor, _ = scene.contributors
    ledger = scene.ledger.with_pack_call(scene.call)
    opening = contributor.open(scene.call, 0)
    assert opening is not None
    ledger.check_opening(0, 1, opening)
    assert contributor.open(scene.call, 0) == opening


def test_contributor_refuses_a_different_second_call_of_the_same_pack(scene: Scene) -> None:
    """Otherwise the server could learn a contribution by one call and fit the other to it."""
    contributor, _ = scene.contributors
    contributor.open(scene.call, 0)
    others = {**scene.call.commitments, 1: (OTHER, OTHER)}
    with pytest.raises(FairError, match="called a second time with something else"):
        contributor.open(scene.changed(commitments=others), 0)
    assert contributor.commit(1, 0) == []


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"position": 1}, "there cannot have been 1 attempts before it"),
        ({"ends": (OTHER,)}, "bound itself to other secrets"),
        ({"ends": ()}, "bound itself to other secrets"),
        ({"ends": (OTHER, OTHER)}, "bound itself to other secrets"),
        ({"pack": 0}, "has been called before"),
    ],
)
def test_call_that_contradicts_earlier_messages_is_refused(
    scene: Scene, values: dict[str, Any], message: str
) -> None:
    with pytest.raises(FairError, match=message):
        scene.contributors[0].open(scene.changed(**values), 0)


@pytest.mark.parametrize("seat", [-1, SEATS])
def test_call_with_a_nonexistent_seat_is_refused(scene: Scene, seat: int) -> None:
    own = scene.call.commitments[0]
    call = scene.changed(commitments={0: own, seat: own})
    with pytest.raises(FairError, match=f"seat {seat} cannot have committed itself so"):
        scene.contributors[0].open(call, 0)


def test_call_with_too_few_commitments_is_refused(scene: Scene) -> None:
    own = scene.call.commitments[0]
    with pytest.raises(FairError, match="seat 1 cannot have committed itself so"):
        scene.contributors[0].open(scene.changed(commitments={0: own, 1: own[:1]}), 0)


def test_contributor_opens_nothing_for_commitments_it_did_not_make(scene: Scene) -> None:
    """The person may use two devices; the contribution of this one does not count then."""
    contributor, other = scene.contributors
    call = scene.changed(commitments={0: (OTHER, OTHER), 1: scene.call.commitments[1]})
    assert contributor.open(call, 0) is None
    assert other.open(call, 1) is not None
    assert (
        DealContributor(scene.ledger.announcement, SEATS, pseudo_random_bytes("new")).open(
            scene.call, 0
        )
        is None
    )


def test_contributor_opens_its_next_contribution_after_a_void_attempt(scene: Scene) -> None:
    contributor, absent = scene.contributors
    first = contributor.open(scene.call, 0)
    absent.open(scene.call, 1)
    ledger = scene.ledger.with_pack_call(scene.call).with_openings({0: first or b""})
    assert ledger.last_void_attempt is not None
    second = contributor.open_after_void(ledger.last_void_attempt, 0)
    assert second not in (first, None)
    assert absent.open_after_void(ledger.last_void_attempt, 1) is None
    assert contributor.open(scene.call, 0) == second
    ledger = ledger.with_openings({0: second or b""})
    evidence = ledger.evidence()
    assert (contributor.check_evidence(evidence), absent.check_evidence(evidence)) == (1, 0)


@pytest.mark.parametrize(
    "void", [VoidAttempt(1, 3, (1,)), VoidAttempt(1, 1, ()), VoidAttempt(1, 1, (2,))], ids=str
)
def test_impossible_void_attempt_is_refused(scene: Scene, void: VoidAttempt) -> None:
    contributor, _ = scene.contributors
    contributor.open(scene.call, 0)
    with pytest.raises(FairError):
        contributor.open_after_void(void, 0)


def test_void_attempt_told_again_must_be_the_same(scene: Scene) -> None:
    contributor, _ = scene.contributors
    contributor.open(scene.call, 0)
    opening = contributor.open_after_void(VoidAttempt(1, 1, (1,)), 0)
    assert contributor.open_after_void(VoidAttempt(1, 1, (1,)), 0) == opening
    with pytest.raises(FairError, match=r"attempt 1 lacked the seats \(1,\)"):
        contributor.open_after_void(VoidAttempt(1, 1, (0,)), 0)


def test_commitments_to_a_pack_are_made_once(scene: Scene) -> None:
    contributor, _ = scene.contributors
    made = contributor.commit(2, 0)
    assert contributor.commit(2, 0) == made
    assert contributor.commit(2, 1) != made
    contributor.note_next_pack(3, decided=True)
    assert contributor.commit(2, 0) == []


def test_pack_that_was_decided_is_not_decided_by_a_later_attempt(scene: Scene) -> None:
    contributor, _ = scene.contributors
    contributor.open(scene.call, 0)
    contributor.note_next_pack(2, decided=True)
    with pytest.raises(FairError, match="attempt 1 is not under way"):
        contributor.open_after_void(VoidAttempt(1, 1, (1,)), 0)
    with pytest.raises(FairError, match="there cannot have been 2 attempts before it"):
        contributor.open(replace(scene.call, pack=2, position=2), 0)


@pytest.mark.parametrize("position", [1, 2])
def test_attempts_that_were_missed_are_counted_by_the_next_call(
    scene: Scene, position: int
) -> None:
    """The pack took two attempts, which the next call says or hides; this client opened once."""
    witness, other = scene.contributors
    opened = other.open(scene.call, 1), other.open_after_void(VoidAttempt(1, 1, (0,)), 1)
    witness.open(scene.call, 0)
    ledger = scene.ledger.with_pack_call(scene.call)
    for opening in opened:
        ledger = ledger.with_openings({1: opening or b""})
    evidence = ledger.with_pack_call(ledger.next_pack_call({})).evidence()
    witness.open(PackCall(2, position, scene.call.ends, {}), 0)
    if position == 2:
        assert witness.check_evidence(evidence) == 0
    else:
        with pytest.raises(FairError, match="it was decided by attempt 1"):
            witness.check_evidence(evidence)


def test_client_joining_mid_match_contributes_to_the_next_pack() -> None:
    ledger, pending = Ledger.begin(SEED, MATCH, SEATS), PendingContributions()
    for _ in range(2):
        ledger = ledger.with_pack_call(pending.next_pack_call(ledger))
    contributor = DealContributor(ledger.announcement, SEATS, pseudo_random_bytes("late"))
    assert contributor.open_after_void(VoidAttempt(2, 1, (3,)), 1) is None
    pending.add_commitments(ledger, 1, 3, contributor.commit(3, 1))
    call = pending.next_pack_call(ledger)
    opening = contributor.open(call, 1)
    ledger = ledger.with_pack_call(call).with_openings({1: opening or b""})
    assert contributor.check_evidence(ledger.evidence()) == 1


def test_omitted_packs_are_those_decided_without_the_clients_contribution(scene: Scene) -> None:
    """It is missing from a call, or left out of an attempt though it had opened."""
    accused, other = scene.contributors
    accused.open(scene.call, 0)
    other.open(scene.call, 1)
    assert [*accused.excluded_from_packs, *other.excluded_from_packs] == []
    for contributor, seat in ((accused, 0), (other, 1)):
        contributor.open_after_void(VoidAttempt(1, 1, (0,)), seat)
    assert [list(accused.excluded_from_packs), list(other.excluded_from_packs)] == [[1], []]
    made = other.commit(2, 1)
    call = replace(scene.call, pack=2, position=2, commitments={3: (OTHER,)})
    assert len(made) == SEATS
    assert other.open(call, 1) is None
    assert list(other.excluded_from_packs) == [2]


@pytest.mark.parametrize("kind", [Announcement, PackCall, VoidAttempt])
def test_messages_round_trip_and_malformed_ones_are_refused(
    kind: type[Announcement | PackCall | VoidAttempt], scene: Scene
) -> None:
    messages = (scene.ledger.announcement, scene.call, VoidAttempt(2, 1, (0, 3)))
    (message,) = [one for one in messages if isinstance(one, kind)]
    plain = json.loads(json.dumps(message.to_json()))
    assert kind.from_json(plain) == message
    wrong = [None, [], {}, plain | {"more": 1}, *({**plain, key: "x"} for key in plain)]
    for one in wrong:
        with pytest.raises(FairError):
            kind.from_json(one)


@pytest.mark.parametrize("key", ["16", "-1", "x", "01", "²", ""])
def test_call_with_an_invalid_seat_key_is_refused(key: str, scene: Scene) -> None:
    with pytest.raises(FairError, match="a seat is a whole number"):
        PackCall.from_json(scene.call.to_json() | {"commitments": {key: []}})


def test_a_spectator_checks_the_evidence_without_contributing() -> None:
    ledger = Ledger.begin(SEED, MATCH, SEATS)
    contributor = DealContributor(ledger.announcement, SEATS, pseudo_random_bytes("none"))
    call = ledger.next_pack_call({})
    assert contributor.open(call, None) is None
    assert contributor.check_evidence(ledger.with_pack_call(call).evidence()) == 0


# A server that publishes evidence of other deals. Each forgery passes verification, and only a
# contributor can catch it.


def forged_evidence(forgery: str) -> Evidence:
    """Consistent evidence of another match than the one that was dealt."""
    evidence, _, _ = play_match(ABSENCES)
    match forgery:
        case "another match":
            return play_match(ABSENCES, match=MatchId.of("a table's id", 4))[0]
        case "another seed":
            return play_match(ABSENCES, seed=OTHER)[0]
        case "a seat left out":
            return play_match([{0: 0, 1: 0}, *ABSENCES[1:]])[0]
        case "a missed opening invented":
            return play_match([{0: 0, 1: 0, 3: 1}, *ABSENCES[1:]])[0]
        case "a void attempt hidden":
            return play_match([ABSENCES[0], {0: 0, 1: 0, 3: 0}, *ABSENCES[2:]])[0]
        case "another contribution":
            return evidence_with_another_contribution()
        case "the last pack left out":
            return replace(evidence, attempts_by_pack=evidence.attempts_by_pack[:-1])
    raise AssertionError(forgery)


def test_missed_opening_that_was_never_announced_is_caught() -> None:
    """The evidence reports it in the last attempt at the pack."""
    evidence, _, contributors = play_match([{0: 0, 1: 0}])
    ((attempt,),) = evidence.attempts_by_pack
    accused = replace(attempt.contributions[1], opening=None)
    changed = replace(
        evidence,
        attempts_by_pack=((replace(attempt, contributions=(attempt.contributions[0], accused)),),),
    )
    for contributor in contributors.values():
        with pytest.raises(FairError, match="in attempt 1 the seats"):
            contributor.check_evidence(changed)


def evidence_with_another_contribution() -> Evidence:
    """The evidence of the first pack with other contributions of the same seats."""
    ledger, pending = Ledger.begin(SEED, MATCH, SEATS), PendingContributions()
    contributors = {
        seat: DealContributor(ledger.announcement, SEATS, pseudo_random_bytes(f"puppet {seat}"))
        for seat in (0, 1, 3)
    }
    for seat, contributor in contributors.items():
        pending.add_commitments(ledger, seat, 1, contributor.commit(1, seat))
    call = pending.next_pack_call(ledger)
    openings = {
        seat: contributor.open(call, seat) or b"" for seat, contributor in contributors.items()
    }
    return ledger.with_pack_call(call).with_openings(openings).evidence()


@pytest.mark.parametrize(
    ("forgery", "pack"),
    [
        ("another match", 0),
        ("another seed", 0),
        ("a seat left out", 1),
        ("a missed opening invented", 1),
        ("a void attempt hidden", 2),
        ("another contribution", 1),
        ("the last pack left out", 6),
    ],
)
def test_every_contributor_catches_forged_evidence(forgery: str, pack: int) -> None:
    evidence, packs, contributors = play_match(ABSENCES)
    verify(evidence, packs, SEATS)
    for contributor in contributors.values():
        contributor.check_evidence(evidence)
        with pytest.raises(FairError) as caught:
            contributor.check_evidence(forged_evidence(forgery))
        assert caught.value.pack == pack


def test_showing_two_contributores_different_calls_is_caught_by_one_of_them() -> None:
    """Whichever of the two calls the evidence agrees with, the other contributor catches it."""
    scene = Scene()
    first, second = scene.contributors
    own = first.open(scene.call, 0)
    puppet = DealContributor(scene.ledger.announcement, SEATS, pseudo_random_bytes("puppet"))
    made = tuple(puppet.commit(1, 2)[:3])
    three = {seat: (*one, OTHER) for seat, one in scene.call.commitments.items()} | {2: made}
    second.open(scene.changed(commitments=three), 1)
    assert own is not None
    for people in ((0, 1), (0, 1, 2)):
        table = three if len(people) == 3 else scene.call.commitments
        attempt = Attempt(OTHER, tuple(Contribution(seat, table[seat][0], own) for seat in people))
        evidence = Evidence(MATCH, (scene.ledger.announcement.end,), ((attempt,),))
        caught = 0
        for contributor in (first, second):
            try:
                contributor.check_evidence(evidence)
            except FairError:
                caught += 1
        assert caught == 1
