"""The published evidence of the deals of a match, as plain data: the `fair` part of a record.

From it and the packs of the record anybody can recompute every order. It is complete only after the
match, because the secret of a pack reveals all its cards.
"""

from dataclasses import dataclass
from typing import Any, Self

from jasstisch.engine.errors import quote
from jasstisch.fairness.encoding import FORMAT, MatchId, parse_digest
from jasstisch.fairness.errors import FairError
from jasstisch.fairness.json_validation import (
    require_int,
    require_list,
    require_object,
    require_seat,
)


@dataclass(frozen=True, slots=True)
class Contribution:
    """The commitment and opening of one seat in an attempt.

    Attributes:
        seat: the seat.
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
        contributions: the contributions of the seats asked, by ascending seats; () when the secret
            alone decides.
    """

    secret: bytes
    contributions: tuple[Contribution, ...]

    @property
    def missing_seats(self) -> tuple[int, ...]:
        """The seats that did not open; an attempt with any is void."""
        return tuple(one.seat for one in self.contributions if one.opening is None)


@dataclass(frozen=True, slots=True)
class Evidence:
    """Commitments, contributions and secrets of a match.

    Attributes:
        match: the id of the match.
        chain_ends: the ends of its chains, in order of use.
        attempts_by_pack: the attempts at each pack; the last one decided the order.
    """

    match: MatchId
    chain_ends: tuple[bytes, ...]
    attempts_by_pack: tuple[tuple[Attempt, ...], ...]

    def to_json(self) -> dict[str, Any]:
        """The same as plain JSON."""
        return {
            "format": FORMAT,
            "table": self.match.table_hash.hex(),
            "match": self.match.number,
            "ends": [end.hex() for end in self.chain_ends],
            "packs": [
                [_attempt_to_json(attempt) for attempt in pack] for pack in self.attempts_by_pack
            ],
        }

    @classmethod
    def from_json(cls, plain: object) -> Self:
        """Parses plain JSON; `verify` checks whether the evidence is valid.

        Raises:
            FairError: it does not have the form of evidence; `pack` says where.
        """
        found = require_object(plain, ("format", "table", "match", "ends", "packs"), "evidence", 0)
        if found["format"] != FORMAT:
            raise FairError(0, f"its format is {FORMAT!r}, not {quote(found['format'])}")
        which = require_int(found["match"], "the number of a match", 0, low=1)
        match = MatchId(parse_digest(found["table"], "the hash of the table"), which)
        ends = [
            parse_digest(end, "the end of a chain")
            for end in require_list(found["ends"], "ends", 0)
        ]
        packs = require_list(found["packs"], "packs", 0)
        read = [_parse_pack(attempts, pack) for pack, attempts in enumerate(packs, start=1)]
        return cls(match, tuple(ends), tuple(read))


def _attempt_to_json(attempt: Attempt) -> dict[str, Any]:
    people = [
        {
            "seat": one.seat,
            "commitment": one.commitment.hex(),
            "opening": None if one.opening is None else one.opening.hex(),
        }
        for one in attempt.contributions
    ]
    return {"secret": attempt.secret.hex(), "people": people}


def _parse_pack(attempts: object, pack: int) -> tuple[Attempt, ...]:
    return tuple(_parse_attempt(one, pack) for one in require_list(attempts, "attempts", pack))


def _parse_attempt(plain: object, pack: int) -> Attempt:
    found = require_object(plain, ("secret", "people"), "an attempt", pack)
    people = [
        _parse_contribution(one, pack) for one in require_list(found["people"], "people", pack)
    ]
    return Attempt(parse_digest(found["secret"], "a secret", pack), tuple(people))


def _parse_contribution(plain: object, pack: int) -> Contribution:
    found = require_object(plain, ("seat", "commitment", "opening"), "a contribution", pack)
    opening = found["opening"]
    return Contribution(
        require_seat(found["seat"], pack),
        parse_digest(found["commitment"], "a commitment", pack),
        None if opening is None else parse_digest(opening, "an opening", pack),
    )
