"""All tables of a server: making new ones, and fetching old ones from the store when asked."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from jasstisch.engine.errors import GameError
from jasstisch.games import game
from jasstisch.games.rules import Game
from jasstisch.server.api import messages
from jasstisch.server.context import ServerContext
from jasstisch.server.identity.nicknames import normalize_nickname
from jasstisch.server.identity.service import IdentityService
from jasstisch.server.identity.tokens import new_table_id
from jasstisch.server.observability.structured_log import describe_exception, log, short_id
from jasstisch.server.tables.actor import TableActor
from jasstisch.server.tables.erasure import ErasureJob
from jasstisch.server.tables.handle import TableHandle
from jasstisch.server.tables.join_codes import JoinCodes
from jasstisch.server.tables.retention import Retention
from jasstisch.storage import CorruptionError
from jasstisch.table import (
    DEFAULT_STAND_IN,
    FinishedMatch,
    PackSource,
    ResumePoint,
    Table,
    TableError,
    commands,
    events,
)
from jasstisch.table.errors import no_such_seat
from jasstisch.tutorials import get_tutorial

if TYPE_CHECKING:
    from jasstisch.server.cluster.node import ClusterNode

__all__ = ["ServerBusyError", "TableNotFoundError", "TableRegistry"]

BOT_PREFIX = "bot:"
"""How the name of a computer player begins where a seat is named."""

INLINE_REPLAY_MAX_EVENTS = 100
"""A log of so many events is replayed at once, which takes a millisecond or two."""


class TableNotFoundError(LookupError):
    """No table has this id."""


class ServerBusyError(Exception):
    """The server has taken on all it can for now."""


class TableRegistry:
    """The tables of a server.

    Args:
        services: what the tables need.
        cluster: this node among others; None where there is one only.

    Attributes:
        people: who is known.
        invitations: the short codes for tables.
        forgetting: leaves the tables of those who are to be known no longer.
    """

    def __init__(self, services: ServerContext, cluster: "ClusterNode | None" = None) -> None:
        self.context = services
        self.cluster = cluster
        self.identity_service = IdentityService(services)
        self.join_codes = JoinCodes(self)
        self._tables: dict[str, TableActor] = {}
        self._owners: dict[str, tuple[str, ...]] = {}
        self._live_by_owner = services.shared_usage.gauge("running")
        self._created_tables = services.shared_usage.register_debit(
            "tables", self._on_created_elsewhere
        )
        self._loading: dict[str, asyncio.Task[TableActor]] = {}
        self._stored_count = 0
        self._retention = Retention(self)
        self.erasure = ErasureJob(self)
        services.warmup.on_ready(self._on_bots_changed)
        if cluster is not None:
            cluster.attach(self)

    async def open(self) -> None:
        """Counts the tables there are.

        Raises:
            StoreError: the store failed.
        """
        try:
            self._stored_count = await self.context.store.count()
        except CorruptionError as error:
            # Those that can be read are served; `jasstisch check` says which cannot.
            log.error("tables_not_counted", **describe_exception(error))
        await self.identity_service.open()
        self._retention.start()
        self.erasure.start()

    async def close(self) -> None:
        """Lets all tables go; what was acknowledged is in the store."""
        self._retention.stop()
        self.erasure.stop()
        if self.cluster is not None:
            await self.cluster.close()
        for live in list(self._tables.values()):
            live.evict()
        await self.context.store.close()
        self.context.close()

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
        rules = _tutorial_game(new) if new.guided else _create_game(new)
        known = (await self.context.bots_by_game())[rules.name]
        players = _seat_bots(new, known)
        if new.hints and rules.name not in await self.context.games_with_hints():
            raise TableError("bad_option", f"there are no hints for {rules.name} here")
        mine = new.seats.index("me") if "me" in new.seats else None
        self._check_quota(person, address)
        created = events.TableCreated(
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
        first = _initial_commands(new, mine, person)
        await self._store_new(
            *_build_table(created, first, self.context.new_pack_source()), person, address
        )
        return messages.CreatedTable(table=created.table, seat=mine)

    async def resume(
        self,
        match: FinishedMatch,
        found: ResumePoint,
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
        known = (await self.context.bots_by_game())[game]
        stand_in = room.stand_in if room.stand_in in known else DEFAULT_STAND_IN
        computers: list[str | None] = [seat.bot or stand_in for seat in room.seats]
        computers[mine] = None
        for name in (stand_in, *filter(None, computers)):
            if name not in known:
                raise TableError("bad_option", f"the computer player {name!r} is no longer here")
        created = events.TableCreated(
            table=new_table_id(),
            game=game,
            options=dict(match.record["options"]),
            seats=computers,
            thinking_time=None,
            pause=room.pause,
            hints=room.hints and game in await self.context.games_with_hints(),
            stand_in=stand_in,
            host=person,
            starters="host",
        )
        first: list[commands.Command] = [
            commands.Sit(person, mine, normalize_nickname(wish.name), wish.face),
            commands.ResumeMatch(person, found.log),
        ]
        # A long match is played until there in a moment, in which others have the loop.
        table, done = await asyncio.to_thread(
            _build_table, created, first, self.context.new_pack_source()
        )
        self._check_quota(person, address)
        await self._store_new(table, done, person, address)
        return messages.CreatedTable(table=created.table, seat=mine)

    async def _store_new(
        self, table: Table, done: Sequence[events.Event], person: str, address: str
    ) -> None:
        """Stores a new table and takes it into memory.

        Raises:
            StoreError: it could not be stored.
        """
        created = table.state.created
        # Counted before it is stored: many may be made at the same time.
        self._charge_owners(created.table, person, address)
        self._add_to_stored_count(1)
        try:
            await self.context.store.append(created.table, 0, done, table.state.progress)
        except BaseException:
            self._add_to_stored_count(-1)
            self._uncharge_owners(created.table)
            raise
        seats = len(created.seats)
        log.info("table_made", table=short_id(created.table), game=created.game, seats=seats)
        self._register(table)

    async def get(self, table: str, address: str = "") -> TableHandle:
        """The table of this id, at whatever node, fetched from the store if need be; see `fetch`.

        Raises:
            UnknownTableError: there is none.
            BusyError: too many tables are in memory, or in use at this address.
            StoreError: it cannot be read, or reached.
        """
        if self.cluster is not None:
            return await self.cluster.get(table, address)
        return await self.load_local(table, address)

    async def load_local(self, table: str, address: str = "") -> TableActor:
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
        live = self._tables.get(table)
        if live is not None:
            return live
        loading = self._loading.get(table)
        if loading is None:
            # Here and not in the task, in which others may wait who call from elsewhere.
            self._evict_idle_at(address)
            # Counted before it is read: many may be asked for at the same time.
            if address:
                self._live_by_owner.add(address)
            loading = asyncio.create_task(self._load(table, address))
            self._loading[table] = loading
            loading.add_done_callback(lambda _: self._loading.pop(table, None))
        # Shielded: others may wait for the same table.
        return await asyncio.shield(loading)

    def peek(self, table: str) -> TableHandle | None:
        """The table of this id if it is in memory, or it is known which node has it."""
        if self.cluster is not None:
            return self.cluster.peek(table)
        return self._tables.get(table)

    def get_local(self, table: str) -> TableActor | None:
        """The table of this id if it is in the memory of this node."""
        return self._tables.get(table)

    def local_tables(self) -> list[TableActor]:
        """The tables in the memory of this node."""
        return list(self._tables.values())

    def invalidate_all(self) -> None:
        """Has all tables in memory read anew: others may have written to them."""
        for live in self._tables.values():
            live.invalidate()

    async def is_live_anywhere(self, table: str) -> bool:
        """Whether a table is in memory, at this node or another.

        Raises:
            StoreError: that cannot be told now.
        """
        if table in self._tables or self.cluster is None:
            return table in self._tables
        elsewhere = not await self.cluster.try_acquire_lease(table)
        # Somebody may have asked for it meanwhile.
        here = table in self._tables or table in self._loading
        if not here:
            self.cluster.release_lease(table)
        return elsewhere or here

    async def acquire_job(self, job: str) -> bool:
        """Whether this node is the one that does a job which one of them must do.

        Raises:
            StoreError: that cannot be told now.
        """
        return self.cluster is None or await self.cluster.try_acquire_lease(f"*{job}")

    def release_job(self, job: str) -> None:
        """Lets other nodes do a job that one of them must do."""
        if self.cluster is not None:
            self.cluster.release_lease(f"*{job}")

    @property
    def live_count(self) -> int:
        """How many tables are in memory."""
        return len(self._tables)

    @property
    def stored_count(self) -> int:
        """How many tables the store holds."""
        return self._stored_count

    async def refresh_count(self) -> None:
        """Counts the tables there are, where other nodes make some too.

        Raises:
            StoreError: the store failed.
        """
        if self.cluster is not None:
            self._stored_count = await self.context.store.count()

    async def delete(self, table: str) -> bool:
        """Deletes a table for good; whoever follows it is told that it is unknown.

        Returns:
            Whether there was such a table.

        Raises:
            StoreError: it could not be deleted.
        """
        if self.cluster is not None:
            return await self.cluster.delete(table)
        return await self.delete_local(table)

    async def delete_local(self, table: str) -> bool:
        """Deletes a table that no other node has; see `delete`."""
        live = self._tables.get(table)
        if live is not None:
            live.evict("unknown_table")
        gone = await self.context.store.delete(table)
        # Whoever asked for it meanwhile has brought it back into memory, or is about to.
        if table in self._loading:
            await asyncio.wait([self._loading[table]])
        if table in self._tables:
            self._tables[table].evict("unknown_table")
        if gone:
            self._on_link_revoked(table)
            self._add_to_stored_count(-1)
            log.info("table_deleted", table=short_id(table))
        return gone

    # How much there may be.

    def _check_quota(self, person: str, address: str) -> None:
        """Makes room in memory for another table.

        Raises:
            TableError: so many tables of this person, or of this address, are in use.
            BusyError: there can be no more.
        """
        limits = self.context.limits
        if self._stored_count >= limits.tables:
            self.context.alerts.report("limit_hit", "tables", address)
            raise ServerBusyError("this server holds as many tables as it may")
        for who, most, text in (
            (person, limits.running_per_person, "you have"),
            (address, limits.running_per_address, "at your address there are"),
        ):
            if who and self._live_by_owner[who] >= most:
                self.context.alerts.report("limit_hit", "running", address)
                raise TableError("limit", f"{text} {most} tables in use; leave some for a minute")
        self._evict_idle()

    def _evict_idle(self) -> None:
        """Has the table that has been idle longest leave memory, where it is full.

        Raises:
            BusyError: all are in use.
        """
        if len(self._owners) < self.context.limits.live_tables:
            return
        idle = [live for live in self._tables.values() if live.idle]
        if not idle:
            self.context.alerts.report("limit_hit", "live_tables")
            raise ServerBusyError("too many tables are being played at; try again in a minute")
        min(idle, key=lambda live: live.last_active).evict()

    def _evict_idle_at(self, address: str) -> None:
        """Has the idle tables of an address leave memory, oldest first, where it has too many.

        Raises:
            BusyError: all of them are in use.
        """
        most = self.context.limits.running_per_address
        while address and self._live_by_owner[address] >= most:
            mine = [live for live in self._tables.values() if address in self._owners[live.id]]
            idle = [live for live in mine if live.idle]
            if not idle:
                self.context.alerts.report("limit_hit", "running", address)
                raise ServerBusyError(f"at your address there are {most} tables in use")
            min(idle, key=lambda live: live.last_active).evict()

    def _add_to_stored_count(self, tables: int) -> None:
        self._stored_count += tables
        made = self._created_tables()
        if made is not None:
            made[""] += tables

    def _on_created_elsewhere(self, _: str, tables: int) -> None:
        self._stored_count += tables

    def _charge_owners(self, table: str, *whose: str) -> None:
        self._owners[table] = whose
        for who in filter(None, whose):
            self._live_by_owner.add(who)

    def _uncharge_owners(self, table: str) -> None:
        self._release_owners(*self._owners.pop(table, ()))

    def _release_owners(self, *whose: str) -> None:
        for who in filter(None, whose):
            self._live_by_owner.remove(who)

    async def _load(self, table: str, address: str) -> TableActor:
        try:
            node = "" if self.cluster is None else await self.cluster.acquire_lease(table)
            loaded = await self.read_detached(table)
            if self.cluster is not None:
                self.cluster.assert_same_node(node)
            self._evict_idle()
        except BaseException as error:
            if isinstance(error, CorruptionError):
                log.error("table_damaged", table=short_id(table), **describe_exception(error))
            if self.cluster is not None:
                self.cluster.release_lease(table)
            raise
        finally:
            self._release_owners(address)
        self._charge_owners(table, loaded.state.host_settings.host or "", address)
        return self._register(loaded)

    async def read_detached(self, table: str) -> Table:
        """A table as the store holds it, which stays out of memory.

        Raises:
            UnknownTableError: there is none.
            DamagedError: its log is damaged.
            StoreError: it cannot be read.
        """
        found = await self.context.store.load(table)
        if not found:
            raise TableNotFoundError(table)
        try:
            # A thread costs as much as a few moves, and keeps the others from the interpreter.
            if len(found) <= INLINE_REPLAY_MAX_EVENTS:
                read = Table.from_events(found)
            else:
                read = await asyncio.to_thread(Table.from_events, found)
        except Exception as error:  # however the log is damaged, it is this table's alone
            raise CorruptionError("its events do not follow from each other") from error
        if read.state.created.table != table:
            raise CorruptionError("its log is that of another table")
        return read

    def _register(self, table: Table) -> TableActor:
        live = TableActor(table, self.context, self._unregister, self._on_link_revoked)
        self._tables[live.id] = live
        return live

    def _unregister(self, table: str) -> None:
        self._tables.pop(table, None)
        self._uncharge_owners(table)
        if self.cluster is not None:
            self.cluster.on_table_evicted(table)

    def _on_link_revoked(self, table: str) -> None:
        """The link of a table leads there no more, and so no code does."""
        self.join_codes.revoke(table)
        if self.cluster is not None:
            self.cluster.broadcast_link_revoked(table)

    def _on_bots_changed(self) -> None:
        for live in self._tables.values():
            live.on_bots_changed()


def _build_table(
    created: events.TableCreated, first: Sequence[commands.Command], dealer: PackSource
) -> tuple[Table, list[events.Event]]:
    """A new table after its first commands, and all its events.

    Raises:
        TableError: one of them is refused.
    """
    table = Table(created)
    done: list[events.Event] = [created]
    for command in first:
        done.extend(table.execute(command, dealer))
    return table, done


def _create_game(new: messages.NewTable) -> Game:
    """The game with its options; `players` may be left out, for the seats tell it."""
    options: dict[str, object] = {"players": len(new.seats)} | dict(new.options)
    try:
        rules = game(new.game, **options)
    except GameError as error:
        raise TableError("bad_option", str(error)) from error
    if rules.players != len(new.seats):
        raise TableError("bad_option", f"{rules.players} players need as many seats")
    return rules


DEFAULT_THINKING_TIME_S = 60
"""Seconds for a card at a table of two people or more, where nothing else is chosen."""


def _thinking_time(new: messages.NewTable) -> int | None:
    """Seconds a person has for a card; None for no limit."""
    if new.thinking_time == "unlimited" or new.guided:
        return None
    people = sum(not seat.startswith(BOT_PREFIX) for seat in new.seats)
    return new.thinking_time or (DEFAULT_THINKING_TIME_S if people > 1 else None)


def _tutorial_game(new: messages.NewTable) -> Game:
    """The game with the options of its guided round; the maker chooses none and learns in seat 0.

    Without a thinking time, for reading takes as long as it takes.
    """
    try:
        rules = game(new.game, **get_tutorial(new.game).options)
    except GameError as error:
        raise TableError("bad_option", str(error)) from error
    computers = [seat for seat in new.seats[1:] if seat.startswith(BOT_PREFIX)]
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


def _seat_bots(new: messages.NewTable, known: Sequence[str]) -> list[str | None]:
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
        name = seat.removeprefix(BOT_PREFIX)
        if seat in ("me", "open"):
            computers.append(None)
        elif seat.startswith(BOT_PREFIX) and name in known:
            computers.append(name)
        else:
            allowed = ", ".join(["me", "open", *(BOT_PREFIX + one for one in known)])
            raise TableError("bad_option", f"unknown seat {seat!r}; a seat is one of {allowed}")
    return computers


def _initial_commands(
    new: messages.NewTable, mine: int | None, person: str
) -> list[commands.Command]:
    if mine is None:
        if new.start:
            raise TableError("bad_option", "to start at once, one of the seats must be me")
        return []
    first: list[commands.Command] = [
        commands.Sit(person, mine, normalize_nickname(new.name), new.face)
    ]
    return [*first, commands.StartMatch(person)] if new.start else first
