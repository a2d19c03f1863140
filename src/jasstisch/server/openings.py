"""What people add to the chance of a pack: commitments ahead, and openings, awaited for moments."""

from jasstisch.fair import FairError, Gathering, Ledger
from jasstisch.fair.contributions import read_commitments
from jasstisch.fair.encoding import read_bytes
from jasstisch.server import messages
from jasstisch.server.audience import Follower
from jasstisch.server.services import Services
from jasstisch.table import State, TableError, commands, events

__all__ = ["OPENING_SECONDS", "Openings"]

OPENING_SECONDS = 2.0
"""Who has not opened after this time is left out for the pack."""

FIRST = (0, 0)
"""Stands for the commitments to the first pack, where otherwise a pack and an attempt stand."""


class Openings:
    """The contributions to the deals of one table.

    Args:
        services: for chance and the time.

    Attributes:
        dealer: where the chance of the table comes from.
        due: when nobody is waited for any longer; None while nobody is.
    """

    def __init__(self, services: Services) -> None:
        self.dealer = services.dealer()
        self.due: float | None = None
        self._services = services
        self._awaited: tuple[int, int] | None = None
        self._by: dict[tuple[int, int], Follower] = {}

    @property
    def _gathering(self) -> Gathering:
        return self.dealer.gathering

    def note(self, event: events.Event) -> None:
        """Forgets what was committed to by whoever has left a seat, or begins anew with a match."""
        match event:
            case events.Started() | events.Rematch():
                self.dealer.gathering = Gathering()
                self.dealer.waits = self._services.limits.committing_seconds > 0
            case events.Stood(seat) | events.Removed(seat):
                self._gathering.leave(seat)
            case events.Swapped(seat, other):
                self._gathering.leave(seat)
                self._gathering.leave(other)

    def left(self, follower: Follower) -> None:
        """Forgets what was committed to over a connection that is gone: nobody would open it.

        A person's other devices open what they have committed themselves to, pack by pack.
        """
        for seat, pack in [place for place, by in self._by.items() if by is follower]:
            self._gathering.withdraw(seat, pack)
            del self._by[seat, pack]

    def update(self, state: State) -> None:
        """Begins to wait for people, or waits no more; call it when events are committed."""
        ledger = state.ledger
        awaited = None
        if ledger is not None and state.phase != "closed":
            if ledger.call is not None:
                awaited = (len(ledger.packs), ledger.attempt)
            elif not ledger.packs:
                awaited = FIRST
        if awaited != self._awaited:
            self._awaited = awaited
            committing = self._services.limits.committing_seconds
            seconds = committing if awaited == FIRST else OPENING_SECONDS
            self.due = None if awaited is None else self._services.now() + seconds

    def begin_anew(self, state: State) -> None:
        """Waits from now on for what this state awaits, as after a restart of the server."""
        self._awaited = self.due = None
        self.update(state)

    def take(
        self, state: State, follower: Follower, message: messages.Commit | messages.Open
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
                case messages.Commit(pack=pack, commitments=texts):
                    commitments = read_commitments(texts, ledger.seats, pack)
                    self._gathering.commit(ledger, seat, pack, commitments)
                    self._note_by(seat, pack, follower, ledger.next_pack)
                    return self._awaited == FIRST and self._all_committed(state, ledger)
                case messages.Open(attempt=attempt, opening=text):
                    opening = read_bytes(text, "an opening", message.pack)
                    self._gathering.open(ledger, seat, attempt, opening)
                    return not self._gathering.waiting(ledger)
        except FairError as error:
            raise TableError("not_fair", str(error)) from error

    def _note_by(self, seat: int, pack: int, follower: Follower, first: int) -> None:
        """Keeps over which connection a seat has committed itself, for the packs to come."""
        self._by = {place: by for place, by in self._by.items() if place[1] >= first}
        self._by[seat, pack] = follower

    def _all_committed(self, state: State, ledger: Ledger) -> bool:
        """Whether everybody at the table has committed himself to the next pack."""
        places = enumerate(state.places)
        people = {seat for seat, place in places if place.person is not None and not place.away}
        return people <= {*self._gathering.committed(ledger), *ledger.barred}

    def settle(self, state: State) -> commands.Dealing:
        """The command that ends the waiting, with what has been opened by now."""
        assert state.ledger is not None
        if state.ledger.call is None:
            self.dealer.waits = False
            return commands.Deal()
        return commands.Settle(self._gathering.openings(state.ledger))
