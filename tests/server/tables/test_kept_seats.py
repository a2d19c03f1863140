"""Seats that are kept for people who leave during a match."""

import asyncio
from typing import Any

from jasstisch.server.api import messages
from jasstisch.server.tables.actor import TableActor
from jasstisch.server.tables.kept_seats import KeptSeats
from jasstisch.table import commands
from tests.server.tables.test_broadcaster import Listener
from tests.server.workers.test_move_timing import LoopTimeServices, TimedScheduler, TimestampStore
from tests.support.virtual_time import run_in_virtual_time
from tests.table.table_driver import TableDriver, host_table

MINUTES = 60.0


def started(people: str = "abcd") -> TableDriver:
    """A match of four people whose host is A."""
    host = host_table(people)
    host.execute(commands.StartMatch("a"))
    return host


class Seats:
    """The kept seats of a table, followed event by event."""

    def __init__(self, host: TableDriver) -> None:
        self.host = host
        self.known = KeptSeats()

    def do(self, now: float, *asked: commands.Command) -> None:
        for one in asked:
            self.host.execute(one)
            self.known.update(self.host.state, now)

    def play_until(self, phase: str, now: float) -> None:
        while self.host.state.phase != phase:
            self.do(now, self.host.next_command())

    def kept(self, now: float) -> list[int]:
        return [seat for seat in range(4) if self.known.is_kept(seat, now)]


def test_a_seat_is_kept_until_the_round_is_over_however_long_that_takes() -> None:
    seats = Seats(started())
    seats.do(0.0, commands.Stand("b"))
    assert seats.kept(30 * MINUTES) == [1]
    assert list(seats.known.release_times()) == []
    seats.play_until("between", 30 * MINUTES)
    assert seats.kept(30 * MINUTES) == []


def test_a_seat_is_kept_for_three_minutes_although_the_round_is_over() -> None:
    seats = Seats(started())
    seats.do(0.0, commands.Stand("b"))
    seats.play_until("between", 1 * MINUTES)
    assert list(seats.known.release_times()) == [(1, 3 * MINUTES)]
    assert seats.kept(3 * MINUTES - 0.1) == [1]
    assert seats.kept(3 * MINUTES) == []


def test_the_next_round_does_not_keep_the_seat_of_the_last_one() -> None:
    seats = Seats(started())
    seats.play_until("between", 0.0)
    seats.do(0.0, commands.Stand("b"), *map(commands.ReadyUp, "acd"))
    assert seats.host.state.phase == "playing"
    assert seats.kept(1 * MINUTES) == [1]
    assert seats.kept(3 * MINUTES) == []


def test_a_person_who_leaves_again_has_their_seat_kept_anew() -> None:
    seats = Seats(started())
    seats.do(0.0, commands.Stand("b"))
    seats.do(1 * MINUTES, commands.Sit("b", 1, "Reto"))
    assert seats.kept(1 * MINUTES) == []
    seats.play_until("between", 1 * MINUTES)
    seats.do(2 * MINUTES, commands.Stand("b"))
    assert seats.kept(4 * MINUTES) == [1]


def test_the_seat_of_a_removed_person_is_not_kept() -> None:
    seats = Seats(started())
    seats.play_until("between", 0.0)
    seats.do(0.0, commands.RemovePerson("a", 1))
    assert seats.kept(0.0) == []


def test_bots_from_the_start_and_open_seats_are_not_kept() -> None:
    seats = Seats(host_table("ab"))
    seats.do(0.0, commands.Stand("b"))
    assert seats.kept(0.0) == []
    seats.do(0.0, commands.StartMatch("a"))
    assert seats.kept(0.0) == []


class LiveTable:
    """A running table, with the requests of its people."""

    def __init__(self, host: TableDriver) -> None:
        services = LoopTimeServices(TimestampStore(), worker_pool=TimedScheduler(lambda _: 0.0))
        self.actor = TableActor(host.table, services, lambda _: None)
        self.listeners: dict[str, Listener] = {}

    async def request(self, person: str, kind: Any, *values: Any, **named: Any) -> None:
        """Sends a request of a person, who watches from their first one on."""
        if person not in self.listeners:
            self.listeners[person] = Listener(person)
            await self.actor.request(self.listeners[person], messages.Watch(1, self.actor.id))
        message = kind(2, self.actor.id, *values, **named)
        await self.actor.request(self.listeners[person], message)

    def presence(self, person: str) -> messages.Presence:
        last = self.listeners[person].of(messages.Presence)[-1]
        assert isinstance(last, messages.Presence)
        return last

    def snapshot(self, person: str) -> messages.Snapshot:
        last = self.listeners[person].of(messages.Snapshot)[-1]
        assert isinstance(last, messages.Snapshot)
        return last


def test_others_are_told_that_a_seat_is_kept_and_when_no_longer_without_any_event() -> None:
    host = started()
    host.play_until("between")

    async def waiting() -> None:
        live = LiveTable(host)
        await live.request("b", messages.Stand)
        await live.request("x", messages.Sit, 1, "Xenia")
        assert live.snapshot("b").former == 1
        assert live.snapshot("x").former is None
        assert live.presence("x").kept == [False, True, False, False]
        assert host.state.seats.seat_of("x") is None
        assert [one.name for one in host.state.room().requests] == ["Xenia"]
        await asyncio.sleep(181.0)
        assert live.presence("x").kept == [False] * 4
        await live.request("x", messages.Sit, 1, "Xenia")
        assert host.state.seats.seat_of("x") == 1
        assert host.state.room().requests == []
        live.actor.evict()

    run_in_virtual_time(waiting())


def test_a_person_is_back_on_their_seat_with_one_request_while_others_have_asked_for_it() -> None:
    host = started()

    async def returning() -> None:
        live = LiveTable(host)
        await live.request("b", messages.Stand)
        await asyncio.sleep(10 * MINUTES)
        await live.request("x", messages.Sit, 1, "Xenia")
        await live.request("b", messages.Sit, 1, "Reto")
        assert host.state.seats.seat_of("b") == 1
        assert live.snapshot("b").former is None
        await asyncio.sleep(1.0)
        assert live.presence("x").kept == [False] * 4
        live.actor.evict()

    run_in_virtual_time(returning())


def test_a_person_sees_who_has_the_seat_that_the_host_gave_away() -> None:
    host = started()

    async def given_away() -> None:
        live = LiveTable(host)
        await live.request("b", messages.Stand)
        await live.request("x", messages.Sit, 1, "Xenia")
        await live.request("a", messages.AnswerEntryRequest, 1, accept=True)
        await live.actor.request(live.listeners["b"], messages.Watch(3, live.actor.id))
        told = live.snapshot("b")
        assert (told.seat, told.former, told.room.seats[1].name) == (None, 1, "Xenia")
        await live.request("b", messages.Sit, 1, "Reto")
        (refused,) = live.listeners["b"].of(messages.ErrorMessage)
        assert refused.code == "seat_taken"
        live.actor.evict()

    run_in_virtual_time(given_away())


def test_a_removed_person_is_not_told_of_a_seat_to_return_to() -> None:
    host = started()
    host.play_until("between")

    async def removed() -> None:
        live = LiveTable(host)
        await live.request("b", messages.SendPhrase, "hello")
        await live.request("a", messages.RemovePerson, 1)
        assert live.snapshot("b").former is None
        assert live.presence("b").kept == [False] * 4
        live.actor.evict()

    run_in_virtual_time(removed())
