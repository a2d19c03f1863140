"""Where the events of tables are kept."""

from jasstisch.store.event_store import Conflict, EventStore, StoreError
from jasstisch.store.sqlite import SqliteStore

__all__ = ["Conflict", "EventStore", "SqliteStore", "StoreError"]
