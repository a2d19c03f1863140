"""Admin commands over the local socket of a running server."""

import asyncio
import json
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from time import time

import msgspec
import pytest
import pytest_asyncio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from jasstisch.client import Client, ConnectionLostError, RequestError
from jasstisch.server.admin import messages as admin
from jasstisch.server.admin.messages import token_path
from jasstisch.server.admin.service import HASH_DIGITS_SHOWN, AdminService
from jasstisch.server.admin.socket_server import AdminSocketServer, SocketError
from jasstisch.server.api import messages
from jasstisch.server.context import ServerContext
from jasstisch.server.http.app import App
from jasstisch.server.identity.tokens import hash_token
from jasstisch.server.main import create_app
from jasstisch.server.tables.erasure import ErasureJob
from jasstisch.storage import SqliteStore
from jasstisch.storage.identities import SECONDS_PER_DAY
from tests.server.running_server import (
    OTHER_TOKEN,
    TOKEN,
    register_tokens,
    running_app,
    unwelcomed_websocket,
    websocket,
)
from tests.server.websocket_requests import new_table, read_message, send_and_read

pytestmark = pytest.mark.outside

ANNA, RETO = hash_token(TOKEN), hash_token(OTHER_TOKEN)


class AdminServer:
    """A running server with its admin socket.

    Attributes:
        url: its address.
        path: the socket.
        app: the application.
    """

    def __init__(self, url: str, path: Path, app: App) -> None:
        self.url = url
        self.path = path
        self.app = app
        self.calls = AdminService(app.registry)

    async def ask(self, call: admin.Call, token: str | None = None) -> admin.Response:
        """Returns the response to a call."""
        shown = token_path(self.path).read_text() if token is None else token
        line = msgspec.json.encode(admin.AdminRequest(shown, call)) + b"\n"
        return msgspec.json.decode(await self.send(line), type=admin.Response)  # type: ignore[no-any-return]

    async def send(self, line: bytes) -> bytes:
        """Sends raw bytes; returns the response."""
        reader, writer = await asyncio.open_unix_connection(self.path)
        writer.write(line)
        if writer.can_write_eof():
            writer.write_eof()
        got = await reader.read()
        writer.close()
        return got

    async def refused(self, call: admin.Call) -> str:
        """Returns the message of a refused call."""
        got = await self.ask(call)
        assert isinstance(got, admin.Rejected)
        return got.text

    async def row(self, table: str) -> admin.TableRow:
        """Returns the row of a table in the list of tables."""
        got = await self.ask(admin.ListTables())
        assert isinstance(got, admin.TableList)
        return next(row for row in got.tables if row.table == table)


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[AdminServer]:
    store = SqliteStore(folder / "tables.sqlite3")
    await register_tokens(store)
    app = create_app(ServerContext(store), folder / "no-client")
    async with running_app(app) as url:
        server = AdminServer(url, folder / "admin.sock", app)
        listening = AdminSocketServer(server.path, server.calls)
        await listening.open()
        try:
            yield server
        finally:
            await listening.close()


@pytest_asyncio.fixture
async def server(tmp_path: Path) -> AsyncIterator[AdminServer]:
    async with running(tmp_path) as found:
        yield found


# Tables.


async def test_list_shows_tables_with_their_players(server: AdminServer) -> None:
    table = await new_table(server.url, start=True)
    other = await new_table(server.url, token=OTHER_TOKEN, game="differenzler")
    row = await server.row(table)
    assert (row.game, row.phase, row.live) == ("molotov", "playing", True)
    assert row.seats[0] == admin.SeatRow("person", "Anna", ANNA[:HASH_DIGITS_SHOWN])
    assert row.seats[2].person is None
    wanted = admin.ListTables(game="differenzler", phase="open")
    got = await server.ask(wanted)
    assert isinstance(got, admin.TableList)
    assert ([one.table for one in got.tables], got.all) == ([other], 2)
    server.app.registry.peek_table(other).evict()  # type: ignore[union-attr]
    assert (await server.row(other)).live is False
    got = await server.ask(admin.ListTables(live=True))
    assert isinstance(got, admin.TableList)
    assert [one.table for one in got.tables] == [table]


async def test_close_accepts_a_prefix_of_the_table_id(server: AdminServer) -> None:
    table = await new_table(server.url, start=True)
    async with websocket(server.url) as socket:
        await send_and_read(socket, type="watch", seq=1, table=table)
        done = await server.ask(admin.CloseTable(table[:8]))
        assert done == admin.Ok(f"table {table[:6]}… is closed")
        while not (isinstance(got := await read_message(socket), messages.Event) and got.room):
            pass
        assert got.event.kind == "closed"
    assert "closed" in await server.refused(admin.CloseTable(table))
    assert "no table" in await server.refused(admin.CloseTable("zzzzzz"))
    # It stays so when it is read again.
    server.app.registry.peek_table(table).evict()  # type: ignore[union-attr]
    assert (await server.row(table)).phase == "closed"


async def test_an_ambiguous_id_prefix_is_refused(server: AdminServer) -> None:
    created = (
        await server.app.registry.load_local(await new_table(server.url))
    )._state.creation_event
    for table in ("same-beginning-1", "same-beginning-2", "same"):
        event = msgspec.structs.replace(created, table=table)
        await server.app.registry.context.store.append(table, 0, [event])
    assert "several tables" in await server.refused(admin.CloseTable("same-b"))
    assert isinstance(await server.ask(admin.CloseTable("same")), admin.Ok)


async def test_a_removed_nickname_disappears_for_everyone(server: AdminServer) -> None:
    table = await new_table(server.url)
    async with websocket(server.url, OTHER_TOKEN) as socket:
        await send_and_read(socket, type="watch", seq=1, table=table)
        assert isinstance(await server.ask(admin.RemoveNickname(table, 0)), admin.Ok)
        while not isinstance(got := await read_message(socket), messages.Event):
            pass
        assert (got.event.kind, got.event.seat) == ("renamed", 0)
        assert got.room["seats"][0]["name"] == "N. N."
    assert "no nickname" in await server.refused(admin.RemoveNickname(table, 1))
    assert (await server.row(table)).seats[0].name == "N. N."


# People.


async def test_a_ban_disconnects_a_person_and_covers_all_devices(
    server: AdminServer,
) -> None:
    async with Client(server.url, TOKEN) as anna:
        made = await anna.create_table("molotov", ["me", "open", "open"], name="Anna")
        table = await anna.watch(made.table)
        ban = admin.BanPerson("insults", hours=24, table=made.table, seat=0)
        assert await server.ask(ban) == admin.Ok(f"{ANNA[:HASH_DIGITS_SHOWN]} is kept out")
        with pytest.raises(ConnectionLostError, match=r"banned: .* until 2.*: insults"):
            await table.until(lambda _: False)
    async with unwelcomed_websocket(server.url) as socket:
        refused = await read_message(socket)
        assert isinstance(refused, messages.ErrorMessage)
        assert refused.code == "banned"
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008
    with pytest.raises(RequestError, match="insults"):
        async with Client(server.url, TOKEN) as again:
            await again.create_table("molotov", ["me", "open", "open"], name="Anna")
    # Others go on.
    async with Client(server.url, OTHER_TOKEN) as reto:
        await reto.watch(made.table)


async def test_a_ban_is_listed_survives_a_restart_and_can_be_lifted(tmp_path: Path) -> None:
    async with running(tmp_path) as server:
        assert isinstance(await server.ask(admin.BanPerson("x", person=ANNA[:6])), admin.Ok)
    async with running(tmp_path) as server:
        got = await server.ask(admin.ListBans())
        assert isinstance(got, admin.BanList)
        (ban,) = got.bans
        assert (ban.person, ban.until, ban.reason) == (ANNA[:HASH_DIGITS_SHOWN], None, "x")
        with pytest.raises(RequestError, match="for good"):
            await new_table(server.url)
        assert isinstance(await server.ask(admin.UnbanPerson(ANNA)), admin.Ok)
        assert "not kept out" in await server.refused(admin.UnbanPerson(ANNA))
        await new_table(server.url)


async def test_a_ban_expires(server: AdminServer, monkeypatch: pytest.MonkeyPatch) -> None:
    await server.ask(admin.BanPerson("x", hours=1, person=ANNA))
    with pytest.raises(RequestError, match="banned"):
        await new_table(server.url)
    later = time() + 3601
    monkeypatch.setattr(server.app.registry.context.store, "now", lambda: later)
    await new_table(server.url)
    assert await server.app.registry.identity_service.list_bans() == []


async def test_bans_of_other_nodes_are_loaded(server: AdminServer) -> None:
    from jasstisch.storage import Ban  # noqa: PLC0415 - as the other server writes it

    async with websocket(server.url) as socket:
        other = server.app.registry.context.store.identity_store
        await other.ban(Ban(ANNA, time(), None, "elsewhere"))
        await server.app.registry.identity_service.purge_expired()
        with pytest.raises(ConnectionClosed, match="elsewhere"):
            await socket.recv()


@pytest.mark.parametrize(
    "call",
    [
        admin.BanPerson("x"),
        admin.BanPerson("x", person=ANNA, table="abcdef", seat=0),
        admin.BanPerson("x", table="abcdef"),
        admin.UnbanPerson("0" * 6),
        admin.ExportPerson("0" * 6),
        admin.DeletePerson("0" * 6),
        admin.RemoveNickname("abcdef", 0),
        admin.UnpublishTable("abcdef"),
    ],
)
async def test_unknown_targets_are_refused_with_a_message(
    server: AdminServer, call: admin.Call
) -> None:
    assert await server.refused(call)


async def test_an_unknown_seat_is_quoted_as_typed(server: AdminServer) -> None:
    async with Client(server.url, TOKEN) as anna:
        made = await anna.create_table("molotov", ["me", "open", "bot:random"], name="Anna")
    typed = 9
    refused = await server.refused(admin.RemoveNickname(made.table, typed - 1))
    assert refused == "no seat 9; the seats are 1 to 3"
    banned = await server.refused(admin.BanPerson("x", table=made.table, seat=typed - 1))
    assert banned == "no person holds seat 9 there"


async def test_unlist_removes_a_table_from_the_public_list(server: AdminServer) -> None:
    async with Client(server.url, TOKEN) as anna:
        made = await anna.create_table("molotov", ["me", "open", "bot:random"], name="Anna")
        table = await anna.watch(made.table)
        await table.set_published(published=True)
        assert table.room is not None
        assert table.room.published
        assert isinstance(await server.ask(admin.UnpublishTable(made.table[:8])), admin.Ok)
        await table.say("hello")
        assert not table.room.published


async def test_export_contains_all_data_of_a_person_and_no_secrets_of_others(
    server: AdminServer,
) -> None:
    async with Client(server.url, TOKEN) as anna, Client(server.url, OTHER_TOKEN) as reto:
        made = await anna.create_table("molotov", ["me", "open", "bot:random"], name="Anna", face=7)
        theirs, table = await reto.watch(made.table), await anna.watch(made.table)
        await theirs.sit(1, "Reto", face=9)
        await table.start()
        await table.set_chat_policy(allowed=True)
        await table.say("hello")
        await theirs.write("Sali Anna")
        await table.write("Sali Reto")
    got = await server.ask(admin.ExportPerson(ANNA))
    assert isinstance(got, admin.ExportedData)
    (at,) = got.data["tables"]
    assert (at["table"], at["game"], at["names"], at["seats"]) == (
        made.table,
        "molotov",
        ["Anna"],
        [0],
    )
    assert (at["made"], at["host"], at["seat"]) == (True, True, 0)
    assert at["faces"] == [7]
    assert at["said"] == ["hello", "Sali Reto"]
    assert at["matches"] == [{"number": 1, "seat": 0}]
    (device,) = got.data["credentials"]
    assert (device["kind"], device["used"] is not None) == ("device", True)
    text = json.dumps(got.data)
    assert RETO not in text
    assert TOKEN not in text
    # Hidden cards of a match that is on are nobody's data.
    assert "hand" not in text
    assert "pack" not in text


async def test_a_deleted_person_is_unknown_and_no_longer_banned(server: AdminServer) -> None:
    table = await new_table(server.url)
    await server.ask(admin.BanPerson("x", person=ANNA))
    assert isinstance(await server.ask(admin.DeletePerson(ANNA)), admin.Ok)
    identities = server.app.registry.context.store.identity_store
    assert await identities.credentials_of(ANNA, 1.0 * SECONDS_PER_DAY) == []
    assert await identities.list_bans(0.0) == []
    store = server.app.registry.context.store
    job = ErasureJob(server.app.registry)
    while await job.run_batch():
        pass
    assert await store.load(table) == []
    async with unwelcomed_websocket(server.url) as socket:
        welcome = await read_message(socket)
        assert isinstance(welcome, messages.Welcome)
        assert not welcome.identity


# The socket.


async def test_socket_and_token_are_readable_by_the_owner_only(server: AdminServer) -> None:
    for path in (server.path, token_path(server.path)):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for wrong in ("", "A" * 43):
        got = await server.ask(admin.ListTables(), token=wrong)
        assert got == admin.Rejected("this is not the token of this server")


async def test_a_stale_socket_is_replaced_and_a_live_one_is_not(
    server: AdminServer, tmp_path: Path
) -> None:
    second = AdminSocketServer(server.path, server.calls)
    with pytest.raises(SocketError, match="in use"):
        await second.open()
    left = tmp_path / "left.sock"
    dead = AdminSocketServer(left, server.calls)
    await dead.open()
    assert dead._server is not None
    dead._server.close()  # and the file stays, as after a kill
    taken = AdminSocketServer(left, server.calls)
    await taken.open()
    await taken.close()
    assert not left.exists()
    assert not token_path(left).exists()
    with pytest.raises(SocketError, match="too long"):
        await AdminSocketServer(tmp_path / ("x" * 120), server.calls).open()
    with pytest.raises(SocketError, match="say with --admin PATH where"):
        await AdminSocketServer(None, server.calls).open()


async def test_oversized_and_empty_requests_are_refused(server: AdminServer) -> None:
    assert b"bytes at most" in await server.send(b"x" * 100_000)
    assert b"not understood" in await server.send(b"")
    assert b"not understood" in await server.send(b'{"token":"","call":{"do":"format disk"}}\n')


ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda some: (
        st.lists(some, max_size=3) | st.dictionaries(st.text(max_size=9), some, max_size=3)
    ),
    max_leaves=8,
)
CALLS = ["tables", "close", "ban", "bans", "unban", "rename", "export", "delete", "other"]
FIELDS = ["most", "live", "game", "phase", "table", "seat", "person", "reason", "hours"]


@settings(
    max_examples=120,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    line=st.binary(max_size=200)
    | st.builds(
        lambda do, fields: json.dumps({"token": "T", "call": {"do": do, **fields}}).encode(),
        st.sampled_from(CALLS),
        st.dictionaries(st.sampled_from(FIELDS), ANY, max_size=4),
    )
)
async def test_any_input_gets_a_one_line_response(server: AdminServer, line: bytes) -> None:
    token = token_path(server.path).read_text()
    got = await server.send(line.replace(b'"T"', json.dumps(token).encode(), 1) + b"\n")
    assert got.count(b"\n") == 1
    assert got.endswith(b"\n")
    msgspec.json.decode(got, type=admin.Response)
    assert isinstance(await server.ask(admin.ListBans()), admin.BanList)
