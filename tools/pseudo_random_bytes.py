"""Bytes that look random and are the same each time, for test vectors."""

from collections.abc import Callable
from hashlib import sha256
from itertools import count


def pseudo_random_bytes(name: str) -> Callable[[int], bytes]:
    """Returns a deterministic byte source for a name."""
    blocks = (sha256(f"{name} {number}".encode()).digest() for number in count())
    return lambda size: next(blocks)[:size]
