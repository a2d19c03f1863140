"""Builds the replays and records of matches from the store, one at a time, in a thread.

The source is the store, so any node can build them, and also for earlier matches of a table.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeVar

import msgspec

from jasstisch.engine.errors import GameError
from jasstisch.server.errors import ApiError, ServerBusyError
from jasstisch.server.limits import Limits
from jasstisch.server.net import rate_limit_key
from jasstisch.storage import CorruptionError, EventStore
from jasstisch.table import (
    BranchPoint,
    FinishedMatch,
    RoomInfo,
    build_replay,
    closed_match,
    find_branch_point,
    finished_match,
    finished_rounds,
)
from jasstisch.table.events import Event

_Built = TypeVar("_Built")
_FindMatch = Callable[[Iterable[Event], int], FinishedMatch | None]

ERR_MATCH_NOT_OVER = "a match can be replayed once it is over"
_ERR_ROUND_NOT_OVER = "a round can be replayed once it is over"


class ReplayService:
    """Builds replays one at a time, so that players do not wait for them.

    Args:
        store: the store of the tables.
        limits: the maximum length of a match, and how many requests may wait, in total and for each
            address.
    """

    def __init__(self, store: EventStore, limits: Limits) -> None:
        self._store = store
        self._limits = limits
        self._lock = asyncio.Lock()
        self._waiting: Counter[str] = Counter()

    async def build_replay(
        self, room: RoomInfo, number: int, seat: int | None, person: str | None, address: str
    ) -> bytes:
        """The replay of a match as JSON.

        Args:
            room: the current room of the table.
            number: the number of the match at the table, from 1.
            seat: the seat whose view is shown; None for the person's own, the only one allowed
                while the match is in progress.
            person: the person who asks.
            address: the address of the client.

        Raises:
            ApiError: there is no such match, or too many requests from this address wait.
            ServerBusyError: too many requests wait.
            StoreError: the table cannot be read.
        """
        write = partial(_encode_replay, room=room, seat=seat, person=person)
        return await self._build(room.table, number, address, write, unfinished=finished_rounds)

    async def players(self, room: RoomInfo, number: int, address: str) -> list[str]:
        """The players of a finished match, by seat; raises the same errors as `replay`."""
        return await self._build(room.table, number, address, _player_names)

    async def build_record(self, room: RoomInfo, number: int, address: str) -> bytes:
        """The record of a match as JSON; raises the same errors as `replay`.

        The match is finished, or was in progress when the table was closed.
        """
        return await self._build(
            room.table, number, address, _encode_record, unfinished=closed_match
        )

    async def branch_point(
        self, room: RoomInfo, number: int, step: int, address: str
    ) -> tuple[FinishedMatch, BranchPoint]:
        """A finished match, and its first decision after a step.

        Raises:
            TableError: there is no such step, or no decision after it.
            ApiError: as for `replay`.
            ServerBusyError: as for `replay`.
            StoreError: as for `replay`.
        """
        most = self._limits.max_resumed_steps
        if step > most:
            raise ApiError("limit", f"one plays on from the first {most} steps of a match")
        return await self._build(
            room.table, number, address, partial(_find_branch_point, step=step)
        )

    async def _build(
        self,
        table: str,
        number: int,
        address: str,
        make: Callable[[FinishedMatch], _Built],
        *,
        unfinished: _FindMatch | None = None,
    ) -> _Built:
        counted, most = rate_limit_key(address), self._limits.replays_per_address
        if self._waiting[counted] >= most:
            raise ApiError("too_fast", f"at most {most} replays at a time, please")
        if self._waiting.total() >= self._limits.replays_waiting:
            raise ServerBusyError("too many replays are being made; try again in a minute")
        self._waiting[counted] += 1
        try:
            async with self._lock:
                events = await self._store.load(table)
                steps = self._limits.max_replayed_steps
                return await asyncio.to_thread(
                    lambda: make(_find_match(events, number, steps, unfinished))
                )
        finally:
            self._waiting[counted] -= 1
            self._waiting += Counter()  # drops the addresses whose count is zero


def _find_match(
    events: list[Event], number: int, limit: int, unfinished: _FindMatch | None
) -> FinishedMatch:
    """A finished match, or what `unfinished` finds of a match that is not.

    Raises:
        ApiError: there is no such match, or it is too long.
        CorruptionError: the log of the table is damaged.
    """
    try:
        match = finished_match(events, number)
        if match is None and unfinished is not None:
            match = unfinished(events, number)
    except ValueError as error:
        raise CorruptionError("its events do not follow from each other") from error
    if match is None:
        rounds = unfinished is finished_rounds
        raise ApiError("wrong_phase", _ERR_ROUND_NOT_OVER if rounds else ERR_MATCH_NOT_OVER)
    if len(match.record["log"]) > limit:
        raise ApiError("limit", f"matches of at most {limit} steps are replayed here")
    return match


def _encode_record(match: FinishedMatch) -> bytes:
    return msgspec.json.encode(match.record)


def _find_branch_point(match: FinishedMatch, step: int) -> tuple[FinishedMatch, BranchPoint]:
    return match, find_branch_point(match, step)


def _player_names(match: FinishedMatch) -> list[str]:
    return list(match.record["players"])


def _encode_replay(
    match: FinishedMatch, room: RoomInfo, seat: int | None, person: str | None
) -> bytes:
    """The replay of a match as JSON.

    Raises:
        ApiError: there is no such seat, or it is another person's while the match is in progress.
    """
    own = match.seat_by_person.get(person) if person is not None else None
    if not match.is_match_over and seat not in (None, own):
        raise ApiError("wrong_phase", "until the match is over one sees it with one's own eyes")
    try:
        made = build_replay(match, own if seat is None else seat, own, room)
    except GameError as error:
        raise ApiError("not_found", str(error)) from error
    return msgspec.json.encode(made)
