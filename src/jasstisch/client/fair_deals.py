"""The client's part in verifiable deals, as messages to the server."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from jasstisch.fairness import Participant, SendCommitments, SendOpening
from jasstisch.server.api import messages

Contribution = messages.CommitContributions | messages.OpenContribution
"""A message with a part of this client in a deal."""


def new_participant(table: str, seats: int) -> Participant:
    """The part of a client at a table with this many seats, with secrets of its own."""
    return Participant(table, seats, secrets.token_bytes)


def contributions(
    participant: Participant, room: Mapping[str, Any], seat: int | None
) -> Sequence[Contribution]:
    """The messages to send after a change of the deals.

    Args:
        participant: the client's part so far.
        room: the table, as plain JSON.
        seat: the client's seat, None for a spectator.
    """
    fair = room["fair"]
    if fair is not None:
        fair = {key: value for key, value in fair.items() if key != "asked"}
    wanted = participant.react(fair, room["number"], seat)
    return [_message(room["table"], one) for one in wanted]


def _message(table: str, wanted: SendCommitments | SendOpening) -> Contribution:
    match wanted:
        case SendCommitments(pack, commitments):
            return messages.CommitContributions(0, table, pack, [one.hex() for one in commitments])
        case SendOpening(pack, attempt, opening):
            return messages.OpenContribution(0, table, pack, attempt, opening.hex())
