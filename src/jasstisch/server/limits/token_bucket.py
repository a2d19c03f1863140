"""A limit on how often something may happen."""

from collections import Counter

__all__ = ["KeyedBuckets", "TokenBucket"]

MAX_KEYS = 10_000
"""How many buckets are kept before those not in use are forgotten."""


class TokenBucket:
    """Allows `burst` things at once and `rate` a second in the long run.

    Args:
        rate: things a second.
        burst: things at once.
        now: the time in seconds, from any monotonic clock.
    """

    __slots__ = ("_burst", "_rate", "_refilled_at", "_tokens")

    def __init__(self, rate: float, burst: int, now: float) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._tokens = self._burst
        self._refilled_at = now

    def try_take(self, now: float) -> bool:
        """Whether one more is allowed now; counts it if so."""
        if not self.has_token(now):
            return False
        self._tokens -= 1
        return True

    def has_token(self, now: float) -> bool:
        """Whether one more is allowed now, without counting it."""
        self._refill(now)
        return self._tokens >= 1

    def force_take(self, now: float) -> None:
        """Counts one more that has happened, allowed or not: what is too much is owed."""
        self._refill(now)
        self._tokens -= 1

    def refund(self, now: float) -> None:
        """Counts one less: what was taken before it was known has not happened."""
        self._refill(now)
        self._tokens = min(self._burst, self._tokens + 1)

    def debit_remote(self, now: float, times: int) -> None:
        """Counts what has happened elsewhere; no more is owed than what may happen at once."""
        self._refill(now)
        self._tokens = max(-self._burst, self._tokens - times)

    def is_full(self, now: float) -> bool:
        """Whether nothing has been taken lately, so that the bucket may be forgotten."""
        self._refill(now)
        return self._tokens >= self._burst

    def _refill(self, now: float) -> None:
        self._tokens = min(self._burst, self._tokens + (now - self._refilled_at) * self._rate)
        self._refilled_at = now


class _RecordedBucket(TokenBucket):
    """A bucket of which it is noted what is taken."""

    __slots__ = ("_key", "_recorded")

    def __init__(self, rate: float, burst: int, now: float, noted: Counter[str], key: str) -> None:
        super().__init__(rate, burst, now)
        self._recorded = noted
        self._key = key

    def try_take(self, now: float) -> bool:
        taken = super().try_take(now)
        if taken:
            self._recorded[self._key] += 1
        return taken

    def force_take(self, now: float) -> None:
        super().force_take(now)
        self._recorded[self._key] += 1

    def refund(self, now: float) -> None:
        super().refund(now)
        self._recorded[self._key] -= 1


class KeyedBuckets:
    """A bucket for each of many, as for each address.

    Args:
        rate: things a second for each.
        burst: things at once for each.

    Attributes:
        noted: where it is noted what is taken of each, if that is told to others.
    """

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: dict[str, TokenBucket] = {}
        self.recorded: Counter[str] | None = None

    def bucket_for(self, key: str, now: float) -> TokenBucket:
        """The bucket of one of them."""
        found = self._buckets.get(key)
        if found is None:
            if len(self._buckets) >= MAX_KEYS:
                self._evict(now)
            found = self._buckets[key] = self._create(key, now)
        return found

    def _create(self, key: str, now: float) -> TokenBucket:
        if self.recorded is None:
            return TokenBucket(self._rate, self._burst, now)
        return _RecordedBucket(self._rate, self._burst, now, self.recorded, key)

    def _evict(self, now: float) -> None:
        """Forgets those not in use, and the older half where that does not help."""
        self._buckets = {
            key: bucket for key, bucket in self._buckets.items() if not bucket.is_full(now)
        }
        if len(self._buckets) > MAX_KEYS // 2:
            self._buckets = dict(list(self._buckets.items())[len(self._buckets) // 2 :])
