"""Delayed spectators: a trick is withheld from them until it is over."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jasstisch.server.api import messages
from jasstisch.server.tables.actor import TableActor
from jasstisch.server.tables.broadcaster import _MAX_DELAYED_EVENTS, Broadcaster
from jasstisch.server.tables.kept_seats import KeptSeats
from jasstisch.table import Table, commands, per_reader_info
from jasstisch.table.handlers.host_commands import REMOVED_NICKNAME
from tests.server.limits.test_quotas import ANNA, RETO, ClockServices, ask, made, make_registry
from tests.server.tables.test_broadcaster import (
    CopyingListener,
    Listener,
    TableHarness,
    plain,
    ticks,
)
from tests.support.example_counts import examples
from tests.table.client_copies import current_copy
from tests.table.table_driver import GAMES, SHORT_OPTIONS, TableDriver, start_match

__all__ = ["ticks"]


def delayed(game: str = "molotov", seed: int = 0) -> TableHarness:
    """A table of four people with delayed spectators; A is the host."""
    hosted = TableHarness(start_match(game, "abcd", seed, **SHORT_OPTIONS[game]))
    hosted.do(commands.SetSpectatorDelay("a", delayed=True))
    return hosted


def under_way(host: TableDriver) -> bool:
    """Whether a trick is in progress or a claim is being answered, by the view."""
    view = host.state.view(None) or {}
    playing = host.state.phase == "playing"
    return playing and bool(view["trick"] or view.get("claim"))


class SettledState:
    """The table at the last moment without a trick in progress."""

    def __init__(self, host: TableDriver) -> None:
        self.host = host
        self.look()

    def look(self) -> None:
        if not under_way(self.host):
            self.version = self.host.table.version
            self.copy = plain(current_copy(self.host.state, None))


def next_undo_request(host: TableDriver) -> commands.Command | None:
    """The next undo request or answer; None where neither is due."""
    question, seat = host.state.undo_state.pending, host.state.undo_eligible_seat
    if question is not None:
        return commands.AnswerUndo("abcd"[host.state.undo_voters()[0]], accept=True)
    return None if seat is None else commands.RequestUndo("abcd"[seat])


def until_under_way(hosted: TableHarness) -> None:
    while not under_way(hosted.host):
        hosted.play(1)


@settings(max_examples=examples(35, 8), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    game=st.sampled_from(GAMES),
    seed=st.integers(0, 1000),
    moves=st.integers(0, 60),
    comes=st.lists(st.tuples(st.integers(1, 9), st.booleans()), min_size=1, max_size=8),
)
def test_spectators_never_see_past_the_last_completed_trick_or_claim(
    ticks: list[Any], game: str, seed: int, moves: int, comes: list[tuple[int, bool]]
) -> None:
    """Undos happen in between, also of tricks that were complete and shown."""
    people = "abcd" if seed % 2 else "a"
    hosted = TableHarness(start_match(game, people, seed, **SHORT_OPTIONS[game]))
    hosted.play(moves)
    while under_way(hosted.host):
        hosted.play(1)
    hosted.do(commands.SetSpectatorDelay("a", delayed=True))
    kept, watchers = SettledState(hosted.host), [CopyingListener()]
    player, host = CopyingListener(people[-1]), CopyingListener("a")
    for one in (*watchers, player, host):
        hosted.audience.subscribe(one, None, None)
    for steps, takes_back in comes:
        asked = [hosted.host.next_command] * steps
        for command in asked + [lambda: next_undo_request(hosted.host)] * (4 if takes_back else 0):
            if (asks := command()) is None:
                continue
            for _ in hosted.host.table.execute(asks, hosted.host.dealer):
                hosted.audience.stage_event()
                kept.look()
            hosted.audience.flush()
            for one in watchers:
                assert (one.version, plain(one.copy)) == (kept.version, kept.copy)
                told = [*one.of(messages.Event), *one.of(messages.Snapshot)]
                assert all(message.version <= kept.version for message in told)
            assert player.version == host.version == hosted.host.table.version
        watchers.append(CopyingListener("x"))
        hosted.audience.subscribe(watchers[-1], None, None)
        assert (watchers[-1].version, plain(watchers[-1].copy)) == (kept.version, kept.copy)


def test_a_claimed_rest_is_shown_at_once_to_its_end(ticks: list[Any]) -> None:
    hosted = delayed("schieber")
    state = hosted.host.state
    hosted.audience.subscribe(watcher := CopyingListener(), None, None)
    while (
        seat := next((one for one in range(4) if per_reader_info.can_claim_rest(state, one)), None)
    ) is None:
        hosted.play(1)
    before = watcher.version
    hosted.do(commands.ClaimRest("abcd"[seat]))
    assert state.phase in ("between", "over")
    assert watcher.version == hosted.host.table.version
    kinds = [one.event.kind for one in watcher.of(messages.Event) if one.version > before]
    assert kinds[0] == "rest_taken"
    assert plain(watcher.copy) == plain(current_copy(state, None))


def test_room_events_during_a_trick_are_delayed_until_it_is_over(ticks: list[Any]) -> None:
    hosted = delayed()
    hosted.audience.subscribe(watcher := CopyingListener(), None, None)
    until_under_way(hosted)
    before = watcher.version
    hosted.do(commands.SayPhrase("b", "hello"))
    assert watcher.version == before
    while under_way(hosted.host):
        hosted.play(1)
    assert watcher.version == hosted.host.table.version
    assert [one.event.words for one in watcher.of(messages.Event) if one.event.words] == ["hello"]


def test_standing_up_delays_and_sitting_down_ends_the_delay(ticks: list[Any]) -> None:
    hosted = delayed()
    hosted.audience.subscribe(beat := CopyingListener("b"), None, None)
    kept = SettledState(hosted.host)
    while not under_way(hosted.host):
        kept.look()
        hosted.play(1)
    hosted.do(commands.Stand("b"))
    assert (beat.version, beat.copy) == (kept.version, kept.copy)
    hosted.do(commands.Sit("b", 1, "Beat"))
    assert beat.version == hosted.host.table.version
    assert plain(beat.copy) == plain(current_copy(hosted.host.state, 1))


def test_a_seat_request_during_a_trick_is_shown_to_its_sender(ticks: list[Any]) -> None:
    hosted = delayed()
    hosted.do(commands.SetEntryPolicy("a", "host"), commands.Stand("d"))
    hosted.audience.subscribe(nina := Listener("x"), None, None)
    until_under_way(hosted)
    shown = nina.of(messages.Event)[-1].version if nina.of(messages.Event) else None
    hosted.do(commands.Sit("x", 3, "Nina"))
    told = nina.of(messages.Snapshot)[-1]
    assert told.version == (shown or nina.of(messages.Snapshot)[0].version)
    assert [one.number for one in told.room.requests] == [told.request]


def test_a_spectator_reconnecting_during_a_trick_sees_nothing_of_it(ticks: list[Any]) -> None:
    hosted = delayed()
    hosted.audience.subscribe(watcher := CopyingListener(), None, None)
    until_under_way(hosted)
    hosted.audience.unsubscribe(watcher)
    again, newer = Listener(), Listener()
    hosted.audience.subscribe(again, watcher.version, None)
    assert [type(one) for one in again.got] == [messages.Presence]
    hosted.audience.subscribe(newer, hosted.host.table.version, None)
    assert newer.of(messages.Event) == []
    assert [one.version for one in newer.of(messages.Snapshot)] == [watcher.version]


def test_without_a_delay_everyone_sees_the_present(ticks: list[Any]) -> None:
    hosted = delayed()
    hosted.audience.subscribe(watcher := CopyingListener(), None, None)
    until_under_way(hosted)
    assert watcher.version != hosted.host.table.version
    hosted.do(commands.SetSpectatorDelay("a", delayed=False))
    for _ in range(3):
        assert watcher.version == hosted.host.table.version
        assert plain(watcher.copy) == plain(current_copy(hosted.host.state, None))
        hosted.play(1)


def test_the_first_spectator_sees_the_trick_when_it_is_over(ticks: list[Any]) -> None:
    hosted = delayed()
    kept = SettledState(hosted.host)
    while not under_way(hosted.host):
        kept.look()
        hosted.play(1)
    hosted.audience.subscribe(watcher := CopyingListener(), None, None)
    assert (watcher.version, watcher.copy) == (kept.version, kept.copy)
    while under_way(hosted.host):
        hosted.play(1)
    assert watcher.version == hosted.host.table.version
    assert plain(watcher.copy) == plain(current_copy(hosted.host.state, None))


def names(told: Any) -> list[str]:
    return [told["seats"][1]["name"], told["players"][1]]


def test_a_removed_nickname_disappears_for_spectators_at_once(
    ticks: list[Any],
) -> None:
    hosted = delayed()
    hosted.audience.subscribe(watcher := CopyingListener(), None, None)
    until_under_way(hosted)
    version = watcher.version
    hosted.do(commands.AdminRemoveNickname(1))
    assert watcher.version == version
    assert names(watcher.copy[0] | watcher.copy[1]) == [REMOVED_NICKNAME, REMOVED_NICKNAME]
    hosted.audience.subscribe(newer := CopyingListener(), None, None)
    # Also who was away just then, and knows all but that.
    hosted.audience.subscribe(again := CopyingListener(), version, None)
    assert newer.copy == again.copy == watcher.copy
    before = len(watcher.texts)
    while under_way(hosted.host):
        hosted.play(1)
    assert watcher.version == hosted.host.table.version
    assert plain(watcher.copy) == plain(current_copy(hosted.host.state, None))
    assert not any(b'"B"' in text for text in watcher.texts[before:])


def test_a_removed_nickname_stays_removed_after_a_reload(
    ticks: list[Any],
) -> None:
    host = start_match("molotov", "abcd", **SHORT_OPTIONS["molotov"])
    host.execute(commands.SetSpectatorDelay("a", delayed=True))
    while not under_way(host):
        host.random_step()
    host.execute(commands.AdminRemoveNickname(1))
    table = Table.from_events(host.log)
    assert table.delayed_state is not None
    audience = Broadcaster(
        table.state, lambda _: None, lambda: 0.0, KeptSeats(), table.delayed_state
    )
    audience.subscribe(watcher := CopyingListener(), None, None)
    assert names(watcher.copy[0] | watcher.copy[1]) == [REMOVED_NICKNAME, REMOVED_NICKNAME]
    assert watcher.version == table.state.quiescent_version


def test_the_backlog_of_a_trick_is_as_bounded_as_deltas(
    ticks: list[Any],
) -> None:
    hosted = delayed()
    hosted.audience.subscribe(watcher := CopyingListener(), None, None)
    until_under_way(hosted)
    before = len(watcher.of(messages.Event))
    for _ in range(_MAX_DELAYED_EVENTS * 2):
        hosted.do(commands.SayPhrase("b", "hello"))
    late = hosted.audience._delayed_feed
    assert late is not None
    assert len(late.buffered) <= _MAX_DELAYED_EVENTS
    while under_way(hosted.host):
        hosted.play(1)
    assert len(watcher.of(messages.Event)) == before
    assert watcher.version == hosted.host.table.version
    assert plain(watcher.copy) == plain(current_copy(hosted.host.state, None))


@pytest.mark.parametrize("game", GAMES)
def test_a_table_reloaded_during_a_trick_shows_the_state_before_it(
    ticks: list[Any], game: str
) -> None:
    host = start_match(game, "abcd", **SHORT_OPTIONS[game])
    host.execute(commands.SetSpectatorDelay("a", delayed=True))
    kept, read = SettledState(host), 0
    for _ in range(60):
        host.random_step()
        kept.look()
        table = Table.from_events(host.log)
        read += table.delayed_state is not None
        assert (table.delayed_state is not None) == under_way(host)
        audience = Broadcaster(
            table.state, lambda _: None, lambda: 0.0, KeptSeats(), table.delayed_state
        )
        audience.subscribe(watcher := CopyingListener(), None, None)
        assert (watcher.version, watcher.copy) == (kept.version, kept.copy)
        audience.close()
    assert read


async def lead(live: TableActor, services: ClockServices, *people: Listener) -> None:
    """Plays until a card lies on the table, with five seconds for each turn."""
    while True:
        for one in people:
            turns = [got.turn for got in one.got if hasattr(got, "turn")]
            if not turns or turns[-1] is None:
                continue
            legal = turns[-1].legal
            services.time += 5.0
            action = next((it for it in legal if it.startswith("play ")), legal[0])
            assert isinstance(await ask(live, one, messages.Act(9, live.id, action)), messages.Ack)
            if action.startswith("play "):
                return
        await asyncio.sleep(0)


async def test_neither_responses_nor_room_info_reveal_the_trick_to_spectators(
    tmp_path: Path,
) -> None:
    async with make_registry(tmp_path, commitment_wait_s=0.0) as registry:
        anna, reto, watcher = Listener(ANNA), Listener(RETO), Listener()
        table = await made(registry, game="jass", seats=["me", "open"], match_time=600)
        live = await registry.load_local(table)
        for one in (anna, reto, watcher):
            await ask(live, one, messages.Watch(1, table))
        await ask(live, reto, messages.Sit(2, table, 1, "Reto"))
        await ask(live, anna, messages.SetPublished(3, table, True))
        await ask(live, anna, messages.StartMatch(4, table))
        assert isinstance(registry.context, ClockServices)
        await lead(live, registry.context, anna, reto)
        shown = [got.version for got in watcher.got if hasattr(got, "version")][-1]
        room = await live.get_room_for(None)
        assert room == await live.get_room_for("x" * 64)
        # Who has a seat, and what the server itself decides by, is never late.
        assert live.room == await live.get_room() == await live.get_room_for(RETO)
        assert sum(live.room.used) == sum(room.used) + 5
        for message in (messages.Watch(5, table), messages.Unwatch(6, table)):
            ack = await ask(live, watcher, message)
            assert isinstance(ack, messages.Ack)
            assert ack.version == shown
        assert max(one.of(messages.Ack)[-1].version for one in (anna, reto)) > shown
        live.evict()
        again = await registry.load_local(table)
        await ask(again, watcher, messages.Watch(7, table))
        assert watcher.of(messages.Snapshot)[-1].version == shown
        assert watcher.of(messages.Snapshot)[-1].view["trick"] == []
        assert await again.get_room_for(None) == room
