"""Swapping seats before the start: at once with bots, by consent with people."""

from contextlib import suppress

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from jasstisch.games import game as find_game
from jasstisch.table import SeatDeltas, State, Table, TableError, commands, events
from tests.support.example_counts import examples
from tests.table.table_driver import GAMES, SHORT_OPTIONS, TableDriver, new_table


def lobby(*people: str) -> TableDriver:
    """A table of Schieber with people from the first seat on and a bot on the last."""
    host = TableDriver(new_table("schieber", seats=[None, None, None, "random"]))
    host.seat_people(*people)
    return host


def sitting(host: TableDriver) -> list[str]:
    """The names around the table; "" for a free seat."""
    return [seat.name for seat in host.state.room().seats]


def asking(host: TableDriver) -> list[int | None]:
    """The seat that each seat's person offers to swap with."""
    return [seat.asks for seat in host.state.room().seats]


def refused(host: TableDriver, command: commands.Command) -> str:
    """The code of a refusal, which must change nothing."""
    before = host.table.version, host.state.room()
    with pytest.raises(TableError) as caught:
        host.execute(command)
    assert (host.table.version, host.state.room()) == before
    return caught.value.code


@pytest.mark.parametrize("game", GAMES)
def test_the_room_shows_partners_before_the_start(game: str) -> None:
    host = TableDriver(new_table(game, **SHORT_OPTIONS[game]))
    room = host.state.room()
    assert room.sides == [list(side) for side in find_game(game, **room.options).sides]
    assert sorted(seat for side in room.sides for seat in side) == [0, 1, 2, 3]


def test_partners_sit_opposite_in_schieber_and_molotov_has_none() -> None:
    assert lobby().state.room().sides == [[0, 2], [1, 3]]
    assert TableDriver(new_table("molotov")).state.room().sides == [[0], [1], [2], [3]]


def test_moving_to_a_free_seat_keeps_the_name() -> None:
    host = lobby("a")
    assert host.execute(commands.Sit("a", 2, "Another")) == [events.SeatsSwapped(0, 2)]
    assert sitting(host) == ["", "", "A", "bot:random"]


def test_a_bot_swaps_at_once_and_keeps_its_strength() -> None:
    host = lobby("a", "b")
    assert host.execute(commands.RequestSwap("a", 3)) == [
        events.SeatsSwapped(0, 3, characters=True)
    ]
    assert sitting(host) == ["bot:random", "B", "", "A"]
    assert host.state.room().seats[0].bot == "random"


def who_plays(state: State) -> list[int | None]:
    """The number in the bot's name for each seat; None for a seat without a bot."""
    return [seat.character for seat in state.room().seats]


def test_a_bot_takes_its_name_along_and_names_stay_unique() -> None:
    host = lobby("a")
    assert who_plays(host.state) == [None, None, None, 3]
    host.execute(commands.RequestSwap("a", 3))
    assert who_plays(host.state) == [3, None, None, None]
    host.execute(commands.StartMatch("a"))
    assert who_plays(host.state) == [3, 1, 2, None]
    assert who_plays(Table.from_events(host.log).state) == [3, 1, 2, None]
    host.execute(commands.Stand("a"))
    assert who_plays(host.state) == [3, 1, 2, 0]


def test_bot_names_are_the_same_after_compaction() -> None:
    host = lobby("a")
    host.execute(commands.RequestSwap("a", 3))
    gathered = msgspec.json.encode(host.state.compaction_event())
    host.table.apply(msgspec.json.decode(gathered, type=events.Event))
    assert who_plays(host.state) == [3, None, None, None]


def test_in_older_logs_bots_are_named_after_their_seats() -> None:
    host = lobby("a")
    earlier = b'{"kind":"swapped","seat":0,"other":3}'
    host.table.apply(msgspec.json.decode(earlier, type=events.Event))
    assert sitting(host) == ["bot:random", "", "", "A"]
    assert who_plays(host.state) == [0, None, None, None]


def test_swapping_with_a_person_requires_consent() -> None:
    host = lobby("a", "b")
    assert host.execute(commands.RequestSwap("a", 1)) == [events.SwapOffered(0, 1)]
    assert (sitting(host)[:2], asking(host)) == (["A", "B"], [1, None, None, None])
    assert host.execute(commands.AnswerSwap("b", 0, accept=True)) == [
        events.SeatsSwapped(0, 1, characters=True)
    ]
    assert (sitting(host)[:2], asking(host)) == (["B", "A"], [None] * 4)


def test_a_declined_person_may_ask_again() -> None:
    host = lobby("a", "b")
    host.execute(commands.RequestSwap("a", 1))
    assert host.execute(commands.AnswerSwap("b", 0, accept=False)) == [events.SwapDeclined(1, 0)]
    assert (sitting(host)[:2], asking(host)) == (["A", "B"], [None] * 4)
    assert host.execute(commands.RequestSwap("a", 1)) == [events.SwapOffered(0, 1)]


def test_mutual_offers_are_an_agreement() -> None:
    host = lobby("a", "b")
    host.execute(commands.RequestSwap("a", 1))
    assert host.execute(commands.RequestSwap("b", 0)) == [
        events.SeatsSwapped(1, 0, characters=True)
    ]
    assert (sitting(host)[:2], asking(host)) == (["B", "A"], [None] * 4)


def test_a_person_has_one_offer_at_a_time() -> None:
    host = lobby("a", "b", "c")
    host.execute(commands.RequestSwap("a", 1))
    assert host.execute(commands.RequestSwap("a", 1)) == []
    host.execute(commands.RequestSwap("a", 2))
    assert asking(host) == [2, None, None, None]
    assert refused(host, commands.AnswerSwap("b", 0, accept=True)) == "no_swap"


def test_several_people_may_ask_one_and_a_move_ends_the_other_offers() -> None:
    host = lobby("a", "b", "c")
    host.execute(commands.RequestSwap("a", 1), commands.RequestSwap("c", 1))
    host.execute(commands.AnswerSwap("b", 2, accept=True))
    assert sitting(host)[:3] == ["A", "C", "B"]
    assert asking(host) == [None] * 4
    # Not even for who now sits where it was asked for.
    assert refused(host, commands.AnswerSwap("c", 0, accept=True)) == "no_swap"


@pytest.mark.parametrize(
    "end",
    [
        commands.WithdrawSwap("a"),
        commands.Stand("a"),
        commands.Stand("b"),
        commands.Sit("a", 2, "A"),
        commands.Sit("b", 2, "B"),
        commands.RequestSwap("a", 3),
        commands.RequestSwap("b", 3),
    ],
)
def test_an_offer_ends_when_withdrawn_or_when_either_person_leaves_or_moves(
    end: commands.Command,
) -> None:
    host = lobby("a", "b")
    host.execute(commands.RequestSwap("a", 1), end)
    assert asking(host) == [None] * 4
    gone = host.state.seats.seat_of("b") is None
    code = refused(host, commands.AnswerSwap("b", 0, accept=True))
    assert code == ("not_seated" if gone else "no_swap")


def test_an_offer_does_not_pass_to_the_next_person_on_the_seat() -> None:
    host = lobby("a", "b")
    host.execute(commands.RequestSwap("a", 1), commands.Stand("b"), commands.Sit("x", 1, "Xenia"))
    assert refused(host, commands.AnswerSwap("x", 0, accept=True)) == "no_swap"


def test_offers_end_at_the_start_and_no_seats_are_swapped_afterwards() -> None:
    host = lobby("a", "b")
    host.execute(commands.RequestSwap("a", 1), commands.StartMatch("b"))
    assert asking(host) == [None] * 4
    for command in (
        commands.RequestSwap("a", 3),
        commands.RequestSwap("a", 1),
        commands.AnswerSwap("b", 0, accept=True),
        commands.WithdrawSwap("a"),
    ):
        assert refused(host, command) == "wrong_phase"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (commands.RequestSwap("x", 0), "not_seated"),
        (commands.AnswerSwap("x", 0, accept=True), "not_seated"),
        (commands.WithdrawSwap("x"), "not_seated"),
        (commands.RequestSwap("a", 0), "no_swap"),
        (commands.RequestSwap("a", 2), "no_swap"),
        (commands.RequestSwap("a", 4), "bad_option"),
        (commands.RequestSwap("a", -1), "bad_option"),
        (commands.AnswerSwap("a", 1, accept=True), "no_swap"),
        (commands.AnswerSwap("a", 1, accept=False), "no_swap"),
        (commands.AnswerSwap("a", 4, accept=True), "bad_option"),
        (commands.WithdrawSwap("a"), "no_swap"),
    ],
)
def test_invalid_swaps_are_refused_with_their_code(command: commands.Command, code: str) -> None:
    assert refused(lobby("a", "b"), command) == code


def test_nobody_can_answer_for_another_or_accept_their_own_offer() -> None:
    host = lobby("a", "b", "c")
    host.execute(commands.RequestSwap("a", 1))
    assert refused(host, commands.AnswerSwap("c", 0, accept=True)) == "no_swap"
    assert refused(host, commands.AnswerSwap("a", 1, accept=True)) == "no_swap"
    assert refused(host, commands.AnswerSwap("a", 0, accept=True)) == "no_swap"


def test_swap_offers_are_limited_by_table(monkeypatch: pytest.MonkeyPatch) -> None:
    host = lobby("a", "b")
    monkeypatch.setattr("jasstisch.table.table.MAX_EVENTS", host.table.version)
    assert refused(host, commands.RequestSwap("a", 1)) == "limit"


def test_readers_see_offers_and_their_outcome() -> None:
    host = lobby("a", "b", "c")
    reader = SeatDeltas(host.state, None)
    told = []
    for command in (
        commands.RequestSwap("a", 1),
        commands.AnswerSwap("b", 0, accept=False),
        commands.RequestSwap("a", 2),
        commands.WithdrawSwap("a"),
        commands.RequestSwap("c", 3),
    ):
        host.execute(command)
        change = reader.update(host.state)
        told.append((change.event.kind, change.event.seat, change.event.other))
        assert list(change.room) == ["seats"]
    assert told == [
        ("offered", 0, 1),
        ("declined", 1, 0),
        ("offered", 0, 2),
        ("withdrew", 0, None),
        ("swapped", 2, 3),
    ]


def test_the_match_is_played_from_the_swapped_seats() -> None:
    host = lobby("a", "b")
    host.execute(commands.RequestSwap("a", 1), commands.AnswerSwap("b", 0, accept=True))
    host.execute(commands.RequestSwap("a", 3), commands.StartMatch("a"))
    view = host.state.view(None)
    assert view is not None
    assert view["players"] == ["B", "bot:random", "bot:greedy", "A"]


def test_older_logs_change_seats_by_standing_up() -> None:
    table = Table.from_events(
        [
            new_table("schieber").state.creation_event,
            events.SeatTaken(0, "a", "Anna"),
            events.SeatLeft(0),
            events.SeatTaken(1, "a", "Anna"),
        ]
    )
    assert [seat.name for seat in table.state.room().seats[:2]] == ["", "Anna"]


PEOPLE = ("a", "b", "c", "d")
SEATS = st.integers(0, 3)
Asked = (
    commands.Sit
    | commands.Stand
    | commands.RequestSwap
    | commands.AnswerSwap
    | commands.WithdrawSwap
    | commands.StartMatch
)


class SwapMachine(RuleBasedStateMachine):
    """State machine of seat commands in any order, with invariants after each step."""

    def __init__(self) -> None:
        super().__init__()
        self.host = lobby("a", "b", "c")
        self.made: dict[str | None, tuple[int, int, str | None]] = {}
        """By who asked: from which seat, for which, and who sat there."""

    def _try(self, command: commands.Command) -> None:
        done: list[events.Event] = []
        with suppress(TableError):
            done = self.host.execute(command)
        places = self.host.state.seats
        for event in done:
            if isinstance(event, events.SwapOffered):
                asked = places[event.other].person
                self.made[places[event.seat].person] = (event.seat, event.other, asked)

    @rule(who=st.sampled_from(PEOPLE), seat=SEATS)
    def sit(self, who: str, seat: int) -> None:
        self._move_one(commands.Sit(who, seat, who.upper()))

    @rule(who=st.sampled_from(PEOPLE))
    def stand(self, who: str) -> None:
        self._move_one(commands.Stand(who))

    @rule(who=st.sampled_from(PEOPLE))
    def withdraw(self, who: str) -> None:
        self._move_one(commands.WithdrawSwap(who))

    @rule(who=st.sampled_from(PEOPLE), seat=SEATS)
    def decline(self, who: str, seat: int) -> None:
        self._move_one(commands.AnswerSwap(who, seat, accept=False))

    @rule(who=st.sampled_from(PEOPLE), seat=SEATS)
    def swap(self, who: str, seat: int) -> None:
        self._move_by_consent(commands.RequestSwap(who, seat))

    @rule(who=st.sampled_from(PEOPLE), seat=SEATS)
    def accept(self, who: str, seat: int) -> None:
        self._move_by_consent(commands.AnswerSwap(who, seat, accept=True))

    @precondition(lambda self: self.host.state.phase == "open")
    @rule(who=st.sampled_from(PEOPLE), lot=st.integers(0, 9))
    def start(self, who: str, lot: int) -> None:
        if lot == 7:  # seldom, for nothing more can be swapped then
            self._move_one(commands.StartMatch(who))

    def _seats(self) -> dict[str, int | None]:
        return {person: self.host.state.seats.seat_of(person) for person in PEOPLE}

    def _move_one(self, command: Asked) -> None:
        """Runs a command that may move only its sender."""
        before = self._seats()
        self._try(command)
        after = self._seats()
        assert {one for one in PEOPLE if before[one] != after[one]} <= {command.person}

    def _move_by_consent(self, command: Asked) -> None:
        """Runs a command that may move another person only if they had offered to swap."""
        before = self._seats()
        asked = {one: self._asks(one) for one in PEOPLE}
        self._try(command)
        after = self._seats()
        for one in PEOPLE:
            if one != command.person and before[one] != after[one]:
                assert asked[one] == before[command.person] == after[one]
                assert after[command.person] == before[one]

    def _asks(self, person: str) -> int | None:
        seat = self.host.state.seats.seat_of(person)
        return None if seat is None else self.host.state.seats[seat].swap_target

    @invariant()
    def offers_are_between_people_before_the_start(self) -> None:
        for seat, place in enumerate(self.host.state.seats):
            if place.swap_target is not None:
                assert self.host.state.phase == "open"
                asked = self.host.state.seats[place.swap_target].person
                assert None not in (place.person, asked)
                assert self.made[place.person] == (seat, place.swap_target, asked)

    @invariant()
    def the_bot_stays_at_the_table(self) -> None:
        assert [place.bot for place in self.host.state.seats].count("random") == 1

    @invariant()
    def the_log_gives_the_same_table(self) -> None:
        stored = [
            msgspec.json.decode(msgspec.json.encode(event), type=events.Event)
            for event in self.host.log
        ]
        again = Table.from_events(stored).state
        assert (again.room(), again.seats) == (self.host.state.room(), self.host.state.seats)


TestSeats = SwapMachine.TestCase
TestSeats.settings = settings(max_examples=examples(60, 15), stateful_step_count=30)
