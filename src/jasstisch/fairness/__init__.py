"""Verifiable deals: a commit-reveal protocol by which nobody can foresee or choose a pack.

The server commits to a chain of secrets before a match, and each person at the table commits to a
random number for each pack; the order of the pack derives from both. `docs/fair-deals.md` is the
specification. The package uses no clock, random generator, file or socket: random bytes are passed
in. Begin with `ledger`, the server's side, then `deal_contributor` and `verifier`.
"""

from jasstisch.fairness.chain import SecretChains
from jasstisch.fairness.deal_contributor import DealContributor
from jasstisch.fairness.encoding import FORMAT, MatchId
from jasstisch.fairness.errors import FairError
from jasstisch.fairness.evidence import Attempt, Contribution, Evidence
from jasstisch.fairness.ledger import Ledger
from jasstisch.fairness.messages import Announcement, DealState, PackCall, VoidAttempt
from jasstisch.fairness.participant import Participant, SendCommitments, SendOpening
from jasstisch.fairness.pending_contributions import PACKS_AHEAD, PendingContributions
from jasstisch.fairness.verifier import MissedOpening, VerificationReport, verify

__all__ = [
    "FORMAT",
    "PACKS_AHEAD",
    "Announcement",
    "Attempt",
    "Contribution",
    "DealContributor",
    "DealState",
    "Evidence",
    "FairError",
    "Ledger",
    "MatchId",
    "MissedOpening",
    "PackCall",
    "Participant",
    "PendingContributions",
    "SecretChains",
    "SendCommitments",
    "SendOpening",
    "VerificationReport",
    "VoidAttempt",
    "verify",
]
