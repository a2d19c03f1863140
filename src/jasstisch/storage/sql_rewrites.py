"""The replacement of events in a log that must no longer contain what they contained, in SQL.

The statements are written once, in SQL that SQLite and Postgres both support, with SQLite's
numbering of values. Results derive from the log, so they are deleted with it. A count of the
rewrites refuses those that are still being computed from the earlier log.
"""

from collections.abc import Sequence

from jasstisch.storage.event_codec import checksum, encode_event, event_versions
from jasstisch.storage.sql_access import encode_access_rules
from jasstisch.storage.sql_tables import Statement
from jasstisch.table.access_rules import AccessRules
from jasstisch.table.events import Event

COUNT_REWRITES = "SELECT rewrites FROM kept WHERE table_id = ?1"
"""The query for the number of rewrites of a log."""

_COUNT_REWRITE = """
    UPDATE kept SET rewrites = rewrites + 1, access = ?2, access_sum = ?3 WHERE table_id = ?1
"""

LAST_VERSION = "SELECT coalesce(max(version), 0) FROM event WHERE table_id = ?1"
"""The query for the end of a log."""

_REPLACE_EVENT = "UPDATE event SET body = ?3, sum = ?4 WHERE table_id = ?1 AND version = ?2"


def rewrite_statements(
    table: str, log: Sequence[Event], clean: Sequence[Event], access: AccessRules
) -> list[Statement]:
    """The statements that replace the events that differ, and delete what derives from them.

    Args:
        table: the table.
        log: its whole log.
        clean: the same number of events; the same objects where nothing is to change.
        access: the access rules that follow from them.
    """
    versions = event_versions(log)
    changed = [
        (version, encode_event(after))
        for version, before, after in zip(versions, log, clean, strict=True)
        if after is not before
    ]
    return [
        # First, because it waits for another server that is storing results.
        (_COUNT_REWRITE, (table, *encode_access_rules(table, access))),
        ("DELETE FROM results WHERE table_id = ?1", (table,)),
        *(
            (_REPLACE_EVENT, (table, version, body, checksum(table, version, body)))
            for version, body in changed
        ),
    ]


def log_end(log: Sequence[Event]) -> int:
    """The version of the last event of a log."""
    return event_versions(log)[-1]
