"""A server that keeps its tables in Postgres."""

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from jasstisch.client import Client, RequestError
from jasstisch.storage.postgres.event_store import PostgresStore
from jasstisch.table.events import Acted
from tests.server.running_server import ServerProcess
from tests.server.test_crash_recovery import PATIENCE, acknowledged_actions
from tests.support import postgres_server

pytestmark = pytest.mark.outside


@pytest.fixture
def url() -> Iterator[str]:
    """An empty database."""
    yield postgres_server.postgres_server().new_database()
    postgres_server.stop_server()


def refused(store: str) -> str:
    """The error message of a server that cannot start on a store."""
    words = [sys.executable, "-m", "jasstisch", "serve", "--port", "0", "--store", store]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    return line


async def test_acknowledged_actions_survive_a_postgres_restart_and_a_second_server_is_refused(
    tmp_path: Path, url: str
) -> None:
    server = await asyncio.to_thread(ServerProcess, tmp_path, store=url)
    async with Client(server.url, patience=PATIENCE) as client:
        made = await client.create_table(
            "differenzler",
            ["me", "bot:random", "bot:greedy", "bot:random"],
            name="Anna",
            options={"rounds": 4},
            start=True,
        )
        table = await client.watch(made.table)
        done = await acknowledged_actions(table, 5)
        line = await asyncio.to_thread(refused, url)
        assert line.startswith("jasstisch: another server, ")
        assert line.endswith(
            f":{server.port}, uses this store, and nothing joins the two: give "
            "both the same --bus nats://…, or stop the other one"
        )
        await asyncio.to_thread(postgres_server.postgres_server().stop, "immediate")
        await asyncio.to_thread(postgres_server.postgres_server().start)
        done += await acknowledged_actions(table, 5)
        port = server.port
        await asyncio.to_thread(server.kill)
        # The next one waits until this one is surely gone.
        server = await asyncio.to_thread(ServerProcess, tmp_path, port, store=url)
        done += await acknowledged_actions(table, 5)
    await asyncio.to_thread(server.stop)
    store = PostgresStore(url)
    events = await store.load(made.table)
    await store.close()
    kept = [one.action for one in events if isinstance(one, Acted) and one.by == "person"]
    assert kept == done


async def test_admin_commands_work_on_postgres(tmp_path: Path, url: str) -> None:
    path = tmp_path / "admin.sock"
    server = await asyncio.to_thread(ServerProcess, tmp_path, store=url, admin=path)

    async def asked(*words: str) -> str:
        line = [sys.executable, "-m", "jasstisch", "admin", *words, "--admin", str(path)]
        done = await asyncio.to_thread(
            subprocess.run, line, capture_output=True, text=True, timeout=60, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    async with Client(server.url, patience=PATIENCE) as client:
        made = await client.create_table("molotov", ["me", "open", "open", "open"], name="Anna")
        await client.watch(made.table)
        listed = await asked("tables", "--people")
        assert "Anna" in listed
        (who,) = re.findall(r"1  ([0-9a-f]{10})  Anna", listed)
        assert "Anna" in await asked("export", who)
        assert "N. N. now" in await asked("rename", made.table[:6], "1")
        assert "is closed" in await asked("close", made.table[:6])
        assert "is kept out" in await asked("ban", who, "--reason", "spielt falsch")
    assert f"{who}  since" in await asked("bans")
    with pytest.raises(RequestError, match="keeps you out for good: spielt falsch"):
        async with Client(server.url, token=client.token) as client:
            await client.create_table("molotov", ["me", "open", "open", "open"])
    assert "may come in again" in await asked("unban", who)
    assert await asked("bans") == "There are no bans.\n"
    assert "is known no longer" in await asked("delete", who)
    await asyncio.to_thread(server.stop)


async def test_without_a_usable_path_the_admin_socket_is_omitted_and_logged(
    tmp_path: Path, url: str
) -> None:
    server = await asyncio.to_thread(ServerProcess, tmp_path, store=url)
    log = await asyncio.to_thread(server.kill)
    (line,) = [one for one in log.splitlines() if "admin_off" in one]
    assert "say with --admin PATH where" in line


def test_an_unreachable_database_is_reported_in_one_line() -> None:
    line = refused("postgresql://anna:geheim@127.0.0.1:9/tables")
    assert line.startswith("jasstisch: Postgres at 127.0.0.1:9/tables: it cannot be reached: ")
    assert "geheim" not in line
