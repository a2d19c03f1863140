"""A table: what commands lead to, on top of the state its events have made.

`decide` says which events a command leads to, `continuation` what the table does next by itself
(open a pack, begin a rematch). Nothing here knows time, sockets or chance: a deadline arrives as
the command `TimeUp`, a shuffle as a function.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Literal, Self

from jasstisch.guides import LEARNER
from jasstisch.table import commands, events, swaps
from jasstisch.table.errors import TableError, no_such_seat
from jasstisch.table.state import MOST_LEGAL, State

__all__ = ["MOST_EVENTS", "Shuffle", "Table"]

MOST_EVENTS = 50_000
"""A table that keeps this many events takes no new people and no rematch; make a new table."""

MOST_BEFORE_THE_START = 256
"""So many events are kept of a table that has not begun before one stands for all of them."""

Shuffle = Callable[[Sequence[str]], Sequence[str]]
"""Gives the cards of a pack in a random order."""


class Table:
    """A table as its events have made it.

    Args:
        created: its first event.

    Attributes:
        state: the fold of all events so far; read it, and change it through `apply` only.
    """

    def __init__(self, created: events.Created) -> None:
        self.state = State.begin(created)

    @classmethod
    def from_events(cls, log: Iterable[events.Event]) -> Self:
        """The table that these events have made, from the first on.

        Raises:
            ValueError: the log is damaged: an event cannot follow those before it.
        """
        entries = iter(log)
        created = next(entries, None)
        if not isinstance(created, events.Created):
            raise ValueError("the log of a table begins with its creation")
        table = cls(created)
        for event in entries:
            table.apply(event)
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

    def perform(self, command: commands.Command, shuffle: Shuffle) -> Iterator[events.Event]:
        """Does a command and all that follows from it; yields each event once it is applied.

        Raises:
            TableError: the command is refused; nothing has happened.
        """
        for event in self.decide(command):
            self.apply(event)
            yield event
        while (following := self.continuation(shuffle)) is not None:
            self.apply(following)
            yield following

    def decide(self, command: commands.Command) -> list[events.Event]:
        """The events a command leads to; none when it is already done. Changes nothing.

        Raises:
            TableError: the command is refused.
        """
        match command:
            case commands.Sit():
                return self._sit(command)
            case commands.Start(person):
                return self._start(person)
            case commands.Act(person, action):
                return self._act(self._seat(person), action, "person")
            case commands.Compute(seat, action):
                if self.state.is_present(seat):
                    raise TableError("wrong_phase", f"seat {seat} plays for itself")
                return self._act(seat, action, "computer")
            case commands.Proceed(person):
                return self._proceed(self._seat(person))
            case commands.Return(person):
                seat = self._seat(person)
                return [events.Back(seat)] if self.state.places[seat].away else []
            case commands.TimeUp(seat):
                return [events.Away(seat)] if seat in self.state.awaited() else []
            case _:
                return self._change_seat(self._seat(command.person), command)

    def continuation(self, shuffle: Shuffle) -> events.Event | None:
        """What the table does next by itself; None when it waits for somebody."""
        match = self.state.match
        if match is None or self.state.phase == "open":
            kept = self.state.version - self.state.forgotten
            return self.state.gathered() if kept >= MOST_BEFORE_THE_START else None
        if self.state.phase == "over":
            return events.Rematch(self._stand_ins()) if self.state.all_ready() else None
        if match.needs_pack and (self.state.phase == "playing" or self.state.all_ready()):
            lesson = self.state.lesson
            fixed = None if lesson is None else lesson.pack
            return events.Pack(fixed or " ".join(shuffle(match.pack)))
        return None

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
        self._check_free(command)
        self._check_room_for_more()
        if held is not None:
            return [events.Swapped(held, command.seat)]
        return [events.Sat(command.seat, command.person, command.name)]

    def _check_free(self, command: commands.Sit) -> None:
        place = self.state.places[command.seat]
        if place.person is not None:
            raise TableError("seat_taken", f"seat {command.seat} is taken by {place.name}")
        if place.bot is not None and place.left_by is None:
            raise TableError("seat_taken", f"seat {command.seat} belongs to a computer player")
        # Whoever knows one hand of this round must not get to see another.
        played = self.state.played.get(command.person, command.seat)
        if self.state.phase in ("playing", "between") and played != command.seat:
            raise TableError("seat_taken", f"in this match you may only return to seat {played}")

    def _check_room_for_more(self) -> None:
        if self.state.version - self.state.forgotten >= MOST_EVENTS:
            raise TableError("limit", "this table has seen enough; make a new one")

    def _change_seat(
        self,
        seat: int,
        command: commands.Stand | commands.Swap | commands.Answer | commands.Withdraw,
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

    def _start(self, person: str) -> list[events.Event]:
        self._seat(person)
        if self.state.phase != "open":
            raise TableError("wrong_phase", "the match has already begun")
        return [events.Started(self._stand_ins())]

    def _stand_ins(self) -> dict[int, str]:
        return {
            seat: self.state.created.stand_in
            for seat, place in enumerate(self.state.places)
            if place.person is None and place.bot is None
        }

    def _act(self, seat: int, action: str, by: Literal["person", "computer"]) -> list[events.Event]:
        match = self.state.match
        if match is None:
            raise TableError("wrong_phase", "the match has not begun")
        if self.state.phase == "between":
            raise TableError("wrong_phase", "the round is over; say ready for the next one")
        refusal = match.refusal(seat, action)
        if refusal is None:
            return [events.Acted(seat, action, by)]
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
