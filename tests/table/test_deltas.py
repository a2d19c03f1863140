"""Deltas: sufficient to follow a table, without hidden information, and repeatable."""

from functools import cache
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jasstisch.games.rules import REGISTRY
from jasstisch.table import (
    RECENT_LIMIT,
    RecentDeltas,
    RoomInfo,
    SeatDeltas,
    SharedDeltas,
    Table,
    TableDelta,
    commands,
    events,
    per_reader_info,
)
from jasstisch.testing.view_type_checks import type_mismatches
from tests.support.example_counts import examples
from tests.table.client_copies import ChangingReaders, apply_delta, current_copy
from tests.table.table_driver import GAMES, SHORT_OPTIONS, TableDriver, new_table, start_match

PEOPLE = {0: "a", 1: "b", None: None}


class FollowingReaders:
    """A table with readers who share equal deltas and record all of them."""

    def __init__(self, host: TableDriver) -> None:
        self.host = host
        self.base = host.table.version
        common = SharedDeltas(host.state)
        self.readers = {seat: SeatDeltas(host.state, seat, common) for seat in PEOPLE}
        self.told: dict[int | None, list[TableDelta]] = {seat: [] for seat in PEOPLE}
        self.recent: RecentDeltas[TableDelta] = RecentDeltas(host.state)
        for seat in PEOPLE:
            self.recent.start_recording(host.state, seat)
        self.copies = {seat: current_copy(host.state, seat) for seat in PEOPLE}

    def do(self, command: commands.Command) -> None:
        for event in self.host.table.execute(command, self.host.dealer):
            self.host.log.append(event)
            own = {}
            for seat, reader in self.readers.items():
                change = reader.update(self.host.state)
                self.told[seat].append(change)
                if seat is not None:
                    own[seat] = change
                self.copies[seat] = apply_delta(self.copies[seat], change)
            self.recent.add(self.host.state, [(self.told[None][-1], own)])

    def step(self) -> None:
        """Runs one random action and broadcasts it."""
        self.do(self.host.next_command())


@cache
def a_match(game: str, seed: int) -> FollowingReaders:
    """A whole random match with the deltas of its readers."""
    host = TableDriver(new_table(game, **SHORT_OPTIONS[game]), seed)
    host.seat_people("a", "b")
    following = FollowingReaders(host)
    following.do(commands.StartMatch("a"))
    while host.state.phase != "over":
        following.step()
    return following


@pytest.mark.parametrize("game", GAMES)
def test_folding_deltas_gives_the_view_at_every_step(game: str) -> None:
    host = TableDriver(new_table(game, **SHORT_OPTIONS[game]), 1)
    host.seat_people("a", "b")
    following = FollowingReaders(host)
    following.do(commands.StartMatch("a"))
    while host.state.match_number < 2:  # into the rematch
        following.step()
        for seat, (room, view) in following.copies.items():
            assert room == msgspec.structs.asdict(host.state.room())
            assert view == host.state.view(seat)


COMING_AND_GOING = st.lists(
    st.tuples(
        st.sampled_from(["come", "come", "go", "leave", "sit", "unname", "say"]),
        st.integers(0, 7),
        st.sampled_from([0, 1, 2, None]),
        st.integers(0, 40),
    ),
    max_size=20,
)
"""What happens, to whom of those there, at which seat, and how many moves follow on it."""


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=examples(15, 5))
@given(seed=st.integers(0, 9), happens=COMING_AND_GOING)
def test_readers_may_come_and_go_at_any_time_and_stay_current(
    game: str, seed: int, happens: list[tuple[str, int, int | None, int]]
) -> None:
    host = TableDriver(new_table(game, **SHORT_OPTIONS[game]), seed)
    host.seat_people("a", "b")
    readers = ChangingReaders(host)
    readers.join(0)  # before the match
    readers.execute(commands.StartMatch("a"))
    for what, which, seat, moves in happens:
        holds = host.state.seats.seat_of("b") is not None
        if what == "come":
            readers.join(seat)
        elif what == "go":
            readers.leave(which)
        elif what == "leave" and holds:
            readers.execute(commands.Stand("b"))
        elif what == "sit" and not holds and host.state.seat_refusal("b", 1) is None:
            readers.execute(commands.Sit("b", 1, "Reto"))
        elif what == "unname" and host.state.nicknames(which % 2):
            readers.execute(commands.AdminRemoveNickname(which % 2))
        elif what == "say":
            readers.execute(commands.SayPhrase("a", "bravo"))
        for _ in range(moves):
            readers.execute(host.next_command())


def test_readers_with_equal_deltas_get_the_same_object() -> None:
    """In this game a seat's view differs only in its hand, turn and legal actions."""
    host = TableDriver(new_table("molotov", [None] * 4, target=3))
    host.seat_people(*"abcd")
    common = SharedDeltas(host.state)
    readers = {seat: SeatDeltas(host.state, seat, common) for seat in (*range(4), None)}
    shared = own = 0
    for command in (commands.StartMatch("a"), *[None] * 60):
        for _ in host.table.execute(command or host.next_command(), host.dealer):
            changes = {seat: reader.update(host.state) for seat, reader in readers.items()}
            for seat in range(4):
                same = changes[seat] == changes[None]
                assert (changes[seat] is changes[None]) == same
                shared, own = shared + same, own + (not same)
    assert shared > own > 60


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=examples(15, 5))
@given(data=st.data())
def test_missed_deltas_are_repeated_unchanged_while_kept(game: str, data: st.DataObject) -> None:
    following = a_match(game, data.draw(st.integers(0, 1)))
    version = following.host.table.version
    seat = data.draw(st.sampled_from([0, 1, None]))
    back = data.draw(st.integers(0, min(RECENT_LIMIT, version - following.base)))
    told = following.told[seat]
    assert following.recent.since(seat, version - back) == told[len(told) - back :]


def test_dropped_and_future_deltas_cannot_be_requested() -> None:
    host = start_match("molotov", target=3)
    first = host.table.version
    following = FollowingReaders(host)
    while host.table.version <= first + RECENT_LIMIT:
        following.step()
    recent, version = following.recent, host.table.version
    assert len(recent.since(0, version - RECENT_LIMIT) or []) == RECENT_LIMIT
    assert recent.since(0, version - RECENT_LIMIT - 1) is None
    assert recent.since(0, version + 1) is None
    assert recent.since(0, version) == []


def test_a_new_reader_has_missed_nothing() -> None:
    host = start_match()
    version = host.table.version
    recent: RecentDeltas[TableDelta] = RecentDeltas(host.state)
    recent.start_recording(host.state, 0)
    assert recent.since(0, version) == []
    assert recent.since(0, version - 1) is None


def test_a_new_seat_holder_gets_no_earlier_deltas() -> None:
    host = start_match()
    following = FollowingReaders(host)
    since = host.table.version
    following.do(commands.Stand("b"))
    left = host.table.version
    following.do(commands.Sit("b", 1, "Reto"))
    assert following.recent.since(1, since) is None
    assert following.recent.since(1, left) is None
    assert following.recent.since(1, host.table.version) == []
    assert following.recent.since(0, since) == following.told[0]


@pytest.mark.parametrize("game", GAMES)
def test_every_view_matches_its_schema(game: str) -> None:
    host = start_match(game, seed=2, **SHORT_OPTIONS[game])
    while host.state.phase != "over":
        for seat in (None, 0, 3):
            sent = msgspec.json.encode(host.state.view(seat))
            declared = REGISTRY[game].view_type
            assert list(type_mismatches(msgspec.json.decode(sent), declared, "view")) == []
        host.random_step()


def test_a_hidden_bid_is_sent_to_its_bidder_only() -> None:
    host = TableDriver(new_table("differenzler"))
    host.seat_people("a", "b")
    following = FollowingReaders(host)
    following.do(commands.StartMatch("a"))
    following.do(commands.Act("a", " BID  42 "))
    actions = {seat: changes[-1].event.action for seat, changes in following.told.items()}
    assert actions == {0: "bid 42", 1: "bid", None: "bid"}


def test_an_open_bid_is_sent_to_all() -> None:
    host = TableDriver(new_table("differenzler", bids="open", dealer=3))
    host.seat_people("a", "b")
    following = FollowingReaders(host)
    following.do(commands.StartMatch("a"))
    following.do(commands.Act("a", "bid 42"))
    assert {changes[-1].event.action for changes in following.told.values()} == {"bid 42"}


def test_deltas_name_the_purpose_of_a_pack_and_not_its_cards() -> None:
    host = TableDriver(new_table("differenzler"))
    host.seat_people("a", "b")
    following = FollowingReaders(host)
    following.do(commands.StartMatch("a"))
    told = [change.event for change in following.told[None]]
    assert [event.pack for event in told] == [None, "draw", "deal", "trump"]
    assert all(event.action is None for event in told)


def test_the_turn_lists_legal_actions_and_reasons_against_other_cards() -> None:
    host = start_match("molotov", "abcd")
    match = host.state.match
    assert match is not None
    seen = 0
    while host.state.phase == "playing":
        for seat in range(4):
            turn = per_reader_info.turn(host.state, seat)
            assert (turn is not None) == (seat in match.to_act)
            if turn is not None:
                legal = set(match.legal(seat))
                hand = match.hand(seat)
                assert set(turn.legal) == legal
                assert set(turn.refused) == {card for card in hand if f"play {card}" not in legal}
                assert all(refused.clause.startswith("C8") for refused in turn.refused.values())
                seen += len(turn.refused)
        host.random_step()
    assert per_reader_info.turn(host.state, None) is None
    assert seen > 0


def test_a_bid_turn_refuses_no_cards() -> None:
    host = start_match("differenzler")
    turn = per_reader_info.turn(host.state, 0)
    assert turn is not None
    assert (len(turn.legal), turn.more, turn.refused) == (158, False, {})


def same_for_reader(log: list[events.Event], seat: int, rng: Random) -> list[events.Event]:
    """The same log with the cards of its last deal that this seat has not seen exchanged.

    Only events up to that deal are kept: after it the others would have to play other cards.
    """
    last = max(place for place, event in enumerate(log) if isinstance(event, events.PackDealt))
    table = Table.from_events(log[: last + 1])
    match = table.state.match
    assert match is not None
    pack = log[last]
    assert isinstance(pack, events.PackDealt)
    own = set(match.hand(seat))
    cards = pack.cards.split()
    # The draw of trump shows the suit of the front card, the deal the cards of this seat.
    hidden = [place for place, card in enumerate(cards) if card not in own]
    shuffled = rng.sample(hidden, len(hidden))
    changed = list(cards)
    for place, other in zip(hidden, shuffled, strict=True):
        changed[place] = cards[other]
    return [*log[:last], events.PackDealt(" ".join(changed))]


@pytest.mark.parametrize("game", ["molotov", "molotow", "offenbach"])
@settings(max_examples=examples(15, 5))
@given(seed=st.integers(0, 200), seat=st.sampled_from([0, 1]))
def test_hidden_cards_change_no_byte_of_a_readers_messages(game: str, seed: int, seat: int) -> None:
    host = start_match(game, seed=seed)
    if seed % 2:
        host.play_until("between")
        host.execute(commands.ReadyUp("a"), commands.ReadyUp("b"))
    elsewhere = same_for_reader(host.log, seat, Random(seed))
    told = []
    for log in (host.log, elsewhere):
        table = Table.from_events(log[:-1])
        copies = SeatDeltas(table.state, seat), SeatDeltas(table.state, None)
        table.apply(log[-1])
        changes, spectators = (copy.update(table.state) for copy in copies)
        state = table.state
        told.append(
            msgspec.json.encode(
                [changes, state.view(seat), per_reader_info.turn(state, seat), state.room()]
            )
        )
        assert not cards_in(msgspec.json.encode(spectators)) - public_cards(table)
    assert told[0] == told[1]


def cards_in(text: bytes) -> set[str]:
    """All card texts in a message."""
    words = text.decode().replace('"', " ").replace(",", " ").split()
    return {
        word
        for word in words
        if len(word) == 2 and word[0] in "23456789TJQKA" and word[1] in "CDHS"
    }


def public_cards(table: Table) -> set[str]:
    """The cards everybody has seen at this table: drawn for the deal, played, or in a round."""
    return cards_in(msgspec.json.encode(table.state.view(None)))


@pytest.mark.parametrize("game", GAMES)
def test_no_delta_contains_a_card_of_another_hand(game: str) -> None:
    host = TableDriver(new_table(game, **SHORT_OPTIONS[game]), 9)
    host.seat_people("a", "b")
    following = FollowingReaders(host)
    following.do(commands.StartMatch("a"))
    match = host.state.match
    assert match is not None
    while host.state.phase == "playing":
        before = {seat: len(told) for seat, told in following.told.items()}
        hands = [set(match.hand(seat)) for seat in range(4)]
        # Drawn for the deal, turned, shown: what a spectator has seen of the hands.
        drawn = public_cards(host.table)
        following.step()
        drawn |= public_cards(host.table)
        for seat, told in following.told.items():
            sent = cards_in(msgspec.json.encode(told[before[seat] :]))
            for other, hand in enumerate(hands):
                # What was just played has left the hand; what was drawn for the deal is public.
                hidden = hand & set(match.hand(other)) - drawn
                assert other == seat or not sent & hidden


def test_the_room_is_sent_in_full_and_then_as_deltas() -> None:
    host = TableDriver(new_table())
    host.execute(commands.Sit("b", 1, "Reto"))
    reader = SeatDeltas(host.state, None)
    host.execute(commands.Sit("a", 0, "Anna"))
    change = reader.update(host.state)
    assert list(change.room) == ["seats"]
    assert isinstance(host.state.room(), RoomInfo)
    assert (change.event.kind, change.event.seat) == ("sat", 0)
    assert (change.set, change.last, change.append) == ({}, {}, {})


def test_a_claim_answer_is_sent_without_earlier_turns() -> None:
    """A deal of I Doubt It may have hundreds of turns, each answered by up to seven players."""
    host = start_match("i-doubt-it", ("a", "b", "c", "d"), dealer=3)
    following = FollowingReaders(host)
    for person, action in zip("abcd", ("lay", "pass", "pass", "pass"), strict=True):
        assert host.state.match is not None
        legal = host.state.match.legal("abcd".index(person))
        following.do(commands.Act(person, legal[0] if action == "lay" else action))
    for seat, changes in following.told.items():
        laid, *answers = changes
        assert list(laid.append) == ["turns"], seat
        assert [change.last["turns"]["passed"] for change in answers] == [[1], [1, 2], [1, 2, 3]]
        assert not any("turns" in change.set for change in changes)
