"""Deals that anybody can check: nobody knows a pack before it is dealt, and nobody chooses it.

The server commits to a chain of secrets before a match, and everybody at the table to a number of
his own for each pack; the order comes from both. `docs/fair-deals.md` is the specification. Nothing
here knows time, chance, files or sockets: what is random comes in from outside.
"""

from jasstisch.fair.chain import Chain
from jasstisch.fair.encoding import FORMAT, MatchId
from jasstisch.fair.errors import FairError
from jasstisch.fair.evidence import Attempt, Contribution, Evidence
from jasstisch.fair.gathering import PACKS_AHEAD, PendingContributions
from jasstisch.fair.ledger import Ledger
from jasstisch.fair.notices import Announcement, PackCall, VoidAttempt
from jasstisch.fair.partaker import Participant, SendCommitments, SendOpening
from jasstisch.fair.verifying import MissedOpening, VerificationReport, verify
from jasstisch.fair.witness import Witness

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
