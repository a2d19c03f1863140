"""The Ray executor, on a stub and on Ray itself."""

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import jasstisch as jt
from jasstisch import arena
from jasstisch.arena.ray_executor import RayExecutor

DUEL = arena.contest(jt.game("molotov"), ["greedy"], against="random")


class Reference:
    """What Ray returns for a task."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.result: Future[Any] = Future()

    def future(self) -> Future[Any]:
        return self.result

    def run(self) -> None:
        try:
            self.result.set_result(self.work())
        except ValueError as error:
            wrapped = RuntimeError("a task of Ray failed")
            wrapped.cause = error  # type: ignore[attr-defined]  # as Ray's own errors have it
            self.result.set_exception(wrapped)


class RayStub(ModuleType):
    """As much of the module `ray` as the executor uses; tasks run at once unless they are held."""

    def __init__(self) -> None:
        super().__init__("ray")
        self.connection: dict[str, object] | None = None
        self.held = False
        self.references: list[Reference] = []
        self.cancelled: list[Reference] = []

    def is_initialized(self) -> bool:
        return self.connection is not None

    def init(self, **connection: object) -> None:
        self.connection = connection

    def shutdown(self) -> None:
        self.connection = None

    def cancel(self, reference: Reference) -> None:
        self.cancelled.append(reference)

    def remote(self, function: Callable[..., Any]) -> Any:
        stand_in = self

        class Remote:
            def remote(self, *args: object) -> Reference:
                reference = Reference(lambda: function(*args))
                stand_in.references.append(reference)
                if not stand_in.held:
                    reference.run()
                return reference

        return Remote()


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> RayStub:
    module = RayStub()
    monkeypatch.setitem(sys.modules, "ray", module)
    return module


def test_the_report_is_the_same_as_in_one_process(ray: RayStub) -> None:
    with RayExecutor() as executor:
        there = arena.run(DUEL, deals=6, executor=executor)
    assert there["compared"] == arena.run(DUEL, deals=6)["compared"]
    assert len(ray.references) == 6


def test_the_executor_connects_with_the_given_arguments_and_disconnects(ray: RayStub) -> None:
    with RayExecutor(address="auto"):
        assert ray.connection == {"address": "auto"}
    assert ray.connection is None


def test_an_existing_connection_is_used_and_kept(ray: RayStub) -> None:
    ray.init(address="here")
    with RayExecutor() as executor:
        assert executor.submit(max, 3, 5).result() == 5
    assert ray.connection == {"address": "here"}
    with pytest.raises(ValueError, match="connected to Ray already; address cannot change that"):
        RayExecutor(address="there")


def test_arguments_reach_the_function(ray: RayStub) -> None:
    with RayExecutor() as executor:
        assert executor.submit(int, "11", base=2).result() == 3


def test_errors_are_raised_unchanged(ray: RayStub) -> None:
    with RayExecutor() as executor, pytest.raises(ValueError, match="invalid literal"):
        executor.submit(int, "x").result()


def test_cancelling_a_future_cancels_the_task_once(ray: RayStub) -> None:
    ray.held = True
    with RayExecutor() as executor:
        future = executor.submit(int, "1")
        assert future.cancel()
        assert future.cancel()
        assert ray.cancelled == ray.references
        ray.references[0].run()  # Ray reports a result nevertheless
        assert future.cancelled()
        done = executor.submit(int, "1")
        ray.references[1].run()
        assert not done.cancel()


def test_shutdown_refuses_new_tasks_and_cancels_pending_ones(ray: RayStub) -> None:
    ray.held = True
    executor = RayExecutor()
    done, waiting = executor.submit(int, "1"), executor.submit(int, "2")
    ray.references[0].run()
    executor.shutdown(cancel_futures=True)
    assert (done.result(), waiting.cancelled()) == (1, True)
    assert ray.cancelled == ray.references[1:]
    with pytest.raises(RuntimeError, match="has been shut down"):
        executor.submit(int, "3")


def test_an_error_without_ray_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'jasstisch\[ray\]'"):
        RayExecutor()


ON_RAY = """
import jasstisch as jt
from jasstisch import arena
from jasstisch.arena.ray_executor import RayExecutor

def fail():
    raise arena.BotError("a bot failed")

duel = arena.contest(jt.game("molotov"), ["greedy"], against="random")
with RayExecutor(num_cpus=2, include_dashboard=False, log_to_driver=False) as executor:
    there = arena.run(duel, deals=6, executor=executor)
    assert there["compared"] == arena.run(duel, deals=6)["compared"]
    assert str(executor.submit(fail).exception()) == "a bot failed"
print("the same")
"""


@pytest.mark.outside
def test_the_report_on_a_real_ray_is_the_same(tmp_path: Path) -> None:
    """In a separate process: Ray starts threads, sets signals, and writes to the home folder."""
    surroundings = {**os.environ, "HOME": str(tmp_path), "RAY_USAGE_STATS_ENABLED": "0"}
    done = subprocess.run(
        [sys.executable, "-c", ON_RAY],
        capture_output=True,
        text=True,
        env=surroundings,
        check=False,
    )
    assert done.stdout.endswith("the same\n"), done.stderr
