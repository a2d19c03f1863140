"""A limit on how often something may happen."""

from collections import Counter

__all__ = ["Bucket", "Buckets"]

MOST_KEYS = 10_000
"""How many buckets are kept before those not in use are forgotten."""


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
        if not self.allows(now):
            return False
        self._left -= 1
        return True

    def allows(self, now: float) -> bool:
        """Whether one more is allowed now, without counting it."""
        self._fill(now)
        return self._left >= 1

    def charge(self, now: float) -> None:
        """Counts one more that has happened, allowed or not: what is too much is owed."""
        self._fill(now)
        self._left -= 1

    def give_back(self, now: float) -> None:
        """Counts one less: what was taken before it was known has not happened."""
        self._fill(now)
        self._left = min(self._burst, self._left + 1)

    def owe(self, now: float, times: int) -> None:
        """Counts what has happened elsewhere; no more is owed than what may happen at once."""
        self._fill(now)
        self._left = max(-self._burst, self._left - times)

    def full(self, now: float) -> bool:
        """Whether nothing has been taken lately, so that the bucket may be forgotten."""
        self._fill(now)
        return self._left >= self._burst

    def _fill(self, now: float) -> None:
        self._left = min(self._burst, self._left + (now - self._then) * self._rate)
        self._then = now


class _Noted(Bucket):
    """A bucket of which it is noted what is taken."""

    __slots__ = ("_key", "_noted")

    def __init__(self, rate: float, burst: int, now: float, noted: Counter[str], key: str) -> None:
        super().__init__(rate, burst, now)
        self._noted = noted
        self._key = key

    def take(self, now: float) -> bool:
        taken = super().take(now)
        if taken:
            self._noted[self._key] += 1
        return taken

    def charge(self, now: float) -> None:
        super().charge(now)
        self._noted[self._key] += 1

    def give_back(self, now: float) -> None:
        super().give_back(now)
        self._noted[self._key] -= 1


class Buckets:
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
        self._of: dict[str, Bucket] = {}
        self.noted: Counter[str] | None = None

    def of(self, key: str, now: float) -> Bucket:
        """The bucket of one of them."""
        found = self._of.get(key)
        if found is None:
            if len(self._of) >= MOST_KEYS:
                self._forget(now)
            found = self._of[key] = self._new(key, now)
        return found

    def _new(self, key: str, now: float) -> Bucket:
        if self.noted is None:
            return Bucket(self._rate, self._burst, now)
        return _Noted(self._rate, self._burst, now, self.noted, key)

    def _forget(self, now: float) -> None:
        """Forgets those not in use, and the older half where that does not help."""
        self._of = {key: bucket for key, bucket in self._of.items() if not bucket.full(now)}
        if len(self._of) > MOST_KEYS // 2:
            self._of = dict(list(self._of.items())[len(self._of) // 2 :])
