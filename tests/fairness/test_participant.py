"""A client's reactions to the state of the deals, which it receives again and again."""

import secrets
from typing import Any

import pytest

from jasstisch.fairness import (
    Announcement,
    DealState,
    MatchId,
    PackCall,
    Participant,
    SendCommitments,
    SendOpening,
    VoidAttempt,
)
from jasstisch.fairness.contributions import commitment

TABLE = "t" * 22
MATCH = MatchId.of(TABLE, 1)
END = b"e" * 32
ANNOUNCEMENT = Announcement(MATCH, END)
Sent = list[SendCommitments | SendOpening]


class Person:
    """The participant of the person on seat 0 of two, and what it sends."""

    def __init__(self) -> None:
        self.participant = Participant(TABLE, 2, secrets.token_bytes)

    def told(
        self,
        next_pack: int,
        call: PackCall | None = None,
        void: VoidAttempt | None = None,
        *,
        announcement: Announcement = ANNOUNCEMENT,
        match: int = 1,
        seat: int | None = 0,
    ) -> Sent:
        """What is sent in a state of the deals."""
        state = DealState(announcement, next_pack, call, void)
        return list(self.participant.react(state.to_json(), match, seat))

    def opens(
        self, next_pack: int, call: PackCall | None = None, void: VoidAttempt | None = None
    ) -> list[SendOpening]:
        """What is opened in a state of the deals."""
        return [one for one in self.told(next_pack, call, void) if isinstance(one, SendOpening)]

    def commits(self, next_pack: int) -> dict[int, tuple[bytes, ...]]:
        """The commitments made before a pack is called, by pack."""
        return commitments_of(self.told(next_pack))


def commitments_of(sent: Sent) -> dict[int, tuple[bytes, ...]]:
    return {one.pack_number: one.commitments for one in sent if isinstance(one, SendCommitments)}


def call_with(own: tuple[bytes, ...], pack: int = 1, position: int = 0) -> PackCall:
    """A call of two seats: seat 0 with these commitments, and seat 1."""
    return PackCall(pack, position, (END,), {0: own, 1: (b"c" * 32, b"d" * 32)})


@pytest.fixture
def anna() -> Person:
    return Person()


def test_participant_commits_to_each_of_the_next_three_packs_once(anna: Person) -> None:
    assert list(anna.commits(1)) == [1, 2, 3]
    assert anna.commits(1) == {}
    assert list(anna.commits(2)) == [4]
    assert Person().told(1, seat=None) == []


def test_commitments_for_uncalled_packs_are_resent_after_a_lost_connection(anna: Person) -> None:
    first = anna.commits(1)
    anna.participant.mark_all_unsent()
    assert anna.commits(1) == first
    anna.told(2, call_with(first[1]))
    anna.participant.mark_all_unsent()
    again = commitments_of(anna.told(2, call_with(first[1])))
    assert list(again) == [2, 3, 4]
    assert [again[2], again[3]] == [first[2], first[3]]


def test_a_change_of_seat_makes_new_commitments_for_packs_not_yet_called(anna: Person) -> None:
    first = anna.commits(1)
    other = commitments_of(anna.told(2, call_with(first[1]), seat=1))
    assert list(other) == [2, 3, 4]
    assert other[2] != first[2]
    assert commitments_of(anna.told(2, call_with(first[1])))[2] == first[2]


def test_contribution_is_opened_once_per_attempt(anna: Person) -> None:
    own = anna.commits(1)[1]
    (first,) = anna.opens(2, call_with(own))
    assert commitment(MATCH, 1, 1, 0, first.opening) == own[0]
    assert anna.opens(2, call_with(own)) == []
    void = VoidAttempt(1, 1, (1,))
    (second,) = anna.opens(2, call_with(own), void)
    assert commitment(MATCH, 1, 2, 0, second.opening) == own[1]
    assert anna.opens(2, call_with(own), void) == []


def test_opening_for_the_attempt_in_progress_is_sent_again_after_resend(anna: Person) -> None:
    own = anna.commits(1)[1]
    first = anna.opens(2, call_with(own))
    anna.participant.mark_all_unsent()
    assert anna.opens(2, call_with(own)) == first
    void = VoidAttempt(1, 1, (1,))
    second = anna.opens(2, call_with(own), void)
    anna.participant.mark_all_unsent()
    assert anna.opens(2, call_with(own), void) == second
    assert anna.opens(2, call_with(own), void) == []


def test_void_attempt_of_a_pack_decided_by_the_secret_alone_is_recorded(anna: Person) -> None:
    own = anna.commits(1)[1]
    anna.opens(2, PackCall(1, 0, (END,), {0: own[:1]}))
    anna.opens(2, None, VoidAttempt(1, 1, (0,)))
    assert anna.opens(3, PackCall(2, 2, (END,), {})) == []
    assert anna.participant.problem is None


def test_nothing_is_opened_after_a_void_attempt_that_was_missed(anna: Person) -> None:
    """Who is asked is unknown then."""
    own = tuple(secrets.token_bytes(32) for _ in range(2))
    call = PackCall(1, 0, (END,), dict.fromkeys((0, 1, 2), (b"c" * 32,) * 3))
    participant = Participant(TABLE, 3, lambda _: own[0])
    commits = participant.react(DealState(ANNOUNCEMENT, 1, None, None).to_json(), 1, 0)
    mine = commitments_of(list(commits))[1]
    call = PackCall(1, 0, (END,), dict(call.commitments) | {0: mine})
    state = DealState(ANNOUNCEMENT, 2, call, VoidAttempt(1, 2, (1,)))
    sent = participant.react(state.to_json(), 1, 0)
    assert [one for one in sent if isinstance(one, SendOpening)] == []
    assert participant.problem is None


# A server that would have a pack drawn again until it likes the order.


def test_a_pack_that_was_called_gets_no_new_commitments(anna: Person) -> None:
    own = anna.commits(1)[1]
    assert len(anna.opens(2, call_with(own))) == 1
    for _ in range(3):
        assert 1 not in anna.commits(1)  # as if it had never been called
        anna.participant.mark_all_unsent()
        assert 1 not in commitments_of(anna.told(2, call_with(own)))
    assert anna.participant.problem is None


def test_a_pack_of_which_a_later_one_was_spoken_gets_no_commitments_and_no_opening(
    anna: Person,
) -> None:
    own = anna.commits(1)
    assert list(anna.commits(3)) == [4, 5]
    assert list(anna.commits(2)) == []
    assert anna.opens(3, call_with(own[2], 2, 1)) == []
    assert anna.participant.problem is not None


def test_a_decided_pack_has_no_further_attempt(anna: Person) -> None:
    own = anna.commits(1)[1]
    anna.opens(2, call_with(own))
    anna.told(2)
    assert anna.opens(2, call_with(own), VoidAttempt(1, 1, (1,))) == []
    assert anna.participant.problem is not None


def test_a_void_attempt_of_another_pack_opens_nothing_of_that_pack(anna: Person) -> None:
    own = anna.commits(1)
    anna.opens(2, call_with(own[1]))
    anna.told(2)
    assert anna.opens(3, call_with(own[2], 2, 1), VoidAttempt(1, 1, (1,))) == []
    assert anna.participant.problem is not None


# What the server announces.


@pytest.mark.parametrize(
    ("changed", "match"),
    [
        (Announcement(MatchId.of("u" * 22, 1), END), 1),
        (Announcement(MatchId.of(TABLE, 2), END), 1),
        (Announcement(MATCH, END), 2),
        (Announcement(MATCH, b"f" * 32), 1),
    ],
    ids=["another table", "another match", "an earlier match", "another chain"],
)
def test_announcement_of_anything_else_ends_participation(
    anna: Person, changed: Announcement, match: int
) -> None:
    anna.commits(1)
    assert anna.told(2, announcement=changed, match=match) == []
    assert anna.participant.problem is not None
    assert anna.told(2) == []


def test_match_announced_as_verifiable_remains_so(anna: Person) -> None:
    anna.commits(1)
    assert list(anna.participant.react(None, 1, 0)) == []
    assert anna.participant.problem is not None


def test_match_that_is_not_verifiable_may_not_follow_one_that_is(anna: Person) -> None:
    anna.commits(1)
    assert list(anna.participant.react(None, 2, 0)) == []
    assert anna.participant.problem is not None


@pytest.mark.parametrize(
    "changes",
    [{"call": {}}, {"void": []}, {"next_pack": 0}, {"announcement": None}, {"more": 1}],
    ids=str,
)
def test_malformed_state_is_a_problem_and_no_error(anna: Person, changes: dict[str, Any]) -> None:
    plain = DealState(ANNOUNCEMENT, 1, None, None).to_json() | changes
    assert list(anna.participant.react(plain, 1, 0)) == []
    assert anna.participant.problem is not None


def test_inconsistent_call_stops_participation_until_the_next_match(anna: Person) -> None:
    own = anna.commits(1)[1]
    anna.opens(2, call_with(own))
    assert anna.opens(2, call_with(own, position=5), VoidAttempt(1, 1, (1,))) == []
    assert anna.participant.problem is not None
    assert anna.told(2, call_with(own)) == []
    following = Announcement(MatchId.of(TABLE, 2), END)
    assert list(commitments_of(anna.told(1, announcement=following, match=2))) == [1, 2, 3]
    assert anna.participant.problem is None
