"""All tables of a server: making new ones, and fetching old ones from the store when asked."""

import asyncio
from collections.abc import Sequence

from jasstisch.server.api import messages
from jasstisch.server.context import ServerContext
from jasstisch.server.errors import ServerBusyError, TableNotFoundError
from jasstisch.server.identity import IdentityService
from jasstisch.server.observability import describe_exception, log, short_id
from jasstisch.server.tables import creation
from jasstisch.server.tables.actor import TableActor
from jasstisch.server.tables.directory import TableDirectory
from jasstisch.server.tables.handle import TableHandle
from jasstisch.server.tables.join_codes import JoinCodes
from jasstisch.storage import CorruptionError
from jasstisch.table import FinishedMatch, ResumePoint, Table, TableError, events

__all__ = ["TableRegistry"]

INLINE_REPLAY_MAX_EVENTS = 100
"""A log of so many events is replayed at once, which takes a millisecond or two."""


class TableRegistry:
    """The tables of a server.

    Args:
        context: store, chance, computer players and the time.
        directory: finds tables that other servers of the same store have.
        identity_service: knows the people at the tables.
        join_codes: the short codes for tables.

    Attributes:
        context: see there, as the others.
    """

    def __init__(
        self,
        context: ServerContext,
        directory: TableDirectory,
        identity_service: IdentityService,
        join_codes: JoinCodes,
    ) -> None:
        self.context = context
        self.directory = directory
        self.identity_service = identity_service
        self.join_codes = join_codes
        self._tables: dict[str, TableActor] = {}
        self._owners: dict[str, tuple[str, ...]] = {}
        self._live_by_owner = context.shared_usage.gauge("running")
        self._created_tables = context.shared_usage.register_debit(
            "tables", self._on_created_elsewhere
        )
        self._loading: dict[str, asyncio.Task[TableActor]] = {}
        self._stored_count = 0
        context.warmup.on_ready(self._on_bots_changed)

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

    async def close(self) -> None:
        """Lets all tables go; what was acknowledged is in the store."""
        await self.directory.close()
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
        rules = creation.game_of(new)
        known = (await self.context.bots_by_game())[rules.name]
        hinted = new.hints and rules.name in await self.context.games_with_hints()
        created, first, mine = creation.new_table(new, rules, known, person, hinted=hinted)
        self._check_quota(person, address)
        await self._store_new(
            *creation.build_table(created, first, self.context.new_pack_source()), person, address
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
        game = match.record["game"]
        known = (await self.context.bots_by_game())[game]
        hinted = match.room.hints and game in await self.context.games_with_hints()
        created, first, mine = creation.resumed_table(
            match, found, wish, known, person, hinted=hinted
        )
        # A long match is played until there in a moment, in which others have the loop.
        table, done = await asyncio.to_thread(
            creation.build_table, created, first, self.context.new_pack_source()
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
        return await self.directory.get(table, address)

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
        return self.directory.peek(table)

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
        if table in self._tables:
            return True
        elsewhere = not await self.directory.try_acquire_lease(table)
        # Somebody may have asked for it meanwhile.
        here = table in self._tables or table in self._loading
        if not here:
            self.directory.release_lease(table)
        return elsewhere or here

    async def acquire_job(self, job: str) -> bool:
        """Whether this node is the one that does a job which one of them must do.

        Raises:
            StoreError: that cannot be told now.
        """
        return await self.directory.try_acquire_lease(f"*{job}")

    def release_job(self, job: str) -> None:
        """Lets other nodes do a job that one of them must do."""
        self.directory.release_lease(f"*{job}")

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
        if self.directory.shares_store:
            self._stored_count = await self.context.store.count()

    async def delete(self, table: str) -> bool:
        """Deletes a table for good; whoever follows it is told that it is unknown.

        Returns:
            Whether there was such a table.

        Raises:
            StoreError: it could not be deleted.
        """
        return await self.directory.delete(table)

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
            node = await self.directory.acquire_lease(table)
            loaded = await self.read_detached(table)
            self.directory.assert_same_node(node)
            self._evict_idle()
        except BaseException as error:
            if isinstance(error, CorruptionError):
                log.error("table_damaged", table=short_id(table), **describe_exception(error))
            self.directory.release_lease(table)
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
        self.directory.on_table_evicted(table)

    def _on_link_revoked(self, table: str) -> None:
        """The link of a table leads there no more, and so no code does."""
        self.join_codes.revoke(table)
        self.directory.on_link_revoked(table)

    def _on_bots_changed(self) -> None:
        for live in self._tables.values():
            live.on_bots_changed()
