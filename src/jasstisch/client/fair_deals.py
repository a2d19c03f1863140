"""The client's part in verifiable deals, as messages to the server."""

import secrets
from collections.abc import Sequence

from jasstisch.fairness import (
    Announcement,
    PackCall,
    Participant,
    SendCommitments,
    SendOpening,
    VoidAttempt,
)
from jasstisch.server.api import messages

Contribution = messages.CommitContributions | messages.OpenContribution
"""A message with a part of this client in a deal."""


def new_participant(seats: int) -> Participant:
    """The part of a client at a table with this many seats, with secrets of its own."""
    return Participant(seats, secrets.token_bytes)


def contributions(
    partaker: Participant,
    fair: messages.FairDealState,
    table: str,
    seat: int | None,
    *,
    whole: bool,
) -> Sequence[Contribution]:
    """The messages to send after a change of the deals.

    Args:
        partaker: the client's part so far.
        fair: the state of the deals.
        table: the table's id.
        seat: the client's seat, None for a spectator.
        whole: whether a full snapshot was received, so that some state may have been missed.
    """
    wanted = partaker.react(
        Announcement.from_json(fair.announcement),
        fair.next_pack,
        None if fair.call is None else PackCall.from_json(fair.call),
        None if fair.void is None else VoidAttempt.from_json(fair.void),
        seat,
        whole=whole,
    )
    return [_message(table, one) for one in wanted]


def _message(table: str, wanted: SendCommitments | SendOpening) -> Contribution:
    match wanted:
        case SendCommitments(pack, commitments):
            return messages.CommitContributions(0, table, pack, [one.hex() for one in commitments])
        case SendOpening(pack, attempt, opening):
            return messages.OpenContribution(0, table, pack, attempt, opening.hex())
