"""The identities in the SQLite file of the tables, through its one writing connection."""

import sqlite3
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import Any, Protocol

from jasstisch.store.event_store import StoreError
from jasstisch.store.identities import DAY, KEPT_DAYS, Credential

__all__ = ["LAYOUT", "Change", "SqliteIdentities", "forget_table", "note_people"]

# What a credential is good for where its person stands in the log of a table.
_SEATED = f"""
    CASE kind WHEN 'device' THEN (used + {KEPT_DAYS}) * {DAY}.0 WHEN 'link' THEN expires END
"""

LAYOUT: tuple[str, ...] = (
    """
    CREATE TABLE credential (
        hash TEXT PRIMARY KEY,
        person TEXT NOT NULL,
        kind TEXT NOT NULL,
        made INTEGER NOT NULL,
        used INTEGER NOT NULL,
        expires REAL
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX credential_of ON credential (person)",
    "CREATE INDEX credential_until ON credential (expires)",
    """
    CREATE TABLE named (
        person TEXT NOT NULL,
        table_id TEXT NOT NULL,
        PRIMARY KEY (person, table_id)
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX named_at ON named (table_id)",
    "CREATE TABLE forgotten (person TEXT PRIMARY KEY) STRICT, WITHOUT ROWID",
    # Whoever stands in a log had a token that the browser had been given, and keeps it. Which
    # entries they are is told by how they begin, for reading every entry would take minutes.
    """
    INSERT OR IGNORE INTO named
    SELECT json_extract(CAST(body AS TEXT), '$.person'), table_id
    FROM event JOIN kept USING (table_id)
    WHERE substr(body, 1, 13) = CAST('{"kind":"sat"' AS BLOB) AND json_valid(CAST(body AS TEXT))
    """,
    """
    INSERT OR IGNORE INTO named
    SELECT json_extract(CAST(body AS TEXT), '$.host'), table_id
    FROM event JOIN kept USING (table_id)
    WHERE version = 1 AND json_valid(CAST(body AS TEXT))
    """,
    """
    INSERT OR IGNORE INTO named
    SELECT json_extract(seat.value, '$.person'), table_id
    FROM event JOIN kept USING (table_id), json_each(CAST(body AS TEXT), '$.seats') AS seat
    WHERE substr(body, 1, 18) = CAST('{"kind":"gathered"' AS BLOB)
        AND json_valid(CAST(body AS TEXT))
    """,
    f"""
    INSERT INTO credential
    SELECT DISTINCT person, person, 'device', today, today, (today + {KEPT_DAYS}) * {DAY}.0
    FROM named, (SELECT CAST(strftime('%s', 'now') AS INTEGER) / {DAY} AS today)
    """,  # noqa: S608 - numbers of ours
)
"""What identities need; the people in the logs of an older file are taken over as known."""

_COLUMNS = "hash, person, kind, made, used, expires"

_Rows = list[tuple[Any, ...]]
"""What a query gives; SQLite's types are what the columns say."""


class Change(Protocol):
    """Something to write."""

    def write(self, connection: sqlite3.Connection, now: float) -> StoreError | None:
        """Writes it within a transaction; what was wrong, if anything."""


def note_people(connection: sqlite3.Connection, table: str, people: Collection[str]) -> None:
    """Notes who stands in the log of a table; what leads to them is kept longer from now on."""
    for person in people:
        query = "INSERT OR IGNORE INTO named (person, table_id) VALUES (?, ?)"
        if connection.execute(query, (person, table)).rowcount:
            query = f"UPDATE credential SET expires = {_SEATED} WHERE person = ?"  # noqa: S608
            connection.execute(query, (person,))


def forget_table(connection: sqlite3.Connection, table: str) -> None:
    """Notes that a table is gone."""
    connection.execute("DELETE FROM named WHERE table_id = ?", (table,))


class _MissingError(StoreError):
    """There is no such credential."""


@dataclass(frozen=True, slots=True)
class _Statement:
    """One statement, or several.

    Args:
        statements: with their values.
        must: whether the last one must change something.
    """

    statements: list[tuple[str, tuple[str | int | float | None, ...]]]
    must: bool = False

    def write(self, connection: sqlite3.Connection, _: float) -> StoreError | None:
        """Does them all."""
        changed = 0
        for statement, values in self.statements:
            changed = connection.execute(statement, values).rowcount
        return _MissingError("there is no such credential") if self.must and not changed else None


@dataclass(frozen=True, slots=True)
class _Redeem:
    code: str
    device: Credential
    at: float

    def write(self, connection: sqlite3.Connection, _: float) -> StoreError | None:
        """Adds the device of the code's person, if the code is good."""
        query = """
            SELECT person, kind FROM credential
            WHERE hash = ? AND kind != 'device' AND (expires IS NULL OR expires > ?)
        """
        found = connection.execute(query, (self.code, self.at)).fetchone()
        if found is None:
            return _MissingError("there is no such code")
        person, kind = found
        if not _insert(connection, self.device, person):
            return StoreError("this token is in use")
        if kind == "link":
            connection.execute("DELETE FROM credential WHERE hash = ?", (self.code,))
        else:
            query = "UPDATE credential SET used = ? WHERE hash = ?"
            connection.execute(query, (self.device.used, self.code))
        return None


@dataclass(frozen=True, slots=True)
class _Add:
    credential: Credential

    def write(self, connection: sqlite3.Connection, _: float) -> StoreError | None:
        """Adds it; a code takes the place of the one before."""
        one = self.credential
        if one.kind != "device":
            query = "DELETE FROM credential WHERE person = ? AND kind = ?"
            connection.execute(query, (one.person, one.kind))
        taken = not _insert(connection, one, one.person)
        return StoreError("this token or code is in use") if taken else None


def _insert(connection: sqlite3.Connection, one: Credential, person: str) -> bool:
    """Adds a credential; False for a hash there is already: a failure would spoil the commit."""
    values = (one.hash, person, one.kind, one.made, one.used, one.expires)
    query = f"INSERT OR IGNORE INTO credential ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)"  # noqa: S608
    if not connection.execute(query, values).rowcount:
        return False
    query = f"""
        UPDATE credential SET expires = {_SEATED}
        WHERE hash = ? AND EXISTS (SELECT 1 FROM named WHERE person = ?)
    """  # noqa: S608
    connection.execute(query, (one.hash, person))
    return True


class SqliteIdentities:
    """An `IdentityStore` in the file of the tables.

    Args:
        change: writes a change in the one writing thread.
        read: reads in the thread that reads; the text says what, for the message of a failure.
    """

    def __init__(
        self,
        change: Callable[[Change], Awaitable[None]],
        read: Callable[[Callable[[sqlite3.Connection], _Rows], str], Awaitable[_Rows]],
    ) -> None:
        self._change = change
        self._read = read

    async def add(self, credential: Credential) -> None:
        """Adds a credential; see `IdentityStore.add`."""
        await self._change(_Add(credential))

    async def find(self, hashed: str, now: float) -> Credential | None:
        """The credential of this hash; see `IdentityStore.find`."""
        found = await self._credentials("hash = ?", hashed, now)
        return found[0] if found else None

    async def renew(self, hashed: str, used: int, expires: float) -> None:
        """Notes that a device was used; see `IdentityStore.renew`."""
        renew = "UPDATE credential SET used = ?, expires = ? WHERE hash = ?"
        longer = f"""
            UPDATE credential SET expires = {_SEATED}
            WHERE hash = ? AND EXISTS (SELECT 1 FROM named WHERE named.person = credential.person)
        """  # noqa: S608
        await self._change(_Statement([(renew, (used, expires, hashed)), (longer, (hashed,))]))

    async def redeem(self, code: str, device: Credential, now: float) -> Credential | None:
        """Adds a device by a code; see `IdentityStore.redeem`."""
        try:
            await self._change(_Redeem(code, device, now))
        except _MissingError:
            return None
        return await self.find(device.hash, now)

    async def of(self, person: str, now: float) -> list[Credential]:
        """All good credentials of a person; see `IdentityStore.of`."""
        return await self._credentials("person = ?", person, now)

    async def remove(self, person: str, hashed: str) -> bool:
        """Removes a credential; see `IdentityStore.remove`."""
        query = "DELETE FROM credential WHERE person = ? AND hash = ?"
        try:
            await self._change(_Statement([(query, (person, hashed))], must=True))
        except _MissingError:
            return False
        return True

    async def forget(self, person: str) -> None:
        """Removes all credentials of a person; see `IdentityStore.forget`."""
        mark = "INSERT OR IGNORE INTO forgotten (person) VALUES (?)"
        remove = "DELETE FROM credential WHERE person = ?"
        await self._change(_Statement([(mark, (person,)), (remove, (person,))]))

    async def forgotten(self, most: int) -> list[str]:
        """People whose tables are to be left; see `IdentityStore.forgotten`."""
        return await self._texts("SELECT person FROM forgotten LIMIT ?", most)

    async def tables_of(self, person: str, most: int) -> list[str]:
        """Tables in whose logs a person stands; see `IdentityStore.tables_of`."""
        return await self._texts(
            "SELECT table_id FROM named WHERE person = ? LIMIT ?", person, most
        )

    async def release(self, person: str, table: str | None) -> None:
        """Notes what is done with; see `IdentityStore.release`."""
        query = "DELETE FROM named WHERE person = ? AND table_id = ?"
        values: tuple[str, ...] = (person, table or "")
        if table is None:
            query, values = "DELETE FROM forgotten WHERE person = ?", (person,)
        await self._change(_Statement([(query, values)]))

    async def expire(self, now: float, most: int) -> int:
        """Removes what is good no longer; see `IdentityStore.expire`."""
        gone = await self._texts("SELECT hash FROM credential WHERE expires < ? LIMIT ?", now, most)
        # By the time too: a device may have been used since it was looked up.
        query = "DELETE FROM credential WHERE hash = ? AND expires < ?"
        if gone:
            await self._change(_Statement([(query, (one, now)) for one in gone]))
        return len(gone)

    async def count(self) -> int:
        """How many credentials there are."""
        return int((await self._texts("SELECT count(*) FROM credential"))[0])

    async def _texts(self, query: str, *values: str | float) -> list[str]:
        rows = await self._read(
            lambda connection: connection.execute(query, values).fetchall(), "identities"
        )
        return [row[0] for row in rows]

    async def _credentials(self, where: str, value: str, now: float) -> list[Credential]:
        query = f"""
            SELECT {_COLUMNS} FROM credential
            WHERE {where} AND (expires IS NULL OR expires > ?) ORDER BY used DESC, made DESC, hash
        """  # noqa: S608 - parts of ours; values are bound
        rows = await self._read(
            lambda connection: connection.execute(query, (value, now)).fetchall(), "identities"
        )
        return [Credential(*row) for row in rows]
