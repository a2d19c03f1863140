"""Seats are numbered from 1 on the command line and from 0 in Python."""

import json
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jasstisch as jt
from jasstisch import i18n
from jasstisch.cli.arguments import house_rules, make_game, parse_house_rule, parse_seat
from jasstisch.cli.commands import admin, bot, join, play, replay
from jasstisch.cli.errors import UsageError
from jasstisch.cli.ui.card_style import parse_deck
from jasstisch.cli.ui.narrator import Narrator
from jasstisch.cli.ui.player_names import PlayerNames
from tests.cli.screen_player import run_cli, scripted_answers

SEAT_COMMANDS: dict[str, Callable[[str], Namespace]] = {
    "admin ban": lambda seat: admin.parser("ban").parse(
        ["--table", "abcdef", "--seat", seat, "--reason", "x"]
    ),
    "admin rename": lambda seat: admin.parser("rename").parse(["abcdef", seat]),
    "bot": lambda seat: bot.parser().parse(["--table", "abc", "--seat", seat, "greedy"]),
    "join": lambda seat: join.parser().parse(["http://a/t/abc", "--seat", seat]),
    "replay": lambda seat: replay.parser().parse(["x.jass.json", "--analyse", "--seat", seat]),
}


@pytest.mark.parametrize("command", SEAT_COMMANDS)
@given(seat=st.integers(0, 63))
def test_every_command_takes_the_seat_number_it_shows(command: str, seat: int) -> None:
    [shown] = bot._seat_numbers_text([seat]).removeprefix("seat ").split()
    assert shown == PlayerNames([""] * 64).names[seat].removeprefix("Player ")
    assert SEAT_COMMANDS[command](shown).seat == parse_seat(shown) == seat


@pytest.mark.parametrize("command", SEAT_COMMANDS)
def test_there_is_no_seat_0(command: str) -> None:
    with pytest.raises(UsageError, match="not '0'; seats count from 1"):
        SEAT_COMMANDS[command]("0")


@given(name=st.sampled_from(jt.games()), data=st.data())
def test_the_dealer_option_is_the_dealer_shown(name: str, data: st.DataObject) -> None:
    players = data.draw(st.sampled_from(player_counts(name)))
    seat = data.draw(st.integers(0, players - 1))
    words = [name, "--players", str(players), "--dealer", str(seat + 1)]
    game = make_game(name, house_rules(play._parse_arguments(words)))
    assert game.options["dealer"] == seat
    assert dict([parse_house_rule(name, f"dealer={seat + 1}")]) == {"dealer": seat}
    assert f"- `dealer` = **`{seat + 1}`**" in i18n.table_rule_sheet(game)
    names = PlayerNames(["Anna"] * players, sides=game.sides)
    title, *_ = Narrator(names, parse_deck("french"), 80).match_start(game)
    assert f"dealer {seat + 1}" in str(title)


@given(name=st.sampled_from(jt.games()), data=st.data())
def test_an_invalid_dealer_is_refused_by_the_number_typed(name: str, data: st.DataObject) -> None:
    players = data.draw(st.sampled_from(player_counts(name)))
    typed = data.draw(st.integers(-9, 0) | st.integers(players + 1, 99))
    words = [name, "--players", str(players), "--dealer", str(typed)]
    status, printed, errors = run_cli(["play", *words], scripted_answers())
    hint = "; seats count from 1" if typed < 1 else ""
    assert (status, printed) == (2, "")
    assert errors == (
        f"jasstisch: {name}: dealer is a seat from 1 to {players}, not {typed}{hint}\n"
    )


def player_counts(name: str) -> list[int]:
    """The numbers of players that a game allows."""
    players = jt.game(name).rules.options[0]
    return [count for count in range(2, 9) if players.allows(count, count)]


def test_the_arenas_dealer_counts_from_1() -> None:
    words = ["arena", "molotov", "greedy", "random", "--option", "dealer=0"]
    assert "dealer is a seat from 1 to 4, not 0" in run_cli(words, scripted_answers())[2]


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_an_invalid_record_names_the_seat_from_1(command: str, tmp_path: Path) -> None:
    match = jt.Match(jt.game("molotov", dealer=3))
    match.deal(match.pack)
    record = match.record()
    path = tmp_path / "wrong.jass.json"
    absent = match.hand(1)[0]
    path.write_text(json.dumps({**record, "log": [*record["log"], [0, f"play {absent}"]]}))
    status, _, errors = run_cli([command, str(path)], scripted_answers())
    assert status == 1
    assert f"seat 1 does not hold {absent}" in errors
    with pytest.raises(jt.RecordError, match=f"seat 0 does not hold {absent}"):
        jt.Match.from_record(json.loads(path.read_text()))
