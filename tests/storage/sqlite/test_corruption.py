"""Damaged SQLite files: readable tables work, damaged ones are refused, nothing wrong is served."""

import asyncio
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest

from jasstisch.storage import ConflictError, CorruptionError, SqliteStore, StoreError
from jasstisch.storage.event_codec import checksum
from jasstisch.table.events import Acted, Event, PackDealt, SeatLeft, SeatTaken
from tests.storage.store_kinds import execute_raw

TABLES = [f"table-{number:03}-of-many" for number in range(60)]
PACK = " ".join(f"{rank}{suit}" for suit in "CDHS" for rank in "6789TJQKA")


def events_of(table: str) -> list[Event]:
    """A unique log for a table."""
    number = int(table[6:9])
    played: list[Event] = [Acted(n % 4, f"play {n}C", "person", number) for n in range(12)]
    return [SeatTaken(0, f"{number:064x}", f"Anna {number}"), PackDealt(PACK), *played]


async def fill(path: Path) -> None:
    store = SqliteStore(path)
    await asyncio.gather(*(store.append(one, 0, events_of(one), "round") for one in TABLES))
    await store.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "tables.sqlite3"
    asyncio.run(fill(found))
    return found


def flip_bytes(path: Path, chance: Random, bytes_changed: int) -> None:
    """Changes random bytes after the first page, which describes the others."""
    content = bytearray(path.read_bytes())
    for _ in range(bytes_changed):
        content[chance.randrange(4096, len(content))] ^= chance.randrange(1, 256)
    path.write_bytes(content)


async def read_all(store: SqliteStore) -> tuple[list[str], list[str]]:
    """Returns the readable tables, checked against what was written, and the refused ones."""
    served: list[str] = []
    refused: list[str] = []
    damaged: list[bool] = []
    for table in TABLES:
        try:
            found = await store.load(table)
        except StoreError as error:
            damaged.append(isinstance(error, CorruptionError))
            refused.append(table)
            continue
        # An index that has lost its end cannot tell so: then the log is an earlier one.
        assert found == events_of(table)[: len(found)]
        (served if len(found) == len(events_of(table)) else refused).append(table)
    assert all(damaged)
    return served, refused


@pytest.mark.parametrize("seed", range(60))
async def test_random_byte_damage_affects_only_the_tables_it_hits(
    tmp_path: Path, path: Path, seed: int
) -> None:
    flip_bytes(path, Random(seed), 1 + seed % 4)
    store = SqliteStore(path)
    try:
        served, _ = await read_all(store)
        with_room = 0
        for table in served:
            try:
                await store.append(table, len(events_of(table)), [SeatLeft(1)])
                assert (await store.load(table))[-1] == SeatLeft(1)
                with_room += 1
            except (CorruptionError, ConflictError):
                # Found damaged by the writer, or by the writing itself.
                continue
        # A page holds the events of a few tables, and one inside the tree those of a part of it.
        assert with_room >= len(TABLES) // 3
    finally:
        await store.close()


@pytest.mark.parametrize("seed", range(40))
async def test_a_damaged_first_page_is_refused_or_harmless(path: Path, seed: int) -> None:
    content = bytearray(path.read_bytes())  # noqa: ASYNC240 - the store is not open
    content[Random(seed).randrange(100 if seed % 2 else 4096)] ^= 1 << seed % 8
    path.write_bytes(content)  # noqa: ASYNC240 - the same
    with suppress(StoreError):
        store = SqliteStore(path)
        try:
            await read_all(store)
        finally:
            await store.close()


@pytest.mark.parametrize("seed", range(12))
async def test_a_truncated_file_is_served_as_far_as_it_goes_or_refused(
    path: Path, seed: int
) -> None:
    whole = path.read_bytes()  # noqa: ASYNC240 - the store is not open
    path.write_bytes(whole[: Random(seed).randrange(1, len(whole))])  # noqa: ASYNC240 - the same
    with suppress(StoreError):
        store = SqliteStore(path)
        try:
            await read_all(store)
        finally:
            await store.close()


async def test_an_event_changed_into_another_valid_one_is_refused(path: Path) -> None:
    table, other = TABLES[:2]
    changed = "CAST(replace(CAST(body AS TEXT), 'play 3C', 'play 4C') AS BLOB)"
    where = f"table_id = '{table}' AND version = 6"
    execute_raw(path, [f"UPDATE event SET body = {changed} WHERE {where}"])
    store = SqliteStore(path)
    with pytest.raises(CorruptionError, match="event 6 cannot be read"):
        await store.load(table)
    assert await store.load(other) == events_of(other)
    await store.close()


async def test_a_table_missing_in_the_index_is_damaged_and_not_unknown(path: Path) -> None:
    execute_raw(path, [f"DELETE FROM kept WHERE table_id = '{TABLES[0]}'"])
    execute_raw(path, [f"DELETE FROM event WHERE table_id = '{TABLES[1]}'"])
    store = SqliteStore(path)
    with pytest.raises(CorruptionError, match="missing in the list"):
        await store.load(TABLES[0])
    with pytest.raises(CorruptionError, match="all its events are missing"):
        await store.load(TABLES[1])
    assert await store.load("nobody-knows-this-one") == []
    await store.close()


async def test_events_of_older_files_are_read_without_a_checksum(path: Path) -> None:
    execute_raw(path, ["UPDATE event SET sum = NULL"])
    store = SqliteStore(path)
    assert await store.load(TABLES[0]) == events_of(TABLES[0])
    await store.close()


async def test_messages_about_damaged_events_do_not_quote_them(path: Path) -> None:
    body = b'{"kind":"pack","cards":["JC"]}'
    summed = checksum(TABLES[0], 2, body)
    where = f"table_id = '{TABLES[0]}' AND version = 2"
    execute_raw(path, [f"UPDATE event SET body = x'{body.hex()}', sum = {summed} WHERE {where}"])
    store = SqliteStore(path)
    with pytest.raises(CorruptionError, match="cannot be decoded") as caught:
        await store.load(TABLES[0])
    assert "JC" not in str(caught.value)
    await store.close()


async def test_a_damaged_index_of_one_table_does_not_affect_others_in_the_commit(
    path: Path,
) -> None:
    # The database believes that these versions are there, and refuses them.
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "CREATE TRIGGER broken BEFORE INSERT ON event "
            f"WHEN NEW.table_id = '{TABLES[0]}' BEGIN SELECT RAISE(ABORT, 'malformed'); END"
        )
        connection.commit()
    store = SqliteStore(path)
    version = len(events_of(TABLES[0]))
    outcomes = await asyncio.gather(
        *(store.append(table, version, [SeatLeft(1)]) for table in TABLES[:20]),
        return_exceptions=True,
    )
    assert isinstance(outcomes[0], StoreError)
    assert set(map(type, outcomes[1:])) == {type(None)}
    await store.close()


async def test_damaged_deleted_tables_stay_and_later_ones_are_purged(path: Path) -> None:
    when = f"OLD.table_id = '{TABLES[0]}'"
    broken = "BEGIN SELECT RAISE(ABORT, 'malformed'); END"
    execute_raw(path, [f"CREATE TRIGGER broken BEFORE DELETE ON event WHEN {when} {broken}"])
    store = SqliteStore(path)
    for table in TABLES[:3]:
        assert await store.delete(table)
    await store.close()
    again = SqliteStore(path)
    await again.close()
    with closing(sqlite3.connect(path)) as connection:
        left = connection.execute("SELECT table_id FROM deleted").fetchall()
    assert (TABLES[0],) in left


async def after_a_kill(path: Path, folder: Path) -> Path:
    """The file as a kill leaves it, with 40 commits in its write-ahead log."""
    store = SqliteStore(path)
    for step in range(40):
        await store.append("fresh", step, [SeatLeft(step % 4)])
    copy = folder / "after a kill" / path.name
    copy.parent.mkdir()
    for name in (path.name, f"{path.name}-wal"):
        shutil.copy(path.with_name(name), copy.with_name(name))
    await store.close()
    return copy


@pytest.mark.parametrize("at", [0, 20, 40, 60, 0.25, 0.5, 0.75])
async def test_a_damaged_wal_is_reported_kept_and_read_up_to_the_damage(
    path: Path, tmp_path: Path, at: float
) -> None:
    copy = await after_a_kill(path, tmp_path)
    wal = copy.with_name(f"{copy.name}-wal")
    content = bytearray(wal.read_bytes())
    content[int(at * len(content)) if 0 < at < 1 else int(at)] ^= 0xFF
    wal.write_bytes(content)
    opened = SqliteStore(copy)
    fresh = await opened.load("fresh")
    assert opened.lost_commits > 1
    # What stands behind the damage is lost, and what is there is a beginning of what was.
    assert fresh == [SeatLeft(step % 4) for step in range(len(fresh))]
    assert await opened.load(TABLES[0]) == events_of(TABLES[0])
    await opened.append("fresh", len(fresh), [SeatLeft(1)])
    await opened.close()
    (aside,) = copy.parent.glob("*.damaged-*")
    assert aside.read_bytes() == content
    again = SqliteStore(copy)
    assert again.lost_commits == 0
    await again.close()


@pytest.mark.parametrize("cut", [0, 1, 100, 5000])
async def test_a_torn_end_of_the_wal_is_not_damage(path: Path, tmp_path: Path, cut: int) -> None:
    copy = await after_a_kill(path, tmp_path)
    wal = copy.with_name(f"{copy.name}-wal")
    content = wal.read_bytes()
    wal.write_bytes(content[: len(content) - cut])
    opened = SqliteStore(copy)
    assert opened.lost_commits == 0
    assert len(await opened.load("fresh")) >= 38
    await opened.close()
    assert not list(copy.parent.glob("*.damaged-*"))
