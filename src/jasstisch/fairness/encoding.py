"""The encoding of values into bytes for hashing, and the text form of hashes.

Each part is preceded by its length, and the first part names the purpose of the hash. So different
lists of parts never have the same encoding, and no hash can pass for one of another purpose.
"""

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Self

from jasstisch.engine.errors import quote
from jasstisch.fairness.errors import FairError

FORMAT = "jasstisch-fair/1"
"""The version of the specification; every hash includes it."""

DIGEST_SIZE = 32
"""Bytes of every hash, secret and contribution."""

_HEX_DIGEST = re.compile(r"[0-9a-f]{64}")


def encode(purpose: str, *parts: bytes | int) -> bytes:
    """The unambiguous encoding of a list of values.

    Args:
        purpose: the purpose of the hash.
        parts: bytes as they are; integers from 0 to 2³²−1 as four bytes, big-endian.

    Returns:
        The format with the purpose, then the parts, each preceded by its length in four bytes.
    """
    texts = [f"{FORMAT} {purpose}".encode("ascii")]
    texts += [part.to_bytes(4, "big") if isinstance(part, int) else part for part in parts]
    return b"".join(len(text).to_bytes(4, "big") + text for text in texts)


def digest(purpose: str, *parts: bytes | int) -> bytes:
    """The SHA-256 of a list of values, 32 bytes; see `encode`."""
    return sha256(encode(purpose, *parts)).digest()


def parse_digest(text: object, what: str, pack: int = 0) -> bytes:
    """The 32 bytes of 64 hexadecimal digits.

    Only lower case is accepted, so that each value has one text form.

    Raises:
        FairError: the text is not of this form; the message names `what`.
    """
    if not isinstance(text, str) or not _HEX_DIGEST.fullmatch(text):
        raise FairError(pack, f"{what} is 64 digits of 0-9 and a-f, not {quote(text)}")
    return bytes.fromhex(text)


@dataclass(frozen=True, slots=True)
class MatchId:
    """The identity of a match: its table and its number there.

    Attributes:
        table_hash: SHA-256 of the table's id, 32 bytes. Records may be published, but the id itself
            gives access to the table.
        number: number of the match at this table, from 1.
    """

    table_hash: bytes
    number: int

    @classmethod
    def of(cls, table: str, number: int) -> Self:
        """The match of this number at the table with this id."""
        return cls(digest("table", table.encode()), number)
