"""A dishonest server that tries what comes to its mind: a state machine of Hypothesis.

It tells the device every message of the protocol in any order, true or not, shows it a play, and
publishes whatever record it could make of what it has learnt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    precondition,
    rule,
    run_state_machine_as_test,
)

from bench.attacks.fair_deals.devices import Device
from bench.attacks.fair_deals.dishonest_server import (
    HONEST,
    SEATS,
    DishonestServer,
    PublishedPack,
)
from bench.attacks.fair_deals.forgeries import (
    PACK_FORGERIES,
    PLAY_FORGERIES,
    RECORD_FORGERIES,
    published_pack,
)
from bench.attacks.fair_deals.play import MOVES_TO_TRICK, Play
from jasstisch.fairness import Announcement, MatchId, PackCall, VoidAttempt

LAST_PACK = 4

SNAPSHOTS = ((), range(1_000), range(0, 1_000, 2))
"""Of which steps of a play the device is told by snapshots: none, all, every other one."""

CALL_LIES = (
    "without the device",
    "with other commitments for the device",
    "at another position",
    "with another chain",
    "a second time",
)
VOID_LIES = ("because of the device", "because of anybody", "after one that is not told")

packs = st.integers(1, LAST_PACK)
seats = st.integers(0, SEATS - 1)
some_seats = st.lists(seats, unique=True, max_size=SEATS).map(sorted)
junk = st.one_of(
    st.none(),
    st.integers(-1, 2**32),
    st.text(max_size=3),
    st.just([]),
    st.just({}),
    st.sampled_from(["0" * 64, "A" * 64]),
)


def speak_of_another_pack(machine: DishonestServerMachine, data: st.DataObject) -> None:
    """Another pack is said to be the next."""
    pack = data.draw(packs)
    machine.position += max(0, pack - machine.next_pack)
    machine.tell(pack)
    machine.next_pack = pack


def tell_an_earlier_state(machine: DishonestServerMachine, data: st.DataObject) -> None:
    """Something is told again."""
    if machine.states:
        machine.tell_again(data.draw(st.integers(0, len(machine.states) - 1)))


def tell_a_malformed_state(machine: DishonestServerMachine, data: st.DataObject) -> None:
    """A part of a state is replaced by something else; it may be the first one of its match."""
    told = [state for state, *_ in machine.states[-1:]]
    state = data.draw(st.sampled_from([*told, machine.server.state(machine.next_pack)]))
    path = data.draw(st.lists(st.integers(0, 9), max_size=4))
    machine.tell_plain(_replaced(state, path, data.draw(junk)))


def fall_silent(machine: DishonestServerMachine, _: st.DataObject) -> None:
    """Nothing is said of the deals."""
    machine.tell_plain(None)


def announce_another_chain(machine: DishonestServerMachine, _: st.DataObject) -> None:
    """Another chain is announced from now on."""
    machine.server.end = machine.server.chain(1).chain_end(0)


def announce_another_table(machine: DishonestServerMachine, _: st.DataObject) -> None:
    """The match of another table is announced, once."""
    server = machine.server
    other = Announcement(MatchId.of("another table", server.match), server.end)
    machine.tell_plain({**server.state(machine.next_pack), "announcement": other.to_json()})


def announce_another_match(machine: DishonestServerMachine, data: st.DataObject) -> None:
    """Another match is announced from now on."""
    machine.announce_match(data.draw(st.sampled_from([1, 2])))


def give_a_seat(machine: DishonestServerMachine, data: st.DataObject) -> None:
    """The device is said to have another seat."""
    machine.server.seat = data.draw(st.sampled_from([HONEST, 1, None]))


LIES = (
    speak_of_another_pack,
    tell_an_earlier_state,
    tell_a_malformed_state,
    fall_silent,
    announce_another_chain,
    announce_another_table,
    announce_another_match,
    give_a_seat,
)


def at_work(run: Any) -> Any:
    """A rule for as long as the device has noticed nothing: the match is lost then."""
    return precondition(lambda self: not self.in_trouble)(run)


class DishonestServerMachine(RuleBasedStateMachine):
    """The server against one device, which `make_device` gives new for each run."""

    make_device: Callable[[], Device]

    def __init__(self) -> None:
        super().__init__()
        self.server = DishonestServer(type(self).make_device())
        self.states: list[tuple[dict[str, Any], PackCall | None, VoidAttempt | None]] = []
        self.in_trouble = False
        self.last_match = self.server.match
        self.next_pack, self.position = 1, 0

    def tell(
        self, next_pack: int, call: PackCall | None = None, void: VoidAttempt | None = None
    ) -> None:
        """Tells a state, and keeps it to tell it again."""
        self.states.append((self.server.state(next_pack, call, void), call, void))
        self.tell_again(-1)

    def tell_again(self, index: int) -> None:
        """Tells a state that was told before."""
        self.tell_plain(*self.states[index])

    def tell_plain(
        self, state: object, call: PackCall | None = None, void: VoidAttempt | None = None
    ) -> None:
        """Tells anything."""
        self.in_trouble = self.server.tell_plain(state, call, void).trouble is not None

    def announce_match(self, number: int) -> None:
        """Another match is announced from now on."""
        self.server.announce_match(number)
        self.last_match = max(self.last_match, number)
        self.next_pack, self.position = 1, 0

    @property
    def last_call(self) -> PackCall | None:
        """The call of the pack that was called last."""
        called = self.server.told.get(self.next_pack - 1)
        return None if called is None else called[0]

    # --- dealing, with or without a lie --------------------------------------------------------

    @rule(
        others=st.lists(st.integers(1, SEATS - 1), unique=True, min_size=1).map(sorted),
        lie=st.sampled_from([*[None] * 10, *CALL_LIES]),
    )
    @at_work
    def call_next(self, others: list[int], lie: str | None) -> None:
        """The next pack is called with the device and these accomplices."""
        pack, server = self.next_pack, self.server
        if pack > LAST_PACK:
            return
        self.tell(pack)
        made = {seat: server.accomplice(pack, seat) for seat in others if seat != server.seat}
        own = None if server.seat is None else server.committed.get((pack, server.seat))
        if server.seat is not None and own is not None and lie != "without the device":
            made[server.seat] = own
        if server.seat is not None and lie == "with other commitments for the device":
            made[server.seat] = server.accomplice(pack, server.seat, 1)
        call = server.call(
            pack,
            self.position + (lie == "at another position"),
            made,
            server.chain(lie == "with another chain").chain_end(0),
        )
        self.tell(pack + 1, call)
        if lie == "a second time":
            self.tell(
                pack + 1,
                server.call(pack, self.position, {**made, 3: server.accomplice(pack, 3, 1)}),
            )
        self.next_pack, self.position = pack + 1, call.position + 1

    @rule(missing=some_seats, lie=st.sampled_from([*[None] * 3, *VOID_LIES]))
    @at_work
    def void_last(self, missing: list[int], lie: str | None) -> None:
        """The attempt under way is void, because of some accomplices that were asked."""
        call = self.last_call
        if call is None:
            return
        voids = self.server.told[call.pack][1]
        out = {seat for seats in voids.values() for seat in seats}
        may_miss = set(call.commitments) - out
        if lie != "because of the device":
            may_miss -= {self.server.seat}
        gone = tuple(missing if lie == "because of anybody" else sorted(may_miss & set(missing)))
        if gone or lie:
            attempt = len(voids) + 1 + (lie == "after one that is not told")
            self.tell(call.pack + 1, call, VoidAttempt(call.pack, attempt, gone))
            self.position += 1

    @rule()
    def decide(self) -> None:
        """The last pack called is decided."""
        self.tell(self.next_pack)

    @rule(lie=st.sampled_from(LIES), data=st.data())
    @at_work
    def lie(
        self, lie: Callable[[DishonestServerMachine, st.DataObject], None], data: st.DataObject
    ) -> None:
        """Something is told that an honest server does not tell now."""
        lie(self, data)

    @rule()
    @precondition(lambda self: self.in_trouble)
    def begin_next_match(self) -> None:
        """The next match is announced, in which the device takes part again."""
        self.announce_match(self.last_match + 1)
        self.in_trouble = False

    @rule(what=st.sampled_from(["reconnect", "reload", "lose memory"]))
    def befall(self, what: str) -> None:
        """What befalls a device: another connection, a new start, the loss of its memory."""
        if what == "reconnect":
            self.server.device.reconnect()
        elif what == "reload":
            self.server.device.reload()
        else:
            self.server.lose_memory()
            self.in_trouble = False
            self.next_pack, self.position = 1, 0

    # --- the end -----------------------------------------------------------------------------

    @rule(
        pack_lies=st.lists(st.sampled_from(PACK_FORGERIES), max_size=1),
        record_lies=st.lists(st.sampled_from(RECORD_FORGERIES), max_size=1),
        pack=packs,
        seat=seats,
        seed=st.sampled_from([0, 0, 1]),
        data=st.data(),
    )
    @at_work
    def publish(
        self,
        pack_lies: list[Any],
        record_lies: list[Any],
        pack: int,
        seat: int,
        seed: int,
        data: st.DataObject,
    ) -> None:
        """Publishes a record of what was told, with some lies about one of its packs.

        The device may be shown a play before the first record of a match.
        """
        server = self.server
        if not server.told:
            return
        made = [self._published(number) for number in range(1, max(server.told) + 1)]
        index = (pack - 1) % len(made)
        for change in pack_lies:
            made[index] = change(server, made[index], index + 1, seat)
        record = server.record(made, seed)
        for change in record_lies:
            record = change(server, record, index)
        moves = data.draw(st.sampled_from([0, MOVES_TO_TRICK]))
        record = replace(record, play=replace(record.play, last_moves=moves))
        if server.match not in server.shown and data.draw(st.booleans()):
            self._show(record.play, index, seat, data)
        assert not server.has_won(record, server.judge(record))

    def _show(self, play: Play, index: int, seat: int, data: st.DataObject) -> None:
        """Shows a player this play or another one, by events or snapshots."""
        if self.server.seat is None:
            return
        lie = data.draw(st.sampled_from([None, None, *PLAY_FORGERIES]))
        shown = lie(play, index, seat) if lie else play
        first = data.draw(st.sampled_from([0, 1]))
        snapshots = data.draw(st.sampled_from(SNAPSHOTS))
        steps = shown.steps(self.server.seat, first, snapshots=snapshots)
        self.server.show([*steps], first, snapshots=snapshots)

    def _published(self, pack: int) -> PublishedPack:
        """A pack as it was told; one that was not, as if an accomplice had contributed."""
        if pack not in self.server.told:
            return PublishedPack({1: self.server.accomplice(pack, 1)})
        call, voids = self.server.told[pack]
        return published_pack(call.commitments, [voids.get(number, ()) for number in sorted(voids)])


def _replaced(plain: Any, path: Sequence[int], value: object) -> Any:
    """Plain JSON with another value at a place, whose steps are counted from 0."""
    if not path or not isinstance(plain, dict | list) or not plain:
        return value
    keys = sorted(plain) if isinstance(plain, dict) else range(len(plain))
    key = keys[path[0] % len(keys)]
    changed: Any = plain.copy()
    changed[key] = _replaced(plain[key], path[1:], value)
    return changed


def search(make_device: Callable[[], Device], how: settings) -> None:
    """Lets the server try, as often as these settings say.

    Raises:
        AssertionError: it has succeeded; Hypothesis prints the shortest way that it knows.
    """
    machine = type("Machine", (DishonestServerMachine,), {"make_device": staticmethod(make_device)})
    run_state_machine_as_test(machine, settings=how)
