"""Rate limits and quotas for a server, an address or a person.

The package counts and refuses; the caller decides about the response. Start reading with
`server_limits`, then `token_bucket` and `connection_limiter`.
"""

from jasstisch.server.limits.connection_limiter import (
    UNCOUNTED,
    ConnectionLimiter,
    Evictable,
    LimitReachedError,
    SlotStack,
)
from jasstisch.server.limits.file_descriptors import connection_budget, raise_soft_limit
from jasstisch.server.limits.server_limits import Limits
from jasstisch.server.limits.shared_usage import Gauge, SharedUsage
from jasstisch.server.limits.token_bucket import KeyedBuckets, TokenBucket

__all__ = [
    "UNCOUNTED",
    "ConnectionLimiter",
    "Evictable",
    "Gauge",
    "KeyedBuckets",
    "LimitReachedError",
    "Limits",
    "SharedUsage",
    "SlotStack",
    "TokenBucket",
    "connection_budget",
    "raise_soft_limit",
]
