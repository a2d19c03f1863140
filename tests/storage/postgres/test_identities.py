"""Identities in Postgres, which several servers change at the same moment."""

import asyncio
from collections.abc import Awaitable, Sequence
from typing import TypeVar

import asyncpg
import msgspec
import pytest

from jasstisch.storage import EventStore
from jasstisch.storage.sql_identities import CREDENTIAL_COLUMNS
from tests.storage.store_kinds import PostgresKind
from tests.storage.test_identities import NOW, made
from tests.support import postgres_server as running

pytestmark = pytest.mark.outside

_Result = TypeVar("_Result")

PHONE, CODE = made("phone"), made("code", kind="recovery", maker="phone")


@pytest.fixture
def kind() -> PostgresKind:
    return PostgresKind(running.postgres_server())


async def result_after(
    kind: PostgresKind, statements: Sequence[str], change: Awaitable[_Result]
) -> _Result:
    """The result of a change that begins while another server has yet to commit its own.

    Args:
        kind: the database.
        statements: what the other server has written.
        change: the change.
    """
    connection = await asyncpg.connect(kind.url, server_settings={"search_path": "jasstisch"})
    async with connection.transaction():
        for statement in statements:
            await connection.execute(statement)
        begun = asyncio.ensure_future(change)
        query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
        while not begun.done() and not await asyncio.to_thread(kind.query_number, query):
            pass
    await connection.close()
    return await begun


async def test_a_code_made_while_another_server_forgets_the_device_is_refused(
    kind: PostgresKind, store: EventStore
) -> None:
    identities = store.identity_store
    await identities.add_credential(PHONE)
    forgotten = ["DELETE FROM credential WHERE hash = 'phone'"]
    assert await result_after(kind, forgotten, identities.add_credential(CODE)) is False
    assert await identities.credentials_of("anna", NOW) == []


async def test_a_code_redeemed_while_another_server_ends_it_is_refused(
    kind: PostgresKind, store: EventStore
) -> None:
    identities = store.identity_store
    await identities.add_credential(PHONE)
    await identities.add_credential(CODE)
    ended = ["DELETE FROM credential"]
    new = identities.redeem("code", made("new"), NOW)
    assert await result_after(kind, ended, new) is None
    assert await identities.credentials_of("anna", NOW) == []


async def test_a_device_added_while_its_person_is_erased_is_removed(
    kind: PostgresKind, store: EventStore
) -> None:
    identities = store.identity_store
    await identities.add_credential(PHONE)
    await identities.add_credential(CODE)
    values = ", ".join(
        "NULL" if one is None else repr(one) for one in msgspec.structs.astuple(made("new"))
    )
    redeemed = [
        "UPDATE credential SET used = 1001 WHERE hash = 'code'",
        f"INSERT INTO credential ({CREDENTIAL_COLUMNS}) VALUES ({values})",
    ]
    await result_after(kind, redeemed, identities.begin_erasure("anna"))
    assert await identities.credentials_of("anna", NOW) == []
