"""Model-based test: a restored backup holds what plain dicts hold, less what was forgotten."""

import asyncio
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from time import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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
from jasstisch.storage.forgotten_list import read_forgotten
from jasstisch.storage.identities import SECONDS_PER_DAY
from jasstisch.storage.postgres_backup import backup_database, restore_database
from jasstisch.storage.sqlite.backup import backup_file, restore_file
from jasstisch.storage.store_url import DATABASE_FILENAME
from jasstisch.table.events import EntryRequested, Event, LinkRevoked, SeatTaken, TableCreated
from tests.storage.store_kinds import PostgresKind, SqliteKind, StoreKind
from tests.support.example_counts import examples
from tests.support.postgres_server import postgres_server

TODAY = int(time()) // SECONDS_PER_DAY
LONG_AFTER = 1e12

Step = tuple[str, int, int]
"""What happens, and to which of those that there have been."""


@dataclass
class Model:
    """What a store is to hold.

    Attributes:
        credentials: person, kind and maker, by hash.
        bans: the end of each ban, by person.
        forgotten: everybody who has ever been forgotten.
        pending: those of them who are still at tables.
        named: the people at each table.
        logs: the events of each table.
        revocations: how many times the link of each table was revoked.
    """

    credentials: dict[str, tuple[str, CredentialKind, str | None]] = field(default_factory=dict)
    bans: dict[str, float | None] = field(default_factory=dict)
    forgotten: set[str] = field(default_factory=set)
    pending: set[str] = field(default_factory=set)
    named: dict[str, set[str]] = field(default_factory=dict)
    logs: dict[str, list[Event]] = field(default_factory=dict)
    revocations: dict[str, int] = field(default_factory=dict)

    def of(self, person: str) -> set[str]:
        return {one for one, (whose, *_) in self.credentials.items() if whose == person}

    def is_device(self, hashed: str) -> bool:
        return hashed in self.credentials and self.credentials[hashed][1] == "device"

    def is_named(self, person: str) -> bool:
        return any(person in people for people in self.named.values())

    def is_known(self, person: str) -> bool:
        return bool(self.of(person)) or self.is_named(person) or person in self.bans

    def is_abandoned(self, person: str) -> bool:
        return self.is_named(person) and not self.of(person) and person not in self.pending

    def remove_device(self, hashed: str) -> None:
        person = self.credentials.pop(hashed)[0]
        if any(self.is_device(one) for one in self.of(person)):
            for one in self.of(person):
                if not self.is_device(one) and self.credentials[one][2] == hashed:
                    del self.credentials[one]

    def forget(self, person: str) -> None:
        for one in self.of(person):
            del self.credentials[one]
        self.bans.pop(person, None)
        self.forgotten.add(person)
        self.pending.add(person)


class History:
    """Does the same to a store and to plain dicts.

    Args:
        kind: the kind of the store.
        folder: where the list of the forgotten is.
    """

    def __init__(self, kind: StoreKind, folder: Path) -> None:
        self.kind = kind
        self.folder = folder
        self.model = Model()
        self.people: list[str] = []
        self.devices: list[str] = []
        self.codes: list[str] = []
        self._number = 0
        self._fails_to_list = False

    async def open(self) -> None:
        self.store = await self.kind.open()
        self.list = ForgottenList(self.folder, 400, time)
        add_lines = self.list.add_lines

        def add_or_fail(lines: Sequence[str]) -> None:
            if lines and self._fails_to_list:
                self._fails_to_list = False
                raise StoreError("the list cannot be written")
            add_lines(lines)

        self.list.add_lines = add_or_fail  # type: ignore[method-assign] # for all its callers
        self.store.record_forgetting(self.list)

    async def close(self) -> None:
        await self.store.close()
        self.list.close()

    async def restart(self) -> None:
        """Starts the server again, which lists what the last one has left."""
        self._fails_to_list = False
        await self.close()
        await self.open()
        await self.store.identity_store.delete_expired(0.0, 9)

    async def begin(self) -> None:
        """Three people with two devices and a recovery code each, and two of them at a table."""
        for number in range(3):
            await self.join(0, 0)
            await self.make_recovery(number, 0)
        for number in range(3):
            await self.redeem_anew(number, 0)
        await self.create(0, 0)
        await self.sit(1, 0)

    async def do(self, step: Step) -> None:
        name, one, other = step
        await getattr(self, name)(one, other)

    def _new_hash(self) -> str:
        self._number += 1
        return f"{self._number:064x}"

    async def _add(self, hashed: str, person: str, kind: CredentialKind, maker: str | None) -> bool:
        one = Credential(hashed, person, kind, TODAY, TODAY, None, maker)
        return await self.store.identity_store.add_credential(one)

    async def join(self, _: int, __: int) -> None:
        hashed = self._new_hash()
        assert await self._add(hashed, hashed, "device", None)
        self.model.credentials[hashed] = (hashed, "device", None)
        self.people.append(hashed)
        self.devices.append(hashed)

    async def make_link(self, device: int, whose: int) -> None:
        await self._make_code(device, whose, "link")

    async def make_recovery(self, device: int, whose: int) -> None:
        await self._make_code(device, whose, "recovery")

    async def _make_code(self, device: int, whose: int, kind: CredentialKind) -> None:
        maker, code, model = pick(self.devices, device), self._new_hash(), self.model
        person = model.credentials.get(maker, (pick(self.people, whose),))[0]
        good = model.is_device(maker)
        assert await self._add(code, person, kind, maker) is good
        self.codes.append(code)
        if good:
            for one in model.of(person):
                if model.credentials[one][1] == kind:
                    del model.credentials[one]
            model.credentials[code] = (person, kind, maker)

    async def redeem(self, code: int, former: int) -> None:
        await self._redeem(code, pick(self.devices, former))

    async def redeem_anew(self, code: int, _: int) -> None:
        await self._redeem(code, None)

    async def _redeem(self, number: int, former: str | None) -> None:
        code, hashed, model = pick(self.codes, number), self._new_hash(), self.model
        device = Credential(hashed, "", "device", TODAY, TODAY, None)
        done = await self.store.identity_store.redeem(code, device, time(), former)
        found = model.credentials.get(code)
        assert (done is None) is (found is None)
        if found is None:
            return
        if found[1] == "link":
            del model.credentials[code]
        model.credentials[hashed] = (found[0], "device", None)
        self.devices.append(hashed)
        if former is None or not model.is_device(former):
            return
        if model.credentials[former][0] != found[0]:
            model.remove_device(former)
            return
        del model.credentials[former]
        for one, (person, kind, maker) in model.credentials.items():
            if maker == former:
                model.credentials[one] = (person, kind, hashed)

    async def forget_device(self, device: int, whose: int) -> None:
        hashed, model = pick(self.devices, device), self.model
        person = model.credentials.get(hashed, (pick(self.people, whose),))[0]
        good = model.is_device(hashed)
        gone = await self.store.identity_store.forget_device(person, hashed, time())
        assert gone is good
        if good:
            model.remove_device(hashed)

    async def forget_all_devices(self, person: int, _: int) -> None:
        for one in sorted(self.model.of(pick(self.people, person))):
            if self.model.is_device(one):
                await self.forget_device(self.devices.index(one), 0)

    async def forget_me(self, person: int, _: int) -> None:
        who = pick(self.people, person)
        if self.model.of(who):
            await self.store.identity_store.begin_erasure(who)
            self.model.forget(who)

    async def forget_abandoned(self, person: int, _: int) -> None:
        who = pick(self.people, person)
        begin = self.store.identity_store.begin_erasure_of_abandoned
        good = self.model.is_abandoned(who)
        assert await begin(who, LONG_AFTER) is good
        if good:
            self.model.forget(who)

    async def leave_tables(self, person: int, _: int) -> None:
        """Ends the erasure of somebody from their tables; the log is not what is tried here."""
        who = pick(self.people, person)
        if who in self.model.pending:
            for table in self.model.named:
                await self.store.identity_store.mark_erased(who, table)
                self.model.named[table].discard(who)
            await self.store.identity_store.mark_erased(who, None)
            self.model.pending.discard(who)

    async def ban(self, person: int, hours: int) -> None:
        who, until = pick(self.people, person), time() + 3600 * hours if hours else None
        if who not in self.model.forgotten:
            await self.store.identity_store.ban(Ban(who, time(), until, "rude"))
            self.model.bans[who] = until

    async def unban(self, person: int, _: int) -> None:
        who = pick(self.people, person)
        assert await self.store.identity_store.unban(who) is (who in self.model.bans)
        self.model.bans.pop(who, None)

    async def create(self, host: int, _: int) -> None:
        who, table = pick(self.people, host), f"table{len(self.model.logs)}"
        if self.model.of(who):
            made = TableCreated(table, "molotov", {"players": 3}, [None] * 3, None, 0, host=who)
            self.model.logs[table], self.model.named[table] = [], {who}
            self.model.revocations[table] = 0
            await self._append(table, made)

    async def sit(self, person: int, table: int) -> None:
        who, where = pick(self.people, person), self._table(table)
        if self.model.of(who):
            self.model.named[where].add(who)
            await self._append(where, SeatTaken(table % 3, who, "Sabine"))

    async def ask(self, person: int, table: int) -> None:
        who, where = pick(self.people, person), self._table(table)
        if self.model.of(who):
            self.model.named[where].add(who)
            number = len(self.model.logs[where])
            await self._append(where, EntryRequested(number, table % 3, who, "Sabine"))

    async def revoke_link(self, table: int, _: int) -> None:
        where = self._table(table)
        self.model.revocations[where] += 1
        await self._append(where, LinkRevoked(self._new_hash()[-12:]))

    async def revoke_nothing(self, table: int, _: int) -> None:
        """Tries to revoke a link with an outdated log, and fails."""
        where = self._table(table)
        with pytest.raises(ConflictError):
            await self.store.append(where, len(self.model.logs[where]) + 1, [LinkRevoked("A" * 12)])

    async def fail_to_list(self, _: int, __: int) -> None:
        """Has the list fail once, when the store has changed already."""
        await self.store.identity_store.delete_expired(0.0, 9)
        self._fails_to_list = True

    def _table(self, number: int) -> str:
        return pick(list(self.model.logs), number)

    async def _append(self, table: str, event: Event) -> None:
        log = self.model.logs[table]
        await self.store.append(table, len(log), [event])
        log.append(event)


def pick(those: Sequence[str], number: int) -> str:
    return those[number % len(those)]


ACTIONS = [
    *("join", "make_link", "make_recovery", "redeem", "redeem_anew", "forget_device"),
    *(
        "forget_all_devices",
        "forget_me",
        "forget_abandoned",
        "leave_tables",
        "ban",
        "unban",
        "create",
        "sit",
        "ask",
    ),
    *("revoke_link", "revoke_nothing", "fail_to_list"),
]
"""What may happen; the names of the methods."""

few_steps: st.SearchStrategy[list[Step]] = st.lists(
    st.tuples(st.sampled_from(ACTIONS), st.integers(0, 5), st.integers(0, 5)), max_size=12
)

steps = st.tuples(few_steps, few_steps, few_steps).map(lambda some: [*chain.from_iterable(some)])
"""Some fifteen steps: a single list would have five."""


async def check_restored(store: EventStore, kept: Model, now: Model, people: list[str]) -> None:
    """Compares a restored store with what the backup held and with what has happened since.

    Args:
        store: the store.
        kept: the model when the backup was made.
        now: the model at the end.
        people: everybody there has been.
    """
    identities = store.identity_store
    pending = {one for one in people if kept.is_known(one) and one in now.forgotten} | kept.pending
    assert set(await identities.pending_erasures(999)) == pending
    bans = {one.person: one.until for one in await identities.list_bans(0.0)}
    assert bans == {one: until for one, until in now.bans.items() if kept.is_known(one)}
    abandoned = set()
    for person in people:
        held = {one.hash for one in await identities.credentials_of(person, 0.0)}
        assert held == kept.of(person) & now.of(person)
        tables = {table for table, those in kept.named.items() if person in those}
        assert set(await identities.tables_of(person, 999)) == tables
        if tables and not held and person not in pending:
            abandoned.add(person)
    assert set(await identities.list_abandoned(LONG_AFTER, 999)) == abandoned
    assert await store.count_tables() == len(kept.logs)
    for table, log in kept.logs.items():
        found = await store.load(table)
        assert found[: len(log)] == log
        if now.revocations[table] == kept.revocations[table]:
            assert len(found) == len(log)
        else:
            (event,) = found[len(log) :]
            assert isinstance(event, LinkRevoked)
            assert event not in now.logs[table]


async def restored(kind: StoreKind, backup: Path, folder: Path, history: History) -> EventStore:
    """Ends a history and restores the backup into another store of the same kind."""
    await history.restart()
    await history.close()
    listed = read_forgotten(history.folder)
    if isinstance(kind, SqliteKind):
        target = folder / "restored" / DATABASE_FILENAME
        await asyncio.to_thread(restore_file, backup, target, lambda _: None, listed=listed)
        return SqliteStore(target)
    other = PostgresKind(postgres_server())
    await restore_database(backup, other.url, lambda _, __: None, listed)
    return await other.open()


async def back_up(kind: StoreKind, backup: Path) -> None:
    if isinstance(kind, SqliteKind):
        await asyncio.to_thread(backup_file, kind.path, backup, lambda _: None)
    else:
        assert isinstance(kind, PostgresKind)
        await backup_database(kind.url, backup, lambda _, __: None)


async def check_history(
    kind: StoreKind, folder: Path, before: list[Step], after: list[Step]
) -> None:
    history, backup = History(kind, folder / "forgotten"), folder / "backup.sqlite3"
    await history.open()
    await history.begin()
    for step in before:
        await history.do(step)
    await back_up(kind, backup)
    kept = deepcopy(history.model)
    for step in after:
        await history.do(step)
    store = await restored(kind, backup, folder, history)
    await check_restored(store, kept, history.model, history.people)
    await store.close()


def in_memory_folder() -> TemporaryDirectory[str]:
    """A folder without a disk to wait for, where there is one."""
    return TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None)


@pytest.mark.parametrize("name", ["sqlite", pytest.param("postgres", marks=pytest.mark.outside)])
def test_a_restored_backup_equals_plain_dicts_less_what_was_forgotten_since(name: str) -> None:
    number = examples(90, 10) if name == "sqlite" else 2

    @settings(max_examples=number, suppress_health_check=[HealthCheck.too_slow])
    @given(steps, steps)
    def run(before: list[Step], after: list[Step]) -> None:
        with in_memory_folder() as text:
            folder = Path(text)
            file = SqliteKind(folder / "tables.sqlite3")
            kind = file if name == "sqlite" else PostgresKind(postgres_server())
            asyncio.run(check_history(kind, folder, before, after))

    run()
