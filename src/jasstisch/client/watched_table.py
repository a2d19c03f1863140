"""The copy of a table that a client watches: kept up to date, waited for, and played at."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from jasstisch.bots import Bot, choose_action
from jasstisch.client.deal_memory import DealMemory
from jasstisch.client.deal_verdict import DealVerdict, judge_deals
from jasstisch.client.errors import ConnectionLostError, RequestError
from jasstisch.client.fair_deals import Contribution, TableDeals
from jasstisch.client.match_witness import Change, change_by
from jasstisch.client.seen_match import SeenMatch
from jasstisch.client.table_requests import Connection, TableRequests
from jasstisch.client.told_messages import read_match_number, read_room
from jasstisch.fairness import FairError, Participant
from jasstisch.server.api import messages
from jasstisch.table import is_card_action

_OVER = ("over", "closed")
"""The phases of a table in which no action is possible."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Step:
    """The state of a table after one event.

    Attributes:
        event: the event; None where a full snapshot was received.
        version: the number of events of the table.
        seat: the client's seat, None for a spectator.
        room: the room.
        view: the view of the match; None before the first match.
        turn: the client's turn at that time, if any.
        entry_request_number: the number of the client's pending entry request, if any.
        said: for each seat its last action besides the play of a card since the cards were dealt;
            empty before the first deal.
    """

    event: messages.EventInfo | None
    version: int
    seat: int | None
    room: messages.RoomInfo
    view: dict[str, Any] | None
    turn: messages.Turn | None
    entry_request_number: int | None
    said: tuple[str | None, ...]


class WatchedTable(TableRequests):
    """The up-to-date copy of a table, as far as this client may see it.

    Attributes:
        key: the key of the link, where the host has revoked the first link.
        version: the number of events in the copy.
        seat: the client's seat, None for a spectator.
        room: the room, as a `Room`.
        view: the view of the match, a dict of the form of `View`; None before the first match.
        turn: the turn of this client; None when it is not its turn.
        hint: the present hint of a tutorial; None without one.
        said: for each seat its last action besides the play of a card since the cards were dealt,
            as far as this client may know it; None before one, and [] before the first deal.
        undoable: whether this client may ask to undo its last card.
        connected: the seats whose people have an open connection.
        preparing: the seats that wait for a bot that the server is still preparing.
        missing: the seats whose people have had no connection for a while.
        kept: the seats that are kept for people who have left during the match.
        spectators: the number of connections that watch the table without a seat.
        is_current: whether the copy is up to date; False from a lost connection until it has caught
            up.
        refusal: the error with which the server refused to continue the copy, else None. Pending
            waits for the table raise it.
    """

    def __init__(
        self,
        connection: Connection,
        table: str,
        key: str | None = None,
        deal_memory: DealMemory | None = None,
    ) -> None:
        super().__init__(connection, table)
        self.key = key
        self.version = 0
        self.seat: int | None = None
        self._request: int | None = None
        self._former_seat: int | None = None
        self.turn: messages.Turn | None = None
        self.hint: messages.TutorialHint | None = None
        self.said: list[str | None] = []
        self.undoable = False
        self.connected: list[bool] = []
        self.preparing: list[bool] = []
        self.missing: list[bool] = []
        self.kept: list[bool] = []
        self.spectators = 0
        self.is_current = False
        self.refusal: RequestError | None = None
        self._is_followed = False
        self._room: dict[str, Any] = {}
        self._view: dict[str, Any] | None = None
        self._changed = asyncio.Event()
        self._deals = TableDeals(table, deal_memory)
        self._listeners: list[asyncio.Queue[messages.Event | messages.Snapshot | None]] = []
        self._steps: list[asyncio.Queue[Step | None]] = []

    @property
    def room(self) -> messages.RoomInfo:
        """The seats and settings of the table, see `read_room`."""
        return read_room(self._room)

    @property
    def entry_request_number(self) -> int | None:
        """The number of this client's pending entry request; None where there is none."""
        known = (one["number"] for one in self._room["requests"])
        return self._request if self._request in known else None

    @property
    def former_seat(self) -> int | None:
        """The seat that this client has left in the match in progress; None for none."""
        in_match = self.phase in ("playing", "between")
        return self._former_seat if in_match and self.seat is None else None

    @property
    def phase(self) -> str:
        """The phase of the table: open, playing, between, over or closed."""
        return str(self._room["phase"])

    @property
    def view(self) -> dict[str, Any]:
        """The view of the match, as returned by `match.view(seat)`.

        Raises:
            LookupError: no match has begun.
        """
        if self._view is None:
            raise LookupError("no match has begun at this table")
        return self._view

    @property
    def deal_participant(self) -> Participant | None:
        """This client's part in the last match with verifiable deals; None before one."""
        return None if self._deals.latest is None else self._deals.latest.participant

    @property
    def deal_problem(self) -> FairError | None:
        """What the server did in the deals of this match that it may not do; None if nothing."""
        seen = self._seen_of_match()
        return None if seen is None else seen.problem

    @property
    def deal_commitment(self) -> str | None:
        """The commitment of the server to the deals of this match; None where there is none."""
        seen = self._seen_of_match()
        return None if seen is None else seen.commitment

    def judge_deals(
        self, record: Mapping[str, Any] | None, match: int | None = None
    ) -> DealVerdict | None:
        """The verdict on the deals of a match, by its record and what this client has seen.

        Args:
            record: the record of the match, see `Client.record`; None where it does not come.
            match: the number of the match at the table; None for the last one.

        Returns:
            The verdict; None where the deals were not announced as verifiable.
        """
        seen = self._seen_of_match() if match is None else self._deals.of_match(match)
        if record is None:
            return None if seen is None else seen.judge_without_record()
        is_last = match is None or match >= self.match_number
        closed = is_last and (not self._is_followed or self.phase == "closed")
        if seen is None:
            return judge_deals(record, None, None, closed=closed)
        return self._deals.judge(seen, record, closed=closed)

    @property
    def match_number(self) -> int:
        """The number of the last match, as far as this client knows; 0 before the first."""
        seen = self._deals.last_seen()
        return max(self._told_number, seen.number if seen is not None and seen.has_begun else 0)

    @property
    def unproven_matches(self) -> list[int]:
        """Matches that have ended, and that were announced with verifiable deals.

        Only those whose record was not judged yet: an honest server gives out the record of each.
        Where the client can follow the table no longer, its last match counts as well.
        """
        if self._is_followed and self.phase not in _OVER:
            return self._deals.unproven_before(self.match_number)
        return self._deals.unproven_before(self.match_number + 1)

    def _seen_of_match(self) -> SeenMatch | None:
        """What was seen of the present match; None if the last one seen is an earlier one."""
        latest = self._deals.last_seen()
        return latest if latest is not None and latest.number >= self._told_number else None

    @property
    def _told_number(self) -> int:
        """The number of the last match as the server tells it; 0 if it tells none."""
        return read_match_number(self._room.get("number")) or 0

    # Waiting.

    async def until(self, reached: Callable[["WatchedTable"], bool]) -> None:
        """Waits until the table satisfies a condition.

        Raises:
            ConnectionLostError: the connection is lost permanently.
            RequestError: the table is no longer watched, see `refusal`.
        """
        while not reached(self):
            self._raise_if_unfollowed()
            self._changed.clear()
            await self._connection.wait_for(self._changed)

    def _raise_if_unfollowed(self) -> None:
        if self.refusal is not None:
            raise self.refusal

    def events(self) -> AsyncIterator[messages.Event | messages.Snapshot]:
        """The events and snapshots of the table from now on, until the client is closed.

        Raises:
            RequestError: the table is followed no longer, see `refusal`.
        """
        return self._stream(self._listeners)

    def steps(self) -> AsyncIterator[Step]:
        """The present state of the table and that after each event, until the client is closed.

        Raises:
            RequestError: the table is followed no longer, see `refusal`.
        """
        return self._stream(self._steps, self.current_step)

    async def _stream(
        self, queues: list[asyncio.Queue[_T | None]], first: Callable[[], _T] | None = None
    ) -> AsyncIterator[_T]:
        """What is put into a queue of its own from now on, after a first item, until a None."""
        self._raise_if_unfollowed()
        queue: asyncio.Queue[_T | None] = asyncio.Queue()
        queues.append(queue)
        if first is not None:
            queue.put_nowait(first())
        try:
            while (item := await queue.get()) is not None:
                yield item
        finally:
            queues.remove(queue)
        self._raise_if_unfollowed()

    def current_step(self, happened: messages.EventInfo | None = None) -> Step:
        """The present state of the table, as a `Step`."""
        return Step(
            happened,
            self.version,
            self.seat,
            self.room,
            self._view,
            self.turn,
            self.entry_request_number,
            tuple(self.said),
        )

    async def play(self, bot: Bot, rng: random.Random | None = None) -> None:
        """Lets a bot play this client's seat until the match is over.

        Args:
            bot: the bot.
            rng: its random number generator.
        """
        rng = rng or random.Random()  # noqa: S311 - a bot's choices are not secrets
        while self.phase not in _OVER:
            await self.until(WatchedTable.is_mine_to_move)
            version = self.version
            try:
                if self._can_resume_control():
                    await self.resume_control()
                elif self._is_undo_vote_due():
                    await self.answer_undo(accept=True)
                elif self.turn is not None:
                    # In a thread: a long computation would otherwise time the connection out.
                    chosen = await asyncio.to_thread(
                        choose_action, bot, self.view, self.turn.legal, rng
                    )
                    await self.act(chosen)
                elif self.phase == "between" or self._is_hint_unread():
                    await self.declare_ready()
            except ConnectionLostError:
                # Once the copy has caught up, it shows whether the request was carried out.
                continue
            except RequestError:
                # Refused because a stand-in acted first, after the thinking time: choose again.
                if self.version == version:
                    raise

    def is_mine_to_move(self) -> bool:
        """Whether this client is to act now, is to be ready, or never has to act again."""
        if not self.is_current or self.phase in _OVER:
            return self.is_current
        if self._can_resume_control():
            return True
        if self.room.undo is not None:
            return self._is_undo_vote_due()
        if self.phase == "between" and self.seat is not None:
            return not self.room.seats[self.seat].ready
        return self.turn is not None or self._is_hint_unread()

    def _can_resume_control(self) -> bool:
        """Whether a bot plays for this client, which has not yet asked to play again."""
        if self.seat is None or self.phase != "playing":
            return False
        info = self.room.seats[self.seat]
        return info.away and not info.returning

    def _is_undo_vote_due(self) -> bool:
        """Whether an undo request awaits this client's answer."""
        undo = self.room.undo
        return undo is not None and self.seat in undo.awaited

    def _is_hint_unread(self) -> bool:
        return self.hint is not None and self.hint.wait

    # Updates, called by the client.

    def apply_message(self, message: messages.Event | messages.Snapshot) -> bool:
        """Applies a message of the server; False when an earlier event is missing."""
        happened = message.event if isinstance(message, messages.Event) else None
        change = self._change_by(message)
        if isinstance(message, messages.Snapshot):
            self._is_followed = True
            self.seat = message.seat
            self._request = message.request
            self._former_seat = message.former
            self._room = msgspec.to_builtins(message.room)
            self._view = message.view
            self.said = list(message.said)
        elif message.version != self.version + 1:
            return message.version <= self.version
        else:
            self._room |= message.room
            self._note_said(message.event)
            self._view = _changed_view(self._view, message)
        self.version = message.version
        if self._view is not None:
            self._deals.note_view(self._room, self.seat, self._view, change)
        self.turn = message.turn
        self.hint = message.hint
        self.undoable = message.undoable
        self.wake()
        if isinstance(message, messages.Snapshot):
            message = msgspec.structs.replace(message, room=self.room)
        for queue in self._listeners:
            queue.put_nowait(message)
        for steps in self._steps:
            steps.put_nowait(self.current_step(happened))
        return True

    def _change_by(self, message: messages.Event | messages.Snapshot) -> Change:
        """How a message changes the view, which is compared with the record in the end."""
        if isinstance(message, messages.Snapshot):
            return "reply" if message.version == self.version else "gap"
        return change_by(message.event)

    def _note_said(self, event: messages.EventInfo) -> None:
        """Notes what a seat has said; a new pack and a new match clear it."""
        if event.kind in ("started", "rematch"):
            self.said = []
        elif event.kind == "pack":
            self.said = [None] * len(self._room["seats"])
        elif event.seat is not None and event.action and not is_card_action(event.action):
            self.said = [
                event.action if seat == event.seat else one for seat, one in enumerate(self.said)
            ]

    def fair_deal_messages(self) -> Sequence[Contribution]:
        """The messages to send for this client's part in verifiable deals."""
        return self._deals.contributions(self._room, self.seat)

    def stop_keeping_deals(self) -> None:
        """Lets another process keep what is seen of the deals at this table."""
        self._deals.close()

    def wake(self) -> None:
        """Wakes all waits for a change."""
        self._changed.set()

    def end_waits(self, refusal: RequestError | None = None) -> None:
        """Ends all waits."""
        self.refusal = refusal
        self._is_followed = False
        self.stop_keeping_deals()
        self.wake()
        for queue in self._listeners:
            queue.put_nowait(None)
        for steps in self._steps:
            steps.put_nowait(None)


def _changed_view(view: Mapping[str, Any] | None, change: messages.Event) -> dict[str, Any] | None:
    """The view of a match after an event.

    Raises:
        msgspec.ValidationError: it changes a list that is none.
    """
    if view is None and not (change.set or change.last or change.append):
        return None
    changed = {**(view or {}), **change.set}
    for key in change.last.keys() | change.append.keys():
        if not isinstance(changed.get(key), list):
            raise msgspec.ValidationError(f"Expected a change of a list - at `$.view.{key}`")
    for key, item in change.last.items():
        changed[key] = [*changed[key][:-1], item]
    for key, items in change.append.items():
        changed[key] = [*changed[key], *items]
    return changed
