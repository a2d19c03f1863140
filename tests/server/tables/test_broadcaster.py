"""Broadcasting to the audience of a table: deltas, snapshots, resync and presence."""

import asyncio
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jasstisch.server.api import messages
from jasstisch.server.tables import broadcaster as module
from jasstisch.server.tables.broadcaster import Broadcaster
from jasstisch.server.tables.kept_seats import KeptSeats
from jasstisch.table import RECENT_LIMIT, EventInfo, SeatDeltas, State, commands
from tests.server.websocket_requests import decode
from tests.support.example_counts import examples
from tests.table.client_copies import ClientCopy, apply_delta, current_copy
from tests.table.table_driver import SHORT_OPTIONS, TableDriver, new_table, start_match
from tests.table.table_driver import host_table as table_of_a


class Listener:
    """A connection that records the messages sent to it."""

    def __init__(self, person: str | None = None) -> None:
        self.person = person
        self.closed = False
        self.got: list[messages.ServerMessage] = []
        self.texts: list[bytes] = []

    def send(self, text: bytes) -> None:
        self.texts.append(text)
        self.got.append(decode.decode(text))

    def of(self, kind: type) -> list[Any]:
        """The messages of one kind."""
        return [one for one in self.got if isinstance(one, kind)]


class CopyingListener(Listener):
    """A connection that folds messages into a copy of the table, as a client does."""

    version: int | None = None
    copy: Any = ({}, {})

    def send(self, text: bytes) -> None:
        super().send(text)
        match self.got[-1]:
            case messages.Snapshot() as whole:
                self.copy = plain((msgspec.structs.asdict(whole.room), whole.view or {}))
                self.version = whole.version
            case messages.Event() as event:
                assert event.version == (self.version or 0) + 1
                self.copy, self.version = apply_delta(self.copy, event), event.version


def plain(copy: ClientCopy) -> Any:
    """A copy as plain JSON values."""
    return msgspec.json.decode(msgspec.json.encode(copy))


class TableHarness:
    """A table and its audience."""

    def __init__(self, host: TableDriver) -> None:
        self.host = host
        self.audience = Broadcaster(host.state, lambda _: None, lambda: 0.0, KeptSeats())

    def do(self, *asked: commands.Command) -> None:
        for one in asked:
            for _ in self.host.table.execute(one, self.host.dealer):
                self.audience.stage_event()
        self.audience.flush()

    def play(self, events: int) -> None:
        """Plays until at least so many events have happened."""
        end = self.host.table.version + events
        while self.host.table.version < end:
            self.do(self.host.next_command())


@pytest.fixture
def ticks(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Replaces the timers of the event loop; the test fires them."""
    later: list[Any] = []

    class FakeHandle:
        def cancel(self) -> None:
            later.clear()

    class FakeLoop:
        def call_later(self, seconds: float, do: Any) -> FakeHandle:
            assert seconds == module._PRESENCE_INTERVAL_S
            later.append(do)
            return FakeHandle()

    monkeypatch.setattr(asyncio, "get_running_loop", FakeLoop)
    return later


def fire_timers(later: list[Any]) -> None:
    """Lets half a second pass."""
    due = list(later)
    later.clear()
    for do in due:
        do()


def test_few_missed_events_are_sent_as_deltas_and_many_as_a_snapshot(ticks: list[Any]) -> None:
    hosted = TableHarness(start_match("molotov", target=3))
    first = Listener("a")
    hosted.audience.subscribe(first, None, None)
    since = hosted.host.table.version
    hosted.play(RECENT_LIMIT)
    told = first.of(messages.Event)
    few, many = Listener("a"), Listener("a")
    hosted.audience.subscribe(few, told[-1].version - RECENT_LIMIT, 0)
    hosted.audience.subscribe(many, since - 1, 0)
    assert few.of(messages.Event) == told[-RECENT_LIMIT:]
    assert few.of(messages.Snapshot) == []
    assert many.of(messages.Event) == []
    assert [one.version for one in many.of(messages.Snapshot)] == [hosted.host.table.version]


def test_a_quick_rewatch_gets_the_missed_deltas_even_if_nobody_watched(
    ticks: list[Any],
) -> None:
    hosted = TableHarness(start_match("molotov", target=3))
    first = Listener("a")
    hosted.audience.subscribe(first, None, None)
    since = hosted.host.table.version
    assert hosted.audience.unsubscribe(first)
    hosted.play(2)
    again = Listener("a")
    hosted.audience.subscribe(again, since, 0)
    versions = [one.version for one in again.of(messages.Event)]
    assert versions == list(range(since + 1, hosted.host.table.version + 1))


def test_a_rewatch_replays_nothing_and_computes_one_view_for_all(
    ticks: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    hosted = TableHarness(start_match("i-doubt-it", rounds=2, max_turns=40))
    views = changes = 0
    view, change = State.view, SeatDeltas.update

    def counted_view(self: State, seat: int | None) -> Any:
        nonlocal views
        views += 1
        return view(self, seat)

    def counted_change(self: SeatDeltas, table: State) -> Any:
        nonlocal changes
        changes += 1
        return change(self, table)

    hosted.audience.subscribe(Listener(), None, None)
    hosted.play(100)
    monkeypatch.setattr(State, "view", counted_view)
    monkeypatch.setattr(SeatDeltas, "update", counted_change)
    for _ in range(50):
        for since in (0, 3, hosted.host.table.version - 20, None):
            hosted.audience.subscribe(Listener(), since, None)
    assert changes == 0
    assert views == 1


def test_readers_with_equal_deltas_get_the_same_encoded_text(ticks: list[Any]) -> None:
    hosted = TableHarness(start_match("molotov", "abcd", target=3))
    seats, spectators = [Listener(person) for person in "abcd"], [Listener(), Listener()]
    for one in (*seats, *spectators):
        hosted.audience.subscribe(one, None, None)
    shared = 0
    for _ in range(100):
        hosted.play(1)
        said = spectators[0].texts[-1]
        assert spectators[1].texts[-1] is said
        for one in seats:
            assert (one.texts[-1] is said) == (one.texts[-1] == said)
            shared += one.texts[-1] is said
    assert shared > 100


COMING_AND_GOING = st.lists(
    st.tuples(
        st.sampled_from(["come", "come", "come back", "leave"]),
        st.integers(0, 7),
        st.sampled_from(["a", "b", None]),
        st.integers(0, 80),
    ),
    max_size=20,
)
"""What happens, to whom of those there, as whom, and how many moves follow on it."""


@settings(max_examples=examples(25, 5), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(game=st.sampled_from(["differenzler", "i-doubt-it", "schieber"]), happens=COMING_AND_GOING)
def test_copies_equal_the_table_after_any_watching_and_unwatching(
    ticks: list[Any], game: str, happens: list[tuple[str, int, str | None, int]]
) -> None:
    hosted = TableHarness(start_match(game, **SHORT_OPTIONS[game]))
    there: list[CopyingListener] = []
    gone: list[CopyingListener] = []
    for what, which, person, moves in happens:
        if what == "come":
            there.append(CopyingListener(person))
            hosted.audience.subscribe(there[-1], None, None)
        elif what == "come back" and gone:
            one = gone.pop(which % len(gone))
            hosted.audience.subscribe(one, one.version, hosted.host.state.seats.seat_of(one.person))
            there.append(one)
        elif what == "leave" and there:
            gone.append(there.pop(which % len(there)))
            assert hosted.audience.unsubscribe(gone[-1])
        for _ in range(moves):
            hosted.play(1)
            for one in there:
                seat = hosted.host.state.seats.seat_of(one.person)
                assert one.version == hosted.host.table.version
                assert plain(one.copy) == plain(current_copy(hosted.host.state, seat))


def test_deltas_start_again_after_the_audience_was_empty(
    ticks: list[Any],
) -> None:
    hosted = TableHarness(start_match("molotov", target=3))
    hosted.audience.subscribe(first := CopyingListener("a"), None, None)
    hosted.play(1)
    assert hosted.audience.unsubscribe(first)
    hosted.play(RECENT_LIMIT + 10)
    hosted.audience.subscribe(later := CopyingListener("a"), None, None)
    for _ in range(40):
        hosted.play(1)
        assert plain(later.copy) == plain(current_copy(hosted.host.state, 0))


def test_a_new_seat_holder_gets_nothing_from_before(ticks: list[Any]) -> None:
    hosted = TableHarness(start_match())
    first = Listener("b")
    hosted.audience.subscribe(first, None, None)
    since = hosted.host.table.version
    hosted.do(commands.Stand("b"))
    left = hosted.host.table.version
    hosted.do(commands.Sit("c", 1, "Cla"))
    for version in (since, left):
        stranger = Listener("c")
        hosted.audience.subscribe(stranger, version, 1)
        assert stranger.of(messages.Event) == []
        assert len(stranger.of(messages.Snapshot)) == 1


def test_gaining_or_losing_a_seat_is_told_with_its_event(ticks: list[Any]) -> None:
    hosted = TableHarness(table_of_a("a"))
    anna, beat, cla = Listener("a"), Listener("b"), Listener("c")
    for one in (anna, beat, cla):
        hosted.audience.subscribe(one, None, None)
    assert beat.of(messages.Snapshot)[0].moved is None

    def moved(one: Listener) -> list[tuple[int | None, Any]]:
        return [(told.seat, told.moved) for told in one.of(messages.Snapshot)[1:]]

    hosted.do(commands.Sit("b", 1, "Beat"), commands.Sit("c", 2, "Cla"))
    assert moved(beat) == [(1, EventInfo("sat", 1))]
    assert moved(cla) == [(2, EventInfo("sat", 2))]
    hosted.do(commands.RemovePerson("a", 1), commands.Stand("c"))
    assert moved(beat)[1:] == [(None, EventInfo("removed", 1))]
    assert moved(cla)[1:] == [(None, EventInfo("stood", 2))]
    assert moved(anna) == []
    again = Listener("b")
    hosted.audience.subscribe(again, None, None)
    assert again.of(messages.Snapshot)[0].moved is None


def test_a_pending_seat_request_is_shown_after_a_reload(ticks: list[Any]) -> None:
    hosted = TableHarness(table_of_a("a"))
    hosted.do(commands.SetEntryPolicy("a", "host"))
    beat, other = Listener("b"), Listener("c")
    for one in (beat, other):
        hosted.audience.subscribe(one, None, None)
    hosted.do(commands.Sit("c", 1, "Beat"), commands.Sit("b", 1, "Beat"))
    told = beat.of(messages.Snapshot)[-1]
    assert (told.request, told.moved) == (2, EventInfo("asked", 1))
    again = Listener("b")
    hosted.audience.subscribe(again, None, None)
    assert again.of(messages.Snapshot)[0].request == 2
    hosted.do(commands.AnswerEntryRequest("a", 2, accept=False))
    told = beat.of(messages.Snapshot)[-1]
    assert (told.request, told.seat) == (None, None)
    assert other.of(messages.Snapshot)[-1].request == 1


def test_presence_of_spectators_is_batched_twice_a_second(ticks: list[Any]) -> None:
    hosted = TableHarness(start_match())
    crowd = [Listener() for _ in range(1000)]
    for one in crowd:
        hosted.audience.subscribe(one, None, None)
    assert sum(len(one.of(messages.Presence)) for one in crowd) == 1000
    fire_timers(ticks)
    frames = sum(len(one.of(messages.Presence)) for one in crowd)
    assert frames == 2000
    assert crowd[0].of(messages.Presence)[-1].spectators == 1000
    fire_timers(ticks)  # nothing has changed since
    assert sum(len(one.of(messages.Presence)) for one in crowd) == frames
    for one in crowd[500:]:
        hosted.audience.unsubscribe(one)
    fire_timers(ticks)
    assert crowd[0].of(messages.Presence)[-1].spectators == 500
    assert len(crowd[0].of(messages.Presence)) <= 4


def test_presence_of_seated_people_is_sent_at_once(ticks: list[Any]) -> None:
    hosted = TableHarness(start_match())
    watcher, anna = Listener(), Listener("a")
    hosted.audience.subscribe(watcher, None, None)
    fire_timers(ticks)
    fire_timers(ticks)
    hosted.audience.subscribe(anna, None, None)
    assert watcher.of(messages.Presence)[-1].connected == [True, False, False, False]
    fire_timers(ticks)
    fire_timers(ticks)
    hosted.audience.unsubscribe(anna)
    assert watcher.of(messages.Presence)[-1].connected == [False] * 4


def test_flapping_presence_is_batched_and_ends_with_the_final_state(
    ticks: list[Any],
) -> None:
    hosted = TableHarness(start_match())
    watcher, anna = Listener(), Listener("a")
    hosted.audience.subscribe(watcher, None, None)
    for _ in range(100):
        hosted.audience.subscribe(anna, None, None)
        hosted.audience.unsubscribe(anna)
    hosted.audience.subscribe(anna, None, None)
    assert len(watcher.of(messages.Presence)) <= 2
    fire_timers(ticks)
    assert len(watcher.of(messages.Presence)) <= 3
    assert watcher.of(messages.Presence)[-1].connected == [True, False, False, False]


def test_a_closed_audience_sends_nothing(ticks: list[Any]) -> None:
    hosted = TableHarness(start_match())
    one, other = Listener(), Listener()
    for listener in (one, other):
        hosted.audience.subscribe(listener, None, None)
    hosted.audience.close()
    before = len(one.got)
    fire_timers(ticks)
    assert len(one.got) == before
    assert not hosted.audience


def test_changing_seats_sends_the_view_of_the_new_seat_with_presence(ticks: list[Any]) -> None:
    hosted = TableHarness(TableDriver(new_table()))
    anna = Listener("a")
    hosted.audience.subscribe(anna, None, None)
    anna.got.clear()
    hosted.do(commands.Sit("a", 1, "Anna"))
    snapshot, presence = anna.got
    assert isinstance(snapshot, messages.Snapshot)
    assert snapshot.seat == 1
    assert isinstance(presence, messages.Presence)
    assert presence.connected == [False, True, False, False]


def test_a_person_is_absent_from_the_deadline_on(ticks: list[Any]) -> None:
    """Times are rounded; a table must not wait for a deadline that has already passed."""
    now = 111.25000000000001
    audience = Broadcaster(start_match().state, lambda _: None, lambda: now, KeptSeats())
    anna = Listener("a")
    for one in (anna, Listener()):
        audience.subscribe(one, None, None)
    audience.unsubscribe(anna)
    due = audience.next_presence_time()
    assert due is not None
    now = due
    assert audience.is_disconnected(0)
    audience.announce_presence()
    assert audience.next_presence_time() is None
