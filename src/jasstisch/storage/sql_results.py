"""The progress, analyses and results that a store keeps beside the log of a table, in SQL.

The statements are written once, in SQL that SQLite and Postgres both support, with SQLite's
numbering of values.

The results of a table's matches are a cache, so that the log need not be replayed. They derive from
the log and the analyses, and are valid for the version of the log and the analyses from which they
were computed, identified by the sum of their checksums. Outdated results count as missing.
"""

from jasstisch.storage.event_codec import checksum
from jasstisch.storage.event_store import StoredResults
from jasstisch.storage.sql_tables import Statement
from jasstisch.table.state import Progress

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
"""The query for the rows of `verify_results`."""


def progress_statement(table: str, finished: Progress) -> Statement:
    """The statement that stores a table's progress, where none is known yet."""
    query = "UPDATE kept SET finished = ?1 WHERE table_id = ?2 AND finished IS NULL"
    return query, (finished, table)


def analysis_statement(table: str, number: int, body: bytes, *, lock: str = "") -> Statement:
    """The statement that stores an analysis, unless the table has been deleted.

    Args:
        table: the table.
        number: the number of the match.
        body: the analysis.
        lock: the clause that makes a concurrent deletion of the table wait, where it is needed.
    """
    query = f"""
        INSERT INTO analysis (table_id, number, body, sum)
        SELECT table_id, ?2, ?3, ?4 FROM kept WHERE table_id = ?1 {lock}
        ON CONFLICT (table_id, number) DO UPDATE SET body = excluded.body, sum = excluded.sum
    """  # noqa: S608 - a constant clause
    return query, (table, number, body, checksum(table, number, body))


def results_statement(
    table: str, version: int, analyses: int, body: bytes, rewrites: int, *, lock: str = ""
) -> Statement:
    """The statement that stores results, unless the table has been deleted or rewritten.

    Args:
        table: the table.
        version: the version of the log from which they derive.
        analyses: the sum of the checksums of the analyses from which they derive.
        body: the results.
        rewrites: the number of rewrites of the log from which they derive.
        lock: see `analysis_statement`.
    """
    query = f"""
        INSERT INTO results (table_id, version, analyses, body, sum)
        SELECT table_id, ?2, ?3, ?4, ?5 FROM kept WHERE table_id = ?1 AND rewrites = ?6 {lock}
        ON CONFLICT (table_id) DO UPDATE SET version = excluded.version,
            analyses = excluded.analyses, body = excluded.body, sum = excluded.sum
    """  # noqa: S608 - a constant clause
    return query, (table, version, analyses, body, checksum(table, version, body), rewrites)


def verify_results(table: str, version: int | None, body: object, summed: object) -> StoredResults:
    """The stored results of a table; changed data count as missing."""
    if version is None or not isinstance(body, bytes):
        return StoredResults(table, None)
    return StoredResults(table, body if summed == checksum(table, version, body) else None)
