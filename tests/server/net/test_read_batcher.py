"""Batching of reads that arrive soon after each other."""

import asyncio
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from jasstisch.server.net.read_batcher import ReadBatcher
from tests.support.virtual_time import run_in_virtual_time


def woken(asked: list[float], seconds: float) -> list[tuple[float, int]]:
    """When each read is called back, and which one."""
    served: list[tuple[float, int]] = []

    async def ask() -> None:
        loop = asyncio.get_running_loop()
        batcher = ReadBatcher(seconds)
        for number, moment in enumerate(asked):
            await asyncio.sleep(moment - loop.time())
            batcher.schedule(lambda number=number: served.append((loop.time(), number)))  # type: ignore[misc]
        await asyncio.sleep(2 * seconds)

    run_in_virtual_time(ask())
    return served


def test_reads_on_an_idle_server_run_at_once() -> None:
    assert woken([0.0, 1.0, 2.5], 0.5) == [(0.0, 0), (1.0, 1), (2.5, 2)]


def test_reads_soon_after_another_wait_for_the_next_batch() -> None:
    assert woken([0.0, 0.125, 0.25, 0.375, 0.625], 0.5) == [
        *((0.0, 0), (0.5, 1), (0.5, 2), (0.5, 3)),
        (1.0, 4),
    ]


@given(gaps=st.lists(st.integers(0, 80).map(lambda ticks: ticks / 64), max_size=30))
def test_every_read_runs_once_in_order_within_one_interval(gaps: list[float]) -> None:
    asked = [sum(gaps[: number + 1]) for number in range(len(gaps))]
    served = woken(asked, 0.5)
    assert [number for _, number in served] == list(range(len(asked)))
    assert all(0 <= when - asked[number] <= 0.5 for when, number in served)
    batches = sorted({when for when, _ in served})
    assert all(later - earlier >= 0.5 for earlier, later in pairwise(batches))


def test_a_failing_callback_does_not_block_the_others() -> None:
    served: list[int] = []

    def fails() -> None:
        raise RuntimeError

    async def ask() -> None:
        batcher = ReadBatcher(0.5)
        for wake in (lambda: None, lambda: served.append(1), fails, lambda: served.append(2)):
            batcher.schedule(wake)
        await asyncio.sleep(1.0)

    run_in_virtual_time(ask())
    assert served == [1, 2]
