"""A limit on how often something may happen."""

__all__ = ["Bucket"]


class Bucket:
    """Allows `burst` things at once and `rate` a second in the long run.

    Args:
        rate: things a second.
        burst: things at once.
        now: the time in seconds, from any monotonic clock.
    """

    __slots__ = ("_burst", "_left", "_rate", "_then")

    def __init__(self, rate: float, burst: int, now: float) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._left = self._burst
        self._then = now

    def take(self, now: float) -> bool:
        """Whether one more is allowed now; counts it if so."""
        self._fill(now)
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def full(self, now: float) -> bool:
        """Whether nothing has been taken lately, so that the bucket may be forgotten."""
        self._fill(now)
        return self._left >= self._burst

    def _fill(self, now: float) -> None:
        self._left = min(self._burst, self._left + (now - self._then) * self._rate)
        self._then = now
