"""Where the events of tables are kept, and who is who."""

from jasstisch.extras import require

require("server", "the store of tables")

from jasstisch.store.event_store import Conflict, EventStore, StoreError
from jasstisch.store.identities import Credential, IdentityStore, Kind
from jasstisch.store.sqlite import SqliteStore

__all__ = [
    "Conflict",
    "Credential",
    "EventStore",
    "IdentityStore",
    "Kind",
    "SqliteStore",
    "StoreError",
]
