"""The erasure of a person from all tables: logs, results, memory and what others are sent."""

from pathlib import Path

import msgspec

from jasstisch.server.api import messages
from jasstisch.server.tables import erasure
from jasstisch.server.tables.personal_match_history import PersonalMatchHistory
from jasstisch.server.tables.registry import TableRegistry
from tests.server.limits.test_quotas import ANNA, RETO, ask, made, make_registry
from tests.server.tables.test_broadcaster import Listener
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
        assert await registry.context.store.identity_store.tables_of(RETO, 9) == []
