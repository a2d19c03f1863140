"""A simulated cluster in one process, with people who play, and a consistency check."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Self, cast

import msgspec

from jasstisch.client import Client, WatchedTable
from jasstisch.games import game
from jasstisch.server.api import messages
from jasstisch.server.cluster.messages import PROTOCOL_VERSION
from jasstisch.server.cluster.node import ClusterNode
from jasstisch.server.context import ServerContext
from jasstisch.server.errors import ServerBusyError, TableNotFoundError
from jasstisch.server.limits.server_limits import Limits
from jasstisch.server.main import create_table_services
from jasstisch.storage import Ban, StoreError
from jasstisch.table import PackSource, Table, commands, events
from tests.server.cluster.in_memory import (
    FakeDatabase,
    LossyNetwork,
    MemoryBus,
    MemoryStore,
    loop_time,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jasstisch.server.tables.handle import TableMessage
    from jasstisch.storage import EventStore

TABLE = "t" * 22
PEOPLE = "abcd"

MAX_WATCH_ATTEMPTS = 60
"""So often somebody tries to follow a table."""

_decode = msgspec.json.Decoder(messages.ServerMessage).decode


class VirtualTimeServices(ServerContext):
    """Services that run on the clock of the event loop."""

    def now(self) -> float:
        return loop_time()

    async def sleep_until(self, deadline: float) -> None:
        await asyncio.sleep(deadline - loop_time())


class EmptyIdentities:
    """An identity store without people; the simulation has no connections."""

    async def count_credentials(self) -> int:
        return 0

    async def list_bans(self, now: float) -> list[Ban]:
        return []


class InProcessNode:
    """A node of the simulated cluster.

    Attributes:
        store: the store as it has it.
        bus: the bus as it has it.
        registry: its tables.
    """

    def __init__(
        self,
        database: FakeDatabase,
        network: LossyNetwork,
        *,
        events: int = 1,
        talk: int = PROTOCOL_VERSION,
        limits: Limits | None = None,
        store: type[MemoryStore] = MemoryStore,
    ) -> None:
        self.store = store(database)
        self.store.identity_store = cast("Any", EmptyIdentities())
        self.bus = MemoryBus(network)
        limits = limits or Limits(commitment_wait_s=0.0)
        self.services = VirtualTimeServices(cast("EventStore", self.store), limits)
        self.cluster = ClusterNode(
            self.services,
            self.store,
            self.bus,
            "site",
            events,
            protocol_version=talk,
            now=loop_time,
        )
        self.registry = create_table_services(self.services, self.cluster).registry

    async def open(self) -> InProcessNode:
        """Joins the cluster."""
        await self.cluster.start()
        return self

    def partition(self) -> None:
        """Cuts the node off from store and bus, as if its process were paused."""
        self.store.is_down = True
        self.bus.connected = False

    def heal(self) -> None:
        """Reconnects the node to store and bus."""
        self.store.is_down = False
        self.bus.connected = True

    async def close(self) -> None:
        """Shuts the node down gracefully."""
        await self.cluster.close()
        self.services.close()

    async def kill(self) -> None:
        """Stops the node at once, without a message to anybody."""
        self.partition()


class SimulatedPerson:
    """A person connected to a node, with a client-side copy of the table.

    Attributes:
        closed: the connection is gone.
        copy: the table, folded from the messages received.
        acknowledged: what was acknowledged, by its number.
        refused: what was refused.
        session: the session of all connections of this person's client; None without one.
        settled: the last request of the session that the table has settled, as it has said.
    """

    def __init__(self, name: str | None, site: InProcessNode, table: str = TABLE) -> None:
        self.person = name
        self.closed = False
        self.site = site
        self.table = table
        self.copy = WatchedTable(cast("Client", None), table)
        self.acknowledged: dict[int, messages.Ack] = {}
        self.refused: dict[int, messages.ErrorMessage] = {}
        self.told: list[messages.ServerMessage] = []
        self.gaps = 0
        self.session: str | None = None
        self.settled: int | None = None
        self.seq = 0

    def send(self, text: bytes) -> None:
        message = _decode(text)
        self.told.append(message)
        match message:
            case messages.Ack():
                assert message.seq >= 0
                self.acknowledged[message.seq] = message
            case messages.ErrorMessage(seq=int(seq)):
                self.refused[seq] = message
            case messages.Event() | messages.Snapshot():
                self.gaps += not self.copy.apply_message(message)
            case messages.Presence():
                self.copy.connected = message.connected
                self.copy.spectators = message.spectators
            case messages.Settled():
                self.settled = message.last
            case _:
                pass

    async def request(self, **words: Any) -> str:
        """Sends a request as a connection does; returns `done` or the code of the refusal."""
        self.seq += 1
        seq = self.seq
        text = msgspec.json.encode(words | {"seq": seq, "table": self.table})
        message = msgspec.json.decode(text, type=messages.ClientMessage)
        try:
            table = await self.site.registry.get_table(self.table)
            taken = await table.request(self, cast("TableMessage", message))
        except (ServerBusyError, StoreError):
            return "busy"
        except TableNotFoundError:
            return "unknown_table"
        if not taken:
            return "busy"
        if seq in self.acknowledged:
            return "done"
        return self.refused[seq].code

    async def watch(self) -> str:
        """Watches the table from the last version seen."""
        since = self.copy.version or None
        return await self.request(
            type="watch", since=since, seat=self.copy.seat, session=self.session
        )

    async def send_contributions(self) -> None:
        """Sends this person's contributions to the deals."""
        for wanted in self.copy.fair_deal_messages():
            words = msgspec.to_builtins(wanted)
            asked = {key: words[key] for key in words.keys() - {"seq", "table"}}
            assert await self.request(**asked) == "done"

    async def reconnect_contributions(self) -> None:
        """Sends contributions again after a lost connection, as a client does."""
        assert self.copy.deal_participant is not None
        self.copy.deal_participant.mark_all_unsent()
        await self.send_contributions()

    async def follow(self) -> SimulatedPerson:
        """Watches the table, unless the connection closes with the node."""
        for _ in range(MAX_WATCH_ATTEMPTS):
            gone = self.closed or self.site.cluster.stopping
            if gone or await self.watch() == "done":
                return self
            await asyncio.sleep(0.5)
        raise AssertionError("the table cannot be watched")

    def disconnect(self) -> None:
        """Closes the connection."""
        self.closed = True
        known = self.site.registry.peek_table(self.table)
        if known is not None:
            known.unsubscribe(self)

    def reconnect_to(self, site: InProcessNode) -> SimulatedPerson:
        """Connects to another node and keeps the copy."""
        self.disconnect()
        return self.connect_again(site)

    def connect_again(self, site: InProcessNode) -> SimulatedPerson:
        """Connects to another node, while the line to the one before is dead but open."""
        there = SimulatedPerson(self.person, site, self.table)
        there.copy, there.session, there.seq = self.copy, self.session, self.seq
        self.copy = WatchedTable(cast("Client", None), self.table)
        return there

    async def move_to(self, site: InProcessNode) -> SimulatedPerson:
        """Connects to another node and watches the table there."""
        return await self.reconnect_to(site).follow()


def new_log(
    people: str = PEOPLE, table: str = TABLE, chance: Callable[[int], bytes] | None = None
) -> list[events.Event]:
    """The log of a table at which people have sat down and started a match.

    Args:
        people: by their names.
        table: its id.
        chance: of the match; None where it is not dealt fairly.
    """
    rules = game("molotov", players=len(people), target=20)
    created = events.TableCreated(
        table=table,
        game=rules.name,
        options=dict(rules.options),
        seats=[None] * len(people),
        thinking_time=None,
        pause=0,
        host=people[0],
    )
    made = Table(created)
    done: list[events.Event] = [created]
    sitting: Iterator[commands.Command] = (
        commands.Sit(one, seat, one.upper()) for seat, one in enumerate(people)
    )
    for command in (*sitting, commands.StartMatch(people[0])):
        done.extend(made.execute(command, PackSource(lambda pack: pack, chance)))
    return done


class SimulatedCluster:
    """Several nodes with one table; its four people connect to the nodes in turn."""

    def __init__(self, nodes: int = 3, seed: int = 0) -> None:
        self.database = FakeDatabase()
        self.network = LossyNetwork(seed)
        self.database.logs[TABLE] = new_log()
        self._nodes = nodes
        self.sites: list[InProcessNode] = []
        self.people: list[SimulatedPerson] = []

    async def open(self) -> Self:
        self.sites = [await self.add_node() for _ in range(self._nodes)]
        await asyncio.sleep(1.0)  # until all know each other
        for number, name in enumerate(PEOPLE):
            site = self.sites[number % self._nodes]
            self.people.append(await SimulatedPerson(name, site).follow())
        return self

    async def add_node(self) -> InProcessNode:
        """Adds a node."""
        return await InProcessNode(self.database, self.network).open()

    def next_action(self) -> tuple[SimulatedPerson, str]:
        """The seat to act and one of its legal actions."""
        state = Table.from_events(self.database.logs[TABLE]).state
        match = state.match
        assert match is not None
        seat = next(iter(match.to_act))
        person = next(one for one in self.people if one.person == PEOPLE[seat])
        return person, match.legal(seat)[0]

    async def play(self, most: int = 1) -> list[str]:
        """Plays some actions; returns the result of each."""
        fates = []
        for _ in range(most):
            person, action = self.next_action()
            fates.append(await person.request(type="act", action=action))
        return fates

    @property
    def owner(self) -> InProcessNode:
        """The node that owns the table."""
        return next(site for site in self.sites if site.registry.get_local(TABLE))

    def evict(self) -> None:
        """Removes the table from the memory of its owner."""
        actor = self.owner.registry.get_local(TABLE)
        assert actor is not None
        actor.evict()

    async def close(self) -> None:
        for site in self.sites:
            await site.close()


def check_consistency(
    database: FakeDatabase, people: list[SimulatedPerson], table: str = TABLE
) -> None:
    """Checks that each copy equals the log and that every acknowledged action is in it."""
    log = database.logs[table]
    state = Table.from_events(log).state
    for one in people:
        seat = state.seats.seat_of(one.person)
        assert one.gaps == 0
        assert one.copy.seat == seat
        assert one.copy.version == len(log), (one.person, one.copy.version, len(log))
        assert one.copy._view == as_json(state.view(seat))
        assert one.copy._room == as_json(state.room())


def as_json(what: Any) -> Any:
    """Returns a value after a round trip through JSON."""
    return msgspec.json.decode(msgspec.json.encode(what))


def logged_actions(database: FakeDatabase, table: str = TABLE) -> list[tuple[int, str]]:
    """The seats and actions in the log of a table."""
    log = database.logs[table]
    return [(one.seat, one.action) for one in log if isinstance(one, events.Acted)]


async def run_inline(work: Any, *arguments: Any) -> Any:
    """Runs blocking work inline: virtual time does not wait for threads."""
    return work(*arguments)
