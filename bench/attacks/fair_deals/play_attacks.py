"""Attacks in which the packs are those decided and the play is made up, see docs/fair-deals.md.

A program that knows the rules compares all that it was shown by one check, the page by several.
They are no test vectors: a view is no part of the protocol.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from bench.attacks.fair_deals.attacks import Attack, deal
from bench.attacks.fair_deals.checks import Edit
from bench.attacks.fair_deals.dishonest_server import HONEST, SEATS, DishonestServer, ForgedRecord
from bench.attacks.fair_deals.forgeries import other_card, other_hand
from bench.attacks.fair_deals.play import MOVES_TO_TRICK

_MATCH = {"rounds": 4}
"""A match that is over after four packs."""


def other_play(server: DishonestServer) -> ForgedRecord:
    """The record has the decided packs and another play than the device was shown."""
    record = _record(server, last_moves=MOVES_TO_TRICK)
    server.show([*record.play.steps(server.seat)])
    return replace(record, play=other_card(record.play, 0, 2))


def other_hand_dealt(server: DishonestServer) -> ForgedRecord:
    """The device is dealt another hand than was decided, and the table closed before it plays."""
    record = _record(server)
    server.show([*other_hand(record.play, 0, HONEST).steps(server.seat)])
    return record


def other_hand_left(server: DishonestServer) -> ForgedRecord:
    """A device that has been away is shown another hand than was decided, and the table closed."""
    record = _record(server)
    server.show([*other_hand(record.play, 0, HONEST).steps(server.seat, 1)], 1)
    return record


def other_result(server: DishonestServer) -> ForgedRecord:
    """The device is shown another result than the record has."""
    record = server.record([deal(server, pack) for pack in range(1, 5)])
    record = replace(record, play=replace(record.play, options=_MATCH, last_moves=-1))
    *before, last = record.play.steps(server.seat)
    others = [seat for seat in range(SEATS) if seat not in last.view["winners"]]
    server.show([*before, replace(last, view={**last.view, "winners": others})])
    return record


def _record(server: DishonestServer, last_moves: int = 0) -> ForgedRecord:
    """The record of a match with one pack, of which so many moves are made."""
    record = server.record([deal(server, 1)])
    return replace(record, play=replace(record.play, last_moves=last_moves))


def _attack(
    run: Callable[[DishonestServer], ForgedRecord], check: str, old: str, new: str = ""
) -> Attack:
    """An attack that the page stops by a check, without which it has another text."""
    return Attack(run, check, _PYTHON, Edit("compareMatch.ts", old, new))


_PYTHON = Edit(
    "jasstisch.client.deal_verdict", "witness is not None and not witness.is_of(match)", "False"
)

PLAY_ATTACKS: Final = (
    _attack(
        other_play,
        "each action in the record is the one that was seen",
        'isSameAction(seen.shown[one] ?? "", shown[recorded[at] as number])',
        "true",
    ),
    _attack(
        other_hand_dealt,
        "the device's own hand comes from the pack in the record",
        "isDealt(note, at, played, dealing))",
        "true)",
    ),
    _attack(
        other_hand_left,
        "the device's own hand comes from the pack in the record",
        "isDealt(note, at, played, dealing))",
        "true)",
    ),
    _attack(
        other_result,
        "the result in the record is the one that was seen",
        "isResult(note, at, record)",
        "true",
    ),
)
