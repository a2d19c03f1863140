"""Deals that anybody can check: nobody knows a pack before it is dealt, and nobody chooses it.

The server commits to a chain of secrets before a match, and everybody at the table to a number of
his own for each pack; the order comes from both. `docs/fair-deals.md` is the specification. Nothing
here knows time, chance, files or sockets: what is random comes in from outside.
"""

from jasstisch.fair.chain import Chain
from jasstisch.fair.encoding import FORMAT, MatchId
from jasstisch.fair.errors import FairError
from jasstisch.fair.evidence import Attempt, Contribution, Evidence
from jasstisch.fair.gathering import AHEAD, Gathering
from jasstisch.fair.ledger import Ledger
from jasstisch.fair.notices import Announcement, Call, Void
from jasstisch.fair.partaker import Committing, Opening, Partaker
from jasstisch.fair.verifying import Findings, Miss, verify
from jasstisch.fair.witness import Witness

__all__ = [
    "AHEAD",
    "FORMAT",
    "Announcement",
    "Attempt",
    "Call",
    "Chain",
    "Committing",
    "Contribution",
    "Evidence",
    "FairError",
    "Findings",
    "Gathering",
    "Ledger",
    "MatchId",
    "Miss",
    "Opening",
    "Partaker",
    "Void",
    "Witness",
    "verify",
]
