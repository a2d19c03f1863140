"""Rounds that end with given scores, found once and kept in `rounds.json`.

The rule book's vectors are scores; a whole round that yields them tests the way from the cards to
the marks. `python -m tests.rules.scored_rounds` looks for those still missing, by annealing over
the deal and the choices, and writes the file. Tests read it only. The last seat deals, seat 0
leads; at Jass everybody stays, nobody takes the blind, robs or announces Weis.
"""

from __future__ import annotations

import json
import math
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jasstisch as jt
from tests.rules import match_builders, reference

FILE = Path(__file__).with_name("rounds.json")

# Game and scores by seat; the first lines are the rule book's own vectors.
WANTED: list[tuple[str, tuple[int, ...]]] = [
    ("molotov", (10, 20, 30, 97)),
    ("molotov", (10, 20, 20, 107)),
    ("molotov", (39, 39, 39, 40)),
    ("molotov", (5, 50, 51, 51)),
    ("molotov", (20, 20, 30, 87)),
    ("molotov", (30, 50, 77)),
    ("molotov", (50, 50, 57)),
    ("molotov", (31, 63, 63)),
    ("molotov", (59, 59, 59)),
    ("molotov", (10, 20, 30, 40, 57)),
    ("molotov", (10, 20, 30, 30, 67)),
    ("molotov", (10, 20, 27, 50, 50)),
    ("molotov", (10, 15, 20, 30, 41, 41)),
    ("molotov", (0, 10, 30, 30, 40, 47)),
    ("molotov", (0, 0, 20, 40, 40, 57)),
    ("molotow", (90, 9, 34, 24)),
    ("molotow", (40, 40, 30, 47)),
    ("molotow", (60, 60, 7, 30)),
    ("molotow", (10, 10, 57, 80)),
    ("molotow", (120, 20, 10, 7)),
    ("molotow", (157, 0, 0, 0)),
    ("molotow", (19, 19, 19, 100)),
    ("molotow", (20, 20, 20, 97)),
    ("molotow", (50, 50, 50, 7)),
    ("molotow", (20, 97, 20, 20)),
    ("molotow", (7, 50, 50, 50)),
    ("molotow", (30, 28, 0, 99)),
    ("molotow", (100, 57, 0, 0)),
    ("molotow", (0, 155, 0, 2)),
    ("jass", (60, 40, 40)),
    ("jass", (45, 45, 45)),
    ("jass", (60, 60, 20)),
    ("jass", (100, 20, 10)),
    ("jass", (80, 60)),
    ("jass", (80, 20)),
    ("jass", (50, 50)),
    ("jass", (20, 20)),
    ("jass", (20, 21)),
    ("jass", (40, 60, 21)),
    ("jass", (20, 60, 60)),
    ("jass", (40, 70, 20)),
    ("jass", (20, 20, 19)),
    ("jass", (60, 40, 37, 20)),
    ("jass", (50, 36, 36, 35)),
    ("jass", (79, 39, 39, 0)),
    ("jass", (40, 39, 39, 39)),
    ("jass", (45, 46, 46, 20)),
    ("jass", (45, 45, 45, 22)),
    ("jass", (100, 20, 20, 17)),
    ("jass", (20, 116, 21, 0)),
    ("jass", (21, 115, 21, 0)),
]
UNDERTRUMP = {"molotov": "free", "molotow": "if_void", "jass": "strict"}


def key(name: str, scores: Sequence[int]) -> str:
    """The key of a round in the file."""
    return f"{name} {' '.join(map(str, scores))}"


def load(name: str, scores: Sequence[int]) -> dict[str, str]:
    """The pack and the cards in the order played, of the round with these scores."""
    found: dict[str, str] = json.loads(FILE.read_text())[key(name, scores)]
    return found


def played(name: str, scores: Sequence[int], **options: Any) -> jt.Match:
    """A match whose first round was played to these scores."""
    found = load(name, scores)
    players = len(scores)
    match = jt.Match(jt.game(name, players=players, dealer=players - 1, **options))
    match.deal(found["pack"])
    match_builders.play(match, found["play"].split())
    return match


def played_jass(scores: Sequence[int], **options: Any) -> jt.Match:
    """A match of Jass whose first round was played to these scores."""
    found = load("jass", scores)
    players = len(scores)
    match = jt.Match(jt.game("jass", players=players, dealer=players - 1, **options))
    match.deal(found["pack"])
    match_builders.say_all(match, "stay " * players)
    match_builders.play(match, found["play"].split())
    return match


def round_with(
    rng: random.Random,
    players: int,
    forehand: int,
    wanted: Callable[[reference.Played], bool],
    undertrump: str = "free",
) -> reference.Played:
    """A random round for which `wanted` holds; the generator's seed decides which."""
    for _ in range(20_000):
        found = reference.play_round(
            match_builders.random_hands(players, rng),
            forehand,
            lambda _seat, options: rng.choice(options),
            undertrump,
        )
        if wanted(found):
            return found
    raise AssertionError("no such round was found")


def scores_of(name: str, found: reference.Played) -> list[int]:
    """The scores by which that game gives marks."""
    points = found.molotov_points() if name == "molotov" else found.card_points()
    if name == "jass":
        stoeck = {f"K{found.trump}", f"Q{found.trump}"}
        points = [
            own + 20 * (stoeck <= set(hand)) for own, hand in zip(points, found.hands, strict=True)
        ]
    return points


def random_places(name: str, players: int, rng: random.Random) -> list[list[str]]:
    """Random hands; at Jass of fewer than four the blind and the dead hand behind them."""
    return match_builders.random_hands(4 if name == "jass" else players, rng)


def shown_card(places: Sequence[Sequence[str]], players: int) -> str:
    """The card that makes trump at Jass (JS3)."""
    return places[3][-1] if players == 4 else places[3][0]


def pack_of(places: Sequence[Sequence[str]], players: int) -> str:
    """The pack that deals these hands and leaves what is behind them in its order."""
    if len(places) == players:
        return match_builders.packed(places, players - 1)
    dealt = [
        card
        for packet in range(0, 9, 3)
        for hand in places[:players]
        for card in hand[packet : packet + 3]
    ]
    return " ".join([*dealt, *(card for hand in places[players:] for card in hand)])


def find(name: str, scores: Sequence[int], rng: random.Random) -> dict[str, str]:
    """Look for a round that ends with exactly these scores."""
    players = len(scores)

    def attempt(hands: list[list[str]], draws: list[float]) -> tuple[int, reference.Played]:
        turn = iter(draws)
        found = reference.play_round(
            hands[:players],
            0,
            lambda _seat, options: options[int(next(turn) * len(options))],
            UNDERTRUMP[name],
            shown_card(hands, players)[1] if name == "jass" else None,
        )
        off = zip(scores_of(name, found), scores, strict=True)
        return sum(abs(a - b) for a, b in off), found

    while True:
        hands = random_places(name, players, rng)
        draws = [rng.random() for _ in reference.pack(players)]
        distance, found = attempt(hands, draws)
        for trial in range(6000):
            if distance == 0:
                plays = " ".join(found.cards)
                return {"pack": pack_of(hands, players), "play": plays}
            new_hands = [list(hand) for hand in hands]
            new_draws = list(draws)
            if rng.random() < 0.5:
                one, two = rng.sample(range(len(hands)), 2)
                i, j = rng.randrange(len(hands[one])), rng.randrange(len(hands[two]))
                new_hands[one][i], new_hands[two][j] = hands[two][j], hands[one][i]
            else:
                new_draws[rng.randrange(len(draws))] = rng.random()
            new_distance, new_found = attempt(new_hands, new_draws)
            heat = 8 * (1 - trial / 6000) + 0.5
            if rng.random() < math.exp(min(0.0, (distance - new_distance) / heat)):
                hands, draws, distance, found = new_hands, new_draws, new_distance, new_found


def main() -> None:
    """Find what the file lacks and write it."""
    kept = json.loads(FILE.read_text()) if FILE.exists() else {}
    for name, scores in WANTED:
        if key(name, scores) not in kept:
            kept[key(name, scores)] = find(name, scores, random.Random(key(name, scores)))
            sys.stdout.write(key(name, scores) + "\n")
            lines = json.dumps(
                {key(*wanted): kept[key(*wanted)] for wanted in WANTED if key(*wanted) in kept},
                indent=1,
            )
            FILE.write_text(lines + "\n")


if __name__ == "__main__":
    main()
