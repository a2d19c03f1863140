"""All that is published of the deals of a match, as plain data: the `fair` part of a record.

From it and the packs of the record anybody can compute every order again. It is complete only once
the match is over, for with the secrets of a pack goes the knowledge of all its cards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from jasstisch.errors import quote
from jasstisch.fair.encoding import FORMAT, MatchId, read_bytes
from jasstisch.fair.errors import FairError

__all__ = ["MOST_SEATS", "Attempt", "Contribution", "Evidence"]

MOST_SEATS = 16
MOST_NUMBER = 2**32 - 1


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one seat did in an attempt.

    Attributes:
        seat: whose.
        commitment: 32 bytes.
        opening: the contribution, 32 bytes; None when it was not opened in time.
    """

    seat: int
    commitment: bytes
    opening: bytes | None


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt at a pack.

    Attributes:
        secret: the server's, 32 bytes.
        people: who was asked, by ascending seats; () when the secret alone decides.
    """

    secret: bytes
    people: tuple[Contribution, ...]

    @property
    def missing(self) -> tuple[int, ...]:
        """The seats that did not open; an attempt with any is void."""
        return tuple(one.seat for one in self.people if one.opening is None)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Commitments, contributions and secrets of a match.

    Attributes:
        match: which match.
        ends: the ends of its chains, in the order in which they were used.
        packs: the attempts at each pack; the last of each has decided its order.
    """

    match: MatchId
    ends: tuple[bytes, ...]
    packs: tuple[tuple[Attempt, ...], ...]

    def plain(self) -> dict[str, Any]:
        """The same as plain JSON."""
        return {
            "format": FORMAT,
            "table": self.match.table.hex(),
            "match": self.match.number,
            "ends": [end.hex() for end in self.ends],
            "packs": [[_plain_attempt(attempt) for attempt in pack] for pack in self.packs],
        }

    @classmethod
    def read(cls, plain: object) -> Self:
        """Reads plain JSON; whether it holds is for `verify` to say.

        Raises:
            FairError: it has not the form of evidence; `pack` tells where.
        """
        fields = _fields(plain, ("format", "table", "match", "ends", "packs"), "evidence", 0)
        if fields["format"] != FORMAT:
            raise FairError(0, f"its format is {FORMAT!r}, not {quote(fields['format'])}")
        number = _number(fields["match"], "the number of a match", 0, low=1)
        match = MatchId(read_bytes(fields["table"], "the hash of the table"), number)
        ends = [read_bytes(end, "the end of a chain") for end in _items(fields["ends"], "ends", 0)]
        packs = _items(fields["packs"], "packs", 0)
        read = [_read_pack(attempts, pack) for pack, attempts in enumerate(packs, start=1)]
        return cls(match, tuple(ends), tuple(read))


def _plain_attempt(attempt: Attempt) -> dict[str, Any]:
    people = [
        {
            "seat": one.seat,
            "commitment": one.commitment.hex(),
            "opening": None if one.opening is None else one.opening.hex(),
        }
        for one in attempt.people
    ]
    return {"secret": attempt.secret.hex(), "people": people}


def _read_pack(attempts: object, pack: int) -> tuple[Attempt, ...]:
    return tuple(_read_attempt(one, pack) for one in _items(attempts, "attempts", pack))


def _read_attempt(plain: object, pack: int) -> Attempt:
    fields = _fields(plain, ("secret", "people"), "an attempt", pack)
    people = [_read_contribution(one, pack) for one in _items(fields["people"], "people", pack)]
    return Attempt(read_bytes(fields["secret"], "a secret", pack), tuple(people))


def _read_contribution(plain: object, pack: int) -> Contribution:
    fields = _fields(plain, ("seat", "commitment", "opening"), "a contribution", pack)
    opening = fields["opening"]
    return Contribution(
        _number(fields["seat"], "a seat", pack, high=MOST_SEATS - 1),
        read_bytes(fields["commitment"], "a commitment", pack),
        None if opening is None else read_bytes(opening, "an opening", pack),
    )


def _fields(plain: object, keys: tuple[str, ...], what: str, pack: int) -> Mapping[str, object]:
    if not isinstance(plain, dict) or set(plain) != set(keys):
        raise FairError(pack, f"{what} is an object with {', '.join(keys)}, not {quote(plain)}")
    return plain


def _items(plain: object, what: str, pack: int) -> Sequence[object]:
    if not isinstance(plain, list):
        raise FairError(pack, f"{what} are a list, not {quote(plain)}")
    return plain


def _number(plain: object, what: str, pack: int, low: int = 0, high: int = MOST_NUMBER) -> int:
    if type(plain) is not int or not low <= plain <= high:
        raise FairError(pack, f"{what} is a whole number from {low} to {high}, not {quote(plain)}")
    return plain
