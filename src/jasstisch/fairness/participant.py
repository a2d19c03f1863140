"""What a client does about the deals of a table, told again and again how they stand.

A table may be looked at after a lost connection, a reload, a restart of the server: the same may be
told twice, and something in between not at all. A partaker does each thing once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from jasstisch.fairness.errors import FairError
from jasstisch.fairness.messages import Announcement, PackCall, VoidAttempt
from jasstisch.fairness.pending import PACKS_AHEAD
from jasstisch.fairness.witness import Witness

__all__ = ["Participant", "SendCommitments", "SendOpening"]


@dataclass(frozen=True, slots=True)
class SendCommitments:
    """To be sent: what a seat commits itself to for a pack."""

    pack: int
    commitments: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class SendOpening:
    """To be sent: what a seat opens for an attempt at a pack."""

    pack: int
    attempt: int
    opening: bytes


class Participant:
    """One client's part in the deals of one table.

    Args:
        seats: how many seats the table has.
        chance: gives so many random bytes that nobody can guess, such as `secrets.token_bytes`.

    Attributes:
        witness: of the present match; None before there is one that is dealt fairly.
        trouble: what did not fit in the present match, in words; None as long as all did.
    """

    def __init__(self, seats: int, chance: Callable[[int], bytes]) -> None:
        self.witness: Witness | None = None
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
        """What to send now that the deals stand so.

        Args:
            announcement: what the server has bound itself to.
            next_pack: the first pack for which commitments are taken.
            call: the call whose openings are awaited; None while none are.
            void: the last attempt that failed at the last pack called; without a call that of a
                pack that is decided, by the secret alone where nobody was left.
            seat: the client's; None for a spectator.
            whole: it is told anew and not as what has just changed, so that something may have been
                missed.
        """
        if self.witness is None or self.witness.announcement != announcement:
            self.witness = Witness(announcement, self._seats, self._chance)
            self.problem = self._opened = self._pending = None
            self._committed, self._before = set(), set()
        try:
            found: list[SendCommitments | SendOpening] = []
            under_call = None if call is None else call.pack
            if whole and self._pending not in (None, under_call):
                # How a pack was decided meanwhile cannot be held against the record.
                self.witness.forget(self._pending or 0)
            self._pending = under_call
            if call is not None:
                found += self._open(self.witness, call, void, seat)
            elif void is not None:
                _record_void(self.witness, void)
            if seat is not None:
                found += self._commit(self.witness, next_pack, seat)
            return found
        except FairError as error:
            self.problem = str(error)
            return []

    def resend(self) -> None:
        """What was sent is to be sent again, for the server may have forgotten it.

        With the connection it forgets what it has not called yet, with a restart what it has not
        dealt yet.
        """
        self._before, self._committed = self._committed, set()
        self._opened = None

    def _commit(self, witness: Witness, first: int, seat: int) -> list[SendCommitments]:
        packs = [
            pack
            for pack in range(first, first + PACKS_AHEAD)
            if (pack, seat) not in self._committed
        ]
        # Who has moved commits himself anew, and comes back to nothing that he held before.
        self._committed = {(pack, seat) for pack in range(first, first + PACKS_AHEAD)}
        return [self._committing(witness, pack, seat) for pack in packs]

    def _committing(self, witness: Witness, pack: int, seat: int) -> SendCommitments:
        again = (pack, seat) in self._before
        made = witness.commit_again(pack, seat) if again else witness.commit(pack, seat)
        return SendCommitments(pack, tuple(made))

    def _open(
        self, witness: Witness, call: PackCall, void: VoidAttempt | None, seat: int | None
    ) -> list[SendOpening]:
        attempt = 1 if void is None else void.attempt + 1
        if self._opened == (call.pack, attempt):
            return []
        opening = witness.open(call, seat)
        known = witness.void_count(call.pack)
        if known < attempt - 2:
            witness.forget(call.pack)
        elif void is not None and known == attempt - 2:
            opening = witness.open_after_void(void, seat)
        self._opened = (call.pack, attempt)
        return [] if opening is None else [SendOpening(call.pack, attempt, opening)]


def _record_void(witness: Witness, void: VoidAttempt) -> None:
    """Remembers the attempt in which the last ones did not open; what came before may be missed."""
    known = witness.void_count(void.pack)
    if known == void.attempt - 1:
        witness.open_after_void(void, None)
    elif known < void.attempt - 1:
        witness.forget(void.pack)
