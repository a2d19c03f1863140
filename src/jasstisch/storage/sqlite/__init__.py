"""The event store in one SQLite file, for a single server.

It holds the writer thread, the reader thread, the schema migrations, file backups and the damage
checks; what both databases share is in `jasstisch.storage`. Begin reading in `event_store`.
"""
