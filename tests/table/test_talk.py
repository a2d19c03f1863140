"""What people say at a table: who may, that all are told, and that nothing else changes by it."""

from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from jasstisch.table import Clock, Reader, Table, TableError, commands, events, talk
from jasstisch.table.phrases import Phrase
from tests.effort import some
from tests.table.tables import SHORT, Host, hosted, started

PHRASES = get_args(Phrase)


def refused(host: Host, command: commands.Command, code: str) -> None:
    """Makes sure that a command is refused and changes nothing."""
    before = host.table.version
    with pytest.raises(TableError) as caught:
        host.do(command)
    assert (caught.value.code, host.table.version) == (code, before)


@pytest.mark.parametrize("phrase", PHRASES)
def test_whoever_holds_a_seat_says_a_phrase_and_all_are_told_its_name(phrase: Phrase) -> None:
    host = hosted("ab")
    readers = [Reader(host.state, seat) for seat in (0, 1, None)]
    assert host.do(commands.Say("b", phrase)) == [events.Said(1, phrase)]
    for reader in readers:
        told = reader.change(host.state)
        assert (told.event.kind, told.event.seat, told.event.words) == ("said", 1, phrase)
        assert (told.room, told.set, told.last, told.append) == ({}, {}, {}, {})


def test_spectators_say_nothing() -> None:
    host = hosted("ab")
    host.do(commands.LetWrite("a", allowed=True))
    refused(host, commands.Say("x", "hello"), "not_seated")
    refused(host, commands.Write("x", "hello"), "not_seated")


def test_at_a_closed_table_nobody_says_anything() -> None:
    host = hosted("ab")
    host.do(commands.LetWrite("a", allowed=True), commands.Close("a"))
    refused(host, commands.Say("a", "goodbye"), "wrong_phase")
    refused(host, commands.Write("b", "Adieu"), "wrong_phase")


def test_people_write_only_where_the_host_lets_them() -> None:
    host = hosted("ab")
    assert not host.state.room().writing
    refused(host, commands.Write("a", "Grüezi"), "no_writing")
    assert host.do(commands.LetWrite("a", allowed=True)) == [events.Writing(True)]
    assert host.do(commands.LetWrite("a", allowed=True)) == []
    assert host.state.room().writing
    assert host.do(commands.Write("b", "Grüezi")) == [events.Wrote(1, "Grüezi")]
    assert host.state.happened(None).words == "Grüezi"
    host.do(commands.LetWrite("a", allowed=False))
    refused(host, commands.Write("b", "Grüezi"), "no_writing")
    host.do(commands.Say("b", "hello"))


def test_so_much_is_said_at_a_table_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talk, "MOST_SAID", 3)
    host = started()
    host.do(*[commands.Say("a", "hello")] * 3)
    refused(host, commands.Say("b", "hello"), "limit")
    host.step()  # and the match goes on


def test_what_was_said_is_in_the_log_of_the_table_and_not_in_the_record_of_the_match() -> None:
    host = started("molotov", ("a", "b"), **SHORT["molotov"])
    quiet = started("molotov", ("a", "b"), **SHORT["molotov"])
    host.do(commands.LetWrite(host.state.house.host or "", allowed=True))
    while host.state.phase != "over":
        host.do(commands.Say("a", "oops"), commands.Write("b", "So geht das nicht."))
        host.step()
        quiet.step()
    assert host.state.record() == quiet.state.record()
    stored = msgspec.json.encode(host.log)
    assert b"So geht das nicht." in stored
    again = Table.from_events(msgspec.json.decode(stored, type=list[events.Event]))
    assert (again.state.room(), again.state.said) == (host.state.room(), host.state.said)


def test_of_what_was_said_before_the_start_nothing_is_kept_in_the_end() -> None:
    host = hosted("ab")
    host.do(commands.LetWrite("a", allowed=True), commands.Write("a", "Kommt noch wer?"))
    gathered = host.state.gathered()
    host.table.apply(gathered)
    assert "Kommt noch wer?" not in msgspec.json.encode(gathered).decode()
    assert (host.state.said, host.state.room().writing) == (0, True)


@settings(max_examples=some(25, 5))
@given(
    game=st.sampled_from(sorted(SHORT)),
    seed=st.integers(0, 9),
    said=st.lists(
        st.tuples(st.integers(0, 30), st.sampled_from("ab"), st.sampled_from(PHRASES)), max_size=12
    ),
)
def test_talk_changes_no_turn_no_time_and_nothing_that_anybody_sees(
    game: str, seed: int, said: list[tuple[int, str, Phrase]]
) -> None:
    host = started(game, seed=seed, **SHORT[game])
    host.state.created = replace(host.state.created, thinking_time=30)
    clock = Clock()
    for moves, person, phrase in said:
        for _ in range(moves):
            host.step()
        clock.update(host.state, 0.0)
        before = shown(host, clock)
        if host.state.phase != "closed":
            host.do(commands.Say(person, phrase))
        clock.update(host.state, 7.0)
        assert shown(host, clock) == before


def shown(host: Host, clock: Clock) -> object:
    """All that there is to see of a table, and whom it waits for until when."""
    state = host.state
    seats = (*range(len(state.places)), None)
    return (
        state.room(),
        msgspec.json.encode([[state.view(seat), state.turn(seat)] for seat in seats]),
        (state.computer_turn(), state.awaited(), state.timed(), state.computer_pause()),
        clock.next_deadline(),
    )
