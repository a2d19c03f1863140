"""The rate limit for creating tables."""

from jasstisch.server.context import ServerContext
from jasstisch.server.errors import ApiError
from jasstisch.server.net import rate_limit_key

_DAY_S = 24 * 3600.0


class TableCreationLimit:
    """Limits how many tables one address creates.

    Args:
        context: the limits, the clock, and the log of what is refused.
    """

    def __init__(self, context: ServerContext) -> None:
        self._context = context
        limits, buckets, now = context.limits, context.shared_usage.create_buckets, context.now
        minute, day = limits.new_tables_per_minute, limits.new_tables_per_day
        self._rates = {
            f"{minute} new tables a minute": buckets("new_tables", minute / 60, minute, now),
            f"{day} new tables a day": buckets("new_tables_of_a_day", day / _DAY_S, day, now),
        }

    def check(self, address: str) -> None:
        """Counts one table.

        Raises:
            ApiError: this address has created too many.
        """
        now = self._context.now()
        for most, buckets in self._rates.items():
            if not buckets.try_take(rate_limit_key(address), now):
                self._context.alerts.report("limit_hit", "new_tables", address)
                raise ApiError("too_fast", f"at most {most}, please")
