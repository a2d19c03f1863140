"""The server's secrets: a hash chain, committed to by its end and used backwards from there.

From one secret anybody can compute all secrets used before it, but none used after it. All chains
of a match derive from one seed, which is all that a restarted server needs.
"""

import hmac
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice

from jasstisch.fairness.encoding import DIGEST_SIZE, MatchId, digest, encode

CHAIN_LENGTH = 256
"""Secrets of one chain: few matches need a second chain, and computing a whole chain from the seed
takes a quarter of a millisecond."""

_CHECKPOINT_STRIDE = 32
"""Every 32nd link of the chain in use is cached, so that a secret needs only a few hashes."""


def next_link(match: MatchId, link: bytes) -> bytes:
    """The next link: the secret used before this one, or the end of the chain."""
    return digest("link", match.table_hash, match.number, link)


class SecretChains:
    """The secrets of one match, in consecutive chains of `CHAIN_LENGTH` each.

    Args:
        seed: 32 random bytes that nobody else may know while the match runs.
        match: the id of the match.
    """

    __slots__ = ("_kept", "_kept_of", "_match", "_seed")

    def __init__(self, seed: bytes, match: MatchId) -> None:
        self._seed = seed
        self._match = match
        self._kept = b""
        self._kept_of: int | None = None

    def chain_end(self, number: int) -> bytes:
        """The end of a chain, which commits the server to all its secrets.

        Args:
            number: the number of the chain, from 0.
        """
        return self._link(number, CHAIN_LENGTH)

    def secret(self, position: int) -> bytes:
        """The secret of an attempt.

        Args:
            position: the number of attempts in the match before it.
        """
        return self._link(position // CHAIN_LENGTH, CHAIN_LENGTH - 1 - position % CHAIN_LENGTH)

    def secrets(self, attempts: int) -> list[bytes]:
        """The secrets of the first `attempts` attempts, in order."""
        result: list[bytes] = []
        for number in range(-(-attempts // CHAIN_LENGTH)):
            result += reversed(list(self._links(self._root(number), CHAIN_LENGTH)))
        return result[:attempts]

    def _link(self, number: int, steps: int) -> bytes:
        """The link of a chain that is `steps` steps after its root."""
        if self._kept_of != number:
            links = islice(
                self._links(self._root(number), CHAIN_LENGTH + 1), None, None, _CHECKPOINT_STRIDE
            )
            self._kept, self._kept_of = b"".join(links), number
        before, more = divmod(steps, _CHECKPOINT_STRIDE)
        *_, link = self._links(self._kept[DIGEST_SIZE * before :][:DIGEST_SIZE], more + 1)
        return link

    def _links(self, link: bytes, links: int) -> Iterator[bytes]:
        """The given number of links from this one on, each the `next_link` of the previous one.

        Their common prefix is hashed only once.
        """
        begun = sha256(encode("link", self._match.table_hash, self._match.number))
        begun.update(DIGEST_SIZE.to_bytes(4, "big"))
        for _ in range(links):
            yield link
            following = begun.copy()
            following.update(link)
            link = following.digest()

    def _root(self, number: int) -> bytes:
        root = encode("root", self._match.table_hash, self._match.number, number)
        return hmac.digest(self._seed, root, "sha256")
