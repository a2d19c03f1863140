"""Where the events of tables are kept, and who is who."""

from jasstisch.extras import require

require("server", "the store of tables")

from jasstisch.store.causes import ADVICE, Cause, cause_of
from jasstisch.store.event_store import (
    CommitWatcher,
    Conflict,
    DamagedError,
    EventStore,
    Kept,
    KeptResults,
    NotKnownError,
    StoreError,
)
from jasstisch.store.identities import Ban, Credential, IdentityStore, Kind
from jasstisch.store.locking import FolderLock, LockedError
from jasstisch.store.sqlite import SqliteStore

__all__ = [
    "ADVICE",
    "Ban",
    "Cause",
    "CommitWatcher",
    "Conflict",
    "Credential",
    "DamagedError",
    "EventStore",
    "FolderLock",
    "IdentityStore",
    "Kept",
    "KeptResults",
    "Kind",
    "LockedError",
    "NotKnownError",
    "SqliteStore",
    "StoreError",
    "cause_of",
]
