"""The state of a table: its seats, settings and match, as a fold over its events.

`apply` applies one event to the state; the other methods say what readers may see and for whom the
table waits. Nothing is decided here: the events in the log are decisions already made.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hmac import compare_digest
from itertools import islice
from math import inf
from typing import Any, Literal

from msgspec import UNSET
from msgspec.structs import replace

from jasstisch.fairness import Ledger, MatchId, PackCall
from jasstisch.games import game as find_game
from jasstisch.games.rules import ViewDelta
from jasstisch.match.match import Match
from jasstisch.match.record import Record
from jasstisch.table import events
from jasstisch.table.room import (
    CardRefusal,
    EntryRequest,
    EventInfo,
    EventKind,
    FairDealState,
    PackPurpose,
    Room,
    RoomPhase,
    SeatInfo,
    Turn,
    TutorialHint,
    UndoRequest,
)
from jasstisch.table.undo_state import UndoState
from jasstisch.tutorials import LEARNER_SEAT, TutorialSession, get_tutorial

__all__ = ["MAX_LISTED_ACTIONS", "Progress", "Seat", "State"]

Progress = Literal["nothing", "round", "match"]
"""The furthest progress at a table, which decides how long it is kept."""

BOT_PREFIX = "bot:"
"""The prefix of a bot's player name; no person's name has it."""

MAX_TIMEOUTS = 3
"""Missed turns in a match from which a bot plays on to the end of the round, each time."""

EXTENDED_TIME_FACTOR = 3
"""The factor of extended thinking time, for the turn and for the total time of the match."""

FIRST_CARD_TIME_FACTOR = 2
"""The factor of the thinking time for the first card of a round and the decisions before it."""

MIN_TURN_TIME_S = 5.0
"""Seconds for a turn of a person who has used up the time of the match."""

CARD_ACTION_PREFIXES = ("play ", "lay ")
"""The prefixes of actions that play or lay cards."""

MAX_LISTED_ACTIONS = 200
"""The most legal actions that a turn or an error lists; no trick-taking game has more."""

KINDS: dict[type, EventKind] = {
    events.TableCreated: "created",
    events.SeatTaken: "sat",
    events.SeatLeft: "stood",
    events.SwapOffered: "offered",
    events.SwapDeclined: "declined",
    events.SwapWithdrawn: "withdrew",
    events.SeatsSwapped: "swapped",
    events.LobbyCompacted: "gathered",
    events.MatchStarted: "started",
    events.MatchResumed: "started",
    events.RematchStarted: "rematch",
    events.PackCalled: "called",
    events.OpeningsClosed: "settled",
    events.RestClaimed: "rest_taken",
    events.UndoRequested: "undo_asked",
    events.UndoAgreed: "undo_agreed",
    events.UndoDeclined: "undo_declined",
    events.UndoWithdrawn: "undo_withdrawn",
    events.UndoExpired: "undo_lapsed",
    events.Undone: "undone",
    events.Ready: "ready",
    events.BotTookOver: "away",
    events.ReturnRequested: "returning",
    events.ControlResumed: "back",
    events.ExtendedTimeSet: "patience",
    events.EntryPolicySet: "admission",
    events.StartPolicySet: "starters",
    events.ChatPolicySet: "writing",
    events.PublishedSet: "published",
    events.SpectatorDelaySet: "delayed",
    events.LinkRevoked: "relinked",
    events.EntryRequested: "asked",
    events.EntryRequestClosed: "dismissed",
    events.PersonRemoved: "removed",
    events.SeatAssigned: "given",
    events.HostResigned: "resigned",
    events.NicknameReplaced: "renamed",
    events.PhraseSaid: "said",
    events.ChatWritten: "wrote",
    events.TableClosed: "closed",
}
"""The kind of each event in messages to readers."""


VIEW_RESET_EVENTS = (
    *(
        events.TableCreated,
        events.MatchStarted,
        events.RematchStarted,
        events.PackDealt,
        events.NicknameReplaced,
    ),
    *(events.LobbyCompacted, events.Undone, events.MatchResumed),
)
"""The events that change the match in other ways than by an action."""

CHAT_EVENTS = (events.PhraseSaid, events.ChatWritten)
"""The chat events, which change neither the match nor the room."""

NO_DELTA = ViewDelta({}, {}, hand_only=False)


@dataclass(slots=True)
class Seat:
    """One seat.

    Attributes:
        person: the person who holds it, None for a bot or an open seat.
        name: the person's nickname, kept after they leave.
        bot: the bot that holds the seat.
        vacated_by: the person who left during the match and for whom a bot plays.
        is_away: whether a bot plays for the person until they are back.
        returning: whether the person will be back as soon as that is allowed.
        ready: whether the person is ready for the next round or the rematch.
        action_count: the number of things the seat has done; each restarts its thinking time.
        swap_target: the seat of the person whom this one asks to swap.
        has_extended_time: whether the person has three times the thinking time.
        timeouts: the number of turns of this match that the person missed.
        timed_out_at: the value of `action_count` when a bot last took over.
        cards_played: the number of cards the seat has played in this round.
        time_used_ms: milliseconds of the person's turns of this match, where it has a total time.
        pause_expired: whether the person let the time of this pause run out, between rounds or
            after the match.
        face: the person's face, kept after they leave.
        character: the number of the bot that holds the seat or would; see `SeatInfo`.
        is_program: whether a program plays for the person, so that no human watches from this seat.
    """

    person: str | None = None
    name: str = ""
    bot: str | None = None
    vacated_by: str | None = None
    is_away: bool = False
    ready: bool = False
    action_count: int = 0
    swap_target: int | None = None
    returning: bool = False
    has_extended_time: bool = False
    timeouts: int = 0
    timed_out_at: int | None = None
    cards_played: int = 0
    time_used_ms: int = 0
    pause_expired: bool = False
    face: int = 0
    character: int = 0
    is_program: bool = False

    def info(self) -> SeatInfo:
        """The seat as everybody sees it."""
        if self.person is not None:
            return SeatInfo(
                kind="person",
                name=self.name,
                bot=None,
                left=False,
                away=self.is_away,
                ready=self.ready,
                asks=self.swap_target,
                returning=self.returning,
                patient=self.has_extended_time,
                lapses=self.timeouts,
                face=self.face,
                program=self.is_program or UNSET,
            )
        if self.bot is not None:
            left = self.vacated_by is not None
            name = self.name if left else f"{BOT_PREFIX}{self.bot}"
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
    """The state of a table after the events so far.

    Attributes:
        created: the first event.
        seats: the seats.
        sides: the seats of each side.
        wins: matches won, per seat.
        last_event: the last event.
        host_settings: the settings of the host.
        known_persons: all people who have sat here, in the events still kept.
        chat_count: the number of chat events still kept.
        version: the number of events.
        quiescent_version: the last version at which no trick was in progress and no claim was being
            answered.
        compacted_until: the number of events that a later one has replaced.
        phase: before the start, in a round, between rounds, or after the match.
        match: the match in progress or the last one; None before the first.
        match_number: the number of the match, from 1; 0 before the first.
        seat_by_person: the seat each person has held in this match.
        pack_purpose: the purpose of the last pack.
        ledger: the verifiable deals of the match; None where its deals are not verifiable.
        packs_dealt: the number of packs dealt in it.
        resumed_steps: the number of steps taken over from another match; 0 for none.
        lesson: the tutorial session while it is played and until the next round begins.
        undo_state: the card that may be undone, and the request to undo it.
        rest_claimed_by: the seat that claimed the rest of the round, while it is played out; else
            None.
        first_public_match: the first match that began after the table was published, if it is.
    """

    created: events.TableCreated
    seats: list[Seat]
    sides: tuple[tuple[int, ...], ...]
    wins: list[int]
    last_event: events.Event
    host_settings: events.HostSettings
    known_persons: set[str] = field(default_factory=set)
    chat_count: int = 0
    version: int = 1
    quiescent_version: int = 1
    compacted_until: int = 0
    phase: RoomPhase = "open"
    match: Match | None = None
    match_number: int = 0
    seat_by_person: dict[str, int] = field(default_factory=dict)
    pack_purpose: PackPurpose | None = None
    ledger: Ledger | None = None
    packs_dealt: int = 0
    resumed_steps: int = 0
    lesson: TutorialSession | None = None
    undo_state: UndoState = field(default_factory=UndoState)
    rest_claimed_by: int | None = None
    first_public_match: int = 1
    _room: Room | None = None
    _has_finished_round: bool = False
    _rounds_before: int = 0

    @classmethod
    def from_created(cls, event: events.TableCreated) -> "State":
        """The state after the first event."""
        places = [Seat(bot=bot, character=seat) for seat, bot in enumerate(event.seats)]
        sides = find_game(event.game, **event.options).sides
        house = events.HostSettings(event.host, starters=event.starters)
        wins = [0] * len(places)
        return cls(event, places, sides, wins=wins, last_event=event, host_settings=house)

    # Room and views.

    def room(self) -> Room:
        """The public information about the table; the same object until it changes."""
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
            seats=[place.info() for place in self.seats],
            thinking_time=made.thinking_time,
            pause=made.pause,
            number=self.match_number,
            wins=list(self.wins),
            guided=made.guided,
            hints=made.hints,
            stand_in=made.stand_in,
            sides=[list(side) for side in self.sides],
            host=self.seat_of(self.host_settings.host),
            entry=self.host_settings.entry,
            starters=self.host_settings.starters,
            key=self.host_settings.key,
            requests=[
                EntryRequest(one.number, one.seat, one.name, one.program or UNSET)
                for one in self.host_settings.requests
            ],
            match_time=made.match_time,
            fair=self._fair_state(),
            used=[place.time_used_ms // 1000 for place in self.seats],
            writing=self.host_settings.writing,
            published=self.host_settings.published,
            delayed=self.host_settings.delayed,
            undo=self._undo_request(),
            resumed=self.resumed_steps,
        )

    def _undo_request(self) -> UndoRequest | None:
        question = self.undo_state.pending
        return None if question is None else UndoRequest(question.seat, self.undo_voters())

    def _fair_state(self) -> FairDealState | None:
        ledger = self.ledger
        if ledger is None:
            return None
        call, void = ledger.call, ledger.last_void_attempt
        return FairDealState(
            announcement=ledger.announcement.to_json(),
            next_pack=ledger.next_pack,
            call=None if call is None else call.to_json(),
            void=None if void is None else void.to_json(),
            asked=list(ledger.asked),
        )

    def spectator_view(self) -> dict[str, Any]:
        """The spectator's view of the match, read-only; {} before the first match."""
        return {} if self.match is None else self.match.spectator_view()

    def private_view(self, seat: int | None) -> dict[str, Any]:
        """The part in which a seat's view differs, read-only; {} before the first match."""
        return {} if self.match is None or seat is None else self.match.private_view(seat)

    def last_delta(self) -> ViewDelta | None:
        """The changes of the last event in the match; None where anything may have changed."""
        match = self.match
        if match is None or isinstance(self.last_event, VIEW_RESET_EVENTS):
            return None
        return match.last_delta() if self.last_event_actor is not None else NO_DELTA

    @property
    def last_event_actor(self) -> int | None:
        """The seat whose action was the last event; None where that was not an action."""
        return self.last_event.seat if isinstance(self.last_event, events.Acted) else None

    def view(self, seat: int | None) -> dict[str, Any] | None:
        """The view of the match for a seat or a spectator; None before the first match."""
        return None if self.match is None else self.match.view(seat)

    def turn(self, seat: int | None) -> Turn | None:
        """The turn of a seat; None when it is not its turn, or a bot plays for it."""
        match = self.match
        if match is None or seat is None or seat not in match.to_act or self.seats[seat].is_away:
            return None
        if self.rest_claimed_by is not None:
            return None
        actions = match.legal(seat)
        legal = list(islice(actions, MAX_LISTED_ACTIONS))
        refused = match.card_refusals(seat)
        why = {card: CardRefusal(one.clause, one.reason) for card, one in refused.items()}
        return Turn(legal, len(actions) > len(legal), why, rest=self.can_claim_rest(seat))

    def can_claim_rest(self, seat: int) -> bool:
        """Whether a seat may claim all remaining tricks; never in a tutorial."""
        return self.match is not None and self.lesson is None and bool(self.match.sure_tricks(seat))

    def tutorial_hint(self, seat: int | None) -> TutorialHint | None:
        """The tutorial hint for a seat now."""
        lesson, match = self.lesson, self.match
        if lesson is None or lesson.message is None or match is None or seat != LEARNER_SEAT:
            return None
        suggest = lesson.suggestion(match.legal(LEARNER_SEAT))
        return TutorialHint(
            lesson.message.id, dict(lesson.message.values), suggest, lesson.is_paused
        )

    def describe_last(self, seat: int | None) -> EventInfo:
        """The last event as a seat or a spectator may see it."""
        match self.last_event:
            case events.Acted(seat=actor, by=by):
                assert self.match is not None
                return EventInfo("acted", actor, self.match.describe_last_action(seat), by)
            case events.PackDealt():
                return EventInfo("pack", pack=self.pack_purpose)
            case (
                events.TableCreated()
                | events.LobbyCompacted()
                | events.MatchStarted()
                | events.MatchResumed()
                | events.RematchStarted()
                | events.PackCalled()
                | events.OpeningsClosed()
                | events.EntryPolicySet()
                | events.StartPolicySet()
                | events.ChatPolicySet()
                | events.PublishedSet()
                | events.SpectatorDelaySet()
                | events.LinkRevoked()
                | events.EntryRequestClosed()
                | events.HostResigned()
                | events.TableClosed()
            ) as event:
                return EventInfo(KINDS[type(event)])
            case events.BotTookOver(seat=away, by=by):
                return EventInfo("away", away, other=by)
            case (
                events.PhraseSaid(seat=speaker, phrase=words)
                | events.ChatWritten(seat=speaker, text=words)
            ):
                return EventInfo(KINDS[type(self.last_event)], speaker, words=words)
            case (
                events.SwapOffered()
                | events.SwapDeclined()
                | events.SeatsSwapped()
                | events.UndoAgreed()
                | events.UndoDeclined()
            ) as event:
                return EventInfo(KINDS[type(event)], event.seat, other=event.other)
            case event:
                return EventInfo(KINDS[type(event)], event.seat)

    def seat_of(self, person: str | None) -> int | None:
        """The seat a person holds; None when they hold none."""
        if person is None:
            return None
        for seat, place in enumerate(self.seats):
            if place.person is not None and compare_digest(place.person, person):
                return seat
        return None

    def seat_refusal(self, person: str, seat: int) -> str | None:
        """Why a person without a seat cannot take this one; None when it is free for them."""
        place = self.seats[seat]
        if place.person is not None:
            return f"seat {seat} is taken by {place.name}"
        if place.bot is not None and place.vacated_by is None:
            return f"seat {seat} belongs to a computer player"
        # A person who knows one hand of this match must not see another.
        played = self.seat_by_person.get(person, seat)
        if self.phase in ("playing", "between") and played != seat:
            return f"in this match you may only return to seat {played}"
        return None

    def unique_name(self, name: str, of: int | None = None) -> str:
        """The nickname, with a number where another seat than `of` already uses it."""
        others = {place.name.casefold() for seat, place in enumerate(self.seats) if seat != of}
        if name.casefold() not in others:
            return name
        numbered = (f"{name} {number}" for number in range(2, len(self.seats) + 2))
        return next(one for one in numbered if one.casefold() not in others)

    def may_access(self, person: str | None, key: str | None, match: int | None = None) -> bool:
        """Whether a person with this key, or without one, may see the table.

        Everybody may see a published table while it is published, but not the matches that began
        before, although the room shows them the key. The host decides who sits down there.

        Args:
            person: the person; None for a reader without an identity.
            key: the key of the link, if any.
            match: the number of a match that they also want to see.
        """
        house = self.host_settings
        guest = person in self.known_persons and person not in house.removed
        if person is not None and (guest or person == house.host):
            return True
        if house.published:
            return match is None or match >= self.first_public_match
        return house.key is None or (
            key is not None and compare_digest(key.encode(), house.key.encode())
        )

    def record(self) -> Record | None:
        """The record of the match that is over; None while one runs or none was played."""
        return self.match.record() if self.match is not None and self.match.over else None

    @property
    def progress(self) -> Progress:
        """The progress of the table, over all matches."""
        if self.match is None:
            return "nothing"
        if self.match.over or self.match_number > 1:
            return "match"
        return "round" if self._has_finished_round else "nothing"

    @property
    def is_quiescent(self) -> bool:
        """Whether no trick is in progress and no claim is being answered."""
        return self.phase != "playing" or self.match is None or not self.match.trick_in_progress

    # Undo.

    @property
    def undoable_by(self) -> int | None:
        """The seat whose person may ask to undo their last card; None where no seat may."""
        seat, match = self.undo_state.eligible_seat, self.match
        if seat is None or match is None or self.phase != "playing" or match.needs_pack:
            return None
        if self.lesson is not None:
            return None
        return seat if self.is_present(seat) else None

    def undo_voters(self) -> list[int]:
        """The seats whose people have not yet answered the undo request."""
        question = self.undo_state.pending
        if question is None:
            return []
        answered = {question.seat, *question.agreed}
        seats = range(len(self.seats))
        return [seat for seat in seats if self.is_human_active(seat) and seat not in answered]

    # Turns, clocks and bots.

    def waiting_for(self) -> list[int]:
        """The seats whose people the table waits for.

        Between rounds and after the match the wait begins when the first is ready. That must be a
        human if one holds a seat, because a program is ready at once and humans want to look.
        """
        return [seat for seat in self._pending_seats() if self.is_present(seat)]

    def running_clocks(self) -> dict[int, tuple[int, float]]:
        """The running clocks: for each seat a number that identifies the turn, and its seconds.

        The number changes only when the seat has acted. A person who leaves, returns or changes
        seats has the time that is left. Empty without a thinking time.
        """
        if self.created.thinking_time is None and self.created.match_time is None:
            return {}
        return {
            seat: (self.seats[seat].action_count, self.time_budget(seat))
            for seat in self._pending_seats()
        }

    def time_budget(self, seat: int) -> float:
        """Seconds a seat's person has for the present turn, more before their first card.

        A person who has used up the time of the match has a few seconds for each turn.
        """
        made, place = self.created, self.seats[seat]
        times = EXTENDED_TIME_FACTOR if place.has_extended_time else 1
        seconds = inf if made.thinking_time is None else float(made.thinking_time * times)
        if self.phase == "playing" and not place.cards_played:
            seconds *= FIRST_CARD_TIME_FACTOR
        if made.match_time is None or self.phase != "playing":
            return seconds
        return min(
            seconds, max(MIN_TURN_TIME_S, made.match_time * times - place.time_used_ms / 1000)
        )

    def _pending_seats(self) -> Sequence[int]:
        if self.phase == "playing":
            return self.match.to_act if self.match is not None else ()
        if self.phase in ("between", "over") and self._anyone_ready():
            return [seat for seat, place in enumerate(self.seats) if not place.ready]
        return ()

    def can_return(self, seat: int) -> bool:
        """Whether a person for whom a bot plays may play again now.

        That is between two tricks, or two turns in games without tricks; the bot finishes the turn
        at which it took over. A person who has missed several turns waits for the next round.
        """
        place, match = self.seats[seat], self.match
        if self.phase != "playing" or match is None:
            return True
        if place.timeouts >= MAX_TIMEOUTS or match.trick:
            return False
        return seat not in match.to_act or place.action_count != place.timed_out_at

    def is_pause_expired(self, seat: int) -> bool:
        """Whether the time of a person who is away has run out in this pause.

        A person who returns then counts as ready; otherwise their time would run out again at once.
        """
        return self.seats[seat].pause_expired and seat in self._pending_seats()

    def bot_turn(self) -> tuple[int, str] | None:
        """The seat for which a bot is to act now, and the name of the bot."""
        if self.phase != "playing" or self.match is None or self.awaits_hint_ack:
            return None
        if self.undo_state.pending is not None:
            return None
        for seat in self.match.to_act:
            computer = self.bot_for(seat)
            if computer is not None:
                return seat, computer
        return None

    def bot_for(self, seat: int) -> str | None:
        """The bot that plays the seat, or would; None where a person is present."""
        if self.is_present(seat):
            return None
        return self.seats[seat].bot or self.created.stand_in

    def bot_delay_ms(self) -> int:
        """Milliseconds to wait before a bot acts, so that people can follow.

        Twice as long when a trick has just been completed; short when no person is active.
        """
        view = self.spectator_view()
        if not view or view["phase"] != "play":
            return min(self.created.pause, 200)
        return self.created.pause * (2 if view["tricks"] and not view["trick"] else 1)

    @property
    def awaits_hint_ack(self) -> bool:
        """Whether the bots wait until the learner has read the hint."""
        return self.lesson is not None and self.lesson.is_paused and self.is_present(LEARNER_SEAT)

    def is_present(self, seat: int) -> bool:
        """Whether a person holds the seat and no bot plays for them."""
        place = self.seats[seat]
        return place.person is not None and not place.is_away

    def is_human_active(self, seat: int) -> bool:
        """Whether a human plays the seat, neither a bot nor a program on a person's behalf."""
        return self.is_present(seat) and not self.seats[seat].is_program

    def _belongs_to_person(self, seat: int) -> bool:
        """Whether a seat belongs to a person in this match, even if a bot plays for them."""
        place = self.seats[seat]
        return place.person is not None or place.vacated_by is not None

    def _anyone_ready(self) -> bool:
        """Whether a person is ready whose wish counts; a program's counts only among programs.

        Otherwise programs would play match after match at a table that all humans have left.
        """
        people = any(place.person is not None and not place.is_program for place in self.seats)
        return any(place.ready and not (people and place.is_program) for place in self.seats)

    def all_ready(self) -> bool:
        """Whether at least one person is ready and nobody who is present is not."""
        waiting = any(
            self.is_present(seat) and not place.ready for seat, place in enumerate(self.seats)
        )
        return self._anyone_ready() and not waiting

    # Applying events.

    def apply(self, event: events.Event) -> None:
        """Applies the next event to the state.

        Raises:
            ValueError: the event cannot follow those before it; the log is damaged.
        """
        phase, question = self.phase, self.undo_state.pending
        self._apply_event(event)
        self._drop_stale_undo()
        # An optimisation: most events are cards, which do not change the room.
        same = self.phase == phase and self.undo_state.pending is question
        card = isinstance(event, events.Acted) and not event.took and same
        if not card and not isinstance(event, CHAT_EVENTS):
            self._room = None
        self.last_event = event
        self.version += 1
        if self.is_quiescent:
            self.quiescent_version = self.version

    def _drop_stale_undo(self) -> None:
        """Drops an undo request when its person is no longer present."""
        question = self.undo_state.pending
        if question is not None and not (
            self.phase == "playing" and self.is_present(question.seat)
        ):
            self.undo_state.close_request(refused=False)

    def _apply_event(self, event: events.Event) -> None:
        match event:
            case events.Acted(seat, action, by, took):
                self._apply_action(seat, action, person=by == "person")
                self.seats[seat].time_used_ms += took
            case events.TableCreated():
                raise ValueError("a table is created once")
            case events.MatchStarted() | events.RematchStarted() | events.MatchResumed():
                self._start_match(event)
            case events.PackCalled() | events.OpeningsClosed():
                self._apply_pack_call(event)
            case events.PackDealt(cards):
                self._deal_pack(cards)
            case (
                events.Ready()
                | events.PhraseSaid()
                | events.ChatWritten()
                | events.RestClaimed()
                | events.UndoRequested()
                | events.UndoAgreed()
                | events.UndoDeclined()
                | events.UndoWithdrawn()
                | events.UndoExpired()
                | events.Undone()
            ):
                self._apply_person_event(event)
            case events.BotTookOver() | events.ReturnRequested() | events.ControlResumed():
                self._apply_presence(event)
            case events.LobbyCompacted():
                self._apply_compaction(event)
            case (
                events.ExtendedTimeSet()
                | events.EntryPolicySet()
                | events.StartPolicySet()
                | events.ChatPolicySet()
                | events.PublishedSet()
                | events.SpectatorDelaySet()
                | events.LinkRevoked()
                | events.EntryRequested()
                | events.EntryRequestClosed()
                | events.PersonRemoved()
                | events.SeatAssigned()
                | events.TableClosed()
            ):
                self._apply_host_event(event)
            case _:
                self._apply_seat_event(event)

    def _apply_undo(self, event: events.UndoEvent) -> None:
        """Applies an event about an undo request, or the undo itself."""
        match event:
            case events.UndoRequested(seat):
                self.undo_state.open_request(seat)
            case events.UndoAgreed(seat):
                self.undo_state.agree(seat)
            case events.UndoDeclined() | events.UndoExpired():
                self.undo_state.close_request(refused=True)
            case events.UndoWithdrawn():
                self.undo_state.close_request(refused=False)
            case events.Undone(actions=actions):
                self._undo_actions(actions)

    def _undo_actions(self, actions: int) -> None:
        played = self.undo_state.undoable_plays
        if self.match is None or len(played) != actions:
            raise ValueError("no more is taken back than a person's last card and what came of it")
        self.match.undo(actions)
        for seat in played:
            self.seats[seat].cards_played -= 1
        # All pending decisions start anew; earlier results of bots are no longer valid.
        for place in self.seats:
            place.timed_out_at = (
                None if place.timed_out_at != place.action_count else place.action_count + 1
            )
            place.action_count += 1
        self.undo_state.clear()

    def _apply_person_event(
        self,
        event: events.Ready
        | events.PhraseSaid
        | events.ChatWritten
        | events.RestClaimed
        | events.UndoEvent,
    ) -> None:
        """Applies an event by a person: ready, a claim of the rest, an undo or a chat message."""
        match event:
            case events.Ready(seat):
                self._mark_ready(seat)
            case events.RestClaimed(seat):
                self.rest_claimed_by = seat
                self.undo_state.clear()
            case events.PhraseSaid() | events.ChatWritten():
                self.chat_count += 1
            case _:
                self._apply_undo(event)

    def nicknames(self, seat: int) -> set[str]:
        """The nicknames at a seat: of its holder, and of the player of the match there."""
        played = self.match.players[seat] if self.match is not None else ""
        return {
            name for name in (self.seats[seat].name, played) if not name.startswith(BOT_PREFIX)
        } - {""}

    def replace_nicknames(
        self, players: Sequence[str], event: events.NicknameReplaced
    ) -> list[str]:
        """The player names of a match without the nicknames that this event replaces.

        Args:
            players: the names so far.
            event: the next event of the table.
        """
        taken = self.nicknames(event.seat)
        return [event.name if name in taken else name for name in players]

    def rename(self, seat: int, name: str) -> None:
        """Gives the people at a seat this name, in the present or in an earlier state."""
        self._room = None
        if self.seats[seat].name:
            self.seats[seat].name = name
        if self.match is not None and not self.match.players[seat].startswith(BOT_PREFIX):
            self.match.rename(seat, name)

    def _apply_presence(
        self, event: events.BotTookOver | events.ReturnRequested | events.ControlResumed
    ) -> None:
        place = self.seats[event.seat]
        match event:
            case events.BotTookOver(_, by, took):
                place.is_away, place.returning, place.ready = True, False, False
                place.time_used_ms += took
                place.pause_expired = by is None and self.phase != "playing"
                if self.phase == "playing":
                    place.timeouts += by is None
                    place.timed_out_at = place.action_count
            case events.ReturnRequested():
                place.returning = True
            case events.ControlResumed():
                place.is_away = place.returning = place.pause_expired = False

    def _apply_host_event(
        self,
        event: events.ExtendedTimeSet
        | events.EntryPolicySet
        | events.StartPolicySet
        | events.ChatPolicySet
        | events.PublishedSet
        | events.SpectatorDelaySet
        | events.LinkRevoked
        | events.EntryRequested
        | events.EntryRequestClosed
        | events.PersonRemoved
        | events.SeatAssigned
        | events.TableClosed,
    ) -> None:
        """Applies a decision of the host, or a request to the host."""
        house = self.host_settings
        match event:
            case events.ExtendedTimeSet(seat, patient):
                self.seats[seat].has_extended_time = patient
            case (
                events.EntryPolicySet()
                | events.StartPolicySet()
                | events.ChatPolicySet()
                | events.PublishedSet()
                | events.SpectatorDelaySet()
                | events.LinkRevoked()
            ) as ruled:
                self.host_settings = _with_setting(house, ruled)
                if isinstance(ruled, events.PublishedSet):
                    self.first_public_match = self.match_number + 1
            case events.EntryRequested(number):
                self.host_settings = replace(house, asked=number, requests=[*house.requests, event])
            case events.EntryRequestClosed(number):
                self._drop_entry_requests(lambda one: one.number == number)
            case events.PersonRemoved(seat):
                person = self.seats[seat].person
                assert person is not None
                self.host_settings = replace(house, removed=[*house.removed, person])
                self._vacate_seat(seat)
            case events.SeatAssigned(seat, bot):
                self._assign_bot(seat, bot)
            case events.TableClosed():
                self.host_settings = replace(house, requests=[])
                self.phase = "closed"

    def _drop_entry_requests(self, which: Callable[[events.EntryRequested], bool]) -> None:
        """Removes entry requests."""
        left = [one for one in self.host_settings.requests if not which(one)]
        self.host_settings = replace(self.host_settings, requests=left)

    def compaction_event(self) -> events.LobbyCompacted:
        """The event that replaces all events that led to the present seats."""
        seats = [
            events.SeatSnapshot(
                place.person,
                place.name,
                place.bot,
                place.action_count,
                place.swap_target,
                place.has_extended_time,
                place.face,
                None if place.character == seat else place.character,
                place.is_program,
            )
            for seat, place in enumerate(self.seats)
        ]
        return events.LobbyCompacted(self.version + 1, seats, self.host_settings)

    def _apply_compaction(self, event: events.LobbyCompacted) -> None:
        if self.phase != "open" or event.version <= self.version:
            raise ValueError("seats are gathered before the first match, and for what has been")
        self.seats = [
            Seat(
                held.person,
                held.name,
                held.bot,
                action_count=held.moves,
                swap_target=held.asks,
                has_extended_time=held.patient,
                face=held.face,
                character=seat if held.character is None else held.character,
                is_program=held.program,
            )
            for seat, held in enumerate(event.seats)
        ]
        self.host_settings = event.house
        self.known_persons = {place.person for place in self.seats if place.person is not None}
        self.seat_by_person.clear()
        self.chat_count = 0
        self.version = event.version - 1
        self.compacted_until = event.version - 2

    def _apply_seat_event(
        self,
        event: events.SeatTaken
        | events.SeatLeft
        | events.SwapOffered
        | events.SwapDeclined
        | events.SwapWithdrawn
        | events.SeatsSwapped
        | events.NicknameReplaced
        | events.HostResigned,
    ) -> None:
        match event:
            case events.SeatTaken():
                self._seat_person(event)
            case events.SeatLeft(seat):
                self._vacate_seat(seat)
            case events.SwapOffered(seat, other):
                self.seats[seat].swap_target = other
            case events.SwapDeclined(other=seat) | events.SwapWithdrawn(seat):
                self.seats[seat].swap_target = None
            case events.SeatsSwapped():
                self._swap_seats(event)
            case events.NicknameReplaced(seat, name):
                self.rename(seat, name)
            case events.HostResigned():
                self.host_settings = replace(self.host_settings, host=self.next_host())

    def _seat_person(self, event: events.SeatTaken) -> None:
        place = self.seats[event.seat]
        if place.vacated_by != event.person:
            self.wins[event.seat] = 0
        same = place.vacated_by == event.person
        self.seats[event.seat] = Seat(
            event.person,
            event.name,
            action_count=place.action_count,
            cards_played=place.cards_played,
            timed_out_at=place.timed_out_at,
            timeouts=place.timeouts if same else 0,
            time_used_ms=place.time_used_ms if same else 0,
            face=event.face,
            character=place.character,
            is_program=event.program,
        )
        self.seat_by_person[event.person] = event.seat
        self.known_persons.add(event.person)
        self._drop_entry_requests(lambda one: one.person == event.person)
        removed = [one for one in self.host_settings.removed if one != event.person]
        host = self.host_settings.host or (None if event.program else event.person)
        self.host_settings = replace(self.host_settings, host=host, removed=removed)

    def _vacate_seat(self, seat: int) -> None:
        place = self.seats[seat]
        self._cancel_swap_offers(seat)
        self.undo_state.on_seat_left(seat)
        if self.phase in ("open", "over"):
            self.seats[seat] = Seat(action_count=place.action_count, character=place.character)
            self.wins[seat] = 0
        else:
            self.seats[seat] = Seat(
                name=place.name,
                bot=self.created.stand_in,
                vacated_by=place.person,
                action_count=place.action_count,
                cards_played=place.cards_played,
                timed_out_at=place.timed_out_at,
                timeouts=place.timeouts,
                time_used_ms=place.time_used_ms,
                face=place.face,
                character=place.character,
            )
        self._hand_over_host(place.person)

    def _hand_over_host(self, person: str | None) -> None:
        """Makes the next person at the table the host when the host has left their seat."""
        following = self.next_host()
        if person is not None and person == self.host_settings.host and following is not None:
            self.host_settings = replace(self.host_settings, host=following)

    def next_host(self) -> str | None:
        """The first human at the table besides the host; None where there is none."""
        people = (
            place.person
            for place in self.seats
            if place.person is not None and not place.is_program
        )
        return next((person for person in people if person != self.host_settings.host), None)

    def _swap_seats(self, event: events.SeatsSwapped) -> None:
        seat, other = event.seat, event.other
        self._cancel_swap_offers(seat, other)
        one, two = self.seats[seat], self.seats[other]
        self.seats[seat], self.seats[other] = two, one
        if not event.characters:
            one.character, two.character = two.character, one.character

    def _cancel_swap_offers(self, *seats: int) -> None:
        """Ends the swap offers from and to the people of these seats."""
        for seat, place in enumerate(self.seats):
            if seat in seats or place.swap_target in seats:
                place.swap_target = None

    def _assign_bot(self, seat: int, bot: str | None) -> None:
        place = self.seats[seat]
        self.seats[seat] = Seat(bot=bot, action_count=place.action_count, character=place.character)

    def _start_match(
        self, event: events.MatchStarted | events.RematchStarted | events.MatchResumed
    ) -> None:
        self._cancel_swap_offers(*range(len(self.seats)))
        for seat, bot in event.computers.items():
            self._assign_bot(seat, bot)
        for place in self.seats:
            place.timeouts, place.timed_out_at, place.time_used_ms = 0, None, 0
        self.seat_by_person = {
            place.person: seat for seat, place in enumerate(self.seats) if place.person is not None
        }
        game = find_game(self.created.game, **self.created.options)
        self.match = Match(game, [place.info().name for place in self.seats])
        self.match_number += 1
        self.packs_dealt, self.ledger, self._has_finished_round = 0, None, False
        self.resumed_steps = self._rounds_before = 0
        if not isinstance(event, events.MatchResumed) and event.seed is not None:
            which = MatchId.of(self.created.table, self.match_number)
            self.ledger = Ledger.begin(bytes.fromhex(event.seed), which, len(self.seats))
        first = self.created.guided and self.match_number == 1
        self.lesson = TutorialSession.start(get_tutorial(game.name)) if first else None
        self._start_round()
        if isinstance(event, events.MatchResumed):
            self._replay_log(event.log)

    def _replay_log(self, log: Sequence[tuple[int | str, str]]) -> None:
        """Replays the log of another match in this one."""
        for actor, text in log:
            if isinstance(actor, int):
                self._apply_action(actor, text, person=False)
            else:
                self._deal_pack(text)
        match = self.match
        if match is None or not match.to_act:
            raise ValueError("a match is resumed where somebody is to act")
        self.resumed_steps = len(log)
        match.about = {"resumed": self.resumed_steps}
        # Rounds that were played elsewhere do not count as progress of this table.
        self._rounds_before, self._has_finished_round = len(match.spectator_view()["rounds"]), False

    def _start_round(self) -> None:
        self.phase = "playing"
        self.undo_state = UndoState()
        for place in self.seats:
            place.ready = place.pause_expired = False
            place.cards_played = 0

    def _apply_pack_call(self, event: events.PackCalled | events.OpeningsClosed) -> None:
        if self.ledger is None:
            raise ValueError("this match is not dealt fairly")
        match event:
            case events.PackCalled(call):
                self.ledger = self.ledger.with_call(PackCall.from_json(call))
            case events.OpeningsClosed(openings):
                self.ledger = self.ledger.with_openings(
                    {int(seat): bytes.fromhex(text) for seat, text in openings.items()}
                )

    def _deal_pack(self, cards: str) -> None:
        assert self.match is not None
        self.packs_dealt += 1
        self.undo_state.clear()
        before = self.match.spectator_view()
        self.pack_purpose = before["phase"]
        self.match.deal(cards)
        if self.phase == "between":
            self._start_round()
        if self.match.over or self.match.needs_pack:
            after = self.match.spectator_view()
            # A draw that decides a round is its end (MW8).
            if len(after["rounds"]) > len(before["rounds"]):
                self._end_round(self.match, after["phase"], len(after["rounds"]))
        if self.lesson is not None:
            over = self.lesson.over
            seen = self.match.view(LEARNER_SEAT), self.match.legal(LEARNER_SEAT)
            self.lesson = None if over else self.lesson.after_pack(*seen)

    def _mark_ready(self, seat: int) -> None:
        self.seats[seat].action_count += 1
        if self.lesson is not None and self.phase == "playing":
            self.lesson = self.lesson.acknowledge()
        else:
            self.seats[seat].ready = True

    def _apply_action(self, seat: int, action: str, *, person: bool) -> None:
        match = self.match
        assert match is not None
        match.act(seat, action)
        # The canonical text of the action, whatever spelling was sent.
        done = match.describe_last_action(seat)
        self.seats[seat].action_count += 1
        self.seats[seat].cards_played += done.startswith(CARD_ACTION_PREFIXES)
        # A bot played from the person's hand, so an undo would reveal its choice.
        goes_back = match.can_undo and (person or not self._belongs_to_person(seat))
        # Playing out the rest of a round reveals the hands of all others.
        goes_back = goes_back and self.rest_claimed_by is None
        self.undo_state.on_action(seat, person=person, goes_back=goes_back)
        if self.lesson is not None and not self.lesson.over:
            seen = match.view(LEARNER_SEAT), match.legal(LEARNER_SEAT)
            self.lesson = self.lesson.after_action(seat, match.describe_last_action(seat), *seen)
        # The list of rounds is read only here, where a round may have ended.
        if match.over or match.needs_pack:
            view = match.spectator_view()
            self._end_round(match, view["phase"], len(view["rounds"]))

    def _end_round(self, match: Match, phase: str, rounds: int) -> None:
        self.rest_claimed_by = None
        self._has_finished_round = rounds > self._rounds_before
        if match.over:
            self.phase = "over"
            if self.ledger is not None:
                match.fair = self.ledger.evidence().to_json()
            self._reopen_vacated_seats()
            for winner in match.winners:
                self.wins[winner] += 1
        elif phase == "deal":
            self.phase = "between"

    def _reopen_vacated_seats(self) -> None:
        for seat, place in enumerate(self.seats):
            if place.vacated_by is not None:
                self.seats[seat] = Seat(action_count=place.action_count, character=place.character)


def _with_setting(
    house: events.HostSettings,
    event: events.EntryPolicySet
    | events.StartPolicySet
    | events.ChatPolicySet
    | events.PublishedSet
    | events.SpectatorDelaySet
    | events.LinkRevoked,
) -> events.HostSettings:
    """The host's settings after a decision that concerns no seat."""
    match event:
        case events.EntryPolicySet(entry):
            return replace(house, entry=entry)
        case events.StartPolicySet(who):
            return replace(house, starters=who)
        case events.ChatPolicySet(allowed):
            return replace(house, writing=allowed)
        case events.PublishedSet(published):
            return replace(house, published=published)
        case events.SpectatorDelaySet(delayed):
            return replace(house, delayed=delayed)
        case events.LinkRevoked(key):
            return replace(house, key=key, requests=[])
