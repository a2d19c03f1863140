"""The location of a server's tables: a data folder, or a store given by the operator."""

import os
import sys
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from jasstisch.extras import require
from jasstisch.server.cluster import BusError
from jasstisch.server.errors import StartupError
from jasstisch.storage import (
    REMEDIES,
    EventStore,
    FolderLock,
    ForgottenList,
    LockedError,
    SqliteStore,
    StoreError,
)
from jasstisch.storage.store_url import (
    DATABASE_FILENAME,
    FORGOTTEN_FOLDER,
    is_postgres,
    open_store,
    redacted_url,
    sqlite_path,
)


def default_data_dir() -> Path:
    """The default data folder, where the system keeps the data of programs."""
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "jasstisch"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "jasstisch"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "jasstisch"


def validate_store_and_bus(store: str | None, bus: str | None) -> None:
    """Checks the URLs of a store and a bus; a bus requires a store for several servers.

    Raises:
        ValueError: a URL is invalid, or the store is for one server alone.
        MissingExtraError: they need packages that are not installed.
    """
    try:
        if store is not None:
            redacted_url(store)
        if bus is None:
            return
        if store is None or not is_postgres(store):
            text = "a bus joins servers that share a store: give --store postgresql://… with --bus"
            raise ValueError(text)
        require("cluster", "a bus between servers")
        from jasstisch.server.cluster import nats_bus  # noqa: PLC0415 - of the extra

        nats_bus.parse_server_urls(bus)
    except (StoreError, BusError) as error:
        raise ValueError(str(error)) from error


@dataclass(frozen=True, slots=True)
class OpenedStore:
    """The location of the tables.

    Attributes:
        store: the store of the tables.
        lock: keeps other servers out of the folder, if there is one.
        folder: the folder of the tables; None for a database elsewhere.
    """

    store: EventStore
    lock: AbstractContextManager[object]
    folder: Path | None


def open_server_store(
    data: Path | None,
    store: str | None,
    forgotten: Path | None = None,
    keep_forgotten_days: int = 400,
) -> OpenedStore:
    """Opens the tables in a data folder, or in the store that replaces it.

    Args:
        data: the folder; None for the default.
        store: the store; None for the folder.
        forgotten: the folder of the list of the forgotten; None for one in the data folder.
        keep_forgotten_days: how long its files are kept.

    Raises:
        StartupError: it cannot be opened.
    """
    opened = _open_store(data, store)
    if forgotten is None and opened.folder is not None:
        forgotten = opened.folder / FORGOTTEN_FOLDER
    if forgotten is not None:
        try:
            listed = ForgottenList(forgotten, keep_forgotten_days, opened.store.now)
        except StoreError as error:
            raise StartupError(describe_store_error(error)) from error
        opened.store.record_forgetting(listed)
    return opened


def _open_store(data: Path | None, store: str | None) -> OpenedStore:
    try:
        if store is not None and is_postgres(store):
            return OpenedStore(open_store(store), nullcontext(), None)
        file = (
            (data or default_data_dir()) / DATABASE_FILENAME
            if store is None
            else sqlite_path(store)
        )
        words = "--data" if store is None else "--store"
        lock = _lock_data_dir(file.parent, words)
        try:
            return OpenedStore(SqliteStore(file), lock, file.parent)
        except StoreError:
            lock.release()
            raise
    except StoreError as error:
        raise StartupError(describe_store_error(error)) from error


def _lock_data_dir(folder: Path, words: str) -> FolderLock:
    """Creates the data folder if necessary, and locks it against other servers."""
    try:
        # It contains hidden cards and hashed identities, which only the operator may read.
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return FolderLock(folder, "a server")
    except OSError as error:
        reason = error.strerror or str(error)
        text = f"the data folder {folder} cannot be used: {reason}; choose another with {words}"
        raise StartupError(text) from error
    except LockedError as error:
        text = f"{error}; stop it first, or choose another folder with {words}"
        raise StartupError(text) from error


def describe_store_error(error: StoreError) -> str:
    """Describes a store error, with advice for the operator where there is any."""
    return f"{error}{'' if error.cause is None else f' ({REMEDIES[error.cause]})'}"
