"""People's contributions to the randomness of deals: commitments in advance, then openings."""

from jasstisch.fairness import FairError, Ledger, PendingContributions
from jasstisch.fairness.contributions import read_commitments
from jasstisch.fairness.encoding import parse_digest
from jasstisch.server.api import messages
from jasstisch.server.context import ServerContext
from jasstisch.server.tables.broadcaster import Subscriber
from jasstisch.table import State, TableError, commands, events

OPENING_TIMEOUT_S = 2.0
"""Seconds after which a contribution that has not been opened is excluded from the deal."""

_FIRST_PACK = (0, 0)
"""The key of commitments to the first deal, in place of a pack number and an attempt."""


class DealContributions:
    """The contributions to the deals of one table.

    Args:
        context: the random source and the clock.

    Attributes:
        pack_source: the source of the table's randomness.
        deadline: when the table stops waiting for contributions; None while it does not wait.
    """

    def __init__(self, context: ServerContext) -> None:
        self.pack_source = context.new_pack_source()
        self.deadline: float | None = None
        self._context = context
        self._awaited: tuple[int, int] | None = None
        self._committed_by: dict[tuple[int, int], Subscriber] = {}

    @property
    def _pending(self) -> PendingContributions:
        return self.pack_source.contributions

    def on_event(self, event: events.Event) -> None:
        """Drops the commitments of a person who left a seat, or all when a match starts again."""
        match event:
            case events.MatchStarted() | events.RematchStarted():
                self.pack_source.contributions = PendingContributions()
                self.pack_source.is_first_pack_deferred = self._context.limits.commitment_wait_s > 0
            case events.SeatLeft(seat) | events.PersonRemoved(seat):
                self._pending.remove_seat(seat)
            case events.SeatsSwapped(seat, other):
                self._pending.remove_seat(seat)
                self._pending.remove_seat(other)

    def on_disconnect(self, subscriber: Subscriber) -> None:
        """Drops the commitments made over a closed connection: nobody would open them.

        A person's other devices open their own commitments, deal by deal.
        """
        for seat, pack in [place for place, by in self._committed_by.items() if by is subscriber]:
            self._pending.withdraw_commitments(seat, pack)
            del self._committed_by[seat, pack]

    def update_deadline(self, state: State) -> None:
        """Starts or stops waiting for contributions; call it when events have been committed."""
        ledger = state.deal_ledger
        awaited = None
        if ledger is not None and state.phase != "closed":
            if ledger.pending_pack_call is not None:
                awaited = (len(ledger.attempts_by_pack), ledger.attempt_number)
            elif not ledger.attempts_by_pack:
                awaited = _FIRST_PACK
        if awaited != self._awaited:
            self._awaited = awaited
            committing = self._context.limits.commitment_wait_s
            seconds = committing if awaited == _FIRST_PACK else OPENING_TIMEOUT_S
            self.deadline = None if awaited is None else self._context.now() + seconds

    def restart_deadline(self, state: State) -> None:
        """Waits for the contributions that a reloaded state expects, as after a restart."""
        self._awaited = self.deadline = None
        self.update_deadline(state)

    def receive(
        self,
        state: State,
        subscriber: Subscriber,
        message: messages.CommitContributions | messages.OpenContribution,
    ) -> bool:
        """Processes a commitment or an opening.

        Returns:
            Whether the table need not wait any longer.

        Raises:
            TableError: it was not expected; nothing has changed.
        """
        seat, ledger = state.seats.seat_of(subscriber.person), state.deal_ledger
        if seat is None:
            raise TableError("not_seated", "you hold no seat at this table; sit down first")
        if ledger is None:
            raise TableError("wrong_phase", "this match is not dealt with contributions")
        try:
            match message:
                case messages.CommitContributions(pack=pack, commitments=texts):
                    commitments = read_commitments(texts, ledger.seat_count, pack)
                    self._pending.add_commitments(ledger, seat, pack, commitments)
                    self._record_commitment(seat, pack, subscriber, ledger.next_pack_number)
                    return self._awaited == _FIRST_PACK and self._all_committed(state, ledger)
                case messages.OpenContribution(attempt=attempt, opening=text):
                    opening = parse_digest(text, "an opening", message.pack)
                    self._pending.add_opening(ledger, seat, attempt, opening)
                    return not self._pending.awaited_seats(ledger)
        except FairError as error:
            raise TableError("not_fair", str(error)) from error

    def _record_commitment(self, seat: int, pack: int, subscriber: Subscriber, first: int) -> None:
        """Records the connection over which a seat has committed to the deals from `first` on."""
        self._committed_by = {
            place: by for place, by in self._committed_by.items() if place[1] >= first
        }
        self._committed_by[seat, pack] = subscriber

    def _all_committed(self, state: State, ledger: Ledger) -> bool:
        """Whether every person at the table has committed to the next deal."""
        places = enumerate(state.seats)
        people = {seat for seat, place in places if place.person is not None and not place.is_away}
        return people <= {*self._pending.committed_seats(ledger), *ledger.excluded_seats}

    def closing_command(self, state: State) -> commands.DealCommand:
        """The command that ends the waiting, with the contributions opened so far."""
        assert state.deal_ledger is not None
        if state.deal_ledger.pending_pack_call is None:
            self.pack_source.is_first_pack_deferred = False
            return commands.EndCommitmentWait()
        return commands.CloseCommitmentOpenings(self._pending.openings(state.deal_ledger))
