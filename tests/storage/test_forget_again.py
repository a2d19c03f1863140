"""A restored backup: whoever was forgotten, banned or revoked after it was made is so again."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from time import time

import msgspec
import pytest

from jasstisch.storage import (
    Ban,
    ConflictError,
    Credential,
    CredentialKind,
    EventStore,
    ForgottenList,
    SqliteStore,
    StoreError,
)
from jasstisch.storage.forget_again import ForgottenAgain
from jasstisch.storage.forgotten_list import Forgotten, listed_hash, read_forgotten
from jasstisch.storage.identities import SECONDS_PER_DAY
from jasstisch.storage.postgres_backup import backup_database, restore_database
from jasstisch.storage.sqlite.backup import backup_file, restore_file
from jasstisch.storage.store_url import DATABASE_FILENAME
from jasstisch.table import AccessRules
from jasstisch.table.events import Event, LinkRevoked, SeatTaken, TableCreated
from tests.storage.store_kinds import PostgresKind, SqliteKind, StoreKind
from tests.support.postgres_server import postgres_server

TODAY = int(time()) // SECONDS_PER_DAY

ANNA, RETO, CLA, URS = ("a" * 64, "b" * 64, "c" * 64, "d" * 64)


async def add(
    store: EventStore, hashed: str, person: str, kind: CredentialKind, maker: str | None = None
) -> None:
    one = Credential(hashed, person, kind, TODAY, TODAY, None, maker)
    assert await store.identity_store.add_credential(one)


def named(letter: str, number: int) -> str:
    """The hash of a credential."""
    return f"{number:02}".rjust(64, letter)


async def fill(store: EventStore) -> None:
    """Four people with devices and codes at two tables, one of them banned."""
    for person in (ANNA, RETO, CLA, URS):
        for number in (1, 2):
            await add(store, named(person[0], number), person, "device")
        await add(store, named(person[0], 3), person, "recovery", named(person[0], 1))
    await add(store, named("b", 5), RETO, "device")
    for table, host in (("t", ANNA), ("u", RETO)):
        created = TableCreated(table, "molotov", {"players": 3}, [None] * 3, None, 0, host=host)
        seated: list[Event] = [created, SeatTaken(1, CLA, "Clarina")]
        await store.append(table, 0, seated, access=AccessRules(frozenset([host, CLA]), "old"))
    await store.identity_store.ban(Ban(CLA, 1.0, None, "rude"))


async def change(store: EventStore) -> None:
    """What happens after the backup."""
    identities = store.identity_store
    await identities.begin_erasure(ANNA)
    await identities.forget_device(RETO, named("b", 1), time())
    await add(store, named("d", 4), URS, "recovery", named("d", 2))  # in place of another one
    joined = Credential(named("c", 4), "", "device", TODAY, TODAY, None)
    assert await identities.redeem(named("c", 3), joined, time(), replaces=named("b", 5))
    await identities.unban(CLA)
    await identities.ban(Ban(RETO, 2.0, None, "loud"))
    await store.append("t", 2, [LinkRevoked("A" * 12)])


async def check_forgotten_again(store: EventStore) -> None:
    identities = store.identity_store
    assert await identities.pending_erasures(9) == [ANNA]
    assert await identities.credentials_of(ANNA, 0.0) == []
    hashes = {one.hash for one in await identities.credentials_of(RETO, 0.0)}
    assert hashes == {named("b", 2)}  # nor the code that the forgotten device made
    hashes = {one.hash for one in await identities.credentials_of(URS, 0.0)}
    assert hashes == {named("d", 1), named("d", 2)}
    assert [one.person for one in await identities.list_bans(0.0)] == [RETO]
    log = await store.load("t")
    assert isinstance(log[-1], LinkRevoked)
    assert log[-1].key != "A" * 12
    assert len(log[-1].key) == 12
    assert len(await store.load("u")) == 2
    assert await store.tables_without_access_rules(9) == ["t"]
    assert (await store.access_rules("u")) == AccessRules(frozenset([RETO, CLA]), "old")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "forgotten"


async def restore(
    kind: StoreKind,
    tmp_path: Path,
    folder: Path | None,
    change: Callable[[EventStore], Awaitable[None]] = change,
    fill: Callable[[EventStore], Awaitable[None]] = fill,
) -> tuple[EventStore, ForgottenAgain | None]:
    """Fills a store, backs it up, changes it and restores the backup; returns the new store."""
    store = await kind.open()
    if folder is not None:
        store.record_forgetting(ForgottenList(folder, 400, time))
    await fill(store)
    backup = tmp_path / "backup.sqlite3"
    if isinstance(kind, SqliteKind):
        backup_file(kind.path, backup, lambda _: None)
    else:
        assert isinstance(kind, PostgresKind)
        await backup_database(kind.url, backup, lambda _, __: None)
    await change(store)
    await store.close()
    listed = None if folder is None else read_forgotten(folder)
    if isinstance(kind, SqliteKind):
        target = tmp_path / "restored" / DATABASE_FILENAME
        done = await asyncio.to_thread(restore_file, backup, target, lambda _: None, listed=listed)
        assert [one.name for one in target.parent.iterdir() if one.name != "lock"] == [target.name]
        return SqliteStore(target), done.forgotten_again
    other = PostgresKind(postgres_server())
    _, again = await restore_database(backup, other.url, lambda _, __: None, listed)
    return await other.open(), again


async def test_what_happened_after_the_backup_happens_again(
    kind: StoreKind, tmp_path: Path, folder: Path
) -> None:
    store, again = await restore(kind, tmp_path, folder)
    await check_forgotten_again(store)
    await store.close()
    assert again is not None
    assert (again.person_count, again.credential_count) == (1, 4)
    assert (again.ban_count, again.link_count, again.damage) == (2, 1, [])
    assert again.begins <= again.last_event_at
    if isinstance(kind, SqliteKind):
        restored = (tmp_path / "restored" / DATABASE_FILENAME).read_bytes()
        assert named("a", 1).encode() not in restored


async def test_without_a_list_the_forgotten_are_back(kind: StoreKind, tmp_path: Path) -> None:
    store, again = await restore(kind, tmp_path, None)
    assert again is None
    assert len(await store.identity_store.credentials_of(ANNA, 0.0)) == 3
    assert [one.person for one in await store.identity_store.list_bans(0.0)] == [CLA]
    await store.close()


async def test_what_happened_before_the_backup_does_not_happen_again(
    kind: StoreKind, tmp_path: Path, folder: Path
) -> None:
    async def nothing(_: EventStore) -> None:
        """Changes nothing after the backup."""

    async def before(store: EventStore) -> None:
        await store.identity_store.unban(CLA)
        await store.identity_store.ban(Ban(CLA, 1.0, None, "rude"))
        await store.append("t", 2, [LinkRevoked("A" * 12)])

    async def fill_and_change(store: EventStore) -> None:
        await fill(store)
        await before(store)

    store, again = await restore(kind, tmp_path, folder, nothing, fill_and_change)
    assert again is not None
    counts = msgspec.structs.astuple(again)[2:6]
    assert counts == (0, 0, 0, 0)
    assert [one.reason for one in await store.identity_store.list_bans(0.0)] == ["rude"]
    assert (await store.load("t"))[-1] == LinkRevoked("A" * 12)
    await store.close()


async def test_a_ban_that_has_ended_meanwhile_does_not_begin_again(
    kind: StoreKind, tmp_path: Path, folder: Path
) -> None:
    async def ban_for_a_while(store: EventStore) -> None:
        await store.identity_store.ban(Ban(RETO, 1.0, 2.0, "loud"))
        await store.identity_store.ban(Ban(CLA, 1.0, time() + 3600, "rude"))

    store, again = await restore(kind, tmp_path, folder, ban_for_a_while)
    assert again is not None
    assert again.ban_count == 1
    (ban,) = await store.identity_store.list_bans(time())
    assert (ban.person, ban.reason) == (CLA, "rude")
    assert ban.until is not None
    await store.close()


async def test_nobody_who_was_forgotten_is_banned_again(
    kind: StoreKind, tmp_path: Path, folder: Path
) -> None:
    store, again = await restore(
        kind, tmp_path, folder, lambda store: store.identity_store.begin_erasure(CLA)
    )
    assert again is not None
    assert again.person_count == 1
    assert await store.identity_store.pending_erasures(9) == [CLA]
    assert await store.identity_store.list_bans(0.0) == []
    await store.close()


async def test_what_is_refused_is_not_listed(kind: StoreKind, folder: Path) -> None:
    store = await kind.open()
    await fill(store)
    identities = store.identity_store
    store.record_forgetting(ForgottenList(folder, 400, time))
    device = Credential(named("c", 4), "", "device", TODAY, TODAY, None)
    assert await identities.redeem("e" * 64, device, time(), replaces=named("b", 1)) is None
    assert await identities.forget_device(ANNA, named("b", 1), time()) is False
    code = Credential("e" * 64, ANNA, "recovery", TODAY, TODAY, None, named("b", 1))
    assert await identities.add_credential(code) is False
    assert await identities.begin_erasure_of_abandoned(ANNA, time()) is False
    assert await identities.unban(RETO) is False
    with pytest.raises(ConflictError):
        await store.append("t", 1, [LinkRevoked("A" * 12)])
    listed = read_forgotten(folder)
    assert listed == Forgotten(listed.begins if listed else 0.0)
    await store.close()


async def test_what_could_not_be_listed_is_listed_by_the_next_server(
    kind: StoreKind, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await kind.open()
    await fill(store)
    listed = ForgottenList(folder, 400, time)
    store.record_forgetting(listed)
    add_lines = listed.add_lines

    def add_no_more(lines: Sequence[str]) -> None:
        if lines:
            raise StoreError("the list cannot be written")
        add_lines(lines)

    monkeypatch.setattr(listed, "add_lines", add_no_more)
    # It is done, and cannot be refused any more.
    await store.identity_store.begin_erasure(ANNA)
    with pytest.raises(StoreError, match="the list cannot be written"):
        await store.identity_store.begin_erasure(RETO)
    await store.close()
    again = await kind.open()
    again.record_forgetting(ForgottenList(folder, 400, time))
    await again.identity_store.delete_expired(0.0, 9)
    found = read_forgotten(folder)
    assert found is not None
    assert found.persons == {listed_hash("person", ANNA)}
    assert len(await again.identity_store.credentials_of(RETO, 0.0)) == 4
    await again.close()


async def test_nothing_changes_in_a_store_if_it_cannot_be_listed(
    kind: StoreKind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await kind.open()
    await fill(store)
    listed = ForgottenList(tmp_path / "forgotten", 400, time)
    store.record_forgetting(listed)

    def fail(*_: object) -> None:
        raise StoreError("the list cannot be written")

    monkeypatch.setattr(listed, "add_lines", fail)
    with pytest.raises(StoreError, match="the list cannot be written"):
        await store.identity_store.begin_erasure(ANNA)
    with pytest.raises(StoreError, match="the list cannot be written"):
        await store.append("t", 2, [LinkRevoked("A" * 12)])
    assert len(await store.identity_store.credentials_of(ANNA, 0.0)) == 3
    assert len(await store.load("t")) == 2
    await store.close()
