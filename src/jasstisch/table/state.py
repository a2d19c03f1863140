"""The state of a table: its seats, settings and match, as a fold over its events.

`apply` applies one event to the state. Nothing is decided here: the events in the log are decisions
already made. `turns` and `per_reader_info` read the state, `seats` holds what concerns one seat.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from msgspec import UNSET
from msgspec.structs import replace

from jasstisch.fairness import Ledger, MatchId, PackCall
from jasstisch.games import game as find_game
from jasstisch.match.match import Match
from jasstisch.match.record import BOT_PREFIX, Record
from jasstisch.table import events, host_settings
from jasstisch.table.access_rules import AccessRules
from jasstisch.table.client_state import (
    EntryRequest,
    FairDealState,
    PackPurpose,
    RoomInfo,
    RoomPhase,
    UndoRequest,
    is_card_action,
)
from jasstisch.table.seats import Seat, Seats
from jasstisch.table.undo_state import UndoState
from jasstisch.tutorials import LEARNER_SEAT, TutorialSession, get_tutorial

Progress = Literal["nothing", "round", "match"]
"""The furthest progress at a table, which decides how long it is kept."""

_CHAT_EVENTS = (events.PhraseSaid, events.ChatWritten)
"""The chat events, which change neither the match nor the room."""


@dataclass(slots=True)
class State:
    """The state of a table after the events so far.

    Attributes:
        creation_event: the first event.
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
        seat_by_person: the seat each person has held in this match; before it, those who sit or
            sat at the table in the order in which they sat down.
        pack_purpose: the purpose of the last pack.
        deal_ledger: the verifiable deals of the match; None where its deals are not verifiable.
        packs_dealt: the number of packs dealt in it.
        resumed_step_count: the number of steps taken over from another match; 0 for none.
        tutorial_session: the tutorial session while it is played and until the next round begins.
        undo_state: the card that may be undone, and the request to undo it.
        last_said: for each seat its last action besides the play of a card since the pack was
            dealt, as the seat itself and as all others know it; None before one.
        rest_claimed_by: the seat that claimed the rest of the round, while it is played out; else
            None.
        first_public_match: the first match that began after the table was published, if it is.
    """

    creation_event: events.TableCreated
    seats: Seats
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
    deal_ledger: Ledger | None = None
    packs_dealt: int = 0
    resumed_step_count: int = 0
    tutorial_session: TutorialSession | None = None
    undo_state: UndoState = field(default_factory=UndoState)
    last_said: list[tuple[str, str] | None] = field(default_factory=list)
    rest_claimed_by: int | None = None
    first_public_match: int = 1
    _room: RoomInfo | None = None
    _access_rules: AccessRules | None = None
    _first_deals: Ledger | None = None
    _has_finished_round: bool = False
    _rounds_before: int = 0

    @classmethod
    def from_creation_event(cls, event: events.TableCreated) -> "State":
        """The state after the first event."""
        places = Seats(Seat(bot=bot, character=seat) for seat, bot in enumerate(event.seats))
        sides = find_game(event.game, **event.options).sides
        house = events.HostSettings(event.host, starters=event.starters)
        wins = [0] * len(places)
        return cls(event, places, sides, wins=wins, last_event=event, host_settings=house)

    # Room and views.

    def room(self) -> RoomInfo:
        """The public information about the table; the same object until it changes."""
        if self._room is None:
            self._room = self._room_now()
        return self._room

    def _room_now(self) -> RoomInfo:
        made = self.creation_event
        return RoomInfo(
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
            host=self.seats.seat_of(self.host_settings.host),
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
            resumed=self.resumed_step_count,
        )

    def _undo_request(self) -> UndoRequest | None:
        question = self.undo_state.pending
        return None if question is None else UndoRequest(question.seat, self.undo_voters())

    def _announced_deals(self) -> Ledger | None:
        """The deals of the first match, which are announced before it begins."""
        seed = self.creation_event.seed
        if self._first_deals is None and seed is not None:
            first = MatchId.of(self.creation_event.table, 1)
            self._first_deals = Ledger.begin(bytes.fromhex(seed), first, len(self.seats))
        return self._first_deals

    def _fair_state(self) -> FairDealState | None:
        ledger = self.deal_ledger if self.match_number > 0 else self._announced_deals()
        if ledger is None:
            return None
        call, void = ledger.pending_pack_call, ledger.last_void_attempt
        return FairDealState(
            announcement=ledger.announcement.to_json(),
            next_pack=ledger.next_pack_number,
            call=None if call is None else call.to_json(),
            void=None if void is None else void.to_json(),
            asked=list(ledger.asked_seats),
        )

    def spectator_view(self) -> dict[str, Any]:
        """The spectator's view of the match, read-only; {} before the first match."""
        return {} if self.match is None else self.match.spectator_view()

    def private_view(self, seat: int | None) -> dict[str, Any]:
        """The part in which a seat's view differs, read-only; {} before the first match."""
        return {} if self.match is None or seat is None else self.match.private_view(seat)

    def view(self, seat: int | None) -> dict[str, Any] | None:
        """The view of the match for a seat or a spectator; None before the first match."""
        return None if self.match is None else self.match.view(seat)

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

    @property
    def access_rules(self) -> AccessRules:
        """The rules by which the table admits people; the same object until the room changes."""
        if self._access_rules is None:
            house = self.host_settings
            host = () if house.host is None else (house.host,)
            self._access_rules = AccessRules(
                frozenset((*self.known_persons.difference(house.removed), *host)),
                house.key,
                self.first_public_match if house.published else None,
            )
        return self._access_rules

    def may_access(self, person: str | None, key: str | None, match: int | None = None) -> bool:
        """Whether a person may see the table, and a match of it; see `AccessRules.admits`."""
        return self.access_rules.admits(person, key, match)

    def record(self) -> Record | None:
        """The record of the match that is over, or that was in progress when the table was closed.

        None while one runs or none was played.
        """
        if self.match is None or not (self.match.over or self.phase == "closed"):
            return None
        return self.match.record()

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
    def undo_eligible_seat(self) -> int | None:
        """The seat whose person may ask to undo their last card; None where no seat may."""
        seat, match = self.undo_state.eligible_seat, self.match
        if seat is None or match is None or self.phase != "playing" or match.needs_pack:
            return None
        if self.tutorial_session is not None:
            return None
        return seat if self.seats[seat].is_present else None

    def undo_voters(self) -> list[int]:
        """The seats whose people have not yet answered the undo request."""
        question = self.undo_state.pending
        if question is None:
            return []
        answered = {question.seat, *question.agreed}
        return [
            seat
            for seat, place in enumerate(self.seats)
            if place.is_human_active and seat not in answered
        ]

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
        if not card and not isinstance(event, _CHAT_EVENTS):
            self._room = self._access_rules = None
        self.last_event = event
        self.version += 1
        if self.is_quiescent:
            self.quiescent_version = self.version

    def _drop_stale_undo(self) -> None:
        """Drops an undo request when its person is no longer present."""
        question = self.undo_state.pending
        if question is not None and not (
            self.phase == "playing" and self.seats[question.seat].is_present
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
            case events.PackCommitmentsCalled() | events.CommitmentOpeningsClosed():
                self._apply_pack_call(event)
            case events.PackDealt(cards):
                self._deal_pack(cards)
            case events.LobbyCompacted():
                self._apply_compaction(event)
            case _:
                self._apply_table_event(event)

    def _apply_table_event(
        self,
        event: events.PersonEvent | events.PresenceEvent | events.HostEvent | events.SeatEvent,
    ) -> None:
        if isinstance(event, events.PersonEvent):
            self._apply_person_event(event)
        elif isinstance(event, events.PresenceEvent):
            self._apply_presence(event)
        elif isinstance(event, events.HostEvent):
            self._apply_host_event(event)
        else:
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
        played = self.undo_state.undoable_play_seats
        if self.match is None or len(played) != actions:
            raise ValueError("no more is taken back than a person's last card and what came of it")
        self.match.undo(actions)
        self.seats.undo_plays(played)
        self.undo_state.clear()

    def _apply_person_event(self, event: events.PersonEvent) -> None:
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

    def rename_people_at_seat(self, seat: int, name: str) -> None:
        """Gives the people at a seat this name, in the present or in an earlier state."""
        self._room = None
        if self.seats[seat].name:
            self.seats[seat].name = name
        if self.match is not None and not self.match.players[seat].startswith(BOT_PREFIX):
            self.match.rename(seat, name)

    def _apply_presence(self, event: events.PresenceEvent) -> None:
        place = self.seats[event.seat]
        match event:
            case events.BotTookOver(_, by, took):
                place.is_away, place.returning, place.ready = True, False, False
                place.time_used_ms += took
                place.pause_expired = by is None and self.phase != "playing"
                if self.phase == "playing":
                    place.timeouts += by is None
                    place.takeover_action_count = place.action_count
            case events.ReturnRequested():
                place.returning = True
            case events.ControlResumed():
                place.is_away = place.returning = place.pause_expired = False

    def _apply_host_event(self, event: events.HostEvent) -> None:
        """Applies a decision of the host, or a request to the host."""
        house = self.host_settings
        match event:
            case events.ExtendedTimeSet(seat, patient):
                self.seats[seat].has_extended_time = patient
            case events.EntryRequested(number):
                self.host_settings = replace(house, asked=number, requests=[*house.requests, event])
            case events.EntryRequestClosed(number):
                self.host_settings = host_settings.without_request(house, number)
            case events.PersonRemoved(seat):
                person = self.seats[seat].person
                assert person is not None
                self.host_settings = replace(house, removed=[*house.removed, person])
                self._vacate_seat(seat)
            case events.BotAssigned(seat, bot):
                self.seats.assign_bot(seat, bot)
            case events.TableClosed():
                self.host_settings = replace(house, requests=[])
                self.phase = "closed"
                # Nobody can play on, so the proof of the packs dealt reveals nothing that matters.
                if self.match is not None and not self.match.over and self.deal_ledger is not None:
                    self.match.fair = self.deal_ledger.evidence(self.packs_dealt).to_json()
            case _:
                self.host_settings = host_settings.with_setting(house, event)
                if isinstance(event, events.PublishedSet):
                    self.first_public_match = self.match_number + 1

    def compaction_event(self) -> events.LobbyCompacted:
        """The event that replaces all events that led to the present seats."""
        return events.LobbyCompacted(self.version + 1, self.seats.snapshots(), self.host_settings)

    def _apply_compaction(self, event: events.LobbyCompacted) -> None:
        if self.phase != "open" or event.version <= self.version:
            raise ValueError("seats are gathered before the first match, and for what has been")
        self.seats = Seats.from_snapshots(event.seats)
        self.host_settings = event.house
        self.seat_by_person = self._seat_of_each_person()
        self.known_persons = set(self.seat_by_person)
        self.chat_count = 0
        self.version = event.version - 1
        self.compacted_until = event.version - 2

    def _apply_seat_event(self, event: events.SeatEvent) -> None:
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
                self.seats.swap(event)
            case events.NicknameReplaced(seat, name):
                self.rename_people_at_seat(seat, name)
            case events.HostReplaced(person):
                self.host_settings = host_settings.with_host(self.host_settings, person)
            case events.HostResigned():
                host = self.seats.next_host(self.host_settings.host)
                self.host_settings = replace(self.host_settings, host=host)

    def _seat_person(self, event: events.SeatTaken) -> None:
        if self.seats[event.seat].vacated_by != event.person:
            self.wins[event.seat] = 0
        self.seats.assign_person(event)
        # The order is that in which they have sat down, except after a compaction.
        self.seat_by_person.pop(event.person, None)
        self.seat_by_person[event.person] = event.seat
        self.known_persons.add(event.person)
        self.host_settings = host_settings.with_seated(self.host_settings, event)

    def _seat_of_each_person(self) -> dict[str, int]:
        return {
            place.person: seat for seat, place in enumerate(self.seats) if place.person is not None
        }

    def _vacate_seat(self, seat: int) -> None:
        person = self.seats[seat].person
        self.seats.cancel_swap_offers(seat)
        self.undo_state.on_seat_left(seat)
        if self.phase in ("open", "over"):
            self.seats.assign_bot(seat, None)
            self.wins[seat] = 0
        else:
            self.seats.let_bot_stand_in(seat, self.creation_event.stand_in)
        if person is not None and person == self.host_settings.absent_host:
            self.host_settings = host_settings.without_absent_host(self.host_settings)
        following = self.seats.next_host(self.host_settings.host)
        if person is not None and person == self.host_settings.host and following is not None:
            self.host_settings = replace(self.host_settings, host=following)

    def _start_match(
        self, event: events.MatchStarted | events.RematchStarted | events.MatchResumed
    ) -> None:
        self.seats.begin_match(event.computers)
        self.host_settings = host_settings.without_absent_host(self.host_settings)
        self.seat_by_person = self._seat_of_each_person()
        game = find_game(self.creation_event.game, **self.creation_event.options)
        self.match = Match(game, [place.info().name for place in self.seats])
        self.match_number += 1
        self.last_said = []
        self.packs_dealt, self.deal_ledger, self._has_finished_round = 0, None, False
        self.resumed_step_count = self._rounds_before = 0
        if not isinstance(event, events.MatchResumed) and event.seed is not None:
            which = MatchId.of(self.creation_event.table, self.match_number)
            self.deal_ledger = Ledger.begin(bytes.fromhex(event.seed), which, len(self.seats))
        first = self.creation_event.guided and self.match_number == 1
        self.tutorial_session = TutorialSession.start(get_tutorial(game.name)) if first else None
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
        self.resumed_step_count = len(log)
        match.about = {"resumed": self.resumed_step_count}
        # Rounds that were played elsewhere do not count as progress of this table.
        self._rounds_before, self._has_finished_round = len(match.spectator_view()["rounds"]), False

    def _start_round(self) -> None:
        self.phase = "playing"
        self.undo_state = UndoState()
        self.seats.begin_round()

    def _apply_pack_call(
        self, event: events.PackCommitmentsCalled | events.CommitmentOpeningsClosed
    ) -> None:
        if self.deal_ledger is None:
            raise ValueError("this match is not dealt fairly")
        match event:
            case events.PackCommitmentsCalled(call):
                self.deal_ledger = self.deal_ledger.with_pack_call(PackCall.from_json(call))
            case events.CommitmentOpeningsClosed(openings):
                self.deal_ledger = self.deal_ledger.with_openings(
                    {int(seat): bytes.fromhex(text) for seat, text in openings.items()}
                )

    def _deal_pack(self, cards: str) -> None:
        assert self.match is not None
        self.packs_dealt += 1
        self.undo_state.clear()
        self.last_said = [None] * len(self.seats)
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
        if self.tutorial_session is not None:
            over = self.tutorial_session.over
            seen = self.match.view(LEARNER_SEAT), self.match.legal(LEARNER_SEAT)
            self.tutorial_session = None if over else self.tutorial_session.after_pack(*seen)

    def _mark_ready(self, seat: int) -> None:
        self.seats[seat].action_count += 1
        if self.tutorial_session is not None and self.phase == "playing":
            self.tutorial_session = self.tutorial_session.acknowledge()
        else:
            self.seats[seat].ready = True

    def _apply_action(self, seat: int, action: str, *, person: bool) -> None:
        match = self.match
        assert match is not None
        match.act(seat, action)
        # The canonical text of the action, whatever spelling was sent.
        done = match.describe_last_action(seat)
        self.seats[seat].action_count += 1
        if is_card_action(done):
            self.seats[seat].played_card_count += 1
        else:
            self.last_said[seat] = done, match.describe_last_action(None)
        # A bot played from the person's hand, so an undo would reveal its choice.
        goes_back = match.can_undo and (person or not self.seats[seat].belongs_to_person)
        # Playing out the rest of a round reveals the hands of all others.
        goes_back = goes_back and self.rest_claimed_by is None
        self.undo_state.on_action(seat, person=person, goes_back=goes_back)
        if self.tutorial_session is not None and not self.tutorial_session.over:
            seen = match.view(LEARNER_SEAT), match.legal(LEARNER_SEAT)
            self.tutorial_session = self.tutorial_session.after_action(
                seat, match.describe_last_action(seat), *seen
            )
        # The list of rounds is read only here, where a round may have ended.
        if match.over or match.needs_pack:
            view = match.spectator_view()
            self._end_round(match, view["phase"], len(view["rounds"]))

    def _end_round(self, match: Match, phase: str, rounds: int) -> None:
        self.rest_claimed_by = None
        self._has_finished_round = rounds > self._rounds_before
        if match.over:
            self.phase = "over"
            if self.deal_ledger is not None:
                match.fair = self.deal_ledger.evidence().to_json()
            self.seats.reopen_vacated()
            for winner in match.winners:
                self.wins[winner] += 1
        elif phase == "deal":
            self.phase = "between"
