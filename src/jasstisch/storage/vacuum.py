"""When a store removes what deleted rows have left in its files.

A database does not overwrite everything that it deletes: copies of rows stay where it has moved
rows between pages, and in its log. Forgetting a person therefore records in the same transaction
that the files are to be rewritten. The store does so at a quiet moment, at most once an hour, and
gives way to whoever wants to write meanwhile. After a day it no longer waits for such a moment.
"""

MARK_DUE = "INSERT INTO vacuum_due DEFAULT VALUES"
"""The statement that records that a vacuum is due, with the time of the database."""

QUIET_S = 1.0
"""Seconds without a change after which a moment counts as quiet."""

MIN_INTERVAL_S = 3600.0
"""The least number of seconds between two vacuums."""

RETRY_INTERVAL_S = 30.0
"""Seconds until the next attempt after one that gave way or failed."""

PATIENCE_S = 24 * 3600.0
"""Seconds after which a vacuum no longer waits for a quiet moment, nor gives way."""
