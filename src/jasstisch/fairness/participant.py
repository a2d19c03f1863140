"""A client's reactions to the state of the deals at a table.

After a lost connection, a reload or a restart of the server, a client may receive the same state
twice and miss states in between. A participant sends each message only once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from jasstisch.fairness.deal_contributor import DealContributor
from jasstisch.fairness.encoding import MatchId
from jasstisch.fairness.errors import FairError
from jasstisch.fairness.messages import Announcement, DealState
from jasstisch.fairness.pending_contributions import PACKS_AHEAD


@dataclass(frozen=True, slots=True)
class SendCommitments:
    """A message to send: the commitments of a seat for a pack."""

    pack_number: int
    commitments: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class SendOpening:
    """A message to send: the opening of a seat for an attempt at a pack."""

    pack_number: int
    attempt: int
    opening: bytes


class Participant:
    """One client's part in the deals of one table.

    Args:
        table: the id of the table.
        seats: the number of seats.
        chance: a source of cryptographically random bytes, such as `secrets.token_bytes`.

    Attributes:
        contributor: the contributor of the last match with verifiable deals; None before one.
        problem: what the server did in that match that it may not do; None as long as it has kept
            to the protocol. From then on the client takes no part in the deals of the match.
    """

    def __init__(self, table: str, seats: int, chance: Callable[[int], bytes]) -> None:
        self.contributor: DealContributor | None = None
        self.problem: FairError | None = None
        self._table = table
        self._seats = seats
        self._chance = chance
        self._sent: set[tuple[int, int]] = set()
        self._opened: tuple[int, int] | None = None

    @property
    def match_number(self) -> int:
        """The number of the last match with verifiable deals; 0 before one."""
        return 0 if self.contributor is None else self.contributor.announcement.match.number

    def react(
        self, deals: object, match: int, seat: int | None
    ) -> Sequence[SendCommitments | SendOpening]:
        """The messages to send in the present state of the deals.

        Args:
            deals: a `DealState` as plain JSON. Anything else is a breach, also in a later match: a
                server that has announced verifiable deals deals no others afterwards.
            match: the number of the match at the table, from 1; 0 before the first.
            seat: the client's seat; None for a spectator.
        """
        try:
            state = DealState.from_json(deals)
            contributor = self._contributor_of(state.announcement, match)
            if self.problem is not None:
                return []
            found: list[SendCommitments | SendOpening] = []
            found += self._follow(contributor, state, seat)
            if seat is not None:
                found += self._commit(contributor, state.next_pack, seat)
            return found
        except FairError as error:
            self.problem = error
            return []

    def mark_all_unsent(self) -> None:
        """Marks everything sent for sending again, because the server may have lost it.

        With the connection it loses commitments for packs not yet called, with a restart all
        contributions to packs not yet dealt.
        """
        self._sent = set()
        self._opened = None

    def _contributor_of(self, announcement: Announcement, match: int) -> DealContributor:
        """The contributor of the present match.

        Raises:
            FairError: what the server announces is not the match at this table, or not what it
                announced before.
        """
        if announcement.match != MatchId.of(self._table, match):
            raise FairError(0, "the deals are announced for another match or table")
        if self.contributor is None or match > self.match_number:
            self.contributor = DealContributor(announcement, self._seats, self._chance)
            self.problem = None
            self.mark_all_unsent()
        elif announcement != self.contributor.announcement:
            raise FairError(0, "the server has bound itself to other secrets")
        return self.contributor

    def _follow(
        self, contributor: DealContributor, deals: DealState, seat: int | None
    ) -> list[SendOpening]:
        """Follows the deals up to this state, and opens what is asked."""
        call, void = deals.call, deals.void
        opening = None
        if call is not None:
            opening = contributor.open(call, seat)
        if void is not None:
            opening = contributor.open_after_void(void, seat if call is not None else None)
        contributor.note_next_pack(deals.next_pack, decided=call is None)
        if call is None:
            return []
        place = call.pack, contributor.attempt_number(call.pack)
        if opening is None or place == self._opened:
            return []
        self._opened = place
        return [SendOpening(*place, opening)]

    def _commit(self, contributor: DealContributor, first: int, seat: int) -> list[SendCommitments]:
        ahead = {(pack, seat) for pack in range(first, first + PACKS_AHEAD)}
        fresh = sorted(ahead - self._sent)
        self._sent = ahead
        made = [(pack, tuple(contributor.commit(pack, seat))) for pack, _ in fresh]
        return [SendCommitments(pack, commitments) for pack, commitments in made if commitments]
