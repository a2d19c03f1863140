"""Bot clients: programs that hold seats are marked, and people do not wait for their consent."""

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
    """For each seat whether it is shown as held by a program."""
    return [bool(seat.program) for seat in host.state.room().seats]


def beside(*people: str, seats: int = 4) -> TableDriver:
    """A table of people hosted by A, with the program P on the next seat."""
    host = host_table("".join(people), "molotow", options={"rounds": 1, "dealer": 0})
    host.execute(commands.Sit("p", len(people), "low", is_program=True))
    for seat in range(len(people) + 1, seats):
        host.execute(commands.AssignBot("a", seat, "random"))
    return host


def playing(*people: str) -> TableDriver:
    host = beside(*people)
    host.execute(commands.StartMatch("a"))
    return host


def refused(host: TableDriver, command: commands.Command) -> str:
    with pytest.raises(TableError) as caught:
        host.execute(command)
    return caught.value.code


def test_everyone_sees_that_a_program_holds_a_seat() -> None:
    host = beside("a", "b")
    assert programs(host) == [False, False, True, False]
    seat = host.state.room().seats[2]
    assert (seat.kind, seat.name, seat.bot) == ("person", "low", None)


def test_a_program_is_marked_after_moving_and_its_successor_is_not() -> None:
    host = host_table("a")
    host.execute(commands.Sit("p", 1, "low", is_program=True), commands.Sit("p", 3, "low"))
    assert programs(host) == [False, False, False, True]
    host.execute(commands.Stand("p"), commands.Sit("c", 3, "Cla"))
    assert not any(programs(host))


def test_the_host_sees_that_a_seat_request_is_from_a_program() -> None:
    host = host_table("a")
    host.execute(commands.SetEntryPolicy("a", "host"), commands.Sit("p", 1, "low", is_program=True))
    assert [one.program for one in host.state.room().requests] == [True]
    host.execute(commands.AnswerEntryRequest("a", 1, accept=True))
    assert programs(host) == [False, True, False, False]


def test_older_logs_contain_people_only() -> None:
    log = host_table("ab").log
    plain = msgspec.to_builtins(log)
    for event in plain:
        event.pop("program", None)
    old = Table.from_events(msgspec.convert(plain, EVENTS))
    assert not any(seat.program for seat in old.state.room().seats)
    assert [seat.name for seat in old.state.room().seats[:2]] == ["A", "B"]


def test_without_programs_older_versions_can_read_the_log() -> None:
    host = host_table("ab")
    host.execute(commands.SetEntryPolicy("a", "host"), commands.Sit("c", 2, "Cla"))
    encode = msgspec.json.encode
    for told in map(encode, (host.log, host.state.compaction_event(), host.state.room())):
        assert b"program" not in told
    host.execute(
        commands.Sit("p", 3, "low", is_program=True),
        commands.AnswerEntryRequest("a", 2, accept=True),
    )
    for told in map(encode, (host.log, host.state.compaction_event(), host.state.room())):
        assert b'"program":true' in told


@settings(max_examples=examples(200, 60), deadline=None)
@given(st.data())
def test_programs_are_known_after_every_restart(data: st.DataObject) -> None:
    host = TableDriver(new_table("molotow", [None] * 4, rounds=1))
    host.table.apply(host.state.compaction_event())
    host.log.append(host.state.last_event)
    for _ in range(data.draw(st.integers(1, 12))):
        person = data.draw(st.sampled_from("abpq"))
        seat = data.draw(st.integers(0, 3))
        wishes: list[commands.Command] = [
            commands.Sit(person, seat, person, is_program=person in "pq"),
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


def test_a_program_never_becomes_host() -> None:
    host = host_table("a")
    host.execute(commands.Sit("p", 1, "low", is_program=True))
    hosts: list[str | None] = []
    for asked in (
        commands.Stand("a"),  # the last one stays it
        commands.ErasePerson("a"),
        commands.Sit("q", 0, "other", is_program=True),
        commands.Sit("b", 2, "Reto"),
    ):
        host.execute(asked)
        hosts.append(host.state.host_settings.host)
    assert hosts == ["a", None, None, "b"]


def test_the_next_host_is_a_person_even_if_a_program_came_before() -> None:
    host = host_table("a")
    host.execute(commands.Sit("p", 1, "low", is_program=True), commands.Sit("c", 2, "Cla"))
    host.execute(commands.Stand("a"))
    assert host.state.host_settings.host == "c"


def test_a_program_gives_its_seat_to_anyone_who_wants_to_swap() -> None:
    host = beside("a", "b")
    assert host.execute(commands.RequestSwap("a", 2)) == [
        events.SeatsSwapped(0, 2, characters=True)
    ]
    assert programs(host) == [True, False, False, False]
    assert host.execute(commands.RequestSwap("p", 1)) == [
        events.SwapOffered(0, 1)
    ]  # a person is asked by it too


def test_programs_are_not_asked_about_undo() -> None:
    host = playing("a", "b")
    while host.state.undo_eligible_seat != 0:
        host.random_step()
    host.execute(commands.RequestUndo("a"))
    undo = host.state.room().undo
    assert undo is not None
    assert undo.awaited == [1]
    assert refused(host, commands.AnswerUndo("p", accept=False)) == "no_undo"
    done = host.execute(commands.AnswerUndo("b", accept=True))
    assert [type(one) for one in done] == [events.UndoAgreed, events.Undone]


def test_with_programs_only_undo_takes_effect_at_once() -> None:
    host = playing("a")
    while host.state.undo_eligible_seat != 0:
        host.random_step()
    done = host.execute(commands.RequestUndo("a"))
    assert [type(one) for one in done] == [events.UndoRequested, events.Undone]


def test_a_program_does_not_prevent_skipping_pauses() -> None:
    host = playing("a")
    while turns.bot_turn(host.state) is None:
        host.random_step()
    skip_pauses.check_may_skip(host.state, "a", to_end=False)


def test_a_ready_program_does_not_start_the_countdown() -> None:
    host = host_table("a", "molotow", options={"rounds": 2, "dealer": 0}, thinking_time=20)
    host.execute(commands.Sit("p", 1, "low", is_program=True), commands.StartMatch("a"))
    host.play_until("between")
    assert host.execute(commands.ReadyUp("p")) == [events.Ready(1)]
    assert turns.running_clocks(host.state) == {}
    begun = [type(event) for event in host.execute(commands.ReadyUp("a"))]
    assert events.PackDealt in begun


def test_people_wait_for_a_program_as_for_each_other() -> None:
    host = host_table("a", "molotow", options={"rounds": 2, "dealer": 0}, thinking_time=20)
    host.execute(commands.Sit("p", 1, "low", is_program=True), commands.StartMatch("a"))
    host.play_until("between")
    assert host.execute(commands.ReadyUp("a")) == [events.Ready(0)]
    assert turns.waiting_for(host.state) == [1]
    gone, *begun = host.execute(commands.TimeUp(1))
    assert gone == events.BotTookOver(1)
    assert events.PackDealt in map(type, begun)


def test_programs_do_not_continue_without_the_seated_people() -> None:
    host = playing("a")
    host.play_until("over")
    host.execute(commands.ReadyUp("p"))
    assert (host.state.phase, host.state.match_number) == ("over", 1)
    host.execute(commands.ReadyUp("a"))
    assert (host.state.phase, host.state.match_number) == ("playing", 2)


def test_programs_without_people_continue_by_themselves() -> None:
    host = host_table("", "molotow", options={"rounds": 1, "dealer": 0})
    host.execute(
        commands.Sit("p", 0, "low", is_program=True), commands.Sit("q", 1, "two", is_program=True)
    )
    host.execute(commands.StartMatch("a"))
    host.play_until("over")
    host.execute(commands.ReadyUp("p"), commands.ReadyUp("q"))
    assert (host.state.phase, host.state.match_number) == ("playing", 2)
