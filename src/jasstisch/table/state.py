"""The state of a table: who sits where and the match being played, as a fold over its events.

`apply` takes one event into the state; the rest answers what readers may see and who is waited
for. Nothing is decided here: an event that stands in the log has been decided.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hmac import compare_digest
from itertools import islice
from typing import Any, Literal

from jasstisch.games import game as find_game
from jasstisch.guides import LEARNER, Lesson, guide
from jasstisch.match import Match
from jasstisch.table import events
from jasstisch.table.room import (
    Happened,
    Hint,
    Kind,
    PackPurpose,
    Refused,
    Room,
    RoomPhase,
    SeatInfo,
    Turn,
)

__all__ = ["MOST_LEGAL", "Finished", "Place", "State"]

Finished = Literal["nothing", "round", "match"]
"""What has been finished at a table: how long it is worth keeping."""

MOST_LEGAL = 200
"""How many legal actions a turn or an error lists; no game of tricks or bids has more."""

KINDS: dict[type, Kind] = {
    events.Created: "created",
    events.Sat: "sat",
    events.Stood: "stood",
    events.Offered: "offered",
    events.Declined: "declined",
    events.Withdrew: "withdrew",
    events.Swapped: "swapped",
    events.Gathered: "gathered",
    events.Started: "started",
    events.Rematch: "rematch",
    events.Ready: "ready",
    events.Away: "away",
    events.Back: "back",
}
"""The kind under which readers are told of each event."""


@dataclass(slots=True)
class Place:
    """One seat.

    Attributes:
        person: who holds it, None for a computer or nobody.
        name: that person's nickname, kept when he has left.
        bot: the computer player that holds it.
        left_by: the person in whose place the computer plays since he stood up.
        away: the computer plays for the person until he is back.
        ready: the person asks for the next round or the rematch.
        moves: how often the seat has done something, so that its thinking time begins anew.
        asks: the seat of the person whom this one asks to swap.
    """

    person: str | None = None
    name: str = ""
    bot: str | None = None
    left_by: str | None = None
    away: bool = False
    ready: bool = False
    moves: int = 0
    asks: int | None = None

    def info(self) -> SeatInfo:
        """The seat as everybody sees it."""
        if self.person is not None:
            name = self.name
            return SeatInfo("person", name, None, False, self.away, self.ready, self.asks)
        if self.bot is not None:
            left = self.left_by is not None
            name = self.name if left else f"bot:{self.bot}"
            return SeatInfo("computer", name, self.bot, left, False, False, None)
        return SeatInfo("open", "", None, False, False, False, None)


@dataclass(slots=True)
class State:
    """What the events so far have made of a table.

    Attributes:
        created: the first event.
        places: the seats.
        sides: who plays with whom, the seats of each side.
        wins: matches won, per seat.
        last: the last event.
        version: how many events that are.
        forgotten: how many of them a later one stands for.
        phase: before the start, in a round, between rounds, or after the match.
        match: the match in progress or the last one; None before the first.
        number: the number of the match, from 1; 0 before the first.
        played: the seat each person has held in this match.
        purpose: what the last pack was for.
        lesson: the guided round while it is played and until the next one begins.
    """

    created: events.Created
    places: list[Place]
    sides: tuple[tuple[int, ...], ...]
    wins: list[int]
    last: events.Event
    version: int = 1
    forgotten: int = 0
    phase: RoomPhase = "open"
    match: Match | None = None
    number: int = 0
    played: dict[str, int] = field(default_factory=dict)
    purpose: PackPurpose | None = None
    lesson: Lesson | None = None

    @classmethod
    def begin(cls, event: events.Created) -> "State":
        """The state after the first event."""
        places = [Place(bot=bot) for bot in event.seats]
        sides = find_game(event.game, **event.options).sides
        return cls(event, places, sides, wins=[0] * len(places), last=event)

    # What there is to see.

    def room(self) -> Room:
        """What everybody may know of the table."""
        made = self.created
        return Room(
            table=made.table,
            game=made.game,
            options=made.options,
            phase=self.phase,
            seats=[place.info() for place in self.places],
            thinking_time=made.thinking_time,
            pause=made.pause,
            number=self.number,
            wins=list(self.wins),
            guided=made.guided,
            hints=made.hints,
            stand_in=made.stand_in,
            sides=[list(side) for side in self.sides],
        )

    def view(self, seat: int | None) -> dict[str, Any] | None:
        """What a seat or a spectator may know of the match; None before the first."""
        return None if self.match is None else self.match.view(seat)

    def turn(self, seat: int | None) -> Turn | None:
        """What a seat may do now; None when it is not its turn."""
        match = self.match
        if match is None or seat is None or seat not in match.to_act:
            return None
        actions = match.legal(seat)
        legal = list(islice(actions, MOST_LEGAL))
        return Turn(legal, len(actions) > len(legal), _refused_cards(match, seat, legal))

    def hint(self, seat: int | None) -> Hint | None:
        """What the coach of a guided round says to a seat now."""
        lesson, match = self.lesson, self.match
        if lesson is None or lesson.hint is None or match is None or seat != LEARNER:
            return None
        suggest = lesson.suggestion(match.legal(LEARNER))
        return Hint(lesson.hint.id, dict(lesson.hint.values), suggest, lesson.waits)

    def happened(self, seat: int | None) -> Happened:
        """The last event as a seat or a spectator may see it."""
        match self.last:
            case events.Acted(seat=actor, by=by):
                assert self.match is not None
                return Happened("acted", actor, self.match.told(seat), by)
            case events.Pack():
                return Happened("pack", pack=self.purpose)
            case (
                events.Created() | events.Gathered() | events.Started() | events.Rematch()
            ) as event:
                return Happened(KINDS[type(event)])
            case events.Offered() | events.Declined() | events.Swapped() as event:
                return Happened(KINDS[type(event)], event.seat, other=event.other)
            case event:
                return Happened(KINDS[type(event)], event.seat)

    def seat_of(self, person: str | None) -> int | None:
        """The seat a person holds; None when he holds none."""
        if person is None:
            return None
        for seat, place in enumerate(self.places):
            if place.person is not None and compare_digest(place.person, person):
                return seat
        return None

    def record(self) -> dict[str, Any] | None:
        """The record of the match that is over; None while one runs or none was played."""
        return self.match.record() if self.match is not None and self.match.over else None

    @property
    def host(self) -> str | None:
        """The person whose table it is: who made it, else the first who is seated."""
        if self.created.host is not None:
            return self.created.host
        return next((place.person for place in self.places if place.person is not None), None)

    @property
    def finished(self) -> Finished:
        """What has been finished here, in any match."""
        if self.match is None:
            return "nothing"
        if self.match.over or self.number > 1:
            return "match"
        return "round" if self.match.rounds else "nothing"

    # Who is waited for.

    def awaited(self) -> dict[int, int]:
        """The seats whose people the table waits for, each with a number for the occasion.

        The number changes when the seat has done something, so that its time begins anew. Between
        rounds and after the match nobody is waited for until the first of them is ready.
        """
        if self.phase == "playing":
            seats: Iterable[int] = self.match.to_act if self.match is not None else ()
        elif self._somebody_ready():
            seats = [seat for seat, place in enumerate(self.places) if not place.ready]
        else:
            seats = ()
        return {seat: self.places[seat].moves for seat in seats if self.is_present(seat)}

    def computer_turn(self) -> tuple[int, str] | None:
        """The seat for which the computer is to act now, and the name of its player."""
        if self.phase != "playing" or self.match is None or self.hint_unread:
            return None
        for seat in self.match.to_act:
            computer = self.computer(seat)
            if computer is not None:
                return seat, computer
        return None

    def computer(self, seat: int) -> str | None:
        """The computer player that plays the seat, or would; None where a person is present."""
        if self.is_present(seat):
            return None
        return self.places[seat].bot or self.created.stand_in

    def computer_pause(self) -> int:
        """Milliseconds to wait before the computer acts, so that people can follow.

        Twice as long when a trick has just been completed; short for what nobody watches.
        """
        view = self.view(None)
        if view is None or view["phase"] != "play":
            return min(self.created.pause, 200)
        return self.created.pause * (2 if view["tricks"] and not view["trick"] else 1)

    @property
    def hint_unread(self) -> bool:
        """Whether the computers wait until the learner has read what the coach says."""
        return self.lesson is not None and self.lesson.waits and self.is_present(LEARNER)

    def is_present(self, seat: int) -> bool:
        """Whether a person holds the seat and plays himself."""
        place = self.places[seat]
        return place.person is not None and not place.away

    def _somebody_ready(self) -> bool:
        return any(place.ready for place in self.places)

    def all_ready(self) -> bool:
        """Whether somebody asks to go on and nobody present does not."""
        waiting = any(
            self.is_present(seat) and not place.ready for seat, place in enumerate(self.places)
        )
        return self._somebody_ready() and not waiting

    # Events become state.

    def apply(self, event: events.Event) -> None:
        """Takes the next event into the state.

        Raises:
            ValueError: the event cannot follow those before it; the log is damaged.
        """
        self._change(event)
        self.last = event
        self.version += 1

    def _change(self, event: events.Event) -> None:
        match event:
            case events.Created():
                raise ValueError("a table is created once")
            case events.Started(computers) | events.Rematch(computers):
                self._begin_match(computers)
            case events.Pack(cards):
                self._open_pack(cards)
            case events.Acted(seat, action):
                self._do(seat, action)
            case events.Ready(seat):
                self._go_on(seat)
            case events.Away(seat):
                self.places[seat].away = True
                self.places[seat].ready = False
            case events.Back(seat):
                self.places[seat].away = False
                self.places[seat].moves += 1
            case events.Gathered():
                self._gather(event)
            case _:
                self._change_seats(event)

    def gathered(self) -> events.Gathered:
        """The event that stands for all that has led to the seats as they are held now."""
        seats = [
            events.Held(place.person, place.name, place.bot, place.moves, place.asks)
            for place in self.places
        ]
        return events.Gathered(self.version + 1, seats)

    def _gather(self, event: events.Gathered) -> None:
        if self.phase != "open" or event.version <= self.version:
            raise ValueError("seats are gathered before the first match, and for what has been")
        self.places = [
            Place(seat.person, seat.name, seat.bot, moves=seat.moves, asks=seat.asks)
            for seat in event.seats
        ]
        self.played.clear()
        self.version = event.version - 1
        self.forgotten = event.version - 2

    def _change_seats(
        self,
        event: events.Sat
        | events.Stood
        | events.Offered
        | events.Declined
        | events.Withdrew
        | events.Swapped,
    ) -> None:
        match event:
            case events.Sat():
                self._take_seat(event)
            case events.Stood(seat):
                self._leave_seat(seat)
            case events.Offered(seat, other):
                self.places[seat].asks = other
            case events.Declined(other=seat) | events.Withdrew(seat):
                self.places[seat].asks = None
            case events.Swapped(seat, other):
                self._swap_seats(seat, other)

    def _take_seat(self, event: events.Sat) -> None:
        place = self.places[event.seat]
        if place.left_by != event.person:
            self.wins[event.seat] = 0
        self.places[event.seat] = Place(event.person, event.name, moves=place.moves)
        self.played[event.person] = event.seat

    def _leave_seat(self, seat: int) -> None:
        place = self.places[seat]
        self._end_offers(seat)
        if self.phase in ("open", "over"):
            self.places[seat] = Place(moves=place.moves)
            self.wins[seat] = 0
        else:
            self.places[seat] = Place(
                name=place.name,
                bot=self.created.stand_in,
                left_by=place.person,
                moves=place.moves,
            )

    def _swap_seats(self, seat: int, other: int) -> None:
        self._end_offers(seat, other)
        places = self.places
        places[seat], places[other] = places[other], places[seat]

    def _end_offers(self, *seats: int) -> None:
        """Ends the offers that people of these seats made or were made."""
        for seat, place in enumerate(self.places):
            if seat in seats or place.asks in seats:
                place.asks = None

    def _begin_match(self, computers: dict[int, str]) -> None:
        self._end_offers(*range(len(self.places)))
        for seat, bot in computers.items():
            self.places[seat] = Place(bot=bot, moves=self.places[seat].moves)
        self.played = {
            place.person: seat for seat, place in enumerate(self.places) if place.person is not None
        }
        game = find_game(self.created.game, **self.created.options)
        self.match = Match(game, [place.info().name for place in self.places])
        self.number += 1
        first = self.created.guided and self.number == 1
        self.lesson = Lesson.of(guide(game.name)) if first else None
        self._begin_round()

    def _begin_round(self) -> None:
        self.phase = "playing"
        for place in self.places:
            place.ready = False

    def _open_pack(self, cards: str) -> None:
        assert self.match is not None
        self.purpose = self.match.view(None)["phase"]
        self.match.shuffle(cards)
        if self.phase == "between":
            self._begin_round()
        if self.lesson is not None:
            over = self.lesson.over
            seen = self.match.view(LEARNER), self.match.legal(LEARNER)
            self.lesson = None if over else self.lesson.after_pack(*seen)

    def _go_on(self, seat: int) -> None:
        self.places[seat].moves += 1
        if self.lesson is not None and self.phase == "playing":
            self.lesson = self.lesson.read_on()
        else:
            self.places[seat].ready = True

    def _do(self, seat: int, action: str) -> None:
        match = self.match
        assert match is not None
        match.act(seat, action)
        self.places[seat].moves += 1
        if self.lesson is not None and not self.lesson.over:
            seen = match.view(LEARNER), match.legal(LEARNER)
            self.lesson = self.lesson.after_action(seat, match.told(seat), *seen)
        if match.over:
            self.phase = "over"
            self._open_left_seats()
            for winner in match.winners:
                self.wins[winner] += 1
        elif match.needs_pack and match.view(None)["phase"] == "deal":
            self.phase = "between"

    def _open_left_seats(self) -> None:
        for seat, place in enumerate(self.places):
            if place.left_by is not None:
                self.places[seat] = Place(moves=place.moves)


def _refused_cards(match: Match, seat: int, legal: Sequence[str]) -> dict[str, Refused]:
    """Why each card in hand that may not be played now may not, where cards are played at all."""
    if not any(action.startswith("play ") for action in legal):
        return {}
    refused = {}
    for card in match.hand(seat):
        refusal = match.refusal(seat, f"play {card}")
        if refusal is not None:
            refused[card] = Refused(refusal.clause, refusal.reason)
    return refused
