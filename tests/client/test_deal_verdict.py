"""A client's verdict on the deals of a match: by its record, and by what the client has seen."""

import json
from typing import Any

import pytest

import jasstisch as jt
from jasstisch.client.deal_verdict import judge_deals
from jasstisch.client.match_witness import MatchWitness
from jasstisch.fairness import Announcement, DealContributor, FairError, MatchId, Participant
from tests.fairness.fair_matches import fair_match

TABLE = "a table"
ANNA, RETO = 0, 3


def participant_with(contributor: DealContributor, problem: FairError | None = None) -> Participant:
    """The participant of a client whose contributor has seen a match."""
    participant = Participant(TABLE, 4, bytes)
    participant.contributor = contributor
    participant.problem = problem
    return participant


def seen_by(seat: int | None, record: dict[str, Any]) -> MatchWitness:
    """What a client at this seat has seen of a match, as the server has sent it."""
    witness = MatchWitness()
    match = jt.Match(jt.game(record["game"], **record["options"]), record["players"])
    for actor, text in record["log"]:
        if actor == "pack":
            match.deal(text)
        else:
            match.act(actor, text)
        witness.note(seat, json.loads(json.dumps(match.view(seat))))
    return witness


def test_match_that_the_client_has_seen_is_verified_with_its_contributions() -> None:
    record, contributors = fair_match()
    packs = sum(actor == "pack" for actor, _ in record["log"])
    for seat, contributor in contributors.items():
        verdict = judge_deals(record, participant_with(contributor), seen_by(seat, record))
        assert verdict is not None
        assert (verdict.kind, verdict.own_pack_count, verdict.problem) == ("verified", packs, None)
    spectator = judge_deals(record, None, seen_by(None, record))
    assert spectator is not None
    assert (spectator.kind, spectator.own_packs) == ("partial", ())
    assert spectator.unseen_packs == tuple(range(1, packs + 1))


def test_packs_decided_without_a_client_that_had_committed_are_named() -> None:
    """Whether it did not open in time, or the server only says so."""
    record, contributors = fair_match(absences={2: {RETO: 1}, 3: {ANNA: 1, RETO: 1}})
    reto = judge_deals(record, participant_with(contributors[RETO]), None)
    assert reto is not None
    assert reto.report is not None
    assert (reto.kind, reto.excluded_packs, reto.unseen_packs) == ("partial", (2, 3), ())
    assert reto.report.secret_only_packs == (3,)
    anna = judge_deals(record, participant_with(contributors[ANNA]), None)
    assert anna is not None
    assert (anna.kind, anna.excluded_packs, anna.unseen_packs) == ("partial", (3,), ())


def test_deals_that_the_server_alone_decided_are_never_verified() -> None:
    record, contributors = fair_match(people=())
    assert contributors == {}
    packs = tuple(range(1, len(record["fair"]["packs"]) + 1))
    announcement = Announcement(MatchId.of(TABLE, 1), bytes.fromhex(record["fair"]["ends"][0]))
    participant = participant_with(DealContributor(announcement, 4, bytes))
    for told in (None, participant):
        verdict = judge_deals(record, told, None)
        assert verdict is not None
        assert verdict.report is not None
        assert (verdict.kind, verdict.own_packs) == ("partial", ())
        assert verdict.report.secret_only_packs == verdict.unseen_packs == packs


def test_match_without_any_pack_is_not_verified() -> None:
    record, contributors = fair_match(people=[ANNA])
    record |= {"log": [], "result": None, "fair": record["fair"] | {"packs": []}}
    verdict = judge_deals(
        record, participant_with(DealContributor(contributors[ANNA].announcement, 4, bytes)), None
    )
    assert verdict is not None
    assert verdict.kind == "wrong"
    closed = judge_deals(record, None, None, closed=True)
    assert closed is not None
    assert (closed.kind, closed.ended_early) == ("partial", True)


def test_commitment_is_compared_by_who_knew_it_before_the_first_pack() -> None:
    record, contributors = fair_match()
    end = bytes.fromhex(record["fair"]["ends"][0])
    seen = judge_deals(record, participant_with(contributors[ANNA]), None)
    assert seen is not None
    assert (seen.compared, seen.commitment, seen.told_commitment) == (True, end, end)
    late = DealContributor(contributors[ANNA].announcement, 4, bytes)
    verdict = judge_deals(record, participant_with(late), None)
    assert verdict is not None
    assert (verdict.kind, verdict.compared) == ("partial", False)


def test_another_commitment_than_the_one_told_is_wrong_and_both_are_named() -> None:
    record, contributors = fair_match()
    told = bytes(range(32))
    other = Announcement(contributors[ANNA].announcement.match, told)
    verdict = judge_deals(record, participant_with(DealContributor(other, 4, bytes)), None)
    assert verdict is not None
    assert (verdict.kind, verdict.told_commitment) == ("wrong", told)
    assert verdict.commitment == bytes.fromhex(record["fair"]["ends"][0])


def test_record_of_another_play_of_the_same_packs_is_wrong() -> None:
    """The server deals what it likes, and hands out the decided packs with a made-up play."""
    record, contributors = fair_match(seed=1)
    other, _ = fair_match(seed=2)
    packs = [[text for actor, text in one["log"] if actor == "pack"] for one in (record, other)]
    assert packs[0] == packs[1]
    for seat in (ANNA, None):
        participant = participant_with(contributors[ANNA])
        verdict = judge_deals(other, participant, seen_by(seat, record))
        assert verdict is not None
        assert verdict.kind == "wrong"
        assert "not of the match that was played" in str(verdict.problem)


def test_record_with_other_hands_than_the_client_has_held_is_wrong() -> None:
    record, contributors = fair_match()
    witness = MatchWitness()
    match = jt.Match(jt.game(record["game"], **record["options"]), record["players"])
    match.deal(match.pack)  # not the pack of the record
    witness.note(ANNA, match.view(ANNA))
    verdict = judge_deals(record, participant_with(contributors[ANNA]), witness)
    assert verdict is not None
    assert verdict.kind == "wrong"


def test_actions_that_were_undone_and_new_names_are_no_contradiction() -> None:
    record, contributors = fair_match()
    witness = MatchWitness()
    match = jt.Match(jt.game(record["game"], **record["options"]), ["A", "B", "C", "D"])
    undone = 0
    for actor, text in record["log"]:
        if actor == "pack":
            match.deal(text)
        else:
            tried = match.copy()
            tried.act(actor, match.legal(actor)[0])
            if tried.can_undo and text != match.legal(actor)[0]:
                witness.note(ANNA, tried.view(ANNA))
                witness.note(ANNA, match.view(ANNA))
                undone += 1
            match.act(actor, text)
        witness.note(ANNA, match.view(ANNA))
    verdict = judge_deals(record, participant_with(contributors[ANNA]), witness)
    assert verdict is not None
    assert (verdict.kind, undone > 10) == ("verified", True)


def test_missing_evidence_is_a_breach_only_where_it_was_announced() -> None:
    record, contributors = fair_match()
    del record["fair"]
    verdict = judge_deals(record, participant_with(contributors[ANNA]), None)
    assert verdict is not None
    assert verdict.kind == "silent"
    assert judge_deals(record, None, seen_by(ANNA, record)) is None


def test_nothing_is_verified_once_the_server_has_broken_the_protocol() -> None:
    record, contributors = fair_match()
    problem = FairError(2, "it is called a second time with something else")
    verdict = judge_deals(record, participant_with(contributors[ANNA], problem), None)
    assert verdict is not None
    assert (verdict.kind, verdict.problem, verdict.report) == ("broken", problem, None)


@pytest.mark.parametrize(
    "fault", ["an illegal step", "another order", "no record", "another match"]
)
def test_record_that_does_not_hold_is_wrong(fault: str) -> None:
    record, contributors = fair_match()
    contributor = contributors[ANNA]
    match fault:
        case "an illegal step":
            record["log"] = [*record["log"], [0, "play 6C"]]
        case "another order":
            record["fair"]["packs"][1][0]["secret"] = "0" * 64
        case "no record":
            record = {}
        case "another match":
            announcement = Announcement(MatchId.of(TABLE, 2), contributor.announcement.end)
            contributor = DealContributor(announcement, 4, bytes)
    verdict = judge_deals(record, participant_with(contributor), None)
    assert verdict is not None
    assert verdict.kind == "wrong"
