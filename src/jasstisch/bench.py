"""How many rounds of cards the engine plays in a second, and how many another engine does.

All figures are for random play on one core in plain Python. Whole rounds go through the public
`Match` (packs, bids, plays, scoring and log); bare rounds use the functions of `tricks` alone. A
peer is another published engine; it is measured where it is installed, in its own game.
"""

import random
import time
from collections.abc import Callable, Mapping
from importlib import import_module, metadata
from typing import Any

import jasstisch as jt
from jasstisch import tricks
from jasstisch.cards import JASS

__all__ = ["OWN", "PEERS", "bare_rounds", "installed", "match_rounds", "rate", "schieber_rounds"]

ROUNDS = 16
REPEATS = 5

Play = Callable[[random.Random], int]
"""Plays some random rounds and returns their number."""


def match_rounds(rng: random.Random) -> int:
    """Plays one random match of Differenzler through `Match`."""
    match = jt.Match(jt.game("differenzler", rounds=ROUNDS))
    pack = list(JASS.texts)
    pick = rng.random
    while not match.over:
        if match.needs_pack:
            rng.shuffle(pack)
            match.shuffle(pack)
        else:
            seat = match.to_act[0]
            legal = match.legal(seat)
            match.act(seat, legal[int(pick() * len(legal))])
    return ROUNDS


def bare_rounds(rng: random.Random) -> int:
    """Plays random rounds with the functions of `tricks` alone."""
    pack = list(range(36))
    for _ in range(ROUNDS):
        rng.shuffle(pack)
        hands = [sum([1 << card for card in pack[9 * seat : 9 * seat + 9]]) for seat in range(4)]
        bare_round(hands, rng.randrange(4), rng.random)
    return ROUNDS


def bare_round(hands: list[int], trump: int, pick: Callable[[], float]) -> list[int]:
    """Plays one random round from these hands; the points of each seat."""
    legal_cards, beats, void = tricks.legal_cards, tricks.beats, tricks.IF_VOID
    taken = [0, 0, 0, 0]
    winner = 0
    for _ in range(9):
        seat = winner
        led = best = top = -1
        cards = 0
        for _ in range(4):
            choice = legal_cards(hands[seat], led, trump, top, void)
            for _ in range(int(pick() * choice.bit_count())):
                choice &= choice - 1
            bit = choice & -choice
            card = bit.bit_length() - 1
            hands[seat] ^= bit
            cards |= bit
            if led < 0:
                led, best = card // 9, card
            elif beats(card, best, trump):
                best, winner = card, seat
                if card // 9 == trump:
                    top = card
            seat = (seat + 1) & 3
        taken[winner] |= cards
    scores = [tricks.points(cards, trump) for cards in taken]
    scores[winner] += tricks.LAST_TRICK
    return scores


def schieber_rounds(_: random.Random) -> int:
    """Plays random rounds of Schieber with pyschieber, which draws its chance elsewhere."""
    tournament: Any = import_module("pyschieber.tournament").Tournament()
    player: Any = import_module("pyschieber.player.random_player").RandomPlayer
    for number in range(4):
        tournament.register_player(player(name=str(number)))
    tournament.play(rounds=ROUNDS)
    return ROUNDS


OWN: Mapping[str, Play] = {"match": match_rounds, "bare": bare_rounds}
"""Our own figures by name."""

PEERS: Mapping[str, Play] = {"pyschieber": schieber_rounds}
"""The peers by the name of their package."""


def installed() -> dict[str, str]:
    """The peers that are installed, with their versions."""
    versions = {}
    for package in PEERS:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return versions


def rate(play: Play, seconds: float) -> float:
    """Rounds per second: the median of several runs that take this long together."""
    figures = []
    for repeat in range(REPEATS):
        rng = random.Random(repeat)  # noqa: S311 - measured deals are repeatable
        rounds, start = 0, time.perf_counter()
        while time.perf_counter() - start < seconds / REPEATS:
            rounds += play(rng)
        figures.append(rounds / (time.perf_counter() - start))
    return sorted(figures)[REPEATS // 2]
