"""Eviction of tables from memory."""

import asyncio
import gc
from weakref import ref

import pytest

from jasstisch.server.api import messages
from jasstisch.storage import StoreError
from jasstisch.table import commands
from tests.server.tables.test_deal_contributions import (
    DISK_SECONDS,
    ContributionHarness,
    FakeConnection,
    in_time,
)


def test_requests_to_a_table_just_evicted_are_refused_at_once() -> None:
    async def asking() -> None:
        scene = ContributionHarness()
        scene.live.evict()
        assert not await scene.live.request(FakeConnection(), messages.Watch(1, scene.live.id))
        with pytest.raises(StoreError):
            await scene.live.get_record()

    in_time(asking())


def test_a_table_with_work_in_progress_is_not_idle() -> None:
    async def doing() -> None:
        scene = ContributionHarness()
        request = asyncio.create_task(
            scene.ask(FakeConnection(), messages.Stand)
        )  # without following
        idle = [scene.live.is_idle]
        await asyncio.sleep(DISK_SECONDS / 2)
        idle.append(scene.live.is_idle)
        await request
        assert [*idle, scene.live.is_idle] == [True, False, True]

    in_time(doing())


def test_an_evicted_table_is_freed_without_garbage_collection() -> None:
    async def leaving() -> None:
        scene = ContributionHarness()
        await scene.live.request(FakeConnection(), messages.Watch(1, scene.live.id))
        gone = ref(scene.live)
        gc.disable()
        try:
            scene.live.evict()
            del scene.live
            await asyncio.sleep(1.0)
            assert gone() is None
        finally:
            gc.enable()

    in_time(leaving())


def test_a_failed_response_does_not_end_the_table() -> None:
    async def asking() -> None:
        scene, anna = ContributionHarness(), FakeConnection()

        def fails(_: bool) -> None:
            raise RuntimeError

        scene.live.submit(anna, messages.Watch(1, scene.live.id), fails)
        assert await scene.live.request(anna, messages.Watch(2, scene.live.id))

    in_time(asking())


def test_a_request_outlived_by_its_table_is_not_acknowledged() -> None:
    async def asking() -> None:
        scene = ContributionHarness()
        asked = asyncio.create_task(scene.live.administer(commands.AdminClose()))
        await asyncio.sleep(DISK_SECONDS / 2)
        scene.live.evict()
        with pytest.raises(StoreError):
            await asked

    in_time(asking())
