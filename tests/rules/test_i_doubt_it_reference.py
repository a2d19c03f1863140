"""Whole matches of I Doubt It, compared with `reference_i_doubt_it`."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Mapping
from typing import Any

import pytest

import jasstisch as jt
from tests.rules import match_builders, reference_i_doubt_it
from tests.support.example_counts import examples

MOST_LISTED = 3000


def check_legal(match: jt.Match, table: reference_i_doubt_it.Table, rng: random.Random) -> None:
    """The same actions in the same order; of very many, their number and some of them."""
    seat = table.actor
    assert seat is not None
    assert match.to_act == (seat,)
    found = match.legal(seat)
    if len(found) <= MOST_LISTED:
        assert list(found) == list(table.legal())
        return
    assert len(found) == math.comb(len(match.hand(seat)), table.due) * len(
        reference_i_doubt_it.RANKS
    )
    start = rng.randrange(MOST_LISTED)
    for number, action in enumerate(itertools.islice(table.legal(), start, start + 20), start):
        assert found[number] == action
        assert action in found


def chosen(match: jt.Match, seat: int, doubting: float, rng: random.Random) -> str:
    """A random action: true claims are not rare, and `doubting` is the chance of a doubt."""
    legal = match.legal(seat)
    if match.view(None)["phase"] == "answer":
        return "doubt" if rng.random() < doubting else "pass"
    action: str = rng.choice(legal)
    laid = action.split()[1:-2]
    hand = match.hand(seat)
    same = [card for card in hand if card[0] == laid[0][0]][: len(laid)]
    if rng.random() < 0.5:
        laid = (same + [card for card in hand if card not in same])[: len(laid)]
    rng.shuffle(laid)
    rank = laid[0][0] if rng.random() < 0.8 else action[-1]
    return f"lay {' '.join(laid)} as {rank}"


def check_match(options: Mapping[str, Any], rng: random.Random, *, views: bool) -> set[str]:
    """Plays a random match on engine and reference; returns the kinds of events that occurred."""
    players = options["players"]
    dealer = rng.randrange(players)
    match = jt.Match(jt.game("i-doubt-it", dealer=dealer, **options))
    table = reference_i_doubt_it.Table(dealer=dealer, **options)
    doubting = rng.choice((0.01, 0.1, 0.4))
    met: set[str] = set()
    while not match.over:
        if match.needs_pack:
            assert table.actor is None
            assert match.view(None)["dealer"] == table.dealer
            assert match.rounds == table.rounds
            pack = match_builders.shuffled(match, rng)
            match.deal(pack)
            table.shuffle(pack)
        else:
            check_legal(match, table, rng)
            (seat,) = match.to_act
            action = chosen(match, seat, doubting, rng)
            match.act(seat, action)
            table.act(action)
        for reader in [None, *range(players)] if views else [None]:
            expected = table.seen(reader)
            view = match.view(reader)
            assert {key: view[key] for key in expected} == expected
        met |= events(table)
    assert match.rounds == table.rounds
    assert match.winners == table.winners
    assert match.standing == [{"chips": own} for own in table.chips]
    return met


def events(table: reference_i_doubt_it.Table) -> set[str]:
    """The kinds of events in the last turns and the last deal."""
    met: set[str] = set()
    for turn in table.turns[-2:]:
        if turn.doubter is not None:
            met.add("truth" if turn.is_true else "lie")
        if turn.drawn:
            met.add("drew")
        if turn.rank is None and not turn.drawn and turn is not table.turns[-1]:
            met.add("missed")
        if turn.rank is not None:
            met.add(f"lays {len(turn.laid)}")
    for result in table.rounds[-1:]:
        met.add("went out" if 0 in result["left"] else "too long")
        met |= {"nothing paid"} if not any(result["chips"]) else set()
    return met


CHOICES: list[dict[str, Any]] = [
    {"players": players, "rounds": rounds, "max_turns": turns, "last": last, "lie_fee": fee}
    for players, (rounds, turns), last, fee in itertools.product(
        (2, 3, 4, 5, 6, 7, 8), ((2, 20), (1, 60)), ("three", "any"), (0, 1)
    )
]


@pytest.mark.parametrize(
    "options", CHOICES, ids=lambda options: " ".join(str(value) for value in options.values())
)
def test_whole_matches_agree_with_the_reference__ID(options: dict[str, Any]) -> None:
    """Legal actions, draws, takers of the middle, fees, chips, winners, and every view."""
    rng = random.Random(repr(options))
    for number in range(examples(4, 1)):
        check_match(options, rng, views=number < 2)


@pytest.mark.parametrize("last", ["three", "any"])
def test_random_matches_cover_all_turns_and_endings__ID5_ID6_ID8(last: str) -> None:
    """Draws, last cards, deals won and deals too long all occur and agree with the reference."""
    rng = random.Random(last)
    met: set[str] = set()
    for number in range(40):
        options = {
            "players": 4 + number % 5,
            "rounds": 2,
            "max_turns": 20 + number % 3 * 15,
            "last": last,
            "lie_fee": 0,
        }
        met |= check_match(options, rng, views=False)
    assert {"went out", "too long", "nothing paid", "truth", "lie"} <= met
    assert met >= ({"drew"} if last == "three" else {"lays 1", "lays 2"})
