"""The server's secrets: a chain of hashes, committed to by its end and used from there backwards.

Whoever knows one secret can compute all that were used before it and none that comes after it. All
chains of a match come from one seed, so that a server which starts again needs nothing else.
"""

import hmac
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice

from jasstisch.fairness.encoding import DIGEST_SIZE, MatchId, digest, encode

__all__ = ["CHAIN_LENGTH", "Chain", "next_link"]

CHAIN_LENGTH = 256
"""Secrets of one chain: few matches need a second one, and all of it is found from the seed in a
quarter of a millisecond."""

CHECKPOINT_STRIDE = 32
"""Of the chain in use every 32nd link is kept, so that a secret takes a few hashes only."""


def next_link(match: MatchId, link: bytes) -> bytes:
    """The link after this one: the secret that was used before it, or the end."""
    return digest("link", match.table, match.number, link)


class Chain:
    """The secrets of one match: chain after chain of `LENGTH` each.

    Args:
        seed: 32 random bytes that nobody else may know while the match runs.
        match: which match.
    """

    __slots__ = ("_kept", "_kept_of", "_match", "_seed")

    def __init__(self, seed: bytes, match: MatchId) -> None:
        self._seed = seed
        self._match = match
        self._kept = b""
        self._kept_of: int | None = None

    def end(self, number: int) -> bytes:
        """The end of a chain, by which the server commits itself to all its secrets.

        Args:
            number: which chain, from 0.
        """
        return self._link(number, CHAIN_LENGTH)

    def secret(self, position: int) -> bytes:
        """The secret of an attempt.

        Args:
            position: how many attempts the match has had before it.
        """
        return self._link(position // CHAIN_LENGTH, CHAIN_LENGTH - 1 - position % CHAIN_LENGTH)

    def secrets(self, attempts: int) -> list[bytes]:
        """The secrets of so many attempts, the first one first."""
        result: list[bytes] = []
        for number in range(-(-attempts // CHAIN_LENGTH)):
            result += reversed(list(self._links(self._root(number), CHAIN_LENGTH)))
        return result[:attempts]

    def _link(self, number: int, steps: int) -> bytes:
        """The link of a chain that comes so many steps after its root."""
        if self._kept_of != number:
            links = islice(
                self._links(self._root(number), CHAIN_LENGTH + 1), None, None, CHECKPOINT_STRIDE
            )
            self._kept, self._kept_of = b"".join(links), number
        before, more = divmod(steps, CHECKPOINT_STRIDE)
        *_, link = self._links(self._kept[DIGEST_SIZE * before :][:DIGEST_SIZE], more + 1)
        return link

    def _links(self, link: bytes, links: int) -> Iterator[bytes]:
        """So many links from this one on, each the `next_link` of the one before.

        What all of them begin with is hashed once.
        """
        begun = sha256(encode("link", self._match.table, self._match.number))
        begun.update(DIGEST_SIZE.to_bytes(4, "big"))
        for _ in range(links):
            yield link
            following = begun.copy()
            following.update(link)
            link = following.digest()

    def _root(self, number: int) -> bytes:
        root = encode("root", self._match.table, self._match.number, number)
        return hmac.digest(self._seed, root, "sha256")
