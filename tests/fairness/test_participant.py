"""A client's reactions to the state of the deals, which it receives again and again."""

import secrets

from jasstisch.fairness import (
    Announcement,
    MatchId,
    PackCall,
    Participant,
    SendCommitments,
    SendOpening,
    VoidAttempt,
)
from jasstisch.fairness.contributions import commitment

MATCH = MatchId.of("t" * 22, 1)
END = b"e" * 32
ANNOUNCEMENT = Announcement(MATCH, END)


def new_participant() -> Participant:
    return Participant(2, secrets.token_bytes)


def call_with(own: tuple[bytes, ...], pack: int = 1) -> PackCall:
    """A call of two seats: seat 0 with these commitments, and seat 1."""
    return PackCall(pack, 0, (END,), {0: own, 1: (b"c" * 32, b"d" * 32)})


def commit(participant: Participant, pack: int = 1) -> tuple[bytes, ...]:
    """The commitments of seat 0 for a pack, sent at the beginning of the match."""
    sent = participant.react(ANNOUNCEMENT, 1, None, None, 0, whole=True)
    return next(
        one.commitments
        for one in sent
        if isinstance(one, SendCommitments) and one.pack_number == pack
    )


def openings(participant: Participant, *state: object, whole: bool = False) -> list[SendOpening]:
    """The openings sent in this state, which is given by the other arguments of `react`."""
    sent = participant.react(ANNOUNCEMENT, *state, whole=whole)  # type: ignore[arg-type]
    return [one for one in sent if isinstance(one, SendOpening)]


def test_participant_commits_to_each_of_the_next_three_packs_once() -> None:
    participant = new_participant()
    sent = participant.react(ANNOUNCEMENT, 1, None, None, 0, whole=True)
    assert [one.pack_number for one in sent] == [1, 2, 3]
    assert participant.react(ANNOUNCEMENT, 1, None, None, 0) == []
    assert [one.pack_number for one in participant.react(ANNOUNCEMENT, 2, None, None, 0)] == [4]
    assert new_participant().react(ANNOUNCEMENT, 1, None, None, None) == []


def test_commitments_for_uncalled_packs_are_resent_after_a_lost_connection() -> None:
    participant = new_participant()
    first = participant.react(ANNOUNCEMENT, 1, None, None, 0, whole=True)
    participant.mark_all_unsent()
    assert participant.react(ANNOUNCEMENT, 1, None, None, 0) == first
    own = next(one.commitments for one in first if isinstance(one, SendCommitments))
    openings(participant, 2, call_with(own), None, 0)
    participant.mark_all_unsent()
    sent = participant.react(ANNOUNCEMENT, 2, call_with(own), None, 0)
    again = [one for one in sent if isinstance(one, SendCommitments)]
    assert [one.pack_number for one in again] == [2, 3, 4]
    assert again[:2] == first[1:]


def test_contribution_is_opened_once_per_attempt() -> None:
    participant = new_participant()
    own = commit(participant)
    (first,) = openings(participant, 2, call_with(own), None, 0)
    assert commitment(MATCH, 1, 1, 0, first.opening) == own[0]
    assert openings(participant, 2, call_with(own), None, 0) == []
    void = VoidAttempt(1, 1, (1,))
    (second,) = openings(participant, 2, call_with(own), void, 0)
    assert commitment(MATCH, 1, 2, 0, second.opening) == own[1]
    assert openings(participant, 2, call_with(own), void, 0, whole=True) == []


def test_opening_for_the_attempt_in_progress_is_sent_again_after_resend() -> None:
    participant = new_participant()
    own = commit(participant)
    first = openings(participant, 2, call_with(own), None, 0)
    participant.mark_all_unsent()
    assert openings(participant, 2, call_with(own), None, 0) == first
    void = VoidAttempt(1, 1, (1,))
    second = openings(participant, 2, call_with(own), void, 0)
    participant.mark_all_unsent()
    assert openings(participant, 2, call_with(own), void, 0) == second
    assert openings(participant, 2, call_with(own), void, 0) == []


def test_void_attempt_of_a_pack_decided_by_the_secret_alone_is_recorded() -> None:
    participant = new_participant()
    own = commit(participant)
    openings(participant, 2, PackCall(1, 0, (END,), {0: own[:1]}), None, 0)
    openings(participant, 2, None, VoidAttempt(1, 1, (0,)), 0)
    assert openings(participant, 3, PackCall(2, 2, (END,), {}), None, 0) == []
    assert participant.problem is None


def test_pack_decided_while_disconnected_is_forgotten_and_not_opened_again() -> None:
    participant = new_participant()
    own = commit(participant)
    openings(participant, 2, call_with(own), None, 0)
    openings(participant, 2, None, None, 0, whole=True)
    assert participant.contributor is not None
    assert participant.contributor.last_called_pack is None
    participant._opened = None
    assert openings(participant, 2, call_with(own), None, 0, whole=True) == []
    assert participant.problem is None


def test_inconsistent_call_stops_participation_until_the_next_match() -> None:
    participant = new_participant()
    own = commit(participant)
    openings(participant, 2, call_with(own), None, 0)
    other = PackCall(1, 5, (END,), call_with(own).commitments)
    assert openings(participant, 2, other, VoidAttempt(1, 1, (1,)), 0) == []
    assert participant.problem is not None
    following = Announcement(MatchId.of("t" * 22, 2), END)
    assert len(participant.react(following, 1, None, None, 0, whole=True)) == 3
    assert participant.problem is None
