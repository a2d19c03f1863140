"""Resuming a finished match from any of its steps, at a table of one's own."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from jasstisch import Match
from jasstisch.table import (
    BranchPoint,
    FinishedMatch,
    Table,
    TableError,
    commands,
    events,
    find_branch_point,
    finished_match,
)
from tests.table.table_driver import GAMES, SHORT_OPTIONS, TableDriver, new_table

LOG: Any = list[events.Event]


def match_over(game: str = "molotow", seed: int = 0, **options: int | str | None) -> FinishedMatch:
    """A finished match of A and B against two bots."""
    seats = [None, None, "greedy", "random"]
    host = TableDriver(new_table(game, seats, **(options or SHORT_OPTIONS[game])), seed)
    host.seat_people("a", "b")
    host.execute(commands.StartMatch("a"))
    host.play_until("over")
    found = finished_match(host.log, 1)
    assert found is not None
    return found


def options_of(match: FinishedMatch) -> dict[str, Any]:
    """The options of the match, without the number of players."""
    options: dict[str, Any] = match.record["options"]
    return {name: value for name, value in options.items() if name != "players"}


def resumed(match: FinishedMatch, found: BranchPoint, seat: int | None = None) -> TableDriver:
    """A table where C plays on, at a given seat or that of the first to act."""
    mine = found.to_act[0] if seat is None else seat
    options = options_of(match)
    seats = [None if one == mine else "greedy" for one in range(4)]
    host = TableDriver(new_table(match.record["game"], seats, **options), seed=1)
    host.execute(commands.Sit("c", mine, "Carla"), commands.ResumeMatch("c", found.log))
    return host


def restarted(host: TableDriver) -> Table:
    """The table rebuilt from its stored log."""
    stored = msgspec.json.decode(msgspec.json.encode(host.log), type=LOG)
    return Table.from_events(stored)


@pytest.mark.parametrize("game", GAMES)
def test_a_match_can_be_resumed_from_any_step(game: str) -> None:
    match = match_over(game)
    log = [tuple(entry) for entry in match.record["log"]]
    for step in Random(game).sample(range(len(log)), k=12):
        found = find_branch_point(match, step)
        begun = found.log
        assert begun == log[: len(begun)]
        # Nobody decided anything before the step that is asked for and this one.
        assert all(actor == "pack" for actor, _ in log[step : len(begun)])
        seat = Random(step).choice([None, *range(4)])
        host = resumed(match, found, seat)
        played = host.state.match
        assert played is not None
        assert (host.state.phase, host.state.match_number) == ("playing", 1)
        assert played.to_act == found.to_act
        before = played.record()
        assert [tuple(entry) for entry in before["log"]] == begun
        host.play_until("over")
        record = host.state.record()
        assert record is not None
        assert [tuple(entry) for entry in record["log"][: len(begun)]] == begun
        assert Match.from_record(record).record() == record
        assert record["about"] == {"resumed": len(begun)}


@pytest.mark.parametrize("game", GAMES)
def test_the_log_alone_rebuilds_the_table(game: str) -> None:
    match = match_over(game)
    host = resumed(match, find_branch_point(match, len(match.record["log"]) // 2))
    for _ in range(8):
        if host.state.phase == "playing":
            host.random_step()
    again = restarted(host).state
    assert again.room() == host.state.room()
    assert [again.view(seat) for seat in (None, *range(4))] == [
        host.state.view(seat) for seat in (None, *range(4))
    ]


def test_the_log_begins_with_one_event_for_all_steps_taken_over() -> None:
    match = match_over()
    host = resumed(match, find_branch_point(match, 30))
    assert [type(event) for event in host.log] == [
        events.TableCreated,
        events.SeatTaken,
        events.MatchResumed,
    ]
    assert host.state.room().resumed == 30


def test_from_a_step_that_awaits_a_pack_play_resumes_after_it() -> None:
    match = match_over()
    log = match.record["log"]
    packs = [place for place, (actor, _) in enumerate(log) if actor == "pack"]
    for place in packs:
        found = find_branch_point(match, place)
        assert len(found.log) > place
        assert log[len(found.log)][0] in found.to_act
    assert packs[0] == 0


def test_the_last_step_cannot_be_resumed() -> None:
    match = match_over()
    steps = len(match.record["log"])
    assert len(find_branch_point(match, steps - 1).log) == steps - 1
    with pytest.raises(TableError, match="nothing is left to play") as refused:
        find_branch_point(match, steps)
    assert refused.value.code == "wrong_phase"
    with pytest.raises(TableError, match=f"has {steps} steps") as refused:
        find_branch_point(match, steps + 1)
    assert refused.value.code == "bad_option"


def test_players_of_the_original_match_are_not_named() -> None:
    match = match_over()
    assert match.record["players"][:2] == ["A", "B"]
    host = resumed(match, find_branch_point(match, 30), seat=2)
    assert host.state.match is not None
    assert host.state.match.players == ["bot:greedy", "bot:greedy", "Carla", "bot:greedy"]
    written = msgspec.json.encode(host.log).decode()
    assert '"A"' not in written
    assert '"B"' not in written


def test_a_resumed_match_has_no_evidence_and_its_rematch_has() -> None:
    match = match_over(rounds=2)
    host = resumed(match, find_branch_point(match, 12))
    host.dealer.random_bytes = Random(3).randbytes
    assert host.state.room().fair is None
    host.play_until("over")
    record = host.state.record()
    assert record is not None
    assert "fair" not in record
    host.random_step()
    room = host.state.room()
    assert (room.number, room.resumed) == (2, 0)
    assert room.fair is not None
    host.play_until("over")
    again = host.state.record()
    assert again is not None
    assert "fair" in again
    assert "about" not in again


def test_rounds_taken_over_do_not_extend_the_retention() -> None:
    match = match_over(rounds=3)
    rounds = [place for place, (actor, _) in enumerate(match.record["log"]) if actor == "pack"]
    host = resumed(match, find_branch_point(match, rounds[-1]))
    assert host.state.match is not None
    assert len(host.state.match.rounds) == 2
    kept_for = [host.state.progress]
    host.play_until("over")
    kept_for.append(host.state.progress)
    assert kept_for == ["nothing", "match"]


def test_steps_taken_over_cannot_be_undone() -> None:
    match = match_over()
    log = match.record["log"]
    step = next(
        place + 1
        for place, (actor, text) in enumerate(log)
        if actor == 0 and text.startswith("play") and log[place + 1][0] != "pack"
    )
    host = resumed(match, find_branch_point(match, step), seat=0)
    assert host.state.undo_eligible_seat is None
    with pytest.raises(TableError, match="no card"):
        host.execute(commands.RequestUndo("c"))


def test_resuming_is_permitted_like_starting_and_only_before_it() -> None:
    match = match_over()
    found = find_branch_point(match, 20)
    host = resumed(match, found)
    with pytest.raises(TableError, match="already begun"):
        host.execute(commands.ResumeMatch("c", found.log))
    other = TableDriver(
        new_table("molotow", [None, "greedy", "greedy", "greedy"], **SHORT_OPTIONS["molotow"])
    )
    other.seat_people("a")
    with pytest.raises(TableError, match="you hold no seat"):
        other.execute(commands.ResumeMatch("b", found.log))


@pytest.mark.parametrize("steps", [0, 1])
def test_a_log_without_a_seat_to_act_is_damaged(steps: int) -> None:
    match = match_over()
    log = [(actor, text) for actor, text in match.record["log"]]
    created = new_table("molotow", [None] * 4, **options_of(match)).state.creation_event
    entries: list[events.Event] = [
        created,
        events.SeatTaken(0, "a", "A"),
        events.MatchResumed({}, log if steps else []),
    ]
    with pytest.raises(ValueError, match="somebody is to act"):
        Table.from_events(entries)
