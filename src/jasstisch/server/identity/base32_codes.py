"""Codes that people type or write down: letters that cannot be taken for one another, in groups.

The alphabet is Crockford's base 32: the digits and the letters without I, L, O and U. What is typed
is read as it was meant, whatever the case: I and L as 1, O as 0; what stands between is left out.
"""

import secrets
from collections.abc import Collection
from hashlib import sha256

__all__ = [
    "ALPHABET",
    "JOIN_CODE_LENGTH",
    "LINK_CODE_LENGTH",
    "RECOVERY_CODE_LENGTH",
    "format_code",
    "hash_code",
    "new_code",
    "parse_code",
]

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Its 32 letters carry five bits each."""

LINK_CODE_LENGTH = 8
"""Letters of a code for another device: 40 bits. With so few it is the limits that keep it safe.

At most some 1,000 codes are open at once (100 are given in a minute, each for ten), and everybody
together may try 120 of them a minute, whatever the number of addresses. Who uses all of that up for
himself, with 1,000 codes open all the time, hits one in 2**40 / (1000 * 120) minutes, that is in
17 years; with ten open, as when a club meets, in 1,700.
"""

JOIN_CODE_LENGTH = 6
"""Letters of a code for a table: 30 bits, for it is told by word of mouth and opens a table alone.

At most some 1,000 are open at once at a server, each for hours, and everybody together may try 120
wrong ones a minute, at all servers that share a store. Who uses all of that up for himself, with
1,000 codes open all the time, comes to somebody's table, as if he had its link, in
2**30 / (1000 * 120) minutes, that is in six days; where four servers have as many each, in a day
and a half. The host lets him sit down or not, and renews the link.
"""

RECOVERY_CODE_LENGTH = 28
"""Letters of a code to write down: 140 bits, so that its hash tells nothing to who has the file."""

_GROUP_SIZE = 4
_SHORT_GROUP_SIZE = 3

_CONFUSABLE_MAP = str.maketrans("ILO", "110")


def new_code(letters: int) -> str:
    """A fresh code."""
    return "".join(secrets.choice(ALPHABET) for _ in range(letters))


def format_code(code: str) -> str:
    """A code as it is shown: `7K3M-P0QX`, or `7K3-M0P` where it is short."""
    group = _GROUP_SIZE if len(code) % _GROUP_SIZE == 0 else _SHORT_GROUP_SIZE
    return "-".join(code[start : start + group] for start in range(0, len(code), group))


def parse_code(
    text: str, letters: Collection[int] = (LINK_CODE_LENGTH, RECOVERY_CODE_LENGTH)
) -> str | None:
    """The code that somebody typed; None for what can be none of so many letters."""
    code = "".join(char for char in text.upper() if char.isalnum()).translate(_CONFUSABLE_MAP)
    fits = len(code) in letters and all(char in ALPHABET for char in code)
    return code if fits else None


def hash_code(code: str) -> str:
    """What is kept of a code: never the hash of a token, whatever the code."""
    return sha256(f"code {code}".encode()).hexdigest()
