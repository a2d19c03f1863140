"""Forgetting again, in a restored store, what was forgotten after the backup was made.

The people are only marked: the server removes them from their tables when it starts, as for any
erasure.
"""

from contextlib import suppress
from secrets import token_urlsafe

from msgspec import Struct

from jasstisch.storage.event_codec import checksum, encode_event
from jasstisch.storage.forgotten_list import Forgotten, listed_hash
from jasstisch.storage.sql_access import FORGET_ACCESS
from jasstisch.storage.sql_identities import erase_steps, remove_listed_credential
from jasstisch.storage.sql_tables import Steps, StoreTransaction
from jasstisch.table.events import LinkRevoked

_BAN_REASON = "banned before this server was restored from a backup"
"""The reason of a ban that a backup does not hold; the list keeps no texts."""

_KNOWN_PERSONS = """
    SELECT person FROM credential UNION SELECT person FROM named UNION SELECT person FROM banned
"""

_LAST_KEY = """
    SELECT coalesce(max(at), 0) FROM event
    WHERE table_id = ?1 AND (substr(body, 1, 17) = ?2 OR substr(body, 1, 18) = ?3)
"""
"""When the key of a table's link was last set."""

_KEY_PREFIXES = b'{"kind":"relinked', b'{"kind":"gathered"'


class ForgottenAgain(Struct, frozen=True):
    """What was forgotten again.

    Attributes:
        begins: when the list begins, in seconds since 1970.
        last_event_at: the time of the last event in the backup, in the same unit.
        person_count: the number of people.
        credential_count: the number of devices and codes.
        ban_count: the number of bans that were set or lifted.
        link_count: the number of links that were revoked.
        damage: the damaged lines of the list, in words.
    """

    begins: float
    last_event_at: float
    person_count: int
    credential_count: int
    ban_count: int
    link_count: int
    damage: list[str]


async def forget_again(store: StoreTransaction, listed: Forgotten, now: float) -> ForgottenAgain:
    """Applies a list to a store, within a transaction.

    Args:
        store: the restored store.
        listed: the list.
        now: seconds since 1970.
    """
    ((last,),) = await store.execute(("SELECT coalesce(max(at), 0) FROM event", ()))
    # The bans first, while everybody is still known by their credentials, and before those are
    # forgotten who were banned earlier.
    bans = await _restore_bans(store, listed, now)
    persons = await _forget_persons(store, listed)
    credentials = await _forget_credentials(store, listed, now)
    links = await _revoke_links(store, listed, now)
    return ForgottenAgain(
        listed.begins, float(last), persons, credentials, bans, links, listed.damage
    )


async def _forget_persons(store: StoreTransaction, listed: Forgotten) -> int:
    rows = await store.execute((_KNOWN_PERSONS, ()))
    persons = [one for (one,) in rows if listed_hash("person", one) in listed.persons]
    for person in persons:
        await _execute(store, erase_steps(person))
    return len(persons)


async def _forget_credentials(store: StoreTransaction, listed: Forgotten, now: float) -> int:
    rows = await store.execute(("SELECT hash, person FROM credential", ()))
    gone = [row for row in rows if listed_hash("credential", row[0]) in listed.credentials]
    for credential, person in gone:
        await _execute(store, remove_listed_credential(credential, person, now))
    return len(gone)


async def _execute(store: StoreTransaction, steps: Steps) -> None:
    """Executes the statements of a change that is never refused."""
    with suppress(StopIteration):
        statement = next(steps)
        while True:
            statement = steps.send(await store.execute(statement))


async def _restore_bans(store: StoreTransaction, listed: Forgotten, now: float) -> int:
    rows = await store.execute(("SELECT person, until FROM banned", ()))
    banned: dict[str, float | None] = {row[0]: row[1] for row in rows}
    changed = 0
    for (person,) in await store.execute((_KNOWN_PERSONS, ())):
        hashed = listed_hash("ban", person)
        if hashed not in listed.bans:
            continue
        ban = listed.bans[hashed]
        if ban is None or (ban[1] is not None and ban[1] <= now):
            if person in banned:
                await store.execute(("DELETE FROM banned WHERE person = ?1", (person,)))
                changed += 1
        elif person not in banned or banned[person] != ban[1]:
            query = """
                INSERT INTO banned (person, since, until, reason) VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT (person) DO UPDATE SET since = excluded.since, until = excluded.until
            """
            await store.execute((query, (person, *ban, _BAN_REASON)))
            changed += 1
    return changed


async def _revoke_links(store: StoreTransaction, listed: Forgotten, now: float) -> int:
    """Gives a new key to the tables whose link was revoked after the last key in the backup."""
    revoked = 0
    for (table,) in await store.execute(("SELECT table_id FROM kept", ())):
        at = listed.links.get(listed_hash("link", table))
        if at is None:
            continue
        ((last,),) = await store.execute((_LAST_KEY, (table, *_KEY_PREFIXES)))
        if at <= last:
            continue
        ((version,),) = await store.execute(
            ("SELECT max(version) FROM event WHERE table_id = ?1", (table,))
        )
        body = encode_event(LinkRevoked(token_urlsafe(9)))
        insert = "INSERT INTO event (table_id, version, at, body, sum) VALUES (?1, ?2, ?3, ?4, ?5)"
        summed = checksum(table, version + 1, body)
        await store.execute((insert, (table, version + 1, now, body, summed)))
        await store.execute((FORGET_ACCESS, (table,)))
        revoked += 1
    return revoked
