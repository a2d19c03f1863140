"""A client's part in the deals of a table, told again and again how they stand."""

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
SAID = Announcement(MATCH, END)


def partaker() -> Participant:
    return Participant(2, secrets.token_bytes)


def called(mine: tuple[bytes, ...], pack: int = 1) -> PackCall:
    """A call of two seats, the second of which is somebody else."""
    return PackCall(pack, 0, (END,), {0: mine, 1: (b"c" * 32, b"d" * 32)})


def committed(page: Participant, pack: int = 1) -> tuple[bytes, ...]:
    """What seat 0 commits itself to for a pack, told at the beginning."""
    sent = page.react(SAID, 1, None, None, 0, whole=True)
    return next(
        one.commitments for one in sent if isinstance(one, SendCommitments) and one.pack == pack
    )


def openings(page: Participant, *told: object, whole: bool = False) -> list[SendOpening]:
    sent = page.react(SAID, *told, whole=whole)  # type: ignore[arg-type] # as a test says
    return [one for one in sent if isinstance(one, SendOpening)]


def test_one_commits_himself_to_the_next_three_packs_and_to_each_once() -> None:
    page = partaker()
    sent = page.react(SAID, 1, None, None, 0, whole=True)
    assert [one.pack for one in sent] == [1, 2, 3]
    assert page.react(SAID, 1, None, None, 0) == []
    assert [one.pack for one in page.react(SAID, 2, None, None, 0)] == [4]
    assert partaker().react(SAID, 1, None, None, None) == []


def test_after_a_lost_connection_the_same_is_sent_again_of_what_nobody_has_called() -> None:
    page = partaker()
    first = page.react(SAID, 1, None, None, 0, whole=True)
    page.resend()
    assert page.react(SAID, 1, None, None, 0) == first
    mine = next(one.commitments for one in first if isinstance(one, SendCommitments))
    openings(page, 2, called(mine), None, 0)
    page.resend()
    sent = page.react(SAID, 2, called(mine), None, 0)
    again = [one for one in sent if isinstance(one, SendCommitments)]
    assert [one.pack for one in again] == [2, 3, 4]
    assert again[:2] == first[1:]


def test_what_was_committed_to_is_opened_once_for_each_attempt() -> None:
    page = partaker()
    mine = committed(page)
    (first,) = openings(page, 2, called(mine), None, 0)
    assert commitment(MATCH, 1, 1, 0, first.opening) == mine[0]
    assert openings(page, 2, called(mine), None, 0) == []
    void = VoidAttempt(1, 1, (1,))
    (second,) = openings(page, 2, called(mine), void, 0)
    assert commitment(MATCH, 1, 2, 0, second.opening) == mine[1]
    assert openings(page, 2, called(mine), void, 0, whole=True) == []


def test_what_the_server_may_have_lost_is_opened_again_for_the_attempt_under_way() -> None:
    page = partaker()
    mine = committed(page)
    first = openings(page, 2, called(mine), None, 0)
    page.resend()
    assert openings(page, 2, called(mine), None, 0) == first
    void = VoidAttempt(1, 1, (1,))
    second = openings(page, 2, called(mine), void, 0)
    page.resend()
    assert openings(page, 2, called(mine), void, 0) == second
    assert openings(page, 2, called(mine), void, 0) == []


def test_who_did_not_open_is_remembered_when_nobody_was_left_and_the_pack_was_decided() -> None:
    page = partaker()
    mine = committed(page)
    openings(page, 2, PackCall(1, 0, (END,), {0: mine[:1]}), None, 0)
    openings(page, 2, None, VoidAttempt(1, 1, (0,)), 0)
    assert openings(page, 3, PackCall(2, 2, (END,), {}), None, 0) == []
    assert page.problem is None


def test_of_what_was_decided_while_nobody_listened_nothing_is_said_or_opened_later() -> None:
    page = partaker()
    mine = committed(page)
    openings(page, 2, called(mine), None, 0)
    openings(page, 2, None, None, 0, whole=True)
    assert page.witness is not None
    assert page.witness.last_called_pack is None
    page._opened = None
    assert openings(page, 2, called(mine), None, 0, whole=True) == []
    assert page.problem is None


def test_what_does_not_fit_ends_the_part_in_this_match_and_not_in_the_next() -> None:
    page = partaker()
    mine = committed(page)
    openings(page, 2, called(mine), None, 0)
    other = PackCall(1, 5, (END,), called(mine).commitments)
    assert openings(page, 2, other, VoidAttempt(1, 1, (1,)), 0) == []
    assert page.problem is not None
    following = Announcement(MatchId.of("t" * 22, 2), END)
    assert len(page.react(following, 1, None, None, 0, whole=True)) == 3
    assert page.problem is None
