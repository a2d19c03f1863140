"""The erasure of a person from all tables: logs, results, memory and what others are sent."""

from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from jasstisch.server.api import messages
from jasstisch.server.identity import base32_codes
from jasstisch.server.tables import erasure
from jasstisch.server.tables.personal_match_history import PersonalMatchHistory
from jasstisch.server.tables.registry import TableRegistry
from jasstisch.storage import Ban, vacuum
from tests.server.limits.test_quotas import ANNA, RETO, ask, made, make_registry
from tests.server.tables.test_broadcaster import Listener
from tests.storage.store_kinds import wait_for_vacuum
from tests.table.table_driver import ID
from tests.table.test_forgetting import played_table

CLA = "c" * 64


async def erase(registry: TableRegistry, person: str) -> None:
    await registry.context.store.identity_store.begin_erasure(person)
    job = erasure.ErasureJob(registry)
    while await job.run_batch():
        pass


async def stored_text(registry: TableRegistry, table: str) -> str:
    return msgspec.json.encode(await registry.context.store.load(table)).decode()


async def test_a_request_for_a_seat_is_erased_and_the_host_sees_it_no_more(tmp_path: Path) -> None:
    async with make_registry(tmp_path) as registry:
        table = await made(registry)
        live = await registry.load_local(table)
        anna = Listener(ANNA)
        await ask(live, anna, messages.Watch(1, table))
        await ask(live, anna, messages.SetEntryPolicy(2, table, "host"))
        await ask(live, Listener(CLA), messages.Sit(3, table, 2, "Clarina"))
        assert [one.name for one in live.room.requests] == ["Clarina"]
        await erase(registry, CLA)
        assert live.room.requests == []
        assert anna.of(messages.Snapshot)[-1].room.requests == []
        refused = await ask(live, anna, messages.AnswerEntryRequest(4, table, 1, accept=True))
        assert isinstance(refused, messages.ErrorMessage)
        text = await stored_text(registry, table)
        assert CLA not in text
        assert "Clarina" not in text
        assert await registry.context.store.identity_store.tables_of(CLA, 9) == []


async def test_a_finished_match_keeps_its_result_without_the_name(tmp_path: Path) -> None:
    async with make_registry(tmp_path) as registry:
        log, table = played_table().log, ID
        await registry.context.store.append(table, 0, log, "match")
        live = await registry.load_local(table)
        history = PersonalMatchHistory(registry.context)
        (before,) = (await history.page(RETO, "", "en", None, 9)).matches
        assert before.players[0] == "Zoë"
        await erase(registry, ANNA)
        (after,) = (await history.page(RETO, "", "en", None, 9)).matches
        assert after.players[0] == "N. N."
        assert msgspec.structs.replace(after, players=before.players) == before
        text = await stored_text(registry, table)
        assert ANNA not in text
        assert "Zoë " not in text
        record = await live.get_record()
        assert record is not None
        assert record["players"][0] == "N. N."


async def test_a_table_of_erased_people_only_is_deleted(tmp_path: Path) -> None:
    async with make_registry(tmp_path) as registry:
        table = await made(registry)
        live = await registry.load_local(table)
        await ask(live, Listener(RETO), messages.Sit(1, table, 1, "Reto"))
        await erase(registry, ANNA)
        assert await registry.context.store.load(table)
        await erase(registry, RETO)
        assert await registry.context.store.load(table) == []


async def test_a_person_is_erased_from_a_closed_table(tmp_path: Path) -> None:
    async with make_registry(tmp_path) as registry:
        table = await made(registry)
        live = await registry.load_local(table)
        await ask(live, Listener(RETO), messages.Sit(1, table, 1, "Reto"))
        await ask(live, Listener(ANNA), messages.CloseTable(2, table))
        await erase(registry, RETO)
        assert RETO not in await stored_text(registry, table)
        rules = await registry.context.store.access_rules(table)
        assert rules is not None
        assert rules == live.access_rules
        assert RETO not in rules.members
        assert ANNA in rules.members
        assert await registry.context.store.identity_store.tables_of(RETO, 9) == []


async def leave_traces(registry: TableRegistry) -> tuple[str, list[str]]:
    """Somebody gets codes, plays, talks and asks for a seat; returns them, and what tells of them.

    Their tables are one of their own, one with others, and one at which they ask for a seat.
    """
    identities = registry.identity_service
    holder = await identities.ensure_identity([], "192.0.2.1", secure=False)
    (cookie,) = holder.cookies_to_set
    codes = [
        await identities.create_link_code(holder, "192.0.2.1"),
        await identities.create_recovery_code(holder),
    ]
    person = Listener(holder.person)
    await made(registry, holder.person, name="Clarina")
    shared = await registry.load_local(await made(registry))
    await ask(shared, Listener(ANNA), messages.SetChatPolicy(1, "", allowed=True))
    await ask(shared, person, messages.Sit(2, "", 1, "Clarinetta"))
    await ask(shared, person, messages.SendChat(3, "", "Ich wohne in Bargen"))
    closed = await registry.load_local(await made(registry))
    await ask(closed, Listener(ANNA), messages.SetEntryPolicy(1, "", "host"))
    await ask(closed, person, messages.Sit(2, "", 2, "Clarissima"))
    assert [one.name for one in closed.room.requests] == ["Clarissima"]
    parsed = [code for text in codes if (code := base32_codes.parse_code(text))]
    traces = [
        *(holder.person, cookie.token, sha256(cookie.token.encode()).hexdigest()),
        *(*codes, *parsed, *map(base32_codes.hash_code, parsed)),
        *("Clarina", "Clarinetta", "Clarissima", "Bargen", "lange Gesichter"),
    ]
    return holder.person, traces


def found_in(folder: Path, texts: list[str]) -> set[tuple[str, str]]:
    """The texts that are in a file of a folder, each with the file."""
    files = {one.name: one.read_bytes() for one in folder.rglob("*") if one.is_file()}
    return {(name, text) for name, data in files.items() for text in texts if text.encode() in data}


async def test_nothing_of_a_forgotten_person_is_left_in_any_file_of_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vacuum, "QUIET_S", 1000)
    async with make_registry(tmp_path) as registry:
        person, traces = await leave_traces(registry)
        store = registry.context.store
        await store.identity_store.ban(Ban(person, 0.0, None, "lange Gesichter"))
        unseen = {text for text in traces if not found_in(tmp_path, [text])}
        assert len(unseen) == 5  # the token and the codes are stored as hashes alone
        await erase(registry, person)
        watcher = await wait_for_vacuum(store, monkeypatch)
        assert not watcher.failures
        assert not found_in(tmp_path, traces)
    assert not found_in(tmp_path, traces)
