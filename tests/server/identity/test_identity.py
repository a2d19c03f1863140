"""Identity: tokens, linked devices, recovery codes, and deletion of a person."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from time import time
from typing import Any

import httpx2
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed

from jasstisch.client import Client
from jasstisch.server.api import bodies
from jasstisch.server.api.auth_names import COOKIE_NAME, SECURE_COOKIE_NAME
from jasstisch.server.context import ServerContext
from jasstisch.server.errors import ApiError
from jasstisch.server.identity.service import IdentityService
from jasstisch.server.identity.tokens import hash_token, new_token
from jasstisch.server.limits.server_limits import Limits
from jasstisch.storage import Credential, SqliteStore
from jasstisch.storage.identities import SECONDS_PER_DAY
from tests.server.http.test_rest_api import TABLE, refused
from tests.server.running_server import (
    OTHER_TOKEN,
    TOKEN,
    ServerProcess,
    rest_client,
    running_server,
    websocket,
)
from tests.server.websocket_requests import new_table

pytestmark = pytest.mark.outside

TLS = {"X-Forwarded-Proto": "https"}


@asynccontextmanager
async def browser(
    url: str, token: str | None = TOKEN, **more: Any
) -> AsyncIterator[httpx2.AsyncClient]:
    """A browser with this token; it keeps the cookies it receives."""
    async with rest_client(url, **more) as web:
        if token is not None:
            web.cookies.set(COOKIE_NAME, token, domain="127.0.0.1")
        yield web


async def told(web: httpx2.AsyncClient) -> bodies.IdentityInfo:
    answer = await web.get("/api/identity")
    assert answer.status_code == 200, answer.text
    return msgspec.json.decode(answer.content, type=bodies.IdentityInfo)


async def code_of(web: httpx2.AsyncClient, kind: str = "link") -> str:
    answer = await web.post(f"/api/identity/{kind}")
    assert answer.status_code == 200, answer.text
    return msgspec.json.decode(answer.content, type=bodies.IssuedCode).code


def token_of(web: httpx2.AsyncClient) -> str:
    return str(web.cookies[COOKIE_NAME])


# Tokens.


async def test_an_unissued_token_is_rejected(url: str) -> None:
    made_up = new_token()
    async with browser(url, made_up) as web, websocket(url, made_up) as socket:
        await socket.send('{"type": "start", "seq": 1, "table": "' + "x" * 22 + '"}')
        assert "no_identity" in str(await socket.recv())
        assert (await told(web)).devices == []
        refused(await web.post("/api/identity/link"), 400, "no_identity")
        assert (await web.post("/api/identity")).status_code == 204
        assert token_of(web) != made_up
    async with Client(url, made_up) as anna:
        assert anna.token != made_up  # it was replaced
        await anna.create_table("molotov", ["me", "open", "open"], name="Anna")


async def test_ids_and_hashes_of_codes_are_not_accepted_as_codes(url: str) -> None:
    async with browser(url) as web:
        code = (await code_of(web)).replace("-", "")
        for secret in (hash_token(TOKEN)[:43], code.ljust(43, "A")):
            async with browser(url, secret) as thief:
                assert (await told(thief)).devices == []


async def test_a_token_survives_a_restart(tmp_path: Path) -> None:
    async with running_server(tmp_path) as url, Client(url) as anna:
        token = anna.token
    async with running_server(tmp_path) as url, Client(url, token) as anna:
        assert anna.token == token


async def test_under_tls_the_cookie_gets_the_host_prefix_and_replaces_the_old_one(
    url: str,
) -> None:
    async with rest_client(url) as web:
        answer = await web.post("/api/identity", headers=TLS)
        (cookie,) = answer.headers.get_list("set-cookie")
        assert cookie.startswith(f"{SECURE_COOKIE_NAME}=")
        assert "Secure" in cookie
        given = cookie.partition("=")[2].partition(";")[0]
        answer = await web.post("/api/identity", headers=TLS | {"Cookie": f"{COOKIE_NAME}={TOKEN}"})
        renamed, ended = sorted(answer.headers.get_list("set-cookie"))
        assert renamed.startswith(f"{SECURE_COOKIE_NAME}={TOKEN};")
        assert ended.startswith(f"{COOKIE_NAME}=")
        assert "Max-Age=0" in ended
        # The one that only this host can have set counts before the other.
        both = {"Cookie": f"{COOKIE_NAME}={TOKEN}; {SECURE_COOKIE_NAME}={given}"}
        answer = await web.post("/api/identity", headers=TLS | both)
        assert "set-cookie" not in answer.headers
        # Without TLS nobody can have been given that one.
        answer = await web.post(
            "/api/identity", headers={"Cookie": f"{SECURE_COOKIE_NAME}={given}"}
        )
        assert answer.headers["set-cookie"].startswith(f"{COOKIE_NAME}=")


async def test_a_token_is_renewed_once_a_day(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "tables.sqlite3")
    today = int(time()) // SECONDS_PER_DAY
    token = new_token()
    until = time() + SECONDS_PER_DAY
    old = Credential(hash_token(token), hash_token(token), "device", today - 29, today - 29, until)
    await store.identity_store.add_credential(old)
    async with running_server(tmp_path, store=store) as url:
        table = await new_table(url)
        async with browser(url, token) as web:
            # What sets no cookie does not use up the renewal of the day.
            assert "set-cookie" not in (await web.get(f"/api/tables/{table}")).headers
            assert len((await told(web)).devices) == 1
        async with websocket(url, token) as socket:
            assert socket.response is not None
            cookie = socket.response.headers["Set-Cookie"]
            assert cookie.startswith(f"{COOKIE_NAME}={token}; Max-Age=34560000;")
        async with websocket(url, token) as socket:
            assert socket.response is not None
            assert "Set-Cookie" not in socket.response.headers
        async with browser(url, token) as web:
            assert "set-cookie" not in (await web.post("/api/identity")).headers
            (device,) = (await told(web)).devices
            assert device.used == datetime.now(UTC).date().isoformat()
            assert device.made < device.used
        found = await store.identity_store.find_credential(
            hash_token(token), time() + 29 * SECONDS_PER_DAY
        )
        assert found is not None
        assert (
            await store.identity_store.find_credential(
                hash_token(token), time() + 31 * SECONDS_PER_DAY
            )
            is None
        )


async def test_people_without_a_seat_expire(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "tables.sqlite3")
    today = int(time()) // SECONDS_PER_DAY
    await store.identity_store.add_credential(
        Credential("h", "h", "device", today, today, time() - 1)
    )
    async with running_server(tmp_path, store=store):
        while await store.identity_store.count_credentials() > 3:  # those of the tests stay
            await store.count_tables()


async def test_new_identities_are_rate_limited_by_address(tmp_path: Path) -> None:
    limits = Limits(new_identities_per_minute=3)
    async with (
        running_server(tmp_path, limits=limits) as url,
        rest_client(url) as web,
    ):
        for _ in range(3):
            assert (await web.post("/api/identity")).status_code == 204
            web.cookies.clear()
        refused(await web.post("/api/identity"), 429, "too_fast")
        refused(await web.post("/api/tables", json=TABLE), 429, "too_fast")
        async with browser(url) as known:
            assert (await known.post("/api/identity")).status_code == 204


async def test_a_server_at_its_limit_of_people_refuses_new_ones(tmp_path: Path) -> None:
    async with (
        running_server(tmp_path, limits=Limits(identities=4)) as url,
        rest_client(url) as web,
    ):
        assert (await web.post("/api/identity")).status_code == 204
        web.cookies.clear()
        refused(await web.post("/api/identity"), 503, "busy")


async def test_people_added_during_the_count_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SqliteStore(tmp_path / "tables.sqlite3")
    people = IdentityService(ServerContext(store, Limits(identities=1)))
    await people.open()
    count = store.identity_store.count_credentials

    async def slow() -> int:
        found = await count()
        await people.ensure_identity([], "", secure=False)
        return found

    with monkeypatch.context() as counting:
        counting.setattr(store.identity_store, "count_credentials", slow)
        await people.purge_expired()
    with pytest.raises(ApiError):
        await people.ensure_identity([], "", secure=False)
    await store.close()


# Other devices.


async def test_a_link_code_adds_a_device_once(url: str) -> None:
    table = await new_table(url)
    async with browser(url) as laptop, browser(url, None) as phone:
        code = await code_of(laptop)
        answer = await phone.post("/api/identity/take", json={"code": code.lower()})
        assert answer.status_code == 200, answer.text
        assert token_of(phone) not in (TOKEN, code)
        async with Client(url, token_of(phone)) as anna:
            assert (await anna.watch(table)).seat == 0
        devices = (await told(laptop)).devices
        assert sorted(one.here for one in devices) == [False, True]
        assert len({one.id for one in devices}) == 2
        refused(await phone.post("/api/identity/take", json={"code": code}), 400, "bad_code")


async def test_only_the_latest_link_code_is_valid_for_ten_minutes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time()
    monkeypatch.setattr(SqliteStore, "now", lambda _: now)
    async with running_server(tmp_path) as url, browser(url) as laptop, browser(url, None) as phone:
        first, second = await code_of(laptop), await code_of(laptop)
        refused(await phone.post("/api/identity/take", json={"code": first}), 400, "bad_code")
        now += 601
        refused(await phone.post("/api/identity/take", json={"code": second}), 400, "bad_code")


async def test_a_recovery_code_is_valid_until_replaced(url: str) -> None:
    async with browser(url) as laptop:
        assert (await told(laptop)).recovery is None
        code = await code_of(laptop, "recovery")
        assert (await told(laptop)).recovery == datetime.now(UTC).date().isoformat()
        for _ in range(2):
            async with browser(url, None) as phone:
                assert (
                    await phone.post("/api/identity/take", json={"code": code})
                ).status_code == 200
        newer = await code_of(laptop, "recovery")
        async with browser(url, None) as phone:
            answer = await phone.post("/api/identity/take", json={"code": code})
            refused(answer, 400, "bad_code")
            answer = await phone.post("/api/identity/take", json={"code": newer})
            assert answer.status_code == 200


async def test_linking_a_device_drops_its_previous_identity(url: str) -> None:
    async with browser(url) as laptop, browser(url, OTHER_TOKEN) as phone:
        async with websocket(url, OTHER_TOKEN) as socket:
            code = await code_of(laptop)
            await phone.post("/api/identity/take", json={"code": code})
            with pytest.raises(ConnectionClosed):
                await socket.recv()
        async with browser(url, OTHER_TOKEN) as thief:
            assert (await told(thief)).devices == []


async def test_code_guessing_is_limited_by_address_and_in_total(tmp_path: Path) -> None:
    async with running_server(tmp_path) as url, browser(url) as laptop, browser(url, None) as thief:
        code = await code_of(laptop)
        for guess in range(10):
            wrong = await thief.post("/api/identity/take", json={"code": f"{guess:08}"})
            refused(wrong, 400, "bad_code")
        refused(await thief.post("/api/identity/take", json={"code": code}), 429, "too_fast")
        answers = [
            # Other addresses, as a proxy on this machine tells them.
            await thief.post(
                "/api/identity/take",
                json={"code": f"{guess:08}"},
                headers={"X-Forwarded-For": f"10.0.0.{address}"},
            )
            for address in range(12)
            for guess in range(10)
        ]
        refused(answers[0], 400, "bad_code")
        refused(answers[-1], 429, "too_fast")
        # Nobody guesses a recovery code, so nobody's guesses keep others from theirs.
        recovery = await code_of(laptop, "recovery")
        elsewhere = {"X-Forwarded-For": "10.0.1.1"}
        answer = await thief.post("/api/identity/take", json={"code": recovery}, headers=elsewhere)
        assert answer.status_code == 200


async def test_one_address_cannot_exhaust_the_total_limit(url: str) -> None:
    async with browser(url, None) as crowd, browser(url) as laptop:
        statuses = set()
        for _ in range(13):
            crowd.cookies.clear()
            await crowd.post("/api/identity")
            for _ in range(10):
                answer = await crowd.post("/api/identity/link")
                statuses.add(answer.status_code)
        assert statuses == {200, 429}
        elsewhere = {"X-Forwarded-For": "10.0.1.1"}
        answer = await laptop.post("/api/identity/link", headers=elsewhere)
        assert answer.status_code == 200


async def test_devices_and_codes_per_person_are_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jasstisch.server.identity.service._MAX_DEVICES", 2)
    async with running_server(tmp_path) as url, browser(url) as laptop:
        for status in (200, 400):
            async with browser(url, None) as phone:
                code = await code_of(laptop)
                answer = await phone.post("/api/identity/take", json={"code": code})
                assert answer.status_code == status
        for _ in range(8):
            await code_of(laptop)
        refused(await laptop.post("/api/identity/link"), 429, "too_fast")


# Forgetting.


async def test_removing_a_device_disconnects_it_alone(url: str) -> None:
    async with browser(url) as laptop, browser(url, None) as phone:
        code = await code_of(laptop)
        await phone.post("/api/identity/take", json={"code": code})
        stolen = token_of(phone)
        async with websocket(url, stolen) as there, websocket(url, TOKEN) as here:
            (other,) = [one.id for one in (await told(laptop)).devices if not one.here]
            answer = await laptop.post("/api/identity/forget", json={"device": other})
            assert answer.status_code == 204
            assert "set-cookie" not in answer.headers
            with pytest.raises(ConnectionClosed) as closed:
                await there.recv()
            assert closed.value.rcvd is not None
            assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (
                1008,
                "this device has been forgotten",
            )
            await here.send('{"type": "ping", "seq": 1}')
            assert "pong" in str(await here.recv())
        refused(await laptop.post("/api/identity/forget", json={"device": other}), 404, "not_found")
        refused(await phone.post("/api/identity/link"), 400, "no_identity")


@asynccontextmanager
async def linked(url: str, laptop: httpx2.AsyncClient) -> AsyncIterator[httpx2.AsyncClient]:
    """Another device of the same person."""
    async with browser(url, None) as phone:
        taken = await phone.post("/api/identity/take", json={"code": await code_of(laptop)})
        assert taken.status_code == 200, taken.text
        yield phone


async def forget(web: httpx2.AsyncClient, *, here: bool) -> None:
    """Forgets this device, or the only other one."""
    (device,) = [one.id for one in (await told(web)).devices if one.here == here]
    answer = await web.post("/api/identity/forget", json={"device": device})
    assert answer.status_code == 204, answer.text


@pytest.mark.parametrize("kind", ["link", "recovery"])
async def test_a_forgotten_device_does_not_come_back_by_a_code_it_made(url: str, kind: str) -> None:
    async with browser(url) as laptop, linked(url, laptop) as phone, browser(url, None) as thief:
        code = await code_of(phone, kind)
        await forget(laptop, here=False)
        refused(await thief.post("/api/identity/take", json={"code": code}), 400, "bad_code")
        known = await told(laptop)
        assert len(known.devices) == 1
        assert known.recovery is None


async def test_the_list_of_devices_names_the_one_whose_recovery_code_ends_with_it(url: str) -> None:
    async with browser(url) as laptop, linked(url, laptop) as phone:
        assert [one.recovery for one in (await told(laptop)).devices] == [False, False]
        code = await code_of(laptop, "recovery")
        assert {one.here: one.recovery for one in (await told(phone)).devices} == {
            True: False,
            False: True,
        }
        await forget(laptop, here=False)
        assert (await told(laptop)).recovery is not None
        async with browser(url, None) as new:
            answer = await new.post("/api/identity/take", json={"code": code})
            assert answer.status_code == 200


async def test_the_devices_that_a_forgotten_one_added_stay(url: str) -> None:
    async with browser(url) as laptop, linked(url, laptop) as phone, linked(url, phone) as tablet:
        first = next(one.id for one in (await told(laptop)).devices if one.here)
        await tablet.post("/api/identity/forget", json={"device": first})
        assert len((await told(tablet)).devices) == 2
        assert (await told(laptop)).devices == []


async def test_removing_this_device_clears_its_cookie(url: str) -> None:
    async with browser(url) as web:
        (device,) = (await told(web)).devices
        answer = await web.post("/api/identity/forget", json={"device": device.id})
        assert "Max-Age=0" in answer.headers["set-cookie"]
        assert (await told(web)).devices == []


async def test_devices_of_others_cannot_be_removed(url: str) -> None:
    async with browser(url) as anna, browser(url, OTHER_TOKEN) as reto:
        (device,) = (await told(anna)).devices
        answer = await reto.post("/api/identity/forget", json={"device": device.id})
        refused(answer, 404, "not_found")
        assert len((await told(anna)).devices) == 1


async def until_unknown(web: httpx2.AsyncClient, table: str) -> None:
    answer = await web.get(f"/api/tables/{table}")
    while answer.status_code != 404:
        answer = await web.get(f"/api/tables/{table}")


async def test_deleting_a_person_deletes_their_tables_and_leaves_those_of_others(url: str) -> None:
    alone = await new_table(url, seats=["me", "bot:random", "bot:random"], start=True)
    unstarted = await new_table(url)
    running = await new_table(url)
    async with Client(url, OTHER_TOKEN) as reto, browser(url) as web:
        waiting = await reto.watch(unstarted)
        await waiting.sit(1, "Reto")
        playing = await reto.watch(running)
        await playing.sit(1, "Reto")
        async with Client(url, TOKEN) as anna:
            await (await anna.watch(running)).start()
        code = await code_of(web, "recovery")
        answer = await web.post("/api/identity/forget-me")
        assert answer.status_code == 204
        assert "Max-Age=0" in answer.headers["set-cookie"]
        await until_unknown(web, alone)
        await waiting.until(lambda table: table.room.seats[0].kind == "open")
        await playing.until(lambda table: table.room.seats[0].name == "N. N.")
        assert playing.room.seats[0].kind == "computer"
        async with browser(url) as thief:
            assert (await told(thief)).devices == []
            answer = await thief.post("/api/identity/take", json={"code": code})
            refused(answer, 400, "bad_code")


async def test_a_deletion_interrupted_by_a_kill_is_finished_at_the_next_start(
    tmp_path: Path,
) -> None:
    server = ServerProcess(tmp_path)
    try:
        seats = ["me", "bot:random", "bot:random"]
        tables = [await new_table(server.url, seats=seats) for _ in range(30)]
        async with browser(server.url) as web:
            await web.post("/api/identity/forget-me")
    finally:
        server.kill()
    async with running_server(tmp_path) as url, browser(url, None) as web:
        for table in tables:
            await until_unknown(web, table)


async def forget_here(web: httpx2.AsyncClient, **more: bool) -> httpx2.Response:
    """Has a browser forget itself."""
    (here,) = (one.id for one in (await told(web)).devices if one.here)
    return await web.post("/api/identity/forget", json={"device": here} | more)


@pytest.mark.parametrize("left", ["device", "recovery", "link", "nothing"])
async def test_leaving_the_last_device_needs_consent(url: str, left: str) -> None:
    async with browser(url, None) as web, browser(url, OTHER_TOKEN) as reto:
        await web.post("/api/identity")
        token = token_of(web)
        async with Client(url, token) as anna:
            await anna.create_table("molotov", ["me", "open", "open"], name="Anna")
        code = await code_of(web, "recovery" if left == "recovery" else "link")
        if left in ("device", "nothing"):
            async with browser(url, None) as phone:
                await phone.post("/api/identity/take", json={"code": code})
                if left == "nothing":
                    await forget_here(phone)
        taken = {"code": await code_of(reto)}
        answers = [await forget_here(web), await web.post("/api/identity/take", json=taken)]
        if left in ("link", "nothing"):
            for answer in answers:
                refused(answer, 409, "last_device")
                assert "7 days" in answer.json()["message"]
            assert token_of(web) == token  # nothing has happened, and the code is still valid
            answer = await web.post("/api/identity/take", json=taken | {"give_up": True})
            assert answer.status_code == 200
        else:
            assert [one.status_code for one in answers] == [204, 200]


async def test_leaving_the_last_device_without_a_table_needs_no_consent(url: str) -> None:
    async with browser(url, None) as web, browser(url, OTHER_TOKEN) as reto:
        await web.post("/api/identity")
        taken = {"code": await code_of(reto)}
        assert (await web.post("/api/identity/take", json=taken)).status_code == 200


async def test_a_wrong_code_is_told_before_consent_is_asked(url: str) -> None:
    async with browser(url) as web:
        await new_table(url)
        answer = await web.post("/api/identity/take", json={"code": "0000-0000"})
        refused(answer, 400, "bad_code")


async def test_whoever_loses_the_last_device_is_erased_after_a_time_of_grace(
    tmp_path: Path,
) -> None:
    async with running_server(tmp_path) as url, browser(url, None) as web:
        await web.post("/api/identity")
        seats = ["me", "bot:random", "bot:random"]
        async with Client(url, token_of(web)) as anna, Client(url, OTHER_TOKEN) as reto:
            lost, kept = [
                (await one.create_table("molotov", seats, name="A")).table for one in (anna, reto)
            ]
        assert (await forget_here(web, give_up=True)).status_code == 204
    retained = SqliteStore(tmp_path / "tables.sqlite3")
    async with running_server(tmp_path, store=retained) as url, rest_client(url) as web:
        await IdentityService(ServerContext(retained, Limits())).purge_expired()
        assert await retained.identity_store.pending_erasures(9) == []
        assert (await web.get(f"/api/tables/{lost}")).status_code == 200
    limits = Limits(keep_abandoned_days=0)
    async with running_server(tmp_path, limits=limits) as url, rest_client(url) as web:
        await until_unknown(web, lost)
        assert (await web.get(f"/api/tables/{kept}")).status_code == 200


# What must not get out, and what may be sent.


def all_files(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.iterdir() if file.is_file())


async def test_tokens_and_codes_are_neither_logged_nor_stored(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    try:
        async with browser(server.url, None) as web, browser(server.url, None) as phone:
            await web.post("/api/identity")
            token, codes = token_of(web), [await code_of(web), await code_of(web, "recovery")]
            await phone.post("/api/identity/take", json={"code": codes[1]})
            await phone.post("/api/identity/take", json={"code": "wrong"})
            secrets = [token, token_of(phone), *codes, *(one.replace("-", "") for one in codes)]
    finally:
        said = server.stop()
    kept = await asyncio.to_thread(all_files, tmp_path)
    for secret in secrets:
        assert secret not in said
        assert hash_token(secret) not in said
        assert secret.encode() not in kept
    assert "device_added" in said


async def test_cross_origin_requests_cannot_change_identities(url: str) -> None:
    async with browser(url) as web:
        headers = {"Origin": "https://evil.example"}
        for call, body in (
            *(("link", None), ("recovery", None), ("forget-me", None)),
            *(("take", {"code": "x"}), ("forget", {"device": "x"})),
        ):
            answer = await web.post(f"/api/identity/{call}", json=body, headers=headers)
            refused(answer, 403, "forbidden_origin")
        assert len((await told(web)).devices) == 1


async def test_reports_of_names_reach_the_operator_and_are_rate_limited(
    tmp_path: Path,
) -> None:
    server = ServerProcess(tmp_path)
    try:
        table = await new_table(server.url)
        async with browser(server.url, OTHER_TOKEN) as web:
            path = f"/api/tables/{table}/report"
            refused(await web.post(path, json={"seat": 1}), 409, "wrong_phase")  # nobody there
            refused(await web.post(path, json={"seat": 9}), 409, "wrong_phase")
            for _ in range(5):
                assert (await web.post(path, json={"seat": 0})).status_code == 204
            refused(await web.post(path, json={"seat": 0}), 429, "too_fast")
        async with browser(server.url, None) as web:
            refused(await web.post(path, json={"seat": 0}), 400, "no_identity")
    finally:
        said = server.stop()
    assert said.count("name_reported") == 5
    assert table[:6] in said
    assert table not in said
    assert "Anna" not in said


json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=80),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=5,
)
json_bodies = json | st.fixed_dictionaries(
    {}, optional={"code": json, "device": json, "seat": json, "more": json}
)


async def test_any_body_gets_a_valid_response(tmp_path: Path) -> None:
    async with running_server(tmp_path) as url, browser(url) as web:
        table = await new_table(url)
        paths = [
            *(f"/api/identity/{call}" for call in ("take", "forget")),
            f"/api/tables/{table}/report",
        ]
        sent: list[bytes] = []

        @settings(max_examples=60, suppress_health_check=list(HealthCheck), database=None)
        @given(json_bodies.map(msgspec.json.encode) | st.binary(max_size=50))
        def gather(body: bytes) -> None:
            sent.append(body)

        gather()
        headers = {"Content-Type": "application/json"}
        for body in sent:
            for path in paths:
                answer = await web.post(path, content=body, headers=headers)
                if answer.status_code != 204:
                    found = msgspec.json.decode(answer.content, type=bodies.ErrorBody)
                    assert found.code != "internal", (path, body)


async def test_a_deleted_client_returns_as_a_new_person(url: str) -> None:
    table = await new_table(url)
    async with Client(url, TOKEN) as anna, browser(url) as web:
        watched = await anna.watch(table)
        (device,) = (await told(web)).devices
        await web.post("/api/identity/forget", json={"device": device.id, "give_up": True})
        await watched.until(lambda one: one.seat is None)
    async with Client(url, TOKEN) as anna:
        assert anna.token != TOKEN
        assert (await anna.watch(table)).seat is None
