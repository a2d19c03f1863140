"""The access rules that a store keeps in the list of tables, in SQL.

The statements are written once, in SQL that SQLite and Postgres both support, with SQLite's
numbering of values.

The rules derive from the log, and are committed with the events that change them. They are unknown
for a log that an older program has written, or that was changed without a server. Unknown rules
admit everybody: whoever they admit is checked again by the table itself, once its log is read.
"""

import msgspec

from jasstisch.storage.event_codec import checksum
from jasstisch.storage.sql_tables import Statement
from jasstisch.table.access_rules import AccessRules

SQLITE_ACCESS_SCHEMA = (
    "ALTER TABLE kept ADD COLUMN access BLOB",
    "ALTER TABLE kept ADD COLUMN access_sum INTEGER",
    "CREATE INDEX kept_without_access ON kept (table_id) WHERE access IS NULL",
)
POSTGRES_ACCESS_SCHEMA = (
    "ALTER TABLE kept ADD COLUMN access bytea",
    "ALTER TABLE kept ALTER COLUMN access SET STATISTICS 0",
    "ALTER TABLE kept ADD COLUMN access_sum bigint",
    "CREATE INDEX kept_without_access ON kept (table_id) WHERE access IS NULL",
)
"""The migrations to a schema with access rules. Postgres makes no statistics of data about people,
see `postgres.vacuum`."""

ACCESS_QUERY = "SELECT access, access_sum FROM kept WHERE table_id = ?1"
"""The query for the values of `decode_access_rules`."""

FORGET_ACCESS = "UPDATE kept SET access = NULL, access_sum = NULL WHERE table_id = ?1"
"""The statement that makes the rules of a table unknown."""

_UNKNOWN = AccessRules()

_encode = msgspec.json.Encoder(order="deterministic").encode
_decode = msgspec.json.Decoder(AccessRules).decode

EncodedRules = tuple[bytes, int] | tuple[None, None]
"""The encoded rules and their checksum, if there are any."""


def encode_access_rules(table: str, rules: AccessRules | None) -> EncodedRules:
    """The stored form of rules."""
    if rules is None:
        return None, None
    body = _encode(rules)
    return body, checksum(table, 0, body)


def decode_access_rules(table: str, body: object, summed: object) -> AccessRules:
    """The stored rules of a table; changed data count as unknown."""
    if not isinstance(body, bytes) or summed != checksum(table, 0, body):
        return _UNKNOWN
    return _decode(body)


def access_statement(table: str, version: int, rules: AccessRules, *, also: str = "") -> Statement:
    """The statement that stores the rules of a table where they are unknown.

    Args:
        table: the table.
        version: the version of the log from which they derive; nothing is stored for another one.
        rules: the rules.
        also: a further assignment, where it is needed.
    """
    query = f"""
        UPDATE kept SET access = ?2, access_sum = ?3 {also}
        WHERE table_id = ?1 AND access IS NULL
            AND ?4 = (SELECT max(version) FROM event WHERE event.table_id = kept.table_id)
    """  # noqa: S608 - a constant clause
    return query, (table, *encode_access_rules(table, rules), version)
