"""The outbox of the list of the forgotten: what has been forgotten and is still to be listed.

The list and the store cannot be changed at once. So a change that forgets also records its lines in
the store, in the same transaction, and they are listed once it is committed. Nothing is listed that
was not forgotten, and whatever ends the server in between, the lines are there when it starts.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from jasstisch.storage.errors import StoreError
from jasstisch.storage.forgotten_list import ForgottenList, Kind
from jasstisch.storage.sql_tables import Rows, Script, Statement, Steps, script_of

SQLITE_SCHEMA = ("CREATE TABLE unlisted (number INTEGER PRIMARY KEY, line TEXT NOT NULL) STRICT",)
"""The schema of the outbox in SQLite."""

POSTGRES_SCHEMA = (
    """
    CREATE TABLE unlisted (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        line text COLLATE "C" NOT NULL
    )
    """,
)
"""The schema of the outbox in Postgres."""


class ForgottenOutbox:
    """The outbox of a store; without a list it records nothing.

    Args:
        change: a function that writes a change.
        read: a function that returns the rows of a query.
    """

    def __init__(
        self,
        change: Callable[[Script], Awaitable[None]],
        read: Callable[[Statement], Awaitable[Rows]],
    ) -> None:
        self._change = change
        self._read = read
        self._list: ForgottenList | None = None
        self._publishing = asyncio.Lock()

    def attach(self, forgotten: ForgottenList) -> None:
        """Records what is forgotten from now on, and lists it."""
        self._list = forgotten

    def record(
        self, kind: Kind, value: str, until: float | None = None, at: float | None = None
    ) -> Steps:
        """Records a line, as a part of the change that forgets.

        Args:
            kind: what has happened.
            value: the person, the hash of the credential, or the table.
            until: the end of a ban in seconds since 1970; None for none.
            at: the time of the change in the same unit; None for now.
        """
        if self._list is not None:
            line = self._list.line(kind, value, until, at)
            yield "INSERT INTO unlisted (line) VALUES (?1)", (line,)

    async def write(self, change: Callable[[], Awaitable[None]]) -> None:
        """Writes a change that may forget, and lists what it has recorded.

        A list that cannot be written refuses the change. If it fails only afterwards, the lines
        stay recorded and are listed before the next change: what has been done is not refused.

        Raises:
            StoreError: the change is refused or has failed, or the list cannot be written.
        """
        await self.publish()
        await change()
        with suppress(StoreError):
            await self.publish()

    async def publish(self) -> None:
        """Lists what is recorded, also by a server that has ended.

        Raises:
            StoreError: the list cannot be written, or the store not be read.
        """
        if self._list is None:
            return
        async with self._publishing:
            rows = await self._read(("SELECT number, line FROM unlisted ORDER BY number", ()))
            await asyncio.to_thread(self._list.add_lines, [line for _, line in rows])
            if rows:
                delete = "DELETE FROM unlisted WHERE number = ?1"
                await self._change(script_of(*((delete, (number,)) for number, _ in rows)))
