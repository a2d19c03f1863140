"""Join codes for tables: validity, quotas and protection against guessing."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx2
import msgspec
import pytest

from jasstisch.client import Client
from jasstisch.server.api import bodies, messages
from jasstisch.server.errors import ApiError
from jasstisch.server.identity import base32_codes
from jasstisch.server.tables.directory import JoinCodeEntry
from jasstisch.server.tables.handle import TableMessage
from jasstisch.server.tables.join_codes import (
    _CREATE_BURST,
    _MAX_CODES_PER_ADDRESS,
    _TOTAL_WRONG_PER_MINUTE,
    _WRONG_BURST,
    CODE_LIFETIME_S,
    MAX_ACTIVE_CODES,
)
from jasstisch.server.tables.registry import TableRegistry
from tests.server.limits.test_quotas import ANNA, ClockServices, ask, made, make_registry
from tests.server.running_server import TOKEN, rest_client
from tests.server.tables.test_broadcaster import Listener


async def admit(entry: JoinCodeEntry | None) -> bool:
    """Lets everybody in who has the code of a table."""
    return entry is not None


def stopped(registry: TableRegistry, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The clock of the store, set by the test."""
    time = [1000.0]
    monkeypatch.setattr(registry.context.store, "now", lambda: time[0])
    return time


async def refused(
    registry: TableRegistry,
    text: str,
    address: str = "192.0.2.3",
    admits: Callable[[JoinCodeEntry | None], Awaitable[bool]] = admit,
) -> str:
    with pytest.raises(ApiError) as caught:
        await registry.join_codes.resolve(text, address, admits)
    return caught.value.code


async def test_a_code_is_valid_for_hours_in_any_spelling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with make_registry(tmp_path) as registry:
        time = stopped(registry, monkeypatch)
        code, seconds = registry.join_codes.create("table", "key", "192.0.2.3")
        assert (len(code), seconds) == (base32_codes.JOIN_CODE_LENGTH, CODE_LIFETIME_S)
        typed = f" {base32_codes.format_code(code).lower().replace('1', 'l').replace('0', 'o')} "
        for text in (code, base32_codes.format_code(code), typed):
            found = await registry.join_codes.resolve(text, "192.0.2.2", admit)
            assert found == JoinCodeEntry("table", "key", 1000.0 + CODE_LIFETIME_S)
        time[0] += CODE_LIFETIME_S - 1
        assert registry.join_codes.create("table", "key", "192.0.2.3") == (code, 1.0)
        time[0] += 1
        assert await refused(registry, code) == "bad_code"


async def test_a_table_keeps_its_code_until_its_link_is_renewed(tmp_path: Path) -> None:
    async with make_registry(tmp_path) as registry:
        code, _ = registry.join_codes.create("table", None, "192.0.2.3")
        assert registry.join_codes.create("table", None, "192.0.2.2")[0] == code
        assert registry.join_codes.create("table", "new", "192.0.2.3")[0] != code
        assert registry.join_codes.find_local(code) is None


async def test_codes_of_renewed_links_are_dropped(tmp_path: Path) -> None:
    async with make_registry(tmp_path) as registry:
        anna = Listener(ANNA)
        live = await registry.load_local(await made(registry))
        await ask(live, anna, messages.Watch(1, live.id))
        ends: list[TableMessage | None] = [
            messages.RevokeLink(2, live.id),
            messages.SetPublished(3, live.id, False),
            messages.CloseTable(4, live.id),
            None,
        ]
        for message in ends:
            if isinstance(message, messages.SetPublished):
                await ask(live, anna, messages.SetPublished(9, live.id, published=True))
            code, _ = registry.join_codes.create(live.id, live.room.key, "192.0.2.3")
            if message is None:
                await registry.delete_table(live.id)
            else:
                await ask(live, anna, message)
            assert registry.join_codes.find_local(code) is None


async def test_one_address_leaves_room_for_the_codes_of_others(tmp_path: Path) -> None:
    async with make_registry(tmp_path) as registry:
        assert isinstance(registry.context, ClockServices)
        for number in range(_MAX_CODES_PER_ADDRESS):
            registry.context.time += 60
            registry.join_codes.create(f"table {number}", None, "192.0.2.3")
        registry.context.time += 60
        with pytest.raises(ApiError, match="made at your address"):
            registry.join_codes.create("one more", None, "192.0.2.3")
        registry.join_codes.create("one more", None, "192.0.2.2")
        registry.join_codes.revoke("table 7")
        registry.join_codes.create("one more still", None, "192.0.2.3")


async def test_guessing_codes_is_rate_limited_and_correct_codes_are_not(tmp_path: Path) -> None:
    async with make_registry(tmp_path) as registry:
        code, _ = registry.join_codes.create("table", None, "192.0.2.3")
        for _ in range(_WRONG_BURST * 3):
            await registry.join_codes.resolve(code, "192.0.2.1", admit)
        for _ in range(_WRONG_BURST):
            assert await refused(registry, "000000", "192.0.2.1") == "bad_code"
        assert await refused(registry, code, "192.0.2.1") == "too_fast"
        assert (await registry.join_codes.resolve(code, "192.0.2.2", admit)).table == "table"
        assert isinstance(registry.context, ClockServices)
        registry.context.time += 60
        assert (await registry.join_codes.resolve(code, "192.0.2.1", admit)).table == "table"


async def test_a_code_of_a_hidden_table_counts_as_a_wrong_one(tmp_path: Path) -> None:
    asked: list[JoinCodeEntry | None] = []

    async def admit_nobody(entry: JoinCodeEntry | None) -> bool:
        asked.append(entry)
        return False

    async with make_registry(tmp_path) as registry:
        code, _ = registry.join_codes.create("table", None, "192.0.2.3")
        for address, text in (("192.0.2.1", code), ("192.0.2.2", "000000")):
            codes = [
                await refused(registry, text, address, admit_nobody)
                for _ in range(_WRONG_BURST + 1)
            ]
            assert codes == ["bad_code"] * _WRONG_BURST + ["too_fast"]
        # A wrong code is looked up too.
        assert len(asked) == 2 * _WRONG_BURST


async def test_guesses_are_rate_limited_in_total(tmp_path: Path) -> None:
    async with make_registry(tmp_path) as registry:
        code, _ = registry.join_codes.create("table", None, "192.0.2.3")
        for number in range(_TOTAL_WRONG_PER_MINUTE):
            assert await refused(registry, "nonsense", f"10.0.0.{number}") == "bad_code"
        assert await refused(registry, code, "192.0.2.4") == "too_fast"


async def test_creating_codes_is_rate_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with make_registry(tmp_path) as registry:
        time = stopped(registry, monkeypatch)
        for number in range(_CREATE_BURST):
            registry.join_codes.create(f"table {number}", None, "192.0.2.3")
        with pytest.raises(ApiError, match="too many codes"):
            registry.join_codes.create("one more", None, "192.0.2.3")
        for number in range(_CREATE_BURST, MAX_ACTIVE_CODES):
            registry.join_codes.create(
                f"table {number}", None, f"10.0.{number % 250}.{number // 250}"
            )
        with pytest.raises(ApiError, match="as many codes as it may"):
            registry.join_codes.create("one more", None, "192.0.2.2")
        time[0] += CODE_LIFETIME_S
        registry.join_codes.create("one more", None, "192.0.2.2")


async def test_concurrent_guesses_during_cluster_lookup_count_against_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with make_registry(tmp_path) as registry:
        asked: list[str] = []

        async def find(code: str) -> JoinCodeEntry | None:
            asked.append(code)
            await asyncio.sleep(0)
            return JoinCodeEntry("table", None, 1e10) if code == "7K3M0P" else None

        monkeypatch.setattr(registry.join_codes, "_find", find)
        for _ in range(_WRONG_BURST * 2):
            await registry.join_codes.resolve("7K3M0P", "192.0.2.1", admit)
        asked.clear()
        tries = [
            registry.join_codes.resolve("000000", "192.0.2.1", admit)
            for _ in range(_WRONG_BURST * 3)
        ]
        refusals = [
            one.code
            for one in await asyncio.gather(*tries, return_exceptions=True)
            if isinstance(one, ApiError)
        ]
        assert len(asked) == _WRONG_BURST
        assert sorted(refusals) == ["bad_code"] * _WRONG_BURST + ["too_fast"] * _WRONG_BURST * 2


@pytest.mark.outside
async def test_a_person_with_the_link_can_share_a_code_with_strangers(url: str) -> None:
    async with Client(url, TOKEN) as anna, rest_client(url) as web:
        new = await anna.create_table("molotov", ["me", "open", "bot:random"], name="Anna")
        table = await anna.watch(new.table)

        async def make(key: str | None = None) -> bodies.IssuedCode:
            headers = {} if key is None else {"Jasstisch-Key": key}
            got = await web.post(f"/api/tables/{new.table}/code", headers=headers)
            return msgspec.json.decode(got.content, type=bodies.IssuedCode)

        async def read(code: str) -> httpx2.Response:
            return await web.post("/api/codes", json={"code": code})

        first = await make()
        assert first.seconds == CODE_LIFETIME_S
        found = await read(first.code)
        led = msgspec.json.decode(found.content, type=bodies.JoinCodeTarget)
        assert led == bodies.JoinCodeTarget(new.table, None)
        await table.revoke_link()
        assert (await read(first.code)).json()["code"] == "bad_code"
        assert (await web.post(f"/api/tables/{new.table}/code")).status_code == 404
        assert table.room is not None
        second = await make(table.room.key)
        led = msgspec.json.decode((await read(second.code)).content, type=bodies.JoinCodeTarget)
        assert led == bodies.JoinCodeTarget(new.table, table.room.key)
        await table.close()
        assert (await read(second.code)).json()["code"] == "bad_code"
