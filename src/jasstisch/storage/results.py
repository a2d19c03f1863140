"""The stored results of a table's matches: a cache beside the log, which need not be replayed.

The results derive from the log and the analyses. They are valid for the version of the log and the
analyses from which they were computed, identified by the sum of their checksums. Outdated results
count as missing.
"""

from jasstisch.storage.event_codec import checksum
from jasstisch.storage.event_store import StoredResults

__all__ = ["RESULTS_QUERY", "verify_results"]

RESULTS_QUERY = """
    SELECT named.table_id, results.version, results.body, results.sum
    FROM named
    JOIN kept ON kept.table_id = named.table_id
    LEFT JOIN results ON results.table_id = named.table_id
        AND results.version = (
            SELECT max(event.version) FROM event WHERE event.table_id = named.table_id
        )
        AND results.analyses = (
            SELECT coalesce(sum(analysis.sum), 0) FROM analysis
            WHERE analysis.table_id = named.table_id
        )
    WHERE named.person = ?1 AND coalesce(kept.finished, 'match') = 'match'
    ORDER BY kept.touched DESC, named.table_id LIMIT ?2 OFFSET ?3
"""
"""The query for the rows of `verify_results`, with SQLite's numbering of values."""


def verify_results(table: str, version: int | None, body: object, summed: object) -> StoredResults:
    """The stored results of a table; changed data count as missing."""
    if version is None or not isinstance(body, bytes):
        return StoredResults(table, None)
    return StoredResults(table, body if summed == checksum(table, version, body) else None)
