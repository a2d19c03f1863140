"""Thinking time: who is waited for, who is played for, and how he comes back."""

from jasstisch.match import Match
from jasstisch.table import Clock, commands, events
from tests.table.tables import Host, new_table, started


def timed(people: str = "abcd", thinking_time: int = 30) -> Host:
    seats = [None] * len(people) + ["greedy"] * (4 - len(people))
    host = Host(new_table(seats=seats, thinking_time=thinking_time))
    host.seat_people(*people)
    host.do(commands.Start(people[0]))
    return host


def match_of(host: Host) -> Match:
    assert host.state.match is not None
    return host.state.match


def test_without_a_thinking_time_nobody_is_hurried() -> None:
    host = started(people="abcd")
    clock = Clock()
    clock.update(host.state, 0.0)
    assert clock.next_deadline() is None
    assert clock.due(1e9) == []


def test_the_time_of_a_seat_begins_with_its_turn_and_ends_with_its_action() -> None:
    host = timed()
    clock = Clock()
    clock.update(host.state, 100.0)
    seat = match_of(host).to_act[0]
    assert clock.left(seat, 110.0) == 20.0
    assert clock.next_deadline() == 130.0
    host.step()
    clock.update(host.state, 112.0)
    assert clock.left(seat, 112.0) is None
    following = match_of(host).to_act[0]
    assert clock.left(following, 112.0) == 30.0


def test_the_time_begins_anew_for_a_seat_whose_turn_comes_again_at_once() -> None:
    host = timed()
    clock = Clock()
    while True:
        seat = match_of(host).to_act[0]
        clock.update(host.state, 0.0)
        host.step()
        if host.state.phase == "playing" and match_of(host).to_act[0] == seat:
            break
    clock.update(host.state, 10.0)
    assert clock.left(seat, 10.0) == 30.0


def test_other_peoples_doings_do_not_lengthen_the_time() -> None:
    host = timed("ab")
    clock = Clock()
    while not set(match_of(host).to_act) & {0, 1}:
        host.step()
    seat = match_of(host).to_act[0]
    other = "ab"[1 - seat]
    clock.update(host.state, 0.0)
    host.do(commands.Stand(other))
    clock.update(host.state, 20.0)
    assert clock.left(seat, 20.0) == 10.0


def test_when_the_time_is_up_the_computer_plays_until_the_person_is_back() -> None:
    host = timed()
    seat = match_of(host).to_act[0]
    clock = Clock()
    clock.update(host.state, 0.0)
    assert clock.due(29.9) == []
    assert clock.due(30.0) == [seat]
    assert host.do(commands.TimeUp(seat)) == [events.Away(seat)]
    assert host.state.room().seats[seat].away
    assert host.state.computer_turn() == (seat, "greedy")
    host.do(commands.Compute(seat, match_of(host).legal(seat)[0]))
    last = host.log[-1]
    assert isinstance(last, events.Acted)
    assert last.by == "computer"
    person = "abcd"[seat]
    assert host.do(commands.Return(person)) == [events.Back(seat)]
    assert not host.state.room().seats[seat].away
    assert host.do(commands.Return(person)) == []


def test_a_time_that_is_up_for_nobody_changes_nothing() -> None:
    host = timed()
    waiting = next(seat for seat in range(4) if seat not in match_of(host).to_act)
    assert host.do(commands.TimeUp(waiting)) == []


def test_coming_back_gives_the_full_time_again() -> None:
    host = timed()
    seat = match_of(host).to_act[0]
    clock = Clock()
    clock.update(host.state, 0.0)
    host.do(commands.TimeUp(seat))
    clock.update(host.state, 30.0)
    assert clock.next_deadline() is None
    host.do(commands.Return("abcd"[seat]))
    clock.update(host.state, 50.0)
    assert clock.left(seat, 50.0) == 30.0


def test_all_who_have_not_bid_are_on_the_clock_at_once() -> None:
    host = Host(new_table("differenzler", [None] * 4, thinking_time=60))
    host.seat_people(*"abcd")
    host.do(commands.Start("a"))
    clock = Clock()
    clock.update(host.state, 0.0)
    host.do(commands.Act("c", "bid 40"))
    clock.update(host.state, 5.0)
    assert clock.due(60.0) == [0, 1, 3]


def test_between_rounds_nobody_is_hurried_until_the_first_is_ready() -> None:
    host = timed("ab")
    host.play_until("between")
    clock = Clock()
    clock.update(host.state, 0.0)
    assert clock.next_deadline() is None
    host.do(commands.Proceed("a"))
    clock.update(host.state, 100.0)
    assert clock.due(130.0) == [1]
    host.do(commands.TimeUp(1))
    assert host.state.phase == "playing"


def test_the_computer_takes_its_time_for_people_to_follow() -> None:
    host = Host(new_table("differenzler", pause=700))
    host.seat_people("a", "b")
    host.do(commands.Start("a"))
    assert host.state.computer_turn() == (2, "greedy")
    assert host.state.computer_pause() == 200  # there is nothing to see in a secret bid
    pauses = set()
    while host.state.phase == "playing":
        view = host.state.view(None)
        assert view is not None
        if view["phase"] == "play":
            completed = bool(view["tricks"]) and not view["trick"]
            pauses.add((completed, host.state.computer_pause()))
        host.step()
    assert pauses == {(False, 700), (True, 1400)}
