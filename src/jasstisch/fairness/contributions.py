"""What a person adds to the chance of a deal: a random number, committed to before it is opened."""

import hmac
from collections.abc import Sequence

from jasstisch.engine.errors import quote
from jasstisch.fairness.encoding import MatchId, digest, parse_digest
from jasstisch.fairness.errors import FairError

__all__ = ["commitment", "matches_commitment", "read_commitments"]


def commitment(match: MatchId, pack: int, attempt: int, seat: int, contribution: bytes) -> bytes:
    """The hash by which a seat commits itself to its contribution.

    It holds for this one place alone, so that nobody can commit himself to what another one has
    sent, nor use anything a second time.

    Args:
        match: which match.
        pack: number of the pack in the match, from 1.
        attempt: number of the attempt at this pack, from 1.
        seat: from 0.
        contribution: 32 random bytes.
    """
    place = (match.table, match.number, pack, attempt, seat)
    return digest("contribution", *place, contribution)


def matches_commitment(
    committed: bytes, match: MatchId, pack: int, attempt: int, seat: int, contribution: bytes
) -> bool:
    """Whether a contribution is the one that was committed to at this place."""
    made = commitment(match, pack, attempt, seat, contribution)
    return hmac.compare_digest(committed, made)


def read_commitments(texts: object, seats: int, pack: int = 0) -> tuple[bytes, ...]:
    """What a person commits himself to for all attempts there can be at a pack, the first first.

    Args:
        texts: as many commitments as there are `seats`, in hexadecimal digits.
        seats: how many seats the table has: each attempt that fails leaves somebody out.
        pack: number of the pack, for the error.

    Raises:
        FairError: there are more or fewer, or one of them is no hash.
    """
    if not isinstance(texts, Sequence) or isinstance(texts, str) or len(texts) != seats:
        raise FairError(pack, f"commitments are a list of {seats} hashes, not {quote(texts)}")
    return tuple(parse_digest(text, "a commitment", pack) for text in texts)
