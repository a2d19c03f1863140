"""Codes that people type or write down, in Crockford's base 32.

The alphabet consists of the digits and the letters without I, L, O and U, so that no two characters
look alike. Parsing ignores case and separators, and reads I and L as 1, and O as 0.
"""

import secrets
from collections.abc import Collection
from hashlib import sha256

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The 32 symbols of the alphabet; each carries five bits."""

LINK_CODE_LENGTH = 8
"""The length of a link code for another device: 40 bits, protected mainly by rate limits.

At most about 1,000 codes are valid at once (100 are issued in a minute, each for ten minutes), and
all addresses together may try 120 of them a minute. An attacker who uses up all of these attempts,
while 1,000 codes are valid all the time, finds one in 2**40 / (1000 * 120) minutes, that is in 17
years; with ten valid codes, as when a club meets, in 1,700 years.
"""

JOIN_CODE_LENGTH = 6
"""The length of a join code for a table: 30 bits, short to say aloud, and it opens one table only.

At most about 1,000 codes are valid at once on a server, each for hours, and all addresses together
may try 120 wrong ones a minute, on all servers that share a store. An attacker who uses up all of
these attempts, while 1,000 codes are valid all the time, gets to a table, as if they had its link,
in 2**30 / (1000 * 120) minutes, that is in six days; with four servers that have as many codes
each, in a day and a half. The host of the table decides who may sit down, and can renew the link.
"""

RECOVERY_CODE_LENGTH = 28
"""The length of a recovery code: 140 bits, so that its hash reveals nothing if the store leaks."""

_GROUP_SIZE = 4
_SHORT_GROUP_SIZE = 3

_CONFUSABLE_MAP = str.maketrans("ILO", "110")


def new_code(letters: int) -> str:
    """A new random code."""
    return "".join(secrets.choice(ALPHABET) for _ in range(letters))


def format_code(code: str) -> str:
    """Formats a code for display: `7K3M-P0QX`, or `7K3-M0P` for a short one."""
    group = _GROUP_SIZE if len(code) % _GROUP_SIZE == 0 else _SHORT_GROUP_SIZE
    return "-".join(code[start : start + group] for start in range(0, len(code), group))


def parse_code(
    text: str, letters: Collection[int] = (LINK_CODE_LENGTH, RECOVERY_CODE_LENGTH)
) -> str | None:
    """Parses a typed code; None if the text is no code of an allowed length."""
    code = "".join(char for char in text.upper() if char.isalnum()).translate(_CONFUSABLE_MAP)
    fits = len(code) in letters and all(char in ALPHABET for char in code)
    return code if fits else None


def hash_code(code: str) -> str:
    """The stored hash of a code; it never equals the hash of a token."""
    return sha256(f"code {code}".encode()).hexdigest()
