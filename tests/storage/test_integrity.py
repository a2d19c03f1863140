"""Integrity checks: nothing in a sound file, and every affected table in a damaged one."""

import asyncio
from pathlib import Path

import pytest

from jasstisch.storage import SqliteStore, StoreError
from jasstisch.storage.integrity import CheckReport, SqliteLogSource, check_logs, sqlite_faults
from jasstisch.table.events import Acted, SeatLeft, SeatTaken, TableCreated
from tests.storage.store_kinds import execute_raw

NAMES = ["sound-but-secret-id", "gap", "other", "wrong", "undecodable"]


def nothing(_: float) -> None:
    """Ignores progress."""


async def fill(path: Path) -> None:
    store = SqliteStore(path)
    for name in NAMES:
        created = TableCreated(name, "molotov", {"players": 3}, [None] * 3, None, 0)
        await store.append(name, 0, [created, SeatTaken(0, "a" * 64, "Anna"), SeatLeft(0)])
    await store.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "tables.sqlite3"
    asyncio.run(fill(found))
    return found


async def check_file(path: Path) -> CheckReport:
    logs = SqliteLogSource(path)
    try:
        return await check_logs(logs, nothing)
    finally:
        logs.close()


async def test_a_sound_file_has_no_findings_and_everything_is_counted(path: Path) -> None:
    store = SqliteStore(path)  # a server that goes on
    assert sqlite_faults(path, nothing) == []
    assert await check_file(path) == CheckReport(5, 15, [])
    # Over any store it is the same.
    assert await check_logs(store, nothing) == CheckReport(5, 15, [])
    await store.close()


async def test_each_damaged_table_is_reported_by_a_prefix_of_its_id(path: Path) -> None:
    store = SqliteStore(path)
    await store.append("other", 3, [Acted(0, "play JC", "person")])
    await store.append("no beginning", 0, [SeatLeft(0)])
    await store.close()
    execute_raw(
        path,
        [
            "DELETE FROM event WHERE table_id = 'gap' AND version = 2",
            "UPDATE event SET body = x'7b7d' WHERE table_id = 'wrong' AND version = 2",
            "UPDATE event SET body = x'7b7d', sum = NULL WHERE table_id = 'undecodable'",
            "DELETE FROM kept WHERE table_id = 'sound-but-secret-id'",
        ],
    )
    found = await check_file(path)
    assert dict(found.damaged_tables) == {
        "gap": "its log has gaps",
        "no beg": "its log does not begin with its creation",
        "other": "its events do not follow from each other (AssertionError)",
        "undeco": f"{path}: its log cannot be read: an event cannot be decoded",
        "wrong": "event 2 cannot be read: it is not what was written",
    }
    assert (found.table_count, found.event_count) == (5, 0)
    (lost,) = sqlite_faults(path, nothing)
    assert lost == "table sound-… is missing in the list of tables"


async def test_damage_of_the_file_itself_is_reported(path: Path) -> None:
    content = bytearray(path.read_bytes())  # noqa: ASYNC240 - nobody else uses it
    content[4096 * 2 : 4096 * 2 + 2000] = b"\xaa" * 2000
    path.write_bytes(content)  # noqa: ASYNC240 - the same
    assert sqlite_faults(path, nothing)
    await check_file(path)


def test_a_file_without_tables_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="missing"):
        sqlite_faults(tmp_path / "nowhere", nothing)
    execute_raw(tmp_path / "recipes", ["CREATE TABLE recipes (name TEXT)"])
    with pytest.raises(StoreError, match="no file of tables"):
        sqlite_faults(tmp_path / "recipes", nothing)


def test_a_check_does_not_migrate_an_older_file(path: Path) -> None:
    execute_raw(path, ["ALTER TABLE event DROP COLUMN sum", "PRAGMA user_version = 3"])
    with pytest.raises(StoreError, match="start the server once"):
        SqliteLogSource(path)


async def test_a_damaged_analysis_is_reported(path: Path) -> None:
    store = SqliteStore(path)
    await store.save_analysis("gap", 2, b"{}")
    await store.save_analysis("wrong", 1, b"{}")
    assert (await check_logs(store, nothing)).damaged_tables == []
    await store.close()
    execute_raw(path, ["UPDATE analysis SET body = x'7b' WHERE table_id = 'gap'"])
    assert (await check_file(path)).damaged_tables == [
        ("gap", "the analysis of match 2 is not what was written")
    ]


async def test_an_older_schema_without_analyses_can_be_checked(path: Path) -> None:
    execute_raw(path, ["DROP TABLE analysis", "PRAGMA user_version = 4"])
    assert await check_file(path) == CheckReport(5, 15, [])
