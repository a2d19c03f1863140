"""Migration of all data of a store to another store, which must be empty.

Both stores are locked meanwhile, and so are the folders of files, so that no server uses either.
All data are written in one transaction; if it is interrupted, the target stays empty. At the end
the data are read back from the target and compared. Deleted tables are not copied.
"""

from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, ExitStack, aclosing, contextmanager
from hashlib import sha256

import msgspec
from msgspec import Struct

from jasstisch.extras import require
from jasstisch.storage.errors import StoreError
from jasstisch.storage.folder_lock import FolderLock, LockedError
from jasstisch.storage.sql_tables import SQL_TABLES, Rows, SqlTable, StoreTransaction
from jasstisch.storage.sqlite.row_transfer import exclusive_file
from jasstisch.storage.store_url import ensure_folder, is_postgres, sqlite_path

MigrationProgress = Callable[[str, int], None]
"""A callback for the progress: what is being copied or compared, and the number of rows so far."""


class MigrationInfo(Struct, frozen=True):
    """The result of a migration.

    Attributes:
        table_count: the number of tables.
        event_count: the number of events in their logs.
        credential_count: the number of credentials.
        digest: the SHA-256 of all rows, equal on both sides.
    """

    table_count: int
    event_count: int
    credential_count: int
    digest: str


class _RunningDigest:
    """The row counts and a digest of the rows read so far."""

    def __init__(self) -> None:
        self.counts = dict.fromkeys((part.name for part in SQL_TABLES), 0)
        self._hash = sha256()
        self._encode = msgspec.msgpack.Encoder().encode

    def add(self, part: SqlTable, rows: Rows) -> None:
        self.counts[part.name] += len(rows)
        for row in rows:
            self._hash.update(self._encode(tuple(row)))

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()


async def migrate(source: str, target: str, on_progress: MigrationProgress) -> MigrationInfo:
    """Copies all data of a store to an empty one; the source stays unchanged.

    Args:
        source: the URL of the source, see `jasstisch.storage.store_url`.
        target: the URL of the target.
        on_progress: a callback for the progress.

    Raises:
        StoreError: a server uses one of them, the target is not empty, one cannot be read or
            written, or the copies differ; then nothing has been copied.
        MissingExtraError: the required packages are not installed.
    """
    if not is_postgres(source) and not sqlite_path(source).is_file():
        raise StoreError(f"there is no store at {sqlite_path(source)}")
    if not is_postgres(source) and not is_postgres(target) and _same_file(source, target):
        raise StoreError("both are the same store")
    with _lock_folders(source, target):
        async with _open_exclusively(source) as there, _open_exclusively(target) as here:
            return await copy_all(there, here, on_progress)


async def copy_all(
    there: StoreTransaction, here: StoreTransaction, on_progress: MigrationProgress
) -> MigrationInfo:
    """Copies all data of one store to another, within their transactions.

    Args:
        there: the source.
        here: the target; it must be empty.
        on_progress: a callback for the progress.

    Raises:
        StoreError: the target is not empty, or the copies differ.
    """
    if not await here.is_empty():
        raise StoreError("the store that it is to be moved to is not empty")
    read, written = _RunningDigest(), _RunningDigest()
    for part in SQL_TABLES:
        async with aclosing(there.rows(part)) as batches:
            async for rows in batches:
                await here.insert_rows(part, rows)
                read.add(part, rows)
                on_progress(f"Moving {part.name}", read.counts[part.name])
    for part in SQL_TABLES:
        await _digest_rows(here.rows(part), part, written, on_progress)
    if (read.counts, read.digest) != (written.counts, written.digest):
        raise StoreError("what was written is not what was read; nothing has been moved")
    counts = read.counts
    return MigrationInfo(counts["kept"], counts["event"], counts["credential"], read.digest)


async def _digest_rows(
    batches: AsyncGenerator[Rows, None],
    part: SqlTable,
    written: _RunningDigest,
    on_progress: MigrationProgress,
) -> None:
    async with aclosing(batches):
        async for rows in batches:
            written.add(part, rows)
            on_progress(f"Comparing {part.name}", written.counts[part.name])


def _same_file(source: str, target: str) -> bool:
    return sqlite_path(source).resolve() == sqlite_path(target).resolve()


@contextmanager
def _lock_folders(*stores: str) -> Iterator[None]:
    """Locks the folders of file stores against servers; creates missing folders."""
    files = [sqlite_path(text) for text in stores if not is_postgres(text)]
    with ExitStack() as locks:
        for file in files:
            ensure_folder(file)
        # Two files may share one folder.
        for folder in sorted({file.parent.resolve() for file in files}):
            try:
                locks.enter_context(FolderLock(folder, "a move"))
            except LockedError as error:
                raise LockedError(f"{error}; stop it first") from error
            except OSError as error:
                reason = error.strerror or str(error)
                raise StoreError(f"the data folder {folder} cannot be used: {reason}") from error
        yield


def _open_exclusively(text: str) -> AbstractAsyncContextManager[StoreTransaction]:
    if not is_postgres(text):
        return exclusive_file(sqlite_path(text))
    require("cluster", "a store in Postgres")
    from jasstisch.storage.postgres.row_transfer import exclusive_database  # noqa: PLC0415 - needs the extra

    return exclusive_database(text)
