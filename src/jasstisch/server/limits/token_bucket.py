"""Token buckets, for rate limits."""

from collections import Counter

_MAX_KEYS = 10_000
"""The number of buckets beyond which unused ones are dropped."""


class TokenBucket:
    """A token bucket: allows bursts of `burst` events and `rate` events a second in the long run.

    Args:
        rate: tokens a second.
        burst: the capacity.
        now: the time in seconds, from any monotonic clock.
    """

    __slots__ = ("_burst", "_rate", "_refilled_at", "_tokens")

    def __init__(self, rate: float, burst: int, now: float) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._tokens = self._burst
        self._refilled_at = now

    def try_take(self, now: float) -> bool:
        """Takes a token if there is one; returns whether there was."""
        if not self.has_token(now):
            return False
        self._tokens -= 1
        return True

    def has_token(self, now: float) -> bool:
        """Whether there is a token; takes none."""
        self._refill(now)
        return self._tokens >= 1

    def force_take(self, now: float) -> None:
        """Takes a token even if there is none; the bucket may go into debt."""
        self._refill(now)
        self._tokens -= 1

    def refund(self, now: float) -> None:
        """Returns a token that was taken in advance."""
        self._refill(now)
        self._tokens = min(self._burst, self._tokens + 1)

    def debit_remote(self, now: float, times: int) -> None:
        """Applies debits of another node; the debt never exceeds the capacity."""
        self._refill(now)
        self._tokens = max(-self._burst, self._tokens - times)

    def is_full(self, now: float) -> bool:
        """Whether the bucket is full, so that it may be dropped."""
        self._refill(now)
        return self._tokens >= self._burst

    def _refill(self, now: float) -> None:
        self._tokens = min(self._burst, self._tokens + (now - self._refilled_at) * self._rate)
        self._refilled_at = now


class _RecordedBucket(TokenBucket):
    """A bucket that records its debits."""

    __slots__ = ("_key", "_recorded")

    def __init__(
        self, rate: float, burst: int, now: float, recorded: Counter[str], key: str
    ) -> None:
        super().__init__(rate, burst, now)
        self._recorded = recorded
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
    """A token bucket for each key, such as an address.

    Args:
        rate: tokens a second for each bucket.
        burst: the capacity of each bucket.

    Attributes:
        recorded: where debits are recorded for other nodes; None without a cluster.
    """

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: dict[str, TokenBucket] = {}
        self.recorded: Counter[str] | None = None

    def try_take(self, key: str, now: float) -> bool:
        """Takes one token out of the bucket of a key; returns whether there was one."""
        return self.bucket_for(key, now).try_take(now)

    def bucket_for(self, key: str, now: float) -> TokenBucket:
        """The bucket of a key."""
        found = self._buckets.get(key)
        if found is None:
            if len(self._buckets) >= _MAX_KEYS:
                self._evict(now)
            found = self._buckets[key] = self._create(key, now)
        return found

    def _create(self, key: str, now: float) -> TokenBucket:
        if self.recorded is None:
            return TokenBucket(self._rate, self._burst, now)
        return _RecordedBucket(self._rate, self._burst, now, self.recorded, key)

    def _evict(self, now: float) -> None:
        """Drops full buckets, and the older half of all if that is not enough."""
        self._buckets = {
            key: bucket for key, bucket in self._buckets.items() if not bucket.is_full(now)
        }
        if len(self._buckets) > _MAX_KEYS // 2:
            self._buckets = dict(list(self._buckets.items())[len(self._buckets) // 2 :])
