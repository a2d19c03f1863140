"""Persistent storage of table events and identities, in SQLite or Postgres.

It decides how events and credentials are stored, checked, copied and leased to one writer. It does
not decide what an event means: that is in `jasstisch.table`. Begin with `event_store`, then
`identities`.
"""

from jasstisch.extras import require

require("server", "the store of tables")

from jasstisch.storage.errors import ConflictError, CorruptionError, OutcomeUnknownError, StoreError
from jasstisch.storage.event_store import CommitObserver, EventStore, StoredResults, StoredTable
from jasstisch.storage.failure_causes import REMEDIES, FailureCause, classify_failure
from jasstisch.storage.folder_lock import FolderLock, LockedError
from jasstisch.storage.forgotten_list import ForgottenList
from jasstisch.storage.identities import Ban, Credential, CredentialKind, IdentityStore
from jasstisch.storage.sqlite.event_store import SqliteStore

__all__ = [
    "REMEDIES",
    "Ban",
    "CommitObserver",
    "ConflictError",
    "CorruptionError",
    "Credential",
    "CredentialKind",
    "EventStore",
    "FailureCause",
    "FolderLock",
    "ForgottenList",
    "IdentityStore",
    "LockedError",
    "OutcomeUnknownError",
    "SqliteStore",
    "StoreError",
    "StoredResults",
    "StoredTable",
    "classify_failure",
]
