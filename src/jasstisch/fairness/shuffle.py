"""The shuffle: the order of a pack from the secret and contributions of the deciding attempt."""

import hmac
from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from jasstisch.engine.cards import SUITS
from jasstisch.engine.errors import quote
from jasstisch.fairness.encoding import MatchId, digest
from jasstisch.fairness.errors import FairError
from jasstisch.fairness.evidence import Contribution

_RANKS = "23456789TJQKA"


def sorted_pack(cards: Iterable[str], pack: int = 0) -> list[str]:
    """The order of the cards before the shuffle: by suit C D H S, then by rank, 2 to A.

    `match.pack` has the same order, and a verifier can restore it from the shuffled pack alone.

    Raises:
        FairError: one of them is not the text of a card, or is there twice.
    """
    found = sorted(cards, key=lambda card: _sort_key(card, pack))
    if len(set(found)) < len(found):
        raise FairError(pack, "a card is there twice")
    return found


def _sort_key(card: str, pack: int) -> tuple[int, int]:
    if len(card) != 2 or card[0] not in _RANKS or card[1] not in SUITS:
        raise FairError(pack, f"a card is a rank of {_RANKS} and a suit of {SUITS}: {quote(card)}")
    return SUITS.index(card[1]), _RANKS.index(card[0])


def transcript_hash(match: MatchId, pack: int, attempts: Sequence[Sequence[Contribution]]) -> bytes:
    """The hash of all commitments and openings for a pack.

    Args:
        match: the id of the match.
        pack: number of the pack, from 1.
        attempts: the attempts at this pack, void ones first; the last one decides.

    Returns:
        32 bytes. It covers the commitments of all attempts, and the contributions of the last.
    """
    parts: list[bytes | int] = [len(attempts)]
    for people in attempts:
        parts.append(len(people))
        for one in people:
            parts += [one.seat, one.commitment]
    parts += [one.opening for one in attempts[-1] if one.opening is not None]
    return digest("deal", match.table_hash, match.number, pack, *parts)


def derive_order(
    cards: Iterable[str], secret: bytes, transcript: bytes, pack: int = 0
) -> list[str]:
    """The pack, shuffled.

    A Fisher-Yates shuffle from the last card to the second: each card is exchanged with one of the
    cards up to itself. Random bytes choose that card, with rejection sampling to avoid bias.

    Args:
        cards: all different, in any order; the shuffle begins with the sorted pack.
        secret: the secret of the deciding attempt.
        transcript: the hash of all attempts at the pack.
        pack: number of the pack, for the error.

    Raises:
        FairError: one of them is not the text of a card, or is there twice.
    """
    result = sorted_pack(cards, pack)
    chance = _random_bytes(secret, transcript)
    for last in range(len(result) - 1, 0, -1):
        place = _uniform_below(last + 1, chance)
        result[last], result[place] = result[place], result[last]
    return result


def _random_bytes(secret: bytes, transcript: bytes) -> Iterator[int]:
    """HMAC-SHA-256 in counter mode, byte for byte."""
    for block in count():
        yield from hmac.digest(secret, transcript + block.to_bytes(4, "big"), "sha256")


def _uniform_below(bound: int, chance: Iterator[int]) -> int:
    """A uniformly distributed integer from 0 to bound − 1."""
    fair = 256 - 256 % bound
    return next(byte for byte in chance if byte < fair) % bound
