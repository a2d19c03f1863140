"""Permission to skip the pauses of bots."""

import pytest

from jasstisch.table import TableError, commands, turns
from jasstisch.table.handlers import skip_pauses
from tests.table.table_driver import TableDriver, start_match


def refusal(host: TableDriver, person: str, *, to_end: bool = False) -> str:
    with pytest.raises(TableError) as caught:
        skip_pauses.check_may_skip(host.state, person, to_end=to_end)
    return f"{caught.value.code}: {caught.value}"


def waiting_for_a_computer(*people: str, game: str = "molotov") -> TableDriver:
    host = start_match(game, people)
    while turns.bot_turn(host.state) is None:
        host.random_step()
    return host


def dropped(*people: str) -> TableDriver:
    """A round of Jass in which these people have dropped out and bots play on."""
    for seed in range(20):
        host = start_match("jass", people, seed)
        match = host.state.match
        assert match is not None
        while host.state.phase == "playing" and not match.trick:
            seat = match.to_act[0]
            person = host.state.seats[seat].person
            if person is not None:
                host.execute(commands.Act(person, "drop"))
            else:
                host.execute(commands.BotAct(seat, match.legal(seat)[0]))
        if host.state.phase == "playing":
            return host
    raise AssertionError("somebody always ended the round alone")


def test_a_person_alone_with_bots_may_skip_pauses() -> None:
    host = waiting_for_a_computer("a")
    skip_pauses.check_may_skip(host.state, "a", to_end=False)


def test_skipping_requires_a_seat() -> None:
    host = waiting_for_a_computer("a")
    assert refusal(host, "somebody").startswith("not_seated")


def test_pauses_are_not_skipped_while_another_person_is_present() -> None:
    host = waiting_for_a_computer("a", "b")
    assert refusal(host, "a") == "wrong_phase: others at this table want to see what is played"


def test_a_substituted_person_does_not_prevent_skipping() -> None:
    host = start_match("molotov", ("a", "b"))
    match = host.state.match
    assert match is not None
    while 1 not in match.to_act:
        host.random_step()
    host.execute(commands.TimeUp(1, 0))
    assert not host.state.seats[1].is_present
    skip_pauses.check_may_skip(host.state, "a", to_end=False)


def test_there_is_nothing_to_skip_on_a_persons_turn() -> None:
    host = start_match("molotov", ("a",))
    while turns.bot_turn(host.state) is not None:
        host.random_step()
    assert refusal(host, "a") == "wrong_phase: no computer is to move now"


def test_skipping_to_the_end_of_the_round_requires_having_no_part_in_it() -> None:
    host = waiting_for_a_computer("a")
    assert refusal(host, "a", to_end=True).startswith("wrong_phase: somebody")
    host = waiting_for_a_computer("a", game="jass")
    assert refusal(host, "a", to_end=True).startswith("wrong_phase: somebody")
    skip_pauses.check_may_skip(dropped("a").state, "a", to_end=True)


def test_everyone_who_dropped_out_may_skip_to_the_end() -> None:
    host = dropped("a", "b")
    for person in "ab":
        skip_pauses.check_may_skip(host.state, person, to_end=True)
        assert refusal(host, person).startswith("wrong_phase: others")


def test_a_finished_round_cannot_be_skipped() -> None:
    host = dropped("a")
    host.play_until("between")
    assert not skip_pauses.is_round_left_to_bots(host.state)
    assert refusal(host, "a", to_end=True).startswith("wrong_phase")
