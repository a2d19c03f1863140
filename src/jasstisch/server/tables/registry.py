"""The registry of all tables of a server: creates tables and loads them from the store."""

import asyncio
from collections.abc import Sequence

from jasstisch.server.api import bodies
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
from jasstisch.table import BranchPoint, FinishedMatch, Table, TableError, events

_INLINE_REPLAY_MAX_EVENTS = 100
"""Logs of at most this many events are replayed inline, which takes a millisecond or two."""


class TableRegistry:
    """The tables of a server.

    Args:
        context: the store, the random source, the bots and the clock.
        directory: finds tables on other servers that share the store.
        identity_service: the identities of the people at the tables.
        join_codes: the join codes of the tables.

    Attributes:
        context: as given, like the other arguments.
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
        self._created_tables = context.shared_usage.register_debit_handler(
            "tables", self._on_created_elsewhere
        )
        self._loading: dict[str, asyncio.Task[TableActor]] = {}
        self._deleting: set[str] = set()
        self._stored_count = 0
        context.warmup.add_ready_listener(self._on_bots_changed)

    async def open(self) -> None:
        """Counts the stored tables.

        Raises:
            StoreError: the store failed.
        """
        try:
            self._stored_count = await self.context.store.count_tables()
        except CorruptionError as error:
            # Serve the readable tables; `jasstisch check` lists the others.
            log.error("tables_not_counted", **describe_exception(error))

    async def close(self) -> None:
        """Evicts all tables; everything acknowledged is in the store."""
        await self.directory.close()
        for actor in list(self._tables.values()):
            actor.evict()
        await self.context.store.close()
        self.context.close()

    async def create(
        self, new: bodies.NewTable, person: str, address: str = ""
    ) -> bodies.CreatedTable:
        """Creates a table, seats its creator and starts the match if they wish.

        Args:
            new: the requested table.
            person: the creator.
            address: the address of the client.

        Raises:
            TableError: a part of `new` is not allowed; the message explains which.
            ServerBusyError: the server or its store is full.
            StoreError: the table could not be stored.
        """
        rules = creation.game_of(new)
        known = (await self.context.bots_by_game())[rules.name]
        hinted = new.hints and rules.name in await self.context.games_with_hints()
        created, first, mine = creation.new_table(new, rules, known, person, hinted=hinted)
        self._check_quota(person, address)
        await self._store_new(
            *creation.build_table(created, first, self.context.new_pack_source()), person, address
        )
        return bodies.CreatedTable(table=created.table, seat=mine)

    async def create_from_branch_point(
        self,
        match: FinishedMatch,
        branch_point: BranchPoint,
        request: bodies.ResumeMatch,
        person: str,
        address: str = "",
    ) -> bodies.CreatedTable:
        """Creates a table that continues a finished match from one of its decisions, against bots.

        The bots of the match keep their seats; the stand-in bot of that table replaces its people.

        Args:
            match: the finished match.
            branch_point: the decision.
            request: the request of the client.
            person: the person who plays on.
            address: the address of the client.

        Raises:
            TableError: a part of `request` is not allowed, or is no longer possible on this server.
            ServerBusyError: the server or its store is full.
            StoreError: the table could not be stored.
        """
        game = match.record["game"]
        known = (await self.context.bots_by_game())[game]
        hinted = match.room.hints and game in await self.context.games_with_hints()
        created, first, mine = creation.resumed_table(
            match, branch_point, request, known, person, hinted=hinted
        )
        # Replaying a long match takes a moment; a thread keeps the event loop free.
        table, done = await asyncio.to_thread(
            creation.build_table, created, first, self.context.new_pack_source()
        )
        self._check_quota(person, address)
        await self._store_new(table, done, person, address)
        return bodies.CreatedTable(table=created.table, seat=mine)

    async def _store_new(
        self, table: Table, done: Sequence[events.Event], person: str, address: str
    ) -> None:
        """Stores a new table and keeps it in memory.

        Raises:
            StoreError: the table could not be stored.
        """
        created = table.state.creation_event
        # Counted before it is stored, as many tables may be created concurrently.
        self._charge_owners(created.table, person, address)
        self._add_to_stored_count(1)
        try:
            state = table.state
            await self.context.store.append(
                created.table, 0, done, state.progress, state.access_rules
            )
        except BaseException:
            self._add_to_stored_count(-1)
            self._uncharge_owners(created.table)
            raise
        seats = len(created.seats)
        log.info("table_made", table=short_id(created.table), game=created.game, seats=seats)
        self._register(table)

    async def get_table(self, table: str, address: str = "") -> TableHandle:
        """The table of this id, on any node, loaded from the store if necessary; see `load_local`.

        Raises:
            TableNotFoundError: the table does not exist.
            ServerBusyError: too many tables are in memory, or in use from this address.
            StoreError: the table cannot be read or reached.
        """
        return await self.directory.get_table(table, address)

    async def load_local(self, table: str, address: str = "") -> TableActor:
        """The table of this id in the memory of this node, loaded from the store if necessary.

        Args:
            table: the table's id.
            address: the address that a loaded table counts for; empty for the server's own
                requests.

        Raises:
            TableNotFoundError: the table does not exist.
            ServerBusyError: too many tables are in memory, or in use from this address.
            CorruptionError: its log is damaged; other tables continue.
            OwnedElsewhereError: another node holds it.
            StoreError: the table cannot be read.
        """
        actor = self._tables.get(table)
        if actor is not None:
            return actor
        if table in self._deleting:
            raise TableNotFoundError(table)
        loading = self._loading.get(table)
        if loading is None:
            # Checked here and not in the task, for which callers from other addresses may wait.
            self._evict_idle_at(address)
            self._idle_table_to_evict()
            # Counted before it is read, as many tables may be requested concurrently.
            if address:
                self._live_by_owner.add(address)
            loading = asyncio.create_task(self._load(table, address))
            self._loading[table] = loading
            loading.add_done_callback(lambda task: self._end_loading(table, task))
        # Shielded because other callers may wait for the same table.
        return await asyncio.shield(loading)

    def _end_loading(self, table: str, loading: asyncio.Task[TableActor]) -> None:
        self._loading.pop(table, None)
        if not loading.cancelled():
            loading.exception()  # all who waited for it may have disconnected

    def peek_table(self, table: str) -> TableHandle | None:
        """The table of this id if it is in memory, or if the node that holds it is known."""
        return self.directory.peek_table(table)

    def get_local(self, table: str) -> TableActor | None:
        """The table of this id if it is in the memory of this node."""
        return self._tables.get(table)

    def local_tables(self) -> list[TableActor]:
        """The tables in the memory of this node."""
        return list(self._tables.values())

    def invalidate_all(self) -> None:
        """Marks all tables in memory as stale: others may have written to them."""
        for actor in self._tables.values():
            actor.invalidate()

    async def is_live_anywhere(self, table: str) -> bool:
        """Whether a table is in memory, on this node or another.

        Raises:
            StoreError: this cannot be determined now.
        """
        if table in self._tables:
            return True
        elsewhere = not await self.directory.try_acquire_lease(table)
        # A caller may have requested the table meanwhile.
        here = table in self._tables or table in self._loading
        if not here:
            self.directory.release_lease(table)
        return elsewhere or here

    async def try_lease_job(self, job: str) -> bool:
        """Tries to lease a job that exactly one node must run; returns whether this node runs it.

        Raises:
            StoreError: this cannot be determined now.
        """
        return await self.directory.try_acquire_lease(f"*{job}")

    def release_job_lease(self, job: str) -> None:
        """Releases a job, so that other nodes can run it."""
        self.directory.release_lease(f"*{job}")

    @property
    def live_count(self) -> int:
        """The number of tables in memory."""
        return len(self._tables)

    @property
    def stored_count(self) -> int:
        """The number of tables in the store."""
        return self._stored_count

    async def refresh_stored_count(self) -> None:
        """Counts the stored tables, if other nodes create some too.

        Raises:
            StoreError: the store failed.
        """
        if self.directory.shares_store:
            self._stored_count = await self.context.store.count_tables()

    async def delete_table(self, table: str) -> bool:
        """Deletes a table permanently; its subscribers learn that it no longer exists.

        Returns:
            Whether the table existed.

        Raises:
            StoreError: the table could not be deleted.
        """
        return await self.directory.delete_table(table)

    async def delete_local(self, table: str) -> bool:
        """Deletes a table that no other node holds; see `delete_table`.

        From the eviction on, no request finds the table, even before the store has deleted it.
        """
        self._deleting.add(table)
        try:
            if table in self._loading:
                await asyncio.wait([self._loading[table]])
            if table in self._tables:
                self._tables[table].evict("unknown_table")
            gone = await self.context.store.delete(table)
        finally:
            self._deleting.discard(table)
        if gone:
            self._on_link_revoked(table)
            self._add_to_stored_count(-1)
            log.info("table_deleted", table=short_id(table))
        return gone

    # Quotas.

    def _check_quota(self, person: str, address: str) -> None:
        """Checks the quotas and makes room in memory for another table.

        Raises:
            TableError: this person or this address has too many tables in use.
            ServerBusyError: the server is full.
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
        """If memory is full, evicts the table that has been idle longest.

        Raises:
            ServerBusyError: all tables are in use.
        """
        longest = self._idle_table_to_evict()
        if longest is not None:
            longest.evict()

    def _idle_table_to_evict(self) -> TableActor | None:
        """The table that makes room in memory; None if there is room.

        Raises:
            ServerBusyError: all tables are in use.
        """
        if len(self._owners) < self.context.limits.live_tables:
            return None
        idle = [actor for actor in self._tables.values() if actor.is_idle]
        if not idle:
            self.context.alerts.report("limit_hit", "live_tables")
            raise ServerBusyError("too many tables are being played at; try again in a minute")
        return min(idle, key=lambda actor: actor.last_active)

    def _evict_idle_at(self, address: str) -> None:
        """If an address has too many tables, evicts its idle ones, longest idle first.

        Raises:
            ServerBusyError: all of its tables are in use.
        """
        most = self.context.limits.running_per_address
        while address and self._live_by_owner[address] >= most:
            mine = [actor for actor in self._tables.values() if address in self._owners[actor.id]]
            idle = [actor for actor in mine if actor.is_idle]
            if not idle:
                self.context.alerts.report("limit_hit", "running", address)
                raise ServerBusyError(f"at your address there are {most} tables in use")
            min(idle, key=lambda actor: actor.last_active).evict()

    def uncharge(self, table: str, address: str) -> None:
        """No longer counts a table in memory for an address that turned out not to see it."""
        owners = self._owners.get(table, ())
        if address in owners:
            self._owners[table] = tuple(one for one in owners if one != address)
            self._release_owners(address)

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
            self.directory.assert_lease_valid(node)
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
        """Reads a table from the store without keeping it in memory.

        Raises:
            TableNotFoundError: the table does not exist.
            CorruptionError: its log is damaged.
            StoreError: the table cannot be read.
        """
        stored = await self.context.store.load(table)
        if not stored:
            raise TableNotFoundError(table)
        try:
            # Starting a thread costs as much as a few moves and takes the interpreter from other
            # tasks.
            if len(stored) <= _INLINE_REPLAY_MAX_EVENTS:
                read = Table.from_events(stored)
            else:
                read = await asyncio.to_thread(Table.from_events, stored)
        except Exception as error:  # any damage to the log concerns this table alone
            raise CorruptionError("its events do not follow from each other") from error
        if read.state.creation_event.table != table:
            raise CorruptionError("its log is that of another table")
        return read

    def _register(self, table: Table) -> TableActor:
        actor = TableActor(table, self.context, self._unregister, self._on_link_revoked)
        self._tables[actor.id] = actor
        return actor

    def _unregister(self, table: str) -> None:
        self._tables.pop(table, None)
        self._uncharge_owners(table)
        if table not in self._deleting:
            self.directory.on_table_evicted(table)

    def _on_link_revoked(self, table: str) -> None:
        """Revokes the join code of a table whose link is no longer valid."""
        self.join_codes.revoke(table)
        self.directory.on_link_revoked(table)

    def _on_bots_changed(self) -> None:
        for actor in self._tables.values():
            actor.on_bots_changed()
