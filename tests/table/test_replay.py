"""Replays: each reader's view at every step, and every hand."""

from __future__ import annotations

import msgspec
import pytest

from jasstisch import Match
from jasstisch.table import (
    Replay,
    TableDelta,
    build_replay,
    commands,
    finished_match,
    finished_rounds,
)
from jasstisch.table.handlers.host_commands import REMOVED_NICKNAME
from tests.table.client_copies import apply_delta
from tests.table.table_driver import GAMES, SHORT_OPTIONS, TableDriver, new_table, tied_table


def played(game: str = "molotow", matches: int = 1, **options: int | str | None) -> TableDriver:
    """A table of A and B after so many matches."""
    seats = [None, None, "greedy", "random"]
    host = TableDriver(new_table(game, seats, **(options or SHORT_OPTIONS[game])))
    host.seat_people("a", "b")
    host.execute(commands.StartMatch("a"))
    while not (host.state.phase == "over" and host.state.match_number == matches):
        host.execute(host.next_command())
    return host


def replay_of(host: TableDriver, number: int = 1, seat: int | None = None) -> Replay:
    match = finished_match(host.log, number)
    assert match is not None
    return build_replay(match, seat, match.seat_by_person.get("a"), host.state.room())


@pytest.mark.parametrize("game", GAMES)
def test_folding_the_steps_gives_each_readers_views(game: str) -> None:
    host = played(game)
    record = host.state.record()
    assert record is not None
    for seat in (None, *range(4)):
        replay = msgspec.json.decode(msgspec.json.encode(replay_of(host, seat=seat)), type=Replay)
        match = Match(host.state.match.game, record["players"])  # type: ignore[union-attr]
        hands: dict[str, list[str]] = {}
        view = replay.view
        assert view == match.view(seat)
        for (actor, text), step in zip(record["log"], replay.steps, strict=True):
            if actor == "pack":
                match.deal(text)
                assert step.event.kind == "pack"
            else:
                match.act(actor, text)
                assert (step.event.seat, step.event.action) == (
                    actor,
                    match.describe_last_action(seat),
                )
            change = TableDelta(0, step.event, {}, step.set, step.last, step.append, None)
            view, hands = apply_delta(({}, view), change)[1], hands | step.hands
            assert view == match.view(seat)
            assert hands == {str(one): match.hand(one) for one in range(4) if str(one) in hands}
        assert view["over"]


@pytest.mark.parametrize("game", GAMES)
def test_rounds_are_in_order_with_their_steps(game: str) -> None:
    replay = replay_of(played(game))
    rounds = [step.round for step in replay.steps]
    assert rounds == sorted(rounds)
    assert set(rounds) <= set(range(1, rounds[-1] + 1))


def test_earlier_matches_can_be_replayed_and_unfinished_ones_cannot() -> None:
    host = played(matches=2, rounds=1)
    records = [finished_match(host.log, number) for number in (1, 2)]
    assert records[1] is not None
    assert records[0] is not None
    assert records[1].record == host.state.record()
    assert Match.from_record(records[0].record).over
    assert records[0].record["log"] != records[1].record["log"]
    assert finished_match(host.log, 3) is None
    assert finished_match(host.log[:-1], 2) is None


def test_undo_requests_are_not_part_of_the_replay() -> None:
    host = TableDriver(new_table("molotow", [None] * 4, rounds=1))
    host.seat_people("a", "b", "c", "d")
    host.execute(commands.StartMatch("a"))
    asked = None
    while host.state.phase != "over":
        view = host.state.view(None)
        assert view is not None
        if len(view["tricks"]) == 8 and len(view["trick"]) == 3:
            host.execute(commands.RequestUndo("abcd"[host.state.undo_eligible_seat or 0]))
            asked = host.state.room().undo
        host.random_step()
    assert asked is not None
    assert replay_of(host).room.undo is None


def test_people_who_leave_or_join_after_the_match_do_not_change_the_replay() -> None:
    host = played(rounds=1)
    host.execute(commands.Stand("b"), commands.Sit("c", 1, "Carla"))
    match = finished_match(host.log, 1)
    assert match is not None
    assert match.seat_by_person == {"a": 0, "b": 1}
    assert [seat.name for seat in replay_of(host).room.seats] == match.record["players"]
    assert replay_of(host).own == 0


def test_removed_nicknames_appear_in_no_replay() -> None:
    host = played(matches=3, rounds=1)
    host.execute(commands.AdminRemoveNickname(0))
    for number in (1, 2, 3):
        match = finished_match(host.log, number)
        assert match is not None
        assert match.record["players"][:2] == [REMOVED_NICKNAME, "B"], number
        assert [seat.name for seat in replay_of(host, number).room.seats][:2] == [
            REMOVED_NICKNAME,
            "B",
        ]
        assert '"A"' not in msgspec.json.encode(replay_of(host, number)).decode()


def test_nicknames_removed_from_another_seat_appear_in_no_replay() -> None:
    host = TableDriver(new_table("molotow", [None, None, "greedy", None], rounds=1))
    host.seat_people("a", "b", "d")
    host.execute(commands.StartMatch("a"))
    host.play_until("over")
    host.execute(commands.Stand("d"), commands.Stand("b"), commands.Sit("b", 3, "B"))
    host.execute(commands.AdminRemoveNickname(3))
    match = finished_match(host.log, 1)
    assert match is not None
    assert "B" not in match.record["players"]


def test_removing_a_latecomers_nickname_affects_them_alone() -> None:
    host = played(rounds=1)
    host.execute(commands.Stand("b"), commands.Sit("c", 1, "Carla"))
    while host.state.match_number < 2:
        host.execute(host.next_command())
    host.execute(commands.AdminRemoveNickname(1))
    match = finished_match(host.log, 1)
    assert match is not None
    assert match.record["players"][:2] == ["A", "B"]


def test_the_replay_shows_the_current_link() -> None:
    host = played(rounds=1)
    replay = replay_of(host)
    now = host.state.room()
    assert (replay.room.key, replay.room.host) == (now.key, now.host)
    assert replay.room.phase == "playing"


LONG = {"differenzler": {}, "i-doubt-it": {"max_turns": 40}, "schieber": {"rounds": 4}}
"""Options with which a match of each game has three rounds and more."""


def playing(game: str) -> TableDriver:
    host = TableDriver(new_table(game, [None, None, "greedy", "random"], **LONG.get(game, {})))
    host.seat_people("a", "b")
    host.execute(commands.StartMatch("a"))
    return host


def match_of(host: TableDriver) -> Match:
    assert host.state.match is not None
    return host.state.match


@pytest.mark.parametrize("game", GAMES)
def test_finished_rounds_of_a_running_match_are_replayed_from_ones_own_seat(
    game: str,
) -> None:
    host = playing(game)
    while len(match_of(host).rounds) < 2:
        host.random_step()
    seen = finished_rounds(host.log, 1)
    assert seen is not None
    for seat, person in ((0, "a"), (None, "x")):
        replay = build_replay(seen, seat, seen.seat_by_person.get(person), host.state.room())
        assert (replay.whole, replay.own, replay.seat) == (False, seat, seat)
        held = {one for step in replay.steps for one in step.hands}
        assert held == ({"0"} if seat == 0 else set())
        match, view = Match(match_of(host).game, match_of(host).players), replay.view
        for (actor, text), step in zip(seen.record["log"], replay.steps, strict=True):
            if actor == "pack":
                match.deal(text)
            else:
                match.act(actor, text)
            change = TableDelta(0, step.event, {}, step.set, step.last, step.append, None)
            view = apply_delta(({}, view), change)[1]
            assert view == match.view(seat)
        assert match.rounds == match_of(host).rounds


@pytest.mark.parametrize("game", GAMES)
def test_unfinished_rounds_are_not_replayed(game: str) -> None:
    host = playing(game)
    assert finished_rounds(host.log, 1) is None
    told = 0
    while len(match_of(host).rounds) < 2:
        host.random_step()
        if host.state.phase != "between" and match_of(host).step_count % 7:
            continue
        assert finished_match(host.log, 1) is None
        seen = finished_rounds(host.log, 1)
        steps = len(seen.record["log"]) if seen else 0
        if steps > told:
            assert (host.state.phase, steps) == ("between", match_of(host).step_count)
        told = max(steps, told)
        assert steps == told
    assert told


def test_a_round_decided_by_a_draw_is_replayed_with_it__MW8() -> None:
    host = tied_table()
    host.random_step()
    seen = finished_rounds(host.log, 1)
    assert seen is not None
    assert [actor == "pack" for actor, _ in seen.record["log"][-2:]] == [False, True]
    while match_of(host).needs_pack or len(match_of(host).trick) != 2:
        host.random_step()
    later = finished_rounds(host.log, 1)
    assert later is not None
    assert later.record["log"] == seen.record["log"]


def test_former_and_later_seat_holders_see_the_public_replay() -> None:
    host = playing("jass")
    while len(match_of(host).rounds) < 1:
        host.random_step()
    seen = finished_rounds(host.log, 1)
    assert seen is not None
    assert seen.seat_by_person == {"a": 0, "b": 1}
    host.execute(commands.Stand("b"))
    seen = finished_rounds(host.log, 1)
    assert seen is not None
    assert seen.seat_by_person == {"a": 0}
    host.execute(commands.Sit("c", 1, "Cem", 0))
    seen = finished_rounds(host.log, 1)
    assert seen is not None
    assert seen.seat_by_person == {"a": 0}


def test_the_room_of_a_running_match_is_that_of_its_last_pause() -> None:
    host = playing("molotow")
    while host.state.phase != "between":
        host.random_step()
    then = host.state.room()
    while len(match_of(host).trick) != 2:
        host.random_step()
    seen = finished_rounds(host.log, 1)
    assert seen is not None
    assert seen.room.used == then.used
    assert seen.room != host.state.room()
