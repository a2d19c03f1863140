"""A client's reactions to the state of the deals at a table.

After a lost connection, a reload or a restart of the server, a client may receive the same state
twice and miss states in between. A participant sends each message only once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from jasstisch.fairness.deal_contributor import DealContributor
from jasstisch.fairness.errors import FairError
from jasstisch.fairness.messages import Announcement, PackCall, VoidAttempt
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
        seats: the number of seats.
        chance: a source of cryptographically random bytes, such as `secrets.token_bytes`.

    Attributes:
        contributor: the contributor of the present match; None before a match with verifiable
            deals.
        problem: the inconsistency found in the present match, in words; None if there is none.
    """

    def __init__(self, seats: int, chance: Callable[[int], bytes]) -> None:
        self.contributor: DealContributor | None = None
        self.problem: str | None = None
        self._seats = seats
        self._chance = chance
        self._committed: set[tuple[int, int]] = set()
        self._before: set[tuple[int, int]] = set()
        self._opened: tuple[int, int] | None = None
        self._pending: int | None = None

    def react(
        self,
        announcement: Announcement,
        next_pack: int,
        call: PackCall | None,
        void: VoidAttempt | None,
        seat: int | None,
        *,
        whole: bool = False,
    ) -> Sequence[SendCommitments | SendOpening]:
        """The messages to send in the present state of the deals.

        Args:
            announcement: the server's commitment to its secrets.
            next_pack: the first pack for which commitments are accepted.
            call: the call whose openings are awaited; None while none are.
            void: the last void attempt at the last pack called. Without a call it belongs to a pack
                that is decided, by the secret alone where no seat was left.
            seat: the client's seat; None for a spectator.
            whole: whether this is a full state instead of a change, so that the client may have
                missed something.
        """
        if self.contributor is None or self.contributor.announcement != announcement:
            self.contributor = DealContributor(announcement, self._seats, self._chance)
            self.problem = self._opened = self._pending = None
            self._committed, self._before = set(), set()
        try:
            found: list[SendCommitments | SendOpening] = []
            under_call = None if call is None else call.pack
            if whole and self._pending not in (None, under_call):
                # How the pack was decided meanwhile is unknown, so the record cannot be compared.
                self.contributor.forget_pack(self._pending or 0)
            self._pending = under_call
            if call is not None:
                found += self._open(self.contributor, call, void, seat)
            elif void is not None:
                _record_void(self.contributor, void)
            if seat is not None:
                found += self._commit(self.contributor, next_pack, seat)
            return found
        except FairError as error:
            self.problem = str(error)
            return []

    def mark_all_unsent(self) -> None:
        """Marks everything sent for sending again, because the server may have lost it.

        With the connection it loses commitments for packs not yet called, with a restart all
        contributions to packs not yet dealt.
        """
        self._before, self._committed = self._committed, set()
        self._opened = None

    def _commit(self, contributor: DealContributor, first: int, seat: int) -> list[SendCommitments]:
        packs = [
            pack
            for pack in range(first, first + PACKS_AHEAD)
            if (pack, seat) not in self._committed
        ]
        # After a change of seat the client makes new commitments, and never reuses earlier ones.
        self._committed = {(pack, seat) for pack in range(first, first + PACKS_AHEAD)}
        return [self._committing(contributor, pack, seat) for pack in packs]

    def _committing(self, contributor: DealContributor, pack: int, seat: int) -> SendCommitments:
        again = (pack, seat) in self._before
        made = contributor.commit_again(pack, seat) if again else contributor.commit(pack, seat)
        return SendCommitments(pack, tuple(made))

    def _open(
        self,
        contributor: DealContributor,
        call: PackCall,
        void: VoidAttempt | None,
        seat: int | None,
    ) -> list[SendOpening]:
        attempt = 1 if void is None else void.attempt + 1
        if self._opened == (call.pack, attempt):
            return []
        opening = contributor.open(call, seat)
        known = contributor.void_count(call.pack)
        if known < attempt - 2:
            contributor.forget_pack(call.pack)
        elif void is not None and known == attempt - 2:
            opening = contributor.open_after_void(void, seat)
        self._opened = (call.pack, attempt)
        return [] if opening is None else [SendOpening(call.pack, attempt, opening)]


def _record_void(contributor: DealContributor, void: VoidAttempt) -> None:
    """Records the latest void attempt; earlier ones may have been missed."""
    known = contributor.void_count(void.pack)
    if known == void.attempt - 1:
        contributor.open_after_void(void, None)
    elif known < void.attempt - 1:
        contributor.forget_pack(void.pack)
