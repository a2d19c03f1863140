"""The matches with verifiable deals at a table, and the messages of a client's part in them."""

from collections.abc import Callable, Mapping, Sequence
from secrets import token_bytes
from typing import Any

from jasstisch.client.deal_memory import DealMemory
from jasstisch.client.match_witness import Change
from jasstisch.client.seen_match import SeenMatch
from jasstisch.fairness import MatchId, SendCommitments, SendOpening
from jasstisch.server.api import messages

_MAX_EARLIER_MATCHES = 4
"""How many matches before the present one are remembered without a file."""

Contribution = messages.CommitContributions | messages.OpenContribution
"""A message with a part of this client in a deal."""


class TableDeals:
    """The matches with verifiable deals that a client has seen at a table.

    Args:
        table: the id of the table.
        memory: where what is seen is kept through a restart; None for nowhere.
        chance: a source of cryptographically random bytes.

    Attributes:
        latest: the last match with such deals; None before one.
    """

    def __init__(
        self,
        table: str,
        memory: DealMemory | None,
        chance: Callable[[int], bytes] = token_bytes,
    ) -> None:
        self.latest: SeenMatch | None = None
        self._table = table
        self._memory = memory
        self._chance = chance
        self._earlier: dict[int, SeenMatch] = {}
        self._has_begun = False

    def contributions(self, room: Mapping[str, Any], seat: int | None) -> Sequence[Contribution]:
        """The messages to send after a change of the deals.

        Args:
            room: the table, as plain JSON.
            seat: the client's seat, None for a spectator.
        """
        seen = self._follow(room)
        if seen is None:
            return ()
        deals = room["fair"]
        if isinstance(deals, dict):
            deals = {key: value for key, value in deals.items() if key != "asked"}
        return [_message(self._table, one) for one in seen.tell(deals, room["number"], seat)]

    def note_view(
        self, room: Mapping[str, Any], seat: int | None, view: Mapping[str, Any], change: Change
    ) -> None:
        """Notes a view of a match with verifiable deals, to compare it with the record."""
        seen = self._follow(room)
        if seen is not None and seen.number == room["number"] and room["fair"] is not None:
            seen.note(seat, view, change)

    def of_match(self, number: int) -> SeenMatch | None:
        """What was seen of a match; None if nothing is remembered."""
        if self.latest is not None and self.latest.number == number:
            return self.latest
        return self._earlier.get(number) or self._read(number)

    def close(self) -> None:
        """Keeps nothing more."""
        if self.latest is not None:
            self.latest.close()

    def _follow(self, room: Mapping[str, Any]) -> SeenMatch | None:
        """The match with verifiable deals that is played, or that was announced before."""
        number = room["number"]
        if not self._has_begun and self._memory is not None:
            self.latest = self._memory.resume(self._table, number)
            if self.latest is not None:
                self.latest.draw_from(self._chance)
        self._has_begun = True
        if self.latest is not None and number <= self.latest.number:
            return self.latest
        if room["fair"] is None:
            return None
        self._put_aside()
        seats = len(room["seats"])
        begun = SeenMatch(self._table, number, seats)
        self.latest = self._memory.begin(begun) if self._memory is not None else begun
        self.latest.draw_from(self._chance)
        return self.latest

    def _put_aside(self) -> None:
        """Makes room for the next match."""
        if self.latest is not None:
            self.latest.close()
            self._earlier[self.latest.number] = self.latest
        for number in sorted(self._earlier)[:-_MAX_EARLIER_MATCHES]:
            del self._earlier[number]

    def _read(self, number: int) -> SeenMatch | None:
        """What was kept of an earlier match; None if nothing, or nothing readable."""
        if self._memory is None or number < 1:
            return None
        found = self._memory.recall(MatchId.of(self._table, number))
        return max(found, key=lambda one: one.weight, default=None)


def _message(table: str, wanted: SendCommitments | SendOpening) -> Contribution:
    match wanted:
        case SendCommitments(pack, commitments):
            return messages.CommitContributions(0, table, pack, [one.hex() for one in commitments])
        case SendOpening(pack, attempt, opening):
            return messages.OpenContribution(0, table, pack, attempt, opening.hex())
