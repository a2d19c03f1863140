"""Garbage collection in idle moments, or at a deadline."""

import asyncio
import gc
from collections.abc import Callable, Iterator, Sequence
from weakref import ref

import pytest

from jasstisch.server.observability import gc_scheduler
from jasstisch.server.observability.gc_scheduler import (
    _FULL_DEADLINE_S,
    _FULL_INTERVAL_S,
    _GEN0_INTERVAL_S,
    _GEN0_THRESHOLD,
    _IDLE_AFTER_S,
    _MAX_SKIPPED,
    _MIN_NEW_OBJECTS,
    GcScheduler,
)
from tests.support.virtual_time import run_in_virtual_time


@pytest.fixture(autouse=True)
def restore_gc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Restores the garbage collector's settings afterwards."""
    monkeypatch.setattr(gc_scheduler, "_GEN0_INTERVAL_S", 2 * _FULL_DEADLINE_S)
    thresholds = gc.get_threshold()
    yield
    gc.set_threshold(*thresholds)
    gc.unfreeze()


def collected(quiet_since: Callable[[float], float], seconds: float) -> list[float]:
    """The times of full collections within so many seconds."""
    moments: list[float] = []

    async def run() -> None:
        loop = asyncio.get_running_loop()
        asked = lambda: quiet_since(loop.time())  # noqa: E731
        GcScheduler(asked, lambda: moments.append(loop.time())).start()
        await asyncio.sleep(seconds)

    run_in_virtual_time(run())
    return moments


def test_an_idle_server_collects_regularly() -> None:
    assert collected(lambda _: -_IDLE_AFTER_S, 3.5 * _FULL_INTERVAL_S) == [
        _FULL_INTERVAL_S,
        2 * _FULL_INTERVAL_S,
        3 * _FULL_INTERVAL_S,
    ]


def test_a_busy_server_waits_for_an_idle_moment() -> None:
    quiet_from = _FULL_INTERVAL_S + 60.0
    moments = collected(lambda now: min(now, quiet_from), quiet_from + 5.0)
    assert moments == [quiet_from + _IDLE_AFTER_S]


def test_a_busy_server_collects_at_the_deadline() -> None:
    (moment,) = collected(lambda now: now, _FULL_DEADLINE_S + _FULL_INTERVAL_S)
    assert _FULL_DEADLINE_S <= moment <= _FULL_DEADLINE_S + _IDLE_AFTER_S


def looks(monkeypatch: pytest.MonkeyPatch, times: int, new: int, found: Sequence[int]) -> str:
    """The young collections of a run: `l` for one that ran, `s` for one that was skipped.

    Each look finds as many as `found` says, and none after these.
    """
    done: list[str] = []
    rest = iter(found)

    def collect(generation: int = 2) -> int:
        done.append("e" if generation else "l")
        return 0 if generation else next(rest, 0)

    monkeypatch.setattr(gc_scheduler, "_GEN0_INTERVAL_S", _GEN0_INTERVAL_S)
    monkeypatch.setattr(gc, "get_count", lambda: (new, 0, 0))
    monkeypatch.setattr(gc, "collect", collect)
    monkeypatch.setattr(gc, "freeze", lambda: done.append("s"))

    async def run() -> None:
        GcScheduler(lambda: 0.0, lambda: None).start()
        await asyncio.sleep((times - 0.5) * _GEN0_INTERVAL_S)

    run_in_virtual_time(run())
    assert done[:2] == ["e", "s"]  # what there is at the beginning
    return "".join(done[2:])


def test_few_new_objects_trigger_no_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    assert looks(monkeypatch, 10, _MIN_NEW_OBJECTS - 1, []) == ""


def test_fruitless_collections_are_skipped_more_and_more(monkeypatch: pytest.MonkeyPatch) -> None:
    begins = "l" + "sl" + "ssslsssssssl"
    assert looks(monkeypatch, len(begins), _MIN_NEW_OBJECTS, []) == begins
    long = looks(monkeypatch, 200, _MIN_NEW_OBJECTS, [])
    assert max(map(len, long.split("l"))) == _MAX_SKIPPED


def test_after_a_fruitful_collection_none_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    assert looks(monkeypatch, 9, _MIN_NEW_OBJECTS, [0, 0, 1, 2, 3]) == "lslssslll"


class Cycle:
    """An object in a reference cycle, which only the garbage collector frees."""

    def __init__(self) -> None:
        self.self = self


def test_a_full_collection_frees_what_was_skipped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gc_scheduler, "_GEN0_INTERVAL_S", _GEN0_INTERVAL_S)
    monkeypatch.setattr(gc_scheduler, "_MIN_NEW_OBJECTS", 0)

    async def run() -> None:
        GcScheduler(lambda: 0.0).start()
        await asyncio.sleep(0.5 * _GEN0_INTERVAL_S)
        knot = ref(Cycle())
        await asyncio.sleep(_GEN0_INTERVAL_S)  # meanwhile a look was spared
        gc.collect()
        assert knot() is not None
        await asyncio.sleep(_FULL_INTERVAL_S)
        assert knot() is None

    run_in_virtual_time(run())


def test_automatic_collection_runs_only_on_very_many_new_objects() -> None:
    collected(lambda now: now, 1.0)
    young, *older = gc.get_threshold()
    assert young == _GEN0_THRESHOLD
    assert all(threshold >= 1_000_000 for threshold in older)
