"""A table: what commands lead to, on top of the state its events have made.

`decide` says which events a command leads to, `continuation` what the table does next by itself
(open a pack, begin a rematch). Nothing here knows time, sockets or chance: a deadline arrives as
the command `TimeUp`, a shuffle as a function.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Literal, Self

import msgspec

from jasstisch.guides import LEARNER
from jasstisch.table import commands, dealing, events, hosting, resting, swaps, talk, undo
from jasstisch.table.dealing import Dealer
from jasstisch.table.errors import TableError, no_such_seat
from jasstisch.table.state import MOST_LEGAL, State

__all__ = ["MOST_BEFORE_THE_START", "MOST_EVENTS", "Table"]

MOST_EVENTS = 50_000
"""A table that keeps this many events takes no new people and no rematch; make a new table."""

MOST_BEFORE_THE_START = 256
"""So many events are kept of a table that has not begun before one stands for all of them."""


class Table:
    """A table as its events have made it.

    Args:
        created: its first event.

    Attributes:
        state: the fold of all events so far; read it, and change it through `apply` only.
        before: where the table was read while a trick was in progress, or a claim answered, that
            is kept from those who only watch: the table before it.
    """

    def __init__(self, created: events.Created) -> None:
        self.state = State.begin(created)
        self.before: State | None = None

    @classmethod
    def from_events(cls, log: Iterable[events.Event]) -> Self:
        """The table that these events have made, from the first on.

        Raises:
            ValueError: the log is damaged: an event cannot follow those before it.
        """
        entries = list(log)
        if not entries or not isinstance(created := entries[0], events.Created):
            raise ValueError("the log of a table begins with its creation")
        table = cls(created)
        for event in entries[1:]:
            table.apply(event)
        rested = table.state.rested
        if table.state.house.delayed and rested < table.version:
            table.before = _as_it_was(created, entries[1:], rested)
        return table

    @property
    def version(self) -> int:
        """How many events the table is made of."""
        return self.state.version

    def apply(self, event: events.Event) -> None:
        """Takes the next event into the state.

        Raises:
            ValueError: the event cannot follow those before it.
        """
        self.state.apply(event)

    # Commands become events.

    def perform(self, command: commands.Command, dealer: Dealer) -> Iterator[events.Event]:
        """Does a command and all that follows from it; yields each event once it is applied.

        Raises:
            TableError: the command is refused; nothing has happened.
        """
        for event in self.decide(command):
            if isinstance(event, events.Started) and not self.state.created.guided:
                event = msgspec.structs.replace(event, seed=dealer.seed())  # noqa: PLW2901
            self.apply(event)
            yield event
        while (following := self.continuation(dealer)) is not None:
            self.apply(following)
            yield following

    def decide(self, command: commands.Command) -> list[events.Event]:
        """The events a command leads to; none when it is already done. Changes nothing.

        Raises:
            TableError: the command is refused.
        """
        if self.state.phase == "closed" and not isinstance(command, commands.Unname):
            raise TableError("wrong_phase", "this table is closed")
        match command:
            case commands.Act() | commands.Compute() | commands.TakeRest() | commands.Proceed():
                return self._go_on(command)
            case commands.Sit():
                return self._sit(command)
            case commands.Start() | commands.Resume():
                return self._start(command)
            case commands.Return() | commands.TimeUp() | commands.Cover():
                return self._come_or_go(command)
            case commands.Forget() | commands.Shut() | commands.Unname() | commands.Unlist():
                return hosting.operate(self.state, command)
            case commands.Deal() | commands.Settle() | commands.LapseUndo():
                return self._wait_no_longer(command)
            case (
                commands.Stand()
                | commands.Swap()
                | commands.Answer()
                | commands.Withdraw()
                | commands.Say()
                | commands.Write()
                | commands.Undo()
                | commands.AnswerUndo()
                | commands.WithdrawUndo()
            ):
                return self._from_seat(self._seat(command.person), command)
            case _:
                return hosting.decide(self.state, command)

    def continuation(self, dealer: Dealer) -> events.Event | None:
        """What the table does next by itself; None when it waits for somebody."""
        state = self.state
        match = state.match
        for seat, place in enumerate(state.places):
            if place.returning and state.may_be_back(seat):
                return events.Back(seat)
        if state.phase == "closed":
            return None
        if (taken_back := undo.next_step(state)) is not None:
            return taken_back
        if match is None or state.phase == "open":
            kept = state.version - state.forgotten
            return state.gathered() if kept >= MOST_BEFORE_THE_START else None
        if state.phase == "over":
            return events.Rematch(self._stand_ins(), dealer.seed()) if state.all_ready() else None
        if match.needs_pack and self._wants_pack():
            lesson = state.lesson
            if lesson is not None and lesson.pack is not None:
                return events.Pack(lesson.pack)
            return dealing.next_step(state.ledger, state.dealt, match, dealer)
        return None

    def _wants_pack(self) -> bool:
        """Whether the pack that the match awaits is due: what has been called is dealt anyway."""
        state = self.state
        called = state.ledger is not None and len(state.ledger.packs) > state.dealt
        pending = state.ledger is not None and state.ledger.call is not None
        return state.phase == "playing" or state.all_ready() or called or pending

    def _seat(self, person: str) -> int:
        seat = self.state.seat_of(person)
        if seat is None:
            raise TableError("not_seated", "you hold no seat at this table; sit down first")
        return seat

    def _sit(self, command: commands.Sit) -> list[events.Event]:
        if not 0 <= command.seat < len(self.state.places):
            raise no_such_seat(command.seat, len(self.state.places))
        held = self.state.seat_of(command.person)
        if held == command.seat:
            return []
        if held is not None and self.state.phase != "open":
            raise TableError("seat_taken", f"you hold seat {held}; it cannot be changed now")
        taken = self.state.why_taken(command.person, command.seat)
        if taken is not None:
            raise TableError("seat_taken", taken)
        self._check_room_for_more()
        if held is not None:
            return [events.Swapped(held, command.seat)]
        name = self.state.free_name(command.name, of=command.seat)
        return hosting.enter(self.state, replace(command, name=name))

    def _go_on(
        self,
        command: commands.Act | commands.Compute | commands.TakeRest | commands.Proceed,
    ) -> list[events.Event]:
        match command:
            case commands.Act(person, action, took):
                return self._act_as(self._seat(person), action, took)
            case commands.Compute(seat, action):
                if self.state.is_present(seat):
                    raise TableError("wrong_phase", f"seat {seat} plays for itself")
                if self.state.undoing.question is not None:
                    raise TableError("wrong_phase", "it is asked whether a card is taken back")
                return self._act(seat, action, "computer")
            case commands.TakeRest(person, took):
                return resting.decide(self.state, self._seat(person), took)
            case commands.Proceed(person):
                return self._proceed(self._seat(person))

    def _come_or_go(
        self, command: commands.Return | commands.TimeUp | commands.Cover
    ) -> list[events.Event]:
        match command:
            case commands.Return(person):
                return self._return(self._seat(person))
            case commands.TimeUp(seat, took):
                awaited = seat in self.state.awaited()
                return [events.Away(seat, took=took)] if awaited else []
            case commands.Cover(person, seat):
                return self._cover(self._seat(person), seat)

    def _wait_no_longer(self, command: commands.Dealing | commands.LapseUndo) -> list[events.Event]:
        if isinstance(command, commands.LapseUndo):
            return undo.lapse(self.state)
        return dealing.decide(self.state.ledger, command)

    def _act_as(self, seat: int, action: str, took: int) -> list[events.Event]:
        if self.state.places[seat].away and self.state.phase == "playing":
            raise TableError(
                "wrong_phase", "the computer plays for you; say back to go on yourself"
            )
        return self._act(seat, action, "person", took)

    def _return(self, seat: int) -> list[events.Event]:
        place = self.state.places[seat]
        if not place.away or place.returning:
            return []
        if not self.state.may_be_back(seat):
            return [events.Returning(seat)]
        ready = [events.Ready(seat)] if self.state.is_overdue(seat) else []
        return [events.Back(seat), *ready]

    def _cover(self, seat: int, other: int) -> list[events.Event]:
        if not 0 <= other < len(self.state.places):
            raise no_such_seat(other, len(self.state.places))
        if self.state.phase not in ("playing", "between"):
            raise TableError("wrong_phase", "the computer takes over while a match is played")
        if other == seat or self.state.places[other].person is None:
            raise TableError("wrong_phase", f"on seat {other} there is nobody else to play for")
        return [] if self.state.places[other].away else [events.Away(other, by=seat)]

    def _check_room_for_more(self) -> None:
        if self.state.version - self.state.forgotten >= MOST_EVENTS:
            raise TableError("limit", "this table has seen enough; make a new one")

    def _from_seat(
        self, seat: int, command: commands.Seating | commands.Talking | commands.Undoing
    ) -> list[events.Event]:
        match command:
            case commands.Stand():
                return [events.Stood(seat)]
            case commands.Swap(seat=other):
                self._check_room_for_more()
                return swaps.ask(self.state, seat, other)
            case commands.Answer(seat=other, accept=accept):
                return swaps.answer(self.state, seat, other, accept=accept)
            case commands.Withdraw():
                return swaps.withdraw(self.state, seat)
            case commands.Say() | commands.Write():
                return talk.decide(self.state, seat, command)
            case _:
                return undo.decide(self.state, seat, command)

    def _start(self, command: commands.Start | commands.Resume) -> list[events.Event]:
        person = command.person
        if person != self.state.house.host:
            self._seat(person)
        if self.state.phase != "open":
            raise TableError("wrong_phase", "the match has already begun")
        hosting.check_starts(self.state, person)
        if all(place.person is None for place in self.state.places):
            raise TableError("wrong_phase", "nobody sits at this table who could play")
        computers = self._stand_ins()
        if isinstance(command, commands.Resume):
            return [events.Resumed(computers, list(command.log))]
        return [events.Started(computers)]

    def _stand_ins(self) -> dict[int, str]:
        return {
            seat: self.state.created.stand_in
            for seat, place in enumerate(self.state.places)
            if place.person is None and place.bot is None
        }

    def _act(
        self, seat: int, action: str, by: Literal["person", "computer"], took: int = 0
    ) -> list[events.Event]:
        match = self.state.match
        if match is None:
            raise TableError("wrong_phase", "the match has not begun")
        if self.state.phase == "between":
            raise TableError("wrong_phase", "the round is over; say ready for the next one")
        refusal = match.refusal(seat, action)
        if refusal is None:
            return [events.Acted(seat, action, by, took)]
        if refusal.reason == "over":
            raise TableError("wrong_phase", "the match is over")
        raise TableError(
            "illegal_action",
            refusal.text,
            clause=refusal.clause,
            reason=refusal.reason,
            legal=list(islice(match.legal(seat), MOST_LEGAL)),
        )

    def _proceed(self, seat: int) -> list[events.Event]:
        if self.state.hint_unread and seat == LEARNER:
            return [events.Ready(seat)]
        if self.state.phase not in ("between", "over"):
            raise TableError("wrong_phase", "nothing waits for you to be ready now")
        if self.state.phase == "over":
            self._check_room_for_more()
        return [] if self.state.places[seat].ready else [events.Ready(seat)]


def _as_it_was(created: events.Created, later: list[events.Event], version: int) -> State:
    """The table at an earlier version, without the names that have been taken away since."""
    state = State.begin(created)
    for event in later:
        if state.version < version:
            state.apply(event)
        elif isinstance(event, events.Renamed):
            state.rename(event.seat, event.name)
    return state
