"""Migration of a server's data from one store to another, all or nothing."""

import asyncio
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jasstisch.cli import main
from jasstisch.storage import (
    Ban,
    Credential,
    EventStore,
    SqliteStore,
    StoreError,
    migration,
    sql_tables,
)
from jasstisch.storage.postgres.event_store import PostgresStore
from jasstisch.table.events import (
    Event,
    HostSettings,
    LobbyCompacted,
    SeatLeft,
    SeatSnapshot,
    SeatTaken,
    TableCreated,
)
from tests.storage.store_kinds import PostgresKind, SqliteKind, node
from tests.support import postgres_server as running
from tests.support.postgres_server import PostgresServer

SOME: list[Event] = [SeatTaken(0, "a" * 64, "Änna 🂡"), SeatLeft(0)]
CREATED = TableCreated("t", "molotov", {}, [None] * 3, None, 0, host="h" * 64)
GATHERED = LobbyCompacted(
    4, [SeatSnapshot("a" * 64, "Anna", None, 1, None)], HostSettings("a" * 64)
)

BOTH = [
    ("sqlite", "sqlite"),
    pytest.param("sqlite", "postgres", marks=pytest.mark.outside),
    pytest.param("postgres", "sqlite", marks=pytest.mark.outside),
    pytest.param("postgres", "postgres", marks=pytest.mark.outside),
]


def kind_of(name: str, folder: Path) -> SqliteKind | PostgresKind:
    if name == "postgres":
        return PostgresKind(running.postgres_server())
    folder.mkdir(exist_ok=True)
    return SqliteKind(folder / "tables.sqlite3")


def text_of(kind: SqliteKind | PostgresKind) -> str:
    return kind.url if isinstance(kind, PostgresKind) else f"sqlite:{kind.path}"


def ignore_progress(what: str, done: int) -> None:
    """Ignores progress."""


async def fill(store: EventStore) -> None:
    await store.append("one", 0, [CREATED, *SOME], "round")
    await store.append("two", 0, [CREATED, *SOME, GATHERED, SeatLeft(1)])
    await store.save_analysis("two", 1, b'{"first":"\xc3\xa4"}')
    await store.save_analysis("two", 3, b"{}")
    analyses = sum((await store.analysis_checksums("two")).values())
    await store.save_results("two", 5, analyses, b'{"matches":[]}', 0)
    await store.append("gone", 0, SOME)
    await store.save_analysis("gone", 1, b"{}")
    await store.delete("gone")
    await store.identity_store.add_credential(Credential("d", "a" * 64, "device", 1, 2, 5.5))
    await store.identity_store.add_credential(Credential("r", "b" * 64, "recovery", 1, 2, None))
    await store.identity_store.begin_erasure("f" * 64)
    await store.identity_store.ban(Ban("b" * 64, 1.5, None, "für immer"))
    await store.identity_store.ban(Ban("c" * 64, 2.5, 1e12, "lange"))


async def everything_in(store: EventStore) -> Any:
    """All that can be queried from a store."""
    return (
        [await store.load(table) for table in ("one", "two", "gone")],
        await store.count_tables(),
        [await store.analysis_checksums(table) for table in ("one", "two", "gone")],
        [await store.analysis("two", number) for number in (1, 2, 3)],
        [await store.results_of_person(one * 64, 9, 0) for one in "ah"],
        [sorted(await store.event_times(table)) for table in ("one", "two", "gone")],
        [await store.idle_tables(one, 1e12, 9) for one in (None, "nothing", "round", "match")],
        [await store.identity_store.credentials_of(one * 64, 0.0) for one in "abf"],
        [sorted(await store.identity_store.tables_of(one * 64, 9)) for one in "afh"],
        await store.identity_store.pending_erasures(9),
        await store.identity_store.count_credentials(),
        await store.identity_store.list_bans(0.0),
        await store.identity_store.find_by_id_prefix("", 9),
        await store.list_tables("", 9),
    )


@pytest.mark.parametrize(("source", "target"), BOTH)
async def test_all_data_is_moved_and_the_server_continues_there(
    tmp_path: Path, source: str, target: str
) -> None:
    there, here = kind_of(source, tmp_path / "there"), kind_of(target, tmp_path / "here")
    store = await there.open()
    await fill(store)
    before = await everything_in(store)
    await store.close()
    told: list[str] = []
    moved = await migration.migrate(
        text_of(there), text_of(here), lambda what, _: told.append(what)
    )
    assert (moved.table_count, moved.event_count, moved.credential_count) == (2, 6, 2)
    assert {"Moving event", "Comparing event", "Moving credential"} <= set(told)
    store = await here.open()
    assert await everything_in(store) == before
    if isinstance(store, PostgresStore):
        await store.acquire_lease("one")
    await store.append("one", 3, [SeatLeft(1)])
    await store.close()
    store = await there.open()
    assert await everything_in(store) == before
    await store.close()
    # Checksums go along, so that damage is noticed there too.
    assert here.query_number("SELECT count(*) FROM event WHERE sum IS NULL") == 0
    with pytest.raises(StoreError, match="not empty"):
        await migration.migrate(text_of(there), text_of(here), ignore_progress)


@pytest.mark.parametrize(("source", "target"), BOTH)
@pytest.mark.parametrize("at", ["Moving event", "Comparing event", "Comparing named"])
async def test_an_interrupted_move_leaves_the_target_empty(
    tmp_path: Path, source: str, target: str, at: str
) -> None:
    there, here = kind_of(source, tmp_path / "there"), kind_of(target, tmp_path / "here")
    store = await there.open()
    await fill(store)
    await store.close()

    def stop(what: str, _: int) -> None:
        if what == at:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await migration.migrate(text_of(there), text_of(here), stop)
    store = await here.open()
    assert await store.count_tables() == await store.identity_store.count_credentials() == 0
    await store.close()
    assert (
        await migration.migrate(text_of(there), text_of(here), ignore_progress)
    ).table_count == 2


KILLED = """
import asyncio, os, signal, sys
from jasstisch.storage.migration import migrate

def tell(what, _):
    if what == "Comparing event":
        os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(migrate(sys.argv[1], sys.argv[2], tell))
"""


@pytest.mark.outside
@pytest.mark.parametrize("target", ["sqlite", "postgres"])
async def test_a_kill_during_a_move_leaves_the_target_empty(tmp_path: Path, target: str) -> None:
    there, here = kind_of("sqlite", tmp_path / "there"), kind_of(target, tmp_path / "here")
    store = await there.open()
    await fill(store)
    before = await everything_in(store)
    await store.close()
    words = [sys.executable, "-c", KILLED, text_of(there), text_of(here)]
    assert (await asyncio.to_thread(subprocess.run, words, check=False)).returncode == -9
    for kind in (here, there):
        store = await kind.open()
        if kind is here:
            assert await store.count_tables() == await store.identity_store.count_credentials() == 0
        else:
            assert await everything_in(store) == before
        await store.close()
    assert (
        await migration.migrate(text_of(there), text_of(here), ignore_progress)
    ).table_count == 2


@pytest.mark.parametrize(("source", "target"), BOTH)
async def test_a_move_with_wrong_checksums_is_rolled_back(
    tmp_path: Path, source: str, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, here = kind_of(source, tmp_path / "there"), kind_of(target, tmp_path / "here")
    store = await there.open()
    await fill(store)
    await store.close()
    sum_up = migration._RunningDigest.add
    seen: list[object] = []

    def damaged(self: Any, part: sql_tables.SqlTable, rows: Any) -> None:
        seen.append(part)
        if len(seen) == len(sql_tables.SQL_TABLES) + 1:  # the first that is read again
            rows = [(*rows[0][:-1], b"{}"), *rows[1:]]
        sum_up(self, part, rows)

    monkeypatch.setattr(migration._RunningDigest, "add", damaged)
    with pytest.raises(StoreError, match="is not what was read"):
        await migration.migrate(text_of(there), text_of(here), ignore_progress)
    store = await here.open()
    assert await store.count_tables() == 0
    await store.close()


@pytest.mark.parametrize(("source", "target"), BOTH)
async def test_a_store_in_use_is_not_moved(tmp_path: Path, source: str, target: str) -> None:
    there, here = kind_of(source, tmp_path / "there"), kind_of(target, tmp_path / "here")
    for used in (there, here):
        await (await there.open()).close()
        store = await used.open()
        with pytest.raises(StoreError, match="in use"):
            await migration.migrate(text_of(there), text_of(here), ignore_progress)
        await store.close()
    await migration.migrate(text_of(there), text_of(here), ignore_progress)


@pytest.mark.outside
async def test_no_server_starts_on_a_store_being_moved(
    tmp_path: Path, server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jasstisch.storage.postgres.leases._JOIN_LOCK_TIMEOUT_S", 0.1)
    there, here = SqliteKind(tmp_path / "tables.sqlite3"), PostgresKind(server)
    store = await there.open()
    await fill(store)
    await store.close()
    refused: list[BaseException] = []

    async def begin() -> None:
        late = PostgresStore(here.url)
        try:
            await late.join_cluster(node())
        except StoreError as error:
            refused.append(error)
        await late.close()

    add = migration._digest_rows

    async def interrupted(*words: Any) -> None:
        await begin()
        await add(*words)

    monkeypatch.setattr(migration, "_digest_rows", interrupted)
    await migration.migrate(text_of(there), text_of(here), ignore_progress)
    assert len(refused) == len(sql_tables.SQL_TABLES)
    assert "is being moved" in str(refused[0])


async def test_moving_a_store_to_itself_or_from_nowhere_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no store at"):
        await migration.migrate(str(tmp_path), str(tmp_path / "other"), ignore_progress)
    await SqliteStore(tmp_path / "tables.sqlite3").close()
    with pytest.raises(StoreError, match="the same store"):
        await migration.migrate(str(tmp_path), f"sqlite:{tmp_path}/tables.sqlite3", ignore_progress)


def test_the_command_reports_what_it_moved_or_why_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def make() -> None:
        store = SqliteStore(tmp_path / "tables.sqlite3")
        await fill(store)
        await store.close()

    asyncio.run(make())
    words = ["move", str(tmp_path), f"sqlite:{tmp_path}/new"]
    assert main(words) == 0
    said = capsys.readouterr()
    assert "Moved 2 tables with 6 events, and 2 devices and codes of people." in said.out
    assert re.search(r"SHA-256 [0-9a-f]{64}", said.out)
    assert main(words) == 1
    assert "not empty" in capsys.readouterr().err
    assert main(["move", "mysql://me:geheim@host/db", str(tmp_path)]) == 1
    said = capsys.readouterr()
    assert "no kind of store" in said.err
    assert "geheim" not in said.err
