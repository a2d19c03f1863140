"""Undo: permission, consent, and that no trace of the undone actions remains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jasstisch.engine.errors import GameError
from jasstisch.match.match import Match
from jasstisch.table import Clock, Table, TableError, commands, events, turns
from jasstisch.table.clock import UNDO_TIMEOUT_S
from jasstisch.table.undo_state import MAX_UNDOS_PER_ROUND
from tests.support.example_counts import examples
from tests.table.client_copies import ChangingReaders
from tests.table.table_driver import GAMES, SHORT_OPTIONS, TableDriver, new_table, start_match

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jasstisch.games.rules import Rules

TRICKS = [game for game in GAMES if game != "i-doubt-it"]


def match_of(host: TableDriver) -> Match:
    assert host.state.match is not None
    return host.state.match


def refused(host: TableDriver, command: commands.Command) -> str:
    with pytest.raises(TableError) as caught:
        host.execute(command)
    return caught.value.code


def until_played(host: TableDriver, person: str = "a") -> str:
    """Plays until this person has just laid a card and the round goes on; returns the card."""
    while True:
        command = host.next_command()
        host.execute(command)
        own = isinstance(command, commands.Act) and command.person == person
        if own and host.state.undo_eligible_seat == host.state.seats.seat_of(person):
            return match_of(host).describe_last_action(host.state.seats.seat_of(person))


def until_computer(host: TableDriver) -> None:
    """Lets bots play until a person has the turn."""
    while turns.bot_turn(host.state) is not None:
        host.random_step()


def views(match: Match) -> list[dict[str, Any]]:
    return [match.view(seat) for seat in (None, *range(match.game.players))]


def test_without_other_people_undo_takes_back_the_bots_moves_too() -> None:
    host = start_match(people="a")
    until_computer(host)
    before = views(match_of(host))
    card = host.next_command()
    host.execute(card)
    played = 1
    while turns.bot_turn(host.state) is not None:
        host.random_step()
        played += 1
    assert played > 1
    assert host.execute(commands.RequestUndo("a")) == [
        events.UndoRequested(0),
        events.Undone(0, played),
    ]
    assert views(match_of(host)) == before
    assert match_of(host).to_act == (0,)
    assert isinstance(card, commands.Act)
    assert card.action in match_of(host).legal(0)


def test_undo_requires_the_consent_of_all_other_people() -> None:
    host = start_match(people="abc")
    until_played(host)
    now = views(match_of(host))
    assert host.execute(commands.RequestUndo("a")) == [events.UndoRequested(0)]
    undo = host.state.room().undo
    assert undo is not None
    assert (undo.seat, undo.awaited) == (0, [1, 2])
    assert host.execute(commands.AnswerUndo("b", accept=True)) == [events.UndoAgreed(1, 0)]
    assert host.execute(commands.AnswerUndo("b", accept=True)) == []
    assert views(match_of(host)) == now
    done = host.execute(commands.AnswerUndo("c", accept=True))
    assert [type(one) for one in done] == [events.UndoAgreed, events.Undone]
    assert host.state.room().undo is None
    assert match_of(host).to_act == (0,)


def test_a_declined_undo_cannot_be_requested_again_for_the_same_card() -> None:
    host = start_match(people="abc")
    until_played(host)
    host.execute(commands.RequestUndo("a"))
    assert host.execute(commands.AnswerUndo("c", accept=False)) == [events.UndoDeclined(2, 0)]
    assert host.state.room().undo is None
    assert host.state.undo_eligible_seat is None
    assert refused(host, commands.RequestUndo("a")) == "no_undo"
    until_played(host)
    assert host.execute(commands.RequestUndo("a")) == [events.UndoRequested(0)]


def test_a_withdrawn_undo_may_be_requested_again() -> None:
    host = start_match(people="ab")
    until_played(host)
    host.execute(commands.RequestUndo("a"))
    assert host.execute(commands.RequestUndo("a")) == []
    assert refused(host, commands.WithdrawUndo("b")) == "no_undo"
    assert host.execute(commands.WithdrawUndo("a")) == [events.UndoWithdrawn(0)]
    assert host.execute(commands.RequestUndo("a")) == [events.UndoRequested(0)]


def test_only_other_people_who_play_may_answer() -> None:
    host = start_match(people="ab")
    until_played(host)
    assert refused(host, commands.AnswerUndo("b", accept=True)) == "no_undo"
    host.execute(commands.RequestUndo("a"))
    assert refused(host, commands.AnswerUndo("a", accept=True)) == "no_undo"
    assert refused(host, commands.AnswerUndo("x", accept=True)) == "not_seated"
    assert refused(host, commands.RequestUndo("b")) == "no_undo"


def test_absent_people_are_not_asked_and_the_last_to_leave_ends_the_question() -> None:
    host = start_match(people="abc")
    until_played(host)
    host.execute(commands.LetBotTakeOver("a", 1))
    host.execute(commands.RequestUndo("a"))
    undo = host.state.room().undo
    assert undo is not None
    assert undo.awaited == [2]
    assert refused(host, commands.AnswerUndo("b", accept=True)) == "wrong_phase"
    done = host.execute(commands.Stand("c"))
    assert [type(one) for one in done] == [events.SeatLeft, events.Undone]


@pytest.mark.parametrize("gone", [commands.LetBotTakeOver("a", 1), commands.Stand("b")])
def test_cards_played_by_a_substitute_block_undo(
    gone: commands.Command,
) -> None:
    host = start_match(people="ab")
    until_played(host)
    while match_of(host).to_act != (1,):
        until_played(host)
    host.execute(gone)
    before = host.state.undo_eligible_seat
    assert before == 0
    (laid,) = host.random_step()
    assert isinstance(laid, events.Acted)
    assert (laid.seat, laid.by) == (1, "computer")
    assert host.state.undo_eligible_seat is None
    assert refused(host, commands.RequestUndo("a")) == "no_undo"


def test_a_request_ends_when_its_person_leaves() -> None:
    host = start_match(people="ab")
    until_played(host)
    host.execute(commands.RequestUndo("a"))
    host.execute(commands.Stand("a"))
    assert host.state.room().undo is None
    host.execute(commands.Sit("a", 0, "A"))
    assert host.state.undo_eligible_seat is None


def test_bots_wait_during_an_undo_request() -> None:
    host = start_match(people="ab")
    until_played(host)
    while turns.bot_turn(host.state) is None:
        until_played(host)
    computing = host.next_command()
    host.execute(commands.RequestUndo("a"))
    assert turns.bot_turn(host.state) is None
    assert refused(host, computing) == "wrong_phase"
    host.execute(commands.AnswerUndo("b", accept=False))
    host.execute(computing)


def test_playing_on_declines_an_undo() -> None:
    host = start_match(people="abcd")
    until_played(host)
    host.execute(commands.RequestUndo("a"))
    host.random_step()
    assert host.state.room().undo is None
    assert host.state.undo_eligible_seat is not None
    assert refused(host, commands.RequestUndo("a")) == "no_undo"


def test_undo_requests_are_limited_by_round() -> None:
    host = start_match(people="a")
    for _ in range(MAX_UNDOS_PER_ROUND):
        until_played(host)
        host.execute(commands.RequestUndo("a"))
    number = match_of(host).spectator_view()["round"]
    while match_of(host).spectator_view()["round"] == number:
        host.random_step()
        assert host.state.undo_eligible_seat is None
        if host.state.phase == "between":
            host.execute(commands.ReadyUp("a"))
    until_played(host)


@pytest.mark.parametrize("game", GAMES)
def test_only_cards_of_tricks_can_be_undone_and_no_deal(game: str) -> None:
    host = TableDriver(new_table(game, [None] * 4, **SHORT_OPTIONS[game]), 5)
    host.seat_people("a", "b", "c", "d")
    host.execute(commands.StartMatch("a"))
    seen = 0
    while host.state.phase != "over":
        command = host.next_command()
        host.execute(command)
        match = match_of(host)
        actor, text = match.record()["log"][-1]
        alone = actor != "pack" and text.startswith("play ") and len(text.split()) == 2
        view = match.view(None)
        shown = bool(view.get("weis_shown")) and len(view["tricks"]) == 1 and not view["trick"]
        played = alone and not shown
        playing = host.state.phase == "playing" and not match_of(host).needs_pack
        assert (host.state.undo_eligible_seat is not None) == (played and playing)
        seen += host.state.undo_eligible_seat is not None
    assert (seen > 0) == (game != "i-doubt-it")
    assert refused(host, commands.RequestUndo("a")) == "no_undo"


@pytest.mark.parametrize("game", ["jass", "schieber"])
def test_announced_or_shown_weis_blocks_undo(game: str) -> None:
    announced = shown = after = 0
    for seed in range(30):
        host = TableDriver(
            new_table(game, [None, "greedy", "greedy", "greedy"], **SHORT_OPTIONS[game]), seed
        )
        host.seat_people("a")
        host.execute(commands.StartMatch("a"))
        while host.state.phase == "playing" and len(match_of(host).view(None)["tricks"]) < 2:
            before = views(match_of(host))
            host.random_step()
            match = match_of(host)
            now, (actor, text) = match.view(None), match.record()["log"][-1]
            if text.endswith(" weis"):
                announced += actor != 0
                assert host.state.undo_eligible_seat is None
            elif now["weis_shown"] != before[0]["weis_shown"]:
                shown += 1
                assert host.state.undo_eligible_seat is None
            elif host.state.undo_eligible_seat == 0:
                after += now["weis_shown"] is not None
                told = [now["announced"], now["weis_shown"]]
                host.execute(commands.RequestUndo("a"))
                seen = match_of(host).view(None)
                assert [seen["announced"], seen["weis_shown"]] == told
    assert min(announced, shown, after) > 0


def test_a_tutorial_round_has_no_undo() -> None:
    created = new_table("molotov", [None, "greedy", "greedy", "greedy"]).state.creation_event
    host = TableDriver(Table(events.TableCreated(**{**_fields(created), "guided": True})))
    host.seat_people("a")
    host.execute(commands.StartMatch("a"))
    for _ in range(40):
        if host.state.phase != "playing":
            break
        assert host.state.undo_eligible_seat is None
        if turns.awaits_hint_ack(host.state):
            host.execute(commands.ReadyUp("a"))
        else:
            host.random_step()


def _fields(created: events.TableCreated) -> dict[str, Any]:
    return {name: getattr(created, name) for name in created.__struct_fields__}


@pytest.mark.parametrize("game", GAMES)
def test_repeated_undo_replays_a_match_only_once(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = TableDriver(new_table(game, ["greedy"] * 3 + [None], **SHORT_OPTIONS[game]), 2)
    host.seat_people("a")
    host.execute(commands.StartMatch("a"))
    rules = match_of(host).game.rules
    opened = 0

    def counted(take_pack: Callable[[Rules, Sequence[int]], None]) -> Any:
        def take(self: Rules, pack: Sequence[int]) -> None:
            nonlocal opened
            opened += 1
            take_pack(self, pack)

        return take

    packs = 0
    while host.state.phase != "over":
        host.random_step()
        match = match_of(host)
        last = match.record()["log"][-1]
        if last[0] == "pack" or match.needs_pack or match.over:
            continue
        with monkeypatch.context() as patched:
            patched.setattr(rules, "receive_pack", counted(rules.receive_pack))
            before = views(match)
            match.undo()
            match.act(*last)
            assert views(match) == before
        packs = sum(entry[0] == "pack" for entry in match.record()["log"])
    assert 1 < opened <= packs


def test_undo_does_not_cross_a_deal_or_the_beginning() -> None:
    host = start_match(people="ab")
    match = match_of(host)
    for actions in (0, -1, 1, 99):
        with pytest.raises(GameError, match="to take back"):
            match.undo(actions)
    before = views(match)
    host.random_step()
    match.undo()
    assert views(match) == before


def test_clocks_stop_during_an_undo_request_which_has_its_own_deadline() -> None:
    host = TableDriver(new_table(seats=[None] * 4, thinking_time=30))
    host.seat_people("a", "b", "c", "d")
    host.execute(commands.StartMatch("a"))
    until_played(host)
    (seat,) = match_of(host).to_act
    clock = Clock()
    clock.update(host.state, 0.0)
    full = clock.remaining(seat, 0.0)
    host.execute(commands.RequestUndo("a"))
    clock.update(host.state, 10.0)
    assert clock.remaining(seat, 12.0) is None
    assert clock.elapsed(seat, 15.0) == 10.0
    assert clock.expired_seats(1e9) == []
    assert clock.next_deadline() == 10.0 + UNDO_TIMEOUT_S
    assert not clock.undo_expired(29.9)
    assert clock.undo_expired(30.0)
    assert host.execute(commands.ExpireUndo()) == [events.UndoExpired(0)]
    assert host.execute(commands.ExpireUndo()) == []
    clock.update(host.state, 30.0)
    assert full is not None
    assert clock.remaining(seat, 31.0) == full - 11.0
    assert host.state.undo_eligible_seat is None


def test_after_undo_the_full_time_is_restored_and_running_tasks_are_void() -> None:
    host = TableDriver(new_table(seats=[None, "greedy", "greedy", "greedy"], thinking_time=30))
    host.seat_people("a")
    host.execute(commands.StartMatch("a"))
    until_computer(host)
    clock = Clock()
    clock.update(host.state, 0.0)
    host.random_step()
    moves = [place.action_count for place in host.state.seats]
    host.execute(commands.RequestUndo("a"))
    assert all(
        place.action_count > before for place, before in zip(host.state.seats, moves, strict=True)
    )
    assert host.state.seats[0].played_card_count == 0
    clock.update(host.state, 20.0)
    assert clock.remaining(0, 20.0) == 60.0


def kept(log: list[events.Event]) -> list[list[object]]:
    """The steps of the last match that were not undone."""
    steps: list[list[object]] = []
    for event in log:
        match event:
            case events.MatchStarted() | events.RematchStarted():
                steps = []
            case events.PackDealt(cards):
                steps.append(["pack", cards])
            case events.Acted(seat, action):
                steps.append([seat, action])
            case events.Undone(actions=actions):
                del steps[-actions:]
            case _:
                pass
    return steps


def expect_as_without(host: TableDriver) -> None:
    """Checks that match and reread log equal the steps that were not undone."""
    match = match_of(host)
    anew = Match(match.game, match.players)
    for actor, text in kept(host.log):
        if isinstance(actor, int):
            anew.act(actor, str(text))
        else:
            anew.deal(str(text))
    assert match.record()["log"] == anew.record()["log"]
    assert views(match) == views(anew)
    seats = range(match.game.players)
    assert [list(match.legal(one)) for one in seats] == [list(anew.legal(one)) for one in seats]
    read = Table.from_events(host.log).state
    assert read.room() == host.state.room()
    assert read.seats == host.state.seats
    assert read.undo_state == host.state.undo_state
    assert [read.view(seat) for seat in (None, *seats)] == views(match)


HAPPENS = st.lists(
    st.tuples(
        st.sampled_from(["undo", "undo", "yes", "no", "withdraw", "lapse", "go", "come", "stand"]),
        st.sampled_from("ab"),
        st.integers(0, 6),
    ),
    max_size=25,
)
"""What is tried, by whom, and how many moves follow."""


def tried(what: str, person: str) -> commands.Command:
    """The result of a command, which may be refused."""
    seat = "ab".index(person)
    match what:
        case "undo":
            return commands.RequestUndo(person)
        case "yes" | "no":
            return commands.AnswerUndo(person, accept=what == "yes")
        case "withdraw":
            return commands.WithdrawUndo(person)
        case "lapse":
            return commands.ExpireUndo()
        case "go":
            return commands.LetBotTakeOver(person, 1 - seat)
        case "come":
            return commands.ResumeControl(person)
        case _:
            return commands.Stand("b")


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=examples(15, 5))
@given(seed=st.integers(0, 9), happens=HAPPENS)
def test_undo_at_any_moment_leaves_no_trace(
    game: str, seed: int, happens: list[tuple[str, str, int]]
) -> None:
    host = TableDriver(new_table(game, **SHORT_OPTIONS[game]), seed)
    host.seat_people("a", "b")
    host.execute(commands.StartMatch("a"))
    readers = ChangingReaders(host)
    for seat in (None, 0, 1, 2):
        readers.join(seat)
    for what, person, moves in happens:
        for command in [tried(what, person), *[None] * moves]:
            if command is None and host.state.undo_state.pending is not None:
                break
            try:
                readers.execute(command or host.next_command())
            except (TableError, IndexError):
                continue  # refused, or nobody is there to go on
    host.log = readers.log
    expect_as_without(host)


@pytest.mark.parametrize("game", TRICKS)
def test_a_match_with_undo_ends_and_its_record_holds_the_final_line(
    game: str,
) -> None:
    host = TableDriver(
        new_table(game, [None, "greedy", "greedy", "greedy"], **SHORT_OPTIONS[game]), 3
    )
    host.seat_people("a")
    host.execute(commands.StartMatch("a"))
    undone = 0
    while host.state.phase != "over":
        host.random_step()
        if host.state.undo_eligible_seat is not None and host.rng.random() < 0.5:
            undone += len(host.execute(commands.RequestUndo("a"))) == len(["asked", "undone"])
            expect_as_without(host)
    assert undone > 0
    record = host.state.record()
    assert record is not None
    assert Match.from_record(record).record() == record
