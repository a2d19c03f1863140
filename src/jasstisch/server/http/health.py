"""The endpoints for monitoring: liveness, readiness and metrics.

Everybody can read `/health` and `/ready`. Only this machine can read `/metrics`, or a client of the
separate monitoring address, if the operator has set one. A proxy on this machine does not count as
this machine, because it forwards requests of strangers.
"""

import asyncio
from typing import TYPE_CHECKING, Literal

import msgspec
from starlette.responses import Response

from jasstisch.server.http.prometheus import CONTENT_TYPE, MetricsCollector
from jasstisch.server.net import Scope, parse_address
from jasstisch.storage import REMEDIES, StoreError, classify_failure

if TYPE_CHECKING:
    from jasstisch.server.tables import TableRegistry

HEALTH_PATHS = ("/health", "/ready", "/metrics")
"""The paths of the endpoints."""

_STORE_TIMEOUT_S = 2.0
"""How long the store may take to answer before the server is not ready, in seconds."""

_CACHE_TTL_S = 1.0
"""How long the store's answer is cached, in seconds; more frequent requests do not reach it."""

_PROBE_TABLE_ID = "?"
"""An id that no table can have."""

_FORWARDING_HEADERS = (
    *(b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host", b"x-real-ip"),
    *(b"forwarded", b"via"),
)
"""The headers that identify a request as forwarded by a proxy."""

_JSON = "application/json"


class HealthStatus(msgspec.Struct, frozen=True):
    """The health of the server, with the reasons if it is not ready."""

    status: Literal["ok", "not_ready"]
    reasons: list[str] = []


class HealthEndpoints:
    """Serves the monitoring endpoints.

    Args:
        registry: the tables.
        metrics: the metrics.

    Attributes:
        stopping: whether the server is shutting down; new clients should not be sent to it.
    """

    def __init__(self, registry: "TableRegistry", metrics: MetricsCollector) -> None:
        self._registry = registry
        self._metrics_collector = metrics
        self._probe: asyncio.Task[None] | None = None
        self._probed_at = float("-inf")
        self._store_fault: str | None = None
        self.stopping = False

    async def response(self, scope: Scope, *, metrics: bool) -> Response:
        """The response to a request.

        Args:
            scope: the request.
            metrics: whether the client may read the metrics.
        """
        path = scope["path"]
        if scope["method"] not in ("GET", "HEAD"):
            return _response(405, "text/plain", b"GET only\n")
        if path == "/health":
            return _response(200, _JSON, msgspec.json.encode(HealthStatus("ok")))
        if path == "/ready":
            reasons = await self._not_ready_reasons()
            health = HealthStatus("not_ready" if reasons else "ok", reasons)
            return _response(503 if reasons else 200, _JSON, msgspec.json.encode(health))
        if path == "/metrics" and metrics:
            return _response(200, CONTENT_TYPE, self._metrics_collector.render())
        return _response(404, "text/plain", b"there is nothing at this address\n")

    async def _not_ready_reasons(self) -> list[str]:
        """The reasons why nobody can play now."""
        reasons = ["the server is stopping"] if self.stopping else []
        fault = await self._check_store()
        if fault is not None:
            reasons.append(fault)
        if not self._registry.context.has_discovered_bots:
            reasons.append("it is not known yet which computer players there are")
        return reasons

    async def _check_store(self) -> str | None:
        """The reason why the store does not answer; None if it does."""
        loop = asyncio.get_running_loop()
        if self._probe is None and loop.time() - self._probed_at >= _CACHE_TTL_S:
            self._probe = loop.create_task(self._probe_store())
        if self._probe is not None:
            # Shielded because other requests may wait for the same answer.
            await asyncio.shield(self._probe)
        return self._store_fault

    async def _probe_store(self) -> None:
        try:
            self._store_fault = await self._query_store()
        finally:
            self._probe = None
            self._probed_at = asyncio.get_running_loop().time()

    async def _query_store(self) -> str | None:
        try:
            async with asyncio.timeout(_STORE_TIMEOUT_S):
                await self._registry.context.store.load(_PROBE_TABLE_ID)
        except TimeoutError:
            return f"the store has not answered for {_STORE_TIMEOUT_S:g} s"
        except (StoreError, RuntimeError) as error:  # the latter: its threads have ended
            cause = classify_failure(error)
            return f"the store cannot be read{f': {REMEDIES[cause]}' if cause else ''}"
        else:
            return None


def is_local_request(scope: Scope, peer: str) -> bool:
    """Whether a program on this machine sends a request on its own behalf.

    Args:
        scope: the request.
        peer: the address of its connection.
    """
    headers = dict(scope["headers"])
    host = headers.get(b"host", b"").decode("latin-1").lower()
    name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
    at_home = name in ("", "localhost") or _is_loopback(name.strip("[]"))
    return _is_loopback(peer) and at_home and not any(one in headers for one in _FORWARDING_HEADERS)


def _is_loopback(text: str) -> bool:
    address = parse_address(text)
    return address is not None and address.is_loopback


def _response(status: int, kind: str, body: bytes) -> Response:
    headers = {
        "content-type": kind,
        "content-length": str(len(body)),
        "cache-control": "no-store",
    }
    return Response(body, status, headers)
