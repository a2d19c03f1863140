"""Connections to a Postgres server that are made again when they are lost.

While the server is away, whoever asks waits for it a few seconds at most and is then told so. The
address holds a password, which no message shows.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import asyncpg

from jasstisch.storage.event_store import StoreError
from jasstisch.storage.failure_causes import classify_failure

__all__ = [
    "CONNECT_TIMEOUT_S",
    "DB_ERRORS",
    "STATEMENT_TIMEOUT_S",
    "Connection",
    "ConnectionLostError",
    "ConnectionPool",
    "DatabaseUrl",
    "ReconnectingConnection",
    "connect",
    "is_connection_lost",
]

CONNECT_TIMEOUT_S = 3.0
"""So long a call waits for a Postgres that is away, as when it is started again, then it fails."""

STATEMENT_TIMEOUT_S = 5.0
"""So long a statement may take, locks it waits for included."""

IDLE_TRANSACTION_TIMEOUT_S = 2
"""A transaction in which nothing is asked for so long is given up by Postgres, so that a server
which has been stopped in the middle holds nobody else up."""

RETRY_INTERVAL_S = 0.1
"""Seconds between two tries to connect."""

SESSION_SETTINGS = {
    "application_name": "jasstisch",
    "search_path": "jasstisch",
    "synchronous_commit": "on",
    "default_transaction_isolation": "read committed",
    "statement_timeout": f"{STATEMENT_TIMEOUT_S:.0f}s",
    "idle_in_transaction_session_timeout": f"{IDLE_TRANSACTION_TIMEOUT_S}s",
    "jit": "off",  # it takes longer than any statement of ours
}
"""What holds on every connection."""

Connection = Any
"""An `asyncpg.Connection`; the package has no types."""

DB_ERRORS = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,
    asyncio.TimeoutError,
)
"""What a statement may fail with, whoever is to blame."""

RETRYABLE_SQLSTATES = ("08", "25P03", "53300", "57P")
"""How the codes of errors begin after which another connection is worth a try: there was none, one
was silent in a transaction, there were too many, or the server starts or stops."""


class ConnectionLostError(StoreError):
    """The connection was lost in the middle of it."""


class DatabaseUrl:
    """Where a database is.

    Args:
        url: `postgresql://USER:PASSWORD@HOST:PORT/DATABASE`.

    Attributes:
        url: the same.
        shown: host, port and database, for people.

    Raises:
        StoreError: it is not written so.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        try:
            parts = urlsplit(url)
            port, asked = parts.port, parse_qs(parts.query)
        except ValueError:
            parts, port, asked = urlsplit(""), None, {}
        misplaced = "@" in f"{parts.path}{parts.query}{parts.fragment}"  # it ends a password
        if not url.startswith(("postgresql://", "postgres://")) or not parts.scheme or misplaced:
            # Not even in part is it repeated: who knows where the password stands.
            text = (
                "the address of a Postgres store is postgresql://USER:PASSWORD@HOST:PORT/DATABASE, "
                "where %2F %3F %23 %25 %40 stand for / ? # % @ in a password"
            )
            raise StoreError(text)
        host = parts.hostname or asked.get("host", ["localhost"])[0]
        self.redacted = f"{host}{f':{port}' if port else ''}{parts.path}"
        secrets = [parts.password or "", *asked.get("password", [])]
        self._secrets = {text for one in secrets if one for text in (one, unquote(one))}

    def store_error(self, what: str, error: BaseException) -> StoreError:
        """What to say of a failure."""
        reason = str(error) or type(error).__name__
        if isinstance(error, asyncio.TimeoutError):
            reason = "no answer in time"
        for secret in self._secrets:
            reason = reason.replace(secret, "…")
        return StoreError(f"Postgres at {self.redacted}: {what}: {reason}", classify_failure(error))


def is_connection_lost(error: BaseException) -> bool:
    """Whether an error means that the connection is of no use any more."""
    if isinstance(error, asyncpg.PostgresError):
        return (error.sqlstate or "").startswith(RETRYABLE_SQLSTATES)
    # What is a `ValueError` too was refused before it was sent.
    return not isinstance(error, ValueError)


async def connect(address: DatabaseUrl, *, hurried: bool = True) -> Connection:
    """A new connection.

    Args:
        address: where to.
        hurried: whether statements and silences have limits, as a server needs it.
    """
    limits = {"statement_timeout": "0", "idle_in_transaction_session_timeout": "0"}
    return await asyncpg.connect(
        address.url,
        timeout=CONNECT_TIMEOUT_S,
        command_timeout=STATEMENT_TIMEOUT_S + 1 if hurried else None,
        server_settings=SESSION_SETTINGS if hurried else SESSION_SETTINGS | limits,
    )


class ReconnectingConnection:
    """One connection, made when it is needed. One caller at a time.

    Args:
        address: where to.
        prepare: what is done first on each new connection.
    """

    def __init__(
        self,
        address: DatabaseUrl,
        prepare: Callable[[Connection], Awaitable[None]] | None = None,
    ) -> None:
        self._url = address
        self._prepare = prepare
        self._connection: Connection | None = None

    async def connect(self) -> Connection:
        """The connection.

        Raises:
            StoreError: there is none within `AWAY_SECONDS`.
        """
        if self._connection is not None and not self._connection.is_closed():
            return self._connection
        last: BaseException = TimeoutError()
        what = "it cannot be reached"
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT_S):
                while True:
                    try:
                        self._connection = await self._open()
                    except DB_ERRORS as error:
                        last = error
                        if not is_connection_lost(error):
                            what = "it cannot be used"
                            break
                    else:
                        return self._connection
                    await asyncio.sleep(RETRY_INTERVAL_S)
        except TimeoutError:
            pass
        raise self._url.store_error(what, last) from last

    async def _open(self) -> Connection:
        connection = await connect(self._url)
        try:
            if self._prepare is not None:
                await self._prepare(connection)
        except BaseException:
            connection.terminate()
            raise
        return connection

    def terminate(self) -> None:
        """Lets the connection go as it is; the next caller makes another."""
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

    async def close(self) -> None:
        """Lets the connection go in good order."""
        if self._connection is not None and not self._connection.is_closed():
            try:
                await self._connection.close(timeout=1)
            except DB_ERRORS:
                self._connection.terminate()
        self._connection = None

    @asynccontextmanager
    async def acquire(self, what: str) -> AsyncIterator[Connection]:
        """The connection for some statements; what fails with it becomes a `StoreError`.

        Args:
            what: what could not be done then, as the message says it.
        """
        connection = await self.connect()
        try:
            yield connection
        except DB_ERRORS as error:
            if is_connection_lost(error):
                self.terminate()
                raise ConnectionLostError(str(self._url.store_error(what, error))) from error
            raise self._url.store_error(what, error) from error
        except BaseException:
            # Whoever was stopped in the middle leaves it in a state that nobody knows.
            if connection.is_in_transaction():
                self.terminate()
            raise


class ConnectionPool:
    """Several connections, for as many callers at a time.

    Args:
        address: where to.
        number: how many at most.
        prepare: what is done first on each new connection.
    """

    def __init__(
        self,
        address: DatabaseUrl,
        number: int,
        prepare: Callable[[Connection], Awaitable[None]] | None = None,
    ) -> None:
        self._url = address
        self._connections = [ReconnectingConnection(address, prepare) for _ in range(number)]
        # Last in, first out: where one is enough, the others are never made.
        self._idle: asyncio.LifoQueue[ReconnectingConnection] = asyncio.LifoQueue()
        for line in reversed(self._connections):
            self._idle.put_nowait(line)

    @asynccontextmanager
    async def acquire(self, what: str) -> AsyncIterator[Connection]:
        """A connection for some statements; see `Line.used`.

        Raises:
            StoreError: none was free within `AWAY_SECONDS`.
        """
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT_S):
                line = await self._idle.get()
        except TimeoutError as error:
            raise self._url.store_error(what, error) from error
        try:
            async with line.acquire(what) as connection:
                yield connection
        finally:
            self._idle.put_nowait(line)

    async def fetch(self, query: str, values: Sequence[Any], what: str) -> list[Any]:
        """The rows of a query, asked once more where the connection was lost.

        Args:
            query: it must only read.
            values: its values.
            what: what could not be done then, as the message says it.
        """
        try:
            async with self.acquire(what) as connection:
                return list(await connection.fetch(query, *values))
        except ConnectionLostError:
            async with self.acquire(what) as connection:
                return list(await connection.fetch(query, *values))

    async def close(self) -> None:
        """Lets all of them go, each when it is free."""
        for _ in self._connections:
            await (await self._idle.get()).close()
