"""Reconnecting connections to a Postgres server, and a pool of them.

While the server is unavailable, callers wait a few seconds at most and then get an error. The URL
contains a password, which no message shows.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import asyncpg

from jasstisch.storage.errors import StoreError
from jasstisch.storage.failure_causes import classify_failure

CONNECT_TIMEOUT_S = 3.0
"""The time a call waits for an unavailable Postgres server, for instance during its restart."""

STATEMENT_TIMEOUT_S = 5.0
"""The time limit of a statement, including the wait for locks."""

_IDLE_TRANSACTION_TIMEOUT_S = 2
"""The time after which Postgres aborts an idle transaction, so that a server stopped in the middle
does not block others."""

_RETRY_INTERVAL_S = 0.1
"""Seconds between two attempts to connect."""

_SESSION_SETTINGS = {
    "application_name": "jasstisch",
    "search_path": "jasstisch",
    "synchronous_commit": "on",
    "default_transaction_isolation": "read committed",
    "statement_timeout": f"{STATEMENT_TIMEOUT_S:.0f}s",
    "idle_in_transaction_session_timeout": f"{_IDLE_TRANSACTION_TIMEOUT_S}s",
    "jit": "off",  # it takes longer than any statement of ours
}
"""The settings of every connection."""

Connection = Any
"""An `asyncpg.Connection`; the package has no types."""

DB_ERRORS = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    OSError,
    asyncio.TimeoutError,
)
"""The errors with which a statement may fail."""

_RETRYABLE_SQLSTATES = ("08", "25P03", "53300", "57P")
"""The prefixes of SQLSTATEs after which a new connection may succeed: connection failure, idle
transaction timeout, too many connections, or a server that starts or stops."""


class ConnectionLostError(StoreError):
    """The connection was lost during the operation."""


class DatabaseUrl:
    """The URL of a database.

    Args:
        url: `postgresql://USER:PASSWORD@HOST:PORT/DATABASE`.

    Attributes:
        url: the URL.
        redacted: host, port and database, for messages.

    Raises:
        StoreError: the URL does not have this form.
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
            # The message repeats no part of it, because any part may be the password.
            text = (
                "the address of a Postgres store is postgresql://USER:PASSWORD@HOST:PORT/DATABASE, "
                "where %2F %3F %23 %25 %40 stand for / ? # % @ in a password"
            )
            raise StoreError(text)
        host = parts.hostname or asked.get("host", ["localhost"])[0]
        self.redacted = f"{host}{f':{port}' if port else ''}{parts.path}"
        secrets = [parts.password or "", *asked.get("password", [])]
        self._secrets = {text for one in secrets if one for text in (one, unquote(one))}

    def to_store_error(self, what: str, error: BaseException) -> StoreError:
        """The store error for a failure, without secrets."""
        reason = str(error) or type(error).__name__
        if isinstance(error, asyncio.TimeoutError):
            reason = "no answer in time"
        for secret in self._secrets:
            reason = reason.replace(secret, "…")
        return StoreError(f"Postgres at {self.redacted}: {what}: {reason}", classify_failure(error))


def is_connection_lost(error: BaseException) -> bool:
    """Whether an error means that the connection is unusable."""
    if isinstance(error, asyncpg.PostgresError):
        return (error.sqlstate or "").startswith(_RETRYABLE_SQLSTATES)
    # An error that is also a `ValueError` was raised before anything was sent.
    return not isinstance(error, ValueError)


async def connect(address: DatabaseUrl, *, with_time_limits: bool = True) -> Connection:
    """Opens a new connection.

    Args:
        address: the URL of the database.
        with_time_limits: whether statements and idle transactions end after a time, as a server
            needs.
    """
    limits = {"statement_timeout": "0", "idle_in_transaction_session_timeout": "0"}
    return await asyncpg.connect(
        address.url,
        timeout=CONNECT_TIMEOUT_S,
        command_timeout=STATEMENT_TIMEOUT_S + 1 if with_time_limits else None,
        server_settings=_SESSION_SETTINGS if with_time_limits else _SESSION_SETTINGS | limits,
    )


class ReconnectingConnection:
    """One connection, opened when it is needed, for one caller at a time.

    Args:
        address: the URL of the database.
        prepare: a function called first with each new connection.
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
        """The open connection.

        Raises:
            StoreError: no connection could be opened within `CONNECT_TIMEOUT_S`.
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
                    await asyncio.sleep(_RETRY_INTERVAL_S)
        except TimeoutError:
            pass
        raise self._url.to_store_error(what, last) from last

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
        """Aborts the connection; the next caller opens a new one."""
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

    async def close(self) -> None:
        """Closes the connection gracefully."""
        if self._connection is not None and not self._connection.is_closed():
            try:
                await self._connection.close(timeout=1)
            except DB_ERRORS:
                self._connection.terminate()
        self._connection = None

    @asynccontextmanager
    async def acquire(self, what: str) -> AsyncIterator[Connection]:
        """The connection for some statements, whose errors become `StoreError`s.

        Args:
            what: the failed operation, for the error message.
        """
        connection = await self.connect()
        try:
            yield connection
        except DB_ERRORS as error:
            if is_connection_lost(error):
                self.terminate()
                raise ConnectionLostError(str(self._url.to_store_error(what, error))) from error
            raise self._url.to_store_error(what, error) from error
        except BaseException:
            # A cancelled caller leaves the connection in an unknown state.
            if connection.is_in_transaction():
                self.terminate()
            raise


class ConnectionPool:
    """A pool of connections, for as many callers at a time.

    Args:
        address: the URL of the database.
        number: the maximum number of connections.
        prepare: a function called first with each new connection.
    """

    def __init__(
        self,
        address: DatabaseUrl,
        number: int,
        prepare: Callable[[Connection], Awaitable[None]] | None = None,
    ) -> None:
        self._url = address
        self._connections = [ReconnectingConnection(address, prepare) for _ in range(number)]
        # Last in, first out: where one connection suffices, the others are never opened.
        self._idle: asyncio.LifoQueue[ReconnectingConnection] = asyncio.LifoQueue()
        for line in reversed(self._connections):
            self._idle.put_nowait(line)

    @asynccontextmanager
    async def acquire(self, what: str) -> AsyncIterator[Connection]:
        """A connection for some statements; see `ReconnectingConnection.acquire`.

        Raises:
            StoreError: none was free within `CONNECT_TIMEOUT_S`.
        """
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT_S):
                line = await self._idle.get()
        except TimeoutError as error:
            raise self._url.to_store_error(what, error) from error
        try:
            async with line.acquire(what) as connection:
                yield connection
        finally:
            self._idle.put_nowait(line)

    async def fetch(self, query: str, values: Sequence[Any], what: str) -> list[Any]:
        """The rows of a query, which is repeated once if the connection was lost.

        Args:
            query: the query, which must only read.
            values: its values.
            what: the failed operation, for the error message.
        """
        try:
            async with self.acquire(what) as connection:
                return list(await connection.fetch(query, *values))
        except ConnectionLostError:
            async with self.acquire(what) as connection:
                return list(await connection.fetch(query, *values))

    async def close(self) -> None:
        """Closes all connections, each when it is free."""
        for _ in self._connections:
            await (await self._idle.get()).close()
