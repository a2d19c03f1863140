"""A table whose server keeps to the protocol, and people whose connections and devices do not.

The server is the real one without its sockets: the table, its ledger, and the gathering of
contributions. What the people's devices are to name in the end is counted here from the events of
the log and from what was sent, in the plainest way.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import msgspec

from bench.attacks.fair_deals.devices import Answer, EditableDevice, NamedPacks
from jasstisch.server.api import messages
from jasstisch.server.context import ServerContext
from jasstisch.server.tables.broadcaster import Subscriber
from jasstisch.server.tables.deal_contributions import DealContributions
from jasstisch.table import PackSource, Table, TableError, commands, events
from tests.table.table_driver import SHORT_OPTIONS, new_table

Message = messages.CommitContributions | messages.OpenContribution

MATCHES = 2
"""How many matches are played at most."""

DRAWN = 600
"""Random bytes for a device: more than it needs in so many matches."""


@dataclass(frozen=True, slots=True)
class Told:
    """A state of the deals as a device is told it."""

    deals: Any
    match: int
    seat: int | None


@dataclass(slots=True)
class DealtMatch:
    """What the log says of the deals of a match: by pack and attempt, what each seat asked opened.

    Attributes:
        packs: the attempts at each pack that was called; None stands for what was not opened.
    """

    packs: list[list[dict[int, str | None]]] = field(default_factory=list)
    asked: tuple[int, ...] = ()

    def note(self, event: events.Event) -> None:
        """Notes an event of the log."""
        match event:
            case events.PackCommitmentsCalled(call):
                self.asked = tuple(sorted(map(int, call["commitments"])))
                self.packs.append([] if self.asked else [{}])
            case events.CommitmentOpeningsClosed(openings):
                attempt = {seat: openings.get(str(seat)) for seat in self.asked}
                self.packs[-1].append(attempt)
                self.asked = tuple(seat for seat in self.asked if attempt[seat] is not None)
                if not self.asked:
                    self.packs[-1].append({})


@dataclass(slots=True)
class Memory:
    """What a person's device has done and seen since it last lost its memory, by match and pack."""

    committed: set[tuple[int, int]] = field(default_factory=set)
    called: set[tuple[int, int]] = field(default_factory=set)
    opened: set[tuple[int, int, int, int | None, str]] = field(default_factory=set)
    match: int = 0


class Person:
    """A person with a device, in one or more implementations that must answer alike.

    Attributes:
        name: the person.
        connection: the connection to the table; None while there is none.
        told: what the server has told and the device has not received.
        told_last: what the server has told last.
        sent: what the device has sent and the server has not received.
    """

    def __init__(self, name: str, devices: Sequence[EditableDevice], chance: Random) -> None:
        self.name = name
        self.connection: Subscriber | None = None
        self.told: deque[Told] = deque()
        self.told_last: Told | None = None
        self.sent: deque[Message] = deque()
        self._devices = devices
        self._chance = chance
        self.lose_memory()

    def lose_memory(self) -> None:
        """The device starts again, without its memory."""
        drawn = [self._chance.randbytes(32).hex() for _ in range(DRAWN)]
        self.memory = Memory()
        for device in self._devices:
            device.lose_memory(drawn)

    def reload(self) -> None:
        """The device starts again, with its memory."""
        for device in self._devices:
            device.reload()

    def reconnect(self) -> None:
        """The device has another connection."""
        for device in self._devices:
            device.reconnect()

    def receive(self, table: str) -> None:
        """Receives what the server has told next.

        Raises:
            AssertionError: the device finds that the server does not keep to the protocol.
        """
        told = self.told.popleft()
        answer = _only(device.react(told.deals, told.match, told.seat) for device in self._devices)
        assert answer.trouble is None, (self.name, told, answer)
        memory, match = self.memory, told.match
        memory.match = match
        if told.deals is not None and told.deals["call"] is not None:
            memory.called.add((match, told.deals["call"]["pack"]))
        self._send(table, told, answer)

    def _send(self, table: str, told: Told, answer: Answer) -> None:
        for pack, made in answer.commitments:
            self.memory.committed.add((told.match, pack))
            self.sent.append(
                messages.CommitContributions(0, table, pack, [one.hex() for one in made])
            )
        for pack, attempt, opening in answer.openings:
            self.memory.opened.add((told.match, pack, attempt, told.seat, opening.hex()))
            self.sent.append(messages.OpenContribution(0, table, pack, attempt, opening.hex()))

    def check_verdict(self, number: int, match: DealtMatch, record: dict[str, Any]) -> None:
        """Checks the verdict of the device on the record of a match.

        Raises:
            AssertionError: it accuses the server, or names other packs or people.
        """
        kind = "verified"
        if self.memory.match != number:  # it has not heard of this match
            assert {device.verify(record).kind for device in self._devices} == {kind}
            return
        assert {device.judge(record).kind for device in self._devices} == {kind}, self.name
        packs = match.packs[: sum(actor == "pack" for actor, _ in record["log"])]
        named = _only(device.named_packs(record) for device in self._devices)
        assert named == self._to_name(number, packs), self.name

    def _to_name(self, number: int, packs: Sequence[list[dict[int, str | None]]]) -> NamedPacks:
        memory = self.memory
        own: list[int] = []
        excluded: list[int] = []
        unseen: list[int] = []
        for pack, attempts in enumerate(packs, start=1):
            deciding = {
                (number, pack, len(attempts), seat, opening)
                for seat, opening in attempts[-1].items()
            }
            took_part = (number, pack) in memory.committed & memory.called
            share = own if deciding & memory.opened else excluded if took_part else unseen
            share.append(pack)
        missing = tuple(
            (pack, attempt, seat)
            for pack, attempts in enumerate(packs, start=1)
            for attempt, people in enumerate(attempts, start=1)
            for seat, opening in people.items()
            if opening is None
        )
        alone = sum(not attempts[-1] for attempts in packs)
        return NamedPacks(tuple(own), tuple(excluded), tuple(unseen), missing, alone)


class HonestTable:
    """The table of a server that keeps to the protocol.

    Args:
        people: the people.
        seated: how many of them sit at the table when the match begins.
        game: the game.
        seed: the seed of all that happens by chance.

    Attributes:
        people: the people.
    """

    def __init__(self, people: Sequence[Person], seated: int, game: str, seed: int) -> None:
        self.people = people
        self.rng = Random(seed)
        self._now = 0.0
        seats = [None] * seated + ["random"] * (4 - seated)
        made = new_table(game, seats, **SHORT_OPTIONS[game]).state.creation_event
        self._table = Table(msgspec.structs.replace(made, host=people[0].name))
        self._contributions = self._new_contributions()
        self._log: list[events.Event] = [self._table.state.creation_event]
        self._matches: list[DealtMatch] = []
        for person in people:
            self.connect(person)
        for seat, person in enumerate(people[:seated]):
            self.execute(commands.Sit(person.name, seat, person.name.upper()))
        self.execute(commands.StartMatch(people[0].name))

    @property
    def awaits_openings(self) -> bool:
        """Whether a pack is called and not decided."""
        ledger = self._table.state.deal_ledger
        return ledger is not None and ledger.pending_pack_call is not None

    @property
    def is_closed(self) -> bool:
        """Whether the table is closed."""
        return self._table.state.phase == "closed"

    # --- the server ------------------------------------------------------------------------------

    def execute(self, command: commands.Command) -> None:
        """Executes a command, and tells everybody who is connected of each change of the deals."""
        for event in self._table.execute(command, self._contributions.pack_source):
            self._contributions.on_event(event)
            self._log.append(event)
            if isinstance(event, events.MatchStarted | events.RematchStarted):
                self._matches.append(DealtMatch())
            if self._matches:
                self._matches[-1].note(event)
            for person in self.people:
                self._tell(person)
        self._contributions.update_deadline(self._table.state)

    def restart(self) -> None:
        """The server starts again from its log, and all connections are lost."""
        for person in self.people:
            self.disconnect(person)
        self._table = Table.from_events(self._log)
        self._contributions = self._new_contributions()
        self._contributions.restart_deadline(self._table.state)
        for person in self.people:
            self.connect(person)

    def wait(self) -> None:
        """The server waits no longer for contributions."""
        if self._contributions.deadline is not None:
            self._now = self._contributions.deadline
            self.execute(self._contributions.closing_command(self._table.state))

    def take_in(self, person: Person) -> None:
        """The server receives all that a device has sent."""
        while person.sent:
            message = person.sent.popleft()
            assert person.connection is not None
            with suppress(TableError):  # it came too late, or the seat is another one now
                done = self._contributions.receive(self._table.state, person.connection, message)
                if done:
                    self.execute(self._contributions.closing_command(self._table.state))

    def _new_contributions(self) -> DealContributions:
        context = SimpleNamespace(
            limits=SimpleNamespace(commitment_wait_s=2.0),
            now=lambda: self._now,
            new_pack_source=lambda: PackSource(
                lambda pack: self.rng.sample(pack, len(pack)),
                self.rng.randbytes,
                is_first_pack_deferred=True,
            ),
        )
        return DealContributions(cast("ServerContext", context))

    def _tell(self, person: Person, *, anew: bool = False) -> None:
        """Tells a person the state of the deals if it has changed, or on a new connection."""
        state = self._table.state
        seat = state.seats.seat_of(person.name)
        told = Told(msgspec.to_builtins(state.room().fair), state.match_number, seat)
        if person.connection is not None and (anew or told != person.told_last):
            person.told.append(told)
            person.told_last = told

    # --- connections -----------------------------------------------------------------------------

    def connect(self, person: Person) -> None:
        """A device connects, and is told the present state."""
        person.connection = cast("Subscriber", SimpleNamespace(person=person.name))
        person.reconnect()
        self._tell(person, anew=True)

    def disconnect(self, person: Person) -> None:
        """A connection is lost, with all that was on its way."""
        if person.connection is not None:
            self._contributions.on_disconnect(person.connection)
        person.connection = None
        person.told.clear()
        person.sent.clear()

    def settle(self, *besides: Person) -> None:
        """Everybody who is connected receives and sends all that there is, besides these."""
        people = [person for person in self.people if person not in besides]
        while busy := [person for person in people if person.told or person.sent]:
            for person in busy:
                while person.told:
                    person.receive(self._table.state.creation_event.table)
                self.take_in(person)

    def receive(self, person: Person) -> None:
        """A device receives what it was told next."""
        if person.told:
            person.receive(self._table.state.creation_event.table)

    # --- the match -------------------------------------------------------------------------------

    def play(self) -> bool:
        """Somebody does what is to be done; False if nobody has to do anything.

        Before the next match the verdicts on this one are checked.
        """
        command = self._next_command()
        if command is None:
            return False
        if self._table.state.phase == "over":
            self.check_verdicts()
        self.execute(command)
        return True

    def _next_command(self) -> commands.Command | None:
        state = self._table.state
        match = state.match
        if match is None or self.is_closed:
            return None
        if state.undo_state.pending is not None:
            voter = state.seats[min(state.undo_voters())].person
            return commands.AnswerUndo(str(voter), accept=True)
        if state.phase == "over" and state.match_number == MATCHES:
            return None
        if state.phase in ("between", "over"):
            waiting = [one.person for one in state.seats if one.person and not one.ready]
            return commands.ReadyUp(waiting[0]) if waiting else None
        if match.needs_pack:
            return None
        seat = self.rng.choice(match.to_act)
        action = self.rng.choice(match.legal(seat))
        place = state.seats[seat]
        if place.person is not None and not place.is_away:
            return commands.Act(place.person, action)
        return commands.BotAct(seat, action)

    def attempt(self, command: commands.Command) -> None:
        """Somebody asks for something that may not be possible now."""
        with suppress(TableError):
            self.execute(command)

    def check_verdicts(self) -> None:
        """Checks the verdict of each device, if the match is over or closed."""
        state = self._table.state
        if state.phase in ("over", "closed") and state.match is not None:
            record = dict(state.match.record())
            for person in self.people:
                person.check_verdict(state.match_number, self._matches[-1], record)


def _only(found: Iterator[Any]) -> Any:
    """What all implementations have found.

    Raises:
        AssertionError: they differ.
    """
    first, *others = found
    assert all(other == first for other in others), (first, others)
    return first
