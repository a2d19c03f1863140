"""The server's messages to everybody at the table about the deals of a running match.

They reveal no card: without the secret, which is published after the match, the order is unknown.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from jasstisch.fairness.encoding import MatchId, parse_digest
from jasstisch.fairness.errors import FairError
from jasstisch.fairness.json_validation import (
    MAX_SEATS,
    require_int,
    require_list,
    require_object,
    require_seat,
)

_SEAT_KEYS = tuple(map(str, range(MAX_SEATS)))


@dataclass(frozen=True, slots=True)
class Announcement:
    """The message before the first pack: the server commits to all its secrets.

    Attributes:
        match: the id of the match.
        end: the end of its first chain, 32 bytes.
    """

    match: MatchId
    end: bytes

    def to_json(self) -> dict[str, Any]:
        """The same as plain JSON."""
        match = {"table": self.match.table_hash.hex(), "number": self.match.number}
        return {"match": match, "end": self.end.hex()}

    @classmethod
    def from_json(cls, plain: object) -> Self:
        """Reads plain JSON.

        Raises:
            FairError: it does not have the form of an announcement.
        """
        found = require_object(plain, ("match", "end"), "an announcement", 0)
        match = require_object(found["match"], ("table", "number"), "a match", 0)
        which = require_int(match["number"], "the number of a match", 0, low=1)
        table = parse_digest(match["table"], "the hash of the table")
        return cls(MatchId(table, which), parse_digest(found["end"], "the end of a chain"))


@dataclass(frozen=True, slots=True)
class PackCall:
    """The call of a pack: its commitments are final, and the seats in it open theirs now.

    Attributes:
        pack: number of the pack, from 1.
        position: the number of attempts in the match before it.
        ends: the ends of all chains begun so far and of any chain this pack may reach, in order.
        commitments: by seat, one for each possible attempt: as many as there are seats in the call.
    """

    pack: int
    position: int
    ends: tuple[bytes, ...]
    commitments: Mapping[int, tuple[bytes, ...]]

    def to_json(self) -> dict[str, Any]:
        """The same as plain JSON, in which seats are texts because they are keys."""
        return {
            "pack": self.pack,
            "position": self.position,
            "ends": [end.hex() for end in self.ends],
            "commitments": {
                str(seat): [one.hex() for one in made] for seat, made in self.commitments.items()
            },
        }

    @classmethod
    def from_json(cls, plain: object) -> Self:
        """Reads plain JSON.

        Raises:
            FairError: it does not have the form of a call.
        """
        found = require_object(plain, ("pack", "position", "ends", "commitments"), "a call", 0)
        pack = require_int(found["pack"], "the number of a pack", 0, low=1)
        position = require_int(found["position"], "a position", pack)
        ends = [
            parse_digest(end, "an end", pack) for end in require_list(found["ends"], "ends", pack)
        ]
        given = found["commitments"]
        if not isinstance(given, dict):
            raise FairError(pack, "commitments are an object with a list for each seat")
        commitments = {
            _parse_seat_key(key, pack): tuple(
                parse_digest(one, "a commitment", pack)
                for one in require_list(made, "commitments", pack)
            )
            for key, made in given.items()
        }
        return cls(pack, position, tuple(ends), commitments)


@dataclass(frozen=True, slots=True)
class VoidAttempt:
    """A void attempt: a seat did not open in time, and the remaining seats open their next one.

    Attributes:
        pack: number of the pack.
        attempt: number of the void attempt, from 1.
        missing: the seats that did not open, ascending; they are left out for this pack.
    """

    pack: int
    attempt: int
    missing: tuple[int, ...]

    def to_json(self) -> dict[str, Any]:
        """The same as plain JSON."""
        return {"pack": self.pack, "attempt": self.attempt, "missing": list(self.missing)}

    @classmethod
    def from_json(cls, plain: object) -> Self:
        """Reads plain JSON.

        Raises:
            FairError: it does not have the form of a void attempt.
        """
        found = require_object(plain, ("pack", "attempt", "missing"), "a void attempt", 0)
        pack = require_int(found["pack"], "the number of a pack", 0, low=1)
        attempt = require_int(found["attempt"], "the number of an attempt", pack, low=1)
        return cls(
            pack,
            attempt,
            tuple(require_seat(one, pack) for one in require_list(found["missing"], "seats", pack)),
        )


@dataclass(frozen=True, slots=True)
class DealState:
    """The state of the deals, of which every change is told.

    Attributes:
        announcement: the server's commitment to its secrets.
        next_pack: the first pack that is not called yet, for which commitments are accepted.
        call: the call whose openings are awaited; None while none are.
        void: the last void attempt at the last pack called; without a call that pack is decided,
            by the secret alone where no seat was left.
    """

    announcement: Announcement
    next_pack: int
    call: PackCall | None
    void: VoidAttempt | None

    def to_json(self) -> dict[str, Any]:
        """The same as plain JSON."""
        return {
            "announcement": self.announcement.to_json(),
            "next_pack": self.next_pack,
            "call": None if self.call is None else self.call.to_json(),
            "void": None if self.void is None else self.void.to_json(),
        }

    @classmethod
    def from_json(cls, plain: object) -> Self:
        """Reads plain JSON.

        Raises:
            FairError: it does not have the form of such a state, or a part of it belongs to another
                pack than the last one called.
        """
        keys = ("announcement", "next_pack", "call", "void")
        found = require_object(plain, keys, "the state of the deals", 0)
        last = require_int(found["next_pack"], "the number of a pack", 0, low=1) - 1
        call = None if found["call"] is None else PackCall.from_json(found["call"])
        void = None if found["void"] is None else VoidAttempt.from_json(found["void"])
        for part in (call, void):
            if part is not None and part.pack != last:
                raise FairError(part.pack, f"pack {last} is the last that was called")
        return cls(Announcement.from_json(found["announcement"]), last + 1, call, void)


def _parse_seat_key(key: str, pack: int) -> int:
    """The seat of a JSON key."""
    return require_seat(int(key) if key in _SEAT_KEYS else key, pack)
