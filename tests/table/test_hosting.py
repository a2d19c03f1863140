"""What the host decides: who comes in, who begins, who goes, and that all see it."""

from contextlib import suppress
from typing import Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jasstisch.table import Table, TableError, commands, events
from jasstisch.table.hosting import MOST_REQUESTS
from tests.effort import some
from tests.table.tables import Host, hosted, new_table

EVENTS = list[events.Event]


def refused(host: Host, command: commands.Command, code: str) -> None:
    """Makes sure that a command is refused and changes nothing."""
    before = host.table.version, host.state.room()
    with pytest.raises(TableError) as caught:
        host.do(command)
    assert caught.value.code == code
    assert (host.table.version, host.state.room()) == before


EVERYTHING: list[commands.Hosting] = [
    commands.Admit("", "nobody"),
    commands.LetIn("", 1, accept=True),
    commands.Relink("", "key"),
    commands.LetStart("", "all"),
    commands.LetWrite("", allowed=True),
    commands.Publish("", published=True, key="newer"),
    commands.Delay("", delayed=True),
    commands.GivePatience("", 1, patient=True),
    commands.Remove("", 1),
    commands.Give("", 2, "greedy"),
    commands.Close(""),
]


@pytest.mark.parametrize("command", EVERYTHING, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("person", ["b", "x"])
def test_what_is_the_hosts_nobody_else_can_do(command: commands.Hosting, person: str) -> None:
    host = hosted()
    mine = type(command)(
        **{**{f: getattr(command, f) for f in command.__slots__}, "person": person}
    )
    refused(host, mine, "not_host")


def test_who_made_the_table_is_its_host_with_a_seat_and_without() -> None:
    host = hosted("")
    assert host.state.room().host is None
    host.do(commands.Sit("b", 1, "Reto"))
    assert host.state.house.host == "a"
    host.do(commands.Sit("a", 0, "Anna"))
    assert host.state.room().host == 0
    host.do(commands.Sit("a", 3, "Anna"))
    assert host.state.room().host == 3


def test_at_a_table_of_an_older_log_who_sat_down_first_is_the_host() -> None:
    host = Host(new_table())
    host.seat_people("b", "a")
    assert host.state.house.host == "b"
    host.do(commands.Start("a"))  # and everybody may begin
    assert host.state.phase == "playing"


def test_when_the_host_leaves_the_next_one_is_the_host() -> None:
    host = hosted("bac")
    host.do(commands.Stand("a"))
    assert host.state.house.host == "b"
    host.do(commands.Sit("a", 1, "Anna"))
    assert host.state.house.host == "b"
    host.do(commands.Stand("b"), commands.Stand("a"), commands.Stand("c"))
    assert host.state.house.host == "c"  # the last one stays it
    host.do(commands.Sit("d", 0, "Dora"))
    refused(host, commands.Start("d"), "not_host")


def test_when_a_host_with_or_without_a_seat_is_forgotten_the_next_one_is_the_host() -> None:
    host = hosted("bc")
    assert host.do(commands.Forget("a")) == [events.Resigned()]
    assert host.state.happened(None).kind == "resigned"
    assert host.state.room().host == 0
    assert host.do(commands.Forget("b")) == [events.Resigned(), events.Stood(0)]
    assert host.state.room().host == 1
    assert host.do(commands.Forget("a"), commands.Forget("x")) == []
    host.do(commands.Start("c"))
    again = Table.from_events(msgspec.json.decode(msgspec.json.encode(host.log), type=EVENTS))
    assert again.state.room() == host.state.room()


def test_when_the_last_host_is_forgotten_who_sits_down_next_is_the_host() -> None:
    host = hosted("ba")
    host.do(commands.Stand("b"), commands.Forget("a"))
    refused(host, commands.Start("a"), "not_seated")
    host.table.apply(host.state.gathered())
    hosts = [host.state.house.host]
    host.do(commands.Sit("d", 2, "Dora"), commands.Sit("c", 1, "Cla"))
    assert [*hosts, host.state.house.host] == [None, "d"]
    host.do(commands.Start("d"))
    assert host.state.phase == "playing"


@pytest.mark.parametrize("entry", ["host", "nobody"])
def test_where_no_host_is_left_whoever_has_the_link_sits_down_and_is_it(
    entry: Literal["host", "nobody"],
) -> None:
    host = hosted("a")
    host.do(commands.Sit("p", 1, "low", program=True), commands.Admit("a", entry))
    done = host.do(commands.Forget("a"))
    assert done == [events.Resigned(), events.Admission("link"), events.Stood(0)]
    host.do(commands.Sit("c", 2, "Cla"))
    assert host.state.house.host == "c"


def test_the_next_host_goes_on_letting_people_in() -> None:
    host = hosted("ab")
    host.do(commands.Admit("a", "host"))
    assert host.do(commands.Forget("a")) == [events.Resigned(), events.Stood(0)]
    assert host.state.house.entry == "host"


@settings(max_examples=some(200, 60), deadline=None)
@given(st.data())
def test_whoever_is_forgotten_somebody_can_always_come_in(data: st.DataObject) -> None:
    host = hosted("a")
    for _ in range(data.draw(st.integers(1, 14))):
        person = data.draw(st.sampled_from("abpq"))
        seat = data.draw(st.integers(0, 3))
        wishes: list[commands.Command] = [
            commands.Sit(person, seat, person, program=person in "pq"),
            commands.Stand(person),
            commands.Admit(person, "host"),
            commands.Admit(person, "nobody"),
            commands.LetIn(person, 1, accept=True),
            commands.Forget(person),
        ]
        asked = data.draw(st.sampled_from(wishes))
        with suppress(TableError):
            host.do(asked)
        assert host.state.house.host is not None or host.state.house.entry == "link"
    again = Table.from_events(msgspec.json.decode(msgspec.json.encode(host.log), type=EVENTS))
    assert again.state.room() == host.state.room()
    assert again.state.house == host.state.house


def test_a_guest_who_is_forgotten_only_stands_up() -> None:
    host = hosted("ab")
    assert host.do(commands.Forget("b")) == [events.Stood(1)]
    assert host.state.house.host == "a"


def test_a_guest_begins_the_match_only_if_the_host_lets_him() -> None:
    host = hosted()
    refused(host, commands.Start("b"), "not_host")
    assert host.do(commands.LetStart("a", "all")) == [events.Starters("all")]
    assert host.state.room().starters == "all"
    host.do(commands.Start("b"))
    assert host.state.phase == "playing"


def test_the_host_begins_a_match_of_others() -> None:
    host = hosted("bc")
    host.do(commands.Start("a"))
    assert host.state.phase == "playing"


def test_no_match_begins_with_nobody_who_could_say_that_it_goes_on() -> None:
    host = hosted("")
    refused(host, commands.Start("a"), "wrong_phase")
    host.do(commands.Sit("b", 1, "Reto"), commands.Start("a"))
    assert host.state.phase == "playing"


def test_where_the_host_lets_people_in_a_seat_is_asked_for() -> None:
    host = hosted()
    host.do(commands.Admit("a", "host"))
    assert host.do(commands.Sit("c", 2, "Cla")) == [events.Asked(1, 2, "c", "Cla")]
    assert host.state.seat_of("c") is None
    (request,) = host.state.room().requests
    assert (request.number, request.seat, request.name) == (1, 2, "Cla")
    assert host.do(commands.Sit("c", 2, "Cla")) == []
    host.do(commands.LetIn("a", 1, accept=True))
    assert host.state.seat_of("c") == 2
    assert host.state.room().requests == []


def test_who_asks_for_another_seat_asks_no_longer_for_the_first() -> None:
    host = hosted()
    host.do(commands.Admit("a", "host"), commands.Sit("c", 2, "Cla"), commands.Sit("c", 3, "Cla"))
    assert [(one.number, one.seat) for one in host.state.room().requests] == [(2, 3)]
    refused(host, commands.LetIn("a", 1, accept=True), "wrong_phase")


def test_who_is_let_in_to_a_seat_that_is_gone_gets_another_and_none_where_there_is_none() -> None:
    host = hosted()
    host.do(commands.Admit("a", "host"))
    for person in "cde":
        host.do(commands.Sit(person, 2, person.upper()))
    host.do(commands.LetIn("a", 1, accept=True), commands.LetIn("a", 2, accept=True))
    assert (host.state.seat_of("c"), host.state.seat_of("d")) == (2, 3)
    refused(host, commands.LetIn("a", 3, accept=True), "seat_taken")
    host.do(commands.LetIn("a", 3, accept=False))
    assert host.state.room().requests == []


def test_no_more_than_some_wait_to_be_let_in() -> None:
    host = hosted()
    host.do(commands.Admit("a", "host"))
    for number in range(MOST_REQUESTS):
        host.do(commands.Sit(f"p{number}", 2, f"P{number}"))
    refused(host, commands.Sit("z", 2, "Z"), "limit")
    host.do(commands.Sit("p0", 3, "P0"))  # who waits may change his mind
    assert len(host.state.house.requests) == MOST_REQUESTS


def test_a_locked_table_lets_nobody_in_but_those_who_have_sat_there() -> None:
    host = hosted("abc")
    host.do(commands.Admit("a", "nobody"), commands.Stand("c"))
    refused(host, commands.Sit("d", 2, "Dora"), "no_entry")
    host.do(commands.Sit("c", 2, "Cla"))
    host.do(commands.Stand("c"), commands.Admit("a", "link"))
    host.do(commands.Sit("d", 2, "Dora"))
    assert host.state.seat_of("d") == 2


def test_a_seat_is_taken_away_before_the_start_and_its_person_comes_back_only_if_let_in() -> None:
    host = hosted()
    assert host.do(commands.Remove("a", 1)) == [events.Removed(1)]
    told = host.state.happened(None)
    assert (told.kind, told.seat) == ("removed", 1)
    assert host.state.room().seats[1].kind == "open"
    assert host.do(commands.Sit("b", 1, "Reto")) == [events.Asked(1, 1, "b", "Reto")]
    host.do(commands.LetIn("a", 1, accept=True))
    host.do(commands.Stand("b"), commands.Sit("b", 1, "Reto"))
    assert host.state.seat_of("b") == 1


def test_between_rounds_a_computer_goes_on_for_who_was_removed_and_not_in_a_round() -> None:
    host = hosted("abcd")
    host.do(commands.Start("a"))
    refused(host, commands.Remove("a", 1), "wrong_phase")
    host.play_until("between")
    host.do(commands.Remove("a", 1))
    seat = host.state.room().seats[1]
    assert (seat.kind, seat.left) == ("computer", True)
    assert isinstance(host.do(commands.Sit("b", 1, "Reto"))[0], events.Asked)


def test_the_host_takes_no_seat_away_from_himself_and_none_that_nobody_holds() -> None:
    host = hosted()
    refused(host, commands.Remove("a", 0), "wrong_phase")
    refused(host, commands.Remove("a", 2), "wrong_phase")
    refused(host, commands.Remove("a", 4), "bad_option")


def test_a_seat_is_given_to_a_computer_and_opened_again() -> None:
    host = hosted()
    assert host.do(commands.Give("a", 2, "greedy")) == [events.Given(2, "greedy")]
    assert host.state.room().seats[2].bot == "greedy"
    assert host.do(commands.Give("a", 2, "greedy")) == []
    refused(host, commands.Sit("c", 2, "Cla"), "seat_taken")
    host.do(commands.Give("a", 2, None), commands.Sit("c", 2, "Cla"))
    assert host.state.seat_of("c") == 2
    refused(host, commands.Give("a", 2, "greedy"), "seat_taken")


def test_between_rounds_a_seat_left_is_given_for_good_and_none_is_opened() -> None:
    host = hosted("abcd")
    host.do(commands.Start("a"), commands.Stand("b"))
    refused(host, commands.Give("a", 1, "greedy"), "wrong_phase")
    host.play_until("between")
    refused(host, commands.Give("a", 1, None), "wrong_phase")
    host.do(commands.Give("a", 1, "greedy"))
    refused(host, commands.Sit("b", 1, "Reto"), "seat_taken")
    host.step()
    host.step()
    host.step()
    assert host.state.phase == "playing"


def test_a_renewed_link_is_needed_by_those_who_have_not_sat_here() -> None:
    host = hosted("ab")
    assert host.state.admits(None, None)
    host.do(commands.Relink("a", "secret"))
    assert host.state.room().key == "secret"
    assert not host.state.admits(None, None)
    assert not host.state.admits("x", "wrong")
    assert host.state.admits("x", "secret")
    assert host.state.admits("b", None)
    host.do(commands.Stand("b"))
    assert host.state.admits("b", None)
    host.do(commands.Relink("a", "newer"))
    assert not host.state.admits("x", "secret")


def test_a_renewed_link_is_needed_by_who_was_sent_away_until_he_is_let_in_again() -> None:
    host = hosted("ab")
    host.do(commands.Remove("a", 1), commands.Relink("a", "secret"))
    assert not host.state.admits("b", None)
    assert host.state.admits("b", "secret")
    again = Table.from_events(host.log)
    again.apply(again.state.gathered())
    assert not again.state.admits("b", None)
    host.do(commands.Sit("b", 1, "Reto"), commands.LetIn("a", 1, accept=True))
    assert host.state.admits("b", None)


def test_at_a_closed_table_nothing_happens_any_more() -> None:
    host = hosted("ab")
    host.do(commands.Start("a"))
    host.do(commands.Close("a"))
    assert host.state.room().phase == "closed"
    for command in (
        commands.Sit("c", 2, "Cla"),
        commands.Stand("b"),
        commands.Start("a"),
        commands.Close("a"),
        commands.Act("a", "play JC"),
        commands.Return("a"),
        commands.TimeUp(0),
        commands.Compute(2, "play JC"),
    ):
        refused(host, command, "wrong_phase")
    assert host.state.computer_turn() is None
    assert host.state.awaited() == []
    assert host.state.timed() == {}


def test_two_of_one_name_are_told_apart_by_a_number() -> None:
    host = hosted("")
    for person, name in (("a", "Anna"), ("b", "anna"), ("c", "Anna"), ("d", "Anna 2")):
        seat = "abcd".index(person)
        host.do(commands.Sit(person, seat, name))
    assert [seat.name for seat in host.state.room().seats] == [
        "Anna",
        "anna 2",
        "Anna 3",
        "Anna 2 2",
    ]


def test_who_moves_or_comes_back_keeps_his_name() -> None:
    host = hosted("")
    host.do(commands.Sit("a", 0, "Anna"), commands.Sit("a", 1, "Anna"))
    assert host.state.room().seats[1].name == "Anna"
    host.do(commands.Start("a"), commands.Stand("a"), commands.Sit("a", 1, "Anna"))
    assert host.state.room().seats[1].name == "Anna"


def test_a_face_is_kept_with_the_seat_as_the_name_is() -> None:
    host = hosted("")
    host.do(commands.Sit("a", 0, "Anna", 7), commands.Sit("b", 1, "Reto"))
    host.do(commands.Sit("a", 2, "Anna", 9))  # who moves keeps name and face
    assert [seat.face for seat in host.state.room().seats] == [0, 0, 7, 0]
    gathered = msgspec.json.decode(msgspec.json.encode(host.state.gathered()), type=events.Event)
    host.table.apply(gathered)
    assert host.state.room().seats[2].face == 7
    host.do(commands.Admit("a", "host"), commands.Sit("c", 0, "Cla", 24))
    host.do(commands.LetIn("a", 1, accept=True))
    assert host.state.room().seats[0].face == 24
    host.do(commands.Start("a"), commands.Stand("c"))
    left = host.state.room().seats[0]
    assert (left.left, left.face) == (True, 24)
    host.do(commands.Sit("c", 0, "Cla"))
    assert host.state.room().seats[0].face == 0
    host.do(commands.Close("a"))


def test_what_the_host_decided_is_there_after_a_restart_and_when_the_rest_is_forgotten() -> None:
    host = hosted("ab")
    host.do(
        commands.Admit("a", "host"),
        commands.LetStart("a", "all"),
        commands.LetWrite("a", allowed=True),
        commands.Publish("a", published=True, key="unused"),
        commands.Relink("a", "secret"),
        commands.GivePatience("a", 1, patient=True),
        commands.Sit("c", 2, "Cla"),
    )
    stored = msgspec.json.encode(host.log)
    again = Table.from_events(msgspec.json.decode(stored, type=list[events.Event]))
    assert again.state.room() == host.state.room()
    gathered = msgspec.json.decode(msgspec.json.encode(host.state.gathered()), type=events.Event)
    host.table.apply(gathered)
    assert host.state.room() == again.state.room()
    host.do(commands.LetIn("a", 1, accept=True))
    assert host.state.seat_of("c") == 2


def test_a_published_table_is_seen_without_its_key_as_long_as_it_is_published() -> None:
    host = hosted("ab")
    host.do(commands.Relink("a", "secret"))
    assert not host.state.admits("x", None)
    publish = commands.Publish("a", published=True, key="unused")
    host.do(publish, publish)
    assert host.log[-2:] == [events.Published(True), events.Delayed(True)]
    assert host.state.room().published
    assert host.state.admits("x", None)
    assert host.state.admits(None, "old")
    host.do(commands.Publish("a", published=False, key="newer"))
    assert not host.state.room().published
    assert not host.state.admits("x", None)


def test_off_the_list_the_table_needs_a_key_that_nobody_from_there_was_told() -> None:
    """Also one renewed while it stood there: all whom it let in have seen that in the room."""
    host = hosted("ab")
    host.do(commands.Publish("a", published=True, key="unused"), commands.Relink("a", "told"))
    assert host.do(commands.Publish("a", published=False, key="fresh")) == [
        events.Published(False),
        events.Relinked("fresh"),
    ]
    assert not host.state.admits("x", "told")
    assert not host.state.admits("x", "unused")
    assert host.state.admits("x", "fresh")
    assert host.state.admits("b", None)
    assert host.do(commands.Publish("a", published=False, key="again")) == []


def test_a_published_table_shows_strangers_the_matches_that_began_since() -> None:
    host = hosted("ab")
    host.do(commands.Start("a"), commands.Publish("a", published=True, key="unused"))
    again = Table.from_events(host.log)
    for state in (host.state, again.state):
        assert state.admits("x", None)
        assert not state.admits("x", None, 1)
        assert state.admits("x", None, 2)
        assert state.admits("a", None, 1)
        assert state.admits("b", None, 1)
    host.do(commands.Publish("a", published=False, key="fresh"))
    assert host.state.admits("x", "fresh", 1)


def test_who_comes_to_a_published_table_sits_down_only_as_the_host_has_decided() -> None:
    host = hosted("ab")
    host.do(commands.Publish("a", published=True, key="unused"), commands.Admit("a", "nobody"))
    refused(host, commands.Sit("x", 2, "Nina"), "no_entry")
    host.do(commands.Admit("a", "host"), commands.Sit("x", 2, "Nina"))
    assert host.state.seat_of("x") is None
    assert [one.name for one in host.state.room().requests] == ["Nina"]


def test_the_operator_takes_a_table_off_the_list_whoever_is_its_host() -> None:
    host = hosted("ab")
    host.do(commands.Unlist("unused"))
    assert events.Published(False) not in host.log
    host.do(commands.Publish("a", published=True, key="unused"), commands.Unlist("fresh"))
    assert host.log[-2:] == [events.Published(False), events.Relinked("fresh")]
    assert not host.state.admits("x", None)
