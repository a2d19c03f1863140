"""Whole matches of Handjass, compared with `reference_handjass`."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping
from typing import Any

import pytest

import jasstisch as jt
from tests.rules import match_builders, reference, reference_handjass
from tests.support.example_counts import QUICK, examples

CHOICES: list[dict[str, Any]] = [
    {"players": players, "target": target, "undertrump": undertrump, "ties": ties}
    for players, target, undertrump, ties in itertools.product(
        (2, 3, 4), (5, 7, 9), ("strict", "forced"), ("nothing", "generous")
    )
]


def in_any_order(found: list[dict[str, Any]]) -> list[tuple[int, list[str]]]:
    """Melds in a fixed order, for those of equal points may be listed either way."""
    return sorted(((meld["points"], meld["cards"]) for meld in found), reverse=True)


def comparable(seen: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a view that is the game's own, with melds in a fixed order."""
    result = dict(seen)
    result["melds"] = in_any_order(seen["melds"])
    if seen["weis_shown"]:
        shown = seen["weis_shown"]
        result["weis_shown"] = (shown["seat"], in_any_order(shown["melds"]))
    return result


def check_views(match: jt.Match, table: reference_handjass.Table) -> None:
    """Every reader sees what the reference says, and the melds best first."""
    now = table.round
    for reader in [None, *range(table.players)]:
        view = match.view(reader)
        expected = comparable(table.seen(reader))
        assert {key: comparable(view)[key] for key in expected} == expected
        points = [meld["points"] for meld in view["melds"]]
        assert points == sorted(points, reverse=True)
        assert view["points"] == [now.points(seat) if now else 0 for seat in range(table.players)]
        assert view["trump"] == (now.trump if now else None)
        assert view["tricks"] == (now.tricks if now else [])
        assert view["trick"] == [list(entry) for entry in (now.trick if now else [])]
        assert view["standing"] == table.standing()
        held = [now.hands.get(seat, []) if now else [] for seat in range(table.players)]
        assert view["hand_sizes"] == [len(hand) for hand in held]
        if reader is not None:
            assert view["hand"] == reference_handjass.in_order(held[reader])


def check_match(options: Mapping[str, Any], rng: random.Random, *, views: bool) -> set[str]:
    """Plays a random match on engine and reference; returns the kinds of events that occurred."""
    dealer = rng.randrange(options["players"])
    match = jt.Match(jt.game("jass", dealer=dealer, **options))
    table = reference_handjass.Table(dealer=dealer, **options)
    boldness = rng.choice((1, 3, 9))
    met: set[str] = set()
    while not match.over:
        if match.needs_pack:
            assert table.round is None
            assert match.rounds == table.rounds
            assert match.view(None)["dealer"] == table.dealer
            pack = match_builders.shuffled(match, rng)
            match.deal(pack)
            table.shuffle(pack)
        else:
            seat = table.actor()
            assert match.to_act == (seat,)
            assert seat is not None
            legal = table.legal()
            assert list(match.legal(seat)) == legal
            likely = {"stay": boldness, "rob": len(legal)}
            action = rng.choices(legal, [likely.get(each, 1) for each in legal])[0]
            match.act(seat, action)
            table.act(action)
            met.add(action.split()[-1])
        if views:
            check_views(match, table)
    assert match.rounds == table.rounds
    assert match.standing == table.standing()
    assert match.winners == table.winners
    for result in match.rounds:
        met |= {f"{len(result['playing'])} play", *result["marks"]}
        met |= {key for key in ("weis", "stoeck") if any(result[key])}
    met |= {f"{len(match.winners)} of {table.players} win"}
    met |= {sign for slate in table.slates for sign in slate}
    return met


@pytest.mark.parametrize(
    "options", CHOICES, ids=lambda options: " ".join(str(value) for value in options.values())
)
def test_whole_matches_agree_with_the_reference__JS(options: dict[str, Any]) -> None:
    """Legal actions, tricks, Weis, Stöck, points, marks, slates, who is safe, who wins."""
    rng = random.Random(repr(options))
    met: set[str] = set()
    for number in range(examples(8, 1)):
        met |= check_match(options, rng, views=number == 0)
    if QUICK:
        return
    players = options["players"]
    assert met >= {"stay", "drop", "weis", "stoeck", "|", "||", "0", "Ø"}
    assert met >= {f"{number} play" for number in range(1, players + 1)}
    assert met >= {"blind", "rob"}
    assert f"{players - 1} of {players} win" in met


@pytest.mark.parametrize("players", [2, 3, 4])
def test_views_agree_with_the_reference_at_every_step__JS(players: int) -> None:
    """Views of each seat and of a spectator."""
    rng = random.Random(players)
    options = {"players": players, "target": 5, "undertrump": "strict", "ties": "nothing"}
    for _ in range(examples(5, 1)):
        check_match(options, rng, views=True)


def likely_hand(kind: int, rng: random.Random) -> list[str]:
    """Nine cards of few suits, of few ranks, or of short runs."""
    pack = reference.pack(4)
    rng.shuffle(pack)
    suits, ranks = rng.sample("CDHS", rng.randint(1, 4)), rng.sample("9TJQKA", 2)
    if kind == 0:
        near = [card for card in pack if card[1] in suits]
    elif kind == 1:
        near = sorted(pack, key=lambda card: card[0] not in ranks)[: rng.choice((9, 11, 13))]
    else:
        starts = dict(zip("CDHS", rng.choices(range(7), k=4), strict=True))
        order = reference.PLAIN_ORDER.index
        near = [card for card in pack if order(card[0]) - starts[card[1]] in {0, 1, 2}]
        return sorted(near, key=lambda card: "CDHS".index(card[1]))[rng.choice((0, 0, 1)) :][:9]
    rng.shuffle(near)
    return near[:9]


def test_melds_agree_with_the_reference_on_random_hands__JS7() -> None:
    """On hands with many cards of few ranks or suits the same melds are found, best first."""
    rng = random.Random(77)
    met: dict[int, int] = {}
    for number in range(examples(900, 600)):
        hand = likely_hand(number % 3, rng)
        left = [card for card in reference.pack(4) if card not in hand]
        rng.shuffle(left)
        match = jt.Match(jt.game("jass", dealer=3))
        match.deal(match_builders.packed([hand, left[:9], left[9:18], left[18:]], 3))
        trump = str(match.trump)
        expected = reference_handjass.Table.written(reference_handjass.melds(hand, trump))
        found = match.view(0)["melds"]
        assert in_any_order(found) == in_any_order(expected), hand
        keys = [reference_handjass.better_by(tuple(meld["cards"]), trump) for meld in found]
        assert keys == sorted(keys, reverse=True)
        met[len(found)] = met.get(len(found), 0) + 1
    assert min(met.get(count, 0) for count in range(4)) > 5, met
