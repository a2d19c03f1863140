"""Observability for operators: logs, request ids, metrics, alerts and event loop lag.

The package only records, and changes nothing that users notice. Start reading with
`structured_log`.
"""

from jasstisch.server.observability.event_loop_lag import EventLoopLag
from jasstisch.server.observability.gc_scheduler import GcScheduler
from jasstisch.server.observability.metrics import Histogram, ServerMetrics
from jasstisch.server.observability.request_id import (
    CURRENT_REQUEST_ID,
    REQUEST_ID_HEADER,
    new_request_id,
    resolve_request_id,
)
from jasstisch.server.observability.structured_log import (
    LogFormat,
    LogLevel,
    configure_logging,
    describe_exception,
    log,
    short_id,
)
from jasstisch.server.observability.throttled_alerts import AlertLog

__all__ = [
    "CURRENT_REQUEST_ID",
    "REQUEST_ID_HEADER",
    "AlertLog",
    "EventLoopLag",
    "GcScheduler",
    "Histogram",
    "LogFormat",
    "LogLevel",
    "ServerMetrics",
    "configure_logging",
    "describe_exception",
    "log",
    "new_request_id",
    "resolve_request_id",
    "short_id",
]
