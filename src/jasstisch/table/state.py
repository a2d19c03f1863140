"""The state of a table: who sits where and the match being played, as a fold over its events.

`apply` takes one event into the state; the rest answers what readers may see and who is waited
for. Nothing is decided here: an event that stands in the log has been decided.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hmac import compare_digest
from itertools import islice
from math import inf
from typing import Any, Literal

from msgspec import UNSET
from msgspec.structs import replace

from jasstisch.fair import Call, Ledger, MatchId
from jasstisch.games import game as find_game
from jasstisch.games.rules import Trace
from jasstisch.guides import LEARNER, Lesson, guide
from jasstisch.match import Match
from jasstisch.record import Record
from jasstisch.table import events
from jasstisch.table.room import (
    Fair,
    Happened,
    Hint,
    Kind,
    PackPurpose,
    Refused,
    Request,
    Room,
    RoomPhase,
    SeatInfo,
    Turn,
    UndoQuestion,
)
from jasstisch.table.undoing import Undoing

__all__ = ["MOST_LEGAL", "Finished", "Place", "State"]

Finished = Literal["nothing", "round", "match"]
"""What has been finished at a table: how long it is worth keeping."""

BOT = "bot:"
"""How the name of a computer player begins; nobody else's does."""

MOST_LAPSES = 3
"""Who lets so many turns of a match pass is played for until the end of the round, every time."""

PATIENT_TIMES = 3
"""Whoever may take longer has so many times the thinking time, and the time of the match."""

FIRST_TIMES = 2
"""The first card of a round, and what is said before it, have so many times the thinking time."""

LAST_SECONDS = 5.0
"""Seconds for a turn of whoever has used up the time of the match."""

LAYING = ("play ", "lay ")
"""How the actions begin by which cards are laid."""

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
    events.Resumed: "started",
    events.Rematch: "rematch",
    events.Called: "called",
    events.Settled: "settled",
    events.RestTaken: "rest_taken",
    events.UndoAsked: "undo_asked",
    events.UndoAgreed: "undo_agreed",
    events.UndoDeclined: "undo_declined",
    events.UndoWithdrawn: "undo_withdrawn",
    events.UndoLapsed: "undo_lapsed",
    events.Undone: "undone",
    events.Ready: "ready",
    events.Away: "away",
    events.Returning: "returning",
    events.Back: "back",
    events.Patience: "patience",
    events.Admission: "admission",
    events.Starters: "starters",
    events.Writing: "writing",
    events.Published: "published",
    events.Delayed: "delayed",
    events.Relinked: "relinked",
    events.Asked: "asked",
    events.Dismissed: "dismissed",
    events.Removed: "removed",
    events.Given: "given",
    events.Resigned: "resigned",
    events.Renamed: "renamed",
    events.Said: "said",
    events.Wrote: "wrote",
    events.Closed: "closed",
}
"""The kind under which readers are told of each event."""


RENEWING = (
    *(events.Created, events.Started, events.Rematch, events.Pack, events.Renamed),
    *(events.Gathered, events.Undone, events.Resumed),
)
"""The events that change the match otherwise than by an action; the others leave it as it is."""

TALK = (events.Said, events.Wrote)
"""The events that change neither the match nor the room: people talk."""

NOTHING_SEEN = Trace({}, {}, hand_only=False)


@dataclass(slots=True)
class Place:
    """One seat.

    Attributes:
        person: who holds it, None for a computer or nobody.
        name: that person's nickname, kept when he has left.
        bot: the computer player that holds it.
        left_by: the person in whose place the computer plays since he stood up.
        away: the computer plays for the person until he is back.
        returning: the person will be back as soon as he may.
        ready: the person asks for the next round or the rematch.
        moves: how often the seat has done something, so that its thinking time begins anew.
        asks: the seat of the person whom this one asks to swap.
        patient: the person has three times the thinking time.
        lapses: turns of this match that the person let pass.
        lapsed_at: how often the seat had done something when the computer last took over.
        laid: cards the seat has laid in this round.
        used: milliseconds of the person's turns of this match, where it has a total.
        overdue: the person has let the time of this pause pass, between rounds or after the match.
        face: that person's face, kept when he has left.
        character: of the computer that holds it, or would; see `SeatInfo`.
        program: the person has a program play, and nobody looks on from this seat.
    """

    person: str | None = None
    name: str = ""
    bot: str | None = None
    left_by: str | None = None
    away: bool = False
    ready: bool = False
    moves: int = 0
    asks: int | None = None
    returning: bool = False
    patient: bool = False
    lapses: int = 0
    lapsed_at: int | None = None
    laid: int = 0
    used: int = 0
    overdue: bool = False
    face: int = 0
    character: int = 0
    program: bool = False

    def info(self) -> SeatInfo:
        """The seat as everybody sees it."""
        if self.person is not None:
            return SeatInfo(
                kind="person",
                name=self.name,
                bot=None,
                left=False,
                away=self.away,
                ready=self.ready,
                asks=self.asks,
                returning=self.returning,
                patient=self.patient,
                lapses=self.lapses,
                face=self.face,
                program=self.program or UNSET,
            )
        if self.bot is not None:
            left = self.left_by is not None
            name = self.name if left else f"{BOT}{self.bot}"
            return SeatInfo(
                kind="computer",
                name=name,
                bot=self.bot,
                left=left,
                away=False,
                ready=False,
                asks=None,
                face=self.face if left else 0,
                character=self.character,
            )
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
        rested: how many there were when last no trick was in progress and no claim was answered.
        forgotten: how many of them a later one stands for.
        phase: before the start, in a round, between rounds, or after the match.
        match: the match in progress or the last one; None before the first.
        number: the number of the match, from 1; 0 before the first.
        played: the seat each person has held in this match.
        house: what the host has decided.
        guests: everybody who has sat here, as far as it is kept.
        said: how often somebody has said something, as far as it is kept.
        purpose: what the last pack was for.
        ledger: the deals of the match so far; None where it is not dealt fairly.
        dealt: how many packs have been dealt in it.
        resumed: how many steps of it were taken over from another match; 0 for none.
        lesson: the guided round while it is played and until the next one begins.
        undoing: which card may be taken back, and who asks for it.
        rest_of: whose the rest of the round is, while it is laid; None where all play.
        published_from: the first match that began once the table was published, if it is.
    """

    created: events.Created
    places: list[Place]
    sides: tuple[tuple[int, ...], ...]
    wins: list[int]
    last: events.Event
    house: events.House
    guests: set[str] = field(default_factory=set)
    said: int = 0
    version: int = 1
    rested: int = 1
    forgotten: int = 0
    phase: RoomPhase = "open"
    match: Match | None = None
    number: int = 0
    played: dict[str, int] = field(default_factory=dict)
    purpose: PackPurpose | None = None
    ledger: Ledger | None = None
    dealt: int = 0
    resumed: int = 0
    lesson: Lesson | None = None
    undoing: Undoing = field(default_factory=Undoing)
    rest_of: int | None = None
    published_from: int = 1
    _room: Room | None = None
    _round_over: bool = False
    _rounds_before: int = 0

    @classmethod
    def begin(cls, event: events.Created) -> "State":
        """The state after the first event."""
        places = [Place(bot=bot, character=seat) for seat, bot in enumerate(event.seats)]
        sides = find_game(event.game, **event.options).sides
        house = events.House(event.host, starters=event.starters)
        return cls(event, places, sides, wins=[0] * len(places), last=event, house=house)

    # What there is to see.

    def room(self) -> Room:
        """What everybody may know of the table; the same object until something in it changes."""
        if self._room is None:
            self._room = self._room_now()
        return self._room

    def _room_now(self) -> Room:
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
            host=self.seat_of(self.house.host),
            entry=self.house.entry,
            starters=self.house.starters,
            key=self.house.key,
            requests=[
                Request(one.number, one.seat, one.name, one.program or UNSET)
                for one in self.house.requests
            ],
            match_time=made.match_time,
            fair=self._fair(),
            used=[place.used // 1000 for place in self.places],
            writing=self.house.writing,
            published=self.house.published,
            delayed=self.house.delayed,
            undo=self._undo(),
            resumed=self.resumed,
        )

    def _undo(self) -> UndoQuestion | None:
        question = self.undoing.question
        return None if question is None else UndoQuestion(question.seat, self.undo_awaited())

    def _fair(self) -> Fair | None:
        ledger = self.ledger
        if ledger is None:
            return None
        call, void = ledger.call, ledger.void
        return Fair(
            announcement=ledger.announcement.plain(),
            next_pack=ledger.next_pack,
            call=None if call is None else call.plain(),
            void=None if void is None else void.plain(),
            asked=list(ledger.asked),
        )

    def glance(self) -> dict[str, Any]:
        """What a spectator sees of the match, for whoever only looks; {} before the first."""
        return {} if self.match is None else self.match.glance()

    def private(self, seat: int | None) -> dict[str, Any]:
        """What of it a seat sees otherwise, for whoever only looks; {} before the first match."""
        return {} if self.match is None or seat is None else self.match.private(seat)

    def trace(self) -> Trace | None:
        """What of the match the last event has changed; None where it may be anything."""
        match = self.match
        if match is None or isinstance(self.last, RENEWING):
            return None
        return match.trace() if self.actor is not None else NOTHING_SEEN

    @property
    def actor(self) -> int | None:
        """The seat whose action was the last event; None where that was something else."""
        return self.last.seat if isinstance(self.last, events.Acted) else None

    def view(self, seat: int | None) -> dict[str, Any] | None:
        """What a seat or a spectator may know of the match; None before the first."""
        return None if self.match is None else self.match.view(seat)

    def turn(self, seat: int | None) -> Turn | None:
        """What a seat may do now; None when it is not its turn, or another plays for it."""
        match = self.match
        if match is None or seat is None or seat not in match.to_act or self.places[seat].away:
            return None
        if self.rest_of is not None:
            return None
        actions = match.legal(seat)
        legal = list(islice(actions, MOST_LEGAL))
        refused = match.refused(seat)
        why = {card: Refused(one.clause, one.reason) for card, one in refused.items()}
        return Turn(legal, len(actions) > len(legal), why, rest=self.has_rest(seat))

    def has_rest(self, seat: int) -> bool:
        """Whether a seat may take all tricks that are left at once; not in a guided round."""
        return self.match is not None and self.lesson is None and bool(self.match.rest(seat))

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
                events.Created()
                | events.Gathered()
                | events.Started()
                | events.Resumed()
                | events.Rematch()
                | events.Called()
                | events.Settled()
                | events.Admission()
                | events.Starters()
                | events.Writing()
                | events.Published()
                | events.Delayed()
                | events.Relinked()
                | events.Dismissed()
                | events.Resigned()
                | events.Closed()
            ) as event:
                return Happened(KINDS[type(event)])
            case events.Away(seat=away, by=by):
                return Happened("away", away, other=by)
            case events.Said(seat=speaker, phrase=words) | events.Wrote(seat=speaker, text=words):
                return Happened(KINDS[type(self.last)], speaker, words=words)
            case (
                events.Offered()
                | events.Declined()
                | events.Swapped()
                | events.UndoAgreed()
                | events.UndoDeclined()
            ) as event:
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

    def why_taken(self, person: str, seat: int) -> str | None:
        """Why a person who holds no seat cannot have this one; None when it is free for him."""
        place = self.places[seat]
        if place.person is not None:
            return f"seat {seat} is taken by {place.name}"
        if place.bot is not None and place.left_by is None:
            return f"seat {seat} belongs to a computer player"
        # Whoever knows one hand of this match must not get to see another.
        played = self.played.get(person, seat)
        if self.phase in ("playing", "between") and played != seat:
            return f"in this match you may only return to seat {played}"
        return None

    def free_name(self, name: str, of: int | None = None) -> str:
        """The nickname, with a number where another seat but this one goes by it already."""
        others = {place.name.casefold() for seat, place in enumerate(self.places) if seat != of}
        if name.casefold() not in others:
            return name
        numbered = (f"{name} {number}" for number in range(2, len(self.places) + 2))
        return next(one for one in numbered if one.casefold() not in others)

    def admits(self, person: str | None, key: str | None, match: int | None = None) -> bool:
        """Whether a person with this key, or without one, may see the table.

        A published one everybody may see, as long as it is; who sits down there the host decides.
        Matches that began before they may not, though they are told the key.

        Args:
            person: who it is; None for somebody without an identity.
            key: what his link has besides, if anything.
            match: which match of it he wants to see as well.
        """
        house = self.house
        guest = person in self.guests and person not in house.removed
        if person is not None and (guest or person == house.host):
            return True
        if house.published:
            return match is None or match >= self.published_from
        return house.key is None or (
            key is not None and compare_digest(key.encode(), house.key.encode())
        )

    def record(self) -> Record | None:
        """The record of the match that is over; None while one runs or none was played."""
        return self.match.record() if self.match is not None and self.match.over else None

    @property
    def finished(self) -> Finished:
        """What has been finished here, in any match."""
        if self.match is None:
            return "nothing"
        if self.match.over or self.number > 1:
            return "match"
        return "round" if self._round_over else "nothing"

    @property
    def at_rest(self) -> bool:
        """Whether no trick is in progress and no claim is being answered."""
        return self.phase != "playing" or self.match is None or not self.match.under_way

    # What may be taken back.

    @property
    def undoable(self) -> int | None:
        """The seat whose person may ask to take his last card back; None where nobody may."""
        seat, match = self.undoing.whose, self.match
        if seat is None or match is None or self.phase != "playing" or match.needs_pack:
            return None
        if self.lesson is not None:
            return None
        return seat if self.is_present(seat) else None

    def undo_awaited(self) -> list[int]:
        """The seats whose people have still to say whether a card is taken back."""
        question = self.undoing.question
        if question is None:
            return []
        answered = {question.seat, *question.agreed}
        seats = range(len(self.places))
        return [seat for seat in seats if self.looks_on(seat) and seat not in answered]

    # Who is waited for.

    def awaited(self) -> list[int]:
        """The seats whose people the table waits for.

        Between rounds and after the match nobody is waited for until the first of them is ready:
        a person, if one holds a seat. A program is ready at once, and people want to look.
        """
        return [seat for seat in self._due() if self.is_present(seat)]

    def timed(self) -> dict[int, tuple[int, float]]:
        """The turns whose time runs: for each seat a number for the occasion, and its seconds.

        The number changes when the seat has done something, and by nothing else: who goes away,
        comes back or changes places has the time that is left. Empty without a thinking time.
        """
        if self.created.thinking_time is None and self.created.match_time is None:
            return {}
        return {seat: (self.places[seat].moves, self.allowance(seat)) for seat in self._due()}

    def allowance(self, seat: int) -> float:
        """Seconds a seat's person has for the present turn, more before his first card.

        Whoever has used up the time of the match has a few for each turn.
        """
        made, place = self.created, self.places[seat]
        times = PATIENT_TIMES if place.patient else 1
        seconds = inf if made.thinking_time is None else float(made.thinking_time * times)
        if self.phase == "playing" and not place.laid:
            seconds *= FIRST_TIMES
        if made.match_time is None or self.phase != "playing":
            return seconds
        return min(seconds, max(LAST_SECONDS, made.match_time * times - place.used / 1000))

    def _due(self) -> Sequence[int]:
        if self.phase == "playing":
            return self.match.to_act if self.match is not None else ()
        if self.phase in ("between", "over") and self._somebody_ready():
            return [seat for seat, place in enumerate(self.places) if not place.ready]
        return ()

    def may_be_back(self, seat: int) -> bool:
        """Whether a person for whom the computer plays may go on himself now.

        Between two tricks, or two turns where there are none; the turn at which the computer took
        over is played by it. Who has let several turns of a match pass goes on in the next round.
        """
        place, match = self.places[seat], self.match
        if self.phase != "playing" or match is None:
            return True
        if place.lapses >= MOST_LAPSES or match.trick:
            return False
        return seat not in match.to_act or place.moves != place.lapsed_at

    def is_overdue(self, seat: int) -> bool:
        """Whether the time of a person who is away has run out in this pause, and would again.

        Who comes back then is ready, or he would be sent away at once, and again at every return.
        """
        return self.places[seat].overdue and seat in self._due()

    def computer_turn(self) -> tuple[int, str] | None:
        """The seat for which the computer is to act now, and the name of its player."""
        if self.phase != "playing" or self.match is None or self.hint_unread:
            return None
        if self.undoing.question is not None:
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
        view = self.glance()
        if not view or view["phase"] != "play":
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

    def looks_on(self, seat: int) -> bool:
        """Whether somebody plays a seat himself who is no program: who sees and wants to see."""
        return self.is_present(seat) and not self.places[seat].program

    def _is_persons(self, seat: int) -> bool:
        """Whether a seat is a person's in this match, though the computer may play for him."""
        place = self.places[seat]
        return place.person is not None or place.left_by is not None

    def _somebody_ready(self) -> bool:
        """Whether somebody asks to go on whose wish counts: a program's where it is among its own.

        Else programs would play on, match after match, at the table of people who have gone.
        """
        people = any(place.person is not None and not place.program for place in self.places)
        return any(place.ready and not (people and place.program) for place in self.places)

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
        phase, question = self.phase, self.undoing.question
        self._change(event)
        self._end_question()
        # A card more or less changes nothing of the room, and most events are cards.
        same = self.phase == phase and self.undoing.question is question
        card = isinstance(event, events.Acted) and not event.took and same
        if not card and not isinstance(event, TALK):
            self._room = None
        self.last = event
        self.version += 1
        if self.at_rest:
            self.rested = self.version

    def _end_question(self) -> None:
        """Whoever asks for his card and then plays no longer himself asks no more."""
        question = self.undoing.question
        if question is not None and not (
            self.phase == "playing" and self.is_present(question.seat)
        ):
            self.undoing.end(refused=False)

    def _change(self, event: events.Event) -> None:
        match event:
            case events.Acted(seat, action, by, took):
                self._do(seat, action, person=by == "person")
                self.places[seat].used += took
            case events.Created():
                raise ValueError("a table is created once")
            case events.Started() | events.Rematch() | events.Resumed():
                self._begin_match(event)
            case events.Called() | events.Settled():
                self._decide_pack(event)
            case events.Pack(cards):
                self._open_pack(cards)
            case (
                events.Ready()
                | events.Said()
                | events.Wrote()
                | events.RestTaken()
                | events.UndoAsked()
                | events.UndoAgreed()
                | events.UndoDeclined()
                | events.UndoWithdrawn()
                | events.UndoLapsed()
                | events.Undone()
            ):
                self._hear(event)
            case events.Away() | events.Returning() | events.Back():
                self._come_or_go(event)
            case events.Gathered():
                self._gather(event)
            case (
                events.Patience()
                | events.Admission()
                | events.Starters()
                | events.Writing()
                | events.Published()
                | events.Delayed()
                | events.Relinked()
                | events.Asked()
                | events.Dismissed()
                | events.Removed()
                | events.Given()
                | events.Closed()
            ):
                self._rule(event)
            case _:
                self._change_seats(event)

    def _settle_undo(self, event: events.Undoing) -> None:
        """Takes in what is asked about the last card, or takes it back."""
        match event:
            case events.UndoAsked(seat):
                self.undoing.ask(seat)
            case events.UndoAgreed(seat):
                self.undoing.agree(seat)
            case events.UndoDeclined() | events.UndoLapsed():
                self.undoing.end(refused=True)
            case events.UndoWithdrawn():
                self.undoing.end(refused=False)
            case events.Undone(actions=actions):
                self._take_back(actions)

    def _take_back(self, actions: int) -> None:
        played = self.undoing.played
        if self.match is None or len(played) != actions:
            raise ValueError("no more is taken back than a person's last card and what came of it")
        self.match.take_back(actions)
        for seat in played:
            self.places[seat].laid -= 1
        # Whatever anybody had to decide, he decides anew; what was thought of it holds no more.
        for place in self.places:
            place.lapsed_at = None if place.lapsed_at != place.moves else place.moves + 1
            place.moves += 1
        self.undoing.forget()

    def _hear(
        self,
        event: events.Ready | events.Said | events.Wrote | events.RestTaken | events.Undoing,
    ) -> None:
        """Takes in what a person says: to go on, of the rest or the last card, or anything else."""
        match event:
            case events.Ready(seat):
                self._go_on(seat)
            case events.RestTaken(seat):
                self.rest_of = seat
                self.undoing.forget()
            case events.Said() | events.Wrote():
                self.said += 1
            case _:
                self._settle_undo(event)

    def nicknames(self, seat: int) -> set[str]:
        """What people at a seat go by: who holds it, and who has played the match from there."""
        played = self.match.players[seat] if self.match is not None else ""
        return {name for name in (self.places[seat].name, played) if not name.startswith(BOT)} - {
            ""
        }

    def renamed(self, players: Sequence[str], event: events.Renamed) -> list[str]:
        """The players of a match, or of one before it, without the names this event takes away.

        Args:
            players: what they go by until then.
            event: what happens next at the table.
        """
        taken = self.nicknames(event.seat)
        return [event.name if name in taken else name for name in players]

    def rename(self, seat: int, name: str) -> None:
        """Has people at a seat go by this name: now, or in a table as it was before."""
        self._room = None
        if self.places[seat].name:
            self.places[seat].name = name
        if self.match is not None and not self.match.players[seat].startswith(BOT):
            self.match.rename(seat, name)

    def _come_or_go(self, event: events.Away | events.Returning | events.Back) -> None:
        place = self.places[event.seat]
        match event:
            case events.Away(_, by, took):
                place.away, place.returning, place.ready = True, False, False
                place.used += took
                place.overdue = by is None and self.phase != "playing"
                if self.phase == "playing":
                    place.lapses += by is None
                    place.lapsed_at = place.moves
            case events.Returning():
                place.returning = True
            case events.Back():
                place.away = place.returning = place.overdue = False

    def _rule(
        self,
        event: events.Patience
        | events.Admission
        | events.Starters
        | events.Writing
        | events.Published
        | events.Delayed
        | events.Relinked
        | events.Asked
        | events.Dismissed
        | events.Removed
        | events.Given
        | events.Closed,
    ) -> None:
        """Takes in what the host has decided, or was asked to decide."""
        house = self.house
        match event:
            case events.Patience(seat, patient):
                self.places[seat].patient = patient
            case (
                events.Admission()
                | events.Starters()
                | events.Writing()
                | events.Published()
                | events.Delayed()
                | events.Relinked()
            ) as ruled:
                self.house = _ruled(house, ruled)
                if isinstance(ruled, events.Published):
                    self.published_from = self.number + 1
            case events.Asked(number):
                self.house = replace(house, asked=number, requests=[*house.requests, event])
            case events.Dismissed(number):
                self._answered(lambda one: one.number == number)
            case events.Removed(seat):
                person = self.places[seat].person
                assert person is not None
                self.house = replace(house, removed=[*house.removed, person])
                self._leave_seat(seat)
            case events.Given(seat, bot):
                self._give(seat, bot)
            case events.Closed():
                self.house = replace(house, requests=[])
                self.phase = "closed"

    def _answered(self, which: Callable[[events.Asked], bool]) -> None:
        """Strikes off requests to be let in."""
        left = [one for one in self.house.requests if not which(one)]
        self.house = replace(self.house, requests=left)

    def gathered(self) -> events.Gathered:
        """The event that stands for all that has led to the seats as they are held now."""
        seats = [
            events.Held(
                place.person,
                place.name,
                place.bot,
                place.moves,
                place.asks,
                place.patient,
                place.face,
                None if place.character == seat else place.character,
                place.program,
            )
            for seat, place in enumerate(self.places)
        ]
        return events.Gathered(self.version + 1, seats, self.house)

    def _gather(self, event: events.Gathered) -> None:
        if self.phase != "open" or event.version <= self.version:
            raise ValueError("seats are gathered before the first match, and for what has been")
        self.places = [
            Place(
                held.person,
                held.name,
                held.bot,
                moves=held.moves,
                asks=held.asks,
                patient=held.patient,
                face=held.face,
                character=seat if held.character is None else held.character,
                program=held.program,
            )
            for seat, held in enumerate(event.seats)
        ]
        self.house = event.house
        self.guests = {place.person for place in self.places if place.person is not None}
        self.played.clear()
        self.said = 0
        self.version = event.version - 1
        self.forgotten = event.version - 2

    def _change_seats(
        self,
        event: events.Sat
        | events.Stood
        | events.Offered
        | events.Declined
        | events.Withdrew
        | events.Swapped
        | events.Renamed
        | events.Resigned,
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
            case events.Swapped():
                self._swap_seats(event)
            case events.Renamed(seat, name):
                self.rename(seat, name)
            case events.Resigned():
                self.house = replace(self.house, host=self.next_host())

    def _take_seat(self, event: events.Sat) -> None:
        place = self.places[event.seat]
        if place.left_by != event.person:
            self.wins[event.seat] = 0
        same = place.left_by == event.person
        self.places[event.seat] = Place(
            event.person,
            event.name,
            moves=place.moves,
            laid=place.laid,
            lapsed_at=place.lapsed_at,
            lapses=place.lapses if same else 0,
            used=place.used if same else 0,
            face=event.face,
            character=place.character,
            program=event.program,
        )
        self.played[event.person] = event.seat
        self.guests.add(event.person)
        self._answered(lambda one: one.person == event.person)
        removed = [one for one in self.house.removed if one != event.person]
        host = self.house.host or (None if event.program else event.person)
        self.house = replace(self.house, host=host, removed=removed)

    def _leave_seat(self, seat: int) -> None:
        place = self.places[seat]
        self._end_offers(seat)
        self.undoing.left(seat)
        if self.phase in ("open", "over"):
            self.places[seat] = Place(moves=place.moves, character=place.character)
            self.wins[seat] = 0
        else:
            self.places[seat] = Place(
                name=place.name,
                bot=self.created.stand_in,
                left_by=place.person,
                moves=place.moves,
                laid=place.laid,
                lapsed_at=place.lapsed_at,
                lapses=place.lapses,
                used=place.used,
                face=place.face,
                character=place.character,
            )
        self._pass_on(place.person)

    def _pass_on(self, person: str | None) -> None:
        """Makes the next person at the table the host when the host has left his seat."""
        following = self.next_host()
        if person is not None and person == self.house.host and following is not None:
            self.house = replace(self.house, host=following)

    def next_host(self) -> str | None:
        """The first person at the table besides the host; None where there is nobody else."""
        people = (
            place.person for place in self.places if place.person is not None and not place.program
        )
        return next((person for person in people if person != self.house.host), None)

    def _swap_seats(self, event: events.Swapped) -> None:
        seat, other = event.seat, event.other
        self._end_offers(seat, other)
        one, two = self.places[seat], self.places[other]
        self.places[seat], self.places[other] = two, one
        if not event.characters:
            one.character, two.character = two.character, one.character

    def _end_offers(self, *seats: int) -> None:
        """Ends the offers that people of these seats made or were made."""
        for seat, place in enumerate(self.places):
            if seat in seats or place.asks in seats:
                place.asks = None

    def _give(self, seat: int, bot: str | None) -> None:
        place = self.places[seat]
        self.places[seat] = Place(bot=bot, moves=place.moves, character=place.character)

    def _begin_match(self, event: events.Started | events.Rematch | events.Resumed) -> None:
        self._end_offers(*range(len(self.places)))
        for seat, bot in event.computers.items():
            self._give(seat, bot)
        for place in self.places:
            place.lapses, place.lapsed_at, place.used = 0, None, 0
        self.played = {
            place.person: seat for seat, place in enumerate(self.places) if place.person is not None
        }
        game = find_game(self.created.game, **self.created.options)
        self.match = Match(game, [place.info().name for place in self.places])
        self.number += 1
        self.dealt, self.ledger, self._round_over = 0, None, False
        self.resumed = self._rounds_before = 0
        if not isinstance(event, events.Resumed) and event.seed is not None:
            which = MatchId.of(self.created.table, self.number)
            self.ledger = Ledger.begin(bytes.fromhex(event.seed), which, len(self.places))
        first = self.created.guided and self.number == 1
        self.lesson = Lesson.of(guide(game.name)) if first else None
        self._begin_round()
        if isinstance(event, events.Resumed):
            self._take_over(event.log)

    def _take_over(self, log: Sequence[tuple[int | str, str]]) -> None:
        """Has everything happen in this match that had happened in another one."""
        for actor, text in log:
            if isinstance(actor, int):
                self._do(actor, text, person=False)
            else:
                self._open_pack(text)
        match = self.match
        if match is None or not match.to_act:
            raise ValueError("a match is resumed where somebody is to act")
        self.resumed = len(log)
        match.about = {"resumed": self.resumed}
        # What was played elsewhere is not worth keeping this table for.
        self._rounds_before, self._round_over = len(match.glance()["rounds"]), False

    def _begin_round(self) -> None:
        self.phase = "playing"
        self.undoing = Undoing()
        for place in self.places:
            place.ready = place.overdue = False
            place.laid = 0

    def _decide_pack(self, event: events.Called | events.Settled) -> None:
        if self.ledger is None:
            raise ValueError("this match is not dealt fairly")
        match event:
            case events.Called(call):
                self.ledger = self.ledger.called(Call.read(call))
            case events.Settled(openings):
                self.ledger = self.ledger.settled(
                    {int(seat): bytes.fromhex(text) for seat, text in openings.items()}
                )

    def _open_pack(self, cards: str) -> None:
        assert self.match is not None
        self.dealt += 1
        self.undoing.forget()
        before = self.match.glance()
        self.purpose = before["phase"]
        self.match.shuffle(cards)
        if self.phase == "between":
            self._begin_round()
        if self.match.over or self.match.needs_pack:
            after = self.match.glance()
            # A draw that decides a round is its end (MW8).
            if len(after["rounds"]) > len(before["rounds"]):
                self._end_round(self.match, after["phase"], len(after["rounds"]))
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

    def _do(self, seat: int, action: str, *, person: bool) -> None:
        match = self.match
        assert match is not None
        match.act(seat, action)
        # As the game writes it, whatever was sent.
        done = match.told(seat)
        self.places[seat].moves += 1
        self.places[seat].laid += done.startswith(LAYING)
        # A stand-in lays what is in a person's hand, which nobody may see and then decide anew.
        goes_back = match.goes_back and (person or not self._is_persons(seat))
        # What is laid with the rest of a round shows the hands of all others.
        goes_back = goes_back and self.rest_of is None
        self.undoing.acted(seat, person=person, goes_back=goes_back)
        if self.lesson is not None and not self.lesson.over:
            seen = match.view(LEARNER), match.legal(LEARNER)
            self.lesson = self.lesson.after_action(seat, match.told(seat), *seen)
        # Only now a round may have ended, and all of them are looked at.
        if match.over or match.needs_pack:
            glance = match.glance()
            self._end_round(match, glance["phase"], len(glance["rounds"]))

    def _end_round(self, match: Match, phase: str, rounds: int) -> None:
        self.rest_of = None
        self._round_over = rounds > self._rounds_before
        if match.over:
            self.phase = "over"
            if self.ledger is not None:
                match.fair = self.ledger.evidence().plain()
            self._open_left_seats()
            for winner in match.winners:
                self.wins[winner] += 1
        elif phase == "deal":
            self.phase = "between"

    def _open_left_seats(self) -> None:
        for seat, place in enumerate(self.places):
            if place.left_by is not None:
                self.places[seat] = Place(moves=place.moves, character=place.character)


def _ruled(
    house: events.House,
    event: events.Admission
    | events.Starters
    | events.Writing
    | events.Published
    | events.Delayed
    | events.Relinked,
) -> events.House:
    """The house after the host has decided something that is about no seat."""
    match event:
        case events.Admission(entry):
            return replace(house, entry=entry)
        case events.Starters(who):
            return replace(house, starters=who)
        case events.Writing(allowed):
            return replace(house, writing=allowed)
        case events.Published(published):
            return replace(house, published=published)
        case events.Delayed(delayed):
            return replace(house, delayed=delayed)
        case events.Relinked(key):
            return replace(house, key=key, requests=[])
