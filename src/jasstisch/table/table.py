"""The class `Table`: validates commands and turns them into events, on top of the table's state.

`decide` returns the events of a command, and `next_automatic_event` the next event without a
command, such as dealing a pack or beginning a rematch. The module uses no clock, socket or random
generator: a deadline arrives as the command `TimeUp`, a shuffle as a function.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Literal, Self

import msgspec

from jasstisch.games.weis import WEIS
from jasstisch.table import commands, events, pack_source, turns
from jasstisch.table.errors import TableError, no_such_seat
from jasstisch.table.handlers import chat, claim_rest, host_commands, seat_swaps, undo
from jasstisch.table.pack_source import PackSource
from jasstisch.table.per_reader_info import MAX_LISTED_ACTIONS
from jasstisch.table.state import State
from jasstisch.tutorials import LEARNER_SEAT

MAX_EVENTS = 50_000
"""The number of events from which a table accepts no new people and no rematch."""

COMPACT_AFTER_EVENTS = 256
"""The number of events before the first match from which they are compacted into one."""


class Table:
    """A table: its state and the decisions on commands.

    Args:
        created: its first event.

    Attributes:
        state: the fold of all events so far; change it only through `apply`.
        delayed_state: the state before the trick or claim in progress, for spectators with a delay,
            where the table was loaded in the middle of one; else None.
    """

    def __init__(self, created: events.TableCreated) -> None:
        self.state = State.from_creation_event(created)
        self.delayed_state: State | None = None

    @classmethod
    def from_events(cls, log: Iterable[events.Event]) -> Self:
        """The table with this log, from the first event on.

        Raises:
            ValueError: the log is damaged: an event cannot follow those before it.
        """
        entries = list(log)
        if not entries or not isinstance(created := entries[0], events.TableCreated):
            raise ValueError("the log of a table begins with its creation")
        table = cls(created)
        for event in entries[1:]:
            table.apply(event)
        rested = table.state.quiescent_version
        if table.state.host_settings.delayed and rested < table.version:
            table.delayed_state = _state_at_version(created, entries[1:], rested)
        return table

    @property
    def version(self) -> int:
        """The number of events of the table."""
        return self.state.version

    def apply(self, event: events.Event) -> None:
        """Applies the next event to the state.

        Raises:
            ValueError: the event cannot follow those before it.
        """
        self.state.apply(event)

    # Commands.

    def execute(self, command: commands.Command, dealer: PackSource) -> Iterator[events.Event]:
        """Executes a command and its automatic consequences; yields each event once applied.

        Raises:
            TableError: the command is refused; nothing has changed.
        """
        for event in self.decide(command):
            if isinstance(event, events.MatchStarted) and not self.state.creation_event.guided:
                seed = self.state.creation_event.seed or dealer.new_seed()
                event = msgspec.structs.replace(event, seed=seed)  # noqa: PLW2901
            self.apply(event)
            yield event
        while (following := self.next_automatic_event(dealer)) is not None:
            self.apply(following)
            yield following

    def decide(self, command: commands.Command) -> list[events.Event]:
        """The events of a command; none when it has no effect. Changes nothing.

        Raises:
            TableError: the command is refused.
        """
        if self.state.phase == "closed" and not isinstance(
            command, commands.AdminRemoveNickname | commands.ErasePerson
        ):
            raise TableError("wrong_phase", "this table is closed")
        match command:
            case commands.Act() | commands.BotAct() | commands.ClaimRest() | commands.ReadyUp():
                return self._decide_play(command)
            case commands.Sit():
                return self._sit(command)
            case commands.StartMatch() | commands.ResumeMatch():
                return self._start(command)
            case commands.ResumeControl() | commands.TimeUp() | commands.LetBotTakeOver():
                return self._decide_presence(command)
            case (
                commands.ErasePerson()
                | commands.AdminClose()
                | commands.AdminRemoveNickname()
                | commands.AdminUnpublish()
            ):
                return host_commands.decide_admin(self.state, command)
            case (
                commands.EndCommitmentWait()
                | commands.CloseCommitmentOpenings()
                | commands.ExpireUndo()
                | commands.ReplaceHost()
            ):
                return self._decide_timeout(command)
            case (
                commands.Stand()
                | commands.RequestSwap()
                | commands.AnswerSwap()
                | commands.WithdrawSwap()
                | commands.SayPhrase()
                | commands.WriteChat()
                | commands.RequestUndo()
                | commands.AnswerUndo()
                | commands.WithdrawUndo()
            ):
                return self._decide_seated(self._require_seat(command.person), command)
            case _:
                return host_commands.decide(self.state, command)

    def next_automatic_event(self, dealer: PackSource) -> events.Event | None:
        """The next event that needs no command; None when the table waits for a person or bot."""
        state = self.state
        match = state.match
        for seat, place in enumerate(state.seats):
            if place.returning and turns.can_return(state, seat):
                return events.ControlResumed(seat)
        if state.phase == "closed":
            return None
        if (taken_back := undo.next_undo_event(state)) is not None:
            return taken_back
        if match is None or state.phase == "open":
            kept = state.version - state.compacted_until
            return state.compaction_event() if kept >= COMPACT_AFTER_EVENTS else None
        if state.phase == "over":
            return (
                events.RematchStarted(self._stand_ins(), dealer.new_seed())
                if state.seats.all_ready
                else None
            )
        if match.needs_pack and self._is_pack_due():
            lesson = state.tutorial_session
            if lesson is not None and lesson.next_pack is not None:
                return events.PackDealt(lesson.next_pack)
            return pack_source.next_pack_event(state.deal_ledger, state.packs_dealt, match, dealer)
        return None

    def _is_pack_due(self) -> bool:
        """Whether the pack that the match awaits is due; a pack already called always is."""
        state = self.state
        called = (
            state.deal_ledger is not None
            and len(state.deal_ledger.attempts_by_pack) > state.packs_dealt
        )
        pending = state.deal_ledger is not None and state.deal_ledger.pending_pack_call is not None
        return state.phase == "playing" or state.seats.all_ready or called or pending

    def _require_seat(self, person: str) -> int:
        seat = self.state.seats.seat_of(person)
        if seat is None:
            raise TableError("not_seated", "you hold no seat at this table; sit down first")
        return seat

    def _sit(self, command: commands.Sit) -> list[events.Event]:
        if not 0 <= command.seat < len(self.state.seats):
            raise no_such_seat(command.seat, len(self.state.seats))
        held = self.state.seats.seat_of(command.person)
        if held == command.seat:
            return []
        if held is not None and self.state.phase != "open":
            raise TableError("seat_taken", f"you hold seat {held}; it cannot be changed now")
        taken = self.state.seat_refusal(command.person, command.seat)
        if taken is not None:
            raise TableError("seat_taken", taken)
        self._check_event_limit()
        place = self.state.seats[command.seat]
        if command.is_kept and place.vacated_by != command.person:
            name = self.state.seats.unique_name(command.name, of=command.seat)
            return host_commands.request_seat(self.state, replace(command, name=name))
        if held is not None:
            return [events.SeatsSwapped(held, command.seat)]
        name = self.state.seats.unique_name(command.name, of=command.seat)
        return host_commands.take_or_request_seat(self.state, replace(command, name=name))

    def _decide_play(
        self,
        command: commands.Act | commands.BotAct | commands.ClaimRest | commands.ReadyUp,
    ) -> list[events.Event]:
        match command:
            case commands.Act(person, action, took, weis):
                seat = self._require_seat(person)
                announced = self._with_weis(seat, action) if weis else action
                return self._act_in_person(seat, announced, took)
            case commands.BotAct(seat, action):
                if self.state.seats[seat].is_present:
                    raise TableError("wrong_phase", f"seat {seat} plays for itself")
                if self.state.undo_state.pending is not None:
                    raise TableError("wrong_phase", "it is asked whether a card is taken back")
                return self._act(seat, action, "computer")
            case commands.ClaimRest(person, took):
                return claim_rest.decide(self.state, self._require_seat(person), took)
            case commands.ReadyUp(person):
                return self._ready_up(self._require_seat(person))

    def _decide_presence(
        self, command: commands.ResumeControl | commands.TimeUp | commands.LetBotTakeOver
    ) -> list[events.Event]:
        match command:
            case commands.ResumeControl(person):
                return self._resume_control(self._require_seat(person))
            case commands.TimeUp(seat, took):
                awaited = seat in turns.waiting_for(self.state)
                return [events.BotTookOver(seat, took=took)] if awaited else []
            case commands.LetBotTakeOver(person, seat):
                return self._take_over_for(self._require_seat(person), seat)

    def _decide_timeout(
        self, command: commands.DealCommand | commands.ExpireUndo | commands.ReplaceHost
    ) -> list[events.Event]:
        if isinstance(command, commands.ReplaceHost):
            return host_commands.replace_host(self.state, command.person)
        if isinstance(command, commands.ExpireUndo):
            return undo.expire(self.state)
        return pack_source.close_contributions(self.state.deal_ledger, command)

    def _with_weis(self, seat: int, action: str) -> str:
        """The action, with Weis announced if that is possible with it."""
        announced, match = action + WEIS, self.state.match
        if match is None or match.refusal(seat, announced) is not None:
            return action
        return announced

    def _act_in_person(self, seat: int, action: str, took: int) -> list[events.Event]:
        if self.state.seats[seat].is_away and self.state.phase == "playing":
            raise TableError(
                "wrong_phase", "the computer plays for you; say back to go on yourself"
            )
        return self._act(seat, action, "person", took)

    def _resume_control(self, seat: int) -> list[events.Event]:
        place = self.state.seats[seat]
        if not place.is_away or place.returning:
            return []
        if not turns.can_return(self.state, seat):
            return [events.ReturnRequested(seat)]
        ready = [events.Ready(seat)] if turns.is_pause_expired(self.state, seat) else []
        return [events.ControlResumed(seat), *ready]

    def _take_over_for(self, seat: int, other: int) -> list[events.Event]:
        if not 0 <= other < len(self.state.seats):
            raise no_such_seat(other, len(self.state.seats))
        if self.state.phase not in ("playing", "between"):
            raise TableError("wrong_phase", "the computer takes over while a match is played")
        if other == seat or self.state.seats[other].person is None:
            raise TableError("wrong_phase", f"on seat {other} there is nobody else to play for")
        return [] if self.state.seats[other].is_away else [events.BotTookOver(other, by=seat)]

    def _check_event_limit(self) -> None:
        if self.state.version - self.state.compacted_until >= MAX_EVENTS:
            raise TableError("limit", "this table has seen enough; make a new one")

    def _decide_seated(
        self, seat: int, command: commands.SeatCommand | commands.ChatCommand | commands.UndoCommand
    ) -> list[events.Event]:
        match command:
            case commands.Stand():
                return [events.SeatLeft(seat)]
            case commands.RequestSwap(seat=other):
                self._check_event_limit()
                return seat_swaps.request(self.state, seat, other)
            case commands.AnswerSwap(seat=other, accept=accept):
                return seat_swaps.answer(self.state, seat, other, accept=accept)
            case commands.WithdrawSwap():
                return seat_swaps.withdraw(self.state, seat)
            case commands.SayPhrase() | commands.WriteChat():
                return chat.decide(self.state, seat, command)
            case _:
                return undo.decide(self.state, seat, command)

    def _start(self, command: commands.StartMatch | commands.ResumeMatch) -> list[events.Event]:
        person = command.person
        if person != self.state.host_settings.host:
            self._require_seat(person)
        if self.state.phase != "open":
            raise TableError("wrong_phase", "the match has already begun")
        host_commands.check_may_start(self.state, person)
        if all(place.person is None for place in self.state.seats):
            raise TableError("wrong_phase", "nobody sits at this table who could play")
        computers = self._stand_ins()
        if isinstance(command, commands.ResumeMatch):
            return [events.MatchResumed(computers, list(command.log))]
        return [events.MatchStarted(computers)]

    def _stand_ins(self) -> dict[int, str]:
        return {
            seat: self.state.creation_event.stand_in
            for seat, place in enumerate(self.state.seats)
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
            legal=list(islice(match.legal(seat), MAX_LISTED_ACTIONS)),
        )

    def _ready_up(self, seat: int) -> list[events.Event]:
        if turns.awaits_hint_ack(self.state) and seat == LEARNER_SEAT:
            return [events.Ready(seat)]
        if self.state.phase not in ("between", "over"):
            raise TableError("wrong_phase", "nothing waits for you to be ready now")
        if self.state.phase == "over":
            self._check_event_limit()
        return [] if self.state.seats[seat].ready else [events.Ready(seat)]


def _state_at_version(
    created: events.TableCreated, later: list[events.Event], version: int
) -> State:
    """The state at an earlier version, without nicknames that were removed since."""
    state = State.from_creation_event(created)
    for event in later:
        if state.version < version:
            state.apply(event)
        elif isinstance(event, events.NicknameReplaced):
            state.rename_people_at_seat(event.seat, event.name)
    return state
