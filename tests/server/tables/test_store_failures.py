"""Store failures: nothing uncommitted is acknowledged or shown."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jasstisch.client import Client, RequestError
from jasstisch.server.api import messages
from jasstisch.server.context import ServerContext
from jasstisch.server.http.app import App
from jasstisch.server.limits.server_limits import Limits
from jasstisch.server.main import create_app
from jasstisch.server.tables import actor, bot_turns
from jasstisch.server.tables.handle import ERR_OUTCOME_UNKNOWN, ERR_UNAVAILABLE
from jasstisch.storage import ConflictError, OutcomeUnknownError, SqliteStore, StoreError
from jasstisch.storage.leases import FencedError
from jasstisch.table import AccessRules, PackSource, Table, commands
from jasstisch.table.events import Event
from jasstisch.table.state import Progress
from tests.server.running_server import (
    OTHER_TOKEN,
    register_tokens,
    running_app,
    running_server,
    websocket,
)
from tests.server.websocket_requests import new_table, read_message, request_error, send_and_read
from tests.server.workers.test_warmup import until

pytestmark = pytest.mark.outside


class FaultyStore(SqliteStore):
    """A store whose disk or connection fails on demand.

    Attributes:
        fate: what the next append comes to, before it is kept or after.
        always: what all come to, before they are kept.
        lost: nothing can be read.
    """

    fate: StoreError | None = None
    after = False
    always: StoreError | None = None
    lost = False

    async def append(
        self,
        table: str,
        after: int,
        events: Sequence[Event],
        finished: Progress | None = None,
        access: AccessRules | None = None,
    ) -> None:
        if self.always is not None:
            raise self.always
        fate, self.fate = self.fate, None
        if fate is None or self.after:
            await super().append(table, after, events, finished, access)
        if fate is not None:
            raise fate

    async def load(self, table: str) -> list[Event]:
        if self.lost:
            raise BROKEN
        return await super().load(table)


BROKEN = StoreError("disk I/O error near card:JC")


async def test_a_failed_append_is_neither_acknowledged_nor_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = FaultyStore(tmp_path / "tables.sqlite3")
    async with running_server(tmp_path, store=store) as url:
        table = await new_table(url)
        async with websocket(url) as socket, websocket(url, OTHER_TOKEN) as other:
            await send_and_read(socket, type="watch", seq=1, table=table)
            before = (await send_and_read(other, type="watch", seq=1, table=table))[1][0]
            store.always = BROKEN
            got = await request_error(socket, type="start", seq=2, table=table)
            assert (got.code, "card:JC" in got.message) == ("internal", False)
            store.always = None
            after = (await send_and_read(other, type="watch", seq=3, table=table))[1]
            # The table was read from the store again, and is as it was.
            assert after[0] == after[-2] == before
            done, _ = await send_and_read(socket, type="start", seq=4, table=table)
            assert isinstance(done, messages.Ack)
    output = capsys.readouterr()
    assert "StoreError" in output.out + output.err
    assert "card:JC" not in output.out + output.err


async def test_a_table_that_cannot_be_reread_is_evicted_and_loaded_again(
    tmp_path: Path,
) -> None:
    store = FaultyStore(tmp_path / "tables.sqlite3")
    async with running_server(tmp_path, store=store) as url:
        table = await new_table(url)
        async with websocket(url) as socket:
            await send_and_read(socket, type="watch", seq=1, table=table)
            store.always, store.lost = BROKEN, True
            assert (
                await request_error(socket, type="start", seq=2, table=table)
            ).code == "internal"
            got, before = await send_and_read(socket, type="start", seq=3, table=table)
            assert isinstance(got, messages.ErrorMessage)
            assert got.code in ("busy", "internal")  # not found again, or not yet let go
            told = [one for one in before if isinstance(one, messages.ErrorMessage)]
            assert [(one.code, one.seq, one.table) for one in told] == [("internal", None, table)]
            store.always, store.lost = None, False
            done, _ = await send_and_read(socket, type="watch", seq=4, table=table)
            assert isinstance(done, messages.Ack)


async def test_a_watching_client_catches_up_after_eviction(
    tmp_path: Path,
) -> None:
    store = FaultyStore(tmp_path / "tables.sqlite3")
    async with running_server(tmp_path, store=store) as url, Client(url) as anna:
        made = await anna.create_table("molotov", ["me", "open", "open"], name="Anna")
        table = await anna.watch(made.table)
        store.always, store.lost = BROKEN, True
        with pytest.raises(RequestError, match="internal"):
            await table.start()
        await table.until(lambda table: not table.is_current)
        store.always, store.lost = None, False
        await table.until(lambda table: table.is_current)
        await table.start()
        assert table.phase == "playing"


async def test_events_of_another_writer_are_shown_and_the_request_is_retried(
    tmp_path: Path,
) -> None:
    store = SqliteStore(tmp_path / "tables.sqlite3")
    other_store = SqliteStore(tmp_path / "tables.sqlite3")
    async with running_server(tmp_path, store=store) as url:
        table = await new_table(url)
        async with websocket(url) as socket:
            await send_and_read(socket, type="watch", seq=1, table=table)
            # Another server writes to the same table, as it should never happen.
            log = await other_store.load(table)
            done = list(
                Table.from_events(log).execute(commands.Sit("p" * 64, 1, "Reto"), PackSource(list))
            )
            await other_store.append(table, len(log), done)
            got, before = await send_and_read(socket, type="start", seq=2, table=table)
            assert isinstance(got, messages.Ack)
            snapshot = before[0]
            assert isinstance(snapshot, messages.Snapshot)
            assert snapshot.room.seats[1].name == "Reto"
    with pytest.raises(ConflictError):
        await other_store.append(table, len(log), done)
    await other_store.close()


async def test_a_full_disk_refuses_new_tables_with_one_clear_error(tmp_path: Path) -> None:
    store = FaultyStore(tmp_path / "tables.sqlite3")
    async with running_server(tmp_path, store=store) as url, Client(url) as anna:
        store.always = BROKEN
        with pytest.raises(RequestError) as caught:
            await anna.create_table("molotov", ["me", "open", "open"], name="Anna")
        assert caught.value.code == "busy"
        assert "card:JC" not in str(caught.value)


class SingleNodeStub:
    """A server that owns a shared store in single-node mode."""

    has_other_servers = False
    is_valid = True

    async def wait_valid(self, seconds: float) -> bool:
        await asyncio.sleep(min(seconds, 0.01))
        return self.is_valid


@asynccontextmanager
async def single_node(folder: Path) -> AsyncIterator[tuple[str, FaultyStore, SingleNodeStub, App]]:
    """A registry in single-node mode on a store reached over a network."""
    store, only = FaultyStore(folder / "tables.sqlite3"), SingleNodeStub()
    await register_tokens(store)
    services = ServerContext(store, Limits(commitment_wait_s=0.0))
    services.lease_status = only
    app = create_app(services, folder / "no-client")
    async with running_app(app) as url:
        yield url, store, only, app


async def test_an_append_of_unknown_outcome_is_not_reported_as_failed(
    tmp_path: Path,
) -> None:
    store = FaultyStore(tmp_path / "tables.sqlite3")
    async with running_server(tmp_path, store=store) as url:
        table = await new_table(url)
        async with websocket(url) as socket:
            await send_and_read(socket, type="watch", seq=1, table=table)
            store.fate, store.after = OutcomeUnknownError("lost"), True
            got, before = await send_and_read(socket, type="start", seq=2, table=table)
            assert isinstance(got, messages.ErrorMessage)
            assert (got.code, got.message) == ("busy", ERR_OUTCOME_UNKNOWN)
            # What has become of it is shown before that is said.
            (shown,) = [one for one in before if isinstance(one, messages.Snapshot)]
            assert shown.room.phase == "playing"


async def test_an_expired_single_node_keeps_its_tables_after_rejoining(
    tmp_path: Path,
) -> None:
    async with single_node(tmp_path) as (url, store, _, _):
        table = await new_table(url)
        async with websocket(url) as socket:
            await send_and_read(socket, type="watch", seq=1, table=table)
            store.fate, store.after = FencedError("taken for gone"), False
            got = await request_error(socket, type="start", seq=2, table=table)
            assert (got.code, got.message) == ("busy", ERR_UNAVAILABLE)
            done, told = await send_and_read(socket, type="start", seq=3, table=table)
            assert isinstance(done, messages.Ack)
            # Nobody had to follow the table anew.
            assert any(isinstance(one, messages.Event) for one in told)


async def test_a_single_node_without_a_valid_lease_does_nothing(tmp_path: Path) -> None:
    async with single_node(tmp_path) as (url, _, only, _):
        table = await new_table(url)
        async with websocket(url) as socket:
            await send_and_read(socket, type="watch", seq=1, table=table)
            only.is_valid = False
            got = await request_error(socket, type="start", seq=2, table=table)
            assert (got.code, got.message) == ("busy", ERR_UNAVAILABLE)
            only.is_valid = True
            done, _ = await send_and_read(socket, type="start", seq=3, table=table)
            assert isinstance(done, messages.Ack)


async def test_retries_after_conflicts_are_bounded(
    tmp_path: Path,
) -> None:
    store = FaultyStore(tmp_path / "tables.sqlite3")
    async with running_server(tmp_path, store=store) as url:
        table = await new_table(url)
        async with websocket(url) as socket:
            await send_and_read(socket, type="watch", seq=1, table=table)
            store.always = ConflictError("somebody else has written")
            assert (
                await request_error(socket, type="start", seq=2, table=table)
            ).code == "internal"
            store.always = None
            done, _ = await send_and_read(socket, type="start", seq=3, table=table)
            assert isinstance(done, messages.Ack)


async def test_bots_play_on_once_the_lease_is_valid_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_turns, "_RETRY_DELAY_S", 0.02)
    async with single_node(tmp_path) as (url, _, only, _), Client(url) as anna:
        made = await anna.create_table(
            "molotov", ["me", *["bot:random"] * 3], name="Anna", start=True
        )
        table = await anna.watch(made.table)
        for _ in range(3):
            await until(table, lambda table: table.turn is not None)
            assert table.turn is not None
            await table.act(table.turn.legal[0])
            only.is_valid = False
            await asyncio.sleep(0.2)
            only.is_valid = True


async def test_requests_during_a_store_outage_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(actor, "_RESYNC_TIMEOUT_S", 0.1)
    async with single_node(tmp_path) as (url, store, _, _):
        table = await new_table(url)
        async with websocket(url) as socket, websocket(url, OTHER_TOKEN) as other:
            await send_and_read(socket, type="watch", seq=1, table=table)
            store.fate, store.lost = OutcomeUnknownError("lost"), True
            got = await request_error(socket, type="start", seq=2, table=table)
            assert (got.code, got.message) == ("busy", ERR_OUTCOME_UNKNOWN)
            got = await request_error(other, type="watch", seq=1, table=table)
            assert (got.code, got.message) == ("busy", ERR_UNAVAILABLE)
            store.lost = False
            done, told = await send_and_read(socket, type="start", seq=3, table=table)
            while isinstance(done, messages.ErrorMessage):  # not read again yet
                await asyncio.sleep(0.05)
                done, more = await send_and_read(socket, type="start", seq=4, table=table)
                told += more
            assert any(isinstance(one, messages.Snapshot) for one in told)


async def test_events_of_another_writer_are_shown_after_doubt(
    tmp_path: Path,
) -> None:
    async with single_node(tmp_path) as (url, store, _, app):
        table = await new_table(url)
        async with websocket(url) as socket:
            await send_and_read(socket, type="watch", seq=1, table=table)
            log = await store.load(table)
            done = list(Table.from_events(log).execute(commands.AdminClose(), PackSource(list)))
            await store.append(table, len(log), done)
            app.registry.invalidate_all()
            shown = await read_message(socket)
            while not isinstance(shown, messages.Snapshot):
                shown = await read_message(socket)
            assert shown.version == len(log) + len(done)
