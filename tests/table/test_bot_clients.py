"""Somebody's program on a seat: everybody sees it, and people do not wait for what it cannot do."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jasstisch.table import Table, TableError, commands, events, turns
from jasstisch.table.handlers import skip_pauses
from tests.support.example_counts import examples
from tests.table.table_driver import TableDriver, host_table, new_table

EVENTS = list[events.Event]


def programs(host: TableDriver) -> list[bool]:
    """For each seat whether everybody sees that a program plays there."""
    return [bool(seat.program) for seat in host.state.room().seats]


def beside(*people: str, seats: int = 4) -> TableDriver:
    """A table of people, A its host, with the program P on the seat after them."""
    host = host_table("".join(people), "molotow", options={"rounds": 1, "dealer": 0})
    host.execute(commands.Sit("p", len(people), "low", program=True))
    for seat in range(len(people) + 1, seats):
        host.execute(commands.AssignSeat("a", seat, "random"))
    return host


def playing(*people: str) -> TableDriver:
    host = beside(*people)
    host.execute(commands.StartMatch("a"))
    return host


def refused(host: TableDriver, command: commands.Command) -> str:
    with pytest.raises(TableError) as caught:
        host.execute(command)
    return caught.value.code


def test_everybody_sees_that_a_program_has_taken_a_seat() -> None:
    host = beside("a", "b")
    assert programs(host) == [False, False, True, False]
    seat = host.state.room().seats[2]
    assert (seat.kind, seat.name, seat.bot) == ("person", "low", None)


def test_a_program_that_moves_stays_one_and_whoever_sits_there_next_is_none() -> None:
    host = host_table("a")
    host.execute(commands.Sit("p", 1, "low", program=True), commands.Sit("p", 3, "low"))
    assert programs(host) == [False, False, False, True]
    host.execute(commands.Stand("p"), commands.Sit("c", 3, "Cla"))
    assert not any(programs(host))


def test_the_host_is_told_that_it_is_a_program_that_asks_to_be_let_in() -> None:
    host = host_table("a")
    host.execute(commands.SetEntryPolicy("a", "host"), commands.Sit("p", 1, "low", program=True))
    assert [one.program for one in host.state.room().requests] == [True]
    host.execute(commands.AnswerEntryRequest("a", 1, accept=True))
    assert programs(host) == [False, True, False, False]


def test_a_log_from_before_there_were_programs_has_people_only() -> None:
    log = host_table("ab").log
    plain = msgspec.to_builtins(log)
    for event in plain:
        event.pop("program", None)
    old = Table.from_events(msgspec.convert(plain, EVENTS))
    assert not any(seat.program for seat in old.state.room().seats)
    assert [seat.name for seat in old.state.room().seats[:2]] == ["A", "B"]


def test_who_knows_nothing_of_programs_reads_all_that_is_written_where_there_are_none() -> None:
    host = host_table("ab")
    host.execute(commands.SetEntryPolicy("a", "host"), commands.Sit("c", 2, "Cla"))
    encode = msgspec.json.encode
    for told in map(encode, (host.log, host.state.compaction_event(), host.state.room())):
        assert b"program" not in told
    host.execute(
        commands.Sit("p", 3, "low", program=True), commands.AnswerEntryRequest("a", 2, accept=True)
    )
    for told in map(encode, (host.log, host.state.compaction_event(), host.state.room())):
        assert b'"program":true' in told


@settings(max_examples=examples(200, 60), deadline=None)
@given(st.data())
def test_who_is_a_program_is_known_after_every_restart(data: st.DataObject) -> None:
    host = TableDriver(new_table("molotow", [None] * 4, rounds=1))
    host.table.apply(host.state.compaction_event())
    host.log.append(host.state.last_event)
    for _ in range(data.draw(st.integers(1, 12))):
        person = data.draw(st.sampled_from("abpq"))
        seat = data.draw(st.integers(0, 3))
        wishes: list[commands.Command] = [
            commands.Sit(person, seat, person, program=person in "pq"),
            commands.Stand(person),
            commands.RequestSwap(person, seat),
            commands.StartMatch(person),
        ]
        asked = data.draw(st.sampled_from(wishes))
        try:
            host.execute(asked)
        except TableError:
            continue
        if host.state.phase == "open" and data.draw(st.booleans()):
            host.table.apply(host.state.compaction_event())
            host.log.append(host.state.last_event)
    again = Table.from_events(msgspec.json.decode(msgspec.json.encode(host.log), type=EVENTS))
    assert again.state.room() == host.state.room()
    for place in again.state.seats:
        assert place.is_program == (place.person is not None and place.person in "pq")


def test_a_program_is_the_host_neither_after_others_nor_before_them() -> None:
    host = host_table("a")
    host.execute(commands.Sit("p", 1, "low", program=True))
    hosts: list[str | None] = []
    for asked in (
        commands.Stand("a"),  # the last one stays it
        commands.ErasePerson("a"),
        commands.Sit("q", 0, "other", program=True),
        commands.Sit("b", 2, "Reto"),
    ):
        host.execute(asked)
        hosts.append(host.state.host_settings.host)
    assert hosts == ["a", None, None, "b"]


def test_the_next_person_is_the_host_and_not_a_program_before_him() -> None:
    host = host_table("a")
    host.execute(commands.Sit("p", 1, "low", program=True), commands.Sit("c", 2, "Cla"))
    host.execute(commands.Stand("a"))
    assert host.state.host_settings.host == "c"


def test_a_program_gives_its_seat_to_whoever_wants_to_swap() -> None:
    host = beside("a", "b")
    assert host.execute(commands.RequestSwap("a", 2)) == [
        events.SeatsSwapped(0, 2, characters=True)
    ]
    assert programs(host) == [True, False, False, False]
    assert host.execute(commands.RequestSwap("p", 1)) == [
        events.SwapOffered(0, 1)
    ]  # a person is asked by it too


def test_nobody_waits_for_what_a_program_says_of_a_card() -> None:
    host = playing("a", "b")
    while host.state.undoable_by != 0:
        host.random_step()
    host.execute(commands.RequestUndo("a"))
    undo = host.state.room().undo
    assert undo is not None
    assert undo.awaited == [1]
    assert refused(host, commands.AnswerUndo("p", accept=False)) == "no_undo"
    done = host.execute(commands.AnswerUndo("b", accept=True))
    assert [type(one) for one in done] == [events.UndoAgreed, events.Undone]


def test_beside_programs_a_card_goes_back_at_once() -> None:
    host = playing("a")
    while host.state.undoable_by != 0:
        host.random_step()
    done = host.execute(commands.RequestUndo("a"))
    assert [type(one) for one in done] == [events.UndoRequested, events.Undone]


def test_a_program_does_not_look_on_where_computers_are_hurried() -> None:
    host = playing("a")
    while turns.bot_turn(host.state) is None:
        host.random_step()
    skip_pauses.check_may_skip(host.state, "a", to_end=False)


def test_a_program_that_is_ready_first_hurries_nobody() -> None:
    host = host_table("a", "molotow", options={"rounds": 2, "dealer": 0}, thinking_time=20)
    host.execute(commands.Sit("p", 1, "low", program=True), commands.StartMatch("a"))
    host.play_until("between")
    assert host.execute(commands.ReadyUp("p")) == [events.Ready(1)]
    assert turns.running_clocks(host.state) == {}
    begun = [type(event) for event in host.execute(commands.ReadyUp("a"))]
    assert events.PackDealt in begun


def test_people_wait_for_a_program_as_for_each_other() -> None:
    host = host_table("a", "molotow", options={"rounds": 2, "dealer": 0}, thinking_time=20)
    host.execute(commands.Sit("p", 1, "low", program=True), commands.StartMatch("a"))
    host.play_until("between")
    assert host.execute(commands.ReadyUp("a")) == [events.Ready(0)]
    assert turns.waiting_for(host.state) == [1]
    gone, *begun = host.execute(commands.TimeUp(1))
    assert gone == events.BotTookOver(1)
    assert events.PackDealt in map(type, begun)


def test_programs_play_no_match_by_themselves_while_a_person_has_a_seat() -> None:
    host = playing("a")
    host.play_until("over")
    host.execute(commands.ReadyUp("p"))
    assert (host.state.phase, host.state.match_number) == ("over", 1)
    host.execute(commands.ReadyUp("a"))
    assert (host.state.phase, host.state.match_number) == ("playing", 2)


def test_programs_among_themselves_go_on() -> None:
    host = host_table("", "molotow", options={"rounds": 1, "dealer": 0})
    host.execute(
        commands.Sit("p", 0, "low", program=True), commands.Sit("q", 1, "two", program=True)
    )
    host.execute(commands.StartMatch("a"))
    host.play_until("over")
    host.execute(commands.ReadyUp("p"), commands.ReadyUp("q"))
    assert (host.state.phase, host.state.match_number) == ("playing", 2)
