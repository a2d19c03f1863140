"""The event store in a Postgres database, which several servers may share.

It holds the batched writer, fencing by leases, the connection pool, the schema migrations and
backups to SQLite; it needs the extra `cluster` and imports nothing of it in this file. Begin
reading in `event_store`.
"""
