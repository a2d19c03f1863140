"""The verdict of a client on the deals of a match that is over."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from jasstisch.client.match_witness import MatchWitness
from jasstisch.engine.errors import RecordError
from jasstisch.fairness import (
    DealContributor,
    Evidence,
    FairError,
    Participant,
    VerificationReport,
)
from jasstisch.match import Match

VerdictKind = Literal["verified", "partial", "wrong", "broken", "silent", "unproven"]
"""The kind of a verdict, see `DealVerdict`."""


@dataclass(frozen=True, slots=True)
class DealVerdict:
    """The verdict on the deals of a match.

    A client vouches for the packs that it has helped to shuffle, and for no other.

    Attributes:
        kind: `verified`, if the proof holds and this client has helped to shuffle every pack;
            `partial`, if the proof holds and it has not; `wrong`, if the record does not hold or
            contradicts what this client has seen; `broken`, if the server did what it may not do
            during the match; `silent`, if the record has no evidence although the deals were
            announced as verifiable; `unproven`, if they were and no record has come, which accuses
            nobody.
        problem: what was found; None where the proof holds.
        report: the result of the verification where the proof holds, else None.
        own_packs: the packs that a contribution of this client helped decide.
        excluded_packs: the packs that were decided without this client, although it had committed.
        unseen_packs: all other packs: this client was not there yet, or had lost its memory.
        ended_early: whether the match was closed before it was over.
        commitment: the commitment of the server in the record; None where the record has none.
        told_commitment: the one that this client was told; None where it was told none.
        other_match: whether the record has other hands, plays or results than this client has seen.
        compared: whether it was told that by the call of the first pack, and the record holds.
    """

    kind: VerdictKind
    problem: FairError | None = None
    report: VerificationReport | None = None
    own_packs: tuple[int, ...] = ()
    excluded_packs: tuple[int, ...] = ()
    unseen_packs: tuple[int, ...] = ()
    ended_early: bool = False
    commitment: bytes | None = None
    told_commitment: bytes | None = None
    other_match: bool = False
    compared: bool = False

    @property
    def own_pack_count(self) -> int:
        """The number of packs that a contribution of this client helped decide."""
        return len(self.own_packs)


def judge_deals(
    record: Mapping[str, Any],
    participant: Participant | None,
    witness: MatchWitness | None,
    *,
    closed: bool = False,
) -> DealVerdict | None:
    """Judges the deals of a match by its record and what this client has seen.

    Args:
        record: the record of the match.
        participant: the client's part in the deals of this match; None where it had none.
        witness: the views that the client has had of this match; None where it had none.
        closed: whether the table may have been closed before the match was over.

    Returns:
        The verdict; None where nothing was announced and the record proves nothing.
    """
    if participant is not None and participant.problem is not None:
        return DealVerdict("broken", participant.problem)
    contributor = None if participant is None else participant.contributor
    evidence: Evidence | None = None
    try:
        match = Match.from_record(record)
        report = match.verify_deals()
        if report is None or match.fair is None:
            silence = FairError(0, "the record has no evidence of its deals")
            return None if participant is None else DealVerdict("silent", silence)
        if not match.over and not closed:
            raise FairError(0, "the record ends before the match is over")
        evidence = Evidence.from_json(match.fair)
        if contributor is not None:
            contributor.check_evidence(evidence, ended_early=not match.over)
        if witness is not None and not witness.is_of(match):
            other = FairError(0, "the record is not of the match that was played")
            return DealVerdict("wrong", other, other_match=True)
    except RecordError as error:
        return DealVerdict("wrong", FairError(error.pack or 0, str(error)))
    except FairError as error:
        return DealVerdict(
            "wrong",
            error,
            commitment=None if evidence is None else evidence.chain_ends[0],
            told_commitment=None if contributor is None else contributor.announcement.end,
        )
    return _judge_packs(evidence, report, contributor, ended_early=not match.over)


def judge_without_record(participant: Participant) -> DealVerdict | None:
    """The verdict on a match whose record does not come; None where nothing was announced."""
    if participant.problem is not None:
        return DealVerdict("broken", participant.problem)
    if participant.contributor is None:
        return None
    return DealVerdict("unproven", told_commitment=participant.contributor.announcement.end)


def _judge_packs(
    evidence: Evidence,
    report: VerificationReport,
    contributor: DealContributor | None,
    *,
    ended_early: bool,
) -> DealVerdict:
    """The verdict on evidence that holds: for which packs the client vouches."""
    packs = set(range(1, report.pack_count + 1))
    own = set() if contributor is None else set(contributor.own_packs(evidence))
    committed = set() if contributor is None else contributor.committed_packs & packs
    return DealVerdict(
        "verified" if packs and own == packs else "partial",
        report=report,
        own_packs=tuple(sorted(own)),
        excluded_packs=tuple(sorted(committed - own)),
        unseen_packs=tuple(sorted(packs - committed - own)),
        ended_early=ended_early,
        commitment=evidence.chain_ends[0],
        told_commitment=None if contributor is None else contributor.announcement.end,
        compared=contributor is not None and contributor.has_seen_first_call,
    )
