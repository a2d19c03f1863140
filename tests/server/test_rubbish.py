"""Python looks through everything in a quiet moment, or when it has been long."""

import asyncio
import gc
from collections.abc import Callable, Iterator

import pytest

from jasstisch.server import rubbish
from jasstisch.server.rubbish import AT_LATEST, EVERY, FEW, MANY, OFTEN, QUIET, Rubbish
from tests.server.virtual import in_virtual_time


@pytest.fixture(autouse=True)
def as_before(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing of this stays for other tests."""
    monkeypatch.setattr(gc, "freeze", lambda: None)
    monkeypatch.setattr(rubbish, "OFTEN", 2 * AT_LATEST)
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)


def collected(quiet_since: Callable[[float], float], seconds: float) -> list[float]:
    """When everything is looked at, within so many seconds."""
    moments: list[float] = []

    async def run() -> None:
        loop = asyncio.get_running_loop()
        asked = lambda: quiet_since(loop.time())  # noqa: E731
        Rubbish(asked, lambda: moments.append(loop.time())).begin()
        await asyncio.sleep(seconds)

    in_virtual_time(run())
    return moments


def test_where_nobody_plays_it_is_done_now_and_then() -> None:
    assert collected(lambda _: -QUIET, 3.5 * EVERY) == [EVERY, 2 * EVERY, 3 * EVERY]


def test_while_people_play_it_waits_for_a_quiet_moment() -> None:
    quiet_from = EVERY + 60.0
    moments = collected(lambda now: min(now, quiet_from), quiet_from + 5.0)
    assert moments == [quiet_from + QUIET]


def test_where_there_is_none_it_is_done_at_last() -> None:
    (moment,) = collected(lambda now: now, AT_LATEST + EVERY)
    assert AT_LATEST <= moment <= AT_LATEST + QUIET


def test_new_objects_are_looked_at_often_unless_they_are_few(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    new, looks = [FEW - 1], list[tuple[int, ...]]()
    monkeypatch.setattr(rubbish, "OFTEN", OFTEN)
    monkeypatch.setattr(gc, "get_count", lambda: (new[0], 0, 0))
    monkeypatch.setattr(gc, "collect", lambda *generations: looks.append(generations))

    async def run() -> None:
        Rubbish(lambda: 0.0, lambda: None).begin()
        await asyncio.sleep(2.5 * OFTEN)
        assert looks == [()]
        new[0] = FEW
        await asyncio.sleep(3 * OFTEN)

    in_virtual_time(run())
    assert looks == [(), (0,), (0,), (0,)]


def test_python_looks_by_itself_only_at_new_objects_that_are_very_many() -> None:
    collected(lambda now: now, 1.0)
    young, *older = gc.get_threshold()
    assert young == MANY
    assert all(threshold >= 1_000_000 for threshold in older)
