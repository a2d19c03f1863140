"""What has come of the matches of a table, kept beside its log so that it is not read again for it.

It says nothing that the log and the analyses do not say. It holds for the version of the log it was
made of, and for the analyses, told apart by the sum of their checksums; what has become out of date
counts as not kept.
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
"""The rows of which `sound_results` is made; values are numbered as SQLite does it."""


def verify_results(table: str, version: int | None, body: object, summed: object) -> StoredResults:
    """What is kept of a table; what is not as it was written counts as not kept."""
    if version is None or not isinstance(body, bytes):
        return StoredResults(table, None)
    return StoredResults(table, body if summed == checksum(table, version, body) else None)
