"""Damaged logs: the server starts and refuses the damaged tables; the others work."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest

from jasstisch.client import Client, RequestError
from jasstisch.server.admin.messages import ListTables, Rejected, TableList
from jasstisch.server.admin.service import AdminService
from jasstisch.server.context import ServerContext
from jasstisch.server.errors import TableNotFoundError
from jasstisch.server.main import create_table_services
from jasstisch.storage import CorruptionError, SqliteStore
from jasstisch.storage.integrity import CheckReport, check_logs
from tests.server.running_server import ServerProcess, running_server, websocket
from tests.server.websocket_requests import new_table, request_error

pytestmark = pytest.mark.outside


def spoil(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / "tables.sqlite3")) as connection:
        connection.execute(statement)
        connection.commit()


async def test_a_damaged_table_is_refused_and_the_others_play_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with running_server(tmp_path) as url:
        damaged, sound = await new_table(url, start=True), await new_table(url)
    where = f"table_id = '{damaged}' AND version = 3"
    spoil(tmp_path, f"UPDATE event SET body = x'7b7d' WHERE {where}")
    async with running_server(tmp_path) as url:
        async with websocket(url) as socket:
            refused = await request_error(socket, type="watch", seq=1, table=damaged)
            assert refused.code == "damaged"
            assert "this table is damaged" in refused.message
        async with Client(url, "A" * 43) as anna:
            with pytest.raises(RequestError, match="damaged"):
                await anna.record(damaged)
            table = await anna.watch(sound)
            await table.start()
            assert table.phase == "playing"
    said = capsys.readouterr()
    line, *_ = [one for one in (said.out + said.err).splitlines() if "table_damaged" in one]
    assert damaged[:6] in line
    assert damaged not in line
    assert "damaged" in line


async def test_inconsistent_events_count_as_damage(tmp_path: Path) -> None:
    async with running_server(tmp_path) as url:
        table = await new_table(url, start=True)
    store = SqliteStore(tmp_path / "tables.sqlite3")
    log = await store.load(table)
    await store.append(table, len(log), [log[0]])  # created a second time
    await store.close()
    async with running_server(tmp_path) as url, websocket(url) as socket:
        assert (await request_error(socket, type="watch", seq=1, table=table)).code == "damaged"


async def test_the_server_starts_with_a_damaged_list_of_tables(
    tmp_path: Path,
) -> None:
    async with running_server(tmp_path) as url:
        await new_table(url)
    path = tmp_path / "tables.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'kept'"
        page = connection.execute(query).fetchone()[0]
    content = bytearray(path.read_bytes())
    content[(page - 1) * 4096 : page * 4096] = b"\xaa" * 4096
    path.write_bytes(content)
    async with running_server(tmp_path) as url, Client(url) as anna:
        with pytest.raises(RequestError):
            await anna.create_table("molotov", ["me", "open", "open"], name="Anna")


@pytest.mark.parametrize("seed", range(8))
async def test_the_server_starts_and_serves_readable_tables_after_random_byte_damage(
    tmp_path: Path, seed: int
) -> None:
    path = tmp_path / "tables.sqlite3"
    async with running_server(tmp_path) as url:
        made = [await new_table(url, start=True) for _ in range(8)]
    chance, content = Random(seed), bytearray(path.read_bytes())
    for _ in range(3):
        content[chance.randrange(4096, len(content))] ^= chance.randrange(1, 256)
    path.write_bytes(content)
    tables = create_table_services(ServerContext(SqliteStore(path)))
    await tables.open()
    registry = tables.registry
    served = 0
    for table in made:
        with suppress(CorruptionError, TableNotFoundError):
            live = await registry.load_local(table)
            assert live.room.table == table
            served += 1
    got = await AdminService(registry).handle(ListTables())
    assert isinstance(got, TableList | Rejected)
    assert isinstance(await check_logs(registry.context.store, lambda _: None), CheckReport)
    await tables.close()
    assert served >= 3


def start(folder: Path) -> "subprocess.CompletedProcess[str]":
    words = [sys.executable, "-m", "jasstisch", "serve", "--port", "0", "--data", str(folder)]
    return subprocess.run(
        words, capture_output=True, text=True, timeout=120, check=False, env={**os.environ}
    )


def test_a_second_server_on_a_folder_is_refused(tmp_path: Path) -> None:
    first = ServerProcess(tmp_path)
    try:
        second = start(tmp_path)
    finally:
        first.kill()
    assert (second.returncode, second.stdout) == (1, "")
    (line,) = second.stderr.splitlines()
    assert f"in use by a server (process {first.process.pid}, since " in line
    assert "stop it first, or choose another folder with --data" in line
    # A kill leaves no lock and no socket in the way.
    log = ServerProcess(tmp_path).stop()
    assert "admin_off" not in log


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tables.sqlite3").write_text("A letter to a friend, and no database at all. " * 99)
    done = start(tmp_path)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "not a database" in line


def test_admin_commands_and_backup_work_on_a_running_server(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "data")
    try:
        for words, said in (
            (["admin", "tables"], "0 of 0 tables\n"),
            (["admin", "bans"], "There are no bans.\n"),
            (["backup", str(tmp_path / "backup.jass")], "backup.jass: 0 tables, 0 events"),
            (["check"], "Nothing is damaged.\n"),
        ):
            asked = [sys.executable, "-m", "jasstisch", *words, "--data", str(tmp_path / "data")]
            done = subprocess.run(asked, capture_output=True, text=True, timeout=120, check=True)
            assert said in done.stdout
            assert done.stderr == ""
    finally:
        log = server.stop()
    assert not (tmp_path / "data" / "admin.sock").exists()
    assert "Traceback" not in log
