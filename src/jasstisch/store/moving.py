"""Carries all that a store keeps over to another one, which must be empty.

Both are held meanwhile, and so are the folders of files, so that no server uses either. All is
written in one transaction: it is there as a whole once it has ended, and where it is cut off the
other store is as empty as before.
At the end what the other store holds is read again and compared. What is deleted stays behind.
"""

from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, ExitStack, aclosing, contextmanager
from hashlib import sha256

import msgspec
from msgspec import Struct

from jasstisch.extras import require
from jasstisch.store.event_store import StoreError
from jasstisch.store.locking import FolderLock, LockedError
from jasstisch.store.opening import file_of, is_postgres, make_folder
from jasstisch.store.parts import PARTS, Held, Part, Rows
from jasstisch.store.sqlite_parts import held_file

__all__ = ["Moved", "Told", "carry", "move"]

Told = Callable[[str, int], None]
"""Is told again and again what is being carried over or compared, and how many rows so far."""


class Moved(Struct, frozen=True):
    """What was carried over.

    Attributes:
        tables: how many tables.
        events: how many events in their logs.
        credentials: how many secrets that lead to people.
        digest: the SHA-256 of all of it, row by row, alike on both sides.
    """

    tables: int
    events: int
    credentials: int
    digest: str


class _Sum:
    """How much there is, and a digest of it."""

    def __init__(self) -> None:
        self.counts = dict.fromkeys((part.name for part in PARTS), 0)
        self._hash = sha256()
        self._encode = msgspec.msgpack.Encoder().encode

    def add(self, part: Part, rows: Rows) -> None:
        self.counts[part.name] += len(rows)
        for row in rows:
            self._hash.update(self._encode(tuple(row)))

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()


async def move(source: str, target: str, tell: Told) -> Moved:
    """Carries all that a store keeps over to an empty one; the first one stays as it is.

    Args:
        source: where it is kept, as `jasstisch.store.opening` reads it.
        target: where it is to be kept.
        tell: is told how far it is.

    Raises:
        StoreError: a server uses one of them, the second one is not empty, one cannot be read or
            written, or they were not alike in the end; then nothing has been carried over.
        MissingExtraError: it needs packages that are not installed.
    """
    if not is_postgres(source) and not file_of(source).is_file():
        raise StoreError(f"there is no store at {file_of(source)}")
    if not is_postgres(source) and not is_postgres(target) and _same_file(source, target):
        raise StoreError("both are the same store")
    with _locked(source, target):
        async with _held(source) as there, _held(target) as here:
            return await carry(there, here, tell)


async def carry(there: Held, here: Held, tell: Told) -> Moved:
    """Carries all that one store holds over to another, within their transactions.

    Args:
        there: what is read.
        here: what is written; it must be empty.
        tell: is told how far it is.

    Raises:
        StoreError: the second one is not empty, or they were not alike in the end.
    """
    if not await here.is_empty():
        raise StoreError("the store that it is to be moved to is not empty")
    read, written = _Sum(), _Sum()
    for part in PARTS:
        async with aclosing(there.rows(part)) as batches:
            async for rows in batches:
                await here.add(part, rows)
                read.add(part, rows)
                tell(f"Moving {part.name}", read.counts[part.name])
    for part in PARTS:
        await _sum_up(here.rows(part), part, written, tell)
    if (read.counts, read.digest) != (written.counts, written.digest):
        raise StoreError("what was written is not what was read; nothing has been moved")
    counts = read.counts
    return Moved(counts["kept"], counts["event"], counts["credential"], read.digest)


async def _sum_up(
    batches: AsyncGenerator[Rows, None], part: Part, written: _Sum, tell: Told
) -> None:
    async with aclosing(batches):
        async for rows in batches:
            written.add(part, rows)
            tell(f"Comparing {part.name}", written.counts[part.name])


def _same_file(source: str, target: str) -> bool:
    return file_of(source).resolve() == file_of(target).resolve()


@contextmanager
def _locked(*stores: str) -> Iterator[None]:
    """Keeps servers out of the folders in which stores lie, each of which is made if need be."""
    files = [file_of(text) for text in stores if not is_postgres(text)]
    with ExitStack() as locks:
        for file in files:
            make_folder(file)
        # Two files may lie in one folder.
        for folder in sorted({file.parent.resolve() for file in files}):
            try:
                locks.enter_context(FolderLock(folder, "a move"))
            except LockedError as error:
                raise LockedError(f"{error}; stop it first") from error
            except OSError as error:
                reason = error.strerror or str(error)
                raise StoreError(f"the data folder {folder} cannot be used: {reason}") from error
        yield


def _held(text: str) -> AbstractAsyncContextManager[Held]:
    if not is_postgres(text):
        return held_file(file_of(text))
    require("cluster", "a store in Postgres")
    from jasstisch.store.postgres_parts import held_database  # noqa: PLC0415 - needs the extra

    return held_database(text)
