"""The event store in a Postgres database, which several servers may share.

Exactly one connection of a server writes, with `synchronous_commit`: a commit that has returned is
on the disk. Changes that wait at the same time share one transaction, and the appends among them
one statement. That one checks the leases too (`postgres_leases`), in the transaction that keeps
the events, so a server that has lost a table can write nothing there.

Where the connection is lost during a commit nobody can know what has become of it. A new one
first makes sure that nothing comes late (`PostgresLeases.begin_term`) and looks then.

A table that is deleted is struck off first; its events go a few at a time, whenever nothing waits.
Identities lie in the same database (`postgres_identities`).
"""

import asyncio
from collections import Counter, deque
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import asyncpg
import msgspec

from jasstisch.store.causes import cause_of
from jasstisch.store.event_store import (
    CommitWatcher,
    Conflict,
    DamagedError,
    Kept,
    KeptResults,
    NotKnownError,
    StoreError,
)
from jasstisch.store.identities import IdentityStore
from jasstisch.store.leases import FencedError, Lease, Node, TooNewError
from jasstisch.store.logs import (
    HOUR,
    MOST_DELETED,
    MOST_IN_A_COMMIT,
    checksum,
    encode,
    gathered_at,
    people_in,
    sound,
    sound_analysis,
)
from jasstisch.store.postgres_identities import IdentityChange, in_database
from jasstisch.store.postgres_layout import check_layout, lay_out
from jasstisch.store.postgres_leases import PostgresLeases, take_lease, too_new
from jasstisch.store.postgres_lines import TROUBLE, Address, Connection, Line, Lines, was_lost
from jasstisch.store.results import RESULTS_OF, sound_results
from jasstisch.store.sql_identities import SEATED
from jasstisch.table.events import EVENTS, Event
from jasstisch.table.state import Finished

__all__ = ["PostgresStore"]

READERS = 4
"""So many connections read, and take tables."""

_APPEND = f"""
    WITH asked AS (
        SELECT * FROM unnest($5::text[], $6::int[], $7::int[], $8::text[], $9::int[])
            AS _ (table_id, after, epoch, finished, gathered)
    ),
    found AS MATERIALIZED (
        SELECT asked.*,
            coalesce(
                (SELECT max(version) FROM event WHERE event.table_id = asked.table_id), 0
            ) AS version,
            EXISTS (SELECT FROM kept WHERE kept.table_id = asked.table_id) AS kept
        FROM asked
    ),
    held AS MATERIALIZED (
        SELECT table_id FROM lease JOIN asked USING (table_id)
        WHERE NOT $3 AND lease.node = $1 AND lease.epoch = asked.epoch
        ORDER BY table_id FOR SHARE OF lease
    ),
    own AS MATERIALIZED (
        SELECT id FROM node
        WHERE id = $1 AND term = $2 AND expires > clock_timestamp()
            AND (SELECT count(*) FROM held) >= 0 -- the leases first; see postgres_leases
        FOR KEY SHARE
    ),
    made AS (
        INSERT INTO lease AS free (table_id, node, epoch)
        SELECT table_id, id, 1 FROM found, own
        WHERE NOT $3 AND epoch IS NULL AND after = 0 AND version = 0
        ON CONFLICT (table_id) DO UPDATE SET node = $1, epoch = free.epoch + 1
            WHERE free.node IS NULL
        RETURNING table_id, epoch
    ),
    good AS MATERIALIZED (
        SELECT found.* FROM found, own
        WHERE version = after AND (kept OR version = 0)
            AND ($3 OR table_id IN (SELECT table_id FROM held UNION ALL SELECT table_id FROM made))
    ),
    added AS (
        INSERT INTO event (table_id, version, at, body, sum)
        SELECT table_id, bodies.version, $4, body, sum
        FROM unnest($10::text[], $11::int[], $12::bytea[], $13::bigint[])
            AS bodies (table_id, version, body, sum)
        JOIN good USING (table_id)
    ),
    touched AS (
        INSERT INTO kept AS old (table_id, touched, finished, events)
        SELECT table_id, $14, finished, $15 FROM good
        ON CONFLICT (table_id) DO UPDATE SET
            touched = excluded.touched,
            finished = coalesce(excluded.finished, old.finished),
            events = greatest(excluded.events, old.events)
        WHERE (old.touched, old.finished, old.events) IS DISTINCT FROM (
            excluded.touched,
            coalesce(excluded.finished, old.finished),
            greatest(excluded.events, old.events)
        )
    ),
    forgotten_events AS (
        DELETE FROM event USING good
        WHERE event.table_id = good.table_id AND event.version > 1
            AND event.version < good.gathered
    ),
    met AS (
        INSERT INTO named (person, table_id)
        SELECT person, table_id
        FROM unnest($16::text[], $17::text[]) AS people (person, table_id)
        JOIN good USING (table_id)
        ON CONFLICT (person, table_id) DO NOTHING RETURNING person
    ),
    longer AS (
        UPDATE credential SET expires = {SEATED} WHERE person IN (SELECT person FROM met)
    )
    SELECT found.table_id, found.version, found.after, found.kept,
        good.table_id IS NOT NULL AS done, EXISTS (SELECT FROM own) AS own,
        made.epoch AS made,
        ($3 OR held.table_id IS NOT NULL OR made.table_id IS NOT NULL) AS held
    FROM found LEFT JOIN good USING (table_id)
    LEFT JOIN held USING (table_id) LEFT JOIN made USING (table_id)
"""  # noqa: S608 - a part of ours; values are bound

_LOAD = """
    SELECT kept.events, version, body, sum
    FROM (SELECT $1::text COLLATE "C" AS table_id) AS asked
    LEFT JOIN kept USING (table_id) LEFT JOIN event USING (table_id)
    WHERE (kept.table_id IS NOT NULL OR event.table_id IS NOT NULL)
        AND NOT EXISTS (SELECT FROM deleted WHERE deleted.table_id = $1)
    ORDER BY version
"""

_STANDING = """
    SELECT table_id FROM event
    JOIN unnest($2::text[], $3::int[], $4::bytea[], $5::bigint[])
        AS sent (table_id, version, body, sum)
        USING (table_id, version)
    WHERE event.body = sent.body AND event.at = $1
"""

_DELETE_SOME = """
    WITH one AS MATERIALIZED (SELECT table_id FROM deleted LIMIT 1 FOR UPDATE SKIP LOCKED),
    gone AS (
        DELETE FROM event WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM event WHERE table_id = (SELECT table_id FROM one) LIMIT $1
        )) RETURNING 1
    ),
    over AS (
        DELETE FROM deleted
        WHERE table_id = (SELECT table_id FROM one) AND (SELECT count(*) FROM gone) < $1
    )
    SELECT count(*) FROM one
"""

_UNTOUCHED = """
    SELECT table_id FROM kept
    WHERE finished {} AND touched < $1 AND NOT EXISTS (
        SELECT FROM lease JOIN node ON node.id = lease.node
        WHERE lease.table_id = kept.table_id AND node.id <> $3
            AND node.expires > clock_timestamp()
    )
    ORDER BY touched LIMIT $2
"""


@dataclass(frozen=True, slots=True)
class _Append:
    table: str
    after: int
    rows: list[tuple[str, int, bytes, int]]
    finished: Finished | None
    gathered: int
    people: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Note:
    table: str
    finished: Finished

    async def write(self, connection: Connection) -> None:
        """Keeps it."""
        query = "UPDATE kept SET finished = $1 WHERE table_id = $2 AND finished IS NULL"
        await connection.execute(query, self.finished, self.table)


@dataclass(frozen=True, slots=True)
class _KeepAnalysis:
    table: str
    number: int
    body: bytes

    async def write(self, connection: Connection) -> None:
        """Keeps it, unless the table has gone."""
        query = """
            INSERT INTO analysis (table_id, number, body, sum)
            SELECT table_id, $2, $3, $4 FROM kept WHERE table_id = $1 FOR KEY SHARE
            ON CONFLICT (table_id, number) DO UPDATE SET body = excluded.body, sum = excluded.sum
        """
        summed = checksum(self.table, self.number, self.body)
        await connection.execute(query, self.table, self.number, self.body, summed)


@dataclass(frozen=True, slots=True)
class _KeepResults:
    table: str
    version: int
    analyses: int
    body: bytes

    async def write(self, connection: Connection) -> None:
        """Keeps them, unless the table has gone."""
        query = """
            INSERT INTO results (table_id, version, analyses, body, sum)
            SELECT table_id, $2, $3, $4, $5 FROM kept WHERE table_id = $1 FOR KEY SHARE
            ON CONFLICT (table_id) DO UPDATE SET version = excluded.version,
                analyses = excluded.analyses, body = excluded.body, sum = excluded.sum
        """
        summed = checksum(self.table, self.version, self.body)
        row = (self.table, self.version, self.analyses, self.body, summed)
        await connection.execute(query, *row)


@dataclass(frozen=True, slots=True)
class _Delete:
    table: str
    leases: PostgresLeases

    async def write(self, connection: Connection) -> None:
        """Strikes the table off; what is left of it goes later."""
        own = self.leases.own()
        query = """
            SELECT kept.table_id, name FROM kept
            LEFT JOIN lease USING (table_id)
            LEFT JOIN node ON node.id = lease.node AND node.id <> $2
                AND node.expires > clock_timestamp()
            WHERE table_id = $1
        """
        found = await connection.fetchrow(query, self.table, own.id)
        if found is None:
            raise _UnknownError(f"there is no table {self.table}")
        if found["name"] is not None:
            raise StoreError(_in_use(self.table, found["name"]))
        lease = await take_lease(connection, own.id, self.table)
        there = """
            SELECT id FROM node
            WHERE id = $1 AND term = $2 AND expires > clock_timestamp() FOR KEY SHARE
        """
        if lease is None or not await connection.fetch(there, own.id, self.leases.term):
            raise FencedError("others have taken this server for gone")
        if lease.node != own.id:
            raise StoreError(_in_use(self.table, "that was there until a moment ago"))
        for query in (
            "DELETE FROM kept WHERE table_id = $1",
            "INSERT INTO deleted (table_id) VALUES ($1)",
            "DELETE FROM named WHERE table_id = $1",
            "DELETE FROM lease WHERE table_id = $1",
        ):
            await connection.execute(query, self.table)


_Single = _Note | _KeepAnalysis | _KeepResults | _Delete | IdentityChange
_Change = _Append | _Single


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A change that waits to be written, and who waits for it."""

    change: _Change
    done: "asyncio.Future[None]"


class _UnknownError(StoreError):
    """There is no such table."""


_Outcomes = Sequence[StoreError | None]


class PostgresStore:
    """An `EventStore` in a Postgres database, with its `Leases`.

    Nothing is added or deleted before the server has joined. The two promises that several servers
    need besides: `untouched` leaves out what another server has leased, for there it is in use, and
    `delete` refuses it with a `StoreError` that names that server; so whoever deletes what was left
    alone need not know who has it, and tries again later.

    Args:
        url: `postgresql://USER:PASSWORD@HOST:PORT/DATABASE`.
        only_read: whether nothing is to be written; what is not laid out for us is refused then.

    Attributes:
        identities: who is who, in the same database. One who sits down for the first time in the
            same instant as another server gives him a credential has that one lengthened only when
            it is used next.

    Raises:
        StoreError: the address is not written so. Whether the database can be used is found out by
            the first call.
    """

    def __init__(self, url: str, *, only_read: bool = False) -> None:
        self._address = Address(url)
        self._only_read = only_read
        self._laid_out = False
        self._readers = Lines(self._address, READERS, self._prepare)
        self._keeping = Line(self._address, self._prepare)
        self._line = Line(self._address, self._prepare_writing)
        self._leases = PostgresLeases(self._keeping, self._readers)
        self._waiting: deque[_Waiting] = deque()
        self._news = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._closed = False
        self._watcher: CommitWatcher | None = None
        self.identities: IdentityStore = in_database(self._change, self._rows)

    # What every event store does.

    def watch(self, watcher: CommitWatcher) -> None:
        """Has a watcher told of each commit; see `EventStore.watch`."""
        self._watcher = watcher

    def now(self) -> float:
        """The time of the database, as last heard; see `EventStore.now`."""
        return self._leases.now()

    async def append(
        self, table: str, after: int, events: Sequence[Event], finished: Finished | None = None
    ) -> None:
        """Adds events to a table's log; see `EventStore.append`.

        Raises:
            FencedError: the table is leased to another server, or this one is taken for gone.
        """
        gathered = gathered_at(events)
        rows = [
            (table, version, body := encode(event), checksum(table, version, body))
            for version, event in enumerate(events, start=after + 1)
            if version == 1 or version >= gathered
        ]
        people = frozenset(people_in(events))
        await self._change(_Append(table, after, rows, finished, gathered, people))

    async def load(self, table: str) -> list[Event]:
        """All events of a table in order; see `EventStore.load`."""
        rows = await self._rows(_LOAD, (table,), f"table {table} cannot be read")
        if not rows:
            return []
        newest, first, *_ = rows[0]
        if newest is None:
            raise DamagedError("it is missing in the list of tables")
        if first is None:
            raise DamagedError("all its events are missing")
        known = self._leases.node.events if self._leases.node else EVENTS
        if newest > known:
            raise TooNewError(too_new(table, newest, known))
        try:
            return sound(table, [tuple(row[1:]) for row in rows])
        except msgspec.MsgspecError as error:
            # What it says may hold what a damaged event holds, and that may be cards.
            text = f"Postgres at {self._address.shown}: table {table} cannot be read"
            raise DamagedError(f"{text}: an event cannot be decoded") from error

    async def tables(self, after: str, most: int) -> list[Kept]:
        """The tables there are; see `EventStore.tables`."""
        query = """
            SELECT table_id, touched, finished FROM kept
            WHERE table_id > $1 ORDER BY table_id LIMIT $2
        """
        rows = await self._rows(query, (after, most), "the tables cannot be read")
        return [Kept(*row) for row in rows]

    async def count(self) -> int:
        """How many tables the store holds."""
        query = "SELECT count(*) FROM kept"
        return int((await self._rows(query, (), "the number of tables cannot be read"))[0][0])

    async def untouched(self, finished: Finished | None, since: float, most: int) -> list[str]:
        """Tables to which nothing has been added since a time; see `EventStore.untouched`."""
        own = self._leases.node.id if self._leases.node else ""
        values = (since, most, own, *([] if finished is None else [finished]))
        query = _UNTOUCHED.format("IS NULL" if finished is None else "= $4")
        rows = await self._rows(query, values, "what was left alone cannot be read")
        return [row[0] for row in rows]

    async def note(self, table: str, finished: Finished) -> None:
        """Keeps what has been finished at a table; see `EventStore.note`."""
        await self._change(_Note(table, finished))

    async def delete(self, table: str) -> bool:
        """Deletes a table; see `EventStore.delete`."""
        try:
            await self._change(_Delete(table, self._leases))
        except _UnknownError:
            return False
        return True

    async def keep_analysis(self, table: str, number: int, body: bytes) -> None:
        """Keeps the analysis of a match; see `EventStore.keep_analysis`."""
        await self._change(_KeepAnalysis(table, number, body))

    async def analysis(self, table: str, number: int) -> bytes | None:
        """The analysis of a match; see `EventStore.analysis`."""
        query = "SELECT body, sum FROM analysis WHERE table_id = $1 AND number = $2"
        rows = await self._rows(query, (table, number), "an analysis cannot be read")
        return sound_analysis(table, number, *rows[0]) if rows else None

    async def analysed(self, table: str) -> dict[int, int]:
        """The matches of which an analysis is kept; see `EventStore.analysed`."""
        query = "SELECT number, sum FROM analysis WHERE table_id = $1 ORDER BY number"
        rows = await self._rows(query, (table,), "the analyses cannot be read")
        return dict(rows)

    async def keep_results(self, table: str, version: int, analyses: int, body: bytes) -> None:
        """Keeps what has come of the matches of a table; see `EventStore.keep_results`."""
        await self._change(_KeepResults(table, version, analyses, body))

    async def results_of(self, person: str, most: int, skipped: int) -> list[KeptResults]:
        """The tables of a person at which a match may be over; see `EventStore.results_of`."""
        query = RESULTS_OF.replace("?", "$")
        values = (person, most, skipped)
        rows = await self._rows(query, values, "the matches of a person cannot be read")
        return [sound_results(*row) for row in rows]

    async def times(self, table: str) -> dict[int, float]:
        """When each event of a table was added; see `EventStore.times`."""
        query = "SELECT version, at FROM event JOIN kept USING (table_id) WHERE table_id = $1"
        rows = await self._rows(query, (table,), "the times of a table cannot be read")
        return {row[0]: row[1] for row in rows}

    async def close(self) -> None:
        """Commits what waits, leaves, and lets the connections go."""
        if self._closed:
            return
        self._closed = True
        self._news.set()
        if self._writer is not None:
            await self._writer
        with suppress(StoreError):  # then it is taken for gone a moment later
            await self._leases.leave()
        await self._line.close()
        await self._keeping.close()
        await self._readers.close()

    # Its leases.

    async def join(self, node: Node) -> bytes:
        """Enters as a node; see `Leases.join`."""
        return await self._leases.join(node)

    async def renew(self) -> Sequence[Node]:
        """Says that this node is there; see `Leases.renew`."""
        return await self._leases.renew()

    async def take(self, table: str) -> Lease:
        """Leases a table to this node, unless another has it; see `Leases.take`."""
        return await self._leases.take(table)

    async def give_back(self, tables: Collection[str]) -> None:
        """Gives leases of this node back; see `Leases.give_back`."""
        await self._leases.give_back(tables)

    async def leave(self) -> None:
        """Gives all leases back; this node is one no longer."""
        await self._leases.leave()

    # Connections.

    async def _prepare(self, connection: Connection) -> None:
        if self._only_read:
            await connection.execute("SET default_transaction_read_only = on")
        if not self._laid_out:
            await (check_layout if self._only_read else lay_out)(connection)
            self._laid_out = True

    async def _prepare_writing(self, connection: Connection) -> None:
        await self._prepare(connection)
        await self._leases.begin_term(connection)

    async def _rows(self, query: str, values: tuple[Any, ...], what: str) -> list[Any]:
        if self._closed:
            raise StoreError("the store is closed")
        return await self._readers.fetch(query, values, what)

    # Writing, by one task.

    async def _change(self, change: _Change) -> None:
        if self._closed:
            raise StoreError("the store is closed")
        if self._writer is None:
            self._writer = asyncio.create_task(self._write())
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        # From here on it cannot be cancelled: whoever stops waiting leaves it to be committed.
        self._waiting.append(_Waiting(change, done))
        self._news.set()
        await done

    async def _write(self) -> None:
        # The last stop may have come before all of a deleted table had gone.
        leftovers = True
        while True:
            batch = self._take_waiting()
            if batch:
                await self._commit(batch)
                leftovers = leftovers or any(isinstance(one.change, _Delete) for one in batch)
            elif self._closed:
                return
            elif leftovers:
                leftovers = await self._delete_some()
            else:
                self._news.clear()
                await self._news.wait()

    def _take_waiting(self) -> list[_Waiting]:
        """The changes that wait already, those of one table one batch after the other."""
        batch: list[_Waiting] = []
        tables: set[str] = set()
        while self._waiting and len(batch) < MOST_IN_A_COMMIT:
            change = self._waiting[0].change
            if not isinstance(change, IdentityChange):
                if change.table in tables:
                    break
                tables.add(change.table)
            batch.append(self._waiting.popleft())
        return batch

    async def _commit(self, batch: Sequence[_Waiting]) -> None:
        """Writes a batch and tells all who wait."""
        outcomes: _Outcomes
        try:
            outcomes = await self._outcomes([one.change for one in batch])
        except Exception as failure:  # noqa: BLE001 - no change may stop those after it
            self._line.drop()
            outcomes = [self._address.failed("it cannot be written", failure)] * len(batch)
        for waiting, error in zip(batch, outcomes, strict=True):
            if waiting.done.done():
                continue
            if error is None:
                waiting.done.set_result(None)
            else:
                waiting.done.set_exception(error)

    async def _outcomes(self, changes: Sequence[_Change], *, again: bool = True) -> _Outcomes:
        """Writes changes in one transaction; what was wrong with each, if anything.

        Args:
            changes: what to write.
            again: whether an append that was lost with its connection is written again.
        """
        if not changes:
            return []
        now = self.now()
        try:
            connection = await self._line.ready()
        except StoreError as error:
            self._tell_failure(error)
            self._fail_waiting(error)
            return [error] * len(changes)
        began = perf_counter()
        try:
            outcomes = await self._written(connection, changes, now)
        except TROUBLE as error:
            self._tell_failure(error)
            if was_lost(error):
                self._line.drop()
                lost = self._address.failed("the connection was lost", error)
                return await self._found_out(changes, now, lost, again=again)
            if len(changes) > 1 and _is_of_one(error):
                # Of a transaction that failed nothing is left; whom it was due to fails alone.
                return [(await self._outcomes([one]))[0] for one in changes]
            if isinstance(error, asyncpg.UniqueViolationError):
                return [Conflict(f"others have written the same: {error}")]
            return [self._address.failed("it cannot be written", error)] * len(changes)
        if self._watcher is not None:
            self._watcher.committed(perf_counter() - began, len(changes))
        return outcomes

    def _tell_failure(self, error: BaseException) -> None:
        if self._watcher is not None:
            self._watcher.failed(cause_of(error))

    def _fail_waiting(self, error: StoreError) -> None:
        """While Postgres is away nobody waits behind another who has waited for it in vain."""
        while self._waiting:
            done = self._waiting.popleft().done
            if not done.done():
                done.set_exception(error)

    async def _written(
        self, connection: Connection, changes: Sequence[_Change], now: float
    ) -> _Outcomes:
        appends = [one for one in changes if isinstance(one, _Append)]
        singles = [one for one in changes if not isinstance(one, _Append)]
        if not singles:
            done = await self._append(connection, appends, now)
            return [done[one.table] for one in appends]
        refused: dict[int, StoreError] = {}
        async with connection.transaction():
            done = await self._append(connection, appends, now) if appends else {}
            for single in singles:
                try:
                    await single.write(connection)
                except StoreError as error:
                    refused[id(single)] = error
        return [
            done[one.table] if isinstance(one, _Append) else refused.get(id(one)) for one in changes
        ]

    async def _append(
        self, connection: Connection, appends: Sequence[_Append], now: float
    ) -> dict[str, StoreError | None]:
        """Adds the events of all tables whose writer still has them and knows their logs."""
        node = self._leases.node
        if node is None:
            return {
                one.table: StoreError("this server has not joined the store") for one in appends
            }
        rows = [row for one in appends for row in one.rows]
        people = [(person, one.table) for one in appends for person in one.people]
        found = await connection.fetch(
            _APPEND,
            *(node.id, self._leases.term, not node.joined, now),
            [one.table for one in appends],
            [one.after for one in appends],
            [self._leases.epochs.get(one.table) for one in appends],
            [one.finished for one in appends],
            [one.gathered for one in appends],
            *_columns(rows, 4),
            now - now % HOUR,
            node.events,
            *_columns(people, 2),
        )
        return {row["table_id"]: self._judge(row, node) for row in found}

    def _judge(self, row: Any, node: Node) -> StoreError | None:  # noqa: ANN401 - a row
        """What was wrong with the append that a row tells of."""
        table = row["table_id"]
        if row["made"] is not None and self._leases.node is node:
            self._leases.epochs[table] = row["made"]
        if row["done"]:
            return None
        if not row["own"]:
            return FencedError("others have taken this server for gone")
        if not row["held"]:
            self._leases.epochs.pop(table, None)
            return FencedError(f"table {table} is not leased to this server")
        return Conflict(
            f"table {table} is at version {row['version']}, the writer at {row['after']}"
        )

    async def _found_out(
        self, changes: Sequence[_Change], now: float, lost: StoreError, *, again: bool
    ) -> _Outcomes:
        """What has become of changes during whose commit the connection was lost.

        Of an append that can be told, and one of which nothing is kept may be written again.
        """
        rows = [row for one in changes if isinstance(one, _Append) for row in one.rows]
        not_known = NotKnownError(f"{lost}; it is not known whether it was kept", lost.cause)
        try:
            async with self._line.used("it cannot be looked up") as connection:
                found = await connection.fetch(_STANDING, now, *_columns(rows, 4))
        except StoreError:
            self._fail_waiting(lost)
            return [not_known] * len(changes)
        kept = Counter(row[0] for row in found)
        missing = [
            one for one in changes if isinstance(one, _Append) and kept[one.table] != len(one.rows)
        ]
        others: dict[int, StoreError | None] = {
            id(one): not_known for one in changes if not isinstance(one, _Append)
        }
        outcomes = await self._outcomes(missing, again=False) if again else [lost] * len(missing)
        others.update(zip(map(id, missing), outcomes, strict=True))
        return [others.get(id(one)) for one in changes]

    async def _delete_some(self) -> bool:
        """Deletes a few events of one deleted table; whether any are left, as far as is known."""
        try:
            async with self._line.used("deleted tables cannot be cleared") as connection:
                return bool(await connection.fetchval(_DELETE_SOME, MOST_DELETED))
        except StoreError:
            # Nothing is lost by waiting: the next deletion, or the next start, goes on with it.
            return False


def _is_of_one(error: BaseException) -> bool:
    """Whether an error is due to one change: a value, a rule of the database, or a deadlock."""
    if isinstance(error, asyncpg.PostgresError):
        return (error.sqlstate or "").startswith(("22", "23", "40"))
    return isinstance(error, ValueError)


def _columns(rows: Sequence[tuple[Any, ...]], number: int) -> list[list[Any]]:
    return [[row[column] for row in rows] for column in range(number)]


def _in_use(table: str, name: str) -> str:
    return f"table {table} is in use at another server, {name}"
