"""Tables with a tutorial round: fixed deal, messages and pace."""

from random import Random

import msgspec
import pytest

from jasstisch.games import game as find_game
from jasstisch.table import (
    SeatDeltas,
    Table,
    TableError,
    TutorialHint,
    commands,
    events,
    per_reader_info,
    turns,
)
from jasstisch.tutorials import GAMES, LEARNER_SEAT, get_tutorial
from tests.table.table_driver import ID, TableDriver

ANNA = "a"


def guided(game: str = "molotov") -> TableDriver:
    """A tutorial table after the start, with Anna in the learner's seat."""
    rules = find_game(game, **get_tutorial(game).options)
    seats = [None, *["greedy"] * (rules.players - 1)]
    created = events.TableCreated(ID, game, dict(rules.options), seats, None, 0, guided=True)
    host = TableDriver(Table(created))
    host.seat_people(ANNA)
    host.execute(commands.StartMatch(ANNA))
    return host


def hint(host: TableDriver) -> TutorialHint:
    told = per_reader_info.tutorial_hint(host.state, LEARNER_SEAT)
    assert told is not None
    return told


def next_command(host: TableDriver, choose: str = "coach") -> commands.Command:
    """The next command when Anna reads everything and follows the hints, or plays randomly."""
    match, lesson = host.state.match, host.state.tutorial_session
    assert match is not None
    if host.state.phase == "between" or turns.awaits_hint_ack(host.state):
        return commands.ReadyUp(ANNA)
    seat = match.to_act[-1]
    legal = match.legal(seat)
    if seat == LEARNER_SEAT:
        action = hint(host).suggest if choose == "coach" and lesson is not None else None
        return commands.Act(ANNA, action or host.rng.choice(legal))
    scripted = None if lesson is None else lesson.scripted_action(seat, legal)
    return commands.BotAct(seat, scripted or host.rng.choice(legal))


def play_round(host: TableDriver, choose: str = "coach") -> None:
    while host.state.phase == "playing":
        host.execute(next_command(host, choose))


@pytest.mark.parametrize("game", GAMES)
def test_the_first_round_is_dealt_from_the_tutorials_packs(game: str) -> None:
    host = guided(game)
    packs = [event.cards for event in host.log if isinstance(event, events.PackDealt)]
    assert tuple(packs) == get_tutorial(game).packs


@pytest.mark.parametrize("choose", ["coach", "chance"])
@pytest.mark.parametrize("game", GAMES)
def test_after_the_tutorial_round_packs_are_shuffled_and_hints_end(game: str, choose: str) -> None:
    host = guided(game)
    play_round(host, choose)
    assert host.state.phase == "between"
    assert hint(host).id.startswith(f"{game}.score")
    assert not hint(host).wait
    host.execute(commands.ReadyUp(ANNA))
    assert host.state.tutorial_session is None
    assert per_reader_info.tutorial_hint(host.state, LEARNER_SEAT) is None
    packs = [event.cards for event in host.log if isinstance(event, events.PackDealt)]
    assert packs[-1] not in get_tutorial(game).packs


def test_bots_wait_until_the_learner_has_read() -> None:
    host = guided()
    assert hint(host) == TutorialHint("molotov.aim", {}, None, True)
    assert turns.bot_turn(host.state) is None
    host.execute(commands.ReadyUp(ANNA))
    assert per_reader_info.tutorial_hint(host.state, LEARNER_SEAT) is None
    assert turns.bot_turn(host.state) == (3, "greedy")
    with pytest.raises(TableError, match="nothing waits for you to be ready now"):
        host.execute(commands.ReadyUp(ANNA))
    assert not host.state.seats[LEARNER_SEAT].ready


def test_a_learner_who_leaves_without_reading_blocks_nobody() -> None:
    host = guided()
    host.execute(commands.Stand(ANNA))
    assert turns.bot_turn(host.state) == (3, "greedy")


def test_hints_are_for_the_learner_alone() -> None:
    host = guided()
    readers = {seat: SeatDeltas(host.state, seat) for seat in (LEARNER_SEAT, 1, None)}
    told = dict.fromkeys(readers, 0)
    while host.state.phase == "playing":
        for event in host.table.execute(next_command(host), host.dealer):
            host.log.append(event)
            for seat, reader in readers.items():
                told[seat] += reader.update(host.state).hint is not None
    assert told[LEARNER_SEAT] > 10
    assert (told[1], told[None]) == (0, 0)


@pytest.mark.parametrize("choose", ["coach", "chance"])
@pytest.mark.parametrize("game", GAMES)
def test_a_restart_restores_the_messages(game: str, choose: str) -> None:
    """Messages follow from the log: compared after every event, stored and reread."""
    host = guided(game)
    since = host.table.version
    reader = SeatDeltas(host.state, LEARNER_SEAT)
    live = []
    while host.state.phase == "playing":
        for event in host.table.execute(next_command(host, choose), host.dealer):
            host.log.append(event)
            live.append(reader.update(host.state))
        if host.rng.random() < 0.1:
            stored = msgspec.json.encode(host.log)
            again = Table.from_events(msgspec.json.decode(stored, type=list[events.Event]))
            assert per_reader_info.tutorial_hint(
                again.state, LEARNER_SEAT
            ) == per_reader_info.tutorial_hint(host.state, LEARNER_SEAT)
    again = Table.from_events(host.log[:since])
    reader = SeatDeltas(again.state, LEARNER_SEAT)
    for event, told in zip(host.log[since:], live, strict=True):
        again.apply(event)
        assert reader.update(again.state) == told


def test_bots_answer_a_learner_who_deviates() -> None:
    host = guided()
    host.rng = Random(4)
    host.execute(commands.ReadyUp(ANNA))
    host.execute(next_command(host))
    suggested = hint(host).suggest
    match, lesson = host.state.match, host.state.tutorial_session
    assert match is not None
    other = next(action for action in match.legal(LEARNER_SEAT) if action != suggested)
    host.execute(commands.Act(ANNA, other.removeprefix("play ")))
    lesson = host.state.tutorial_session
    assert lesson is not None
    assert not lesson.is_on_script
    play_round(host)
    assert hint(host).id.startswith("molotov.score")


def test_only_the_first_match_is_a_tutorial() -> None:
    host = guided("i-doubt-it")
    while host.state.phase != "over":
        host.execute(next_command(host))
    host.execute(commands.ReadyUp(ANNA))
    assert host.state.match_number == 2
    assert host.state.tutorial_session is None


def test_logs_from_before_tutorials_are_readable() -> None:
    text = (
        f'{{"kind": "created", "table": "{ID}", "game": "molotov", "options": {{"players": 4}}, '
        '"seats": [null, null, null, null], "thinking_time": null, "pause": 0}'
    )
    created = msgspec.json.decode(text, type=events.Event)
    assert isinstance(created, events.TableCreated)
    assert not created.guided
