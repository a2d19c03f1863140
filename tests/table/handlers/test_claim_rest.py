"""Claiming the remaining tricks: permission, log, and no undo."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from jasstisch.match.match import Match
from jasstisch.table import Table, TableError, commands, events, per_reader_info
from jasstisch.table.replay import build_replay, finished_match
from tests.support.example_counts import examples
from tests.table.client_copies import ChangingReaders
from tests.table.table_driver import GAMES, SHORT_OPTIONS, TableDriver, new_table, start_match

TRICKS = [game for game in GAMES if game != "i-doubt-it"]
PEOPLE = "abcd"


def match_of(host: TableDriver) -> Match:
    assert host.state.match is not None
    return host.state.match


def resting(host: TableDriver) -> int | None:
    """The seat that may claim the rest now."""
    match = host.state.match
    seats = match.to_act if match is not None and host.state.phase == "playing" else ()
    return next((seat for seat in seats if per_reader_info.can_claim_rest(host.state, seat)), None)


def until_rest(
    game: str = "schieber", people: str = PEOPLE, **options: Any
) -> tuple[TableDriver, int]:
    """A table at which a person may claim the rest, with that person's seat."""
    for seed in range(100):
        host = start_match(game, people, seed, **SHORT_OPTIONS[game] | options)
        while host.state.phase != "over":
            seat = resting(host)
            if seat is not None and host.state.seats[seat].is_present:
                return host, seat
            host.random_step()
    raise AssertionError("nobody was offered the rest")


def refused(host: TableDriver, command: commands.Command) -> str:
    with pytest.raises(TableError) as caught:
        host.execute(command)
    return caught.value.code


def later(host: TableDriver) -> TableDriver:
    """The same table with its deferred work done."""
    again = TableDriver(Table.from_events(host.log))
    again.rng.setstate(host.rng.getstate())
    again.log = list(host.log)
    return again


@pytest.mark.parametrize("game", TRICKS)
def test_a_claimed_rest_is_logged_as_ordinary_actions_that_end_the_round(game: str) -> None:
    host, seat = until_rest(game)
    rounds, hand = len(match_of(host).rounds), match_of(host).hand(seat)
    done = host.execute(commands.ClaimRest(PEOPLE[seat]))
    assert done[0] == events.RestClaimed(seat)
    acted = [one for one in done if isinstance(one, events.Acted)]
    own = [one.action.removeprefix("play ") for one in acted if one.seat == seat]
    assert sorted(own) == sorted(hand)
    assert {one.by for one in acted if one.seat == seat} == {"person"}
    assert {one.by for one in acted if one.seat != seat} == {"computer"}
    assert len(match_of(host).rounds) == rounds + 1
    assert host.state.phase in ("between", "over")
    assert host.state.rest_claimed_by is None


def test_claiming_gives_the_same_result_as_playing_on() -> None:
    host, seat = until_rest()
    other = later(host)
    for action in list(match_of(other).sure_tricks(seat)):
        other.execute(commands.Act(PEOPLE[seat], action))
        while match_of(other).trick_in_progress:
            other.random_step()
    host.execute(commands.ClaimRest(PEOPLE[seat]))
    assert match_of(host).standing == match_of(other).standing
    without = [{**one.rounds[-1], "tricks": None} for one in (match_of(host), match_of(other))]
    assert without[0] == without[1]


def test_only_the_leader_is_offered_the_rest() -> None:
    host, seat = until_rest()
    turns = [per_reader_info.turn(host.state, other) for other in range(4)]
    assert [turn is not None and turn.rest for turn in turns] == [one == seat for one in range(4)]


def test_an_unjustified_claim_is_refused_and_changes_nothing() -> None:
    host = start_match("schieber", PEOPLE)
    assert refused(host, commands.ClaimRest("a")) == "no_rest"
    host, seat = until_rest()
    version = host.table.version
    assert refused(host, commands.ClaimRest(PEOPLE[(seat + 1) % 4])) == "no_rest"
    assert refused(host, commands.ClaimRest("stranger")) == "not_seated"
    assert host.table.version == version
    host.execute(commands.ClaimRest(PEOPLE[seat]))
    assert refused(host, commands.ClaimRest(PEOPLE[seat])) == "wrong_phase"


def test_claims_before_the_match_or_by_absent_people_are_refused() -> None:
    assert (
        refused(TableDriver(new_table(seats=[None] * 4)), commands.ClaimRest("a")) == "not_seated"
    )
    host = TableDriver(new_table(seats=[None] * 4))
    host.seat_people("a")
    assert refused(host, commands.ClaimRest("a")) == "wrong_phase"
    host, seat = until_rest()
    host.execute(commands.TimeUp(seat))
    assert refused(host, commands.ClaimRest(PEOPLE[seat])) == "wrong_phase"


def test_a_tutorial_offers_no_claim() -> None:
    host, seat = until_rest("molotow", people="abcd")
    guided = replace_created(host, guided=True)
    assert guided.state.tutorial_session is not None
    assert match_of(guided).to_act == match_of(host).to_act
    assert not per_reader_info.can_claim_rest(guided.state, seat)


def replace_created(host: TableDriver, **changes: Any) -> TableDriver:
    """The same table with other creation options."""
    created = msgspec.structs.replace(host.state.creation_event, **changes)
    return TableDriver(Table.from_events([created, *host.log[1:]]))


def test_a_claim_cannot_be_undone() -> None:
    host, seat = until_rest()
    asked = False
    for event in host.table.execute(commands.ClaimRest(PEOPLE[seat]), host.dealer):
        asked = asked or host.state.undo_eligible_seat is not None
        host.log.append(event)
    assert not asked
    assert all(refused(host, commands.RequestUndo(person)) == "no_undo" for person in PEOPLE)


def asks(host: TableDriver) -> int | None:
    """The seat with an open undo request."""
    question = host.state.undo_state.pending
    return None if question is None else question.seat


def table_with_claim_and_undo_available() -> tuple[TableDriver, int, int]:
    """A table at which one person may claim the rest, and the other may request an undo."""
    for seed in range(200):
        host = start_match("molotow", "ab", seed, **SHORT_OPTIONS["molotow"])
        while host.state.phase != "over":
            seat, undoable = resting(host), host.state.undo_eligible_seat
            if seat in (0, 1) and undoable in (0, 1) and undoable != seat:
                return host, seat, undoable
            host.random_step()
    raise AssertionError("nobody could ask for a card before a rest")


def test_claiming_the_rest_does_not_accept_an_undo() -> None:
    host, seat, other = table_with_claim_and_undo_available()
    host.execute(commands.RequestUndo("ab"[other]))
    assert asks(host) == other
    host.execute(commands.ClaimRest("ab"[seat]))
    assert asks(host) is None
    assert host.state.undo_eligible_seat is None


def test_no_other_player_is_asked_during_a_claim() -> None:
    host, seat = until_rest()
    for _ in host.table.execute(commands.ClaimRest(PEOPLE[seat]), host.dealer):
        assert all(per_reader_info.turn(host.state, other) is None for other in range(4))


def test_the_time_of_the_turn_is_that_of_the_first_card() -> None:
    host, seat = until_rest()
    done = host.execute(commands.ClaimRest(PEOPLE[seat], 1200))
    assert [one.took for one in done if isinstance(one, events.Acted)][:2] == [1200, 0]
    assert host.state.seats[seat].time_used_ms == 1200


@pytest.mark.parametrize("game", TRICKS)
def test_deltas_and_log_give_the_same_table(game: str) -> None:
    for _ in range(examples(3, 1)):
        host, seat = until_rest(game)
        looking = ChangingReaders(host)
        for reader in (None, *range(4)):
            looking.join(reader)
        looking.execute(commands.ClaimRest(PEOPLE[seat]))
        encoded = msgspec.json.encode(looking.log)
        again = Table.from_events(msgspec.json.decode(encoded, type=list[events.Event]))
        assert [again.state.view(one) for one in (None, *range(4))] == [
            host.state.view(one) for one in (None, *range(4))
        ]


def test_record_and_replay_of_the_match_are_valid() -> None:
    host, seat = until_rest("molotow", rounds=1)
    host.execute(commands.ClaimRest(PEOPLE[seat]))
    while host.state.phase != "over":
        host.random_step()
    record = match_of(host).record()
    assert Match.from_record(record).record() == record
    match = finished_match(host.log, 1)
    assert match is not None
    steps = build_replay(match, 0, 0, host.state.room()).steps
    assert len(steps) == len(record["log"])
