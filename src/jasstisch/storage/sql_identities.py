"""The identity store for SQL databases, shared by SQLite and Postgres.

The statements are written once, in SQL that both databases support. Each database executes them in
its own way (`sqlite.identities`, `postgres.identities`). A change is a generator of statements, to
which the resulting rows are sent; it raises `StoreError` to refuse, before it has changed anything.
"""

from collections.abc import Awaitable, Callable, Generator

from jasstisch.storage.errors import StoreError
from jasstisch.storage.forgotten_list import ForgottenList
from jasstisch.storage.forgotten_outbox import ForgottenOutbox
from jasstisch.storage.identities import DEVICE_RETENTION_DAYS, SECONDS_PER_DAY, Ban, Credential
from jasstisch.storage.sql_tables import Rows, Script, Statement, Steps, script_of
from jasstisch.storage.vacuum import MARK_DUE

SEATED_EXPIRY = f"""
    CASE kind WHEN 'device' THEN (used + {DEVICE_RETENTION_DAYS}) * {SECONDS_PER_DAY}.0
        WHEN 'link' THEN expires END
"""
"""The expiry of a credential of a person who is in the log of a table, in SQL."""

CREDENTIAL_COLUMNS = "hash, person, kind, made, used, expires, maker"
"""The columns of a credential, in the order of its fields."""


class _NotFoundError(StoreError):
    """The credential or the ban does not exist, or the device that makes a code."""


_ABANDONED_UNTIL = """
    abandoned.since < ?2
    AND NOT EXISTS (SELECT 1 FROM credential WHERE credential.person = abandoned.person)
"""
"""The condition for somebody whom no credential has led to since before a time, in SQL."""


def _presume_abandoned(person: str, at: float) -> Statement:
    """Records somebody who is about to lose a credential; `_settle_abandoned` follows.

    The lock on the row makes a server that removes another credential of the person at this moment
    wait, and then see that this one is gone.
    """
    query = """
        INSERT INTO abandoned (person, since) VALUES (?1, ?2)
        ON CONFLICT (person) DO UPDATE SET since = abandoned.since
    """
    return query, (person, at)


def _settle_abandoned(person: str) -> Statement:
    """Removes the record of somebody who has a credential left, or nothing to be erased."""
    query = """
        DELETE FROM abandoned WHERE person = ?1 AND (
            EXISTS (SELECT 1 FROM credential WHERE person = ?1)
            OR NOT EXISTS (SELECT 1 FROM named WHERE person = ?1)
        )
    """
    return query, (person,)


def _insert(one: Credential, person: str) -> Steps:
    """Adds a credential of a person.

    Raises:
        StoreError: a credential with this hash exists.
    """
    insert = f"""
        INSERT INTO credential ({CREDENTIAL_COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        ON CONFLICT (hash) DO NOTHING RETURNING hash
    """  # noqa: S608 - constant names
    days = one.created_day, one.last_used_day
    if not (yield insert, (one.hash, person, one.kind, *days, one.expires, one.maker)):
        raise StoreError("this token or code is in use")
    longer = f"""
        UPDATE credential SET expires = {SEATED_EXPIRY}
        WHERE hash = ?1 AND EXISTS (SELECT 1 FROM named WHERE person = ?2)
    """  # noqa: S608 - constant parts
    yield longer, (one.hash, person)
    yield _settle_abandoned(person)


def _remove(
    outbox: ForgottenOutbox, where: str, *values: str | float
) -> Generator[Statement, Rows, bool]:
    """Revokes credentials, or uses up a code, and records it; returns whether there were any.

    Args:
        outbox: the outbox of the list of the forgotten.
        where: the condition for the credentials.
        values: the values of the condition.
    """
    query = f"DELETE FROM credential WHERE {where} RETURNING hash"  # noqa: S608 - constant parts
    gone = yield query, values
    for (hashed,) in gone:
        yield from outbox.record("credential", hashed)
    return bool(gone)


def _add(one: Credential, outbox: ForgottenOutbox) -> Steps:
    """Adds a credential; a code replaces the previous one."""
    if one.maker is not None:
        # The lock on the row makes a server that forgets the device at this moment wait, and then
        # find the code; a change that was a look-up alone would leave the code behind.
        lock = """
            UPDATE credential SET used = used WHERE hash = ?1 AND person = ?2 AND kind = 'device'
            RETURNING hash
        """
        if not (yield lock, (one.maker, one.person)):
            raise _NotFoundError("the device that makes this code has been forgotten")
    yield from _insert(one, one.person)
    if one.kind != "device":
        before = "person = ?1 AND kind = ?2 AND hash <> ?3"
        yield from _remove(outbox, before, one.person, one.kind, one.hash)


def _redeem(
    code: str, device: Credential, at: float, replaces: str | None, outbox: ForgottenOutbox
) -> Steps:
    """Adds the device for the code's person, if the code is valid."""
    query = """
        SELECT person, kind FROM credential
        WHERE hash = ?1 AND kind <> 'device' AND (expires IS NULL OR expires > ?2)
    """
    found = yield query, (code, at)
    if not found:
        raise _NotFoundError("there is no such code")
    person, kind = found[0]
    if (yield "SELECT 1 FROM credential WHERE hash = ?1", (device.hash,)):
        raise StoreError("this token is in use")
    # Another server may redeem or end the code at the same time; whoever changes its row wins.
    if kind == "link":
        used = yield from _remove(outbox, "hash = ?1", code)
    else:
        change = "UPDATE credential SET used = ?1 WHERE hash = ?2 RETURNING hash"
        used = bool((yield change, (device.last_used_day, code)))
    if not used:
        raise _NotFoundError("there is no such code")
    yield from _insert(device, person)
    if replaces is not None:
        yield from _replace(replaces, device.hash, person, at, outbox)


def _replace(before: str, device: str, person: str, at: float, outbox: ForgottenOutbox) -> Steps:
    """Forgets what a device was before it became this one of a person."""
    query = "SELECT person FROM credential WHERE hash = ?1 AND kind = 'device'"
    for (former,) in (yield query, (before,)):
        if former == person:
            yield from _remove(outbox, "hash = ?1", before)
            yield "UPDATE credential SET maker = ?1 WHERE maker = ?2", (device, before)
        else:
            yield from _remove_device(former, before, at, outbox)


def _forget_device(person: str, token_hash: str, at: float, outbox: ForgottenOutbox) -> Steps:
    """Removes a device and the codes that end with it."""
    query = "SELECT 1 FROM credential WHERE person = ?1 AND hash = ?2 AND kind = 'device'"
    if not (yield query, (person, token_hash)):
        raise _NotFoundError("there is no such device")
    yield from _remove_device(person, token_hash, at, outbox)


def _remove_device(person: str, token_hash: str, at: float, outbox: ForgottenOutbox) -> Steps:
    """Removes an existing device and the codes that end with it."""
    yield _presume_abandoned(person, at)
    yield from _remove(outbox, "hash = ?1", token_hash)
    yield from _remove(outbox, _ENDS_WITH_DEVICE, person, token_hash, at)
    yield _settle_abandoned(person)


_ENDS_WITH_DEVICE = """
    person = ?1 AND kind <> 'device' AND (maker IS NULL OR maker = ?2)
    AND EXISTS (
        SELECT 1 FROM credential AS device
        WHERE device.person = ?1 AND device.kind = 'device'
            AND (device.expires IS NULL OR device.expires > ?3)
    )
"""
"""The condition for the codes that end with a device which has been removed, in SQL: all that it
made, unless it was the person's last device."""


def remove_listed_credential(credential: str, person: str, at: float) -> Steps:
    """Removes again a credential that was revoked after a backup was made."""
    yield _presume_abandoned(person, at)
    yield "DELETE FROM credential WHERE hash = ?1", (credential,)
    yield _settle_abandoned(person)


def _remove_expired(expired: Rows, at: float) -> Steps:
    """Removes credentials, given by hash and person, and bans that have expired."""
    for token_hash, person in expired:
        yield _presume_abandoned(person, at)
        # The expiry is compared again: a device may have been used since the look-up.
        yield "DELETE FROM credential WHERE hash = ?1 AND expires < ?2", (token_hash, at)
        yield _settle_abandoned(person)
    yield "DELETE FROM banned WHERE until < ?1", (at,)


def erase_steps(person: str) -> Steps:
    """Marks a person for erasure, and removes what leads to them."""
    yield "INSERT INTO forgotten (person) VALUES (?1) ON CONFLICT (person) DO NOTHING", (person,)
    # Credentials are removed twice: while the first removal waits for a code that another server
    # redeems, a device is added that it does not see.
    for table in ("credential", "credential", "banned", "abandoned"):
        yield f"DELETE FROM {table} WHERE person = ?1", (person,)  # noqa: S608 - constant names
    yield MARK_DUE, ()


def _erase(person: str, outbox: ForgottenOutbox) -> Steps:
    yield from erase_steps(person)
    yield from outbox.record("person", person)


def _erase_abandoned(person: str, before: float, outbox: ForgottenOutbox) -> Steps:
    """Erases a person, unless a credential leads to them again."""
    query = f"DELETE FROM abandoned WHERE person = ?1 AND {_ABANDONED_UNTIL} RETURNING person"  # noqa: S608 - a constant part
    if not (yield query, (person, before)):
        raise _NotFoundError("somebody has this person, or has erased them")
    yield from _erase(person, outbox)


def _ban(ban: Ban, outbox: ForgottenOutbox) -> Steps:
    query = """
        INSERT INTO banned (person, since, until, reason) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (person) DO UPDATE SET
            since = excluded.since, until = excluded.until, reason = excluded.reason
    """
    yield query, (ban.person, ban.since, ban.until, ban.reason)
    yield from outbox.record("ban", ban.person, ban.until)


def _unban(person: str, outbox: ForgottenOutbox) -> Steps:
    if not (yield "DELETE FROM banned WHERE person = ?1 RETURNING person", (person,)):
        raise _NotFoundError("there is no such ban")
    yield from outbox.record("unban", person)


class SqlIdentities:
    """An `IdentityStore` in the database of the tables.

    Args:
        change: a function that writes a change, together with other pending ones.
        read: a function that returns the rows of a query.
        outbox: the outbox of the list of the forgotten.
    """

    def __init__(
        self,
        change: Callable[[Script], Awaitable[None]],
        read: Callable[[Statement], Awaitable[Rows]],
        outbox: ForgottenOutbox,
    ) -> None:
        self._change = change
        self._read = read
        self._outbox = outbox

    def record_forgetting(self, forgotten: ForgottenList) -> None:
        """Lists what is forgotten; see `IdentityStore.record_forgetting`."""
        self._outbox.attach(forgotten)

    async def add_credential(self, credential: Credential) -> bool:
        """Adds a credential; see `IdentityStore.add_credential`."""
        if credential.kind == "device":  # which replaces none
            await self._change(lambda: _add(credential, self._outbox))
            return True
        return await self._forget(lambda: _add(credential, self._outbox))

    async def find_credential(self, token_hash: str, now: float) -> Credential | None:
        """The credential with this hash; see `IdentityStore.find_credential`."""
        found = await self._credentials("hash = ?1", token_hash, now)
        return found[0] if found else None

    async def renew_device(self, token_hash: str, used: int, expires: float) -> None:
        """Records the use of a device; see `IdentityStore.renew_device`."""
        renew = "UPDATE credential SET used = ?1, expires = ?2 WHERE hash = ?3"
        longer = f"""
            UPDATE credential SET expires = {SEATED_EXPIRY}
            WHERE hash = ?1 AND EXISTS (SELECT 1 FROM named WHERE named.person = credential.person)
        """  # noqa: S608 - constant parts
        await self._change(script_of((renew, (used, expires, token_hash)), (longer, (token_hash,))))

    async def redeem(
        self, code: str, device: Credential, now: float, replaces: str | None = None
    ) -> Credential | None:
        """Redeems a code for a device; see `IdentityStore.redeem`."""
        if not await self._forget(lambda: _redeem(code, device, now, replaces, self._outbox)):
            return None
        return await self.find_credential(device.hash, now)

    async def credentials_of(self, person: str, now: float) -> list[Credential]:
        """All valid credentials of a person; see `IdentityStore.credentials_of`."""
        return await self._credentials("person = ?1", person, now)

    async def forget_device(self, person: str, token_hash: str, now: float) -> bool:
        """Removes a device; see `IdentityStore.forget_device`."""
        return await self._forget(lambda: _forget_device(person, token_hash, now, self._outbox))

    async def begin_erasure(self, person: str) -> None:
        """Removes all credentials of a person; see `IdentityStore.begin_erasure`."""
        await self._forget(lambda: _erase(person, self._outbox))

    async def list_abandoned(self, before: float, limit: int) -> list[str]:
        """People without a credential; see `IdentityStore.list_abandoned`."""
        query = f"SELECT person FROM abandoned WHERE {_ABANDONED_UNTIL} LIMIT ?1"  # noqa: S608 - a constant part
        return await self._first_column(query, limit, before)

    async def begin_erasure_of_abandoned(self, person: str, before: float) -> bool:
        """Begins an erasure; see `IdentityStore.begin_erasure_of_abandoned`."""
        return await self._forget(lambda: _erase_abandoned(person, before, self._outbox))

    async def pending_erasures(self, limit: int) -> list[str]:
        """People whose erasure is pending; see `IdentityStore.pending_erasures`."""
        return await self._first_column("SELECT person FROM forgotten LIMIT ?1", limit)

    async def tables_of(self, person: str, limit: int) -> list[str]:
        """Tables whose logs contain a person; see `IdentityStore.tables_of`."""
        query = "SELECT table_id FROM named WHERE person = ?1 LIMIT ?2"
        return await self._first_column(query, person, limit)

    async def mark_erased(self, person: str, table: str | None) -> None:
        """Records a finished step of an erasure; see `IdentityStore.mark_erased`."""
        done: tuple[Statement, ...] = (
            ("DELETE FROM forgotten WHERE person = ?1", (person,)),
            _settle_abandoned(person),
        )
        if table is not None:
            query = "DELETE FROM named WHERE person = ?1 AND table_id = ?2"
            done = ((query, (person, table)),)
        await self._change(script_of(*done, (MARK_DUE, ())))

    async def ban(self, ban: Ban) -> None:
        """Stores a ban; see `IdentityStore.ban`."""
        await self._forget(lambda: _ban(ban, self._outbox))

    async def unban(self, person: str) -> bool:
        """Ends a ban; see `IdentityStore.unban`."""
        return await self._forget(lambda: _unban(person, self._outbox))

    async def list_bans(self, now: float) -> list[Ban]:
        """The bans in force; see `IdentityStore.list_bans`."""
        query = """
            SELECT person, since, until, reason FROM banned
            WHERE until IS NULL OR until > ?1 ORDER BY since, person
        """
        return [Ban(*row) for row in await self._read((query, (now,)))]

    async def find_by_id_prefix(self, prefix: str, limit: int) -> list[str]:
        """People by a prefix of their hash; see `IdentityStore.find_by_id_prefix`."""
        # Each by its own index: the range ends before the next text of this length.
        parts = [
            f"SELECT person FROM {table} WHERE person >= ?1 AND person < ?1 || '~'"  # noqa: S608
            for table in ("credential", "named", "banned")
        ]
        query = f"{' UNION '.join(parts)} ORDER BY person LIMIT ?2"
        return await self._first_column(query, prefix, limit)

    async def delete_expired(self, now: float, limit: int) -> int:
        """Removes expired credentials; see `IdentityStore.delete_expired`."""
        query = "SELECT hash, person FROM credential WHERE expires < ?1 LIMIT ?2"
        expired = await self._read((query, (now, limit)))
        if expired or await self._first_column(
            "SELECT person FROM banned WHERE until < ?1 LIMIT 1", now
        ):
            await self._change(lambda: _remove_expired(expired, now))
        await self._outbox.publish()  # what a server that has ended has left
        return len(expired)

    async def count_credentials(self) -> int:
        """The number of credentials."""
        return int((await self._read(("SELECT count(*) FROM credential", ())))[0][0])

    async def _forget(self, script: Script) -> bool:
        """Writes a change and lists it; returns False if what it is about does not exist."""
        try:
            await self._outbox.write(lambda: self._change(script))
        except _NotFoundError:
            return False
        return True

    async def _first_column(self, query: str, *values: str | float) -> list[str]:
        return [row[0] for row in await self._read((query, values))]

    async def _credentials(self, where: str, value: str, now: float) -> list[Credential]:
        query = f"""
            SELECT {CREDENTIAL_COLUMNS} FROM credential
            WHERE {where} AND (expires IS NULL OR expires > ?2) ORDER BY used DESC, made DESC, hash
        """  # noqa: S608 - constant parts; values are bound
        return [Credential(*row) for row in await self._read((query, (value, now)))]
