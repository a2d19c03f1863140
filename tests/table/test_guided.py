"""Tables with a guided first round: the fixed deal, what the learner is told, and who waits."""

from random import Random

import msgspec
import pytest

from jasstisch.games import game as find_game
from jasstisch.guides import GAMES, LEARNER, guide
from jasstisch.table import Hint, Reader, Table, TableError, commands, events
from tests.table.tables import ID, Host

ANNA = "a"


def guided(game: str = "molotov") -> Host:
    """A guided table where the match has begun, with Anna in the learner's seat."""
    rules = find_game(game, **guide(game).options)
    seats = [None, *["greedy"] * (rules.players - 1)]
    created = events.Created(ID, game, dict(rules.options), seats, None, 0, guided=True)
    host = Host(Table(created))
    host.seat_people(ANNA)
    host.do(commands.Start(ANNA))
    return host


def hint(host: Host) -> Hint:
    told = host.state.hint(LEARNER)
    assert told is not None
    return told


def next_command(host: Host, choose: str = "coach") -> commands.Command:
    """What comes next when Anna reads everything and goes by the coach, or by chance."""
    match, lesson = host.state.match, host.state.lesson
    assert match is not None
    if host.state.phase == "between" or host.state.hint_unread:
        return commands.Proceed(ANNA)
    seat = match.to_act[-1]
    legal = match.legal(seat)
    if seat == LEARNER:
        action = hint(host).suggest if choose == "coach" and lesson is not None else None
        return commands.Act(ANNA, action or host.rng.choice(legal))
    scripted = None if lesson is None else lesson.scripted(seat, legal)
    return commands.Compute(seat, scripted or host.rng.choice(legal))


def play_round(host: Host, choose: str = "coach") -> None:
    while host.state.phase == "playing":
        host.do(next_command(host, choose))


@pytest.mark.parametrize("game", GAMES)
def test_the_first_round_is_dealt_from_the_packs_of_the_guide(game: str) -> None:
    host = guided(game)
    packs = [event.cards for event in host.log if isinstance(event, events.Pack)]
    assert tuple(packs) == guide(game).packs


@pytest.mark.parametrize("choose", ["coach", "chance"])
@pytest.mark.parametrize("game", GAMES)
def test_after_the_guided_round_the_match_goes_on_with_shuffled_packs_and_no_hints(
    game: str, choose: str
) -> None:
    host = guided(game)
    play_round(host, choose)
    assert host.state.phase == "between"
    assert hint(host).id.startswith(f"{game}.score")
    assert not hint(host).wait
    host.do(commands.Proceed(ANNA))
    assert host.state.lesson is None
    assert host.state.hint(LEARNER) is None
    packs = [event.cards for event in host.log if isinstance(event, events.Pack)]
    assert packs[-1] not in guide(game).packs


def test_computers_wait_until_the_learner_has_read() -> None:
    host = guided()
    assert hint(host) == Hint("molotov.aim", {}, None, True)
    assert host.state.computer_turn() is None
    host.do(commands.Proceed(ANNA))
    assert host.state.hint(LEARNER) is None
    assert host.state.computer_turn() == (3, "greedy")
    with pytest.raises(TableError, match="nothing waits for you to be ready now"):
        host.do(commands.Proceed(ANNA))
    assert not host.state.places[LEARNER].ready


def test_whoever_leaves_before_reading_holds_nobody_up() -> None:
    host = guided()
    host.do(commands.Stand(ANNA))
    assert host.state.computer_turn() == (3, "greedy")


def test_hints_are_for_the_learner_alone() -> None:
    host = guided()
    readers = {seat: Reader(host.state, seat) for seat in (LEARNER, 1, None)}
    told = dict.fromkeys(readers, 0)
    while host.state.phase == "playing":
        for event in host.table.perform(next_command(host), host.dealer):
            host.log.append(event)
            for seat, reader in readers.items():
                told[seat] += reader.change(host.state).hint is not None
    assert told[LEARNER] > 10
    assert (told[1], told[None]) == (0, 0)


@pytest.mark.parametrize("choose", ["coach", "chance"])
@pytest.mark.parametrize("game", GAMES)
def test_a_restart_says_what_was_said_before(game: str, choose: str) -> None:
    """Hints follow from the log: after every event, stored and read again."""
    host = guided(game)
    since = host.table.version
    reader = Reader(host.state, LEARNER)
    live = []
    while host.state.phase == "playing":
        for event in host.table.perform(next_command(host, choose), host.dealer):
            host.log.append(event)
            live.append(reader.change(host.state))
        if host.rng.random() < 0.1:
            stored = msgspec.json.encode(host.log)
            again = Table.from_events(msgspec.json.decode(stored, type=list[events.Event]))
            assert again.state.hint(LEARNER) == host.state.hint(LEARNER)
    again = Table.from_events(host.log[:since])
    reader = Reader(again.state, LEARNER)
    for event, told in zip(host.log[since:], live, strict=True):
        again.apply(event)
        assert reader.change(again.state) == told


def test_a_learner_who_plays_otherwise_is_answered_by_the_computer() -> None:
    host = guided()
    host.rng = Random(4)
    host.do(commands.Proceed(ANNA))
    host.do(next_command(host))
    suggested = hint(host).suggest
    match, lesson = host.state.match, host.state.lesson
    assert match is not None
    other = next(action for action in match.legal(LEARNER) if action != suggested)
    host.do(commands.Act(ANNA, other.removeprefix("play ")))
    lesson = host.state.lesson
    assert lesson is not None
    assert not lesson.on_line
    play_round(host)
    assert hint(host).id.startswith("molotov.score")


def test_only_the_first_match_is_guided() -> None:
    host = guided("i-doubt-it")
    while host.state.phase != "over":
        host.do(next_command(host))
    host.do(commands.Proceed(ANNA))
    assert host.state.number == 2
    assert host.state.lesson is None


def test_a_log_from_before_there_were_guides_is_read() -> None:
    text = (
        f'{{"kind": "created", "table": "{ID}", "game": "molotov", "options": {{"players": 4}}, '
        '"seats": [null, null, null, null], "thinking_time": null, "pause": 0}'
    )
    created = msgspec.json.decode(text, type=events.Event)
    assert isinstance(created, events.Created)
    assert not created.guided
