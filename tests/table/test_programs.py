"""Somebody's program on a seat: everybody sees it, and people do not wait for what it cannot do."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jasstisch.table import Table, TableError, commands, events, hurrying
from tests.effort import some
from tests.table.tables import Host, hosted, new_table

EVENTS = list[events.Event]


def programs(host: Host) -> list[bool]:
    """For each seat whether everybody sees that a program plays there."""
    return [bool(seat.program) for seat in host.state.room().seats]


def beside(*people: str, seats: int = 4) -> Host:
    """A table of people, A its host, with the program P on the seat after them."""
    host = hosted("".join(people), "molotow", options={"rounds": 1, "dealer": 0})
    host.do(commands.Sit("p", len(people), "low", program=True))
    for seat in range(len(people) + 1, seats):
        host.do(commands.Give("a", seat, "random"))
    return host


def playing(*people: str) -> Host:
    host = beside(*people)
    host.do(commands.Start("a"))
    return host


def refused(host: Host, command: commands.Command) -> str:
    with pytest.raises(TableError) as caught:
        host.do(command)
    return caught.value.code


def test_everybody_sees_that_a_program_has_taken_a_seat() -> None:
    host = beside("a", "b")
    assert programs(host) == [False, False, True, False]
    seat = host.state.room().seats[2]
    assert (seat.kind, seat.name, seat.bot) == ("person", "low", None)


def test_a_program_that_moves_stays_one_and_whoever_sits_there_next_is_none() -> None:
    host = hosted("a")
    host.do(commands.Sit("p", 1, "low", program=True), commands.Sit("p", 3, "low"))
    assert programs(host) == [False, False, False, True]
    host.do(commands.Stand("p"), commands.Sit("c", 3, "Cla"))
    assert not any(programs(host))


def test_the_host_is_told_that_it_is_a_program_that_asks_to_be_let_in() -> None:
    host = hosted("a")
    host.do(commands.Admit("a", "host"), commands.Sit("p", 1, "low", program=True))
    assert [one.program for one in host.state.room().requests] == [True]
    host.do(commands.LetIn("a", 1, accept=True))
    assert programs(host) == [False, True, False, False]


def test_a_log_from_before_there_were_programs_has_people_only() -> None:
    log = hosted("ab").log
    plain = msgspec.to_builtins(log)
    for event in plain:
        event.pop("program", None)
    old = Table.from_events(msgspec.convert(plain, EVENTS))
    assert not any(seat.program for seat in old.state.room().seats)
    assert [seat.name for seat in old.state.room().seats[:2]] == ["A", "B"]


def test_who_knows_nothing_of_programs_reads_all_that_is_written_where_there_are_none() -> None:
    host = hosted("ab")
    host.do(commands.Admit("a", "host"), commands.Sit("c", 2, "Cla"))
    encode = msgspec.json.encode
    for told in map(encode, (host.log, host.state.gathered(), host.state.room())):
        assert b"program" not in told
    host.do(commands.Sit("p", 3, "low", program=True), commands.LetIn("a", 2, accept=True))
    for told in map(encode, (host.log, host.state.gathered(), host.state.room())):
        assert b'"program":true' in told


@settings(max_examples=some(200, 60), deadline=None)
@given(st.data())
def test_who_is_a_program_is_known_after_every_restart(data: st.DataObject) -> None:
    host = Host(new_table("molotow", [None] * 4, rounds=1))
    host.table.apply(host.state.gathered())
    host.log.append(host.state.last)
    for _ in range(data.draw(st.integers(1, 12))):
        person = data.draw(st.sampled_from("abpq"))
        seat = data.draw(st.integers(0, 3))
        wishes: list[commands.Command] = [
            commands.Sit(person, seat, person, program=person in "pq"),
            commands.Stand(person),
            commands.Swap(person, seat),
            commands.Start(person),
        ]
        asked = data.draw(st.sampled_from(wishes))
        try:
            host.do(asked)
        except TableError:
            continue
        if host.state.phase == "open" and data.draw(st.booleans()):
            host.table.apply(host.state.gathered())
            host.log.append(host.state.last)
    again = Table.from_events(msgspec.json.decode(msgspec.json.encode(host.log), type=EVENTS))
    assert again.state.room() == host.state.room()
    for place in again.state.places:
        assert place.program == (place.person is not None and place.person in "pq")


def test_a_program_is_the_host_neither_after_others_nor_before_them() -> None:
    host = hosted("a")
    host.do(commands.Sit("p", 1, "low", program=True))
    hosts: list[str | None] = []
    for asked in (
        commands.Stand("a"),  # the last one stays it
        commands.Forget("a"),
        commands.Sit("q", 0, "other", program=True),
        commands.Sit("b", 2, "Reto"),
    ):
        host.do(asked)
        hosts.append(host.state.house.host)
    assert hosts == ["a", None, None, "b"]


def test_the_next_person_is_the_host_and_not_a_program_before_him() -> None:
    host = hosted("a")
    host.do(commands.Sit("p", 1, "low", program=True), commands.Sit("c", 2, "Cla"))
    host.do(commands.Stand("a"))
    assert host.state.house.host == "c"


def test_a_program_gives_its_seat_to_whoever_wants_to_swap() -> None:
    host = beside("a", "b")
    assert host.do(commands.Swap("a", 2)) == [events.Swapped(0, 2, characters=True)]
    assert programs(host) == [True, False, False, False]
    assert host.do(commands.Swap("p", 1)) == [events.Offered(0, 1)]  # a person is asked by it too


def test_nobody_waits_for_what_a_program_says_of_a_card() -> None:
    host = playing("a", "b")
    while host.state.undoable != 0:
        host.step()
    host.do(commands.Undo("a"))
    undo = host.state.room().undo
    assert undo is not None
    assert undo.awaited == [1]
    assert refused(host, commands.AnswerUndo("p", accept=False)) == "no_undo"
    done = host.do(commands.AnswerUndo("b", accept=True))
    assert [type(one) for one in done] == [events.UndoAgreed, events.Undone]


def test_beside_programs_a_card_goes_back_at_once() -> None:
    host = playing("a")
    while host.state.undoable != 0:
        host.step()
    done = host.do(commands.Undo("a"))
    assert [type(one) for one in done] == [events.UndoAsked, events.Undone]


def test_a_program_does_not_look_on_where_computers_are_hurried() -> None:
    host = playing("a")
    while host.state.computer_turn() is None:
        host.step()
    hurrying.check(host.state, "a", to_end=False)


def test_a_program_that_is_ready_first_hurries_nobody() -> None:
    host = hosted("a", "molotow", options={"rounds": 2, "dealer": 0}, thinking_time=20)
    host.do(commands.Sit("p", 1, "low", program=True), commands.Start("a"))
    host.play_until("between")
    assert host.do(commands.Proceed("p")) == [events.Ready(1)]
    assert host.state.timed() == {}
    begun = [type(event) for event in host.do(commands.Proceed("a"))]
    assert events.Pack in begun


def test_people_wait_for_a_program_as_for_each_other() -> None:
    host = hosted("a", "molotow", options={"rounds": 2, "dealer": 0}, thinking_time=20)
    host.do(commands.Sit("p", 1, "low", program=True), commands.Start("a"))
    host.play_until("between")
    assert host.do(commands.Proceed("a")) == [events.Ready(0)]
    assert host.state.awaited() == [1]
    gone, *begun = host.do(commands.TimeUp(1))
    assert gone == events.Away(1)
    assert events.Pack in map(type, begun)


def test_programs_play_no_match_by_themselves_while_a_person_has_a_seat() -> None:
    host = playing("a")
    host.play_until("over")
    host.do(commands.Proceed("p"))
    assert (host.state.phase, host.state.number) == ("over", 1)
    host.do(commands.Proceed("a"))
    assert (host.state.phase, host.state.number) == ("playing", 2)


def test_programs_among_themselves_go_on() -> None:
    host = hosted("", "molotow", options={"rounds": 1, "dealer": 0})
    host.do(commands.Sit("p", 0, "low", program=True), commands.Sit("q", 1, "two", program=True))
    host.do(commands.Start("a"))
    host.play_until("over")
    host.do(commands.Proceed("p"), commands.Proceed("q"))
    assert (host.state.phase, host.state.number) == ("playing", 2)
