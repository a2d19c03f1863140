"""How values become the bytes that are hashed, and how hashes are written.

Each part is preceded by its length, and the first says what the hash is for, so that no two
different lists of parts are the same bytes and no hash can be passed off as one of another kind.
"""

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Self

from jasstisch.engine.errors import quote
from jasstisch.fairness.errors import FairError

__all__ = ["DIGEST_SIZE", "FORMAT", "MatchId", "digest", "encode", "parse_digest"]

FORMAT = "jasstisch-fair/1"
"""The version of the specification; it stands in all that is hashed."""

DIGEST_SIZE = 32
"""Bytes of every hash, secret and contribution."""

HEX_DIGEST = re.compile(r"[0-9a-f]{64}")


def encode(purpose: str, *parts: bytes | int) -> bytes:
    """The bytes that stand for a list of values.

    Args:
        purpose: what they are hashed for.
        parts: bytes as they are, whole numbers from 0 to 2³²−1 as four bytes, the highest first.

    Returns:
        The format with the purpose and then the parts, each after its length in four bytes.
    """
    texts = [f"{FORMAT} {purpose}".encode("ascii")]
    texts += [part.to_bytes(4, "big") if isinstance(part, int) else part for part in parts]
    return b"".join(len(text).to_bytes(4, "big") + text for text in texts)


def digest(purpose: str, *parts: bytes | int) -> bytes:
    """The SHA-256 of a list of values, 32 bytes; see `encode`."""
    return sha256(encode(purpose, *parts)).digest()


def parse_digest(text: object, what: str, pack: int = 0) -> bytes:
    """The 32 bytes that 64 hexadecimal digits stand for.

    Only lower case is read, so that there is one way to write them.

    Raises:
        FairError: it is no such text; the message names `what`.
    """
    if not isinstance(text, str) or not HEX_DIGEST.fullmatch(text):
        raise FairError(pack, f"{what} is 64 digits of 0-9 and a-f, not {quote(text)}")
    return bytes.fromhex(text)


@dataclass(frozen=True, slots=True)
class MatchId:
    """Which match at which table.

    Attributes:
        table: SHA-256 of the table's id, 32 bytes. A record can be shown to anybody; the id itself
            would let him in.
        number: of the match at this table, from 1.
    """

    table: bytes
    number: int

    @classmethod
    def of(cls, table: str, number: int) -> Self:
        """The match of this number at the table with this id."""
        return cls(digest("table", table.encode()), number)
