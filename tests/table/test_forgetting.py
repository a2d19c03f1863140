"""Forgetting a person in the log of a table: nothing of them stays, and the match is as it was."""

from random import Random
from typing import Any

import msgspec
import pytest

from jasstisch.table import Table, commands, events, forget_person, persons_seated
from tests.table.table_driver import TableDriver, host_table, new_table

ANNA, RETO, CLA = "a" * 64, "b" * 64, "c" * 64


def text_of(log: list[events.Event]) -> str:
    """Everything that a store keeps of a log."""
    return msgspec.json.encode(log).decode()


def played_table(seed: int = 0) -> TableDriver:
    """A table at which Anna and Reto have played a match, and talked."""
    created = msgspec.structs.replace(
        new_table(seats=[None, None, "greedy", "random"]).state.creation_event, host=ANNA
    )
    host = TableDriver(Table(created), seed)
    host.execute(
        commands.Sit(ANNA, 0, "Zoë", 7),
        commands.SetChatPolicy(ANNA, allowed=True),
        commands.Sit(RETO, 1, "Reto"),
        commands.SetEntryPolicy(ANNA, "host"),
        commands.SayPhrase(RETO, "hello"),
        commands.StartMatch(ANNA),
        commands.WriteChat(ANNA, "Ich bin Zoë aus Chur"),
        commands.WriteChat(RETO, "Danke, zoë! Zoëlin nicht."),
    )
    host.play_until("over")
    return host


def standing(table: Table) -> list[Any]:
    """What a match has come to, without names."""
    state = table.state
    assert state.match is not None
    seats = [place.person is not None for place in state.seats]
    log = state.match.record()["log"]
    return [state.phase, log, state.match.standing, state.wins, seats, table.version]


@pytest.mark.parametrize("seed", range(3))
def test_nothing_of_a_person_stays_in_the_log_and_the_match_is_the_same(seed: int) -> None:
    host = played_table(seed)
    host.execute(commands.ErasePerson(ANNA))
    clean = forget_person(host.log, ANNA)
    assert len(clean) == len(host.log)
    text = text_of(clean)
    assert ANNA not in text
    assert "Zoë " not in text
    assert "Chur" not in text
    assert "Danke, N. N.! Zoëlin nicht." in text
    assert RETO in text
    after = Table.from_events(clean)
    assert standing(after) == standing(host.table)
    assert after.state.match is not None
    assert after.state.match.players[:2] == ["N. N.", "Reto"]
    assert next(one for one in clean if isinstance(one, events.SeatTaken)).face == 0


def test_events_without_the_person_are_the_same_objects() -> None:
    host = played_table()
    clean = forget_person(host.log, CLA)
    assert all(one is other for one, other in zip(clean, host.log, strict=True))


def test_forgotten_people_at_one_table_stay_apart_and_lead_to_nobody() -> None:
    host = played_table()
    clean = forget_person(forget_person(host.log, ANNA), RETO)
    sat = [one for one in clean if isinstance(one, events.SeatTaken)]
    assert [(one.person, one.name) for one in sat] == [("gone-1", "N. N."), ("gone-2", "N. N. 2")]
    assert persons_seated(clean) == set()
    assert persons_seated(forget_person(host.log, ANNA)) == {RETO}
    assert standing(Table.from_events(clean)) == standing(host.table)


def test_a_request_for_a_seat_goes_with_its_person_and_cannot_be_accepted() -> None:
    host = host_table()
    host.execute(commands.SetEntryPolicy("a", "host"), commands.Sit(CLA, 3, "Cla", 5))
    assert [one.name for one in host.state.room().requests] == ["Cla"]
    host.execute(commands.ErasePerson(CLA))
    assert host.state.room().requests == []
    clean = forget_person(host.log, CLA)
    assert CLA not in text_of(clean)
    assert "Cla" not in text_of(clean)
    assert Table.from_events(clean).state.room() == host.state.room()


def test_a_person_goes_from_the_snapshot_of_a_lobby() -> None:
    host = host_table("abd")
    host.execute(
        commands.RemovePerson("a", 2),
        commands.SetEntryPolicy("a", "host"),
        commands.Sit("d", 2, "Dora"),
        commands.Sit("e", 3, "Eva"),
    )
    rng = Random(1)
    while not any(isinstance(one, events.LobbyCompacted) for one in host.log):
        host.execute(commands.SetStartPolicy("a", rng.choice(["all", "host"])))
    compacted = next(one for one in host.log if isinstance(one, events.LobbyCompacted))
    house = msgspec.structs.replace(compacted.house, absent_host="f")
    later = host.log[host.log.index(compacted) + 1 :]
    log = [host.log[0], msgspec.structs.replace(compacted, house=house), *later]
    for person, name in (("d", "Dora"), ("e", "Eva"), ("f", "Fritz"), ("a", "A")):
        log = forget_person(log, person)
        text = text_of(log)
        assert f'"{person}"' not in text
        assert f'"{name}"' not in text
    after = Table.from_events(log)
    assert after.version == host.table.version
    assert len(after.state.host_settings.requests) == 2
    assert after.state.seats[1].name == "B"


def test_a_closed_table_is_rewritten_without_further_events() -> None:
    host = played_table()
    host.execute(commands.AdminClose())
    assert host.execute(commands.ErasePerson(ANNA)) == []
    assert ANNA not in text_of(forget_person(host.log, ANNA))


def test_a_longer_name_goes_as_a_whole_where_a_shorter_one_is_its_beginning() -> None:
    log: list[events.Event] = [
        msgspec.structs.replace(new_table(seats=[None] * 4).state.creation_event, host=RETO),
        events.SeatTaken(0, RETO, "Reto"),
        events.ChatPolicySet(allowed=True),
        events.SeatTaken(1, ANNA, "Anna"),
        events.SeatLeft(1),
        events.SeatTaken(1, ANNA, "Anna Meier"),
        events.ChatWritten(0, "Sali Anna Meier, sali Anna"),
    ]
    said = forget_person(log, ANNA)[-1]
    assert said == events.ChatWritten(0, "Sali N. N., sali N. N.")


def test_somebody_who_has_become_the_host_goes_from_the_log() -> None:
    log: list[events.Event] = [
        msgspec.structs.replace(new_table(seats=[None] * 4).state.creation_event, host=RETO),
        events.SeatTaken(0, RETO, "Reto"),
        events.SeatTaken(1, ANNA, "Anna"),
        events.HostReplaced(ANNA),
    ]
    assert ANNA not in text_of(forget_person(log, ANNA))
