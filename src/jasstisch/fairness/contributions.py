"""Contributions: the random number that each person adds to a deal, committed to before opened."""

import hmac
from collections.abc import Sequence

from jasstisch.engine.errors import quote
from jasstisch.fairness.encoding import MatchId, digest, parse_digest
from jasstisch.fairness.errors import FairError


def commitment(match: MatchId, pack: int, attempt: int, seat: int, contribution: bytes) -> bytes:
    """The hash that commits a seat to its contribution.

    It is bound to this match, pack, attempt and seat, so that nobody can copy the commitment of
    another seat or use one twice.

    Args:
        match: the id of the match.
        pack: number of the pack in the match, from 1.
        attempt: number of the attempt at this pack, from 1.
        seat: from 0.
        contribution: 32 random bytes.
    """
    place = (match.table_hash, match.number, pack, attempt, seat)
    return digest("contribution", *place, contribution)


def matches_commitment(
    committed: bytes, match: MatchId, pack: int, attempt: int, seat: int, contribution: bytes
) -> bool:
    """Whether a contribution matches the commitment for this match, pack, attempt and seat."""
    made = commitment(match, pack, attempt, seat, contribution)
    return hmac.compare_digest(committed, made)


def read_commitments(texts: object, seats: int, pack: int = 0) -> tuple[bytes, ...]:
    """Parses a person's commitments for all possible attempts at a pack, in order.

    Args:
        texts: as many commitments as there are `seats`, in hexadecimal digits.
        seats: the number of seats. It bounds the attempts, because each void one excludes a seat.
        pack: number of the pack, for the error.

    Raises:
        FairError: their number is wrong, or one of them is not a hash.
    """
    if not isinstance(texts, Sequence) or isinstance(texts, str) or len(texts) != seats:
        raise FairError(pack, f"commitments are a list of {seats} hashes, not {quote(texts)}")
    return tuple(parse_digest(text, "a commitment", pack) for text in texts)
