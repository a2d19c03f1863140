"""What the operator of the server does to a table: it is closed, or a nickname is taken away."""

import msgspec
import pytest

import jasstisch as jt
from jasstisch.table import Table, TableError, commands, events
from jasstisch.table.hosting import NAMELESS
from tests.table.tables import SHORT, Host, hosted, new_table


def playing(game: str = "molotov") -> Host:
    host = Host(new_table(game, **SHORT[game]))
    host.seat_people("a", "b")
    host.do(commands.Start("a"))
    return host


def test_a_nickname_that_is_taken_away_is_gone_from_the_room_the_views_and_the_record() -> None:
    host = playing()
    for _ in range(5):
        host.do(host.next_command())
    assert host.do(commands.Unname(1)) == [events.Renamed(1, NAMELESS)]
    while host.state.phase != "over":
        host.do(host.next_command())
    record = host.state.record()
    assert record is not None
    for told in (host.state.room(), host.state.view(0), host.state.view(None), record):
        assert '"B"' not in msgspec.json.encode(told).decode()
        assert NAMELESS in msgspec.json.encode(told).decode()
    assert jt.Match.from_record(record).players[1] == NAMELESS


def test_the_log_is_the_same_table_again_with_the_name_taken_away() -> None:
    host = playing()
    host.do(commands.Unname(0))
    host.do(host.next_command())
    stored = msgspec.json.decode(msgspec.json.encode(host.log), type=list[events.Event])
    again = Table.from_events(stored)
    assert again.state.room() == host.state.room()
    assert again.state.view(0) == host.state.view(0)
    # The events before it are as they were: the log stays the truth.
    assert events.Sat(0, "a", "A") in stored


def test_two_without_a_name_are_told_apart_and_nobody_loses_it_twice() -> None:
    host = playing()
    host.do(commands.Unname(0))
    assert host.do(commands.Unname(1)) == [events.Renamed(1, f"{NAMELESS} 2")]
    assert host.do(commands.Unname(1)) == []


def test_of_who_has_left_the_name_goes_too_during_the_match_and_after_it() -> None:
    host = playing()
    host.do(commands.Stand("b"))
    host.do(commands.Unname(1))
    assert host.state.room().seats[1].name == NAMELESS
    other = playing()
    while other.state.phase != "over":
        other.do(other.next_command())
    other.do(commands.Stand("b"), commands.Unname(1))
    record = other.state.record()
    assert record is not None
    assert record["players"][:2] == ["A", NAMELESS]


def test_a_computer_has_no_nickname_and_no_seat_is_made_up() -> None:
    host = playing()
    for seat, code in ((2, "wrong_phase"), (9, "bad_option"), (-1, "bad_option")):
        with pytest.raises(TableError) as caught:
            host.do(commands.Unname(seat))
        assert caught.value.code == code


def test_the_operator_closes_a_table_whoever_the_host_is_and_in_mid_match() -> None:
    host = hosted()
    host.do(commands.Start("a"))
    assert host.do(commands.Shut()) == [events.Closed()]
    assert host.state.phase == "closed"
    with pytest.raises(TableError, match="closed"):
        host.do(commands.Shut())
    # A name offends at a closed table as well.
    assert host.do(commands.Unname(0)) == [events.Renamed(0, NAMELESS)]
    assert host.state.phase == "closed"
