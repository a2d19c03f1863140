"""Commands of the host: admitting, starting, removing, and who becomes the next host."""

from contextlib import suppress
from typing import Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jasstisch.table import Table, TableError, commands, events, per_reader_info, turns
from jasstisch.table.handlers.host_commands import MAX_ENTRY_REQUESTS
from tests.support.example_counts import examples
from tests.table.table_driver import TableDriver, host_table, new_table

EVENTS = list[events.Event]


def refused(host: TableDriver, command: commands.Command, code: str) -> None:
    """Checks that a command is refused and changes nothing."""
    before = host.table.version, host.state.room()
    with pytest.raises(TableError) as caught:
        host.execute(command)
    assert caught.value.code == code
    assert (host.table.version, host.state.room()) == before


EVERYTHING: list[commands.HostCommand] = [
    commands.SetEntryPolicy("", "nobody"),
    commands.AnswerEntryRequest("", 1, accept=True),
    commands.RevokeLink("", "key"),
    commands.SetStartPolicy("", "all"),
    commands.SetChatPolicy("", allowed=True),
    commands.SetPublished("", published=True, link_key="newer"),
    commands.SetSpectatorDelay("", delayed=True),
    commands.SetExtendedTime("", 1, extended=True),
    commands.RemovePerson("", 1),
    commands.AssignBot("", 2, "greedy"),
    commands.CloseTable(""),
]


@pytest.mark.parametrize("command", EVERYTHING, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("person", ["b", "x"])
def test_host_commands_are_refused_to_others(command: commands.HostCommand, person: str) -> None:
    host = host_table()
    mine = type(command)(
        **{**{f: getattr(command, f) for f in command.__slots__}, "person": person}
    )
    refused(host, mine, "not_host")


def test_the_creator_is_the_host_with_or_without_a_seat() -> None:
    host = host_table("")
    assert host.state.room().host is None
    host.execute(commands.Sit("b", 1, "Reto"))
    assert host.state.host_settings.host == "a"
    host.execute(commands.Sit("a", 0, "Anna"))
    assert host.state.room().host == 0
    host.execute(commands.Sit("a", 3, "Anna"))
    assert host.state.room().host == 3


def test_in_older_logs_the_first_person_seated_is_the_host() -> None:
    host = TableDriver(new_table())
    host.seat_people("b", "a")
    assert host.state.host_settings.host == "b"
    host.execute(commands.StartMatch("a"))  # and everybody may begin
    assert host.state.phase == "playing"


def test_when_the_host_leaves_the_next_person_is_the_host() -> None:
    host = host_table("bac")
    host.execute(commands.Stand("a"))
    assert host.state.host_settings.host == "b"
    host.execute(commands.Sit("a", 1, "Anna"))
    assert host.state.host_settings.host == "b"
    host.execute(commands.Stand("b"), commands.Stand("a"), commands.Stand("c"))
    assert host.state.host_settings.host == "c"  # the last one stays it
    host.execute(commands.Sit("d", 0, "Dora"))
    refused(host, commands.StartMatch("d"), "not_host")


def test_when_a_host_is_deleted_the_next_person_is_the_host() -> None:
    host = host_table("bc")
    assert host.execute(commands.ErasePerson("a")) == [events.HostResigned()]
    assert per_reader_info.describe_last_event(host.state, None).kind == "resigned"
    assert host.state.room().host == 0
    assert host.execute(commands.ErasePerson("b")) == [events.HostResigned(), events.SeatLeft(0)]
    assert host.state.room().host == 1
    assert host.execute(commands.ErasePerson("a"), commands.ErasePerson("x")) == []
    host.execute(commands.StartMatch("c"))
    again = Table.from_events(msgspec.json.decode(msgspec.json.encode(host.log), type=EVENTS))
    assert again.state.room() == host.state.room()


def test_when_the_last_host_is_deleted_the_next_person_seated_is_the_host() -> None:
    host = host_table("ba")
    host.execute(commands.Stand("b"), commands.ErasePerson("a"))
    refused(host, commands.StartMatch("a"), "not_seated")
    host.table.apply(host.state.compaction_event())
    hosts = [host.state.host_settings.host]
    host.execute(commands.Sit("d", 2, "Dora"), commands.Sit("c", 1, "Cla"))
    assert [*hosts, host.state.host_settings.host] == [None, "d"]
    host.execute(commands.StartMatch("d"))
    assert host.state.phase == "playing"


@pytest.mark.parametrize("entry", ["host", "nobody"])
def test_without_a_host_anyone_with_the_link_becomes_host_by_sitting_down(
    entry: Literal["host", "nobody"],
) -> None:
    host = host_table("a")
    host.execute(commands.Sit("p", 1, "low", is_program=True), commands.SetEntryPolicy("a", entry))
    done = host.execute(commands.ErasePerson("a"))
    assert done == [events.HostResigned(), events.EntryPolicySet("link"), events.SeatLeft(0)]
    host.execute(commands.Sit("c", 2, "Cla"))
    assert host.state.host_settings.host == "c"


def test_the_next_host_keeps_admitting_people() -> None:
    host = host_table("ab")
    host.execute(commands.SetEntryPolicy("a", "host"))
    assert host.execute(commands.ErasePerson("a")) == [events.HostResigned(), events.SeatLeft(0)]
    assert host.state.host_settings.entry == "host"


@settings(max_examples=examples(200, 60), deadline=None)
@given(st.data())
def test_after_any_deletion_somebody_can_still_join(data: st.DataObject) -> None:
    host = host_table("a")
    for _ in range(data.draw(st.integers(1, 14))):
        person = data.draw(st.sampled_from("abpq"))
        seat = data.draw(st.integers(0, 3))
        wishes: list[commands.Command] = [
            commands.Sit(person, seat, person, is_program=person in "pq"),
            commands.Stand(person),
            commands.SetEntryPolicy(person, "host"),
            commands.SetEntryPolicy(person, "nobody"),
            commands.AnswerEntryRequest(person, 1, accept=True),
            commands.ErasePerson(person),
        ]
        asked = data.draw(st.sampled_from(wishes))
        with suppress(TableError):
            host.execute(asked)
        assert host.state.host_settings.host is not None or host.state.host_settings.entry == "link"
    again = Table.from_events(msgspec.json.decode(msgspec.json.encode(host.log), type=EVENTS))
    assert again.state.room() == host.state.room()
    assert again.state.host_settings == host.state.host_settings


def test_deleting_a_guest_only_frees_their_seat() -> None:
    host = host_table("ab")
    assert host.execute(commands.ErasePerson("b")) == [events.SeatLeft(1)]
    assert host.state.host_settings.host == "a"


def test_a_guest_may_start_the_match_only_if_permitted() -> None:
    host = host_table()
    refused(host, commands.StartMatch("b"), "not_host")
    assert host.execute(commands.SetStartPolicy("a", "all")) == [events.StartPolicySet("all")]
    assert host.state.room().starters == "all"
    host.execute(commands.StartMatch("b"))
    assert host.state.phase == "playing"


def test_the_host_can_start_a_match_of_others() -> None:
    host = host_table("bc")
    host.execute(commands.StartMatch("a"))
    assert host.state.phase == "playing"


def test_a_match_needs_somebody_who_can_continue_it() -> None:
    host = host_table("")
    refused(host, commands.StartMatch("a"), "wrong_phase")
    host.execute(commands.Sit("b", 1, "Reto"), commands.StartMatch("a"))
    assert host.state.phase == "playing"


def test_with_admission_by_the_host_seats_are_requested() -> None:
    host = host_table()
    host.execute(commands.SetEntryPolicy("a", "host"))
    assert host.execute(commands.Sit("c", 2, "Cla")) == [events.EntryRequested(1, 2, "c", "Cla")]
    assert host.state.seats.seat_of("c") is None
    (request,) = host.state.room().requests
    assert (request.number, request.seat, request.name) == (1, 2, "Cla")
    assert host.execute(commands.Sit("c", 2, "Cla")) == []
    host.execute(commands.AnswerEntryRequest("a", 1, accept=True))
    assert host.state.seats.seat_of("c") == 2
    assert host.state.room().requests == []


def test_a_new_seat_request_replaces_the_old_one() -> None:
    host = host_table()
    host.execute(
        commands.SetEntryPolicy("a", "host"),
        commands.Sit("c", 2, "Cla"),
        commands.Sit("c", 3, "Cla"),
    )
    assert [(one.number, one.seat) for one in host.state.room().requests] == [(2, 3)]
    refused(host, commands.AnswerEntryRequest("a", 1, accept=True), "wrong_phase")


def test_a_person_admitted_to_a_taken_seat_gets_another_if_there_is_one() -> None:
    host = host_table()
    host.execute(commands.SetEntryPolicy("a", "host"))
    for person in "cde":
        host.execute(commands.Sit(person, 2, person.upper()))
    host.execute(
        commands.AnswerEntryRequest("a", 1, accept=True),
        commands.AnswerEntryRequest("a", 2, accept=True),
    )
    assert (host.state.seats.seat_of("c"), host.state.seats.seat_of("d")) == (2, 3)
    refused(host, commands.AnswerEntryRequest("a", 3, accept=True), "seat_taken")
    host.execute(commands.AnswerEntryRequest("a", 3, accept=False))
    assert host.state.room().requests == []


def test_the_rights_of_a_host_who_is_gone_pass_on_and_come_back_before_the_match() -> None:
    host = host_table("abc")
    host.execute(commands.ReplaceHost("b"))
    assert host.state.room().host == 1
    assert per_reader_info.describe_last_event(host.state, None).kind == "host_replaced"
    refused(host, commands.StartMatch("a"), "not_host")
    host.execute(commands.ReplaceHost("c"))  # B is gone as well
    assert host.state.host_settings.absent_host == "a"
    host.execute(commands.ReplaceHost("a"))
    assert host.state.room().host == 0
    assert host.state.compaction_event().house.absent_host is None


def test_after_the_beginning_the_person_who_began_stays_the_host() -> None:
    host = host_table("abc")
    host.execute(commands.ReplaceHost("b"), commands.StartMatch("b"))
    assert host.state.host_settings.absent_host is None
    assert host.execute(commands.ReplaceHost("a")) == []
    assert host.state.room().host == 1


def test_a_host_who_is_gone_loses_the_claim_with_the_seat() -> None:
    for loses in (commands.RemovePerson("b", 0), commands.ErasePerson("a")):
        host = host_table("abc")
        host.execute(commands.ReplaceHost("b"), loses)
        assert host.state.host_settings.absent_host is None
        assert host.state.host_settings.host == "b"


def test_an_erased_host_without_a_seat_who_is_gone_loses_the_claim() -> None:
    host = host_table("ab")
    host.execute(commands.Stand("b"), commands.Stand("a"), commands.Sit("b", 1, "B"))
    assert host.state.host_settings.host == "a"
    host.execute(commands.ReplaceHost("b"))
    assert host.execute(commands.ErasePerson("a")) == [events.HostReplaced("b")]
    assert host.state.host_settings.absent_host is None


def test_a_compacted_lobby_keeps_the_claim_of_a_host_who_is_gone() -> None:
    host = host_table("ab")
    host.execute(commands.ReplaceHost("b"))
    (event,) = [host.state.compaction_event()]
    assert event.house.absent_host == "a"


def test_pending_seat_requests_are_limited() -> None:
    host = host_table()
    host.execute(commands.SetEntryPolicy("a", "host"))
    for number in range(MAX_ENTRY_REQUESTS):
        host.execute(commands.Sit(f"p{number}", 2, f"P{number}"))
    refused(host, commands.Sit("z", 2, "Z"), "limit")
    host.execute(commands.Sit("p0", 3, "P0"))  # people who wait may change their minds
    assert len(host.state.host_settings.requests) == MAX_ENTRY_REQUESTS


def test_a_locked_table_admits_only_people_who_sat_there() -> None:
    host = host_table("abc")
    host.execute(commands.SetEntryPolicy("a", "nobody"), commands.Stand("c"))
    refused(host, commands.Sit("d", 2, "Dora"), "no_entry")
    host.execute(commands.Sit("c", 2, "Cla"))
    host.execute(commands.Stand("c"), commands.SetEntryPolicy("a", "link"))
    host.execute(commands.Sit("d", 2, "Dora"))
    assert host.state.seats.seat_of("d") == 2


def test_a_removed_person_returns_only_if_admitted() -> None:
    host = host_table()
    assert host.execute(commands.RemovePerson("a", 1)) == [events.PersonRemoved(1)]
    told = per_reader_info.describe_last_event(host.state, None)
    assert (told.kind, told.seat) == ("removed", 1)
    assert host.state.room().seats[1].kind == "open"
    assert host.execute(commands.Sit("b", 1, "Reto")) == [events.EntryRequested(1, 1, "b", "Reto")]
    host.execute(commands.AnswerEntryRequest("a", 1, accept=True))
    host.execute(commands.Stand("b"), commands.Sit("b", 1, "Reto"))
    assert host.state.seats.seat_of("b") == 1


def test_removal_between_rounds_is_replaced_by_a_bot_and_refused_during_a_round() -> None:
    host = host_table("abcd")
    host.execute(commands.StartMatch("a"))
    refused(host, commands.RemovePerson("a", 1), "wrong_phase")
    host.play_until("between")
    host.execute(commands.RemovePerson("a", 1))
    seat = host.state.room().seats[1]
    assert (seat.kind, seat.left) == ("computer", True)
    assert isinstance(host.execute(commands.Sit("b", 1, "Reto"))[0], events.EntryRequested)


def test_the_host_cannot_remove_themselves_or_an_empty_seat() -> None:
    host = host_table()
    refused(host, commands.RemovePerson("a", 0), "wrong_phase")
    refused(host, commands.RemovePerson("a", 2), "wrong_phase")
    refused(host, commands.RemovePerson("a", 4), "bad_option")


def test_a_seat_can_be_given_to_a_bot_and_opened_again() -> None:
    host = host_table()
    assert host.execute(commands.AssignBot("a", 2, "greedy")) == [events.BotAssigned(2, "greedy")]
    assert host.state.room().seats[2].bot == "greedy"
    assert host.execute(commands.AssignBot("a", 2, "greedy")) == []
    refused(host, commands.Sit("c", 2, "Cla"), "seat_taken")
    host.execute(commands.AssignBot("a", 2, None), commands.Sit("c", 2, "Cla"))
    assert host.state.seats.seat_of("c") == 2
    refused(host, commands.AssignBot("a", 2, "greedy"), "seat_taken")


def test_between_rounds_empty_seats_go_to_bots_and_none_is_opened() -> None:
    host = host_table("abcd")
    host.execute(commands.StartMatch("a"), commands.Stand("b"))
    refused(host, commands.AssignBot("a", 1, "greedy"), "wrong_phase")
    host.play_until("between")
    refused(host, commands.AssignBot("a", 1, None), "wrong_phase")
    host.execute(commands.AssignBot("a", 1, "greedy"))
    refused(host, commands.Sit("b", 1, "Reto"), "seat_taken")
    host.random_step()
    host.random_step()
    host.random_step()
    assert host.state.phase == "playing"


def test_a_renewed_link_is_required_from_people_who_never_sat_here() -> None:
    host = host_table("ab")
    assert host.state.may_access(None, None)
    host.execute(commands.RevokeLink("a", "secret"))
    assert host.state.room().key == "secret"
    assert not host.state.may_access(None, None)
    assert not host.state.may_access("x", "wrong")
    assert host.state.may_access("x", "secret")
    assert host.state.may_access("b", None)
    host.execute(commands.Stand("b"))
    assert host.state.may_access("b", None)
    host.execute(commands.RevokeLink("a", "newer"))
    assert not host.state.may_access("x", "secret")


def test_a_renewed_link_is_required_from_removed_people_until_admitted() -> None:
    host = host_table("ab")
    host.execute(commands.RemovePerson("a", 1), commands.RevokeLink("a", "secret"))
    assert not host.state.may_access("b", None)
    assert host.state.may_access("b", "secret")
    again = Table.from_events(host.log)
    again.apply(again.state.compaction_event())
    assert not again.state.may_access("b", None)
    host.execute(commands.Sit("b", 1, "Reto"), commands.AnswerEntryRequest("a", 1, accept=True))
    assert host.state.may_access("b", None)


def test_a_closed_table_refuses_all_commands() -> None:
    host = host_table("ab")
    host.execute(commands.StartMatch("a"))
    host.execute(commands.CloseTable("a"))
    assert host.state.room().phase == "closed"
    for command in (
        commands.Sit("c", 2, "Cla"),
        commands.Stand("b"),
        commands.StartMatch("a"),
        commands.CloseTable("a"),
        commands.Act("a", "play JC"),
        commands.ResumeControl("a"),
        commands.TimeUp(0),
        commands.BotAct(2, "play JC"),
    ):
        refused(host, command, "wrong_phase")
    assert turns.bot_turn(host.state) is None
    assert turns.waiting_for(host.state) == []
    assert turns.running_clocks(host.state) == {}


def test_equal_names_are_numbered() -> None:
    host = host_table("")
    for person, name in (("a", "Anna"), ("b", "anna"), ("c", "Anna"), ("d", "Anna 2")):
        seat = "abcd".index(person)
        host.execute(commands.Sit(person, seat, name))
    assert [seat.name for seat in host.state.room().seats] == [
        "Anna",
        "anna 2",
        "Anna 3",
        "Anna 2 2",
    ]


def test_changing_seats_and_returning_keep_the_name() -> None:
    host = host_table("")
    host.execute(commands.Sit("a", 0, "Anna"), commands.Sit("a", 1, "Anna"))
    assert host.state.room().seats[1].name == "Anna"
    host.execute(commands.StartMatch("a"), commands.Stand("a"), commands.Sit("a", 1, "Anna"))
    assert host.state.room().seats[1].name == "Anna"


def test_the_avatar_is_kept_with_the_seat_like_the_name() -> None:
    host = host_table("")
    host.execute(commands.Sit("a", 0, "Anna", 7), commands.Sit("b", 1, "Reto"))
    host.execute(commands.Sit("a", 2, "Anna", 9))  # who moves keeps name and face
    assert [seat.face for seat in host.state.room().seats] == [0, 0, 7, 0]
    gathered = msgspec.json.decode(
        msgspec.json.encode(host.state.compaction_event()), type=events.Event
    )
    host.table.apply(gathered)
    assert host.state.room().seats[2].face == 7
    host.execute(commands.SetEntryPolicy("a", "host"), commands.Sit("c", 0, "Cla", 24))
    host.execute(commands.AnswerEntryRequest("a", 1, accept=True))
    assert host.state.room().seats[0].face == 24
    host.execute(commands.StartMatch("a"), commands.Stand("c"))
    left = host.state.room().seats[0]
    assert (left.left, left.face) == (True, 24)
    host.execute(commands.Sit("c", 0, "Cla"))
    assert host.state.room().seats[0].face == 0
    host.execute(commands.CloseTable("a"))


def test_host_decisions_survive_a_restart_and_compaction() -> None:
    host = host_table("ab")
    host.execute(
        commands.SetEntryPolicy("a", "host"),
        commands.SetStartPolicy("a", "all"),
        commands.SetChatPolicy("a", allowed=True),
        commands.SetPublished("a", published=True, link_key="unused"),
        commands.RevokeLink("a", "secret"),
        commands.SetExtendedTime("a", 1, extended=True),
        commands.Sit("c", 2, "Cla"),
    )
    stored = msgspec.json.encode(host.log)
    again = Table.from_events(msgspec.json.decode(stored, type=list[events.Event]))
    assert again.state.room() == host.state.room()
    gathered = msgspec.json.decode(
        msgspec.json.encode(host.state.compaction_event()), type=events.Event
    )
    host.table.apply(gathered)
    assert host.state.room() == again.state.room()
    host.execute(commands.AnswerEntryRequest("a", 1, accept=True))
    assert host.state.seats.seat_of("c") == 2


def test_a_public_table_is_visible_without_its_key() -> None:
    host = host_table("ab")
    host.execute(commands.RevokeLink("a", "secret"))
    assert not host.state.may_access("x", None)
    publish = commands.SetPublished("a", published=True, link_key="unused")
    host.execute(publish, publish)
    assert host.log[-2:] == [events.PublishedSet(True), events.SpectatorDelaySet(True)]
    assert host.state.room().published
    assert host.state.may_access("x", None)
    assert host.state.may_access(None, "old")
    host.execute(commands.SetPublished("a", published=False, link_key="newer"))
    assert not host.state.room().published
    assert not host.state.may_access("x", None)


def test_an_unlisted_table_requires_a_key_unknown_to_its_public_visitors() -> None:
    """Keys renewed while the table was public count as known to visitors."""
    host = host_table("ab")
    host.execute(
        commands.SetPublished("a", published=True, link_key="unused"),
        commands.RevokeLink("a", "told"),
    )
    assert host.execute(commands.SetPublished("a", published=False, link_key="fresh")) == [
        events.PublishedSet(False),
        events.LinkRevoked("fresh"),
    ]
    assert not host.state.may_access("x", "told")
    assert not host.state.may_access("x", "unused")
    assert host.state.may_access("x", "fresh")
    assert host.state.may_access("b", None)
    assert host.execute(commands.SetPublished("a", published=False, link_key="again")) == []


def test_a_public_table_shows_strangers_the_matches_begun_since() -> None:
    host = host_table("ab")
    host.execute(
        commands.StartMatch("a"), commands.SetPublished("a", published=True, link_key="unused")
    )
    again = Table.from_events(host.log)
    for state in (host.state, again.state):
        assert state.may_access("x", None)
        assert not state.may_access("x", None, 1)
        assert state.may_access("x", None, 2)
        assert state.may_access("a", None, 1)
        assert state.may_access("b", None, 1)
    host.execute(commands.SetPublished("a", published=False, link_key="fresh"))
    assert host.state.may_access("x", "fresh", 1)


def test_the_hosts_admission_rules_apply_at_a_public_table() -> None:
    host = host_table("ab")
    host.execute(
        commands.SetPublished("a", published=True, link_key="unused"),
        commands.SetEntryPolicy("a", "nobody"),
    )
    refused(host, commands.Sit("x", 2, "Nina"), "no_entry")
    host.execute(commands.SetEntryPolicy("a", "host"), commands.Sit("x", 2, "Nina"))
    assert host.state.seats.seat_of("x") is None
    assert [one.name for one in host.state.room().requests] == ["Nina"]


def test_the_operator_can_unlist_any_table() -> None:
    host = host_table("ab")
    host.execute(commands.AdminUnpublish("unused"))
    assert events.PublishedSet(False) not in host.log
    host.execute(
        commands.SetPublished("a", published=True, link_key="unused"),
        commands.AdminUnpublish("fresh"),
    )
    assert host.log[-2:] == [events.PublishedSet(False), events.LinkRevoked("fresh")]
    assert not host.state.may_access("x", None)
