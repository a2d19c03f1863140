"""What the server tells everybody at the table about the deals while a match runs.

None of it lets anybody know a card: without the secret, told after the match, there is no order.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from jasstisch.fair.encoding import MatchId

__all__ = ["Announcement", "Call", "Void"]


@dataclass(frozen=True, slots=True)
class Announcement:
    """Before the first pack: the server has bound itself to all its secrets.

    Attributes:
        match: which match.
        end: of its first chain, 32 bytes.
    """

    match: MatchId
    end: bytes


@dataclass(frozen=True, slots=True)
class Call:
    """All commitments for a pack are in and can be changed no more; those named open theirs now.

    Attributes:
        pack: number of the pack, from 1.
        position: how many attempts the match has had before.
        ends: of all chains begun so far and of the one this pack may come to, in order.
        commitments: by seat, one for each attempt there may be: as many as there are seats here.
    """

    pack: int
    position: int
    ends: tuple[bytes, ...]
    commitments: Mapping[int, tuple[bytes, ...]]


@dataclass(frozen=True, slots=True)
class Void:
    """Somebody did not open in time: the attempt is void, and those who remain open their next.

    Attributes:
        pack: number of the pack.
        attempt: number of the attempt that is void, from 1.
        missing: the seats that did not open, ascending; they are left out for this pack.
    """

    pack: int
    attempt: int
    missing: tuple[int, ...]
