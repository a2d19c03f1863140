"""What people add to the chance of a pack: commitments ahead, and openings, awaited for moments."""

from jasstisch.fairness import FairError, Ledger, PendingContributions
from jasstisch.fairness.contributions import read_commitments
from jasstisch.fairness.encoding import parse_digest
from jasstisch.server.api import messages
from jasstisch.server.context import ServerContext
from jasstisch.server.tables.broadcaster import Subscriber
from jasstisch.table import State, TableError, commands, events

__all__ = ["OPENING_TIMEOUT_S", "DealContributions"]

OPENING_TIMEOUT_S = 2.0
"""Who has not opened after this time is left out for the pack."""

FIRST_PACK = (0, 0)
"""Stands for the commitments to the first pack, where otherwise a pack and an attempt stand."""


class DealContributions:
    """The contributions to the deals of one table.

    Args:
        services: for chance and the time.

    Attributes:
        dealer: where the chance of the table comes from.
        due: when nobody is waited for any longer; None while nobody is.
    """

    def __init__(self, services: ServerContext) -> None:
        self.pack_source = services.new_pack_source()
        self.deadline: float | None = None
        self._context = services
        self._awaited: tuple[int, int] | None = None
        self._committed_by: dict[tuple[int, int], Subscriber] = {}

    @property
    def _pending(self) -> PendingContributions:
        return self.pack_source.contributions

    def on_event(self, event: events.Event) -> None:
        """Forgets what was committed to by whoever has left a seat, or begins anew with a match."""
        match event:
            case events.MatchStarted() | events.RematchStarted():
                self.pack_source.contributions = PendingContributions()
                self.pack_source.defer_first_pack = self._context.limits.committing_seconds > 0
            case events.SeatLeft(seat) | events.PersonRemoved(seat):
                self._pending.remove_seat(seat)
            case events.SeatsSwapped(seat, other):
                self._pending.remove_seat(seat)
                self._pending.remove_seat(other)

    def on_disconnect(self, follower: Subscriber) -> None:
        """Forgets what was committed to over a connection that is gone: nobody would open it.

        A person's other devices open what they have committed themselves to, pack by pack.
        """
        for seat, pack in [place for place, by in self._committed_by.items() if by is follower]:
            self._pending.withdraw(seat, pack)
            del self._committed_by[seat, pack]

    def update(self, state: State) -> None:
        """Begins to wait for people, or waits no more; call it when events are committed."""
        ledger = state.ledger
        awaited = None
        if ledger is not None and state.phase != "closed":
            if ledger.call is not None:
                awaited = (len(ledger.packs), ledger.attempt)
            elif not ledger.packs:
                awaited = FIRST_PACK
        if awaited != self._awaited:
            self._awaited = awaited
            committing = self._context.limits.committing_seconds
            seconds = committing if awaited == FIRST_PACK else OPENING_TIMEOUT_S
            self.deadline = None if awaited is None else self._context.now() + seconds

    def reset(self, state: State) -> None:
        """Waits from now on for what this state awaits, as after a restart of the server."""
        self._awaited = self.deadline = None
        self.update(state)

    def receive(
        self,
        state: State,
        follower: Subscriber,
        message: messages.CommitContributions | messages.OpenContribution,
    ) -> bool:
        """Takes a commitment or an opening; whether nobody is to be waited for any longer.

        Raises:
            TableError: it is not what was asked for; nothing has changed.
        """
        seat, ledger = state.seat_of(follower.person), state.ledger
        if seat is None:
            raise TableError("not_seated", "you hold no seat at this table; sit down first")
        if ledger is None:
            raise TableError("wrong_phase", "this match is not dealt with contributions")
        try:
            match message:
                case messages.CommitContributions(pack=pack, commitments=texts):
                    commitments = read_commitments(texts, ledger.seats, pack)
                    self._pending.commit(ledger, seat, pack, commitments)
                    self._record_commitment(seat, pack, follower, ledger.next_pack)
                    return self._awaited == FIRST_PACK and self._all_committed(state, ledger)
                case messages.OpenContribution(attempt=attempt, opening=text):
                    opening = parse_digest(text, "an opening", message.pack)
                    self._pending.add_opening(ledger, seat, attempt, opening)
                    return not self._pending.awaited_seats(ledger)
        except FairError as error:
            raise TableError("not_fair", str(error)) from error

    def _record_commitment(self, seat: int, pack: int, follower: Subscriber, first: int) -> None:
        """Keeps over which connection a seat has committed itself, for the packs to come."""
        self._committed_by = {
            place: by for place, by in self._committed_by.items() if place[1] >= first
        }
        self._committed_by[seat, pack] = follower

    def _all_committed(self, state: State, ledger: Ledger) -> bool:
        """Whether everybody at the table has committed himself to the next pack."""
        places = enumerate(state.seats)
        people = {seat for seat, place in places if place.person is not None and not place.is_away}
        return people <= {*self._pending.committed_seats(ledger), *ledger.excluded_seats}

    def closing_command(self, state: State) -> commands.DealCommand:
        """The command that ends the waiting, with what has been opened by now."""
        assert state.ledger is not None
        if state.ledger.call is None:
            self.pack_source.defer_first_pack = False
            return commands.CallFirstPack()
        return commands.CloseOpenings(self._pending.openings(state.ledger))
