"""What a dishonest server may change in the record it publishes, one thing at a time."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from bench.attacks.fair_deals.dishonest_server import (
    HONEST,
    SEATS,
    Commitments,
    DishonestServer,
    ForgedRecord,
    PublishedPack,
    orders,
)
from bench.attacks.fair_deals.play import CARDS_PER_PACK, Play
from jasstisch.engine.cards import JASS
from jasstisch.fairness import Attempt, Contribution, Evidence


def published_pack(
    commitments: Mapping[int, Commitments], missing: Sequence[Sequence[int]] = ()
) -> PublishedPack:
    """A pack with void attempts of those seats that are asked in them."""
    asked = set(commitments)
    voids: list[tuple[int, ...]] = []
    for seats in missing:
        out = tuple(seat for seat in sorted(seats) if seat in asked)
        if out and len(voids) + 1 < len(commitments):
            voids.append(out)
            asked -= set(out)
    return PublishedPack(commitments, tuple(voids))


# --- before the record is made: what is said of a pack -----------------------------------------


def other_commitments(
    server: DishonestServer, made: PublishedPack, pack: int, seat: int
) -> PublishedPack:
    """An accomplice has committed to something else."""
    return replace(made, commitments={**made.commitments, seat: server.accomplice(pack, seat, 1)})


def seat_left_out(
    server: DishonestServer, made: PublishedPack, pack: int, seat: int
) -> PublishedPack:
    """Somebody who was called is left out."""
    rest = {one: given for one, given in made.commitments.items() if one != seat}
    return published_pack(rest, made.voids)


def other_missing(
    server: DishonestServer, made: PublishedPack, pack: int, seat: int
) -> PublishedPack:
    """Somebody else is missing in the first void attempt."""
    return published_pack(made.commitments, [(seat,), *made.voids[1:]])


def void_added(server: DishonestServer, made: PublishedPack, pack: int, seat: int) -> PublishedPack:
    """There is another void attempt."""
    return published_pack(made.commitments, [*made.voids, (seat,)])


def void_removed(
    server: DishonestServer, made: PublishedPack, pack: int, seat: int
) -> PublishedPack:
    """There is a void attempt less."""
    return replace(made, voids=made.voids[:-1])


PACK_FORGERIES: Final[
    Sequence[Callable[[DishonestServer, PublishedPack, int, int], PublishedPack]]
] = (other_commitments, seat_left_out, other_missing, void_added, void_removed)


# --- afterwards: what the record has ------------------------------------------------------------


def later_secret(server: DishonestServer, record: ForgedRecord, index: int) -> ForgedRecord:
    """The secret that decides a pack is another one."""
    return _with_last_attempt(
        record, index, lambda attempt: replace(attempt, secret=server.chain(1).secret(0))
    )


def other_opening(server: DishonestServer, record: ForgedRecord, index: int) -> ForgedRecord:
    """An accomplice has opened something else than they had committed to."""

    def change(attempt: Attempt) -> Attempt:
        if not attempt.contributions or attempt.contributions[-1].seat == HONEST:
            return attempt
        *before, last = attempt.contributions
        opened = Contribution(last.seat, last.commitment, b"x" * 32)
        return replace(attempt, contributions=(*before, opened))

    return _with_last_attempt(record, index, change)


def other_cards(server: DishonestServer, record: ForgedRecord, index: int) -> ForgedRecord:
    """The pack lies in another order."""
    return replace(record, play=other_hand(record.play, index, HONEST))


def computers(server: DishonestServer, record: ForgedRecord, index: int) -> ForgedRecord:
    """The accomplices are computers."""
    players = [record.play.players[HONEST], *["bot:club"] * (SEATS - 1)]
    return replace(record, play=replace(record.play, players=players))


RECORD_FORGERIES: Final[Sequence[Callable[[DishonestServer, ForgedRecord, int], ForgedRecord]]] = (
    later_secret,
    other_opening,
    other_cards,
    computers,
)


def _with_last_attempt(
    record: ForgedRecord, index: int, change: Callable[[Attempt], Attempt]
) -> ForgedRecord:
    packs = [*record.evidence.attempts_by_pack]
    *before, last = packs[index]
    packs[index] = (*before, change(last))
    evidence: Evidence = replace(record.evidence, attempts_by_pack=tuple(packs))
    play = replace(record.play, packs=orders(evidence, JASS.texts))
    return replace(record, evidence=evidence, play=play)


# --- during the match: what the device is shown of the play -------------------------------------


def other_hand(play: Play, index: int, seat: int) -> Play:
    """A pack lies in another order."""
    packs = [*play.packs]
    packs[index] = packs[index][::-1]
    return replace(play, packs=packs)


def other_card(play: Play, index: int, seat: int) -> Play:
    """Somebody plays another card to the first trick after a pack."""
    return replace(play, other_card=CARDS_PER_PACK * index + seat)


PLAY_FORGERIES: Final[Sequence[Callable[[Play, int, int], Play]]] = (other_hand, other_card)
