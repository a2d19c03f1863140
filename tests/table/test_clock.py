"""Thinking time: who is waited for, who is played for, and how he comes back."""

import msgspec
import pytest
from msgspec.structs import replace

from jasstisch.match.match import Match
from jasstisch.table import Clock, Table, TableError, commands, events, readers, turns
from jasstisch.table.turns import MAX_TIMEOUTS, MIN_TURN_TIME_S
from tests.table.table_driver import TableDriver, new_table, start_match


def timed(people: str = "abcd", thinking_time: int = 30) -> TableDriver:
    seats = [None] * len(people) + ["greedy"] * (4 - len(people))
    host = TableDriver(new_table(seats=seats, thinking_time=thinking_time))
    host.seat_people(*people)
    host.execute(commands.StartMatch(people[0]))
    return host


def match_of(host: TableDriver) -> Match:
    assert host.state.match is not None
    return host.state.match


def test_without_a_thinking_time_nobody_is_hurried() -> None:
    host = start_match(people="abcd")
    clock = Clock()
    clock.update(host.state, 0.0)
    assert clock.next_deadline() is None
    assert clock.expired(1e9) == []


def test_the_time_of_a_seat_begins_with_its_turn_and_ends_with_its_action() -> None:
    host = timed()
    clock = Clock()
    clock.update(host.state, 100.0)
    seat = match_of(host).to_act[0]
    assert clock.remaining(seat, 110.0) == 50.0  # twice the time, for it is the first card
    assert clock.next_deadline() == 160.0
    host.random_step()
    clock.update(host.state, 112.0)
    assert clock.remaining(seat, 112.0) is None
    following = match_of(host).to_act[0]
    assert clock.remaining(following, 112.0) == 60.0
    while match_of(host).to_act[0] != seat or not host.state.seats[seat].cards_played:
        host.random_step()
    clock.update(host.state, 200.0)
    assert clock.remaining(seat, 210.0) == 20.0


def test_the_time_begins_anew_for_a_seat_whose_turn_comes_again_at_once() -> None:
    host = timed()
    clock = Clock()
    while True:
        seat = match_of(host).to_act[0]
        clock.update(host.state, 0.0)
        host.random_step()
        if host.state.phase == "playing" and match_of(host).to_act[0] == seat:
            break
    clock.update(host.state, 10.0)
    assert clock.remaining(seat, 10.0) == turns.time_budget(host.state, seat)


def test_other_peoples_doings_do_not_lengthen_the_time() -> None:
    host = timed("ab")
    clock = Clock()
    while not set(match_of(host).to_act) & {0, 1}:
        host.random_step()
    seat = match_of(host).to_act[0]
    other = "ab"[1 - seat]
    clock.update(host.state, 0.0)
    host.execute(commands.Stand(other))
    clock.update(host.state, 20.0)
    assert clock.remaining(seat, 20.0) == turns.time_budget(host.state, seat) - 20.0


def lapse(host: TableDriver) -> int:
    """The seat whose turn it is lets its time pass."""
    seat = match_of(host).to_act[0]
    assert host.execute(commands.TimeUp(seat))[0] == events.BotTookOver(seat)
    return seat


def compute(host: TableDriver, seat: int) -> None:
    """The computer plays the seat's turn."""
    host.execute(commands.BotAct(seat, match_of(host).legal(seat)[0]))


def test_when_the_time_is_up_the_computer_plays_until_the_person_wants_to_go_on() -> None:
    host = timed()
    seat = match_of(host).to_act[0]
    clock = Clock()
    clock.update(host.state, 0.0)
    assert clock.expired(59.9) == []
    assert clock.expired(60.0) == [seat]
    lapse(host)
    assert host.state.room().seats[seat].away
    assert readers.turn(host.state, seat) is None
    assert turns.bot_turn(host.state) == (seat, "greedy")
    compute(host, seat)
    last = host.log[-1]
    assert isinstance(last, events.Acted)
    assert last.by == "computer"


def test_who_wants_to_go_on_is_back_between_two_tricks() -> None:
    host = timed()
    seat = lapse(host)
    person = "abcd"[seat]
    assert host.execute(commands.ResumeControl(person)) == [events.ReturnRequested(seat)]
    assert host.execute(commands.ResumeControl(person)) == []
    assert host.state.room().seats[seat].returning
    compute(host, seat)
    while match_of(host).trick:
        assert host.state.seats[seat].is_away
        host.random_step()
    assert host.log[-1] == events.ControlResumed(seat)
    info = host.state.room().seats[seat]
    assert (info.away, info.returning, info.lapses) == (False, False, 1)


def test_who_lets_the_time_of_a_lead_pass_does_not_play_that_card_any_more() -> None:
    host = timed()
    host.random_step()
    while match_of(host).trick or host.state.phase != "playing":
        host.random_step()
    seat = lapse(host)
    assert match_of(host).trick == []
    assert host.execute(commands.ResumeControl("abcd"[seat])) == [events.ReturnRequested(seat)]


def test_without_tricks_one_is_back_after_the_turn_that_was_let_pass() -> None:
    host = TableDriver(new_table("i-doubt-it", [None] * 4, thinking_time=30))
    host.seat_people(*"abcd")
    host.execute(commands.StartMatch("a"))
    seat = lapse(host)
    assert host.execute(commands.ResumeControl("abcd"[seat])) == [events.ReturnRequested(seat)]
    compute(host, seat)
    assert host.log[-1] == events.ControlResumed(seat)


def test_an_action_of_somebody_who_is_played_for_is_refused_and_says_how_to_go_on() -> None:
    host = timed()
    seat = lapse(host)
    before = host.table.version
    with pytest.raises(TableError, match="say back"):
        host.execute(commands.Act("abcd"[seat], match_of(host).legal(seat)[0]))
    assert host.table.version == before


def test_who_lets_three_turns_of_a_match_pass_goes_on_in_the_next_round() -> None:
    host = timed()
    for number in range(1, MAX_TIMEOUTS + 1):
        while match_of(host).to_act != (0,):
            host.random_step()
        assert lapse(host) == 0
        assert host.state.room().seats[0].lapses == number
        compute(host, 0)
        host.execute(commands.ResumeControl("a"))
        while match_of(host).trick:
            host.random_step()
        assert host.state.seats[0].is_away == (number == MAX_TIMEOUTS)
    while host.state.phase == "playing":
        assert host.state.seats[0].is_away
        host.random_step()
    assert not host.state.seats[0].is_away


def test_lapses_are_those_of_one_match_and_stay_with_who_stands_up_and_comes_back() -> None:
    host = timed()
    while match_of(host).to_act != (0,):
        host.random_step()
    lapse(host)
    compute(host, 0)
    host.execute(commands.Stand("a"), commands.Sit("a", 0, "A"))
    assert host.state.seats[0].timeouts == 1
    host.play_until("over")
    while host.state.phase == "over":
        host.random_step()
    assert host.state.seats[0].timeouts == 0


def test_a_time_that_is_up_for_nobody_changes_nothing() -> None:
    host = timed()
    waiting = next(seat for seat in range(4) if seat not in match_of(host).to_act)
    assert host.execute(commands.TimeUp(waiting)) == []


def test_no_coming_and_going_gives_more_time_for_a_turn() -> None:
    host = timed()
    seat = match_of(host).to_act[0]
    person = "abcd"[seat]
    clock = Clock()
    clock.update(host.state, 0.0)
    doings: list[tuple[float, commands.Command]] = [
        (10.0, commands.Stand(person)),
        (20.0, commands.Sit(person, seat, "A")),
        (30.0, commands.TakeOverFor("abcd"[1 - seat], seat)),
        (40.0, commands.ResumeControl(person)),
        (50.0, commands.Stand(person)),
        (55.0, commands.Sit(person, seat, "A")),
    ]
    for now, command in doings:
        host.execute(command)
        clock.update(host.state, now)
        assert clock.remaining(seat, now) == 60.0 - now
    assert clock.expired(60.0) == [seat]


def test_the_time_of_who_is_played_for_is_up_for_nobody() -> None:
    host = timed()
    clock = Clock()
    lapse(host)
    clock.update(host.state, 30.0)
    assert clock.next_deadline() is None
    assert clock.expired(1e9) == []


def test_who_may_take_longer_has_three_times_as_long_and_all_see_it() -> None:
    host = timed()
    seat = match_of(host).to_act[0]
    clock = Clock()
    clock.update(host.state, 0.0)
    host.execute(commands.SetExtendedTime("a", seat, True))
    clock.update(host.state, 10.0)
    assert clock.remaining(seat, 10.0) == 170.0
    assert host.state.room().seats[seat].patient
    host.execute(commands.SetExtendedTime("a", seat, False))
    clock.update(host.state, 10.0)
    assert clock.remaining(seat, 10.0) == 50.0


def test_the_time_of_a_match_is_counted_by_turns_and_leaves_a_little_for_each() -> None:
    created = new_table(seats=[None] * 4, thinking_time=60).state.created
    host = TableDriver(Table(replace(created, match_time=100)))
    host.seat_people(*"abcd")
    host.execute(commands.StartMatch("a"))
    seat = match_of(host).to_act[0]
    person = "abcd"[seat]
    assert turns.time_budget(host.state, seat) == 100.0
    host.execute(commands.Act(person, match_of(host).legal(seat)[0], took=70_000))
    assert host.state.room().used[seat] == 70
    while seat not in match_of(host).to_act:
        host.random_step()
    assert turns.time_budget(host.state, seat) == 30.0
    host.execute(commands.TimeUp(seat, took=30_000))
    assert host.state.room().used[seat] == 100
    assert turns.time_budget(host.state, seat) == MIN_TURN_TIME_S
    assert msgspec.json.decode(msgspec.json.encode(host.log), type=list[events.Event]) == host.log


def test_with_a_time_for_the_match_alone_a_turn_may_take_all_of_it() -> None:
    created = new_table(seats=[None] * 4).state.created
    host = TableDriver(Table(replace(created, match_time=100)))
    host.seat_people(*"abcd")
    host.execute(commands.StartMatch("a"))
    clock = Clock()
    clock.update(host.state, 0.0)
    assert clock.remaining(match_of(host).to_act[0], 40.0) == 60.0


def test_one_who_is_not_there_is_played_for_when_somebody_at_the_table_says_so() -> None:
    host = start_match(people="abcd")
    seat = match_of(host).to_act[0]
    other = (seat + 1) % 4
    assert host.execute(commands.TakeOverFor("abcd"[other], seat)) == [
        events.BotTookOver(seat, by=other)
    ]
    told = readers.describe_last(host.state, None)
    assert (told.kind, told.seat, told.other) == ("away", seat, other)
    assert host.state.room().seats[seat].lapses == 0
    assert host.execute(commands.TakeOverFor("abcd"[other], seat)) == []
    assert host.execute(commands.ResumeControl("abcd"[seat])) == [events.ReturnRequested(seat)]
    compute(host, seat)
    while match_of(host).trick:
        host.random_step()
    assert not host.state.seats[seat].is_away


@pytest.mark.parametrize(("person", "seat"), [("a", 0), ("a", 2), ("a", 4), ("a", -1), ("x", 1)])
def test_nobody_is_played_for_who_is_no_other_person_at_the_table(person: str, seat: int) -> None:
    host = start_match()
    before = host.table.version
    with pytest.raises(TableError):
        host.execute(commands.TakeOverFor(person, seat))
    assert host.table.version == before


def test_all_who_have_not_bid_are_on_the_clock_at_once() -> None:
    host = TableDriver(new_table("differenzler", [None] * 4, thinking_time=60))
    host.seat_people(*"abcd")
    host.execute(commands.StartMatch("a"))
    clock = Clock()
    clock.update(host.state, 0.0)
    host.execute(commands.Act("c", "bid 40"))
    clock.update(host.state, 5.0)
    assert clock.expired(119.0) == []
    assert clock.expired(120.0) == [0, 1, 3]


def test_between_rounds_nobody_is_hurried_until_the_first_is_ready() -> None:
    host = timed("ab")
    host.play_until("between")
    clock = Clock()
    clock.update(host.state, 0.0)
    assert clock.next_deadline() is None
    host.execute(commands.ReadyUp("a"))
    clock.update(host.state, 100.0)
    assert clock.expired(130.0) == [1]
    host.execute(commands.TimeUp(1))
    assert host.state.phase == "playing"


def pausing(phase: str = "between") -> tuple[TableDriver, Clock]:
    """A table in a pause whose first person is ready and whose last one may take longer."""
    host = TableDriver(new_table("molotov", [None] * 4, thinking_time=30, target=1))
    host.seat_people(*"abcd")
    host.execute(commands.StartMatch("a"))
    host.play_until(phase)
    host.execute(commands.SetExtendedTime("a", 3, patient=True), commands.ReadyUp("a"))
    clock = Clock()
    clock.update(host.state, 0.0)
    return host, clock


def send_away_who_is_due(host: TableDriver, clock: Clock, now: float) -> list[events.Event]:
    """What the time that has run out leads to."""
    done = host.execute(*(commands.TimeUp(seat) for seat in clock.expired(now)))
    clock.update(host.state, now)
    return done


@pytest.mark.parametrize("phase", ["between", "over"])
def test_who_comes_back_after_his_time_in_a_pause_is_ready_and_is_not_sent_away_again(
    phase: str,
) -> None:
    host, clock = pausing(phase)
    assert send_away_who_is_due(host, clock, 30.0) == [events.BotTookOver(1), events.BotTookOver(2)]
    assert host.execute(commands.ResumeControl("b")) == [events.ControlResumed(1), events.Ready(1)]
    clock.update(host.state, 31.0)
    assert clock.expired(31.0) == []
    assert host.execute(commands.ResumeControl("b")) == []
    assert host.state.phase == phase
    host.execute(commands.ReadyUp("d"))
    assert host.state.phase == "playing"
    again = Table.from_events(host.log)
    assert again.state.room() == host.state.room()


def test_who_was_played_for_by_somebodys_word_is_not_made_ready_by_coming_back() -> None:
    host, clock = pausing()
    host.execute(commands.TakeOverFor("a", 3), commands.TakeOverFor("a", 1))
    assert host.execute(commands.ResumeControl("d")) == [events.ControlResumed(3)]
    clock.update(host.state, 30.0)
    assert host.execute(commands.ResumeControl("b")) == [events.ControlResumed(1)]
    # He is present now: only the time he lets pass himself counts.
    clock.update(host.state, 30.0)
    assert events.BotTookOver(1) in send_away_who_is_due(host, clock, 30.0)
    assert host.execute(commands.ResumeControl("b")) == [events.ControlResumed(1), events.Ready(1)]


def test_who_was_sent_away_in_the_round_or_an_earlier_pause_is_not_ready_in_the_next() -> None:
    host = timed()
    seat = lapse(host)
    host.play_until("between")
    other, third = "abcd"[(seat + 1) % 4], (seat + 2) % 4
    host.execute(commands.ReadyUp(other))
    assert host.execute(commands.ResumeControl("abcd"[seat])) == [events.ControlResumed(seat)]
    host.execute(commands.TimeUp(third))
    host.execute(commands.ReadyUp("abcd"[seat]), commands.ReadyUp("abcd"[(seat + 3) % 4]))
    host.play_until("between")
    assert host.state.seats[third].is_away
    host.execute(commands.ReadyUp(other))
    assert host.execute(commands.ResumeControl("abcd"[third])) == [events.ControlResumed(third)]


def test_who_comes_back_when_nobody_is_ready_any_more_is_not_hurried_and_not_ready() -> None:
    host, clock = pausing()
    send_away_who_is_due(host, clock, 30.0)
    host.execute(commands.Stand("a"))
    assert host.execute(commands.ResumeControl("b")) == [events.ControlResumed(1)]
    clock.update(host.state, 31.0)
    assert clock.next_deadline() is None


def test_the_computer_takes_its_time_for_people_to_follow() -> None:
    host = TableDriver(new_table("differenzler", pause=700))
    host.seat_people("a", "b")
    host.execute(commands.StartMatch("a"))
    assert turns.bot_turn(host.state) == (2, "greedy")
    assert turns.bot_delay_ms(host.state) == 200  # there is nothing to see in a secret bid
    pauses = set()
    while host.state.phase == "playing":
        view = host.state.view(None)
        assert view is not None
        if view["phase"] == "play":
            completed = bool(view["tricks"]) and not view["trick"]
            pauses.add((completed, turns.bot_delay_ms(host.state)))
        host.random_step()
    assert pauses == {(False, 700), (True, 1400)}
