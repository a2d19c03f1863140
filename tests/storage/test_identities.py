"""The store of identities: which secrets belong to whom, and expiry."""

import asyncio
import subprocess
import sys
import textwrap
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest

from jasstisch.storage import Ban, Credential, CredentialKind, EventStore, SqliteStore, StoreError
from jasstisch.storage.identities import DEVICE_RETENTION_DAYS, SECONDS_PER_DAY
from jasstisch.storage.sqlite import event_store as module
from jasstisch.storage.sqlite.queries import APPLICATION_ID
from jasstisch.table.events import (
    EntryRequested,
    Event,
    HostSettings,
    LobbyCompacted,
    SeatLeft,
    SeatSnapshot,
    SeatTaken,
    TableCreated,
)
from tests.storage.store_kinds import PostgresKind, StoreKind, execute_raw

NOW = 1000.0 * SECONDS_PER_DAY
SOON = NOW + 30 * SECONDS_PER_DAY


def made(
    secret: str, person: str = "anna", kind: CredentialKind = "device", **more: object
) -> Credential:
    one = Credential(secret, person, kind, 1000, 1000, SOON)
    return msgspec.structs.replace(one, **more)


async def test_a_secret_identifies_its_person_until_it_expires(store: EventStore) -> None:
    await store.identity_store.add_credential(made("one"))
    assert await store.identity_store.find_credential("one", NOW) == made("one")
    assert await store.identity_store.find_credential("one", SOON) is None
    assert await store.identity_store.find_credential("other", NOW) is None
    assert await store.identity_store.credentials_of("anna", SOON) == []


async def test_a_hash_in_use_is_refused_without_affecting_others_in_the_commit(
    store: EventStore,
) -> None:
    await store.identity_store.add_credential(made("one"))
    taken, other = await asyncio.gather(
        store.identity_store.add_credential(made("one", "reto")),
        store.append("t", 0, [SeatLeft(0)]),
        return_exceptions=True,
    )
    assert isinstance(taken, StoreError)
    assert other is None
    found = await store.identity_store.find_credential("one", NOW)
    assert found is not None
    assert found.person == "anna"


async def test_a_new_code_replaces_the_old_one_and_no_device(
    store: EventStore,
) -> None:
    for secret in ("first", "second"):
        for kind in ("device", "link", "recovery"):
            await store.identity_store.add_credential(made(f"{secret}-{kind}", kind=kind))
    kept = {one.hash for one in await store.identity_store.credentials_of("anna", NOW)}
    assert kept == {"first-device", "second-device", "second-link", "second-recovery"}


async def test_a_link_code_is_valid_once_and_a_recovery_code_repeatedly(store: EventStore) -> None:
    await store.identity_store.add_credential(made("link", kind="link"))
    await store.identity_store.add_credential(made("written", kind="recovery"))
    new = await store.identity_store.redeem("link", made("phone", "nobody"), NOW)
    assert new is not None
    assert new.person == "anna"
    assert await store.identity_store.redeem("link", made("thief"), NOW) is None
    for phone in ("second", "third"):
        assert await store.identity_store.redeem("written", made(phone), NOW) is not None
    assert await store.identity_store.redeem("phone", made("thief"), NOW) is None  # no code at all
    await store.identity_store.add_credential(made("late", kind="link", expires=NOW))
    assert await store.identity_store.redeem("late", made("thief"), NOW) is None
    assert await store.identity_store.find_credential("thief", NOW) is None


async def test_a_link_code_redeemed_twice_at_once_is_valid_once(store: EventStore) -> None:
    await store.identity_store.add_credential(made("link", kind="link"))
    both = [store.identity_store.redeem("link", made(f"phone{n}"), NOW) for n in range(2)]
    assert sorted(one is None for one in await asyncio.gather(*both)) == [False, True]


async def test_people_who_sat_at_a_table_expire_later(store: EventStore) -> None:
    longer = (1000 + DEVICE_RETENTION_DAYS) * SECONDS_PER_DAY
    await store.identity_store.add_credential(made("before"))
    await store.identity_store.add_credential(made("written", kind="recovery"))
    await store.append("t", 0, [SeatTaken(0, "anna", "Anna")])
    await store.identity_store.add_credential(made("after"))
    await store.identity_store.add_credential(made("link", kind="link"))
    until = {
        one.hash: one.expires for one in await store.identity_store.credentials_of("anna", NOW)
    }
    assert until == {"before": longer, "after": longer, "written": None, "link": SOON}
    await store.identity_store.renew_device("before", 1003, SOON)
    renewed = await store.identity_store.find_credential("before", NOW)
    assert renewed is not None
    assert (renewed.last_used_day, renewed.expires) == (1003, longer + 3 * SECONDS_PER_DAY)


async def test_the_creator_of_a_table_is_in_its_log(store: EventStore) -> None:
    created = TableCreated("t", "molotov", {}, [None] * 3, None, 0, host="anna")
    await store.append("t", 0, [created, SeatTaken(0, "reto", "Reto")])
    assert await store.identity_store.tables_of("anna", 9) == ["t"]
    await store.delete("t")
    assert await store.identity_store.tables_of("anna", 9) == []
    assert await store.identity_store.tables_of("reto", 9) == []


async def test_expired_secrets_are_purged_in_small_batches(store: EventStore) -> None:
    for number in range(5):
        await store.identity_store.add_credential(made(f"old{number}", expires=NOW - 1))
    await store.identity_store.add_credential(made("good"))
    assert await store.identity_store.delete_expired(NOW, 3) == 3
    assert await store.identity_store.delete_expired(NOW, 3) == 2
    assert await store.identity_store.delete_expired(NOW, 3) == 0
    assert await store.identity_store.count_credentials() == 1


async def test_a_person_can_remove_one_device_and_then_all(store: EventStore) -> None:
    for secret in ("laptop", "phone"):
        await store.identity_store.add_credential(made(secret))
    await store.identity_store.add_credential(made("retos", "reto"))
    await store.append("t", 0, [SeatTaken(0, "anna", "Anna")])
    assert await store.identity_store.forget_device("anna", "retos", NOW) is False
    assert await store.identity_store.forget_device("anna", "phone", NOW) is True
    assert await store.identity_store.pending_erasures(9) == []
    await store.identity_store.begin_erasure("anna")
    assert await store.identity_store.credentials_of("anna", NOW) == []
    assert await store.identity_store.pending_erasures(9) == ["anna"]
    await store.identity_store.mark_erased("anna", "t")
    assert await store.identity_store.tables_of("anna", 9) == []
    await store.identity_store.mark_erased("anna", None)
    assert await store.identity_store.pending_erasures(9) == []
    assert await store.identity_store.find_credential("retos", NOW) is not None


async def codes_of(store: EventStore, person: str = "anna") -> set[str]:
    """The hashes of a person's valid codes."""
    known = await store.identity_store.credentials_of(person, NOW)
    return {one.hash for one in known if one.kind != "device"}


async def add_devices_with_codes(store: EventStore, *devices: str) -> None:
    """Adds devices of Anna, which make a code of a kind each: the first a link code."""
    for device in devices:
        await store.identity_store.add_credential(made(device))
    kinds: tuple[CredentialKind, ...] = ("link", "recovery")
    for device, kind in zip(devices, kinds, strict=False):
        code = made(f"{device}-{kind}", kind=kind, maker=device)
        assert await store.identity_store.add_credential(code) is True


async def test_the_codes_of_a_forgotten_device_end(store: EventStore) -> None:
    await add_devices_with_codes(store, "phone", "laptop")
    assert await store.identity_store.forget_device("anna", "phone", NOW) is True
    assert await codes_of(store) == {"laptop-recovery"}
    assert await store.identity_store.redeem("phone-link", made("thief"), NOW) is None


async def test_a_code_of_an_unknown_maker_ends_with_any_forgotten_device(store: EventStore) -> None:
    await add_devices_with_codes(store, "phone", "laptop")
    await store.identity_store.add_credential(made("written", kind="recovery"))
    assert await store.identity_store.forget_device("anna", "phone", NOW) is True
    assert await codes_of(store) == set()


async def test_the_codes_of_a_last_device_stay(store: EventStore) -> None:
    await add_devices_with_codes(store, "phone", "laptop")
    await store.identity_store.add_credential(made("tablet", expires=NOW))
    assert await store.identity_store.forget_device("anna", "phone", NOW) is True
    assert await store.identity_store.forget_device("anna", "laptop", NOW) is True
    assert await codes_of(store) == {"laptop-recovery"}
    assert await store.identity_store.redeem("laptop-recovery", made("new"), NOW) is not None


async def test_a_forgotten_device_makes_no_codes(store: EventStore) -> None:
    await add_devices_with_codes(store, "phone", "laptop")
    await store.identity_store.forget_device("anna", "phone", NOW)
    for maker, person in (("phone", "anna"), ("laptop", "reto"), ("laptop-recovery", "anna")):
        late = made("late", person, kind="link", maker=maker)
        assert await store.identity_store.add_credential(late) is False
    assert await codes_of(store) == {"laptop-recovery"}


async def test_a_device_that_becomes_another_persons_leaves_no_codes_behind(
    store: EventStore,
) -> None:
    await add_devices_with_codes(store, "phone", "laptop")
    await store.identity_store.add_credential(made("retos", "reto", kind="link"))
    new = await store.identity_store.redeem("retos", made("new"), NOW, replaces="phone")
    assert new is not None
    assert new.person == "reto"
    assert await store.identity_store.find_credential("phone", NOW) is None
    assert await codes_of(store) == {"laptop-recovery"}


async def test_a_device_that_enters_a_code_of_its_own_keeps_its_codes(store: EventStore) -> None:
    await add_devices_with_codes(store, "phone", "laptop")
    new = await store.identity_store.redeem("laptop-recovery", made("new"), NOW, replaces="laptop")
    assert new is not None
    assert await codes_of(store) == {"phone-link", "laptop-recovery"}
    assert await store.identity_store.forget_device("anna", "new", NOW) is True
    assert await codes_of(store) == {"phone-link"}


SECOND_LAYOUT = [
    *module._MIGRATIONS[0],
    *module._MIGRATIONS[1],
    f"PRAGMA application_id = {APPLICATION_ID}",
    "PRAGMA user_version = 2",
]


def row(table: str, version: int, event: Event) -> str:
    body = msgspec.json.encode(event).hex()
    return f"INSERT INTO event VALUES ('{table}', {version}, 5.0, x'{body}')"


@pytest.mark.parametrize("layout", [1, 2])
async def test_identities_of_an_older_file_are_kept(path: Path, layout: int) -> None:
    created = TableCreated("t", "molotov", {}, [None] * 3, None, 0, host="h" * 64)
    held = [SeatSnapshot("g" * 64, "Gret", None, 1, None), SeatSnapshot(None, "", "club", 0, None)]
    gathered = LobbyCompacted(5, held, HostSettings("h" * 64))
    rows = [
        row("t", 1, created),
        row("t", 2, SeatTaken(0, "a" * 64, "Anna")),
        row("t", 3, SeatLeft(0)),
        row("u", 1, msgspec.structs.replace(created, host=None)),
        row("u", 5, gathered),
        "INSERT INTO event VALUES ('u', 6, 5.0, x'7b226b696e64223a22736174227b')",  # damaged
    ]
    if layout == 1:
        execute_raw(
            path, [*module._MIGRATIONS[0], *SECOND_LAYOUT[-2:-1], "PRAGMA user_version = 1", *rows]
        )
    else:
        kept = [f"INSERT INTO kept VALUES ('{table}', 5.0, NULL)" for table in "tu"]
        execute_raw(path, [*SECOND_LAYOUT, *rows, *kept])
    store = SqliteStore(path)
    for person in ("a" * 64, "g" * 64, "h" * 64):
        found = await store.identity_store.find_credential(person, 1.0)
        assert found is not None
        assert (found.person, found.kind) == (person, "device")
        assert found.expires == (found.last_used_day + DEVICE_RETENTION_DAYS) * SECONDS_PER_DAY
    assert await store.identity_store.count_credentials() == 3
    assert await store.identity_store.tables_of("a" * 64, 9) == ["t"]
    assert await store.load("t") == [created, SeatTaken(0, "a" * 64, "Anna"), SeatLeft(0)]
    await store.close()
    again = SqliteStore(path)
    assert await again.identity_store.count_credentials() == 3
    await again.close()


async def test_who_was_forgotten_by_an_older_version_is_forgotten_in_the_logs(
    kind: StoreKind,
) -> None:
    anna, reto, cla, eva, gret = ("a" * 64, "b" * 64, "c" * 64, "e" * 64, "f" * 64)
    store = await kind.open()
    for person in (anna, cla):
        await store.identity_store.add_credential(made(person, person))
    created = TableCreated("t", "molotov", {}, [None] * 3, None, 0, host=eva)
    held = [SeatSnapshot(gret, "Gret", None, 1, None)]
    asked = EntryRequested(1, 2, cla, 'Cla","person":"' + "9" * 64)
    await store.append("t", 0, [created, SeatTaken(0, anna, "Anna"), SeatTaken(1, reto, "Reto")])
    await store.append("t", 3, [asked])
    await store.append("u", 0, [created])
    await store.append("u", 1, [LobbyCompacted(2, held, HostSettings(None))])
    await store.close()
    gone = f"'{reto}', '{eva}', '{cla}', '{gret}'"
    kind.execute(f"DELETE FROM named WHERE person IN ({gone})", *kind.to_layout_without_rewrites)
    again = await kind.open()
    assert sorted(await again.identity_store.pending_erasures(9)) == [reto, eva, gret]
    for person, tables in ((anna, "t"), (reto, "t"), (cla, "t"), (eva, "tu"), (gret, "u")):
        assert await again.identity_store.tables_of(person, 9) == list(tables)
    await again.close()


@pytest.mark.outside
def test_an_acknowledged_identity_survives_a_kill(path: Path) -> None:
    program = textwrap.dedent(
        """
        import asyncio, sys
        from pathlib import Path
        from jasstisch.storage import Credential, SqliteStore

        async def main():
            identities = SqliteStore(Path(sys.argv[1])).identity_store
            for number in range(10_000):
                made = Credential(f"h{number}", f"p{number}", "device", 1, 1, None)
                await identities.add_credential(made)
                if number % 2:
                    await identities.begin_erasure(f"p{number}")
                print(number, flush=True)

        asyncio.run(main())
        """
    )
    writer = subprocess.Popen(
        [sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    last = 0
    for line in writer.stdout:
        last = int(line)
        if last == 40:
            writer.kill()
            break
    last = max([last, *(int(line) for line in writer.stdout.read().split())])
    writer.stdout.close()
    assert writer.wait() == -9

    async def look() -> None:
        store = SqliteStore(path)
        forgotten = set(await store.identity_store.pending_erasures(10_000))
        for number in range(last + 1):
            found = await store.identity_store.find_credential(f"h{number}", 1.0)
            assert (found is None) == bool(number % 2)
            assert (f"p{number}" in forgotten) == bool(number % 2)
        await store.close()

    asyncio.run(look())


async def test_a_ban_holds_until_it_expires_and_the_latest_counts(store: EventStore) -> None:
    identities = store.identity_store
    await identities.ban(Ban("anna", 1.0, None, "first"))
    await identities.ban(Ban("anna", 2.0, NOW + 5, "again"))
    await identities.ban(Ban("reto", 1.0, None, "for good"))
    assert await identities.list_bans(NOW) == [
        Ban("reto", 1.0, None, "for good"),
        Ban("anna", 2.0, NOW + 5, "again"),
    ]
    assert [ban.person for ban in await identities.list_bans(NOW + 5)] == ["reto"]
    await identities.delete_expired(NOW + 6, 9)
    assert [ban.person for ban in await identities.list_bans(NOW)] == ["reto"]
    assert await identities.unban("reto") is True
    assert await identities.unban("reto") is False


async def test_deleting_a_person_lifts_their_ban(store: EventStore) -> None:
    await store.identity_store.ban(Ban("anna", 1.0, None, "x"))
    await store.identity_store.begin_erasure("anna")
    assert await store.identity_store.list_bans(NOW) == []


async def test_people_are_found_by_prefix_in_every_table(store: EventStore) -> None:
    identities = store.identity_store
    await identities.add_credential(made("one", "abc1"))
    await identities.add_credential(made("two", "abc1"))
    await store.append("t", 0, [SeatTaken(0, "abc2", "Reto")])
    await identities.ban(Ban("abc3", 1.0, None, "x"))
    await identities.add_credential(made("three", "abd0"))
    assert await identities.find_by_id_prefix("abc", 9) == ["abc1", "abc2", "abc3"]
    assert await identities.find_by_id_prefix("abc", 2) == ["abc1", "abc2"]
    assert await identities.find_by_id_prefix("abc1", 2) == ["abc1"]
    assert await identities.find_by_id_prefix("f", 9) == []


LONG_AFTER = 1e11
"""After every deadline of the tests."""


async def lose_by_forgetting(store: EventStore) -> None:
    assert await store.identity_store.forget_device("anna", "phone", NOW)


async def lose_by_joining_another_person(store: EventStore) -> None:
    await store.identity_store.add_credential(made("link", "reto", kind="link"))
    assert await store.identity_store.redeem("link", made("retos"), NOW, replaces="phone")


async def lose_by_expiry(store: EventStore) -> None:
    later = NOW + DEVICE_RETENTION_DAYS * SECONDS_PER_DAY + 1
    assert await store.identity_store.delete_expired(later, 9) == 1


WAYS_TO_LOSE = [lose_by_forgetting, lose_by_joining_another_person, lose_by_expiry]


async def abandoned(store: EventStore, before: float = LONG_AFTER) -> list[str]:
    return sorted(await store.identity_store.list_abandoned(before, 9))


async def seat_anna(store: EventStore) -> None:
    """Anna, with one device, has sat at a table."""
    await store.identity_store.add_credential(made("phone"))
    await store.append("t", 0, [SeatTaken(0, "anna", "Anna")])


@pytest.mark.parametrize("lose", WAYS_TO_LOSE)
async def test_whoever_loses_the_last_credential_is_recorded(
    store: EventStore, lose: Callable[[EventStore], Awaitable[None]]
) -> None:
    await seat_anna(store)
    assert await abandoned(store) == []
    await lose(store)
    assert await abandoned(store, NOW) == []  # not since before that time
    assert await abandoned(store) == ["anna"]
    assert await store.identity_store.begin_erasure_of_abandoned("anna", NOW) is False
    assert await store.identity_store.begin_erasure_of_abandoned("anna", LONG_AFTER) is True
    # As on another server that found it due at the same time.
    assert await store.identity_store.begin_erasure_of_abandoned("anna", LONG_AFTER) is False
    assert await store.identity_store.pending_erasures(9) == ["anna"]
    assert await abandoned(store) == []


@pytest.mark.parametrize("lose", WAYS_TO_LOSE[:2])
@pytest.mark.parametrize("left", ["device", "link", "recovery"])
async def test_whoever_has_another_credential_is_not_recorded(
    store: EventStore, lose: Callable[[EventStore], Awaitable[None]], left: CredentialKind
) -> None:
    await seat_anna(store)
    await store.identity_store.add_credential(made("left", kind=left))
    await lose(store)
    assert await abandoned(store) == []
    assert await store.identity_store.begin_erasure_of_abandoned("anna", LONG_AFTER) is False
    await store.identity_store.begin_erasure("anna")
    assert await abandoned(store) == []


async def test_an_expired_link_code_is_recorded_as_the_last_credential(store: EventStore) -> None:
    await seat_anna(store)
    await store.identity_store.add_credential(made("link", kind="link", expires=NOW + 1))
    await lose_by_forgetting(store)
    assert await store.identity_store.delete_expired(NOW + 2, 9) == 1
    assert await abandoned(store, NOW + 2) == []
    assert await abandoned(store, NOW + 3) == ["anna"]


async def test_whoever_was_at_no_table_leaves_nothing(store: EventStore) -> None:
    await store.identity_store.add_credential(made("phone"))
    await lose_by_forgetting(store)
    assert await abandoned(store) == []


async def test_a_seat_taken_after_the_last_credential_is_recorded(store: EventStore) -> None:
    await store.identity_store.add_credential(made("phone"))
    await lose_by_forgetting(store)
    await store.append("t", 0, [SeatTaken(0, "anna", "Anna")])
    assert await abandoned(store) == ["anna"]
    await store.identity_store.begin_erasure("anna")
    await store.append("u", 0, [SeatTaken(0, "anna", "Anna")])
    assert await abandoned(store) == ["anna"]
    for table in ("t", "u", None):
        await store.identity_store.mark_erased("anna", table)
    assert await abandoned(store) == []


async def test_a_new_credential_cancels_the_erasure(store: EventStore) -> None:
    await seat_anna(store)
    await lose_by_forgetting(store)
    await store.identity_store.add_credential(made("again"))
    assert await abandoned(store) == []
    assert await store.identity_store.begin_erasure_of_abandoned("anna", LONG_AFTER) is False
    assert await store.identity_store.pending_erasures(9) == []


async def test_both_last_devices_may_be_forgotten_at_once(kind: StoreKind) -> None:
    store = await kind.open()
    await store.append("t", 0, [SeatTaken(0, "anna", "Anna")])
    other = await kind.open() if isinstance(kind, PostgresKind) else store
    for round_ in range(5):
        devices = [f"{round_}-a", f"{round_}-b"]
        for device in devices:
            await store.identity_store.add_credential(made(device))
        both = zip((store, other), devices, strict=True)
        await asyncio.gather(
            *(one.identity_store.forget_device("anna", device, NOW) for one, device in both)
        )
        assert await abandoned(store) == ["anna"]
    for one in {store, other}:
        await one.close()


async def test_whom_an_older_version_left_without_a_credential_is_recorded(kind: StoreKind) -> None:
    store = await kind.open()
    await seat_anna(store)
    for person in ("reto", "cla"):
        await store.append(person, 0, [SeatTaken(0, person, "N.")])
    await store.identity_store.begin_erasure("cla")
    await store.close()
    kind.execute(*kind.to_layout_without_abandoned)
    again = await kind.open()
    assert await abandoned(again, NOW) == []
    assert await abandoned(again) == ["reto"]
    await again.close()
