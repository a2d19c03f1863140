"""Admin commands at a table: closing it and removing a nickname."""

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


def test_a_removed_nickname_disappears_from_room_views_and_record() -> None:
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


def test_replaying_the_log_removes_the_nickname_too() -> None:
    host = playing()
    host.execute(commands.AdminRemoveNickname(0))
    host.execute(host.next_command())
    stored = msgspec.json.decode(msgspec.json.encode(host.log), type=list[events.Event])
    again = Table.from_events(stored)
    assert again.state.room() == host.state.room()
    assert again.state.view(0) == host.state.view(0)
    # The events before it are as they were: the log stays the truth.
    assert events.SeatTaken(0, "a", "A") in stored


def test_people_without_names_are_distinguishable_and_names_are_removed_once() -> None:
    host = playing()
    host.execute(commands.AdminRemoveNickname(0))
    assert host.execute(commands.AdminRemoveNickname(1)) == [
        events.NicknameReplaced(1, f"{REMOVED_NICKNAME} 2")
    ]
    assert host.execute(commands.AdminRemoveNickname(1)) == []


def test_names_of_people_who_left_are_removed_during_and_after_the_match() -> None:
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


def test_bots_and_missing_seats_have_no_nickname_to_remove() -> None:
    host = playing()
    for seat, code in ((2, "wrong_phase"), (9, "bad_option"), (-1, "bad_option")):
        with pytest.raises(TableError) as caught:
            host.execute(commands.AdminRemoveNickname(seat))
        assert caught.value.code == code


def test_the_operator_can_close_any_table_during_a_match() -> None:
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
