"""The figures of a server in the text form that Prometheus reads.

All of them come from numbers that are kept anyway (`server.meters`) or can be looked at; they are
put together when they are asked for. Labels take their values from fixed lists in the code: no
label can grow without bounds, and none names a person, a table or an address.
"""

import platform
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from typing import TYPE_CHECKING, TypeVar

import prometheus_client
from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.registry import Collector

from jasstisch import __version__
from jasstisch.server.messages import PROTOCOL
from jasstisch.server.meters import Histogram

if TYPE_CHECKING:
    from jasstisch.server.gate import Gate
    from jasstisch.server.hall import Hall
    from jasstisch.server.websocket import Door

__all__ = ["CONTENT_TYPE", "Figures"]

_Key = TypeVar("_Key")

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
"""Of the text."""


class Figures(Collector):
    """Reads the figures of one server.

    Args:
        hall: its tables.
        gate: who is connected.
        door: who is connected by WebSocket.
    """

    def __init__(self, hall: "Hall", gate: "Gate", door: "Door") -> None:
        self._hall = hall
        self._gate = gate
        self._door = door
        # A registry of our own: the process may be part of a program that has another.
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)

    def text(self) -> bytes:
        """All figures, in the text form."""
        return prometheus_client.generate_latest(self._registry)

    def describe(self) -> Iterable[Metric]:
        """Nothing: what there is shows when it is collected."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """All figures of the server."""
        build = GaugeMetricFamily(
            "jasstisch_build_info", "The program.", labels=("version", "protocol", "python")
        )
        build.add_metric((__version__, str(PROTOCOL), platform.python_version()), 1)
        yield build
        yield from self._how_full()
        yield from self._how_much()
        yield from self._how_long()

    def _how_full(self) -> Iterator[Metric]:
        hall, services = self._hall, self._hall.services
        limits = services.limits
        for name, text, value, most in (
            ("connections", "Connections of all kinds.", self._gate.connected, limits.sockets),
            ("websockets", "WebSockets that are open.", self._door.inside, limits.connections),
            ("tables_in_memory", "Tables in memory.", hall.in_memory, limits.live_tables),
            ("tables_stored", "Tables in the store.", hall.stored, limits.tables),
        ):
            yield GaugeMetricFamily(f"jasstisch_{name}", text, value)
            yield GaugeMetricFamily(f"jasstisch_{name}_limit", f"Most of them. {text}", most)
        people = "People with a WebSocket open."
        yield GaugeMetricFamily("jasstisch_people", people, self._door.people)
        waiting = "Thoughts of computer players that wait for a thinker."
        yield GaugeMetricFamily("jasstisch_thoughts_waiting", waiting, services.thoughts_waiting)

    def _how_much(self) -> Iterator[Metric]:
        services = self._hall.services
        meters = services.meters
        moves = "Actions in games that were committed."
        yield CounterMetricFamily("jasstisch_moves", moves, meters.moves)
        text = "HTTP requests and handshakes by kind."
        yield _counts("jasstisch_requests", text, "kind", meters.requests)
        text = "Messages over WebSockets by type."
        by_type = {str(one.__struct_config__.tag): n for one, n in _now(meters.messages)}
        yield _counts("jasstisch_messages", text, "type", by_type)
        text = "Requests and messages that were answered by an error, by its code."
        yield _counts("jasstisch_refusals", text, "code", meters.refused)
        text = "Commits that came to nothing, by cause."
        yield _counts("jasstisch_commit_failures", text, "cause", meters.failed_commits)
        trouble = CounterMetricFamily(
            "jasstisch_trouble", "Trouble from outside, as in the log.", labels=("event", "what")
        )
        for (event, what), times in _now(services.incidents.counted):
            trouble.add_metric((event, what), times)
        yield trouble

    def _how_long(self) -> Iterator[Metric]:
        meters = self._hall.services.meters
        for name, text, found in (
            ("event_loop_lag_seconds", "By how much the event loop was late.", meters.lag),
            ("commit_seconds", "How long commits took.", meters.commits),
            ("commit_changes", "How many changes shared a commit.", meters.changes),
            ("thought_wait_seconds", "How long thoughts waited for a thinker.", meters.waits),
        ):
            yield _histogram(f"jasstisch_{name}", text, found)


def _counts(name: str, text: str, label: str, counts: Mapping[str, int]) -> Metric:
    family = CounterMetricFamily(name, text, labels=(label,))
    for value, times in _now(counts):
        family.add_metric((value,), times)
    return family


def _histogram(name: str, text: str, found: Histogram) -> Metric:
    ends = [*(str(float(bound)) for bound in found.bounds), "+Inf"]
    counts = accumulate(list(found.counts))
    return HistogramMetricFamily(name, text, list(zip(ends, counts, strict=True)), found.total)


def _now(counts: Mapping[_Key, int]) -> list[tuple[_Key, int]]:
    """What is counted, at one moment: another thread may count on."""
    return list(counts.items())
