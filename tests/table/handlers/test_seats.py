"""Sitting down, changing seats and standing up."""

import pytest

from jasstisch.table import DEFAULT_STAND_IN, Table, TableError, commands, events
from jasstisch.table.table import COMPACT_AFTER_EVENTS, MAX_EVENTS
from tests.table.table_driver import TableDriver, host_table, new_table, start_match


def refused(host: TableDriver, command: commands.Command) -> TableError:
    """The refusal of a command, which must change nothing."""
    before = host.table.version, host.state.room()
    with pytest.raises(TableError) as caught:
        host.execute(command)
    assert (host.table.version, host.state.room()) == before
    return caught.value


def test_a_person_takes_an_open_seat_under_a_name() -> None:
    host = TableDriver(new_table())
    assert host.execute(commands.Sit("a", 1, "Anna")) == [events.SeatTaken(1, "a", "Anna")]
    assert host.state.seats.seat_of("a") == 1
    seat = host.state.room().seats[1]
    assert (seat.kind, seat.name, seat.bot) == ("person", "Anna", None)


def test_sitting_down_on_the_own_seat_does_nothing() -> None:
    host = TableDriver(new_table())
    host.execute(commands.Sit("a", 1, "Anna"))
    assert host.execute(commands.Sit("a", 1, "Anna")) == []


def test_before_the_start_a_person_may_change_seats() -> None:
    host = TableDriver(new_table())
    host.execute(commands.Sit("a", 1, "Anna"), commands.Sit("a", 0, "Anna"))
    assert host.state.seats.seat_of("a") == 0
    assert host.state.room().seats[1].kind == "open"


@pytest.mark.parametrize(
    ("seat", "code"),
    [(0, "seat_taken"), (2, "seat_taken"), (4, "bad_option"), (-1, "bad_option")],
)
def test_taken_seats_are_refused(seat: int, code: str) -> None:
    host = TableDriver(new_table())
    host.execute(commands.Sit("a", 0, "Anna"))
    assert refused(host, commands.Sit("b", seat, "Reto")).code == code


def test_only_seated_people_may_start_or_continue() -> None:
    host = TableDriver(new_table())
    host.seat_people("a")
    for command in (
        commands.StartMatch("x"),
        commands.Act("x", "play JC"),
        commands.ReadyUp("x"),
        commands.Stand("x"),
        commands.ResumeControl("x"),
    ):
        assert refused(host, command).code == "not_seated"


def test_a_match_starts_once() -> None:
    host = start_match()
    assert refused(host, commands.StartMatch("a")).code == "wrong_phase"


def test_open_seats_are_filled_by_bots_at_the_start() -> None:
    host = TableDriver(new_table(seats=[None, None, None, "random"]))
    host.seat_people("a")
    done = host.execute(commands.StartMatch("a"))
    assert done[0] == events.MatchStarted({1: DEFAULT_STAND_IN, 2: DEFAULT_STAND_IN})
    names = [seat.name for seat in host.state.room().seats]
    assert names == ["A", "bot:greedy", "bot:greedy", "bot:random"]
    view = host.state.view(None)
    assert view is not None
    assert view["players"] == names


def test_a_person_who_stands_up_during_a_match_is_replaced_and_may_return() -> None:
    host = start_match()
    host.execute(commands.Stand("a"))
    seat = host.state.room().seats[0]
    assert (seat.kind, seat.bot, seat.left) == ("computer", DEFAULT_STAND_IN, True)
    assert seat.name == "A"
    assert not host.state.room().seats[3].left
    assert host.state.seats.seat_of("a") is None
    host.execute(commands.Sit("a", 0, "Anna"))
    assert host.state.seats.seat_of("a") == 0
    assert not host.state.room().seats[0].away


def test_a_newcomer_may_take_the_seat_of_somebody_who_left() -> None:
    host = start_match()
    host.execute(commands.Stand("a"), commands.Sit("x", 0, "Xenia"))
    assert host.state.seats.seat_of("x") == 0
    assert refused(host, commands.Sit("a", 0, "Anna")).code == "seat_taken"


def test_a_kept_seat_can_only_be_asked_for_and_its_owner_sits_down_at_once() -> None:
    host = host_table("abcd")
    host.execute(commands.StartMatch("a"), commands.Stand("b"))
    asks = commands.Sit("x", 1, "Xenia", is_kept=True)
    assert host.execute(asks) == [events.EntryRequested(1, 1, "x", "Xenia")]
    assert host.state.seats.seat_of("x") is None
    returns = commands.Sit("b", 1, "Reto", is_kept=True)
    assert host.execute(returns) == [events.SeatTaken(1, "b", "Reto")]
    assert refused(host, commands.AnswerEntryRequest("a", 1, accept=True)).code == "seat_taken"


def test_the_host_may_give_a_kept_seat_away() -> None:
    host = host_table("abcd")
    host.execute(
        commands.StartMatch("a"),
        commands.Stand("b"),
        commands.Sit("x", 1, "Xenia", is_kept=True),
        commands.AnswerEntryRequest("a", 1, accept=True),
    )
    assert host.state.seats.seat_of("x") == 1
    assert refused(host, commands.Sit("b", 1, "Reto")).code == "seat_taken"


def test_where_nobody_is_let_in_a_kept_seat_can_not_be_asked_for() -> None:
    host = host_table("abcd")
    host.execute(
        commands.StartMatch("a"), commands.SetEntryPolicy("a", "nobody"), commands.Stand("b")
    )
    assert refused(host, commands.Sit("x", 1, "Xenia", is_kept=True)).code == "no_entry"


def test_nobody_sees_a_second_hand_in_one_match() -> None:
    host = start_match()
    host.execute(commands.Stand("a"), commands.Stand("b"))
    assert refused(host, commands.Sit("a", 1, "Anna")).code == "seat_taken"


def test_bot_seats_are_not_free_during_a_match() -> None:
    host = start_match()
    assert refused(host, commands.Sit("x", 3, "Xenia")).code == "seat_taken"


def test_after_the_match_abandoned_seats_are_open_to_anybody() -> None:
    host = start_match("molotov", target=1)
    host.execute(commands.Stand("b"))
    host.play_until("over")
    assert host.state.room().seats[1].kind == "open"
    host.execute(commands.Sit("x", 1, "Xenia"))
    assert host.state.seats.seat_of("x") == 1


def test_wins_belong_to_the_person_and_not_to_the_seat() -> None:
    host = start_match("molotov", target=1)
    host.play_until("over")
    host.execute(commands.ReadyUp("a"), commands.ReadyUp("b"))
    host.state.wins[:] = [2, 1, 0, 0]
    host.execute(commands.Stand("a"), commands.Sit("a", 0, "Anna"))
    assert host.state.room().wins == [2, 1, 0, 0]
    host.execute(commands.Stand("a"), commands.Sit("x", 0, "Xenia"))
    assert host.state.room().wins == [0, 1, 0, 0]


def test_seat_changes_are_limited_by_table(monkeypatch: pytest.MonkeyPatch) -> None:
    host = TableDriver(new_table())
    monkeypatch.setattr("jasstisch.table.table.MAX_EVENTS", 2)
    host.execute(commands.Sit("a", 0, "Anna"))
    assert refused(host, commands.Sit("b", 1, "Reto")).code == "limit"


def test_a_log_that_does_not_begin_with_creation_is_damaged() -> None:
    with pytest.raises(ValueError, match="begins with its creation"):
        Table.from_events([])
    with pytest.raises(ValueError, match="begins with its creation"):
        Table.from_events([events.SeatLeft(0)])


def test_a_log_with_a_second_creation_is_damaged() -> None:
    created = new_table().state.creation_event
    with pytest.raises(ValueError, match="created once"):
        Table.from_events([created, created])


def come_and_go(host: TableDriver, times: int) -> None:
    """Makes a person sit down and stand up repeatedly before the start."""
    for _ in range(times):
        host.execute(commands.Sit("c", 1, "Cla"), commands.Stand("c"))


def test_seat_changes_before_the_start_are_compacted_to_their_outcome() -> None:
    host = TableDriver(new_table())
    host.execute(commands.Sit("a", 0, "Anna"))
    come_and_go(host, 3 * COMPACT_AFTER_EVENTS)
    host.execute(commands.Sit("b", 1, "Reto"))
    last = max(
        place for place, event in enumerate(host.log) if isinstance(event, events.LobbyCompacted)
    )
    kept = [host.log[0], *host.log[last:]]
    assert len(kept) <= COMPACT_AFTER_EVENTS + 1
    again = Table.from_events(kept)
    assert again.version == host.table.version == len(host.log)
    assert again.state.room() == host.state.room()
    host.execute(commands.StartMatch("a"))
    for event in host.log[again.version :]:
        again.apply(event)
    assert again.state.room() == host.state.room()


def test_a_compacted_table_can_start_and_admit_people() -> None:
    host = TableDriver(new_table())
    host.execute(commands.Sit("a", 0, "Anna"))
    come_and_go(host, MAX_EVENTS // 2 + 10)
    assert host.table.version > MAX_EVENTS
    host.execute(commands.Sit("b", 1, "Reto"), commands.StartMatch("a"))
    assert host.state.phase == "playing"


def test_compaction_keeps_swap_offers() -> None:
    host = TableDriver(new_table(seats=[None] * 4))
    host.seat_people("a", "b")
    host.execute(commands.RequestSwap("a", 1))
    for _ in range(COMPACT_AFTER_EVENTS):
        host.execute(commands.Sit("c", 2, "Cla"), commands.Stand("c"))
    assert any(isinstance(event, events.LobbyCompacted) for event in host.log)
    assert host.state.seats[0].swap_target == 1
    host.execute(commands.AnswerSwap("b", 0, True))
    assert (host.state.seats.seat_of("a"), host.state.seats.seat_of("b")) == (1, 0)


def test_there_is_no_compaction_once_a_match_has_begun() -> None:
    host = start_match()
    with pytest.raises(ValueError, match="before the first match"):
        host.table.apply(host.state.compaction_event())
