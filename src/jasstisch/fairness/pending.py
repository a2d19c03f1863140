"""What has come in from people and is not in the log yet: commitments ahead, and openings.

A server that starts again has lost it and asks for it again, and nothing is worse for that: who has
committed himself to something that was not called yet may commit himself anew, and who has opened
opens the same once more.
"""

from collections.abc import Mapping, Sequence

from jasstisch.fairness.errors import FairError
from jasstisch.fairness.ledger import Ledger
from jasstisch.fairness.messages import PackCall

__all__ = ["PACKS_AHEAD", "PendingContributions"]

PACKS_AHEAD = 3
"""For so many packs commitments are taken at a time: some come one right after the other."""


class PendingContributions:
    """Commitments ahead and openings of the match of one ledger.

    What belongs to a pack or an attempt that is past is as good as not there.
    """

    def __init__(self) -> None:
        self._ahead: dict[int, dict[int, tuple[bytes, ...]]] = {}
        self._opened: dict[int, tuple[int, int, bytes]] = {}

    def commit(self, ledger: Ledger, seat: int, pack: int, commitments: Sequence[bytes]) -> None:
        """Keeps what a seat commits itself to for a pack, in place of what it did before.

        Raises:
            FairError: it is none of the next packs, the seat is asked no more, or there is not one
                commitment for each attempt there may be.
        """
        first, last = ledger.next_pack, ledger.next_pack + PACKS_AHEAD - 1
        if not first <= pack <= last:
            raise FairError(pack, f"commitments are taken for the packs {first} to {last} now")
        if seat in ledger.excluded_seats:
            raise FairError(pack, f"seat {seat} has missed too often and is asked no more")
        if len(commitments) != ledger.seats:
            raise FairError(pack, f"{ledger.seats} commitments are needed, not {len(commitments)}")
        kept = self._ahead.get(seat, {})
        self._ahead[seat] = {one: made for one, made in kept.items() if one >= first}
        self._ahead[seat][pack] = tuple(commitments)

    def remove_seat(self, seat: int) -> None:
        """Forgets what the person of a seat has committed himself to, as he has left it."""
        self._ahead.pop(seat, None)

    def withdraw(self, seat: int, pack: int) -> None:
        """Forgets what a seat has committed itself to for one pack, as nobody would open it."""
        self._ahead.get(seat, {}).pop(pack, None)

    def committed_seats(self, ledger: Ledger) -> tuple[int, ...]:
        """The seats that have committed themselves for the next pack, ascending."""
        return tuple(sorted(self._current(ledger)))

    def next_call(self, ledger: Ledger) -> PackCall:
        """The call for the next pack, with all who have committed themselves by now.

        Raises:
            FairError: the last pack is not decided yet.
        """
        return ledger.next_call(self._current(ledger))

    def add_opening(self, ledger: Ledger, seat: int, attempt: int, opening: bytes) -> None:
        """Keeps an opening.

        Raises:
            FairError: it is not what the seat was asked for; nothing has changed.
        """
        ledger.check_opening(seat, attempt, opening)
        self._opened[seat] = (len(ledger.packs), attempt, opening)

    def openings(self, ledger: Ledger) -> Mapping[int, bytes]:
        """What has been opened for the attempt under way, by seat."""
        now = (len(ledger.packs), ledger.attempt)
        opened = {seat: one[2] for seat, one in self._opened.items() if one[:2] == now}
        return {seat: opened[seat] for seat in ledger.asked if seat in opened}

    def awaited_seats(self, ledger: Ledger) -> tuple[int, ...]:
        """The seats whose openings are still awaited, ascending; () when all are there."""
        opened = self.openings(ledger)
        return tuple(seat for seat in ledger.asked if seat not in opened)

    def _current(self, ledger: Ledger) -> dict[int, tuple[bytes, ...]]:
        pack = ledger.next_pack
        return {seat: made[pack] for seat, made in self._ahead.items() if pack in made}
