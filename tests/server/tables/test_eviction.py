"""A table that leaves memory keeps nobody waiting."""

import asyncio
import gc
from weakref import ref

import pytest

from jasstisch.server.api import messages
from jasstisch.storage import StoreError
from jasstisch.table import commands
from tests.server.tables.test_deal_contributions import DISK_SECONDS, Device, Scene, in_time


def test_what_is_asked_of_a_table_that_has_just_left_memory_is_refused_at_once() -> None:
    async def asking() -> None:
        scene = Scene()
        scene.live.evict()
        assert not await scene.live.request(Device(), messages.Watch(1, scene.live.id))
        with pytest.raises(StoreError):
            await scene.live.record()

    in_time(asking())


def test_a_table_at_which_something_is_being_done_is_not_idle() -> None:
    async def doing() -> None:
        scene = Scene()
        request = asyncio.create_task(scene.ask(Device(), messages.Stand))  # without following
        idle = [scene.live.idle]
        await asyncio.sleep(DISK_SECONDS / 2)
        idle.append(scene.live.idle)
        await request
        assert [*idle, scene.live.idle] == [True, False, True]

    in_time(doing())


def test_a_table_that_has_left_memory_takes_none_until_garbage_is_looked_for() -> None:
    async def leaving() -> None:
        scene = Scene()
        await scene.live.request(Device(), messages.Watch(1, scene.live.id))
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


def test_whoever_cannot_be_told_that_it_is_answered_does_not_end_the_table() -> None:
    async def asking() -> None:
        scene, anna = Scene(), Device()

        def fails(_: bool) -> None:
            raise RuntimeError

        scene.live.submit(anna, messages.Watch(1, scene.live.id), fails)
        assert await scene.live.request(anna, messages.Watch(2, scene.live.id))

    in_time(asking())


def test_what_the_server_has_done_is_not_told_as_done_where_the_table_leaves_before() -> None:
    async def asking() -> None:
        scene = Scene()
        asked = asyncio.create_task(scene.live.administer(commands.AdminClose()))
        await asyncio.sleep(DISK_SECONDS / 2)
        scene.live.evict()
        with pytest.raises(StoreError):
            await asked

    in_time(asking())
