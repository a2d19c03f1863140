"""Where the events of tables are kept, and who is who."""

from jasstisch.extras import require

require("server", "the store of tables")

from jasstisch.store.causes import REMEDIES, FailureCause, classify_failure
from jasstisch.store.event_store import (
    CommitObserver,
    Conflict,
    CorruptionError,
    EventStore,
    OutcomeUnknownError,
    StoredResults,
    StoredTable,
    StoreError,
)
from jasstisch.store.identities import Ban, Credential, CredentialKind, IdentityStore
from jasstisch.store.locking import FolderLock, LockedError
from jasstisch.store.sqlite import SqliteStore

__all__ = [
    "REMEDIES",
    "Ban",
    "CommitObserver",
    "Conflict",
    "CorruptionError",
    "Credential",
    "CredentialKind",
    "EventStore",
    "FailureCause",
    "FolderLock",
    "IdentityStore",
    "LockedError",
    "OutcomeUnknownError",
    "SqliteStore",
    "StoreError",
    "StoredResults",
    "StoredTable",
    "classify_failure",
]
