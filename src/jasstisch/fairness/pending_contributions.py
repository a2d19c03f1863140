"""Pending contributions: commitments and openings received but not yet in the log.

A restarted server has lost them and asks again, which is harmless: commitments that were not called
may be replaced, and openings are sent once more unchanged.
"""

from collections.abc import Mapping, Sequence

from jasstisch.fairness.errors import FairError
from jasstisch.fairness.ledger import Ledger
from jasstisch.fairness.messages import PackCall

PACKS_AHEAD = 3
"""The number of next packs for which commitments are accepted; packs may follow immediately."""


class PendingContributions:
    """The pending commitments and openings of the match of one ledger.

    Those of a past pack or attempt are ignored.
    """

    def __init__(self) -> None:
        self._ahead: dict[int, dict[int, tuple[bytes, ...]]] = {}
        self._opened: dict[int, tuple[int, int, bytes]] = {}

    def add_commitments(
        self, ledger: Ledger, seat: int, pack: int, commitments: Sequence[bytes]
    ) -> None:
        """Stores the commitments of a seat for a pack, and replaces earlier ones.

        Raises:
            FairError: the pack is not one of the next packs, the seat is excluded, or there is not
                one commitment for each possible attempt.
        """
        first, last = ledger.next_pack_number, ledger.next_pack_number + PACKS_AHEAD - 1
        if not first <= pack <= last:
            raise FairError(pack, f"commitments are taken for the packs {first} to {last} now")
        if seat in ledger.excluded_seats:
            raise FairError(pack, f"seat {seat} has missed too often and is asked no more")
        if len(commitments) != ledger.seat_count:
            raise FairError(
                pack, f"{ledger.seat_count} commitments are needed, not {len(commitments)}"
            )
        kept = self._ahead.get(seat, {})
        self._ahead[seat] = {one: made for one, made in kept.items() if one >= first}
        self._ahead[seat][pack] = tuple(commitments)

    def remove_seat(self, seat: int) -> None:
        """Deletes the commitments of a seat, because the person has left it."""
        self._ahead.pop(seat, None)

    def withdraw_commitments(self, seat: int, pack: int) -> None:
        """Deletes the commitments of a seat for one pack, because nobody would open them."""
        self._ahead.get(seat, {}).pop(pack, None)

    def committed_seats(self, ledger: Ledger) -> tuple[int, ...]:
        """The seats with commitments for the next pack, ascending."""
        return tuple(sorted(self._current(ledger)))

    def next_pack_call(self, ledger: Ledger) -> PackCall:
        """The call for the next pack, with all commitments received so far.

        Raises:
            FairError: the last pack is not decided yet.
        """
        return ledger.next_pack_call(self._current(ledger))

    def add_opening(self, ledger: Ledger, seat: int, attempt: int, opening: bytes) -> None:
        """Stores an opening.

        Raises:
            FairError: it does not match what the seat was asked for; nothing changes.
        """
        ledger.check_opening(seat, attempt, opening)
        self._opened[seat] = (len(ledger.attempts_by_pack), attempt, opening)

    def openings(self, ledger: Ledger) -> Mapping[int, bytes]:
        """The openings for the attempt in progress, by seat."""
        now = (len(ledger.attempts_by_pack), ledger.attempt_number)
        opened = {seat: one[2] for seat, one in self._opened.items() if one[:2] == now}
        return {seat: opened[seat] for seat in ledger.asked_seats if seat in opened}

    def awaited_seats(self, ledger: Ledger) -> tuple[int, ...]:
        """The seats whose openings are still awaited, ascending; () when all have arrived."""
        opened = self.openings(ledger)
        return tuple(seat for seat in ledger.asked_seats if seat not in opened)

    def _current(self, ledger: Ledger) -> dict[int, tuple[bytes, ...]]:
        pack = ledger.next_pack_number
        return {seat: made[pack] for seat, made in self._ahead.items() if pack in made}
