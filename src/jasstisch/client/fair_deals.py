"""The matches with verifiable deals at a table, and the messages of a client's part in them."""

from collections.abc import Callable, Mapping, Sequence
from secrets import token_bytes
from typing import Any

from jasstisch.client.deal_memory import DealMemory
from jasstisch.client.deal_verdict import DealVerdict
from jasstisch.client.match_witness import Change
from jasstisch.client.seen_match import SeenMatch
from jasstisch.client.told_messages import read_match_number
from jasstisch.fairness import MatchId, SendCommitments, SendOpening
from jasstisch.server.api import messages

_MAX_EARLIER_MATCHES = 4
"""How many matches before the present one are remembered without a file."""

Contribution = messages.CommitContributions | messages.OpenContribution
"""A message with a part of this client in a deal."""


def _match_number(room: Mapping[str, Any]) -> int:
    """The number of the match of which the server speaks; 0 if what it tells is none.

    Before the first match the deals of that one are announced.
    """
    number = read_match_number(room["number"])
    return 1 if number == 0 else number or 0


class TableDeals:
    """The matches with verifiable deals that a client has seen at a table.

    Args:
        table: the id of the table.
        memory: where what is seen is kept through a restart; None for nowhere.
        chance: a source of cryptographically random bytes.

    Attributes:
        latest: the last match from the first one with such deals on; None before one.
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
        self._unproven: set[int] = set()
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
        deals = _judged_part(room["fair"])
        # Before the first match seats may change, and nothing is contributed.
        sent = seen.tell(deals, _match_number(room), seat if room["number"] != 0 else None)
        if seen.is_unproven:
            self._unproven.add(seen.number)
        return [_message(self._table, one) for one in sent]

    def note_view(
        self, room: Mapping[str, Any], seat: int | None, view: Mapping[str, Any], change: Change
    ) -> None:
        """Notes a view of a match with verifiable deals, to compare it with the record."""
        seen = self._follow(room)
        if seen is not None and seen.number == _match_number(room):
            seen.note(seat, view, change)

    def of_match(self, number: int) -> SeenMatch | None:
        """What was seen of a match; None if nothing is remembered."""
        self._remember()
        if self.latest is not None and self.latest.number == number:
            return self.latest
        if number not in self._earlier and (found := self._find_kept(number)) is not None:
            self._keep_earlier(found)
        return self._earlier.get(number)

    def last_seen(self) -> SeenMatch | None:
        """What was seen of the last match with verifiable deals, also before a restart."""
        self._remember()
        return self.latest

    def unproven_before(self, number: int) -> list[int]:
        """The matches before one that were announced, and of which no record has come."""
        self._remember()
        return sorted(one for one in list(self._unproven) if one < number)

    def judge(
        self, seen: SeenMatch, record: Mapping[str, Any], *, closed: bool
    ) -> DealVerdict | None:
        """The verdict on the deals of a match by its record, see `judge_deals`."""
        verdict = seen.judge(record, closed=closed)
        if not seen.is_unproven:
            self._unproven.discard(seen.number)
        return verdict

    def close(self) -> None:
        """Keeps nothing more."""
        for seen in [self.latest, *self._earlier.values()]:
            if seen is not None:
                seen.close()

    def _follow(self, room: Mapping[str, Any]) -> SeenMatch | None:
        """The last match from the first one with verifiable deals on; None before one.

        A match without them that follows is one in which the server breaks the protocol.
        """
        number = max(_match_number(room), 1)
        self._remember()
        if self.latest is not None and number <= self.latest.number:
            return self.latest
        if self.latest is None and room["fair"] is None:
            return None
        self._put_aside()
        seats = len(room["seats"])
        begun = SeenMatch(self._table, number, seats)
        self.latest = self._memory.begin(begun) if self._memory is not None else begun
        self.latest.draw_from(self._chance)
        return self.latest

    def _remember(self) -> None:
        """Goes on, before anything else, with what was kept of the last match and earlier ones."""
        if self._has_begun or self._memory is None:
            return
        self._has_begun = True
        self.latest = self._memory.resume(self._table)
        if self.latest is not None:
            self.latest.draw_from(self._chance)
        for kept in self._memory.kept_matches(self._table):
            found = self._memory.recall(MatchId.of(self._table, kept))
            if any(one.commitment for one in found) and all(one.judged is None for one in found):
                self._unproven.add(kept)

    def _put_aside(self) -> None:
        """Makes room for the next match."""
        if self.latest is not None:
            self._keep_earlier(self.latest)

    def _keep_earlier(self, seen: SeenMatch) -> None:
        """Remembers an earlier match, and not more than a few."""
        self._earlier[seen.number] = seen
        for number in list(self._earlier)[:-_MAX_EARLIER_MATCHES]:
            self._earlier.pop(number).close()

    def _find_kept(self, number: int) -> SeenMatch | None:
        """What was kept of an earlier match; only compared if another process still keeps it."""
        if self._memory is None or number < 1:
            return None
        claimed = self._memory.claim(self._table, number)
        if claimed is not None:
            return claimed
        found = self._memory.recall(MatchId.of(self._table, number))
        return max(found, key=lambda one: one.weight, default=None)


def _judged_part(deals: object) -> object:
    """A state of the deals as it is judged and kept: without `asked`, which people see."""
    if not isinstance(deals, dict):
        return deals
    if "asked" not in deals:
        return "a state without who is asked"
    return {key: value for key, value in deals.items() if key != "asked"}


def _message(table: str, wanted: SendCommitments | SendOpening) -> Contribution:
    match wanted:
        case SendCommitments(pack, commitments):
            return messages.CommitContributions(0, table, pack, [one.hex() for one in commitments])
        case SendOpening(pack, attempt, opening):
            return messages.OpenContribution(0, table, pack, attempt, opening.hex())
