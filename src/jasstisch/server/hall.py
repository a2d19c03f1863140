"""All tables of a server: making new ones, and fetching old ones from the store when asked."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from jasstisch.errors import GameError
from jasstisch.games import game
from jasstisch.games.rules import Game
from jasstisch.guides import guide
from jasstisch.server import messages
from jasstisch.server.forgetting import Forgetting
from jasstisch.server.hosted import Hosted
from jasstisch.server.identity import new_table_id
from jasstisch.server.invitations import Invitations
from jasstisch.server.live import Live
from jasstisch.server.log import failure, log, short
from jasstisch.server.names import nickname
from jasstisch.server.people import People
from jasstisch.server.retention import Retention
from jasstisch.server.services import Services
from jasstisch.store import DamagedError
from jasstisch.table import (
    STAND_IN,
    Dealer,
    Over,
    Resumption,
    Table,
    TableError,
    commands,
    events,
)
from jasstisch.table.errors import no_such_seat

if TYPE_CHECKING:
    from jasstisch.server.nodes.cluster import Cluster

__all__ = ["BusyError", "Hall", "UnknownTableError"]

BOT = "bot:"
"""How the name of a computer player begins where a seat is named."""

SHORT = 100
"""A log of so many events is replayed at once, which takes a millisecond or two."""


class UnknownTableError(LookupError):
    """No table has this id."""


class BusyError(Exception):
    """The server has taken on all it can for now."""


class Hall:
    """The tables of a server.

    Args:
        services: what the tables need.
        cluster: this node among others; None where there is one only.

    Attributes:
        people: who is known.
        invitations: the short codes for tables.
        forgetting: leaves the tables of those who are to be known no longer.
    """

    def __init__(self, services: Services, cluster: "Cluster | None" = None) -> None:
        self.services = services
        self.cluster = cluster
        self.people = People(services)
        self.invitations = Invitations(self)
        self._live: dict[str, Live] = {}
        self._made_by: dict[str, tuple[str, ...]] = {}
        self._running = services.shared.tally("running")
        self._made = services.shared.debited("tables", self._made_elsewhere)
        self._loading: dict[str, asyncio.Task[Live]] = {}
        self._stored = 0
        self._retention = Retention(self)
        self.forgetting = Forgetting(self)
        services.readiness.listen(self._players_changed)
        if cluster is not None:
            cluster.serve(self)

    async def open(self) -> None:
        """Counts the tables there are.

        Raises:
            StoreError: the store failed.
        """
        try:
            self._stored = await self.services.store.count()
        except DamagedError as error:
            # Those that can be read are served; `jasstisch check` says which cannot.
            log.error("tables_not_counted", **failure(error))
        await self.people.open()
        self._retention.begin()
        self.forgetting.begin()

    async def close(self) -> None:
        """Lets all tables go; what was acknowledged is in the store."""
        self._retention.end()
        self.forgetting.end()
        if self.cluster is not None:
            await self.cluster.close()
        for live in list(self._live.values()):
            live.close()
        await self.services.store.close()
        self.services.close()

    async def create(
        self, new: messages.NewTable, person: str, address: str = ""
    ) -> messages.CreatedTable:
        """Makes a table, seats its maker and begins the match as he wishes.

        Args:
            new: the table asked for.
            person: who makes it.
            address: where he calls from.

        Raises:
            TableError: something in `new` is not allowed; the message says what is.
            BusyError: the server or its store is full.
            StoreError: it could not be stored.
        """
        rules = _guided(new) if new.guided else _rules(new)
        known = (await self.services.players())[rules.name]
        players = _computers(new, known)
        if new.hints and rules.name not in await self.services.hinted():
            raise TableError("bad_option", f"there are no hints for {rules.name} here")
        mine = new.seats.index("me") if "me" in new.seats else None
        self._check_room(person, address)
        created = events.Created(
            table=new_table_id(),
            game=rules.name,
            options=dict(rules.options),
            seats=players,
            thinking_time=_thinking_time(new),
            pause=new.pause,
            guided=new.guided,
            hints=new.hints,
            stand_in=new.stand_in,
            host=person,
            match_time=new.match_time,
            starters=new.starters,
        )
        first = _first_commands(new, mine, person)
        await self._store(*_made(created, first, self.services.dealer()), person, address)
        return messages.CreatedTable(table=created.table, seat=mine)

    async def resume(
        self,
        match: Over,
        found: Resumption,
        wish: messages.ResumeMatch,
        person: str,
        address: str = "",
    ) -> messages.CreatedTable:
        """Makes a table where a match that is over goes on from a decision, against computers.

        They are those that sat there, and the stand-in of that table in the place of its people.

        Args:
            match: the match.
            found: the decision.
            wish: what is asked for.
            person: who plays on.
            address: where he calls from.

        Raises:
            TableError: something in `wish` is not allowed, or cannot be done here any more.
            BusyError: the server or its store is full.
            StoreError: it could not be stored.
        """
        room, game = match.room, match.record["game"]
        mine = match.seats.get(person, found.to_act[0]) if wish.seat is None else wish.seat
        if mine >= len(room.seats):
            raise no_such_seat(mine, len(room.seats))
        known = (await self.services.players())[game]
        stand_in = room.stand_in if room.stand_in in known else STAND_IN
        computers: list[str | None] = [seat.bot or stand_in for seat in room.seats]
        computers[mine] = None
        for name in (stand_in, *filter(None, computers)):
            if name not in known:
                raise TableError("bad_option", f"the computer player {name!r} is no longer here")
        created = events.Created(
            table=new_table_id(),
            game=game,
            options=dict(match.record["options"]),
            seats=computers,
            thinking_time=None,
            pause=room.pause,
            hints=room.hints and game in await self.services.hinted(),
            stand_in=stand_in,
            host=person,
            starters="host",
        )
        first: list[commands.Command] = [
            commands.Sit(person, mine, nickname(wish.name), wish.face),
            commands.Resume(person, found.log),
        ]
        # A long match is played until there in a moment, in which others have the loop.
        table, done = await asyncio.to_thread(_made, created, first, self.services.dealer())
        self._check_room(person, address)
        await self._store(table, done, person, address)
        return messages.CreatedTable(table=created.table, seat=mine)

    async def _store(
        self, table: Table, done: Sequence[events.Event], person: str, address: str
    ) -> None:
        """Stores a new table and takes it into memory.

        Raises:
            StoreError: it could not be stored.
        """
        created = table.state.created
        # Counted before it is stored: many may be made at the same time.
        self._count(created.table, person, address)
        self._add_stored(1)
        try:
            await self.services.store.append(created.table, 0, done, table.state.finished)
        except BaseException:
            self._add_stored(-1)
            self._discount(created.table)
            raise
        seats = len(created.seats)
        log.info("table_made", table=short(created.table), game=created.game, seats=seats)
        self._enter(table)

    async def find(self, table: str, address: str = "") -> Hosted:
        """The table of this id, at whatever node, fetched from the store if need be; see `fetch`.

        Raises:
            UnknownTableError: there is none.
            BusyError: too many tables are in memory, or in use at this address.
            StoreError: it cannot be read, or reached.
        """
        if self.cluster is not None:
            return await self.cluster.find(table, address)
        return await self.fetch(table, address)

    async def fetch(self, table: str, address: str = "") -> Live:
        """The table of this id in the memory of this node, from the store if need be.

        Args:
            table: the id.
            address: under whom it counts if it is fetched; empty where the server itself asks.

        Raises:
            UnknownTableError: there is none.
            BusyError: too many tables are in memory, or in use at this address.
            DamagedError: its log is damaged; other tables go on.
            ElsewhereError: another node has it.
            StoreError: it cannot be read.
        """
        live = self._live.get(table)
        if live is not None:
            return live
        loading = self._loading.get(table)
        if loading is None:
            # Here and not in the task, in which others may wait who call from elsewhere.
            self._make_room_at(address)
            # Counted before it is read: many may be asked for at the same time.
            if address:
                self._running.add(address)
            loading = asyncio.create_task(self._load(table, address))
            self._loading[table] = loading
            loading.add_done_callback(lambda _: self._loading.pop(table, None))
        # Shielded: others may wait for the same table.
        return await asyncio.shield(loading)

    def known(self, table: str) -> Hosted | None:
        """The table of this id if it is in memory, or it is known which node has it."""
        if self.cluster is not None:
            return self.cluster.known(table)
        return self._live.get(table)

    def here(self, table: str) -> Live | None:
        """The table of this id if it is in the memory of this node."""
        return self._live.get(table)

    def all_here(self) -> list[Live]:
        """The tables in the memory of this node."""
        return list(self._live.values())

    def doubt(self) -> None:
        """Has all tables in memory read anew: others may have written to them."""
        for live in self._live.values():
            live.doubt()

    async def in_use(self, table: str) -> bool:
        """Whether a table is in memory, at this node or another.

        Raises:
            StoreError: that cannot be told now.
        """
        if table in self._live or self.cluster is None:
            return table in self._live
        elsewhere = not await self.cluster.leases(table)
        # Somebody may have asked for it meanwhile.
        here = table in self._live or table in self._loading
        if not here:
            self.cluster.give_back(table)
        return elsewhere or here

    async def is_charged(self, job: str) -> bool:
        """Whether this node is the one that does a job which one of them must do.

        Raises:
            StoreError: that cannot be told now.
        """
        return self.cluster is None or await self.cluster.leases(f"*{job}")

    def done_with(self, job: str) -> None:
        """Lets other nodes do a job that one of them must do."""
        if self.cluster is not None:
            self.cluster.give_back(f"*{job}")

    @property
    def in_memory(self) -> int:
        """How many tables are in memory."""
        return len(self._live)

    @property
    def stored(self) -> int:
        """How many tables the store holds."""
        return self._stored

    async def recount(self) -> None:
        """Counts the tables there are, where other nodes make some too.

        Raises:
            StoreError: the store failed.
        """
        if self.cluster is not None:
            self._stored = await self.services.store.count()

    async def delete(self, table: str) -> bool:
        """Deletes a table for good; whoever follows it is told that it is unknown.

        Returns:
            Whether there was such a table.

        Raises:
            StoreError: it could not be deleted.
        """
        if self.cluster is not None:
            return await self.cluster.delete(table)
        return await self.delete_here(table)

    async def delete_here(self, table: str) -> bool:
        """Deletes a table that no other node has; see `delete`."""
        live = self._live.get(table)
        if live is not None:
            live.close("unknown_table")
        gone = await self.services.store.delete(table)
        # Whoever asked for it meanwhile has brought it back into memory, or is about to.
        if table in self._loading:
            await asyncio.wait([self._loading[table]])
        if table in self._live:
            self._live[table].close("unknown_table")
        if gone:
            self._link_ended(table)
            self._add_stored(-1)
            log.info("table_deleted", table=short(table))
        return gone

    # How much there may be.

    def _check_room(self, person: str, address: str) -> None:
        """Makes room in memory for another table.

        Raises:
            TableError: so many tables of this person, or of this address, are in use.
            BusyError: there can be no more.
        """
        limits = self.services.limits
        if self._stored >= limits.tables:
            self.services.incidents.note("limit_hit", "tables", address)
            raise BusyError("this server holds as many tables as it may")
        for who, most, text in (
            (person, limits.running_per_person, "you have"),
            (address, limits.running_per_address, "at your address there are"),
        ):
            if who and self._running[who] >= most:
                self.services.incidents.note("limit_hit", "running", address)
                raise TableError("limit", f"{text} {most} tables in use; leave some for a minute")
        self._make_room()

    def _make_room(self) -> None:
        """Has the table that has been idle longest leave memory, where it is full.

        Raises:
            BusyError: all are in use.
        """
        if len(self._made_by) < self.services.limits.live_tables:
            return
        idle = [live for live in self._live.values() if live.idle]
        if not idle:
            self.services.incidents.note("limit_hit", "live_tables")
            raise BusyError("too many tables are being played at; try again in a minute")
        min(idle, key=lambda live: live.quiet_since).close()

    def _make_room_at(self, address: str) -> None:
        """Has the idle tables of an address leave memory, oldest first, where it has too many.

        Raises:
            BusyError: all of them are in use.
        """
        most = self.services.limits.running_per_address
        while address and self._running[address] >= most:
            mine = [live for live in self._live.values() if address in self._made_by[live.id]]
            idle = [live for live in mine if live.idle]
            if not idle:
                self.services.incidents.note("limit_hit", "running", address)
                raise BusyError(f"at your address there are {most} tables in use")
            min(idle, key=lambda live: live.quiet_since).close()

    def _add_stored(self, tables: int) -> None:
        self._stored += tables
        made = self._made()
        if made is not None:
            made[""] += tables

    def _made_elsewhere(self, _: str, tables: int) -> None:
        self._stored += tables

    def _count(self, table: str, *whose: str) -> None:
        self._made_by[table] = whose
        for who in filter(None, whose):
            self._running.add(who)

    def _discount(self, table: str) -> None:
        self._release(*self._made_by.pop(table, ()))

    def _release(self, *whose: str) -> None:
        for who in filter(None, whose):
            self._running.remove(who)

    async def _load(self, table: str, address: str) -> Live:
        try:
            node = "" if self.cluster is None else await self.cluster.claim(table)
            loaded = await self.read(table)
            if self.cluster is not None:
                self.cluster.check_still(node)
            self._make_room()
        except BaseException as error:
            if isinstance(error, DamagedError):
                log.error("table_damaged", table=short(table), **failure(error))
            if self.cluster is not None:
                self.cluster.give_back(table)
            raise
        finally:
            self._release(address)
        self._count(table, loaded.state.house.host or "", address)
        return self._enter(loaded)

    async def read(self, table: str) -> Table:
        """A table as the store holds it, which stays out of memory.

        Raises:
            UnknownTableError: there is none.
            DamagedError: its log is damaged.
            StoreError: it cannot be read.
        """
        found = await self.services.store.load(table)
        if not found:
            raise UnknownTableError(table)
        try:
            # A thread costs as much as a few moves, and keeps the others from the interpreter.
            if len(found) <= SHORT:
                read = Table.from_events(found)
            else:
                read = await asyncio.to_thread(Table.from_events, found)
        except Exception as error:  # however the log is damaged, it is this table's alone
            raise DamagedError("its events do not follow from each other") from error
        if read.state.created.table != table:
            raise DamagedError("its log is that of another table")
        return read

    def _enter(self, table: Table) -> Live:
        live = Live(table, self.services, self._forget, self._link_ended)
        self._live[live.id] = live
        return live

    def _forget(self, table: str) -> None:
        self._live.pop(table, None)
        self._discount(table)
        if self.cluster is not None:
            self.cluster.let_go(table)

    def _link_ended(self, table: str) -> None:
        """The link of a table leads there no more, and so no code does."""
        self.invitations.drop(table)
        if self.cluster is not None:
            self.cluster.link_ended(table)

    def _players_changed(self) -> None:
        for live in self._live.values():
            live.players_changed()


def _made(
    created: events.Created, first: Sequence[commands.Command], dealer: Dealer
) -> tuple[Table, list[events.Event]]:
    """A new table after its first commands, and all its events.

    Raises:
        TableError: one of them is refused.
    """
    table = Table(created)
    done: list[events.Event] = [created]
    for command in first:
        done.extend(table.perform(command, dealer))
    return table, done


def _rules(new: messages.NewTable) -> Game:
    """The game with its options; `players` may be left out, for the seats tell it."""
    options: dict[str, object] = {"players": len(new.seats)} | dict(new.options)
    try:
        rules = game(new.game, **options)
    except GameError as error:
        raise TableError("bad_option", str(error)) from error
    if rules.players != len(new.seats):
        raise TableError("bad_option", f"{rules.players} players need as many seats")
    return rules


USUAL_THINKING_TIME = 60
"""Seconds for a card at a table of two people or more, where nothing else is chosen."""


def _thinking_time(new: messages.NewTable) -> int | None:
    """Seconds a person has for a card; None for no limit."""
    if new.thinking_time == "unlimited" or new.guided:
        return None
    people = sum(not seat.startswith(BOT) for seat in new.seats)
    return new.thinking_time or (USUAL_THINKING_TIME if people > 1 else None)


def _guided(new: messages.NewTable) -> Game:
    """The game with the options of its guided round; the maker chooses none and learns in seat 0.

    Without a thinking time, for reading takes as long as it takes.
    """
    try:
        rules = game(new.game, **guide(new.game).options)
    except GameError as error:
        raise TableError("bad_option", str(error)) from error
    computers = [seat for seat in new.seats[1:] if seat.startswith(BOT)]
    fits = new.seats[0] == "me" and len(computers) == rules.players - 1 == len(new.seats) - 1
    timed = new.thinking_time not in (None, "unlimited") or new.match_time is not None
    if not fits or new.options or timed or new.hints or not new.start:
        raise TableError(
            "bad_option",
            f"a guided round of {rules.name} starts at once, without options, thinking time or "
            f"hints; "
            f"the first of its {rules.players} seats is me and the others are computer players",
        )
    return rules


def _computers(new: messages.NewTable, known: Sequence[str]) -> list[str | None]:
    """For each seat the name of its computer player, None for a person's or an open one.

    Args:
        new: the table asked for.
        known: the computer players that know its game.
    """
    if new.stand_in not in known:
        allowed = ", ".join(known)
        raise TableError("bad_option", f"unknown stand-in {new.stand_in!r}; there is {allowed}")
    if new.seats.count("me") > 1:
        raise TableError("bad_option", "only one seat can be yours")
    computers: list[str | None] = []
    for seat in new.seats:
        name = seat.removeprefix(BOT)
        if seat in ("me", "open"):
            computers.append(None)
        elif seat.startswith(BOT) and name in known:
            computers.append(name)
        else:
            allowed = ", ".join(["me", "open", *(BOT + one for one in known)])
            raise TableError("bad_option", f"unknown seat {seat!r}; a seat is one of {allowed}")
    return computers


def _first_commands(
    new: messages.NewTable, mine: int | None, person: str
) -> list[commands.Command]:
    if mine is None:
        if new.start:
            raise TableError("bad_option", "to start at once, one of the seats must be me")
        return []
    first: list[commands.Command] = [commands.Sit(person, mine, nickname(new.name), new.face)]
    return [*first, commands.Start(person)] if new.start else first
