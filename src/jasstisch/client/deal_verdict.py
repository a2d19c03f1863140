"""The verdict of a client on the deals of a match that is over."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from jasstisch.client.match_witness import MatchWitness
from jasstisch.engine.errors import RecordError
from jasstisch.fairness import Evidence, FairError, Participant, VerificationReport
from jasstisch.match import Match


@dataclass(frozen=True, slots=True)
class DealVerdict:
    """The verdict on the deals of a match.

    Attributes:
        kind: `verified`; `wrong`, if the record does not hold or contradicts what this client has
            seen; `broken`, if the server did what it may not do during the match; `silent`, if the
            record has no evidence although the deals were announced as verifiable.
        problem: what was found; None where all is verified.
        report: the result of a successful verification, else None.
        own_pack_count: the number of packs that a contribution of this client helped decide.
    """

    kind: Literal["verified", "wrong", "broken", "silent"]
    problem: FairError | None = None
    report: VerificationReport | None = None
    own_pack_count: int = 0


def judge_deals(
    record: Mapping[str, Any], participant: Participant | None, witness: MatchWitness | None
) -> DealVerdict | None:
    """Judges the deals of a match by its record and what this client has seen.

    Args:
        record: the record of the match.
        participant: the client's part in the deals of this match; None where it had none.
        witness: the views that the client has had of this match; None where it had none.

    Returns:
        The verdict; None where nothing was announced and the record proves nothing.
    """
    if participant is not None and participant.problem is not None:
        return DealVerdict("broken", participant.problem)
    try:
        match = Match.from_record(record)
        report = match.verify_deals()
        if report is None or match.fair is None:
            silence = FairError(0, "the record has no evidence of its deals")
            return None if participant is None else DealVerdict("silent", silence)
        own = 0
        if participant is not None and participant.contributor is not None:
            evidence = Evidence.from_json(match.fair)
            own = participant.contributor.check_evidence(evidence, ended_early=not match.over)
        if witness is not None and not witness.is_of(match):
            raise FairError(0, "the record is not of the match that was played")
    except RecordError as error:
        return DealVerdict("wrong", FairError(error.pack or 0, str(error)))
    except FairError as error:
        return DealVerdict("wrong", error)
    return DealVerdict("verified", None, report, own)
