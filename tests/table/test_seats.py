"""Who may sit where, and when."""

import pytest

from jasstisch.table import STAND_IN, Table, TableError, commands, events
from jasstisch.table.table import MOST_BEFORE_THE_START, MOST_EVENTS
from tests.table.tables import Host, new_table, started


def refused(host: Host, command: commands.Command) -> TableError:
    """The refusal of a command, which must change nothing."""
    before = host.table.version, host.state.room()
    with pytest.raises(TableError) as caught:
        host.do(command)
    assert (host.table.version, host.state.room()) == before
    return caught.value


def test_a_person_takes_an_open_seat_under_a_name() -> None:
    host = Host(new_table())
    assert host.do(commands.Sit("a", 1, "Anna")) == [events.Sat(1, "a", "Anna")]
    assert host.state.seat_of("a") == 1
    seat = host.state.room().seats[1]
    assert (seat.kind, seat.name, seat.bot) == ("person", "Anna", None)


def test_sitting_down_where_one_sits_already_does_nothing() -> None:
    host = Host(new_table())
    host.do(commands.Sit("a", 1, "Anna"))
    assert host.do(commands.Sit("a", 1, "Anna")) == []


def test_before_the_start_a_person_may_change_seats() -> None:
    host = Host(new_table())
    host.do(commands.Sit("a", 1, "Anna"), commands.Sit("a", 0, "Anna"))
    assert host.state.seat_of("a") == 0
    assert host.state.room().seats[1].kind == "open"


@pytest.mark.parametrize(
    ("seat", "code"),
    [(0, "seat_taken"), (2, "seat_taken"), (4, "bad_option"), (-1, "bad_option")],
)
def test_a_seat_of_somebody_else_or_of_a_computer_is_not_free(seat: int, code: str) -> None:
    host = Host(new_table())
    host.do(commands.Sit("a", 0, "Anna"))
    assert refused(host, commands.Sit("b", seat, "Reto")).code == code


def test_only_people_at_the_table_may_start_play_or_go_on() -> None:
    host = Host(new_table())
    host.seat_people("a")
    for command in (
        commands.Start("x"),
        commands.Act("x", "play JC"),
        commands.Proceed("x"),
        commands.Stand("x"),
        commands.Return("x"),
    ):
        assert refused(host, command).code == "not_seated"


def test_a_match_starts_once() -> None:
    host = started()
    assert refused(host, commands.Start("a")).code == "wrong_phase"


def test_open_seats_are_filled_by_the_stand_in_at_the_start() -> None:
    host = Host(new_table(seats=[None, None, None, "random"]))
    host.seat_people("a")
    done = host.do(commands.Start("a"))
    assert done[0] == events.Started({1: STAND_IN, 2: STAND_IN})
    names = [seat.name for seat in host.state.room().seats]
    assert names == ["A", "bot:greedy", "bot:greedy", "bot:random"]
    view = host.state.view(None)
    assert view is not None
    assert view["players"] == names


def test_a_person_who_stands_up_during_a_match_is_replaced_and_may_come_back() -> None:
    host = started()
    host.do(commands.Stand("a"))
    seat = host.state.room().seats[0]
    assert (seat.kind, seat.bot, seat.left) == ("computer", STAND_IN, True)
    assert seat.name == "A"
    assert not host.state.room().seats[3].left
    assert host.state.seat_of("a") is None
    host.do(commands.Sit("a", 0, "Anna"))
    assert host.state.seat_of("a") == 0
    assert not host.state.room().seats[0].away


def test_a_newcomer_may_take_the_seat_of_somebody_who_left() -> None:
    host = started()
    host.do(commands.Stand("a"), commands.Sit("x", 0, "Xenia"))
    assert host.state.seat_of("x") == 0
    assert refused(host, commands.Sit("a", 0, "Anna")).code == "seat_taken"


def test_nobody_gets_to_see_a_second_hand_in_one_match() -> None:
    host = started()
    host.do(commands.Stand("a"), commands.Stand("b"))
    assert refused(host, commands.Sit("a", 1, "Anna")).code == "seat_taken"


def test_a_computers_seat_is_not_free_during_a_match_either() -> None:
    host = started()
    assert refused(host, commands.Sit("x", 3, "Xenia")).code == "seat_taken"


def test_after_the_match_seats_that_were_left_are_open_to_anybody() -> None:
    host = started("molotov", target=1)
    host.do(commands.Stand("b"))
    host.play_until("over")
    assert host.state.room().seats[1].kind == "open"
    host.do(commands.Sit("x", 1, "Xenia"))
    assert host.state.seat_of("x") == 1


def test_wins_belong_to_the_person_and_not_to_the_seat() -> None:
    host = started("molotov", target=1)
    host.play_until("over")
    host.do(commands.Proceed("a"), commands.Proceed("b"))
    host.state.wins[:] = [2, 1, 0, 0]
    host.do(commands.Stand("a"), commands.Sit("a", 0, "Anna"))
    assert host.state.room().wins == [2, 1, 0, 0]
    host.do(commands.Stand("a"), commands.Sit("x", 0, "Xenia"))
    assert host.state.room().wins == [0, 1, 0, 0]


def test_a_table_that_has_seen_enough_takes_nobody_in(monkeypatch: pytest.MonkeyPatch) -> None:
    host = Host(new_table())
    monkeypatch.setattr("jasstisch.table.table.MOST_EVENTS", 2)
    host.do(commands.Sit("a", 0, "Anna"))
    assert refused(host, commands.Sit("b", 1, "Reto")).code == "limit"


def test_a_log_that_does_not_begin_with_the_creation_is_damaged() -> None:
    with pytest.raises(ValueError, match="begins with its creation"):
        Table.from_events([])
    with pytest.raises(ValueError, match="begins with its creation"):
        Table.from_events([events.Stood(0)])


def test_a_log_with_a_second_creation_is_damaged() -> None:
    created = new_table().state.created
    with pytest.raises(ValueError, match="created once"):
        Table.from_events([created, created])


def come_and_go(host: Host, times: int) -> None:
    """Somebody sits down and stands up again and again at a table that does not begin."""
    for _ in range(times):
        host.do(commands.Sit("c", 1, "Cla"), commands.Stand("c"))


def test_of_those_who_come_and_go_before_the_start_only_the_outcome_is_kept() -> None:
    host = Host(new_table())
    host.do(commands.Sit("a", 0, "Anna"))
    come_and_go(host, 3 * MOST_BEFORE_THE_START)
    host.do(commands.Sit("b", 1, "Reto"))
    last = max(place for place, event in enumerate(host.log) if isinstance(event, events.Gathered))
    kept = [host.log[0], *host.log[last:]]
    assert len(kept) <= MOST_BEFORE_THE_START + 1
    again = Table.from_events(kept)
    assert again.version == host.table.version == len(host.log)
    assert again.state.room() == host.state.room()
    host.do(commands.Start("a"))
    for event in host.log[again.version :]:
        again.apply(event)
    assert again.state.room() == host.state.room()


def test_a_table_at_which_people_came_and_went_can_begin_and_take_people() -> None:
    host = Host(new_table())
    host.do(commands.Sit("a", 0, "Anna"))
    come_and_go(host, MOST_EVENTS // 2 + 10)
    assert host.table.version > MOST_EVENTS
    host.do(commands.Sit("b", 1, "Reto"), commands.Start("a"))
    assert host.state.phase == "playing"


def test_swaps_that_are_asked_for_are_still_asked_for_when_the_rest_is_forgotten() -> None:
    host = Host(new_table(seats=[None] * 4))
    host.seat_people("a", "b")
    host.do(commands.Swap("a", 1))
    for _ in range(MOST_BEFORE_THE_START):
        host.do(commands.Sit("c", 2, "Cla"), commands.Stand("c"))
    assert any(isinstance(event, events.Gathered) for event in host.log)
    assert host.state.places[0].asks == 1
    host.do(commands.Answer("b", 0, True))
    assert (host.state.seat_of("a"), host.state.seat_of("b")) == (1, 0)


def test_seats_are_not_gathered_once_a_match_has_begun() -> None:
    host = started()
    with pytest.raises(ValueError, match="before the first match"):
        host.table.apply(host.state.gathered())
