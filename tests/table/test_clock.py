"""Thinking time: deadlines, substitution by bots, and taking control again."""

import msgspec
import pytest
from msgspec.structs import replace

from jasstisch.match.match import Match
from jasstisch.table import (
    Clock,
    Table,
    TableError,
    commands,
    events,
    per_reader_info,
    turns,
)
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


def test_without_a_thinking_time_there_is_no_deadline() -> None:
    host = start_match(people="abcd")
    clock = Clock()
    clock.update(host.state, 0.0)
    assert clock.next_deadline() is None
    assert clock.expired_seats(1e9) == []


def test_the_time_of_a_seat_runs_from_its_turn_to_its_action() -> None:
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
    while match_of(host).to_act[0] != seat or not host.state.seats[seat].played_card_count:
        host.random_step()
    clock.update(host.state, 200.0)
    assert clock.remaining(seat, 210.0) == 20.0


def test_a_second_turn_in_a_row_has_its_own_time() -> None:
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


def test_actions_of_others_do_not_extend_the_time() -> None:
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
    """Lets the time of the seat to act run out."""
    seat = match_of(host).to_act[0]
    assert host.execute(commands.TimeUp(seat))[0] == events.BotTookOver(seat)
    return seat


def compute(host: TableDriver, seat: int) -> None:
    """Plays the seat's turn as a bot."""
    host.execute(commands.BotAct(seat, match_of(host).legal(seat)[0]))


def test_after_a_timeout_a_bot_plays_until_the_person_resumes() -> None:
    host = timed()
    seat = match_of(host).to_act[0]
    clock = Clock()
    clock.update(host.state, 0.0)
    assert clock.expired_seats(59.9) == []
    assert clock.expired_seats(60.0) == [seat]
    lapse(host)
    assert host.state.room().seats[seat].away
    assert per_reader_info.turn(host.state, seat) is None
    assert turns.bot_turn(host.state) == (seat, "greedy")
    compute(host, seat)
    last = host.log[-1]
    assert isinstance(last, events.Acted)
    assert last.by == "computer"


def test_a_person_resumes_between_two_tricks() -> None:
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


def test_a_timeout_on_the_lead_loses_that_card_only_to_the_bot() -> None:
    host = timed()
    host.random_step()
    while match_of(host).trick or host.state.phase != "playing":
        host.random_step()
    seat = lapse(host)
    assert match_of(host).trick == []
    assert host.execute(commands.ResumeControl("abcd"[seat])) == [events.ReturnRequested(seat)]


def test_without_tricks_a_person_resumes_after_the_missed_turn() -> None:
    host = TableDriver(new_table("i-doubt-it", [None] * 4, thinking_time=30))
    host.seat_people(*"abcd")
    host.execute(commands.StartMatch("a"))
    seat = lapse(host)
    assert host.execute(commands.ResumeControl("abcd"[seat])) == [events.ReturnRequested(seat)]
    compute(host, seat)
    assert host.log[-1] == events.ControlResumed(seat)


def test_an_action_of_a_substituted_person_is_refused_with_a_remedy() -> None:
    host = timed()
    seat = lapse(host)
    before = host.table.version
    with pytest.raises(TableError, match="say back"):
        host.execute(commands.Act("abcd"[seat], match_of(host).legal(seat)[0]))
    assert host.table.version == before


def test_after_three_timeouts_in_a_match_a_person_resumes_in_the_next_round() -> None:
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


def test_timeouts_count_by_match_and_follow_a_person_who_returns() -> None:
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


def test_a_spurious_timeout_changes_nothing() -> None:
    host = timed()
    waiting = next(seat for seat in range(4) if seat not in match_of(host).to_act)
    assert host.execute(commands.TimeUp(waiting)) == []


def test_leaving_and_returning_gives_no_extra_time() -> None:
    host = timed()
    seat = match_of(host).to_act[0]
    person = "abcd"[seat]
    clock = Clock()
    clock.update(host.state, 0.0)
    doings: list[tuple[float, commands.Command]] = [
        (10.0, commands.Stand(person)),
        (20.0, commands.Sit(person, seat, "A")),
        (30.0, commands.LetBotTakeOver("abcd"[1 - seat], seat)),
        (40.0, commands.ResumeControl(person)),
        (50.0, commands.Stand(person)),
        (55.0, commands.Sit(person, seat, "A")),
    ]
    for now, command in doings:
        host.execute(command)
        clock.update(host.state, now)
        assert clock.remaining(seat, now) == 60.0 - now
    assert clock.expired_seats(60.0) == [seat]


def test_a_substituted_seat_has_no_deadline() -> None:
    host = timed()
    clock = Clock()
    lapse(host)
    clock.update(host.state, 30.0)
    assert clock.next_deadline() is None
    assert clock.expired_seats(1e9) == []


def test_extended_time_is_tripled_and_visible() -> None:
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


def test_match_time_is_counted_by_turns_with_a_minimum_for_each() -> None:
    created = new_table(seats=[None] * 4, thinking_time=60).state.creation_event
    host = TableDriver(Table(replace(created, match_time=100)))
    host.seat_people(*"abcd")
    host.execute(commands.StartMatch("a"))
    seat = match_of(host).to_act[0]
    person = "abcd"[seat]
    assert turns.time_budget(host.state, seat) == 100.0
    host.execute(commands.Act(person, match_of(host).legal(seat)[0], took_ms=70_000))
    assert host.state.room().used[seat] == 70
    while seat not in match_of(host).to_act:
        host.random_step()
    assert turns.time_budget(host.state, seat) == 30.0
    host.execute(commands.TimeUp(seat, took_ms=30_000))
    assert host.state.room().used[seat] == 100
    assert turns.time_budget(host.state, seat) == MIN_TURN_TIME_S
    assert msgspec.json.decode(msgspec.json.encode(host.log), type=list[events.Event]) == host.log


def test_with_match_time_alone_a_turn_may_use_all_of_it() -> None:
    created = new_table(seats=[None] * 4).state.creation_event
    host = TableDriver(Table(replace(created, match_time=100)))
    host.seat_people(*"abcd")
    host.execute(commands.StartMatch("a"))
    clock = Clock()
    clock.update(host.state, 0.0)
    assert clock.remaining(match_of(host).to_act[0], 40.0) == 60.0


def test_an_absent_person_is_substituted_at_the_request_of_another() -> None:
    host = start_match(people="abcd")
    seat = match_of(host).to_act[0]
    other = (seat + 1) % 4
    assert host.execute(commands.LetBotTakeOver("abcd"[other], seat)) == [
        events.BotTookOver(seat, by=other)
    ]
    told = per_reader_info.describe_last_event(host.state, None)
    assert (told.kind, told.seat, told.other) == ("away", seat, other)
    assert host.state.room().seats[seat].lapses == 0
    assert host.execute(commands.LetBotTakeOver("abcd"[other], seat)) == []
    assert host.execute(commands.ResumeControl("abcd"[seat])) == [events.ReturnRequested(seat)]
    compute(host, seat)
    while match_of(host).trick:
        host.random_step()
    assert not host.state.seats[seat].is_away


@pytest.mark.parametrize(("person", "seat"), [("a", 0), ("a", 2), ("a", 4), ("a", -1), ("x", 1)])
def test_only_absent_people_at_the_table_can_be_substituted(person: str, seat: int) -> None:
    host = start_match()
    before = host.table.version
    with pytest.raises(TableError):
        host.execute(commands.LetBotTakeOver(person, seat))
    assert host.table.version == before


def test_all_seats_that_have_not_bid_have_a_deadline() -> None:
    host = TableDriver(new_table("differenzler", [None] * 4, thinking_time=60))
    host.seat_people(*"abcd")
    host.execute(commands.StartMatch("a"))
    clock = Clock()
    clock.update(host.state, 0.0)
    host.execute(commands.Act("c", "bid 40"))
    clock.update(host.state, 5.0)
    assert clock.expired_seats(119.0) == []
    assert clock.expired_seats(120.0) == [0, 1, 3]


def test_between_rounds_the_countdown_starts_with_the_first_ready_person() -> None:
    host = timed("ab")
    host.play_until("between")
    clock = Clock()
    clock.update(host.state, 0.0)
    assert clock.next_deadline() is None
    host.execute(commands.ReadyUp("a"))
    clock.update(host.state, 100.0)
    assert clock.expired_seats(130.0) == [1]
    host.execute(commands.TimeUp(1))
    assert host.state.phase == "playing"


def pausing(phase: str = "between") -> tuple[TableDriver, Clock]:
    """A table in a pause: the first person is ready, the last has extended time."""
    host = TableDriver(new_table("molotov", [None] * 4, thinking_time=30, target=1))
    host.seat_people(*"abcd")
    host.execute(commands.StartMatch("a"))
    host.play_until(phase)
    host.execute(commands.SetExtendedTime("a", 3, extended=True), commands.ReadyUp("a"))
    clock = Clock()
    clock.update(host.state, 0.0)
    return host, clock


def expire_deadline(host: TableDriver, clock: Clock, now: float) -> list[events.Event]:
    """Handles the deadline that has passed."""
    done = host.execute(*(commands.TimeUp(seat) for seat in clock.expired_seats(now)))
    clock.update(host.state, now)
    return done


@pytest.mark.parametrize("phase", ["between", "over"])
def test_resuming_after_the_countdown_makes_ready_and_is_not_timed_out_again(
    phase: str,
) -> None:
    host, clock = pausing(phase)
    assert expire_deadline(host, clock, 30.0) == [events.BotTookOver(1), events.BotTookOver(2)]
    assert host.execute(commands.ResumeControl("b")) == [events.ControlResumed(1), events.Ready(1)]
    clock.update(host.state, 31.0)
    assert clock.expired_seats(31.0) == []
    assert host.execute(commands.ResumeControl("b")) == []
    assert host.state.phase == phase
    host.execute(commands.ReadyUp("d"))
    assert host.state.phase == "playing"
    again = Table.from_events(host.log)
    assert again.state.room() == host.state.room()


def test_resuming_after_a_requested_substitution_does_not_make_ready() -> None:
    host, clock = pausing()
    host.execute(commands.LetBotTakeOver("a", 3), commands.LetBotTakeOver("a", 1))
    assert host.execute(commands.ResumeControl("d")) == [events.ControlResumed(3)]
    clock.update(host.state, 30.0)
    assert host.execute(commands.ResumeControl("b")) == [events.ControlResumed(1)]
    # The person is present now, so only their own thinking time counts.
    clock.update(host.state, 30.0)
    assert events.BotTookOver(1) in expire_deadline(host, clock, 30.0)
    assert host.execute(commands.ResumeControl("b")) == [events.ControlResumed(1), events.Ready(1)]


def test_substitution_in_an_earlier_phase_does_not_make_ready() -> None:
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


def test_resuming_when_nobody_is_ready_starts_no_countdown() -> None:
    host, clock = pausing()
    expire_deadline(host, clock, 30.0)
    host.execute(commands.Stand("a"))
    assert host.execute(commands.ResumeControl("b")) == [events.ControlResumed(1)]
    clock.update(host.state, 31.0)
    assert clock.next_deadline() is None


def test_bots_pause_so_that_people_can_follow() -> None:
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
