"""An executor on a Ray cluster: each task of the executor is a Ray task.

Ray is an optional extra, `pip install 'jasstisch[ray]'`, and is imported when an executor is
created. Every node needs this package and those that provide the bots. Cancelling a future cancels
its task, even while it runs.
"""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from importlib import import_module
from typing import Any, ParamSpec, TypeVar

from jasstisch.extras import require

_P = ParamSpec("_P")
_T = TypeVar("_T")


class RayExecutor(Executor):
    """Runs functions as Ray tasks.

    Args:
        connection: arguments of `ray.init`, such as `address="auto"`, for a program that is not
            connected to Ray yet. Shutting down then disconnects it.

    Raises:
        MissingExtraError: Ray is not installed.
        ValueError: there is a connection already, and arguments for another one.
    """

    def __init__(self, **connection: object) -> None:
        self._ray = _import_ray()
        self._connected = not self._ray.is_initialized()
        if self._connected:
            self._ray.init(**connection)
        elif connection:
            raise ValueError(
                f"this program is connected to Ray already; {', '.join(connection)} cannot change "
                f"that: leave it out, or call ray.shutdown() first"
            )
        self._call = self._ray.remote(_run_task)
        self._tasks: set[Future[Any]] = set()
        self._open = True

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Schedules a function call on a node.

        Raises:
            RuntimeError: the executor has been shut down.
        """
        if not self._open:
            raise RuntimeError("this executor has been shut down and takes no more tasks")
        task: _RayFuture[_T] = _RayFuture(self._ray, self._call.remote(fn, args, kwargs))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Accepts no more tasks, and disconnects from Ray if this executor has connected to it.

        Args:
            wait: whether to wait for the tasks; otherwise their results are lost if this
                disconnects.
            cancel_futures: whether to cancel the pending tasks.
        """
        self._open = False
        tasks = list(self._tasks)
        if cancel_futures:
            for task in tasks:
                task.cancel()
        if wait:
            for task in tasks:
                if not task.cancelled():
                    task.exception()
        if self._connected:
            self._ray.shutdown()
            self._connected = False


class _RayFuture(Future[_T]):
    """The future of a Ray task.

    Args:
        ray: the module `ray`.
        reference: the object reference of the task.
    """

    def __init__(self, ray: Any, reference: Any) -> None:  # noqa: ANN401 - Ray is imported lazily
        super().__init__()
        self._ray = ray
        self._reference = reference
        reference.future().add_done_callback(self._copy_result)

    def cancel(self) -> bool:
        """Cancels the task unless it is done."""
        already = self.cancelled()
        called_off = super().cancel()
        if called_off and not already:
            self._ray.cancel(self._reference)
        return called_off

    def _copy_result(self, done: Future[_T]) -> None:
        """Copies the result or the error of the task."""
        if not self.set_running_or_notify_cancel():
            return
        error = done.exception()
        if error is None:
            self.set_result(done.result())
        else:
            self.set_exception(getattr(error, "cause", None) or error)


def _run_task(function: Callable[..., _T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> _T:
    """Runs a task on a node."""
    return function(*args, **kwargs)


def _import_ray() -> Any:  # noqa: ANN401 - an optional module
    """Imports the module `ray`.

    Raises:
        MissingExtraError: it is not installed.
    """
    require("ray", "an arena over a cluster")
    return import_module("ray")
