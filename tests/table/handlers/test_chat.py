"""Chat and phrases at a table: permissions, limits, and no effect on play."""

from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from jasstisch.table import (
    Clock,
    SeatDeltas,
    Table,
    TableError,
    commands,
    events,
    per_reader_info,
    turns,
)
from jasstisch.table.chat_phrases import Phrase
from jasstisch.table.handlers import chat
from tests.support.example_counts import examples
from tests.table.table_driver import SHORT_OPTIONS, TableDriver, host_table, start_match

PHRASES = get_args(Phrase)


def refused(host: TableDriver, command: commands.Command, code: str) -> None:
    """Checks that a command is refused and changes nothing."""
    before = host.table.version
    with pytest.raises(TableError) as caught:
        host.execute(command)
    assert (caught.value.code, host.table.version) == (code, before)


@pytest.mark.parametrize("phrase", PHRASES)
def test_seated_people_say_phrases_and_everyone_sees_them(phrase: Phrase) -> None:
    host = host_table("ab")
    readers = [SeatDeltas(host.state, seat) for seat in (0, 1, None)]
    assert host.execute(commands.SayPhrase("b", phrase)) == [events.PhraseSaid(1, phrase)]
    for reader in readers:
        told = reader.update(host.state)
        assert (told.event.kind, told.event.seat, told.event.words) == ("said", 1, phrase)
        assert (told.room, told.set, told.last, told.append) == ({}, {}, {}, {})


def test_spectators_cannot_chat() -> None:
    host = host_table("ab")
    host.execute(commands.SetChatPolicy("a", allowed=True))
    refused(host, commands.SayPhrase("x", "hello"), "not_seated")
    refused(host, commands.WriteChat("x", "hello"), "not_seated")


def test_chat_is_refused_at_a_closed_table() -> None:
    host = host_table("ab")
    host.execute(commands.SetChatPolicy("a", allowed=True), commands.CloseTable("a"))
    refused(host, commands.SayPhrase("a", "goodbye"), "wrong_phase")
    refused(host, commands.WriteChat("b", "Adieu"), "wrong_phase")


def test_free_text_is_allowed_only_if_the_host_permits_it() -> None:
    host = host_table("ab")
    assert not host.state.room().writing
    refused(host, commands.WriteChat("a", "Grüezi"), "no_writing")
    assert host.execute(commands.SetChatPolicy("a", allowed=True)) == [events.ChatPolicySet(True)]
    assert host.execute(commands.SetChatPolicy("a", allowed=True)) == []
    assert host.state.room().writing
    assert host.execute(commands.WriteChat("b", "Grüezi")) == [events.ChatWritten(1, "Grüezi")]
    assert per_reader_info.describe_last_event(host.state, None).words == "Grüezi"
    host.execute(commands.SetChatPolicy("a", allowed=False))
    refused(host, commands.WriteChat("b", "Grüezi"), "no_writing")
    host.execute(commands.SayPhrase("b", "hello"))


def test_chat_is_limited_by_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat, "MAX_CHAT_EVENTS", 3)
    host = start_match()
    host.execute(*[commands.SayPhrase("a", "hello")] * 3)
    refused(host, commands.SayPhrase("b", "hello"), "limit")
    host.random_step()  # and the match goes on


def test_chat_is_in_the_log_and_not_in_the_record() -> None:
    host = start_match("molotov", ("a", "b"), **SHORT_OPTIONS["molotov"])
    quiet = start_match("molotov", ("a", "b"), **SHORT_OPTIONS["molotov"])
    host.execute(commands.SetChatPolicy(host.state.host_settings.host or "", allowed=True))
    while host.state.phase != "over":
        host.execute(commands.SayPhrase("a", "oops"), commands.WriteChat("b", "So geht das nicht."))
        host.random_step()
        quiet.random_step()
    assert host.state.record() == quiet.state.record()
    stored = msgspec.json.encode(host.log)
    assert b"So geht das nicht." in stored
    again = Table.from_events(msgspec.json.decode(stored, type=list[events.Event]))
    assert (again.state.room(), again.state.chat_count) == (
        host.state.room(),
        host.state.chat_count,
    )


def test_chat_before_the_start_is_dropped_from_the_log() -> None:
    host = host_table("ab")
    host.execute(
        commands.SetChatPolicy("a", allowed=True), commands.WriteChat("a", "Kommt noch wer?")
    )
    gathered = host.state.compaction_event()
    host.table.apply(gathered)
    assert "Kommt noch wer?" not in msgspec.json.encode(gathered).decode()
    assert (host.state.chat_count, host.state.room().writing) == (0, True)


@settings(max_examples=examples(15, 5))
@given(
    game=st.sampled_from(sorted(SHORT_OPTIONS)),
    seed=st.integers(0, 9),
    said=st.lists(
        st.tuples(st.integers(0, 30), st.sampled_from("ab"), st.sampled_from(PHRASES)), max_size=12
    ),
)
def test_chat_changes_no_turn_time_or_view(
    game: str, seed: int, said: list[tuple[int, str, Phrase]]
) -> None:
    host = start_match(game, seed=seed, **SHORT_OPTIONS[game])
    host.state.creation_event = replace(host.state.creation_event, thinking_time=30)
    clock = Clock()
    for moves, person, phrase in said:
        for _ in range(moves):
            host.random_step()
        clock.update(host.state, 0.0)
        before = shown(host, clock)
        if host.state.phase != "closed":
            host.execute(commands.SayPhrase(person, phrase))
        clock.update(host.state, 7.0)
        assert shown(host, clock) == before


def shown(host: TableDriver, clock: Clock) -> object:
    """All visible state of a table, with its deadlines."""
    state = host.state
    seats = (*range(len(state.seats)), None)
    return (
        state.room(),
        msgspec.json.encode(
            [[state.view(seat), per_reader_info.turn(state, seat)] for seat in seats]
        ),
        (
            turns.bot_turn(state),
            turns.waiting_for(state),
            turns.running_clocks(state),
            turns.bot_delay_ms(state),
        ),
        clock.next_deadline(),
    )
