"""Matches at a table: start, rounds, the end and a rematch."""

from typing import Any

import msgspec
import pytest

from jasstisch.table import Table, TableError, commands, events, per_reader_info
from tests.table.table_driver import GAMES, TableDriver, new_table, start_match, tied_table


def seen(host: TableDriver) -> dict[str, Any]:
    """The match as spectators see it."""
    view = host.state.view(None)
    assert view is not None
    return view


@pytest.mark.parametrize("game", GAMES)
def test_the_start_deals_every_pack_up_to_the_first_turn(game: str) -> None:
    host = TableDriver(new_table(game))
    host.seat_people("a")
    done = host.execute(commands.StartMatch("a"))
    packs = 3 if game == "differenzler" else 2  # draw for deal, deal, and trump
    assert [type(event) for event in done] == [events.MatchStarted] + [events.PackDealt] * packs
    assert host.state.phase == "playing"
    assert host.state.match is not None
    assert host.state.match.to_act


@pytest.mark.parametrize("game", GAMES)
def test_a_round_ends_in_a_pause_until_everybody_is_ready(game: str) -> None:
    host = start_match(game)
    host.play_until("between")
    assert seen(host)["phase"] == "deal"
    host.execute(commands.ReadyUp("a"))
    assert host.state.room().phase == "between"
    assert host.state.room().seats[0].ready
    host.execute(commands.ReadyUp("b"))
    assert host.state.room().phase == "playing"
    assert not any(seat.ready for seat in host.state.room().seats)
    assert seen(host)["round"] == 2


def test_being_ready_is_idempotent() -> None:
    host = start_match()
    host.play_until("between")
    host.execute(commands.ReadyUp("a"))
    assert host.execute(commands.ReadyUp("a")) == []


@pytest.mark.parametrize("game", GAMES)
def test_after_the_match_everybody_ready_means_a_rematch(game: str) -> None:
    host = start_match(game, seed=3)
    host.play_until("over")
    match = host.state.match
    assert match is not None
    wins = [int(seat in match.winners) for seat in range(4)]
    assert host.state.room().wins == wins
    host.execute(commands.ReadyUp("a"))
    done = host.execute(commands.ReadyUp("b"))
    assert isinstance(done[1], events.RematchStarted)
    assert (host.state.phase, host.state.match_number) == ("playing", 2)
    assert host.state.match is not match
    assert host.state.room().wins == wins


def test_no_round_begins_at_an_abandoned_table() -> None:
    host = start_match()
    host.execute(commands.Stand("a"), commands.Stand("b"))
    while host.state.phase == "playing":
        host.random_step()
    assert host.state.phase == "between"
    assert host.table.next_automatic_event(host.dealer) is None


def test_people_who_leave_are_not_waited_for() -> None:
    host = start_match()
    host.play_until("between")
    host.execute(commands.ReadyUp("a"))
    host.execute(commands.Stand("b"))
    assert host.state.phase == "playing"


def test_an_action_out_of_turn_is_refused_with_its_reason() -> None:
    host = start_match()
    match = host.state.match
    assert match is not None
    waiting = next(seat for seat in (0, 1) if seat not in match.to_act)
    card = match.hand(waiting)[0]
    with pytest.raises(TableError) as caught:
        host.execute(commands.Act("ab"[waiting], f"play {card}"))
    assert (caught.value.code, caught.value.reason) == ("illegal_action", "turn")
    assert caught.value.legal == []


def test_an_illegal_card_names_the_clause_and_the_legal_cards() -> None:
    host = start_match("molotov", ("a", "b", "c", "d"))
    match = host.state.match
    assert match is not None
    while True:
        seat = match.to_act[0]
        legal = list(match.legal(seat))
        held = [card for card in match.hand(seat) if f"play {card}" not in legal]
        if held:
            break
        host.random_step()
    with pytest.raises(TableError) as caught:
        host.execute(commands.Act("abcd"[seat], f"play {held[0]}"))
    error = caught.value
    assert (error.code, error.clause, error.reason) == ("illegal_action", "C8b", "follow")
    assert error.legal == legal


def test_a_bot_may_not_act_for_a_present_person() -> None:
    host = start_match("molotov", ("a", "b", "c", "d"))
    match = host.state.match
    assert match is not None
    seat = match.to_act[0]
    with pytest.raises(TableError) as caught:
        host.execute(commands.BotAct(seat, match.legal(seat)[0]))
    assert caught.value.code == "wrong_phase"


def test_play_is_refused_between_rounds_and_before_the_start() -> None:
    host = TableDriver(new_table())
    host.seat_people("a", "b")
    for _ in range(2):
        with pytest.raises(TableError) as caught:
            host.execute(commands.Act("a", "play JC"))
        assert caught.value.code == "wrong_phase"
        if host.state.phase == "open":
            host.execute(commands.StartMatch("a"))
            host.play_until("between")


def test_play_after_the_match_and_readiness_during_a_round_are_refused() -> None:
    host = start_match("molotov", target=1)
    with pytest.raises(TableError) as caught:
        host.execute(commands.ReadyUp("a"))
    assert caught.value.code == "wrong_phase"
    host.play_until("over")
    with pytest.raises(TableError) as caught:
        host.execute(commands.Act("a", "play JC"))
    assert caught.value.code == "wrong_phase"


@pytest.mark.parametrize("game", GAMES)
def test_the_state_is_the_fold_of_the_stored_events(game: str) -> None:
    host = start_match(game, seed=5)
    host.play_until("over")
    host.execute(commands.ReadyUp("a"), commands.Stand("b"))
    for _ in range(20):
        host.random_step()
    stored = [msgspec.json.encode(event) for event in host.log]
    again = Table.from_events(msgspec.json.decode(one, type=events.Event) for one in stored)
    assert again.version == host.table.version == len(host.log)
    assert again.state.room() == host.state.room()
    for seat in (None, 0, 1, 2, 3):
        assert again.state.view(seat) == host.state.view(seat)
        assert per_reader_info.turn(again.state, seat) == per_reader_info.turn(host.state, seat)


def test_a_log_with_an_illegal_action_is_damaged() -> None:
    host = start_match()
    damaged = [*host.log, events.Acted(0, "bid 12", "person")]
    with pytest.raises(ValueError, match="bid 12"):
        Table.from_events(damaged)


def test_the_record_is_available_once_the_match_is_over() -> None:
    host = start_match("molotov", target=1)
    assert host.state.record() is None
    host.play_until("over")
    record = host.state.record()
    assert record is not None
    assert record["players"] == ["A", "B", "bot:greedy", "bot:greedy"]
    assert record["result"] is not None


def test_a_round_decided_by_a_draw_ends_with_it__MW8() -> None:
    host = tied_table()
    host.random_step()
    match = host.state.match
    assert match is not None
    assert (host.state.phase, len(match.rounds)) == ("between", 1)
    assert match.rounds[0]["draw"]
    host.execute(commands.ReadyUp("a"))
    assert host.state.phase == "playing"


def test_a_match_decided_by_a_draw_ends_with_it__MW8_MW9() -> None:
    host = tied_table(rounds=1)
    host.random_step()
    assert host.state.phase == "over"
    assert sum(host.state.wins) == 1
    host.execute(commands.ReadyUp("a"))
    assert (host.state.phase, host.state.match_number) == ("playing", 2)


@pytest.mark.parametrize("wanted", [False, True])
@pytest.mark.parametrize("game", ["schieber", "jass", "molotov"])
def test_weis_are_announced_with_a_card_where_that_is_asked_for_and_possible(
    game: str, wanted: bool
) -> None:
    announced = plain = 0
    for seed in range(8):
        host = start_match(game, seed=seed)
        while host.state.phase == "playing" and host.state.match is not None:
            match = host.state.match
            seat = match.to_act[0]
            action = match.legal(seat)[0]
            person = host.state.seats[seat].person
            if person is None:
                host.execute(commands.BotAct(seat, action))
                continue
            possible = f"{action} weis" in match.legal(seat)
            host.execute(commands.Act(person, action.removeprefix("play "), weis=wanted))
            done = match.describe_last_action(seat)
            assert done == (f"{action} weis" if possible and wanted else action)
            announced += done.endswith(" weis")
            plain += possible and not wanted
    assert (announced > 0, plain > 0) == (
        (False, False) if game == "molotov" else (wanted, not wanted)
    )
