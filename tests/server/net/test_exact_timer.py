"""The timer that does not tell when it was set."""

import asyncio
from time import monotonic

from jasstisch.server.net import ExactTimer


async def test_coroutines_are_woken_in_the_order_of_their_deadlines_and_never_before() -> None:
    timer, woken = ExactTimer(), list[int]()

    async def sleep(number: int) -> None:
        deadline = began + number / 1000
        await timer.sleep_until(deadline)
        assert monotonic() >= deadline
        woken.append(number)

    began = monotonic()
    with timer._changed:  # until all sleep
        sleeping = [asyncio.create_task(sleep(number)) for number in (3, 1, 2, 0)]
        await asyncio.sleep(0)
    await asyncio.gather(*sleeping)
    assert woken == [0, 1, 2, 3]


async def test_a_coroutine_that_stops_waiting_holds_nobody_up() -> None:
    timer = ExactTimer()
    leaving = asyncio.create_task(timer.sleep_until(monotonic() + 0.01))
    await asyncio.sleep(0)
    leaving.cancel()
    await timer.sleep_until(monotonic() + 0.02)
    assert leaving.cancelled()


def test_a_loop_that_is_closed_holds_nobody_up() -> None:
    timer = ExactTimer()

    async def leave() -> None:
        sleeping = asyncio.create_task(timer.sleep_until(monotonic() + 0.01))
        await asyncio.sleep(0)
        sleeping.cancel()

    asyncio.run(leave())
    asyncio.run(timer.sleep_until(monotonic() + 0.02))
