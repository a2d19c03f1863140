"""Whole matches with verifiable deals, for tests."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import jasstisch as jt
from jasstisch.fairness import DealContributor, Ledger, MatchId, PendingContributions
from tools.fairness_vectors import SEED, deal_pack
from tools.pseudo_random_bytes import pseudo_random_bytes


def fair_match(
    game: jt.Match | None = None,
    *,
    people: Sequence[int] = (0, 3),
    absences: Mapping[int, Mapping[int, int]] | None = None,
    seed: int = 1,
) -> tuple[dict[str, Any], dict[int, DealContributor]]:
    """The record of a randomly played match, with its evidence, and its contributors by seat.

    Args:
        game: the match before its first pack; a short Differenzler by default.
        people: the seats that contribute.
        absences: for each number of a pack, the seats that do not open, with the attempt.
        seed: the seed of the random play.
    """
    match = game or jt.Match(
        jt.game("differenzler", rounds=4), ["Anna", "bot:club", "bot:club", "Reto"]
    )
    rng = Random(seed)
    seats = match.game.players
    ledger = Ledger.begin(SEED, MatchId.of("a table", 1), seats)
    pending = PendingContributions()
    contributors = {
        seat: DealContributor(ledger.announcement, seats, pseudo_random_bytes(f"seat {seat}"))
        for seat in people
    }
    while not match.over:
        if not match.needs_pack:
            seat = match.to_act[0]
            match.act(seat, rng.choice(match.legal(seat)))
            continue
        pack = ledger.next_pack_number
        missing = dict((absences or {}).get(pack, {}))
        for seat, contributor in contributors.items():
            if seat not in ledger.excluded_seats:
                pending.add_commitments(ledger, seat, pack, contributor.commit(pack, seat))
        ledger = deal_pack(ledger, pending, contributors, dict.fromkeys(people, 0) | missing)
        match.deal(ledger.derive_order(match.pack))
    match.fair = ledger.evidence().to_json()
    return dict(match.record()), contributors
