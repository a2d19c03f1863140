"""What the server tells everybody at the table about the deals while a match runs.

None of it lets anybody know a card: without the secret, told after the match, there is no order.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from jasstisch.fair.encoding import MatchId, read_bytes
from jasstisch.fair.errors import FairError
from jasstisch.fair.forms import MOST_SEATS, fields, items, number, seat

__all__ = ["Announcement", "Call", "Void"]

SEAT_KEYS = tuple(map(str, range(MOST_SEATS)))


@dataclass(frozen=True, slots=True)
class Announcement:
    """Before the first pack: the server has bound itself to all its secrets.

    Attributes:
        match: which match.
        end: of its first chain, 32 bytes.
    """

    match: MatchId
    end: bytes

    def plain(self) -> dict[str, Any]:
        """The same as plain JSON."""
        match = {"table": self.match.table.hex(), "number": self.match.number}
        return {"match": match, "end": self.end.hex()}

    @classmethod
    def read(cls, plain: object) -> Self:
        """Reads plain JSON.

        Raises:
            FairError: it has not the form of an announcement.
        """
        found = fields(plain, ("match", "end"), "an announcement", 0)
        match = fields(found["match"], ("table", "number"), "a match", 0)
        which = number(match["number"], "the number of a match", 0, low=1)
        table = read_bytes(match["table"], "the hash of the table")
        return cls(MatchId(table, which), read_bytes(found["end"], "the end of a chain"))


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

    def plain(self) -> dict[str, Any]:
        """The same as plain JSON, in which seats are texts as all keys are."""
        return {
            "pack": self.pack,
            "position": self.position,
            "ends": [end.hex() for end in self.ends],
            "commitments": {
                str(seat): [one.hex() for one in made] for seat, made in self.commitments.items()
            },
        }

    @classmethod
    def read(cls, plain: object) -> Self:
        """Reads plain JSON.

        Raises:
            FairError: it has not the form of a call.
        """
        found = fields(plain, ("pack", "position", "ends", "commitments"), "a call", 0)
        pack = number(found["pack"], "the number of a pack", 0, low=1)
        position = number(found["position"], "a position", pack)
        ends = [read_bytes(end, "an end", pack) for end in items(found["ends"], "ends", pack)]
        given = found["commitments"]
        if not isinstance(given, dict):
            raise FairError(pack, "commitments are an object with a list for each seat")
        commitments = {
            _seat_of(key, pack): tuple(
                read_bytes(one, "a commitment", pack) for one in items(made, "commitments", pack)
            )
            for key, made in given.items()
        }
        return cls(pack, position, tuple(ends), commitments)


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

    def plain(self) -> dict[str, Any]:
        """The same as plain JSON."""
        return {"pack": self.pack, "attempt": self.attempt, "missing": list(self.missing)}

    @classmethod
    def read(cls, plain: object) -> Self:
        """Reads plain JSON.

        Raises:
            FairError: it has not the form of a void attempt.
        """
        found = fields(plain, ("pack", "attempt", "missing"), "a void attempt", 0)
        pack = number(found["pack"], "the number of a pack", 0, low=1)
        attempt = number(found["attempt"], "the number of an attempt", pack, low=1)
        return cls(
            pack, attempt, tuple(seat(one, pack) for one in items(found["missing"], "seats", pack))
        )


def _seat_of(key: str, pack: int) -> int:
    """The seat that a key names."""
    return seat(int(key) if key in SEAT_KEYS else key, pack)
