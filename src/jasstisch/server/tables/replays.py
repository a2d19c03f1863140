"""Builds the replays and records of matches from the store: one at a time, in a thread.

They are made of what the store holds, so that any node makes them, and of an earlier match of a
table too.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import msgspec

from jasstisch.engine.errors import GameError
from jasstisch.server.errors import ApiError, ServerBusyError
from jasstisch.server.limits import Limits
from jasstisch.server.net import rate_limit_key
from jasstisch.storage import CorruptionError, EventStore
from jasstisch.table import (
    FinishedMatch,
    ResumePoint,
    Room,
    build_replay,
    find_resume_point,
    finished_match,
    finished_rounds,
)
from jasstisch.table.events import Event

__all__ = ["ERR_MATCH_NOT_OVER", "ReplayService"]

Built = TypeVar("Built")

ERR_MATCH_NOT_OVER = "a match can be replayed once it is over"
ERR_ROUND_NOT_OVER = "a round can be replayed once it is over"


class ReplayService:
    """Makes replays, one at a time, so that those who play do not wait for them.

    Args:
        store: where the tables are.
        limits: how long a match may be, and how many may wait, in all and of one address.
    """

    def __init__(self, store: EventStore, limits: Limits) -> None:
        self._store = store
        self._limits = limits
        self._lock = asyncio.Lock()
        self._waiting: Counter[str] = Counter()

    async def replay(
        self, room: Room, number: int, seat: int | None, person: str | None, address: str
    ) -> bytes:
        """The replay of a match as JSON.

        Args:
            room: its table as it is now.
            number: which match of it, from 1.
            seat: whose view; None for that of whoever asks, the only one while the match is played.
            person: who asks.
            address: where he calls from.

        Raises:
            RefusedError: there is none, or too many from there wait for theirs.
            BusyError: too many wait for theirs.
            StoreError: the table cannot be read.
        """
        write = partial(_encode_replay, room=room, seat=seat, person=person)
        return await self._build(room.table, number, address, write, rounds=True)

    async def players(self, room: Room, number: int, address: str) -> list[str]:
        """Who played a match that is over, by seats; it raises what `of` raises."""
        return await self._build(room.table, number, address, _player_names)

    async def record(self, room: Room, number: int, address: str) -> bytes:
        """The record of a match that is over as JSON; it raises what `of` raises."""
        return await self._build(room.table, number, address, _encode_record)

    async def resume_point(
        self, room: Room, number: int, step: int, address: str
    ) -> tuple[FinishedMatch, ResumePoint]:
        """A match that is over, and its first decision after a step.

        Raises:
            TableError: there is no such step, or nothing was decided after it.
            RefusedError: as `of`.
            BusyError: as `of`.
            StoreError: as `of`.
        """
        most = self._limits.resumed_steps
        if step > most:
            raise ApiError("limit", f"one plays on from the first {most} steps of a match")
        return await self._build(
            room.table, number, address, partial(_find_resume_point, step=step)
        )

    async def _build(
        self,
        table: str,
        number: int,
        address: str,
        make: Callable[[FinishedMatch], Built],
        *,
        rounds: bool = False,
    ) -> Built:
        counted, most = rate_limit_key(address), self._limits.replays_per_address
        if self._waiting[counted] >= most:
            raise ApiError("too_fast", f"at most {most} replays at a time, please")
        if self._waiting.total() >= self._limits.replays_waiting:
            raise ServerBusyError("too many replays are being made; try again in a minute")
        self._waiting[counted] += 1
        try:
            async with self._lock:
                events = await self._store.load(table)
                steps = self._limits.replayed_steps
                return await asyncio.to_thread(
                    lambda: make(_find_match(events, number, steps, rounds))
                )
        finally:
            self._waiting[counted] -= 1
            self._waiting += Counter()  # without those of whom none waits


def _find_match(events: list[Event], number: int, most: int, rounds: bool) -> FinishedMatch:
    """A match that is over, or its rounds that are where these are wanted.

    Raises:
        RefusedError: there is none, or it is too long.
        DamagedError: the log of the table is damaged.
    """
    try:
        match = finished_match(events, number) or (
            finished_rounds(events, number) if rounds else None
        )
    except ValueError as error:
        raise CorruptionError("its events do not follow from each other") from error
    if match is None:
        raise ApiError("wrong_phase", ERR_ROUND_NOT_OVER if rounds else ERR_MATCH_NOT_OVER)
    if len(match.record["log"]) > most:
        raise ApiError("limit", f"matches of at most {most} steps are replayed here")
    return match


def _encode_record(match: FinishedMatch) -> bytes:
    return msgspec.json.encode(match.record)


def _find_resume_point(match: FinishedMatch, step: int) -> tuple[FinishedMatch, ResumePoint]:
    return match, find_resume_point(match, step)


def _player_names(match: FinishedMatch) -> list[str]:
    return list(match.record["players"])


def _encode_replay(match: FinishedMatch, room: Room, seat: int | None, person: str | None) -> bytes:
    """The replay of a match as JSON.

    Raises:
        RefusedError: there is no such seat, or it is not his while the match is played.
    """
    own = match.seats.get(person) if person is not None else None
    if not match.whole and seat not in (None, own):
        raise ApiError("wrong_phase", "until the match is over one sees it with one's own eyes")
    try:
        made = build_replay(match, own if seat is None else seat, own, room)
    except GameError as error:
        raise ApiError("not_found", str(error)) from error
    return msgspec.json.encode(made)
