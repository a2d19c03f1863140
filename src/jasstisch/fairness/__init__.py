"""Deals that anybody can check: nobody knows a pack before it is dealt, and nobody chooses it.

The server commits to a chain of secrets before a match, and everybody at the table to a number of
his own for each pack; the order comes from both. `docs/fair-deals.md` is the specification. Nothing
here knows time, chance, files or sockets: what is random comes in from outside.
"""

from jasstisch.fairness.chain import Chain
from jasstisch.fairness.encoding import FORMAT, MatchId
from jasstisch.fairness.errors import FairError
from jasstisch.fairness.evidence import Attempt, Contribution, Evidence
from jasstisch.fairness.ledger import Ledger
from jasstisch.fairness.messages import Announcement, PackCall, VoidAttempt
from jasstisch.fairness.participant import Participant, SendCommitments, SendOpening
from jasstisch.fairness.pending import PACKS_AHEAD, PendingContributions
from jasstisch.fairness.verifier import MissedOpening, VerificationReport, verify
from jasstisch.fairness.witness import Witness

__all__ = [
    "FORMAT",
    "PACKS_AHEAD",
    "Announcement",
    "Attempt",
    "Chain",
    "Contribution",
    "Evidence",
    "FairError",
    "Ledger",
    "MatchId",
    "MissedOpening",
    "PackCall",
    "Participant",
    "PendingContributions",
    "SendCommitments",
    "SendOpening",
    "VerificationReport",
    "VoidAttempt",
    "Witness",
    "verify",
]
