"""The metrics of a server in the text format of Prometheus.

All values come from existing counters (`observability.metrics`) or are computed on request. Labels
take their values from fixed lists in the code: no label can grow without bounds, and none
identifies a person, a table or an address.
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
from jasstisch.server.api import PROTOCOL
from jasstisch.server.observability import Histogram

if TYPE_CHECKING:
    from jasstisch.server.limits import ConnectionLimiter
    from jasstisch.server.tables import TableRegistry
    from jasstisch.server.ws import WebSocketEndpoint

_Key = TypeVar("_Key")

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
"""The content type of the text."""


class MetricsCollector(Collector):
    """Collects the metrics of one server.

    Args:
        registry: the tables.
        limiter: the connections.
        websocket: the WebSocket connections.
    """

    def __init__(
        self,
        registry: "TableRegistry",
        limiter: "ConnectionLimiter",
        websocket: "WebSocketEndpoint",
    ) -> None:
        self._tables = registry
        self._connection_limiter = limiter
        self._websocket = websocket
        # A separate registry, because the process may be part of a program that has another.
        self._prometheus_registry = CollectorRegistry()
        self._prometheus_registry.register(self)
        ProcessCollector(registry=self._prometheus_registry)

    def render(self) -> bytes:
        """All metrics, in the text format."""
        return prometheus_client.generate_latest(self._prometheus_registry)

    def describe(self) -> Iterable[Metric]:
        """Returns nothing: the metrics are known when they are collected."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """All metrics of the server."""
        build = GaugeMetricFamily(
            "jasstisch_build_info", "The program.", labels=("version", "protocol", "python")
        )
        build.add_metric((__version__, str(PROTOCOL), platform.python_version()), 1)
        yield build
        yield from self._gauges()
        yield from self._counters()
        yield from self._histograms()

    def _gauges(self) -> Iterator[Metric]:
        registry, services = self._tables, self._tables.context
        limits = services.limits
        for name, text, value, most in (
            (
                "connections",
                "Connections of all kinds.",
                self._connection_limiter.connection_count,
                limits.sockets,
            ),
            (
                "websockets",
                "WebSockets that are open.",
                self._websocket.connection_count,
                limits.connections,
            ),
            ("tables_in_memory", "Tables in memory.", registry.live_count, limits.live_tables),
            ("tables_stored", "Tables in the store.", registry.stored_count, limits.tables),
        ):
            yield GaugeMetricFamily(f"jasstisch_{name}", text, value)
            yield GaugeMetricFamily(f"jasstisch_{name}_limit", f"The limit. {text}", most)
        people = "People with a WebSocket open."
        yield GaugeMetricFamily("jasstisch_people", people, self._websocket.person_count)
        waiting = "Tasks of bots that wait for a worker."
        yield GaugeMetricFamily("jasstisch_thoughts_waiting", waiting, services.queued_task_count)

    def _counters(self) -> Iterator[Metric]:
        services = self._tables.context
        metrics = services.metrics
        moves = "Actions in games that were committed."
        yield CounterMetricFamily("jasstisch_moves", moves, metrics.moves)
        text = "HTTP requests and handshakes by kind."
        yield _counter_family("jasstisch_requests", text, "kind", metrics.requests)
        text = "Messages over WebSockets by type."
        by_type = {str(one.__struct_config__.tag): n for one, n in _snapshot(metrics.messages)}
        yield _counter_family("jasstisch_messages", text, "type", by_type)
        text = "Requests and messages answered by an error, by its code."
        yield _counter_family("jasstisch_refusals", text, "code", metrics.errors)
        text = "Failed commits, by cause."
        yield _counter_family("jasstisch_commit_failures", text, "cause", metrics.failed_commits)
        trouble = CounterMetricFamily(
            "jasstisch_trouble", "Trouble from outside, as in the log.", labels=("event", "what")
        )
        for (event, what), times in _snapshot(services.alerts.counts):
            trouble.add_metric((event, what), times)
        yield trouble

    def _histograms(self) -> Iterator[Metric]:
        metrics = self._tables.context.metrics
        for name, text, histogram in (
            ("event_loop_lag_seconds", "The lag of the event loop.", metrics.loop_lag),
            ("commit_seconds", "How long commits took.", metrics.commits),
            ("commit_changes", "How many changes shared a commit.", metrics.changes),
            ("thought_wait_seconds", "How long tasks waited for a worker.", metrics.queue_waits),
        ):
            yield _histogram_family(f"jasstisch_{name}", text, histogram)


def _counter_family(name: str, text: str, label: str, counts: Mapping[str, int]) -> Metric:
    family = CounterMetricFamily(name, text, labels=(label,))
    for value, times in _snapshot(counts):
        family.add_metric((value,), times)
    return family


def _histogram_family(name: str, text: str, histogram: Histogram) -> Metric:
    ends = [*(str(float(bound)) for bound in histogram.bounds), "+Inf"]
    counts = accumulate(list(histogram.counts))
    return HistogramMetricFamily(name, text, list(zip(ends, counts, strict=True)), histogram.total)


def _snapshot(counts: Mapping[_Key, int]) -> list[tuple[_Key, int]]:
    """A consistent copy of counters, which another thread may update."""
    return list(counts.items())
