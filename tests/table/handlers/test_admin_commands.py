"""What the operator of the server does to a table: it is closed, or a nickname is taken away."""

import msgspec
import pytest

import jasstisch as jt
from jasstisch.table import Table, TableError, commands, events
from jasstisch.table.handlers.host_commands import REMOVED_NICKNAME
from tests.table.table_driver import SHORT_OPTIONS, TableDriver, host_table, new_table


def playing(game: str = "molotov") -> TableDriver:
    host = TableDriver(new_table(game, **SHORT_OPTIONS[game]))
    host.seat_people("a", "b")
    host.execute(commands.StartMatch("a"))
    return host


def test_a_nickname_that_is_taken_away_is_gone_from_the_room_the_views_and_the_record() -> None:
    host = playing()
    for _ in range(5):
        host.execute(host.next_command())
    assert host.execute(commands.AdminRemoveNickname(1)) == [
        events.NicknameReplaced(1, REMOVED_NICKNAME)
    ]
    while host.state.phase != "over":
        host.execute(host.next_command())
    record = host.state.record()
    assert record is not None
    for told in (host.state.room(), host.state.view(0), host.state.view(None), record):
        assert '"B"' not in msgspec.json.encode(told).decode()
        assert REMOVED_NICKNAME in msgspec.json.encode(told).decode()
    assert jt.Match.from_record(record).players[1] == REMOVED_NICKNAME


def test_the_log_is_the_same_table_again_with_the_name_taken_away() -> None:
    host = playing()
    host.execute(commands.AdminRemoveNickname(0))
    host.execute(host.next_command())
    stored = msgspec.json.decode(msgspec.json.encode(host.log), type=list[events.Event])
    again = Table.from_events(stored)
    assert again.state.room() == host.state.room()
    assert again.state.view(0) == host.state.view(0)
    # The events before it are as they were: the log stays the truth.
    assert events.SeatTaken(0, "a", "A") in stored


def test_two_without_a_name_are_told_apart_and_nobody_loses_it_twice() -> None:
    host = playing()
    host.execute(commands.AdminRemoveNickname(0))
    assert host.execute(commands.AdminRemoveNickname(1)) == [
        events.NicknameReplaced(1, f"{REMOVED_NICKNAME} 2")
    ]
    assert host.execute(commands.AdminRemoveNickname(1)) == []


def test_of_who_has_left_the_name_goes_too_during_the_match_and_after_it() -> None:
    host = playing()
    host.execute(commands.Stand("b"))
    host.execute(commands.AdminRemoveNickname(1))
    assert host.state.room().seats[1].name == REMOVED_NICKNAME
    other = playing()
    while other.state.phase != "over":
        other.execute(other.next_command())
    other.execute(commands.Stand("b"), commands.AdminRemoveNickname(1))
    record = other.state.record()
    assert record is not None
    assert record["players"][:2] == ["A", REMOVED_NICKNAME]


def test_a_computer_has_no_nickname_and_no_seat_is_made_up() -> None:
    host = playing()
    for seat, code in ((2, "wrong_phase"), (9, "bad_option"), (-1, "bad_option")):
        with pytest.raises(TableError) as caught:
            host.execute(commands.AdminRemoveNickname(seat))
        assert caught.value.code == code


def test_the_operator_closes_a_table_whoever_the_host_is_and_in_mid_match() -> None:
    host = host_table()
    host.execute(commands.StartMatch("a"))
    assert host.execute(commands.AdminClose()) == [events.TableClosed()]
    assert host.state.phase == "closed"
    with pytest.raises(TableError, match="closed"):
        host.execute(commands.AdminClose())
    # A name offends at a closed table as well.
    assert host.execute(commands.AdminRemoveNickname(0)) == [
        events.NicknameReplaced(0, REMOVED_NICKNAME)
    ]
    assert host.state.phase == "closed"
